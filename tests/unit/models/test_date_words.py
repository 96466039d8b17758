"""Dates said in words, reckoned from a Sunday at the end of a month."""

from __future__ import annotations

import datetime
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sqlscribe.models.date_words import phrases, range_of

TODAY = datetime.date(2024, 3, 31)


def check(question: str, *expected: str) -> None:
    """``expected``: the words, start, end (exclusive) and grain of each range."""
    found = [
        f"{phrase.span.of(question)} | {phrase.range.start} {phrase.range.end}"
        f" {phrase.range.grain}{' since' if phrase.is_open else ''}"
        for phrase in phrases(question, TODAY)
    ]
    assert found == list(expected)


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("orders of today", "of today | 2024-03-31 2024-04-01 day"),
        ("yesterday's orders", "yesterday | 2024-03-30 2024-03-31 day"),
        ("this week", "this week | 2024-03-25 2024-04-01 week"),
        ("in the last week", "in the last week | 2024-03-18 2024-03-25 week"),
        ("next week", "next week | 2024-04-01 2024-04-08 week"),
        ("revenue last month", "last month | 2024-02-01 2024-03-01 month"),
        ("for the previous quarter", "for the previous quarter | 2023-10-01 2024-01-01 quarter"),
        ("this year", "this year | 2024-01-01 2025-01-01 year"),
        ("year to date", "year to date | 2024-01-01 2024-04-01 to date"),
        ("in March", "in March | 2024-03-01 2024-04-01 month"),
        ("in April", "in April | 2023-04-01 2023-05-01 month"),
        ("March 2023", "March 2023 | 2023-03-01 2023-04-01 month"),
        ("march of last year", "march of last year | 2023-03-01 2023-04-01 month"),
        ("on March 5, 2023", "on March 5, 2023 | 2023-03-05 2023-03-06 day"),
        ("on the 5th of March 2023", "on the 5th of March 2023 | 2023-03-05 2023-03-06 day"),
        ("on 2023-03-05", "on 2023-03-05 | 2023-03-05 2023-03-06 day"),
        ("Q1 2023", "Q1 2023 | 2023-01-01 2023-04-01 quarter"),
        ("2023 Q4", "2023 Q4 | 2023-10-01 2024-01-01 quarter"),
        ("in the first quarter", "in the first quarter | 2024-01-01 2024-04-01 quarter"),
        ("in 2022", "in 2022 | 2022-01-01 2023-01-01 year"),
        ("since May 2022", "since May 2022 | 2022-05-01 2022-06-01 month since"),
        ("今天的订单", "今天 | 2024-03-31 2024-04-01 day"),
        ("昨天", "昨天 | 2024-03-30 2024-03-31 day"),
        ("上周的销售", "上周 | 2024-03-18 2024-03-25 week"),
        ("本周", "本周 | 2024-03-25 2024-04-01 week"),
        ("上个月的客户", "上个月 | 2024-02-01 2024-03-01 month"),
        ("本月", "本月 | 2024-03-01 2024-04-01 month"),
        ("上季度", "上季度 | 2023-10-01 2024-01-01 quarter"),
        ("今年的销售额", "今年 | 2024-01-01 2025-01-01 year"),
        ("去年", "去年 | 2023-01-01 2024-01-01 year"),
        ("去年三月", "去年三月 | 2023-03-01 2023-04-01 month"),
        ("三月的订单", "三月 | 2024-03-01 2024-04-01 month"),
        ("2023年3月", "2023年3月 | 2023-03-01 2023-04-01 month"),
        ("2023年3月5日", "2023年3月5日 | 2023-03-05 2023-03-06 day"),
        ("第一季度", "第一季度 | 2024-01-01 2024-04-01 quarter"),
        ("2023年第四季度", "2023年第四季度 | 2023-10-01 2024-01-01 quarter"),
        ("自2023年3月以来", "自2023年3月以来 | 2023-03-01 2023-04-01 month since"),
        ("年初至今", "年初至今 | 2024-01-01 2024-04-01 to date"),
    ],
)
def test_a_range_is_reckoned_from_today(question: str, expected: str) -> None:
    check(question, expected)


@pytest.mark.parametrize(
    "question",
    [
        "customers who may churn",
        "we march on",
        "the last 7 days",
        "最近7天",
        "3个月",
        "周报",
        "monthly orders",
        "orders 2023",
        "2024-02-30",
        "February 30, 2024",
        "on 2024-01-31 10:30",
        "second hand shops",
        "",
        "(" * 10_000,
        "\0\ud800",
    ],
)
def test_other_words_are_no_range(question: str) -> None:
    check(question)


def test_several_ranges_are_found_in_order() -> None:
    check(
        "in March 2024 and April 2024",
        "in March 2024 | 2024-03-01 2024-04-01 month",
        "April 2024 | 2024-04-01 2024-05-01 month",
    )


def test_without_today_only_fixed_ranges_are_found() -> None:
    assert phrases("last month", None) == phrases("in March", None) == ()
    assert [phrase.is_fixed for phrase in phrases("in March 2024", None)] == [True]


@given(st.dates(min_value=datetime.date(2, 1, 1), max_value=datetime.date(9990, 12, 31)))
@settings(max_examples=100, deadline=None)
def test_every_day_is_in_its_units_and_units_touch(day: datetime.date) -> None:
    for grain in ("day", "week", "month", "quarter", "year"):
        unit = range_of(grain, day)  # type: ignore[arg-type]
        assert unit.start <= day < unit.end
        assert range_of(grain, unit.end).start == unit.end  # type: ignore[arg-type]
    last, this = (phrases(f"{which} month", day)[0].range for which in ("last", "this"))
    assert last.end == this.start


@given(st.text("last month 上个月3年Q1 2024-in", max_size=30), st.dates())
@settings(max_examples=100, deadline=None)
def test_any_question_on_any_day_can_be_read(question: str, today: datetime.date) -> None:
    for phrase in phrases(question, today):
        assert phrase.range.start < phrase.range.end


def test_a_text_of_nothing_but_dates_takes_linear_time() -> None:
    start = time.process_time()
    assert len(phrases("上个月" * 30_000, TODAY)) == 30_000
    assert time.process_time() - start < 20
