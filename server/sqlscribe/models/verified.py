"""The built-in model: answers from verified examples, and never invents.

A question matches an example when both are the same after numbers, dates, quoted strings and
known values are masked. The new values then take the places of the old ones in the example's
SQL, each inside a literal. Where it is not certain which literal that is, it declines.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from sqlscribe.knowledge.examples import Example
from sqlscribe.knowledge.masking import Masked, masker
from sqlscribe.knowledge.terms import overlap, same_question
from sqlscribe.models.literals import Change, changed

NEAREST = 3
"""How many examples a refusal names."""

_LEAST_ALIKE = 0.3
"""Of the pairs of neighbouring characters, this share is common to all but chance matches."""

KnownValues = Collection[str] | Mapping[str, Collection[str]]
"""Values of columns; as a mapping, each with the columns that have it."""


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
) -> VerifiedAnswer | Declined:
    """The SQL of the example that asks the same, with the question's own values in it.

    Of several, the one with the identical question is preferred, then one that names who
    verified it, then the first. Examples of another ``dialect`` than a given one never answer.
    """
    known = tuple(known_values)
    asked = masker(known)(question)
    by_key = _masked(tuple(examples), known)
    same = [
        (example, found)
        for example, found in by_key.get(asked.key, ())
        if not (dialect and example.dialect and example.dialect != dialect)
    ]
    wanted = same_question(question)
    # Stable: of those that are as good, the first stays the first.
    same.sort(key=lambda one: (same_question(one[0].question) != wanted, not one[0].verified_by))
    for example, found in same:
        sql = _with_values(example, found, asked, known_values)
        if sql is not None:
            return VerifiedAnswer(sql, example)
    return Declined(tuple(_nearest(asked, by_key)))


def _with_values(
    example: Example, theirs: Masked, ours: Masked, known_values: KnownValues
) -> str | None:
    """The example's SQL with our values, ``None`` where their places are not certain."""
    changes = []
    for old, new in zip(theirs.slots, ours.slots, strict=True):
        was, value = old.text, new.text
        if old.kind == "value":
            was, value = _canonical(was, known_values), _canonical(value, known_values)
            if was != value and not _of_one_column(was, value, known_values):
                return None
        changes.append(Change(old.kind, was, value))
    return changed(example.sql, example.dialect, changes)


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


_ByKey = dict[str, list[tuple[Example, Masked]]]


@lru_cache(maxsize=4)
def _masked(examples: tuple[Example, ...], known_values: tuple[str, ...]) -> _ByKey:
    """The examples by the key of their masked question; thousands are masked only once."""
    mask = masker(known_values)
    by_key: _ByKey = {}
    for example in examples:
        found = mask(example.question)
        by_key.setdefault(found.key, []).append((example, found))
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
