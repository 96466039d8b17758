"""What the statements of a script make, change and drop, as the ones behind them see it."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sqlscribe.checking.check import NOTHING, made_by
from sqlscribe.checking.names.running import Running, together, words_of
from sqlscribe.checking.names.script import Deeds
from sqlscribe.inspection import Inspector
from sqlscribe.notation import asks
from sqlscribe.notation.document import Document
from sqlscribe.notation.lexicon import DIALECTS
from sqlscribe.schema import ddl
from sqlscribe.schema.model import Column, Schema, Table

SHOP = """
CREATE TABLE customers (customer_id int, full_name varchar(50));
CREATE TABLE orders (order_id int, customer_id int, total decimal(10, 2), status varchar(9));
"""


def schema_of(text: str, dialect: str) -> Schema:
    path = Path("schema.sql")
    return ddl.replay([ddl.read(Document(path.name, text), path, dialect)])


def check(dialect: str, text: str, *wrong: str, schema: str = SHOP) -> None:
    """``wrong`` are the texts that findings on names stand on, in order."""
    script = asks.read(Document("script.sql", text), dialect)
    found = Inspector(schema_of(schema, dialect)).inspect(script)
    assert [each.span.of(text) for each in found if each.code.startswith("name/")] == list(wrong)


@pytest.mark.parametrize(
    ("dialect", "text", "wrong"),
    [
        ("postgres", "CREATE TEMP TABLE big AS SELECT order_id, total AS amount FROM orders;"
         "SELECT amount FROM big; SELECT total FROM big", "total"),
        ("postgres", "CREATE TABLE log (a int, b text); INSERT INTO log (a, c) VALUES (1, 2)", "c"),
        ("postgres", "CREATE TABLE copied (LIKE orders INCLUDING ALL, note text);"
         "SELECT note, total, amount FROM copied", "amount"),
        ("postgres", "CREATE VIEW v (a, b) AS SELECT order_id, total FROM orders;"
         "SELECT a, b, total FROM v", "total"),
        ("postgres", "SELECT total * 2 AS twice INTO TEMP doubled FROM orders;"
         "SELECT twice, total FROM doubled", "total"),
        ("mysql", "CREATE TEMPORARY TABLE ids SELECT customer_id AS cid FROM customers;"
         "SELECT cid, x FROM ids", "x"),
        ("mysql", "CREATE TABLE other LIKE orders; INSERT INTO other (total, x) SELECT 1, 2", "x"),
        ("snowflake", "CREATE TABLE cloned CLONE orders; SELECT total, x FROM cloned", "x"),
        ("bigquery", "CREATE TEMP TABLE big AS SELECT total FROM orders; SELECT x FROM big", "x"),
        ("spark", "CREATE OR REPLACE TEMP VIEW v AS SELECT total AS t FROM orders;"
         "SELECT t, x FROM v", "x"),
        ("oracle", "CREATE GLOBAL TEMPORARY TABLE g ON COMMIT PRESERVE ROWS AS"
         " SELECT total t FROM orders; SELECT t, x FROM g", "x"),
        ("tsql", "SELECT total * 2 AS Twice INTO #big FROM orders; SELECT Twice, x FROM #big", "x"),
        ("tsql", "DECLARE @t TABLE (Id int); INSERT INTO @t (Id) SELECT 1; SELECT Id, x FROM @t t",
         "x"),
        ("duckdb", "CREATE TABLE part AS SELECT * EXCLUDE (total) FROM orders;"
         "SELECT status, total FROM part", "total"),
    ],
)  # fmt: skip
def test_what_is_made_has_the_columns_that_it_was_made_with(
    dialect: str, text: str, wrong: str
) -> None:
    check(dialect, text, wrong)


def test_what_is_made_of_unknown_things_stays_open() -> None:
    check("duckdb", "CREATE TABLE t AS FROM read_csv('a.csv'); SELECT anything FROM t")


def test_changes_count_from_where_they_are_made() -> None:
    text = (
        "CREATE TABLE t (a int, b text);\nSELECT c FROM t;\n"
        "ALTER TABLE t ADD COLUMN c int;\nSELECT c FROM t;\n"
        "ALTER TABLE t RENAME COLUMN b TO bb;\nSELECT b FROM t;\n"
        "ALTER TABLE t RENAME TO u;\nSELECT bb, d FROM u;\n"
    )
    check("postgres", text, "c", "b", "d")


def test_a_table_of_the_schema_keeps_what_the_script_does_not_change() -> None:
    text = "ALTER TABLE orders ADD note text; SELECT note, total, x FROM orders"
    check("postgres", text, "x")


def test_a_temporary_table_hides_the_one_of_the_schema() -> None:
    text = "CREATE TEMP TABLE orders AS SELECT 1 AS one; SELECT one, total FROM orders"
    check("postgres", text, "total")


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("DROP TABLE orders; SELECT total FROM orders", ["orders"]),
        ("DROP TABLE orders; SELECT total FROM public.orders", []),
        ("DROP TABLE archive.orders; SELECT total FROM orders", []),
        ("DROP TABLE orders; CREATE TABLE orders (x int); SELECT x FROM orders", []),
        ("DROP TABLE orders; CALL make_them(); SELECT total FROM orders", []),
        ("CREATE TABLE fresh (x int); DROP TABLE orders; ALTER TABLE fresh RENAME TO orders;"
         "SELECT x FROM orders", []),
    ],
)  # fmt: skip
def test_dropped_tables(text: str, wrong: list[str]) -> None:
    check("postgres", text, *wrong)


def test_a_dropped_table_is_said_to_be_dropped() -> None:
    text = "DROP TABLE orders; SELECT total FROM orders"
    script = asks.read(Document("script.sql", text), "postgres")
    (finding,) = Inspector(schema_of(SHOP, "postgres")).inspect(script)
    assert finding.message == "unknown table orders: an earlier statement of this script drops it"


def test_a_procedure_may_make_tables_that_nobody_knows() -> None:
    check("tsql", "EXEC dbo.make_them; SELECT a FROM unheard_of; SELECT a FROM ordrs", "ordrs")
    check("tsql", "EXEC sp_help; SELECT a FROM unheard_of", "unheard_of")


def test_a_search_path_decides_between_tables_of_one_name() -> None:
    schema = "CREATE TABLE one.t (x int); CREATE TABLE two.t (y int);"
    text = "SELECT x FROM t; SET search_path TO two; SELECT y FROM t; SELECT x FROM t"
    check("postgres", text, "t", "x", schema=schema)
    schema = "CREATE TABLE t (x int); CREATE TABLE two.t (y int);"
    check("postgres", text, "x", schema=schema)
    text = "SET search_path TO two; SELECT y FROM t; SET search_path TO public; SELECT x, y FROM t"
    check("postgres", text, "y", schema=schema)


@pytest.mark.parametrize(
    ("uri", "wrong"),
    [
        ("shop.sql", ["amount", "totl"]),
        ("file:///db/V2__totals.sql", ["totl"]),
        ("file:///db/migrations/2.sql", ["totl"]),
    ],
)
def test_in_a_migration_only_a_slip_is_sure(uri: str, wrong: list[str]) -> None:
    """Later ones may have renamed or dropped what this one uses."""
    text = "UPDATE orders SET amount = 1; UPDATE orders SET totl = 1"
    script = asks.read(Document(uri, text), "postgres")
    found = Inspector(schema_of(SHOP, "postgres")).inspect(script)
    names = [finding for finding in found if finding.code.startswith("name/")]
    assert [finding.span.of(text) for finding in names] == wrong


def test_only_what_a_statement_mentions_matters_to_it() -> None:
    running = Running()
    running.add(Deeds(tables=(Table("big", (Column("a"),)),)), 1)
    running.add(Deeds(tables=(Table("Order Lines", (Column("b"),)),)), 2)
    running.add(Deeds(names=("since",)), 3)

    def marks(sql: str) -> list[int]:
        return sorted(deed.mark for deed in running.about(words_of(sql)))

    assert marks("SELECT a FROM Big WHERE a > since") == [1, 3]
    assert marks("SELECT b FROM [Order Lines]") == [2]
    assert marks("SELECT 1") == []
    running.add(Deeds(gone=("big",)), 4)
    assert marks("SELECT a FROM big") == [4]
    assert together(running.about(words_of("big"))).gone == {"big"}


PIECES = [
    "CREATE", "ALTER", "DROP", "TABLE", "TEMP", "VIEW", "t", "#t", "@t", "(", ")", ",", ";", "AS",
    "SELECT", "INTO", "FROM", "a", "int", "LIKE", "RENAME", "TO", "ADD", "COLUMN", "DECLARE", "$$",
    "BEGIN", "END", "FUNCTION", "PROCEDURE", "LANGUAGE", "sql", "'", '"', "WITH", "\0", "\ud800",
    "USE", "SET", "=", "EXEC", "TRIGGER", "ON", "FOR", "EACH", "ROW", "INSERT", "VALUES", "UNLOAD",
]  # fmt: skip


@settings(max_examples=100, deadline=None)
@given(
    st.lists(st.sampled_from(PIECES), max_size=20).map(" ".join) | st.text(max_size=40),
    st.sampled_from(["", *DIALECTS]),
)
def test_no_statement_brings_a_script_down(sql: str, dialect: str) -> None:
    schema = schema_of(SHOP, "postgres")
    made = NOTHING.and_then(made_by(sql, schema, dialect, NOTHING))
    made_by(sql, schema, dialect, made)
    text = f"{sql};\nSELECT total FROM orders;\n{sql}"
    for finding in Inspector(schema).inspect(asks.read(Document("script.sql", text), dialect)):
        assert 0 <= finding.span.start <= finding.span.end <= len(text)
