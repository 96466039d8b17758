"""Types and domains that a script defines."""

from __future__ import annotations

from collections.abc import Iterable

from sqlscribe.schema.ddl.alter import read_attributes
from sqlscribe.schema.ddl.changes import (
    AddColumn,
    AlterColumn,
    AlterComposite,
    AlterType,
    Change,
    ChangeFields,
    ColumnAction,
    CreateType,
    DropColumn,
    RenameColumn,
    RenameType,
)
from sqlscribe.schema.ddl.columns import read_column
from sqlscribe.schema.ddl.cursor import Cursor, Name
from sqlscribe.schema.ddl.tokens import words
from sqlscribe.schema.ddl.types import checked_values, nested_fields, strings
from sqlscribe.schema.model import Column


def created_type(cursor: Cursor, kind: str) -> CreateType | None:
    """The type whose name stands at ``cursor``; ``kind`` is TYPE or DOMAIN."""
    name = cursor.name()
    if name is None:
        return None
    if kind == "DOMAIN":
        return CreateType(name, _domain_values(cursor))
    if cursor.take("AS", "ENUM"):
        return CreateType(name, strings(cursor.group()))
    if cursor.take("AS") or cursor.take("IS") or cursor.sees("UNDER"):
        return _composite(name, cursor)
    return CreateType(name)


def _domain_values(cursor: Cursor) -> tuple[str, ...]:
    if not cursor.seek(lambda at: at.sees("CHECK")):
        return ()
    cursor.next()
    group = cursor.group()
    checked = checked_values(group) if group else None
    return checked[1] if checked else ()


# Oracle's object types have methods between their attributes.
_METHODS = words("MEMBER STATIC CONSTRUCTOR MAP ORDER OVERRIDING FINAL INSTANTIABLE NOT PRAGMA")


def _composite(name: Name, cursor: Cursor) -> CreateType:
    cursor.take("OBJECT")
    if not cursor.sees_mark("("):
        return CreateType(name, fields=nested_fields(cursor))
    group = cursor.group()
    columns: list[Column] = []
    for item in group.items() if group else ():
        if item.peek().word in _METHODS and item.peek(1).word != "":
            continue
        column = read_column(item).column
        if column is not None and column.type:
            columns.append(column)
    return CreateType(name, (), paths(columns), tuple(columns))


def paths(columns: Iterable[Column]) -> tuple[str, ...]:
    """The dotted paths that a column of a type with these columns has."""
    return tuple(
        path
        for column in columns
        for path in ([f"{column.name}.{inner}" for inner in column.fields] or [column.name])
    )


def altered_type(cursor: Cursor) -> Change | None:
    """The change of the type whose name stands at ``cursor``."""
    name = cursor.name()
    if name is None:
        return None
    if cursor.take("ADD", "VALUE"):
        cursor.take("IF", "NOT", "EXISTS")
        value = cursor.text()
        before = cursor.sees("BEFORE")
        beside = cursor.text() if cursor.take("BEFORE") or cursor.take("AFTER") else None
        return AlterType(name, value, "", beside or "", before) if value is not None else None
    if cursor.take("RENAME", "VALUE"):
        old = cursor.text()
        new = cursor.text() if cursor.take("TO") else None
        return AlterType(name, new, old) if old is not None and new is not None else None
    if cursor.take("RENAME", "TO"):
        renamed = cursor.name()
        return RenameType(name, renamed) if renamed is not None else None
    if not cursor.seek(lambda at: at.sees("ATTRIBUTE")):
        return None
    cursor.at -= 1
    actions, _ = read_attributes(cursor)
    kept: list[ColumnAction] = [
        action
        for action in actions
        if isinstance(action, AddColumn | DropColumn | RenameColumn | AlterColumn | ChangeFields)
    ]
    return AlterComposite(name, tuple(kept)) if kept else None
