"""Value profiles: which values a column holds, kept in files so that literals can be grounded.

orders:
  status: [paid, open]
  placed_at: {min: 2023-01-01, max: 2024-06-30}
  country: {values: [NO, SE], note: "ISO codes"}
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase
from pathlib import Path

from sqlscribe.knowledge.located import IN_WORDS, Findings, Node, closest, renamed
from sqlscribe.knowledge.located_yaml import read_yaml
from sqlscribe.knowledge.personal import looks_like_instruction, personal_values
from sqlscribe.notation.document import Document
from sqlscribe.notation.findings import Finding, Severity
from sqlscribe.schema.model import Schema

_KEYS = ("values", "min", "max", "note")
_SCALARS = ("text", "number", "truth", "date")
_MOST_COMPARED = 20
"""Unknown tables that are compared with all known ones, which takes a while."""


@dataclass(frozen=True)
class Profile:
    """What is known of a column. Values are spelled as in the file; ``NO`` stays ``NO``.

    ``table`` may be qualified (``sales.orders``). ``minimum`` and ``maximum`` are ``""``
    where they are not given. ``partial``: the column has more values than these. ``line`` is
    zero-based. ``places`` are where the file names table and column.
    """

    table: str
    column: str
    values: tuple[str, ...] = ()
    minimum: str = ""
    maximum: str = ""
    note: str = ""
    file: Path = Path()
    line: int = 0
    partial: bool = False
    places: tuple[Node, Node] | None = field(default=None, compare=False, repr=False)


def read_profiles(
    document: Document, path: Path
) -> tuple[tuple[Profile, ...], tuple[Finding, ...]]:
    """The profiles in a YAML file; what cannot be used is a finding and costs only itself."""
    findings = Findings()
    located = read_yaml(document)
    findings.unreadable("profile/syntax", [located.problem] if located.problem else [])
    profiles: dict[tuple[str, str], Profile] = {}
    for table, column, value in _columns(located.roots, findings):
        name = (table.text.strip(), column.text.strip())
        if name in profiles:
            message = f"{'.'.join(name)} was described before; this later one counts."
            findings.warn("profile/duplicate", message, column)
        line = document.line_of(column.span.start)
        profile = _profile(name, value, findings)
        _doubtful(table, column, value, findings)
        if profile != Profile(*name):
            profiles[name] = replace(profile, file=path, line=line, places=(table, column))
    return tuple(profiles.values()), tuple(findings)


def unfit(profiles: Iterable[Profile], schema: Schema) -> dict[Path, tuple[Finding, ...]]:
    """Findings by file on the tables and columns that the schema does not have.

    A schema without tables knows nothing, and one of a table's columns may be unknown too.
    """
    if not schema.tables:
        return {}
    found: dict[Path, list[Finding]] = {}
    unknown: set[tuple[Path, str]] = set()
    for profile in profiles:
        if profile.places is None:
            continue
        table, column = profile.places
        owner, _, name = profile.table.rpartition(".")
        tables = schema.named(name, owner)
        if any(each.partly_understood or each.column(profile.column) for each in tables):
            continue
        if tables:
            columns = {each.name for table_ in tables for each in table_.columns}
            message = f"{tables[0].name} has no column {profile.column}."
            finding = _unknown("profile/unknown-column", message, column, columns)
        elif (profile.file, profile.table) in unknown:
            # Said once for all of its columns.
            continue
        else:
            unknown.add((profile.file, profile.table))
            # Comparing names takes a while, and who has many unknown ones made no slip.
            few = len(unknown) <= _MOST_COMPARED
            names = {each.name for each in schema.tables} if few else ()
            message = f"The schema has no table {profile.table}."
            finding = _unknown("profile/unknown-table", message, table, names)
        found.setdefault(profile.file, []).append(finding)
    return {file: tuple(findings) for file, findings in found.items()}


def _unknown(code: str, message: str, place: Node, known: Iterable[str]) -> Finding:
    near = closest(place.text.strip(), known)
    message = f"{message} Did you mean {near}?" if near else message
    fixes = (renamed(place, near),) if near else ()
    return Finding(code, Severity.WARNING, message, place.span, fixes)


def is_masked(table: str, column: str, masks: Iterable[str]) -> bool:
    """Whether a mask (``customers.email``, ``*.ssn``) means the column, letter case ignored.

    Also where only one of the two names its schema.
    """
    table, column = table.casefold(), column.casefold()
    names = (table, table.rpartition(".")[2])
    for mask in masks:
        owner, _, last = mask.casefold().rpartition(".")
        owners = (owner or "*", *(() if "." in table else (owner.rpartition(".")[2],)))
        if fnmatchcase(column, last) and any(
            fnmatchcase(name, pattern) for name in names for pattern in owners
        ):
            return True
    return False


def _columns(roots: tuple[Node, ...], findings: Findings) -> Iterator[tuple[Node, Node, Node]]:
    """Table name, column name and description, one column after the other."""
    for root in roots:
        if root.kind not in ("mapping", "null"):
            findings.warn("profile/bad-value", "A profile is a mapping of tables to columns.", root)
        for table, columns in root.pairs:
            if columns.kind not in ("mapping", "null"):
                message = f"{table.text} must be a mapping of columns to their values."
                findings.warn("profile/bad-value", message, table)
            for column, value in columns.pairs:
                yield table, column, value


def _profile(name: tuple[str, str], value: Node, findings: Findings) -> Profile:
    if value.kind == "null":
        return Profile(*name)
    if value.kind != "mapping":
        return Profile(*name, _values(value, findings))
    for key, _ in value.pairs:
        if key.text not in _KEYS:
            near = closest(key.text, [name for name in _KEYS if value.get(name) is None])
            hint = f" Did you mean {near}?" if near else f" Known are {', '.join(_KEYS)}."
            message = f"{'.'.join(name)} cannot have {key.text!r}.{hint}"
            findings.unknown_key("profile/unknown-key", message, key, near)
    values = value.get("values")
    return Profile(
        *name,
        values=_values(values, findings) if values else (),
        minimum=_scalar(value.get("min"), findings),
        maximum=_scalar(value.get("max"), findings),
        note=_scalar(value.get("note"), findings),
    )


def _values(node: Node, findings: Findings) -> tuple[str, ...]:
    if node.kind != "list":
        findings.warn("profile/bad-value", "Values stand in a list: [paid, open].", node)
        return ()
    texts = [_scalar(item, findings) for item in node.items if item.kind != "null"]
    return tuple(dict.fromkeys(text for text in texts if text))


def _scalar(node: Node | None, findings: Findings) -> str:
    if node is None or node.kind == "null":
        return ""
    if node.kind not in _SCALARS:
        findings.warn(
            "profile/bad-value", f"One value is wanted here, not {IN_WORDS[node.kind]}.", node
        )
        return ""
    return node.text


def _doubtful(table: Node, column: Node, value: Node, findings: Findings) -> None:
    """Say so where values look like personal data, or like orders to a model."""
    listed = value if value.kind == "list" else value.get("values")
    items = [item for item in (listed.items if listed else ()) if item.kind in _SCALARS]
    personal = dict(personal_values(column.text, (item.text for item in items), table.text))
    found = [item for item in items if item.text in personal]
    if found:
        others = len(found) - 1
        more = f", and {others} more of {column.text} with it" if others else ""
        message = (
            f"This looks like {personal[found[0].text]}{more}. Values in here are shared and may"
            " be sent to a model: leave the column out, or mask it."
        )
        findings.warn("profile/personal-data", message, found[0])
    note = value.get("note")
    for item in (*items, *((note,) if note else ())):
        if looks_like_instruction(item.text):
            message = (
                "This reads like an instruction to a model, and may be sent to one. Leave it out"
                " unless it is what the data says."
            )
            findings.warn("profile/instruction-like", message, item)


def known_values(
    profiles: Iterable[Profile], schema: Schema
) -> dict[tuple[str, str], tuple[str, ...]]:
    """The values of columns, by the case-folded names of table (with its schema) and column."""
    found: dict[tuple[str, str], tuple[str, ...]] = {}
    for profile in profiles:
        owner, _, name = profile.table.rpartition(".")
        for table in schema.named(name, owner):
            if profile.values:
                key = (table.qualified_name.casefold(), profile.column.casefold())
                found[key] = profile.values
    return found
