"""Names of the whole folder."""

from pathlib import Path

import pytest

from navigating import FILE, SHOP
from sqlscribe.knowledge.examples import Example
from sqlscribe.navigation.symbols import MOST, symbols
from sqlscribe.schema.model import Column, Schema, Table

EXAMPLES = (Example("How many\norders?", "SELECT 1", file=Path("/shop/t.sql"), line=3),)


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("ord", ["orders", "big_orders", "How many orders?", "order_id", "order_id"]),
        ("TOTAL", ["total"]),
        ("orders.tot", ["total"]),
        ("sales.", ["targets"]),
        ("target value", ["Target Value"]),
        ("how many", ["How many orders?"]),
        ("zzz", []),
        ("", ["customers", "orders", "targets", "big_orders", "How many orders?"]),
    ],
)
def test_by_a_part_of_the_name(query: str, expected: list[str]) -> None:
    found = [each.name for each in symbols(query, SHOP, EXAMPLES)]
    if query == "ord":
        assert found[:3] == expected[:3]
        assert set(expected) <= set(found)
    else:
        assert found == expected


def test_each_says_what_it_is_and_where() -> None:
    [view] = symbols("big_orders", SHOP, ())[:1]
    assert (view.kind, view.file, view.line) == ("view", FILE, 15)
    [column] = symbols("full_name", SHOP, ())
    assert (column.kind, column.container, column.file) == ("column", "customers", FILE)
    [question] = symbols("how many", SHOP, EXAMPLES)
    assert (question.kind, question.file, question.line) == ("question", Path("/shop/t.sql"), 3)


def test_there_are_never_too_many_and_none_without_a_file() -> None:
    many = Schema(tuple(Table(f"t{n}", (Column("c"),), file=FILE) for n in range(1_000)))
    assert len(symbols("", many, ())) == MOST
    assert symbols("t", Schema((Table("t", (Column("t"),)),)), ()) == []
