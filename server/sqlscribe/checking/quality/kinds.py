"""What kind of value an expression gives, as far as the DDL and the expression itself say it."""

from __future__ import annotations

import re
from collections.abc import Callable
from enum import StrEnum
from typing import Any

from sqlglot import exp

from sqlscribe.checking.quality.look import Look, is_date, is_moment, is_number, is_text

_DEPTH = 12
"""How far an expression is looked into; deeper ones are left alone."""


class Kind(StrEnum):
    """Values that an engine with strict types does not mix; said in messages."""

    NUMBER = "number"
    DOUBLE = "floating-point number"
    TEXT = "text"
    LITERAL = "quoted literal"
    """A quoted literal in an engine that reads it as what it stands beside."""
    BOOLEAN = "boolean"
    DATE = "date"
    DATETIME = "datetime"
    """BigQuery's date with a time of day and no zone."""
    TIMESTAMP = "timestamp"
    TIME = "time"
    INTERVAL = "interval"
    UUID = "uuid"
    JSON = "JSON value"
    ARRAY = "array"


NUMBERS = frozenset({Kind.NUMBER, Kind.DOUBLE})
SCALARS = (exp.JSONExtractScalar, exp.JSONBExtractScalar)
"""What gives a part of a JSON value as a text, whatever it is there."""
DAYS = frozenset({Kind.DATE, Kind.DATETIME, Kind.TIMESTAMP})

_TYPES: tuple[tuple[re.Pattern[str], Kind | None], ...] = tuple(
    (re.compile(pattern, re.IGNORECASE), kind)
    for pattern, kind in (
        (r".*\[\d*\]$|_(?:text|varchar|int[248]|numeric|bool|uuid|date)$|array\b", Kind.ARRAY),
        (r"(?:double|float|real)\d*\b", Kind.DOUBLE),
        # It reads '$5', and no plain number stands beside it.
        (r"(?:small)?money\b", None),
        (r"bool(?:ean)?\b", Kind.BOOLEAN),
        (r"time(?:tz)?\b", Kind.TIME),
        (r"interval\b", Kind.INTERVAL),
        (r"uuid$", Kind.UUID),
        (r"jsonb?$", Kind.JSON),
    )
)
"""Types of which :mod:`.look` says nothing, or less."""


def kind_of_type(type_: str, engine: str) -> Kind | None:
    """The kind of a type as DDL and casts write it; ``None`` for one that is not known here."""
    text = " ".join(type_.split())
    if engine == "tsql" and text.casefold() == "bit":
        return Kind.BOOLEAN
    for pattern, kind in _TYPES:
        if pattern.match(text):
            return kind
    if is_moment(text, engine):
        is_local = engine == "bigquery" and text.casefold().startswith("datetime")
        return Kind.DATETIME if is_local else Kind.TIMESTAMP
    if is_date(text):
        return Kind.DATE
    if is_number(text):
        return Kind.NUMBER
    return Kind.TEXT if is_text(text) else None


class Kinds:
    """The kinds of the expressions of one text."""

    def __init__(self, look: Look) -> None:
        self.look = look
        self.engine = look.engine

    def of(self, node: exp.Expression | None, depth: int = _DEPTH) -> Kind | None:
        """What an expression gives, where that is sure; else ``None``."""
        if node is None or depth == 0 or self.look.is_own_call(node):
            return None
        for types, given in _GIVEN:
            if isinstance(node, types):
                return given
        for types, way in _WAYS:
            if isinstance(node, types):
                return way(self, node, depth)
        return None

    def _column(self, node: exp.Expression, _depth: int) -> Kind | None:
        column = self.look.known(node).column
        return kind_of_type(column.type, self.engine) if column is not None else None

    def _cast(self, node: exp.Cast, _depth: int) -> Kind | None:
        return kind_of_type(node.to.sql(self.look.dialect), self.engine)

    def _kept(self, node: exp.Expression, depth: int) -> Kind | None:
        """What is of the kind of its first operand."""
        return self.of(node.this, depth - 1)

    def _literal(self, node: exp.Literal, _depth: int) -> Kind | None:
        if not node.is_string:
            return Kind.NUMBER
        if self.look.is_filled_in(node.meta.get("start", 0), node.name):
            return None
        return Kind.TEXT if self.engine == "trino" else Kind.LITERAL

    def _of_text(self, node: exp.Func, depth: int) -> Kind | None:
        """What gives a text of a text; of a range it gives a bound, of bytes bytes."""
        kind = self.of(node.this, depth - 1)
        return Kind.TEXT if kind in (Kind.TEXT, Kind.LITERAL) else None

    def _subquery(self, node: exp.Subquery, depth: int) -> Kind | None:
        select = node.this
        if not isinstance(select, exp.Select) or len(select.expressions) != 1:
            return None
        return self.of(select.expressions[0].unalias(), depth - 1)

    def _reckoned(self, node: exp.Func, depth: int) -> Kind | None:
        kind = self.of(argument_of(node), depth - 1)
        if kind not in NUMBERS:
            return None
        # With a number of digits it takes and gives exact numbers, where it takes any.
        exact = isinstance(node, exp.Round | exp.Trunc) and node.args.get("decimals")
        return Kind.NUMBER if exact and self.engine == "postgres" else kind

    def _chosen(self, node: exp.Expression, depth: int) -> Kind | None:
        results = results_of(node) if isinstance(node, exp.Case) else [node.this, *node.expressions]
        return self._common(results, depth)

    def _common(self, nodes: list[exp.Expression], depth: int) -> Kind | None:
        """What several expressions give, one of which is taken."""
        kinds: set[Kind | None] = {
            self.of(node, depth - 1) for node in nodes if not isinstance(node, exp.Null)
        }
        kinds -= {Kind.LITERAL} if len(kinds) > 1 else set()
        if kinds == NUMBERS:
            return Kind.DOUBLE
        return kinds.pop() if len(kinds) == 1 else None

    def _arithmetic(self, node: exp.Binary, depth: int) -> Kind | None:
        left, right = self.of(node.this, depth - 1), self.of(node.expression, depth - 1)
        if left in NUMBERS and right in NUMBERS:
            return Kind.DOUBLE if Kind.DOUBLE in (left, right) else Kind.NUMBER
        if isinstance(node, exp.Sub) and left is right is Kind.DATE:
            return Kind.NUMBER if self.engine in ("postgres", "duckdb") else None
        if isinstance(node, exp.Add | exp.Sub) and right is Kind.INTERVAL:
            if left is Kind.DATE and self.engine in ("postgres", "duckdb"):
                return Kind.TIMESTAMP
            return left if left in DAYS and self.engine != "bigquery" else None
        if left is Kind.DATE and right is Kind.NUMBER and isinstance(node, exp.Add | exp.Sub):
            return Kind.DATE if self.engine == "postgres" else None
        if left is right is Kind.TIMESTAMP and isinstance(node, exp.Sub):
            return Kind.INTERVAL
        return None

    def _concatenated(self, node: exp.Concat | exp.DPipe, depth: int) -> Kind | None:
        if isinstance(node, exp.Concat):
            return Kind.TEXT if self.engine == "postgres" else None
        sides = {self.of(node.this, depth - 1), self.of(node.expression, depth - 1)}
        return Kind.TEXT if Kind.TEXT in sides and Kind.ARRAY not in sides else None

    def _stepped(self, node: exp.DateAdd | exp.DateSub, depth: int) -> Kind | None:
        kind = self.of(node.this, depth - 1)
        return kind if kind is Kind.DATE and self.engine == "bigquery" else None

    def _json(self, node: exp.JSONExtract, depth: int) -> Kind | None:
        return Kind.JSON if self.of(node.this, depth - 1) is Kind.JSON else None

    def _truncated(self, node: exp.TimestampTrunc | exp.DateTrunc, depth: int) -> Kind | None:
        kind = self.of(node.this, depth - 1)
        if kind is Kind.DATE:
            return Kind.TIMESTAMP if self.engine == "postgres" else None
        return kind if kind in (Kind.TIMESTAMP, Kind.INTERVAL) else None


