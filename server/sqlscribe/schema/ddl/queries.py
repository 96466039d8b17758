"""What columns a query gives, as far as the query alone says."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache

import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError

from sqlscribe.notation.lexicon import DIALECTS
from sqlscribe.schema.ddl.changes import Output, Query, Star
from sqlscribe.schema.ddl.cursor import Cursor, Name
from sqlscribe.schema.ddl.outputs import default_name
from sqlscribe.schema.ddl.tokens import Sort, words

_TRAILER = re.compile(
    r"\bWITH\s+(?:(?:NO\s+)?DATA|(?:(?:CASCADED|LOCAL)\s+)?CHECK\s+OPTION|READ\s+ONLY"
    r"|NO\s+SCHEMA\s+BINDING)\b[^()]*\Z",
    re.IGNORECASE,
)
# Databricks' pipelines read a table as a stream, or one of the pipeline's own.
_STREAM = re.compile(
    r"\bSTREAM\s*\(\s*([\w.`]+)\s*\)|(?<=FROM\s|JOIN\s)STREAM\s+(?=[\w`])|\bLIVE\.(?=[\w`])",
    re.IGNORECASE,
)
_DEEPEST = 60
_LONGEST = 1_000_000
"""Characters; longer ones are lists of values, and take the parser a minute or more."""

# sqlglot's parser meets some malformed input with the errors of Python itself.
_PARSER_ERRORS = (
    SqlglotError,
    RecursionError,
    ValueError,
    TypeError,
    AttributeError,
    LookupError,
    AssertionError,
)

UNKNOWN = Query((Output(""),))
"""A query that gives columns which nobody knows."""

_QUERIES = words("SELECT SEL WITH FROM VALUES TABLE")
_REPEATS = {"sqlite": "{0}:{1}", "duckdb": "{0}_{1}"}
_VALUES = {"duckdb": ("col{0}", 0), "mysql": ("column_{0}", 0), "snowflake": ("COLUMN{0}", 1)}


def read_query(cursor: Cursor) -> Query:
    """The query from ``cursor`` to its end; :data:`UNKNOWN` where it cannot be read."""
    cursor = _alone(cursor)
    first = next((token for token in cursor.left() if token.text != "("), None)
    if first is None or first.word not in _QUERIES or _depth(cursor) > _DEEPEST:
        return UNKNOWN
    span = cursor.span()
    if span.end - span.start > _LONGEST:
        return _by_names(cursor)
    sql = _TRAILER.sub("", cursor.tokens.masked[span.start : span.end])
    dialect = cursor.tokens.dialect if cursor.tokens.dialect in DIALECTS else ""
    if dialect in ("databricks", "spark"):
        sql = _STREAM.sub(r"\1", sql)
    try:
        tree = sqlglot.parse_one(sql, read=dialect or None)
        query = _Reader(dialect, _first_select(tree)).query(tree, {}) or UNKNOWN
    except _PARSER_ERRORS:
        return _by_names(cursor)
    if any(isinstance(each, Output) and not each.name for each in query.outputs):
        return _with_default_names(query, cursor, dialect)
    return query


def _alone(cursor: Cursor) -> Cursor:
    """The query without brackets around it, and without what the table's own clauses say."""
    if cursor.sees("LOCKING"):
        cursor.seek(lambda at: at.sees("SELECT") or at.sees("SEL") or at.sees("WITH"))
    while cursor.sees_mark("("):
        behind = cursor.copy()
        inside = behind.group()
        if inside is None or not inside or behind.peek().word in _GOES_ON:
            break
        cursor = inside
    return cursor


_GOES_ON = words("UNION EXCEPT INTERSECT MINUS ORDER LIMIT OFFSET FETCH AS CROSS JOIN NATURAL")


def _depth(cursor: Cursor) -> int:
    """How deep brackets are nested: the parser's time may double with every level."""
    depth = deepest = 0
    for token in cursor.left():
        if token.text == "(":
            depth += 1
            deepest = max(deepest, depth)
        elif token.text == ")":
            depth -= 1
    return deepest


