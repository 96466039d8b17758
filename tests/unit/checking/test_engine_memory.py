"""Databases in memory: their refusals at the right word, and silence where they may be wrong."""

import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sqlscribe.checking.engine import Engine, memory_engine
from sqlscribe.notation.document import Document
from sqlscribe.notation.findings import Severity
from sqlscribe.schema import ddl
from sqlscribe.schema.model import Column, Schema, Table

_TASKS = Path("/proc/self/task")
DDL = """
CREATE TABLE customers (id INTEGER PRIMARY KEY, name VARCHAR(40));
CREATE TABLE orders (id INTEGER, customer_id INTEGER, total DECIMAL(10, 2), day DATE);
CREATE VIEW late AS SELECT id, CAST(NULL AS INTEGER) AS days FROM orders;
CREATE FUNCTION year(d DATE) AS 1;
"""


def schema(dialect: str, text: str = DDL) -> Schema:
    return ddl.replay([ddl.read(Document("file:///s.sql", text), Path("s.sql"), dialect)])


def engine(dialect: str, known: Schema | None = None) -> Engine:
    if dialect == "duckdb":
        pytest.importorskip("duckdb")
    found = memory_engine(known or schema(dialect), dialect)
    assert found is not None
    return found


def check(asked: Engine, marked: str, said: str = "") -> None:
    """``marked`` has the word that is refused between ``[[`` and ``]]``, or nothing so marked."""
    start, end = marked.find("[["), marked.find("]]") - 2
    sql = marked.replace("[[", "").replace("]]", "")
    found = asked.explain(sql)
    if start < 0:
        assert found == ()
        return
    (finding,) = found
    assert (finding.code, finding.severity) == ("engine/error", Severity.ERROR)
    assert finding.span.of(sql) == sql[start:end]
    assert finding.span.start == start
    assert said in finding.message


@pytest.mark.parametrize(
    ("marked", "said"),
    [
        ("SELECT [[totl]] FROM orders", "no such column: totl"),
        ("SELECT é.id,\n  [[é.totl]]\nFROM orders é", "no such column: é.totl"),
        ("SELECT [[id]] FROM orders JOIN customers", "ambiguous column name"),
        ("SELECT count([[sum]](total)) FROM orders WHERE sum(1) > 1", "misuse of aggregate"),
        ("SELECT [[count]](id, 2) FROM orders", "wrong number of arguments"),
        ("SELECT [[days2]] FROM late", "no such column: days2"),
        ("SELECT id FROM orders,[[,]] customers", "syntax error"),
        ("SELECT id FROM orders WHERE id = 1 [[and]]", "incomplete input"),
        ("SELECT id FROM orders WHERE note = [[']]open", "unrecognized token"),
    ],
)
def test_sqlite_refuses_at_the_word(marked: str, said: str) -> None:
    check(engine("sqlite"), marked, said)


@pytest.mark.parametrize(
    ("marked", "said"),
    [
        ("SELECT [[totl]] FROM orders", 'Referenced column "totl" not found'),
        ("SELECT o.id,\n  [[o.totl]]\nFROM orders o", 'does not have a column named "totl"'),
        ("SELECT [[id]] FROM orders JOIN customers ON true", "Ambiguous reference"),
        ("SELECT [[id]], sum(total) FROM orders", "must appear in the GROUP BY clause"),
        ("SELECT id FROM orders WHERE [[day]] > 5", "Cannot compare values of type"),
        ("SELECT [[concat_ws]](1, 2) FROM orders", "No function matches"),
        ("SELECT id FROM orders ORDER BY [[7]]", "ORDER term out of range"),
        ("SELECT id,[[,]] total FROM orders", "syntax error"),
    ],
)
def test_duckdb_refuses_at_the_word(marked: str, said: str) -> None:
    check(engine("duckdb"), marked, said)


