"""Where the names of a statement lead, by their places; for who looks around in a text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache, partial

from sqlscribe.checking.names.making import around
from sqlscribe.checking.names.parts import Part, parts_of
from sqlscribe.checking.names.resolution import resolve
from sqlscribe.checking.names.scopes import Known
from sqlscribe.checking.names.script import NOTHING, Made
from sqlscribe.checking.parsing import parsed
from sqlscribe.identity_cache import identity_cache
from sqlscribe.schema.model import Schema, Table


@dataclass(frozen=True)
class Places:
    """``bound`` maps the offset where a column's last name starts to what it means.

    ``lost`` counts the names that mean nothing or more than one thing, ``unsure`` those of
    which nobody knows. ``complete`` is false where a part of the statement did not parse.
    """

    bound: Mapping[int, Known] = field(default_factory=dict)
    lost: int = 0
    unsure: Counter[str] = field(default_factory=Counter)
    complete: bool = True


def places(sql: str, schema: Schema, dialect: str, made: Iterable[Table] = ()) -> Places:
    """Follow the names of one statement. ``made`` are tables of the script. Never raises."""
    return _remembered(schema)(sql, dialect, tuple(made))


@identity_cache(maxsize=4)
def _remembered(schema: Schema) -> Callable[[str, str, tuple[Table, ...]], Places]:
    """What was followed in one schema. With it goes the schema, once it is no longer in force."""
    return lru_cache(maxsize=64)(partial(_places, schema))


def _places(schema: Schema, sql: str, dialect: str, tables: tuple[Table, ...]) -> Places:
    made = Made(tables=tables) if tables else NOTHING
    try:
        parts = parts_of(sql, dialect)
        if parts is None:
            parts = (Part(0, sql, strict=True),)
        return _of_parts(parts, schema, dialect, made)
    except RecursionError:
        return Places(complete=False)


def _of_parts(parts: Iterable[Part], schema: Schema, dialect: str, made: Made) -> Places:
    bound: dict[int, Known] = {}
    lost, complete = 0, True
    unsure: Counter[str] = Counter()
    for part in parts:
        parse = parsed(part.sql, dialect)
        if parse.problem is not None:
            complete = False
            continue
        walk = resolve(parse, schema, around(part, made, schema, dialect))
        bound |= {part.start + start: known for start, known in walk.bound.items()}
        lost += len(walk.misses)
        unsure.update(walk.unsure)
    return Places(bound, lost, unsure, complete)