# -- by tokens ---------------------------------------------------------------------------

_NO_NAMES = words("END NULL TRUE FALSE")
_ENDS_LIST = words("FROM INTO WHERE GROUP ORDER LIMIT UNION EXCEPT INTERSECT MINUS HAVING WINDOW")


def _items(query: Cursor) -> list[Cursor]:
    """The columns of the first SELECT of a query, in tokens."""
    query = query.copy()
    while not query.take("SELECT"):
        inside = query.copy().group() if query.sees_mark("(") else None
        if inside is not None:
            query = inside
        elif not query.seek(lambda at: at.sees("SELECT") or at.sees_mark("(")):
            return []
        elif query.sees_mark("(") and not query.seek(lambda at: at.sees("SELECT")):
            # The common table expressions stand in brackets of their own.
            return []
    query.skip_words(words("ALL DISTINCT"))
    if query.take("ON"):
        query.group()
    start = query.at
    query.seek(_ends_list)
    end = query.at if query.at > start else query.end
    return Cursor(query.tokens, start, end).items()


def _ends_list(at: Cursor) -> bool:
    if at.peek().word not in _ENDS_LIST:
        return False
    return not (at.sees("FROM") and at.tokens.tokens[at.at - 1].word == "DISTINCT")


def _with_default_names(query: Query, cursor: Cursor, dialect: str) -> Query:
    items = _items(cursor)
    if len(items) != len(query.outputs):
        return query
    outputs = tuple(
        replace(output, name=default_name(item, dialect, place), quoted=True)
        if isinstance(output, Output) and not output.name
        else output
        for place, (output, item) in enumerate(zip(query.outputs, items, strict=True))
    )
    return replace(query, outputs=outputs)


def _by_names(cursor: Cursor) -> Query:
    """The names at the ends of a SELECT's items, for a query that the parser does not know."""
    outputs: list[Output] = []
    for item in _items(cursor) if cursor.sees("SELECT") else ():
        last = item.left()[-1] if item else None
        named = last is not None and last.sort in (Sort.WORD, Sort.NAME)
        if last is None or not named or last.word in _NO_NAMES:
            outputs.append(Output(""))
        else:
            outputs.append(Output(last.text, last.sort is Sort.NAME))
    return Query(tuple(outputs)) if outputs else UNKNOWN


# -- by the parser's tree ----------------------------------------------------------------

_Ctes = Mapping[str, Query | None]
_Sources = Iterator[tuple[str, Name | Query | None]]


@dataclass
class _Joins:
    """What the joins of one SELECT say of columns that both sides have."""

    using: list[str] = field(default_factory=list)
    natural: bool = False


def _first_select(tree: exp.Expression) -> exp.Expression:
    """The SELECT that gives a query's columns their names."""
    while isinstance(tree, exp.Subquery | exp.SetOperation):
        tree = tree.this
    return tree


