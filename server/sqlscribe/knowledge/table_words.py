"""Which tables a question speaks of, by the words of their names, columns and comments.

An index of texts finds ``crm_customer_log`` as readily as ``customers``. Here it counts how much
of a table's name the question says, and how rare what it says is. Words that mean the same count
too, and so do tables that share a rare column with one that was found, as join tables do.
"""

from __future__ import annotations

import math
from array import array
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from heapq import nlargest
from typing import NamedTuple

from sqlscribe.identity_cache import identity_cache
from sqlscribe.knowledge.units import Unit, stem, units
from sqlscribe.schema.model import Table


class Spoken(NamedTuple):
    """How surely a question speaks of a table: ``score`` is 1.0 where it says the whole name."""

    score: float
    reason: str


def spoken(question: str, tables: Sequence[Table]) -> dict[int, Spoken]:
    """The tables of which ``question`` says anything, by their places in ``tables``."""
    return _prepared(*tables).spoken(question)


def in_names(question: str, tables: Sequence[Table]) -> dict[Unit, bool]:
    """What ``question`` says, and whether names or comments of ``tables`` say it too."""
    words = _prepared(*tables)
    return {unit: words.has(unit) for unit in units(question)}


_PREFIXES = frozenset("t tb tbl tab table dim fact fct stg stage raw src vw view v d f dbo".split())
"""Parts of names that nobody says."""
_SHORTEST_PART = 5
"""Letters of a question's word that may be a part of a longer word of a name."""
_OTHER_WORD = 0.9
"""What another word for the same counts, measured by the word itself."""
_COLUMN = 0.5
_NAME_SHARE = 0.65
"""Of the score, what the name gives; the rest is how much of the question the table has."""
_MOST_SHARING = 8
"""Tables that share a column's name; above that it is a word of everyday and no key."""
_FEW_TABLES, _EVERYWHERE = 200, 0.25
"""A word in the columns of more tables, and of more than this share of them, tells none apart."""
_SOURCES = 12
_SHARED = 0.45
_FAINTEST = 0.02
_ROUNDING = 1e-6


@identity_cache(maxsize=2)
def _prepared(*tables: Table) -> _Words:
    return _Words(tables)


@dataclass
class _Match:
    """What a question says of one table: letters of its name by part, weight by unit."""

    parts: dict[str, float] = field(default_factory=dict)
    weights: dict[int, float] = field(default_factory=dict)


