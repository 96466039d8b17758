"""The values that a database holds: what a column is filled with, and from where to where."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from sqlscribe.knowledge.profiling import ColumnValues
from sqlscribe.schema.database.connecting import bounded, connected, prepare, words_of
from sqlscribe.schema.database.urls import Place
from sqlscribe.schema.identifiers import folds
from sqlscribe.schema.model import Column, Schema, Table

if TYPE_CHECKING:
    from sqlalchemy import ColumnClause, Connection, Select, TableClause


_LONGEST = 200
"""Characters of a value; a longer one is prose, and no value to choose from."""

_LISTED = re.compile(
    r"(?:n?(?:var)?char|character|n?text|string|clob|varchar2|nvarchar2|enum|bool|tinytext|bit\b"
    r"|citext|bpchar|name\b|lowcardinality|domain)",
    re.IGNORECASE,
)
_RANGED = re.compile(
    # A type that is a range itself has no smallest value, and the length of a time says little.
    r"(?!interval|\w*range\b)(?:date|time|year|(?:small|big|tiny|medium|u|huge|int)*int|integer"
    r"|serial|bigserial|number|numeric|decimal|real|double|float|money|smallmoney)",
    re.IGNORECASE,
)


def profile_columns(
    url: str,
    schema: Schema,
    *,
    root: Path,
    most_distinct: int = 50,
    most_rows: int = 100_000,
    timeout_seconds: float = 10,
    skip: Callable[[Table, Column], bool] = lambda table, column: False,
    keep: bool = False,
) -> tuple[ColumnValues, ...]:
    """The values of the columns of ``schema``'s tables that ``skip`` does not leave out.

    Distinct values come from the first ``most_rows`` rows; of a column with more than
    ``most_distinct`` of them some are given with ``keep``, else none. ``timeout_seconds`` bounds
    each statement. A column that cannot be read has a ``problem``. Raises ``DatabaseError`` where
    the database cannot be reached. This reads data: call it only where a person asked for it.
    """
    with connected(url, root, timeout_seconds) as (connection, place):
        reader = _Reader(connection, place, most_distinct, most_rows, timeout_seconds, keep)
        return tuple(
            reader.read(table, column, kind)
            for table in schema.tables
            if table.kind == "table" and not table.parent
            for column in table.columns
            if (kind := kind_of(column)) is not None and not skip(table, column)
        )


def kind_of(column: Column) -> Literal["listed", "ranged"] | None:
    """Whether a column's values can be listed, or have a range; ``None``: neither."""
    if column.values:
        return "listed"
    type_ = column.type.strip('"` ')
    if not type_ or type_.endswith("]"):
        return None
    if _LISTED.match(type_):
        return "listed"
    return "ranged" if _RANGED.match(type_) else None


@dataclass(frozen=True)
class _Reader:
    connection: Connection
    place: Place
    most_distinct: int
    most_rows: int
    seconds: float
    keep: bool

    def read(self, table: Table, column: Column, kind: Literal["listed", "ranged"]) -> ColumnValues:
        from sqlalchemy.exc import DBAPIError

        name = (table.qualified_name, column.name)
        try:
            with bounded(self.connection, self.place, self.seconds):
                if kind == "listed":
                    return self.listed(name, table, column)
                return self.ranged(name, table, column)
        except DBAPIError as error:
            if error.connection_invalidated:
                raise
            # PostgreSQL refuses all else in a transaction with an error.
            self.connection.rollback()
            prepare(self.connection, self.place, self.seconds)
            return ColumnValues(*name, problem=self.place.without_secrets(words_of(error)))

    def listed(self, name: tuple[str, str], table: Table, column: Column) -> ColumnValues:
        query = _distinct(table, column, self.place.dialect, self.most_rows, self.most_distinct + 1)
        found = [row[0] for row in self.connection.execute(query)]
        values = tuple(sorted(dict.fromkeys(_texts(found))))
        if len(found) > self.most_distinct or any(len(value) > _LONGEST for value in values):
            short = tuple(value for value in values if len(value) <= _LONGEST)
            return ColumnValues(*name, short if self.keep else (), distinct_more=True)
        return ColumnValues(*name, values=values)

    def ranged(self, name: tuple[str, str], table: Table, column: Column) -> ColumnValues:
        from sqlalchemy import func, select

        source, field = _named(table, column, self.place.dialect)
        row = self.connection.execute(select(func.min(field), func.max(field)).select_from(source))
        lowest, highest = row.one()
        ends = (*_texts([lowest]), *_texts([highest]))
        return (
            ColumnValues(*name, minimum=ends[0], maximum=ends[1])
            if len(ends) == 2
            else (ColumnValues(*name))
        )


def _distinct(table: Table, column: Column, dialect: str, most_rows: int, most: int) -> Select[Any]:
    from sqlalchemy import select

    source, field = _named(table, column, dialect)
    some = select(field).select_from(source).where(field.is_not(None)).limit(most_rows).subquery()
    return select(some.c[0]).distinct().limit(most)


def _named(table: Table, column: Column, dialect: str) -> tuple[TableClause, ColumnClause[Any]]:
    """The table and the column with their names as this engine wants them."""
    from sqlalchemy import column as field
    from sqlalchemy import table as source

    schema = table.schema or None
    return (
        source(_name(table.name, table.quoted, dialect), schema=schema),
        field(_name(column.name, column.quoted, dialect)),
    )


def _name(name: str, quoted: bool, dialect: str) -> str:
    """SQLAlchemy quotes what is not lower case, and takes lower case for what folds."""
    from sqlalchemy.sql import quoted_name

    if quoted:
        return quoted_name(name, quote=True)
    return name.lower() if folds(dialect) else name


def _texts(values: list[Any]) -> Iterator[str]:
    for value in values:
        if isinstance(value, bool):
            yield "true" if value else "false"
        elif isinstance(value, Decimal):
            yield format(value, "f")
        elif isinstance(value, bytes):
            continue
        elif value is not None:
            yield str(value)
