"""A few habits that give wrong answers without an error, where the DDL makes it sure."""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

from sqlglot import exp
from sqlglot.tokens import Token, TokenType

from sqlscribe.checking.names.misses import Walk
from sqlscribe.checking.names.scopes import Known, Scope, Source
from sqlscribe.checking.parsing import Parsed
from sqlscribe.notation.document import Span, TextEdit
from sqlscribe.notation.findings import Finding, Fix, Severity
from sqlscribe.schema.model import Table


def check_quality(parse: Parsed, walk: Walk) -> Iterator[Finding]:
    """Warnings on a parsed text whose names were followed."""
    yield from _timestamps(parse, walk)
    yield from _null_comparisons(parse)
    yield from _month_steps(parse)
    yield from _zones(parse, walk)
    for select, scope in walk.selects:
        yield from _not_in(select, walk)
        yield from _fan_out(select, scope, walk)


def _warning(code: str, message: str, span: Span, *fixes: Fix) -> Finding:
    return Finding(f"quality/{code}", Severity.WARNING, message, span, fixes)


# A timestamp compared with a day.

_TIMESTAMP = re.compile(r"(?:timestamp|datetime|smalldatetime)", re.IGNORECASE)
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}|\d{8}")
_BEFORE_CONDITION = frozenset(
    {TokenType.WHERE, TokenType.AND, TokenType.OR, TokenType.ON, TokenType.L_PAREN}
)


def _timestamps(parse: Parsed, walk: Walk) -> Iterator[Finding]:
    """``BETWEEN`` or ``<=`` with a day as upper bound loses nearly all of that day."""
    tokens = parse.tokens
    for index, token in enumerate(tokens):
        known = walk.bound.get(token.start)
        if known is None or known.column is None or not _TIMESTAMP.match(known.column.type):
            continue
        operator = tokens[index + 1].token_type if index + 1 < len(tokens) else None
        day = _day(tokens, index + 2)
        if day is None:
            continue
        if operator is TokenType.LTE:
            yield _up_to_day(index, day, parse)
        elif operator is TokenType.BETWEEN:
            last = _day(tokens, day.end + 1)
            if last is not None and tokens[day.end].token_type is TokenType.AND:
                yield _between_days(index, day, last, parse)


class _Day(NamedTuple):
    """A day in the query: its text, where it is written, and the index of the token behind it."""

    text: str
    span: Span
    end: int

    def written(self, parse: Parsed, day: str) -> str:
        """Another day in the same form: ``DATE '…'`` and casts are kept."""
        return self.span.of(parse.sql).replace(self.text, day)


def _day(tokens: tuple[Token, ...], index: int) -> _Day | None:
    """``'2024-01-31'``, also with DATE in front or a cast to one behind."""
    at = index
    if at < len(tokens) and tokens[at].token_type is TokenType.DATE:
        at += 1
    if at >= len(tokens) or tokens[at].token_type is not TokenType.STRING:
        return None
    text = tokens[at].text
    if _DAY.fullmatch(text) is None:
        return None
    last = at
    kinds = [token.token_type for token in tokens[at + 1 : at + 3]]
    if kinds == [TokenType.DCOLON, TokenType.DATE]:
        last = at + 2
    return _Day(text, Span(tokens[index].start, tokens[last].end + 1), last + 1)


def _name_start(index: int, tokens: tuple[Token, ...]) -> int:
    """The first token of a dotted name that ends at ``index``."""
    while index > 1 and tokens[index - 1].token_type is TokenType.DOT:
        index -= 2
    return index


def _between_days(index: int, lower: _Day, upper: _Day, parse: Parsed) -> Finding:
    first = _name_start(index, parse.tokens)
    name = parse.sql[parse.tokens[first].start : parse.tokens[index].end + 1]
    span = Span(parse.tokens[first].start, upper.span.end)
    message = (
        f"{parse.tokens[index].text} is a timestamp: "
        f"the upper bound is midnight at the start of {upper.text}"
    )
    next_day = _next_day(upper.text)
    alone = first > 0 and parse.tokens[first - 1].token_type in _BEFORE_CONDITION
    if next_day is None or not alone:
        return _warning("between-timestamps", message, span)
    start = lower.span.of(parse.sql)
    text = f"{name} >= {start} AND {name} < {upper.written(parse, next_day)}"
    fix = Fix("Change to a half-open range", (TextEdit(span, text),), preferred=True)
    return _warning("between-timestamps", message, span, fix)


