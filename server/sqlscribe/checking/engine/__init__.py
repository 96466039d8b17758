"""The engine's own word on a query: what it refuses, in its own words, at the place it means.

A query is only ever explained, never run: on the database that the workspace names, or on an
empty one in memory that is made from the schema. What an engine says about itself, and not
about the query, is no finding: a lost connection, a copy that lacks a function.
"""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path
from typing import Protocol

from sqlscribe.checking.engine.connected import ConnectedEngine
from sqlscribe.checking.engine.memory import DuckDBInMemory, SQLiteInMemory, duckdb_is_there
from sqlscribe.notation.findings import Finding
from sqlscribe.schema.model import Schema

__all__ = ["Engine", "connected_engine", "memory_engine"]


class Engine(Protocol):
    """Something that can be asked from several threads at once. It never raises."""

    @property
    def name(self) -> str:
        """The engine's name for people: ``PostgreSQL``."""

    @property
    def remark(self) -> str:
        """Why nothing can be said at the moment, as a sentence; ``""`` where all is well."""

    def explain(self, sql: str, *, made: Collection[str] = ()) -> tuple[Finding, ...]:
        """What the engine refuses in one statement, as ``engine/error``.

        Nothing is said of what is not a single read. ``made`` are the tables and variables
        that earlier statements of the same script make, which the engine does not see.
        """

    def close(self) -> None:
        """Let go of what is open; the next question opens it again."""


def memory_engine(schema: Schema, dialect: str) -> Engine | None:
    """An empty database in memory with the tables of ``schema``, made as they are needed.

    ``None`` for engines that do not run inside this process, or are not installed.
    """
    if dialect == "sqlite":
        return SQLiteInMemory(schema)
    if dialect == "duckdb" and duckdb_is_there():
        return DuckDBInMemory(schema)
    return None


def connected_engine(url: str, root: Path, timeout_seconds: float = 10) -> Engine:
    """The database at ``url``; see ``schema.database.read_schema``. Nothing is opened yet."""
    return ConnectedEngine(url, root, timeout_seconds)
