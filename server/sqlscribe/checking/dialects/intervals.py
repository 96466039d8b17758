"""Intervals and dates, each engine's way to write and to add them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from sqlglot.tokens import TokenType

from sqlscribe.checking.dialects import features
from sqlscribe.checking.dialects.feature import engine_of, findings, rewrite
from sqlscribe.checking.dialects.view import View
from sqlscribe.notation.findings import Finding, Fix

_UNITS = frozenset("microsecond millisecond second minute hour day week month quarter year".split())
_IN_QUOTES = re.compile(r"([+-]?\d+) +([a-z]+)", re.IGNORECASE)
_NUMBER = re.compile(r"[+-]?\d+")
_TODAY = re.compile(r"(?:current_date|curdate\s*\(.*|date\s*\(.*)", re.IGNORECASE | re.DOTALL)


class _Interval(NamedTuple):
    """``INTERVAL '7 days'``: 7, ``day``, and the index of its last token."""

    number: str
    unit: str
    last: int
    unit_in_quotes: bool
    quoted: bool


def intervals(view: View, index: int) -> Iterator[Finding]:
    """An INTERVAL, which every engine writes in its own way."""
    if view.kind(index + 1) not in (TokenType.STRING, TokenType.NUMBER):
        return
    span = view.span(index, index + 1)
    read = _read(view, index)
    fixes = list(_added(view, index, read)) if read else []
    yield from findings(features.INTERVAL, span, view.dialect, *fixes)
    if read is None:
        return
    whole = view.span(index, read.last)
    fix = rewrite(f"Change to {_own(read, view.dialect)}", (whole, _own(read, view.dialect)))
    if read.unit_in_quotes:
        yield from findings(features.INTERVAL_TEXT, span, view.dialect, fix)
    elif not read.quoted:
        yield from findings(features.INTERVAL_NUMBER, whole, view.dialect, fix)


def _read(view: View, index: int) -> _Interval | None:
    token = view.tokens[index + 1]
    quoted = token.token_type is TokenType.STRING
    unit = view.word(index + 2).casefold().removesuffix("s")
    if unit in _UNITS and _NUMBER.fullmatch(token.text):
        return _Interval(token.text, unit, index + 2, False, quoted)
    found = _IN_QUOTES.fullmatch(token.text) if quoted and unit not in _UNITS else None
    if found and (unit := found[2].casefold().removesuffix("s")) in _UNITS:
        return _Interval(found[1], unit, index + 1, True, True)
    return None


def _own(read: _Interval, dialect: str) -> str:
    """The same interval as the engine writes it."""
    engine = engine_of(dialect)
    number, unit = read.number, read.unit.upper()
    if engine in ("postgres", "redshift", "snowflake"):
        return f"INTERVAL '{number} {unit.lower()}'"
    if engine in ("oracle", "trino") and unit == "WEEK":
        number, unit = str(7 * int(number)), "DAY"
    return f"INTERVAL {number} {unit}" if engine in ("mysql", "bigquery") else (
        f"INTERVAL '{number}' {unit}"
    )  # fmt: skip


def _added(view: View, index: int, read: _Interval) -> Iterator[Fix]:
    """``value - INTERVAL '7 days'`` as the call of SQL Server or SQLite."""
    sign = {TokenType.PLUS: "", TokenType.DASH: "-"}.get(view.kind(index - 1) or TokenType.SPACE)
    left = view.left_operand(index - 1)
    if sign is None or left is None or (sign and read.number[0] in "+-"):
        return
    value, number = view.text(*left), f"{sign}{read.number}"
    if engine_of(view.dialect) == "tsql":
        text = f"DATEADD({read.unit}, {number}, {value})"
        yield rewrite(f"Change to {text}", (view.span(left[0], read.last), text))
    elif view.dialect == "sqlite" and read.unit not in ("week", "quarter"):
        function = "date" if _TODAY.fullmatch(value) else "datetime"
        text = f"{function}({value}, '{number if sign else '+' + number} {read.unit}')"
        yield rewrite(f"Change to {text}", (view.span(left[0], read.last), text), sure=False)


_TYPED = frozenset({TokenType.DATE, TokenType.TIMESTAMP, TokenType.DATETIME})


def date_literals(view: View) -> Iterator[Finding]:
    """``DATE '2024-01-31'``."""
    for index, token in enumerate(view.tokens[:-1]):
        if token.token_type not in _TYPED or view.kind(index + 1) is not TokenType.STRING:
            continue
        if view.kind(index - 1) in (TokenType.ALIAS, TokenType.DCOLON):
            continue
        literal = view.text(index + 1, index + 1)
        kind = "date" if token.token_type is TokenType.DATE else "datetime2"
        own = f"CAST({literal} AS {kind})" if engine_of(view.dialect) == "tsql" else literal
        fix = rewrite(f"Change to {own}", (view.span(index, index + 1), own))
        place = view.span(index + 1, index + 1)
        if view.word(index):
            place = view.span(index, index + 1)
        yield from findings(features.DATE_LITERAL, place, view.dialect, fix)
