"""ALTER, DROP, RENAME, COMMENT and the calls that do the same."""

from __future__ import annotations

from collections.abc import Callable

from sqlscribe.notation.findings import Finding, Severity
from sqlscribe.notation.script_lines import is_tsql
from sqlscribe.schema.ddl.alter import read_actions
from sqlscribe.schema.ddl.changes import (
    Action,
    AlterColumn,
    AlterTable,
    Change,
    DropFunction,
    DropSchema,
    DropTable,
    RenameColumn,
    RenameSchema,
    RenameTable,
    SetComment,
    Swap,
)
from sqlscribe.schema.ddl.cursor import Cursor, Name
from sqlscribe.schema.ddl.gathered import Read
from sqlscribe.schema.ddl.tables import (
    NOT_UNDERSTOOD,
    Head,
    history_table,
    not_understood,
    read_table,
)
from sqlscribe.schema.ddl.tokens import Sort, words
from sqlscribe.schema.ddl.user_types import altered_type

_ALTERABLE = words("TABLE VIEW TYPE SCHEMA PROJECTION INDEX SEQUENCE FUNCTION PROCEDURE DATABASE")
_MODIFIERS = words(
    "FOREIGN EXTERNAL ICEBERG HYBRID DYNAMIC MATERIALIZED EVENT TEMP TEMPORARY VOLATILE "
    "SNAPSHOT STREAMING LIVE TRANSIENT VIRTUAL FLEX ROW COLUMN PUBLIC"
)


def alter(cursor: Cursor, start: int, read: Read) -> None:
    """``ALTER … TABLE``, whatever options stand before the word."""
    at = cursor.at
    if not cursor.seek(lambda here: here.peek().word in _ALTERABLE) or cursor.at > at + 8:
        return
    kind = cursor.next().word
    cursor.take("IF", "EXISTS")
    if kind == "TYPE":
        change = altered_type(cursor)
        read.changes += [change] if change is not None else []
    elif kind == "VIEW":
        _altered_view(cursor, start, read)
    elif kind == "SCHEMA":
        _altered_schema(cursor, start, read)
    elif kind == "TABLE":
        cursor.take("IF", "EXISTS")
        cursor.take("ONLY")
        _altered_table(cursor, start, read)


def _altered_table(cursor: Cursor, start: int, read: Read) -> None:
    name = cursor.name()
    if name is None:
        message = "The name of the table that this changes was not found."
        read.findings.append(not_understood(message, cursor, start))
        return
    cursor.take_mark("*")
    if cursor.take("ON", "CLUSTER") and cursor.name() is None:
        cursor.next()
    span, whole = cursor.span_from(start), cursor.copy()
    actions, odd = read_actions(cursor)
    message = f"This change of {name.name} was not understood and is not made."
    read.findings += [Finding(NOT_UNDERSTOOD, Severity.WARNING, message, place) for place in odd]
    if actions:
        read.changes.append(AlterTable(name, tuple(actions), span))
    history = history_table(whole, name, read.line)
    read.changes += [history] if history is not None else []


def _altered_view(cursor: Cursor, start: int, read: Read) -> None:
    at = cursor.copy()
    name = cursor.name()
    if name is not None and cursor.seek(lambda here: here.sees("AS")):
        head = Head("view", start, read.line, True, False, "")
        table, findings = read_table(at, head)
        read.findings += findings
        read.changes += [table] if table is not None else []
    elif name is not None:
        _altered_table(at, start, read)


def _altered_schema(cursor: Cursor, start: int, read: Read) -> None:
    schema = cursor.name()
    if schema is None:
        return
    if cursor.take("RENAME", "TO"):
        new = cursor.name()
        read.changes += [RenameSchema(schema.name, new.name)] if new is not None else []
    elif cursor.take("TRANSFER"):
        # T-SQL: OBJECT::dbo.orders; a type is no table.
        if cursor.sees_mark(":", 1) and not cursor.sees("OBJECT"):
            return
        cursor.take("OBJECT")
        while cursor.take_mark(":"):
            pass
        table = cursor.name()
        if table is not None:
            action = RenameTable("", schema.name)
            read.changes.append(AlterTable(table, (action,), cursor.span_from(start)))


# -- DROP --------------------------------------------------------------------------------


