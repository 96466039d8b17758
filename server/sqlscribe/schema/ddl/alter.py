"""ALTER TABLE and its relatives."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from sqlscribe.notation.script_lines import is_tsql
from sqlscribe.schema.ddl.changes import (
    Action,
    AddColumn,
    AddConstraint,
    AlterColumn,
    AttachPartition,
    DropColumn,
    DropConstraint,
    RenameColumn,
    RenameTable,
    ReplaceColumns,
    SetComment,
)
from sqlscribe.schema.ddl.columns import read_column, read_comment, read_item
from sqlscribe.schema.ddl.constraints import read_constraint
from sqlscribe.schema.ddl.cursor import Cursor
from sqlscribe.schema.ddl.tokens import Sort, Token, words
from sqlscribe.schema.ddl.types import COMMON, nested_fields, take_type, type_text
from sqlscribe.schema.model import Column


class NotUnderstood(Exception):
    """An action of ALTER TABLE that ought to be known and is not; carries its place."""

    def __init__(self, item: Cursor) -> None:
        super().__init__("not understood")
        self.span = item.span()


def read_actions(cursor: Cursor) -> Iterator[Action]:
    """The actions after the table's name. Raises :class:`NotUnderstood` at one that is odd."""
    while cursor.take("WITH", "CHECK") or cursor.take("WITH", "NOCHECK"):
        pass
    again: _Reader | None = None
    for item in cursor.items():
        if not item:
            continue
        reader = _READERS.get(item.peek().word)
        if reader is not None and not _continues(item, again):
            start = item.next()
            again = reader if start.word in _MAY_GO_ON else None
            yield from reader(item)
        elif again in (_add, _drop) or (again is not None and item.sees("COLUMN")):
            # T-SQL and Snowflake: ADD a int, b int.
            yield from again(item)


_MAY_GO_ON = frozenset({"ADD", "DROP", "ALTER", "MODIFY"})


def _continues(item: Cursor, again: _Reader | None) -> bool:
    """``ADD a int, rename text``: a column that is called like an action."""
    starts_action = item.peek().word in ("ADD", "ALTER", "DROP")
    return again is _add and not starts_action and item.peek(1).word in COMMON


_Reader = Callable[[Cursor], Iterator[Action]]


def _add(item: Cursor) -> Iterator[Action]:
    item.skip_words(frozenset({"COLUMN", "COLUMNS"}))
    item.take("IF", "NOT", "EXISTS")
    if item.peek().word in _NOT_ADDED and item.peek(1).word not in COMMON:
        return
    group = item.group()
    if group is not None:
        for part in group.items():
            if part:
                yield from _added(part)
        return
    yield from _added(item)


_NOT_ADDED = words("PARTITION GENERATED DEFAULT ROW SEARCH TAG CLUSTERING")


def _added(item: Cursor) -> Iterator[Action]:
    constraints = read_constraint(item) if item.peek().sort is Sort.WORD else None
    if constraints is not None:
        yield from map(AddConstraint, constraints)
        return
    start = Cursor(item.tokens, item.at, item.end)
    position = Cursor(item.tokens, item.at, item.end)
    first, after = False, ""
    if position.seek(lambda at: at.at > start.at and (at.sees("AFTER") or at.sees("FIRST"))):
        first = position.next().word == "FIRST"
        behind = None if first else position.identifier()
        after = behind.text if behind else ""
    read = read_item(item)
    if read.column is None:
        raise NotUnderstood(start)
    yield AddColumn(read.column, read.constraints, first, after)


def _drop(item: Cursor) -> Iterator[Action]:
    if item.take("PRIMARY", "KEY"):
        yield DropConstraint(kind="primary")
        return
    if item.take("CONSTRAINT") or item.take("FOREIGN", "KEY") or item.take("CHECK"):
        item.take("IF", "EXISTS")
        name = item.identifier()
        if name is not None:
            yield DropConstraint(name.text)
        return
    if item.peek().word in _NOT_COLUMNS and item.peek(1).sort is not Sort.END:
        return
    item.skip_words(frozenset({"COLUMN", "COLUMNS"}))
    item.take("IF", "EXISTS")
    group = item.group()
    for part in group.items() if group is not None else [item]:
        name = part.identifier()
        if name is not None:
            yield DropColumn(name.text)


_NOT_COLUMNS = words(
    "INDEX KEY PARTITION SUBPARTITION PERIOD DEFAULT PROJECTION STATISTICS ROW "
    "CLUSTERING TAG SEARCH UNUSED DETACHED"
)


