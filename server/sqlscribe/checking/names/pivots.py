"""PIVOT and UNPIVOT: what they ask of their source, and what they leave of it."""

from __future__ import annotations

from sqlglot import exp

from sqlscribe.checking.names.aliases import Clause
from sqlscribe.checking.names.scopes import Output, Scope
from sqlscribe.checking.names.walking import Adder, Ctes, Queries


class Pivots:
    """Follows pivots. What they give depends on values, so that it stays open."""

    def __init__(self, queries: Queries, sources: Adder) -> None:
        self._queries = queries
        self._sources = sources

    def follow(self, node: exp.Expression, output: Output, inside: Scope, ctes: Ctes) -> Output:
        """What the pivots of a table or subquery make of its output."""
        # Of a second pivot's source nobody knows the columns any more.
        for pivot in (node.args.get("pivots") or ())[:1]:
            self._pivot(pivot, inside, ctes)
        return Output(output.columns, open=True)

    def _pivot(self, pivot: exp.Expression, inside: Scope, ctes: Ctes) -> None:
        unpivot = bool(pivot.args.get("unpivot"))
        if not unpivot:
            for aggregate in pivot.expressions:
                self._queries.expressions(aggregate, inside, Clause.OTHER, ctes)
        for field in pivot.args.get("fields") or ():
            if not isinstance(field, exp.In):
                continue
            asked = field.expressions if unpivot else [field.this]
            for node in asked:
                if isinstance(node, exp.PivotAlias):
                    node = node.this
                self._queries.expressions(node, inside, Clause.OTHER, ctes)

    def statement(self, pivot: exp.Pivot, scope: Scope, ctes: Ctes) -> None:
        """DuckDB's ``PIVOT orders ON status USING sum(total) GROUP BY city``."""
        if not isinstance(pivot.this, exp.Table):
            return
        self._sources.add(pivot.this, scope, ctes)
        parts = [*pivot.expressions, *(pivot.args.get("using") or ())]
        if isinstance(pivot.args.get("group"), exp.Group):
            parts.append(pivot.args["group"])
        for part in parts:
            if not isinstance(part, exp.UnpivotColumns | exp.Identifier):
                self._queries.expressions(part, scope, Clause.OTHER, ctes)
