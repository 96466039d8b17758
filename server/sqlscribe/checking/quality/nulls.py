"""Comparisons that NULL makes neither true nor false."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from sqlglot import exp
from sqlglot.tokens import Token, TokenType

from sqlscribe.checking.quality.look import Look, finding, fix
from sqlscribe.notation.document import Span
from sqlscribe.notation.findings import Finding, Fix
from sqlscribe.schema.model import Column, Table

_CONDITION_STARTS = frozenset(
    {TokenType.WHERE, TokenType.HAVING, TokenType.ON, TokenType.WHEN, TokenType.AND, TokenType.OR}
)
_PLAIN = ("where", "group", "having", "limit", "order", "joins", "offset", "windows", "qualify")


def check_nulls(look: Look) -> Iterator[Finding]:
    """``= NULL``, and NOT IN where there may be a NULL."""
    yield from _comparisons(look)
    for node in look.nodes:
        if isinstance(node, exp.In) and _negated(node):
            yield from _null_in_list(look, node)
    for select, _ in look.walk.selects:
        yield from _not_in(look, select)


def _comparisons(look: Look) -> Iterator[Finding]:
    """``= NULL`` is never true, nor is ``= ''`` in Oracle, where that is NULL."""
    conditions = (exp.Where, exp.Having, exp.Join, exp.Case, exp.If)
    if not any(
        isinstance(node, exp.EQ | exp.NEQ)
        and (isinstance(node.expression, exp.Null) or _is_nothing(look, node.expression))
        and node.find_ancestor(*conditions) is not None
        for node in look.nodes
    ):
        return
    in_condition = False
    for before, token in pairwise(look.view.tokens):
        if before.token_type in _CONDITION_STARTS:
            in_condition = True
        elif before.token_type in (TokenType.SET, TokenType.SELECT):
            in_condition = False
        empty = look.engine == "oracle" and _is_empty(token)
        if not in_condition or not (token.token_type is TokenType.NULL or empty):
            continue
        if before.token_type in (TokenType.EQ, TokenType.NEQ):
            right = "IS NULL" if before.token_type is TokenType.EQ else "IS NOT NULL"
            span = Span(before.start, token.end + 1)
            change = fix(f"Change to {right}", (span, right))
            why = "'' is NULL in oracle, so this" if empty else "this"
            message = f"{why} is never true; use {right}"
            yield from finding("quality/null-comparison", message, span, change)


def _is_empty(token: Token) -> bool:
    return token.token_type is TokenType.STRING and not token.text


def _is_nothing(look: Look, value: exp.Expression) -> bool:
    empty = isinstance(value, exp.Literal) and value.is_string and not value.this
    return empty and look.engine == "oracle"


def _negated(node: exp.Expression) -> bool:
    parent = node.parent
    while isinstance(parent, exp.Paren):
        parent = parent.parent
    return isinstance(parent, exp.Not)


def _null_in_list(look: Look, node: exp.In) -> Iterator[Finding]:
    """``NOT IN (1, NULL)`` finds nothing at all."""
    if any(isinstance(item, exp.Null) for item in node.expressions):
        message = "with a NULL in its list NOT IN is never true; take it out, or add IS NOT NULL"
        yield from finding("quality/not-in-null", message, look.span(node.this))


def _not_in(look: Look, select: exp.Select) -> Iterator[Finding]:
    """``NOT IN`` over a column that may be NULL gives no row once it is."""
    if not _excludes(select):
        return
    item = select.expressions[0] if len(select.expressions) == 1 else None
    item = item.this if isinstance(item, exp.Alias) else item
    known = look.known(item)
    if known.column is None or known.table is None or not isinstance(item, exp.Column):
        return
    column, table = known.column, known.table
    if not _may_be_null(column, table) or _mentioned(select, column.name):
        return
    message = (
        f"{table.name}.{column.name} may be NULL, and then no row is found: NOT EXISTS is safer"
    )
    place = Span(item.this.meta["start"], item.this.meta["end"] + 1)
    yield from finding("quality/not-in-null", message, place, *_without_nulls(look, select, item))


def _excludes(select: exp.Select) -> bool:
    """``NOT IN (SELECT …)`` and ``<> ALL (SELECT …)``."""
    parent = select.parent
    inside = parent.parent if isinstance(parent, exp.Subquery) else parent
    if isinstance(inside, exp.In):
        return _negated(inside)
    return isinstance(inside, exp.All) and isinstance(inside.parent, exp.NEQ)


def _may_be_null(column: Column, table: Table) -> bool:
    folded = {name.casefold() for name in table.primary_key}
    return column.nullable and column.name.casefold() not in folded


def _mentioned(select: exp.Select, name: str) -> bool:
    """True where the subquery's conditions say anything about the column: NULL passes little."""
    folded = name.casefold()
    parts = [select.args.get("where"), select.args.get("having")]
    parts += [join.args.get("on") for join in select.args.get("joins") or ()]
    return any(
        column.name.casefold() == folded
        for part in parts
        if part is not None
        for column in part.find_all(exp.Column)
    )


def _without_nulls(look: Look, select: exp.Select, item: exp.Column) -> Iterator[Fix]:
    """The subquery without NULL, where it has no other clause."""
    if any(select.args.get(clause) for clause in _PLAIN):
        return
    found = look.tokens_of(select)
    if found is None or look.view.kind(found[1] + 1) is not TokenType.R_PAREN:
        return
    end = look.view.tokens[found[1]].end + 1
    text = f" WHERE {look.text(item)} IS NOT NULL"
    yield fix("Leave NULL out of the subquery", (Span(end, end), text), sure=False)
