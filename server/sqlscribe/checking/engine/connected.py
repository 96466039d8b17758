"""The database that a workspace names, asked about single queries and never told to run one."""

from __future__ import annotations

import re
import time
from collections.abc import Collection
from pathlib import Path
from threading import Lock, Timer
from typing import TYPE_CHECKING, Any

from sqlscribe.checking.engine import ask_duckdb
from sqlscribe.checking.engine.answers import Said, finding
from sqlscribe.checking.engine.ask_servers import ASKERS, NotAboutTheQuery
from sqlscribe.checking.engine.sending import may_be_sent
from sqlscribe.errors import DatabaseError
from sqlscribe.notation.findings import Finding
from sqlscribe.schema.database.connecting import connect, engine_for, prepare, told_for
from sqlscribe.schema.database.urls import Place, address_for_reading, place_of

if TYPE_CHECKING:
    from sqlalchemy import Connection

_REST_SECONDS = 30.0
"""How long a database that could not be reached is left alone, and an unused one kept open."""

_NAMES = {
    "sqlite": "SQLite",
    "duckdb": "DuckDB",
    "postgres": "PostgreSQL",
    "mysql": "MySQL",
    "tsql": "SQL Server",
    "oracle": "Oracle",
    "snowflake": "Snowflake",
    "bigquery": "BigQuery",
}
_END = re.compile(r"[\s;]+\Z")


class ConnectedEngine:
    """One connection to one database, for one question at a time.

    A database that cannot be reached says nothing about a query: that is a ``remark``.
    """

    def __init__(self, url: str, root: Path, timeout_seconds: float) -> None:
        self._url = url
        self._root = root
        self._seconds = timeout_seconds
        self._lock = Lock()
        self._connection: Connection | None = None
        self._closing: Timer | None = None
        self._rest_until = 0.0
        self.name = "The database"
        self.remark = ""

    def explain(self, sql: str, *, made: Collection[str] = ()) -> tuple[Finding, ...]:
        with self._lock:
            if time.monotonic() < self._rest_until:
                return ()
            try:
                place = place_of(self._url, self._root)
                if not _may_be_asked(sql, place.dialect, made):
                    return ()
                self.name = self._name(place)
                with told_for(place):
                    said = self._ask(place, _END.sub("", sql))
            except DatabaseError as error:
                self._drop()
                self.remark = str(error)
                self._rest_until = time.monotonic() + _REST_SECONDS
                return ()
            except NotAboutTheQuery as error:
                self.remark = f"{self.name} could not check a query: {_plain(place, error)}"
                return ()
            self.remark = ""
            return () if said is None else (finding(sql, _masked(place, said), self.name),)

    def close(self) -> None:
        with self._lock:
            self._drop()

    def _name(self, place: Place) -> str:
        is_mariadb = getattr(getattr(self._connection, "dialect", None), "is_mariadb", False)
        return "MariaDB" if is_mariadb else _NAMES[place.dialect]

    def _ask(self, place: Place, sql: str) -> Said | None:
        if place.file is not None:
            asker = _ask_sqlite_file if place.dialect == "sqlite" else _ask_duckdb_file
            return asker(place.file, sql, self._seconds)
        connection = self._open(place)
        self.name = self._name(place)
        try:
            said = ASKERS[place.dialect](connection, sql)
        finally:
            # Nothing was written; the transaction ends all the same, and the next one begins.
            if not connection.closed and not connection.invalidated:
                connection.rollback()
        return said

    def _open(self, place: Place) -> Connection:
        if self._connection is not None and not _answers(self._connection):
            self._drop()
        if self._connection is None:
            engine = engine_for(place, self._seconds)
            self._connection = connect(engine, place, self._seconds)
        else:
            prepare(self._connection, place, self._seconds)
        if self._closing is not None:
            self._closing.cancel()
        self._closing = Timer(_REST_SECONDS, self.close)
        self._closing.daemon = True
        self._closing.start()
        return self._connection

    def _drop(self) -> None:
        if self._closing is not None:
            self._closing.cancel()
            self._closing = None
        if self._connection is not None:
            connection, self._connection = self._connection, None
            # Without a rollback, which a broken connection could not do: the server does it.
            connection.invalidate()
            connection.close()


def _answers(connection: Connection) -> bool:
    """Whether a connection that was kept is still one: servers restart, and drop idle ones."""
    from sqlalchemy.exc import SQLAlchemyError

    driver: Any = connection.dialect.loaded_dbapi
    raw: Any = connection.connection.dbapi_connection
    try:
        return connection.dialect.do_ping(raw)
    except (SQLAlchemyError, driver.Error, OSError):
        return False


def _may_be_asked(sql: str, dialect: str, made: Collection[str]) -> bool:
    """The engine sees nothing that the script makes before the query."""
    if not may_be_sent(sql, dialect):
        return False
    return not any(re.search(rf"(?<!\w){re.escape(name)}(?!\w)", sql, re.I) for name in made)


def _masked(place: Place, said: Said) -> Said:
    return Said(place.without_secrets(said.message), said.offset)


def _plain(place: Place, error: Exception) -> str:
    return place.without_secrets(" ".join(str(error).split()))


def _ask_sqlite_file(file: Path, sql: str, seconds: float) -> Said | None:
    """Opened anew for each question: that costs nothing, and an idle file is nobody's burden."""
    import apsw

    from sqlscribe.checking.engine import ask_sqlite

    try:
        flags = apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI
        connection = apsw.Connection(address_for_reading(file), flags=flags)
        try:
            connection.set_busy_timeout(int(seconds * 1000))
            connection.execute("PRAGMA query_only = ON")
            said = ask_sqlite.ask(connection, sql, seconds)
        finally:
            connection.close()
    except apsw.Error as error:
        raise ValueError(str(error)) from None
    if said is None:
        return None
    believed = (
        ask_sqlite.is_syntax(said)
        or ask_sqlite.is_about_names(said, frozenset())
        or ask_sqlite.is_missing_table(said)
    )
    if not believed:
        raise NotAboutTheQuery(said.message)
    return said


def _ask_duckdb_file(file: Path, sql: str, seconds: float) -> Said | None:
    """Opened anew for each question: a file that is open keeps others from writing to it."""
    import duckdb

    config = {**ask_duckdb.SAFE, "lock_configuration": "true"}
    try:
        connection = duckdb.connect(str(file), read_only=True, config=config)
    except duckdb.Error as error:
        raise ValueError(str(error)) from None
    try:
        said = ask_duckdb.ask(connection, sql, seconds)
    finally:
        connection.close()
    if said is None:
        return None
    believed = (
        ask_duckdb.is_syntax(said)
        or ask_duckdb.is_about_names(said, frozenset())
        or ask_duckdb.is_about_types(said, frozenset())
        or ask_duckdb.is_missing_table(said)
    )
    if not believed:
        raise NotAboutTheQuery(said.message)
    return said