def _rename(item: Cursor) -> Iterator[Action]:
    if item.peek().word in ("CONSTRAINT", "INDEX", "KEY", "PARTITION"):
        return
    if item.take("TO") or item.take("AS"):
        yield from _rename_table(item)
        return
    column = item.take("COLUMN")
    item.take("IF", "EXISTS")
    old = item.identifier()
    if old is None:
        raise NotUnderstood(item)
    if item.take("TO") or item.take("AS"):
        new = item.identifier()
        if new is not None:
            yield RenameColumn(old.text, new.text, new.sort is not Sort.WORD)
    elif not column:
        # MySQL: RENAME new, RENAME db.new.
        item.at -= 1
        yield from _rename_table(item)


def _rename_table(item: Cursor) -> Iterator[Action]:
    name = item.name()
    if name is not None:
        yield RenameTable(name.name, name.schema or None, name.quoted)


_KEEPS_ITS_TYPE = words(
    "SET DROP ADD RESET COMMENT FIRST AFTER RESTART UNSET OPTIONS NOT NULL REMOVE"
)


def _alter(item: Cursor) -> Iterator[Action]:
    if item.peek().word in ("CONSTRAINT", "INDEX", "CHECK"):
        return
    item.take("COLUMN")
    item.take("IF", "EXISTS")
    name = item.identifier()
    if name is None:
        raise NotUnderstood(item)
    yield from _column_changed(name, item, whole=is_tsql(item.tokens.dialect))


def _column_changed(name: Token, item: Cursor, *, whole: bool) -> Iterator[Action]:
    """What follows the name; ``whole`` where a definition there replaces the old one."""
    if item.take("TYPE") or item.take("SET", "DATA", "TYPE") or item.take("SET", "TYPE"):
        yield from _retyped(name, item)
    elif item.take("SET", "NOT", "NULL") or item.take("NOT", "NULL"):
        yield AlterColumn(name.text, nullable=False)
    elif item.take("DROP", "NOT", "NULL") or item.take("NULL"):
        yield AlterColumn(name.text, nullable=True)
    elif item.take("RENAME", "TO"):
        new = item.identifier()
        if new is not None:
            yield RenameColumn(name.text, new.text, new.sort is not Sort.WORD)
    elif item.sees("COMMENT") or _sets_comment(item):
        said = read_comment(item)
        if said is not None:
            yield AlterColumn(name.text, comment=said)
    elif item and item.peek().word not in _KEEPS_ITS_TYPE:
        yield from _redefined(name, item, whole=whole)


def _sets_comment(item: Cursor) -> bool:
    return item.take("SET") and item.peek().word in ("COMMENT", "OPTIONS")


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


def _modify(item: Cursor) -> Iterator[Action]:
    if item.sees("COMMENT"):
        said = read_comment(item)
        if said is not None:
            yield SetComment(said)
        return
    item.take("COLUMN")
    item.take("IF", "EXISTS")
    group = item.group()
    for part in group.items() if group is not None else [item]:
        name = part.identifier()
        if name is None:
            raise NotUnderstood(item)
        yield from _column_changed(name, part, whole=item.tokens.dialect == "mysql")


def _change_column(item: Cursor) -> Iterator[Action]:
    item.take("COLUMN")
    old = item.identifier()
    if old is None:
        raise NotUnderstood(item)
    column = read_column(item).column
    if column is None:
        raise NotUnderstood(item)
    if old.text != column.name:
        yield RenameColumn(old.text, column.name, column.quoted)
    yield _change(column, nullability=item.tokens.dialect == "mysql")


def _partition(attached: bool) -> _Reader:
    def read(item: Cursor) -> Iterator[Action]:
        if item.take("PARTITION"):
            child = item.name()
            if child is not None:
                yield AttachPartition(child, attached)

    return read


def _set(item: Cursor) -> Iterator[Action]:
    if item.take("SCHEMA"):
        schema = item.name()
        if schema is not None:
            yield RenameTable("", schema.name)
    elif item.peek().word in ("COMMENT", "OPTIONS"):
        said = read_comment(item)
        if said is not None:
            yield SetComment(said)


def _comment(item: Cursor) -> Iterator[Action]:
    if item.take("COLUMN"):
        item.take("IF", "EXISTS")
        name = item.identifier()
        said = item.text()
        if name is not None and said is not None:
            yield AlterColumn(name.text, comment=said)
        return
    item.take_mark("=")
    said = item.text()
    if said is not None:
        yield SetComment(said)


def _replace(item: Cursor) -> Iterator[Action]:
    if not item.take("COLUMNS"):
        return
    group = item.group()
    read = [read_item(part).column for part in group.items()] if group else []
    yield ReplaceColumns(tuple(column for column in read if column is not None))


_READERS: dict[str, _Reader] = {
    "ADD": _add,
    "DROP": _drop,
    "RENAME": _rename,
    "ALTER": _alter,
    "MODIFY": _modify,
    "CHANGE": _change_column,
    "ATTACH": _partition(True),
    "DETACH": _partition(False),
    "SET": _set,
    "COMMENT": _comment,
    "REPLACE": _replace,
}
