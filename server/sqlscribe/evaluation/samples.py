"""What a database holds, for templates that show it: row counts, sample rows, distinct values.

A template of an arm gets it from one that is made for each database:

    {% from "eval/database.j2" import row_counts, sample_rows, distinct_values %}

``row_counts`` are numbers by table. ``sample_rows`` are the first three rows by table, as lists
of texts in the order of the columns. ``distinct_values`` are three values for each column by
``table.column``. Tables and columns have the names that ``tables`` of the prompt gives them.
NULL is the text ``NULL``.
"""

from __future__ import annotations

import json
from collections.abc import Mapping

from sqlscribe.evaluation.cells import Cell
from sqlscribe.evaluation.execution import Executor
from sqlscribe.knowledge.profiles import Profile
from sqlscribe.schema.identifiers import spelled
from sqlscribe.schema.model import Column, Schema, Table

TEMPLATE = "eval/database.j2"
"""The name of the template that is made."""

_ROWS = 3
_LONGEST = 200
"""Characters of a cell that are shown."""
_FEW = 30
"""A column of text with no more distinct values has a profile."""


def wants(templates: Mapping[str, str]) -> bool:
    """Whether one of the templates shows what the database holds."""
    return any(TEMPLATE in text for text in templates.values())


def template(executor: Executor, url: str, schema: Schema, dialect: str) -> str:
    """The text of the template for one database. What cannot be read is left out of it."""
    counts: dict[str, int] = {}
    rows: dict[str, list[list[str]]] = {}
    distinct: dict[str, list[str]] = {}
    for table in schema.tables:
        name = _name(table, dialect)
        if counted := executor.run(url, f"SELECT count(*) FROM {name}").rows:
            counts[name] = int(counted[0][0] or 0)
        columns = [spelled(column.name, column.quoted, dialect) for column in table.columns]
        listed = ", ".join(columns) or "*"
        first = executor.run(url, _first(f"SELECT {listed} FROM {name}", _ROWS, dialect))
        rows[name] = [[_text(value) for value in row] for row in first.rows]
        for column in columns:
            values = _distinct(executor, url, name, column, _ROWS, dialect)
            distinct[f"{name}.{column}"] = [_text(value) for value in values]
    return "\n".join(
        f"{{% set {name} = {json.dumps(value, ensure_ascii=False)} %}}"
        for name, value in (
            ("row_counts", counts),
            ("sample_rows", rows),
            ("distinct_values", distinct),
        )
    )


def profiles(executor: Executor, url: str, schema: Schema, dialect: str) -> tuple[Profile, ...]:
    """The values of the columns of text that hold few different ones."""
    found: list[Profile] = []
    for table in schema.tables:
        for column in table.columns:
            name = spelled(column.name, column.quoted, dialect)
            values = _distinct(executor, url, _name(table, dialect), name, _FEW + 1, dialect)
            texts = [value for value in values if isinstance(value, str)]
            short = all(len(text) <= _LONGEST for text in texts)
            if texts and len(texts) == len(values) <= _FEW and short:
                found.append(_profile(table, column, texts))
    return tuple(found)


def _profile(table: Table, column: Column, values: list[str]) -> Profile:
    return Profile(table.qualified_name, column.name, tuple(sorted(values)))


def _distinct(
    executor: Executor, url: str, table: str, column: str, most: int, dialect: str
) -> list[Cell]:
    query = f"SELECT DISTINCT {column} FROM {table} WHERE {column} IS NOT NULL ORDER BY 1"
    return [row[0] for row in executor.run(url, _first(query, most, dialect)).rows]


def _first(query: str, rows: int, dialect: str) -> str:
    if dialect == "tsql":
        head = "SELECT DISTINCT " if query.startswith("SELECT DISTINCT") else "SELECT "
        return f"{head}TOP {rows} {query.removeprefix(head)}"
    if dialect == "oracle":
        return f"{query} FETCH FIRST {rows} ROWS ONLY"
    return f"{query} LIMIT {rows}"


def _name(table: Table, dialect: str) -> str:
    """The table's name as the prompt spells it."""
    schema = [spelled(part, False, dialect) for part in table.schema.split(".") if part]
    return ".".join([*schema, spelled(table.name, table.quoted, dialect)])


def _text(value: Cell) -> str:
    text = "NULL" if value is None else str(value)
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"
