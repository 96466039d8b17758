"""Tables that nothing links to the others: every row meets every row."""

from __future__ import annotations

from collections.abc import Iterator

from sqlglot import exp

from sqlscribe.checking.names.scopes import Scope, Source
from sqlscribe.checking.quality.look import Look, finding
from sqlscribe.checking.quality.outer import check_outer_joins
from sqlscribe.notation.findings import Finding
from sqlscribe.schema.model import Table


def check_joins(look: Look) -> Iterator[Finding]:
    """Cross joins by omission, and outer joins that WHERE makes inner ones."""
    for select, scope in look.walk.selects:
        yield from _unlinked(look, select, scope)
        yield from check_outer_joins(look, select, scope)


def _unlinked(look: Look, select: exp.Select, scope: Scope) -> Iterator[Finding]:
    joins = select.args.get("joins") or []
    from_ = select.args.get("from_")
    sources = scope.sources
    # Only where every source is a plain part of FROM can each be told from the others.
    if from_ is None or len(sources) != 1 + len(joins) or not joins:
        return
    nodes = [from_.this, *(join.this for join in joins)]
    if not all(isinstance(node, exp.Table | exp.Subquery) for node in nodes):
        return
    if any(source.value for source in sources) or select.args.get("laterals"):
        return
    groups = _groups(look, select, scope, joins)
    if groups is None or _harmless(select):
        return
    pinned = _pinned(look, select, scope)
    for number, join in enumerate(joins, start=1):
        alone = groups[number] != groups[0] and groups.count(groups[number]) == 1
        if not alone or number in pinned or _is_meant(join):
            continue
        if _has_one_row(nodes[number], sources[number]):
            continue
        if len(sources) > 1 and all(
            _has_one_row(node, source)
            for i, (node, source) in enumerate(zip(nodes, sources, strict=True))
            if i != number
        ):
            continue
        label = sources[number].label or sources[number].name
        message = (
            f"no condition links {label} to the other tables, so each of its rows meets "
            f"every row of them; {_advice(sources, number)}"
        )
        yield from finding("quality/cross-join", message, look.span(nodes[number]))


def _harmless(select: exp.Select) -> bool:
    """True where repeated rows change nothing: every part counts different values, or the like."""
    columns = [column for item in select.expressions for column in item.find_all(exp.Column)]
    return bool(columns) and all(
        column.find_ancestor(exp.Distinct, exp.Min, exp.Max, exp.Select) is not select
        for column in columns
        if column.find_ancestor(exp.Select) is select
    )


def _is_meant(join: exp.Join) -> bool:
    """CROSS JOIN says so itself, and a condition, whatever it is, was thought of."""
    return bool(
        join.args.get("kind") in ("CROSS", "PASTE")
        or join.args.get("on")
        or join.args.get("using")
        or join.args.get("method")
    )


def _has_one_row(node: exp.Expression, source: Source) -> bool:
    """A subquery with aggregates alone, or with LIMIT 1, multiplies nothing; a CTE may be one."""
    if source.table is None and isinstance(node, exp.Table):
        return True
    query = node.this if isinstance(node, exp.Subquery) else None
    if not isinstance(query, exp.Select):
        return query is not None
    limit = query.args.get("limit")
    if isinstance(limit, exp.Limit) and limit.expression.name == "1":
        return True
    if query.args.get("from_") is None:
        return True
    return query.args.get("group") is None and any(
        item.find(exp.AggFunc) for item in query.expressions
    )


def _groups(
    look: Look, select: exp.Select, scope: Scope, joins: list[exp.Join]
) -> list[int] | None:
    """A number for each source, the same for those that a condition links."""
    groups = list(range(len(scope.sources)))

    def unite(members: set[int]) -> None:
        lowest = min(groups[member] for member in members)
        old = {groups[member] for member in members}
        groups[:] = [lowest if group in old else group for group in groups]

    for number, join in enumerate(joins, start=1):
        if join.args.get("using") or join.args.get("method"):
            unite({0, number})
    parts = [join.args.get("on") for join in joins] + [select.args.get("where")]
    for part in parts:
        for condition in _conditions(part):
            members = set()
            for column in condition.find_all(exp.Column):
                source = look.source(column, scope)
                if source is not None:
                    members.add(next(i for i, s in enumerate(scope.sources) if s is source))
                elif not column.args.get("table") and not scope.closed:
                    # It may be of any of the sources.
                    return None
            if len(members) > 1:
                unite(members)
    return groups


def _pinned(look: Look, select: exp.Select, scope: Scope) -> set[int]:
    """Sources that an equality with a value, or with an outer query, ties down on its own."""
    pinned: set[int] = set()
    for condition in _conditions(select.args.get("where")):
        if isinstance(condition, exp.EQ):
            columns = condition.find_all(exp.Column)
            sources = [source for column in columns if (source := look.source(column, scope))]
            if len(sources) == 1:
                pinned.add(next(i for i, s in enumerate(scope.sources) if s is sources[0]))
    return pinned


def _conditions(part: exp.Expression | None) -> Iterator[exp.Expression]:
    part = part.this if isinstance(part, exp.Where) else part
    if isinstance(part, exp.And):
        yield from part.flatten()
    elif part is not None:
        yield part


def _advice(sources: list[Source], number: int) -> str:
    mine = sources[number].table
    for source in sources:
        other = source.table
        if mine is None or other is None or other is mine:
            continue
        for one, two, left, right in (
            (mine, other, sources[number], source),
            (other, mine, source, sources[number]),
        ):
            if columns := _reference(one, two):
                ends = [f"{left.name}.{columns[0]}", f"{right.name}.{columns[1]}"]
                return f"the foreign key says {' = '.join(ends)}"
    return "write CROSS JOIN if that is meant"


def _reference(one: Table, two: Table) -> tuple[str, str] | None:
    """The columns of the foreign key from one table to another, where it is of one column."""
    for key in one.foreign_keys:
        target = key.to_columns or two.primary_key
        if key.to_table.casefold() == two.name.casefold() and len(key.columns) == len(target) == 1:
            return key.columns[0], target[0]
    return None
