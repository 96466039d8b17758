"""Rows compared as people compare them: what is in them, and the order only where it matters."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sqlscribe.evaluation.cells import Cell
from sqlscribe.evaluation.compare import TOLERANCE, compare

Rows = list[list[Cell]]


@pytest.mark.parametrize(
    ("gold", "got", "expected"),
    [
        ([[1]], [[1]], "right"),
        ([], [], "right"),
        ([[1]], [], "wrong rows"),
        ([], [[1]], "wrong rows"),
        ([[1, "a"], [2, "b"]], [["b", 2], ["a", 1]], "right"),
        ([[1, "a"], [2, "b"]], [["b", 1], ["a", 2]], "wrong rows"),
        ([[1], [1], [2]], [[1], [2], [2]], "wrong rows"),
        ([[1]], [[1, 2]], "wrong columns"),
        ([[1, 1]], [[1]], "wrong columns"),
        ([[None]], [[None]], "right"),
        ([[None]], [[0]], "wrong rows"),
        ([[None]], [[""]], "wrong rows"),
        ([[1.0]], [[1]], "right"),
        ([[1 / 3]], [[0.3333333]], "right"),
        ([[0.333]], [[1 / 3]], "wrong rows"),
        ([[2014]], [["2014"]], "wrong rows"),
        ([["a"]], [["A"]], "wrong rows"),
        ([[9007199254740993]], [[9007199254740992]], "wrong rows"),
        # A long sum in another order, in the last digits only.
        ([[123456789012345.5]], [[123456789012345.45]], "right"),
        # Columns that hold the same values, in other pairs.
        ([[1, 1, "a"], [2, 3, "b"], [3, 2, "c"]], [[1, 1, "a"], [3, 2, "b"], [2, 3, "c"]], "right"),
        ([[1, 2], [2, 1]], [[1, 1], [2, 2]], "wrong rows"),
    ],
)
def test_rows_are_compared_in_any_order(gold: Rows, got: Rows, expected: str) -> None:
    assert compare(gold, got) == expected


@pytest.mark.parametrize(
    ("got", "expected"),
    [
        ([[1, "a"], [2, "b"]], "right"),
        ([["a", 1], ["b", 2]], "right"),
        ([["b", 2], ["a", 1]], "wrong order"),
        ([["b", 1], ["a", 2]], "wrong rows"),
    ],
)
def test_the_order_of_rows_counts_where_it_matters(got: Rows, expected: str) -> None:
    assert compare([[1, "a"], [2, "b"]], got, ordered=True) == expected


def test_rounding_between_two_rows_does_not_tear_them_apart() -> None:
    # Sorted by number first, the noise would pair each row with the other one.
    gold = [[1.0, 5], [1.0 + 1e-9, 3]]
    assert compare(gold, [[1.0 + 1e-9, 5], [1.0, 3]]) == "right"


def test_many_equal_columns_are_quick() -> None:
    gold: Rows = [[1] * 30 for _ in range(50)]
    got: Rows = [[1] * 29 + [2] for _ in range(50)]
    assert compare(gold, gold) == "right"
    assert compare(gold, got) == "wrong rows"


_CELLS = st.one_of(
    st.none(), st.integers(-5, 5), st.sampled_from([0.5, 1.25, -3.75]), st.text("ab", max_size=2)
)


@st.composite
def tables(draw: st.DrawFn) -> Rows:
    width = draw(st.integers(1, 4))
    return draw(st.lists(st.lists(_CELLS, min_size=width, max_size=width), max_size=6))


@given(tables(), st.randoms(use_true_random=False))
@settings(max_examples=100, deadline=None)
def test_shuffled_rows_and_columns_with_noise_are_the_same(
    rows: Rows, chance: random.Random
) -> None:
    columns = list(range(len(rows[0]))) if rows else []
    chance.shuffle(columns)
    other = [[_noisy(row[place], chance) for place in columns] for row in rows]
    chance.shuffle(other)
    assert compare(rows, other) == "right"
    assert compare(other, rows) == "right"


@given(tables(), st.randoms(use_true_random=False))
@settings(max_examples=100, deadline=None)
def test_one_changed_cell_is_found(rows: Rows, chance: random.Random) -> None:
    if not rows:
        return
    changed = [list(row) for row in rows]
    row = chance.randrange(len(rows))
    changed[row][chance.randrange(len(rows[0]))] = "something else"
    assert compare(rows, changed) == "wrong rows"


def _noisy(cell: Cell, chance: random.Random) -> Cell:
    return cell + chance.uniform(-1, 1) * TOLERANCE / 4 if isinstance(cell, float) else cell
