"""Where the statements of a script begin that nothing separates, or that a block holds."""

from __future__ import annotations

from collections.abc import Iterator

from sqlscribe.schema.ddl.cursor import Cursor
from sqlscribe.schema.ddl.tokens import Sort, Tokens, words

BLOCKS = words("IF DO BEGIN DECLARE")
"""What a statement starts with that may hold others."""


def parts(tokens: Tokens, *, guarded: bool, inline: bool = False) -> Iterator[Cursor]:
    """The statements that nothing separates, as T-SQL allows, or that a block holds.

    With ``inline`` they may also stand on one line.
    """
    starts: list[int] = []
    ends: list[int] = []
    cursor = Cursor.over(tokens)
    while cursor:
        here = cursor.at
        if here == 0 and not guarded:
            starts.append(here)
        elif _starts_ddl(cursor) and (guarded or inline or tokens.first_on_line(here)):
            if len(ends) < len(starts):
                ends.append(here)
            starts.append(here)
        elif cursor.sees_mark(";") and len(ends) < len(starts):
            ends.append(here)
        cursor.skip()
    ends.append(cursor.end)
    for start, end in zip(starts, ends, strict=False):
        yield Cursor(tokens, start, end)


_OBJECTS = words(
    "TABLE VIEW TYPE SCHEMA FUNCTION PROCEDURE PROC TRIGGER FOREIGN EXTERNAL "
    "MATERIALIZED DOMAIN INDEX SEQUENCE"
)


def _starts_ddl(cursor: Cursor) -> bool:
    word, following = cursor.peek().word, cursor.peek(1)
    if word == "CREATE":
        return following.sort is Sort.WORD and following.word not in ("ON", "TO")
    if word in ("ALTER", "DROP"):
        return following.word in _OBJECTS
    if word in ("EXEC", "EXECUTE"):
        return following.sort in (Sort.WORD, Sort.NAME, Sort.STRING) or following.text == "("
    return cursor.sees("COMMENT", "ON") or cursor.sees("DECLARE", "GLOBAL", "TEMPORARY")


def created_schema(tokens: Tokens) -> str:
    """The schema that CREATE SCHEMA makes; tables may follow in the same statement."""
    cursor = Cursor.over(tokens)
    if not cursor.take("CREATE", "SCHEMA"):
        return ""
    cursor.take("IF", "NOT", "EXISTS")
    cursor.take("AUTHORIZATION")
    name = cursor.name()
    return name.name if name is not None else ""
