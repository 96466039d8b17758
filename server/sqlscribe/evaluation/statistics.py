"""Shares with their uncertainty, and whether two arms on the same questions really differ."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

_Z = 1.959963984540054
"""Of the normal distribution, for 95 %."""

Interval = tuple[float, float]


def wilson(successes: int, n: int) -> Interval:
    """The 95 % score interval of a share."""
    if n == 0:
        return (0.0, 1.0)
    share, z2 = successes / n, _Z * _Z
    middle = (share + z2 / (2 * n)) / (1 + z2 / n)
    half = _Z / (1 + z2 / n) * math.sqrt(share * (1 - share) / n + z2 / (4 * n * n))
    low = 0.0 if successes == 0 else max(0.0, middle - half)
    return (low, 1.0 if successes == n else min(1.0, middle + half))


@dataclass(frozen=True)
class Paired:
    """Right and wrong of two arms on the same questions."""

    both: int
    only_first: int
    only_second: int
    neither: int

    @classmethod
    def of(cls, first: Sequence[bool], second: Sequence[bool]) -> Paired:
        pairs = list(zip(first, second, strict=True))
        return cls(*(pairs.count(kind) for kind in _KINDS))

    @property
    def n(self) -> int:
        return self.both + self.only_first + self.only_second + self.neither

    @property
    def difference(self) -> float:
        """The first one's share minus the second one's."""
        return (self.only_first - self.only_second) / self.n if self.n else 0.0


_KINDS = ((True, True), (True, False), (False, True), (False, False))


def newcombe(table: Paired) -> Interval:
    """The 95 % interval of the difference: Newcombe's score method for pairs (1998, method 10)."""
    n = table.n
    if n == 0:
        return (-1.0, 1.0)
    first, second = table.both + table.only_first, table.both + table.only_second
    p1, p2 = first / n, second / n
    (low1, high1), (low2, high2) = wilson(first, n), wilson(second, n)
    phi = _correlation(table)

    def reach(one: float, other: float) -> float:
        return math.sqrt(max(0.0, one * one - 2 * phi * one * other + other * other))

    low = table.difference - reach(p1 - low1, high2 - p2)
    high = table.difference + reach(high1 - p1, p2 - low2)
    return (max(-1.0, low), min(1.0, high))


def _correlation(table: Paired) -> float:
    """How much the arms succeed on the same questions, corrected for continuity."""
    first, second = table.both + table.only_first, table.both + table.only_second
    product = first * (table.n - first) * second * (table.n - second)
    if product == 0:
        return 0.0
    excess = table.both * table.neither - table.only_first * table.only_second
    corrected: float = excess if excess < 0 else max(excess - table.n / 2, 0.0)
    return corrected / math.sqrt(product)


def mcnemar(table: Paired) -> float:
    """The exact two-sided probability of so uneven a split of the questions that differ."""
    fewer, n = sorted((table.only_first, table.only_second))[0], table.only_first
    n += table.only_second
    tail = sum(math.comb(n, k) for k in range(fewer + 1))
    return min(1.0, float(Fraction(2 * tail, 2**n)))


def quantile(values: Sequence[float], share: float) -> float | None:
    """The value below which ``share`` of them lie, between neighbours in proportion."""
    if not values:
        return None
    ordered = sorted(values)
    place = share * (len(ordered) - 1)
    below = math.floor(place)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (ordered[above] - ordered[below]) * (place - below)
