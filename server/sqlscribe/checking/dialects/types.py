"""Types in casts that the engine calls otherwise."""

from __future__ import annotations

from collections.abc import Iterator

from sqlglot.tokens import TokenType

from sqlscribe.checking.dialects.feature import engine_of, rewrite
from sqlscribe.checking.dialects.features import CAST_OPERATOR
from sqlscribe.checking.dialects.view import View
from sqlscribe.notation.findings import Finding, Severity


def _called(**types: str) -> dict[str, str]:
    """``text="string varchar"``: what the engine calls these types of others."""
    return {name: own.replace("_", " ") for own, names in types.items() for name in names.split()}


_LACKING: dict[str, dict[str, str]] = {
    "postgres": _called(
        text="string varchar2 nvarchar clob",
        bigint="int64",
        integer="signed unsigned",
        double_precision="float64 double",
        numeric="number",
        timestamp="datetime datetime2",
        smallint="tinyint",
        bytea="blob",
    ),
    "redshift": _called(
        varchar="string varchar2",
        bigint="int64 signed unsigned",
        double_precision="float64 double",
        numeric="number",
        timestamp="datetime datetime2",
        smallint="tinyint",
    ),
    "mysql": _called(
        CHAR="string text varchar2 clob",
        SIGNED="int64 number boolean bool",
        DOUBLE="float64",
        DATETIME="timestamp datetime2",
    ),
    "tsql": _called(
        nvarchar="string varchar2 clob",
        bigint="int64 signed unsigned",
        float="float64 double",
        decimal="number",
        bit="boolean bool",
    ),
    "oracle": _called(
        CLOB="string text",
        NUMBER="int64 bigint tinyint signed unsigned bit",
        BINARY_DOUBLE="float64 double",
        TIMESTAMP="datetime datetime2",
        NVARCHAR2="nvarchar",
    ),
    "bigquery": _called(
        STRING="varchar text char nvarchar varchar2 clob",
        INT64="signed unsigned number",
        FLOAT64="float double real",
        DATETIME="datetime2",
        BYTES="blob",
    ),
    "snowflake": _called(INT="int64 signed unsigned", FLOAT="float64", TIMESTAMP="datetime2"),
    "duckdb": _called(VARCHAR="varchar2", DECIMAL="number", TIMESTAMP="datetime2"),
    "trino": _called(
        varchar="string text nvarchar varchar2 clob",
        bigint="int64 signed unsigned",
        double="float64 float",
        decimal="number",
        timestamp="datetime datetime2",
    ),
    "spark": _called(
        string="text nvarchar varchar2 clob",
        bigint="int64 signed unsigned",
        double="float64",
        decimal="number",
        timestamp="datetime datetime2",
    ),
}
# MariaDB takes these, MySQL does not.
_MYSQL_ONLY = _called(SIGNED="int integer bigint smallint tinyint", CHAR="varchar")
_CASTS = frozenset({"CAST", "TRY_CAST", "SAFE_CAST"})


def cast_types(view: View) -> Iterator[Finding]:
    """``CAST(value AS string)`` where there is no such type."""
    lacking = _LACKING.get(engine_of(view.dialect))
    if lacking is None:
        return
    for index in range(len(view.tokens)):
        if view.word(index) in _CASTS and view.kind(index + 1) is TokenType.L_PAREN:
            closing = view.pairs.get(index + 1)
            level = view.at_depth(index + 2, closing - 1) if closing is not None else []
            named = next((i for i in level if view.kind(i) is TokenType.ALIAS), None)
            if named is not None:
                yield from _type(view, named + 1, lacking)
        elif view.kind(index) is TokenType.DCOLON and not CAST_OPERATOR.is_missing(view.dialect):
            yield from _type(view, index + 1, lacking)


def _type(view: View, index: int, lacking: dict[str, str]) -> Iterator[Finding]:
    name = view.word(index).casefold()
    if view.word(index + 1) in ("PRECISION", ".", "[") or view.kind(index - 2) is TokenType.DOT:
        return
    soft = view.dialect == "mysql" and name in _MYSQL_ONLY
    if soft and view.word(index - 2) == "NULL":
        # The columns of a pulled view stand in its script so, with their own types.
        return
    own = _MYSQL_ONLY[name] if soft else lacking.get(name)
    if own is None:
        return
    place = view.span(index, index)
    kind = "MySQL does" if soft else f"{view.dialect} does"
    message = f"{kind} not have the type {view.tokens[index].text} for a cast; use {own}"
    severity = Severity.WARNING if soft else Severity.ERROR
    fix = rewrite(f"Change to {own}", (place, own))
    yield Finding("dialect/type", severity, message, place, (fix,))
