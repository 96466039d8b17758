"""One schema from several sources: scripts, dbt, files with rows, a live database."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from sqlscribe.schema.identifiers import DEFAULT_SCHEMAS
from sqlscribe.schema.model import Column, Schema, Table


def merged(schemas: Iterable[Schema]) -> Schema:
    """All tables of all schemas; of one that several define, the first says what it is.

    Later ones fill in what the first leaves open: comments, allowed values, types, keys, and
    the columns of a table that was only partly understood.
    """
    tables: list[Table] = []
    functions: set[str] = set()
    for schema in schemas:
        functions |= schema.functions
        # Only other sources describe the same table again: within one, T and "t" are two.
        known = {_key(table): number for number, table in enumerate(tables)}
        for table in schema.tables:
            number = known.get(_key(table))
            if number is None:
                tables.append(table)
            else:
                tables[number] = _filled(tables[number], table)
    return Schema(tuple(tables), frozenset(functions))


def _key(table: Table) -> tuple[str, str]:
    schema = table.schema.casefold()
    return ("" if schema in DEFAULT_SCHEMAS else schema, table.name.casefold())


def _filled(first: Table, other: Table) -> Table:
    columns = tuple(_filled_column(column, other.column(column.name)) for column in first.columns)
    partly = first.partly_understood
    if partly:
        # Whoever knows all columns completes the table; two halves stay halves.
        known = {column.name.casefold() for column in columns}
        columns += tuple(c for c in other.columns if c.name.casefold() not in known)
        partly = other.partly_understood
    return replace(
        first,
        columns=columns,
        schema=first.schema or other.schema,
        comment=first.comment or other.comment,
        primary_key=first.primary_key or other.primary_key,
        foreign_keys=first.foreign_keys or other.foreign_keys,
        unique=first.unique or other.unique,
        partly_understood=partly,
    )


def _filled_column(column: Column, other: Column | None) -> Column:
    if other is None:
        return column
    return replace(
        column,
        type=column.type or other.type,
        comment=column.comment or other.comment,
        values=column.values or other.values,
        fields=column.fields or other.fields,
        nullable=column.nullable and other.nullable,
    )
