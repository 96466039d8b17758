"""What stands in FROM, as sources of columns."""

from __future__ import annotations

from collections.abc import Iterable

from sqlglot import exp

from sqlscribe.checking.names.aliases import Clause
from sqlscribe.checking.names.functions import (
    called_by,
    columns_given,
    columns_of_values,
    gives_plain_values,
    takes_names,
)
from sqlscribe.checking.names.lookup import Match, look_up, schema_of, shown
from sqlscribe.checking.names.misses import Miss, MissKind, Walk
from sqlscribe.checking.names.pivots import Pivots
from sqlscribe.checking.names.scopes import (
    COMPUTED,
    Known,
    Output,
    Scope,
    Source,
    alias_key,
    alias_of,
    column_key,
    column_of,
    element_of,
    is_typed,
    names_of,
    renamed,
    table_output,
)
from sqlscribe.checking.names.script import Made
from sqlscribe.checking.names.walking import Ctes, Queries
from sqlscribe.schema.identifiers import quote
from sqlscribe.schema.model import Schema


def joins_only(node: exp.Subquery) -> bool:
    """True for parentheses around tables and joins, whose sources stay visible."""
    inner: exp.Expression = node
    while isinstance(inner, exp.Subquery):
        inner = inner.this
    return not isinstance(inner, exp.Query)


# Engines where an element that is a row becomes one value, and not a row of columns.
_WHOLE_ELEMENTS = frozenset({"duckdb", "spark", "spark2", "databricks", "hive"})
# Engines where a table in a semi join is seen in its condition alone.
_FORGETS_SEMI_JOINS = frozenset({"duckdb", "spark", "spark2", "databricks", "hive"})
# Engines where UNNEST … AS t(a, b) must name all columns that it gives.
_NAME_ALL = frozenset({"trino", "presto", "athena"})


def _by_field(fields: Iterable[str]) -> dict[str, Known]:
    """The first steps of dotted paths, each with what is known below it."""
    steps: dict[str, list[str]] = {}
    for path in fields:
        first, _, rest = path.partition(".")
        steps.setdefault(first.casefold(), []).extend([rest] if rest else [])
    return {first: element_of(rest) if rest else COMPUTED for first, rest in steps.items()}


