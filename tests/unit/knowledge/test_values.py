"""Which known values a question speaks of, and which it does not."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sqlscribe.knowledge.near_values import distance
from sqlscribe.knowledge.profiles import Profile
from sqlscribe.knowledge.values import fold, match_values
from sqlscribe.schema.model import Column, Schema, Table

PROFILES = (
    Profile("orders", "region", ("East China", "North", "华东", "华东大区", "北京市", "2024")),
    Profile("orders", "status", ("paid", "open", "cancelled", "success", "new", "dog")),
    Profile("customers", "country", ("NO", "IN", "US", "A", "China", "United States", "in")),
    Profile("stadiums", "name", ("Gayfield Park", "Somerset Park", "Balmoor")),
    Profile("people", "name", ("L'Aquila", "São Paulo", "Zürich", "O'Brien")),
)
SCHEMA = Schema(
    (
        Table("orders", (Column("size", values=("small", "large")), Column("region"))),
        Table("customers", (Column("state"),)),
    )
)


def values(question: str) -> list[str]:
    return [match.value for match in match_values(question, PROFILES, SCHEMA)]


@pytest.mark.parametrize(
    ("question", "value", "words"),
    [
        ("orders in East China", "East China", "East China"),
        ("orders in east-china please", "East China", "east-china"),
        ("eastchina sales", "East China", "eastchina"),
        ("ＥＡＳＴ ＣＨＩＮＡ", "East China", "ＥＡＳＴ ＣＨＩＮＡ"),
        ("在Ｅast China的客户", "East China", "Ｅast China"),
        ("sales in Eest China", "East China", "Eest China"),
        ("canceled ones", "cancelled", "canceled"),
        ("successful ones", "success", "successful"),
        ("smalls", "small", "smalls"),
        ("a dog", "dog", "dog"),
        ("Somerset's concerts", "Somerset Park", "Somerset"),
        ("people of sao paulo", "São Paulo", "sao paulo"),
        ("l’aquila", "L'Aquila", "l’aquila"),
        ("US customers", "US", "US"),
        ("华东的订单", "华东", "华东"),
        ("华东大区的订单", "华东大区", "华东大区"),
        ("华东太区的订单", "华东大区", "华东太区"),
        ("北京的客户", "北京市", "北京"),
    ],
)
def test_a_value_is_found_in_the_askers_spelling(question: str, value: str, words: str) -> None:
    best = match_values(question, PROFILES, SCHEMA)[0]
    assert (best.value, best.words) == (value, words)


@pytest.mark.parametrize(
    "question",
    [
        "no orders in a country",
        "NO ORDERS IN A",
        "customers in any state",
        "new customers in 2024",
        "park concerts",
        "the usa",
        "a nort wind",
        "state of the regions",
        "",
        "(" * 10_000,
        "\0\ud800",
    ],
)
def test_words_that_mean_something_else_match_no_value(question: str) -> None:
    assert values(question) == []


@pytest.mark.parametrize(
    ("question", "found"),
    [
        ("customers in 'in'", ["in"]),
        ('customers in "NO"', ["NO"]),
        ("orders of “2024”", ["2024"]),
        ("'east china'", ["East China"]),
        ("'Gayfeld Park'", ["Gayfield Park"]),
        ("'Gayfield'", []),
    ],
)
def test_what_stands_in_quotes_is_the_value_itself(question: str, found: list[str]) -> None:
    assert values(question) == found


def test_the_very_spelling_scores_highest_and_columns_in_the_question_come_first() -> None:
    profiles = (
        *(Profile(f"t{n}", "c", ("Rome",)) for n in range(9)),
        Profile("shop", "city", ("Rome",)),
    )
    found = match_values("shop in Rome", profiles, Schema())
    assert (found[0].table, found[0].column, found[0].score) == ("shop", "city", 1.0)
    assert len(found) == 4
    assert match_values("shop in rome", profiles, Schema())[0].score < 1.0
    assert match_values("Rome", profiles, Schema(), limit=1) == (("t0", "c", "Rome", 1.0, "Rome"),)


@pytest.mark.parametrize(
    ("one", "other", "slips"),
    [
        ("paris", "pairs", 1),
        ("rome", "rome", 0),
        ("rome", "roma", 1),
        ("", "ab", 2),
        ("abc", "x", 3),
    ],
)
def test_letters_that_differ_are_counted(one: str, other: str, slips: int) -> None:
    assert distance(one, other, 9) == distance(other, one, 9) == slips
    assert distance(one, other, 0) == min(slips, 1)


@given(
    value=st.text("abcdé 北京-", min_size=2, max_size=12),
    before=st.sampled_from(["", "x ", "在"]),
)
@settings(max_examples=100, deadline=None)
def test_a_quoted_value_is_always_found(value: str, before: str) -> None:
    profiles = (Profile("t", "c", (value,)),)
    found = match_values(f"{before}'{value}'", profiles, Schema())
    assert bool(found) == bool(fold(value)) or before == "在"
    assert all(match.value == value for match in found)
