"""Whether two results hold the same rows: in any order of columns, and of rows unless it matters.

Cells are as :mod:`sqlscribe.evaluation.cells` gives them. Numbers are equal within 1e-6, NULL
equals NULL, and text equals only the same text.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Literal

from sqlscribe.evaluation.cells import Cell

TOLERANCE = 1e-6
"""How far apart two numbers may be and still be the same."""
_SUMMATION = 1e-12
"""The relative error of a long sum of floating-point numbers, which grows with their size."""
_MOST_WORK = 2_000_000
"""Rows looked at for column mappings. More are needed only where many columns are alike."""

Comparison = Literal["right", "wrong columns", "wrong rows", "wrong order"]

Row = Sequence[Cell]
_Atom = tuple[str, object]
_Column = list[_Atom]


def compare(gold: Sequence[Row], got: Sequence[Row], *, ordered: bool = False) -> Comparison:
    """How ``got`` differs from ``gold``.

    ``wrong columns``: there are more or fewer of them. ``wrong order``: the rows are right and
    only their order is not, which is told only where it matters (``ordered``).
    """
    widths = {len(row) for row in (*gold[:1], *got[:1])}
    if len(widths) > 1:
        return "wrong columns"
    if len(gold) != len(got):
        return "wrong rows"
    if not gold:
        return "right"
    numbers = _numbers(gold, got)
    left, right = _columns(gold, numbers), _columns(got, numbers)
    if ordered and _mapped(left, right, in_order=True):
        return "right"
    if not _mapped(left, right, in_order=False):
        return "wrong rows"
    return "wrong order" if ordered else "right"


def _numbers(*results: Sequence[Row]) -> dict[float, int]:
    """A group for each number. Those that follow one another closely are in one group.

    So equal is equal, whichever of two columns or rows it is asked for.
    """
    found = {
        cell for rows in results for row in rows for cell in row if isinstance(cell, int | float)
    }
    ordered = sorted(found)
    groups = dict.fromkeys(ordered[:1], 0)
    for before, number in pairwise(ordered):
        groups[number] = groups[before] + (not _is_same(before, number))
    return groups


def _is_same(one: float, other: float) -> bool:
    if isinstance(one, int) and isinstance(other, int):
        # Keys of many digits would be lost in the error of a sum of their size.
        return one == other
    gap = abs(other - one)
    return gap <= TOLERANCE or gap <= _SUMMATION * max(abs(one), abs(other))


def _columns(rows: Sequence[Row], numbers: dict[float, int]) -> list[_Column]:
    def atom(cell: Cell) -> _Atom:
        if cell is None:
            return ("null", None)
        return ("text", cell) if isinstance(cell, str) else ("number", numbers[cell])

    return [[atom(row[place]) for row in rows] for place in range(len(rows[0]))]


def _mapped(gold: list[_Column], got: list[_Column], *, in_order: bool) -> bool:
    """Whether the columns of ``got`` can be put in an order that makes the rows equal."""

    def rows(columns: list[_Column]) -> object:
        lines = zip(*columns, strict=True)
        return list(lines) if in_order else Counter(lines)

    alone = [rows([column]) for column in got]
    candidates = [
        [place for place, other in enumerate(alone) if other == own]
        for own in (rows([column]) for column in gold)
    ]
    # Columns with the fewest partners first: a wrong guess shows soonest there.
    places = sorted(range(len(gold)), key=lambda place: len(candidates[place]))
    steps = iter(range(max(200, _MOST_WORK // len(gold[0]))))

    def search(chosen: list[int]) -> bool:
        if len(chosen) == len(places):
            return True
        for partner in _free(candidates[places[len(chosen)]], chosen, got):
            if next(steps, None) is None:
                return False
            tried = [*chosen, partner]
            left = rows([gold[place] for place in places[: len(tried)]])
            if left == rows([got[place] for place in tried]) and search(tried):
                return True
        return False

    return search([])


def _free(candidates: list[int], chosen: list[int], columns: list[_Column]) -> Iterator[int]:
    """The candidates that are not chosen yet; of equal columns only the first, as good as any."""
    tried: list[_Column] = []
    for place in candidates:
        if place not in chosen and columns[place] not in tried:
            tried.append(columns[place])
            yield place
