"""What dbt writes into its target folder: ``manifest.json`` and ``catalog.json``.

Both may have tens of megabytes, so they are read without the places of their parts: what is
said of a table is at home in the file that it was made from.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path, PurePosixPath

from sqlscribe.notation.document import Document, Span
from sqlscribe.notation.findings import Finding, Severity
from sqlscribe.notation.jinja_sql import references
from sqlscribe.schema.dbt.facts import DbtPart, Draft, Relation, RelationKind, kind_of_table

_KINDS: dict[str, RelationKind] = {
    "model": "model",
    "seed": "seed",
    "snapshot": "snapshot",
    "source": "source",
}
_Node = Mapping[str, object]


def is_manifest(text: str) -> bool:
    """Whether a JSON text is dbt's manifest or catalogue, by its beginning."""
    return "schemas.getdbt.com/dbt/" in text[:2_000]


def read_manifest(document: Document, path: Path) -> DbtPart:
    """The tables of a manifest of any version, with its tests as keys, values and links."""
    data, findings = _loaded(document)
    nodes = [*_nodes(data.get("nodes")), *_nodes(data.get("sources"))]
    several = len({_text(node, "database") for node in nodes if _kind(node)} - {""}) > 1
    drafts: dict[str, tuple[_Node, Draft]] = {}
    for node in nodes:
        if _kind(node):
            drafts[_text(node, "unique_id")] = (node, _draft(node, several))
    for node in nodes:
        if _text(node, "resource_type") == "test":
            _apply_test(node, drafts)
    relations: list[Relation] = []
    for node, draft in drafts.values():
        kind = _kind(node)
        if kind is not None:
            table = draft.table(_file(node, path), 0)
            relations.append(Relation(_key(node), kind, table, tuple(draft.links)))
            if _is_latest(node):
                relations.append(replace(relations[-1], key=_text(node, "name")))
    return DbtPart(tuple(relations), findings)


def read_catalog(document: Document, path: Path) -> DbtPart:
    """The tables of a catalogue: all their columns with their types, as the database has them."""
    data, findings = _loaded(document)
    relations: list[Relation] = []
    nodes = [*_nodes(data.get("nodes")), *_nodes(data.get("sources"))]
    several = len({_text(_inner(node, "metadata"), "database") for node in nodes} - {""}) > 1
    for node in nodes:
        parts = _text(node, "unique_id").split(".")
        kind = _KINDS.get(parts[0])
        if kind is None or len(parts) < 3:
            continue
        about = _inner(node, "metadata")
        draft = Draft(_text(about, "name") or parts[-1], _schema(about, several), complete=True)
        draft.comment = _text(about, "comment")
        draft.kind = "view" if "view" in _text(about, "type").lower() else "table"
        columns = sorted(_nodes(node.get("columns")), key=_place)
        for column in columns:
            draft.add(_text(column, "name"), _text(column, "type"), _text(column, "comment"))
        key = ".".join(parts[2:])
        relations.append(Relation(key, kind, draft.table(path, 0)))
    return DbtPart(tuple(relations), findings)


def _loaded(document: Document) -> tuple[_Node, tuple[Finding, ...]]:
    try:
        data = json.loads(document.text)
    except json.JSONDecodeError as error:
        line = document.line_span(document.line_of(min(error.pos, len(document.text))))
        span = Span(min(error.pos, line.end), line.end)
        return {}, (_problem(f"This is not JSON: {error.msg}.", span),)
    except (ValueError, RecursionError):
        return {}, (_problem("This is not JSON that can be read.", Span(0, 0)),)
    if not isinstance(data, dict):
        return {}, (_problem("A file of dbt's is a JSON object.", Span(0, 0)),)
    return data, ()


def _problem(message: str, span: Span) -> Finding:
    return Finding("dbt/syntax", Severity.ERROR, message, span)


def _nodes(values: object) -> Iterator[_Node]:
    """The objects in an object; each with the name it goes by as ``unique_id`` if it has none."""
    if isinstance(values, dict):
        for name, value in values.items():
            if isinstance(value, dict):
                yield value if "unique_id" in value else {"unique_id": name, **value}


