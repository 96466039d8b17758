"""What a walk through a statement finds out about its names."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum

from sqlglot import exp

from sqlscribe.checking.names.scopes import Known, Output, Scope, Source
from sqlscribe.schema.model import Table


class MissKind(Enum):
    TABLE = "unknown table"
    TABLE_GONE = "a table that the script dropped"
    TABLE_SPELLING = "a table whose name needs its quotes or its letter case"
    TABLE_AMBIGUOUS = "a table of several schemas"
    COLUMN = "unknown column"
    COLUMN_SPELLING = "a column whose name needs its quotes or its letter case"
    COLUMN_TAKEN = "a column whose name is a word of the engine without its quotes"
    COLUMN_AMBIGUOUS = "a column of several tables"
    COLUMN_TOO_EARLY = "a name of the select list used where it is not known yet"
    ALIAS = "unknown table or alias in front of a column"
    FIELD = "unknown field of a nested column"
    WINDOW = "unknown window behind OVER"


@dataclass(frozen=True)
class Miss:
    """A name that means nothing, or more than one thing.

    ``name`` is its identifier, ``scope`` where it was looked for. ``source`` is the one source
    it was asked of, ``tables`` and ``sources`` are what it may mean, ``known`` the column that
    it spells otherwise, or whose field it should be. ``before`` is the qualifier in front.
    """

    kind: MissKind
    name: exp.Identifier
    scope: Scope
    source: Source | None = None
    sources: tuple[Source, ...] = ()
    tables: tuple[Table, ...] = ()
    known: Known | None = None
    before: exp.Identifier | None = None
    within: str = ""


@dataclass
class Walk:
    """All that one walk notes. ``tables`` are names of tables as used, in order.

    ``bound`` maps the place of a column's identifier to what it means. ``unsure`` are names
    that were left unchecked. ``selects`` are the SELECTs with the scope of each. ``output`` is
    what the last statement gives, where it is a query.
    """

    misses: list[Miss] = field(default_factory=list)
    tables: list[str] = field(default_factory=list)
    bound: dict[int, Known] = field(default_factory=dict)
    unsure: list[str] = field(default_factory=list)
    selects: list[tuple[exp.Select, Scope]] = field(default_factory=list)
    output: Output | None = None

    def add(self, miss: Miss) -> None:
        self.misses.append(miss)
