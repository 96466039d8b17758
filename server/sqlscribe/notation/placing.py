"""Putting the SQL of an answer into the text where it belongs."""

from __future__ import annotations

import re

from sqlscribe.notation.document import Document, Span, TextEdit
from sqlscribe.notation.embedded import outline_of
from sqlscribe.notation.jinja_places import ONLY_TAGS
from sqlscribe.notation.lexicon import Kind, lexicon, scan
from sqlscribe.notation.marked_comments import question_line
from sqlscribe.notation.question import EMPTY_LINE, Question, own_answer, own_dialect
from sqlscribe.notation.stamps import stamp_under
from sqlscribe.notation.statements import Outline, outline, split

_LINE_END = re.compile(r"\r\n|\r|\n")


def place(
    document: Document,
    question: Question,
    sql: str,
    stamp: str = "",
    known: Outline | None = None,
    *,
    is_model: bool = False,
) -> TextEdit:
    """The edit that makes ``sql`` the answer of a question of this very document.

    An answer goes under its comment, in place of the answer that was there. A refined
    statement goes under the refine comment, so that the chain of comments stands together
    above it; a repaired one stays where it is and its error comment goes.
    ``stamp`` is a comment to put under it; the one that was under the old answer goes.
    Nothing else changes. ``known`` is the document's outline, where somebody has made it.
    In a dbt model (``is_model``) the last statement gets no terminator: dbt puts it into another
    statement.
    Raises ``ValueError`` where ``sql`` holds no statement.
    """
    view = known or outline_of(document, question.dialect)
    delimiter = view.delimiter_at(question.span.start)
    if is_model and not any(
        each.span.start >= max(question.span.end, question.answer.end if question.answer else 0)
        and not ONLY_TAGS.match(each.span.of(document.text))
        for each in view.statements
    ):
        delimiter = ""
    ready = _ready(sql, question, document.newline, delimiter)
    below = f"{document.newline}{question.indent}{stamp}" if stamp else ""
    old = question.answer
    if old is None:
        return _under_comment(document, question, ready + below)
    if old.start >= question.span.end:
        own = own_answer(document, question)
        old = old if own is None else Span(old.start, own.end)
        start, indent = _line_start(document, question, old.start)
        end, remark = _rest(document, old.end, wanted=bool(below))
        if remark is None:
            # Other SQL stands on the line, of which a stamp would seem to speak.
            return TextEdit(Span(start, old.end), indent + ready)
        return TextEdit(Span(start, end), f"{indent}{ready}{remark}{below}")
    return _for_statement_above(document, view, question, old, ready, below)


def _rest(document: Document, end: int, *, wanted: bool) -> tuple[int, str | None]:
    """Up to where a stamp's place is replaced, and what stands before it on the line.

    ``None`` where the line goes on with something that is no comment.
    """
    text = document.text
    old = stamp_under(text, end)
    if old is None and not wanted:
        return end, ""
    line_end = document.line_span(document.line_of(end)).end
    remark = text[end:line_end].rstrip()
    if old is None and remark and not _REMARK.fullmatch(remark):
        return end, None
    return (line_end if old is None else old.span.end), remark


_REMARK = re.compile(r"\s*+(?:(?:--|\#|//).*|/\*(?:(?!\*/).)*+\*/)")


def _under_comment(document: Document, question: Question, ready: str) -> TextEdit:
    newline = document.newline
    text = f"{_closing(document, question)}{newline}{question.indent}{ready}"
    below = re.compile(rf"[^\S\r\n]*+(?:\r\n|\r|\n)({question_line(lexicon(question.dialect))})")
    # The stamp of an answer that was taken out says nothing about the new one.
    left = stamp_under(document.text, question.span.end)
    end = question.span.end if left is None else left.span.end
    comment = below.match(document.text, end)
    if comment is not None and not re.search(r"(?i)\bask\b", comment[1]):
        # It would change this answer, which it was not written for.
        text += newline
    return TextEdit(Span(question.span.end, end), text)


