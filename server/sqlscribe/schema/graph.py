"""How tables join: foreign keys as a graph, and the shortest paths in it."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from sqlscribe.identity_cache import identity_cache
from sqlscribe.schema.inferred_keys import inferred_keys
from sqlscribe.schema.model import ForeignKey, Schema, Table


@dataclass(frozen=True)
class Join:
    """``left`` refers to ``right`` by ``pairs`` of column names, (left's, right's).

    ``is_inferred`` where no key says so, but names and types do.
    """

    left: Table
    right: Table
    pairs: tuple[tuple[str, str], ...]
    is_inferred: bool = False

    def other(self, table: Table) -> Table:
        """The table at the other end."""
        return self.right if table is self.left else self.left


def joins(schema: Schema) -> tuple[Join, ...]:
    """All joins that foreign keys give, in file order, and behind them those that names suggest.

    A key that names no columns of its target means the target's primary key. One whose target
    or columns are not known is left out.
    """
    return _graph(schema).joins


def joins_of(schema: Schema, table: Table) -> tuple[Join, ...]:
    """The joins of one table of ``schema``, both those it makes and those made to it."""
    return tuple(_graph(schema).by_table.get(id(table), ()))


def join_path_tables(schema: Schema, chosen: Iterable[Table]) -> tuple[Table, ...]:
    """The further tables on shortest paths that connect the ``chosen`` ones, in file order.

    The first table's part of the graph grows by the nearest chosen table at a time; among
    paths of one length the one of tables defined earlier is taken. Tables that no path
    connects are left alone.
    """
    by_table = _graph(schema).by_table
    wanted = {id(table): table for table in chosen}
    extra: dict[int, Table] = {}
    while wanted:
        first = wanted.pop(next(iter(wanted)))
        connected = {id(first): first}
        while wanted:
            path = _shortest(by_table, list(connected.values()), wanted)
            if not path:
                break
            for table in path:
                if wanted.pop(id(table), None) is None:
                    extra.setdefault(id(table), table)
                connected[id(table)] = table
    return tuple(table for table in schema.tables if id(table) in extra)


def _shortest(
    by_table: dict[int, list[Join]], sources: Sequence[Table], wanted: dict[int, Table]
) -> list[Table]:
    """The tables behind one of ``sources`` up to the nearest wanted one, that one included."""
    came_from: dict[int, Table | None] = {id(table): None for table in sources}
    queue = deque(sources)
    while queue:
        table = queue.popleft()
        for join in by_table.get(id(table), ()):
            following = join.other(table)
            if id(following) in came_from:
                continue
            came_from[id(following)] = table
            if id(following) in wanted:
                return _way_back(came_from, following)
            queue.append(following)
    return []


def _way_back(came_from: dict[int, Table | None], end: Table) -> list[Table]:
    path: list[Table] = []
    table: Table | None = end
    while table is not None:
        previous = came_from[id(table)]
        if previous is not None:
            path.append(table)
        table = previous
    return path


@dataclass(frozen=True)
class _Graph:
    joins: tuple[Join, ...]
    by_table: dict[int, list[Join]]


@identity_cache(maxsize=2)
def _graph(schema: Schema) -> _Graph:
    found: list[Join] = []
    by_table: dict[int, list[Join]] = {}
    keys = [(table, key, False) for table in schema.tables for key in table.foreign_keys]
    keys += [(table, key, True) for table, key in inferred_keys(schema)]
    for table, key, is_inferred in keys:
        join = _join(schema, table, key)
        if join is None:
            continue
        join = replace(join, is_inferred=is_inferred)
        found.append(join)
        by_table.setdefault(id(join.left), []).append(join)
        if join.right is not join.left:
            by_table.setdefault(id(join.right), []).append(join)
    return _Graph(tuple(found), by_table)


def _join(schema: Schema, table: Table, key: ForeignKey) -> Join | None:
    target = _target(schema, table, key)
    if target is None:
        return None
    columns = key.to_columns or target.primary_key
    if not columns or len(columns) != len(key.columns):
        return None
    return Join(table, target, tuple(zip(key.columns, columns, strict=True)))


def _target(schema: Schema, table: Table, key: ForeignKey) -> Table | None:
    """The table a key refers to; without a schema, one in the key's own schema comes first."""
    candidates = schema.named(key.to_table, key.to_schema)
    if len(candidates) > 1 and not key.to_schema:
        near = [each for each in candidates if each.schema == table.schema]
        candidates = tuple(near) or candidates
    exact = [each for each in candidates if each.name == key.to_table]
    return exact[0] if exact else candidates[0] if candidates else None
