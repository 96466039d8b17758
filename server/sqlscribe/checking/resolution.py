"""Following every name of a statement to what it means.

The walk knows SQL's rules of visibility and nothing of messages: what it cannot follow it
notes as a :class:`Miss`, and only where nothing is left open.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

from sqlglot import exp

from sqlscribe.checking.aliases import Clause
from sqlscribe.checking.columns import Columns
from sqlscribe.checking.lookup import Match, look_up, schema_of
from sqlscribe.checking.misses import Miss, MissKind, Walk
from sqlscribe.checking.parsing import Parsed
from sqlscribe.checking.scopes import (
    COMPUTED,
    Output,
    Scope,
    Source,
    alias_key,
    column_key,
    renamed,
    table_output,
)
from sqlscribe.schema.identifiers import quote
from sqlscribe.schema.model import Schema

Ctes = Mapping[str, Output]

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
    """Follow the names of all statements. ``made`` are tables that exist by earlier statements."""
    notes = Walk()
    walker = _Walker(parse, schema, notes, {name.casefold() for name in made})
    for tree in parse.trees:
        walker.statement(tree)
    return notes


class _Walker:
    """One pass over the statements of a text."""

    def __init__(self, parse: Parsed, schema: Schema, notes: Walk, made: set[str]) -> None:
        self.schema = schema
        self.dialect = parse.dialect
        self.notes = notes
        self.made = made
        self.columns = Columns(parse.sql, parse.dialect, notes)

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
        self._expressions(query, scope, Clause.OTHER, ctes)
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
            key = self._alias(name)
            if cte.args.get("scalar") or not isinstance(cte.this, exp.Query):
                if isinstance(cte.this, exp.DML):
                    self.statement(cte.this)
                inside[key] = Output(open=True)
                continue
            names = self._names(cte.args["alias"])
            # A recursive query sees itself; so it may in dialects without the word.
            inside[key] = self._first_arm(cte.this, names)
            inside[key] = renamed(self.query(cte.this, parent, inside), names)
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

    def _alias(self, name: exp.Identifier) -> str:
        return alias_key(name.name, bool(name.args.get("quoted")), self.dialect)

    def _names(self, alias: exp.Expression | None) -> list[str]:
        """The column names of ``AS t(a, b)``."""
        columns = alias.args.get("columns") or () if alias is not None else ()
        identifiers = [
            column.this if isinstance(column, exp.ColumnDef) else column for column in columns
        ]
        return [
            column_key(name.name, bool(name.args.get("quoted")), self.dialect)
            for name in identifiers
            if isinstance(name, exp.Identifier)
        ]

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
            self._expressions(order, scope, Clause.ORDER_BY, ctes)
        return first

    def _parenthesized(self, query: exp.Subquery, parent: Scope | None, ctes: Ctes) -> Output:
        if isinstance(query.this, exp.Query):
            output = self.query(query.this, parent, ctes)
        else:
            scope = Scope(parent)
            self._source(query.this, scope, ctes)
            output = _all_of(scope)
        for name in ("order", "limit", "offset"):
            if (part := query.args.get(name)) is not None:
                scope = Scope(parent, [Source("", "the query", Output(output.columns, True))])
                self._expressions(part, scope, Clause.ORDER_BY, ctes)
        if query.args.get("pivots"):
            return Output(output.columns, open=True)
        return output

    def _select(self, query: exp.Select, parent: Scope | None, ctes: Ctes) -> Output:
        scope = Scope(parent)
        self.notes.selects.append((query, scope))
        self._from(query, scope, ctes)
        if query.args.get("with_"):
            scope.extra |= {
                self._alias(cte.args["alias"].this)
                for cte in query.args["with_"].expressions
                if cte.args.get("scalar") and isinstance(cte.args["alias"].this, exp.Identifier)
            }
        for item in query.expressions:
            if (name := _given_name(item)) is not None:
                key = column_key(name.name, bool(name.args.get("quoted")), self.dialect)
                scope.shown.add(key)
                if isinstance(item, exp.Alias):
                    scope.given.add(key)
        output = self._projections(query, scope, ctes)
        for name, part in query.args.items():
            if name in _SOURCES or name in ("expressions", "hint", "into") or not part:
                continue
            clause = _CLAUSES.get(name, Clause.OTHER)
            for node in part if isinstance(part, list) else [part]:
                if isinstance(node, exp.Expression):
                    self._expressions(node, scope, clause, ctes)
        return output

    def _projections(self, query: exp.Select, scope: Scope, ctes: Ctes) -> Output:
        output = Output()
        for item in query.expressions:
            self._expressions(item, scope, Clause.SELECT, ctes)
            if item.is_star:
                self._star(item, scope, output)
                continue
            name = _given_name(item)
            if name is None:
                self._made_up(item, output)
                continue
            key = column_key(name.name, bool(name.args.get("quoted")), self.dialect)
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
            source = scope.source(self._alias(qualifier))
            sources = [source] if source is not None else []
            output.open |= source is None
        for source in sources:
            if not source.hidden:
                output.columns.update(source.output.columns)
                output.open |= source.output.open
        if scope.open or changed or not isinstance(item, exp.Star | exp.Column):
            output.open = True

    # What stands in FROM.

    def _from(self, query: exp.Expression, scope: Scope, ctes: Ctes) -> None:
        from_ = query.args.get("from_")
        if from_ is not None and from_.this is not None:
            self._source(from_.this, scope, ctes)
        for lateral in query.args.get("laterals") or ():
            self._source(lateral, scope, ctes)
        for join in query.args.get("joins") or ():
            self._join(join, scope, ctes)
        if query.args.get("pivots"):
            scope.open = True

    def _join(self, join: exp.Join, scope: Scope, ctes: Ctes) -> None:
        if join.args.get("kind") == "ARRAY":
            self._array_join(join.this, scope, ctes)
            return
        before = len(scope.sources)
        self._source(join.this, scope, ctes)
        added = scope.sources[before:]
        for name in join.args.get("using") or ():
            name = name.this if isinstance(name, exp.Column) else name
            if isinstance(name, exp.Identifier):
                self._using(name, scope, before)
        if join.args.get("method") == "NATURAL":
            mine = {key for source in scope.sources[:before] for key in source.output.columns}
            scope.merged |= {
                key for source in added for key in source.output.columns if key in mine
            }
        if (on := join.args.get("on")) is not None:
            self._expressions(on, scope, Clause.ON, ctes)
        if join.args.get("kind") in ("SEMI", "ANTI"):
            for source in added:
                source.hidden = True

    def _using(self, name: exp.Identifier, scope: Scope, before: int) -> None:
        """A column of USING must be on both sides, and is then one."""
        key = column_key(name.name, bool(name.args.get("quoted")), self.dialect)
        scope.merged.add(key)
        for side in (scope.sources[:before], scope.sources[before:]):
            has_it = any(source.finds(key) for source in side)
            if side and not has_it and not scope.open and not any(s.output.open for s in side):
                self._miss(MissKind.COLUMN, name, scope, sources=tuple(side))

    def _array_join(self, item: exp.Expression, scope: Scope, ctes: Ctes) -> None:
        items = item.expressions if isinstance(item, exp.Tuple) else [item]
        for array in items:
            if isinstance(array, exp.Alias):
                scope.extra.add(column_key(array.alias, False, self.dialect))
            self._expressions(array, scope, Clause.OTHER, ctes)

    def _source(self, node: exp.Expression, scope: Scope, ctes: Ctes) -> None:
        """Add what one part of FROM gives to the scope."""
        alias = node.args.get("alias")
        alias = alias if isinstance(alias, exp.TableAlias) else None
        if isinstance(node, exp.Table):
            self._table(node, alias, scope, ctes)
            for join in node.args.get("joins") or ():
                self._join(join, scope, ctes)
            for lateral in node.args.get("laterals") or ():
                self._source(lateral, scope, ctes)
        elif isinstance(node, exp.Subquery) and not isinstance(node.this, exp.Query):
            # Parentheses around joins: their sources stay visible.
            self._inner_joins(node, alias, scope, ctes)
        elif isinstance(node, exp.Query):
            output = self.query(node, scope.parent, ctes)
            self._add(alias, Output(output.columns, output.open), scope)
        elif isinstance(node, exp.Lateral) and isinstance(node.this, exp.Subquery):
            output = self.query(node.this, scope, ctes)
            self._add(alias, Output(output.columns, output.open), scope)
        elif isinstance(node, exp.Unnest):
            self._unnest(node, alias, scope, ctes)
        elif isinstance(node, exp.Values):
            self._expressions(node, Scope(scope, open=True), Clause.OTHER, ctes)
            names = self._names(alias)
            self._add(alias, Output(dict.fromkeys(names, COMPUTED), not names), scope)
        else:
            self._expressions(node, scope, Clause.OTHER, ctes)
            self._add(alias, Output(open=True), scope, called=node)

    def _inner_joins(
        self, node: exp.Subquery, alias: exp.TableAlias | None, scope: Scope, ctes: Ctes
    ) -> None:
        if alias is None:
            self._source(node.this, scope, ctes)
            for join in node.args.get("joins") or ():
                self._join(join, scope, ctes)
            return
        self._add(alias, self._parenthesized(node, scope.parent, ctes), scope)

    def _table(
        self, node: exp.Table, alias: exp.TableAlias | None, scope: Scope, ctes: Ctes
    ) -> None:
        name = node.this
        if not isinstance(name, exp.Identifier):
            self._expressions(node, scope, Clause.OTHER, ctes)
            self._add(alias, Output(open=True), scope, called=name)
            return
        inside = schema_of(node)
        if not inside and (cte := ctes.get(self._alias(name))) is not None:
            self._add(alias, cte, scope, name=name)
        elif inside and scope.source(alias_key(inside, False, self.dialect)) is not None:
            # FROM orders o, o.items: an array of the row.
            self._add(alias, Output(open=True), scope, name=name, value=True)
        elif inside == "" and name.name.casefold() in self.made:
            self._add(alias, Output(open=True), scope, name=name)
        else:
            self._schema_table(node, alias, scope)
        if node.args.get("pivots"):
            scope.sources[-1].output = Output(scope.sources[-1].output.columns, open=True)
            for pivot in node.args["pivots"]:
                self._add(pivot.args.get("alias"), Output(open=True), scope)

    def _schema_table(self, node: exp.Table, alias: exp.TableAlias | None, scope: Scope) -> None:
        found = look_up(node, self.schema, self.dialect)
        written = ".".join(part for part in (schema_of(node), node.name) if part)
        output = Output(open=True)
        table = None
        if found.match is Match.AMBIGUOUS:
            self._miss(MissKind.TABLE_AMBIGUOUS, node.this, scope, tables=found.tables)
        elif found.tables:
            table = found.tables[0]
            written = table.qualified_name
            output = table_output(table, self.dialect)
            for other in found.tables[1:]:
                output.columns |= table_output(other, self.dialect).columns
        source = self._add(alias, output, scope, name=node.this)
        source.table = table
        source.label = table.name if table is not None else node.name
        if found.match is Match.UNKNOWN:
            self._miss(MissKind.TABLE, node.this, scope, source=source, within=schema_of(node))
        elif found.match is Match.SPELLING:
            self._miss(MissKind.TABLE_SPELLING, node.this, scope, tables=found.tables)
        if written not in self.notes.tables:
            self.notes.tables.append(written)

    def _unnest(
        self, node: exp.Unnest, alias: exp.TableAlias | None, scope: Scope, ctes: Ctes
    ) -> None:
        """An array made rows. Where the DDL knows its elements, their fields are known."""
        for item in node.expressions:
            self._expressions(item, scope, Clause.OTHER, ctes)
        offset = node.args.get("offset")
        if isinstance(offset, exp.Identifier):
            scope.extra.add(column_key(offset.name, False, self.dialect))
        array = node.expressions[0] if len(node.expressions) == 1 else None
        known = None
        if isinstance(array, exp.Column):
            known = self.notes.bound.get(array.this.meta.get("start", -1))
        columns = alias.args.get("columns") if alias is not None else None
        fields = known.column.fields if known and known.column else ()
        if self.dialect != "bigquery" or not columns or not isinstance(columns[0], exp.Identifier):
            names = dict.fromkeys(self._names(alias), COMPUTED)
            self._add(alias, Output(names, open=True), scope, value=True)
            return
        names = {path.split(".")[0].casefold(): COMPUTED for path in fields}
        source = Source(
            self._alias(columns[0]), array.name if array else "", Output(names, not fields)
        )
        source.value = True
        scope.sources.append(source)

    def _add(
        self,
        alias: exp.TableAlias | None,
        output: Output,
        scope: Scope,
        *,
        name: exp.Identifier | None = None,
        called: exp.Expression | None = None,
        value: bool = False,
    ) -> Source:
        """A new source under its alias, its own name, or the name of its function."""
        given = alias.this if alias is not None else None
        label = given if isinstance(given, exp.Identifier) else name
        key = self._alias(label) if label is not None else ""
        if not key and isinstance(called, exp.Func):
            key = column_key(called.name or called.sql_name(), False, self.dialect)
            key = key if isinstance(called, exp.Anonymous) else key.casefold()
        shown = label.name if label is not None else "a subquery"
        names = self._names(alias)
        source = Source(key, shown, renamed(output, names))
        source.value = value or called is not None
        if label is not None:
            quoted = bool(label.args.get("quoted"))
            source.name = quote(label.name, self.dialect) if quoted else label.name
        scope.sources.append(source)
        return source

    # Expressions.

    def _expressions(self, node: exp.Expression, scope: Scope, clause: Clause, ctes: Ctes) -> None:
        for found in _names_in(node):
            if isinstance(found, exp.Column):
                self.columns.resolve(found, scope, clause)
            else:
                self.query(found, scope, ctes)

    def _miss(self, kind: MissKind, name: exp.Identifier, scope: Scope, **details: object) -> None:
        self.notes.misses.append(Miss(kind, name, scope, **details))  # type: ignore[arg-type]

    # Statements that change data.

    def _insert(self, tree: exp.Insert) -> None:
        ctes = self._with(tree, None, {})
        target = tree.this.this if isinstance(tree.this, exp.Schema) else tree.this
        if not isinstance(target, exp.Table):
            return
        scope = Scope()
        self._table(target, None, scope, {})
        scope.sources.append(Source(self._key("excluded"), "excluded", Output(open=True)))
        source = scope.sources[0]
        if isinstance(tree.this, exp.Schema):
            self._inserted(tree.this.expressions, source, scope)
        if isinstance(tree.expression, exp.Query):
            self.query(tree.expression, None, ctes)
        # An ON CONFLICT may mean either row.
        source.output.open = True
        for name in ("conflict", "returning"):
            if (part := tree.args.get(name)) is not None:
                self._expressions(part, scope, Clause.OTHER, ctes)

    def _key(self, name: str) -> str:
        return column_key(name, False, self.dialect)

    def _inserted(self, names: list[exp.Expression], source: Source, scope: Scope) -> None:
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
        if isinstance(tree.this, exp.Expression):
            self._source(tree.this, scope, ctes)
        using = tree.args.get("using") or ()
        for node in using if isinstance(using, list) else [using]:
            if isinstance(node, exp.Expression):
                self._source(node, scope, ctes)
        self._from(tree, scope, ctes)
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
                    self._expressions(node, scope, clause, ctes)


def _given_name(item: exp.Expression) -> exp.Identifier | None:
    """The name that a part of the select list has."""
    if isinstance(item, exp.Alias):
        alias = item.args.get("alias")
        return alias if isinstance(alias, exp.Identifier) else None
    if isinstance(item, exp.Column | exp.Dot):
        name = item.this if isinstance(item, exp.Column) else item.expression
        return name if isinstance(name, exp.Identifier) else None
    return None


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
        children = [child for child in found.iter_expressions(reverse=True)]
        if isinstance(found, exp.PropertyEQ | exp.Kwarg):
            children = children[:1]
        waiting += children
