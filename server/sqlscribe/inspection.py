"""Findings on a whole SQL file: its questions, and every query that stands in it."""

from __future__ import annotations

from sqlscribe.checking.check import check
from sqlscribe.notation.asks import Question, Script
from sqlscribe.notation.findings import Finding, Severity
from sqlscribe.prompting.context import resolve_mention
from sqlscribe.schema.model import Schema

_CHECKED = frozenset(
    {"SELECT", "WITH", "INSERT", "UPDATE", "DELETE", "MERGE", "VALUES", "REPLACE", "FROM"}
)
_KEPT = 4_000


class Inspector:
    """Checks scripts against one schema, and each distinct statement only once.

    Used from one worker thread at a time.
    """

    def __init__(self, schema: Schema) -> None:
        self.schema = schema
        self._known: dict[tuple[str, str], tuple[Finding, ...]] = {}

    def inspect(self, script: Script) -> tuple[Finding, ...]:
        """All findings, in the order of the text; spans are in the script's document."""
        text = script.document.text
        findings = list(script.findings)
        for question in script.questions:
            findings += question.findings
            findings += self._mentions(question)
        for statement in script.statements:
            sql = statement.span.of(text)
            if statement.keyword in _CHECKED or sql.startswith("("):
                found = self._statement(sql, script.dialect)
                findings += [finding.moved(statement.span.start) for finding in found]
        # A pending refinement repeats the findings of the question above it.
        return tuple(sorted(dict.fromkeys(findings), key=lambda finding: finding.span))

    def _statement(self, sql: str, dialect: str) -> tuple[Finding, ...]:
        key = (sql, dialect)
        if key not in self._known:
            if len(self._known) >= _KEPT:
                self._known.clear()
            self._known[key] = check(sql, self.schema, dialect).findings
        return self._known[key]

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
