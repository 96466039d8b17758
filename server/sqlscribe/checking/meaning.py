"""Where putting a name right would change what a query means.

A qualifier that is moved and a join that is added leave a query without errors, and that is no
proof that it says what was meant. A join may count rows again, or lose those that have no partner;
a name as plain as ``id`` may be meant for another column of the table it was written with. Only
where nothing of the kind can happen may a name be put right with nobody asked.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from sqlglot import exp

from sqlscribe.checking.quality.cardinality import keys_of
from sqlscribe.checking.quality.look import is_date, is_moment
from sqlscribe.knowledge.terms import has_cjk, name_parts, singular
from sqlscribe.schema import graph
from sqlscribe.schema.model import Table

_TIMES = frozenset({"at", "on", "date", "time", "datetime", "timestamp", "ts", "dt", "day"})
_OF_ANY_ROW = _TIMES | {"created", "creation", "updated", "modified", "inserted", "added"}
_SOME = (exp.Max, exp.Min)
"""Aggregates that give the same however often a row is repeated."""


def may_move(column: exp.Column, to: str, own: Table | None) -> bool:
    """Whether a column may be that of the source ``to`` instead of its own table's.

    ``own`` is the table of its qualifier, ``None`` where that is no name of a source.
    """
    if own is not None and _has_of_its_own(column.name, own):
        return False
    return not _unties(column, to) and not _frees_outer_join(column)


def _has_of_its_own(name: str, table: Table) -> bool:
    """True where a name says so little that a column of this very table may be meant by it."""
    if has_cjk(name):
        return any(c.name != name and c.name.endswith(name) for c in table.columns)
    parts = _words(name)
    if set(parts) & _TIMES and set(parts) <= _OF_ANY_ROW:
        return any(
            is_date(column.type) or is_moment(column.type) or set(_words(column.name)[-1:]) & _TIMES
            for column in table.columns
        )
    if parts == ["id"]:
        referring = {key for foreign in table.foreign_keys for key in foreign.columns}
        return bool(table.primary_key) and not set(table.primary_key) & referring
    return len(parts) == 1 and any(_words(column.name)[-1:] == parts for column in table.columns)


def _words(name: str) -> list[str]:
    return [part.casefold() for part in name_parts(name)]


def _unties(column: exp.Column, to: str) -> bool:
    """True where what compared two tables would compare one with itself."""
    node = column.parent
    while node is not None and not isinstance(node, exp.Connector | exp.Query):
        if isinstance(node, exp.Binary):
            sides = [list(side.find_all(exp.Column)) for side in (node.this, node.expression)]
            before = [{_of(one, one.table) for one in side} for side in sides]
            after = [{_of(one, to if one is column else one.table) for one in s} for s in sides]
            if after[0] == after[1] and before[0] != before[1]:
                return True
            if isinstance(node, exp.Predicate) and all(sides) and _sources(before) > 1:
                return _sources(after) == 1
        node = node.parent
    return False


def _of(column: exp.Column, source: str) -> tuple[str, str]:
    return source.casefold(), column.name.casefold()


def _sources(sides: Sequence[set[tuple[str, str]]]) -> int:
    return len({source for side in sides for source, _ in side})


def _frees_outer_join(column: exp.Column) -> bool:
    """True in ``LEFT JOIN b ON … AND b.x = 1``: of the other table it would narrow nothing."""
    join = column.find_ancestor(exp.Join, exp.Query)
    if not isinstance(join, exp.Join) or not join.side:
        return False
    condition = column.find_ancestor(exp.Predicate, exp.Join)
    return condition is None or len({one.table for one in condition.find_all(exp.Column)}) < 2


def may_be_key(column: exp.Column, table: Table) -> bool:
    """Whether a name that other tables have for the key of ``table`` may mean that key in it.

    ``customer_id`` is the ``id`` of customers. A ``head_id`` is that of employees only where it
    is compared with the ``head_id`` that refers to it: elsewhere it may be of those with a head.
    """
    equation = column.parent
    if isinstance(equation, exp.EQ):
        other = equation.expression if equation.this is column else equation.this
        if isinstance(other, exp.Column) and other.name.casefold() == column.name.casefold():
            return True
    return bool(
        {singular(word) for word in _words(column.name)}
        & {singular(word) for word in _words(table.name)}
    )


def may_join(
    missed: exp.Column, select: exp.Select, used: Mapping[str, Table], path: Sequence[graph.Join]
) -> bool:
    """Whether joins along ``path`` to a table that a SELECT forgot bring what it meant.

    ``used``: the tables that the SELECT reads, by the names that it uses for them; ``missed``: a
    column of the forgotten table. The path leads from one of the used tables to the forgotten one.
    """
    if any(isinstance(item, exp.Star) for item in select.expressions):
        # The star would show the columns of what is joined, too.
        return False
    steps = list(_steps(path, used))
    start, target = steps[0][0], steps[-1][1]
    names = {name for name, table in used.items() if table is start}
    if names & _padded(select) or target.name.casefold() in _read_around(select):
        # Rows without a partner would go, or the row of the query around is meant.
        return False
    columns = (one for one in select.find_all(exp.Column) if one.parent_select is select)
    forgotten = [one for one in columns if one is missed or _is_of(one, target, used)]
    repeats = any(_repeats(old, join) for old, _, join in steps)
    loses = repeats or not all(_always(old, join) for old, _, join in steps)
    if loses and any(_needs_the_lost(one, forgotten) for one in forgotten):
        return False
    return not repeats or _bears_repeats(select, forgotten)


def _steps(
    path: Sequence[graph.Join], used: Mapping[str, Table]
) -> Iterator[tuple[Table, Table, graph.Join]]:
    """The joins of a path with the table that is there before each, and the one it brings."""
    known = {id(table) for table in used.values()}
    for join in path:
        old, new = (join.right, join.left) if id(join.right) in known else (join.left, join.right)
        known = {id(new)}
        yield old, new, join


def _repeats(old: Table, join: graph.Join) -> bool:
    """True where a row of ``old`` may meet several of the table that refers to it."""
    columns = {pair[0].casefold() for pair in join.pairs}
    return join.right is old and not any(key <= columns for key in keys_of(join.left))


def _always(old: Table, join: graph.Join) -> bool:
    """True where each row of ``old`` meets one: its key is declared and never NULL."""
    if join.left is not old or join.is_inferred:
        return False
    columns = [old.column(pair[0]) for pair in join.pairs]
    return all(column is not None and not column.nullable for column in columns)


def _padded(select: exp.Select) -> set[str]:
    """The sources whose columns outer joins fill with NULL where there is no row."""
    found: set[str] = set()
    from_ = select.args.get("from_")
    before = {from_.this.alias_or_name} if from_ is not None else set()
    for join in select.args.get("joins") or ():
        name = join.this.alias_or_name
        if join.side in ("LEFT", "FULL"):
            found.add(name)
        if join.side in ("RIGHT", "FULL"):
            found |= before
        before.add(name)
    return found


def _read_around(select: exp.Select) -> set[str]:
    """The tables, case-folded, of the queries whose rows a subquery may speak of."""
    found: set[str] = set()
    node = select.parent
    while node is not None and not isinstance(node, exp.CTE | exp.From | exp.Join):
        if isinstance(node, exp.Select):
            sources = [node.args.get("from_"), *(node.args.get("joins") or ())]
            found |= {source.this.name.casefold() for source in sources if source is not None}
        node = node.parent
    return found


def _is_of(column: exp.Column, target: Table, used: Mapping[str, Table]) -> bool:
    """True for a column that only the forgotten table can have."""
    if target.column(column.name) is None:
        return False
    asked = [used[column.table]] if column.table in used else used.values()
    return (
        not column.table
        or column.table in used
        or column.table.casefold() == target.name.casefold()
    ) and all(table.column(column.name) is None for table in asked)


def _needs_the_lost(column: exp.Column, forgotten: Sequence[exp.Column]) -> bool:
    """True where a condition is about rows that have no partner, or is met by such as well."""
    if column.find_ancestor(exp.Coalesce, exp.Select) is not column.find_ancestor(exp.Select):
        return True
    node: exp.Expression = column
    while isinstance(node.parent, exp.Condition) and not isinstance(node.parent, exp.Query):
        node = node.parent
        if isinstance(node, exp.Is) and not _is_not_null(node):
            return True
        if isinstance(node, exp.Or) and any(
            all(one is not other for other in forgotten) for one in node.find_all(exp.Column)
        ):
            return True
    return False


def _bears_repeats(select: exp.Select, forgotten: Sequence[exp.Column]) -> bool:
    """Whether a SELECT means the same, or the rows of the forgotten table, where rows repeat."""
    if any(_is_negated(one) for one in forgotten):
        # Those without any such row were meant, not those with another one.
        return False
    grouped = select.args.get("group")
    by = grouped.expressions if grouped is not None else []
    is_by_forgotten = bool(by) and all(_among(item, forgotten) for item in by)
    for function in select.find_all(exp.AggFunc, exp.Window):
        if function.find_ancestor(exp.Select) is not select or isinstance(function, _SOME):
            continue
        if isinstance(function.this, exp.Distinct) or isinstance(function.parent, exp.Window):
            continue
        columns = list(function.find_all(exp.Column))
        if not (all(_among(one, forgotten) for one in columns) if columns else is_by_forgotten):
            return False
    if select.args.get("distinct") or grouped is not None or _is_within_condition(select):
        return True
    shown = [one for item in select.expressions for one in item.find_all(exp.Column)]
    return any(_among(one, forgotten) for one in shown) or _is_one_row(select)


def _among(column: exp.Expression, forgotten: Iterable[exp.Column]) -> bool:
    return any(column is one or column == one for one in forgotten)


def _is_negated(column: exp.Column) -> bool:
    node: exp.Expression = column
    while isinstance(node.parent, exp.Condition) and not isinstance(node.parent, exp.Query):
        node = node.parent
        if isinstance(node, exp.Is):
            return not _is_not_null(node)
        if isinstance(node, exp.NEQ | exp.Not) or node.args.get("negate"):
            return True
    return False


def _is_not_null(node: exp.Is) -> bool:
    is_negated = bool(node.args.get("negate")) != isinstance(node.parent, exp.Not)
    return is_negated and isinstance(node.expression, exp.Null)


def _is_within_condition(select: exp.Select) -> bool:
    """True for ``IN (SELECT …)`` and parts of a UNION: to them a repeated row is one row."""
    around = select.parent
    if isinstance(around, exp.SetOperation):
        return bool(around.args.get("distinct"))
    if isinstance(around, exp.Subquery):
        around = around.parent
    return isinstance(around, exp.In | exp.Exists)


def _is_one_row(select: exp.Select) -> bool:
    if any(item.find(exp.AggFunc) and not item.find(exp.Window) for item in select.expressions):
        return True
    limit = select.args.get("limit")
    count = limit.args.get("expression") or limit.args.get("count") if limit is not None else None
    return isinstance(count, exp.Literal) and count.name == "1"
