"""A table's name in a query, and the table of the schema that it means."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from sqlglot import exp

from sqlscribe.checking.names.pseudo import is_catalog
from sqlscribe.checking.names.scopes import table_key
from sqlscribe.checking.names.spelling import likeness
from sqlscribe.schema.identifiers import DEFAULT_SCHEMAS
from sqlscribe.schema.model import Schema, Table

_DEFAULT_SCHEMAS = DEFAULT_SCHEMAS | {"default"}
_SLIP = 0.8
"""A name this much alike is one that was misspelt, not one of another database."""


class Match(Enum):
    FOUND = "found"
    SPELLING = "exists, but is written otherwise"
    AMBIGUOUS = "exists in several schemas"
    UNKNOWN = "does not exist"
    OPEN = "cannot be known"


def shown(table: Table) -> str:
    """A table's name as a message says it: a default schema goes without saying."""
    plain = table.schema.casefold() in _DEFAULT_SCHEMAS
    return table.name if plain else table.qualified_name


@dataclass(frozen=True)
class Lookup:
    match: Match
    tables: tuple[Table, ...] = ()


def schema_of(table: exp.Table) -> str:
    """What stands before the table's name, with dots. ``shop..orders`` means the default schema."""
    if table.args.get("db") == "":
        return ""
    parts = (table.args.get("catalog"), table.args.get("db"))
    return ".".join(part.name for part in parts if isinstance(part, exp.Identifier) and part.name)


def look_up(table: exp.Table, schema: Schema, dialect: str) -> Lookup:
    """The tables that a name may mean."""
    name = table.this
    if not isinstance(name, exp.Identifier) or not name.name or _is_passing(name, dialect):
        return Lookup(Match.OPEN)
    inside = schema_of(table)
    same = schema.named(name.name, inside)
    key = table_key(name.name, bool(name.args.get("quoted")), dialect)
    exact = tuple(t for t in same if table_key(t.name, t.quoted, dialect) == key)
    if exact:
        return _of_several(exact, inside)
    if is_catalog(name.name, inside, dialect) or not schema.tables:
        return Lookup(Match.OPEN)
    if not same and _is_elsewhere(name.name, inside, schema):
        return Lookup(Match.OPEN)
    return Lookup(Match.SPELLING, same) if same else Lookup(Match.UNKNOWN)


def _is_passing(name: exp.Identifier, dialect: str) -> bool:
    """T-SQL's ``#temporary`` tables and DuckDB's files are in no DDL."""
    if name.args.get("temporary") or name.args.get("global_"):
        return True
    return dialect == "duckdb" and "." in name.name


def _is_elsewhere(name: str, inside: str, schema: Schema) -> bool:
    """True for a table of another database, of which the DDL says nothing.

    A name much like one of the DDL's is a slip all the same.
    """
    database, dot, rest = inside.casefold().partition(".")
    if not dot:
        return False
    known = {part for table in schema.tables for part in table.schema.casefold().split(".")}
    if database in known or rest in known:
        return False
    return not any(likeness(name, table.name) >= _SLIP for table in schema.tables)


def _of_several(tables: tuple[Table, ...], inside: str) -> Lookup:
    """Of tables with one name the one in a default schema is meant, if there is one."""
    schemas = {table.schema.casefold() for table in tables}
    if len(schemas) == 1:
        # A table defined twice: either definition may be the one in force.
        return Lookup(Match.FOUND, tables)
    exact = tuple(t for t in tables if inside and t.schema.casefold() == inside.casefold())
    if exact:
        return Lookup(Match.FOUND, exact)
    plain = tuple(t for t in tables if t.schema.casefold() in _DEFAULT_SCHEMAS)
    if plain:
        return Lookup(Match.FOUND, plain)
    return Lookup(Match.AMBIGUOUS, tables)
