"""What can be done with one statement of a script: format, convert, explain, find its question.

Everything here makes edits of the script's own document, or says why there are none.
"""

from __future__ import annotations

import hashlib
from bisect import bisect_left
from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import pairwise

from sqlscribe.checking.check import check
from sqlscribe.checking.names.parts import QUERIES
from sqlscribe.notation.asks import Question, Script
from sqlscribe.notation.document import Span, TextEdit
from sqlscribe.notation.findings import Finding, Severity
from sqlscribe.notation.lexicon import Kind
from sqlscribe.notation.marked_comments import file_options
from sqlscribe.notation.placing import indented
from sqlscribe.notation.question_parts import question_parts
from sqlscribe.notation.statements import Statement
from sqlscribe.rewrites import Rewrites
from sqlscribe.schema.model import Schema
from sqlscribe.sql_prose import block_comment, one_question

USUAL_DIALECTS = ("postgres", "mysql", "sqlite", "duckdb", "bigquery", "snowflake", "tsql")
_EXPLANATION = "/* Explanation: "


@dataclass(frozen=True)
class Spot:
    """A query in a script, with the question that it answers. ``index`` counts statements."""

    script: Script
    statement: Statement
    index: int
    question: Question | None = None

    @property
    def sql(self) -> str:
        return self.statement.span.of(self.script.document.text)

    @property
    def dialect(self) -> str:
        """The one of the question where that names one, else the file's."""
        options = dict(self.question.options) if self.question is not None else {}
        return options.get("dialect") or self.script.dialect

    @property
    def print(self) -> str:
        """A short name of the SQL as it is written, by which it is found again."""
        return hashlib.sha256(self.sql.encode("utf-8", "surrogatepass")).hexdigest()[:16]

    @property
    def indent(self) -> str:
        """The blanks before the statement, where it begins its line."""
        document = self.script.document
        start = document.line_starts[document.line_of(self.statement.span.start)]
        before = document.text[start : self.statement.span.start]
        return "" if before.strip() else before


@dataclass(frozen=True)
class Change:
    """Edits of the document, or the ``reason`` why there are none; ``remark`` is to be told."""

    edits: tuple[TextEdit, ...] = ()
    reason: str = ""
    remark: str = ""


def spot_at(script: Script, where: Span) -> Spot | None:
    """The query that a range touches first."""
    index = bisect_left(script.statements, where.start, key=lambda statement: statement.end)
    if index == len(script.statements):
        return None
    statement = script.statements[index]
    start = statement.span.start
    if start > where.end or not is_query(statement, script):
        return None
    if not script.document.takes_lines(start):
        return None
    return Spot(script, statement, index, _question_of(script, statement))


def spot_said(script: Script, said: Span, here: Spot | None) -> Spot | None:
    """The query that a message at ``said`` is about: ``here`` where it touches that, too.

    A message that touches no statement, as at the end of a file, is about ``here``.
    """
    if here is not None and _touches(here.statement, said):
        return here
    index = bisect_left(script.statements, said.start, key=lambda statement: statement.end)
    if not any(_touches(each, said) for each in script.statements[index : index + 1]):
        return here
    return spot_at(script, said)


def _touches(statement: Statement, where: Span) -> bool:
    return statement.span.start <= where.end and where.start <= statement.end


def spot_again(script: Script, print_: str, index: int) -> Spot | None:
    """The same query in another version of its file; of several equal ones the nearest."""
    same = [
        spot
        for number, statement in enumerate(script.statements)
        if (spot := Spot(script, statement, number)).print == print_
    ]
    found = min(same, key=lambda one: abs(one.index - index), default=None)
    if found is None:
        return None
    return replace(found, question=_question_of(script, found.statement))


def is_query(statement: Statement, script: Script) -> bool:
    text = script.document.text
    return statement.keyword in QUERIES or text.startswith("(", statement.span.start)


def _question_of(script: Script, statement: Statement) -> Question | None:
    for question in script.questions:
        answer = question.answer
        if answer is not None and answer.end == statement.end and question.kind != "error":
            return question
    return None


# Written anew.