def _inner(node: _Node, name: str) -> _Node:
    value = node.get(name)
    return value if isinstance(value, dict) else {}


def _text(node: _Node, name: str) -> str:
    value = node.get(name)
    return str(value) if isinstance(value, str | int) and not isinstance(value, bool) else ""


def _items(node: _Node, name: str) -> Iterable[_Node]:
    value = node.get(name)
    return [each for each in value if isinstance(each, dict)] if isinstance(value, list) else []


def _place(column: _Node) -> int:
    index = column.get("index")
    return index if isinstance(index, int) else 0


def _kind(node: _Node) -> RelationKind | None:
    return _KINDS.get(_text(node, "resource_type"))


def _key(node: _Node) -> str:
    name = _text(node, "name")
    if _kind(node) == "source":
        return f"{_text(node, 'source_name')}.{name}"
    version = _text(node, "version")
    return f"{name}.v{version}" if version else name


def _is_latest(node: _Node) -> bool:
    version = _text(node, "version")
    return bool(version) and version == _text(node, "latest_version")


def _schema(node: _Node, with_database: bool) -> str:
    """The database goes without saying where a project has only one."""
    parts = [_text(node, "database")] if with_database else []
    return ".".join(part for part in (*parts, _text(node, "schema")) if part)


def _draft(node: _Node, several: bool) -> Draft:
    name = _text(node, "identifier") or _text(node, "alias") or _text(node, "name")
    config = _inner(node, "config")
    draft = Draft(name, _schema(node, several), _text(node, "description").strip())
    if _kind(node) == "model":
        draft.kind = kind_of_table(_text(config, "materialized"))
    contract = _inner(node, "contract") or _inner(config, "contract")
    draft.complete = contract.get("enforced") is True
    columns = list(_nodes(node.get("columns")))
    for column in columns:
        said = _text(column, "description").strip()
        quoted = column.get("quote") is True
        draft.add(_text(column, "name"), _text(column, "data_type"), said, quoted=quoted)
        for constraint in _items(column, "constraints"):
            draft.constraint(constraint, _text(column, "name"))
    for constraint in _items(node, "constraints"):
        draft.constraint(constraint)
    key = node.get("primary_key")
    if isinstance(key, list) and not draft.primary_key:
        draft.primary_key = tuple(name for name in key if isinstance(name, str))
    return draft


def _apply_test(node: _Node, drafts: Mapping[str, tuple[_Node, Draft]]) -> None:
    about = _inner(node, "test_metadata")
    found = drafts.get(_tested(node, about, drafts))
    if found is None:
        return
    given = _inner(about, "kwargs")
    config = _inner(node, "config")
    package = _text(about, "namespace")
    name = f"{package}.{_text(about, 'name')}" if package else _text(about, "name")
    arguments = {
        **given,
        "config": {"where": config.get("where"), "enabled": config.get("enabled", True)},
    }
    column = _text(node, "column_name") or _text(given, "column_name")
    found[1].test(name, column, arguments)


def _tested(node: _Node, about: _Node, drafts: Mapping[str, tuple[_Node, Draft]]) -> str:
    """The id of the node that a test belongs to; older manifests only name it in a template."""
    attached = _text(node, "attached_node")
    if attached:
        return attached
    named = references(_text(_inner(about, "kwargs"), "model"))
    depends = _inner(node, "depends_on").get("nodes")
    nodes = depends if isinstance(depends, list) else []
    candidates = [each for each in nodes if isinstance(each, str)]
    for candidate in candidates:
        if named and candidate in drafts and _key(drafts[candidate][0]) == named[0].key:
            return candidate
    return candidates[0] if len(candidates) == 1 else ""


_SCHEME = re.compile(r"\w+://")


def _file(node: _Node, manifest: Path) -> Path:
    """The file that a node was made from, where the manifest stands in its project's target."""
    named = _SCHEME.sub("", _text(node, "original_file_path"))
    parts = PurePosixPath(named.replace("\\", "/")).parts
    if manifest.parent.name != "target" or not parts or ".." in parts or parts[0] == "/":
        return manifest
    return manifest.parent.parent.joinpath(*parts)
