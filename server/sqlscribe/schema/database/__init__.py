"""What a live database looks like, and which values its columns hold. It is never changed.

    url ─ urls ─► Place ─ connecting ─► a connection that cannot write
        ─ the engine's own catalogue ─► rows ─► Schema

Engines whose catalogue we know are asked directly, for types exactly as they spell them; the
others are read by SQLAlchemy's inspector.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from sqlscribe.knowledge.profiling import ColumnValues
from sqlscribe.schema.database.connecting import bounded, connected
from sqlscribe.schema.database.duckdb import read_duckdb
from sqlscribe.schema.database.inspector import read_by_inspector
from sqlscribe.schema.database.mysql import read_mysql
from sqlscribe.schema.database.postgres import read_postgres
from sqlscribe.schema.database.rows import Catalogue, schema_of
from sqlscribe.schema.database.sqlite import read_sqlite
from sqlscribe.schema.database.urls import borrowed, stays_inside
from sqlscribe.schema.database.values import profile_columns
from sqlscribe.schema.model import Schema

if TYPE_CHECKING:
    from sqlalchemy import Connection

__all__ = [
    "ColumnValues",
    "LiveSchema",
    "borrowed",
    "profile_columns",
    "read_schema",
    "stays_inside",
]


@dataclass(frozen=True)
class LiveSchema:
    """``dialect`` is the engine's, ``remarks`` are sentences on what could not be read."""

    schema: Schema
    dialect: str
    remarks: tuple[str, ...] = ()


def read_schema(
    url: str,
    *,
    root: Path,
    timeout_seconds: float = 10,
    only_schemas: Sequence[str] = (),
) -> LiveSchema:
    """The tables and views of a database, without the system's own.

    ``url`` is SQLAlchemy's, or shorter, with ``${NAME}`` already filled in; the file of a
    relative one lies in ``root``. ``timeout_seconds`` bounds the connecting and each
    statement. Raises ``DatabaseError``.
    """
    with (
        connected(url, root, timeout_seconds) as (connection, place),
        bounded(connection, place, timeout_seconds),
    ):
        if place.dialect == "sqlite":
            schema, remarks = read_sqlite(connection)
            return LiveSchema(schema, "sqlite", _told(schema, remarks))
        found = _catalogue(connection, place.dialect, only_schemas)
        schema = schema_of(found, place.dialect, _bare_schema(connection, place.dialect))
        return LiveSchema(schema, place.dialect, _told(schema, found.remarks))


def _catalogue(connection: Connection, dialect: str, only: Sequence[str]) -> Catalogue:
    match dialect:
        case "postgres":
            return read_postgres(connection, only)
        case "mysql":
            return read_mysql(connection, only)
        case "duckdb":
            return read_duckdb(connection, only)
    return read_by_inspector(connection, only, dialect)


def _bare_schema(connection: Connection, dialect: str) -> str:
    """The schema that nobody writes before a table's name, where the engine has such a one."""
    if dialect == "duckdb":
        return "main"
    if dialect in ("mysql", "oracle"):
        return str(connection.dialect.default_schema_name or "")
    return ""


def _told(schema: Schema, remarks: Sequence[str]) -> tuple[str, ...]:
    if schema.tables:
        return tuple(remarks)
    return (*remarks, "The database holds no table that this account may see.")
