"""From the rows of an engine's catalogue to tables of the model."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal, NamedTuple, TypeVar

from sqlscribe.notation.document import Span
from sqlscribe.schema.ddl.cursor import Cursor
from sqlscribe.schema.ddl.tokens import tokenize
from sqlscribe.schema.ddl.types import checked_values, enum_values, nested_fields
from sqlscribe.schema.identifiers import spelled
from sqlscribe.schema.model import Column, ForeignKey, Schema, Table

Key = tuple[str, str]
"""A table's schema and its name."""


class Relation(NamedTuple):
    """A table or a view; ``parent`` is the table that it is a partition of."""

    schema: str
    name: str
    kind: str = "table"
    comment: str = ""
    parent: str = ""
    partly_understood: bool = False


class Field(NamedTuple):
    """A column, in the order of its table. ``values`` are those of its type, if it lists them."""

    schema: str
    table: str
    name: str
    type: str
    nullable: bool
    comment: str = ""
    values: tuple[str, ...] = ()
    fields: tuple[str, ...] = ()


class Rule(NamedTuple):
    """A key or a CHECK; ``expression`` is the CHECK's own text."""

    schema: str
    table: str
    kind: Literal["primary", "unique", "foreign", "check"]
    columns: tuple[str, ...] = ()
    to_schema: str = ""
    to_table: str = ""
    to_columns: tuple[str, ...] = ()
    expression: str = ""


@dataclass
class Catalogue:
    """All that was read, and remarks on what could not be, as sentences.

    ``functions`` are the names of those that are not the engine's own.
    """

    relations: list[Relation] = field(default_factory=list)
    fields: list[Field] = field(default_factory=list)
    rules: list[Rule] = field(default_factory=list)
    functions: set[str] = field(default_factory=set)
    remarks: list[str] = field(default_factory=list)


def schema_of(found: Catalogue, dialect: str, bare_schema: str = "") -> Schema:
    """The catalogue as a schema; names in ``bare_schema`` are written without it."""
    fields = _by_table(found.fields)
    rules = _by_table(found.rules)

    def plain(schema: str) -> str:
        return "" if schema == bare_schema else schema

    tables = []
    # Views stand behind the tables that they read, whatever the order of the catalogue.
    for relation in sorted(found.relations, key=lambda each: each.kind.endswith("view")):
        key = (relation.schema, relation.name)
        own = rules.get(key, ())
        primary = next((rule.columns for rule in own if rule.kind == "primary"), ())
        columns = tuple(_column(each, own, primary, dialect) for each in fields.get(key, ()))
        if relation.kind.endswith("view"):
            # What a view passes on may be missing in an outer join.
            columns = tuple(_as_of_a_view(column) for column in columns)
        tables.append(
            Table(
                name=str(relation.name),
                columns=columns,
                schema=plain(relation.schema),
                primary_key=primary,
                foreign_keys=tuple(
                    ForeignKey(rule.columns, rule.to_table, plain(rule.to_schema), rule.to_columns)
                    for rule in own
                    if rule.kind == "foreign"
                ),
                unique=tuple(rule.columns for rule in own if rule.kind == "unique"),
                comment=relation.comment,
                kind=relation.kind,
                quoted=needs_quotes(relation.name, dialect),
                partly_understood=relation.partly_understood or not columns,
                parent=relation.parent,
            )
        )
    return Schema(tuple(tables), frozenset(name.casefold() for name in found.functions))


Row = TypeVar("Row", Field, Rule)


def _by_table(rows: Iterable[Row]) -> dict[Key, list[Row]]:
    found: dict[Key, list[Row]] = defaultdict(list)
    for row in rows:
        found[row.schema, row.table].append(row)
    return found


def _column(row: Field, rules: Sequence[Rule], primary: Sequence[str], dialect: str) -> Column:
    type_ = _cursor(row.type, dialect)
    checks = (_checked(rule, dialect) for rule in rules if rule.kind == "check")
    folded = row.name.casefold()
    checked: tuple[str, ...] = next(
        (found[1] for found in checks if found and found[0] == folded), ()
    )
    return Column(
        name=str(row.name),
        type=" ".join(row.type.split()),
        nullable=row.nullable and row.name not in primary,
        comment=row.comment,
        quoted=needs_quotes(row.name, dialect),
        values=checked or row.values or enum_values(type_),
        fields=row.fields or nested_fields(type_),
    )


def _as_of_a_view(column: Column) -> Column:
    return replace(column, nullable=True)


def _checked(rule: Rule, dialect: str) -> tuple[str, tuple[str, ...]] | None:
    """The column's case-folded name and the only values that a CHECK allows it."""
    check = _cursor(rule.expression, dialect)
    check.take("CHECK")
    found = checked_values(check)
    return (found[0].casefold(), found[1]) if found else None


def _cursor(text: str, dialect: str) -> Cursor:
    return Cursor.over(tokenize(text, text, Span(0, len(text)), dialect))


def needs_quotes(name: str, dialect: str) -> bool:
    """Whether a query must quote a name that the engine's catalogue spells so.

    SQLAlchemy gives Oracle's and Snowflake's folded names in lower case, as people write them,
    and marks the others.
    """
    if dialect in ("oracle", "snowflake"):
        return bool(getattr(name, "quote", None)) or spelled(name, False, dialect) != name
    return spelled(name, True, dialect) != name
