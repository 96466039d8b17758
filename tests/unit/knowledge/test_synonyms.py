"""What a team's rules and notes call the tables and columns."""

from __future__ import annotations

import pytest

from sqlscribe.knowledge.synonyms import in_words_of_schema, synonyms
from sqlscribe.schema.model import Column, Schema, Table

SCHEMA = Schema(
    (
        Table("orders", (Column("total"), Column("placed_at"))),
        Table("customers", (Column("full_name"),)),
        Table("order_items", (Column("price"), Column("qty"))),
    )
)


@pytest.mark.parametrize(
    ("line", "said", "meant"),
    [
        ("revenue means SUM(order_items.price * qty)", "revenue", ["order_items.price", "qty"]),
        ("- Revenue is defined as the sum of orders.total", "revenue", ["orders.total"]),
        ("* 客户 = customers", "客户", ["customers"]),
        ("客户指的是 customers 表", "客户", ["customers"]),
        ("**GMV**: orders.total before refunds", "gmv", ["orders.total"]),
        ("| Active clients -> rows of `customers`", "active client", ["customers"]),
        ("customers: 会员", "会员", ["customers"]),
        ("turnover means revenue", "turnover", ["revenue"]),
    ],
)
def test_a_definition_leads_to_names_of_the_schema(line: str, said: str, meant: list[str]) -> None:
    found = synonyms([f"# Rules\n{line}\nBe exact.\n"], SCHEMA)
    assert [(one.said, list(one.meant)) for one in found] == [(said, meant)]


@pytest.mark.parametrize(
    "line",
    [
        "Amounts are in EUR: never add them up across currencies.",
        "note: orders may be late",
        "the = of",
        "a sentence of far too many words means orders",
        "orders means orders",
        "=",
        "" * 3,
        "(" * 5000,
        "\0 = \ud800",
    ],
)
def test_other_lines_define_nothing(line: str) -> None:
    assert not [one for one in synonyms([line], SCHEMA) if set(one.meant) & {"orders", "total"}]


def test_a_question_gets_what_its_words_mean() -> None:
    known = synonyms(["turnover means revenue\nrevenue = orders.total", "客户 = customers"], SCHEMA)
    said = in_words_of_schema("Turnover of each 客户", known)
    assert said == "Turnover of each 客户\nrevenue customers orders.total"
    assert in_words_of_schema("customers", known) == "customers"
    assert in_words_of_schema("", known) == ""
