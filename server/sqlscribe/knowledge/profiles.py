"""Value profiles: which values a column holds, kept in files so that literals can be grounded.

orders:
  status: [paid, open]
  placed_at: {min: 2023-01-01, max: 2024-06-30}
  country: {values: [NO, SE], note: "ISO codes"}
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from sqlscribe.knowledge.located import IN_WORDS, Findings, Node, nearest
from sqlscribe.knowledge.located_yaml import read_yaml
from sqlscribe.notation.document import Document
from sqlscribe.notation.findings import Finding

_KEYS = ("values", "min", "max", "note")
_SCALARS = ("text", "number", "truth", "date")


@dataclass(frozen=True)
class Profile:
    """What is known of a column. Values are spelled as in the file; ``NO`` stays ``NO``.

    ``table`` may be qualified (``sales.orders``). ``minimum`` and ``maximum`` are ``""``
    where they are not given. ``line`` is zero-based.
    """

    table: str
    column: str
    values: tuple[str, ...] = ()
    minimum: str = ""
    maximum: str = ""
    note: str = ""
    file: Path = Path()
    line: int = 0


def read_profiles(
    document: Document, path: Path
) -> tuple[tuple[Profile, ...], tuple[Finding, ...]]:
    """The profiles in a YAML file; what cannot be used is a finding and costs only itself."""
    findings = Findings("profile")
    located = read_yaml(document)
    findings.unreadable([located.problem] if located.problem else [])
    profiles: dict[tuple[str, str], Profile] = {}
    for table, column, value in _columns(located.roots, findings):
        name = (table.text.strip(), column.text.strip())
        if name in profiles:
            message = f"{'.'.join(name)} was described before; this later one counts."
            findings.warn("duplicate", message, column)
        line = document.line_of(column.span.start)
        profile = _profile(name, value, findings)
        if profile != Profile(*name):
            profiles[name] = replace(profile, file=path, line=line)
    return tuple(profiles.values()), tuple(findings)


def _columns(roots: tuple[Node, ...], findings: Findings) -> Iterator[tuple[Node, Node, Node]]:
    """Table name, column name and description, one column after the other."""
    for root in roots:
        if root.kind not in ("mapping", "null"):
            findings.warn("bad-value", "A profile is a mapping of tables to columns.", root)
        for table, columns in root.pairs:
            if columns.kind not in ("mapping", "null"):
                message = f"{table.text} must be a mapping of columns to their values."
                findings.warn("bad-value", message, table)
            for column, value in columns.pairs:
                yield table, column, value


def _profile(name: tuple[str, str], value: Node, findings: Findings) -> Profile:
    if value.kind == "null":
        return Profile(*name)
    if value.kind != "mapping":
        return Profile(*name, _values(value, findings))
    for key, _ in value.pairs:
        if key.text not in _KEYS:
            hint = nearest(key.text, _KEYS) or f" Known are {', '.join(_KEYS)}."
            message = f"{'.'.join(name)} cannot have {key.text!r}.{hint}"
            findings.warn("unknown-key", message, key)
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
        findings.warn("bad-value", "Values stand in a list: [paid, open].", node)
        return ()
    texts = [_scalar(item, findings) for item in node.items if item.kind != "null"]
    return tuple(dict.fromkeys(text for text in texts if text))


def _scalar(node: Node | None, findings: Findings) -> str:
    if node is None or node.kind == "null":
        return ""
    if node.kind not in _SCALARS:
        findings.warn("bad-value", f"One value is wanted here, not {IN_WORDS[node.kind]}.", node)
        return ""
    return node.text
