"""Calls of functions: those of other engines, those called otherwise, and unknown ones."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from sqlglot import exp
from sqlglot.tokens import TokenType

from sqlscribe.checking.dialects import ways
from sqlscribe.checking.dialects.arguments import named
from sqlscribe.checking.dialects.arities import wrong_arguments
from sqlscribe.checking.dialects.catalogues import catalogue
from sqlscribe.checking.dialects.feature import engine_of, product, rewrite
from sqlscribe.checking.dialects.filling import filled, shown
from sqlscribe.checking.dialects.foreign import (
    CLICKHOUSE_LACKS,
    CONSTANTS,
    FOREIGN,
    ONLY_MARIADB,
    Foreign,
)
from sqlscribe.checking.dialects.view import View
from sqlscribe.checking.names.spelling import nearest
from sqlscribe.notation.findings import Finding, Fix, Severity
from sqlscribe.schema.model import Schema

_ENGINES = frozenset(
    "postgres mysql sqlite tsql oracle bigquery snowflake duckdb redshift spark trino clickhouse"
    .split()
)  # fmt: skip
_LISTED = ("sqlite", "postgres", "duckdb", "mysql")
# Behind these a name with a parenthesis is no call: a method, a column, a table of INSERT.
_NO_CALL = frozenset(
    {
        TokenType.ALIAS,
        TokenType.DCOLON,
        TokenType.DOT,
        TokenType.IDENTIFIER,
        TokenType.INDEX,
        TokenType.INTO,
        TokenType.NUMBER,
        TokenType.PARAMETER,
        TokenType.R_PAREN,
        TokenType.STRING,
        TokenType.TABLE,
        TokenType.VAR,
        TokenType.WITH,
        TokenType.RECURSIVE,
        TokenType.VIEW,
        TokenType.FUNCTION,
        TokenType.PROCEDURE,
    }
)
_LITERALS = frozenset({TokenType.STRING, TokenType.IDENTIFIER, TokenType.NUMBER})
# Words of the grammar that the tokenizer takes for names.
_GRAMMAR = frozenset(
    """
    bernoulli block columns conflict cube exclude except include key keys lateral materialized only
    over path
    pivot qualify range references rename replace reservoir rollup rows sample separator sets
    struct system tablesample top unpivot values within
    """.split()
)
# Functions of extensions, and those of an engine's own machinery.
_EXTENSIONS = (
    "st_",
    "h3_",
    "pgr_",
    "pgp_",
    "vec_",
    "tsvector_",
    "postgis_",
    "cron_",
    "fts",
    "duckdb_",
    "__",
    "sqlite_",
    "pragma_",
    "rtree",
    "geopoly_",
)
# Functions of some engines that are types to all: in DDL they are no calls.
_TYPE_NAMES = frozenset({"char", "date", "datetime", "time"})
_MOST_NEAR = 2


def calls(view: View, schema: Schema, own: Collection[str] = ()) -> Iterator[Finding]:
    """What is wrong with the functions that a text calls. ``own`` are those of its script."""
    engine = engine_of(view.dialect)
    if engine not in _ENGINES:
        return
    known = catalogue(engine)
    followed = bool(view.parse.trees) and all(
        isinstance(tree, exp.Query | exp.DML) for tree in view.parse.trees
    )
    for index in range(len(view.tokens)):
        name = view.tokens[index].text.casefold()
        if not _is_call(view, index):
            if name in CONSTANTS and not _has(engine, name, CONSTANTS[name], None):
                yield from _constant(view, index, schema)
            continue
        if name in schema.functions or name in own or (name in _TYPE_NAMES and not followed):
            continue
        if engine == "bigquery" and _is_week_part(view, index):
            continue
        if engine == "sqlite" and schema.named(name):
            # A virtual table is called with what it should match.
            continue
        foreign = FOREIGN.get(name) or (CONSTANTS.get(name) if engine == "tsql" else None)
        if foreign is not None and (
            not _has(engine, name, foreign, known) or _is_choice(view, index, engine)
        ):
            yield from _foreign(view, index, foreign)
        elif engine == "mysql" and name in ONLY_MARIADB and foreign is not None:
            yield from _foreign(view, index, foreign, soft=True)
        elif wrong := list(wrong_arguments(view, index)):
            yield from wrong
        elif followed and known and name not in known and foreign is None:
            yield from _unknown(view, index, known)


def _is_call(view: View, index: int) -> bool:
    return (
        view.kind(index + 1) is TokenType.L_PAREN
        and view.kind(index) not in _LITERALS
        and view.kind(index - 1) not in _NO_CALL
        and not _names_cte(view, index + 1)
    )


def _is_week_part(view: View, index: int) -> bool:
    """BigQuery's ``WEEK(MONDAY)``, a part of a date."""
    starts = view.word(index) == "WEEK" and view.word(index + 2).endswith("DAY")
    return starts and view.pairs.get(index + 1) == index + 3


