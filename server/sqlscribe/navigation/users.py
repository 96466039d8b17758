"""Who uses a table or a column: the verified examples, by their SQL and their questions."""

from __future__ import annotations

from functools import lru_cache
from itertools import islice
from typing import Protocol

from sqlscribe.checking.names.running import words_of
from sqlscribe.identity_cache import identity_cache
from sqlscribe.knowledge.examples import Example
from sqlscribe.navigation.reading import LONGEST
from sqlscribe.navigation.scopes import Scopes
from sqlscribe.navigation.things import Look
from sqlscribe.navigation.walk import read_once
from sqlscribe.schema.model import Schema, Table

_MOST_READ = 500
"""Examples that are read again to find the users of one column."""


class Known(Protocol):
    """What a folder knows, as far as it is needed here."""

    @property
    def schema(self) -> Schema: ...

    @property
    def dialect(self) -> str: ...

    @property
    def examples(self) -> tuple[Example, ...]: ...


def users_of(table: Table, known: Known, column: str = "") -> tuple[Example, ...]:
    """The examples that use a table, or its ``column``, in their order.

    The first call after a change looks at all examples, and every call reads those that have
    the table's name.
    """
    telling = max(words_of(table.name), key=len, default="")
    candidates = _by_word(known.examples).get(telling, ())
    users = (each for each in candidates if _reads(each, table, known))
    if not column:
        return tuple(users)
    return tuple(each for each in islice(users, _MOST_READ) if _uses(each, table, column, known))


def _reads(example: Example, table: Table, known: Known) -> bool:
    return any(
        path[-1] == table.name.casefold()
        and any(same is table for same in known.schema.named(path[-1], ".".join(path[:-1])))
        for path in _tables(example.sql, example.dialect or known.dialect)
    )


def _uses(example: Example, table: Table, column: str, known: Known) -> bool:
    if column.casefold() not in example.sql.casefold():
        return False
    look = Look(example.sql, example.dialect or known.dialect, known.schema, parses=False)
    return any(
        thing.column is not None and thing.column.name == column and table in thing.tables
        for thing in look.things()
    )


@identity_cache(maxsize=2)
def _by_word(examples: tuple[Example, ...]) -> dict[str, list[Example]]:
    """The examples by the words of their SQL, case-folded."""
    found: dict[str, list[Example]] = {}
    for example in examples:
        for word in words_of(example.sql):
            found.setdefault(word, []).append(example)
    return found


@lru_cache(maxsize=20_000)
def _tables(sql: str, dialect: str) -> tuple[tuple[str, ...], ...]:
    """The names of the tables that a query reads, without those of its own CTEs."""
    if len(sql) > LONGEST:
        return ()
    reading = read_once(sql, dialect)
    scopes = Scopes(Schema(), dialect)
    paths: dict[tuple[str, ...], None] = {}
    for source in (source for block in reading.blocks for source in block.sources):
        if source.path and not source.is_call and scopes.cte(source) is None:
            parts = [token.text.casefold() for token in source.path]
            if dialect == "bigquery":
                parts = [piece for part in parts for piece in part.split(".")]
            paths[tuple(parts)] = None
    return tuple(paths)
