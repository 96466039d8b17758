"""What a column's name means in its scope."""

from __future__ import annotations

import re

from sqlglot import exp

from sqlscribe.checking.names.aliases import Clause, refuses_given_name, wants_alone
from sqlscribe.checking.names.misses import Miss, MissKind, Walk
from sqlscribe.checking.names.pseudo import is_date_part, is_pseudo_column
from sqlscribe.checking.names.scopes import (
    COMPUTED,
    Known,
    Scope,
    Source,
    alias_of,
    column_of,
)
from sqlscribe.checking.names.script import Made
from sqlscribe.checking.parsing import Parsed
from sqlscribe.schema.identifiers import is_taken
from sqlscribe.schema.model import Schema

# Engines where a dot may lead into a column.
_NESTED = frozenset(
    """
    bigquery duckdb spark spark2 databricks hive snowflake clickhouse trino presto athena redshift
    """.split()
)
# Engines where the name of a table may stand for its row.
_ROWS = frozenset(
    {"", "postgres", "redshift", "materialize", "risingwave", "duckdb", "bigquery", "exasol"}
)
_NO_AMBIGUITY = frozenset({"clickhouse"})
# Engines that have objects in columns, with members behind a dot.
_OBJECTS = frozenset({"tsql", "fabric", "oracle"})
_OBJECT = re.compile(r"\W*(?:geography|geometry|hierarchyid|xml|sdo_|json)", re.IGNORECASE)
_DEEP_TYPES = ("map", "json", "variant", "object", "super", "jsonb")
# Engines that look for a name among the tables first, but behind ORDER BY.
_SOURCES_FIRST = frozenset(
    {"postgres", "materialize", "risingwave", "duckdb", "sqlite", "tsql", "fabric"}
)
_AFTER_SELECT = (Clause.GROUP_BY, Clause.HAVING, Clause.ORDER_BY)


