"""An answer shown in grey at the cursor before it is taken: where, and which text."""

from __future__ import annotations

import re
from dataclasses import dataclass

from sqlscribe.notation import asks
from sqlscribe.notation.asks import Question, Script
from sqlscribe.notation.document import Span, TextEdit
from sqlscribe.notation.lexicon import lexicon
from sqlscribe.notation.marked_comments import question_line
from sqlscribe.notation.stamps import stamp_under


@dataclass(frozen=True)
class Gap:
    """A question without an answer, with the cursor where that would go.

    ``span`` is what the answer replaces: nothing at the end of the comment, or the blanks of
    the line below, if ``is_below``.
    """

    question: Question
    span: Span
    is_below: bool


def gap_at(script: Script, offset: int) -> Gap | None:
    """The gap at a cursor, ``None`` where no answer is missing."""
    document = script.document
    line = document.line_of(offset)
    here = document.line_span(line)
    # Where there is other text than SQL, it looks blank.
    is_blank = not here.of(document.text).strip() and document.holds(offset)
    for question in script.questions:
        if question.kind != "ask" or question.answer is not None:
            continue
        last = document.line_of(question.span.end)
        if line == last and offset == here.end and offset >= question.span.end:
            rest = document.text[question.span.end : offset]
            return None if rest.strip() else Gap(question, Span(offset, offset), False)
        if line == last + 1 and is_blank:
            return Gap(question, here, True)
    return None


def ghost(
    script: Script, gap: Gap, sql: str, stamp: str = "", *, is_model: bool = False
) -> TextEdit | None:
    """The edit that puts ``sql`` into a gap, within one line of the document.

    ``is_model`` tells that it is one of dbt's models. ``None`` where more would have to change
    than the gap.
    """
    document, question = script.document, gap.question
    if stamp_under(document.text, gap.span.end) is not None:
        # It was left by an older answer, and would seem to speak of this one.
        return None
    try:
        placed = asks.place(document, question, sql, stamp, script.outline, is_model=is_model)
    except ValueError:
        return None
    if placed.span != Span(question.span.end, question.span.end):
        return None
    if not gap.is_below:
        return TextEdit(gap.span, placed.text)
    text = placed.text.removeprefix(document.newline)
    if _changes_what_is_above(script, gap):
        text += document.newline
    return TextEdit(gap.span, text)


def _changes_what_is_above(script: Script, gap: Gap) -> bool:
    """Whether the next line asks to change an answer, which this one would then seem to be."""
    asking = question_line(lexicon(script.dialect))
    found = re.compile(rf"(?:\r\n|\r|\n)({asking})").match(script.document.text, gap.span.end)
    return found is not None and not re.search(r"(?i)\bask\b", found[1])
