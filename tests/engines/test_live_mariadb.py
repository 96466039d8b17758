"""A real MariaDB: its schema, its word on queries, and that it is never written to."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path

import pytest

from sqlscribe.checking.engine import connected_engine
from sqlscribe.checking.engine.ask_servers import NotAboutTheQuery
from sqlscribe.checking.engine.connected import ConnectedEngine
from sqlscribe.errors import DatabaseError
from sqlscribe.notation.document import Document
from sqlscribe.schema import ddl
from sqlscribe.schema.database import profile_columns, read_schema
from sqlscribe.schema.database.connecting import connected
from sqlscribe.schema.database.urls import place_of
from sqlscribe.schema.model import Schema, Table
from sqlscribe.schema.writing import create_statements

Run = Callable[[str, Sequence[str]], list[tuple[object, ...]]]

STATEMENTS = (
    """CREATE TABLE customers (
        id int(11) NOT NULL,
        `full name` varchar(40) NOT NULL COMMENT 'It''s first and last',
        mood enum('good','it''s bad'),
        tier char(1) CHECK (tier IN ('A', 'B')),
        since datetime,
        PRIMARY KEY (id),
        UNIQUE KEY by_name (`full name`, tier)
    ) COMMENT='People who buy'""",
    """CREATE TABLE orders (
        id int(11) NOT NULL,
        customer_id int(11) NOT NULL,
        total decimal(10,2),
        PRIMARY KEY (id, customer_id),
        FOREIGN KEY (customer_id) REFERENCES customers (id)
    )""",
    "CREATE VIEW recent AS SELECT id, total FROM orders",
)
ROWS = (
    "INSERT INTO customers VALUES (1, 'Ann', 'good', 'A', '2024-01-02'),"
    " (2, 'Bob', 'good', 'B', NULL)",
    "INSERT INTO orders VALUES (1, 1, 9.50)",
)
HERE = Path("/")


@pytest.fixture(scope="module")
def shop(mariadb: str, run: Run) -> str:
    run(mariadb, [*STATEMENTS, *ROWS])
    return mariadb


def of_ddl(text: str) -> Schema:
    return ddl.replay([ddl.read(Document("file:///s.sql", text), Path("s.sql"), "mysql")])


def facts(table: Table) -> tuple[object, ...]:
    """What a live table and the DDL's one must agree on."""
    columns = tuple(
        (each.name, each.type, each.nullable, each.comment, each.values) for each in table.columns
    )
    keys = table.primary_key, table.foreign_keys, table.unique
    return table.schema, table.name, table.kind, table.comment, columns, keys


def test_the_schema_is_the_one_of_the_ddl(shop: str) -> None:
    live = read_schema(shop, root=HERE)
    wanted = of_ddl(";\n".join(STATEMENTS))
    assert (live.dialect, live.remarks) == ("mysql", ())
    by_name = {table.name: table for table in live.schema.tables}
    assert {name: facts(table) for name, table in by_name.items()} == {
        table.name: facts(table) for table in wanted.tables
    }


def test_what_is_pulled_is_read_back(shop: str) -> None:
    live = read_schema(shop, root=HERE).schema
    again = of_ddl(create_statements(live, "mysql"))
    assert [facts(table) for table in again.tables if table.kind == "table"] == [
        facts(table) for table in live.tables if table.kind == "table"
    ]


def test_functions_are_known_by_name(shop: str, run: Run) -> None:
    run(shop, ["CREATE FUNCTION Twice(a int) RETURNS int DETERMINISTIC RETURN 2 * a",
               "CREATE PROCEDURE nothing() SELECT 1"])  # fmt: skip
    try:
        live = read_schema(shop, root=HERE).schema
    finally:
        run(shop, ["DROP FUNCTION Twice", "DROP PROCEDURE nothing"])
    assert live.functions == {"twice"}
    assert of_ddl(create_statements(live, "mysql")).functions == live.functions


def test_other_databases_can_be_asked_for(shop: str, run: Run) -> None:
    run(shop, ["CREATE DATABASE other", "CREATE TABLE other.t (a int)"])
    try:
        names = [
            table.qualified_name
            for table in read_schema(shop, root=HERE, only_schemas=("other",)).schema.tables
        ]
    finally:
        run(shop, ["DROP DATABASE other"])
    assert names == ["other.t"]


def test_values_and_ranges(shop: str) -> None:
    schema = read_schema(shop, root=HERE).schema
    found = {
        f"{each.table}.{each.column}": each
        for each in profile_columns(
            shop, schema, root=HERE, skip=lambda table, column: column.name == "full name"
        )
    }
    assert found["customers.mood"].values == ("good",)
    assert found["customers.tier"].values == ("A", "B")
    assert found["orders.total"].maximum == "9.50"
    assert not any(each.problem for each in found.values())
    assert "customers.full name" not in found