def _is_choice(view: View, index: int, engine: str) -> bool:
    """``IF(a, b, c)``, where IF is a statement and IIF the function."""
    if engine != "tsql" or view.word(index) != "IF":
        return False
    return len(view.arguments(index + 1) or ()) == 3


def _names_cte(view: View, opening: int) -> bool:
    """``month (a, b) AS (``: the name of a CTE with its columns."""
    closing = view.pairs.get(opening)
    if closing is None or view.kind(closing + 1) is not TokenType.ALIAS:
        return False
    return view.kind(closing + 2) is TokenType.L_PAREN or view.word(closing + 2) in (
        "MATERIALIZED",
        "NOT",
    )


def _has(engine: str, name: str, foreign: Foreign, known: frozenset[str] | None) -> bool:
    if engine == "clickhouse":
        return name not in CLICKHOUSE_LACKS
    return name in known if known else engine in foreign.engines


def _foreign(view: View, index: int, foreign: Foreign, *, soft: bool = False) -> Iterator[Finding]:
    """A function that the engine surely lacks, with its own way if that can be filled."""
    written = view.tokens[index].text
    way = foreign.ways.get(engine_of(view.dialect), "")
    message = f"{view.dialect} does not have {written}()"
    if soft:
        message = f"MySQL does not have {written}(), only MariaDB does"
    if way:
        message += f"; use {shown(way)}"
    fixes = []
    text, last = _written(view, index, foreign, way)
    if text is not None:
        place = view.span(index, last)
        plain = ":" not in way and foreign.ways is not ways.TRIED_CAST
        fixes.append(rewrite(f"Change to {_short(text)}", (place, text), sure=plain))
    severity = Severity.WARNING if soft else Severity.ERROR
    place = view.span(index, index)
    yield Finding("dialect/function", severity, message, place, tuple(fixes))


def _written(view: View, index: int, foreign: Foreign, way: str) -> tuple[str | None, int]:
    """The call in the engine's own way, and the index of the last token that it replaces."""
    arguments = named(view, index, foreign) if way else None
    last = view.pairs.get(index + 1, index)
    if arguments is None:
        return None, last
    if view.word(last + 1) != "WITHIN":
        return filled(way, arguments), last
    closing = view.pairs.get(last + 3)
    form = ways.JOINED_IN_ORDER.get(engine_of(view.dialect), "")
    if foreign.ways is not ways.JOINED or closing is None or closing < last + 5:
        return None, last
    order = view.text(last + 4, closing - 1)
    return filled(form, arguments | {"order": order}), closing


def _short(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= 60 else text[:57] + "…"


def _constant(view: View, index: int, schema: Schema) -> Iterator[Finding]:
    """``SYSDATE``, unless it may be a column or a name given in the query."""
    token = view.tokens[index]
    name = token.text.casefold()
    if token.token_type in _LITERALS or TokenType.DOT in (
        view.kind(index - 1),
        view.kind(index + 1),
    ):
        return
    if view.kind(index - 1) is TokenType.ALIAS or any(
        table.column(name) is not None for table in schema.tables
    ):
        return
    engine = engine_of(view.dialect)
    way = CONSTANTS[name].ways.get(engine, "")
    fixes = (rewrite(f"Change to {way}", (view.span(index, index), way)),) if way else ()
    message = f"{view.dialect} does not have {token.text}" + (f"; use {way}" if way else "")
    place = view.span(index, index)
    yield Finding("dialect/function", Severity.ERROR, message, place, fixes)


def _unknown(view: View, index: int, known: frozenset[str]) -> Iterator[Finding]:
    """A name that is in no list. It may be a function that the DDL does not show."""
    token = view.tokens[index]
    name = token.text.casefold()
    if token.token_type is not TokenType.VAR or name in _GRAMMAR or name.startswith(_EXTENSIONS):
        return
    engine = engine_of(view.dialect)
    if name.startswith("pg_") and engine == "postgres":
        return
    others = [product(one) for one in _LISTED if one != engine and name in catalogue(one)]
    near = nearest(name, known, _MOST_NEAR)
    message = f"{view.dialect} has no function {token.text}() of its own"
    if others:
        message += f"; it is one of {others[0]}"
    elif near:
        message += f"; did you mean {' or '.join(item.name for item in near)}?"
    place = view.span(index, index)
    fixes: list[Fix] = []
    if not others:
        for item in near:
            text = item.name.upper() if token.text.isupper() else item.name
            fixes.append(rewrite(f"Change to {text}", (place, text), sure=False))
    yield Finding("dialect/unknown-function", Severity.HINT, message, place, tuple(fixes))
