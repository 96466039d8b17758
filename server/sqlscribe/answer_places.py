"""Where an answer goes in a document that may have changed since, and what is kept about it."""

from __future__ import annotations

import datetime
from dataclasses import dataclass, replace

from sqlscribe.answer import Answer
from sqlscribe.notation import asks
from sqlscribe.notation.asks import Question, Script
from sqlscribe.notation.document import Document, Span, TextEdit
from sqlscribe.notation.stamps import stamp, stamp_under
from sqlscribe.origins import Origins
from sqlscribe.provenance import (
    Known,
    Record,
    facts_of,
    key_of,
    origin_of,
    sql_fingerprint,
)
from sqlscribe.snapshot import Snapshot
from sqlscribe.sql_actions import Spot, spot_again


@dataclass(frozen=True)
class Asked:
    """A question and its document. ``spot`` is the statement where no comment asks."""

    document: Document
    question: Question
    spot: Spot | None = None


def repair_of(spot: Spot, error: str) -> Question:
    """The question to repair a statement of which somebody else says what is wrong."""
    owner = spot.question
    start, end = spot.statement.span.start, spot.statement.end
    return Question(
        kind="error",
        text=error,
        # Nothing of it stands in the text; the statement is replaced where it is.
        span=Span(start, start),
        indent=spot.indent,
        answer=Span(start, end),
        turns=owner.chain if owner is not None else (),
        options=owner.options if owner is not None else (),
        mentions=owner.mentions if owner is not None else (),
        dialect=spot.script.dialect,
    )


def with_reading(asked: Asked, reading: str) -> Asked:
    """The question with one more line, in a document that has it."""
    if not reading:
        return asked
    document = asked.document.changed([reading_edit(asked.document, asked.question, reading)])
    script = asks.read(document, asked.question.dialect)
    start = asked.question.span.start
    found = next((each for each in script.questions if each.span.start == start), asked.question)
    return Asked(document, found)


def reading_edit(document: Document, question: Question, reading: str) -> TextEdit:
    """The edit that adds a line to a question's comment."""
    text = " ".join(reading.replace("*/", "* /").split())
    last = document.line_span(document.line_of(question.span.end))
    line = document.text[last.start : question.span.end].lstrip()
    if question.span.of(document.text).endswith("*/"):
        at = question.span.end - 2
        return TextEdit(Span(at, at), f"{document.newline}{question.indent}{text} ")
    mark = next((mark for mark in ("--", "//", "#") if line.startswith(mark)), "--")
    at = question.span.end
    return TextEdit(Span(at, at), f"{document.newline}{question.indent}{mark} {text}")


def edits(
    asked: Asked,
    script: Script,
    sql: str,
    reading: str = "",
    stamped: str = "",
    *,
    is_model: bool = False,
) -> list[TextEdit] | None:
    """The edits that put ``sql`` where it belongs in ``script``, a version of its document.

    ``is_model`` tells that it is one of dbt's models.

    ``None`` where the question, or the statement to repair, is gone or was changed, and where
    another statement stands there now than when it was asked: somebody wrote that meanwhile.
    """
    document = script.document
    if asked.spot is not None:
        spot = spot_again(script, asked.spot.print, asked.spot.index)
        if spot is None:
            return None
        repair = repair_of(spot, asked.question.text)
        return [asks.place(document, repair, sql, stamped, script.outline, is_model=is_model)]
    question = asks.find_again(asked.question, script)
    if question is None or not _is_as_asked(asked, document, question, sql):
        return None
    if not reading:
        return [asks.place(document, question, sql, stamped, script.outline, is_model=is_model)]
    line = reading_edit(document, question, reading)
    read = with_reading(Asked(document, question), reading)
    placed = asks.place(read.document, read.question, sql, stamped, is_model=is_model)
    # Both as edits of the document without the line.
    span = placed.span.moved(-len(line.text))
    if span.start > line.span.end:
        return [line, TextEdit(span, placed.text)]
    return [TextEdit(Span(line.span.start, max(span.end, line.span.end)), line.text + placed.text)]


def _is_as_asked(asked: Asked, document: Document, question: Question, sql: str) -> bool:
    """Whether the statement to be replaced is the one of the request, or ``sql`` already."""
    now = _words(question.answer, document)
    return now in ("", _words(asked.question.answer, asked.document), _plain(sql))


def _words(span: Span | None, document: Document) -> str:
    return "" if span is None else _plain(span.of(document.text))


def _plain(sql: str) -> str:
    """A statement without its terminator, however it is laid out in lines."""
    return " ".join(sql.split()).rstrip("; ")


def record_of(question: Question, given: Answer, snapshot: Snapshot) -> Record:
    """What is kept about an answer: its SQL by fingerprint, and where it came from."""
    known = Known(snapshot.schema, snapshot.examples, snapshot.rules, snapshot.templates)
    is_verified = given.source == "verified"
    shown = given.prompt.context.examples if given.prompt is not None and not is_verified else ()
    examples = [scored.item for scored in shown]
    if given.example is not None:
        examples.append(given.example)
    today = datetime.date.today().isoformat()
    origin = origin_of(given.tables, examples, known, given.model, today)
    if is_verified:
        # Its prompt was not needed.
        origin = replace(origin, templates="")
    return Record(key_of(question), sql_fingerprint(given.sql, question.dialect), origin)


def stamp_of(origins: Origins, question: Question, sql: str) -> str:
    """The comment that tells where an answer came from, ``""`` where nobody knows."""
    record = origins.find(question, sql)
    return "" if record is None else stamp(facts_of(record))


def restamped(script: Script, question: Question, record: Record) -> TextEdit | None:
    """The edit of the stamp under an answer, ``None`` where there is none."""
    if question.answer is None:
        return None
    old = stamp_under(script.document.text, question.answer.end)
    return None if old is None else TextEdit(old.span, stamp(facts_of(record)))
