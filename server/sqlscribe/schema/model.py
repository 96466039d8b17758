"""What a database looks like, as plain data that knows no dialect's parser."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Column:
    """A column. ``name`` is spelled as in the DDL, without its quotes.

    ``type`` is the DDL's own text, ``""`` where it gives none.
    ``values`` are the only values allowed, where an ENUM or a CHECK says so.
    ``fields`` are the dotted paths of a nested type (``addr.city``), not columns.
    """

    name: str
    type: str = ""
    nullable: bool = True
    comment: str = ""
    quoted: bool = False
    values: tuple[str, ...] = ()
    fields: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ForeignKey:
    """``columns`` of this table refer to ``to_columns`` of another one.

    ``to_columns`` is empty where the DDL names none: the other table's primary key is meant.
    """

    columns: tuple[str, ...]
    to_table: str
    to_schema: str = ""
    to_columns: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Table:
    """A table or a view.

    ``schema`` is everything before the name (``sales``, ``project.dataset``), or ``""``.
    ``line`` is the zero-based line of ``file`` where its definition starts.
    ``partly_understood`` means that columns may be missing: nothing may be called unknown here.
    ``parent`` names the table that this one is a partition of.
    """

    name: str
    columns: tuple[Column, ...]
    schema: str = ""
    primary_key: tuple[str, ...] = ()
    foreign_keys: tuple[ForeignKey, ...] = ()
    unique: tuple[tuple[str, ...], ...] = ()
    comment: str = ""
    kind: str = "table"
    quoted: bool = False
    file: Path | None = None
    line: int = 0
    partly_understood: bool = False
    parent: str = ""

    @property
    def qualified_name(self) -> str:
        return f"{self.schema}.{self.name}" if self.schema else self.name

    def column(self, name: str) -> Column | None:
        """The column of that name, letter case ignored; an exact match wins."""
        folded = name.casefold()
        same = [column for column in self.columns if column.name.casefold() == folded]
        return next((column for column in same if column.name == name), same[0] if same else None)


@dataclass(frozen=True)
class Schema:
    """All tables known, in the order of the files that define them."""

    tables: tuple[Table, ...] = ()
    functions: frozenset[str] = frozenset()
    """Names of functions that the DDL creates, case-folded."""
    _by_name: dict[str, tuple[Table, ...]] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        by_name: dict[str, list[Table]] = {}
        for table in self.tables:
            by_name.setdefault(table.name.casefold(), []).append(table)
        frozen = {name: tuple(tables) for name, tables in by_name.items()}
        object.__setattr__(self, "_by_name", frozen)

    @cached_property
    def folded(self) -> tuple[tuple[str, str, Table], ...]:
        """Each table with its qualified name and its name, case-folded: for searching in them."""
        return tuple(
            (table.qualified_name.casefold(), table.name.casefold(), table) for table in self.tables
        )

    @cached_property
    def referred(self) -> frozenset[tuple[str, str]]:
        """Schema and name, case-folded, of all tables that foreign keys refer to."""
        keys = (key for table in self.tables for key in table.foreign_keys)
        return frozenset((key.to_schema.casefold(), key.to_table.casefold()) for key in keys)

    def named(self, name: str, schema: str = "") -> tuple[Table, ...]:
        """Tables of a name, letter case ignored, in file order.

        ``schema`` may be any trailing part of the table's own one: ``shop`` finds
        ``acme.shop.orders``. A table defined without a schema answers to every schema.
        """
        tables = self._by_name.get(name.casefold(), ())
        if not schema:
            return tables
        wanted = schema.casefold().split(".")
        return tuple(
            table
            for table in tables
            if not table.schema or _ends_alike(table.schema.casefold().split("."), wanted)
        )


def _ends_alike(have: list[str], wanted: list[str]) -> bool:
    shorter = min(len(have), len(wanted))
    return have[-shorter:] == wanted[-shorter:]
