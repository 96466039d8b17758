"""Questions that are not about the database, and those that may be."""

from __future__ import annotations

import pytest

from sqlscribe.knowledge.embedders import likeness
from sqlscribe.knowledge.unrelated import (
    invented_for,
    is_left_unanswered,
    strange_words,
    unanswered_words,
)
from sqlscribe.schema.model import Column, Table

SHOP = (
    Table("customers", tuple(map(Column, ("customer_id", "full_name", "city", "country")))),
    Table("orders", tuple(map(Column, ("order_id", "customer_id", "order_date", "total")))),
)


def strange(question: str, *texts: str, values: tuple[str, ...] = ()) -> tuple[str, ...]:
    return strange_words(question, SHOP, likeness, texts, values)


@pytest.mark.parametrize(
    ("question", "words"),
    [
        ("What is the best recipe for a pancake with syrup", ("recipe", "pancake", "syrup")),
        ("What is the purpose of life?", ("purpose", "life")),
        ("how does photosynthesis make oxygen", ("photosynthesis", "oxygen")),
        # One word is known, and much is not.
        ("Describe the climate and the wildlife of a city in the jungle", ("climate", "wildlife",
                                                                           "jungle")),
    ],
)  # fmt: skip
def test_a_question_whose_words_nothing_has_is_about_something_else(
    question: str, words: tuple[str, ...]
) -> None:
    assert strange(question) == words


@pytest.mark.parametrize(
    "question",
    [
        "customers with more than three orders",
        "Which city spends the most?",
        # Another word for the same.
        "list all clients",
        # Measures are seldom called what people call them.
        "annual revenue growth",
        "how many are there?",
        # Names may be values that nobody has told.
        "how did Acme and Globex do",
        # One word alone is a misspelling, or jargon.
        "the biggest spenders",
        # Nearer to the schema's words than others are, though nobody told so.
        "purchasers and shipments",
        "custmers in Berlin",
        # Strange words are values, jargon, or another language, unless the form tells more.
        "our whales and minnows",
        "red running shoes",
        "wireless headphones vs bluetooth speakers",
        "anyone from new york",
        "average basket size",
        "abandoned carts",
        "umsatz nach region letztes jahr",
        "combien de commandes hier",
        "what is the shelf life of milk and cheese",
        "why did the headphones break",
        "do we have garden furniture",
        # These ask how something did, and not how it works.
        "how do red running shoes sell",
        "how did black friday go",
        "how does liverpool compare with barcelona",
        "how has black friday influenced refunds",
        "加拿大的国家动物是什么",
        "",
        "????",
    ],
)
def test_what_may_be_about_the_database_is_asked(question: str) -> None:
    assert strange(question) == ()


def test_what_the_team_wrote_belongs_to_the_database() -> None:
    question = "how do whales hunt minnows"
    assert strange(question) == ("whales", "hunt", "minnows")
    assert strange(question, "a whale is a customer who may hunt minnows") == ()


def test_values_of_the_data_belong_to_it() -> None:
    question = "how does a blue widget become a gadget"
    assert strange(question) == ("blue", "widget", "become", "gadget")
    assert strange(question, values=("blue widget", "gadget", "become")) == ()


def test_nobody_can_tell_from_abbreviations() -> None:
    tables = (Table("kna1", tuple(map(Column, ("kunnr", "land1", "name1", "ort01", "pstlz")))),)
    assert strange_words("list the vendors with their depots", tables, likeness) == ()
    assert strange_words("What is the purpose of life?", (), likeness) == ()


def test_without_vectors_nothing_is_turned_away() -> None:
    assert strange_words("What is the purpose of life?", SHOP, lambda words, others: []) == ()


@pytest.mark.parametrize(
    ("question", "sql", "words"),
    [
        ("orders that need gift wrapping", "SELECT * FROM orders", ("gift", "wrapping")),
        ("How many customers have an outdoor swimming pool?", "SELECT count(*) FROM customers",
         ("outdoor", "swimming", "pool")),
        # The query speaks of them, if by another ending.
        ("orders with wrapped gifts", "SELECT * FROM orders WHERE total LIKE '%gift wrap%'", ()),
        # One word alone is worded otherwise, and these are said of anything.
        ("orders that need wrapping", "SELECT * FROM orders", ()),
        ("the total amount received from all customers after returns", "SELECT 1", ()),
        # Names may be values.
        ("orders from Acme Globex", "SELECT * FROM orders", ()),
        ("", "SELECT 1", ()),
    ],
)  # fmt: skip
def test_words_that_the_query_leaves_out_are_told(
    question: str, sql: str, words: tuple[str, ...]
) -> None:
    assert unanswered_words(question, sql, SHOP) == words


def test_words_of_rules_and_values_are_not_told() -> None:
    question = "orders that need gift wrapping"
    assert unanswered_words(question, "SELECT 1", SHOP, ["A wrapped order is status 3."]) == ()
    assert unanswered_words(question, "SELECT 1", SHOP, (), ["gift wrapping"]) == ()
    assert unanswered_words(question, "SELECT 1", ()) == ()


@pytest.mark.parametrize(
    ("question", "names", "words"),
    [
        ("orders with gift wrapping", ["gift_wrapping"], ("gift", "wrapping")),
        ("orders with gifts", ["has_gift", "wrapped"], ("gifts",)),
        # It asks for what the schema has, for what any question may say, or for something else.
        ("the total of orders", ["order_total"], ()),
        ("the average score", ["average_score"], ()),
        ("orders with gifts", ["loyalty"], ()),
        ("orders with gifts", [], ()),
        ("订单的礼品", ["gift"], ()),
    ],
)
def test_words_for_which_names_were_made_up(
    question: str, names: list[str], words: tuple[str, ...]
) -> None:
    assert invented_for(question, names, SHOP) == words


def test_what_rules_and_values_speak_of_was_not_made_up() -> None:
    question, names = "orders with gift wrapping", ["gift_wrapping"]
    assert invented_for(question, names, SHOP, ["Gifts cost nothing."]) == ("wrapping",)
    assert invented_for(question, names, SHOP, (), ["gift wrapping"]) == ()
    assert invented_for(question, names, ()) == ()


@pytest.mark.parametrize(
    ("question", "left_out", "is_so"),
    [
        ("How can credibility be measured?", ("credibility", "impact", "science"), True),
        ("How can credibility be measured?", ("credibility", "impact"), False),
        ("Orders by credibility", ("credibility", "impact", "science"), False),
    ],
)
def test_a_question_about_the_world_is_left_unanswered_by_so_little(
    question: str, left_out: tuple[str, ...], is_so: bool
) -> None:
    assert is_left_unanswered(question, left_out) is is_so