def dialects_for(spot: Spot, also: Iterable[str]) -> tuple[str, ...]:
    """The dialects that a statement may be converted to; ``also`` are those of the workspace."""
    here = spot.dialect
    return tuple(d for d in dict.fromkeys((*also, *USUAL_DIALECTS)) if d and d != here)


def format_change(spot: Spot, rewrites: Rewrites) -> Change:
    """The statement laid out in lines; what stands around it stays."""
    made = rewrites.made(spot.sql, spot.dialect)
    if made.reason:
        return Change(reason=f"not formatted: {made.reason}")
    return Change((_instead(spot, made.sql, spot.dialect),))


def convert_change(spot: Spot, to: str, schema: Schema, rewrites: Rewrites) -> Change:
    """The statement in another dialect, checked there, and the file's or question's word on it."""
    made = rewrites.made(spot.sql, spot.dialect, to)
    if made.reason:
        return Change(reason=f"not converted to {to}: {made.reason}")
    if wrong := _new_errors(spot, made.sql, to, schema):
        return Change(reason=f"not converted to {to}: {wrong[0].message}")
    remarks = [made.remark] if made.remark else []
    if made.lost:
        remarks.append(f"without its comment {made.lost[0]!r}")
    named = _named_dialect(spot, to)
    if named is None:
        remarks.append(f"the rest of the file is still read as {spot.script.dialect or 'SQL'}")
    edits = (_instead(spot, made.sql, to), *([named] if named is not None else []))
    return Change(edits, remark="; ".join(remarks))


def _new_errors(spot: Spot, sql: str, to: str, schema: Schema) -> list[Finding]:
    """Errors that the statement did not have before."""
    before = {finding.message for finding in check(spot.sql, schema, spot.dialect).findings}
    return [
        finding
        for finding in check(sql, schema, to).findings
        if finding.severity is Severity.ERROR and finding.message not in before
    ]


def _instead(spot: Spot, sql: str, dialect: str) -> TextEdit:
    text = indented(sql, spot.indent, dialect).replace("\n", spot.script.document.newline)
    return TextEdit(spot.statement.span, text)


def _named_dialect(spot: Spot, to: str) -> TextEdit | None:
    """The edit by which the statement is read in its new dialect.

    ``None`` where the file holds others, which stay in the old one.
    """
    text = spot.script.document.text
    question = spot.question
    if question is not None and dict(question.options).get("dialect"):
        parts = list(question_parts(text, question))
        for name, value in pairwise(parts):
            if name.span.of(text).casefold() == "dialect" and value.kind == "value":
                return TextEdit(value.span, to)
        return None
    if len(spot.script.statements) > 1:
        return None
    for option in file_options(text):
        if option.name == "dialect":
            return TextEdit(option.span, to)
    start = spot.script.document.begin
    return TextEdit(Span(start, start), f"-- dialect: {to}{spot.script.document.newline}")


# In words.


def explanation_edit(spot: Spot, words: str) -> TextEdit:
    """An explanation as a comment above the statement, in place of an older one.

    A block comment: a line comment would go on with the question above it.
    """
    document = spot.script.document
    comment = block_comment(f"Explanation: {words}", document.newline, spot.indent)
    start = spot.statement.span.start
    for piece in reversed(spot.script.comments):
        if piece.end <= start and piece.kind is Kind.BLOCK_COMMENT:
            between = document.text[piece.end : start]
            if document.text.startswith(_EXPLANATION, piece.start) and not between.strip():
                return TextEdit(Span(piece.start, piece.end), comment)
        if piece.start < start:
            break
    return TextEdit(Span(start, start), f"{comment}{document.newline}{spot.indent}")


def question_edit(spot: Spot, words: str) -> Change:
    """A question as a comment above a statement that has none."""
    question = one_question(words)
    if spot.question is not None:
        return Change(reason="the statement has its question")
    if not question:
        return Change(reason="the model's reply was empty")
    document = spot.script.document
    start = spot.statement.span.start
    text = f"-- ask: {question}{document.newline}{spot.indent}"
    line = document.line_starts[document.line_of(start)]
    if document.text[line:start].strip():
        # Other SQL stands before it on the line.
        text = f"{document.newline}{text}"
    return Change((TextEdit(Span(start, start), text),))