class _Words:
    """The words of all tables, each with the tables that have it."""

    def __init__(self, tables: Sequence[Table]) -> None:
        self._tables = tables
        self._letters: list[int] = []
        self._by_name: dict[str, dict[int, str]] = defaultdict(dict)
        self._by_column: dict[str, array[int]] = defaultdict(_numbers)
        self._parts: dict[str, array[int]] = defaultdict(_numbers)
        sharing: dict[str, array[int]] = defaultdict(_numbers)
        for number, table in enumerate(tables):
            self._add_name(number, table.name)
            for word in _column_words(table):
                self._by_column[word].append(number)
            for name in {column.name.casefold() for column in table.columns}:
                sharing[name].append(number)
        self._sharing = {
            name: having for name, having in sharing.items() if 1 < len(having) <= _MOST_SHARING
        }
        most = max(_FEW_TABLES, len(tables) * _EVERYWHERE)
        everyday = [word for word, having in self._by_column.items() if len(having) > most]
        self._everyday = frozenset(everyday)
        for word in everyday:
            del self._by_column[word]

    def spoken(self, question: str) -> dict[int, Spoken]:
        matches: dict[int, _Match] = defaultdict(_Match)
        asked = {unit.names: unit for unit in units(question)}
        total = 0.0
        for number, unit in enumerate(asked.values()):
            total += self._say(number, unit, matches)
        found = {number: self._scored(number, match, total) for number, match in matches.items()}
        for number, score, source in self._neighbours(found):
            if number not in found or found[number].score < score:
                found[number] = Spoken(score, f"shares a column with {source}")
        return {number: one for number, one in found.items() if one.score > _FAINTEST}

    def has(self, unit: Unit) -> bool:
        """Whether a name or a comment says this, be it in another word or inside a longer one."""
        for name in unit.names:
            if name in self._by_name or name in self._by_column or name in self._everyday:
                return True
        own = stem(unit.word)
        is_word = len(own) >= _SHORTEST_PART and own.isascii()
        return is_word and any(own in word for words in (self._parts, self._by_column)
                               for word in words)  # fmt: skip

    def _add_name(self, number: int, name: str) -> None:
        letters = 0
        for unit in _name_units(name):
            letters += len(unit.word)
            self._parts[unit.word].append(number)
            for word in unit.names:
                self._by_name[word][number] = unit.word
        self._letters.append(max(letters, 1))

    def _say(self, number: int, unit: Unit, matches: dict[int, _Match]) -> float:
        """Note what a unit says of each table; how much it says at all."""
        own, heaviest = stem(unit.word), 0.0
        for name in sorted(unit.names, key=lambda name: name != own):
            share = 1.0 if name == own else _OTHER_WORD
            in_names = self._by_name.get(name, {})
            weight = self._weight(len(in_names)) * share
            for table, part in in_names.items():
                match = matches[table]
                if part not in match.parts:
                    match.parts[part] = share * len(part)
                match.weights[number] = max(match.weights.get(number, 0.0), weight)
            in_columns = self._by_column.get(name, ())
            of_column = self._weight(len(in_columns)) * share * _COLUMN
            for table in in_columns:
                match = matches[table]
                match.weights[number] = max(match.weights.get(number, 0.0), of_column)
            heaviest = max(heaviest, weight if in_names else 0.0, of_column if in_columns else 0.0)
        return max(heaviest, self._say_inside(number, own, matches))

    def _say_inside(self, number: int, word: str, matches: dict[int, _Match]) -> float:
        """A word may be a part of one that is written together: ``sbtransaction``."""
        if len(word) < _SHORTEST_PART or not word.isascii():
            return 0.0
        heaviest = 0.0
        for part, tables in self._parts.items():
            if word not in part or stem(part) == word:
                continue
            weight = self._weight(len(tables)) * _OTHER_WORD
            heaviest = max(heaviest, weight)
            for table in tables:
                match = matches[table]
                match.parts.setdefault(part, float(len(word)))
                match.weights[number] = max(match.weights.get(number, 0.0), weight)
        return heaviest

    def _weight(self, having: int) -> float:
        return math.log(1 + len(self._tables) / (1 + having))

    def _scored(self, number: int, match: _Match, total: float) -> Spoken:
        name = min(sum(match.parts.values()) / self._letters[number], 1.0)
        of_question = sum(match.weights.values()) / total if total else 0.0
        score = _NAME_SHARE * name**1.5 + (1 - _NAME_SHARE) * of_question
        if name > 1 - _ROUNDING:
            return Spoken(1.0, "named in the question")
        if name > _OTHER_WORD - _ROUNDING:
            return Spoken(0.95, "named in the question, in other words")
        return Spoken(score, "words of its name" if match.parts else "words of its columns")

    def _neighbours(self, found: Mapping[int, Spoken]) -> Iterator[tuple[int, float, str]]:
        best = nlargest(_SOURCES, found, key=lambda number: found[number].score)
        for number in best:
            table = self._tables[number]
            score = found[number].score * _SHARED
            for column in table.columns:
                for other in self._sharing.get(column.name.casefold(), ()):
                    if other != number:
                        yield other, score, table.name


def _numbers() -> array[int]:
    return array("I")


def _name_units(name: str) -> Iterable[Unit]:
    parts = units(name)
    said = [unit for unit in parts if unit.word not in _PREFIXES and not unit.word.isdigit()]
    return said or parts


def _column_words(table: Table) -> set[str]:
    words: set[str] = set()
    for text in (table.comment, *(f"{c.name} {c.comment}" for c in table.columns)):
        for unit in units(text):
            words |= unit.names
    return words
