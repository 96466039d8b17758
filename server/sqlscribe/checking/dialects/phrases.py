"""Features of other dialects that a few tokens in a row give away."""

from __future__ import annotations

from collections.abc import Iterator

from sqlglot.tokens import TokenType

from sqlscribe.checking.dialects import clause_features, features
from sqlscribe.checking.dialects.feature import Feature, engine_of, findings, rewrite
from sqlscribe.checking.dialects.view import View
from sqlscribe.notation.document import Span
from sqlscribe.notation.findings import Finding, Fix
from sqlscribe.schema.model import Schema

_SETS = frozenset({"UNION", "EXCEPT", "INTERSECT"})
_AFTER_ALL = frozenset({"", "HAVING", "ORDER BY", "LIMIT", ")", ";", "QUALIFY", "DESC", "ASC"})
_BEFORE_LIST = frozenset(
    {
        TokenType.SELECT,
        TokenType.COMMA,
        TokenType.L_PAREN,
        TokenType.EQ,
        TokenType.IN,
        TokenType.THEN,
        TokenType.ELSE,
    }
)
_STATEMENTS = frozenset({"INSERT", "UPDATE", "DELETE", "MERGE"})


def phrases(view: View, schema: Schema) -> Iterator[Finding]:
    """Clauses and words that the dialect lacks."""
    first = view.word(0)
    for index in range(len(view.tokens)):
        word = view.word(index)
        if word in _READERS:
            yield from _READERS[word](view, index)
        elif word == "ROWNUM":
            yield from _rownum(view, index, schema)
        elif word == "RETURNING" and (first in _STATEMENTS or "INSERT" in _words(view, index)):
            yield from findings(clause_features.RETURNING, view.span(index, index), view.dialect)
        elif view.kind(index) is TokenType.FARROW and view.kind(index - 1) is TokenType.VAR:
            yield from findings(features.NAMED_ARGUMENTS, view.span(index, index), view.dialect)
        elif view.kind(index) is TokenType.COMMA and view.kind(index + 1) is TokenType.FROM:
            place = view.span(index, index)
            fix = rewrite("Remove the comma", (place, ""))
            yield from findings(features.TRAILING_COMMA, place, view.dialect, fix)
        elif view.kind(index) is TokenType.L_BRACKET:
            yield from _list(view, index)


def _words(view: View, index: int) -> set[str]:
    return {view.word(i) for i in range(max(0, index - 60), index)}


def _plain(feature: Feature, view: View, first: int, last: int, *fixes: Fix) -> Iterator[Finding]:
    yield from findings(feature, view.span(first, last), view.dialect, *fixes)


def _minus(view: View, index: int) -> Iterator[Finding]:
    if view.kind(index + 1) in (TokenType.SELECT, TokenType.L_PAREN) and (
        view.kind(index + 1) is TokenType.SELECT or view.kind(index + 2) is TokenType.SELECT
    ):
        own = clause_features.MINUS.instead.get(engine_of(view.dialect), "EXCEPT")
        fix = rewrite(f"Change to {own}", (view.span(index, index), own))
        yield from _plain(clause_features.MINUS, view, index, index, fix)


def _set_operation(view: View, index: int) -> Iterator[Finding]:
    if view.kind(index - 1) is TokenType.STAR:
        return
    place = view.span(index, index)
    behind = view.word(index + 1)
    starts = behind in ("SELECT", "(", "WITH", "VALUES", "FROM")
    word = view.word(index)
    if starts:
        fix = rewrite(f"Change to {word} DISTINCT", (place, f"{word} DISTINCT"))
        yield from findings(clause_features.SET_QUANTIFIER, place, view.dialect, fix)
        if word == "EXCEPT" and behind == "SELECT":
            fix = rewrite("Change to MINUS", (place, "MINUS"))
            yield from findings(clause_features.EXCEPT, place, view.dialect, fix)
    elif behind == "DISTINCT":
        out = Span(view.tokens[index].end + 1, view.tokens[index + 1].end + 1)
        fix = rewrite("Remove DISTINCT", (out, ""))
        yield from _plain(clause_features.SET_DISTINCT, view, index, index + 1, fix)
    elif behind == "ALL" and word != "UNION":
        yield from _plain(clause_features.SET_ALL, view, index, index + 1)


