"""The YAML files of a dbt project: models, seeds, snapshots and sources with their columns."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from sqlscribe.knowledge.located import IN_WORDS, Findings, Node
from sqlscribe.knowledge.located_yaml import read_yaml
from sqlscribe.notation.document import Document
from sqlscribe.schema.dbt.facts import DbtPart, Draft, Relation, RelationKind, kind_of_table
from sqlscribe.schema.dbt.named import names_in

_SUBJECTS: dict[str, RelationKind] = {
    "models": "model",
    "seeds": "seed",
    "snapshots": "snapshot",
}
_LIST = re.compile(
    r"^(?:models|seeds|snapshots|sources)[ \t]*:[ \t]*(?:\#.*)?(?:\r?\n[ \t]*(?:\#.*)?)*"
    r"(?:\r?\n[ \t]*-[ \t]|\[[ \t\r\n]*\{)",
    re.MULTILINE,
)
# A list of models alone may be any program's; dbt's has one of these as well.
_MARK = re.compile(
    r"^(?:version[ \t]*:[ \t]*['\"]?2['\"]?[ \t]*(?:\#.*)?\r?$"
    r"|.*\b(?:columns|tests|data_tests|tables|identifier|loaded_at_field|contract|materialized)"
    r"[ \t]*:)",
    re.MULTILINE,
)
_NAMED = re.compile(r"\bname[ \t]*:")
_DOC = re.compile(
    r"\{\{-?\s*doc\s*\(\s*(?:['\"][\w.-]+['\"]\s*,\s*)?['\"]([\w.-]+)['\"]\s*\)\s*-?\}\}"
)
_DOCS = re.compile(r"\{%-?\s*(?:docs\s+(\w+)|enddocs)\s*-?%\}")


def is_dbt_yaml(text: str, *, in_project: bool = False) -> bool:
    """Whether a YAML text describes tables of a dbt project, by its first look.

    In the folders of a project (``in_project``) a list of names is enough.
    """
    listed = bool(_LIST.search(text) and _NAMED.search(text))
    return listed and (in_project or _MARK.search(text) is not None)


def read_docs(text: str) -> DbtPart:
    """The ``{% docs name %}`` blocks of a Markdown file."""
    docs: dict[str, str] = {}
    name, start = "", 0
    for mark in _DOCS.finditer(text):
        if mark[1]:
            name, start = mark[1], mark.end()
        elif name:
            docs[name] = text[start : mark.start()].strip()
            name = ""
    return DbtPart(docs=docs)


def with_docs(description: str, docs: dict[str, str]) -> str:
    """A description with the texts that its calls of ``doc`` name; unknown ones leave nothing."""
    return _DOC.sub(lambda call: docs.get(call[1], ""), description).strip()


def read_properties(document: Document, path: Path) -> DbtPart:
    """What a YAML file says of tables; what cannot be used is a finding and costs only itself."""
    findings = Findings()
    located = read_yaml(document)
    findings.unreadable("dbt/syntax", [located.problem] if located.problem else [])
    reader = _Reader(document, path, findings)
    relations: dict[str, Relation] = {}
    for root in located.roots:
        for relation, node in reader.relations(root):
            if relation.key in relations:
                message = f"{relation.key} was described before in this file; this one counts."
                findings.warn("dbt/duplicate", message, node)
            relations[relation.key] = relation
    return DbtPart(tuple(relations.values()), tuple(findings), named=names_in(located.roots))


class _Reader:
    def __init__(self, document: Document, path: Path, findings: Findings) -> None:
        self.document = document
        self.path = path
        self.findings = findings

    def relations(self, root: Node) -> Iterator[tuple[Relation, Node]]:
        for subject, kind in _SUBJECTS.items():
            for item, name in self._named(root.get(subject), subject):
                if _is_off(item):
                    continue
                versions = list(self._versions(item, name)) if kind == "model" else []
                yield from versions
                latest = _latest(item, versions)
                if latest is None:
                    yield self._relation(item, name, kind), name
                else:
                    yield replace(latest, key=name.text.strip()), name
        for source, name in self._named(root.get("sources"), "sources"):
            if not _is_off(source):
                yield from self._source(source, name)

    def _named(self, items: Node | None, what: str) -> Iterator[tuple[Node, Node]]:
        """The mappings in a list with their names."""
        if items is None or items.kind == "null":
            return
        if items.kind != "list":
            message = f"{what} must be a list, not {IN_WORDS[items.kind]}."
            self.findings.warn("dbt/bad-value", message, items)
            return
        for item in items.items:
            name = item.get("name")
            if name is not None and name.text.strip():
                yield item, name
            else:
                message = f"Each of {what} needs a name; this one is left out."
                self.findings.warn("dbt/bad-value", message, item)

    def _relation(self, item: Node, name: Node, kind: RelationKind) -> Relation:
        alias = _setting(item, "alias") or name.text.strip()
        made = kind_of_table(_setting(item, "materialized")) if kind == "model" else "table"
        draft = Draft(alias, kind=made)
        return self._described(draft, item, name, kind, name.text.strip())

    def _versions(self, item: Node, name: Node) -> Iterator[tuple[Relation, Node]]:
        """A model's versions, each with the model's columns but those that it leaves out."""
        versions = item.get("versions")
        for version in versions.items if versions is not None else ():
            number = version.get("v")
            if number is None:
                continue
            plain = name.text.strip()
            alias = _setting(version, "alias") or f"{plain}_v{number.text}"
            draft = Draft(alias, kind=kind_of_table(_setting(version, "materialized")))
            listed = version.get("columns")
            entries = listed.items if listed is not None else ()
            rule = next((entry for entry in entries if entry.get("include")), None)
            if listed is None or (rule is not None and _text(rule.get("include")) in ("all", "*")):
                left_out = rule.get("exclude") if rule is not None else None
                without = {each.text.casefold() for each in left_out.items} if left_out else set()
                self._add_columns(draft, item, without)
            self._add_columns(draft, version)
            made = self._described(draft, item, number, "model", f"{plain}.v{number.text}")
            yield replace(made, file=_text(version.get("defined_in"))), number

    def _source(self, source: Node, name: Node) -> Iterator[tuple[Relation, Node]]:
        database = _text(source.get("database")).strip()
        schema = _text(source.get("schema")).strip() or name.text.strip()
        # What a variable of the project names is not known here.
        schema = "" if "{" in schema else schema
        if schema and database and "{" not in database:
            schema = f"{database}.{schema}"
        for item, table in self._named(source.get("tables"), "tables"):
            if _is_off(item):
                continue
            identifier = _text(item.get("identifier"))
            known = identifier and "{" not in identifier
            draft = Draft(identifier if known else table.text.strip(), schema)
            key = f"{name.text.strip()}.{table.text.strip()}"
            yield self._described(draft, item, table, "source", key), table

    def _described(
        self, draft: Draft, item: Node, place: Node, kind: RelationKind, key: str
    ) -> Relation:
        draft.comment = _text(item.get("description")).strip()
        draft.complete = _has_contract(item)
        if not draft.columns:
            self._add_columns(draft, item)
        self._add_tests(draft, item, "")
        self._add_constraints(draft, item, "")
        line = self.document.line_of(place.span.start)
        return Relation(key, kind, draft.table(self.path, line), tuple(draft.links))

    def _add_columns(self, draft: Draft, item: Node, without: set[str] | None = None) -> None:
        columns = item.get("columns")
        if columns is None or any(entry.get("include") for entry in columns.items):
            entries = [] if columns is None else [e for e in columns.items if e.get("name")]
            named = [(entry, entry.get("name") or entry) for entry in entries]
        else:
            named = list(self._named(columns, "columns"))
        for column, name in named:
            text = name.text.strip()
            if text.casefold() in (without or ()):
                continue
            if text.casefold() in draft.columns:
                self.findings.warn("dbt/duplicate", f"{draft.name} has {text} twice.", name)
            quoted = _text(column.get("quote")).lower() == "true"
            said = _text(column.get("description")).strip()
            draft.add(text, _text(column.get("data_type")), said, quoted=quoted)
            self._add_tests(draft, column, text)
            self._add_constraints(draft, column, text)

    def _add_tests(self, draft: Draft, item: Node, column: str) -> None:
        for key in ("tests", "data_tests"):
            tests = item.get(key)
            for test in tests.items if tests is not None else ():
                name, arguments = _test(test)
                draft.test(name, column, arguments)

    def _add_constraints(self, draft: Draft, item: Node, column: str) -> None:
        constraints = item.get("constraints")
        for constraint in constraints.items if constraints is not None else ():
            if constraint.kind == "mapping":
                draft.constraint(_mapping(constraint), column)


def _latest(item: Node, versions: Sequence[tuple[Relation, Node]]) -> Relation | None:
    """The version that a reference without one means: the named one, else the highest."""
    wanted = _text(item.get("latest_version"))
    numbers = {number.text: relation for relation, number in versions}
    if wanted or not numbers:
        return numbers.get(wanted)

    def size(number: str) -> tuple[float, str]:
        try:
            return float(number), number
        except ValueError:
            return float("-inf"), number

    return numbers[max(numbers, key=size)]


def _test(node: Node) -> tuple[str, dict[str, object]]:
    """Name and arguments: ``unique``, ``unique: {…}``, or ``name: …, test_name: unique``."""
    if node.kind != "mapping" or not node.pairs:
        return node.text, {}
    named = node.get("test_name")
    key, value = node.pairs[0]
    arguments = _mapping(node) if named is not None else _mapping(value)
    inner = arguments.pop("arguments", None)
    if isinstance(inner, dict):
        arguments.update(inner)
    if named is None:
        # A test's settings may stand beside its name.
        arguments.update({k.text: _plain(v) for k, v in node.pairs[1:] if k.text == "config"})
    return (named.text if named is not None else key.text), arguments


def _plain(node: Node) -> object:
    if node.kind == "list":
        return [_plain(item) for item in node.items]
    if node.kind == "mapping":
        return _mapping(node)
    return None if node.kind == "null" else node.text


def _mapping(node: Node) -> dict[str, object]:
    return {key.text: _plain(value) for key, value in node.pairs}


def _text(node: Node | None) -> str:
    return node.text if node is not None and node.kind != "null" else ""


def _setting(item: Node, name: str) -> str:
    """A setting of a model, under ``config`` or, as older projects have it, beside its name."""
    config = item.get("config")
    inner = config.get(name) if config is not None else None
    found = _text(inner) or _text(item.get(name))
    return "" if "{" in found else found


def _is_off(item: Node) -> bool:
    return _setting(item, "enabled").lower() == "false"


def _has_contract(item: Node) -> bool:
    config = item.get("config")
    for place in (config, item):
        contract = place.get("contract") if place is not None else None
        if contract is not None and _text(contract.get("enforced")).lower() == "true":
            return True
    return False
