"""Names checked against the DDL: right, wrong, or left alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from sqlscribe.checking.check import NOTHING, check, made_by
from sqlscribe.notation.document import Document
from sqlscribe.notation.findings import Finding
from sqlscribe.schema import ddl
from sqlscribe.schema.model import Column, Schema, Table

SHOP = """
CREATE TABLE customers (customer_id int PRIMARY KEY, full_name text, city text);
CREATE TABLE orders (
    order_id int PRIMARY KEY, customer_id int, total numeric, placed_at timestamp,
    status text, tags text[], payload jsonb
);
CREATE TABLE order_items (item_id int PRIMARY KEY, order_id int, sku text, qty int);
CREATE TABLE employees (id int, manager_id int, name text);
"""


def schema_of(text: str, dialect: str = "postgres") -> Schema:
    return ddl.replay([ddl.read(Document("schema.sql", text), Path("schema.sql"), dialect)])


def findings(sql: str, text: str = SHOP, dialect: str = "postgres") -> list[Finding]:
    return [
        finding
        for finding in check(sql, schema_of(text, dialect), dialect).findings
        if finding.code.startswith(("name/", "syntax/"))
    ]


def fixed(sql: str, finding: Finding, index: int = 0) -> str:
    document = Document("q.sql", sql)
    return document.changed(finding.fixes[index].edits).text


RIGHT = [
    "SELECT c.city, count(*) AS n FROM customers c LEFT JOIN orders o USING (customer_id)"
    " GROUP BY c.city HAVING count(*) > 2 ORDER BY n DESC",
    "WITH RECURSIVE chain AS (SELECT id, manager_id, 1 AS depth FROM employees UNION ALL"
    " SELECT e.id, e.manager_id, chain.depth + 1 FROM employees e JOIN chain"
    " ON e.manager_id = chain.id) SELECT id, depth FROM chain ORDER BY depth",
    "WITH RECURSIVE t(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM t WHERE n < 5) SELECT n FROM t",
    "WITH orders AS (SELECT 1 AS one) SELECT one FROM orders",
    "WITH a AS (WITH b AS (SELECT total FROM orders) SELECT total AS t FROM b) SELECT t FROM a",
    "SELECT full_name FROM customers c WHERE EXISTS"
    " (SELECT 1 FROM orders WHERE customer_id = c.customer_id AND city = 'x')",
    "SELECT order_id FROM orders JOIN order_items USING (order_id)",
    "SELECT customer_id FROM customers NATURAL JOIN orders",
    "SELECT o.order_id, total FROM (orders o JOIN customers c ON o.customer_id = c.customer_id)",
    "SELECT o.total, i.sku FROM ((orders o JOIN order_items i ON o.order_id = i.order_id)"
    " JOIN customers c ON c.customer_id = o.customer_id) WHERE c.city = 'x'",
    "SELECT s.n, count FROM (SELECT customer_id AS n, count(*) FROM orders GROUP BY 1) s",
    "SELECT customer_id AS id, total FROM orders UNION ALL SELECT id, 0 FROM employees ORDER BY id",
    "SELECT o.customer_id FROM orders o JOIN customers c USING (customer_id) ORDER BY customer_id",
    "SELECT v.x FROM (VALUES (1, 2)) AS v(x, y) JOIN orders ON order_id = v.y",
    "SELECT o.*, row_number() OVER w AS rn FROM orders o WINDOW w AS (PARTITION BY customer_id)",
    "SELECT t.tag FROM orders o CROSS JOIN UNNEST(o.tags) AS t(tag)",
    "SELECT o.order_id, tag FROM orders o, unnest(o.tags) AS tag",
    "SELECT d::date, count(o.order_id) FROM generate_series(date '2024-01-01', now(), '1 day') d"
    " LEFT JOIN orders o ON o.placed_at::date = d GROUP BY 1",
    "SELECT x.sku FROM orders o, jsonb_to_recordset(o.payload) AS x(sku text, qty int)",
    "SELECT v FROM orders o CROSS JOIN LATERAL (SELECT length(w) AS v FROM unnest(o.tags) u(w)) s",
    "SELECT row_to_json(o), o FROM orders o",
    "SELECT ctid, xmin, current_user FROM orders",
    "SELECT table_name FROM information_schema.tables",
    "SELECT relname FROM pg_class",
    "SELECT public.orders.total FROM public.orders",
    "UPDATE orders o SET total = 1 FROM customers c WHERE c.customer_id = o.customer_id",
    "DELETE FROM orders USING customers c WHERE orders.customer_id = c.customer_id RETURNING total",
    "INSERT INTO orders (order_id) VALUES (1) ON CONFLICT (order_id)"
    " DO UPDATE SET total = excluded.total",
    "MERGE INTO orders t USING order_items s ON t.order_id = s.order_id"
    " WHEN MATCHED THEN UPDATE SET total = s.qty WHEN NOT MATCHED THEN INSERT (order_id)"
    " VALUES (s.order_id)",
    "SELECT TOTAL FROM Orders",
    "SELECT city, count(*), sum(customer_id)::int FROM customers GROUP BY city"
    " ORDER BY count DESC, sum",
    "WITH RECURSIVE t AS (SELECT id FROM employees UNION SELECT e.id FROM employees e JOIN t"
    " ON t.id = e.manager_id) SEARCH DEPTH FIRST BY id SET place SELECT id FROM t ORDER BY place",
]


@pytest.mark.parametrize("sql", RIGHT)
def test_right_names(sql: str) -> None:
    assert findings(sql) == []


RIGHT_ELSEWHERE = [
    ("sqlite", 'SELECT rowid, `total`, [status] FROM orders WHERE status = "Rome" OR total > 5'),
    ("sqlite", "SELECT total * 2 AS twice FROM orders WHERE twice > 5"),
    ("mysql", "SELECT Total FROM ORDERS"),
    ("mysql", "SELECT total * 2 AS twice, (SELECT twice) FROM orders"),
    ("mysql", "UPDATE orders o JOIN customers c USING (customer_id) SET o.status = c.city"),
    ("tsql", "SELECT order_id, value FROM orders CROSS APPLY STRING_SPLIT(status, ',')"),
    ("tsql", "SELECT x.total FROM customers c OUTER APPLY"
     " (SELECT TOP 1 total FROM orders o WHERE o.customer_id = c.customer_id) x"),
    ("tsql", "SELECT DATEPART(weekday, placed_at), DATENAME(month, placed_at) FROM dbo.orders"),
    ("tsql", "SELECT t.x FROM #passing t JOIN orders o ON o.order_id = t.x"),
    ("tsql", "UPDATE o SET o.total = 1 FROM orders o"),
    ("oracle", "SELECT LEVEL, ROWNUM, name FROM employees CONNECT BY PRIOR id = manager_id"),
    ("oracle", "SELECT 1 FROM dual"),
    ("snowflake", "SELECT payload:ship.city::string, f.value:sku FROM orders o,"
     " LATERAL FLATTEN(INPUT => o.tags) f"),
    ("snowflake", "SELECT e.anything FROM other_database.public.events e"),
    ("snowflake", "SELECT $1, metadata$filename FROM @stage/x.csv"),
    ("trino", 'SELECT "$path", o."$partition" FROM orders o'),
    ("snowflake", "SELECT total * 2 AS twice FROM orders WHERE twice > 5"),
    ("snowflake", "SELECT a_sum FROM orders PIVOT (SUM(total) FOR status IN ('a')) AS p (a_sum)"),
    ("duckdb", "SELECT list_transform(tags, x -> x + 1), [y FOR y IN tags] FROM orders"),
    ("duckdb", "SELECT p.any FROM 'x.parquet' p JOIN orders o ON o.order_id = p.id"),
    ("duckdb", "SELECT a.total FROM orders a SEMI JOIN customers b USING (customer_id)"),
    ("clickhouse", "SELECT order_id, tag FROM orders ARRAY JOIN tags AS tag"),
    ("clickhouse", "SELECT t, n FROM orders ARRAY JOIN tags AS t, arrayEnumerate(tags) AS n"),
    ("clickhouse", "WITH 5 AS n SELECT order_id FROM orders WHERE total > n"),
    ("spark", "SELECT total, t FROM orders LATERAL VIEW explode(tags) x AS t"),
    ("bigquery", "SELECT _PARTITIONTIME, t FROM orders, UNNEST(tags) t WITH OFFSET p ORDER BY p"),
    ("bigquery", "SELECT f0_ FROM (SELECT count(*) FROM orders)"),
    ("", "SELECT `total`, \"status\" FROM orders"),
]  # fmt: skip


@pytest.mark.parametrize(("dialect", "sql"), RIGHT_ELSEWHERE)
def test_right_names_in_other_dialects(dialect: str, sql: str) -> None:
    known = schema_of(SHOP).tables
    plain = tuple(
        Table(table.name, tuple(Column(column.name) for column in table.columns)) for table in known
    )
    wrong = check(sql, Schema(plain), dialect).findings
    assert [finding.message for finding in wrong if finding.severity == "error"] == []


WRONG = [
    ("SELECT nme FROM customers", "unknown column nme in customers; did you mean full_name?"),
    ("SELECT c.nme FROM customers c", "unknown column nme in customers; did you mean full_name?"),
    ("SELECT state FROM customers", "unknown column state in customers; no column there is close"),
    ("SELECT sku FROM orders", "unknown column sku in orders; there is one in order_items"),
    ("SELECT full_name FROM clients", "unknown table clients; did you mean customers?"),
    ("SELECT x.nme FROM clients x", "unknown table clients"),
    ("SELECT total FROM ordrs", "unknown table ordrs; did you mean orders or order_items?"),
    ("SELECT total FROM audit.orders_log",
     "unknown table audit.orders_log; did you mean orders or order_items?"),
    ("UPDATE customers SET city = 'x' WHERE nme = 3",
     "unknown column nme in customers; did you mean full_name?"),
    ("INSERT INTO customers (nme) VALUES (1)",
     "unknown column nme in customers; did you mean full_name?"),
    ("DELETE FROM orders WHERE totl = 1", "unknown column totl in orders; did you mean total?"),
    ("SELECT o.full_name FROM orders o JOIN customers c USING (customer_id)",
     "unknown column full_name in orders; did you mean c.full_name?"),
    ("SELECT order_id FROM orders JOIN customers USING (order_id)",
     "unknown column order_id in customers; there is one in orders and order_items"),
    ("SELECT z.total FROM orders o", "unknown table or alias z; did you mean o?"),
    ("SELECT orders.total FROM orders o", "orders is called o in this query"),
    ("SELECT o.total FROM orders o WHERE customers.city = 'Rome'",
     "the table customers is not joined in this query; customers.customer_id = o.customer_id"
     " joins it"),
    ("SELECT full_name FROM customers WHERE employees.name = 'x'",
     "the table employees is not joined in this query"),
    ("SELECT z.* FROM orders o", "unknown table or alias z"),
    ("SELECT s.totl FROM (SELECT total FROM orders) s",
     "unknown column totl in s; did you mean total?"),
    ("WITH a AS (SELECT total FROM orders) SELECT totl FROM a",
     "unknown column totl in a; did you mean total?"),
    ("SELECT total FROM orders UNION SELECT totl FROM orders",
     "unknown column totl in orders; did you mean total?"),
    ("SELECT total FROM orders UNION SELECT total FROM orders ORDER BY totl",
     "unknown column totl in the query; did you mean total?"),
    ("SELECT total FROM orders o WHERE EXISTS (SELECT 1 FROM customers c WHERE c.x = o.total)",
     "unknown column x in customers; no column there is close"),
    ("SELECT customer_id FROM orders o JOIN customers c ON o.customer_id = c.customer_id",
     "customer_id is ambiguous: orders.customer_id or customers.customer_id"),
    ("SELECT o.customer_id FROM orders o JOIN customers c ON true WHERE customer_id = 5",
     "customer_id is ambiguous: orders.customer_id or customers.customer_id"),
    ("SELECT name FROM employees a JOIN employees b ON a.id = b.manager_id",
     "name is ambiguous: a.name or b.name"),
    ("SELECT total * 2 AS twice FROM orders WHERE twice > 5",
     "unknown column twice: it is a name of the SELECT list, which WHERE cannot use;"
     " repeat its expression"),
]  # fmt: skip


@pytest.mark.parametrize(("sql", "message"), WRONG)
def test_wrong_names(sql: str, message: str) -> None:
    assert [finding.message for finding in findings(sql)] == [message]


def test_a_table_and_a_column_are_wrong_independently() -> None:
    sql = "SELECT c.city, r.label FROM customers c JOIN regions r ON r.id = c.region_id"
    assert [finding.message for finding in findings(sql)] == [
        "unknown table regions",
        "unknown column region_id in customers; no column there is close",
    ]


@pytest.mark.parametrize(
    "sql", ["SELECT nme FROM customers", "SELECT '😀', nme FROM customers",
            "SELECT\n  c.nme\nFROM customers c"],
)  # fmt: skip
def test_spans_cover_the_name(sql: str) -> None:
    (finding,) = findings(sql)
    assert finding.span.of(sql) == "nme"
    assert fixed(sql, finding) == sql.replace("nme", "full_name")


def test_the_first_fix_is_preferred_only_where_it_is_clear() -> None:
    (clear,) = findings("SELECT totl FROM orders")
    (vague,) = findings("SELECT nme FROM customers")
    assert (clear.fixes[0].preferred, vague.fixes[0].preferred) == (True, False)


def test_fixes_replace_qualifiers_too() -> None:
    wrong = "SELECT o.full_name FROM orders o JOIN customers c USING (customer_id)"
    (finding,) = findings(wrong)
    assert fixed(wrong, finding) == wrong.replace("o.full_name", "c.full_name")
    ambiguous = "SELECT name FROM employees a JOIN employees b ON a.id = b.manager_id"
    (finding,) = findings(ambiguous)
    assert fixed(ambiguous, finding, 1) == ambiguous.replace("SELECT name", "SELECT b.name")


QUOTED = 'CREATE TABLE "Orders" ("OrderID" int, "customerName" text, total numeric);'


@pytest.mark.parametrize(
    ("sql", "repaired"),
    [
        ("SELECT OrderID FROM Orders", 'SELECT "OrderID" FROM "Orders"'),
        ('SELECT "ORDERID" FROM "Orders"', 'SELECT "OrderID" FROM "Orders"'),
        ('SELECT "OrderID", TOTAL FROM "Orders"', 'SELECT "OrderID", TOTAL FROM "Orders"'),
    ],
)
def test_quotes_that_postgres_needs(sql: str, repaired: str) -> None:
    found = findings(sql, QUOTED)
    assert {finding.code for finding in found} <= {"name/needs-quotes"}
    edits = [edit for finding in found for fix in finding.fixes for edit in fix.edits]
    assert Document("q.sql", sql).changed(edits).text == repaired


def test_snowflake_folds_upwards() -> None:
    text = "create table orders (id number, payload variant);"
    assert findings("SELECT ID, payload FROM Orders", text, "snowflake") == []
    sql = 'SELECT "id" FROM orders'
    (finding,) = findings(sql, text, "snowflake")
    assert finding.message.startswith('unknown column "id" in orders')
    assert fixed(sql, finding) == "SELECT id FROM orders"


BIGQUERY = """CREATE TABLE `acme.shop.orders` (
    order_id INT64,
    buyer STRUCT<name STRING, addr STRUCT<city STRING>>,
    items ARRAY<STRUCT<sku STRING, qty INT64>>
);"""


@pytest.mark.parametrize(
    ("sql", "messages"),
    [
        ("SELECT buyer.addr.city, i.sku FROM `acme.shop.orders`, UNNEST(items) AS i", []),
        ("SELECT `shop.orders`.`order_id` FROM `shop.orders`", []),
        ("SELECT ORDER_ID FROM `acme.shop.orders`", []),
        ("SELECT buyer.* FROM `acme.shop.orders`", []),
        ("SELECT byer.* FROM `acme.shop.orders`", ["unknown table or alias byer"]),
        ("SELECT _TABLE_SUFFIX, order_id FROM `acme.shop.orders_*`", []),
        ("SELECT buyer.adr.city, i.skus FROM `acme.shop.orders`, UNNEST(items) AS i",
         ["unknown field adr in buyer; did you mean addr?",
          "unknown field skus in items; did you mean sku?"]),
        ("SELECT order_id FROM `acme.shop.Orders`",
         ["unknown table Orders; letter case counts here: it is spelled orders"]),
    ],
)  # fmt: skip
def test_bigquery(sql: str, messages: list[str]) -> None:
    assert [f.message for f in findings(sql, BIGQUERY, "bigquery")] == messages


def test_a_fix_inside_backticks() -> None:
    sql = "SELECT order_id FROM `acme.shop.Orders`"
    (finding,) = findings(sql, BIGQUERY, "bigquery")
    assert fixed(sql, finding) == "SELECT order_id FROM `acme.shop.orders`"


SCHEMAS = """
CREATE TABLE sales.account (id int, balance numeric);
CREATE TABLE hr.account (id int, login text);
CREATE TABLE plain (x int);
"""


def test_one_table_name_in_two_schemas() -> None:
    assert findings("SELECT balance, x FROM sales.account, plain", SCHEMAS) == []
    (wrong,) = findings("SELECT login FROM sales.account", SCHEMAS)
    assert wrong.message == "unknown column login in sales.account; there is one in hr.account"
    sql = "SELECT id FROM account"
    (ambiguous,) = findings(sql, SCHEMAS)
    assert (ambiguous.code, ambiguous.severity) == ("name/ambiguous-table", "warning")
    assert "(hr, sales)" in ambiguous.message
    assert {fixed(sql, ambiguous, index) for index in (0, 1)} == {
        "SELECT id FROM sales.account",
        "SELECT id FROM hr.account",
    }


def test_a_qualified_name_means_the_table_of_that_schema() -> None:
    text = "CREATE TABLE crm.contact (email text); CREATE TABLE contact (phone text);"
    assert findings("SELECT email FROM crm.contact", text) == []
    assert findings("SELECT phone FROM contact", text) == []
    assert findings("SELECT phone FROM crm.contact", text) != []


def test_two_tables_of_one_name_are_told_apart_by_their_schemas() -> None:
    sql = "SELECT sales.account.balance, hr.account.{} FROM sales.account, hr.account"
    assert findings(sql.format("login"), SCHEMAS, "mysql") == []
    (wrong,) = findings(sql.format("balance"), SCHEMAS, "mysql")
    assert wrong.message.startswith("unknown column balance in hr.account")


def test_a_database_with_its_default_schema() -> None:
    assert findings("SELECT x FROM shop..plain", "CREATE TABLE dbo.plain (x int);", "tsql") == []


def test_nothing_is_wrong_in_a_table_partly_understood() -> None:
    table = Table("orders", (Column("order_id"),), partly_understood=True)
    assert check("SELECT anything FROM orders", Schema((table,)), "postgres").findings == ()


def test_without_a_schema_nothing_is_wrong() -> None:
    checked = check("SELECT a FROM t", Schema(), "postgres")
    assert checked.findings == ()
    assert "names" not in checked.checked
    assert checked.unchecked == ("names were not checked, because no schema was found",)


def test_tables_of_another_database_are_left_alone() -> None:
    sql = "SELECT e.anything FROM other.public.{} e"
    assert findings(sql.format("events"), SCHEMAS) == []
    assert findings(sql.format("acount"), SCHEMAS) != []


def test_tables_made_earlier_exist() -> None:
    schema = schema_of(SHOP)
    deeds = made_by("CREATE TEMP TABLE passing AS SELECT 1 AS x", schema, "postgres", NOTHING)
    made = NOTHING.and_then(deeds)
    sql = "SELECT x FROM passing"
    assert check(sql, schema, "postgres", made=made).findings == ()
    assert check(sql, schema_of(SHOP), "postgres").findings != ()


@pytest.mark.parametrize(
    ("sql", "tables"),
    [
        ("WITH t AS (SELECT customer_id FROM orders) SELECT city FROM t"
         " JOIN customers USING (customer_id)", ("orders", "customers")),
        ("WITH RECURSIVE t(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM t) SELECT n FROM t", ()),
        ("SELECT 1 FROM orders a, orders b", ("orders",)),
    ],
)  # fmt: skip
def test_tables_used(sql: str, tables: tuple[str, ...]) -> None:
    assert check(sql, schema_of(SHOP), "postgres").tables == tables


def test_tables_of_platforms_are_known_unless_the_ddl_has_such_a_schema() -> None:
    text = """CREATE TABLE public.notes (
        id int, owner uuid REFERENCES auth.users, team int REFERENCES people.teams (id),
        kind int REFERENCES kinds (id)
    );"""
    for right in ("auth.users", "storage.objects", "people.teams"):
        assert findings(f"SELECT * FROM {right}", text) == []
    for wrong in ("people.members", "kinds", "autth.users"):
        assert [each.code for each in findings(f"SELECT * FROM {wrong}", text)] == [
            "name/unknown-table"
        ]
    own = "CREATE TABLE auth.accounts (id int)"
    assert [each.code for each in findings("SELECT * FROM auth.users", own)] == [
        "name/unknown-table"
    ]