@dataclass(frozen=True)
class _Reader:
    """``first`` is the SELECT whose unnamed columns are named by its tokens."""

    dialect: str
    first: exp.Expression

    def query(self, node: exp.Expression, ctes: _Ctes) -> Query | None:
        with_ = node.args.get("with_")
        if with_ is not None:
            known = dict(ctes)
            for cte in with_.expressions:
                name = cte.alias.casefold()
                inner = self.query(cte.this, {**known, name: None})
                known[name] = _named(inner, cte.args.get("alias"))
            ctes = known
        if isinstance(node, exp.Subquery):
            return self.query(node.this, ctes)
        if isinstance(node, exp.SetOperation):
            return self._united(node, ctes)
        if isinstance(node, exp.Table):
            return self._all_of(node, ctes)
        if isinstance(node, exp.Values):
            return self._values(node)
        if not isinstance(node, exp.Select):
            return None
        plain = node is not self.first
        outputs = [output for each in node.expressions for output in self._outputs(each, plain)]
        joins = _Joins()
        sources = tuple(self._sources(node, ctes, joins))
        return self._made(tuple(outputs), sources, joins)

    def _made(
        self,
        outputs: tuple[Output | Star, ...],
        sources: tuple[tuple[str, Name | Query | None], ...],
        joins: _Joins,
    ) -> Query:
        joined = None if joins.natural else tuple(joins.using)
        return Query(outputs, sources, joined, _REPEATS.get(self.dialect, ""))

    def _united(self, node: exp.SetOperation, ctes: _Ctes) -> Query | None:
        first = self.query(node.this, ctes)
        if first is None or not node.args.get("by_name"):
            return first
        second = self.query(node.expression, ctes)
        return replace(first, others=(*first.others, second or UNKNOWN))

    def _all_of(self, table: exp.Table, ctes: _Ctes) -> Query:
        joins = _Joins()
        sources = tuple(self._from(table, ctes, joins))
        return self._made((Star(),), sources, joins)

    def _values(self, node: exp.Values) -> Query | None:
        rows = node.expressions
        if not rows:
            return None
        alias = node.args.get("alias")
        if alias is not None and alias.args.get("columns"):
            return _named(None, alias)
        form, first = _VALUES.get(self.dialect, ("column{0}", 1))
        count = len(rows[0].expressions) if isinstance(rows[0], exp.Tuple) else 1
        return Query(tuple(Output(form.format(first + n), True) for n in range(count)))

    def _sources(self, select: exp.Select, ctes: _Ctes, joins: _Joins) -> _Sources:
        from_ = select.args.get("from_")
        if from_ is not None:
            yield from self._from(from_.this, ctes, joins)
        yield from self._joined(select, ctes, joins)

    def _from(self, node: exp.Expression, ctes: _Ctes, joins: _Joins) -> _Sources:
        brackets = isinstance(node, exp.Subquery | exp.Paren) and not node.args.get("alias")
        if brackets and isinstance(node.this, exp.Table | exp.Paren | exp.Subquery):
            # (a JOIN b ON …): the tables inside are seen from outside.
            yield from self._from(node.this, ctes, joins)
        else:
            yield self._source(node, ctes)
        yield from self._joined(node, ctes, joins)

    def _joined(self, node: exp.Expression, ctes: _Ctes, joins: _Joins) -> _Sources:
        for join in node.args.get("joins") or ():
            joins.using += [name.name for name in join.args.get("using") or ()]
            joins.natural |= str(join.args.get("method") or "").upper() == "NATURAL"
            if str(join.args.get("kind") or "").upper() not in ("SEMI", "ANTI"):
                yield from self._from(join.this, ctes, joins)
        for lateral in node.args.get("laterals") or ():
            yield self._source(lateral, ctes)

    def _source(self, node: exp.Expression, ctes: _Ctes) -> tuple[str, Name | Query | None]:
        alias = node.args.get("alias")
        label = node.alias_or_name
        inner: Name | Query | None = None
        if node.args.get("pivots"):
            return label, None
        if isinstance(node, exp.Subquery | exp.Values):
            inner = self.query(node if isinstance(node, exp.Values) else node.this, ctes)
        elif isinstance(node, exp.Lateral) and isinstance(node.this, exp.Subquery):
            inner = self.query(node.this, ctes)
        elif isinstance(node, exp.Table) and isinstance(node.this, exp.Identifier):
            schema = ".".join(part for part in (node.catalog, node.db) if part)
            if not schema and node.name.casefold() in ctes:
                inner = ctes[node.name.casefold()]
            else:
                inner = Name(node.name, schema, bool(node.this.args.get("quoted")))
        if alias is not None and alias.args.get("columns"):
            given = inner if isinstance(inner, Query) else None
            inner = _named(given, alias)
        return label, inner

    def _outputs(self, node: exp.Expression, plain: bool) -> Iterator[Output | Star]:
        if isinstance(node, exp.Star):
            yield _star(node, "")
        elif isinstance(node, exp.Column) and isinstance(node.this, exp.Star):
            yield _star(node.this, node.table)
        elif isinstance(node, exp.Dot) and isinstance(node.expression, exp.Star):
            # The fields of a row, as (c).* has them: no source is called so.
            yield Star("()")
        elif isinstance(node, exp.Aliases):
            for each in node.expressions:
                yield Output(each.name, bool(each.args.get("quoted")))
        else:
            yield _output(node, self.dialect, plain)


