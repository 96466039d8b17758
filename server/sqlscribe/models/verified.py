"""The built-in model: answers from verified examples, and never invents.

A question matches an example when both are the same after numbers, dates, quoted strings and
known values are masked. The new values then take the places of the old ones in the example's
SQL, each inside a literal. Where it is not certain which literal that is, it declines.
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from itertools import pairwise

from sqlscribe.knowledge.examples import Example
from sqlscribe.knowledge.masking import Masked, Slot, SlotKind, masker
from sqlscribe.knowledge.terms import overlap, same_question
from sqlscribe.models.date_ranges import written_range
from sqlscribe.models.date_words import Phrase, phrases, range_of
from sqlscribe.models.literals import Change, changed, same_code
from sqlscribe.models.spoken_numbers import as_number, spoken_numbers

NEAREST = 3
"""How many examples a refusal names."""

_LEAST_ALIKE = 0.3
"""Of the pairs of neighbouring characters, this share is common to all but chance matches."""

KnownValues = Collection[str] | Mapping[str, Collection[str]]
"""Values of columns; as a mapping, each with the columns that have it."""

Today = datetime.date | None


@dataclass(frozen=True)
class VerifiedAnswer:
    """``sql`` is that of ``example`` with other values in its literals, or just the same."""

    sql: str
    example: Example


@dataclass(frozen=True)
class Declined:
    """No example answers the question; ``nearest`` come close, the best first."""

    nearest: tuple[Example, ...] = ()


def answer(
    question: str,
    examples: Sequence[Example],
    known_values: KnownValues = (),
    *,
    dialect: str = "",
    today: datetime.date | None = None,
) -> VerifiedAnswer | Declined:
    """The SQL of the example that asks the same, with the question's own values in it.

    Of several, the one with the identical question is preferred, then one that names who
    verified it, then the first. Examples of another ``dialect`` than a given one never answer.
    ``today`` is what "last month" is reckoned from; without it, only dates that are spelled out
    are understood.
    """
    known = tuple(known_values)
    asked = _mask(known, today)(question)
    by_key = _masked(tuple(examples), known, today)
    same = [
        (example, found)
        for example, found in by_key.get(_key(asked), ())
        if not (dialect and example.dialect and example.dialect != dialect)
    ]
    wanted = same_question(question)
    # Stable: of those that are as good, the first stays the first.
    same.sort(key=lambda one: (same_question(one[0].question) != wanted, not one[0].verified_by))
    for example, found in same:
        sql = _with_values(example, found, asked, known_values, today)
        if sql is not None:
            return VerifiedAnswer(sql, example)
    return Declined(tuple(_nearest(asked, by_key)))


def _with_values(
    example: Example, theirs: Masked, ours: Masked, known_values: KnownValues, today: Today
) -> str | None:
    """The example's SQL with our values, ``None`` where their places are not certain."""
    changes: list[Change] = []
    dates: list[tuple[Slot, Slot]] = []
    for old, new in zip(theirs.slots, ours.slots, strict=True):
        was, value = old.text, new.text
        if old.kind in ("range", "since"):
            dates.append((old, new))
            continue
        if old.kind == "value":
            was, value = _canonical(was, known_values), _canonical(value, known_values)
            if was != value and not _of_one_column(was, value, known_values):
                return None
        if old.kind == "number":
            was, value = _digits(was), _digits(value)
        changes.append(Change(old.kind, was, value))
    sql = changed(example.sql, example.dialect, changes)
    for old, new in dates:
        sql = sql and _with_dates(sql, example.dialect, old.text, new.text, today)
    return sql or None


def _with_dates(sql: str, dialect: str, old: str, new: str, today: Today) -> str | None:
    """The SQL with the range that ``new`` says instead of that of ``old``.

    A fixed range must stand in the SQL just as the old question says it. One that was said in
    relation to a day we do not know must at least be of its kind: a month for "last month".
    """
    before, after = _phrase(old, today), _phrase(new, today)
    if before is None or after is None:
        return None
    written = written_range(sql, dialect)
    is_same = (before.range, before.is_open) == (after.range, after.is_open)
    if written is None:
        # The engine reckons itself, or the range is written in a way that is not understood.
        is_said = same_question(old) == same_question(new) or (is_same and before.is_fixed)
        return sql if is_said else None
    if before.is_fixed:
        end = None if before.is_open else before.range.end
        if (written.start, written.end) != (before.range.start, end):
            return sql if is_same else None
    else:
        grain = before.range.grain
        unit = range_of(grain, written.start)
        end = None if before.is_open else unit.end
        if grain == "to date" or (written.start, written.end) != (unit.start, end):
            return sql if same_question(old) == same_question(new) else None
        if not _fits_name(before, written.start):
            return None
    result = written.filled(after.range, after.is_open)
    return result if result is not None and same_code(sql, result, dialect) else None


