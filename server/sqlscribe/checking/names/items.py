"""What the items of a SELECT list are called in the result."""

from __future__ import annotations

from collections.abc import Iterator

from sqlglot import exp

# Engines that give an item without a name one that can only be written in quotes, or none.
_NO_NAME = frozenset(
    {"sqlite", "mysql", "tsql", "fabric", "snowflake", "duckdb", "oracle", "spark", "databricks"}
)
# One of these in the list may become several columns.
_SEVERAL = (
    exp.Columns,
    exp.Explode,
    exp.Posexplode,
    exp.Inline,
    exp.Unnest,
    exp.Stack,
    exp.JSONTable,
    exp.QueryTransform,
)
_MAYBE_SEVERAL = frozenset(
    {"json_tuple", "stack", "inline_outer", "explode_outer", "unnest", "untuple"}
)
_NAMED_AFTER = {
    exp.Count: "count",
    exp.Sum: "sum",
    exp.Avg: "avg",
    exp.Min: "min",
    exp.Max: "max",
    exp.Coalesce: "coalesce",
    exp.Case: "case",
}


def given_names(item: exp.Expression) -> Iterator[exp.Identifier]:
    """The names that an item has: its alias, or the column that it is."""
    if isinstance(item, exp.Alias):
        names = [item.args.get("alias")]
    elif isinstance(item, exp.Aliases):
        names = item.expressions
    elif isinstance(item, exp.Column):
        names = [item.this]
    elif isinstance(item, exp.Dot):
        names = [item.expression]
    else:
        names = []
    return (name for name in names if isinstance(name, exp.Identifier))


def shown_name(item: exp.Expression, dialect: str) -> str:
    """What PostgreSQL and its kin call an item without a name: ``count``, or ``""``."""
    if dialect in _NO_NAME:
        return ""
    inner = item
    while isinstance(inner, exp.Cast | exp.Window | exp.Filter | exp.WithinGroup):
        inner = inner.this
    if isinstance(inner, exp.Anonymous | exp.Column):
        return str(inner.name)
    return str(inner.sql_name()).lower() if isinstance(inner, exp.Func) else ""


def name_in_result(item: exp.Expression, dialect: str) -> str | None:
    """The name by which a query around can use an item without one.

    ``""`` where there is no such name, ``None`` where nobody knows it, or how many there are.
    """
    if may_be_several(item):
        return None
    if dialect in _NO_NAME:
        return ""
    return _NAMED_AFTER.get(type(item))


def may_be_several(item: exp.Expression) -> bool:
    """True for an item that may become several columns of the result."""
    return item.find(*_SEVERAL) is not None or any(
        call.name.casefold() in _MAYBE_SEVERAL for call in item.find_all(exp.Anonymous)
    )
