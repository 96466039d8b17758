"""What may be named in SQL. ``|`` in a text is the cursor."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from navigating import SHOP, Shop, at_cursor, schema_of
from sqlscribe.completion.questions import MOST
from sqlscribe.completion.sql import in_sql
from sqlscribe.completion.suggestion import Suggestion
from sqlscribe.schema.model import Column, Schema, Table

ORDERS = ["order_id", "customer_id", "status", "total", "placed_at", "channel"]
TABLES = ["customers", "orders", "sales.targets", "big_orders"]


def named(text: str, shop: Shop | None = None) -> list[Suggestion] | None:
    document, offset = at_cursor(text)
    return in_sql(document, offset, shop or Shop())


def texts(text: str, shop: Shop | None = None) -> list[str]:
    found = named(text, shop)
    assert found is not None
    return [each.text for each in found]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("SELECT o.| FROM orders o", ORDERS),
        ("SELECT o.|\nFROM orders o", ORDERS),
        ("SELECT o.pla|\nFROM orders o", ["placed_at"]),
        ("SELECT orders.| FROM orders", ORDERS),
        ("SELECT O.TO| FROM orders o", ["total", "customer_id"]),
        ("SELECT sales.targets.| FROM sales.targets", ["month", '"Target Value"']),
        ("SELECT t.| FROM sales.targets t", ["month", '"Target Value"']),
        ('SELECT t."Tar| FROM sales.targets t', ['"Target Value"']),
        ("SELECT * FROM sales.|", ["targets"]),
        ("SELECT nothing.| FROM orders", []),
        ("WITH r AS (SELECT total AS t, status FROM orders) SELECT r.| FROM r", ["t", "status"]),
        ("SELECT x.| FROM (SELECT total AS t FROM orders) x", ["t"]),
        ("SELECT r.| FROM (SELECT * FROM sales.targets) r", ["month", '"Target Value"']),
        ("SELECT v.b| FROM (VALUES (1, 2)) AS v(a, b)", ["b"]),
    ],
)
def test_behind_a_dot(text: str, expected: list[str]) -> None:
    assert texts(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("SELECT | FROM orders", [*ORDERS, "orders"]),
        ("SELECT sta| FROM orders o", ["status"]),
        ("SELECT sum(| FROM orders o", [*ORDERS, "o"]),
        ("SELECT id, to| FROM orders", ["total", "customer_id"]),
        ("SELECT 1 FROM orders o WHERE |", [*ORDERS, "o"]),
        ("SELECT 1 FROM orders o WHERE o.total > | ", [*ORDERS, "o"]),
        ("SELECT 1 FROM orders o WHERE status = 'x' AND |", [*ORDERS, "o"]),
        ("SELECT 1 FROM orders GROUP BY chan|", ["channel"]),
        ("SELECT total AS t FROM orders ORDER BY |", ["t", *ORDERS, "orders"]),
        ("SELECT CASE WHEN sta| FROM orders", ["status"]),
    ],
)  # fmt: skip
def test_columns_of_the_sources_in_scope(text: str, expected: list[str]) -> None:
    assert texts(text) == expected


@pytest.mark.parametrize(
    "text", ['SELECT "Target V| FROM sales.targets', 'SELECT "Target V|" FROM sales.targets']
)
def test_a_quote_is_closed_once(text: str) -> None:
    document, offset = at_cursor(text)
    [found] = in_sql(document, offset, Shop()) or []
    after = document.text[: found.span.start] + found.text + document.text[found.span.end :]
    assert after == 'SELECT "Target Value" FROM sales.targets'


def test_columns_that_several_sources_have_are_qualified() -> None:
    found = texts("SELECT | FROM orders o JOIN customers c ON c.")
    assert {"o.customer_id", "c.customer_id", "total", "city", "o", "c"} <= set(found)
    assert "customer_id" not in found


def test_before_there_is_a_from_tables_and_all_columns_are_offered() -> None:
    assert texts("SELECT |") == TABLES
    assert texts("SELECT cust|") == ["customers", "customer_id"]
    assert texts("SELECT customers.ci|") == ["city"]


def test_an_inner_query_sees_its_own_sources_first_and_then_those_around() -> None:
    found = texts(
        "SELECT 1 FROM orders o WHERE EXISTS (SELECT 1 FROM customers c WHERE c.customer_id = |)"
    )
    assert found.index("city") < found.index("total")
    assert {"customer_id", "o.customer_id"} <= set(found)
    assert "total" not in texts("SELECT 1 FROM orders o JOIN (SELECT | FROM customers) c ON true")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("SELECT * FROM |", TABLES),
        ("SELECT * FROM cu|", ["customers"]),
        ("SELECT * FROM ord|", ["orders", "big_orders"]),
        ("SELECT * FROM orders o, cus|", ["customers"]),
        ("SELECT * FROM orders o JOIN |", ["customers", "orders", "sales.targets", "big_orders"]),
        ("SELECT * FROM customers LEFT JOIN |", ["orders", "customers", "sales.targets",
                                                 "big_orders"]),
        ("WITH recent AS (SELECT 1) SELECT * FROM |", ["recent", *TABLES]),
        ("INSERT INTO |", TABLES),
        ("UPDATE ord|", ["orders", "big_orders"]),
        ("DELETE FROM cu|", ["customers"]),
        ("CREATE TABLE x (y int REFERENCES cu|", ["customers"]),
        ("DROP TABLE cu|", ["customers"]),
    ],
)  # fmt: skip
def test_tables(text: str, expected: list[str]) -> None:
    assert texts(text) == expected


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("SELECT * FROM orders o JOIN customers c ON |", "c.customer_id = o.customer_id"),
        ("SELECT * FROM orders o JOIN customers c ON c.|", "c.customer_id = o.customer_id"),
        ("SELECT * FROM customers JOIN orders ON |", "orders.customer_id = customers.customer_id"),
        ("SELECT * FROM customers c JOIN orders o ON o.cust|", "o.customer_id = c.customer_id"),
        ("SELECT * FROM orders o JOIN big_orders b ON |", "b.order_id = o.order_id"),
    ],
)
def test_whole_join_conditions_come_first(text: str, first: str) -> None:
    found = named(text)
    assert found is not None
    assert found[0].text == first
    document, offset = at_cursor(text)
    before = document.text[: found[0].span.start]
    assert before.endswith("ON ")
    assert found[0].span.end == offset


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("ALTER TABLE orders DROP COLUMN |", ORDERS),
        ("ALTER TABLE orders DROP COLUMN IF EXISTS sta|", ["status"]),
        ("ALTER TABLE orders ALTER COLUMN to|", ["total", "customer_id"]),
        ("ALTER TABLE orders ADD CONSTRAINT k FOREIGN KEY (cust|", ["customer_id"]),
        ("ALTER TABLE orders ADD FOREIGN KEY (id) REFERENCES customers (ci|", ["city"]),
        ("CREATE INDEX i ON orders (|", ORDERS),
        ("CREATE UNIQUE INDEX i ON orders (status, pla|)", ["placed_at"]),
        ("CREATE TABLE x (y int REFERENCES customers (ci|", ["city"]),
        ("ALTER TABLE orders ADD FOREIGN KEY (cust|", ["customer_id"]),
        ("ALTER TABLE orders ADD UNIQUE (sta|", ["status"]),
        ("ALTER TABLE orders ADD COLUMN |", []),
        ("ALTER TABLE orders ADD (|", []),
        ("ALTER TABLE orders ADD COLUMN IF NOT EXISTS |", []),
        ("ALTER TABLE orders RENAME COLUMN total TO |", []),
        ("CREATE TABLE orders (|", []),
        ("CREATE TABLE orders (id int, |", []),
    ],
)
def test_columns_in_ddl(text: str, expected: list[str]) -> None:
    assert texts(text) == expected


def test_a_table_joins_itself_either_way() -> None:
    schema = schema_of("CREATE TABLE staff (id int PRIMARY KEY, boss int REFERENCES staff (id));")
    found = texts("SELECT 1 FROM staff s JOIN staff b ON |", Shop(schema))
    assert found[:2] == ["b.id = s.boss", "b.boss = s.id"]


def test_keys_of_several_columns_give_one_condition() -> None:
    schema = schema_of(
        "CREATE TABLE a (x int, y int, PRIMARY KEY (x, y));\n"
        "CREATE TABLE b (p int, q int, FOREIGN KEY (p, q) REFERENCES a (x, y));"
    )
    assert texts("SELECT 1 FROM a JOIN b ON |", Shop(schema))[0] == "b.p = a.x AND b.q = a.y"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("INSERT INTO orders (|", ORDERS),
        ("INSERT INTO orders (order_id, |) VALUES (1)", [c for c in ORDERS if c != "order_id"]),
        ("INSERT INTO orders (tot|", ["total"]),
        ("UPDATE orders o SET |", ORDERS),
        ("UPDATE orders SET total = 1, sta|", ["status"]),
        ("UPDATE orders SET total = tot|", ["total"]),
        ("UPDATE o SET | FROM customers c JOIN orders o ON true", ORDERS),
        (
            "INSERT INTO orders (total) VALUES (1) ON CONFLICT (total) DO UPDATE SET total ="
            " excluded.tot|",
            ["total"],
        ),
        ("SELECT 1 FROM orders JOIN customers USING (|", ["customer_id"]),
    ],
)
def test_where_only_columns_of_one_table_fit(text: str, expected: list[str]) -> None:
    assert texts(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "SELECT 'a|' FROM orders",
        "SELECT 1.| FROM orders",
        "SELECT total | FROM orders",
        "SELECT total AS | FROM orders",
        "SELECT total FROM orders |",
        "SELECT total FROM orders AS |",
        "SELECT total::| FROM orders",
        "SELECT total FROM orders LIMIT |",
        "SELECT total FROM orders GROUP |",
        "INSERT INTO orders VALUES (|",
        "SEL|",
    ],
)
def test_where_a_name_cannot_stand_nothing_is_offered(text: str) -> None:
    assert texts(text) == []


@pytest.mark.parametrize("text", ["|", "SELECT 1;\n|", "-- ask: @or|", "/* a | b */ SELECT 1"])
def test_outside_of_sql_there_is_no_answer(text: str) -> None:
    assert named(text) is None


@pytest.mark.parametrize(
    ("dialect", "expected"),
    [("postgres", '"Target Value"'), ("mysql", "`Target Value`"), ("tsql", "[Target Value]")],
)
def test_names_are_quoted_as_the_engine_has_it(dialect: str, expected: str) -> None:
    [found] = named("SELECT t.Tar| FROM sales.targets t", Shop(dialect=dialect)) or []
    assert (found.text, found.shown) == (expected, "Target Value")


def test_tables_of_one_name_are_told_apart() -> None:
    two = Schema(tuple(Table("account", (Column("id"),), schema=name) for name in ("hr", "public")))
    assert texts("SELECT * FROM acc|", Shop(two)) == ["hr.account", "public.account"]


def test_what_the_script_makes_is_known() -> None:
    made = "CREATE TEMP TABLE recent AS SELECT total AS t FROM orders;\n"
    assert texts(f"{made}SELECT r.| FROM recent r") == ["t"]


def test_templates_are_read_as_sql() -> None:
    shop = Shop(relations={"stg_orders": "orders"})
    assert texts("SELECT o.| FROM {{ ref('stg_orders') }} o", shop) == ORDERS
    assert texts("{{ config(x=1) }}\nSELECT to| FROM {{ ref('stg_orders') }}", shop)[0] == "total"


def test_the_dialect_of_the_file_counts() -> None:
    assert texts("-- dialect: mysql\nSELECT t.Tar| FROM sales.targets t") == ["`Target Value`"]


def test_columns_say_their_type_and_comment() -> None:
    [found] = named("SELECT full| FROM customers") or []
    assert found.detail == "text customers"
    assert found.documentation == "as on the invoice"


def test_the_list_stays_short() -> None:
    many = Schema(tuple(Table(f"t{n}", ()) for n in range(1_000)))
    assert len(texts("SELECT * FROM |", Shop(many))) == MOST


WORDS = (
    "SELECT FROM JOIN ON WHERE ( ) , . ; o c orders customers total WITH r AS 'x' \" ' ` [ ] -- /*"
    " */ $$ INSERT INTO VALUES UPDATE SET MERGE USING UNION GROUP BY * = {{ }} LATERAL CREATE TABLE"
    " REFERENCES EXTRACT DISTINCT RETURNING :: CASE END # 😀 @orders \x00 \ud800 \r\n \n"
).split(" ")


@settings(max_examples=100, deadline=None)
@given(
    st.lists(st.sampled_from(WORDS), max_size=40).map(" ".join),
    st.floats(0, 1),
    st.sampled_from(["postgres", "mysql", "tsql", "bigquery", "duckdb", "oracle", ""]),
)
def test_nothing_that_is_typed_raises(text: str, where: float, dialect: str) -> None:
    offset = int(len(text) * where)
    for one in (
        named(f"{text[:offset]}|{text[offset:]}".replace("\0", " "), Shop(SHOP, dialect)) or ()
    ):
        assert one.text
        assert 0 <= one.span.start <= offset <= one.span.end <= offset + 1
