"""A connected database: what it is asked, and what it says of itself."""

import hashlib
import sqlite3
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from sqlscribe.checking.engine import connected_engine, sending
from sqlscribe.checking.engine.answers import Said, finding, span_in
from sqlscribe.checking.engine.ask_servers import ASKERS, NotAboutTheQuery
from sqlscribe.checking.engine.connected import ConnectedEngine
from sqlscribe.schema.database.urls import place_of


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    connection = sqlite3.connect(tmp_path / "shop.db")
    connection.executescript("CREATE TABLE orders (id INTEGER, total REAL);")
    connection.close()
    return tmp_path


@pytest.fixture
def engine(shop: Path) -> Iterator[ConnectedEngine]:
    asked = connected_engine("sqlite:///shop.db", shop)
    assert isinstance(asked, ConnectedEngine)
    yield asked
    asked.close()


def test_the_file_is_asked(engine: ConnectedEngine) -> None:
    assert engine.explain("SELECT id, sum(total) FROM orders GROUP BY id;") == ()
    sql = "SELECT totl FROM orders"
    (found,) = engine.explain(sql)
    assert found.span.of(sql) == "totl"
    assert found.message == "SQLite refuses this query: no such column: totl"
    (missing,) = engine.explain("SELECT 1 FROM ordrs")
    assert "no such table: ordrs" in missing.message
    assert engine.remark == ""


def test_what_the_application_may_add_is_a_remark(engine: ConnectedEngine) -> None:
    assert engine.explain("SELECT our_own(total) FROM orders") == ()
    assert "no such function: our_own" in engine.remark
    assert engine.explain("SELECT id FROM orders") == ()
    assert engine.remark == ""


WRITES = [
    "DROP TABLE orders",
    "INSERT INTO orders VALUES (1, 2)",
    "SELECT 1; DROP TABLE orders",
    "WITH x AS (SELECT 1) DELETE FROM orders",
    "CREATE TABLE other (id INTEGER)",
    "ATTACH 'other.db' AS other",
    "PRAGMA user_version = 3",
    "VACUUM INTO 'copy.db'",
    "EXPLAIN ANALYZE DELETE FROM orders",
]


@pytest.mark.parametrize("sql", WRITES)
def test_writes_are_never_sent(
    engine: ConnectedEngine, monkeypatch: pytest.MonkeyPatch, sql: str
) -> None:
    def sent(place: object, sql: str) -> None:
        pytest.fail(f"sent: {sql}")

    monkeypatch.setattr(engine, "_ask", sent)
    assert engine.explain(sql) == ()


@pytest.mark.parametrize("sql", WRITES)
def test_without_the_guard_nothing_is_written_either(
    engine: ConnectedEngine, shop: Path, sql: str
) -> None:
    before = hashlib.sha256((shop / "shop.db").read_bytes()).digest()
    with suppress(NotAboutTheQuery, ValueError):
        engine._ask(place_of("sqlite:///shop.db", shop), sql)
    assert hashlib.sha256((shop / "shop.db").read_bytes()).digest() == before
    assert [file.name for file in shop.iterdir()] == ["shop.db"]


def test_tables_made_by_the_script_are_not_judged(engine: ConnectedEngine) -> None:
    assert engine.explain("SELECT 1 FROM staged", made=("Staged",)) == ()
    assert len(engine.explain("SELECT 1 FROM staged")) == 1


