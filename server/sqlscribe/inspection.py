"""Findings on a whole SQL file: its questions, and every query that stands in it."""

from __future__ import annotations

from collections.abc import Iterator

from sqlscribe.checking.check import check, made_by
from sqlscribe.notation.asks import Question, Script
from sqlscribe.notation.document import Span
from sqlscribe.notation.findings import Finding, Severity
from sqlscribe.prompting.context import resolve_mention
from sqlscribe.schema.model import Schema

_CHECKED = frozenset(
    {"SELECT", "WITH", "INSERT", "UPDATE", "DELETE", "MERGE", "VALUES", "REPLACE", "FROM"}
)
_MAKING = frozenset({"CREATE", "DECLARE"})
_KEPT = 4_000
_MOST_CHARACTERS = 300_000
"""Statements checked in one file, together; what comes behind is data more often than not."""
_Key = tuple[str, str, frozenset[str]]


class Inspector:
    """Checks scripts against one schema, and each distinct statement only once.

    May be used from any thread: at worst a statement is checked twice.
    """

    def __init__(self, schema: Schema) -> None:
        self.schema = schema
        self._known: dict[_Key, tuple[Finding, ...]] = {}

    def inspect(self, script: Script) -> tuple[Finding, ...]:
        """All findings, in the order of the text; spans are in the script's document."""
        findings = list(script.findings)
        for question in script.questions:
            findings += question.findings
            findings += self._mentions(question)
        findings += self._statements(script)
        # A pending refinement repeats the findings of the question above it.
        return tuple(sorted(dict.fromkeys(findings), key=lambda finding: finding.span))

    def _statements(self, script: Script) -> Iterator[Finding]:
        text = script.document.text
        made: frozenset[str] = frozenset()
        left = _MOST_CHARACTERS
        for statement in script.statements:
            is_query = statement.keyword in _CHECKED or text.startswith("(", statement.span.start)
            if not is_query and statement.keyword not in _MAKING:
                continue
            left -= statement.span.end - statement.span.start
            if left < 0:
                message = (
                    f"the file is long: what comes after {_MOST_CHARACTERS:,} characters of"
                    " queries was not checked"
                )
                start = statement.span.start
                yield Finding("check/too-long", Severity.HINT, message, Span(start, start))
                return
            sql = statement.span.of(text)
            if is_query:
                for finding in self._statement(sql, script.dialect, made):
                    yield finding.moved(statement.span.start)
            else:
                made = made.union(made_by(sql, script.dialect))

    def _statement(self, sql: str, dialect: str, made: frozenset[str]) -> tuple[Finding, ...]:
        key = (sql, dialect, made)
        found = self._known.get(key)
        if found is None:
            if len(self._known) >= _KEPT:
                self._known.clear()
            found = self._known[key] = check(sql, self.schema, dialect, made=made).findings
        return found

    def _mentions(self, question: Question) -> list[Finding]:
        if not self.schema.tables:
            return []
        return [
            Finding(
                "ask/unknown-table",
                Severity.WARNING,
                f"@{mention.name} is no table or column of the schema",
                mention.span,
            )
            for mention in question.mentions
            if not resolve_mention(mention.name, self.schema)
        ]
