"""What a name in a query can mean: sources, the scopes around them, and how dialects fold names.

A source or a scope that is *open* may hold columns that nobody can know from the DDL. A name
that is not found there is not wrong, only unchecked.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from sqlglot import exp

from sqlscribe.schema.identifiers import fold
from sqlscribe.schema.model import Column, Table

# Engines that keep the case of quoted names, and fold the others.
_CASE_COUNTS = frozenset(
    {"postgres", "redshift", "materialize", "risingwave", "snowflake", "oracle", "exasol"}
)
_CASE_ALWAYS_COUNTS = frozenset({"clickhouse"})
_TABLE_CASE_COUNTS = frozenset({"clickhouse", "bigquery"})


def column_key(name: str, quoted: bool, dialect: str) -> str:
    """What the engine compares a column's name by."""
    if dialect in _CASE_COUNTS:
        return name if quoted else fold(name, dialect)
    return name if dialect in _CASE_ALWAYS_COUNTS else name.casefold()


def table_key(name: str, quoted: bool, dialect: str) -> str:
    """What the engine compares a table's or an alias's name by."""
    if dialect in _TABLE_CASE_COUNTS:
        return name
    return column_key(name, quoted, dialect)


def alias_key(name: str, quoted: bool, dialect: str) -> str:
    """What a name given inside the query is compared by."""
    return name.casefold() if dialect == "bigquery" else column_key(name, quoted, dialect)


def alias_of(name: exp.Identifier, dialect: str) -> str:
    """The key of a name that is given or used in the query."""
    return alias_key(name.name, bool(name.args.get("quoted")), dialect)


def column_of(name: exp.Identifier, dialect: str) -> str:
    """The key of a column's name."""
    return column_key(name.name, bool(name.args.get("quoted")), dialect)


def names_of(alias: exp.Expression | None, dialect: str) -> list[str]:
    """The keys of the columns in ``AS t(a, b)``."""
    columns = alias.args.get("columns") or () if alias is not None else ()
    names = [column.this if isinstance(column, exp.ColumnDef) else column for column in columns]
    return [column_of(name, dialect) for name in names if isinstance(name, exp.Identifier)]


def is_typed(alias: exp.Expression | None) -> bool:
    """Whether an alias lists all its columns, with types: ``AS x(sku text, qty int)``."""
    columns = alias.args.get("columns") or () if alias is not None else ()
    return any(isinstance(column, exp.ColumnDef) for column in columns)


class Known(NamedTuple):
    """Where a column comes from; nothing where it is computed."""

    column: Column | None = None
    table: Table | None = None


COMPUTED = Known()


def element_of(fields: Iterable[str]) -> Known:
    """An element of an array, or a part of one: a value of which only the fields are known."""
    return Known(Column("", fields=tuple(fields)))


@dataclass
class Output:
    """The columns a query gives, by key. ``open``: there may be more."""

    columns: dict[str, Known] = field(default_factory=dict)
    open: bool = False


@dataclass
class Source:
    """Something in FROM. ``key`` is what it is called by, ``label`` what a message says.

    ``wanted`` collects the columns asked of a source that is not in the schema, as evidence
    for what it was meant to be.
    """

    key: str
    label: str
    output: Output
    name: str = ""
    """The name as a query writes it in front of a column; empty where it has none."""
    table: Table | None = None
    value: bool = False
    """The source's name may itself stand for a value: a row, or an element of an array."""
    hidden: bool = False
    """Its columns cannot be used without its name: the right side of a semi join."""
    gone: bool = False
    """Its columns cannot be used any more: the condition of its semi join is over."""
    wanted: set[str] = field(default_factory=set)

    def finds(self, key: str) -> Known | None:
        return self.output.columns.get(key)


@dataclass
class Scope:
    """The sources one SELECT sees, and around it those of the query it stands in.

    ``windows`` are the names of its windows, by key; ``None`` where it can have none.

    ``merged`` are columns that USING or NATURAL makes one of two. ``given`` are the names that
    the select list gives, ``shown`` all names of its columns, ``twice`` those of two different
    ones, and ``starred`` those behind its stars. ``extra`` are further names that mean something.
    """

    parent: Scope | None = None
    sources: list[Source] = field(default_factory=list)
    merged: set[str] = field(default_factory=set)
    given: set[str] = field(default_factory=set)
    shown: set[str] = field(default_factory=set)
    twice: set[str] = field(default_factory=set)
    starred: set[str] = field(default_factory=set)
    extra: set[str] = field(default_factory=set)
    open: bool = False
    windows: dict[str, str] | None = None

    def outward(self) -> Iterator[Scope]:
        scope: Scope | None = self
        while scope is not None:
            yield scope
            scope = scope.parent

    def source(self, key: str) -> Source | None:
        """The nearest source of that name, in this scope or around it."""
        for scope in self.outward():
            for source in scope.sources:
                if source.key == key and not source.gone:
                    return source
        return None

    def holders(self, key: str) -> list[Source]:
        """This scope's own sources that surely have the column."""
        return [
            source for source in self.sources if not source.hidden and source.finds(key) is not None
        ]

    @property
    def closed(self) -> bool:
        """True where every column of every source is known, here and around."""
        return not any(
            scope.open or any(source.output.open for source in scope.sources)
            for scope in self.outward()
        )


def table_output(table: Table, dialect: str) -> Output:
    """A table's columns. Open where the DDL was not fully understood."""
    columns = {
        column_key(column.name, column.quoted, dialect): Known(column, table)
        for column in table.columns
    }
    return Output(columns, table.partly_understood or not columns)


def row_of(name: str, table: Table, dialect: str) -> Source:
    """A row of a table that is seen by a name only: ``NEW``, ``excluded``, ``inserted``."""
    output = table_output(table, dialect)
    key = column_key(name, False, dialect)
    return Source(key, f"the row of {table.name}", output, name, table, value=True, hidden=True)


def renamed(output: Output, names: Iterable[str]) -> Output:
    """An output whose first columns are given other names (``AS t(a, b)``)."""
    names = list(names)
    if not names:
        return output
    known = list(output.columns.items())
    columns = {
        name: known[index][1] if index < len(known) and not output.open else COMPUTED
        for index, name in enumerate(names)
    }
    if output.open:
        columns |= {name: output.columns[name] for name in names if name in output.columns}
    else:
        for key, value in known[len(names) :]:
            columns.setdefault(key, value)
    return Output(columns, output.open)