def test_a_database_out_of_reach_is_a_remark_and_is_left_alone(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    tried: list[str] = []

    def place(url: str, root: Path) -> object:
        tried.append(url)
        return place_of(url, root)

    monkeypatch.setattr("sqlscribe.checking.engine.connected.place_of", place)
    asked = connected_engine("sqlite:///none.db", tmp_path)
    assert asked.explain("SELECT 1") == ()
    assert "There is no database file" in asked.remark
    assert asked.explain("SELECT 1") == ()
    assert len(tried) == 1
    assert list(tmp_path.iterdir()) == []


def test_a_server_that_does_not_answer_is_a_remark_without_its_password(tmp_path: Path) -> None:
    pytest.importorskip("psycopg")
    asked = connected_engine("postgresql://ann:hunter2@127.0.0.1:1/shop", tmp_path, 2)
    assert asked.explain("SELECT 1") == ()
    assert "postgresql://ann:***@127.0.0.1:1/shop cannot be reached" in asked.remark
    assert "hunter2" not in asked.remark


# -- which queries are sent --------------------------------------------------------------


@pytest.mark.parametrize(
    ("sql", "dialect", "sent"),
    [
        ("SELECT 1", "postgres", True),
        ("(SELECT 1) UNION (SELECT 2)", "postgres", True),
        ("SELECT 'it''s ? and :x'", "postgres", True),
        ("SELECT * FROM t FOR UPDATE", "postgres", False),
        ("SELECT * INTO u FROM t", "postgres", False),
        ("SELECT pg_sleep(10)", "postgres", False),
        ("SELECT nextval('s')", "postgres", False),
        ("SELECT $1", "postgres", False),
        ("SELECT @total", "tsql", False),
        ("SELECT 1 /*! ; DROP TABLE t */", "mysql", False),
        ("SELECT load_file('/etc/passwd')", "mysql", False),
        ("SELECT * FROM read_csv('/etc/passwd')", "duckdb", False),
        ("SHOW TABLES", "mysql", False),
        ("SELECT FROM WHERE", "postgres", False),
    ],
)
def test_a_single_complete_read_may_be_sent(sql: str, dialect: str, sent: bool) -> None:
    assert sending.may_be_sent(sql, dialect) is sent


# -- where a message points --------------------------------------------------------------


@pytest.mark.parametrize(
    ("sql", "said", "word"),
    [
        ("SELECT o.totl FROM orders o", Said("no", 7), "o.totl"),
        ('SELECT "Tot l" FROM orders', Said("no", 7), '"Tot l"'),
        ("SELECT a\nFROM  b", Said("no", 13), "b"),
        ("SELECT a FROM b WHERE", Said("no", 21), "WHERE"),
        ("SELECT a FROM b WHERE  ", Said("no", 99), "WHERE"),
        ("SELECT a FROM b", Said("Unknown column 'b.a' in 'SELECT'"), "a"),
        ("SELECT a FROM shop.b", Said("Table 'x.b' doesn't exist"), "b"),
        ("SELECT f(a) FROM b", Said("FUNCTION shop.f does not exist"), "f"),
        ("  SELECT a FROM b", Said("Invalid use of group function"), "SELECT"),
        ("", Said("no", 0), ""),
        ("SELECT é", Said("no", -3), "SELECT"),
    ],
)
def test_the_span_is_the_word_that_is_meant(sql: str, said: Said, word: str) -> None:
    assert span_in(sql, said).of(sql) == word


def test_a_long_message_is_cut() -> None:
    assert len(finding("SELECT 1", Said("x " * 5_000), "MySQL").message) < 500


# -- engines of which there is no server here --------------------------------------------


class Refused(Exception):
    """The driver's error."""


class Cursor:
    def __init__(self, error: Exception | None) -> None:
        self.sent: list[str] = []
        self.error = error

    def execute(self, sql: str) -> None:
        self.sent.append(sql)
        if self.error is not None:
            raise self.error

    parse = execute

    def fetchall(self) -> list[object]:
        return []

    def close(self) -> None:
        self.sent.append("closed")


def connection(error: Exception | None) -> tuple[Any, Cursor]:
    cursor = Cursor(error)
    dialect = SimpleNamespace(loaded_dbapi=SimpleNamespace(Error=Refused), driver="")
    raw = SimpleNamespace(cursor=lambda: cursor)
    return SimpleNamespace(connection=raw, dialect=dialect), cursor


ORACLE = SimpleNamespace(code=904, offset=7, message='ORA-00904: "TOTL": invalid identifier\nHelp')


@pytest.mark.parametrize(
    ("dialect", "error", "wanted"),
    [
        ("oracle", Refused(ORACLE), Said('ORA-00904: "TOTL": invalid identifier', 7)),
        (
            "snowflake",
            Refused(
                "SQL compilation error: error line 3 at position 2\ninvalid identifier 'TOTL'"
            ),
            Said(
                "SQL compilation error: error line 3 at position 2\ninvalid identifier 'TOTL'", 9
            ),
        ),
        ("mysql", Refused(1054, "Unknown column 'totl' in 'SELECT'"),
         Said("Unknown column 'totl' in 'SELECT'")),
        ("mysql", Refused(1064, "You have an error in your SQL syntax; check the manual that"
                                " corresponds to your MySQL server version for the right syntax"
                                " to use near 'totl' at line 3"),
         Said("You have an error in your SQL syntax near 'totl' at line 2", 9)),
    ],
)  # fmt: skip
def test_refusals_are_placed(dialect: str, error: Exception, wanted: Said) -> None:
    asked, cursor = connection(error)
    assert ASKERS[dialect](asked, "SELECT\n  totl") == wanted
    assert cursor.sent[-1] == "closed"


@pytest.mark.parametrize(
    ("dialect", "error"),
    [
        ("oracle", Refused(SimpleNamespace(code=1031, offset=0, message="ORA-01031: rights"))),
        ("snowflake", Refused("390114: Authentication token has expired")),
        ("mysql", Refused(1142, "SELECT command denied to user")),
        ("mysql", Refused(2013, "Lost connection to MySQL server during query")),
    ],
)
def test_what_is_not_about_the_query_is_told_apart(dialect: str, error: Exception) -> None:
    asked, _ = connection(error)
    with pytest.raises(NotAboutTheQuery):
        ASKERS[dialect](asked, "SELECT 1")


@pytest.mark.parametrize(
    ("dialect", "sent"),
    [
        ("oracle", "SELECT 1"),
        ("snowflake", "EXPLAIN USING TEXT\nSELECT 1"),
        ("mysql", "EXPLAIN\nSELECT 1"),
    ],
)
def test_a_query_is_explained_and_not_run(dialect: str, sent: str) -> None:
    asked, cursor = connection(None)
    assert ASKERS[dialect](asked, "SELECT 1") is None
    assert cursor.sent == [sent, "closed"]


@pytest.mark.parametrize(
    ("row", "wanted"),
    [
        (None, None),
        ((207, "Invalid column name 'totl'."), Said("Invalid column name 'totl'.")),
    ],
)
def test_sql_server_describes_the_result(row: object, wanted: Said | None) -> None:
    given: list[object] = []

    def execute(statement: object, parameters: object) -> object:
        given.append(parameters)
        return SimpleNamespace(first=lambda: row)

    asked: Any = SimpleNamespace(execute=execute)
    assert ASKERS["tsql"](asked, "SELECT totl") == wanted
    assert given == [{"query": "SELECT totl"}]


def test_a_result_that_sql_server_cannot_describe_says_nothing_of_the_query() -> None:
    row = (11529, "The metadata could not be determined.")
    asked: Any = SimpleNamespace(execute=lambda *_: SimpleNamespace(first=lambda: row))
    with pytest.raises(NotAboutTheQuery):
        ASKERS["tsql"](asked, "SELECT 1")


class BadRequest(Exception):
    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


def test_bigquery_is_asked_for_a_dry_run(monkeypatch: pytest.MonkeyPatch) -> None:
    settings: list[dict[str, bool]] = []

    def config(**given: bool) -> dict[str, bool]:
        settings.append(given)
        return given

    def query(sql: str, job_config: object) -> None:
        raise BadRequest("Unrecognized name: totl at [2:3]")

    modules: dict[str, object] = {
        "google.cloud.bigquery": SimpleNamespace(QueryJobConfig=config),
        "google.api_core.exceptions": SimpleNamespace(BadRequest=BadRequest, NotFound=KeyError),
    }
    monkeypatch.setattr("sqlscribe.checking.engine.ask_servers.import_module", modules.__getitem__)
    raw = SimpleNamespace(driver_connection=SimpleNamespace(_client=SimpleNamespace(query=query)))
    asked: Any = SimpleNamespace(connection=raw)
    assert ASKERS["bigquery"](asked, "SELECT\n  totl") == Said(
        "Unrecognized name: totl at [2:3]", 9
    )
    assert settings == [{"dry_run": True, "use_query_cache": False}]
