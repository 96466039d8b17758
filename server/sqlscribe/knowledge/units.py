"""What a text says, word by word, with every name under which others may say the same.

``clients`` is also ``client`` and ``customer``, and so is ``客户``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from sqlscribe.knowledge import terms
from sqlscribe.knowledge.thesaurus import senses


class Unit(NamedTuple):
    """One thing that a text says. ``names`` are the word's stem and the groups that have it."""

    word: str
    names: frozenset[str]


class Reading(NamedTuple):
    """A text as it is searched: its words and other words for them, and the different pieces
    of its own words, each with spaces between.
    """

    words: str
    letters: str


def units(text: str) -> tuple[Unit, ...]:
    """What a text says, in order, with repeats; words that say nothing are left out.

    Between CJK characters there are no spaces: the longest words known are taken, and of the
    rest pairs of characters.
    """
    return _remembered(text) if len(text) < _REMEMBERED else _units(text)


def read(text: str) -> Reading:
    """A text as it is searched. Question and entry are both read in this way."""
    own = terms.plain_words(text)
    others = [name for unit in units(text) for name in _other_names(unit)]
    words = (*terms.identifiers(text), *own, *others)
    return Reading(" ".join(words), " ".join(dict.fromkeys(terms.pieces(own))))


def meant(text: str) -> list[str]:
    """The words of a text for static vectors, with other words, in English, for what it says.

    Instead of CJK words, of which such vectors know next to nothing, the others stand alone.
    """
    said = units(text)
    if not terms.has_cjk(text):
        own = [part for _, parts in terms.runs(text) for part in parts]
        return [*own, *(name for unit in said for name in _other_names(unit))]
    words: list[str] = []
    for unit in said:
        names = _other_names(unit)
        words += names if names and terms.has_cjk(unit.word) else (unit.word, *names)
    return words or terms.plain_words(text)


def agreement(one: Sequence[frozenset[str]], other: Sequence[frozenset[str]]) -> float:
    """The share of the words of both texts that the other says too, maybe in another word.

    Each text is given by the names of its units.
    """
    if not one or not other:
        return 0.0
    all_of_one, all_of_other = frozenset().union(*one), frozenset().union(*other)
    shared = sum(not names.isdisjoint(all_of_other) for names in one)
    shared += sum(not names.isdisjoint(all_of_one) for names in other)
    return shared / (len(one) + len(other))


@lru_cache(maxsize=4_000)
def stem(word: str) -> str:
    """A word without its ending: ``located`` and ``locations`` are both ``locat``."""
    single = terms.singular(word)
    for ending in _ENDINGS:
        if single.endswith(ending) and len(single) - len(ending) >= _SHORTEST_STEM:
            return single[: -len(ending)]
    return single[:-1] if single.endswith("e") and len(single) > _SHORTEST_STEM + 1 else single


_REMEMBERED = 4_000
"""Characters of a text up to which its units are kept for a while: two steps need them."""
_ENDINGS = "ation ated ating ion ing ed".split()
_SHORTEST_STEM = 4
_LONGEST_CJK_WORD = 4


def _units(text: str) -> tuple[Unit, ...]:
    found: list[Unit] = []
    for characters, parts in terms.runs(text):
        if characters:
            found += _cjk_units(characters)
        else:
            found += map(_unit, parts)
    return tuple(unit for unit in found if unit.word not in terms.STOP_WORDS)


_remembered = lru_cache(maxsize=256)(_units)


@lru_cache(maxsize=4_000)
def _other_names(unit: Unit) -> tuple[str, ...]:
    own = (unit.word, stem(unit.word))
    return tuple(name for name in sorted(unit.names) if name.isascii() and name not in own)


@lru_cache(maxsize=4_000)
def _unit(word: str) -> Unit:
    known = senses()
    groups = next((known[form] for form in _forms(word) if form in known), ())
    return Unit(word, frozenset((stem(word), *groups)))


def _forms(word: str) -> Iterator[str]:
    """The forms of a word that a dictionary may have: ``shipped``, ``shipp``, ``ship`` …"""
    yield word
    yield terms.singular(word)
    for ending in ("ed", "ing", "er", "est"):
        if word.endswith(ending) and len(word) - len(ending) > 1:
            short = word.removesuffix(ending)
            yield short
            yield short + "e"
            if short[-1] == short[-2]:
                yield short[:-1]


def _cjk_units(run: str) -> Iterator[Unit]:
    known = senses()
    start = rest = 0
    while start < len(run):
        for end in range(min(start + _LONGEST_CJK_WORD, len(run)), start, -1):
            if groups := known.get(run[start:end]):
                yield from _pairs(run[rest:start])
                yield Unit(run[start:end], frozenset((run[start:end], *groups)))
                start = rest = end
                break
        else:
            start += 1
    yield from _pairs(run[rest:])


def _pairs(rest: str) -> Iterator[Unit]:
    for pair in map("".join, pairwise(rest)):
        yield Unit(pair, frozenset((pair,)))
    if len(rest) == 1:
        yield Unit(rest, frozenset((rest,)))
