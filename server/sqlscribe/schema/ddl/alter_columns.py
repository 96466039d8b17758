"""The actions of ALTER TABLE that change one column, or a field of a nested one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from sqlscribe.notation.script_lines import is_tsql
from sqlscribe.schema.ddl.changes import (
    Action,
    AddColumn,
    AddConstraint,
    AlterColumn,
    ChangeFields,
    DropColumn,
    MoveColumn,
    RenameColumn,
    SetComment,
)
from sqlscribe.schema.ddl.columns import read_column, read_comment, read_item
from sqlscribe.schema.ddl.constraints import read_constraint
from sqlscribe.schema.ddl.cursor import Cursor
from sqlscribe.schema.ddl.tokens import Sort, Token, words
from sqlscribe.schema.ddl.types import nested_fields, take_type, type_text
from sqlscribe.schema.model import Column


class NotUnderstood(Exception):
    """An action of ALTER TABLE that ought to be known and is not; carries its place."""

    def __init__(self, item: Cursor) -> None:
        super().__init__("not understood")
        self.span = item.span()


def take_field(item: Cursor) -> tuple[str, str] | None:
    """``addr.city``: the column and the path in it; the cursor moves behind them."""
    if item.peek().sort not in (Sort.WORD, Sort.NAME) or not item.sees_mark(".", 1):
        return None
    parts = [item.next().text]
    while item.take_mark("."):
        part = item.identifier()
        if part is None:
            return None
        parts.append(part.text)
    return parts[0], ".".join(parts[1:])


# -- ADD and DROP ------------------------------------------------------------------------


def added(item: Cursor) -> Iterator[Action]:
    """What follows ADD: a constraint, a field or a column."""
    constraints = read_constraint(item) if item.peek().sort is Sort.WORD else None
    if constraints is not None:
        yield from map(AddConstraint, constraints)
        return
    nested = take_field(item.copy())
    if nested is not None:
        column, path = nested
        take_field(item)
        inner = nested_fields(take_type(item))
        yield ChangeFields(column, tuple(f"{path}.{each}" for each in inner) or (path,))
        return
    start = item.copy()
    behind_name = item.copy()
    behind_name.next()
    place = _place(behind_name)
    read = read_item(item)
    if read.column is None:
        raise NotUnderstood(start)
    yield AddColumn(read.column, read.constraints, place == "", place or "")


def _place(behind_name: Cursor) -> str | None:
    """The column that one is put behind, ``""`` where it comes first, ``None`` without a place."""
    position = behind_name.copy()
    if not position.seek(lambda at: at.sees("AFTER") or at.sees("FIRST")):
        return None
    if position.next().word == "FIRST":
        return ""
    behind = position.identifier()
    return behind.text if behind else None


def _moved(name: str, behind_name: Cursor) -> Iterator[Action]:
    place = _place(behind_name)
    if place is not None:
        yield MoveColumn(name, place)


def dropped(part: Cursor) -> Iterator[Action]:
    """One name after DROP COLUMN."""
    nested = take_field(part)
    if nested is not None:
        yield ChangeFields(nested[0], removed=(nested[1],))
        return
    name = part.identifier()
    if name is not None:
        yield DropColumn(name.text)


def renamed(item: Cursor, old: Token) -> Iterator[Action]:
    """What follows ``RENAME old TO``."""
    new = item.identifier()
    if new is not None:
        yield RenameColumn(old.text, new.text, new.sort is not Sort.WORD)


# -- ALTER, MODIFY and CHANGE ------------------------------------------------------------

_KEEPS_ITS_TYPE = words(
    "SET DROP ADD RESET COMMENT FIRST AFTER RESTART UNSET OPTIONS NOT NULL REMOVE POSITION "
    "ENCODE INVISIBLE VISIBLE DEFAULT MODIFY ENABLE DISABLE"
)


def altered(item: Cursor) -> Iterator[Action]:
    """What follows ALTER [COLUMN]: changes of one column, or of those in brackets."""
    group = item.group()
    for part in group.items() if group is not None else [item]:
        if take_field(part.copy()) is not None:
            # Of a nested column only its fields' names are kept.
            continue
        name = part.identifier()
        if name is None:
            raise NotUnderstood(part)
        yield from column_changed(name, part.copy(), whole=is_tsql(part.tokens.dialect))
        yield from _moved(name.text, part)


def column_changed(name: Token, item: Cursor, *, whole: bool) -> Iterator[Action]:
    """What follows the name; ``whole`` where a definition there replaces the old one."""
    if item.take("TYPE") or item.take("SET", "DATA", "TYPE") or item.take("SET", "TYPE"):
        yield from _retyped(name, item)
    elif item.take("SET", "NOT", "NULL") or item.take("NOT", "NULL"):
        yield AlterColumn(name.text, nullable=False)
    elif item.take("DROP", "NOT", "NULL") or item.take("NULL"):
        yield AlterColumn(name.text, nullable=True)
    elif item.take("RENAME", "TO"):
        yield from renamed(item, name)
    elif item.sees("COMMENT") or (item.sees("SET") and item.peek(1).word in _COMMENTS):
        item.take("SET")
        said = read_comment(item)
        if said is not None:
            yield AlterColumn(name.text, comment=said)
    elif item and item.peek().word not in _KEEPS_ITS_TYPE:
        yield from _redefined(name, item, whole=whole)


_COMMENTS = frozenset({"COMMENT", "OPTIONS"})


def _retyped(name: Token, item: Cursor) -> Iterator[Action]:
    type_ = take_type(item)
    yield AlterColumn(name.text, type=type_text(type_), values=(), fields=nested_fields(type_))


def _redefined(name: Token, item: Cursor, *, whole: bool) -> Iterator[Action]:
    """A column's definition again, with its name just before ``item``."""
    written = any(token.word == "NULL" for token in item.left())
    column = read_column(Cursor(item.tokens, item.at - 1, item.end)).column
    if column is None:
        raise NotUnderstood(item)
    yield _change(replace(column, name=name.text), nullability=whole or written)


def _change(column: Column, *, nullability: bool) -> AlterColumn:
    return AlterColumn(
        column.name,
        type=column.type or None,
        nullable=column.nullable if nullability else None,
        comment=column.comment or None,
        values=column.values if column.type else None,
        fields=column.fields if column.type else None,
    )


def modified(item: Cursor) -> Iterator[Action]:
    """What follows MODIFY: a comment of the table, or columns defined anew."""
    if item.sees("COMMENT"):
        said = read_comment(item)
        if said is not None:
            yield SetComment(said)
        return
    item.take("COLUMN")
    item.take("IF", "EXISTS")
    group = item.group()
    for part in group.items() if group is not None else [item]:
        if take_field(part.copy()) is not None:
            continue
        name = part.identifier()
        if name is None:
            raise NotUnderstood(item)
        yield from column_changed(name, part.copy(), whole=item.tokens.dialect == "mysql")
        yield from _moved(name.text, part)


def changed(item: Cursor) -> Iterator[Action]:
    """What follows CHANGE: the old name, then a definition under a new one."""
    item.take("COLUMN")
    item.take("IF", "EXISTS")
    old = item.identifier()
    if old is None:
        raise NotUnderstood(item)
    definition = item.copy()
    column = read_column(item).column
    if column is None:
        raise NotUnderstood(item)
    if old.text != column.name:
        yield RenameColumn(old.text, column.name, column.quoted)
    yield _change(column, nullability=item.tokens.dialect == "mysql")
    definition.next()
    yield from _moved(column.name, definition)
