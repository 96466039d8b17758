"""What a script has made so far, and what of it matters to one statement."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

from sqlscribe.checking.names.script import NOTHING, Deeds, Made, place_of

_WORD = re.compile(r"\w+")


def words_of(sql: str) -> frozenset[str]:
    """The words of a text, case-folded."""
    return frozenset(_WORD.findall(sql.casefold()))


class Deed(NamedTuple):
    """What a statement does about one name, and the mark of that statement."""

    mark: int
    deeds: Deeds


def together(deeds: Iterable[Deed]) -> Made:
    """What is known behind all of these."""
    made = NOTHING
    for deed in deeds:
        made = made.and_then(deed.deeds)
    return made


_Key = tuple[str, str]
"""Where a name is, and the name; a name that is no table's is nowhere."""


@dataclass
class Running:
    """A script while it is read from top to bottom.

    Only the last deed on each name counts. A deed has the mark of the statement that does it,
    so that what matters to another statement can be compared without comparing tables.
    """

    _latest: dict[_Key, Deed] = field(default_factory=dict)
    _by_word: dict[str, set[_Key]] = field(default_factory=dict)
    _namespace: Deed | None = None
    _unknown: Deed | None = None

    def add(self, deeds: Deeds, mark: int) -> None:
        """Go on behind a statement that does these."""
        if deeds.unknown:
            self._unknown = self._unknown or Deed(mark, Deeds(unknown=True))
            for key, deed in list(self._latest.items()):
                if deed.deeds.gone:
                    del self._latest[key]
        if deeds.namespace:
            self._namespace = Deed(mark, Deeds(namespace=deeds.namespace))
        for name in deeds.gone:
            for key in self._by_word.get(_telling(name), set()).copy():
                if key[1] == name:
                    self._latest.pop(key, None)
            if not deeds.unknown:
                self._put(("", name), Deed(mark, Deeds(gone=(name,))))
        for table in deeds.tables:
            self._put(place_of(table), Deed(mark, Deeds(tables=(table,))))
        for name in deeds.names:
            self._put(("", name), Deed(mark, Deeds(names=(name,))))

    def _put(self, key: _Key, deed: Deed) -> None:
        self._latest[key] = deed
        self._by_word.setdefault(_telling(key[1]), set()).add(key)

    def about(self, words: frozenset[str]) -> tuple[Deed, ...]:
        """All that matters to a statement with these words."""
        found = [deed for deed in (self._unknown, self._namespace) if deed is not None]
        mentioned = self._by_word.keys() & words
        if mentioned:
            keys = sorted(key for word in mentioned for key in self._by_word[word])
            found += (self._latest[key] for key in keys if key in self._latest)
        return tuple(found)


def _telling(name: str) -> str:
    """The word of a name that a statement about it must have."""
    return max(_WORD.findall(name), key=len, default=name)