def _closing(document: Document, question: Question) -> str:
    """What ends a block comment that nobody has ended: what comes below would be part of it."""
    comment = question.span.of(document.text)
    added = ""
    if comment.startswith("/*"):
        for _ in range(_MOST_CLOSED):
            first = next(scan(f"{comment}{added}\n;", question.dialect))
            if first.end <= len(comment) + len(added):
                break
            added += " */"
    return added


_MOST_CLOSED = 8
"""Comments within each other, where the dialect has them, that are ended."""


def _for_statement_above(
    document: Document, view: Outline, question: Question, old: Span, ready: str, below: str
) -> TextEdit:
    text, newline = document.text, document.newline
    start, indent = _line_start(document, question, old.start)
    between = text[old.end : question.span.start]
    if (stamp := stamp_under(text, old.end)) is not None:
        between = text[old.end : stamp.span.start] + text[stamp.span.end : question.span.start]
    remark = between.strip()
    new = f"{ready} {remark}{below}" if remark else f"{ready}{below}"
    closing = _closing(document, question)
    if closing and question.kind == "error":
        # Whatever stands below belongs to the comment as yet, and must not go with it.
        return TextEdit(Span(start, old.end), indent + ready)
    above = "" if question.previous is None else text[question.previous.end : start]
    if question.kind == "refine" and question.previous is not None and above.strip():
        # A template's lines stand between the question and its answer: the chain stays above them.
        comment = f"{newline}{question.indent}{question.span.of(text)}{closing}"
        start, indent, new = question.previous.end, comment, f"{above}{indent}{new}"
    elif question.kind == "refine":
        new = f"{question.span.of(text)}{closing}{newline}{question.indent}{new}"
        if question.previous is None and _under_statement(document, view, old):
            # Right under that statement the comment would seem to speak of it.
            own_line = start in document.line_starts
            indent = newline * (1 if own_line else 2) + question.indent
    # The comment may have been written between the statement and its stamp.
    left = stamp_under(text, question.span.end)
    end = question.span.end if left is None else left.span.end
    return TextEdit(Span(start, end), indent + new)


def _under_statement(document: Document, view: Outline, old: Span) -> bool:
    """Whether another statement ends above, with no empty line between."""
    above = [statement.end for statement in view.statements if statement.end <= old.start]
    return bool(above) and not EMPTY_LINE.search(document.text, above[-1], old.start)


def _line_start(document: Document, question: Question, offset: int) -> tuple[int, str]:
    """Where to replace from, and the blanks to put there: as before the comment."""
    start = document.line_starts[document.line_of(offset)]
    if document.text[start:offset].strip():
        return offset, ""
    return start, question.indent


def _ready(sql: str, question: Question, newline: str, delimiter: str) -> str:
    """SQL as it goes into the file: indented but for its first line, and terminated, if at all.

    Comments before it become block comments: a line comment would go on with the question.
    It is read in the dialect that the question asks for.
    """
    dialect = own_dialect(question)
    sql = _LINE_END.sub("\n", sql)
    view = outline(sql, dialect)
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
    text = _terminated(text, dialect, delimiter) if delimiter else text
    return indented(text, question.indent, dialect).replace("\n", newline)


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


def indented(text: str, indent: str, dialect: str) -> str:
    """SQL with every line but the first one indented, and nothing within strings."""
    if not indent:
        return text
    quoted = [
        piece
        for piece in scan(text, dialect)
        if piece.kind in (Kind.STRING, Kind.IDENTIFIER) and "\n" in text[piece.start : piece.end]
    ]
    parts = []
    offset = 0
    for line in text.split("\n"):
        inside = any(piece.start < offset < piece.end for piece in quoted)
        parts.append(line if inside or not line or not offset else indent + line)
        offset += len(line) + 1
    return "\n".join(parts)
