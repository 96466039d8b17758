"""Operators and literals of other dialects, with their own form where the operands are plain."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from sqlglot.tokens import TokenType

from sqlscribe.checking.dialects import features
from sqlscribe.checking.dialects.casts import casts
from sqlscribe.checking.dialects.feature import Feature, engine_of, findings, rewrite
from sqlscribe.checking.dialects.intervals import intervals
from sqlscribe.checking.dialects.texts import joined_texts
from sqlscribe.checking.dialects.view import FACTORS, View
from sqlscribe.notation.document import Span
from sqlscribe.notation.findings import Finding, Fix

_REGEX_CALL = {
    "bigquery": "REGEXP_CONTAINS",
    "clickhouse": "match",
    "oracle": "REGEXP_LIKE",
    "snowflake": "REGEXP_LIKE",
    "trino": "REGEXP_LIKE",
}
_CONDITION_ENDS = frozenset(
    {TokenType.AND, TokenType.OR, TokenType.WHERE, TokenType.GROUP_BY, TokenType.JOIN}
)


def operators(view: View) -> Iterator[Finding]:
    """Operators that the dialect lacks or reads otherwise."""
    yield from joined_texts(view)
    for index, token in enumerate(view.tokens):
        reader = _READERS.get(token.token_type) or _WORDS.get(view.word(index))
        if reader is not None:
            yield from reader(view, index)


def _replaced(view: View, first: int, last: int, text: str, *, sure: bool = True) -> Fix:
    return rewrite(f"Change to {text}", (view.span(first, last), text), sure=sure)


def _around(view: View, first: int, last: int, form: str, *, sure: bool = True) -> Iterator[Fix]:
    """``form`` with the operands of an operator that stands from ``first`` to ``last``."""
    left, right = view.left_operand(first), view.right_operand(last)
    if left is None or right is None:
        return
    text = form.format(a=view.text(*left), b=view.text(*right))
    yield _replaced(view, left[0], right[1], text, sure=sure)


def _ilike(view: View, index: int) -> Iterator[Finding]:
    if engine_of(view.dialect) in ("mysql", "sqlite", "tsql"):
        fixes = [_replaced(view, index, index, "LIKE")]
    else:
        first, no = (index - 1, "NOT ") if view.word(index - 1) == "NOT" else (index, "")
        fixes = list(_around(view, first, index, f"LOWER({{a}}) {no}LIKE LOWER({{b}})"))
    yield from findings(features.ILIKE, view.span(index, index), view.dialect, *fixes)


def _matching(feature: Feature, view: View, first: int, last: int) -> Iterator[Finding]:
    """Operators for patterns, as the engine's operator or its function."""
    engine = engine_of(view.dialect)
    function = _REGEX_CALL.get(engine)
    negated = view.word(first - 1) == "NOT" or view.text(first, first).startswith("!")
    start = first - 1 if view.word(first - 1) == "NOT" else first
    fixes: list[Fix] = []
    if function is not None:
        no = "NOT " if negated else ""
        fixes += _around(view, start, last, f"{no}{function}({{a}}, {{b}})", sure=False)
    elif engine in ("mysql", "spark"):
        word = "REGEXP" if engine == "mysql" else "RLIKE"
        fixes.append(_replaced(view, start, last, f"NOT {word}" if negated else word, sure=False))
    elif feature is features.REGEXP and engine in ("postgres", "redshift", "duckdb"):
        fixes.append(_replaced(view, start, last, "!~" if negated else "~", sure=False))
    yield from findings(feature, view.span(first, last), view.dialect, *fixes)


def _regexp(view: View, index: int) -> Iterator[Finding]:
    # RLIKE is also the name of a function.
    if view.word(index) in ("REGEXP", "RLIKE") and view.kind(index + 1) is not TokenType.L_PAREN:
        yield from _matching(features.REGEXP, view, index, index)


def _similar(view: View, index: int) -> Iterator[Finding]:
    yield from _matching(features.SIMILAR_TO, view, index, index)


def _glob(view: View, index: int) -> Iterator[Finding]:
    if view.ends_operand(index - 1) and view.starts_operand(index + 1):
        yield from findings(features.GLOB, view.span(index, index), view.dialect)


def _tilde(view: View, index: int) -> Iterator[Finding]:
    """``a ~ 'x'``, also ``!~`` and ``~*``; alone in front of a number it turns its bits around."""
    first = last = index
    if view.kind(index - 1) is TokenType.NOT and view.text(index - 1, index - 1) == "!":
        first -= 1
    if view.kind(index + 1) is TokenType.STAR:
        last += 1
    if view.ends_operand(first - 1):
        yield from _matching(features.TILDE, view, first, last)


