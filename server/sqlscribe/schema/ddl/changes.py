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
    """What a SELECT gives. A source is a table's name, a query, or ``None``: not known.

    ``joined`` are the columns that a join by USING gives once, ``None`` for all that agree.
    ``repeats`` is how the engine calls the second column of one name (``{0}:{1}``), ``""``
    where it takes none. ``others`` give their columns too, as UNION BY NAME does.
    """

    outputs: tuple[Output | Star, ...]
    sources: tuple[tuple[str, Name | Query | None], ...] = ()
    joined: tuple[str, ...] | None = ()
    repeats: str = ""
    others: tuple[Query, ...] = ()


LikeHow = Literal["copy", "inherit", "partition", "type"]


@dataclass(frozen=True, slots=True)
class Like:
    """Columns come from another table, or from a type that has columns.

    ``copy`` takes them once; ``inherit`` and ``partition`` follow the other one's changes.
    ``place`` is how many of the table's own columns come first; with ``keys`` the primary
    key comes too.
    """

    table: Name
    how: LikeHow = "copy"
    place: int = 0
    keys: bool = False


@dataclass(frozen=True, slots=True)
class CreateTable:
    """A new table or view. ``names`` replace the names of the query's columns, in order.

    ``partitioned`` are the columns that stand in its PARTITIONED BY, with their types.
    """

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
    partitioned: tuple[str, ...] = ()


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
class MoveColumn:
    """To the first place, or behind the column ``after``."""

    name: str
    after: str = ""


@dataclass(frozen=True, slots=True)
class ChangeFields:
    """Fields of a nested ``column`` come and go, by their dotted paths in it."""

    column: str
    added: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()


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
class Inherit:
    """Follow the changes of ``parent``, or no longer."""

    parent: Name
    inherited: bool = True


@dataclass(frozen=True, slots=True)
class Swap:
    """Two tables change their names with each other."""

    other: Name


@dataclass(frozen=True, slots=True)
class LoseTrack:
    """Something was done to the table that nobody here understands."""


@dataclass(frozen=True, slots=True)
class ReplaceColumns:
    columns: tuple[Column, ...]


@dataclass(frozen=True, slots=True)
class SetComment:
    text: str


@dataclass(frozen=True, slots=True)
class RenameTable:
    """``schema`` is ``None`` where the table stays in its own, ``""`` for the current one."""

    new: str
    schema: str | None = None
    quoted: bool | None = None


ColumnAction = AddColumn | DropColumn | RenameColumn | AlterColumn | MoveColumn | ChangeFields
Action = (
    ColumnAction
    | AddConstraint
    | DropConstraint
    | AttachPartition
    | Inherit
    | Swap
    | LoseTrack
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
    """With ``cascade`` the views that read the table go too."""

    table: Name
    cascade: bool = False


@dataclass(frozen=True, slots=True)
class DropSchema:
    name: str


@dataclass(frozen=True, slots=True)
class RenameSchema:
    old: str
    new: str


@dataclass(frozen=True, slots=True)
class UseNamespace:
    """From here on to the script's end, names without a schema belong to ``name``."""

    name: str


@dataclass(frozen=True, slots=True)
class CreateType:
    """A type with a name: its ``values`` (ENUM, a checked domain) or ``columns`` (composite).

    ``fields`` are the dotted paths that a column of this type has.
    """

    name: Name
    values: tuple[str, ...] = ()
    fields: tuple[str, ...] = ()
    columns: tuple[Column, ...] = ()


@dataclass(frozen=True, slots=True)
class AlterType:
    """A value added (``old`` empty) next to ``beside``, or renamed from ``old``."""

    name: Name
    value: str
    old: str = ""
    beside: str = ""
    before: bool = False


@dataclass(frozen=True, slots=True)
class RenameType:
    """Columns of the type go with it."""

    name: Name
    new: Name


@dataclass(frozen=True, slots=True)
class AlterComposite:
    name: Name
    actions: tuple[ColumnAction, ...]


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
    | RenameSchema
    | UseNamespace
    | CreateType
    | AlterType
    | AlterComposite
    | RenameType
    | CreateFunction
    | DropFunction
)
