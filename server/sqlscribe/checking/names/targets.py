"""Tables and columns that statements without a query name: TRUNCATE, CREATE INDEX, COPY, and so on.

Each name becomes a query that asks for it, with the name at the same place. What a script says
of its own tables may be true where it stands and not at the end, so that only slips are told.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from sqlscribe.checking.names.parts import Part
from sqlscribe.notation.document import Span
from sqlscribe.schema.ddl.cursor import Cursor
from sqlscribe.schema.ddl.tokens import Sort, tokenize, words

_LOOK = re.compile(
    r"\s*(?:(?:TRUNCATE|LOCK|ANALYZE|VACUUM|SUMMARIZE|DESC|DESCRIBE)\s|COPY\s+(?!INTO\b)[\w\"]|COMMENT\s+ON\s+(?:TABLE|VIEW|COLUMN)\s"
    r"|CREATE\s+(?:\w+\s+){0,3}INDEX\s)",
    re.IGNORECASE,
)
NAMING = words("TRUNCATE LOCK ANALYZE VACUUM COMMENT")
"""First words of statements that may name a table, and hold no query."""

_BEFORE_TABLE = words("TABLE TABLES ONLY VERBOSE FULL FREEZE EXTENDED FORMATTED")
_FROM, _INTO = "SELECT 1 FROM ", "INSERT INTO "
_LONG = 4_000
"""What is longer holds data, or is no statement of this kind."""


def targets_of(sql: str, dialect: str) -> Iterator[Part]:
    """A query for each name. Its start may lie before that of the statement: no finding does."""
    if len(sql) > _LONG or _LOOK.match(sql) is None:
        return
    cursor = Cursor.over(tokenize(sql, sql, Span(0, len(sql)), dialect))
    word = cursor.next().word
    if word == "COMMENT":
        cursor.take("ON")
        yield from _commented(cursor, sql)
    elif word == "COPY":
        table = _name(cursor)
        columns = cursor.group()
        if table is not None and cursor.peek().word in ("FROM", "TO"):
            yield _table(sql, table)
            yield from _columns(columns, sql, table)
    elif word != "CREATE":
        cursor.skip_words(_BEFORE_TABLE)
        if not cursor.sees("IF", "EXISTS") and (table := _name(cursor)) is not None:
            yield _table(sql, table)
    elif cursor.seek(lambda at: at.sees("ON")):
        cursor.take("ON")
        cursor.take("ONLY")
        table = _name(cursor)
        cursor.seek(lambda at: at.sees_mark("("))
        if table is not None:
            yield _table(sql, table)
            yield from _columns(cursor.group(), sql, table)


def _name(cursor: Cursor) -> Span | None:
    start = cursor.peek().start
    if cursor.name() is None:
        return None
    return Span(start, cursor.tokens.tokens[cursor.at - 1].end)


def _table(sql: str, table: Span) -> Part:
    return Part(table.start - len(_FROM), _FROM + table.of(sql))


def _columns(inside: Cursor | None, sql: str, table: Span) -> Iterator[Part]:
    """The columns of a list; expressions in it are left out."""
    for item in inside.items() if inside is not None else ():
        first, behind = item.peek(), item.peek(1)
        is_name = first.sort is Sort.NAME or (first.sort is Sort.WORD and first.word != "ALL")
        if is_name and behind.sort is not Sort.MARK:
            between = " " * (first.start - table.end - 1) + "("
            text = f"{_INTO}{table.of(sql)}{between}{sql[first.start : first.end]}) VALUES (NULL)"
            yield Part(table.start - len(_INTO), text)


def _commented(cursor: Cursor, sql: str) -> Iterator[Part]:
    is_column = cursor.next().word == "COLUMN"
    name = _name(cursor)
    if name is None or not cursor.sees("IS"):
        return
    if not is_column:
        yield _table(sql, name)
        return
    last = cursor.tokens.tokens[cursor.at - 1]
    table = Span(name.start, last.start - 1)
    if sql[last.start - 1] == "." and table.end > table.start:
        text = f"{_INTO}{table.of(sql)}({sql[last.start : last.end]}) VALUES (NULL)"
        yield Part(table.start - len(_INTO), text)