class Columns:
    """Resolves the columns of one statement and notes what comes out."""

    def __init__(self, parse: Parsed, schema: Schema, notes: Walk, made: Made) -> None:
        self.sql = parse.sql
        self.dialect = parse.dialect
        self.notes = notes
        self._names = made.names
        self._functions = schema.functions

    def resolve(self, column: exp.Column, scope: Scope, clause: Clause) -> Known | None:
        """What the column means; ``None`` where it is wrong or cannot be known."""
        parts = [part for part in column.parts if isinstance(part, exp.Identifier)]
        if len(parts) != len(column.parts):
            if parts and isinstance(column.this, exp.Star):
                self._star(parts, scope)
            return None
        if len(parts) == 1:
            known = self._plain(parts[0], column, scope, clause)
        else:
            known = self._dotted(parts, scope)
        if known is not None and "start" in parts[-1].meta:
            self.notes.bound[parts[-1].meta["start"]] = known
        return known

    def follow_field(self, column: exp.Column, scope: Scope) -> None:
        """Follow ``addr.city`` into a column ``addr`` of the scope, where it may have fields."""
        parts = [part for part in column.parts if isinstance(part, exp.Identifier)]
        if self.dialect in _NESTED and len(parts) == len(column.parts):
            self._nested(parts, scope)

    def follow_element(self, dot: exp.Dot, scope: Scope) -> None:
        """``items[0].sku`` and ``(home).town``: a field of what a column holds."""
        path, base = _path(dot)
        element = isinstance(base, exp.Bracket)
        while isinstance(base, exp.Bracket | exp.Paren):
            base = base.this
        known = self._bound(base)
        if known is not None and path and element == _is_array(known):
            self._field(known, [base.this, *path], scope)

    def follow_lambda(self, function: exp.Lambda, scope: Scope) -> None:
        """``transform(items, x -> x.qty)``: a field of an array's elements."""
        call = function.parent
        names = function.expressions
        first = call.expressions[:1] if isinstance(call, exp.Anonymous) else [call and call.this]
        known = self._bound(first[0]) if first and self.dialect in _NESTED else None
        if known is None or not _is_array(known):
            return
        if len(names) == 2 and isinstance(call, exp.Reduce):
            # The other one is what has been gathered.
            names = names[1:]
        if len(names) != 1 or not isinstance(names[0], exp.Identifier):
            return
        own = names[0].name.casefold()
        for dot in function.this.find_all(exp.Dot):
            path, base = _path(dot) if not isinstance(dot.parent, exp.Dot) else ([], dot)
            if path and isinstance(base, exp.Identifier) and base.name.casefold() == own:
                self._field(known, [base, *path], scope)

    def _bound(self, node: exp.Expression | None) -> Known | None:
        """The column that an expression is, where it is one."""
        if not isinstance(node, exp.Column) or not isinstance(node.this, exp.Identifier):
            return None
        return self.notes.bound.get(node.this.meta.get("start", -1))

    def _unsure(self, name: exp.Identifier) -> None:
        self.notes.unsure.append(name.name)

    def _key(self, name: exp.Identifier) -> str:
        return column_of(name, self.dialect)

    def _alias_key(self, name: exp.Identifier) -> str:
        return alias_of(name, self.dialect)

    def _star(self, parts: list[exp.Identifier], scope: Scope) -> None:
        """``o.*``: there must be an ``o``, or a column with fields of that name."""
        if self._source(parts, scope) is not None or not scope.closed or len(parts) > 1:
            return
        key = self._key(parts[0])
        if self.dialect in _NESTED and any(at.holders(key) for at in scope.outward()):
            return
        self.notes.add(Miss(MissKind.ALIAS, parts[0], scope))

    def _plain(
        self, name: exp.Identifier, column: exp.Column, scope: Scope, clause: Clause
    ) -> Known | None:
        key = self._key(name)
        given = key in scope.given
        refused = refuses_given_name(clause, column, self.dialect)
        # In DuckDB and SQLite a name that is given comes first.
        twice = key in scope.twice and not (given and self.dialect in ("duckdb", "sqlite"))
        ordered = clause is Clause.ORDER_BY and not refused and not twice
        if ordered and key in (scope.given if self.dialect == "sqlite" else scope.shown):
            return COMPUTED
        for at in scope.outward():
            holders = at.holders(key)
            if holders:
                settled = ordered and key in scope.starred
                usable = given and not refused and not (twice and clause is Clause.ORDER_BY)
                settled |= self._selects_first(key, scope, clause, usable=usable)
                return self._held(name, key, holders, at, settled)
            if at is scope and given and not refused:
                return COMPUTED
            if key in at.extra or any(
                s.value and s.key == self._alias_key(name) for s in at.sources
            ):
                return COMPUTED
            if at.open or any(source.output.open for source in at.sources):
                self._ask(at, key)
                self._unsure(name)
                return None
        self._lost(name, column, scope, clause)
        return None

    def _selects_first(self, key: str, scope: Scope, clause: Clause, *, usable: bool) -> bool:
        """Whether the SELECT list says which column is meant where tables have several."""
        if self.dialect in _SOURCES_FIRST:
            return False
        if self.dialect == "mysql" and clause is Clause.HAVING:
            # It looks among what is selected and grouped.
            return True
        names = (scope.shown | scope.starred) - scope.twice
        return usable or (clause in _AFTER_SELECT and key in names)

    def _held(
        self, name: exp.Identifier, key: str, holders: list[Source], at: Scope, settled: bool
    ) -> Known:
        if len(holders) > 1 and not (settled or key in at.merged or self.dialect in _NO_AMBIGUITY):
            self.notes.add(Miss(MissKind.COLUMN_AMBIGUOUS, name, at, sources=tuple(holders)))
        known = holders[0].finds(key) or COMPUTED
        plain = not name.args.get("quoted") and known.column is not None and known.column.quoted
        if plain and is_taken(name.name, self.dialect):
            # What the DDL writes without quotes, the engine takes so.
            self.notes.add(Miss(MissKind.COLUMN_TAKEN, name, at, source=holders[0], known=known))
        return known

    def _ask(self, scope: Scope, key: str) -> None:
        for source in scope.sources:
            if source.output.open and source.table is None:
                source.wanted.add(key)

    def _lost(self, name: exp.Identifier, column: exp.Column, scope: Scope, clause: Clause) -> None:
        """A name that no source has, and no source is open."""
        if self._is_string(name):
            return
        if not _seen(scope) or self._means_else(name, column):
            self._unsure(name)
            return
        if self._key(name) in scope.given:
            nested = wants_alone(clause, self.dialect)
            within = f"an expression in {clause.value}" if nested else clause.value
            self.notes.add(Miss(MissKind.COLUMN_TOO_EARLY, name, scope, within=within))
            return
        sources = _seen(scope)
        around = any(self._key(name) in at.given for at in scope.outward())
        # SQLite's text indexes are asked by the name of their table.
        asked = self.dialect == "sqlite" and isinstance(column.parent, exp.Match | exp.Func)
        asked |= self.dialect == "oracle" and _is_row_of_objects(column.parent)
        rows = asked or self.dialect in _ROWS
        if around or (rows and any(s.key == self._alias_key(name) for s in sources)):
            # A name given by a query around, or a whole row by the name of its table.
            self._unsure(name)
            return
        spelled = self._spelled_otherwise(name, sources)
        if spelled is not None:
            source, known = spelled
            self.notes.add(Miss(MissKind.COLUMN_SPELLING, name, scope, source=source, known=known))
            return
        own = tuple(source for source in scope.sources if not source.hidden)
        self.notes.add(Miss(MissKind.COLUMN, name, scope, sources=own or sources))

    def _is_string(self, name: exp.Identifier) -> bool:
        """SQLite takes a double-quoted name that it does not know for a string."""
        start = name.meta.get("start", -1)
        return self.dialect in ("sqlite", "") and self.sql[start : start + 1] == '"'

    def _means_else(self, name: exp.Identifier, column: exp.Column) -> bool:
        """Words that only look like columns: pseudo-columns, date parts, the script's variables."""
        if name.name.casefold() in self._names:
            return True
        if name.args.get("quoted"):
            return _is_made_up(name)
        if is_pseudo_column(name.name, self.dialect):
            return True
        if isinstance(column.parent, exp.Interval) and name.name.upper() == "DESC":
            # The order of a column that is called ``interval``, as sqlglot reads it.
            return True
        return isinstance(column.parent, exp.Func) and is_date_part(name.name)

    def _spelled_otherwise(
        self, name: exp.Identifier, sources: tuple[Source, ...]
    ) -> tuple[Source, Known] | None:
        folded = name.name.casefold()
        for source in sources:
            for key, known in source.output.columns.items():
                if key.casefold() == folded:
                    return source, known
        return None

    def _source(self, parts: list[exp.Identifier], scope: Scope) -> Source | None:
        """The source that qualifiers name: its alias, or the table's name with its schema."""
        key = self._alias_key(parts[-1])
        if len(parts) == 1:
            return scope.source(key)
        asked = parts[-2].name.casefold().split(".")[-1]
        for at in scope.outward():
            for source in at.sources:
                schema = source.table.schema.casefold() if source.table is not None else ""
                if source.key == key and (not schema or schema.split(".")[-1] == asked):
                    return source
        return None

    def _dotted(self, parts: list[exp.Identifier], scope: Scope) -> Known | None:
        source = self._source(parts[:-1], scope)
        if source is not None:
            return self._of_source(source, parts[-1], parts[-2], scope)
        for count in range(1, len(parts) - 1):
            source = self._source(parts[:count], scope)
            if source is not None:
                known = self._of_source(source, parts[count], parts[count - 1], scope)
                return self._field(known, parts[count:], scope)
        if parts[0].name.casefold() in self._names:
            self._unsure(parts[-1])
            return None
        if self.dialect in _NESTED or not scope.closed:
            return self._nested(parts, scope)
        if (
            not _seen(scope)
            or is_pseudo_column(parts[-2].name, self.dialect)
            or self._is_member(parts, scope)
        ):
            self._unsure(parts[-1])
            return None
        self.notes.add(Miss(MissKind.ALIAS, parts[-2], scope, before=parts[-1]))
        return None

    def _of_source(
        self, source: Source, name: exp.Identifier, before: exp.Identifier, scope: Scope
    ) -> Known | None:
        known = source.finds(self._key(name))
        if known is not None:
            return known
        quoted = bool(name.args.get("quoted"))
        pseudo = _is_made_up(name) or (not quoted and self._stands_everywhere(name.name))
        if source.output.open or pseudo:
            source.wanted.add(self._key(name))
            self._unsure(name)
            return None
        spelled = self._spelled_otherwise(name, (source,))
        if spelled is not None:
            self.notes.add(
                Miss(MissKind.COLUMN_SPELLING, name, scope, source=source, known=spelled[1])
            )
        elif source.value and source.table is None:
            self.notes.add(Miss(MissKind.FIELD, name, scope, source=source, within=source.label))
        else:
            self.notes.add(Miss(MissKind.COLUMN, name, scope, source=source, before=before))
        return None

    def _is_member(self, parts: list[exp.Identifier], scope: Scope) -> bool:
        """``seq.NEXTVAL``, and what an object in a column has: ``place.Lat``."""
        last = parts[-1].name.casefold()
        if last in ("nextval", "currval") and is_pseudo_column(last, self.dialect):
            return True
        if self.dialect not in _OBJECTS:
            return False
        key = self._key(parts[-2])
        sources = (source for at in scope.outward() for source in at.sources)
        known = (source.finds(key) for source in sources)
        return any(k and k.column and _OBJECT.match(k.column.type) for k in known)

    def _stands_everywhere(self, name: str) -> bool:
        """A pseudo-column, or in PostgreSQL a function that is called like one: ``o.age``."""
        called = self.dialect == "postgres" and name.casefold() in self._functions
        return called or is_pseudo_column(name, self.dialect)

    def _nested(self, parts: list[exp.Identifier], scope: Scope) -> Known | None:
        """``cust.addr.city`` where ``cust`` is a column."""
        key = self._key(parts[0])
        for at in scope.outward():
            for source in at.sources:
                known = source.finds(key)
                if known is not None:
                    return self._field(known, parts, scope)
        given = any(key in at.extra for at in scope.outward())
        given |= is_pseudo_column(parts[0].name, self.dialect) or self._is_member(parts, scope)
        if scope.closed and not given:
            self.notes.add(Miss(MissKind.ALIAS, parts[0], scope, before=parts[1]))
        else:
            self._ask(scope, key)
            self._unsure(parts[-1])
        return None

    def _field(
        self, known: Known | None, parts: list[exp.Identifier], scope: Scope
    ) -> Known | None:
        """Follow a path into a column, as far as the DDL says what is inside."""
        column = known.column if known else None
        if column is None or not column.fields or column.type.casefold().startswith(_DEEP_TYPES):
            self._unsure(parts[-1])
            return None
        paths = [path.casefold() for path in column.fields]
        walked = ""
        for part in parts[1:]:
            walked = f"{walked}.{part.name.casefold()}" if walked else part.name.casefold()
            if not any(path == walked or path.startswith(f"{walked}.") for path in paths):
                within = ".".join(before.name for before in parts[: parts.index(part)])
                self.notes.add(Miss(MissKind.FIELD, part, scope, known=known, within=within))
                return None
        return COMPUTED


