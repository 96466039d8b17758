"""Live databases that are files: what is read, and that nothing is ever written."""

import hashlib
import sqlite3
from contextlib import closing
from pathlib import Path

import ddl_reading as reading
import pytest
import sqlalchemy

from sqlscribe.errors import DatabaseError
from sqlscribe.schema.database import ColumnValues, profile_columns, read_schema
from sqlscribe.schema.database import sqlite as sqlite_catalogue
from sqlscribe.schema.database.connecting import connected, engine_for
from sqlscribe.schema.database.inspector import read_by_inspector
from sqlscribe.schema.database.rows import schema_of
from sqlscribe.schema.database.urls import place_of
from sqlscribe.schema.database.values import kind_of
from sqlscribe.schema.model import Column, ForeignKey, Schema, Table

DDL = """
CREATE TABLE customers ( -- People who buy
    id INTEGER PRIMARY KEY,
    name VARCHAR(40) NOT NULL, -- first and last
    tier TEXT CHECK (tier IN ('gold', 'plain')),
    since DATE
);
CREATE TABLE "Order Lines" (
    order_id INTEGER NOT NULL,
    customer_id INTEGER REFERENCES customers (id),
    amount REAL,
    UNIQUE (order_id, customer_id)
);
CREATE VIEW gold AS SELECT id, name FROM customers WHERE tier = 'gold';
"""
ROWS = """
INSERT INTO customers VALUES (1, 'Ann', 'gold', '2024-01-02'), (2, 'Bob', 'plain', NULL);
INSERT INTO "Order Lines" VALUES (1, 1, 9.5), (2, 1, 20);
"""


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    connection = sqlite3.connect(tmp_path / "shop.db")
    connection.executescript(DDL + ROWS)
    connection.close()
    return tmp_path


def digest(folder: Path) -> dict[str, str]:
    return {file.name: hashlib.sha256(file.read_bytes()).hexdigest() for file in folder.iterdir()}


def test_a_file_is_read_as_its_ddl_is(shop: Path) -> None:
    live = read_schema("sqlite:///shop.db", root=shop)
    wanted = reading.schema("sqlite", DDL)
    assert (live.dialect, live.remarks) == ("sqlite", ())
    assert reading.lines(live.schema) == reading.lines(wanted)
    assert [reading.comments(table) for table in live.schema.tables] == [
        reading.comments(table) for table in wanted.tables
    ]
    customers, lines, gold = live.schema.tables
    assert customers.columns[2].values == ("gold", "plain")
    assert lines.foreign_keys == (ForeignKey(("customer_id",), "customers", "", ("id",)),)
    assert lines.unique == (("order_id", "customer_id"),)
    assert (gold.kind, lines.quoted) == ("view", True)


def test_columns_added_later_and_tables_of_full_text_search(shop: Path) -> None:
    connection = sqlite3.connect(shop / "shop.db")
    connection.executescript(
        "ALTER TABLE customers ADD COLUMN city TEXT;"
        "CREATE VIRTUAL TABLE notes USING fts5(title, body);"
    )
    connection.close()
    live = read_schema("sqlite:///shop.db", root=shop).schema
    assert live.tables[0].column("city") is not None
    assert [table.name for table in live.tables if table.name.startswith("notes")] == ["notes"]
    assert live.named("notes")[0].partly_understood


def test_a_broken_view_is_a_remark_and_costs_nothing_else(shop: Path) -> None:
    connection = sqlite3.connect(shop / "shop.db")
    connection.executescript("CREATE VIEW broken AS SELECT * FROM gone;")
    connection.close()
    live = read_schema("sqlite:///shop.db", root=shop)
    assert len(live.schema.tables) == 4
    assert live.schema.named("broken")[0].partly_understood
    assert "broken" in live.remarks[0]


def test_an_empty_database_is_told(tmp_path: Path) -> None:
    sqlite3.connect(tmp_path / "empty.db").close()
    live = read_schema("sqlite:///empty.db", root=tmp_path)
    assert live.schema.tables == ()
    assert "no table" in live.remarks[0]


@pytest.mark.parametrize(
    "sql",
    [
        "INSERT INTO customers (name) VALUES ('Eve')",
        "DROP TABLE customers",
        "CREATE TEMPORARY TABLE t (a)",
        "PRAGMA user_version = 7",
        "PRAGMA query_only = OFF",
        "PRAGMA writable_schema = 1",
        "ATTACH 'other.db' AS other",
        "VACUUM INTO 'copy.db'",
        "SELECT load_extension('mod')",
        "UPDATE sqlite_master SET sql = ''",
    ],
)
def test_nothing_can_be_written_to_a_sqlite_file(shop: Path, sql: str) -> None:
    before = digest(shop)
    with pytest.raises(DatabaseError), connected("sqlite:///shop.db", shop, 5) as (connection, _):
        connection.exec_driver_sql(sql)
    assert digest(shop) == before


def test_reading_leaves_the_file_as_it_is(shop: Path) -> None:
    before = digest(shop)
    live = read_schema("sqlite:///shop.db", root=shop)
    profile_columns("sqlite:///shop.db", live.schema, root=shop)
    assert digest(shop) == before


def test_a_file_with_a_log_is_read_and_nothing_is_left_beside_it(shop: Path) -> None:
    with closing(sqlite3.connect(shop / "shop.db")) as writer:
        writer.execute("PRAGMA journal_mode = WAL")
    before = digest(shop)
    live = read_schema("sqlite:///shop.db", root=shop)
    profile_columns("sqlite:///shop.db", live.schema, root=shop)
    assert len(live.schema.tables) == 3
    assert digest(shop) == before
    # While somebody writes, what stands in the log counts.
    with closing(sqlite3.connect(shop / "shop.db")) as writer, writer:
        writer.execute("CREATE TABLE fresh (id INTEGER)")
        writer.commit()
        assert read_schema("sqlite:///shop.db", root=shop).schema.named("fresh")