@pytest.mark.parametrize("dialect", ["sqlite", "duckdb"])
@pytest.mark.parametrize(
    "sql",
    [
        "SELECT c.name, sum(o.total) FROM orders o JOIN customers c ON c.id = o.customer_id"
        " GROUP BY c.name HAVING sum(o.total) > 10 ORDER BY 2 DESC LIMIT 3",
        "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 9)"
        " SELECT x FROM n",
        "WITH orders AS (SELECT 1 AS own) SELECT own FROM orders",
        "SELECT row_number() OVER (PARTITION BY customer_id ORDER BY day) FROM orders",
        "SELECT days FROM late;",
        "VALUES (1, 2)",
    ],
)
def test_good_queries_are_taken(dialect: str, sql: str) -> None:
    assert engine(dialect).explain(sql) == ()


@pytest.mark.parametrize("dialect", ["sqlite", "duckdb"])
@pytest.mark.parametrize(
    "sql",
    [
        "SELECT * FROM elsewhere",  # The check of names says it, and knows what is near.
        "SELECT e.x FROM orders o JOIN elsewhere e ON e.id = o.id WHERE o.totl = 1",
        "SELECT our_own(total) FROM orders",
        "SELECT YEAR(day, 1, 2) FROM orders",  # The DDL defines a function of this name.
        "SELECT id FROM orders WHERE id = ? AND totl = 1",
        "SELECT id FROM orders WHERE id = :id AND totl = 1",
        "SELECT totl FROM orders WHERE {{ filter }}",
        "SELECT {{ columns }} FROM orders",
    ],
)
def test_what_may_be_the_copys_own_fault_is_not_said(dialect: str, sql: str) -> None:
    assert engine(dialect).explain(sql) == ()


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT name COLLATE house FROM customers",
        "SELECT id FROM orders INDEXED BY by_day",
        "SELECT * FROM generate_series(1, 3)",
        "SELECT 1 WHERE 'a' REGEXP 'b'",
        "SELECT median(total) FROM orders",
    ],
)
def test_what_an_application_may_add_to_sqlite_is_not_missed(sql: str) -> None:
    assert engine("sqlite").explain(sql) == ()


@pytest.mark.parametrize("dialect", ["sqlite", "duckdb"])
def test_tables_that_are_not_fully_understood_are_no_ground_for_a_missing_column(
    dialect: str,
) -> None:
    known = schema(dialect)
    partly = Schema(tuple(replace(table, partly_understood=True) for table in known.tables))
    asked = engine(dialect, partly)
    check(asked, "SELECT totl FROM orders")
    check(asked, "SELECT id,[[,]] totl FROM orders")


@pytest.mark.parametrize("dialect", ["sqlite", "duckdb"])
def test_two_tables_of_one_name_are_no_ground_either(dialect: str) -> None:
    twice = Schema(
        (
            Table("t", (Column("a", "integer"),), schema="one"),
            Table("t", (Column("b", "integer"),), schema="two"),
        )
    )
    assert engine(dialect, twice).explain("SELECT c FROM t") == ()


def test_a_type_that_duckdb_does_not_know_leaves_the_names() -> None:
    known = Schema((Table("t", (Column("place", "geometry_of_ours"), Column("n", "integer"))),))
    asked = engine("duckdb", known)
    check(asked, "SELECT n FROM t WHERE place > 5")
    check(asked, "SELECT [[m]] FROM t")


def test_schemas_of_duckdb_are_made_as_they_are_needed() -> None:
    known = Schema((Table("orders", (Column("id", "integer"),), schema="sales"),))
    asked = engine("duckdb", known)
    check(asked, "SELECT id FROM sales.orders")
    check(asked, "SELECT [[totl]] FROM sales.orders")


def test_tables_made_earlier_in_the_script_are_not_judged() -> None:
    asked = engine("sqlite")
    assert asked.explain("SELECT totl FROM orders", made=("Orders",)) == ()


@pytest.mark.parametrize("dialect", ["sqlite", "duckdb"])
@pytest.mark.parametrize(
    "sql",
    [
        "DROP TABLE orders",
        "INSERT INTO orders (totl) VALUES (1)",
        "SELECT 1; SELECT totl FROM orders",
        "ATTACH 'other.db' AS other",
        "PRAGMA table_info(orders)",
        "EXPLAIN SELECT totl FROM orders",
    ],
)
def test_only_a_single_query_is_asked_about(dialect: str, sql: str) -> None:
    assert engine(dialect).explain(sql) == ()


