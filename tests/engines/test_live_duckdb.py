"""A real DuckDB file: its schema, its word on queries, and that it is never written to."""

import hashlib
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

DDL = """
CREATE SCHEMA sales;
CREATE TABLE sales.customers (
    id INTEGER NOT NULL,
    name VARCHAR NOT NULL,
    tier VARCHAR CHECK (tier IN ('A', 'B')),
    address STRUCT(street VARCHAR, city VARCHAR),
    PRIMARY KEY (id),
    UNIQUE (name)
);
CREATE TABLE sales.orders (
    id BIGINT,
    customer_id INTEGER,
    total DECIMAL(10,2),
    placed TIMESTAMP WITH TIME ZONE,
    FOREIGN KEY (customer_id) REFERENCES sales.customers (id)
);
CREATE TABLE "Odd Names" ("a b" INTEGER, "order" BOOLEAN);
COMMENT ON TABLE sales.customers IS 'People who buy';
COMMENT ON COLUMN sales.customers.name IS 'It''s first and last';
"""
ROWS = """
INSERT INTO sales.customers VALUES (1, 'Ann', 'A', {'street': 'x', 'city': 'y'});
INSERT INTO sales.orders VALUES (1, 1, 9.50, '2024-05-01 00:00:00+00');
"""
URL = "duckdb:///shop.duckdb"


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    duckdb = pytest.importorskip("duckdb")
    pytest.importorskip("duckdb_engine")
    connection = duckdb.connect(str(tmp_path / "shop.duckdb"))
    connection.execute(DDL + ROWS)
    connection.close()
    return tmp_path


def digest(folder: Path) -> dict[str, str]:
    return {file.name: hashlib.sha256(file.read_bytes()).hexdigest() for file in folder.iterdir()}


def of_ddl(text: str) -> Schema:
    return ddl.replay([ddl.read(Document("file:///s.sql", text), Path("s.sql"), "duckdb")])


def facts(table: Table) -> tuple[object, ...]:
    """What a live table and the DDL's one must agree on."""
    columns = tuple(
        (each.name, each.type, each.nullable, each.comment, each.quoted, each.values, each.fields)
        for each in table.columns
        if each.name != "order"  # The catalogue does not say whether a keyword was quoted.
    )
    keys = table.primary_key, table.foreign_keys, table.unique
    return table.schema, table.name, table.kind, table.comment, table.quoted, columns, keys


def test_the_schema_is_the_one_of_the_ddl(shop: Path) -> None:
    live = read_schema(URL, root=shop)
    assert (live.dialect, live.remarks) == ("duckdb", ())
    wanted = of_ddl(DDL)
    # The catalogue lists one schema after the other.
    assert {table.name: facts(table) for table in live.schema.tables} == {
        table.name: facts(table) for table in wanted.tables
    }
    again = of_ddl(create_statements(live.schema, "duckdb"))
    assert [facts(table) for table in again.tables] == [facts(t) for t in live.schema.tables]


def test_values_and_ranges(shop: Path) -> None:
    schema = read_schema(URL, root=shop).schema
    found = {
        f"{each.table}.{each.column}": each for each in profile_columns(URL, schema, root=shop)
    }
    assert found["sales.customers.tier"].values == ("A",)
    assert found["sales.orders.total"].minimum == "9.50"
    assert found["sales.orders.placed"].minimum.startswith("2024-05-01")
    assert not any(each.problem for each in found.values())


@pytest.mark.parametrize(
    ("sql", "word", "said"),
    [
        ("SELECT id, total FROM sales.orders;", "", ""),
        ("SELECT address.city FROM sales.customers", "", ""),
        ("SELECT totl\nFROM sales.orders", "totl", 'Referenced column "totl" not found'),
        ("SELECT id\nFROM orderz", "orderz", "Table with name orderz does not exist"),
        (
            "SELECT id FROM sales.orders WHERE total > 'x' AND placed > 5",
            "placed",
            "Cannot compare",
        ),
    ],
)
def test_refusals_stand_at_their_word(shop: Path, sql: str, word: str, said: str) -> None:
    engine = connected_engine(URL, shop)
    found = engine.explain(sql)
    assert [finding.span.of(sql) for finding in found] == ([word] if word else [])
    assert all(said in finding.message for finding in found)
    assert (engine.name, engine.remark) == ("DuckDB", "")


WRITES = [
    "DELETE FROM sales.orders",
    "CREATE TABLE made (a INTEGER)",
    "SELECT 1; DELETE FROM sales.orders",
    "COPY (SELECT 1) TO 'out.csv'",
    "ATTACH 'other.duckdb' AS other",
    "SELECT * FROM read_text('shop.duckdb')",
    "INSTALL httpfs",
]


@pytest.mark.parametrize("sql", WRITES)
def test_nothing_is_written_through_any_door(
    shop: Path, sql: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(shop)
    before = digest(shop)
    with pytest.raises(DatabaseError), connected(URL, shop, 5) as (connection, _):
        connection.exec_driver_sql(sql).fetchall()
    engine = connected_engine(URL, shop)
    assert isinstance(engine, ConnectedEngine)
    assert engine.explain(sql) == ()
    with suppress(NotAboutTheQuery):
        engine._ask(place_of(URL, shop), sql)
    assert digest(shop) == before


def test_the_file_is_free_for_others_between_two_questions(shop: Path) -> None:
    duckdb = pytest.importorskip("duckdb")
    engine = connected_engine(URL, shop)
    assert engine.explain("SELECT id FROM sales.orders") == ()
    duckdb.connect(str(shop / "shop.duckdb")).execute("CREATE TABLE later (a INTEGER)").close()
    assert engine.explain("SELECT a FROM later") == ()
    assert engine.remark == ""


def test_macros_are_known_by_name(shop: Path) -> None:
    duckdb = pytest.importorskip("duckdb")
    with duckdb.connect(str(shop / "shop.duckdb")) as connection:
        connection.execute("CREATE MACRO Twice(a) AS 2 * a; CREATE MACRO few() AS TABLE SELECT 1")
    live = read_schema(URL, root=shop).schema
    assert live.functions == {"twice", "few"}
    assert of_ddl(create_statements(live, "duckdb")).functions == live.functions
