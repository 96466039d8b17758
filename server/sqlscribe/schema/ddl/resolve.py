"""The columns of a query, once the tables that it reads are known."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from sqlscribe.schema.ddl.changes import Output, Query, Star
from sqlscribe.schema.ddl.cursor import Name
from sqlscribe.schema.model import Column


class Resolved(NamedTuple):
    """``complete`` is false where there may be more columns."""

    columns: tuple[Column, ...]
    complete: bool


Lookup = Callable[[Name], Resolved | None]
_NOTHING = Resolved((), False)
_DEEPEST = 100


def resolve(query: Query, lookup: Lookup, names: Sequence[Column] = ()) -> Resolved:
    """What ``query`` gives; ``names`` are the names that a view's own list gives it."""
    found = _Resolver(lookup, {}).query(query, 0)
    if not names:
        return found
    # A list of names is the whole truth about names; types come where the positions agree.
    types = found.columns if len(found.columns) == len(names) and found.complete else ()
    columns = [
        replace(
            name,
            type=name.type or (types[index].type if types else ""),
            values=name.values or (types[index].values if types else ()),
            fields=name.fields or (types[index].fields if types else ()),
            comment=name.comment or (types[index].comment if types else ""),
        )
        for index, name in enumerate(names)
    ]
    return Resolved(tuple(columns), True)


@dataclass(frozen=True)
class _Resolver:
    lookup: Lookup
    done: dict[int, Resolved]

    def query(self, query: Query, depth: int) -> Resolved:
        if depth > _DEEPEST:
            return _NOTHING
        # One common table expression may be read many times over.
        known = self.done.get(id(query))
        if known is None:
            known = self.done[id(query)] = self._resolved(query, depth)
        return known

    def _resolved(self, query: Query, depth: int) -> Resolved:
        sources = [(label.casefold(), self._source(s, depth)) for label, s in query.sources]
        columns: dict[str, Column] = {}
        complete = True
        for output in query.outputs:
            if isinstance(output, Star):
                found = _star(output, sources, query.joined)
                complete &= found.complete
            elif output.name:
                found = Resolved((_column(output, sources),), True)
            else:
                complete = False
                continue
            for column in found.columns:
                _add(columns, column, query.repeats)
        for other in query.others:
            found = self.query(other, depth + 1)
            complete &= found.complete
            for column in found.columns:
                columns.setdefault(column.name.casefold(), column)
        return Resolved(tuple(columns.values()), complete)

    def _source(self, source: Name | Query | None, depth: int) -> Resolved:
        if source is None:
            return _NOTHING
        if isinstance(source, Query):
            return self.query(source, depth + 1)
        return self.lookup(source) or _NOTHING


def _add(columns: dict[str, Column], column: Column, repeats: str) -> None:
    """Add a column of a result; where engines take two of one name, the second gets another."""
    if not repeats:
        columns.setdefault(column.name, column)
        return
    name, number = column.name, 0
    while name.casefold() in columns:
        number += 1
        name = repeats.format(column.name, number)
    columns[name.casefold()] = replace(column, name=name) if number else column


def _star(
    star: Star, sources: list[tuple[str, Resolved]], joined: tuple[str, ...] | None
) -> Resolved:
    wanted = star.source.casefold()
    used = [found for label, found in sources if not wanted or label == wanted]
    without = {name.casefold() for name in star.without}
    renamed = {old.casefold(): new for old, new in star.renamed}
    once = None if joined is None else {name.casefold() for name in joined}
    seen: set[str] = set()
    columns: list[Column] = []
    for found in used:
        for column in found.columns:
            name = column.name.casefold()
            if name in without or (name in seen and (once is None or name in once)):
                continue
            columns.append(replace(column, name=renamed.get(name, column.name), nullable=True))
        seen.update(column.name.casefold() for column in found.columns)
    return Resolved(tuple(columns), bool(used) and all(found.complete for found in used))


def _column(output: Output, sources: list[tuple[str, Resolved]]) -> Column:
    """The column of an output, with type and comment of the one it passes on."""
    wanted, name = output.source.casefold(), output.column.casefold()
    origins = [
        column
        for label, found in sources
        if name and (not wanted or label == wanted)
        for column in found.columns
        if column.name.casefold() == name
    ]
    if not origins:
        return Column(output.name, output.type, quoted=output.quoted)
    return replace(origins[0], name=output.name, quoted=output.quoted, nullable=True)
