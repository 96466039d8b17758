"""How many rows: LIMIT, TOP and FETCH FIRST, each in the words of another engine."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from sqlglot.tokens import TokenType

from sqlscribe.checking.dialects import features
from sqlscribe.checking.dialects.feature import engine_of, findings, rewrite
from sqlscribe.checking.dialects.view import View
from sqlscribe.notation.document import Span
from sqlscribe.notation.findings import Finding, Fix

_COUNTS = frozenset({TokenType.NUMBER, TokenType.PARAMETER, TokenType.PLACEHOLDER})
_SETS = frozenset({TokenType.UNION, TokenType.EXCEPT, TokenType.INTERSECT})


# Each of them is looked at together with all of its query; no text that is meant has more.
_MOST = 200


def row_limits(view: View) -> Iterator[Finding]:
    """Limits in words that the dialect lacks."""
    yield from islice(_row_limits(view), _MOST)


def _row_limits(view: View) -> Iterator[Finding]:
    for index, token in enumerate(view.tokens):
        kind = token.token_type
        if kind is TokenType.LIMIT and view.kind(index + 1) in _COUNTS:
            yield from _limit(view, index)
        elif kind in (TokenType.SELECT, TokenType.DISTINCT) and _is_top(view, index + 1):
            yield from _top(view, index)
        elif kind is TokenType.FETCH and view.word(index + 1) in ("FIRST", "NEXT"):
            yield from _fetch(view, index)
        elif kind is TokenType.OFFSET and view.word(index + 2) in ("ROW", "ROWS"):
            yield from _unordered_offset(view, index)
        elif kind is TokenType.OFFSET and view.kind(index + 1) in _COUNTS:
            yield from _offset_alone(view, index)


def _limit(view: View, index: int) -> Iterator[Finding]:
    span = view.span(index, index + 1)
    count, offset, last = view.text(index + 1, index + 1), "", index + 1
    if view.kind(index + 2) is TokenType.COMMA and view.kind(index + 3) in _COUNTS:
        last = index + 3
        offset, count = count, view.text(last, last)
        written = f"LIMIT {count} OFFSET {offset}"
        fix = rewrite(f"Change to {written}", (view.span(index, last), written))
        yield from findings(features.LIMIT_PAIR, view.span(index, last), view.dialect, fix)
    elif view.kind(index + 2) is TokenType.OFFSET and view.kind(index + 3) in _COUNTS:
        last = index + 3
        offset = view.text(last, last)
    if features.LIMIT.is_missing(view.dialect):
        fixes = _fetched(view, index, view.span(index, last), count, offset)
        yield from findings(features.LIMIT, span, view.dialect, *fixes)

    yield from _variants(view, index)


def _variants(view: View, index: int) -> Iterator[Finding]:
    """What some engines write behind LIMIT."""
    place = view.span(index, index + 1)
    behind = view.word(index + 2)
    if behind == "BY":
        yield from findings(features.LIMIT_BY, place, view.dialect)
    elif behind in ("%", "PERCENT"):
        yield from findings(features.LIMIT_PERCENT, place, view.dialect)
    elif behind == "WITH" and view.word(index + 3) == "TIES":
        yield from findings(features.LIMIT_TIES, place, view.dialect)
    start = view.depth_start(index)
    changes = view.word(start) in ("UPDATE", "DELETE")
    if changes and not any(view.kind(i) is TokenType.SELECT for i in view.at_depth(start, index)):
        yield from findings(features.LIMITED_CHANGE, place, view.dialect)


def _fetched(view: View, index: int, place: Span, count: str, offset: str) -> Iterator[Fix]:
    """The ways of engines without LIMIT."""
    engine = engine_of(view.dialect)
    skip = f"OFFSET {offset} ROWS " if offset else ""
    if engine == "oracle":
        text = f"{skip}FETCH {'NEXT' if offset else 'FIRST'} {count} ROWS ONLY"
        yield rewrite(f"Change to {text}", (place, text))
        return
    level = view.at_depth(view.depth_start(index), index)
    ordered = any(view.kind(i) is TokenType.ORDER_BY for i in level)
    if offset and ordered:
        text = f"{skip}FETCH NEXT {count} ROWS ONLY"
        yield rewrite(f"Change to {text}", (place, text))
    elif not offset and not any(view.kind(i) in _SETS for i in level):
        yield from _with_top(view, level, place, count)


def _with_top(view: View, level: list[int], place: Span, count: str) -> Iterator[Fix]:
    selects = [i for i in level if view.kind(i) is TokenType.SELECT]
    if not selects:
        return
    last = selects[-1]
    if view.kind(last + 1) in (TokenType.DISTINCT, TokenType.ALL):
        last += 1
    after = view.tokens[last].end + 1
    title = f"Change to TOP ({count})"
    yield rewrite(title, (Span(after, after), f" TOP ({count})"), (_with_gap(view, place), ""))


def _with_gap(view: View, place: Span) -> Span:
    """The place with the blanks in front of it."""
    before = view.parse.sql[: place.start]
    return Span(len(before.rstrip()), place.end)


def _is_top(view: View, index: int) -> bool:
    if view.word(index) != "TOP":
        return False
    inside = view.kind(index + 1) is TokenType.L_PAREN
    return view.kind(index + 1 + inside) is TokenType.NUMBER


def _top(view: View, index: int) -> Iterator[Finding]:
    place = view.span(index, index + 1)
    yield from findings(features.TOP, place, view.dialect, *_limited(view, index))


def _limited(view: View, index: int) -> Iterator[Fix]:
    """``TOP 10`` taken out, and the same at the end of that SELECT."""
    engine = engine_of(view.dialect)
    inside = view.kind(index + 2) is TokenType.L_PAREN
    last = index + 2 + 2 * inside
    if last >= len(view.tokens):
        # The parenthesis is still to be closed.
        return
    count = view.text(index + 2 + inside, index + 2 + inside)
    level = view.at_depth(view.depth_start(index), view.depth_end(index))
    words = {view.word(i) for i in level}
    if view.word(last + 1) in ("PERCENT", "WITH") or words & {"UNION", "EXCEPT", "INTERSECT"}:
        return
    text = f"FETCH FIRST {count} ROWS ONLY" if engine == "oracle" else f"LIMIT {count}"
    end = view.tokens[level[-1]].end + 1
    end = view.tokens[view.pairs[level[-1]]].end + 1 if level[-1] in view.pairs else end
    out = Span(view.tokens[index].end + 1, view.tokens[last].end + 1)
    yield rewrite(f"Change to {text}", (out, ""), (Span(end, end), f" {text}"))


def _fetch(view: View, index: int) -> Iterator[Finding]:
    span = view.span(index, index + 1)
    plain = view.kind(index + 2) is TokenType.NUMBER
    last = index + 2 + plain
    fixes: list[Fix] = []
    if view.word(last) in ("ROW", "ROWS") and view.word(last + 1) == "ONLY":
        count = view.text(index + 2, index + 2) if plain else "1"
        first, text = index, f"LIMIT {count}"
        if view.kind(index - 3) is TokenType.OFFSET and view.word(index - 1) in ("ROW", "ROWS"):
            first, text = index - 3, f"LIMIT {count} OFFSET {view.text(index - 2, index - 2)}"
        fixes.append(rewrite(f"Change to {text}", (view.span(first, last + 1), text)))
    yield from findings(features.FETCH_FIRST, span, view.dialect, *fixes)
    if view.word(index - 1) not in ("ROW", "ROWS") and view.kind(index + 2) is TokenType.NUMBER:
        level = view.at_depth(view.depth_start(index), index)
        text = "OFFSET 0 ROWS "
        if not any(view.kind(i) is TokenType.ORDER_BY for i in level):
            text = "ORDER BY (SELECT NULL) OFFSET 0 ROWS "
        start = view.tokens[index].start
        fix = rewrite(f"Add {text.strip()}", (Span(start, start), text))
        yield from findings(features.FETCH_ALONE, span, view.dialect, fix)


def _unordered_offset(view: View, index: int) -> Iterator[Finding]:
    level = view.at_depth(view.depth_start(index), index)
    if any(view.kind(i) is TokenType.ORDER_BY for i in level):
        return
    start = view.tokens[index].start
    fix = rewrite("Order by nothing", (Span(start, start), "ORDER BY (SELECT NULL) "), sure=False)
    yield from findings(features.OFFSET_ROWS, view.span(index, index + 2), view.dialect, fix)


def _offset_alone(view: View, index: int) -> Iterator[Finding]:
    level = view.at_depth(view.depth_start(index), index)
    if any(view.kind(i) is TokenType.LIMIT for i in level) or not any(
        view.kind(i) is TokenType.SELECT for i in level
    ):
        return
    own = "LIMIT -1" if view.dialect == "sqlite" else "LIMIT 18446744073709551615"
    start = view.tokens[index].start
    fix = rewrite(f"Add {own}", (Span(start, start), f"{own} "))
    yield from findings(features.OFFSET_ALONE, view.span(index, index + 1), view.dialect, fix)
