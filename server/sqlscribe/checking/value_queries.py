"""Queries for the values of one column, and the columns whose values a query compares.

What a query for values may look like is decided here, because its rows go to a model: one
column of one table, with conditions on that column alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from sqlglot import exp

from sqlscribe.checking.parsing import parsed
from sqlscribe.checking.reads import classify
from sqlscribe.schema.model import Column, Schema, Table

_ALLOWED = frozenset({"expressions", "from_", "where", "group", "order", "limit", "distinct"})
_PLAIN = (
    exp.Column, exp.Identifier, exp.Literal, exp.And, exp.Or, exp.Not, exp.Paren, exp.EQ, exp.NEQ,
    exp.GT, exp.GTE, exp.LT, exp.LTE, exp.Like, exp.ILike, exp.In, exp.Is, exp.Null, exp.Between,
    exp.Lower, exp.Upper,
)  # fmt: skip
"""What a condition may be made of: nothing that could tell of another column."""


class Place(NamedTuple):
    """A column of the schema, in its table."""

    table: Table
    column: Column

    @property
    def name(self) -> str:
        return f"{self.table.qualified_name}.{self.column.name}"


def values_wanted(sql: str, schema: Schema, dialect: str) -> Place | None:
    """The column whose values ``sql`` gives and nothing else; ``None`` for any other query."""
    try:
        trees = parsed(sql, dialect).trees
        if len(trees) != 1 or not classify(sql, dialect).read:
            return None
        return _place(trees[0], schema)
    except RecursionError:
        return None


def compared(sql: str, schema: Schema, dialect: str) -> tuple[Place, ...]:
    """The columns that ``sql`` compares with a text, in order. Never raises."""
    try:
        trees = parsed(sql, dialect).trees
        return tuple(dict.fromkeys(place for tree in trees for place in _compared(tree, schema)))
    except RecursionError:
        return ()


def is_narrowed(sql: str, dialect: str) -> bool:
    """Whether conditions or joins of ``sql`` may leave no rows, so that they may be wrong."""
    try:
        trees = parsed(sql, dialect).trees
        return any(tree.find(exp.Where, exp.Having, exp.Join) is not None for tree in trees)
    except RecursionError:
        return False


def _place(tree: exp.Expression, schema: Schema) -> Place | None:
    if not isinstance(tree, exp.Select):
        return None
    if any(value and name not in _ALLOWED for name, value in tree.args.items()):
        return None
    source = tree.args["from_"].this if tree.args.get("from_") else None
    if not isinstance(source, exp.Table) or source.args.get("joins"):
        return None
    if len(tree.expressions) != 1:
        return None
    wanted = tree.expressions[0].unalias()
    if not isinstance(wanted, exp.Column):
        return None
    tables = schema.named(source.name, ".".join(filter(None, (source.catalog, source.db))))
    column = tables[0].column(wanted.name) if len(tables) == 1 else None
    if column is None:
        return None
    for part in tree.find_all(exp.Column):
        if part.name.casefold() != wanted.name.casefold():
            return None
    where = tree.args.get("where")
    if where is not None and not all(isinstance(node, _PLAIN) for node in where.this.walk()):
        return None
    return Place(tables[0], column)


def _compared(tree: exp.Expression, schema: Schema) -> Iterator[Place]:
    sources = {
        (table.alias or table.name).casefold(): found[0]
        for table in tree.find_all(exp.Table)
        if len(found := schema.named(table.name, table.db)) == 1
    }
    for node in tree.find_all(exp.EQ, exp.In, exp.Like, exp.ILike, bfs=False):
        texts = [part for part in node.find_all(exp.Literal) if part.is_string]
        for column in node.find_all(exp.Column) if texts else ():
            owner = sources.get(column.table.casefold())
            owners = (owner,) if owner is not None else () if column.table else sources.values()
            for table in owners:
                known = table.column(column.name)
                if known is not None:
                    yield Place(table, known)