def test_a_locked_file_is_waited_for_once(shop: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def second(connection: object) -> None:
        pytest.fail("the file is read on, after it was found locked")

    monkeypatch.setattr(sqlite_catalogue, "_shadow_tables", second)
    with closing(sqlite3.connect(shop / "shop.db", isolation_level=None)) as writer:
        writer.execute("BEGIN EXCLUSIVE")
        with pytest.raises(DatabaseError, match="locked"):
            read_schema("sqlite:///shop.db", root=shop, timeout_seconds=0.1)


def test_a_missing_file_is_not_made(tmp_path: Path) -> None:
    with pytest.raises(DatabaseError, match="There is no database file"):
        read_schema("sqlite:///none.db", root=tmp_path)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("engine", ["sqlite", "duckdb"])
def test_a_file_of_another_kind_is_one_sentence(tmp_path: Path, engine: str) -> None:
    if engine == "duckdb":
        pytest.importorskip("duckdb_engine")
    (tmp_path / "notes.txt").write_text("These are no tables. " * 100)
    with pytest.raises(DatabaseError, match=r"notes\.txt cannot be read: .*database") as caught:
        read_schema(f"{engine}:///notes.txt", root=tmp_path)
    assert caught.value.kind == "failed"
    assert "\n" not in str(caught.value)


def test_the_inspector_reads_what_the_catalogue_says(shop: Path) -> None:
    engine = sqlalchemy.create_engine(f"sqlite:///{shop / 'shop.db'}")
    with engine.connect() as connection:
        found = read_by_inspector(connection, (), "sqlite")
    engine.dispose()
    read = schema_of(found, "sqlite", "main")
    live = read_schema("sqlite:///shop.db", root=shop).schema
    by_name = {table.name: table for table in live.tables}
    for table in read.tables:
        other = by_name.pop(table.name)
        assert reading.line(table) == reading.line(other)
        assert (table.kind, table.primary_key) == (other.kind, other.primary_key)
        assert (table.foreign_keys, table.unique) == (other.foreign_keys, other.unique)
    assert by_name == {}
    assert read.named("customers")[0].columns[2].values == ("gold", "plain")


# -- values ------------------------------------------------------------------------------


def values(shop: Path, **how: object) -> dict[str, ColumnValues]:
    schema = read_schema("sqlite:///shop.db", root=shop).schema
    found = profile_columns("sqlite:///shop.db", schema, root=shop, **how)  # type: ignore[arg-type]
    return {f"{each.table}.{each.column}": each for each in found}


def test_values_are_listed_and_ranges_found(shop: Path) -> None:
    found = values(shop)
    assert found["customers.tier"] == ColumnValues("customers", "tier", ("gold", "plain"))
    assert found["customers.since"].minimum == found["customers.since"].maximum == "2024-01-02"
    assert (found["Order Lines.amount"].minimum, found["Order Lines.amount"].maximum) == (
        "9.5",
        "20.0",
    )
    assert not any(name.startswith("gold.") for name in found)


def test_too_many_values_are_not_listed(shop: Path) -> None:
    found = values(shop, most_distinct=1)["customers.name"]
    assert (found.values, found.distinct_more) == ((), True)


def test_only_so_many_rows_are_looked_at(shop: Path) -> None:
    assert values(shop, most_rows=1)["customers.name"].values == ("Ann",)


def test_masked_columns_are_never_asked_for(shop: Path) -> None:
    found = values(shop, skip=lambda table, column: column.name == "name")
    assert "customers.name" not in found
    assert "customers.tier" in found


def test_a_column_that_is_gone_is_a_problem_of_its_own(shop: Path) -> None:
    table = read_schema("sqlite:///shop.db", root=shop).schema.tables[0]
    changed = Schema((Table(table.name, (Column("gone", "text"), *table.columns)),))
    found = profile_columns("sqlite:///shop.db", changed, root=shop)
    assert "no such column" in found[0].problem
    assert found[2].values == ("Ann", "Bob")


@pytest.mark.parametrize(
    ("type_", "kind"),
    [("int4", "ranged"), ("integer", "ranged"), ("date", "ranged"), ("timestamptz", "ranged"),
     ("numeric(10,2)", "ranged"), ("text", "listed"), ("int4range", None), ("daterange", None),
     ("numrange", None), ("int8multirange", None), ("interval", None), ("int[]", None),
     ("interval year to month", None), ("", None)],
)  # fmt: skip
def test_only_some_types_have_values_worth_reading(type_: str, kind: str | None) -> None:
    assert kind_of(Column("x", type_)) == kind


def test_no_server_may_fetch_a_file_whatever_the_url_says(tmp_path: Path) -> None:
    place = place_of("mysql+pymysql://u:p@127.0.0.1:1/x?local_infile=1", tmp_path)
    given: dict[str, object] = {}
    engine = engine_for(place, 1)

    def noted(dialect: object, record: object, plain: object, named: dict[str, object]) -> None:
        given.update(named)
        raise OSError("enough")

    sqlalchemy.event.listen(engine, "do_connect", noted)
    with pytest.raises(OSError, match="enough"):
        engine.connect()
    assert given["local_infile"] is False


def test_a_file_of_options_that_is_none_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "odd.cnf").write_text("no section\n", "utf-8")
    url = f"mysql+pymysql://u:p@127.0.0.1:1/x?read_default_file={tmp_path / 'odd.cnf'}"
    with pytest.raises(DatabaseError, match="cannot be"), connected(url, tmp_path, 1):
        pass
