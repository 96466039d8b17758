"""Days as a query writes them: ``'2024-01-31'``, ``DATE '…'``, and calls that give midnight."""

from __future__ import annotations

import re
from typing import NamedTuple

from sqlglot.tokens import TokenType

from sqlscribe.checking.dialects.view import TIGHT, View
from sqlscribe.notation.document import Span

_DAY = re.compile(r"\d{4}-\d{2}-\d{2}|\d{8}")
_TYPES = frozenset({"DATE", "TIMESTAMP", "TIMESTAMPTZ", "DATETIME", "DATETIME2"})
# With a day as their first argument they give that day.
_OF_TEXT = frozenset({"DATE", "TO_DATE", "STR_TO_DATE", "TO_TIMESTAMP", "TIMESTAMP", "DATETIME"})
_CASTS = frozenset({"CAST", "TRY_CAST", "SAFE_CAST"})
_MONTH_ENDS = frozenset({"LAST_DAY", "EOMONTH", "LAST_DAY_OF_MONTH"})


class Day(NamedTuple):
    """A day in a query: its text, where it is written, and the index of the token behind it.

    ``text`` is the call where it takes the engine to say which day it is.
    """

    text: str
    span: Span
    end: int

    def written(self, sql: str, day: str) -> str:
        """Another day in the same form: ``DATE '…'`` and casts are kept."""
        return self.span.of(sql).replace(self.text, day)


def day_at(view: View, index: int) -> Day | None:
    """The day that starts at a token, where that is all of the value."""
    text, last = _literal(view, index)
    if not text:
        text, last = _call(view, index)
    if not text:
        return None
    if view.kind(last + 1) is TokenType.DCOLON and view.word(last + 2) in _TYPES:
        last += 2
    # A day later, or the time of day: what is added makes another moment of it.
    if view.kind(last + 1) in TIGHT or view.word(last + 1) == "AT":
        return None
    return Day(text, view.span(index, last), last + 1)


def _literal(view: View, index: int) -> tuple[str, int]:
    at = index + (view.word(index) in _TYPES)
    if view.kind(at) is TokenType.STRING and _DAY.fullmatch(view.tokens[at].text):
        return view.tokens[at].text, at
    return "", index


def _call(view: View, index: int) -> tuple[str, int]:
    closing = view.pairs.get(index + 1)
    if view.kind(index + 1) is not TokenType.L_PAREN or closing is None:
        return "", index
    name = view.word(index)
    if name in _MONTH_ENDS:
        # Oracle keeps the time of day.
        return ("", index) if view.dialect == "oracle" else (view.text(index, closing), closing)
    arguments = view.arguments(index + 1) or []
    if name == "CONVERT" and len(arguments) > 1 and view.word(arguments[0][0]) in _TYPES:
        text, at = _literal(view, arguments[1][0])
    elif name in _CASTS or (name in _OF_TEXT and len(arguments) < 3):
        text, at = _literal(view, index + 2)
    else:
        return "", index
    if name in _CASTS and view.word(at + 2) not in _TYPES:
        return "", index
    return text, closing
