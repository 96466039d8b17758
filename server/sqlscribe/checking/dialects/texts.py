"""Joining texts: ``||`` and ``+``, each of which means something else to some engine."""

from __future__ import annotations

import re
from collections.abc import Iterator

from sqlglot.tokens import TokenType

from sqlscribe.checking.dialects import features
from sqlscribe.checking.dialects.feature import engine_of, findings, rewrite
from sqlscribe.checking.dialects.view import View
from sqlscribe.notation.findings import Finding, Fix

_NO_NUMBER = re.compile(r"\D*")
_COMPARING = frozenset(
    {
        TokenType.EQ,
        TokenType.NEQ,
        TokenType.LT,
        TokenType.LTE,
        TokenType.GT,
        TokenType.GTE,
        TokenType.AND,
        TokenType.OR,
        TokenType.NOT,
        TokenType.IN,
        TokenType.IS,
        TokenType.LIKE,
        TokenType.BETWEEN,
    }
)
_CLAUSES = frozenset(
    {
        TokenType.SELECT,
        TokenType.WHERE,
        TokenType.ON,
        TokenType.HAVING,
        TokenType.WHEN,
        TokenType.COMMA,
        TokenType.FROM,
        TokenType.ORDER_BY,
        TokenType.GROUP_BY,
    }
)


def joined_texts(view: View) -> Iterator[Finding]:
    """Texts joined in a way that the dialect reads as something else, or not at all."""
    done = -1
    for index, token in enumerate(view.tokens):
        if index <= done:
            continue
        kind = token.token_type
        if kind is TokenType.DPIPE:
            feature = features.CONCAT_PIPES
            if engine_of(view.dialect) == "tsql":
                feature = features.CONCAT_PIPES_LACKING
            elif not _joins(view, index):
                continue
        elif kind is TokenType.PLUS and _beside_text(view, index):
            feature = features.CONCAT_PLUS
        else:
            continue
        parts = _parts(view, index)
        done = parts[-1][0] - 1 if parts else index
        yield from findings(
            feature, view.span(index, index), view.dialect, *_fix(view, index, parts)
        )


def _beside_text(view: View, index: int) -> bool:
    """A literal that is no number stands on one side of a ``+``."""
    return any(
        view.kind(place) is TokenType.STRING
        and view.parse.sql[view.tokens[place].start] == "'"
        and _NO_NUMBER.fullmatch(view.tokens[place].text)
        and view.kind(place - 1) is not TokenType.INTERVAL
        for place in (index - 1, index + 1)
    )


def _joins(view: View, index: int) -> bool:
    """True where ``||`` surely joins texts: next to a text, or in a list without comparisons."""
    beside = (view.kind(index - 1), view.kind(index + 1))
    if TokenType.STRING in beside:
        return True
    if TokenType.NUMBER in beside:
        return False
    place = index - 1
    while place >= 0 and view.kind(place) not in _CLAUSES:
        if view.kind(place) in _COMPARING or view.kind(place) is TokenType.L_PAREN:
            return False
        # An opening bracket that is none of a call stands before its pair: never go forward.
        place = min(place, view.pairs.get(place, place)) - 1
    if view.kind(place) not in (TokenType.SELECT, TokenType.COMMA):
        return False
    start = view.depth_start(index)
    level = [i for i in view.at_depth(start, index) if view.kind(i) in _CLAUSES]
    words = [view.kind(i) for i in level if view.kind(i) is not TokenType.COMMA]
    behind = view.right_operand(index, frozenset())
    compared = behind is not None and view.kind(behind[1] + 1) in _COMPARING
    return bool(words) and words[-1] is TokenType.SELECT and not compared


def _parts(view: View, index: int) -> list[tuple[int, int]]:
    """The operands of a row of the same operator; none where one of them is not plain."""
    operator = view.kind(index)
    binds = frozenset({TokenType.STAR, TokenType.SLASH, TokenType.DASH, TokenType.PLUS})
    first = view.left_operand(index, binds | {TokenType.DPIPE})
    parts = [first] if first is not None else []
    while parts and view.kind(index) is operator:
        part = view.right_operand(index, binds - {operator} if operator else binds)
        if part is None:
            return []
        parts.append(part)
        index = part[1] + 1
    return parts


def _fix(view: View, index: int, parts: list[tuple[int, int]]) -> Iterator[Fix]:
    if not parts:
        return
    engine = engine_of(view.dialect)
    place = view.span(parts[0][0], parts[-1][1])
    texts = [view.text(*part) for part in parts]
    if view.kind(index) is TokenType.DPIPE or engine in ("mysql", "bigquery", "spark"):
        text = f"CONCAT({', '.join(texts)})"
        yield rewrite(f"Change to {text}", (place, text), sure=True)
    else:
        edits = [(view.span(part[1] + 1, part[1] + 1), "||") for part in parts[:-1]]
        yield rewrite(f"Change to {' || '.join(texts)}", *edits)
