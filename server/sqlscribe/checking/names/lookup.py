"""A table's name in a query, and the table of the schema that it means."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from sqlglot import exp

from sqlscribe.checking.names.pseudo import PLATFORM_SCHEMAS, is_catalog
from sqlscribe.checking.names.scopes import table_key
from sqlscribe.checking.names.script import Made
from sqlscribe.checking.names.spelling import CLOSE, likeness, worth_a_look
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
    GONE = "was dropped earlier in the script"
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


def written_name(table: exp.Table) -> str:
    """A table's name with the mark of a temporary one; ``""`` where it is no name."""
    name = table.this
    if isinstance(name, exp.Parameter):
        return f"@{name.name}"
    if not isinstance(name, exp.Identifier):
        return ""
    mark = "##" if name.args.get("global_") else "#" if name.args.get("temporary") else ""
    return f"{mark}{name.name}"


def look_up(table: exp.Table, schema: Schema, dialect: str, made: Made) -> Lookup:
    """The tables that a name may mean."""
    name = written_name(table)
    qualifiers = (table.args.get("catalog"), table.args.get("db"))
    if not name or any(isinstance(q, exp.Expression) and not isinstance(q, exp.Identifier)
                       for q in qualifiers):  # fmt: skip
        return Lookup(Match.OPEN)
    inside = schema_of(table)
    if dialect == "hive" and not inside and "." in name:
        # One pair of backticks around both parts, as its SHOW CREATE TABLE writes them.
        inside, _, name = name.rpartition(".")
    quoted = bool(table.this.args.get("quoted"))
    key = table_key(name, quoted, dialect)
    own = made.schema.named(name, inside) if made.tables else ()
    fresh = _exactly(own, key, dialect)
    if any(table.kind.startswith("temporary") for table in fresh):
        return Lookup(Match.FOUND, fresh)
    same = schema.named(name, inside)
    exact = _exactly(same, key, dialect)
    if fresh:
        # The schema may have what later statements add.
        return Lookup(Match.FOUND, (*fresh, *_of_several(exact, inside, made).tables))
    folded = name.casefold()
    if folded in made.gone and not inside:
        return Lookup(Match.GONE)
    brought = bool(inside) and is_catalog("", inside, dialect)
    if exact and not (brought and not any(table.schema for table in exact)):
        return _of_several(exact, inside, made)
    if name[0] in "@#" or _is_passing(name, inside, dialect) or folded in made.names:
        return Lookup(Match.OPEN)
    if is_catalog(name, inside, dialect) or not schema.tables:
        return Lookup(Match.OPEN)
    same = (*own, *same)
    if not same and _is_elsewhere(name, inside, schema, loose=made.loose):
        return Lookup(Match.OPEN)
    return Lookup(Match.SPELLING, same) if same else Lookup(Match.UNKNOWN)


def _exactly(tables: tuple[Table, ...], key: str, dialect: str) -> tuple[Table, ...]:
    return tuple(t for t in tables if table_key(t.name, t.quoted, dialect) == key)


def _is_passing(name: str, inside: str, dialect: str) -> bool:
    """Files, which DuckDB takes for tables, are in no DDL."""
    return dialect == "duckdb" and not inside and "." in name


def _is_elsewhere(name: str, inside: str, schema: Schema, *, loose: bool) -> bool:
    """True for a table of another database or schema, of which the DDL says nothing.

    A name much like one of the DDL's is a slip all the same. The same name is none, unless
    what stands before it is like a schema that there is: it may well stand in both places.
    """
    database, dot, rest = inside.casefold().partition(".")
    known = {part for table in schema.tables for part in table.schema.casefold().split(".")}
    if (
        inside
        and database not in known
        and (
            database in PLATFORM_SCHEMAS or (inside.casefold(), name.casefold()) in schema.referred
        )
    ):
        return True
    if inside and schema.named(name) and database not in known:
        return not any(likeness(database, part) >= CLOSE for part in known)
    # Every database has a schema of that name.
    same_schema = rest in known and rest not in DEFAULT_SCHEMAS
    if not loose and (not dot or database in known or same_schema):
        return False
    names = worth_a_look(name, (table.name for table in schema.tables))
    return not any(likeness(name, other) >= _SLIP for other in names)


def _of_several(tables: tuple[Table, ...], inside: str, made: Made) -> Lookup:
    """Of tables with one name the one in a default schema is meant, if there is one."""
    schemas = {table.schema.casefold() for table in tables}
    if len(schemas) <= 1:
        # A table defined twice: either definition may be the one in force.
        return Lookup(Match.FOUND, tables)
    exact = tuple(t for t in tables if inside and t.schema.casefold() == inside.casefold())
    if exact:
        return Lookup(Match.FOUND, exact)
    last = {id(table): table.schema.casefold().split(".")[-1] for table in tables}
    first = tuple(t for t in tables if made.namespace and last[id(t)] == made.namespace)
    plain = tuple(t for t in tables if t.schema.casefold() in _DEFAULT_SCHEMAS)
    if found := first or plain:
        return Lookup(Match.FOUND, found)
    return Lookup(Match.OPEN) if made.namespace else Lookup(Match.AMBIGUOUS, tables)
