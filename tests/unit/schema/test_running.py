"""Queries run on live databases that are files: rows as plain data, and nothing but reads."""

from __future__ import annotations

import datetime
import json
import sqlite3
from contextlib import closing
from decimal import Decimal
from pathlib import Path

import pytest

from sqlscribe.errors import DatabaseError
from sqlscribe.schema.database.running import plain, run_read

ENDLESS = "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) "


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    with closing(sqlite3.connect(tmp_path / "shop.db")) as connection:
        connection.executescript(
            "CREATE TABLE items (id INTEGER PRIMARY KEY, name TEXT, price REAL, photo BLOB);"
            "INSERT INTO items VALUES (1, 'cup', 2.5, x'ff00'), (2, '茶', NULL, NULL),"
            " (9007199254740993, CAST(x'e9' AS TEXT), 1, NULL);"
        )
    return tmp_path


def run(shop: Path, sql: str, dialect: str = "sqlite", **more: float) -> list[list[object]]:
    got = run_read("sqlite:///shop.db", shop, dialect, sql, **more)  # type: ignore[arg-type]
    return json.loads(json.dumps([list(row) for row in got.rows]))  # type: ignore[no-any-return]


def refused(shop: Path, sql: str, **more: float) -> DatabaseError:
    with pytest.raises(DatabaseError) as caught:
        run(shop, sql, **more)
    return caught.value


def test_rows_come_as_plain_data_with_their_columns(shop: Path) -> None:
    rows = run(shop, "SELECT * FROM items ORDER BY id")
    assert rows == [
        [1, "cup", 2.5, "x'ff00'"],
        [2, "茶", None, None],
        ["9007199254740993", "\ufffd", 1.0, None],
    ]
    got = run_read("sqlite:///shop.db", shop, "", "SELECT id AS a, name, 1 AS a FROM items")
    assert (got.columns, got.truncated, got.seconds >= 0) == (("a", "name", "a"), False, True)


def test_no_more_rows_are_read_than_wanted(shop: Path) -> None:
    for most, truncated in ((2, True), (3, False), (0, True)):
        got = run_read("sqlite:///shop.db", shop, "sqlite", "SELECT id FROM items", max_rows=most)
        assert (len(got.rows), got.truncated) == (most, truncated)


def test_a_percent_sign_and_a_semicolon_are_no_trouble(shop: Path) -> None:
    assert run(shop, "SELECT 7 % 4 FROM items WHERE name LIKE '%u%';\n-- done") == [[3]]


@pytest.mark.parametrize(
    "sql",
    [
        "DELETE FROM items",
        "SELECT 1; DELETE FROM items",
        "WITH gone AS (DELETE FROM items RETURNING *) SELECT * FROM gone",
        "PRAGMA journal_mode = DELETE",
        "ATTACH 'other.db' AS other",
        "EXPLAIN ANALYZE SELECT 1",
        "SELECT (((",
        "SELECT " + "(" * 5000 + "1" + ")" * 5000,
        "SELECT 1\0; DROP TABLE items",
        "",
    ],
)
def test_anything_but_a_single_read_is_never_sent(shop: Path, sql: str) -> None:
    error = refused(shop, sql)
    assert error.kind == "not_a_read"
    assert str(error).startswith("The query was not run: ")
    assert run(shop, "SELECT count(*) FROM items") == [[3]]
    assert [file.name for file in shop.iterdir()] == ["shop.db"]


def test_a_read_must_be_one_for_the_engine_too(shop: Path) -> None:
    # In PostgreSQL all of this is one text; for SQLite a second statement follows.
    sql = "SELECT $$ ; DELETE FROM items ; $$"
    with pytest.raises(DatabaseError) as caught:
        run_read("sqlite:///shop.db", shop, "postgres", sql)
    assert caught.value.kind == "not_a_read"


def test_what_the_engine_refuses_is_told_in_its_words(shop: Path) -> None:
    error = refused(shop, "SELECT nme FROM items")
    assert (error.kind, str(error)) == (
        "failed",
        "The database refuses the query: no such column: nme",
    )


def test_a_query_without_end_is_stopped(shop: Path) -> None:
    error = refused(shop, ENDLESS + "SELECT max(i) FROM n", timeout_seconds=0.2)
    assert (error.kind, "0.2 seconds" in str(error)) == ("timed_out", True)


def test_a_result_without_end_is_read_up_to_the_most_rows(shop: Path) -> None:
    assert len(run(shop, ENDLESS + "SELECT i FROM n", max_rows=7)) == 7


def test_a_database_that_is_not_there_is_told(shop: Path) -> None:
    with pytest.raises(DatabaseError) as caught:
        run_read("sqlite:///other.db", shop, "sqlite", "SELECT 1")
    assert caught.value.kind == "missing"


def test_duckdb_reads_no_files_and_gives_nested_values_as_text(tmp_path: Path) -> None:
    duckdb = pytest.importorskip("duckdb")
    with duckdb.connect(str(tmp_path / "shop.duckdb")) as connection:
        connection.execute("CREATE TABLE t AS SELECT 1 AS a, DATE '2024-01-31' AS d")
    (tmp_path / "secret.csv").write_text("a\n1\n")
    url = "duckdb:///shop.duckdb"
    got = run_read(url, tmp_path, "duckdb", "SELECT a, d, [1, 2] AS l, {'k': 1.5} AS s FROM t")
    assert got.rows == ((1, "2024-01-31", "[1, 2]", '{"k": 1.5}'),)
    with pytest.raises(DatabaseError):
        run_read(url, tmp_path, "duckdb", f"SELECT * FROM '{tmp_path}/secret.csv'")


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (True, True),
        (2**53 + 1, "9007199254740993"),
        (Decimal("9.50"), 9.5),
        (Decimal("3"), 3),
        (Decimal("1234567890123456.78"), "1234567890123456.78"),
        (Decimal("NaN"), "nan"),
        (float("inf"), "inf"),
        (datetime.datetime(2024, 1, 31, 5, 6), "2024-01-31 05:06:00"),
        (datetime.date(2024, 1, 31), "2024-01-31"),
        (datetime.timedelta(hours=1), "1:00:00"),
        ({(1, 2): "a"}, "{(1, 2): 'a'}"),
        ("x" * 20_001, "x" * 20_000 + "… (20,001 characters)"),
    ],
)
def test_values_keep_what_json_can_carry(value: object, shown: object) -> None:
    assert plain(value) == shown
