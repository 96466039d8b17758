"""Whole numbers divided by whole numbers."""

from __future__ import annotations

from collections.abc import Iterator

from sqlglot import exp

from sqlscribe.checking.quality.look import Look, finding, fix, is_whole
from sqlscribe.notation.document import Span
from sqlscribe.notation.findings import Finding, Fix

_TRUNCATES = frozenset({"postgres", "sqlite", "tsql", "redshift", "trino"})
_BIG_CALLS = (exp.Count, exp.RowNumber, exp.Rank, exp.DenseRank)
_WHOLE_CALLS = (*_BIG_CALLS, exp.Length)
_SUMS_BIG = frozenset({"postgres", "redshift"})
_KEEPS = (exp.Sum, exp.Min, exp.Max, exp.Abs, exp.Coalesce, exp.Nullif)
# Who takes a whole number of the result wants a whole number.
_WANTED_WHOLE = (exp.Floor, exp.Mod, exp.IntDiv)


def check_numbers(look: Look) -> Iterator[Finding]:
    """Divisions that drop the fraction."""
    if look.engine not in _TRUNCATES:
        return
    for node in look.nodes:
        if not isinstance(node, exp.Div) or _is_meant(node):
            continue
        if _is_whole(look, node.this) and _is_whole(look, node.expression):
            yield from _told(look, node)


def _is_meant(node: exp.Div) -> bool:
    """A literal divisor cuts into bands (``year / 10 * 10``); a cast to INT says so itself."""
    divisor = node.expression
    while isinstance(divisor, exp.Paren):
        divisor = divisor.this
    if isinstance(divisor, exp.Literal):
        return True
    around = node.parent
    while isinstance(around, exp.Paren):
        around = around.parent
    if isinstance(around, exp.Cast):
        return around.to.this in exp.DataType.INTEGER_TYPES
    return isinstance(around, _WANTED_WHOLE)


def _is_whole(look: Look, node: exp.Expression | None) -> bool:
    """True where an expression is surely a whole number."""
    if isinstance(node, exp.Literal):
        return not node.is_string and node.name.isdigit()
    if isinstance(node, exp.Column):
        column = look.known(node).column
        return column is not None and is_whole(column.type)
    if isinstance(node, exp.Paren | exp.Neg | exp.Filter):
        return _is_whole(look, node.this)
    if isinstance(node, exp.Cast):
        return node.to.this in exp.DataType.INTEGER_TYPES
    if isinstance(node, _WHOLE_CALLS):
        return True
    if isinstance(node, exp.Window):
        return _is_whole(look, node.this)
    if isinstance(node, _KEEPS):
        # The sum of many is a decimal number in some engines, and then so is the result.
        if isinstance(node, exp.Sum) and look.engine in _SUMS_BIG and _may_be_big(look, node):
            return False
        inner = node.this.expressions if isinstance(node.this, exp.Distinct) else [node.this]
        others = node.expressions if isinstance(node, exp.Coalesce) else []
        others = [node.expression] if isinstance(node, exp.Nullif) else others
        return all(_is_whole(look, part) for part in (*inner, *others))
    if isinstance(node, exp.Add | exp.Sub | exp.Mul):
        return _is_whole(look, node.this) and _is_whole(look, node.expression)
    if isinstance(node, exp.Case):
        results = [branch.args.get("true") for branch in node.args.get("ifs") or ()]
        default = node.args.get("default")
        results += [default] if default is not None and not isinstance(default, exp.Null) else []
        return bool(results) and all(_is_whole(look, result) for result in results)
    return False


def _may_be_big(look: Look, node: exp.Sum) -> bool:
    """PostgreSQL sums BIGINT as NUMERIC, and counts and sums of INT are BIGINT."""
    inside = node.this
    if isinstance(inside, exp.Expression) and inside.find(exp.Sum, *_BIG_CALLS):
        return True
    if any(cast.to.this is exp.DataType.Type.BIGINT for cast in node.find_all(exp.Cast)):
        return True
    columns = [look.known(column).column for column in node.find_all(exp.Column)]
    types = [column.type.casefold() if column is not None else "" for column in columns]
    return any(type_.startswith(("bigint", "int8", "bigserial")) for type_ in types)


def _told(look: Look, node: exp.Div) -> Iterator[Finding]:
    left, right = look.span(node.this), look.span(node.expression)
    if left is None or right is None:
        return
    place = Span(left.start, right.end)
    between = look.view.parse.sql[left.end : right.start]
    fixes: list[Fix] = []
    if between.strip() == "/":
        if isinstance(node.this, exp.Case):
            edits = [(Span(right.start, right.start), "1.0 * ")]
        else:
            edits = [(Span(left.end, left.end), " * 1.0")]
        simple = isinstance(node.this, exp.Column | exp.Paren | exp.Func | exp.Mul)
        if simple and not isinstance(node.this, exp.Case):
            fixes.append(fix("Divide as a decimal number", *edits))
    message = (
        f"{look.dialect} divides whole numbers without the fraction: 1 / 2 is 0; "
        "multiply by 1.0 first, or cast one of them"
    )
    yield from finding("quality/integer-division", message, place, *fixes)