def argument_of(node: exp.Expression) -> exp.Expression:
    """What an aggregate is of, with DISTINCT or without."""
    inside = node.this
    if isinstance(inside, exp.Distinct) and len(inside.expressions) == 1:
        return inside.expressions[0]
    return inside


def results_of(node: exp.Case) -> list[exp.Expression]:
    """What the branches of a CASE give."""
    results = [branch.args.get("true") for branch in node.args.get("ifs") or ()]
    return [result for result in (*results, node.args.get("default")) if result is not None]


_KEPT = (
    exp.Paren,
    exp.Neg,
    exp.Abs,
    exp.Ceil,
    exp.Floor,
    exp.Min,
    exp.Max,
    exp.Nullif,
    exp.Filter,
    exp.Window,
    exp.Lag,
    exp.Lead,
    exp.FirstValue,
    exp.LastValue,
)
_NUMBERING = (exp.RowNumber, exp.Rank, exp.DenseRank, exp.Ntile)
_ARITHMETIC = (exp.Add, exp.Sub, exp.Mul, exp.Div, exp.Mod)
_Types = tuple[type[exp.Expression], ...]
_GIVEN: tuple[tuple[_Types, Kind], ...] = (
    ((exp.Boolean, exp.Connector, exp.Not), Kind.BOOLEAN),
    ((exp.Count, exp.Extract, exp.Length, exp.StrPosition, *_NUMBERING), Kind.NUMBER),
    ((exp.TimeToStr, *SCALARS), Kind.TEXT),
    ((exp.Interval,), Kind.INTERVAL),
    ((exp.CurrentDate, exp.Date, exp.StrToDate), Kind.DATE),
    ((exp.CurrentDatetime, exp.DatetimeAdd, exp.DatetimeSub), Kind.DATETIME),
    ((exp.CurrentTimestamp, exp.TimestampAdd, exp.TimestampSub), Kind.TIMESTAMP),
    ((exp.Array,), Kind.ARRAY),
)
_WAYS: tuple[tuple[_Types, Callable[[Kinds, Any, int], Kind | None]], ...] = (
    ((exp.Column,), Kinds._column),
    ((exp.Literal,), Kinds._literal),
    ((exp.Cast,), Kinds._cast),
    ((exp.SubqueryPredicate,), lambda *_: None),
    ((exp.Predicate,), lambda *_: Kind.BOOLEAN),
    ((exp.Subquery,), Kinds._subquery),
    (_KEPT, Kinds._kept),
    ((exp.Lower, exp.Upper, exp.Initcap, exp.Trim), Kinds._of_text),
    ((exp.Sum, exp.Avg, exp.Round, exp.Trunc), Kinds._reckoned),
    ((exp.Coalesce, exp.Greatest, exp.Least, exp.Case), Kinds._chosen),
    (_ARITHMETIC, Kinds._arithmetic),
    ((exp.Concat, exp.DPipe), Kinds._concatenated),
    ((exp.DateAdd, exp.DateSub), Kinds._stepped),
    ((exp.TimestampTrunc, exp.DateTrunc), Kinds._truncated),
    ((exp.JSONExtract,), Kinds._json),
)
