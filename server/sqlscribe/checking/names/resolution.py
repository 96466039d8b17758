"""Following every name of a statement to what it means.

The walk knows SQL's rules of visibility and nothing of messages: what it cannot follow it
notes as a :class:`Miss`, and only where nothing is left open.
"""

from __future__ import annotations

from collections.abc import Iterator

from sqlglot import exp

from sqlscribe.checking.names.aliases import Clause
from sqlscribe.checking.names.changes import Changes
from sqlscribe.checking.names.columns import Columns
from sqlscribe.checking.names.items import given_names, name_in_result, shown_name
from sqlscribe.checking.names.misses import Walk
from sqlscribe.checking.names.scopes import (
    COMPUTED,
    Output,
    Scope,
    Source,
    alias_of,
    column_key,
    column_of,
    names_of,
    renamed,
    row_of,
)
from sqlscribe.checking.names.script import NOTHING, Made
from sqlscribe.checking.names.sources import Sources, joins_only
from sqlscribe.checking.names.walking import Ctes
from sqlscribe.checking.parsing import Parsed
from sqlscribe.schema.model import Schema

_CLAUSES = {
    "where": Clause.WHERE,
    "prewhere": Clause.WHERE,
    "group": Clause.GROUP_BY,
    "having": Clause.HAVING,
    "order": Clause.ORDER_BY,
}
_NOT_WALKED = frozenset(
    {"from_", "joins", "laterals", "with_", "pivots", "match", "expressions", "hint", "into"}
)
# Their parts name columns of something that the DDL does not show.
_SKIPPED = (
    exp.Hint,
    exp.WithTableHint,
    exp.IndexTableHint,
    exp.Pivot,
    exp.MatchRecognize,
    exp.JSONTable,
    exp.OpenJSON,
    exp.XMLTable,
    exp.Comprehension,
    exp.DataType,
    exp.Into,
)
# Engines where a query of WITH sees itself without the word RECURSIVE.
_RECURSIVE_BY_ITSELF = frozenset(
    {"", "tsql", "fabric", "oracle", "sqlite", "snowflake", "teradata"}
)
_ANCHORS = 3
"""So deep may queries that see themselves stand in each other's first part."""


def resolve(parse: Parsed, schema: Schema, made: Made = NOTHING) -> Walk:
    """Follow the names of all statements. ``made`` is what earlier statements made."""
    notes = Walk()
    walker = _Walker(parse, schema, notes, made)
    for tree in parse.trees:
        walker.statement(tree)
    return notes


