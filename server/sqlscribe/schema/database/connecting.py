"""The one door to a live database: for reading only, bounded in time, always rolled back.

What each engine offers against writing is used: a file opened for reading, a session or a
transaction that refuses to write. The account's own rights are for the user to restrict.
"""

from __future__ import annotations

import configparser
import sqlite3
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Timer
from typing import TYPE_CHECKING, Any

from sqlscribe.errors import DatabaseError
from sqlscribe.schema.database.urls import Place, address_for_reading, place_of

if TYPE_CHECKING:
    from sqlalchemy import Connection, Engine

_STEPS = 10_000
"""Instructions of SQLite's machine between two looks at the clock."""

_READS = frozenset(
    {sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ, sqlite3.SQLITE_FUNCTION, sqlite3.SQLITE_RECURSIVE,
     sqlite3.SQLITE_PRAGMA, sqlite3.SQLITE_TRANSACTION}
)  # fmt: skip


@contextmanager
def connected(url: str, root: Path, timeout_seconds: float) -> Iterator[tuple[Connection, Place]]:
    """A connection that cannot write, for the block; what was done in it is rolled back.

    ``timeout_seconds`` bounds the connecting and each statement. Raises ``DatabaseError``,
    also for what fails inside the block.
    """
    place = place_of(url, root)
    with told_for(place):
        engine = engine_for(place, timeout_seconds)
        try:
            with opened(engine, place, timeout_seconds) as connection:
                yield connection, place
        finally:
            engine.dispose()


@contextmanager
def told_for(place: Place) -> Iterator[None]:
    """Turns what drivers and SQLAlchemy raise into one sentence without a password."""
    try:
        yield
    except _errors() as error:
        raise failure(error, place) from None


def _errors() -> tuple[type[Exception], ...]:
    """What can be raised where a database is asked.

    Drivers complain about parameters that they do not know with ``TypeError`` and
    ``ValueError``, and about files of options with those of the reader. Google's errors are no
    part of SQLAlchemy's.
    """
    from sqlalchemy.exc import SQLAlchemyError

    found: list[type[Exception]] = [SQLAlchemyError, OSError, ImportError, ValueError, TypeError]
    found += [LookupError, AttributeError, configparser.Error]
    for module, name in (
        ("google.auth.exceptions", "GoogleAuthError"),
        ("google.api_core.exceptions", "GoogleAPIError"),
    ):
        foreign = getattr(sys.modules.get(module), name, None)
        if isinstance(foreign, type) and issubclass(foreign, Exception):
            found.append(foreign)
    return tuple(found)


def failure(error: Exception, place: Place) -> DatabaseError:
    """One sentence about ``error``, with the engine's own words."""
    from sqlalchemy.exc import NoSuchModuleError

    if isinstance(error, NoSuchModuleError | ImportError):
        extra = place.backend.extra
        message = f"The driver is not installed; this installs it: pip install 'sqlscribe[{extra}]'"
        return DatabaseError(message, kind="no_driver")
    said = place.without_secrets(words_of(error))
    kind = _kind(error, said)
    what = "cannot be reached" if kind == "unreachable" else "cannot be read"
    return DatabaseError(f"The database {place.shown} {what}: {said}", kind=kind)


def words_of(error: BaseException) -> str:
    """What the engine says: its own first lines, without SQLAlchemy's frame around them."""
    original = getattr(error, "orig", None) or error
    args = original.args
    # MySQL's drivers give a number and a text, pymssql a number and bytes.
    text = args[1] if len(args) == 2 and isinstance(args[0], int) else str(original)
    if isinstance(text, bytes):
        text = text.decode("utf-8", "replace")
    lines = [line.strip() for line in str(text).splitlines() if line.strip()]
    return " ".join(lines[:3])[:500] or type(original).__name__


_TIMED_OUT = ("timeout", "timed out", "time limit", "max_statement_time", "max_execution_time",
              "maximum statement execution time", "interrupt")  # fmt: skip
_UNREACHABLE = ("connect", "could not translate host", "name or service", "lost", "gone away",
                "refused", "unreachable", "authentication", "access denied", "login")  # fmt: skip


def _kind(error: Exception, said: str) -> str:
    lowered = said.lower()
    if any(word in lowered for word in _TIMED_OUT):
        return "timed_out"
    if isinstance(error, OSError) or any(word in lowered for word in _UNREACHABLE):
        return "unreachable"
    return "failed"


def engine_for(place: Place, timeout_seconds: float) -> Engine:
    """SQLAlchemy's engine for a place; nothing is connected yet."""
    from sqlalchemy import create_engine
    from sqlalchemy.pool import NullPool

    arguments = _arguments(place, timeout_seconds)
    url = place.url
    if place.dialect == "sqlite":
        assert place.file is not None
        open_file = _sqlite_opener(place.file, timeout_seconds)
        return create_engine("sqlite+pysqlite://", creator=open_file, poolclass=NullPool)
    if place.dialect == "duckdb":
        url = url.set(database=str(place.file))
    return create_engine(url, connect_args=arguments, poolclass=NullPool)


# The server stops a statement first and says why; the driver gives up only on a silent one.
_GRACE_SECONDS = 5


