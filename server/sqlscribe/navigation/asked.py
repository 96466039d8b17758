"""A question in other places: the examples that answer it, and the texts that ask it."""

from __future__ import annotations

from collections.abc import Iterable

from sqlscribe.knowledge.examples import Example
from sqlscribe.knowledge.masking import masker
from sqlscribe.knowledge.terms import same_question
from sqlscribe.notation import asks
from sqlscribe.notation.document import Document, Span
from sqlscribe.notation.question import Question


def key_of(question: Question) -> str:
    """The same for the same question with the same refinements."""
    return same_question("\n".join(turn.text for turn in question.chain))


def answering(question: Question, examples: Iterable[Example]) -> tuple[Example, ...]:
    """The examples of the same question; where there is none, those with other values in it."""
    examples = [example for example in examples if example.file.is_absolute()]
    key = key_of(question)
    if same := tuple(each for each in examples if same_question(each.question) == key):
        return same
    mask = masker()
    masked = mask(key).key
    return tuple(each for each in examples if mask(same_question(each.question)).key == masked)


def asked_in(document: Document, question: Question, assumed: str) -> tuple[Span, ...]:
    """Where a text asks it. ``assumed`` is the dialect of texts that name none."""
    words = question.text.split()
    if not words or words[0].casefold() not in document.text.casefold():
        return ()
    key = key_of(question)
    script = asks.read(document, assumed)
    return tuple(each.span for each in script.questions if key_of(each) == key)
