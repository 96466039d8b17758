"""Statements that change data: INSERT, UPDATE, DELETE, MERGE, and inserts into several tables."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from sqlglot import exp

from sqlscribe.checking.names.aliases import Clause
from sqlscribe.checking.names.columns import Columns
from sqlscribe.checking.names.items import given_names
from sqlscribe.checking.names.misses import Miss, MissKind
from sqlscribe.checking.names.scopes import (
    COMPUTED,
    Output,
    Scope,
    Source,
    alias_key,
    alias_of,
    column_key,
    column_of,
)
from sqlscribe.checking.names.sources import Sources
from sqlscribe.checking.names.walking import Ctes, Queries
from sqlscribe.notation.script_lines import is_tsql

_ROWS = ("inserted", "deleted", "old", "new")
"""What OUTPUT and RETURNING may call the row before and after."""

_WALKED = frozenset(
    {"this", "using", "tables", "from_", "joins", "laterals", "with_", "pivots", "expressions"}
    | {"whens", "conflict", "returning", "expression", "on"}
)


class Changes:
    """Follows the names of statements that change data."""

    def __init__(self, dialect: str, columns: Columns, sources: Sources, queries: Queries) -> None:
        self.dialect = dialect
        self._columns = columns
        self._sources = sources
        self._queries = queries

    def follow(self, tree: exp.Expression, parent: Scope | None, ctes: Ctes) -> Output:
        """What a statement returns."""
        ctes = self._queries.with_names(tree, parent, ctes)
        if isinstance(tree, exp.Insert):
            return self._insert(tree, parent, ctes)
        if isinstance(tree, exp.MultitableInserts):
            self._inserts(tree, parent, ctes)
            return Output(open=True)
        return self._change(tree, parent, ctes)

    # INSERT.

    def _insert(self, tree: exp.Insert, parent: Scope | None, ctes: Ctes) -> Output:
        target = self._target(tree, parent)
        rows = tree.expression
        if isinstance(rows, exp.Query):
            self._queries.query(rows, parent, ctes)
            if tree.args.get("by_name") and target is not None and isinstance(rows, exp.Select):
                names = (name for item in rows.expressions for name in given_names(item))
                self._set(names, Scope(None, target.sources))
        elif isinstance(rows, exp.Expression):
            # A word among the values may be anything, a text in double quotes for one.
            self._queries.expressions(rows, Scope(parent, open=True), Clause.OTHER, ctes)
        if target is None:
            return Output(open=True)
        conflict = tree.args.get("conflict")
        if isinstance(conflict, exp.OnConflict):
            self._conflict(conflict, target, rows, ctes)
        return self._returned(tree, target, ctes)

    def _target(self, tree: exp.Insert, parent: Scope | None) -> Scope | None:
        """A scope of nothing but the table that rows go to; its column list is looked at."""
        table = tree.this.this if isinstance(tree.this, exp.Schema) else tree.this
        if not isinstance(table, exp.Table):
            return None
        scope = Scope(parent)
        self._sources.add(table, scope, {})
        alone = Scope(None, scope.sources)
        if isinstance(tree.this, exp.Schema):
            self._set(tree.this.expressions, alone)
        return scope

    def _set(self, names: Iterable[exp.Expression], target: Scope) -> None:
        """Names that must be columns of the table that is changed."""
        for name in names:
            if isinstance(name, exp.Column):
                self._columns.resolve(name, target, Clause.OTHER)
            elif isinstance(name, exp.Identifier):
                column = exp.Column(this=name.copy())
                column.this.meta.update(name.meta)
                self._columns.resolve(column, target, Clause.OTHER)

    def _conflict(
        self, conflict: exp.OnConflict, target: Scope, rows: exp.Expression | None, ctes: Ctes
    ) -> None:
        alone = Scope(None, target.sources)
        for key in conflict.args.get("conflict_keys") or ():
            self._queries.expressions(key, alone, Clause.OTHER, ctes)
        scope = Scope(target.parent, [*target.sources, *self._rows(target, ("excluded",))])
        # MySQL also sees the tables of the query, and may give the new row a name.
        scope.open = bool(conflict.args.get("duplicate")) and isinstance(rows, exp.Query)
        alias = rows.args.get("alias") if isinstance(rows, exp.Values) else None
        if isinstance(alias, exp.TableAlias) and isinstance(alias.this, exp.Identifier):
            key = alias_of(alias.this, self.dialect)
            scope.sources.append(Source(key, alias.name, Output(open=True), hidden=True))
        self._assignments(_pairs(conflict), alone, scope, ctes)
        for call in conflict.find_all(exp.Anonymous):
            # MySQL's name for what would have been inserted.
            if call.name.upper() in ("VALUES", "VALUE"):
                self._set(call.expressions, alone)
        for name in ("where", "index_where"):
            if (part := conflict.args.get(name)) is not None:
                self._queries.expressions(part, scope, Clause.OTHER, ctes)

    def _rows(self, target: Scope, names: Iterable[str]) -> Iterator[Source]:
        """The target's row under other names."""
        for source in target.sources[:1]:
            for name in names:
                key = column_key(name, False, self.dialect)
                if target.source(key) is None:
                    output = Output(source.output.columns, source.output.open)
                    yield Source(key, source.label, output, name, hidden=True)

    def _assignments(
        self, pairs: Iterable[exp.Expression], target: Scope, scope: Scope, ctes: Ctes
    ) -> None:
        """``SET a = …``: the left side is a column of the target, the right may be anything."""
        for pair in pairs:
            if not isinstance(pair, exp.EQ):
                self._queries.expressions(pair, scope, Clause.OTHER, ctes)
                continue
            left = pair.this.expressions if isinstance(pair.this, exp.Tuple) else [pair.this]
            for name in left:
                self._assigned(name, target, scope, ctes)
            self._queries.expressions(pair.expression, scope, Clause.OTHER, ctes)

    def _assigned(self, name: exp.Expression, target: Scope, scope: Scope, ctes: Ctes) -> None:
        if not isinstance(name, exp.Column):
            self._queries.expressions(name, scope, Clause.OTHER, ctes)
        elif not name.table:
            self._set([name], target)
        elif self._is_field(name, target):
            self._columns.follow_field(name, target)
        else:
            self._columns.resolve(name, scope, Clause.OTHER)

    def _is_field(self, name: exp.Column, target: Scope) -> bool:
        """``SET addr.city = …`` where ``addr`` is a column of the target."""
        first = name.parts[0]
        if not isinstance(first, exp.Identifier) or target.source(alias_of(first, self.dialect)):
            return False
        return bool(target.holders(column_of(first, self.dialect)))

    def _returned(self, tree: exp.Expression, scope: Scope, ctes: Ctes) -> Output:
        returning = tree.args.get("returning")
        if not isinstance(returning, exp.Returning):
            return Output()
        seen = Scope(scope.parent, [*scope.sources, *self._rows(scope, _ROWS)], scope.merged)
        seen.extra = scope.extra
        output = Output()
        for item in returning.expressions:
            self._queries.expressions(item, seen, Clause.OTHER, ctes)
            names = list(given_names(item))
            for name in names:
                output.columns[column_of(name, self.dialect)] = COMPUTED
            if item.is_star:
                for source in scope.sources:
                    output.columns.update(source.output.columns)
                    output.open |= source.output.open
            elif not names:
                output.open = True
        return output

    def _inserts(self, tree: exp.MultitableInserts, parent: Scope | None, ctes: Ctes) -> None:
        """``INSERT ALL``: conditions and values see what the query gives."""
        given = Output(open=True)
        if isinstance(tree.args.get("source"), exp.Query):
            given = self._queries.query(tree.args["source"], parent, ctes)
        scope = Scope(parent, [Source("", "the query", given)])
        for branch in tree.expressions:
            insert = branch.this
            if isinstance(insert, exp.Insert):
                self._target(insert, parent)
                if isinstance(insert.expression, exp.Expression):
                    self._queries.expressions(insert.expression, scope, Clause.OTHER, ctes)
            if isinstance(branch.expression, exp.Expression):
                self._queries.expressions(branch.expression, scope, Clause.OTHER, ctes)

    # UPDATE, DELETE and MERGE.

    def _change(self, tree: exp.Expression, parent: Scope | None, ctes: Ctes) -> Output:
        """One scope for the target and what it is compared with."""
        scope = Scope(parent)
        if isinstance(tree, exp.Delete) and not tree.this and not tree.args.get("using"):
            # SQL Server and Oracle need no FROM: DELETE orders WHERE …
            for table in tree.args.get("tables") or ():
                self._sources.add(table, scope, ctes)
        named_later = _is_alias(tree.this, tree)
        if isinstance(tree.this, exp.Expression) and not named_later:
            self._sources.add(tree.this, scope, ctes)
        using = tree.args.get("using") or ()
        for node in using if isinstance(using, list) else [using]:
            if isinstance(node, exp.Expression):
                self._sources.add(node, scope, ctes)
        self._sources.add_from(tree, scope, ctes)
        target = self._changed(tree, scope, named_later)
        self._deleted_from(tree, scope)
        scope.extra |= {column_key(word, False, self.dialect) for word in ("excluded", *_ROWS)}
        # In a MERGE it depends on the clause which of the two rows a plain name means.
        ambiguous = scope.sources if isinstance(tree, exp.Merge) else target.sources
        scope.merged |= {key for source in ambiguous for key in source.output.columns}
        if isinstance(tree, exp.Update):
            self._assignments(_pairs(tree), target, scope, ctes)
        elif isinstance(tree, exp.Merge):
            self._merged(tree, target, scope, ctes)
        for name, part in tree.args.items():
            if name in _WALKED or not part:
                continue
            clause = Clause.WHERE if name == "where" else Clause.OTHER
            for node in part if isinstance(part, list) else [part]:
                if isinstance(node, exp.Expression):
                    self._queries.expressions(node, scope, clause, ctes)
        return self._returned(tree, scope, ctes)

    def _changed(self, tree: exp.Expression, scope: Scope, named_later: bool) -> Scope:
        """The target alone: all sources where MySQL may change several tables at once."""
        if named_later:
            key = alias_key(tree.this.name, False, self.dialect)
            found = next((s for s in scope.sources if s.key.casefold() == key.casefold()), None)
            return Scope(None, [found] if found is not None else scope.sources)
        joined = isinstance(tree.this, exp.Table) and tree.this.args.get("joins")
        return Scope(None, scope.sources if joined else scope.sources[:1])

    def _deleted_from(self, tree: exp.Expression, scope: Scope) -> None:
        """``DELETE o, i FROM …``: each of them is something in FROM."""
        for table in tree.args.get("tables") or ():
            name = table.this if isinstance(table, exp.Table) else None
            if not isinstance(name, exp.Identifier) or table.args.get("db") or not scope.closed:
                continue
            if name.args.get("temporary") or scope.source(alias_of(name, self.dialect)):
                continue
            if is_tsql(self.dialect) and name.name.casefold() == "top":
                continue
            if not any(s.table and s.table.name.casefold() == name.name.casefold()
                       for s in scope.sources):  # fmt: skip
                self._columns.notes.add(Miss(MissKind.ALIAS, name, scope))

    def _merged(self, tree: exp.Merge, target: Scope, scope: Scope, ctes: Ctes) -> None:
        if isinstance(on := tree.args.get("on"), exp.Expression):
            self._queries.expressions(on, scope, Clause.ON, ctes)
        whens = tree.args.get("whens")
        for when in whens.expressions if isinstance(whens, exp.Whens) else ():
            if isinstance(when.args.get("condition"), exp.Expression):
                self._queries.expressions(when.args["condition"], scope, Clause.OTHER, ctes)
            then = when.args.get("then")
            if isinstance(then, exp.Update):
                self._assignments(_pairs(then), target, scope, ctes)
                if isinstance(then.args.get("where"), exp.Expression):
                    self._queries.expressions(then.args["where"], scope, Clause.OTHER, ctes)
            elif isinstance(then, exp.Insert):
                if isinstance(then.this, exp.Tuple):
                    self._set(then.this.expressions, target)
                if isinstance(then.expression, exp.Expression):
                    self._queries.expressions(then.expression, scope, Clause.OTHER, ctes)


def _pairs(change: exp.Expression) -> list[exp.Expression]:
    """The assignments of a change; none where it is all columns, by a star."""
    pairs = change.args.get("expressions")
    return pairs if isinstance(pairs, list) else []


def _is_alias(target: exp.Expression | None, tree: exp.Expression) -> bool:
    """``UPDATE o SET … FROM orders o``: the target is named in FROM, or in MySQL's USING."""
    if not isinstance(target, exp.Table) or target.args.get("db"):
        return False
    from_ = tree.args.get("from_")
    using = tree.args.get("using") if isinstance(tree, exp.Delete) else None
    firsts = [from_.this] if from_ is not None else list(using or ())
    joins = [join for first in firsts for join in first.args.get("joins") or ()]
    sources = [*firsts, *(join.this for join in (*joins, *(tree.args.get("joins") or ())))]
    return any(source.alias.casefold() == target.name.casefold() for source in sources)
