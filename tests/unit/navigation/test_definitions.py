"""Where tables and columns are defined in their files."""

from pathlib import Path

import pytest

from navigating import DDL, FILE, SHOP, schema_of
from sqlscribe.navigation.definitions import definition_in
from sqlscribe.notation.document import Document
from sqlscribe.schema.model import Column, Table


def place(table: str, column: str = "", text: str = DDL) -> tuple[int, str]:
    """The line of a definition, and what is marked there."""
    document = Document(FILE.as_uri(), text)
    [found] = schema_of(text).named(table)
    span = definition_in(document, "postgres", found, column)
    return document.line_of(span.start), span.of(text)


@pytest.mark.parametrize(
    ("table", "column", "line", "marked"),
    [
        ("orders", "", 5, "orders"),
        ("orders", "total", 9, "total"),
        ("orders", "customer_id", 7, "customer_id"),
        ("customers", "customer_id", 1, "customer_id"),
        ("targets", "Target Value", 14, '"Target Value"'),
        ("big_orders", "", 15, "big_orders"),
        ("big_orders", "amount", 15, "amount"),
        ("orders", "channel", 16, "channel"),
    ],
)
def test_in_a_script(table: str, column: str, line: int, marked: str) -> None:
    assert place(table, column) == (line, marked)


@pytest.mark.parametrize("newline", ["\r\n", "\n"])
def test_whatever_the_line_ends_and_the_letters_before(newline: str) -> None:
    text = f"-- 😀 日本{newline}{DDL}".replace("\n", newline).replace("\r\r", "\r")
    assert place("orders", "total", text) == (10, "total")


def test_what_is_not_found_in_the_file_is_shown_by_its_table() -> None:
    [orders] = SHOP.named("orders")
    document = Document(FILE.as_uri(), DDL)
    span = definition_in(document, "postgres", orders, "made_elsewhere")
    assert span.of(DDL) == "orders"


def test_a_file_that_changed_meanwhile_does_no_harm() -> None:
    [orders] = SHOP.named("orders")
    assert definition_in(Document(FILE.as_uri(), ""), "postgres", orders) == (0, 0)


def test_in_a_file_of_another_kind_the_word_is_looked_for() -> None:
    text = "models:\n  - name: orders\n    columns:\n      - name: total\n"
    table = Table("orders", (Column("total"),), file=Path("/shop/models.yml"), line=1)
    document = Document("file:///shop/models.yml", text)
    assert definition_in(document, "", table, "total").start == text.index("total")


def test_a_models_query_gives_its_columns() -> None:
    text = "{{ config(materialized='table') }}\nselect o.total as amount\nfrom {{ ref('x') }} o\n"
    table = Table("amounts", (Column("amount"),), file=Path("/shop/models/amounts.sql"))
    document = Document("file:///shop/models/amounts.sql", text)
    assert definition_in(document, "postgres", table, "amount").start == text.index("amount")