def _path(dot: exp.Dot) -> tuple[list[exp.Identifier], exp.Expression]:
    """The names behind the dots, and what stands in front; no names where there is a call."""
    path: list[exp.Expression] = []
    base: exp.Expression = dot
    while isinstance(base, exp.Dot):
        path.insert(0, base.expression)
        base = base.this
    names = [part for part in path if isinstance(part, exp.Identifier)]
    return (names if len(names) == len(path) else []), base


def _is_array(known: Known) -> bool:
    type_ = known.column.type.casefold() if known.column is not None else ""
    return type_.startswith("array") or type_.endswith("[]")


def _seen(scope: Scope) -> tuple[Source, ...]:
    """The sources whose columns a plain name may mean, the nearest first."""
    return tuple(source for at in scope.outward() for source in at.sources if not source.hidden)


def _is_row_of_objects(call: exp.Expression | None) -> bool:
    """``VALUE(p)`` and ``REF(p)``, which take a table's alias."""
    return isinstance(call, exp.Anonymous) and call.name.upper() in ("VALUE", "REF")


def _is_made_up(name: exp.Identifier) -> bool:
    """True for a name that engines give by themselves: ``"COUNT(*)"``, ``"a + b"``, ``"$path"``."""
    made_up = name.name.startswith("$") or _EXPRESSION.search(name.name) is not None
    return made_up and bool(name.args.get("quoted"))


_EXPRESSION = re.compile(r"[()*+/=<>|%?,]| - |\b(?:case|and|or|is|in)\b", re.IGNORECASE)