def _named(query: Query | None, alias: exp.Expression | None) -> Query | None:
    """``query`` under ``alias (a, b)``."""
    names = alias.args.get("columns") if alias is not None else None
    if not names:
        return query
    return Query(tuple(Output(name.name, _is_quoted(name)) for name in names))


def _is_quoted(name: exp.Expression) -> bool:
    inner = name.this if isinstance(name, exp.ColumnDef) else name
    return isinstance(inner, exp.Identifier) and bool(inner.args.get("quoted"))


def _star(star: exp.Expression, source: str) -> Output | Star:
    if star.args.get("ilike"):
        return Output("")
    without = tuple(each.name for each in star.args.get("except_") or ())
    renamed = tuple((each.this.name, each.alias) for each in star.args.get("rename") or ())
    return Star(source, without, renamed)


def _output(node: exp.Expression, dialect: str, plain: bool) -> Output:
    inner = node.this if isinstance(node, exp.Alias) else node
    if isinstance(node, exp.Alias):
        name, quoted = node.alias, bool(node.args["alias"].args.get("quoted"))
    elif isinstance(node, exp.Column | exp.Dot):
        name, quoted = node.name, bool(node.this.args.get("quoted"))
    else:
        name, quoted = _plain_name(node, dialect) if plain or _keeps(node, dialect) else "", False
    if isinstance(inner, exp.Column) and not inner.db:
        return Output(name, quoted, inner.table, inner.name)
    if isinstance(inner, exp.Cast):
        return Output(name, quoted, type=_type_text(inner.to, dialect))
    return Output(name, quoted)


def _type_text(type_: exp.Expression, dialect: str) -> str:
    simple = isinstance(type_, exp.DataType) and isinstance(type_.this, exp.DataType.Type)
    if simple and not any(type_.args.get(key) for key in ("expressions", "values", "kind")):
        return _plain_type(type_.this.value, dialect)
    return str(type_.sql(dialect=dialect or None))


@lru_cache(maxsize=1024)
def _plain_type(name: str, dialect: str) -> str:
    """Writing a tree costs as much as parsing it, and these few come again and again."""
    return str(exp.DataType(this=exp.DataType.Type(name)).sql(dialect=dialect or None))


_POSTGRES = frozenset({"postgres", "redshift", "materialize", "risingwave"})
_CAST_KEEPS_NAME = frozenset({"spark", "spark2", "databricks"})
_NAMED_AFTER_ITSELF = frozenset(
    {"count", "sum", "avg", "min", "max", "coalesce", "lower", "upper", "case", "exists"}
)


def _plain_name(node: exp.Expression, dialect: str) -> str:
    """The name of an expression without one where its kind alone says it."""
    if isinstance(node, exp.Paren):
        return _plain_name(node.this, dialect)
    if isinstance(node, exp.Column):
        return str(node.name)
    if dialect not in _POSTGRES:
        return str(node.output_name) if _keeps(node, dialect) else ""
    if isinstance(node, exp.Cast):
        return _plain_name(node.this, dialect)
    own = str(node.name if isinstance(node, exp.Anonymous) else node.key).lower()
    return own if isinstance(node, exp.Anonymous) or own in _NAMED_AFTER_ITSELF else ""


def _keeps(node: exp.Expression, dialect: str) -> bool:
    """Whether a cast column keeps its name."""
    return dialect in _CAST_KEEPS_NAME and isinstance(node, exp.Cast)
