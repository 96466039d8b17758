"""Whole join conditions, from the foreign keys between what stands in FROM."""

from __future__ import annotations

from collections.abc import Iterator

from sqlscribe.navigation.reading import Source
from sqlscribe.navigation.scopes import Scopes
from sqlscribe.schema.graph import joins_of
from sqlscribe.schema.identifiers import spelled
from sqlscribe.schema.model import Table


def join_conditions(sources: list[Source], scopes: Scopes) -> Iterator[tuple[str, str]]:
    """Conditions that join the last source to those before it, with the reason for each.

    Foreign keys come first, then columns of one name that are the key of either side.
    """
    *earlier, last = sources
    for table in scopes.tables(last)[:1]:
        for source in reversed(earlier):
            for other in scopes.tables(source)[:1]:
                keys = list(_by_keys(last, table, source, other, scopes))
                yield from keys or _by_names(last, table, source, other, scopes)


def _by_keys(
    last: Source, table: Table, source: Source, other: Table, scopes: Scopes
) -> Iterator[tuple[str, str]]:
    for join in joins_of(scopes.schema, table):
        reason = f"foreign key of {join.left.name}"
        # A table may be joined to itself either way: first to what it refers to.
        if join.right is table and join.left is other:
            turned = tuple((right, left) for left, right in join.pairs)
            yield _condition(last, table, source, other, turned, scopes), reason
        if join.left is table and join.right is other:
            yield _condition(last, table, source, other, join.pairs, scopes), reason


def _by_names(
    last: Source, table: Table, source: Source, other: Table, scopes: Scopes
) -> Iterator[tuple[str, str]]:
    for one, two in ((table, other), (other, table)):
        key = one.primary_key
        if key and key != ("id",) and all(two.column(name) is not None for name in key):
            pairs = tuple((name, name) for name in key)
            yield _condition(last, table, source, other, pairs, scopes), f"key of {one.name}"
            return


def _condition(
    last: Source,
    table: Table,
    source: Source,
    other: Table,
    pairs: tuple[tuple[str, str], ...],
    scopes: Scopes,
) -> str:
    return " AND ".join(
        f"{label(last, scopes.dialect)}.{_column(table, mine, scopes.dialect)}"
        f" = {label(source, scopes.dialect)}.{_column(other, theirs, scopes.dialect)}"
        for mine, theirs in pairs
    )


def label(source: Source, dialect: str) -> str:
    """What stands in front of a source's columns, as a query writes it."""
    token = source.label
    return spelled(token.text, not token.word, dialect) if token is not None else ""


def _column(table: Table, name: str, dialect: str) -> str:
    column = table.column(name)
    return spelled(name, column is not None and column.quoted, dialect)