@pytest.mark.parametrize("dialect", ["sqlite", "duckdb"])
@pytest.mark.parametrize(
    "sql",
    [
        "",
        ";",
        "   \n",
        "(" * 200_000,
        "SELECT " + "(" * 30,
        "SELECT '",
        'SELECT "',
        "SELECT /*",
        "SELECT 'a\0b'",
        "SELECT '\ud800'",
        "SELECT " + ", ".join(["totl"] * 3_000) + " FROM orders",
        "SELECT " + "1+" * 5_000 + "1",
    ],
    ids=range(12),
)
def test_odd_texts_raise_nothing(dialect: str, sql: str) -> None:
    for finding in engine(dialect).explain(sql):
        assert 0 <= finding.span.start <= finding.span.end <= len(sql)


@settings(max_examples=80, deadline=None)
@given(st.lists(st.sampled_from(
    ["SELECT", "id", "totl", ",", "FROM", "orders", "(", ")", "'", '"', "\n", "é", "JOIN",
     "customers", "WHERE", "=", "1", ";", "*", "AND", "GROUP BY", "sum(", "--", "/*"]
), max_size=14))  # fmt: skip
def test_any_words_give_spans_inside_the_text(words: list[str]) -> None:
    sql = " ".join(words)
    for finding in engine("sqlite").explain(sql):
        assert 0 <= finding.span.start <= finding.span.end <= len(sql)


@pytest.mark.parametrize("dialect", ["sqlite", "duckdb"])
def test_many_threads_may_ask_at_once(dialect: str) -> None:
    asked = engine(dialect)
    queries = ["SELECT totl FROM orders", "SELECT id FROM orders", "SELECT nam FROM customers"] * 8
    with ThreadPoolExecutor(4) as pool:
        counts = [len(found) for found in pool.map(asked.explain, queries)]
    assert counts == [1, 0, 1] * 8
    asked.close()
    assert len(asked.explain("SELECT totl FROM orders")) == 1


def test_a_schema_cannot_reach_out_of_the_memory(tmp_path: Path) -> None:
    file = tmp_path / "out.csv"
    type_ = f"integer); COPY (SELECT 1) TO '{file}'; CREATE TABLE u (a integer"
    known = Schema((Table("t", (Column("a", type_),)),))
    engine("duckdb", known).explain("SELECT b FROM t")
    engine("sqlite", known).explain("SELECT b FROM t")
    assert list(tmp_path.iterdir()) == []


def test_variables_of_this_program_are_no_tables_of_duckdb() -> None:
    orders_frame = [1, 2]
    assert engine("duckdb").explain("SELECT * FROM orders_frame") == ()
    assert orders_frame


@pytest.mark.parametrize("dialect", ["postgres", "mysql", "tsql", ""])
def test_other_engines_do_not_run_in_memory(dialect: str) -> None:
    assert memory_engine(schema("sqlite"), dialect) is None


def test_without_duckdb_there_is_no_engine_for_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "duckdb", None)
    assert memory_engine(schema("duckdb"), "duckdb") is None


def test_no_thread_is_left_behind() -> None:
    """One that holds a connection of DuckDB when the interpreter ends aborts the process."""
    asked = engine("duckdb")
    before = threading.active_count()
    for _ in range(20):
        asked.explain("SELECT id FROM orders")
        assert threading.active_count() == before


@pytest.mark.skipif(not _TASKS.exists(), reason="this system does not tell of threads")
def test_duckdb_keeps_no_threads_for_files_that_it_never_reads() -> None:
    before = len(list(_TASKS.iterdir()))
    asked = engine("duckdb")
    assert asked.explain("SELECT totl FROM orders") != ()
    assert len(list(_TASKS.iterdir())) <= before + 1
    asked.close()
