"""Leaves out of a question's prompt what would give its answer away: the question itself.

A verified example that is asked as a question must not find itself, nor its near duplicates.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from sqlscribe.knowledge.examples import Example
from sqlscribe.knowledge.masking import mask
from sqlscribe.knowledge.terms import grams, overlap, same_question

_NEAR = 0.8
"""Overlap of letters of two masked questions from which on they ask the same."""


def others(example: Example, examples: Sequence[Example]) -> tuple[Example, ...]:
    """The examples that neither ask what ``example`` asks nor have its SQL.

    Numbers, dates and quoted strings make no difference in either.
    """
    own = _asked(example)
    return tuple(other for other in examples if not _is_near(own, _asked(other)))


class _Asked(NamedTuple):
    key: str
    letters: frozenset[str]
    sql: str


def _is_near(one: _Asked, other: _Asked) -> bool:
    same = one.key == other.key or one.sql == other.sql
    return same or overlap(one.letters, other.letters) >= _NEAR


@lru_cache(maxsize=20_000)
def _asked(example: Example) -> _Asked:
    """What two examples are compared by; each is compared with all others, again and again."""
    masked = mask(example.question)
    sql = same_question(mask(example.sql.rstrip("; \n\t")).text)
    return _Asked(masked.key, frozenset(grams(masked.text)), sql)
