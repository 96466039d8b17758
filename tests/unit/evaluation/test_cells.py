"""Values of different engines' drivers that mean the same become the same."""

import datetime
from decimal import Decimal
from uuid import UUID

import pytest

from sqlscribe.evaluation.cells import LONGEST_CELL, Cell, cell, shown


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (None, None),
        (True, 1),
        (3, 3),
        (0.5, 0.5),
        (float("nan"), "nan"),
        (float("inf"), "inf"),
        (Decimal("2.50"), 2.5),
        (Decimal("7.00"), 7),
        (Decimal("NaN"), "nan"),
        ("Lyon", "Lyon"),
        ("2024-01-31", "2024-01-31"),
        ("2024-01-31 00:00:00", "2024-01-31"),
        ("2024-01-31T00:00:00.000", "2024-01-31"),
        ("2024-01-31T10:20:30.500", "2024-01-31 10:20:30.5"),
        ("2024-01-31 10:20:30.000", "2024-01-31 10:20:30"),
        ("2024-01-31T10:20:30Z", "2024-01-31 10:20:30+00:00"),
        ("2024-01-31 10:20:30.50+02:00", "2024-01-31 10:20:30.5+02:00"),
        ("2024-01-31 10:20:30 in the morning", "2024-01-31 10:20:30 in the morning"),
        (datetime.date(2024, 1, 31), "2024-01-31"),
        (datetime.datetime(2024, 1, 31), "2024-01-31"),
        (datetime.datetime(2024, 1, 31, 10, 20, 30), "2024-01-31 10:20:30"),
        (datetime.time(10, 20), "10:20:00"),
        (datetime.timedelta(minutes=1), 60.0),
        (b"\x00\xff", "x'00ff'"),
        ([1, 2], "[1, 2]"),
        (UUID(int=1), "00000000-0000-0000-0000-000000000001"),
    ],
)
def test_a_value_becomes_plain(value: object, expected: Cell) -> None:
    found = cell(value)
    assert (found, type(found)) == (expected, type(expected))


def test_a_long_text_is_cut_and_told_by_its_length() -> None:
    found = cell("x" * (LONGEST_CELL + 1))
    assert isinstance(found, str)
    assert found.endswith("… (100,001 characters)")
    assert shown(["y" * 300, 1, None]) == ["y" * 199 + "…", 1, None]
