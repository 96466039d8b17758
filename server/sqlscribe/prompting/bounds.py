"""How much a template may build, and how long it may take.

Everything that a template makes is counted when it is made: the characters of each text, and
those of all that a list holds, each as often as it would be printed. So a few nested lists that
share their parts cannot stand for more text than there is memory.
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from typing import Any, TypeVar

_SECONDS = 2.0
"""Of the processor, for this thread: other work on the machine must not end a rendering."""
_CHARACTERS = 4_000_000
"""The longest text, and the largest list as it would be printed."""
_ALL_CHARACTERS = 100_000_000
"""Everything that is made while one template is rendered, together."""
_TURNS = 1_000_000
_BITS = 4096
"""The largest whole number."""
_LOOK_EVERY = 64
"""Reading the clock takes longer than most of what is counted."""
_LOOK_BEYOND = 10_000
"""Characters that are made at once before which the clock is read all the same."""
_CONTAINER = 8
"""What a list or a table costs beside what it holds."""

LONGEST_SOURCE = 200_000
"""Characters of one template; the shipped ones have two thousand."""

Value = TypeVar("Value")


class OutOfBounds(Exception):
    """The template runs too long or makes too much; says so in words."""


class Bounds:
    """The bounds of one rendering; they count from its creation."""

    def __init__(self) -> None:
        self._deadline = time.thread_time() + _SECONDS
        self._turns = 0
        self._made = 0
        self._looks = 0

    def turn(self, characters: int = 0) -> None:
        """One more turn of a loop, or call; it writes so many characters of its own."""
        self._turns += 1
        if self._turns > _TURNS:
            raise OutOfBounds("the template loops for too long")
        self.charge(characters)

    def charge(self, characters: int) -> None:
        """So much more is made. Also looks at the clock, if it is time to."""
        self._made += characters
        if self._made > _ALL_CHARACTERS:
            raise OutOfBounds(f"the template makes more than {_ALL_CHARACTERS:,} characters")
        self._looks += 1
        if characters < _LOOK_BEYOND and self._looks % _LOOK_EVERY:
            return
        if time.thread_time() > self._deadline:
            raise OutOfBounds("the template loops for too long")

    def fits(self, size: int) -> None:
        """Call before a value of that many characters is made."""
        if size > _CHARACTERS:
            raise OutOfBounds(f"a value grows beyond {_CHARACTERS:,} characters")
        self.charge(size)

    def held(self, value: Value) -> Value:
        """The value, once it is known to be small enough."""
        if isinstance(value, str):
            self.fits(len(value))
        elif isinstance(value, list | tuple | dict):
            self.fits(_weight(value))
        elif isinstance(value, int) and value.bit_length() > _BITS:
            raise OutOfBounds("the number is too large")
        return value

    def times(self, left: object, right: object) -> None:
        """Call before one of the two is repeated as often as the other says."""
        for many, number in ((left, right), (right, left)):
            if isinstance(many, str | list | tuple) and isinstance(number, int):
                weight = len(many) if isinstance(many, str) else _weight(many)
                self.fits(weight * max(number, 0))

    def joined(self, values: Iterable[object], separator: object = "") -> str:
        between = str(separator)
        texts: list[str] = []
        size = 0
        for value in values:
            text = str(value)
            size += len(text) + len(between)
            if size > _CHARACTERS:
                self.fits(size)
            texts.append(text)
        self.fits(size)
        return between.join(texts)

    def replaced(self, value: object, old: object, new: object, count: int | None = None) -> str:
        text, old, new = str(value), str(old), str(new)
        times = text.count(old) if count is None or count < 0 else min(count, text.count(old))
        self.fits(len(text) + times * len(new))
        return text.replace(old, new, times)

    @staticmethod
    def power(left: Any, right: Any) -> None:
        if abs(left) > 10_000 or abs(right) > 64:
            raise OutOfBounds("the number is too large")


def _weight(value: object) -> int:
    """About how many characters a value would have in print; it stops beyond the bound."""
    size = 0
    rest = [value]
    while rest and size <= _CHARACTERS:
        one = rest.pop()
        if isinstance(one, str):
            size += len(one) + 1
        elif isinstance(one, dict):
            size += _CONTAINER
            rest += one.keys()
            rest += one.values()
        elif isinstance(one, list | tuple):
            size += _CONTAINER
            rest += one
        else:
            size += 1
    return size