def _equals(view: View, index: int) -> Iterator[Finding]:
    if view.tokens[index].end > view.tokens[index].start:
        fix = _replaced(view, index, index, "=")
        yield from findings(features.DOUBLE_EQUALS, view.span(index, index), view.dialect, fix)


def _null_safe(view: View, index: int) -> Iterator[Finding]:
    right_side = view.right_operand(index)
    if view.dialect == "postgres" and (
        right_side is None or view.kind(right_side[1] + 1) not in _CONDITION_ENDS
    ):
        # An extension has it for the distance of two vectors.
        return
    right = "IS" if view.dialect == "sqlite" else "IS NOT DISTINCT FROM"
    fixes = [] if view.dialect == "oracle" else [_replaced(view, index, index, right)]
    yield from findings(features.NULL_SAFE_EQUALS, view.span(index, index), view.dialect, *fixes)


def _is_distinct(view: View, index: int) -> Iterator[Finding]:
    negated = view.word(index + 1) == "NOT"
    last = index + 2 + negated
    if view.word(last - 1) != "DISTINCT" or view.word(last) != "FROM":
        return
    fixes: list[Fix] = []
    if view.dialect == "mysql":
        form = "{a} <=> {b}" if negated else "NOT ({a} <=> {b})"
        fixes += _around(view, index, last, form)
    yield from findings(features.IS_DISTINCT, view.span(index, last), view.dialect, *fixes)


def _modulo(view: View, index: int) -> Iterator[Finding]:
    if view.text(index, index) != "%" or not view.ends_operand(index - 1):
        return
    left, right = view.left_operand(index, FACTORS), view.right_operand(index, FACTORS)
    fixes: list[Fix] = []
    if left and right:
        text = f"MOD({view.text(*left)}, {view.text(*right)})"
        fixes.append(_replaced(view, left[0], right[1], text))
    yield from findings(features.MODULO, view.span(index, index), view.dialect, *fixes)


def _slash(view: View, index: int) -> Iterator[Finding]:
    """Two slashes in a row, which most tokenizers take for two operators."""
    doubled = view.parse.sql.startswith("//", view.tokens[index].start)
    if doubled and view.ends_operand(index - 1):
        start = view.tokens[index].start
        span = Span(start, start + 2)
        fixes = []
        if engine_of(view.dialect) in ("mysql", "spark"):
            fixes.append(rewrite("Change to DIV", (span, "DIV")))
        yield from findings(features.SLASHES, span, view.dialect, *fixes)


def _div(view: View, index: int) -> Iterator[Finding]:
    if view.word(index) != "DIV" or not view.ends_operand(index - 1):
        return
    if view.starts_operand(index + 1):
        fixes = [_replaced(view, index, index, "//")] if view.dialect == "duckdb" else []
        yield from findings(features.DIV, view.span(index, index), view.dialect, *fixes)


_PLAIN_KEY = re.compile(r"[^\W\d]\w*")
_JSON_CALL = {
    "tsql": "JSON_VALUE({a}, '$.{b}')",
    "oracle": "JSON_VALUE({a}, '$.{b}')",
    "bigquery": "JSON_VALUE({a}, '$.{b}')",
    "trino": "json_extract_scalar({a}, '$.{b}')",
    "spark": "get_json_object({a}, '$.{b}')",
    "redshift": "JSON_EXTRACT_PATH_TEXT({a}, '{b}')",
    "clickhouse": "JSONExtractString({a}, '{b}')",
}


def _arrow(view: View, index: int) -> Iterator[Finding]:
    """``value -> 'key'``; in front of something else an arrow makes a function."""
    if view.kind(index + 1) is not TokenType.STRING:
        return
    key = view.tokens[index + 1].text
    span, behind = view.span(index, index + 1), view.span(index + 1, index + 1)
    plain = _PLAIN_KEY.fullmatch(key)
    if view.dialect == "mysql" and not key.startswith("$"):
        fixes = [rewrite(f"Change to '$.{key}'", (behind, f"'$.{key}'"))] if plain else []
        yield from findings(features.JSON_KEY, span, view.dialect, *fixes)
    elif view.dialect == "postgres" and key.startswith("$."):
        key = key[2:]
        plain = _PLAIN_KEY.fullmatch(key)
        fixes = [rewrite(f"Change to '{key}'", (behind, f"'{key}'"))] if plain else []
        yield from findings(features.JSON_PATH, span, view.dialect, *fixes)
    else:
        form = _JSON_CALL.get(engine_of(view.dialect))
        left = view.left_operand(index)
        fixes = []
        if form and left and plain and view.kind(index) is TokenType.DARROW:
            text = form.format(a=view.text(*left), b=key)
            fixes.append(_replaced(view, left[0], index + 1, text, sure=False))
        yield from findings(features.JSON_ARROW, span, view.dialect, *fixes)


