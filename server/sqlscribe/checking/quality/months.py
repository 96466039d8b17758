"""Steps of months from today, which land on other days at the end of a month."""

from __future__ import annotations

import re
from collections.abc import Iterator

from sqlglot import exp
from sqlglot.tokens import TokenType

from sqlscribe.checking.quality.look import Look, finding, fix
from sqlscribe.notation.document import Span
from sqlscribe.notation.findings import Finding, Severity

_TODAY = frozenset({TokenType.CURRENT_DATE, TokenType.CURRENT_TIMESTAMP})
_SQLITE_STEP = re.compile(r"[+-]?\d+ months?", re.IGNORECASE)
_MONTHS = re.compile(r"[+-]?\d+ +months?", re.IGNORECASE)
_NOW = re.compile(
    r"(?:current_date|current_timestamp|localtimestamp|sysdate|systimestamp|now|curdate|getdate"
    r"|sysdatetime|today)\s*(?:\(\s*\))?(?:::date)?",
    re.IGNORECASE,
)
_SHIFTS = frozenset({"DATE_SUB", "DATE_ADD", "DATEADD", "ADD_MONTHS"})
# Around a step these only change its type; anything else makes a whole month of it, or may.
_TRANSPARENT = frozenset({"DATE", "CAST", "COALESCE", *_SHIFTS})
_CLAMPING = frozenset(
    "postgres mysql tsql oracle bigquery snowflake duckdb redshift spark trino clickhouse".split()
)


def check_months(look: Look) -> Iterator[Finding]:
    """Months counted back from today."""
    if look.engine == "sqlite":
        yield from _sqlite(look)
    elif look.engine in _CLAMPING and not _inserts_rows(look):
        for index in range(len(look.view.tokens)):
            if (step := _step(look, index)) is not None:
                yield from _clamped(look, *step)


def _inserts_rows(look: Look) -> bool:
    """Rows of sample data are of about a month ago, and nothing is asked of them."""
    trees = look.view.parse.trees
    return any(isinstance(t, exp.Insert) and isinstance(t.expression, exp.Values) for t in trees)


def _sqlite(look: Look) -> Iterator[Finding]:
    """``date('now', '-1 month')`` on the 31st lands in the month it should leave."""
    from_now = False
    for token in look.view.tokens:
        text = token.text.strip().casefold()
        if token.token_type in _TODAY:
            from_now = True
        elif token.token_type is not TokenType.STRING:
            from_now = from_now and token.token_type is TokenType.COMMA
        elif text == "now":
            from_now = True
        elif text.startswith("start of "):
            from_now = False
        elif from_now and _SQLITE_STEP.fullmatch(text):
            message = (
                f"'{token.text}' from the 29th to the 31st may land in the same month: "
                "put 'start of month' before it"
            )
            edit = (Span(token.start, token.start), "'start of month', ")
            place = Span(token.start, token.end + 1)
            change = fix("Start from the first of the month", edit, sure=False)
            yield from finding("quality/month-step", message, place, change)


def _step(look: Look, index: int) -> tuple[int, int, bool] | None:
    """The tokens of ``CURRENT_DATE - INTERVAL '1 month'``; true for a sum, false for a call."""
    view = look.view
    if view.kind(index) is TokenType.INTERVAL and _is_months(look, index):
        left = view.left_operand(index - 1)
        last = index + 1 + (view.word(index + 2) in ("MONTH", "MONTHS"))
        signed = view.kind(index - 1) in (TokenType.DASH, TokenType.PLUS)
        if left is not None and signed and _NOW.fullmatch(view.text(*left)):
            return left[0], last, True
    elif view.word(index) in _SHIFTS and view.kind(index + 1) is TokenType.L_PAREN:
        parts = view.arguments(index + 1) or []
        texts = [view.text(*part).strip("'").casefold() for part in parts]
        month = (
            view.word(index) == "ADD_MONTHS"
            or texts[:1] in (["month"], ["months"], ["mm"])
            or any(re.search(r"\bmonths?\b", text) for text in texts[1:])
        )
        if month and any(_NOW.fullmatch(text) for text in texts):
            return index, view.pairs[index + 1], False
    return None


def _is_months(look: Look, index: int) -> bool:
    view = look.view
    if view.word(index + 2) in ("MONTH", "MONTHS"):
        return True
    text = view.tokens[index + 1].text if index + 1 < len(view.tokens) else ""
    return _MONTHS.fullmatch(text) is not None


def _clamped(look: Look, first: int, last: int, is_sum: bool) -> Iterator[Finding]:
    if _inside_call(look, first):
        return
    written = " ".join(look.view.text(first, last).split())
    place = look.view.span(first, last)
    if look.engine == "oracle" and is_sum:
        message = (
            f"{written} is an error on days that the other month does not have; use ADD_MONTHS"
        )
        yield from finding("quality/month-step", message, place)
        return
    message = (
        f"{written} is the same day of another month, or its last day where it is shorter; "
        "for calendar months start from the first of the month"
    )
    yield from finding("quality/month-step", message, place, severity=Severity.HINT)


def _inside_call(look: Look, index: int) -> bool:
    """True within a call that may make a month, a year or a text of the day."""
    start = look.view.depth_start(index)
    while start > 1:
        if look.view.is_call(start - 2) and look.view.word(start - 2) not in _TRANSPARENT:
            return True
        start = look.view.depth_start(start - 1)
    return False
