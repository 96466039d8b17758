"""SQLite's catalogue: the statements that made each table, and what PRAGMA says of its columns."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from sqlscribe.notation.document import Document
from sqlscribe.schema import ddl
from sqlscribe.schema.model import Column, Schema, Table

if TYPE_CHECKING:
    from sqlalchemy import Connection

_STATEMENTS = """
SELECT name, type, sql FROM sqlite_master
WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY rowid
"""
_COLUMNS = 'SELECT name, type, "notnull", hidden FROM pragma_table_xinfo({name}) ORDER BY cid'
_SHADOWS = "SELECT name FROM pragma_table_list WHERE type = 'shadow'"


def read_sqlite(connection: Connection) -> tuple[Schema, list[str]]:
    """The schema of the file, and remarks on what of it could not be read.

    The statements give keys, checks and the comments that people wrote; the columns are
    those that SQLite itself sees.
    """
    from sqlalchemy.exc import DBAPIError

    rows = connection.exec_driver_sql(_STATEMENTS).fetchall()
    # Not before: what fails here is passed over, and a lock would be waited for twice.
    shadows = _shadow_tables(connection)
    texts = {name: str(sql or "") for name, _, sql in rows if name not in shadows}
    script = ";\n".join(texts.values()) + ";\n"
    nowhere = Path("database.sql")
    read = ddl.read(Document("file:///database.sql", script), nowhere, "sqlite")
    known = {table.name: table for table in ddl.replay([read]).tables}
    kinds = {name: kind for name, kind, _ in rows}
    tables, remarks = [], []
    for name in texts:
        table = known.get(name, Table(name, (), kind=kinds[name], partly_understood=True))
        try:
            tables.append(_as_sqlite_sees_it(connection, table))
        except DBAPIError as error:
            # A view of a table that is gone, a virtual table of a module that is not here.
            remarks.append(f"The columns of {name} could not be read: {error.orig}.")
            tables.append(replace(table, file=None, line=0, partly_understood=True))
    return Schema(tuple(tables)), remarks


def _shadow_tables(connection: Connection) -> frozenset[str]:
    """The tables in which full-text search and its kin keep their own data."""
    from sqlalchemy.exc import DBAPIError

    try:
        return frozenset(row[0] for row in connection.exec_driver_sql(_SHADOWS))
    except DBAPIError:
        # SQLite before 3.37 does not tell them apart; they are listed with the others.
        return frozenset()


def _as_sqlite_sees_it(connection: Connection, table: Table) -> Table:
    literal = "'" + table.name.replace("'", "''") + "'"
    rows = connection.exec_driver_sql(_COLUMNS.format(name=literal))
    required = {name.casefold() for name in table.primary_key}
    columns = []
    for name, type_, not_null, hidden in rows:
        if hidden == 1:
            continue
        column = table.column(name) or Column(name)
        nullable = not not_null and name.casefold() not in required
        columns.append(replace(column, name=name, type=type_ or column.type, nullable=nullable))
    partly = table.partly_understood and (table.kind == "table" or not columns)
    return replace(table, columns=tuple(columns), file=None, line=0, partly_understood=partly)
