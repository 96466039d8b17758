"""Days and moments: a timestamp compared with a day, and days that there are not."""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterator

from sqlglot.tokens import TokenType

from sqlscribe.checking.quality.days import Day, day_at
from sqlscribe.checking.quality.look import Look, finding, fix, is_date, is_moment
from sqlscribe.notation.document import Span
from sqlscribe.notation.findings import Finding, Fix, Severity

_DAY_LIKE = re.compile(r"(\d{4})-(\d{1,2})-(\d{1,2})(?:[ T].*)?", re.DOTALL)
_OTHER_ORDER = re.compile(r"\d{1,2}[/.]\d{1,2}[/.]\d{4}")
_BEFORE_CONDITION = frozenset(
    {TokenType.WHERE, TokenType.AND, TokenType.OR, TokenType.ON, TokenType.L_PAREN}
)
_COMPARING = frozenset(
    {
        TokenType.EQ,
        TokenType.NEQ,
        TokenType.LT,
        TokenType.LTE,
        TokenType.GT,
        TokenType.GTE,
        TokenType.BETWEEN,
    }
)


def check_dates(look: Look) -> Iterator[Finding]:
    """Comparisons of columns that hold dates."""
    tokens = look.view.tokens
    for index, token in enumerate(tokens):
        known = look.walk.bound.get(token.start)
        if known is None or known.column is None:
            continue
        moment = is_moment(known.column.type, look.dialect)
        if moment:
            yield from _moment(look, index)
        if moment or is_date(known.column.type):
            yield from _literals(look, index)


def _moment(look: Look, index: int) -> Iterator[Finding]:
    view = look.view
    operator = view.kind(index + 1)
    negated = operator is TokenType.NOT and view.kind(index + 2) is TokenType.BETWEEN
    if operator is TokenType.BETWEEN or negated:
        yield from _between_days(look, index, negated)
        return
    day = day_at(view, index + 2)
    if day is not None and operator is TokenType.LTE:
        yield from _up_to_day(look, index, day)
    elif day is not None and operator is TokenType.EQ and not look.assigned(index):
        yield from _on_day(look, index, day)


def _name_start(look: Look, index: int) -> int:
    """The first token of a dotted name that ends at ``index``."""
    while index > 1 and look.view.kind(index - 1) is TokenType.DOT:
        index -= 2
    return index


def _half_open(look: Look, index: int, lower: str, upper: Day) -> tuple[str, str] | None:
    """The two conditions of a half-open range, where nothing but they can be meant."""
    first = _name_start(look, index)
    following = _next_day(upper.text)
    if following is None or look.view.kind(first - 1) not in _BEFORE_CONDITION:
        return None
    name = look.view.text(first, index)
    return f"{name} >= {lower}", f"{name} < {upper.written(look.view.parse.sql, following)}"


def _between_days(look: Look, index: int, negated: bool) -> Iterator[Finding]:
    view = look.view
    start = index + 2 + negated
    level = view.at_depth(start, view.depth_end(index))
    between = next((i for i in level if view.kind(i) is TokenType.AND), None)
    upper = day_at(view, between + 1) if between is not None and between > start else None
    if between is None or upper is None:
        return
    span = Span(view.tokens[_name_start(look, index)].start, upper.span.end)
    message = (
        f"{view.tokens[index].text} is a timestamp: "
        f"the upper bound is midnight at the start of {upper.text}"
    )
    fixes: list[Fix] = []
    bounds = _half_open(look, index, view.text(start, between - 1), upper)
    if bounds is not None:
        text = f"NOT ({' AND '.join(bounds)})" if negated else " AND ".join(bounds)
        fixes.append(fix("Change to a half-open range", (span, text)))
    yield from finding("quality/between-timestamps", message, span, *fixes)


def _up_to_day(look: Look, index: int, day: Day) -> Iterator[Finding]:
    name, operator = look.view.tokens[index : index + 2]
    message = f"{name.text} is a timestamp: the upper bound is midnight at the start of {day.text}"
    fixes: list[Fix] = []
    if (following := _next_day(day.text)) is not None:
        right = f"< {day.written(look.view.parse.sql, following)}"
        fixes.append(fix(f"Change to {right}", (Span(operator.start, day.span.end), right)))
    span = Span(name.start, day.span.end)
    yield from finding("quality/timestamp-upper-bound", message, span, *fixes)


def _on_day(look: Look, index: int, day: Day) -> Iterator[Finding]:
    span = Span(look.view.tokens[_name_start(look, index)].start, day.span.end)
    message = (
        f"{look.view.tokens[index].text} is a timestamp: "
        f"this finds only midnight at the start of {day.text}"
    )
    fixes: list[Fix] = []
    bounds = _half_open(look, index, day.span.of(look.view.parse.sql), day)
    if bounds is not None and look.view.kind(_name_start(look, index) - 1) is not TokenType.ON:
        fixes.append(fix("Change to the whole day", (span, " AND ".join(bounds))))
    yield from finding("quality/timestamp-equals-day", message, span, *fixes)


def _next_day(day: str) -> str | None:
    try:
        following = datetime.date.fromisoformat(day) + datetime.timedelta(days=1)
    except (ValueError, OverflowError):
        return None
    return following.isoformat() if "-" in day else following.strftime("%Y%m%d")


def _literals(look: Look, index: int) -> Iterator[Finding]:
    """Literals that a date is compared with."""
    view = look.view
    at = index + 1 + (view.kind(index + 1) is TokenType.NOT)
    if view.kind(at) not in _COMPARING:
        return
    yield from _literal(look, at + 1)
    if view.kind(at) is TokenType.BETWEEN:
        behind = next((i for i in range(at + 1, at + 8) if view.kind(i) is TokenType.AND), None)
        if behind is not None:
            yield from _literal(look, behind + 1)


def _literal(look: Look, at: int) -> Iterator[Finding]:
    view = look.view
    at += view.kind(at) in (TokenType.DATE, TokenType.TIMESTAMP, TokenType.DATETIME)
    if view.kind(at) is not TokenType.STRING:
        return
    text = view.tokens[at].text
    parts = _DAY_LIKE.fullmatch(text)
    if parts is not None and not _exists(*(int(part) for part in parts.groups())):
        yield from finding("quality/invalid-date", f"there is no day {text}", view.span(at, at))
    elif _OTHER_ORDER.fullmatch(text) and look.engine != "sqlite":
        message = f"{text} is read by the settings of the session; write it as '2024-01-31'"
        severity = Severity.WARNING if look.engine == "mysql" else Severity.HINT
        if look.engine == "mysql":
            message = f"mysql does not read {text} as a date; write it as '2024-01-31'"
        yield from finding("quality/date-format", message, view.span(at, at), severity=severity)


def _exists(year: int, month: int, day: int) -> bool:
    try:
        datetime.date(year, month, day)
    except ValueError:
        # MySQL's zero dates are no mistakes.
        return month == 0 or day == 0 or year == 0
    return True
