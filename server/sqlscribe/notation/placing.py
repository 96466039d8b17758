"""Putting the SQL of an answer into the text where it belongs."""

from __future__ import annotations

import re

from sqlscribe.notation.document import Document, Span, TextEdit
from sqlscribe.notation.lexicon import Kind, lexicon, scan
from sqlscribe.notation.marked_comments import question_line
from sqlscribe.notation.question import Question
from sqlscribe.notation.statements import outline, split

_LINE_END = re.compile(r"\r\n|\r|\n")


def place(document: Document, question: Question, sql: str) -> TextEdit:
    """The edit that makes ``sql`` the answer of a question of this very document.

    An answer goes under its comment, in place of the answer that was there. A refined
    statement goes under the refine comment, so that the chain of comments stands together
    above it; a repaired one stays where it is and its error comment goes.
    Nothing else changes. Raises ``ValueError`` where ``sql`` holds no statement.
    """
    delimiter = outline(document.text, question.dialect).delimiter_at(question.span.start)
    ready = _ready(sql, question, document.newline, delimiter)
    if question.answer is None:
        return _under_comment(document, question, ready)
    if question.answer.start >= question.span.end:
        start, indent = _line_start(document, question, question.answer.start)
        return TextEdit(Span(start, question.answer.end), indent + ready)
    return _for_statement_above(document, question, question.answer, ready)


def _under_comment(document: Document, question: Question, ready: str) -> TextEdit:
    newline = document.newline
    text = f"{newline}{question.indent}{ready}"
    below = re.compile(rf"[^\S\r\n]*+(?:\r\n|\r|\n)({question_line(lexicon(question.dialect))})")
    comment = below.match(document.text, question.span.end)
    if comment is not None and not re.search(r"(?i)\bask\b", comment[1]):
        # It would change this answer, which it was not written for.
        text += newline
    return TextEdit(Span(question.span.end, question.span.end), text)


def _for_statement_above(document: Document, question: Question, old: Span, ready: str) -> TextEdit:
    text, newline = document.text, document.newline
    start, indent = _line_start(document, question, old.start)
    remark = text[old.end : question.span.start].strip()
    new = f"{ready} {remark}" if remark else ready
    if question.kind == "refine":
        new = f"{question.span.of(text)}{newline}{question.indent}{new}"
        if question.previous is None and _under_statement(document, question, old):
            # Right under that statement the comment would seem to speak of it.
            own_line = start in document.line_starts
            indent = newline * (1 if own_line else 2) + question.indent
    return TextEdit(Span(start, question.span.end), indent + new)


def _under_statement(document: Document, question: Question, old: Span) -> bool:
    """Whether another statement ends on the line above or on the same one."""
    line = document.line_of(old.start)
    return any(
        statement.end <= old.start and line - document.line_of(statement.end - 1) <= 1
        for statement in split(document.text, question.dialect)
    )


def _line_start(document: Document, question: Question, offset: int) -> tuple[int, str]:
    """Where to replace from, and the blanks to put there: as before the comment."""
    start = document.line_starts[document.line_of(offset)]
    if document.text[start:offset].strip():
        return offset, ""
    return start, question.indent


def _ready(sql: str, question: Question, newline: str, delimiter: str) -> str:
    """SQL as it goes into the file: terminated, and indented but for its first line.

    Comments before it become block comments: a line comment would go on with the question.
    """
    sql = _LINE_END.sub("\n", sql)
    view = outline(sql, question.dialect)
    if not view.statements:
        raise ValueError("there is no statement to place")
    first, last = view.statements[0].span.start, view.statements[-1].span.end
    before = [sql[piece.start : piece.end] for piece in view.comments if piece.end <= first]
    lines = [_block_comment(comment) for comment in before]
    text = "\n".join([*lines, sql[first:last]])
    done = last
    for piece in view.comments:
        if piece.start >= last:
            gap = "\n" if "\n" in sql[done : piece.start] else " "
            text += gap + sql[piece.start : piece.end]
            done = piece.end
    text = _terminated(text, question.dialect, delimiter)
    return _indented(text, question).replace("\n", newline)


def _terminated(text: str, dialect: str, delimiter: str) -> str:
    """With its terminator, on a line of its own where it would else be in a comment."""
    ended = split(f"{text};", dialect)
    if not (ended and ended[-1].span.end <= len(text) < ended[-1].end):
        return f"{text}\n{delimiter}"
    return f"{text} {delimiter}" if delimiter[0].isalnum() else f"{text}{delimiter}"


def _block_comment(comment: str) -> str:
    if comment.startswith("/*"):
        return comment
    said = comment.lstrip("-#/").strip().replace("*/", "* /").replace("/*", "/ *")
    return f"/* {said} */"


def _indented(text: str, question: Question) -> str:
    """Every line but the first one indented like the question, not within strings."""
    if not question.indent:
        return text
    quoted = [
        piece
        for piece in scan(text, question.dialect)
        if piece.kind in (Kind.STRING, Kind.IDENTIFIER) and "\n" in text[piece.start : piece.end]
    ]
    parts = []
    offset = 0
    for line in text.split("\n"):
        inside = any(piece.start < offset < piece.end for piece in quoted)
        parts.append(line if inside or not line or not offset else question.indent + line)
        offset += len(line) + 1
    return "\n".join(parts)
