"""What a person reads about a name."""

from pathlib import Path

import pytest

from navigating import FILE, SHOP, Shop, at_cursor, found
from sqlscribe.knowledge.examples import Example
from sqlscribe.knowledge.profiles import Profile
from sqlscribe.navigation.descriptions import Description, describe
from sqlscribe.navigation.finding import find_star
from sqlscribe.notation import asks
from sqlscribe.schema.model import Column, Schema, Table

EXAMPLES = (
    Example("revenue?", "SELECT sum(total) FROM orders"),
    Example("how many\ncustomers?", "SELECT count(*) FROM customers"),
    Example("paid orders?", "SELECT count(*) FROM orders o WHERE o.status = 'paid'"),
)
PROFILES = (
    Profile("orders", "channel", ("web", "shop"), note="since 2023"),
    Profile("sales.targets", "month", minimum="2023-01-01", maximum="2024-12-01"),
    Profile("customers", "channel", ("none",)),
)


def said(text: str, shop: Shop | None = None) -> Description:
    shop = shop or Shop(examples=EXAMPLES, profiles=PROFILES)
    hit = found(text, shop)
    assert hit is not None
    description = describe(hit, shop)
    assert description is not None
    return description


def test_a_table_is_shown_as_its_ddl_with_all_that_is_known() -> None:
    description = said("SELECT * FROM ord|ers")
    assert description.sql == (
        "CREATE TABLE orders (\n"
        "  order_id integer NOT NULL,\n"
        "  customer_id integer NOT NULL,\n"
        "  status text,\n"
        "  total numeric(10,2),\n"
        "  placed_at timestamp,\n"
        "  channel text,\n"
        "  PRIMARY KEY (order_id),\n"
        "  FOREIGN KEY (customer_id) REFERENCES customers (customer_id)\n"
        ")"
    )
    assert description.remarks == (
        "One row for each order",
        "status, allowed: open, paid",
        "channel, values: web, shop",
        "channel, since 2023",
        "used by 2 examples: revenue?; paid orders?",
    )
    assert (description.file, description.line) == (FILE, 5)


@pytest.mark.parametrize(
    ("text", "sql", "remark"),
    [
        ("SELECT o.cust|omer_id FROM orders o", "orders.customer_id integer NOT NULL",
         "references customers (customer_id)"),
        ("SELECT full_n|ame FROM customers", "customers.full_name text NOT NULL",
         "as on the invoice"),
        ("SELECT order|_id FROM orders", "orders.order_id integer NOT NULL",
         "part of the primary key"),
        ("SELECT chan|nel FROM orders", "orders.channel text", "values: web, shop"),
        ("SELECT mon|th FROM sales.targets", "sales.targets.month date",
         "from 2023-01-01 to 2024-12-01"),
        ("SELECT sta|tus FROM orders", "orders.status text", "used by 1 example: paid orders?"),
        ("SELECT placed_|at FROM orders", "orders.placed_at timestamp", "used by no example"),
        ('SELECT "Target |Value" FROM sales.targets', 'sales.targets."Target Value" numeric',
         "used by no example"),
        ("WITH r AS (SELECT total AS t FROM orders) SELECT |t FROM r",
         "orders.total numeric(10,2)", "t is orders.total"),
        ("-- ask: all @orders.sta|tus", "orders.status text", "allowed: open, paid"),
    ],
)  # fmt: skip
def test_a_column(text: str, sql: str, remark: str) -> None:
    description = said(text)
    assert description.sql == sql
    assert remark in description.remarks


def test_an_alias_says_what_it_stands_for() -> None:
    assert said("SELECT |c.city FROM customers c").remarks[:2] == (
        "c is customers",
        "referenced by: orders",
    )


@pytest.mark.parametrize(
    "text",
    [
        "WITH r AS (SELECT total AS t, count(*) AS n FROM orders) SELECT * FROM |r",
        "WITH r AS (SELECT total AS t, count(*) AS n FROM orders) SELECT |x.t FROM r x",
        "SELECT |r.t FROM (SELECT total AS t, count(*) AS n FROM orders) r",
    ],
)
def test_a_query_with_a_name_shows_its_columns(text: str) -> None:
    lines = said(text).sql.splitlines()
    assert lines[1:] == ["  t numeric(10,2), -- orders.total", "  n,", ")"]


@pytest.mark.parametrize(
    ("text", "columns"),
    [
        ("SELECT |* FROM orders o", ["order_id", "customer_id", "status", "total", "placed_at",
                                     "channel"]),
        ("SELECT c.|* FROM orders o, customers c", ["customer_id", "full_name", "city"]),
        ("SELECT o.total, |* FROM (SELECT 1 AS a, 2 AS b) q, big_orders o", ["a", "b", "order_id",
                                                                             "amount"]),
        ("WITH r AS (SELECT total FROM orders) SELECT DISTINCT |* FROM r", ["total"]),
    ],
)  # fmt: skip
def test_a_star_shows_the_columns_that_it_stands_for(text: str, columns: list[str]) -> None:
    document, offset = at_cursor(text)
    hit = find_star(asks.read(document, "postgres"), offset, Shop())
    assert hit is not None
    assert hit.span.of(document.text).endswith("*")
    description = describe(hit, Shop())
    assert description is not None
    assert [line.split()[0].rstrip(",") for line in description.sql.splitlines()[1:-1]] == columns


@pytest.mark.parametrize(
    "text",
    ["SELECT count(|*) FROM orders", "SELECT 2 |* total FROM orders", "SELECT |* FROM nowhere",
     "SELECT x.|* FROM orders", "SELECT *, total |* 2 FROM orders", "-- ask: all |* @orders"],
)  # fmt: skip
def test_a_star_that_stands_for_nothing_known_shows_nothing(text: str) -> None:
    document, offset = at_cursor(text)
    assert find_star(asks.read(document, "postgres"), offset, Shop()) is None


def test_what_the_ddl_may_hide_is_said() -> None:
    table = Table("half", (Column("a"),), partly_understood=True)
    description = said("SELECT 1 FROM ha|lf", Shop(Schema((table,))))
    assert any("partly understood" in remark for remark in description.remarks)


def test_a_wide_table_and_long_comments_are_cut() -> None:
    columns = tuple(Column(f"c{n}", "int", comment="word " * 500) for n in range(300))
    table = Table("wide", columns, comment="line\n" * 1_000, file=Path("/s.sql"))
    description = said("SELECT 1 FROM wi|de", Shop(Schema((table,))))
    assert "-- … 260 more columns" in description.sql
    assert len(description.sql) < 10_000
    assert all(len(remark) < 200 for remark in description.remarks)


def test_tables_of_one_name_are_all_named() -> None:
    two = Schema(tuple(Table("account", (Column("id"),), schema=name) for name in ("hr", "sales")))
    assert "also defined: sales.account" in said("SELECT 1 FROM acc|ount", Shop(two)).remarks


def test_a_view_of_the_shop_names_its_kind() -> None:
    assert said("SELECT 1 FROM big_|orders").sql.startswith("CREATE VIEW big_orders (")
    assert SHOP.named("big_orders")
