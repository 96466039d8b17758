"""What columns a view's query gives, as far as the query alone says."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError

from sqlscribe.notation.lexicon import DIALECTS
from sqlscribe.schema.ddl.changes import Output, Query, Star
from sqlscribe.schema.ddl.cursor import Cursor, Name
from sqlscribe.schema.ddl.tokens import Sort, words

_TRAILER = re.compile(
    r"\bWITH\s+(?:(?:NO\s+)?DATA|(?:(?:CASCADED|LOCAL)\s+)?CHECK\s+OPTION|READ\s+ONLY"
    r"|NO\s+SCHEMA\s+BINDING)\b[^()]*\Z",
    re.IGNORECASE,
)
_DEEPEST = 60

# sqlglot's parser meets some malformed input with the errors of Python itself.
_PARSER_ERRORS = (
    SqlglotError,
    RecursionError,
    ValueError,
    TypeError,
    AttributeError,
    LookupError,
)

UNKNOWN = Query((Output(""),))
"""A query that gives columns which nobody knows."""


def read_query(cursor: Cursor) -> Query:
    """The query from ``cursor`` to its end; :data:`UNKNOWN` where it cannot be read."""
    first = next((token for token in cursor.left() if token.text != "("), None)
    if first is None or first.word not in _QUERIES or _depth(cursor) > _DEEPEST:
        return UNKNOWN
    span = cursor.span()
    sql = _TRAILER.sub("", cursor.tokens.masked[span.start : span.end])
    dialect = cursor.tokens.dialect if cursor.tokens.dialect in DIALECTS else ""
    try:
        tree = sqlglot.parse_one(sql, read=dialect or None)
        return _query(tree, {}, dialect) or UNKNOWN
    except _PARSER_ERRORS:
        return _by_names(cursor)


_QUERIES = words("SELECT WITH FROM VALUES TABLE")


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


_NO_NAMES = words("END NULL TRUE FALSE")


def _by_names(cursor: Cursor) -> Query:
    """The names at the ends of a SELECT's items, for a query that the parser does not know."""
    query = Cursor(cursor.tokens, cursor.at, cursor.end)
    if not query.take("SELECT"):
        return UNKNOWN
    query.skip_words(words("ALL DISTINCT"))
    start = query.at
    query.seek(lambda at: at.sees("FROM"))
    end = query.at if query.at > start else query.end
    outputs: list[Output] = []
    for item in Cursor(query.tokens, start, end).items():
        last = item.left()[-1] if item else None
        named = last is not None and last.sort in (Sort.WORD, Sort.NAME)
        if last is None or not named or last.word in _NO_NAMES:
            outputs.append(Output(""))
        else:
            outputs.append(Output(last.text, last.sort is Sort.NAME))
    return Query(tuple(outputs))


_Ctes = Mapping[str, Query | None]


def _query(node: exp.Expression, ctes: _Ctes, dialect: str) -> Query | None:
    with_ = node.args.get("with_")
    if with_ is not None:
        known = dict(ctes)
        for cte in with_.expressions:
            name = cte.alias.casefold()
            inner = _query(cte.this, {**known, name: None}, dialect)
            known[name] = _named(inner, cte.args.get("alias"))
        ctes = known
    if isinstance(node, exp.Subquery):
        return _query(node.this, ctes, dialect)
    if isinstance(node, exp.SetOperation):
        return _query(node.this, ctes, dialect)
    if isinstance(node, exp.Table):
        return Query((Star(),), (_source(node, ctes, dialect),))
    if not isinstance(node, exp.Select):
        return None
    outputs = [output for each in node.expressions for output in _outputs(each, dialect)]
    return Query(tuple(outputs), tuple(_sources(node, ctes, dialect)))


def _named(query: Query | None, alias: exp.Expression | None) -> Query | None:
    """``query`` under ``alias (a, b)``."""
    names = alias.args.get("columns") if alias is not None else None
    if not names:
        return query
    return Query(tuple(Output(name.name, bool(name.args.get("quoted"))) for name in names))


def _sources(
    select: exp.Expression, ctes: _Ctes, dialect: str
) -> Iterator[tuple[str, Name | Query | None]]:
    from_ = select.args.get("from_")
    nodes = [from_.this] if from_ is not None else []
    nodes += [join.this for join in select.args.get("joins") or ()]
    nodes += select.args.get("laterals") or ()
    for node in nodes:
        yield _source(node, ctes, dialect)
        for join in node.args.get("joins") or ():
            yield _source(join.this, ctes, dialect)


def _source(node: exp.Expression, ctes: _Ctes, dialect: str) -> tuple[str, Name | Query | None]:
    alias = node.args.get("alias")
    label = node.alias_or_name
    inner: Name | Query | None = None
    if node.args.get("pivots"):
        return label, None
    if isinstance(node, exp.Subquery):
        inner = _query(node.this, ctes, dialect)
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


def _outputs(node: exp.Expression, dialect: str) -> Iterator[Output | Star]:
    if isinstance(node, exp.Star):
        yield _star(node, "")
    elif isinstance(node, exp.Column) and isinstance(node.this, exp.Star):
        yield _star(node.this, node.table)
    elif isinstance(node, exp.Aliases):
        for each in node.expressions:
            yield Output(each.name, bool(each.args.get("quoted")))
    else:
        yield _output(node, dialect)


def _star(star: exp.Expression, source: str) -> Output | Star:
    if star.args.get("ilike"):
        return Output("")
    without = tuple(each.name for each in star.args.get("except_") or ())
    renamed = tuple((each.this.name, each.alias) for each in star.args.get("rename") or ())
    return Star(source, without, renamed)


def _output(node: exp.Expression, dialect: str) -> Output:
    inner = node.this if isinstance(node, exp.Alias) else node
    if isinstance(node, exp.Alias):
        name, quoted = node.alias, bool(node.args["alias"].args.get("quoted"))
    else:
        # sqlglot calls a literal after itself, which hardly any engine does.
        own = "" if isinstance(node, exp.Literal) else node.output_name
        name = own or _default_name(node, dialect)
        quoted = bool(node.this.args.get("quoted")) if isinstance(node, exp.Column) else False
    if isinstance(inner, exp.Column) and not inner.db:
        return Output(name, quoted, inner.table, inner.name)
    if isinstance(inner, exp.Cast):
        return Output(name, quoted, type=inner.to.sql(dialect=dialect or None))
    return Output(name, quoted)


_POSTGRES = frozenset({"postgres", "redshift", "materialize", "risingwave"})
_NAMED_AFTER_ITSELF = frozenset(
    {"count", "sum", "avg", "min", "max", "coalesce", "lower", "upper", "case", "exists"}
)


def _default_name(node: exp.Expression, dialect: str) -> str:
    """What PostgreSQL calls a column without a name; the other engines agree on nothing."""
    own = str(node.name if isinstance(node, exp.Anonymous) else node.key).lower()
    if dialect in _POSTGRES and (isinstance(node, exp.Anonymous) or own in _NAMED_AFTER_ITSELF):
        return own
    return ""
