"""Which queries ask for the values of a column, and which columns a query compares."""

import pytest

from sqlscribe.checking.value_queries import compared, is_narrowed, values_wanted
from sqlscribe.schema.model import Column, Schema, Table

SCHEMA = Schema(
    (
        Table("orders", (Column("region", "text"), Column("total", "int"), Column("mail", "text"))),
        Table("items", (Column("kind", "text"), Column("total", "int")), schema="sales"),
    )
)


@pytest.mark.parametrize(
    ("sql", "name"),
    [
        ("SELECT DISTINCT region FROM orders", "orders.region"),
        ("select distinct o.REGION as r from Orders o order by 1 limit 20", "orders.region"),
        ("SELECT region FROM orders GROUP BY region", "orders.region"),
        ("SELECT DISTINCT kind FROM sales.items WHERE lower(kind) LIKE '%cup%'",
         "sales.items.kind"),
        ("SELECT DISTINCT region FROM orders WHERE region IN ('a', 'b') OR region IS NULL",
         "orders.region"),
    ],
)  # fmt: skip
def test_one_column_of_one_table_is_a_query_for_values(sql: str, name: str) -> None:
    place = values_wanted(sql, SCHEMA, "postgres")
    assert place is not None
    assert place.name == name


@pytest.mark.parametrize(
    "sql",
    [
        # What else could be told by these is not for the model.
        "SELECT DISTINCT region FROM orders WHERE mail LIKE 'ann%'",
        "SELECT DISTINCT region FROM orders ORDER BY mail",
        "SELECT DISTINCT region FROM orders WHERE region IN (SELECT mail FROM orders)",
        "SELECT DISTINCT region FROM orders WHERE region = current_user",
        "SELECT region, mail FROM orders",
        "SELECT DISTINCT concat(region, mail) FROM orders",
        "SELECT max(region) FROM orders",
        "SELECT DISTINCT o.region FROM orders o JOIN sales.items i ON true",
        "SELECT DISTINCT o.region FROM orders o, sales.items",
        "WITH o AS (SELECT mail AS region FROM orders) SELECT DISTINCT region FROM o",
        "SELECT DISTINCT region FROM (SELECT mail AS region FROM orders) AS orders",
        "SELECT region FROM orders UNION SELECT mail FROM orders",
        "SELECT DISTINCT region FROM orders WINDOW w AS (ORDER BY mail)",
        "SELECT DISTINCT region FROM unknown",
        "SELECT DISTINCT nothing FROM orders",
        "SELECT * FROM orders",
        "DELETE FROM orders",
        "SELECT DISTINCT region FROM orders; DROP TABLE orders",
        "SELECT (((",
        "",
    ],
)
def test_any_other_query_is_none(sql: str) -> None:
    assert values_wanted(sql, SCHEMA, "postgres") is None


def test_the_columns_that_are_compared_with_a_text() -> None:
    sql = (
        "SELECT sum(o.total) FROM orders o JOIN sales.items i ON o.region = i.kind"
        " WHERE o.region = 'East' AND lower(kind) LIKE '%x%' AND i.total = 5 AND mail IN ('a')"
    )
    names = [place.name for place in compared(sql, SCHEMA, "postgres")]
    assert names == ["orders.region", "sales.items.kind", "orders.mail"]
    assert compared("SELECT (((", SCHEMA, "postgres") == ()


@pytest.mark.parametrize(
    ("sql", "narrowed"),
    [
        ("SELECT a FROM t", False),
        ("SELECT a FROM t WHERE a = 1", True),
        ("SELECT a FROM t JOIN u USING (i)", True),
        ("SELECT a FROM t GROUP BY a HAVING count(*) > 1", True),
    ],
)
def test_only_conditions_and_joins_can_leave_nothing(sql: str, narrowed: bool) -> None:
    assert is_narrowed(sql, "postgres") == narrowed
