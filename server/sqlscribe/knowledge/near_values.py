"""Values that are nearly what was written: misspelt, or a part of a longer name.

Candidates come from an inverted index of the pieces of words, so that among hundreds of
thousands of values only a few are compared letter by letter.
"""

from __future__ import annotations

from array import array
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple, Protocol

from sqlscribe.knowledge import terms


class Word(Protocol):
    """A word of the question, folded, with its place."""

    @property
    def start(self) -> int: ...

    @property
    def end(self) -> int: ...

    @property
    def folded(self) -> str: ...


class Near(NamedTuple):
    """A value, folded, where it is nearly said, and how surely."""

    start: int
    end: int
    score: float
    folded: str


_SHORTEST = 5
"""Letters below which a slip of the pen makes another word."""
_LETTERS_A_SLIP = 5
"""One letter in so many may be wrong."""
_MOST_SLIPS = 3
_SHORTEST_PART = 4
_PART = 0.4
"""A word stands for a longer value when it is at least this share of it."""
_RARE = 3
"""Values that may have a word which is to stand for one of them."""
_MOST_CANDIDATES = 60
_WORDS = 5


class NearValues:
    """Values in folded form, for finding those that are nearly written."""

    def __init__(self, folded: Iterable[str]) -> None:
        self._values = [value for value in folded if not value.replace(" ", "").isdecimal()]
        self._by_piece: dict[str, array[int]] = defaultdict(_numbers)
        self._by_word: dict[str, array[int]] = defaultdict(_numbers)
        for number, value in enumerate(self._values):
            for piece in _pieces(value):
                self._by_piece[piece].append(number)
            words = value.split()
            for word in {*words} if len(words) > 1 else ():
                self._by_word[word].append(number)

    def found(self, words: Sequence[Word], odd: Sequence[Word]) -> Iterator[Near]:
        """What the words nearly say, where an ``odd`` one is among them: the others are right."""
        for word in odd:
            yield from self._by_part(word)
        for first in range(len(words)):
            for last in range(first, min(first + _WORDS, len(words))):
                span = words[first : last + 1]
                if all(word not in span for word in odd):
                    continue
                phrase = " ".join(word.folded for word in span)
                for score, folded in self.of_phrase(phrase):
                    yield Near(span[0].start, span[-1].end, score, folded)

    def of_phrase(self, phrase: str) -> Iterator[tuple[float, str]]:
        """Values that differ from a phrase in a few letters, with their scores."""
        allowed = min(len(phrase) // _LETTERS_A_SLIP, _MOST_SLIPS)
        if len(phrase) < _SHORTEST or terms.has_cjk(phrase):
            return
        pieces = sorted(_pieces(phrase), key=lambda piece: len(self._by_piece.get(piece, ())))
        counts: Counter[int] = Counter()
        # A slip spoils at most four pieces, so that one of these rarest ones must be whole.
        for piece in pieces[: 4 * allowed + 1]:
            counts.update(self._by_piece.get(piece, ()))
        for number, _ in counts.most_common(_MOST_CANDIDATES):
            value = self._values[number]
            if abs(len(value) - len(phrase)) > allowed:
                continue
            slips = distance(phrase, value, allowed)
            if 0 < slips <= allowed:
                yield 0.95 - slips / len(phrase), value

    def _by_part(self, word: Word) -> Iterator[Near]:
        numbers = self._by_word.get(word.folded, ())
        if len(word.folded) < _SHORTEST_PART or len(numbers) > _RARE:
            return
        for number in numbers:
            share = len(word.folded) / len(self._values[number])
            if share >= _PART:
                yield Near(word.start, word.end, 0.5 + 0.4 * share, self._values[number])


def distance(one: str, other: str, most: int) -> int:
    """Letters to insert, drop, replace or swap to make one text of the other.

    More than ``most`` comes out as ``most + 1``.
    """
    before: list[int] = []
    last = list(range(len(other) + 1))
    for row, letter in enumerate(one, 1):
        current = [row]
        for column, theirs in enumerate(other, 1):
            cost = min(
                last[column] + 1, current[column - 1] + 1, last[column - 1] + (letter != theirs)
            )
            swapped = row > 1 and column > 1 and letter == other[column - 2]
            if swapped and one[row - 2] == theirs:
                cost = min(cost, before[column - 2] + 1)
            current.append(cost)
        if min(current) > most:
            return most + 1
        before, last = last, current
    return min(last[-1], most + 1)


def _numbers() -> array[int]:
    return array("I")


def _pieces(value: str) -> set[str]:
    edged = f"·{value}·"
    return {edged[start : start + 3] for start in range(len(edged) - 2)}
