"""SQL in fenced blocks of the texts that models read: rules, notes and templates.

What a rule shows as an example is what a model writes; a name that is no longer there, or
another engine's words, come back in answers.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator
from dataclasses import replace
from pathlib import Path

from sqlscribe.checking.check import check
from sqlscribe.files import Text
from sqlscribe.notation.document import Document, Span
from sqlscribe.notation.embedded import SQL_LANGUAGES
from sqlscribe.notation.fenced import fenced_blocks
from sqlscribe.notation.findings import Finding, Severity
from sqlscribe.schema.model import Schema

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

    def forget(self, present: Collection[Path]) -> None:
        """Drop what was found in files that are no longer read."""
        self._kept = {key: kept for key, kept in self._kept.items() if key[0] in present}

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
    """The contents of the blocks that say they are SQL.

    Not those within quotes, where each line has something before it that is no SQL, and none
    that is not closed: a file may be half written.
    """
    if len(document.text) > _LONGEST:
        return
    for block in fenced_blocks(document):
        is_whole = block.closed and ">" not in block.prefix and block.span.start < block.span.end
        if is_whole and block.language in SQL_LANGUAGES:
            yield block.span


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
