"""All uses of a table or a column in a text."""

import pytest

from navigating import SHOP, Shop, found
from sqlscribe.navigation.references import Wanted, uses_in
from sqlscribe.notation.document import Document


def uses(text: str, table: str, column: str = "", **relations: str) -> list[int]:
    """Where ``text`` uses it: the offsets at which the uses begin."""
    [wanted] = SHOP.named(table)
    document = Document("file:///shop/q.sql", text)
    spans = uses_in(document, Wanted(wanted, column), SHOP, "postgres", relations)
    return [span.start for span in spans]


def marked(text: str) -> tuple[str, list[int]]:
    """A text without its ``«``, and where these stood."""
    places: list[int] = []
    while "«" in text:
        places.append(text.index("«"))
        text = text.replace("«", "", 1)
    return text, places


@pytest.mark.parametrize(
    ("table", "column", "text"),
    [
        ("orders", "total", "SELECT o.«total, tota FROM orders o WHERE «total > 1; SELECT total"),
        ("orders", "total", "SELECT «total FROM (SELECT «total FROM orders) x"),
        ("orders", "total", "WITH r AS (SELECT * FROM orders) SELECT r.«TOTAL FROM r"),
        ("orders", "total", "SELECT «total AS total FROM orders ORDER BY total"),
        ("orders", "customer_id",
         "SELECT o.«customer_id, c.customer_id FROM orders o JOIN customers c"
         " ON c.customer_id = o.«customer_id"),
        ("orders", "total", "-- ask: sum of «@orders.total\nSELECT sum(«total) FROM orders;"),
        ("orders", "", "-- ask: all «@orders, 'orders'\nSELECT 'orders' FROM «orders, «ORDERS x;"),
        ("orders", "", "SELECT «orders.total FROM «orders"),
        ("orders", "", "WITH orders AS (SELECT * FROM «orders) SELECT * FROM orders"),
        ("orders", "", "CREATE TABLE «orders (total int); INSERT INTO «orders VALUES (1)"),
        ("customers", "customer_id",
         "CREATE TABLE x (y int REFERENCES customers («customer_id), customer_id int)"),
        ("orders", "total", "SELECT «total FROM orders WHERE ("),
        ("orders", "total", "SELECT 1"),
        ("orders", "total", "-- 😀\r\nSELECT '😀', «total\r\nFROM orders"),
    ],
)  # fmt: skip
def test_uses_of_one_name(table: str, column: str, text: str) -> None:
    plain, expected = marked(text)
    assert uses(plain, table, column) == expected


def test_calls_of_a_template_count() -> None:
    text = "SELECT total FROM {{ ref('stg') }} JOIN {{ ref('other') }} ON true"
    assert uses(text, "orders", stg="orders") == [text.index("stg")]
    assert uses(text, "orders", "total", stg="orders") == [text.index("total")]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("SELECT to|tal FROM orders", Wanted(SHOP.named("orders")[0], "total")),
        ("SELECT 1 FROM ord|ers", Wanted(SHOP.named("orders")[0])),
        ("-- ask: @orders.tot|al", Wanted(SHOP.named("orders")[0], "total")),
        ("SELECT |o.total FROM orders o", None),
    ],
)
def test_what_is_looked_for_elsewhere(text: str, expected: Wanted | None) -> None:
    hit = found(text, Shop())
    assert hit is not None
    assert hit.wanted == expected