# -- its word on queries -----------------------------------------------------------------


@pytest.fixture
def engine(shop: str) -> ConnectedEngine:
    found = connected_engine(shop.replace("+pymysql", ""), HERE, 5)
    assert isinstance(found, ConnectedEngine)
    return found


@pytest.mark.parametrize(
    ("sql", "word", "said"),
    [
        ("SELECT id, total FROM orders;", "", ""),
        ("SELECT `full name` FROM customers WHERE tier = 'A' AND id % 2 = 1", "", ""),
        ("SELECT o.totl\nFROM orders o", "o.totl", "Unknown column 'o.totl'"),
        ("SELECT * FROM orderz", "orderz", "orderz' doesn't exist"),
        ("SELECT id FROM orders JOIN customers", "id", "ambiguous"),
        ("SELECT id\nFROM orders\nLIMIT 1 UNION SELECT 2", "UNION", "at line 3"),
        ("SELECT DATE_TRUNC('month', since) FROM customers", "DATE_TRUNC", "does not exist"),
        ("SELECT 1 UNION SELECT 1, 2", "SELECT", "different number of columns"),
    ],
)
def test_refusals_stand_at_their_word(
    engine: ConnectedEngine, sql: str, word: str, said: str
) -> None:
    found = engine.explain(sql)
    assert [finding.span.of(sql) for finding in found] == ([word] if word else [])
    assert all(said in finding.message for finding in found)
    assert engine.name == "MariaDB"
    assert engine.remark == ""
    engine.close()


def test_a_connection_that_was_cut_is_opened_again(
    engine: ConnectedEngine, shop: str, run: Run
) -> None:
    assert len(engine.explain("SELECT nope")) == 1
    others = run(
        shop,
        ["SELECT id FROM information_schema.processlist"
         " WHERE user = 'tester' AND id <> connection_id()"],
    )  # fmt: skip
    run(shop, [f"KILL {number}" for (number,) in others])
    assert len(engine.explain("SELECT nope")) == 1
    assert engine.remark == ""
    engine.close()


# -- nothing is written ------------------------------------------------------------------

WRITES = [
    "DELETE FROM orders",
    "UPDATE orders SET total = 0",
    "CREATE TABLE made (a int)",
    "DROP TABLE orders",
    "TRUNCATE TABLE orders",
    "SELECT 1; DELETE FROM orders",
    "SELECT 1 /*! ; DELETE FROM orders */",
    "SELECT * FROM orders INTO OUTFILE '/tmp/engine-orders.txt'",
]


def state(url: str, run: Run) -> list[tuple[object, ...]]:
    return run(
        url,
        ["SELECT (SELECT count(*) FROM orders), (SELECT sum(total) FROM orders),"
         " (SELECT count(*) FROM information_schema.tables WHERE table_name = 'made')"],
    )  # fmt: skip


@pytest.mark.parametrize("sql", WRITES[:-1])
def test_the_session_refuses_to_write(shop: str, run: Run, sql: str) -> None:
    before = state(shop, run)
    with (
        pytest.raises(DatabaseError, match=r"READ ONLY|error in your SQL syntax"),
        connected(shop, HERE, 5) as (session, _),
    ):
        session.exec_driver_sql(sql)
    assert state(shop, run) == before


@pytest.mark.parametrize("sql", WRITES)
def test_the_guard_and_what_stands_behind_it_refuse(
    engine: ConnectedEngine, shop: str, run: Run, sql: str
) -> None:
    before = state(shop, run)
    assert engine.explain(sql) == ()
    # Without the guard: an EXPLAIN writes nothing, and one message holds one statement.
    with suppress(NotAboutTheQuery, DatabaseError):
        engine._ask(place_of(engine._url, HERE), sql)
    engine.close()
    assert state(shop, run) == before
    assert not Path("/tmp/engine-orders.txt").exists()


def test_a_slow_statement_is_stopped(shop: str) -> None:
    with (
        pytest.raises(DatabaseError, match="max_statement_time") as caught,
        connected(shop, HERE, 1) as (session, _),
    ):
        session.exec_driver_sql("SELECT SLEEP(30)")
    assert caught.value.kind == "timed_out"


def test_a_wrong_password_is_one_sentence_without_it(shop: str) -> None:
    url = shop.replace("tester@", "ann:hunter2@")
    with pytest.raises(DatabaseError, match="cannot be reached: Access denied") as caught:
        read_schema(url, root=HERE)
    assert caught.value.kind == "unreachable"
    assert "hunter2" not in str(caught.value)