def _up_to_day(index: int, day: _Day, parse: Parsed) -> Finding:
    name, operator = parse.tokens[index : index + 2]
    message = f"{name.text} is a timestamp: the upper bound is midnight at the start of {day.text}"
    span = Span(name.start, day.span.end)
    next_day = _next_day(day.text)
    if next_day is None:
        return _warning("timestamp-upper-bound", message, span)
    right = f"< {day.written(parse, next_day)}"
    edits = (TextEdit(Span(operator.start, day.span.end), right),)
    return _warning("timestamp-upper-bound", message, span, Fix(f"Change to {right}", edits, True))


def _next_day(day: str) -> str | None:
    try:
        following = datetime.date.fromisoformat(day) + datetime.timedelta(days=1)
    except (ValueError, OverflowError):
        return None
    return following.isoformat() if "-" in day else following.strftime("%Y%m%d")


_WITH_ZONE = re.compile(r"timestamptz|timestamp.*with time zone", re.IGNORECASE)


def _zones(parse: Parsed, walk: Walk) -> Iterator[Finding]:
    """A moment turned into local time, and that time taken for another zone's."""
    for tree in parse.trees:
        for node in tree.find_all(exp.AtTimeZone):
            inner = node.this
            if not isinstance(inner, exp.AtTimeZone):
                continue
            known = _known(inner.this, walk)
            if known is None or known.column is None or not _WITH_ZONE.match(known.column.type):
                continue
            name = inner.this.this
            message = (
                f"{known.column.name} has a time zone: AT TIME ZONE twice shifts it twice; "
                "once gives the local time"
            )
            yield _warning("zone-twice", message, Span(name.meta["start"], name.meta["end"] + 1))


# NULL.


def _null_comparisons(parse: Parsed) -> Iterator[Finding]:
    """``= NULL`` is never true."""
    conditions = (exp.Where, exp.Having, exp.Join, exp.Case, exp.If)
    if not any(
        isinstance(node, exp.EQ | exp.NEQ)
        and isinstance(node.expression, exp.Null)
        and node.find_ancestor(*conditions) is not None
        for tree in parse.trees
        for node in tree.walk()
    ):
        return
    in_condition = False
    for before, token in pairwise(parse.tokens):
        if before.token_type in _CONDITION_STARTS:
            in_condition = True
        elif before.token_type in (TokenType.SET, TokenType.SELECT):
            in_condition = False
        if not in_condition or token.token_type is not TokenType.NULL:
            continue
        if before.token_type in (TokenType.EQ, TokenType.NEQ):
            right = "IS NULL" if before.token_type is TokenType.EQ else "IS NOT NULL"
            span = Span(before.start, token.end + 1)
            fix = Fix(f"Change to {right}", (TextEdit(span, right),), preferred=True)
            yield _warning("null-comparison", f"this is never true; use {right}", span, fix)


_CONDITION_STARTS = frozenset(
    {TokenType.WHERE, TokenType.HAVING, TokenType.ON, TokenType.WHEN, TokenType.AND, TokenType.OR}
)


def _not_in(select: exp.Select, walk: Walk) -> Iterator[Finding]:
    """``NOT IN`` over a column that may be NULL gives no row once it is."""
    parent = select.parent
    inside = parent.parent if isinstance(parent, exp.Subquery) else parent
    if not isinstance(inside, exp.In) or not isinstance(inside.parent, exp.Not):
        return
    item = select.expressions[0] if len(select.expressions) == 1 else None
    known = _known(item, walk)
    if known is None or known.column is None or known.table is None:
        return
    column, table = known.column, known.table
    if (
        not column.nullable
        or column.name in table.primary_key
        or _excludes_null(select, column.name)
    ):
        return
    message = (
        f"{table.name}.{column.name} may be NULL, and then no row is found: NOT EXISTS is safer"
    )
    assert isinstance(item, exp.Column)
    start = item.this.meta["start"]
    yield _warning("not-in-null", message, Span(start, item.this.meta["end"] + 1))


