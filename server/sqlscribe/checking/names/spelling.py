"""Names that look like a wrong one, nearest first."""

from __future__ import annotations

import heapq
import re
from collections.abc import Iterable
from difflib import SequenceMatcher
from functools import lru_cache
from typing import NamedTuple

CLOSE = 0.6
"""Names less alike than this are not suggested."""

_PARTS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+|[^\W\d_A-Za-z]+")
_SURE = 0.75
_AHEAD = 0.1
_SLIP = 0.83


_FEW = 300
"""So many names are all looked at closely; of more, those that share letters with the wrong one."""
_CLOSER_LOOK = 60


class Near(NamedTuple):
    name: str
    score: float


def nearest(wrong: str, names: Iterable[str], limit: int = 3) -> list[Near]:
    """The names most like ``wrong``, best first; none that is not close."""
    scored = [Near(name, likeness(wrong, name)) for name in worth_a_look(wrong, names)]
    close = [near for near in scored if near.score >= CLOSE]
    return sorted(close, key=lambda near: -near.score)[:limit]


def worth_a_look(wrong: str, names: Iterable[str]) -> list[str]:
    """The names that may be like ``wrong``, each once: all of them, unless there are many."""
    unique = list(dict.fromkeys(names))
    if len(unique) <= _FEW:
        return unique
    pairs = _pairs(wrong)
    shared = ((len(pairs & _pairs(name)) / (len(_pairs(name)) + 1), name) for name in unique)
    return [name for share, name in heapq.nlargest(_CLOSER_LOOK, shared) if share]


@lru_cache(maxsize=50_000)
def _pairs(name: str) -> frozenset[str]:
    """The letters of a name, two by two."""
    folded = name.casefold()
    return frozenset(folded[index : index + 2] for index in range(len(folded) - 1))


def is_clear(near: list[Near]) -> bool:
    """True where the first suggestion is surely meant."""
    if not near or near[0].score < _SURE:
        return False
    return len(near) == 1 or near[0].score - near[1].score >= _AHEAD


@lru_cache(maxsize=20_000)
def likeness(one: str, other: str) -> float:
    """How alike two names are, 0 to 1, by letters and by the words they are made of."""
    left, right = one.casefold(), other.casefold()
    if left == right:
        return 1.0
    letters = _ratio(left, right)
    if letters < CLOSE and _abbreviates(left, right):
        letters = CLOSE + 0.05
    return max(letters, _words(one, other))


def is_slip(one: str, other: str) -> bool:
    """True where the letters alone are so much alike that one is the other, misspelt."""
    return _ratio(one.casefold(), other.casefold()) >= _SLIP


def _ratio(left: str, right: str) -> float:
    return SequenceMatcher(None, left, right, autojunk=False).ratio()


def _abbreviates(left: str, right: str) -> bool:
    """``qty`` for ``quantity``: the letters of one in the order of the other."""
    short, long = sorted((left, right), key=len)
    if len(short) < 3 or short[0] != long[0]:
        return False
    letters = iter(long)
    return all(letter in letters for letter in short)


def _words(one: str, other: str) -> float:
    """The share of the names' letters that stand in words they have in common."""
    left, right = _split(one), _split(other)
    if not left or not right:
        return 0.0
    return 0.35 + 0.6 * (_covered(left, right) + _covered(right, left)) / 2


def _split(name: str) -> list[str]:
    return [part.casefold() for part in _PARTS.findall(name)]


def _covered(words: list[str], by: list[str]) -> float:
    alike = 0.0
    for word in words:
        best = max(_ratio(word, other) for other in by)
        alike += len(word) * (best if best >= 0.8 else 0.0)
    return alike / sum(len(word) for word in words)