class _Walker:
    """One pass over the statements of a text."""

    def __init__(self, parse: Parsed, schema: Schema, notes: Walk, made: Made) -> None:
        self.dialect = parse.dialect
        self.notes = notes
        self.columns = Columns(parse, schema, notes, made)
        self.sources = Sources(schema, parse.dialect, notes, made, self)
        self.changes = Changes(parse.dialect, self.columns, self.sources, self)
        rows = [row_of(name, table, self.dialect) for name, table in made.rows]
        self._around = Scope(sources=rows) if rows else None
        self._anchors = 0

    def statement(self, tree: exp.Expression) -> None:
        """Follow one statement; of a kind that is not followed, nothing is said."""
        if isinstance(tree, exp.Query | exp.Values):
            self.notes.output = self.query(tree, self._around, {})
        elif isinstance(tree, exp.DML | exp.MultitableInserts):
            self.changes.follow(tree, self._around, {})
        elif isinstance(tree, exp.Pivot):
            self.sources.pivots.statement(tree, Scope(self._around), {})

    def query(self, query: exp.Expression, parent: Scope | None, ctes: Ctes) -> Output:
        """The columns that a query gives."""
        ctes = self.with_names(query, parent, ctes)
        if isinstance(query, exp.Select):
            return self._select(query, parent, ctes)
        if isinstance(query, exp.SetOperation):
            return self._set_operation(query, parent, ctes)
        if isinstance(query, exp.Subquery):
            return self._parenthesized(query, parent, ctes)
        if isinstance(query, exp.Table):
            scope = Scope(parent)
            self.sources.add(query, scope, ctes)
            return _all_of(scope)
        scope = Scope(parent, open=True)
        self.expressions(query, scope, Clause.OTHER, ctes)
        return Output(open=True)

    # The names that WITH gives.

    def with_names(self, query: exp.Expression, parent: Scope | None, ctes: Ctes) -> Ctes:
        """The names of queries that are seen inside of a query, those of its WITH included."""
        with_ = query.args.get("with_")
        if not isinstance(with_, exp.With):
            return ctes
        inside = dict(ctes)
        if with_.args.get("recursive"):
            # Here a query may also stand before one that it uses.
            names = (cte.args["alias"].this for cte in with_.expressions)
            inside |= {
                alias_of(name, self.dialect): Output(open=True)
                for name in names
                if isinstance(name, exp.Identifier)
            }
        for cte in with_.expressions:
            name = cte.args["alias"].this
            if isinstance(name, exp.Identifier):
                key = alias_of(name, self.dialect)
                inside[key] = self._cte(cte, key, with_, parent, inside)
        return inside

    def _cte(
        self,
        cte: exp.CTE,
        key: str,
        with_: exp.With,
        parent: Scope | None,
        inside: dict[str, Output],
    ) -> Output:
        if isinstance(cte.this, exp.DML):
            output = self.changes.follow(cte.this, parent, inside)
            return renamed(output, names_of(cte.args["alias"], self.dialect))
        if cte.args.get("scalar") or not isinstance(cte.this, exp.Query):
            return Output(open=True)
        names = names_of(cte.args["alias"], self.dialect)
        seen: Ctes = inside
        recursive = with_.args.get("recursive") or self.dialect in _RECURSIVE_BY_ITSELF
        if recursive and isinstance(cte.this, exp.SetOperation):
            seen = {**inside, key: self._anchor(cte.this, key, names, parent, inside)}
        output = renamed(self.query(cte.this, parent, seen), names)
        if with_.args.get("search"):
            # SEARCH and CYCLE add columns of their own.
            return Output(output.columns, open=True)
        return output

    def _anchor(
        self, query: exp.Expression, key: str, names: list[str], parent: Scope | None, ctes: Ctes
    ) -> Output:
        """What a query that sees itself gives: the columns of its first part."""
        if names:
            return Output(dict.fromkeys(names, COMPUTED))
        open_ = Output(open=True)
        if self._anchors >= _ANCHORS:
            return open_
        while isinstance(query, exp.SetOperation):
            query = query.this
        self._anchors += 1
        output = self.query(query, parent, {**ctes, key: open_})
        self._anchors -= 1
        return output

    # Queries.

    def _set_operation(self, query: exp.SetOperation, parent: Scope | None, ctes: Ctes) -> Output:
        arms: list[tuple[exp.Expression, Ctes]] = []
        left: exp.Expression = query
        by_name = False
        while isinstance(left, exp.SetOperation):
            ctes = self.with_names(left, parent, ctes) if left is not query else ctes
            by_name |= bool(left.args.get("by_name"))
            arms.append((left.expression, ctes))
            left = left.this
        outputs = [self.query(arm, parent, inside) for arm, inside in ((left, ctes), *arms[::-1])]
        together = Output()
        for output in outputs:
            together.columns.update(output.columns)
            together.open |= output.open
        if (order := query.args.get("order")) is not None:
            # Some engines also take the names of the other parts here.
            scope = Scope(parent, [Source("", "the query", together)])
            self.expressions(order, scope, Clause.ORDER_BY, ctes)
        return together if by_name else outputs[0]

    def _parenthesized(self, query: exp.Subquery, parent: Scope | None, ctes: Ctes) -> Output:
        if joins_only(query):
            scope = Scope(parent)
            self.sources.add_joined(query, scope, ctes)
            output = _all_of(scope)
        else:
            output = self.query(query.this, parent, ctes)
        for name in ("order", "limit", "offset"):
            if (part := query.args.get(name)) is not None:
                scope = Scope(parent, [Source("", "the query", Output(output.columns, True))])
                self.expressions(part, scope, Clause.ORDER_BY, ctes)
        if query.args.get("pivots"):
            inside = Scope(parent, [Source("", "the query", output)])
            return self.sources.pivots.follow(query, output, inside, ctes)
        return output

    def _select(self, query: exp.Select, parent: Scope | None, ctes: Ctes) -> Output:
        scope = Scope(parent)
        self.notes.selects.append((query, scope))
        self.sources.add_from(query, scope, ctes)
        if query.args.get("with_"):
            scope.extra |= {
                alias_of(cte.args["alias"].this, self.dialect)
                for cte in query.args["with_"].expressions
                if cte.args.get("scalar") and isinstance(cte.args["alias"].this, exp.Identifier)
            }
        for item in query.expressions:
            for name in given_names(item):
                key = column_of(name, self.dialect)
                scope.shown.add(key)
                if isinstance(item, exp.Alias):
                    scope.given.add(key)
            if made := shown_name(item, self.dialect):
                scope.shown.add(column_key(made, False, self.dialect))
        output = self._projections(query, scope, ctes)
        for name, part in query.args.items():
            if name in _NOT_WALKED or not part:
                continue
            clause = _CLAUSES.get(name, Clause.OTHER)
            for node in part if isinstance(part, list) else [part]:
                if isinstance(node, exp.Expression):
                    self.expressions(node, scope, clause, ctes)
        return output

    def _projections(self, query: exp.Select, scope: Scope, ctes: Ctes) -> Output:
        output = Output(open=bool(query.args.get("kind")))
        for item in query.expressions:
            self.expressions(item, scope, Clause.SELECT, ctes)
            if item.is_star:
                self._star(item, scope, output, ctes)
                continue
            names = list(given_names(item))
            if not names:
                made_up = name_in_result(item, self.dialect)
                output.open |= made_up is None
                if made_up:
                    output.columns.setdefault(made_up, COMPUTED)
                continue
            inner = item.unalias() if isinstance(item, exp.Alias) else item
            known = COMPUTED
            if isinstance(inner, exp.Column):
                known = self.notes.bound.get(inner.this.meta.get("start", -1), COMPUTED)
            for name in names:
                output.columns[column_of(name, self.dialect)] = known
        return output

    def _star(self, item: exp.Expression, scope: Scope, output: Output, ctes: Ctes) -> None:
        star = item.find(exp.Star)
        qualifier = item.args.get("table") if isinstance(item, exp.Column) else None
        sources = scope.sources
        if isinstance(qualifier, exp.Identifier):
            source = scope.source(alias_of(qualifier, self.dialect))
            sources = [source] if source is not None else []
            output.open |= source is None
            # The walk over the list stops at a column, and this one is no column.
            for part in star.iter_expressions() if star is not None else ():
                self.expressions(part, scope, Clause.SELECT, ctes)
        sources = [source for source in sources if not source.hidden]
        output.open |= any(source.output.open for source in sources)
        output.open |= scope.open or not isinstance(item, exp.Star | exp.Column)
        args = star.args if star is not None else {}
        output.open |= any(args.get(name) for name in args if name not in _STAR_PARTS)
        without = {self._key_of(each) for each in args.get("except_") or ()}
        new = {self._key_of(each.this): each for each in args.get("rename") or ()}
        for source in sources:
            for key, known in source.output.columns.items():
                if key in new:
                    key = column_of(new[key].args["alias"], self.dialect)
                if key not in without:
                    output.columns[key] = known

    def _key_of(self, name: exp.Expression) -> str:
        identifier = name.this if isinstance(name, exp.Column) else name
        if isinstance(identifier, exp.Identifier):
            return column_of(identifier, self.dialect)
        return ""

    # Expressions.

    def expressions(self, node: exp.Expression, scope: Scope, clause: Clause, ctes: Ctes) -> None:
        """Resolve all names below a node, and follow the queries in it."""
        for found in _names_in(node):
            if isinstance(found, exp.Column):
                self.columns.resolve(found, scope, clause)
            else:
                self.query(found, scope, ctes)


_STAR_PARTS = frozenset({"except_", "rename", "replace"})


def _all_of(scope: Scope) -> Output:
    output = Output(open=scope.open)
    for source in scope.sources:
        output.columns.update(source.output.columns)
        output.open |= source.output.open
    return output


def _names_in(node: exp.Expression) -> Iterator[exp.Expression]:
    """The columns below a node, and the queries in it, which have scopes of their own."""
    waiting = [node]
    while waiting:
        found = waiting.pop()
        if isinstance(found, _SKIPPED):
            continue
        if isinstance(found, exp.Query | exp.Column):
            yield found
            continue
        children = list(found.iter_expressions(reverse=True))
        if isinstance(found, exp.PropertyEQ | exp.Kwarg):
            children = children[:1]
        waiting += children
