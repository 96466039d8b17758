"""Numbers written as words."""

from __future__ import annotations

import pytest

from sqlscribe.models.spoken_numbers import as_number, spoken_numbers


@pytest.mark.parametrize(
    ("question", "numbers"),
    [
        ("top ten customers", [10]),
        ("the first twenty-five orders", [25]),
        ("at least three visits in the last seven days", [3, 7]),
        ("more than a hundred", [100]),
        ("前十名客户", [10]),
        ("前二十五个", [25]),
        ("最近三个月", [3]),
        ("最近十二个月", [12]),
        ("超过一百二十元", [120]),
        ("top customers with one order", []),
        ("第一季度", []),
        ("前三季度", []),
        ("一个客户", []),
        ("TOP TEN", [10]),
        ("", []),
    ],
)
def test_numbers_are_found_where_they_can_be_nothing_else(
    question: str, numbers: list[int]
) -> None:
    assert [as_number(span.of(question)) for span in spoken_numbers(question)] == numbers


@pytest.mark.parametrize("text", ["", "10", "tenth", "十十", "百", "one two", "\ud800"])
def test_other_words_are_no_numbers(text: str) -> None:
    assert as_number(text) is None
