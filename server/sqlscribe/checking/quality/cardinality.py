"""How many rows of one source meet a row of another, as far as keys say."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from sqlglot import exp

from sqlscribe.checking.names.scopes import Scope, Source
from sqlscribe.checking.quality.look import Look
from sqlscribe.schema.model import Table


@dataclass(frozen=True)
class Link:
    """A join of ``one`` to ``other``. ``many``: a row of ``one`` may meet several of ``other``."""

    one: int
    other: int
    many: bool


def keys_of(table: Table) -> list[set[str]]:
    """The column sets, case-folded, of which each value stands in one row only."""
    keys = [table.primary_key, *table.unique]
    return [{name.casefold() for name in key} for key in keys if key]


def links(look: Look, select: exp.Select, scope: Scope) -> list[Link]:
    """The joins between a SELECT's tables that keys say something about.

    Of two tables joined on other columns than keys nothing is said. A link that is not many
    within each group of the SELECT counts as one that is not.
    """
    pairs: dict[tuple[int, int], list[tuple[str, str]]] = {}
    fixed: dict[int, set[str]] = {}
    for condition in _conditions(select):
        for left, right in _equalities(condition):
            one, other = _place(look, left, scope), _place(look, right, scope)
            if one is not None and other is not None and one[0] != other[0]:
                pairs.setdefault((one[0], other[0]), []).append((one[1], other[1]))
                pairs.setdefault((other[0], one[0]), []).append((other[1], one[1]))
            elif (one is None) != (other is None):
                at, column = one or other or (0, "")
                value = right if other is None else left
                if not list(value.find_all(exp.Column)):
                    fixed.setdefault(at, set()).add(column)
    _by_name(select, scope, pairs)
    _by_group(look, select, scope, pairs, fixed)
    return list(_judged(scope, pairs, fixed))


def _judged(
    scope: Scope, pairs: dict[tuple[int, int], list[tuple[str, str]]], fixed: dict[int, set[str]]
) -> Iterator[Link]:
    for (one, other), columns in pairs.items():
        mine, its = scope.sources[one].table, scope.sources[other].table
        if mine is None or its is None:
            continue
        left, right = {pair[0] for pair in columns}, {pair[1] for pair in columns}
        left |= fixed.get(one, set())
        right |= fixed.get(other, set())
        single = any(key <= right for key in keys_of(its))
        whole = any(key <= left for key in keys_of(mine))
        if single:
            yield Link(one, other, many=False)
        elif whole and keys_of(its) and not its.partly_understood:
            yield Link(one, other, many=True)


def _conditions(select: exp.Select) -> Iterator[exp.Expression]:
    parts = [select.args.get("where")]
    parts += [join.args.get("on") for join in select.args.get("joins") or ()]
    for part in parts:
        part = part.this if isinstance(part, exp.Where) else part
        if part is not None:
            yield from part.flatten() if isinstance(part, exp.And) else [part]


def _equalities(condition: exp.Expression) -> Iterator[tuple[exp.Expression, exp.Expression]]:
    while isinstance(condition, exp.Paren):
        condition = condition.this
    if isinstance(condition, exp.And):
        for part in condition.flatten():
            yield from _equalities(part)
    elif isinstance(condition, exp.EQ):
        yield condition.this, condition.expression


def _place(look: Look, node: exp.Expression, scope: Scope) -> tuple[int, str] | None:
    """The number of the source, and the column's name, that one side of an equality is."""
    if not isinstance(node, exp.Column):
        return None
    source = look.source(node, scope)
    if source is None:
        return None
    known = look.known(node)
    name = known.column.name if known.column is not None else node.name
    return _number(source, scope), name.casefold()


def _number(source: Source, scope: Scope) -> int:
    return next(i for i, other in enumerate(scope.sources) if other is source)


def _by_name(
    select: exp.Select, scope: Scope, pairs: dict[tuple[int, int], list[tuple[str, str]]]
) -> None:
    """USING and NATURAL: the last source before the join that has the column is meant."""
    for number, join in enumerate(select.args.get("joins") or (), start=1):
        if number >= len(scope.sources) or len(scope.sources) != 1 + len(select.args["joins"]):
            return
        names = [name.name.casefold() for name in join.args.get("using") or ()]
        for name in names:
            before = [
                i
                for i, source in enumerate(scope.sources[:number])
                if source.table is not None and source.table.column(name) is not None
            ]
            if before:
                pairs.setdefault((before[0], number), []).append((name, name))
                pairs.setdefault((number, before[0]), []).append((name, name))


def _by_group(
    look: Look,
    select: exp.Select,
    scope: Scope,
    pairs: dict[tuple[int, int], list[tuple[str, str]]],
    fixed: dict[int, set[str]],
) -> None:
    """Within a group its columns are fixed, and so are the references to what is grouped by."""
    group = select.args.get("group")
    for item in group.expressions if group is not None else ():
        place = _place(look, item, scope)
        if place is None:
            continue
        fixed.setdefault(place[0], set()).add(place[1])
        for (one, other), columns in pairs.items():
            if other == place[0]:
                fixed.setdefault(one, set()).update(pair[0] for pair in columns)


def multiplied_by(start: int, joined: list[Link]) -> Link | None:
    """The link that repeats the rows of the source ``start``; ``None`` if surely none does."""
    seen, waiting = {start}, [start]
    while waiting:
        one = waiting.pop(0)
        for link in joined:
            if link.one != one or link.other in seen:
                continue
            if link.many:
                return link
            seen.add(link.other)
            waiting.append(link.other)
    return None
