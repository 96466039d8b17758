"""T-SQL's procedures that change a schema: descriptions and new names."""

from __future__ import annotations

import re

from sqlscribe.notation.document import Span
from sqlscribe.schema.ddl.changes import (
    Action,
    AlterColumn,
    AlterTable,
    RenameColumn,
    RenameTable,
    SetComment,
)
from sqlscribe.schema.ddl.cursor import Cursor, Name
from sqlscribe.schema.ddl.tokens import Sort

_PROPERTY = (
    "@name",
    "@value",
    *(f"@level{level}{part}" for level in range(3) for part in ("type", "name")),
)
_RENAME = ("@objname", "@newname", "@objtype")
_PART = re.compile(r'\[((?:[^\]]|\]\])*)\]|"([^"]*)"|([^.\[\]"]+)')


def read_call(cursor: Cursor, start: int) -> AlterTable | None:
    """The change that ``EXEC`` of a known procedure makes; ``None`` for any other."""
    procedure = cursor.name()
    if procedure is None or not cursor:
        return None
    span = cursor.span_from(start)
    name = procedure.name.casefold()
    if name in ("sp_addextendedproperty", "sp_updateextendedproperty"):
        return _description(_arguments(cursor, _PROPERTY), span)
    if name == "sp_rename":
        return _renamed(_arguments(cursor, _RENAME), span)
    return None


def dynamic_statement(cursor: Cursor) -> str | None:
    """The text in ``EXECUTE IMMEDIATE '…'``, ``EXEC ('…')`` or a call of ``sp_executesql``."""
    if cursor.take("IMMEDIATE"):
        return cursor.text()
    inside = cursor.group()
    if inside is not None:
        return inside.text()
    procedure = cursor.name() if cursor.peek().sort is not Sort.STRING else None
    if procedure is not None and procedure.name.casefold() != "sp_executesql":
        return None
    if cursor.peek().text.startswith("@") and cursor.sees_mark("=", 1):
        cursor.at += 2
    return cursor.text()


def _arguments(cursor: Cursor, names: tuple[str, ...]) -> dict[str, str]:
    """Arguments by name; those without one take the names in order."""
    arguments: dict[str, str] = {}
    for name, item in zip([*names, *[""] * 20], cursor.items(), strict=False):
        if item.peek().text.startswith("@") and item.sees_mark("=", 1):
            name = item.next().text.casefold()
            item.next()
        value = item.peek()
        if value.sort is Sort.STRING:
            arguments[name] = item.text() or ""
        elif value.sort is Sort.NAME or (value.word and value.word != "NULL"):
            arguments[name] = value.text
    return arguments


def _description(arguments: dict[str, str], span: Span) -> AlterTable | None:
    table = arguments.get("@level1name")
    text = arguments.get("@value", "")
    described = arguments.get("@name", "").casefold() == "ms_description"
    kind = arguments.get("@level1type", "").upper()
    if not described or kind not in ("TABLE", "VIEW") or not table or text.startswith("@"):
        return None
    part = arguments.get("@level2type", "").upper()
    column = arguments.get("@level2name", "")
    if part not in ("", "COLUMN"):
        return None
    action: Action = AlterColumn(column, comment=text) if column else SetComment(text)
    return AlterTable(Name(table, arguments.get("@level0name", "")), (action,), span)


def _renamed(arguments: dict[str, str], span: Span) -> AlterTable | None:
    parts = ["".join(found) for found in _PART.findall(arguments.get("@objname", ""))]
    new = arguments.get("@newname", "")
    kind = arguments.get("@objtype", "OBJECT").upper()
    if not parts or not new:
        return None
    if kind == "COLUMN" and len(parts) > 1:
        *outer, table, column = parts
        action: Action = RenameColumn(column, new)
    elif kind == "OBJECT":
        *outer, table = parts
        action = RenameTable(new)
    else:
        return None
    return AlterTable(Name(table, ".".join(outer)), (action,), span)
