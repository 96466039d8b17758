"""Where the dialects let a query use the names of its own select list."""

from __future__ import annotations

from enum import Enum

from sqlglot import exp

from sqlscribe.checking.names.items import given_names, shown_name
from sqlscribe.checking.names.scopes import Scope, alias_of, column_key, column_of


class Clause(Enum):
    SELECT = "SELECT"
    WHERE = "WHERE"
    ON = "ON"
    GROUP_BY = "GROUP BY"
    HAVING = "HAVING"
    ORDER_BY = "ORDER BY"
    OTHER = ""


# Engines that take such a name in GROUP BY and ORDER BY only where it stands alone.
_PLAIN_ONLY = frozenset({"postgres", "materialize", "risingwave"})
_SQL_SERVER = frozenset({"tsql", "fabric"})

_PRESTO = frozenset({"trino", "presto", "athena"})
_ANSI = _PLAIN_ONLY | _PRESTO | _SQL_SERVER
_NOT_IN_WHERE = _ANSI | {
    "mysql", "oracle", "bigquery", "redshift", "spark", "databricks", "hive"
}  # fmt: skip
# Only engines that surely refuse are named; of the others nothing is said.
_REFUSE = {
    Clause.SELECT: _ANSI | {"mysql", "sqlite", "oracle", "bigquery"},
    Clause.WHERE: _NOT_IN_WHERE,
    Clause.ON: _NOT_IN_WHERE,
    Clause.GROUP_BY: _PRESTO | {"tsql", "fabric"},
    Clause.HAVING: _ANSI,
}
_AROUND_ALONE = (
    exp.Ordered,
    exp.Order,
    exp.Group,
    exp.GroupingSets,
    exp.Rollup,
    exp.Cube,
    exp.Tuple,
    exp.Paren,
    exp.Collate,
)


def wants_alone(clause: Clause, dialect: str) -> bool:
    """True where a name given in the SELECT list must not stand in an expression."""
    if clause is Clause.ORDER_BY and dialect in _SQL_SERVER:
        return True
    return clause in (Clause.GROUP_BY, Clause.ORDER_BY) and dialect in _PLAIN_ONLY


def refuses_given_name(clause: Clause, column: exp.Column, dialect: str) -> bool:
    """True where a name given in the SELECT list is an error in this clause."""
    if wants_alone(clause, dialect):
        return not isinstance(column.parent, _AROUND_ALONE)
    return dialect in _REFUSE.get(clause, frozenset())


_Shown = dict[str, tuple[str, str] | int]
"""What each name stands for: a column by its qualifier and name, or some other item."""


def show_names(query: exp.Select, scope: Scope, dialect: str) -> None:
    """Note in the scope the names that the select list shows to the clauses behind it."""
    seen: _Shown = {}
    for item in query.expressions:
        inner = item.unalias()
        own = (inner.table, inner.name) if isinstance(inner, exp.Column) else id(item)
        for name in given_names(item):
            key = column_of(name, dialect)
            scope.shown.add(key)
            if isinstance(item, exp.Alias):
                scope.given.add(key)
            if seen.setdefault(key, own) != own:
                scope.twice.add(key)
        if made := shown_name(item, dialect):
            scope.shown.add(column_key(made, False, dialect))
        star = item.this if isinstance(item, exp.Column) else item
        if isinstance(star, exp.Star):
            _show_star(item, star, scope, dialect, seen)
    if dialect == "sqlite":
        scope.twice -= scope.starred


def _show_star(
    item: exp.Expression, star: exp.Star, scope: Scope, dialect: str, seen: _Shown
) -> None:
    """``o.*`` says of which table a column is; in SQLite any star says so."""
    qualifier = item.args.get("table")
    sources = scope.sources if dialect == "sqlite" else []
    if isinstance(qualifier, exp.Identifier):
        source = scope.source(alias_of(qualifier, dialect))
        sources = [source] if source is not None else []
    names = (each.this if isinstance(each, exp.Column) else each
             for each in star.args.get("except_") or ())  # fmt: skip
    without = {column_of(name, dialect) for name in names if isinstance(name, exp.Identifier)}
    for source in sources:
        for key in source.output.columns.keys() - without:
            scope.starred.add(key)
            own = (item.text("table"), key)
            if dialect != "sqlite" and seen.setdefault(key, own) != own:
                scope.twice.add(key)
