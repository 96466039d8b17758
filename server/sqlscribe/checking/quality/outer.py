"""Outer joins that the rest of the query takes back, or counts as if they were inner."""

from __future__ import annotations

from collections.abc import Iterator

from sqlglot import exp

from sqlscribe.checking.names.scopes import Scope, Source
from sqlscribe.checking.quality.look import Look, finding, fix, within
from sqlscribe.notation.findings import Finding, Severity

_STRICT = (exp.EQ, exp.NEQ, exp.GT, exp.GTE, exp.LT, exp.LTE, exp.Like, exp.ILike, exp.Between)


def check_outer_joins(look: Look, select: exp.Select, scope: Scope) -> Iterator[Finding]:
    """What a LEFT JOIN was written for and does not do."""
    joins = select.args.get("joins") or []
    if len(scope.sources) != 1 + len(joins):
        return
    optional = [
        scope.sources[number]
        for number, join in enumerate(joins, start=1)
        if join.args.get("side") == "LEFT" and join.args.get("kind") not in ("SEMI", "ANTI")
    ]
    if not optional:
        return
    yield from _filtered(look, select, scope, optional)
    if len(optional) == len(joins) == 1:
        yield from _counted(look, select, scope, optional[0])


def _filtered(
    look: Look, select: exp.Select, scope: Scope, optional: list[Source]
) -> Iterator[Finding]:
    """A condition in WHERE on the optional side drops the rows without a partner."""
    where = select.args.get("where")
    conditions = list(where.this.flatten()) if where and isinstance(where.this, exp.And) else []
    if where is not None and not conditions:
        conditions = [where.this]
    for condition in conditions:
        if not isinstance(condition, _STRICT) or not isinstance(condition.this, exp.Column):
            continue
        others = [condition.args.get(name) for name in ("expression", "low", "high")]
        if not all(isinstance(other, exp.Literal) for other in others if other is not None):
            continue
        source = look.source(condition.this, scope)
        if source is None or not any(source is one for one in optional):
            continue
        message = (
            f"this condition drops the rows for which {source.name or source.label} has none, "
            "so LEFT JOIN does no more than JOIN; in ON it would keep them"
        )
        place = look.span(condition.this)
        yield from finding("quality/outer-join-filter", message, place, severity=Severity.HINT)


def _counted(look: Look, select: exp.Select, scope: Scope, source: Source) -> Iterator[Finding]:
    """``COUNT(*)`` counts one where there is no partner."""
    group = select.args.get("group")
    if group is None or source.table is None or len(source.table.primary_key) != 1:
        return
    columns = [column for item in group.expressions for column in item.find_all(exp.Column)]
    if any(look.source(column, scope) in (source, None) for column in columns) or not columns:
        return
    key = f"{source.name}.{source.table.primary_key[0]}"
    for count in within(select, exp.Count):
        if isinstance(count.this, exp.Star) and "start" in count.this.meta:
            message = (
                f"COUNT(*) is 1 where {source.name} has no row, because of LEFT JOIN; "
                f"COUNT({key}) is 0 there"
            )
            place = look.span(count)
            star = look.span(count.this)
            if star is not None:
                change = fix(f"Change to COUNT({key})", (star, key), sure=False)
                yield from finding(
                    "quality/count-star-outer-join", message, place, change, severity=Severity.HINT
                )
