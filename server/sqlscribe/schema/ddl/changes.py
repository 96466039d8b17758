"""What one statement of DDL does to a schema: the words between reading and replaying."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from sqlscribe.notation.document import Span
from sqlscribe.schema.ddl.cursor import Name
from sqlscribe.schema.model import Column, ForeignKey


@dataclass(frozen=True, slots=True)
class Constraint:
    """``target`` for a foreign key, ``values`` for a CHECK that lists them."""

    kind: Literal["primary", "unique", "foreign", "check"]
    columns: tuple[str, ...]
    name: str = ""
    target: ForeignKey | None = None
    values: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Star:
    """All columns of the source called ``source``, or of all sources, but ``without`` these."""

    source: str = ""
    without: tuple[str, ...] = ()
    renamed: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Output:
    """One column of a result: ``column`` of ``source`` where it is no more than that."""

    name: str
    quoted: bool = False
    source: str = ""
    column: str = ""
    type: str = ""


@dataclass(frozen=True, slots=True)
class Query:
    """What a SELECT gives. A source is a table's name, a query, or ``None``: not known."""

    outputs: tuple[Output | Star, ...]
    sources: tuple[tuple[str, Name | Query | None], ...] = ()


@dataclass(frozen=True, slots=True)
class Like:
    """Columns come from another table.

    ``copy`` takes them once; ``inherit`` and ``partition`` follow the other one's changes.
    ``place`` is how many of the table's own columns come first; with ``keys`` the primary
    key comes too.
    """

    table: Name
    how: Literal["copy", "inherit", "partition"] = "copy"
    place: int = 0
    keys: bool = False


@dataclass(frozen=True, slots=True)
class CreateTable:
    """A new table or view. ``names`` replace the names of the query's columns, in order."""

    table: Name
    span: Span
    line: int
    kind: str = "table"
    columns: tuple[Column, ...] = ()
    constraints: tuple[Constraint, ...] = ()
    comment: str = ""
    likes: tuple[Like, ...] = ()
    query: Query | None = None
    names: tuple[Column, ...] = ()
    partly_understood: bool = False
    keep_existing: bool = False
    replace_existing: bool = False


@dataclass(frozen=True, slots=True)
class AddColumn:
    column: Column
    constraints: tuple[Constraint, ...] = ()
    first: bool = False
    after: str = ""


@dataclass(frozen=True, slots=True)
class DropColumn:
    name: str


@dataclass(frozen=True, slots=True)
class RenameColumn:
    old: str
    new: str
    quoted: bool = False


@dataclass(frozen=True, slots=True)
class AlterColumn:
    """``None`` leaves as it is."""

    name: str
    type: str | None = None
    nullable: bool | None = None
    comment: str | None = None
    values: tuple[str, ...] | None = None
    fields: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class AddConstraint:
    constraint: Constraint


@dataclass(frozen=True, slots=True)
class DropConstraint:
    """By ``name``, or the only one of its ``kind``."""

    name: str = ""
    kind: str = ""


@dataclass(frozen=True, slots=True)
class AttachPartition:
    child: Name
    attached: bool = True


@dataclass(frozen=True, slots=True)
class ReplaceColumns:
    columns: tuple[Column, ...]


@dataclass(frozen=True, slots=True)
class SetComment:
    text: str


@dataclass(frozen=True, slots=True)
class RenameTable:
    """``schema`` is ``None`` where the table stays in its own."""

    new: str
    schema: str | None = None
    quoted: bool | None = None


Action = (
    AddColumn
    | DropColumn
    | RenameColumn
    | AlterColumn
    | AddConstraint
    | DropConstraint
    | AttachPartition
    | ReplaceColumns
    | SetComment
    | RenameTable
)


@dataclass(frozen=True, slots=True)
class AlterTable:
    table: Name
    actions: tuple[Action, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class DropTable:
    table: Name


@dataclass(frozen=True, slots=True)
class DropSchema:
    name: str


@dataclass(frozen=True, slots=True)
class UseNamespace:
    """From here on to the script's end, names without a schema belong to ``name``."""

    name: str


@dataclass(frozen=True, slots=True)
class CreateType:
    """A type with a name: its ``values`` (ENUM, a checked domain) or ``fields`` (composite)."""

    name: Name
    values: tuple[str, ...] = ()
    fields: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class AlterType:
    """A value added (``old`` empty) next to ``beside``, or renamed from ``old``."""

    name: Name
    value: str
    old: str = ""
    beside: str = ""
    before: bool = False


@dataclass(frozen=True, slots=True)
class CreateFunction:
    name: Name


@dataclass(frozen=True, slots=True)
class DropFunction:
    name: Name


Change = (
    CreateTable
    | AlterTable
    | DropTable
    | DropSchema
    | UseNamespace
    | CreateType
    | AlterType
    | CreateFunction
    | DropFunction
)
