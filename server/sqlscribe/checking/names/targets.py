"""Tables and columns that statements without a query name: TRUNCATE, CREATE INDEX, COPY, and so on.

Each name becomes a query that asks for it, with the name at the same place. What a script says
of its own tables may be true where it stands and not at the end, so that only slips are told.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from sqlscribe.checking.names.parts import Part
from sqlscribe.notation.document import Span
from sqlscribe.schema.ddl.cursor import Cursor
from sqlscribe.schema.ddl.tokens import Sort, Token, tokenize, words
from sqlscribe.schema.model import Schema, Table

_LOOK = re.compile(
    r"\s*(?:(?:TRUNCATE|LOCK|ANALYZE|VACUUM|SUMMARIZE|DESC|DESCRIBE)\s|COPY\s+(?!INTO\b)[\w\"]|COMMENT\s+ON\s+(?:TABLE|VIEW|COLUMN)\s"
    r"|CREATE\s+(?:\w+\s+){0,3}INDEX\s)",
    re.IGNORECASE,
)
_BEFORE_TABLE = words("TABLE TABLES ONLY VERBOSE FULL FREEZE EXTENDED FORMATTED")
_FROM, _INTO = "SELECT 1 FROM ", "INSERT INTO "
_LONG = 4_000
"""What is longer holds data, or is no statement of this kind."""


class _Target(NamedTuple):
    """A table's name in the text, and the tables that it may mean."""

    span: Span
    tables: tuple[Table, ...]


def targets_of(sql: str, dialect: str, schema: Schema) -> Iterator[Part]:
    """A query for each name that the schema does not have.

    Its start may lie before that of the statement: no finding does.
    """
    if len(sql) > _LONG or _LOOK.match(sql) is None:
        return
    cursor = Cursor.over(tokenize(sql, sql, Span(0, len(sql)), dialect))
    word = cursor.next().word
    if word == "COMMENT":
        cursor.take("ON")
        yield from _commented(cursor, sql, schema)
    elif word == "COPY":
        table = _target(cursor, schema)
        columns = cursor.group()
        if cursor.peek().word in ("FROM", "TO"):
            yield from _table(table, sql)
            yield from _columns(columns, table, sql)
    elif word != "CREATE":
        cursor.skip_words(_BEFORE_TABLE)
        if not cursor.sees("IF", "EXISTS"):
            yield from _table(_target(cursor, schema), sql)
    elif cursor.seek(lambda at: at.sees("ON")):
        cursor.take("ON")
        cursor.take("ONLY")
        table = _target(cursor, schema)
        cursor.seek(lambda at: at.sees_mark("("))
        yield from _table(table, sql)
        yield from _columns(cursor.group(), table, sql)


def _target(cursor: Cursor, schema: Schema) -> _Target | None:
    start = cursor.peek().start
    name = cursor.name()
    if name is None:
        return None
    span = Span(start, cursor.tokens.tokens[cursor.at - 1].end)
    return _Target(span, schema.named(name.name, name.schema))


def _table(table: _Target | None, sql: str) -> Iterator[Part]:
    if table is not None and not table.tables:
        yield Part(table.span.start - len(_FROM), _FROM + table.span.of(sql))


def _columns(inside: Cursor | None, table: _Target | None, sql: str) -> Iterator[Part]:
    """The columns of a list; expressions in it are left out."""
    if inside is None or table is None:
        return
    for item in inside.items():
        first, behind = item.peek(), item.peek(1)
        is_name = first.sort is Sort.NAME or (first.sort is Sort.WORD and first.word != "ALL")
        if is_name and behind.sort is not Sort.MARK:
            yield from _column(table, first, sql)


def _column(table: _Target, name: Token, sql: str) -> Iterator[Part]:
    if not any(each.column(name.text) for each in table.tables):
        between = " " * (name.start - table.span.end - 1) + "("
        text = f"{_INTO}{table.span.of(sql)}{between}{sql[name.start : name.end]}) VALUES (NULL)"
        yield Part(table.span.start - len(_INTO), text)


def _commented(cursor: Cursor, sql: str, schema: Schema) -> Iterator[Part]:
    is_column = cursor.next().word == "COLUMN"
    start = cursor.peek().start
    name = cursor.name()
    if name is None or not cursor.sees("IS"):
        return
    last = cursor.tokens.tokens[cursor.at - 1]
    if not is_column:
        span = Span(start, last.end)
        yield from _table(_Target(span, schema.named(name.name, name.schema)), sql)
    elif name.schema and sql[last.start - 1] == ".":
        inside, _, table = name.schema.rpartition(".")
        span = Span(start, last.start - 1)
        yield from _column(_Target(span, schema.named(table, inside)), last, sql)
