"""Queries run on real servers: their rows, their bounds, and that nothing is written."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from sqlscribe.errors import DatabaseError
from sqlscribe.schema.database.connecting import bounded, connected
from sqlscribe.schema.database.running import fetched, plain, run_read

Run = Callable[[str, Sequence[str]], list[tuple[object, ...]]]
HERE = Path("/")
DDL = [
    "CREATE TABLE running (id INTEGER PRIMARY KEY, price NUMERIC(10, 2), day DATE)",
    "INSERT INTO running VALUES (1, 9.50, '2024-01-31'), (2, NULL, NULL)",
]


@pytest.fixture(scope="module", params=["postgres", "mysql"])
def server(
    request: pytest.FixtureRequest, postgres: str, mariadb: str, run: Run
) -> tuple[str, str]:
    url = postgres if request.param == "postgres" else mariadb
    run(url, DDL)
    return request.param, url


def test_rows_come_with_their_columns(server: tuple[str, str]) -> None:
    dialect, url = server
    got = run_read(url, HERE, dialect, "SELECT id, price, day FROM running ORDER BY id")
    assert got.columns == ("id", "price", "day")
    assert got.rows == ((1, 9.5, "2024-01-31"), (2, None, None))
    assert run_read(url, HERE, dialect, "SELECT 7 % 4 WHERE 'a%' LIKE 'a%'").rows == ((3,),)


def test_a_plan_and_a_list_are_reads_too(server: tuple[str, str]) -> None:
    dialect, url = server
    assert run_read(url, HERE, dialect, "EXPLAIN SELECT * FROM running").rows


def test_a_large_result_is_not_read_to_its_end(server: tuple[str, str]) -> None:
    dialect, url = server
    numbers = "(WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n WHERE i < 900)"
    sql = f"SELECT a.i FROM {numbers} SELECT i FROM n) a"
    got = run_read(url, HERE, dialect, sql, max_rows=5)
    assert (len(got.rows), got.truncated) == (5, True)


def test_a_slow_query_is_stopped(server: tuple[str, str]) -> None:
    dialect, url = server
    numbers = "WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n WHERE i < 900)"
    sql = f"{numbers} SELECT count(*) FROM n a, n b, n c, n d WHERE a.i + b.i = c.i + d.i"
    with pytest.raises(DatabaseError) as caught:
        run_read(url, HERE, dialect, sql, timeout_seconds=1)
    assert (caught.value.kind, "1 seconds" in str(caught.value)) == ("timed_out", True)


def test_what_the_engine_refuses_is_told(server: tuple[str, str]) -> None:
    dialect, url = server
    with pytest.raises(DatabaseError) as caught:
        run_read(url, HERE, dialect, "SELECT nme FROM running")
    assert caught.value.kind == "failed"
    assert "nme" in str(caught.value)


def test_the_session_refuses_what_the_tree_would_let_through(
    server: tuple[str, str], run: Run
) -> None:
    _, url = server
    for sql in ("DELETE FROM running", "SELECT 1; DELETE FROM running; COMMIT"):
        with (
            pytest.raises(DatabaseError),
            connected(url, HERE, 5) as (connection, place),
            bounded(connection, place, 5),
        ):
            fetched(connection, place, sql, 10, plain, streams=True)
    assert run(url, ["SELECT count(*) FROM running"]) == [(2,)]
