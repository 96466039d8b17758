"""SQL in fenced blocks of the texts that models read: rules, notes and templates.

What a rule shows as an example is what a model writes; a name that is no longer there, or
another engine's words, come back in answers.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

from sqlscribe.checking.check import check
from sqlscribe.files import Text
from sqlscribe.notation.document import Document, Span
from sqlscribe.notation.findings import Finding, Severity
from sqlscribe.schema.model import Schema

_FENCE = re.compile(r"[ ]{0,3}(?P<mark>`{3,}|~{3,})[ \t]*(?P<info>[^\r\n`]*)")
_SQL = ("sql", "postgresql", "postgres", "mysql", "sqlite", "tsql", "plsql")
_LONGEST = 300_000
"""Characters of a text in which blocks are looked for."""
_JINJA = re.compile(r"\{[{%#]")
_PLACEHOLDER = re.compile(r"\.\.\.|…|<\w+>")
"""A sketch of SQL, which nobody means to be complete."""

_NO_TABLES = Schema()


class Fences:
    """Findings on the blocks of files, made again only when text or schema are others."""

    def __init__(self) -> None:
        self._kept: dict[tuple[Path, bool], tuple[Text, Schema, str, tuple[Finding, ...]]] = {}

    def names(self, path: Path, text: Text, schema: Schema, dialect: str) -> tuple[Finding, ...]:
        """What the SQL of rules and notes names and the schema does not have."""
        return self._once(path, text, schema, dialect, is_name=True)

    def dialect(self, path: Path, text: Text, dialect: str) -> tuple[Finding, ...]:
        """What the SQL of a template has that the engine does not have."""
        return self._once(path, text, _NO_TABLES, dialect, is_name=False)

    def _once(
        self, path: Path, text: Text, schema: Schema, dialect: str, *, is_name: bool
    ) -> tuple[Finding, ...]:
        known = self._kept.get((path, is_name))
        if known is not None and known[0] == text and known[1] is schema and known[2] == dialect:
            return known[3]
        wanted = _is_sure_name if is_name else _is_foreign
        found = tuple(_findings(text.document, schema, dialect, wanted))
        self._kept[path, is_name] = (text, schema, dialect, found)
        return found


def fenced_sql(document: Document) -> Iterator[Span]:
    """The contents of the blocks that say they are SQL."""
    text = document.text
    if len(text) > _LONGEST or ("```" not in text and "~~~" not in text):
        return
    opening: re.Match[str] | None = None
    start = 0
    starts = document.line_starts
    for number in range(len(starts)):
        line = document.line_span(number)
        fence = _FENCE.match(text, line.start, line.end)
        if fence is None:
            continue
        if opening is None:
            opening, start = fence, starts[number + 1] if number + 1 < len(starts) else len(text)
        elif fence["mark"].startswith(opening["mark"]) and not fence["info"].strip():
            language = opening["info"].strip().partition(" ")[0].lower()
            if language in _SQL and start < line.start:
                yield Span(start, line.start)
            opening = None


def _findings(
    document: Document, schema: Schema, dialect: str, wanted: Callable[[Finding], bool]
) -> Iterator[Finding]:
    for span in fenced_sql(document):
        sql = span.of(document.text)
        if _JINJA.search(sql) or _PLACEHOLDER.search(sql):
            continue
        for finding in check(sql, schema, dialect).findings:
            if wanted(finding):
                yield replace(finding, severity=Severity.WARNING).moved(span.start)


def _is_sure_name(finding: Finding) -> bool:
    """A slip with one right name near, since notes may also tell of other databases."""
    named = finding.code in ("name/unknown-table", "name/unknown-column")
    return named and any(fix.preferred for fix in finding.fixes)


def _is_foreign(finding: Finding) -> bool:
    return finding.code.startswith("dialect/") and finding.severity is Severity.ERROR
