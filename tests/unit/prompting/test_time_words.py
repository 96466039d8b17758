"""Texts that may count from today."""

import pytest

from sqlscribe.prompting.time_words import may_count_from_today


def test_a_very_long_number_is_read_once() -> None:
    # Read from each of its digits it would take hours.
    assert not may_count_from_today("1" * 500_000)
    assert may_count_from_today(f"{'1' * 500_000}天内")


@pytest.mark.parametrize(
    "text",
    [
        "revenue last month",
        "customers of the past 30 days",
        "orders older than two weeks",
        "sign-ups since March",
        "which invoices are overdue",
        "2023 compared with this year",
        "上个月的销售额",
        "最近的订单",
        "今年新客户",
        "Umsatz im letzten Monat",
        "active means an order within 90 days",
    ],
)
def test_words_that_may_need_the_date(text: str) -> None:
    assert may_count_from_today(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "customers by country",
        "restaurants of each type of food",
        "orders of March 2023",
        "cars made after 1980",
        "age and hometown of every teacher",
        "revenue by month and year",
        "the oldest singers",
        "average session of the first quarter of 2023",
        "2014年之后的音乐会",
        "按年龄排序",
        "每个国家有多少歌手",
    ],
)
def test_others_do_not(text: str) -> None:
    assert not may_count_from_today(text)
