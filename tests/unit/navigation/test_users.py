"""Which examples use a table or a column."""

import pytest

from navigating import SHOP, Shop
from sqlscribe.knowledge.examples import Example
from sqlscribe.navigation.users import users_of
from sqlscribe.schema.model import Column, Schema, Table


def users(sql: str, table: str, column: str = "", dialect: str = "") -> bool:
    shop = Shop(examples=(Example("other", "SELECT 1"), Example("this", sql, dialect)))
    [found] = SHOP.named(table)
    return [each.question for each in users_of(found, shop, column)] == ["this"]


@pytest.mark.parametrize(
    ("sql", "table", "column", "expected"),
    [
        ("SELECT total FROM orders", "orders", "", True),
        ("SELECT total FROM ORDERS o", "orders", "total", True),
        ("SELECT total FROM public.orders", "orders", "", True),
        ("SELECT 'orders' FROM customers -- orders", "orders", "", False),
        ("WITH orders AS (SELECT 1) SELECT * FROM orders", "orders", "", False),
        ("SELECT month FROM sales.targets", "targets", "month", True),
        ("SELECT month FROM other.targets", "targets", "", False),
        ("SELECT status FROM orders", "orders", "total", False),
        ("SELECT total FROM customers, orders WHERE (", "orders", "total", True),
        ("SELECT x FROM (SELECT total AS x FROM orders) y", "orders", "total", True),
        ("", "orders", "", False),
    ],
)
def test_by_what_the_query_reads(sql: str, table: str, column: str, expected: bool) -> None:
    assert users(sql, table, column) is expected


def test_names_that_need_quotes_are_found() -> None:
    table = Table("Order Items", (Column("id"),), quoted=True)
    shop = Shop(Schema((table,)), examples=(Example("q", 'SELECT id FROM "Order Items"'),))
    assert len(users_of(table, shop)) == 1


def test_other_examples_give_another_answer() -> None:
    [orders] = SHOP.named("orders")
    one = Example("one", "SELECT total FROM orders")
    assert users_of(orders, Shop(examples=(one,))) == (one,)
    assert users_of(orders, Shop(examples=())) == ()
