from __future__ import annotations

from datetime import date

import pytest

from sqlscribe.checking.check import check, is_about_today
from sqlscribe.schema.model import Column, Schema, Table

SCHEMA = Schema((Table("tides", (Column("level", "numeric"), Column("seen_on", "date"))),))
TODAY = date(2026, 3, 31)


@pytest.mark.parametrize(
    ("question", "about"),
    [
        ("revenue last month", True),
        ("Tides of the past 30 days", True),
        ("上个月的销售额", True),
        ("最近七天的订单", True),
        ("tides in March 2023", False),
        ("last month of 2023", False),
        ("2023年上半年和去年", False),
        ("last quarter of FY22", False),
        ("the highest tide", False),
    ],
)
def test_questions_that_count_from_today(question: str, about: bool) -> None:
    assert is_about_today(question) is about


def years(sql: str, today: date | None = TODAY) -> list[str]:
    found = check(sql, SCHEMA, "postgres", today=today).findings
    return [one.span.of(sql) for one in found if one.code == "quality/other-year"]


@pytest.mark.parametrize(
    ("condition", "said"),
    [
        ("seen_on >= '2023-02-01' AND seen_on < '2023-03-01'", ["'2023-02-01'", "'2023-03-01'"]),
        ("seen_on >= DATE '2024-02-01'", ["'2024-02-01'"]),
        ("EXTRACT(YEAR FROM seen_on) = 2023", ["2023"]),
        ("seen_on >= '2026-02-01' AND seen_on < '2027-01-01'", []),
        ("seen_on >= '2025-03-01'", []),
        ("EXTRACT(YEAR FROM seen_on) = 2026", []),
        ("level = 2023", []),
        ("level = '2023'", []),
    ],
)
def test_years_that_today_cannot_mean(condition: str, said: list[str]) -> None:
    sql = f"SELECT level FROM tides WHERE {condition}"
    assert years(sql) == said
    assert years(sql, None) == []
