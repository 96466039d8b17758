"""Conditions that are never true, always true, or read otherwise than they look."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from sqlglot import exp
from sqlglot.tokens import TokenType

from sqlscribe.checking.quality.look import Look, finding, fix
from sqlscribe.notation.findings import Finding, Fix, Severity

# LIKE compares as = does in these, letter case included or not.
_LIKE_IS_EQUAL = frozenset(
    "postgres oracle bigquery snowflake duckdb redshift trino spark mysql".split()
)

# In these = compares; elsewhere it may set a value.
_COMPARING = (exp.Where, exp.Having, exp.Join, exp.If, exp.Case, exp.Filter, exp.Qualify)


def check_conditions(look: Look) -> Iterator[Finding]:
    """Ranges, patterns and the order of AND and OR."""
    inside: dict[int, bool] = {}
    for node in look.nodes:
        if isinstance(node, exp.Between):
            yield from _empty_range(look, node)
        elif isinstance(node, exp.Or):
            yield from _mixed(look, node)
            yield from _both(look, node, exp.NEQ, exp.Or)
        elif isinstance(node, exp.And):
            yield from _both(look, node, exp.EQ, exp.And)
        elif isinstance(node, exp.Like):
            yield from _no_wildcard(look, node)
        elif isinstance(node, exp.EQ) and _is_compared(node, inside):
            yield from _changed_case(look, node)
            yield from _wildcard(look, node)


def _is_compared(node: exp.Expression, inside: dict[int, bool]) -> bool:
    """Whether a node stands in a condition. ``inside`` keeps it for the nodes around.

    Of a thousand conditions in a row each has the others above it.
    """
    passed: list[int] = []
    at = node.parent
    while at is not None and not isinstance(at, _COMPARING) and id(at) not in inside:
        passed.append(id(at))
        at = at.parent
    found = at is not None and inside.get(id(at), True)
    inside.update(dict.fromkeys(passed, found))
    return found


def _empty_range(look: Look, node: exp.Between) -> Iterator[Finding]:
    low, high = node.args.get("low"), node.args.get("high")
    if node.args.get("symmetric") or not _is_above(low, high):
        return
    assert low is not None
    assert high is not None
    first, last = look.span(low), look.span(high)
    fixes: list[Fix] = []
    if first is not None and last is not None:
        texts = look.text(low), look.text(high)
        fixes.append(fix("Swap the bounds", (first, texts[1]), (last, texts[0])))
    message = (
        f"BETWEEN {look.text(low)} AND {look.text(high)} is never true; the bounds are swapped"
    )
    yield from finding("quality/empty-range", message, first, *fixes)


def _is_above(low: exp.Expression | None, high: exp.Expression | None) -> bool:
    if not isinstance(low, exp.Literal) or not isinstance(high, exp.Literal):
        return False
    if low.is_string != high.is_string:
        return False
    if not low.is_string:
        try:
            return float(low.name) > float(high.name)
        except ValueError:
            return False
    dates = all(len(part.name) == 10 and part.name[4:8:3] == "--" for part in (low, high))
    return dates and low.name > high.name


def _mixed(look: Look, node: exp.Or) -> Iterator[Finding]:
    """``a OR b AND c``, where AND binds first."""
    if isinstance(node.parent, exp.Or):
        return
    parts = list(node.flatten(unnest=False))
    ands = [part for part in parts if isinstance(part, exp.And)]
    if not ands or len(ands) == len(parts):
        return
    message = "AND binds before OR here; put parentheses around what belongs together"
    yield from finding("quality/and-or", message, look.span(ands[0]), severity=Severity.HINT)


def _both(
    look: Look,
    node: exp.Expression,
    comparison: type[exp.Expression],
    connector: type[exp.Expression],
) -> Iterator[Finding]:
    """``a = 1 AND a = 2`` is never true, ``a <> 1 OR a <> 2`` always."""
    if isinstance(node.parent, connector):
        return
    pairs = [
        (part.this, part.expression)
        for part in node.flatten()
        if isinstance(part, comparison)
        and isinstance(part.this, exp.Column)
        and isinstance(part.expression, exp.Literal)
    ]
    for (one, value), (other, second) in combinations(pairs[:20], 2):
        if one == other and _differ(value, second):
            always = comparison is exp.NEQ
            name = look.text(one)
            message = (
                f"{name} differs from one of the two always; AND or NOT IN is meant"
                if always
                else f"{name} cannot be both; OR or IN is meant"
            )
            code = "quality/always-true" if always else "quality/never-true"
            yield from finding(code, message, look.span(other))
            return


def _differ(one: exp.Expression, other: exp.Expression) -> bool:
    if one.is_string or other.is_string:
        both = bool(one.is_string and other.is_string)
        return both and one.name.casefold() != other.name.casefold()
    try:
        return float(one.name) != float(other.name)
    except ValueError:
        return False


def _no_wildcard(look: Look, node: exp.Like) -> Iterator[Finding]:
    pattern = node.expression
    if look.engine not in _LIKE_IS_EQUAL or not isinstance(pattern, exp.Literal):
        return
    if not pattern.is_string or not pattern.name or isinstance(node.parent, exp.Escape):
        return
    if any(mark in pattern.name for mark in "%_\\"):
        return
    found = look.tokens_of(pattern)
    if found is None or look.view.kind(found[0] - 1) is not TokenType.LIKE:
        return
    message = f"LIKE {look.text(pattern)} has no wildcard: it compares as = does"
    place = look.view.span(found[0] - 1, found[1])
    yield from finding("quality/like-without-wildcard", message, place, severity=Severity.HINT)


def _wildcard(look: Look, node: exp.EQ) -> Iterator[Finding]:
    """``name = 'A%'``."""
    value = node.expression
    if not isinstance(value, exp.Literal) or not isinstance(node.this, exp.Column):
        return
    text = value.name
    marked = (text.startswith("%") and len(text) > 2) or (
        text.endswith("%") and text[-2:-1].isalpha()
    )
    found = look.tokens_of(value)
    if not value.is_string or not marked or found is None:
        return
    if look.is_filled_in(value.meta.get("start", 0), text):
        return
    if look.view.kind(found[0] - 1) is TokenType.EQ:
        change = fix("Change to LIKE", (look.view.span(found[0] - 1, found[0] - 1), "LIKE"))
        message = f"= compares the % in {look.text(value)} as a letter; LIKE takes it for any text"
        place = look.view.span(found[0] - 1, found[1])
        yield from finding("quality/wildcard-in-equals", message, place, change)


def _changed_case(look: Look, node: exp.EQ) -> Iterator[Finding]:
    """``LOWER(name) = 'Paris'``."""
    for call, value in ((node.this, node.expression), (node.expression, node.this)):
        if not isinstance(value, exp.Literal) or not value.is_string:
            continue
        text = value.name
        right = text.lower() if isinstance(call, exp.Lower) else text
        right = text.upper() if isinstance(call, exp.Upper) else right
        if right == text or look.engine in ("mysql", "tsql"):
            continue
        place = look.span(value)
        written = look.text(value)
        if place is not None and written == f"'{text}'":
            change = fix(f"Change to '{right}'", (place, f"'{right}'"))
            message = f"{look.text(call)} never equals {written}; use '{right}'"
            yield from finding("quality/changed-case", message, place, change)
