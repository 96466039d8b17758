"""Masks the values in a question, so that questions that differ in values only become equal.

top 10 customers in Paris since 2024-01-01
top <number> customers in <value> since <date>
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from sqlscribe.knowledge.terms import CJK, STOP_WORDS, same_question
from sqlscribe.notation.document import Span

SlotKind = Literal["number", "date", "text", "value", "range", "since"]


class Slot(NamedTuple):
    """A value in a question: ``text`` as it stands there, with its quotes if it has any.

    A ``range`` of dates and a ``since`` are said in words; only who knows them finds them.
    """

    kind: SlotKind
    text: str
    span: Span


@dataclass(frozen=True)
class Masked:
    """A question with ``<number>``, ``<date>``, ``<text>`` and ``<value>`` for its values.

    ``pieces`` is what stands before, between and behind the ``slots``.
    """

    pieces: tuple[str, ...]
    slots: tuple[Slot, ...]

    @property
    def text(self) -> str:
        return self._joined(f"<{slot.kind}>" for slot in self.slots)

    @property
    def key(self) -> str:
        """Equal for questions that differ in values, letter case, space and end marks only.

        A question in which somebody wrote ``<number>`` has another key than one with a number.
        """
        marks = [f"\0{slot.kind}\0" for slot in self.slots]
        return same_question(self._joined(marks))

    def restored(self) -> str:
        """The question again, character for character."""
        return self._joined(slot.text for slot in self.slots)

    def _joined(self, fillings: Iterable[str]) -> str:
        return "".join(map("".join, zip(self.pieces, (*fillings, ""), strict=True)))


def mask(question: str, known_values: Iterable[str] = ()) -> Masked:
    """``question`` without its values. For many questions use :func:`masker`."""
    return masker(known_values)(question)


def masker(
    known_values: Iterable[str] = (), said: Callable[[str], Iterable[Slot]] | None = None
) -> Callable[[str], Masked]:
    """A function that masks, made once for all questions.

    What ``said`` finds comes before everything but quoted text.

    Known values are found in any letter case, the longest first, and as whole words where they
    are not written in CJK characters. Single characters, numbers and words that say nothing
    are left alone: they mean something else too often.
    """
    known = _KnownValues(known_values)

    def mask_one(question: str) -> Masked:
        literals = [
            Slot(_KINDS[match.lastgroup or ""], match.group(), Span(*match.span()))
            for match in _LITERAL.finditer(question)
        ]
        strong = [slot for slot in literals if slot.kind != "number"]
        if said is not None:
            quoted = [slot for slot in strong if slot.kind == "text"]
            spoken = sorted(_apart(list(said(question)), quoted), key=_span)
            strong = sorted([*_apart(strong, spoken), *spoken], key=_span)
        values = _apart(known.find(question), strong)
        numbers = _apart([slot for slot in literals if slot.kind == "number"], strong)
        numbers = _apart(numbers, values)
        return _masked(question, sorted([*strong, *values, *numbers], key=_span))

    return mask_one


_LATIN = rf"(?:(?![{CJK}])\w)"
"""A letter, digit or underscore of a script that puts spaces between its words."""
_DIGIT = "[0-9０-９]"
_LITERAL = re.compile(
    rf"""
    (?=["“「『'‘0-9０-９])  # Most characters begin nothing, which this tells at once.
    (?: (?P<text> "[^"\n]{{1,200}}" | “[^”\n]{{1,200}}”
            | 「[^」\n]{{1,200}}」 | 『[^』\n]{{1,200}}』
            | (?<!{_LATIN})'[^'\n]{{1,200}}'(?!{_LATIN})
            | (?<!{_LATIN})‘[^‘\n]{{1,200}}?’(?!{_LATIN}) )
  | (?P<date> (?<!{_LATIN})(?<!-)
              [0-9]{{4}}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12][0-9]|3[01])
              (?:[T ][0-9]{{2}}:[0-9]{{2}}(?::[0-9]{{2}})?)? (?!{_LATIN}|-) )
  | (?P<number> (?<!{_LATIN})(?<![.．])
                (?: {_DIGIT}{{1,3}}(?:[,，]{_DIGIT}{{3}})+ | {_DIGIT}+ ) (?:[.．]{_DIGIT}+)?
                (?![.．,，]?{_DIGIT})(?!{_LATIN}) )
    )
    """,
    re.VERBOSE,
)
_NUMBER_OR_DATE = re.compile(r"[\d\s.,:/%+-]+")
_KINDS: dict[str, SlotKind] = {"text": "text", "date": "date", "number": "number"}


class _KnownValues:
    """Finds known values by how they start, so that thousands of them cost little."""

    def __init__(self, values: Iterable[str]) -> None:
        self._by_start: dict[str, list[tuple[int, str]]] = {}
        useful = {value.strip() for value in values}
        useful = {value for value in useful if _says_something(value)}
        for value in sorted(useful, key=lambda value: (-len(value), value)):
            if start := _START.match(value):
                entry = (len(value), value.casefold())
                self._by_start.setdefault(start.group().casefold(), []).append(entry)

    def find(self, text: str) -> list[Slot]:
        """Known values in ``text`` from left to right, not overlapping."""
        found: list[Slot] = []
        done = 0
        for start in _START.finditer(text) if self._by_start else ():
            place = start.start()
            if place < done:
                continue
            for length, value in self._by_start.get(start.group().casefold(), ()):
                end = place + length
                if text[place:end].casefold() == value and not _CUT.match(text, end - 1):
                    found.append(Slot("value", text[place:end], Span(place, end)))
                    done = end
                    break
        return found


_START = re.compile(rf"{_LATIN}+|[{CJK}]|[^\w\s]")
"""A whole word, or a single character where there are no words."""
_CUT = re.compile(rf"{_LATIN}{_LATIN}")
"""Two characters of one word: no value ends between them."""


def _says_something(value: str) -> bool:
    return (
        len(value) > 1
        and value.casefold() not in STOP_WORDS
        and _NUMBER_OR_DATE.fullmatch(value) is None
    )


def _span(slot: Slot) -> Span:
    return slot.span


def _apart(slots: Sequence[Slot], taken: Sequence[Slot]) -> list[Slot]:
    """Those of ``slots`` that do not touch one of ``taken``, which are in order."""
    starts = [slot.span.start for slot in taken]
    kept: list[Slot] = []
    for slot in slots:
        before = bisect_right(starts, slot.span.end - 1) - 1
        if before < 0 or taken[before].span.end <= slot.span.start:
            kept.append(slot)
    return kept


def _masked(question: str, slots: Sequence[Slot]) -> Masked:
    ends = [0, *(slot.span.end for slot in slots)]
    starts = [*(slot.span.start for slot in slots), len(question)]
    pieces = (question[end:start] for end, start in zip(ends, starts, strict=True))
    return Masked(tuple(pieces), tuple(slots))
