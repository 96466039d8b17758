"""Empty databases in memory, with just the tables that a query reads."""

from __future__ import annotations

import re
from collections.abc import Collection
from contextlib import suppress
from importlib.util import find_spec
from threading import Lock
from typing import TYPE_CHECKING

from sqlscribe.checking.engine import ask_duckdb
from sqlscribe.checking.engine.answers import Said, finding
from sqlscribe.checking.engine.sending import Reads, may_be_parsed, may_be_sent, reads
from sqlscribe.notation.findings import Finding
from sqlscribe.schema.identifiers import DEFAULT_SCHEMAS, quote
from sqlscribe.schema.model import Schema, Table

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

_SECONDS = 2.0
"""Longer than any sensible query takes to plan on empty tables."""


class SQLiteInMemory:
    """SQLite on a copy of the schema. Each question makes its own, in about 0.1 ms."""

    name = "SQLite"
    remark = ""

    def __init__(self, schema: Schema) -> None:
        self._schema = schema

    def explain(self, sql: str, *, made: Collection[str] = ()) -> tuple[Finding, ...]:
        # Importing apsw takes 30 ms that nobody should wait for who does not ask.
        from sqlscribe.checking.engine import ask_sqlite

        if may_be_sent(sql, "sqlite"):
            read = reads(sql, self._schema, "sqlite", made)
        elif may_be_parsed(sql, "sqlite"):
            read = Reads()
        else:
            return ()
        said, complete = self._asked(sql, read.tables)
        if said is None:
            return ()
        believed = ask_sqlite.is_syntax(said) or (
            read.understood and complete and ask_sqlite.is_about_names(said, self._schema.functions)
        )
        return (finding(sql, said, self.name),) if believed else ()

    def close(self) -> None:
        """Nothing is kept open."""

    def _asked(self, sql: str, tables: Collection[Table]) -> tuple[Said | None, bool]:
        import apsw

        from sqlscribe.checking.engine import ask_sqlite

        connection = apsw.Connection(":memory:")
        try:
            complete = True
            for table in tables:
                if table.schema.casefold() not in DEFAULT_SCHEMAS:
                    complete = False
                    continue
                try:
                    connection.execute(_sqlite_table(table))
                except apsw.SQLError:
                    complete = False
            return ask_sqlite.ask(connection, sql, _SECONDS), complete
        except apsw.Error:
            # SQLite's own limits, of size and of time: nothing is known then.
            return None, False
        finally:
            connection.close()


def _sqlite_table(table: Table) -> str:
    """Names alone: no type can make SQLite refuse a query."""
    columns = ", ".join(quote(column.name, "sqlite") for column in table.columns) or '"?"'
    return f"CREATE TABLE {quote(table.name, 'sqlite')} ({columns})"


def duckdb_is_there() -> bool:
    return find_spec("duckdb") is not None


_PLAIN_TYPE = re.compile(r"[\w\s(),.'\"\[\]<>-]+")


class DuckDBInMemory:
    """DuckDB on a copy of the schema, which is opened once and grows as it is asked."""

    name = "DuckDB"
    remark = ""

    def __init__(self, schema: Schema) -> None:
        self._schema = schema
        self._lock = Lock()
        self._connection: DuckDBPyConnection | None = None
        self._made: dict[tuple[str, str], bool] = {}

    def explain(self, sql: str, *, made: Collection[str] = ()) -> tuple[Finding, ...]:
        if may_be_sent(sql, "duckdb"):
            read = reads(sql, self._schema, "duckdb", made)
        elif may_be_parsed(sql, "duckdb"):
            read = Reads()
        else:
            return ()
        with self._lock:
            # A list, not a generator: every table is to be made.
            exact = all([self._has(table) for table in read.tables])
            said = ask_duckdb.ask(self._open(), sql, _SECONDS)
        if said is None:
            return ()
        functions = self._schema.functions
        complete = read.understood and None not in [
            self._made.get((table.schema, table.name)) for table in read.tables
        ]
        believed = (
            ask_duckdb.is_syntax(said)
            or (complete and ask_duckdb.is_about_names(said, functions))
            or (complete and exact and ask_duckdb.is_about_types(said, functions))
        )
        return (finding(sql, said, self.name),) if believed else ()

    def close(self) -> None:
        with self._lock:
            if self._connection is not None:
                self._connection.close()
            self._connection, self._made = None, {}

    def _open(self) -> DuckDBPyConnection:
        import duckdb

        if self._connection is None:
            self._connection = duckdb.connect(":memory:", config=dict(ask_duckdb.SAFE))
            # Planning is what finds errors; folding constants would find those of the data.
            self._connection.execute("PRAGMA disable_optimizer")
            with suppress(duckdb.CatalogException):
                # It reads no files, for which newer versions keep eight threads ready.
                self._connection.execute("SET async_threads = 0")
        return self._connection

    def _has(self, table: Table) -> bool:
        """Make the table where it is not there yet; true where its types are the real ones."""
        key = (table.schema, table.name)
        if key not in self._made:
            exact = self._make(table)
            if exact is not None:
                self._made[key] = exact
        return self._made.get(key, False)

    def _make(self, table: Table) -> bool | None:
        """Whether the types are the real ones; ``None`` where the table cannot be made at all."""
        import duckdb

        schema = "main" if table.schema.casefold() in DEFAULT_SCHEMAS else table.schema
        if "." in schema:
            return None
        connection = self._open()
        typed = all(_PLAIN_TYPE.fullmatch(column.type) for column in table.columns)
        for exact in (True, False) if typed else (False,):
            try:
                with ask_duckdb.interrupted_after(connection, _SECONDS):
                    connection.execute(f"CREATE SCHEMA IF NOT EXISTS {quote(schema, 'duckdb')}")
                    connection.execute(_duckdb_table(table, schema, exact=exact))
            except duckdb.Error:
                continue
            return exact
        return None


def _duckdb_table(table: Table, schema: str, *, exact: bool) -> str:
    columns = ", ".join(
        f"{quote(column.name, 'duckdb')} {column.type if exact else 'VARCHAR'}"
        for column in table.columns
    )
    name = f"{quote(schema, 'duckdb')}.{quote(table.name, 'duckdb')}"
    return f"CREATE TABLE {name} ({columns})"
