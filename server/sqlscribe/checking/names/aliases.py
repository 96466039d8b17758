"""Where the dialects let a query use the names of its own select list."""

from __future__ import annotations

from enum import Enum

from sqlglot import exp


class Clause(Enum):
    SELECT = "SELECT"
    WHERE = "WHERE"
    ON = "ON"
    GROUP_BY = "GROUP BY"
    HAVING = "HAVING"
    ORDER_BY = "ORDER BY"
    OTHER = ""


PLAIN_ONLY = frozenset({"postgres", "materialize", "risingwave"})
"""Engines that take such a name in GROUP BY and ORDER BY only where it stands alone."""

_PRESTO = frozenset({"trino", "presto", "athena"})
_ANSI = PLAIN_ONLY | _PRESTO | {"tsql", "fabric"}
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


def refuses_given_name(clause: Clause, column: exp.Column, dialect: str) -> bool:
    """True where a name given in the SELECT list is an error in this clause."""
    if clause in (Clause.GROUP_BY, Clause.ORDER_BY) and dialect in PLAIN_ONLY:
        return not isinstance(column.parent, _AROUND_ALONE)
    return dialect in _REFUSE.get(clause, frozenset())
