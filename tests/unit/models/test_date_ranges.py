"""Ranges of dates in SQL, and other ranges written in their places."""

from __future__ import annotations

import datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sqlscribe.models.date_ranges import written_range
from sqlscribe.models.date_words import DateRange, Grain, range_of

DAY = datetime.date(2023, 12, 5)
WEEK, MONTH, QUARTER, YEAR = (
    range_of(grain, DAY) for grain in ("week", "month", "quarter", "year")
)
ONE_DAY = range_of("day", DAY)


def check(sql: str, other: DateRange, expected: str | None, is_open: bool = False) -> None:
    written = written_range(sql, "postgres")
    assert (written.filled(other, is_open) if written else None) == expected


@pytest.mark.parametrize(
    ("sql", "other", "expected"),
    [
        (
            "d >= '2024-03-01' AND d < '2024-04-01'",
            MONTH,
            "d >= '2023-12-01' AND d < '2024-01-01'",
        ),
        ("d >= '2024-03-01' AND d < '2024-04-01'", WEEK, "d >= '2023-12-04' AND d < '2023-12-11'"),
        (
            "d >= DATE '2024-03-01' AND d < DATE '2024-04-01'",
            YEAR,
            "d >= DATE '2023-01-01' AND d < DATE '2024-01-01'",
        ),
        (
            "d >= '2024-03-01 00:00:00' AND d < '2024-04-01 00:00:00'",
            ONE_DAY,
            "d >= '2023-12-05 00:00:00' AND d < '2023-12-06 00:00:00'",
        ),
        (
            "d BETWEEN '2024-03-01' AND '2024-03-31'",
            QUARTER,
            "d BETWEEN '2023-10-01' AND '2023-12-31'",
        ),
        (
            "d >= '2024-03-01' AND d <= '2024-03-31 23:59:59'",
            MONTH,
            "d >= '2023-12-01' AND d <= '2023-12-31 23:59:59'",
        ),
        ("d = '2024-03-05'", ONE_DAY, "d = '2023-12-05'"),
        ("d LIKE '2024-03-05%'", ONE_DAY, "d LIKE '2023-12-05%'"),
        ("date_trunc('month', d) = '2024-03-01'", MONTH, "date_trunc('month', d) = '2023-12-01'"),
        ("strftime('%Y-%m', d) = '2024-03'", MONTH, "strftime('%Y-%m', d) = '2023-12'"),
        ("d LIKE '2024-%'", YEAR, "d LIKE '2023-%'"),
        ("EXTRACT(YEAR FROM o.d) = 2024", YEAR, "EXTRACT(YEAR FROM o.d) = 2023"),
        ("strftime('%Y', d) = '2024'", YEAR, "strftime('%Y', d) = '2023'"),
        ("YEAR(d) = 2024 AND MONTH(d) = 3", MONTH, "YEAR(d) = 2023 AND MONTH(d) = 12"),
        (
            "strftime('%m', d) = '11' AND strftime('%Y', d) = '2024'",
            range_of("month", datetime.date(2023, 2, 1)),
            "strftime('%m', d) = '02' AND strftime('%Y', d) = '2023'",
        ),
        (
            "EXTRACT(QUARTER FROM d) = 1 AND EXTRACT(YEAR FROM d) = 2024",
            QUARTER,
            "EXTRACT(QUARTER FROM d) = 4 AND EXTRACT(YEAR FROM d) = 2023",
        ),
        # The other range cannot be written in this way.
        ("d = '2024-03-05'", MONTH, None),
        ("date_trunc('month', d) = '2024-03-01'", YEAR, None),
        ("YEAR(d) = 2024", MONTH, None),
        ("d LIKE '2024-03%'", QUARTER, None),
        # It is not certain what is meant.
        ("d >= '2024-03-01' AND d < '2024-04-01' AND e < '2020-01-01'", MONTH, None),
        ("d BETWEEN '2024-03-01' AND '2024-03-31 00:00:00'", MONTH, None),
        ("d > '2024-03-01' AND d < '2024-04-01'", MONTH, None),
        ("y >= 2024 AND y < 2025", YEAR, None),
        ("YEAR(d) = 2024 AND month = 3", YEAR, None),
        ("date_trunc('month', d) = '2024-03-05'", MONTH, None),
        ("DATE_FORMAT(d, '%Y-%m-01') <> '2024-03-01'", ONE_DAY, None),
        ("x IN (2024, 2025)", YEAR, None),
        ("d = 'on 2024-03-05 or so'", ONE_DAY, None),
        ("d > now() - interval '1 month'", MONTH, None),
        # An alias or a label would become wrong.
        ("d = '2024-03-05' AS orders_2024", ONE_DAY, None),
        ("'March' WHERE strftime('%Y-%m', d) = '2024-03'", MONTH, None),
        ("", MONTH, None),
        ("(" * 10_000, MONTH, None),
    ],
)
def test_another_range_takes_the_place_of_the_only_one(
    sql: str, other: DateRange, expected: str | None
) -> None:
    check(sql, other, expected)


def test_a_range_without_end_takes_another_one_without_end() -> None:
    check("d >= '2024-03-01'", MONTH, "d >= '2023-12-01'", is_open=True)
    check("d >= '2024-03-01'", MONTH, None)
    check("d = '2024-03-01'", ONE_DAY, None, is_open=True)


@given(
    day=st.dates(min_value=datetime.date(1900, 1, 1), max_value=datetime.date(2099, 1, 1)),
    grain=st.sampled_from(["day", "week", "month", "quarter", "year"]),
    form=st.sampled_from(["d >= '{0}' AND d < '{1}'", "d BETWEEN '{0}' AND '{2}'"]),
)
@settings(max_examples=100, deadline=None)
def test_filling_and_reading_are_inverse(day: datetime.date, grain: Grain, form: str) -> None:
    def text(of: DateRange) -> str:
        return form.format(of.start, of.end, of.end - datetime.timedelta(days=1))

    before, after = MONTH, range_of(grain, day)
    written = written_range(text(before), "")
    assert written is not None
    assert written.filled(after, False) == text(after)
    again = written_range(text(after), "")
    assert again is not None
    assert (again.start, again.end) == (after.start, after.end)
    assert again.filled(before, False) == text(before)
