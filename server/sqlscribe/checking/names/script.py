"""What the statements of a script leave behind for those after them.

Tables and views with their columns, as far as these are clear, variables, and what is gone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from sqlscribe.notation.document import Document, Span
from sqlscribe.schema import ddl
from sqlscribe.schema.ddl.changes import (
    AlterTable,
    Change,
    CreateTable,
    DropTable,
    UseNamespace,
)
from sqlscribe.schema.ddl.cursor import Name
from sqlscribe.schema.identifiers import DEFAULT_SCHEMAS
from sqlscribe.schema.model import Schema, Table


@dataclass(frozen=True)
class Made:
    """What is known at a statement beside the schema. All names are case-folded.

    ``tables`` are those that earlier statements made or changed. ``names`` may be anything: a
    variable, a parameter, a cursor, or with its parentheses a function: ``twice()``. ``gone``
    are tables that were dropped. ``rows`` are names that stand for a row of a table where they
    stand before a dot (``NEW``). ``namespace`` is the schema that USE or a search path puts
    first. ``loose`` tells that there may be tables of which nobody knows: a trigger's function
    gets some from the trigger, a procedure makes some.
    """

    tables: tuple[Table, ...] = ()
    names: frozenset[str] = frozenset()
    gone: frozenset[str] = frozenset()
    rows: tuple[tuple[str, Table], ...] = ()
    namespace: str = ""
    loose: bool = False

    @property
    def functions(self) -> frozenset[str]:
        """The functions that earlier statements made."""
        return frozenset(name[:-2] for name in self.names if name.endswith("()"))

    @cached_property
    def schema(self) -> Schema:
        """The tables, as a schema."""
        return Schema(self.tables)

    def and_then(self, deeds: Deeds) -> Made:
        """What is known behind a statement that has these deeds."""
        made = {place_of(table): table for table in self.tables}
        for name in deeds.gone:
            made = {key: table for key, table in made.items() if key[1] != name}
        made |= {place_of(table): table for table in deeds.tables}
        there = {name for _, name in made}
        return Made(
            tuple(made.values()),
            self.names | frozenset(deeds.names),
            (self.gone | frozenset(deeds.gone)) - there if not deeds.unknown else frozenset(),
            self.rows,
            deeds.namespace or self.namespace,
            self.loose or deeds.unknown,
        )


NOTHING = Made()


@dataclass(frozen=True)
class Deeds:
    """What one statement makes; ``unknown`` if it may make or change anything."""

    tables: tuple[Table, ...] = ()
    names: tuple[str, ...] = ()
    gone: tuple[str, ...] = ()
    namespace: str = ""
    unknown: bool = False

    def __bool__(self) -> bool:
        return self != NO_DEEDS


NO_DEEDS = Deeds()


def place_of(table: Table) -> tuple[str, str]:
    """What tells a table from others: its schema, where it is no default one, and its name."""
    schema = table.schema.casefold()
    return "" if schema in DEFAULT_SCHEMAS else schema, table.name.casefold()


# Variables.

_DECLARED = re.compile(
    r"\s*DECLARE\s+(?:OR\s+REPLACE\s+)?(?:VARIABLE\s+)?(?!@)([^\W\d]\w*(?:\s*,\s*[^\W\d]\w*)*)|\s*SET\s+([^\W\d]\w*)\s*=(?!\s*\()"
    r"|\s*LET\s+([^\W\d]\w*)",
    re.IGNORECASE,
)
_TABLE_VARIABLE = re.compile(r"(@\w+)(?:\s+AS)?\s+(TABLE\s*\()", re.IGNORECASE)
# What stands in FROM like a table, with columns that nobody sees.
_OTHER = re.compile(
    r"""\s*CREATE\s+(?:OR\s+REPLACE\s+)?(?:PUBLIC\s+|TEMP(?:ORARY)?\s+)?
        (?:STREAM|SEQUENCE|SYNONYM|DICTIONARY)\s+(?:IF\s+NOT\s+EXISTS\s+)?
        (?:[\w$"`\[\]]+\.)*["`\[]?([\w$]+)""",
    re.IGNORECASE | re.VERBOSE,
)
_OPAQUE = re.compile(
    r"\s*(?:(?:EXEC|EXECUTE|CALL)\b(?!\s+(?:\[?sys\]?\.)?\[?sp_)|(?:DO|IF|WHILE|BEGIN|ATTACH)\b)",
    re.IGNORECASE,
)


def variables(sql: str) -> tuple[str, ...]:
    """The variables that a statement declares, case-folded."""
    found = _DECLARED.match(sql)
    if found is None:
        return ()
    listed = next(group for group in found.groups() if group)
    return tuple(name.strip().casefold() for name in listed.split(","))


def table_variables(sql: str, dialect: str) -> Iterator[Table]:
    """``DECLARE @t TABLE (a int)`` as tables."""
    for found in _TABLE_VARIABLE.finditer(sql):
        text = f"CREATE TABLE t {sql[found.end(2) - 1 :]}"
        for table in _read_tables(text, dialect):
            yield replace(table, name=found[1], kind="temporary table")


# Tables.


def is_opaque(sql: str) -> bool:
    """True where nobody can say what a statement makes or drops."""
    return _OPAQUE.match(sql) is not None


def ddl_deeds(sql: str, schema: Schema, dialect: str, made: Made) -> Deeds:
    """What a statement of DDL makes, changes and drops."""
    changes = ddl.read(Document("", sql), Path(), dialect).changes
    gone: list[str] = []
    namespace = ""
    known: list[Table] = []
    for change in changes:
        match change:
            case CreateTable():
                for like in change.likes:
                    known += _known(like.table, schema, made)
            case AlterTable():
                known += _known(change.table, schema, made)
            case DropTable(name) if name.schema.casefold() in DEFAULT_SCHEMAS:
                gone.append(name.name.casefold())
            case UseNamespace(name):
                namespace = name.casefold()
    script = _Script(Path(), dialect, (*map(_creation, known), *changes))
    replayed = ddl.replay([script]) if changes else Schema(())
    after = replayed.tables
    before = {_shape(table) for table in known}
    there = {place_of(table) for table in after}
    gone += [name for where, name in map(place_of, known) if (where, name) not in there]
    tables = (replace(table, file=None) for table in after if _shape(table) not in before)
    names = tuple(f"{name}()" for name in sorted(replayed.functions))
    if (other := _OTHER.match(sql)) is not None:
        names = (*names, other[1].casefold())
    return Deeds(tuple(tables), names, tuple(gone), namespace, is_opaque(sql))


@dataclass(frozen=True)
class _Script:
    """Changes to replay: tables that are there, and what happens to them."""

    path: Path
    dialect: str
    changes: tuple[Change, ...]


def _known(name: Name, schema: Schema, made: Made) -> tuple[Table, ...]:
    return (made.schema.named(name.name, name.schema) or schema.named(name.name, name.schema))[:1]


def _creation(table: Table) -> CreateTable:
    return CreateTable(
        Name(table.name, table.schema, table.quoted),
        Span(0, 0),
        0,
        table.kind,
        table.columns,
        partly_understood=table.partly_understood,
    )


def _shape(table: Table) -> tuple[object, ...]:
    return (*place_of(table), tuple(column.name for column in table.columns))


def _read_tables(sql: str, dialect: str) -> tuple[Table, ...]:
    return ddl.replay([ddl.read(Document("", sql), Path(), dialect)]).tables
