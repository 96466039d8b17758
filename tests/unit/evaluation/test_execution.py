"""Queries run in a process of their own, for reading only and within bounds."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from engines import mariadb_server, postgres_server
from evaluating import make_database
from sqlscribe.evaluation.execution import Executor

_ENDLESS = "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) "


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> str:
    return f"sqlite:///{make_database(tmp_path_factory.mktemp('db') / 'pets.sqlite')}"


@pytest.fixture(scope="module")
def executor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Executor]:
    with Executor(tmp_path_factory.mktemp("root"), seconds=5, most_rows=100) as made:
        yield made


def test_rows_and_columns_come_back(executor: Executor, url: str) -> None:
    result = executor.run(url, "SELECT name, weight FROM pets WHERE kind = 'dog' ORDER BY 1 DESC")
    assert (result.problem, result.cut) == ("", False)
    assert result.columns == ("name", "weight")
    assert [list(row) for row in result.rows] == [["Rex", 12.5], ["<b>Max</b>", None]]


def test_a_percent_sign_is_no_parameter(executor: Executor, url: str) -> None:
    result = executor.run(url, "SELECT count(*), 7 % 4 FROM pets WHERE name LIKE '%x%'")
    assert [list(row) for row in result.rows] == [[2, 3]]


@pytest.mark.parametrize(
    ("sql", "problem", "words"),
    [
        ("SELECT nme FROM pets", "failed", "no such column: nme"),
        ("SELECT FROM", "failed", "syntax error"),
        ("", "failed", ""),
        ("DELETE FROM pets", "failed", ""),
        ("DROP TABLE pets", "failed", ""),
        ("ATTACH 'other.db' AS other", "failed", ""),
        ("PRAGMA journal_mode = DELETE", "failed", ""),
    ],
)
def test_what_does_not_run_is_told_in_the_engines_words(
    executor: Executor, url: str, sql: str, problem: str, words: str
) -> None:
    result = executor.run(url, sql)
    assert result.problem == problem
    assert words in result.error
    assert not result.rows
    left = executor.run(url, "SELECT count(*) FROM pets")
    assert [list(row) for row in left.rows] == [[4]]


def test_more_rows_than_may_be_read_are_cut(executor: Executor, url: str) -> None:
    result = executor.run(url, _ENDLESS + "SELECT i FROM n LIMIT 101")
    assert (len(result.rows), result.cut) == (100, True)
    assert not executor.run(url, _ENDLESS + "SELECT i FROM n LIMIT 100").cut


@pytest.mark.parametrize("url", ["sqlite:///none.db", "nonsense", "sqlite://"])
def test_a_database_that_is_not_there(executor: Executor, url: str) -> None:
    assert executor.run(url, "SELECT 1").problem == "no database"


def test_a_query_without_end_is_stopped(url: str, tmp_path: Path) -> None:
    with Executor(tmp_path, seconds=0.5) as executor:
        result = executor.run(url, _ENDLESS + "SELECT count(*) FROM n")
        assert result.problem == "timed out"
        assert executor.run(url, "SELECT 1").rows


def test_a_process_that_ends_is_started_anew(url: str, tmp_path: Path) -> None:
    with Executor(tmp_path) as executor:
        executor.run(url, "SELECT 1")
        assert executor._running is not None
        executor._running[0].kill()
        assert executor.run(url, "SELECT 2").problem == "too large"
        assert executor.run(url, "SELECT 3").rows


def test_a_relative_file_lies_in_the_root(tmp_path: Path) -> None:
    make_database(tmp_path / "shop.db")
    with Executor(tmp_path) as executor:
        assert executor.run("sqlite:///shop.db", "SELECT 1 FROM pets").rows


def test_duckdb_is_read_too(tmp_path: Path) -> None:
    duckdb = pytest.importorskip("duckdb")
    pytest.importorskip("duckdb_engine")
    file = tmp_path / "x.duckdb"
    with duckdb.connect(str(file)) as connection:
        connection.execute(
            "CREATE TABLE t AS SELECT DATE '2024-01-31' AS d, 1.50::DECIMAL(9,2) AS x"
        )
    with Executor(tmp_path) as executor:
        result = executor.run(f"duckdb:///{file}", "SELECT d, x, [1, 2] FROM t")
        assert [list(row) for row in result.rows] == [["2024-01-31", 1.5, "[1, 2]"]]
        assert executor.run(f"duckdb:///{file}", "CREATE TABLE u (x INT)").problem == "failed"


def check_server(url: str, tmp_path: Path, endless: str, many: str) -> None:
    """What holds for every engine behind a server."""
    with Executor(tmp_path, seconds=2, most_rows=10) as executor:
        query = "SELECT CAST('2024-01-31' AS DATE), CAST(1.50 AS DECIMAL(9, 2)), 7 % 4, '50%'"
        result = executor.run(url, query)
        assert [list(row) for row in result.rows] == [["2024-01-31", 1.5, 3, "50%"]]
        assert "pets" in executor.run(url, "SELECT name FROM pets").error
        assert executor.run(url, "CREATE TABLE pets (x int)").problem == "failed"
        assert executor.run(url, endless).problem == "timed out"
        assert executor.run(url, many).cut
        assert executor.run(url, "SELECT 1").rows


def test_postgres_is_read_in_bounds(tmp_path: Path) -> None:
    pytest.importorskip("psycopg")
    with postgres_server() as url:
        check_server(url, tmp_path, "SELECT pg_sleep(60)", "SELECT generate_series(1, 1000000000)")


def test_mariadb_is_read_in_bounds(tmp_path: Path) -> None:
    pytest.importorskip("pymysql")
    with mariadb_server() as url:
        endless = "SELECT count(*) FROM seq_1_to_100000 a, seq_1_to_100000 b"
        check_server(url, tmp_path, endless, "SELECT seq FROM seq_1_to_1000000000")
