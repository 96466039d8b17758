"""Everything of a folder that has a name: tables, columns, and the questions of examples."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import Literal, NamedTuple

from sqlscribe.knowledge.examples import Example
from sqlscribe.schema.model import Schema

MOST = 200


class Symbol(NamedTuple):
    """``line`` is zero-based, that of the table for its columns."""

    name: str
    kind: Literal["table", "view", "column", "question"]
    container: str
    file: Path
    line: int


def symbols(query: str, schema: Schema, examples: Iterable[Example]) -> list[Symbol]:
    """What holds ``query`` in its name, letter case ignored; tables come before columns."""
    folded = query.strip().casefold()
    found: Iterator[Symbol] = (
        symbol
        for some in (
            _tables(folded, schema),
            _questions(folded, examples),
            _columns(folded, schema),
        )
        for symbol in some
    )
    return list(islice(found, MOST))


def _tables(folded: str, schema: Schema) -> Iterator[Symbol]:
    for table in schema.tables:
        if table.file is not None and folded in table.qualified_name.casefold():
            kind: Literal["table", "view"] = "view" if table.kind.endswith("view") else "table"
            yield Symbol(table.name, kind, table.schema, table.file, table.line)


def _columns(folded: str, schema: Schema) -> Iterator[Symbol]:
    # An empty query asks for everything; tables say enough then.
    for table in schema.tables if folded else ():
        if table.file is None:
            continue
        for column in table.columns:
            name = f"{table.name}.{column.name}" if "." in folded else column.name
            if folded in name.casefold():
                container = table.qualified_name
                yield Symbol(column.name, "column", container, table.file, table.line)


def _questions(folded: str, examples: Iterable[Example]) -> Iterator[Symbol]:
    for example in examples:
        question = " ".join(example.question.split())
        if folded in question.casefold():
            yield Symbol(question, "question", "examples", example.file, example.line)
