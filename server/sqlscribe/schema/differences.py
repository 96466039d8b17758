"""What is different between two states of a schema, whatever lines things stand on."""

from __future__ import annotations

from sqlscribe.schema.model import Schema, Table


def changed_tables(before: Schema, now: Schema) -> frozenset[str] | None:
    """The names, without schemas, of the tables that are not the same in both.

    ``None`` where more than tables is different.
    """
    if before is now:
        return frozenset()
    if before.functions != now.functions:
        return None
    old, new = _by_name(before), _by_name(now)
    names = {
        table.name
        for name, tables in old.items()
        if not _same(tables, new.get(name, []))
        for table in tables
    }
    names |= {table.name for name, tables in new.items() if name not in old for table in tables}
    return frozenset(names)


def _by_name(schema: Schema) -> dict[str, list[Table]]:
    found: dict[str, list[Table]] = {}
    for table in schema.tables:
        found.setdefault(table.qualified_name, []).append(table)
    return found


def _same(before: list[Table], now: list[Table]) -> bool:
    return len(before) == len(now) and all(map(_alike, before, now))


def _alike(one: Table, other: Table) -> bool:
    if one is other:
        return True
    return _meaning(one) == _meaning(other)


def _meaning(table: Table) -> tuple[object, ...]:
    """All of a table but its place."""
    return (
        table.columns,
        table.primary_key,
        table.foreign_keys,
        table.unique,
        table.comment,
        table.kind,
        table.quoted,
        table.partly_understood,
        table.parent,
    )
