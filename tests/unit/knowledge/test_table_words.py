"""How much of a table a question speaks of."""

from __future__ import annotations

import pytest

from sqlscribe.knowledge.table_words import spoken
from sqlscribe.schema.model import Column, Table

TABLES = (
    Table("orders", (Column("order_no"), Column("customer_no"))),
    Table("crm_orders_audit", (Column("note"),)),
    Table("sbtransaction", (Column("amount"),)),
    Table("tbl_weather", (Column("max_temperature_f"), Column("wind_speed"))),
    Table("客户", (Column("a", comment="会员等级"),)),
    Table("author", (Column("aid"), Column("name"))),
    Table("writes", (Column("aid"), Column("pid"))),
    Table("publication", (Column("pid"), Column("title"))),
)


def found(question: str) -> list[str]:
    """The tables that are spoken of, those of the highest score first."""
    scored = spoken(question, TABLES)
    return [TABLES[number].name for number in sorted(scored, key=lambda n: -scored[n].score)]


@pytest.mark.parametrize(
    ("question", "first"),
    [
        ("how many orders", ["orders", "crm_orders_audit"]),
        ("audit of the orders", ["orders", "crm_orders_audit"]),
        ("transactions", ["sbtransaction"]),
        ("the weather", ["tbl_weather"]),
        ("每天的最高气温和风速", ["tbl_weather"]),
        ("clients", ["客户"]),
        ("会员等级", ["客户"]),
        ("authors of publications", ["author", "publication", "writes"]),
        ("订单", ["orders", "crm_orders_audit"]),
    ],
)
def test_the_whole_name_comes_before_a_part_and_names_before_columns(
    question: str, first: list[str]
) -> None:
    assert found(question)[: len(first)] == first


def test_reasons_tell_what_was_said() -> None:
    numbered = {table.name: number for number, table in enumerate(TABLES)}
    scored = spoken("orders and clients, by temperature", TABLES)
    reasons = {name: scored[numbered[name]].reason for name in ("orders", "客户", "tbl_weather")}
    assert reasons == {
        "orders": "named in the question",
        "客户": "named in the question, in other words",
        "tbl_weather": "words of its columns",
    }
    assert spoken("authors", TABLES)[numbered["writes"]].reason == "shares a column with author"


def test_a_word_of_every_table_tells_none_apart() -> None:
    tables = tuple(Table(f"t{n}x", (Column("status"), Column(f"c{n}"))) for n in range(300))
    assert spoken("status", tables) == {}


@pytest.mark.parametrize("question", ["", "(" * 10_000, "\0\ud800", "of the", "1 2 3"])
def test_odd_questions_speak_of_no_table(question: str) -> None:
    assert found(question) == []
    assert spoken(question, ()) == {}


def test_odd_tables_are_no_trouble() -> None:
    tables = (Table("", ()), Table("_", (Column(""),)), Table("12", (Column("\ud800"),)))
    assert spoken("12 _ x", tables).keys() <= {0, 1, 2}
