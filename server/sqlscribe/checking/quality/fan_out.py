"""Aggregates over rows that a join has repeated."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from sqlglot import exp

from sqlscribe.checking.names.scopes import Scope, Source
from sqlscribe.checking.quality.cardinality import keys_of, links, multiplied_by
from sqlscribe.checking.quality.look import Look, finding, within
from sqlscribe.notation.document import Span
from sqlscribe.notation.findings import Finding, Severity

_PER_PIECE = frozenset({"price", "rate"})


class _Repeating(NamedTuple):
    """The table whose rows repeat another's; ``direct`` where it refers to that one itself."""

    name: str
    direct: bool


def check_fan_out(look: Look) -> Iterator[Finding]:
    """Sums, averages and counts of a table's column after a join to many rows of another."""
    for select, scope in look.walk.selects:
        for function in within(select, exp.Sum, exp.Avg, exp.Count):
            if function.find_ancestor(exp.Window, exp.Select) is not select:
                continue
            yield from _aggregate(look, select, scope, function)


def _aggregate(
    look: Look, select: exp.Select, scope: Scope, function: exp.Expression
) -> Iterator[Finding]:
    column = function.find(exp.Column)
    distinct = isinstance(function.this, exp.Distinct)
    if column is None or (distinct and isinstance(function, exp.Count)) or _is_flag(function.this):
        return
    if column.find_ancestor(exp.Select) is not select:
        return
    source = look.source(column, scope)
    if source is None or _reads_others(look, function, source, scope):
        return
    repeating = _repeating(look, select, scope, source)
    if repeating is None:
        repeating = _repeated_inside(look, select, column, source)
    if repeating is None:
        if distinct and isinstance(function, exp.Sum):
            yield from _distinct_sum(look, function, column)
        return
    if isinstance(function, exp.Count) and not _counts_wrongly(look, select, scope, source):
        return
    yield from _told(look, function, column, source, repeating)


def _is_flag(node: exp.Expression) -> bool:
    """``CASE WHEN … THEN 1 ELSE 0 END`` counts the joined rows: no amount is repeated in it."""
    if not isinstance(node, exp.Case | exp.If):
        return False
    branches = [*node.args.get("ifs", ()), node] if isinstance(node, exp.Case) else [node]
    results = [b.args.get(name) for b in branches for name in ("true", "default", "false")]
    return all(isinstance(result, exp.Literal | exp.Null) for result in results if result)


def _told(
    look: Look, function: exp.Expression, column: exp.Column, source: Source, found: _Repeating
) -> Iterator[Finding]:
    repeating = found.name
    name = f"{source.name}.{column.name}" if source.name else column.name
    owner = source.table.name if source.table is not None else source.name
    start, end = column.this.meta.get("start", 0), column.this.meta.get("end", 0)
    severity = Severity.WARNING
    if isinstance(function.this, exp.Distinct):
        message = (
            f"{function.key.upper()}(DISTINCT {name}) drops equal amounts of different {owner}"
        )
    elif isinstance(function, exp.Count):
        message = (
            f"{name} is counted once per {repeating} row, because the join repeats it; "
            f"for {owner} use COUNT(DISTINCT {name})"
        )
        severity = Severity.HINT
    else:
        # A price or a rate of what was sold or lent is summed up for each sale on purpose.
        if found.direct and set(column.name.casefold().split("_")) & _PER_PIECE:
            severity = Severity.HINT
        message = (
            f"{name} may be counted once per {repeating} row, because the join repeats it; "
            f"aggregate {repeating} in a subquery first"
        )
    yield from finding("quality/fan-out", message, Span(start, end + 1), severity=severity)


def _distinct_sum(look: Look, function: exp.Expression, column: exp.Column) -> Iterator[Finding]:
    known = look.known(column)
    unique = known.table is not None and {column.name.casefold()} in keys_of(known.table)
    if not unique:
        message = f"SUM(DISTINCT {look.text(column)}) adds equal amounts only once"
        place = look.span(column)
        yield from finding("quality/sum-distinct", message, place, severity=Severity.HINT)


def _reads_others(look: Look, function: exp.Expression, source: Source, scope: Scope) -> bool:
    """An expression over several tables may well be meant for the joined row."""
    return any(look.source(column, scope) is not source for column in function.find_all(exp.Column))


def _repeating(look: Look, select: exp.Select, scope: Scope, source: Source) -> _Repeating | None:
    """The table whose rows repeat those of ``source`` in a SELECT."""
    if source.table is None or len(scope.sources) < 2:
        return None
    start = next(i for i, other in enumerate(scope.sources) if other is source)
    found = multiplied_by(start, links(look, select, scope))
    table = scope.sources[found.other].table if found is not None else None
    if found is None or table is None:
        return None
    return _Repeating(table.name, direct=found.one == start)


def _repeated_inside(
    look: Look, select: exp.Select, column: exp.Column, source: Source
) -> _Repeating | None:
    """The same, where the join stands in the subquery or CTE that the column comes from."""
    if source.table is not None:
        return None
    inner = _query_of(select, source)
    if not isinstance(inner, exp.Select) or inner.args.get("distinct") or inner.args.get("group"):
        return None
    scope = next((scope for one, scope in look.walk.selects if one is inner), None)
    item = next(
        (
            item.this if isinstance(item, exp.Alias) else item
            for item in inner.expressions
            if item.alias_or_name.casefold() == column.name.casefold()
        ),
        None,
    )
    if scope is None or not isinstance(item, exp.Column):
        return None
    origin = look.source(item, scope)
    if origin is None:
        return None
    return _repeating(look, inner, scope, origin)


def _query_of(select: exp.Select, source: Source) -> exp.Expression | None:
    """The query behind a name in FROM: a subquery there, or a CTE around."""
    from_ = select.args.get("from_")
    nodes = [from_.this if from_ is not None else None]
    nodes += [join.this for join in select.args.get("joins") or ()]
    for node in nodes:
        if isinstance(node, exp.Subquery) and node.alias.casefold() == source.key.casefold():
            return node.this
    named = next(
        (
            node.name
            for node in nodes
            if isinstance(node, exp.Table)
            and node.alias_or_name.casefold() == source.key.casefold()
        ),
        None,
    )
    query: exp.Expression | None = select
    while query is not None and named is not None:
        with_ = query.args.get("with_")
        for cte in with_.expressions if with_ is not None else ():
            if cte.alias.casefold() == named.casefold():
                found: exp.Expression = cte.this
                return found
        query = query.parent
    return None


def _counts_wrongly(look: Look, select: exp.Select, scope: Scope, source: Source) -> bool:
    """A count by something of the counted table itself counts the joined rows on purpose."""
    group = select.args.get("group")
    if group is None:
        return _is_key(look, select, scope, source)
    columns = [column for item in group.expressions for column in item.find_all(exp.Column)]
    grouped = {id(look.source(column, scope)) for column in columns}
    return (
        bool(columns)
        and id(source) not in grouped
        and None not in (look.source(column, scope) for column in columns)
    )


def _is_key(look: Look, select: exp.Select, scope: Scope, source: Source) -> bool:
    """True where a whole table's rows are counted by their key."""
    if source.table is None:
        return False
    keys = keys_of(source.table)
    counted = [
        column.name.casefold()
        for function in within(select, exp.Count)
        for column in function.find_all(exp.Column)
        if look.source(column, scope) is source
    ]
    return any({name} in keys for name in counted)