def _known(item: exp.Expression | None, walk: Walk) -> Known | None:
    if not isinstance(item, exp.Column):
        return None
    return walk.bound.get(item.this.meta.get("start", -1))


def _excludes_null(select: exp.Select, name: str) -> bool:
    """True where the subquery's WHERE says anything about the column: NULL passes little."""
    where = select.args.get("where")
    if where is None:
        return False
    folded = name.casefold()
    return any(column.name.casefold() == folded for column in where.find_all(exp.Column))


# Joins that multiply.


def _fan_out(select: exp.Select, scope: Scope, walk: Walk) -> Iterator[Finding]:
    """A sum over one table's column after a join to rows that refer to that table."""
    tables = [source for source in scope.sources if source.table is not None]
    if len(tables) < 2 or not select.args.get("joins"):
        return
    for function in select.find_all(exp.Sum, exp.Avg):
        if function.find_ancestor(exp.Select) is not select or function.find_ancestor(exp.Window):
            continue
        column = function.find(exp.Column)
        source = _source_of(column, scope, walk)
        if column is None or source is None or source.table is None:
            continue
        many = next((s for s in tables if s is not source and _refers(s, source.table)), None)
        if many is None or many.table is None:
            continue
        name = f"{source.name}.{column.name}"
        if isinstance(function.this, exp.Distinct):
            message = f"SUM(DISTINCT {name}) drops equal amounts of different {source.table.name}"
        else:
            message = f"{name} may be counted once per {many.table.name} row"
        start, end = column.this.meta.get("start", 0), column.this.meta.get("end", 0)
        yield _warning("fan-out", message, Span(start, end + 1))


def _source_of(column: exp.Column | None, scope: Scope, walk: Walk) -> Source | None:
    known = _known(column, walk)
    if known is None or known.table is None:
        return None
    same = [source for source in scope.sources if source.table is known.table]
    return same[0] if len(same) == 1 else None


def _refers(source: Source, table: Table) -> bool:
    """True where many rows of a source may refer to one row of ``table``."""
    other = source.table
    if other is None or not table.primary_key:
        return False
    for key in other.foreign_keys:
        if key.to_table.casefold() != table.name.casefold():
            continue
        if key.to_columns and not _same(key.to_columns, table.primary_key):
            continue
        single = (other.primary_key, *other.unique)
        return not any(unique and set(unique) <= set(key.columns) for unique in single)
    return False


def _same(one: tuple[str, ...], other: tuple[str, ...]) -> bool:
    return {name.casefold() for name in one} == {name.casefold() for name in other}


# SQLite's months.

_TODAY = frozenset({TokenType.CURRENT_DATE, TokenType.CURRENT_TIMESTAMP})
_MONTH_STEP = re.compile(r"[+-]?\d+ months?", re.IGNORECASE)


def _month_steps(parse: Parsed) -> Iterator[Finding]:
    """``date('now', '-1 month')`` on the 31st lands in the month it should leave."""
    if parse.dialect != "sqlite":
        return
    from_now = False
    for token in parse.tokens:
        text = token.text.strip().casefold()
        if token.token_type in _TODAY:
            from_now = True
        elif token.token_type is not TokenType.STRING:
            from_now = from_now and token.token_type is TokenType.COMMA
        elif text == "now":
            from_now = True
        elif text.startswith("start of "):
            from_now = False
        elif from_now and _MONTH_STEP.fullmatch(text):
            message = (
                f"'{token.text}' from the 29th to the 31st may land in the same month: "
                "put 'start of month' before it"
            )
            span = Span(token.start, token.end + 1)
            edit = TextEdit(Span(token.start, token.start), "'start of month', ")
            fix = Fix("Start from the first of the month", (edit,))
            yield _warning("month-step", message, span, fix)