class Sources:
    """Fills scopes with the sources of a statement."""

    def __init__(
        self, schema: Schema, dialect: str, notes: Walk, made: Made, queries: Queries
    ) -> None:
        self.schema = schema
        self.dialect = dialect
        self.notes = notes
        self.made = made
        self._queries = queries
        self.pivots = Pivots(dialect, queries, self)

    def add_from(self, query: exp.Expression, scope: Scope, ctes: Ctes) -> None:
        from_ = query.args.get("from_")
        if from_ is not None and from_.this is not None:
            self.add(from_.this, scope, ctes)
        for lateral in query.args.get("laterals") or ():
            self.add(lateral, scope, ctes)
        joins = query.args.get("joins") or ()
        # SQLite lets a condition use tables that are joined after it.
        late = self.dialect == "sqlite"
        for join in joins:
            self._join(join, scope, ctes, conditions=not late)
        for join in joins if late else ():
            self._condition(join, scope, ctes)
        if query.args.get("pivots") or query.args.get("match"):
            scope.open = True

    def _condition(self, join: exp.Join, scope: Scope, ctes: Ctes) -> None:
        if (on := join.args.get("on")) is not None:
            self._queries.expressions(on, scope, Clause.ON, ctes)

    def _join(self, join: exp.Join, scope: Scope, ctes: Ctes, *, conditions: bool = True) -> None:
        if join.args.get("kind") == "ARRAY":
            for item in (join.this, *join.expressions):
                self._array_join(item, scope, ctes)
            return
        before = len(scope.sources)
        self.add(join.this, scope, ctes)
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
        if conditions:
            self._condition(join, scope, ctes)
        if join.args.get("kind") in ("SEMI", "ANTI"):
            for source in added:
                source.hidden = True
                source.gone = self.dialect in _FORGETS_SEMI_JOINS

    def _using(self, name: exp.Identifier, scope: Scope, before: int) -> None:
        """A column of USING must be on both sides, and is then one."""
        key = column_of(name, self.dialect)
        scope.merged.add(key)
        for side in (scope.sources[:before], scope.sources[before:]):
            has_it = any(source.finds(key) for source in side)
            if side and not has_it and not scope.open and not any(s.output.open for s in side):
                self.notes.add(Miss(MissKind.COLUMN, name, scope, sources=tuple(side)))

    def _array_join(self, item: exp.Expression, scope: Scope, ctes: Ctes) -> None:
        items = item.expressions if isinstance(item, exp.Tuple) else [item]
        for array in items:
            self._queries.expressions(array, scope, Clause.OTHER, ctes)
            if not isinstance(array, exp.Alias):
                continue
            key = column_key(array.alias, False, self.dialect)
            scope.extra.add(key)
            if fields := self._fields_of(array.this):
                output = Output(_by_field(fields))
                scope.sources.append(Source(key, array.this.name, output, value=True, hidden=True))

    def add(self, node: exp.Expression, scope: Scope, ctes: Ctes) -> None:
        """Add what one part of FROM gives to the scope."""
        alias = node.args.get("alias")
        alias = alias if isinstance(alias, exp.TableAlias) else None
        if isinstance(node, exp.Table):
            self._table(node, alias, scope, ctes)
            for join in node.args.get("joins") or ():
                self._join(join, scope, ctes)
            for lateral in node.args.get("laterals") or ():
                self.add(lateral, scope, ctes)
        elif isinstance(node, exp.Subquery) and joins_only(node):
            if alias is None:
                self.add_joined(node, scope, ctes)
            else:
                self._add(alias, self._queries.query(node, scope.parent, ctes), scope)
        elif isinstance(node, exp.Query):
            # In DuckDB every subquery sees the tables before it.
            parent = scope if self.dialect == "duckdb" else scope.parent
            source = self._add(alias, self._queries.query(node, parent, ctes), scope)
            self._pivoted(node, source, scope)
        elif isinstance(node, exp.Final):
            self.add(node.this, scope, ctes)
        elif isinstance(node, exp.Lateral) and isinstance(node.this, exp.Unnest):
            self._unnest(node.this, alias, scope, ctes)
        elif isinstance(node, exp.Lateral) and isinstance(node.this, exp.Subquery):
            self._add(alias, self._queries.query(node.this, scope, ctes), scope)
        elif isinstance(node, exp.Unnest):
            self._unnest(node, alias, scope, ctes)
        elif isinstance(node, exp.Values):
            self._queries.expressions(node, Scope(scope, open=True), Clause.OTHER, ctes)
            names = columns_of_values(node, self.dialect) or names_of(alias, self.dialect)
            self._add(alias, self._of_names(names), scope)
        else:
            self._arguments(node, scope, ctes)
            call = node.this if isinstance(node, exp.Lateral) else node
            self._call(call, alias, scope, view=bool(node.args.get("view")))

    def _arguments(self, node: exp.Expression, scope: Scope, ctes: Ctes) -> None:
        if not (isinstance(node, exp.TableFromRows) and takes_names(node.this)):
            self._queries.expressions(node, scope, Clause.OTHER, ctes)

    def _of_names(self, names: list[str]) -> Output:
        """A source of which the names of all columns are known; of none, it is not known."""
        keys = (column_key(name, False, self.dialect) for name in names)
        return Output(dict.fromkeys(keys, COMPUTED), not names)

    def _call(
        self,
        call: exp.Expression,
        alias: exp.TableAlias | None,
        scope: Scope,
        *,
        view: bool = False,
        ordinality: bool = False,
    ) -> None:
        """A function in FROM. ``view`` is for LATERAL VIEW, which names all its columns."""
        given = alias.this.name if alias and isinstance(alias.this, exp.Identifier) else ""
        names = columns_given(call, given, self.dialect) or []
        if names and ordinality:
            names.append("ordinality")
        output = self._of_names(names)
        if keys := names_of(alias, self.dialect):
            if view or is_typed(alias):
                output = Output(dict.fromkeys(keys, COMPUTED))
            if isinstance(call, exp.Explode):
                output.columns[keys[-1]] = self._element(call.this)
        self._add(alias, output, scope, called=call)

    def add_joined(self, node: exp.Subquery, scope: Scope, ctes: Ctes) -> None:
        """Add the sources inside parentheses around joins."""
        self.add(node.this, scope, ctes)
        for join in node.args.get("joins") or ():
            self._join(join, scope, ctes)

    def _table(
        self, node: exp.Table, alias: exp.TableAlias | None, scope: Scope, ctes: Ctes
    ) -> None:
        name = node.this
        if isinstance(name, exp.Parameter) and self.made.tables:
            self._schema_table(node, alias, scope)
            return
        if not isinstance(name, exp.Identifier):
            if not takes_names(name):
                self._queries.expressions(node, scope, Clause.OTHER, ctes)
            ordinality = bool(node.args.get("ordinality"))
            self._call(name, alias, scope, ordinality=ordinality)
            return
        inside = schema_of(node)
        if not inside and (cte := ctes.get(alias_of(name, self.dialect))) is not None:
            self._add(alias, cte, scope, name=name)
        elif inside and scope.source(alias_key(inside, False, self.dialect)) is not None:
            # FROM orders o, o.items: an array of the row.
            self._add(alias, Output(open=True), scope, name=name, value=True)
        else:
            self._schema_table(node, alias, scope)
        if node.args.get("pivots"):
            source = scope.sources[-1]
            base = Scope(scope.parent, [source])
            source.output = self.pivots.follow(node, source.output, base, ctes)
            self._pivoted(node, source, scope)

    def _pivoted(self, node: exp.Expression, source: Source, scope: Scope) -> None:
        """The name that a pivot gives what it makes of a source."""
        made = [pivot.args.get("alias") for pivot in node.args.get("pivots") or ()]
        if made and made[-1] is not None:
            self._add(made[-1], source.output, scope)
            source.hidden = True

    def _schema_table(self, node: exp.Table, alias: exp.TableAlias | None, scope: Scope) -> None:
        found = look_up(node, self.schema, self.dialect, self.made)
        written = ".".join(part for part in (schema_of(node), node.name) if part)
        output = Output(open=True)
        table = None
        if found.match is Match.AMBIGUOUS:
            self.notes.add(Miss(MissKind.TABLE_AMBIGUOUS, node.this, scope, tables=found.tables))
        elif found.tables:
            table = found.tables[0]
            written = table.qualified_name
            output = table_output(table, self.dialect)
            for other in found.tables[1:]:
                more = table_output(other, self.dialect)
                output.columns |= more.columns
                output.open |= more.open
        name = node.this if isinstance(node.this, exp.Identifier) else None
        source = self._add(alias, output, scope, name=name)
        source.table = table
        source.label = shown(table) if table is not None else node.name
        if found.match is Match.UNKNOWN:
            self.notes.add(
                Miss(MissKind.TABLE, node.this, scope, source=source, within=schema_of(node))
            )
        elif found.match is Match.GONE:
            self.notes.add(Miss(MissKind.TABLE_GONE, node.this, scope, source=source))
        elif found.match is Match.SPELLING:
            self.notes.add(Miss(MissKind.TABLE_SPELLING, node.this, scope, tables=found.tables))
        if written not in self.notes.tables:
            self.notes.tables.append(written)

    def _unnest(
        self, node: exp.Unnest, alias: exp.TableAlias | None, scope: Scope, ctes: Ctes
    ) -> None:
        """An array made rows. Where the DDL knows its elements, their fields are known."""
        for item in node.expressions:
            self._queries.expressions(item, scope, Clause.OTHER, ctes)
        offset = node.args.get("offset")
        if isinstance(offset, exp.Identifier):
            scope.extra.add(column_of(offset, self.dialect))
        array = node.expressions[0] if len(node.expressions) == 1 else None
        known = self._known(array)
        columns = alias.args.get("columns") if alias is not None else None
        fields = self._fields_of(array)
        plain = gives_plain_values(array, known)
        if self.dialect != "bigquery" or not (columns or (fields and alias is None)):
            self._elements(alias, offset, scope, plain=plain, array=array)
            return
        names = _by_field(fields)
        label = array.name if array else ""
        key = ""
        if columns and isinstance(columns[0], exp.Identifier):
            key = alias_of(columns[0], self.dialect)
        scope.sources.append(Source(key, label, Output(names, not (fields or plain)), value=True))

    def _known(self, array: exp.Expression | None) -> Known | None:
        """The column that an array is, where it is one."""
        if not isinstance(array, exp.Column):
            return None
        return self.notes.bound.get(array.this.meta.get("start", -1))

    def _fields_of(self, array: exp.Expression | None) -> tuple[str, ...]:
        """The fields of an array's elements, as far as the DDL knows them."""
        known = self._known(array)
        return known.column.fields if known is not None and known.column is not None else ()

    def _element(self, array: exp.Expression | None) -> Known:
        """What an element of an array is where a row of it is one value."""
        fields = self._fields_of(array) if self.dialect in _WHOLE_ELEMENTS else ()
        return element_of(fields) if fields else COMPUTED

    def _elements(
        self,
        alias: exp.TableAlias | None,
        offset: object,
        scope: Scope,
        *,
        plain: bool,
        array: exp.Expression | None,
    ) -> None:
        """Elements of which the query gives the names, or of whose fields nobody knows."""
        keys = names_of(alias, self.dialect)
        columns = dict.fromkeys(keys, self._element(array) if len(keys) == 1 else COMPUTED)
        closed = bool(keys) and (plain or self.dialect in _NAME_ALL)
        if not keys and plain and self.dialect == "postgres" and alias is not None:
            columns, closed = {alias_of(alias.this, self.dialect): COMPUTED}, True
        if isinstance(offset, exp.Identifier):
            columns[column_of(offset, self.dialect)] = COMPUTED
        self._add(alias, Output(columns, not closed), scope, value=True)

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
        key = alias_of(label, self.dialect) if label is not None else ""
        if not key and (function := called_by(called)):
            key = column_key(function, False, self.dialect)
        source = Source(
            key,
            label.name if label is not None else called_by(called) or "a subquery",
            renamed(output, names_of(alias, self.dialect)),
            value=value or called is not None,
        )
        if label is not None:
            quoted = bool(label.args.get("quoted"))
            source.name = quote(label.name, self.dialect) if quoted else label.name
        scope.sources.append(source)
        return source
