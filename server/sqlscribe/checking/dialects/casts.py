"""``value::type`` as the engines without it write it."""

from __future__ import annotations

from collections.abc import Iterator

from sqlglot.tokens import TokenType

from sqlscribe.checking.dialects import features
from sqlscribe.checking.dialects.feature import engine_of, findings, rewrite
from sqlscribe.checking.dialects.view import View
from sqlscribe.notation.findings import Finding, Fix

# T-SQL calls the methods of its types so: geography::Point(…).
_STATIC = frozenset({"geography", "geometry", "hierarchyid"})
_CALLED = {
    "int": "int integer int4 int64 signed",
    "bigint": "bigint int8",
    "smallint": "smallint int2",
    "text": "text varchar string char character varchar2 nvarchar",
    "float": "float float8 double real float4 float64",
    "decimal": "decimal numeric number",
    "date": "date",
    "timestamp": "timestamp datetime",
    "boolean": "bool boolean",
}
_MEANT = {name: meant for meant, names in _CALLED.items() for name in names.split()}
_TYPES: dict[str, dict[str, str]] = {
    "mysql": {
        "int": "SIGNED",
        "bigint": "SIGNED",
        "smallint": "SIGNED",
        "text": "CHAR",
        "float": "DOUBLE",
        "decimal": "DECIMAL",
        "date": "DATE",
        "timestamp": "DATETIME",
    },
    "sqlite": {
        "int": "INTEGER",
        "bigint": "INTEGER",
        "smallint": "INTEGER",
        "text": "TEXT",
        "float": "REAL",
        "decimal": "NUMERIC",
    },
    "tsql": {
        "int": "int",
        "bigint": "bigint",
        "smallint": "smallint",
        "text": "varchar(max)",
        "float": "float",
        "decimal": "decimal",
        "date": "date",
        "timestamp": "datetime2",
        "boolean": "bit",
    },
    "oracle": {
        "int": "INTEGER",
        "bigint": "NUMBER(19)",
        "smallint": "INTEGER",
        "text": "VARCHAR2(4000)",
        "float": "BINARY_DOUBLE",
        "decimal": "NUMBER",
        "date": "DATE",
        "timestamp": "TIMESTAMP",
    },
    "bigquery": {
        "int": "INT64",
        "bigint": "INT64",
        "smallint": "INT64",
        "text": "STRING",
        "float": "FLOAT64",
        "decimal": "NUMERIC",
        "date": "DATE",
        "timestamp": "TIMESTAMP",
        "boolean": "BOOL",
    },
    "trino": {
        "int": "integer",
        "bigint": "bigint",
        "smallint": "smallint",
        "text": "varchar",
        "float": "double",
        "decimal": "decimal",
        "date": "date",
        "timestamp": "timestamp",
        "boolean": "boolean",
    },
}
# A cast to these takes SQLite's first number of the text, 2024 of a date.
_SQLITE_CALLS = {"date": "date", "timestamp": "datetime"}


def casts(view: View, index: int) -> Iterator[Finding]:
    """The ``::`` at ``index``; in a row of them the first has the fix for all."""
    if not features.CAST_OPERATOR.is_missing(view.dialect):
        return
    if view.word(index - 1).casefold() in _STATIC and view.kind(index - 2) is not TokenType.DOT:
        return
    last = index + 1 if index + 1 < len(view.tokens) else index
    span = view.span(index, last)
    yield from findings(features.CAST_OPERATOR, span, view.dialect, *_cast(view, index))


def _cast(view: View, index: int) -> Iterator[Fix]:
    if view.kind(index - 2) is TokenType.DCOLON:
        return
    left = view.left_operand(index, frozenset())
    if left is None or any(view.kind(i) is TokenType.DCOLON for i in range(*left)):
        return
    text, last = view.text(*left), index - 1
    while view.kind(last + 1) is TokenType.DCOLON:
        type_end = last + 2
        written = view.word(type_end).casefold()
        length = ""
        if view.kind(type_end + 1) is TokenType.L_PAREN:
            closing = view.pairs.get(type_end + 1, type_end)
            length = view.text(type_end + 1, closing)
            type_end = closing
        more = view.kind(type_end + 1) in (TokenType.L_BRACKET, TokenType.WITH)
        called = _called(text, written, length, engine_of(view.dialect))
        if called is None or more:
            return
        text, last = called, type_end
    yield rewrite(f"Change to {text}", (view.span(left[0], last), text))


def _called(value: str, written: str, length: str, engine: str) -> str | None:
    """The cast as a call; ``None`` for types that mean different things to the engines."""
    meant = _MEANT.get(written)
    if meant is None:
        return None
    if engine == "sqlite" and meant in _SQLITE_CALLS:
        return f"{_SQLITE_CALLS[meant]}({value})"
    own = _TYPES.get(engine, {}).get(meant)
    if own is None:
        return None
    if length and engine not in ("bigquery", "sqlite"):
        own = f"{own.partition('(')[0].replace('DOUBLE', 'FLOAT')}{length}"
    return f"CAST({value} AS {own})"
