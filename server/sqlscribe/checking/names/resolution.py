"""Following every name of a statement to what it means.

The walk knows SQL's rules of visibility and nothing of messages: what it cannot follow it
notes as a :class:`Miss`, and only where nothing is left open.
"""

from __future__ import annotations

from collections.abc import Iterator

from sqlglot import exp

from sqlscribe.checking.names.aliases import Clause, show_names
from sqlscribe.checking.names.changes import Changes
from sqlscribe.checking.names.columns import Columns
from sqlscribe.checking.names.items import given_names, name_in_result
from sqlscribe.checking.names.misses import Miss, MissKind, Walk
from sqlscribe.checking.names.scopes import (
    COMPUTED,
    Output,
    Scope,
    Source,
    alias_of,
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
    # ClickHouse's: settings and formats are no columns.
    | {"settings", "format"}
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
# Engines where ORDER BY behind a UNION sees the names of its first part alone.
_FIRST_PART = frozenset(
    """
    postgres redshift mysql duckdb tsql fabric snowflake bigquery oracle spark databricks trino
    presto athena
    """.split()
)
# Engines where FOR UPDATE OF names tables, as the query calls them.
_LOCKS_TABLES = frozenset({"postgres", "mysql"})
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
            first = self.dialect in _FIRST_PART and not by_name
            seen = outputs[0] if first else together
            scope = Scope(parent, [Source("", "the query", seen)])
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
        scope = Scope(parent, windows=self._windows(query))
        self.notes.selects.append((query, scope))
        self.sources.add_from(query, scope, ctes)
        if query.args.get("with_"):
            scope.extra |= {
                alias_of(cte.args["alias"].this, self.dialect)
                for cte in query.args["with_"].expressions
                if cte.args.get("scalar") and isinstance(cte.args["alias"].this, exp.Identifier)
            }
        show_names(query, scope, self.dialect)
        output = self._projections(query, scope, ctes)
        for name, part in query.args.items():
            if name in _NOT_WALKED or not part:
                continue
            clause = _CLAUSES.get(name, Clause.OTHER)
            for node in part if isinstance(part, list) else [part]:
                if isinstance(node, exp.Expression):
                    self.expressions(node, scope, clause, ctes)
        if self.dialect in _LOCKS_TABLES:
            self._locks(query, scope)
        return output

    def _windows(self, query: exp.Select) -> dict[str, str]:
        named = (window.this for window in query.args.get("windows") or ())
        return {
            alias_of(name, self.dialect): name.name
            for name in named
            if isinstance(name, exp.Identifier)
        }

    def _window(self, window: exp.Window, scope: Scope) -> None:
        """``OVER w``: there must be a window of that name."""
        name = window.args["alias"]
        if scope.windows is not None and alias_of(name, self.dialect) not in scope.windows:
            self.notes.add(Miss(MissKind.WINDOW, name, scope))

    def _locks(self, query: exp.Select, scope: Scope) -> None:
        """``FOR UPDATE OF o``: there must be an ``o`` in FROM."""
        for lock in query.args.get("locks") or ():
            for table in lock.expressions:
                name = table.this if isinstance(table, exp.Table) else None
                if isinstance(name, exp.Identifier) and not table.args.get("db"):
                    key = alias_of(name, self.dialect)
                    if not any(source.key == key for source in scope.sources):
                        self.notes.add(Miss(MissKind.ALIAS, name, scope))

    def _projections(self, query: exp.Select, scope: Scope, ctes: Ctes) -> Output:
        output = Output(open=bool(query.args.get("kind")))
        for item in query.expressions:
            if not isinstance(item, exp.Star):
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
        if star is not None and (not isinstance(qualifier, exp.Identifier) or sources):
            self._star_parts(star, scope, sources, ctes)
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

    def _star_parts(self, star: exp.Star, scope: Scope, sources: list[Source], ctes: Ctes) -> None:
        """What a star leaves out or renames, which may be in several of its sources at once."""
        keys = {key for source in sources for key in source.output.columns}
        inside = Scope(scope.parent, sources, merged=keys, open=scope.open)
        renames = (each.this for each in star.args.get("rename") or ())
        for name in (*(star.args.get("except_") or ()), *renames):
            self.expressions(name, inside, Clause.SELECT, ctes)
        for part in star.args.get("replace") or ():
            self.expressions(part, scope, Clause.SELECT, ctes)

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
            elif isinstance(found, exp.Dot):
                self.columns.follow_element(found, scope)
            elif isinstance(found, exp.Lambda):
                self.columns.follow_lambda(found, scope)
            elif isinstance(found, exp.Window):
                self._window(found, scope)
            elif isinstance(found, exp.In):
                self._in_name(found.args["field"], scope, clause, ctes)
            else:
                self.query(found, scope, ctes)

    def _in_name(self, name: exp.Column, scope: Scope, clause: Clause, ctes: Ctes) -> None:
        """``x IN name``: in SQLite the name of a table, elsewhere that of an array."""
        if self.dialect != "sqlite":
            self.columns.resolve(name, scope, clause)
            return
        table = exp.Table(this=name.this.copy(), db=name.args.get("table"))
        table.this.meta.update(name.this.meta)
        self.sources.add(table, Scope(scope), ctes)


_STAR_PARTS = frozenset({"except_", "rename", "replace"})


def _all_of(scope: Scope) -> Output:
    output = Output(open=scope.open)
    for source in scope.sources:
        output.columns.update(source.output.columns)
        output.open |= source.output.open
    return output


def _names_in(node: exp.Expression) -> Iterator[exp.Expression]:
    """The columns below a node, and the queries in it, which have scopes of their own.

    Also what names a field, a window, or in SQLite a table: behind what it stands upon.
    """
    waiting = [(node, False)]
    while waiting:
        found, seen = waiting.pop()
        if seen or isinstance(found, exp.Query | exp.Column):
            yield found
            continue
        if isinstance(found, _SKIPPED):
            continue
        children = list(found.iter_expressions(reverse=True))
        if isinstance(found, exp.PropertyEQ | exp.Kwarg):
            children = children[:1]
        elif isinstance(found, exp.NextValueFor):
            children = [child for child in children if child is not found.this]
        elif isinstance(found, exp.In) and isinstance(found.args.get("field"), exp.Column):
            children = [found.this]
            waiting.append((found, True))
        elif _leads_further(found):
            waiting.append((found, True))
        waiting += ((child, False) for child in children)


def _leads_further(node: exp.Expression) -> bool:
    """Whether a node itself names something, which depends on what stands below it."""
    if isinstance(node, exp.Window):
        # KEEP (DENSE_RANK …) has its function in the place of the name.
        is_name = isinstance(node.args.get("alias"), exp.Identifier)
        return is_name and node.args.get("over") != "KEEP"
    if isinstance(node, exp.Dot):
        return not isinstance(node.parent, exp.Dot)
    return isinstance(node, exp.Lambda)
