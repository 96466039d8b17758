"""What stands at a place of SQL. ``|`` in a text is the cursor."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from navigating import Shop, found, scripted
from sqlscribe.navigation.descriptions import describe
from sqlscribe.navigation.finding import definition_here, find


def said(text: str, shop: Shop | None = None) -> str:
    """What was found, in short: ``column orders.total``, ``alias o of orders``."""
    hit = found(text, shop)
    if hit is None:
        return ""
    tables = "+".join(table.qualified_name for table in hit.tables)
    if hit.thing is None:
        return f"mention of {tables}{f'.{hit.column}' if hit.column else ''}"
    match hit.thing.kind:
        case "table":
            return f"table {tables}"
        case "column":
            return f"column {tables}.{hit.column}"
        case kind:
            behind = ".".join(filter(None, (tables, hit.column)))
            return f"{kind} {hit.thing.name}" + (f" of {behind}" if behind else "")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("SELECT o.to|tal FROM orders o", "column orders.total"),
        ("SELECT total| FROM orders", "column orders.total"),
        ("SELECT |TOTAL FROM Orders", "column orders.total"),
        ("SELECT o|.total FROM orders o", "alias o of orders"),
        ("SELECT o.total FROM orders |o", "alias o of orders"),
        ("SELECT o.total FROM or|ders AS o", "table orders"),
        ("SELECT ord|ers.total FROM orders", "table orders"),
        ("SELECT targ|ets.month FROM sales.targets", "table sales.targets"),
        ("SELECT sales.targets.mon|th FROM sales.targets", "column sales.targets.month"),
        ("SELECT sal|es.targets.month FROM sales.targets", "table sales.targets"),
        ('SELECT "Target| Value" FROM sales.targets', "column sales.targets.Target Value"),
        ("SELECT amo|unt FROM big_orders", "column big_orders.amount"),
        ("SELECT nothing| FROM orders", ""),
        ("SELECT total FROM not|hing", ""),
        ("SEL|ECT total FROM orders", ""),
        ("SELECT 'tot|al' FROM orders", ""),
        ("SELECT cou|nt(*) AS count FROM orders", ""),
        ('SELECT "or|der" FROM (SELECT 1 AS "order") x', "name order"),
        ('SELECT 1 FROM (SELECT 1 AS "order") x OR|DER BY 1', ""),
        ("SELECT total -- tot|al\nFROM orders", ""),
    ],
)
def test_in_a_query(text: str, expected: str) -> None:
    assert said(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("WITH |r AS (SELECT 1) SELECT * FROM r", "cte r"),
        ("WITH r AS (SELECT 1) SELECT * FROM |r", "cte r"),
        ("WITH r AS (SELECT 1 AS a) SELECT |r.a FROM r", "cte r"),
        ("WITH r AS (SELECT 1 AS a) SELECT |x.a FROM r x", "alias x"),
        ("WITH r AS (SELECT total AS t FROM orders) SELECT |t FROM r", "name t of orders.total"),
        ("WITH r AS (SELECT count(*) AS n FROM orders) SELECT r.|n FROM r", "name n"),
        ("WITH r AS (SELECT * FROM orders) SELECT tot|al FROM r", "column orders.total"),
        ("WITH r (a, b) AS (SELECT 1, 2) SELECT |b FROM r", "name b"),
        ("WITH orders AS (SELECT * FROM ord|ers) SELECT * FROM orders", "table orders"),
        ("WITH RECURSIVE r AS (SELECT 1 AS n UNION ALL SELECT |n + 1 FROM r) SELECT n FROM r",
         "name n"),
        ("SELECT x.|t FROM (SELECT total AS t FROM orders) x", "name t of orders.total"),
        ("SELECT |x.t FROM (SELECT total AS t FROM orders) x", "alias x"),
        ("SELECT count(*) AS n FROM orders GROUP BY status ORDER BY |n", "name n"),
        ("SELECT g.|n FROM generate_series(1, 3) AS g(n)", "name n"),
        ("SELECT DISTINCT ON (status) tot|al FROM orders", "column orders.total"),
    ],
)  # fmt: skip
def test_names_that_the_statement_gives(text: str, expected: str) -> None:
    assert said(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("INSERT INTO orders (tot|al) VALUES (1)", "column orders.total"),
        ("INSERT INTO ord|ers VALUES (1)", "table orders"),
        ("UPDATE orders SET tot|al = 1", "column orders.total"),
        ("UPDATE orders o SET total = |o.total", "alias o of orders"),
        ("UPDATE |o SET total = 1 FROM orders o", "alias o of orders"),
        ("UPDATE o SET to|tal = 1 FROM customers c JOIN orders o ON true", "column orders.total"),
        ("DELETE o|, c FROM orders o JOIN customers c ON true", "alias o of orders"),
        ("INSERT INTO orders (order_id) VALUES (1) ON CONFLICT (order_id)"
         " DO UPDATE SET total = excluded.to|tal", "column orders.total"),
        ("CREATE MACRO f(a) AS TABLE SELECT tot|al FROM orders", "column orders.total"),
        ("DELETE FROM orders o USING customers c WHERE c.ci|ty = 'a'", "column customers.city"),
        ("MERGE INTO orders t USING (SELECT 1 AS k) s ON t.order_id = s.|k"
         " WHEN MATCHED THEN UPDATE SET total = 1", "name k"),
        ("INSERT INTO customers (city) VALUES ('a') RETURNING custo|mer_id",
         "column customers.customer_id"),
        ("CREATE VIEW v AS SELECT tot|al FROM orders", "column orders.total"),
        ("EXPLAIN SELECT tot|al FROM orders", "column orders.total"),
        ("CREATE FUNCTION f() RETURNS int AS $$\nBEGIN\n  SELECT tot|al FROM orders;\nEND\n$$"
         " LANGUAGE plpgsql", "column orders.total"),
    ],
)  # fmt: skip
def test_in_changes_and_in_what_holds_a_query(text: str, expected: str) -> None:
    assert said(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("CREATE TABLE or|ders (total int)", "table orders"),
        ("CREATE TABLE orders (order_id int, tot|al int)", "column orders.total"),
        ("CREATE TABLE orders (c int REFERENCES custo|mers (customer_id))", "table customers"),
        ("CREATE TABLE orders (c int REFERENCES customers (custo|mer_id), total int)",
         "column customers.customer_id"),
        ("CREATE TABLE orders (c int REFERENCES customers (customer_id), tot|al int)",
         "column orders.total"),
        ("CREATE TABLE orders (total int, PRIMARY KEY (tot|al))", "column orders.total"),
        ("ALTER TABLE orders DROP COLUMN tot|al", "column orders.total"),
        ("COMMENT ON COLUMN orders.tot|al IS 'x'", "column orders.total"),
        ("COMMENT ON COLUMN ord|ers.total IS 'x'", "table orders"),
        ("CREATE INDEX i ON orders (tot|al)", "column orders.total"),
        ("DROP TABLE IF EXISTS or|ders", "table orders"),
        ("CREATE TABLE orders (total st|atus)", ""),
    ],
)  # fmt: skip
def test_in_ddl(text: str, expected: str) -> None:
    assert said(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("SELECT o.tot|al FROM orders o WHERE (", "column orders.total"),
        ("SELECT o.tot|al, FROM orders o JOIN", "column orders.total"),
        ("SELECT sum(tot|al FROM orders", "column orders.total"),
        ("SELECT |o. FROM orders o", "alias o of orders"),
        ("SELECT status FROM orders, customers WHERE cit|y =", "column customers.city"),
    ],
)
def test_while_a_person_types(text: str, expected: str) -> None:
    assert said(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("-- ask: all @ord|ers", "mention of orders"),
        ("-- ask: all @orders.tot|al now", "mention of orders.total"),
        ("-- ask: all @sales.tar|gets", "mention of sales.targets"),
        ("-- ask: 统计@orders.to|tal的总额", "mention of orders.total"),
        ("-- ask: all @noth|ing", ""),
        ("-- ask: a|ll @orders", ""),
    ],
)
def test_in_a_question(text: str, expected: str) -> None:
    assert said(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("SELECT total FROM {{ ref('stg_or|ders') }} o", "mention of orders"),
        ("SELECT tot|al FROM {{ ref('stg_orders') }} o", "column orders.total"),
        ("SELECT |o.total FROM {{ ref('stg_orders') }} o", "alias o of orders"),
        ("SELECT 1 FROM {{ source('raw', 'cust|omers') }}", "mention of customers"),
        ("SELECT 1 FROM {{ re|f('stg_orders') }} o", ""),
    ],
)
def test_in_a_template(text: str, expected: str) -> None:
    relations = {"stg_orders": "orders", "raw.customers": "customers"}
    assert said(text, Shop(relations=relations)) == expected


def test_tables_that_the_script_makes_are_known_below() -> None:
    made = "SELECT 1;\nCREATE TEMP TABLE recent AS SELECT order_id, total AS t FROM orders;\n"
    assert said(f"{made}SELECT |t FROM recent") == "column recent.t"
    assert said(f"SELECT |t FROM recent;\n{made}") == ""
    hit = found(f"{made}SELECT 1 FROM rec|ent")
    assert hit is not None
    text = f"{made}SELECT 1 FROM recent"
    place = definition_here(hit, text)
    assert place is not None
    assert place.start == text.index("recent")


def test_letter_case_and_quotes_count_as_in_the_engine() -> None:
    text = 'SELECT "R".a, |r.a FROM (SELECT 1 AS a) "R", (SELECT 2 AS a) r'
    hit = found(text)
    assert hit is not None
    assert len(hit.uses()) == 2
    assert said("SELECT [Target| Value] FROM sales.targets", Shop(dialect="tsql")) == (
        "column sales.targets.Target Value"
    )


WORDS = (
    "SELECT FROM JOIN ON WHERE ( ) , . ; o c orders customers total WITH r AS 'x' \" ' ` [ ] -- /*"
    " */ $$ INSERT INTO VALUES UPDATE SET MERGE USING UNION GROUP BY * = {{ }} LATERAL CREATE TABLE"
    " REFERENCES EXTRACT DISTINCT RETURNING :: CASE END # 😀 @orders -- ask: \x00 \ud800 \r\n \n"
).split(" ")


@settings(max_examples=100, deadline=None)
@given(
    st.lists(st.sampled_from(WORDS), max_size=40).map(" ".join),
    st.floats(0, 1),
    st.sampled_from(["postgres", "mysql", "tsql", "bigquery", "duckdb", "oracle", ""]),
)
def test_nothing_that_is_typed_raises(text: str, where: float, dialect: str) -> None:
    offset = int(len(text) * where)
    script, at = scripted(f"{text[:offset]}|{text[offset:]}", dialect)
    shop = Shop(dialect=dialect)
    hit = find(script, at, shop)
    if hit is not None:
        assert hit.span.contains(at) or hit.thing is not None
        describe(hit, shop)
        assert all(0 <= span.start < span.end <= len(text) for span in hit.uses())


@pytest.mark.parametrize(
    "text",
    [
        "(" * 50_000,
        "SELECT (" * 5_000,
        "WITH a AS (" * 3_000,
        "a." * 20_000,
        "FROM (SELECT * " * 3_000,
    ],
)
def test_deep_nesting_ends(text: str) -> None:
    script, at = scripted(f"{text}|orders")
    find(script, at, Shop())