def _fits_name(phrase: Phrase, written: datetime.date) -> bool:
    """False where "in March" stands above a SQL text that has April."""
    named = phrase.named
    return all(getattr(written, part) == getattr(phrase.range.start, part) for part in named)


def _phrase(text: str, today: Today) -> Phrase | None:
    found = phrases(text, today)
    return found[0] if len(found) == 1 else None


def _digits(number: str) -> str:
    spoken = as_number(number)
    return number if spoken is None else str(spoken)


def _canonical(text: str, known_values: KnownValues) -> str:
    """The known value as the database has it, whatever its letter case in the question."""
    if text in known_values:
        return text
    folded = text.casefold()
    same = [value for value in known_values if value.casefold() == folded]
    return same[0] if len(same) == 1 else text


def _of_one_column(one: str, other: str, known_values: KnownValues) -> bool:
    """False where the values are known to belong to different columns: a city, a country."""
    if not isinstance(known_values, Mapping):
        return True
    return bool(set(known_values.get(one, ())) & set(known_values.get(other, ())))


# Masks and keys.

_ByKey = dict[str, list[tuple[Example, Masked]]]

_POLITE = re.compile(
    r"^(?:(?:please|kindly|(?:can|could|would) you(?: please)?|i(?: want| would like|'d like| need)"
    r" to(?: see| know)?|let me (?:see|know)|(?:show|give|tell|get|find|list|return|display)"
    r"(?: (?:me|us)\b|(?= the\b))|what(?:'s| is| are| was| were)|请问|请|麻烦|帮我|给我|我想知道"
    r"|告诉我|列出|显示|查询|查一下|看一下)\s*)+"
    r"|\b(?:the|an?)\s+|[\s,，]*\b(?:please|for me)$"
)
"""What is said around a question and changes nothing about what is asked."""
_SHORT_NAME = re.compile(r"(?<!\A)\b(?:A|AN|ME|US)\b|\A(?:ME|US)\b")
"""In capitals, among words that are not, these name something: hepatitis A, US customers."""


def _key(masked: Masked) -> str:
    """The key of a masked question without what is polite, unless nothing else is left."""
    key = masked.key
    words = "".join(masked.pieces)
    if not words.isupper() and _SHORT_NAME.search(words):
        return key
    return " ".join(_POLITE.sub("", key).split()) or key


@lru_cache(maxsize=4)
def _mask(known: tuple[str, ...], today: Today) -> Callable[[str], Masked]:
    return masker(known, partial(_said, today))


def _said(today: Today, question: str) -> Iterator[Slot]:
    """Ranges of dates and numbers that are said in words."""
    found = phrases(question, today)
    if len(found) == 1:
        span = found[0].span
        kind: SlotKind = "since" if found[0].is_open else "range"
        yield Slot(kind, question[span.start : span.end], span)
    for span in spoken_numbers(question):
        if not any(span.start < one.span.end and one.span.start < span.end for one in found):
            yield Slot("number", question[span.start : span.end], span)


@lru_cache(maxsize=4)
def _masked(examples: tuple[Example, ...], known: tuple[str, ...], today: Today) -> _ByKey:
    """The examples by the key of their masked question; thousands are masked only once."""
    mask = _mask(known, today)
    by_key: _ByKey = {}
    for example in examples:
        found = mask(example.question)
        by_key.setdefault(_key(found), []).append((example, found))
    return by_key


def _nearest(asked: Masked, by_key: _ByKey) -> Iterator[Example]:
    """The examples whose masked questions share the most pairs of characters, best first."""
    pairs = _character_pairs(asked.key)
    scored = [
        (alike, example)
        for key, found in by_key.items()
        if (alike := overlap(pairs, _character_pairs(key))) >= _LEAST_ALIKE
        for example, _ in found
    ]
    scored.sort(key=lambda entry: -entry[0])
    for _, example in scored[:NEAREST]:
        yield example


def _character_pairs(text: str) -> set[str]:
    return {one + other for one, other in pairwise(text)}
