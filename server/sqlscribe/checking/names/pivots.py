"""PIVOT and UNPIVOT: what they ask of their source, and what they leave of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from sqlglot import exp

from sqlscribe.checking.names.aliases import Clause
from sqlscribe.checking.names.scopes import COMPUTED, Output, Scope, column_of
from sqlscribe.checking.names.walking import Adder, Ctes, Queries

# Engines of which the names are sure that a pivot makes of values.
_NAMES_KNOWN = frozenset({"tsql", "fabric", "duckdb"})


class Pivots:
    """Follows pivots. What they give stays open where it depends on values."""

    def __init__(self, dialect: str, queries: Queries, sources: Adder) -> None:
        self.dialect = dialect
        self._queries = queries
        self._sources = sources

    def follow(self, node: exp.Expression, output: Output, inside: Scope, ctes: Ctes) -> Output:
        """What the pivots of a table or subquery make of its output."""
        # Of a second pivot's source nobody knows the columns any more.
        pivots = list(node.args.get("pivots") or ())
        for pivot in pivots[:1]:
            self._pivot(pivot, inside, ctes)
        if len(pivots) == 1 and not output.open:
            known = pivots[0].args.get("unpivot") or self.dialect in _NAMES_KNOWN
            made = self._made(pivots[0], output) if known else None
            if made is not None:
                return made
        return Output(output.columns, open=True)

    def _made(self, pivot: exp.Expression, output: Output) -> Output | None:
        """What one pivot gives of all columns that are known; ``None`` where it is not sure."""
        fields = list(pivot.args.get("fields") or ())
        field = fields[0] if len(fields) == 1 else None
        if not isinstance(field, exp.In) or field.args.get("query") or pivot.args.get("group"):
            return None
        if pivot.args.get("unpivot"):
            used = list(_columns(field.expressions))
            new = [*_names(field.this), *(n for each in pivot.expressions for n in _names(each))]
        else:
            used = [*_columns([field.this]), *_columns(pivot.expressions)]
            new = list(pivot.args.get("columns") or ())
        names = [name for name in new if isinstance(name, exp.Identifier)]
        if not used or not names or len(names) != len(new):
            return None
        gone = {column_of(name, self.dialect) for name in used}
        columns = {key: known for key, known in output.columns.items() if key not in gone}
        return Output(columns | {column_of(name, self.dialect): COMPUTED for name in names})

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


def _columns(nodes: Iterable[exp.Expression]) -> Iterator[exp.Identifier]:
    """The names of all columns in some parts."""
    for node in nodes:
        for column in node.find_all(exp.Column):
            if isinstance(column.this, exp.Identifier):
                yield column.this


def _names(node: exp.Expression) -> list[exp.Expression]:
    """A name, or those of a list in brackets."""
    parts = node.expressions if isinstance(node, exp.Tuple) else [node]
    return [part.this if isinstance(part, exp.Column) else part for part in parts]
