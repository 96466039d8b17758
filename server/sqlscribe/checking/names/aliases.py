"""Where the dialects let a query use the names of its own select list."""

from __future__ import annotations

from enum import Enum


class Clause(Enum):
    SELECT = "SELECT"
    WHERE = "WHERE"
    ON = "ON"
    GROUP_BY = "GROUP BY"
    HAVING = "HAVING"
    ORDER_BY = "ORDER BY"
    OTHER = ""


_ANSI = frozenset({"postgres", "tsql", "fabric", "trino", "materialize", "risingwave"})
# Only engines that surely refuse are named; of the others nothing is said.
_REFUSE = {
    Clause.SELECT: _ANSI | {"mysql", "sqlite", "oracle", "bigquery"},
    Clause.WHERE: _ANSI | {"mysql", "oracle", "bigquery"},
    Clause.ON: _ANSI | {"mysql", "oracle", "bigquery"},
    Clause.GROUP_BY: frozenset({"tsql", "fabric", "trino"}),
    Clause.HAVING: _ANSI,
}


def refuses_given_name(clause: Clause, dialect: str) -> bool:
    """True where a name given in the SELECT list is an error in this clause."""
    return dialect in _REFUSE.get(clause, frozenset())
