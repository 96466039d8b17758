"""Which right name a wrong one looks like."""

from __future__ import annotations

import pytest

from sqlscribe.checking.names.spelling import is_clear, nearest

NAMES = ["customer_id", "full_name", "city", "quantity", "purchdate", "total"]


@pytest.mark.parametrize(
    ("wrong", "right"),
    [
        ("custmer_id", "customer_id"),
        ("customerId", "customer_id"),
        ("person_name", "full_name"),
        ("nme", "full_name"),
        ("qty", "quantity"),
        ("purchasedate", "purchdate"),
        ("TOTAL", "total"),
    ],
)
def test_the_nearest_name_comes_first(wrong: str, right: str) -> None:
    assert nearest(wrong, NAMES)[0].name == right


@pytest.mark.parametrize("wrong", ["state", "x", "region", "客户"])
def test_far_names_are_not_suggested(wrong: str) -> None:
    assert nearest(wrong, NAMES) == []


def test_two_names_alike_are_not_clear() -> None:
    assert is_clear(nearest("totl", NAMES))
    assert not is_clear(nearest("colour", ["color1", "color2"]))
    assert not is_clear([])


def test_the_nearest_of_very_many_names() -> None:
    names = [f"{word}_{number}" for word in ("ledger", "parcel", "sensor") for number in range(500)]
    assert nearest("parsel_77", [*names, "客户编号"])[0].name == "parcel_77"
    assert nearest("客户编码", [*names, "客户编号"])[0].name == "客户编号"
    assert nearest("qqq", names) == []
