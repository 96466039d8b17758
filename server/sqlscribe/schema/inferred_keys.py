"""Joins that no foreign key declares, inferred from names and types.

``orders.customer_id`` is taken to refer to ``customers.id``, ``customers.customer_id`` or
``customers.cid`` where that is the key of the only table of that name and the types go together.
Where a table declares no key at all, the column that is called like one counts as its key.
A wrong join gives wrong numbers, so whatever could mean two tables is left alone, and nothing
joins by a bare ``id``.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence

from sqlscribe.schema.model import Column, ForeignKey, Schema, Table


def inferred_keys(schema: Schema) -> tuple[tuple[Table, ForeignKey], ...]:
    """Tables with a key of one column each that their DDL does not declare, in file order."""
    targets = _Targets(schema)
    return tuple(
        (table, ForeignKey((column.name,), target.name, target.schema, (key.name,)))
        for table in schema.tables
        if not table.parent and table.kind == "table"
        for column in _undeclared(table)
        for target, key in targets.of(table, column)
    )


_KEY_ENDINGS = ("id", "code", "key", "no", "num", "number", "uuid", "guid", "sk", "pk", "fk")
_PREFIXES = ("t", "tb", "tbl", "dim", "fact", "fct", "stg", "mst", "sys")
_GENERIC = frozenset(("type", "status", "parent", "external", "ref", "source", "object", "entity"))
_PARTS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+|[^\W\d_a-zA-Z]+")
_SHORTEST = 3
_LONGEST_SHORT_KEY = 6


class _Targets:
    """Tables with a key of one column, by what they are called and by what the key is called."""

    def __init__(self, schema: Schema) -> None:
        self._by_name: dict[tuple[str, ...], list[tuple[Table, Column]]] = defaultdict(list)
        self._by_key: dict[tuple[str, ...], list[tuple[Table, Column]]] = defaultdict(list)
        self._names: set[tuple[str, ...]] = set()
        for table in schema.tables:
            if table.parent or table.kind != "table":
                continue
            self._names.add(_called(table))
            for column in _keys(table):
                self._by_name[_called(table)].append((table, column))
                if table.primary_key[:1] == (column.name,):
                    self._by_key[_parts(column.name)].append((table, column))
        for short, owner in _owners_of_short_keys(schema):
            self._by_key.setdefault(_parts(short.name), []).append((owner, short))

    def of(self, table: Table, column: Column) -> Iterator[tuple[Table, Column]]:
        """The one key that a column refers to, if there is one."""
        stem, ending = _stem(column.name)
        if not stem and _is_short_key(column.name):
            yield from self._only(table, column, self._by_key.get(_parts(column.name), ()))
        if not stem or stem[-1] in _GENERIC or len("".join(stem)) < _SHORTEST:
            return
        for start in range(len(stem)):
            # ``start_station_id`` may well be a station, but ``start_station`` comes first.
            found = [
                (target, key)
                for target, key in self._by_name.get(stem[start:], ())
                if _is_key_of(key.name, target, ending, column.name)
            ]
            if found:
                yield from self._only(table, column, found)
            if found or stem[start:] in self._names:
                return
        yield from self._only(table, column, self._by_key.get(_parts(column.name), ()))

    def _only(
        self, table: Table, column: Column, found: Sequence[tuple[Table, Column]]
    ) -> Iterator[tuple[Table, Column]]:
        """The one of ``found`` that is meant: of several, that of the table's own schema."""
        if any(target is table for target, _ in found):
            # It is the key of this very table.
            return
        near = [one for one in found if one[0].schema == table.schema]
        only = near if len(near) == 1 else found
        if len(only) == 1 and _go_together(column.type, only[0][1].type):
            yield only[0]


def _keys(table: Table) -> list[Column]:
    """The columns that tell the rows of a table apart by themselves."""
    if not table.primary_key and not table.unique:
        return [column for column in table.columns if _is_called_key(column.name, table)]
    names = {names[0].casefold() for names in (table.primary_key, *table.unique) if len(names) == 1}
    return [column for column in table.columns if column.name.casefold() in names]


def _is_called_key(name: str, table: Table) -> bool:
    """True for ``id`` and ``customer_id`` in a table of customers."""
    stem, ending = _stem(name)
    return _parts(name) == ("id",) or (ending == "id" and stem == _called(table))


