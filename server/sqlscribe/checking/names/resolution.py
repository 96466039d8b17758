"""Following every name of a statement to what it means.

The walk knows SQL's rules of visibility and nothing of messages: what it cannot follow it
notes as a :class:`Miss`, and only where nothing is left open.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

from sqlglot import exp

from sqlscribe.checking.names.aliases import Clause
from sqlscribe.checking.names.columns import Columns
from sqlscribe.checking.names.misses import Walk
from sqlscribe.checking.names.scopes import (
    COMPUTED,
    Output,
    Scope,
    Source,
    column_key,
    renamed,
)
from sqlscribe.checking.names.sources import (
    Ctes,
    Sources,
    alias_of,
    column_of,
    joins_only,
    names_of,
)
from sqlscribe.checking.parsing import Parsed
from sqlscribe.schema.model import Schema

_CLAUSES = {
    "where": Clause.WHERE,
    "prewhere": Clause.WHERE,
    "group": Clause.GROUP_BY,
    "having": Clause.HAVING,
    "order": Clause.ORDER_BY,
}
_SOURCES = ("from_", "joins", "laterals", "with_", "pivots")
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
# Engines that give such a part a name that can only be written in quotes, or none.
_NO_NAME = frozenset(
    {"sqlite", "mysql", "tsql", "fabric", "snowflake", "duckdb", "oracle", "spark", "databricks"}
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


def resolve(parse: Parsed, schema: Schema, made: Collection[str] = ()) -> Walk:
    """Follow the names of all statements. ``made`` are names by earlier statements."""
    notes = Walk()
    walker = _Walker(parse, schema, notes, {name.casefold() for name in made})
    for tree in parse.trees:
        walker.statement(tree)
    return notes


class _Walker:
    """One pass over the statements of a text."""

    def __init__(self, parse: Parsed, schema: Schema, notes: Walk, made: set[str]) -> None:
        self.dialect = parse.dialect
        self.notes = notes
        self.made = made
        self.columns = Columns(parse.sql, parse.dialect, notes, made)
        self.sources = Sources(schema, parse.dialect, notes, made, self)

    def statement(self, tree: exp.Expression) -> None:
        """Follow one statement; of a kind that is not followed, nothing is said."""
        if isinstance(tree, exp.Query | exp.Values):
            self.query(tree, None, {})
        elif isinstance(tree, exp.Insert):
            self._insert(tree)
        elif isinstance(tree, exp.Update | exp.Delete | exp.Merge):
            self._change(tree)
        elif isinstance(tree, exp.Create | exp.Describe):
            body = tree.args.get("expression") or tree.this
            if isinstance(body, exp.Query):
                self.query(body, None, {})
            if isinstance(tree, exp.Create) and (table := tree.find(exp.Table)):
                self.made.add(table.name.casefold())

    def query(self, query: exp.Expression, parent: Scope | None, ctes: Ctes) -> Output:
        """The columns that a query gives."""
        ctes = self._with(query, parent, ctes)
        if isinstance(query, exp.Select):
            return self._select(query, parent, ctes)
        if isinstance(query, exp.SetOperation):
            return self._set_operation(query, parent, ctes)
        if isinstance(query, exp.Subquery):
            return self._parenthesized(query, parent, ctes)
        scope = Scope(parent, open=True)
        self.expressions(query, scope, Clause.OTHER, ctes)
        return Output(open=True)

    # The names that WITH gives.

    def _with(self, query: exp.Expression, parent: Scope | None, ctes: Ctes) -> Ctes:
        with_ = query.args.get("with_")
        if not isinstance(with_, exp.With):
            return ctes
        inside = dict(ctes)
        for cte in with_.expressions:
            name = cte.args["alias"].this
            if not isinstance(name, exp.Identifier):
                continue
            key = alias_of(name, self.dialect)
            if cte.args.get("scalar") or not isinstance(cte.this, exp.Query):
                if isinstance(cte.this, exp.DML):
                    self.statement(cte.this)
                inside[key] = Output(open=True)
                continue
            names = names_of(cte.args["alias"], self.dialect)
            # A recursive query sees itself; so it may in dialects without the word.
            inside[key] = self._first_arm(cte.this, names)
            inside[key] = renamed(self.query(cte.this, parent, inside), names)
            if with_.args.get("search"):
                # SEARCH and CYCLE add columns of their own.
                inside[key] = Output(inside[key].columns, open=True)
        return inside

    def _first_arm(self, query: exp.Expression, names: list[str]) -> Output:
        if names:
            return Output(dict.fromkeys(names, COMPUTED))
        while isinstance(query, exp.SetOperation):
            query = query.this
        columns = dict.fromkeys(
            (column_key(item.alias_or_name, False, self.dialect) for item in query.selects),
            COMPUTED,
        ) if isinstance(query, exp.Select) else {}  # fmt: skip
        return Output(columns, open=True)

    # Queries.

    def _set_operation(self, query: exp.SetOperation, parent: Scope | None, ctes: Ctes) -> Output:
        arms: list[tuple[exp.Expression, Ctes]] = []
        left: exp.Expression = query
        while isinstance(left, exp.SetOperation):
            ctes = self._with(left, parent, ctes) if left is not query else ctes
            arms.append((left.expression, ctes))
            left = left.this
        outputs = [self.query(arm, parent, inside) for arm, inside in ((left, ctes), *arms[::-1])]
        first = outputs[0]
        order = query.args.get("order")
        if order is not None:
            # Some engines also take the names of the other parts here.
            together = Source("", "the query", Output(open=first.open))
            for output in outputs:
                together.output.columns.update(output.columns)
                together.output.open |= output.open
            scope = Scope(parent, [together])
            self.expressions(order, scope, Clause.ORDER_BY, ctes)
        return first

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
            return Output(output.columns, open=True)
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
            if (name := _given_name(item)) is not None:
                key = column_of(name, self.dialect)
                scope.shown.add(key)
                if isinstance(item, exp.Alias):
                    scope.given.add(key)
            elif self.dialect not in _NO_NAME and (made := _made_name(item)):
                scope.shown.add(self._key(made))
        output = self._projections(query, scope, ctes)
        for name, part in query.args.items():
            if name in _SOURCES or name in ("expressions", "hint", "into") or not part:
                continue
            clause = _CLAUSES.get(name, Clause.OTHER)
            for node in part if isinstance(part, list) else [part]:
                if isinstance(node, exp.Expression):
                    self.expressions(node, scope, clause, ctes)
        return output

    def _projections(self, query: exp.Select, scope: Scope, ctes: Ctes) -> Output:
        output = Output()
        for item in query.expressions:
            self.expressions(item, scope, Clause.SELECT, ctes)
            if item.is_star:
                self._star(item, scope, output)
                continue
            name = _given_name(item)
            if name is None:
                self._made_up(item, output)
                continue
            key = column_of(name, self.dialect)
            inner = item.unalias() if isinstance(item, exp.Alias) else item
            known = COMPUTED
            if isinstance(inner, exp.Column):
                known = self.notes.bound.get(inner.this.meta.get("start", -1), COMPUTED)
            output.columns[key] = known
        return output

    def _made_up(self, item: exp.Expression, output: Output) -> None:
        """A part of the select list without a name: what the engine calls it."""
        if self.dialect in _NO_NAME:
            return
        function = _NAMED_AFTER.get(type(item))
        if function is None:
            output.open = True
        else:
            output.columns.setdefault(function, COMPUTED)

    def _star(self, item: exp.Expression, scope: Scope, output: Output) -> None:
        star = item if isinstance(item, exp.Star) else item.find(exp.Star)
        changed = star is not None and any(star.args.get(key) for key in star.args)
        qualifier = item.args.get("table") if isinstance(item, exp.Column) else None
        sources = scope.sources
        if isinstance(qualifier, exp.Identifier):
            source = scope.source(alias_of(qualifier, self.dialect))
            sources = [source] if source is not None else []
            output.open |= source is None
        for source in sources:
            if not source.hidden:
                output.columns.update(source.output.columns)
                output.open |= source.output.open
        if scope.open or changed or not isinstance(item, exp.Star | exp.Column):
            output.open = True

    # Expressions.

    def expressions(self, node: exp.Expression, scope: Scope, clause: Clause, ctes: Ctes) -> None:
        for found in _names_in(node):
            if isinstance(found, exp.Column):
                self.columns.resolve(found, scope, clause)
            else:
                self.query(found, scope, ctes)

    # Statements that change data.

    def _insert(self, tree: exp.Insert) -> None:
        ctes = self._with(tree, None, {})
        target = tree.this.this if isinstance(tree.this, exp.Schema) else tree.this
        if not isinstance(target, exp.Table):
            return
        scope = Scope()
        self.sources.add(target, scope, {})
        source = scope.sources[0]
        if isinstance(tree.this, exp.Schema):
            self._inserted(tree.this.expressions, scope)
        scope.sources.append(Source(self._key("excluded"), "excluded", Output(open=True)))
        if isinstance(tree.expression, exp.Query):
            self.query(tree.expression, None, ctes)
        # An ON CONFLICT may mean either row.
        source.output.open = True
        for name in ("conflict", "returning"):
            if (part := tree.args.get(name)) is not None:
                self.expressions(part, scope, Clause.OTHER, ctes)

    def _key(self, name: str) -> str:
        return column_key(name, False, self.dialect)

    def _inserted(self, names: list[exp.Expression], scope: Scope) -> None:
        for name in names:
            name = name.this if isinstance(name, exp.Column) else name
            if isinstance(name, exp.Identifier):
                column = exp.Column(this=name.copy())
                column.this.meta.update(name.meta)
                self.columns.resolve(column, scope, Clause.OTHER)

    def _change(self, tree: exp.Expression) -> None:
        """UPDATE, DELETE and MERGE: one scope for the target and what it is compared with."""
        ctes = self._with(tree, None, {})
        scope = Scope()
        if isinstance(tree.this, exp.Expression) and not _is_alias(tree.this, tree):
            self.sources.add(tree.this, scope, ctes)
        using = tree.args.get("using") or ()
        for node in using if isinstance(using, list) else [using]:
            if isinstance(node, exp.Expression):
                self.sources.add(node, scope, ctes)
        self.sources.add_from(tree, scope, ctes)
        if isinstance(tree, exp.Merge):
            # Which of the two rows a plain name means depends on the clause.
            scope.merged |= {key for source in scope.sources for key in source.output.columns}
        elif isinstance(tree, exp.Update):
            scope.merged |= set(scope.sources[0].output.columns) if scope.sources else set()
        scope.extra |= {
            self._key(word) for word in ("excluded", "inserted", "deleted", "old", "new")
        }
        for name, part in tree.args.items():
            if name in ("this", "using", "tables", *_SOURCES) or not part:
                continue
            clause = _CLAUSES.get(name, Clause.OTHER)
            for node in part if isinstance(part, list) else [part]:
                if isinstance(node, exp.Expression):
                    self.expressions(node, scope, clause, ctes)


def _is_alias(target: exp.Expression, tree: exp.Expression) -> bool:
    """``UPDATE o SET … FROM orders o``: the target is named in FROM."""
    from_ = tree.args.get("from_")
    if not isinstance(target, exp.Table) or from_ is None or target.args.get("db"):
        return False
    joins = tree.args.get("joins") or from_.this.args.get("joins") or ()
    sources = [from_.this, *(join.this for join in joins)]
    return any(source.alias.casefold() == target.name.casefold() for source in sources)


def _given_name(item: exp.Expression) -> exp.Identifier | None:
    """The name that a part of the select list has."""
    if isinstance(item, exp.Alias):
        alias = item.args.get("alias")
        return alias if isinstance(alias, exp.Identifier) else None
    if isinstance(item, exp.Column | exp.Dot):
        name = item.this if isinstance(item, exp.Column) else item.expression
        return name if isinstance(name, exp.Identifier) else None
    return None


def _made_name(item: exp.Expression) -> str:
    """What PostgreSQL and its kin call a part of the select list: ``count``, or ``""``."""
    inner = item
    while isinstance(inner, exp.Cast | exp.Window | exp.Filter | exp.WithinGroup):
        inner = inner.this
    if isinstance(inner, exp.Anonymous | exp.Column):
        return str(inner.name)
    return str(inner.sql_name()).lower() if isinstance(inner, exp.Func) else ""


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