def _apply(view: View, index: int) -> Iterator[Finding]:
    if view.word(index - 1) not in ("CROSS", "OUTER"):
        return
    fixes = []
    own = clause_features.APPLY.instead.get(engine_of(view.dialect))
    if view.word(index - 1) == "CROSS" and own:
        fixes.append(rewrite(f"Change to {own}", (view.span(index - 1, index), own)))
    yield from _plain(clause_features.APPLY, view, index, index, *fixes)


def _nulls(view: View, index: int) -> Iterator[Finding]:
    if view.word(index + 1) in ("FIRST", "LAST"):
        yield from _plain(features.NULLS_ORDER, view, index, index + 1, *_ordered(view, index))


def _ordered(view: View, index: int) -> Iterator[Fix]:
    """NULL comes first in these engines, so half of the phrases only say what is so anyway."""
    descending = view.word(index - 1) == "DESC"
    last = index - 1 if view.word(index - 1) in ("DESC", "ASC") else index
    out = Span(view.tokens[index - 1].end + 1, view.tokens[index + 1].end + 1)
    if descending == (view.word(index + 1) == "LAST"):
        yield rewrite("Remove it: the order is the same", (out, ""))
        return
    operand = view.left_operand(last)
    before = view.kind(operand[0] - 1) if operand else None
    if operand is None or before not in (TokenType.ORDER_BY, TokenType.COMMA):
        return
    value, start = view.text(*operand), view.tokens[operand[0]].start
    test = f"CASE WHEN {value} IS NULL THEN 1 ELSE 0 END"
    test = f"{value} IS NULL" if engine_of(view.dialect) == "mysql" else test
    test += " DESC" if descending else ""
    yield rewrite(f"Order by {test} first", (Span(start, start), f"{test}, "), (out, ""))


def _all(view: View, index: int) -> Iterator[Finding]:
    if view.word(index + 1) == "ALL" and view.word(index + 2) in _AFTER_ALL:
        yield from _plain(features.GROUP_BY_ALL, view, index, index + 1)


def _recursive(view: View, index: int) -> Iterator[Finding]:
    if view.word(index - 1) == "WITH":
        out = Span(view.tokens[index - 1].end + 1, view.tokens[index].end + 1)
        yield from _plain(
            clause_features.RECURSIVE, view, index, index, rewrite("Remove RECURSIVE", (out, ""))
        )


def _boolean(view: View, index: int) -> Iterator[Finding]:
    before, after = view.kind(index - 1), view.kind(index + 1)
    number = "1" if view.word(index) == "TRUE" else "0"
    if view.kind(index) not in (TokenType.TRUE, TokenType.FALSE) or TokenType.DOT in (
        before,
        after,
    ):
        return
    fixes = []
    if before in (TokenType.EQ, TokenType.NEQ, TokenType.THEN, TokenType.ELSE, TokenType.SELECT):
        fixes.append(rewrite(f"Change to {number}", (view.span(index, index), number)))
    elif before in (TokenType.WHERE, TokenType.AND, TokenType.OR, TokenType.ON):
        text = f"1 = {number}"
        fixes.append(rewrite(f"Change to {text}", (view.span(index, index), text)))
    yield from _plain(features.BOOLEAN, view, index, index, *fixes)


def _array(view: View, index: int) -> Iterator[Finding]:
    closing = view.pairs.get(index + 1)
    if view.kind(index + 1) is not TokenType.L_BRACKET or closing is None:
        return
    form = features.ARRAY.instead.get(engine_of(view.dialect), "")
    fixes = []
    if form.endswith("(…)"):
        inside = Span(view.tokens[index + 1].end + 1, view.tokens[closing].start)
        text = form.replace("…", inside.of(view.parse.sql))
        fixes.append(rewrite(f"Change to {form}", (view.span(index, closing), text)))
    yield from _plain(features.ARRAY, view, index, index + 1, *fixes)


