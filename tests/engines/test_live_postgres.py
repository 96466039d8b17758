"""A real PostgreSQL: its schema, its word on queries, and that it is never written to."""

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

DDL = """
CREATE SCHEMA sales;
CREATE TYPE sales.mood AS ENUM ('good', 'so so', 'it''s bad');
CREATE TABLE public."Customers" (
    id integer PRIMARY KEY,
    "Full Name" character varying(40) NOT NULL UNIQUE,
    mood sales.mood,
    tier character(1) CHECK (tier IN ('A', 'B')),
    tags text[],
    since timestamp with time zone
);
CREATE TABLE sales.orders (
    id bigint NOT NULL,
    day date NOT NULL,
    customer_id integer NOT NULL REFERENCES public."Customers" (id),
    total numeric(10,2),
    note jsonb,
    PRIMARY KEY (id, day),
    UNIQUE (customer_id, day)
);
COMMENT ON TABLE public."Customers" IS 'People who buy';
COMMENT ON COLUMN public."Customers"."Full Name" IS 'It''s first and last';
CREATE VIEW sales.recent AS SELECT id, day, total FROM sales.orders;
COMMENT ON VIEW sales.recent IS 'Orders, day by day';
"""
ROWS = """
INSERT INTO public."Customers" VALUES (1, 'Ann', 'good', 'A', NULL, '2024-01-02'),
                                      (2, 'Bob', 'good', 'B', NULL, '2024-03-01');
INSERT INTO sales.orders VALUES (1, '2024-05-01', 1, 9.50, NULL);
"""
HERE = Path("/")


@pytest.fixture(scope="module")
def shop(postgres: str, run: Run) -> str:
    run(postgres, [DDL + ROWS])
    return postgres


def of_ddl(text: str) -> Schema:
    return ddl.replay([ddl.read(Document("file:///s.sql", text), Path("s.sql"), "postgres")])


def facts(table: Table) -> tuple[object, ...]:
    """What a live table and the DDL's one must agree on."""
    columns = tuple(
        (each.name, each.type, each.nullable, each.comment, each.values) for each in table.columns
    )
    keys = table.primary_key, table.foreign_keys, table.unique
    return table.schema, table.name, table.kind, table.comment, columns, keys


def test_the_schema_is_the_one_of_the_ddl(shop: str) -> None:
    live = read_schema(shop, root=HERE)
    wanted = of_ddl(DDL)
    assert (live.dialect, live.remarks) == ("postgres", ())
    # PostgreSQL names a type as the session's search path finds it; the DDL's text is kept.
    assert [facts(table) for table in live.schema.tables] == [facts(t) for t in wanted.tables]
    customers = live.schema.named("Customers")[0]
    assert customers.quoted
    assert [column.name for column in customers.columns if column.quoted] == ["Full Name"]


def test_what_is_pulled_is_read_back(shop: str) -> None:
    live = read_schema(shop, root=HERE).schema
    again = of_ddl(create_statements(live, "postgres"))
    tables = [table for table in live.tables if table.kind == "table"]
    assert [facts(table) for table in again.tables if table.kind == "table"] == [
        facts(table) for table in tables
    ]


def test_what_is_pulled_makes_the_same_tables_elsewhere(shop: str, run: Run) -> None:
    live = read_schema(shop, root=HERE, only_schemas=("sales",)).schema
    script = create_statements(live, "postgres").replace("sales.", "copied.")
    try:
        run(shop, ["CREATE SCHEMA copied", script])
        copy = read_schema(shop, root=HERE, only_schemas=("copied",)).schema
    finally:
        run(shop, ["DROP SCHEMA IF EXISTS copied CASCADE"])
    assert [facts(table)[1:] for table in copy.tables] == [
        facts(table)[1:] for table in live.tables
    ]


def test_functions_are_known_by_name(shop: str, run: Run) -> None:
    made = [
        "CREATE FUNCTION sales.vat(n numeric) RETURNS numeric LANGUAGE sql AS 'SELECT n * 1.2'",
        """CREATE FUNCTION public."Odd One"() RETURNS int LANGUAGE sql AS 'SELECT 1'""",
        "CREATE FUNCTION sales.on_change() RETURNS trigger LANGUAGE plpgsql"
        " AS 'BEGIN RETURN new; END'",
    ]
    run(shop, made)
    try:
        live = read_schema(shop, root=HERE).schema
    finally:
        run(shop, [f"DROP FUNCTION {name}" for name in
                   ("sales.vat", 'public."Odd One"', "sales.on_change")])  # fmt: skip
    assert live.functions == {"vat", "odd one"}
    assert of_ddl(create_statements(live, "postgres")).functions == live.functions


def test_schemas_can_be_chosen(shop: str) -> None:
    live = read_schema(shop, root=HERE, only_schemas=("sales",)).schema
    assert {table.schema for table in live.tables} == {"sales"}


def test_partitions_and_materialized_views(shop: str, run: Run) -> None:
    made = (
        "CREATE SCHEMA parts;"
        "CREATE TABLE parts.logs (at date NOT NULL, line text) PARTITION BY RANGE (at);"
        "CREATE TABLE parts.logs_2024 PARTITION OF parts.logs"
        " FOR VALUES FROM ('2024-01-01') TO ('2025-01-01');"
        "CREATE MATERIALIZED VIEW parts.days AS SELECT DISTINCT at FROM parts.logs;"
    )
    run(shop, [made])
    try:
        live = read_schema(shop, root=HERE, only_schemas=("parts",)).schema
    finally:
        run(shop, ["DROP SCHEMA parts CASCADE"])
    logs, part, days = live.tables
    assert (logs.parent, part.parent) == ("", "parts.logs")
    assert (days.kind, [column.name for column in days.columns]) == ("materialized view", ["at"])


