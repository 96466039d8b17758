"""ALTER TABLE and its relatives."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from sqlscribe.notation.document import Span
from sqlscribe.schema.ddl.alter_columns import (
    NotUnderstood,
    added,
    altered,
    changed,
    dropped,
    modified,
    renamed,
    take_field,
)
from sqlscribe.schema.ddl.changes import (
    Action,
    AlterColumn,
    AttachPartition,
    ChangeFields,
    DropConstraint,
    Inherit,
    LoseTrack,
    RenameTable,
    ReplaceColumns,
    SetComment,
    Swap,
)
from sqlscribe.schema.ddl.columns import read_comment, read_item
from sqlscribe.schema.ddl.cursor import Cursor
from sqlscribe.schema.ddl.tokens import Sort, words
from sqlscribe.schema.ddl.types import COMMON

_MYSQL = frozenset({"mysql", "singlestore", "doris", "starrocks"})


def read_actions(cursor: Cursor) -> tuple[list[Action], list[Span]]:
    """The actions after the table's name, and the places of those that were not understood.

    Each of these leaves a :class:`LoseTrack` among the actions.
    """
    while cursor.take("WITH", "CHECK") or cursor.take("WITH", "NOCHECK"):
        pass
    actions: list[Action] = []
    odd: list[Span] = []
    again: _Reader | None = None
    for item in _items(cursor):
        reader = _READERS.get(item.peek().word)
        try:
            if reader is not None and not _continues(item, again):
                start = item.next()
                again = reader if start.word in _MAY_GO_ON else None
                actions += reader(item)
            elif again is not None and _goes_on(item, again):
                # T-SQL and Snowflake: ADD a int, b int.
                actions += again(item)
        except NotUnderstood as error:
            actions.append(LoseTrack())
            odd.append(error.span)
    return actions, odd


def _items(cursor: Cursor) -> Iterator[Cursor]:
    """The parts between commas, and those that Db2 and Oracle put one behind the other."""
    for item in cursor.items():
        start = item.at
        at = item.copy()
        while at:
            if at.at > start and _begins_action(at):
                yield Cursor(item.tokens, start, at.at)
                start = at.at
            at.skip()
        if start < item.end:
            yield Cursor(item.tokens, start, item.end)


_BEGINS = words("ADD DROP ALTER MODIFY RENAME")
_OBJECTS = words("COLUMN CONSTRAINT")


def _begins_action(at: Cursor) -> bool:
    if at.peek().word not in _BEGINS:
        return False
    behind_list = at.sees_mark("(", 1) and at.tokens.tokens[at.at - 1].text == ")"
    return at.peek(1).word in _OBJECTS or behind_list


_MAY_GO_ON = frozenset({"ADD", "DROP", "ALTER", "MODIFY"})


def _continues(item: Cursor, again: _Reader | None) -> bool:
    """``ADD a int, rename text``: a column that is called like an action."""
    starts_action = item.peek().word in ("ADD", "ALTER", "DROP")
    return again is _add and not starts_action and item.peek(1).word in COMMON


def _goes_on(item: Cursor, again: _Reader) -> bool:
    """Whether an item without a verb belongs to the one before; ``ENGINE = x`` does not."""
    if item.tokens.dialect in _MYSQL or item.sees_mark("=", 1):
        return False
    return again in (_add, _drop) or item.sees("COLUMN")


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
                yield from added(part)
        return
    yield from added(item)


_NOT_ADDED = words(
    "PARTITION GENERATED DEFAULT ROW SEARCH TAG CLUSTERING STATISTICS SUPPLEMENTAL OVERFLOW"
)


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
    yield from _dropped_columns(item)


def _dropped_columns(item: Cursor) -> Iterator[Action]:
    item.skip_words(frozenset({"COLUMN", "COLUMNS"}))
    item.take("IF", "EXISTS")
    group = item.group()
    for part in group.items() if group is not None else [item]:
        yield from dropped(part)


_NOT_COLUMNS = words(
    "INDEX KEY PARTITION SUBPARTITION PERIOD DEFAULT PROJECTION STATISTICS ROW UNIQUE "
    "CLUSTERING TAG SEARCH UNUSED DETACHED SUPPLEMENTAL FEATURE"
)


def _rename(item: Cursor) -> Iterator[Action]:
    if item.peek().word in ("CONSTRAINT", "INDEX", "KEY", "PARTITION"):
        return
    if item.take("TO") or item.take("AS"):
        yield from _rename_table(item)
        return
    column = item.take("COLUMN")
    item.take("IF", "EXISTS")
    nested = take_field(item.copy())
    if nested is not None:
        yield from _rename_field(item)
        return
    old = item.identifier()
    if old is None:
        raise NotUnderstood(item)
    if item.take("TO") or item.take("AS"):
        yield from renamed(item, old)
    elif not column:
        # MySQL: RENAME new, RENAME db.new.
        item.at -= 1
        yield from _rename_table(item)


def _rename_field(item: Cursor) -> Iterator[Action]:
    start = item.copy()
    old = take_field(item)
    if not item.take("TO"):
        # MySQL: RENAME db.new.
        yield from _rename_table(start)
        return
    nested = take_field(item.copy())
    new = nested[1] if nested is not None else item.next().text
    if old is not None:
        parent, dot, _ = old[1].rpartition(".")
        path = new if nested is not None else f"{parent}{dot}{new}"
        yield ChangeFields(old[0], (path,), (old[1],))


def _rename_table(item: Cursor) -> Iterator[Action]:
    name = item.name()
    if name is not None:
        # MySQL moves the table to the database in use.
        stays = "" if item.tokens.dialect in _MYSQL else None
        yield RenameTable(name.name, name.schema or stays, name.quoted)


_NOT_ALTERED = words("CONSTRAINT INDEX CHECK SORTKEY DISTKEY DISTSTYLE COMPOUND ENCODE PARTITION")


def _alter(item: Cursor) -> Iterator[Action]:
    if item.peek().word in _NOT_ALTERED and item.peek(1).word not in COMMON:
        return
    item.take("COLUMN")
    item.take("IF", "EXISTS")
    yield from altered(item)


def _partition(attached: bool) -> _Reader:
    def read(item: Cursor) -> Iterator[Action]:
        if item.take("PARTITION"):
            child = item.name()
            if child is not None:
                yield AttachPartition(child, attached)

    return read


def _inherit(item: Cursor) -> Iterator[Action]:
    parent = item.name()
    if parent is not None:
        yield Inherit(parent)


def _no(item: Cursor) -> Iterator[Action]:
    if item.take("INHERIT"):
        parent = item.name()
        if parent is not None:
            yield Inherit(parent, False)


def _swap(item: Cursor) -> Iterator[Action]:
    item.take("WITH")
    other = item.name()
    if other is not None:
        yield Swap(other)


def _set(item: Cursor) -> Iterator[Action]:
    if item.take("SCHEMA"):
        schema = item.name()
        if schema is not None:
            yield RenameTable("", schema.name)
    elif item.take("UNUSED"):
        # Oracle: gone for every query, though not yet from the disk.
        yield from _dropped_columns(item)
    elif item.peek().word in ("COMMENT", "OPTIONS"):
        said = read_comment(item)
        if said is not None:
            yield SetComment(said)
    elif item.take("TBLPROPERTIES"):
        said = comment_property(item.group())
        if said is not None:
            yield SetComment(said)


def comment_property(group: Cursor | None) -> str | None:
    """The comment among ``('comment' = 'x', …)``."""
    if group is None:
        return None
    for entry in group.items():
        if entry.text() == "comment" and entry.take_mark("="):
            return entry.text()
    return None


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
    "MODIFY": modified,
    "CHANGE": changed,
    "ATTACH": _partition(True),
    "DETACH": _partition(False),
    "INHERIT": _inherit,
    "NO": _no,
    "SET": _set,
    "SWAP": _swap,
    "COMMENT": _comment,
    "REPLACE": _replace,
}


def read_attributes(cursor: Cursor) -> tuple[list[Action], list[Span]]:
    """The actions on a composite type: ``ADD ATTRIBUTE a int, DROP ATTRIBUTE b``."""
    tokens = [
        token._replace(word="COLUMN") if token.word == "ATTRIBUTE" else token
        for token in cursor.tokens.tokens
    ]
    return read_actions(cursor.with_tokens(tokens))
