"""What to write instead of a value whose type the engine does not take."""

from __future__ import annotations

import re

from sqlglot import exp
from sqlglot.tokens import TokenType

from sqlscribe.checking.quality.kinds import DAYS, NUMBERS, SCALARS, Kind
from sqlscribe.checking.quality.look import Look, fix
from sqlscribe.notation.document import Span
from sqlscribe.notation.findings import Fix

SHOWN = 40
"""Characters of an expression that a message or a title shows."""
_TEXT_TYPES = {"bigquery": "STRING", "trino": "VARCHAR", "duckdb": "VARCHAR"}
_NUMBER_TYPES = {"duckdb": "DOUBLE", "trino": "DOUBLE", "tsql": "FLOAT"}
"""Where NUMERIC alone would drop the fraction, or is not there."""
_ARROWS = (TokenType.ARROW, TokenType.DARROW, TokenType.HASH_ARROW, TokenType.DHASH_ARROW)
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")
_MOMENT = re.compile(r"\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}(?:\.\d+)?")


class OperandFixes:
    """Fixes for the operands of one text; none where it is not sure where an operand ends."""

    def __init__(self, look: Look) -> None:
        self.look = look
        self.text_type = _TEXT_TYPES.get(look.engine, "TEXT")
        self.number_type = _NUMBER_TYPES.get(look.engine, "NUMERIC")

    def span(self, node: exp.Expression) -> Span | None:
        """Where a value stands: columns, literals, calls, and parts of JSON values."""
        tokens = self._tokens(node)
        return None if tokens is None else self.look.view.span(*tokens)

    def text(self, node: exp.Expression) -> str:
        """A value as it is written, on one line; ``""`` where that is not known, or is long."""
        span = self.span(node)
        text = "" if span is None else " ".join(span.of(self.look.view.parse.sql).split())
        return text if len(text) <= SHOWN else ""

    def comparable(
        self, value: exp.Expression, kind: Kind, other: exp.Expression, its: Kind
    ) -> list[Fix]:
        """``value`` written or cast so that it can be compared with ``other``."""
        if isinstance(value, exp.Literal):
            return self._literal(value, kind, other, its)
        if kind is Kind.JSON and its is Kind.TEXT:
            return self.as_text(value)
        if kind in NUMBERS and its is Kind.TEXT and not isinstance(other, (exp.Literal, *SCALARS)):
            return self.cast(value, self.text_type, sure=False)
        if kind is Kind.TEXT and its in NUMBERS:
            return self.cast(value, self.number_type, sure=isinstance(value, SCALARS))
        if kind is Kind.TEXT and its in DAYS:
            return self.cast(value, its.upper(), sure=False)
        if self.look.engine == "bigquery" and its is Kind.TIMESTAMP and kind in DAYS:
            return self.cast(value, "TIMESTAMP", sure=True)
        return []

    def _literal(
        self, value: exp.Literal, kind: Kind, other: exp.Expression, its: Kind
    ) -> list[Fix]:
        if its is Kind.BOOLEAN and value.name in ("0", "1"):
            return self.written(value, "TRUE" if value.name == "1" else "FALSE")
        if kind is Kind.NUMBER and its is Kind.TEXT:
            # Texts are put in another order than numbers are.
            equal = isinstance(value.parent, exp.EQ | exp.NEQ | exp.In | exp.If)
            return self.quoted(value) if equal and not isinstance(other, SCALARS) else []
        if kind is Kind.TEXT and its in NUMBERS | {Kind.BOOLEAN}:
            return self.unquoted(value, its)
        if kind is Kind.TEXT and its in DAYS:
            forms = ((_DAY, "DATE"), (_MOMENT, "TIMESTAMP"))
            word = next((word for form, word in forms if form.fullmatch(value.name)), "")
            return self.written(value, f"{word} '{value.name}'") if word else []
        return []

    def quoted(self, number: exp.Expression) -> list[Fix]:
        """A number as a text."""
        return self.written(number, f"'{number.name}'")

    def unquoted(self, literal: exp.Expression, kind: Kind) -> list[Fix]:
        """A quoted literal as the number or the truth value that it holds."""
        text = literal.name.strip()
        if kind in NUMBERS and re.fullmatch(r"-?\d+(?:\.\d+)?", text):
            return self.written(literal, text)
        if kind is Kind.BOOLEAN and text.casefold() in ("true", "false"):
            return self.written(literal, text.upper())
        return []

    def contained(self, array: exp.Expression, literal: exp.Expression) -> list[Fix]:
        """``'x' = ANY(array)``, for an array that is compared with one value."""
        first, last = self.span(array), self.span(literal)
        if not isinstance(literal.parent, exp.EQ) or first is None or last is None:
            return []
        sql = self.look.view.parse.sql
        own = f"{last.of(sql)} = ANY({first.of(sql)})"
        around = Span(min(first.start, last.start), max(first.end, last.end))
        return [fix(f"Change to {own}", (around, own))]

    def interval(self, number: exp.Expression) -> list[Fix]:
        """A number of days as an interval."""
        if not isinstance(number, exp.Literal) or not number.name.isdigit():
            return []
        form = "INTERVAL '{0} days'" if self.look.engine == "postgres" else "INTERVAL {0} DAY"
        form = "INTERVAL '{0}' DAY" if self.look.engine == "trino" else form
        return self.written(number, form.format(number.name))

    def days_between(self, node: exp.Expression, value: exp.Expression) -> list[Fix]:
        """Two dates are whole days apart, of which nothing needs to be extracted."""
        view, tokens = self.look.view, self.look.tokens_of(value)
        is_day = isinstance(node, exp.Extract) and node.name.upper() in ("DAY", "DAYS")
        if not is_day or tokens is None or not isinstance(value.unnest(), exp.Sub):
            return []
        closing = tokens[1] + 1
        opening = view.pairs.get(closing, 0)
        if view.word(opening - 1) != "EXTRACT" or view.word(opening + 2) != "FROM":
            return []
        own = view.text(opening + 3, closing - 1)
        own = own if isinstance(value, exp.Paren) else f"({own})"
        return [fix(f"Change to {own}", (view.span(opening - 1, closing), own))]

    def as_text(self, value: exp.Expression) -> list[Fix]:
        """``->>`` for the last ``->``."""
        tokens = self._tokens(value)
        if not isinstance(value, exp.JSONExtract) or tokens is None:
            return []
        index = tokens[1] - 1
        if self.look.view.kind(index) is not TokenType.ARROW:
            return []
        return [fix("Change -> to ->>", (self.look.view.span(index, index), "->>"))]

    def cast(self, value: exp.Expression, type_: str, *, sure: bool) -> list[Fix]:
        """A value as one of another type."""
        span = self.span(value)
        if span is None or not type_:
            return []
        own = f"CAST({span.of(self.look.view.parse.sql)} AS {type_})"
        title = f"Change to {own}" if self.text(value) else f"Cast to {type_}"
        return [fix(title, (span, own), sure=sure)]

    def written(self, value: exp.Expression, text: str) -> list[Fix]:
        """A value written in another way."""
        span = self.span(value)
        return [] if span is None else [fix(f"Change to {text}", (span, text))]

    def _tokens(self, node: exp.Expression) -> tuple[int, int] | None:
        """First and last token of a value; ``None`` where other parts may belong to it."""
        view = self.look.view
        if isinstance(node, (exp.JSONExtract, *SCALARS)):
            before = self._tokens(node.this)
            if before is not None and view.kind(before[1] + 1) in _ARROWS:
                return before[0], before[1] + 2
        tokens = self.look.tokens_of(node)
        if tokens is None or isinstance(node, exp.Column | exp.Literal):
            return tokens
        if isinstance(node, exp.Paren) and view.pairs.get(tokens[0]) == tokens[1]:
            return tokens
        if isinstance(node, exp.Func) and view.pairs.get(tokens[0] + 1) == tokens[1]:
            return tokens
        return None