def _list(view: View, index: int) -> Iterator[Finding]:
    """``[1, 2]`` where no value stands before it."""
    inside = view.kind(index + 1)
    if (
        view.kind(index - 1) not in _BEFORE_LIST
        or inside
        not in (
            TokenType.NUMBER,
            TokenType.STRING,
            TokenType.R_BRACKET,
        )
        or _is_in_array(view, index)
    ):
        return
    closing = view.pairs.get(index)
    if closing is not None:
        fixes = []
        if engine_of(view.dialect) in ("postgres", "trino"):
            start = view.tokens[index].start
            fixes.append(rewrite("Change to ARRAY[…]", (Span(start, start), "ARRAY")))
        yield from _plain(features.LIST, view, index, closing, *fixes)


def _is_in_array(view: View, index: int) -> bool:
    """``ARRAY[[1, 2], [3, 4]]``: the inner lists need no word of their own."""
    opening = view.depth_start(index) - 1
    while view.kind(opening) is TokenType.L_BRACKET:
        if view.kind(opening - 1) is TokenType.ARRAY:
            return True
        opening = view.depth_start(opening) - 1
    return False


def _rownum(view: View, index: int, schema: Schema) -> Iterator[Finding]:
    column = any(table.column("rownum") is not None for table in schema.tables)
    given = any(
        view.kind(i) is TokenType.ALIAS and view.word(i + 1) == "ROWNUM"
        for i in range(len(view.tokens))
    )
    beside = (view.kind(index - 1), view.kind(index + 1))
    if not column and not given and TokenType.DOT not in beside and beside[1] is not None:
        yield from _plain(features.ROWNUM, view, index, index)


def _lateral(view: View, index: int) -> Iterator[Finding]:
    if view.word(index + 1) == "VIEW":
        yield from _plain(clause_features.LATERAL_VIEW, view, index, index + 1)


def _semi(view: View, index: int) -> Iterator[Finding]:
    if view.word(index + 1) == "JOIN":
        feature = (
            clause_features.ASOF_JOIN if view.word(index) == "ASOF" else clause_features.SEMI_JOIN
        )
        yield from _plain(feature, view, index, index + 1)


def _upsert(view: View, index: int) -> Iterator[Finding]:
    if view.words(index, "ON", "CONFLICT"):
        yield from _plain(clause_features.ON_CONFLICT, view, index, index + 1)
    elif view.words(index, "ON", "DUPLICATE", "KEY"):
        yield from _plain(clause_features.ON_DUPLICATE, view, index, index + 2)


def _separator(view: View, index: int) -> Iterator[Finding]:
    if view.kind(index + 1) is TokenType.STRING and view.kind(index + 2) is TokenType.R_PAREN:
        start = view.tokens[index - 1].end + 1
        level = view.at_depth(view.depth_start(index), index)
        fixes = []
        if not any(view.kind(i) is TokenType.ORDER_BY for i in level):
            comma = (Span(start, view.tokens[index].end + 1), ",")
            fixes.append(rewrite("Change to a comma", comma))
        yield from _plain(clause_features.SEPARATOR, view, index, index, *fixes)


def _qualify(view: View, index: int) -> Iterator[Finding]:
    """Where the tokenizer knows the clause, its node tells; else it is a name in a wrong place."""
    unknown = view.kind(index) is TokenType.VAR and view.parse.problem is not None
    if unknown and view.ends_operand(index - 1):
        yield from _plain(features.QUALIFY, view, index, index)


_READERS = {
    "QUALIFY": _qualify,
    "MINUS": _minus,
    "UNION": _set_operation,
    "EXCEPT": _set_operation,
    "INTERSECT": _set_operation,
    "APPLY": _apply,
    "NULLS": _nulls,
    "GROUP BY": _all,
    "ORDER BY": _all,
    "RECURSIVE": _recursive,
    "TRUE": _boolean,
    "FALSE": _boolean,
    "ARRAY": _array,
    "LATERAL": _lateral,
    "SEMI": _semi,
    "ANTI": _semi,
    "ASOF": _semi,
    "ON": _upsert,
    "SEPARATOR": _separator,
}