def _arguments(place: Place, seconds: float) -> dict[str, Any]:
    """What the driver is told: time-outs, and to open for reading where it can be told so.

    No server of MySQL may fetch a file from this machine, whatever the URL says.
    """
    whole = max(1, round(seconds))
    match place.url.drivername.partition("+")[2] or place.backend.driver:
        case "psycopg" | "psycopg2":
            given = place.url.query.get("options", "")
            own = f"-c default_transaction_read_only=on -c statement_timeout={int(seconds * 1000)}"
            options = f"{given if isinstance(given, str) else ' '.join(given)} {own}".strip()
            return {"connect_timeout": max(2, whole), "options": options}
        case "pymysql":
            patience = whole + _GRACE_SECONDS
            times = {"read_timeout": patience, "write_timeout": patience}
            return {"connect_timeout": whole, **times, "local_infile": False}
        case "mysqldb":
            return {"connect_timeout": whole, "local_infile": 0}
        case "duckdb":
            return {"read_only": True, "config": dict(_DUCKDB)}
        case "pymssql":
            return {"login_timeout": whole, "timeout": whole}
        case "pyodbc":
            return {"timeout": whole, "readonly": True}
        case "oracledb":
            return {"tcp_connect_timeout": seconds}
        case "snowflake":
            limits = {"STATEMENT_TIMEOUT_IN_SECONDS": whole}
            return {"login_timeout": whole, "session_parameters": limits}
    return {}


# Nothing is installed or fetched because a query would like an extension.
_DUCKDB = {
    "autoinstall_known_extensions": "false",
    "enable_external_access": "false",
    "lock_configuration": "true",
    "python_enable_replacements": "false",
    "threads": "1",
}


def _sqlite_opener(file: Path, seconds: float) -> Callable[[], sqlite3.Connection]:
    def open_file() -> sqlite3.Connection:
        connection = sqlite3.connect(
            address_for_reading(file), uri=True, timeout=seconds, isolation_level=None
        )
        connection.execute("PRAGMA query_only = ON")
        connection.set_authorizer(_only_reads)
        return connection

    return open_file


def _only_reads(action: int, first: str | None, second: str | None, *_: str | None) -> int:
    # A pragma with a value may be a setting; those that describe a table are no setting.
    setting = (
        action == sqlite3.SQLITE_PRAGMA
        and second is not None
        and not str(first).lower().endswith(("_info", "_xinfo", "_list"))
    )
    # A virtual table such as json_each says so when it declares its own columns; nothing
    # writes into sqlite_master as long as writable_schema is off.
    declares = action == sqlite3.SQLITE_UPDATE and first == "sqlite_master"
    allowed = declares or (action in _READS and not setting)
    return sqlite3.SQLITE_OK if allowed else sqlite3.SQLITE_DENY


@contextmanager
def opened(engine: Engine, place: Place, timeout_seconds: float) -> Iterator[Connection]:
    """A connection in a transaction that only reads, rolled back and closed at the end."""
    connection = connect(engine, place, timeout_seconds)
    try:
        yield connection
    finally:
        # Closing rolls back; a broken connection is no reason to hide what broke it.
        connection.close()


def connect(engine: Engine, place: Place, timeout_seconds: float) -> Connection:
    """Connect, and tell the session that it may not write. The caller closes."""
    from sqlalchemy.exc import OperationalError

    try:
        connection = engine.connect()
    except OperationalError as error:
        if "startup parameter" not in str(error.orig):
            raise
        # Some connection poolers take no options; then the transaction alone is read-only.
        plain = engine.url.difference_update_query(["options"])
        connection = _without_options(plain, timeout_seconds).connect()
    try:
        prepare(connection, place, timeout_seconds)
    except BaseException:
        connection.close()
        raise
    return connection


def _without_options(url: Any, seconds: float) -> Engine:
    from sqlalchemy import create_engine
    from sqlalchemy.pool import NullPool

    arguments = {"connect_timeout": max(2, round(seconds))}
    return create_engine(url, connect_args=arguments, poolclass=NullPool)


def prepare(connection: Connection, place: Place, seconds: float) -> None:
    """Bind a transaction that has just begun to reading and to its time."""
    milliseconds = int(seconds * 1000)
    match place.dialect:
        case "postgres":
            connection.execution_options(postgresql_readonly=True)
            connection.exec_driver_sql(f"SET LOCAL statement_timeout = {milliseconds}")
            connection.exec_driver_sql(f"SET LOCAL lock_timeout = {milliseconds}")
        case "mysql":
            connection.exec_driver_sql("SET SESSION TRANSACTION READ ONLY")
            limit = f"max_execution_time = {milliseconds}"
            if getattr(connection.dialect, "is_mariadb", False):
                limit = f"max_statement_time = {seconds}"
            connection.exec_driver_sql(f"SET SESSION {limit}")
            connection.rollback()
        case "oracle":
            _driver_connection(connection).call_timeout = milliseconds
            connection.exec_driver_sql("SET TRANSACTION READ ONLY")
        case "tsql":
            connection.exec_driver_sql(f"SET LOCK_TIMEOUT {milliseconds}")


def _driver_connection(connection: Connection) -> Any:
    return connection.connection.driver_connection


@contextmanager
def bounded(connection: Connection, place: Place, seconds: float) -> Iterator[None]:
    """Stops what runs in the block after ``seconds``, in engines that cannot do so themselves."""
    raw = _driver_connection(connection)
    if place.dialect == "sqlite":
        end = time.monotonic() + seconds
        raw.set_progress_handler(lambda: time.monotonic() > end, _STEPS)
        try:
            yield
        finally:
            raw.set_progress_handler(None, 0)
    elif place.dialect == "duckdb":
        timer = Timer(seconds, raw.interrupt)
        timer.daemon = True
        timer.start()
        try:
            yield
        finally:
            timer.cancel()
    else:
        yield
