"""The parts of a question comment by their place, for highlighting and completion."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal, NamedTuple

from sqlscribe.notation.document import Span
from sqlscribe.notation.marked_comments import MARK
from sqlscribe.notation.question import Question

PartKind = Literal["mark", "option", "value", "mention"]


class Part(NamedTuple):
    """``mark`` is the word ``ask``; an ``option`` has its name apart from its ``value``."""

    kind: PartKind
    span: Span


_OPENING = re.compile(r"--|//|#|/\*")


def question_parts(text: str, question: Question) -> Iterator[Part]:
    """The parts of a question in the order of the text."""
    opening = _OPENING.match(text, question.span.start)
    mark = MARK.match(text, opening.end(), question.span.end) if opening else None
    if mark is not None:
        yield Part("mark", Span(*mark.span("kind")))
        if mark["bracket"] is not None:
            start, end = mark.span("bracket")
            yield from _options(text, start + 1, end - text.endswith("]", start, end))
    for mention in question.mentions:
        if question.span.contains(mention.span.start):
            yield Part("mention", mention.span)


_OPTION = re.compile(
    r"\s*+(?P<name>[^,，=＝]*[^,，=＝\s])\s*+(?:[=＝]\s*+(?P<value>[^,，]*[^,，\s])?)?"
)


def _options(text: str, start: int, end: int) -> Iterator[Part]:
    for option in _OPTION.finditer(text, start, end):
        yield Part("option", Span(*option.span("name")))
        if option["value"] is not None:
            yield Part("value", Span(*option.span("value")))