def drop(cursor: Cursor, start: int, read: Read) -> None:
    """``DROP TABLE a, b CASCADE``."""
    cursor.skip_words(_MODIFIERS)
    make = _DROPS.get(cursor.next().word)
    if make is None:
        return
    cursor.take("IF", "EXISTS")
    end = cursor.copy()
    cascade = end.seek(lambda at: at.sees("CASCADE")) and not end.sees("CASCADE", "CONSTRAINTS")
    for item in cursor.items():
        name = item.name()
        if name is not None:
            read.changes.append(make(name, cascade))


_TABLE_LIKE = ("TABLE", "TABLES", "VIEW", "DICTIONARY", "SYNONYM", "ALIAS", "STREAM")
_DROPS: dict[str, Callable[[Name, bool], Change]] = {
    **dict.fromkeys(_TABLE_LIKE, DropTable),
    "FUNCTION": lambda name, _: DropFunction(name),
    "AGGREGATE": lambda name, _: DropFunction(name),
    "SCHEMA": lambda name, _: DropSchema(name.name),
}


# -- RENAME and EXCHANGE -----------------------------------------------------------------


def rename(cursor: Cursor, start: int, read: Read) -> None:
    """``RENAME TABLE a TO b, c TO d``, and HANA's ``RENAME COLUMN t.a TO b``."""
    column = cursor.take("COLUMN")
    if not column and not cursor.take("TABLE") and not cursor.take("DICTIONARY"):
        # Synapse: RENAME OBJECT::dbo.a TO b.
        cursor.take("OBJECT")
        while cursor.take_mark(":"):
            pass
    cursor.take("IF", "EXISTS")
    span = cursor.span_from(start)
    for item in cursor.items():
        old = item.name()
        new = item.name() if old is not None and (item.take("TO") or item.take("AS")) else None
        if old is None or new is None or (column and not old.schema):
            continue
        if column:
            action: Action = RenameColumn(old.name, new.name, new.quoted)
            read.changes.append(AlterTable(_owner(old), (action,), span))
        else:
            stays = "" if item.tokens.dialect == "mysql" else None
            action = RenameTable(new.name, new.schema or stays, new.quoted)
            read.changes.append(AlterTable(old, (action,), span))


def exchange(cursor: Cursor, start: int, read: Read) -> None:
    """ClickHouse: ``EXCHANGE TABLES a AND b``."""
    if not cursor.take("TABLES"):
        return
    one = cursor.name()
    other = cursor.name() if cursor.take("AND") else None
    if one is not None and other is not None:
        read.changes.append(AlterTable(one, (Swap(other),), cursor.span_from(start)))


def _owner(column: Name) -> Name:
    schema, _, table = column.schema.rpartition(".")
    return Name(table, schema)


# -- COMMENT -----------------------------------------------------------------------------

_COMMENTED = words("TABLE VIEW COLUMN")


def comment(cursor: Cursor, start: int, read: Read) -> None:
    """``COMMENT ON TABLE t IS '…'``, and Db2's ``COMMENT ON t (a IS '…', b IS '…')``."""
    cursor.take("IF", "EXISTS")
    cursor.take("ON")
    span = cursor.span_from(start)
    if cursor.peek().word not in _COMMENTED | _MODIFIERS:
        _comment_columns(cursor, start, read)
        return
    while cursor.peek().word in _MODIFIERS and cursor.peek(1).word in _COMMENTED | _MODIFIERS:
        # A schema may be called public, or temporary.
        if cursor.sees_mark(".", 2):
            break
        cursor.next()
    kind = cursor.next().word
    name = cursor.name()
    if kind not in _COMMENTED or name is None or not (cursor.take("IS") or cursor.take("AS")):
        return
    text = "" if cursor.sees("NULL") else cursor.text()
    if text is None:
        return
    if kind != "COLUMN":
        read.changes.append(AlterTable(name, (SetComment(text),), span))
    elif name.schema:
        action = AlterColumn(name.name, comment=text)
        read.changes.append(AlterTable(_owner(name), (action,), span))


def _comment_columns(cursor: Cursor, start: int, read: Read) -> None:
    table = cursor.name() if cursor.peek().sort in (Sort.WORD, Sort.NAME) else None
    group = cursor.group()
    if table is None or group is None or is_tsql(cursor.tokens.dialect):
        return
    actions: list[Action] = []
    for item in group.items():
        column = item.identifier()
        text = item.text() if item.take("IS") else None
        if column is not None and text is not None:
            actions.append(AlterColumn(column.text, comment=text))
    if actions:
        read.changes.append(AlterTable(table, tuple(actions), cursor.span_from(start)))
