"""Words, and the other words under which the same may be said."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sqlscribe.knowledge.thesaurus import senses
from sqlscribe.knowledge.units import agreement, meant, read, units


def names(text: str) -> list[set[str]]:
    return [set(unit.names) for unit in units(text)]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("clients", "customer"),
        ("客户", "customers"),
        ("shipped", "shipment"),
        ("located", "locations"),
        ("OrderItems", "order_items"),
        ("供货商", "vendors"),
        ("ＣＬＩＥＮＴＳ", "客户"),
    ],
)
def test_different_words_meet_in_a_name(one: str, other: str) -> None:
    first, second = names(one), names(other)
    assert any(a & b for a in first for b in second)


@pytest.mark.parametrize(
    ("one", "other"), [("customer", "custom"), ("orders", "borders"), ("客房", "客户"), ("a", "b")]
)
def test_words_that_mean_something_else_do_not(one: str, other: str) -> None:
    assert not any(a & b for a in names(one) for b in names(other))


def test_chinese_is_cut_into_the_longest_known_words() -> None:
    found = [unit.word for unit in units("每个客户的工艺路线")]
    assert found == ["每个", "客户", "的工", "工艺", "路线"]


def test_static_vectors_get_english_for_chinese_words() -> None:
    assert meant("客户的订单") == ["customer", "order"]
    assert meant("clients in Rome") == ["clients", "in", "rome", "customer"]
    assert meant("Rome_Total") == ["rome", "total"]
    assert meant("的") == ["的"]
    assert meant("?") == []


def test_agreement_counts_other_words_and_both_sides() -> None:
    one = [unit.names for unit in units("orders of clients")]
    other = [unit.names for unit in units("客户 订单")]
    assert agreement(one, other) == 1.0
    assert agreement(one, other[:1]) == pytest.approx(2 / 3)
    assert agreement(one, []) == 0.0


def test_groups_are_told_apart_by_their_names() -> None:
    assert all(groups for groups in senses().values())
    assert {"customer"} == {*senses()["客户"]}
    assert all(word == word.casefold() and " " not in word for word in senses())


@given(st.text(max_size=60))
@settings(max_examples=100, deadline=None)
def test_any_text_can_be_read(text: str) -> None:
    found = read(text)
    assert found == read(text)
    assert not set(found.words) & set('"*:()')
    assert bool(meant(text)) == bool(found.words)