def _contains(view: View, index: int) -> Iterator[Finding]:
    yield from findings(features.CONTAINS, view.span(index, index), view.dialect)


def _at_greater(view: View, index: int) -> Iterator[Finding]:
    """``@>``, which most tokenizers take for a parameter without a name."""
    if view.parse.sql.startswith("@>", view.tokens[index].start):
        start = view.tokens[index].start
        yield from findings(features.CONTAINS, Span(start, start + 2), view.dialect)


def _path_arrow(view: View, index: int) -> Iterator[Finding]:
    yield from findings(features.JSON_PATH_ARROW, view.span(index, index), view.dialect)


def _power(view: View, index: int) -> Iterator[Finding]:
    fixes = list(_around(view, index, index, "POWER({a}, {b})"))
    yield from findings(features.POWER, view.span(index, index), view.dialect, *fixes)


def _quantified(view: View, index: int) -> Iterator[Finding]:
    if view.kind(index - 1) in (TokenType.LIKE, TokenType.ILIKE):
        yield from findings(features.LIKE_ANY, view.span(index, index), view.dialect)
        yield from _any_of_list(view, index)
        return
    compared = view.kind(index - 1) in (
        TokenType.EQ,
        TokenType.NEQ,
        TokenType.LT,
        TokenType.LTE,
        TokenType.GT,
        TokenType.GTE,
    )
    if not compared or view.kind(index + 1) is not TokenType.L_PAREN:
        return
    yield from _any_of_list(view, index)
    fixes = []
    if view.kind(index - 1) is TokenType.EQ and view.word(index) in ("ANY", "SOME"):
        fixes.append(_replaced(view, index - 1, index, "IN"))
    elif view.kind(index - 1) is TokenType.NEQ and view.word(index) == "ALL":
        fixes.append(_replaced(view, index - 1, index, "NOT IN"))
    yield from findings(features.QUANTIFIED, view.span(index, index), view.dialect, *fixes)


def _any_of_list(view: View, index: int) -> Iterator[Finding]:
    """``ANY ('a', 'b')``."""
    if len(view.arguments(index + 1) or ()) < 2 or view.kind(index + 2) is TokenType.SELECT:
        return
    closing = view.pairs[index + 1]
    inside = Span(view.tokens[index + 1].end + 1, view.tokens[closing].start)
    fix = rewrite("Change to ARRAY[…]", (inside, f"ARRAY[{inside.of(view.parse.sql)}]"))
    yield from findings(features.ANY_LIST, view.span(index, closing), view.dialect, fix)


_Reader = Callable[[View, int], Iterator[Finding]]
_READERS: dict[TokenType, _Reader] = {
    TokenType.ILIKE: _ilike,
    TokenType.SIMILAR_TO: _similar,
    TokenType.RLIKE: _regexp,
    TokenType.IRLIKE: _tilde,
    TokenType.TILDE: _tilde,
    TokenType.EQ: _equals,
    TokenType.NULLSAFE_EQ: _null_safe,
    TokenType.IS: _is_distinct,
    TokenType.MOD: _modulo,
    TokenType.SLASH: _slash,
    TokenType.DIV: _div,
    TokenType.ARROW: _arrow,
    TokenType.DARROW: _arrow,
    TokenType.AT_GT: _contains,
    TokenType.LT_AT: _contains,
    TokenType.PARAMETER: _at_greater,
    TokenType.HASH_ARROW: _path_arrow,
    TokenType.DHASH_ARROW: _path_arrow,
    TokenType.CARET: _power,
    TokenType.DCOLON: casts,
    TokenType.INTERVAL: intervals,
}
_WORDS: dict[str, _Reader] = {
    "REGEXP": _regexp,
    "RLIKE": _regexp,
    "GLOB": _glob,
    "DIV": _div,
    "ANY": _quantified,
    "SOME": _quantified,
    "ALL": _quantified,
}