def test_values_and_ranges(shop: str) -> None:
    schema = read_schema(shop, root=HERE).schema
    found = {
        f"{each.table}.{each.column}": each
        for each in profile_columns(
            shop, schema, root=HERE, skip=lambda table, column: column.name == "Full Name"
        )
    }
    assert found["public.Customers.mood"].values == ("good",)
    assert found["public.Customers.tier"].values == ("A", "B")
    assert found["sales.orders.total"].minimum == "9.50"
    assert found["public.Customers.since"].maximum.startswith("2024-03-01")
    assert not any(each.problem for each in found.values())
    assert "public.Customers.Full Name" not in found


# -- its word on queries -----------------------------------------------------------------


@pytest.fixture
def engine(shop: str) -> ConnectedEngine:
    found = connected_engine(shop.replace("+psycopg", ""), HERE, 5)
    assert isinstance(found, ConnectedEngine)
    return found


@pytest.mark.parametrize(
    ("sql", "word", "said"),
    [
        ("SELECT id, total FROM sales.orders", "", ""),
        ('SELECT "Full Name" FROM "Customers" WHERE tier = \'A\';', "", ""),
        ("SELECT '100%' AS share", "", ""),
        ("SELECT o.totl\nFROM sales.orders o", "o.totl", "does not exist"),
        ("SELECT 'é',\n  totl FROM sales.orders", "totl", 'reference the column "orders.total"'),
        ("SELECT * FROM orderz", "orderz", 'relation "orderz" does not exist'),
        ("SELECT id FROM sales.orders WHERE day > 5", ">", "operator does not exist"),
        ("SELECT id FROM sales.orders WHERE day > '2024-13-45'", "'2024-13-45'", "out of range"),
        ("SELECT id, sum(total) FROM sales.orders GROUP BY day", "id", "GROUP BY clause"),
        ("SELECT year(day) FROM sales.orders", "year", "function year(date) does not exist"),
    ],
)
def test_refusals_stand_at_their_word(
    engine: ConnectedEngine, sql: str, word: str, said: str
) -> None:
    found = engine.explain(sql)
    assert [finding.span.of(sql) for finding in found] == ([word] if word else [])
    assert all(said in finding.message for finding in found)
    assert all(finding.message.startswith("PostgreSQL refuses") for finding in found)
    assert engine.remark == ""
    engine.close()


def test_missing_rights_are_a_remark(shop: str, run: Run) -> None:
    run(shop, ["DROP ROLE IF EXISTS guest", "CREATE ROLE guest LOGIN PASSWORD 'hunter2'"])
    asked = connected_engine(shop.replace("postgres@", "guest:hunter2@"), HERE, 5)
    assert asked.explain('SELECT id FROM "Customers"') == ()
    assert "permission denied" in asked.remark
    assert "hunter2" not in asked.remark
    asked.close()


def test_a_connection_that_was_cut_is_opened_again(engine: ConnectedEngine, run: Run) -> None:
    assert len(engine.explain("SELECT nope")) == 1
    run(
        engine._url.replace("postgresql:", "postgresql+psycopg:"),
        ["SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
         " WHERE pid <> pg_backend_pid() AND backend_type = 'client backend'"],
    )  # fmt: skip
    assert len(engine.explain("SELECT nope")) == 1
    assert engine.remark == ""
    engine.close()


# -- nothing is written ------------------------------------------------------------------

WRITES = [
    "DELETE FROM sales.orders",
    "UPDATE sales.orders SET total = 0",
    "CREATE TABLE made (a int)",
    "CREATE TEMPORARY TABLE made (a int)",
    "COMMIT; DELETE FROM sales.orders",
    "ROLLBACK; CREATE TABLE made (a int)",
    "SELECT 1; DELETE FROM sales.orders; COMMIT",
    "WITH gone AS (DELETE FROM sales.orders RETURNING *) SELECT * FROM gone",
    "SELECT * INTO made FROM sales.orders",
    "EXPLAIN ANALYZE DELETE FROM sales.orders",
]


def state(url: str, run: Run) -> list[tuple[object, ...]]:
    return run(
        url,
        ["SELECT (SELECT count(*) FROM sales.orders), (SELECT sum(total) FROM sales.orders),"
         " (SELECT count(*) FROM pg_class WHERE relname = 'made')"],
    )  # fmt: skip


@pytest.mark.parametrize("sql", WRITES)
def test_the_session_refuses_to_write(shop: str, run: Run, sql: str) -> None:
    before = state(shop, run)
    with pytest.raises(DatabaseError, match="read-only"), connected(shop, HERE, 5) as (session, _):
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


def test_a_slow_statement_is_stopped(shop: str) -> None:
    with (
        pytest.raises(DatabaseError, match="statement timeout") as caught,
        connected(shop, HERE, 0.2) as (session, _),
    ):
        session.exec_driver_sql("SELECT pg_sleep(30)")
    assert caught.value.kind == "timed_out"