def _is_short_key(name: str) -> bool:
    """True for ``cid``: an id whose table is told by a letter or a few."""
    folded = name.casefold()
    return folded.isalpha() and folded.endswith("id") and 2 < len(folded) <= _LONGEST_SHORT_KEY


def _owners_of_short_keys(schema: Schema) -> Iterator[tuple[Column, Table]]:
    """The table whose rows a ``cid`` tells apart, where several tables have one and no keys.

    Of ``conference`` and ``conference_topic`` it is the first, whose name the other one extends.
    """
    holders: dict[str, list[tuple[Table, Column]]] = defaultdict(list)
    for table in schema.tables:
        if table.parent or table.kind != "table" or table.primary_key or table.unique:
            continue
        for column in table.columns:
            if _is_short_key(column.name):
                holders[column.name.casefold()].append((table, column))
    for name, having in holders.items():
        named = [one for one in having if "".join(_called(one[0])).startswith(name[:-2])]
        named.sort(key=lambda one: len(_called(one[0])))
        if len(having) > 1 and named:
            owner, column = named[0]
            own = _called(owner)
            if all(_called(other)[: len(own)] == own for other, _ in named[1:]):
                yield column, owner


def _undeclared(table: Table) -> Iterator[Column]:
    declared = {name.casefold() for key in table.foreign_keys for name in key.columns}
    for column in table.columns:
        if column.name.casefold() not in declared:
            yield column


def _is_key_of(key: str, target: Table, ending: str, column: str) -> bool:
    """True where a column called ``customer_id`` may refer to this key of the table."""
    parts = _parts(key)
    if parts in ((ending,), (*_called(target), ending), _parts(column)):
        return True
    initials = "".join(_called(target))
    return ending == "id" and _is_short_key(key) and initials.startswith(key.casefold()[:-2])


def _called(table: Table) -> tuple[str, ...]:
    parts = _parts(table.name)
    if len(parts) > 1 and parts[0] in _PREFIXES:
        parts = parts[1:]
    return (*parts[:-1], _singular(parts[-1])) if parts else ()


def _stem(name: str) -> tuple[tuple[str, ...], str]:
    """``customer_id`` is ``customer`` with the ending ``id``; ``id_customer`` too."""
    parts = _parts(name)
    if len(parts) > 1 and parts[-1] in _KEY_ENDINGS:
        return (*parts[:-2], _singular(parts[-2])), parts[-1]
    if len(parts) > 1 and parts[0] in ("id", "fk"):
        return (*parts[1:-1], _singular(parts[-1])), "id"
    return (), ""


def _parts(name: str) -> tuple[str, ...]:
    return tuple(part.casefold() for part in _PARTS.findall(name))


def _singular(word: str) -> str:
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith(("sses", "xes", "ches", "shes")):
        return word[:-2]
    return word[:-1] if word.endswith("s") and not word.endswith("ss") and len(word) > 3 else word


_FAMILIES = (
    (re.compile(r"(?:tiny|small|medium|big)?(?:int|serial)\w*|integer|int\d+|hugeint"), "integer"),
    (re.compile(r"(?:number|numeric|decimal)(?:\(\d+(?:,0)?\))?"), "integer"),
    (re.compile(r"n?(?:var)?char\w*|character.*|text|string|varchar2|nvarchar2|clob"), "text"),
    (re.compile(r"uuid|uniqueidentifier|guid"), "uuid"),
)


def _go_together(one: str, other: str) -> bool:
    return _family(one) == _family(other)


def _family(type_name: str) -> str:
    """What a type is compared as: ``INT UNSIGNED`` and ``bigint`` are both integers."""
    plain = re.sub(r"\s*\b(?:unsigned|signed|zerofill|identity.*)\b", "", type_name.casefold())
    plain = plain.replace(" ", "")
    bare = plain.partition("(")[0]
    for pattern, family in _FAMILIES:
        if pattern.fullmatch(plain) or (family != "integer" and pattern.fullmatch(bare)):
            return family
    return "integer" if bare in ("int", "bigint", "smallint", "tinyint", "mediumint") else plain
