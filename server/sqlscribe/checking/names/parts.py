"""The queries inside of a statement: of a view, an EXPLAIN, a cursor, a routine's body.

A part is as long as the text that it stands for, so that a place in one is a place in the
other. What is not SQL of a query there (the targets of a PL/SQL ``INTO``) is blank in it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from sqlscribe.checking.names.bodies import Chunk, chunks, routine_chunks
from sqlscribe.notation.document import Span
from sqlscribe.schema.ddl.cursor import Cursor, Name
from sqlscribe.schema.ddl.tokens import Sort, Token, Tokens, tokenize, without_placeholders, words


@dataclass(frozen=True)
class Part:
    """One query or change. ``start`` is its place in the statement.

    ``strict`` tells that it must parse: elsewhere the parser may not know what it cannot read.
    ``names`` are words around it, case-folded, that may be parameters, variables or cursors.
    ``trigger`` is the table whose rows the body of a trigger sees. ``loose`` is for a function
    that a trigger calls: the trigger may give it tables by names of its own.
    """

    start: int
    sql: str
    strict: bool = False
    names: frozenset[str] = frozenset()
    trigger: Name | None = None
    loose: bool = False


QUERIES = words("SELECT WITH INSERT UPDATE DELETE MERGE VALUES REPLACE FROM TABLE")
"""First words of statements that are queries or changes themselves."""

HOLDERS = words(
    "EXPLAIN DESCRIBE DESC SUMMARIZE CREATE ALTER DECLARE BEGIN IF WHILE DO FOR LOOP COPY UNLOAD"
    " EXPORT CACHE PREPARE OPEN SET LET RETURN ELSE"
)
"""First words of statements that may hold a query."""

NAMING = words("TRUNCATE LOCK ANALYZE VACUUM COMMENT")
"""First words of statements that may name a table, and hold no query: nothing else parses them."""

_EXPLAINS = words("EXPLAIN DESCRIBE DESC SUMMARIZE")
_BLOCKS = words("DECLARE BEGIN IF WHILE DO FOR LOOP SET LET RETURN ELSE OPEN")
_ROUTINES = words("PROCEDURE PROC FUNCTION TRIGGER PACKAGE EVENT MACRO BODY TASK ALERT")
_STORED = words("VIEW TABLE RULE FLOW") | _ROUTINES
_HAS_QUERY = re.compile(r"(?i)\b(?:select|insert|update|delete|merge|values|from|perform)\b")
_TRAILER = re.compile(
    r"(?i)\bWITH\s+(?:(?:NO\s+)?DATA|(?:(?:CASCADED|LOCAL)\s+)?CHECK\s+OPTION|READ\s+ONLY"
    r"|NO\s+SCHEMA\s+BINDING)\b[^()]*\Z"
)
_LONG = 4_000
"""From here on the rows of an INSERT behind the first are data that nobody need parse."""


def first_word(sql: str) -> str:
    """The first word of a statement, in upper case; ``"("`` for a query in parentheses."""
    found = _FIRST.match(sql)
    return (found[1] or found[2]).upper() if found else ""


_FIRST = re.compile(r"(?:\s++|--[^\r\n]*+|/\*(?:[^*]++|\*(?!/))*+\*/)*+(?:([^\W\d]\w*+)|(\())")


def parts_of(sql: str, dialect: str) -> tuple[Part, ...] | None:
    """The parts of a statement that can be checked; ``None`` where that is all of it."""
    word = first_word(sql)
    if word == "REPLACE":
        # The parser does not know it, and its names are those of an INSERT.
        start = sql.upper().index("REPLACE")
        head = sql[:start] + "INSERT " + sql[start + len("REPLACE") :]
        return _without_rows(head, dialect) or (Part(0, head),)
    if word == "INSERT" and len(sql) > _LONG:
        return _without_rows(sql, dialect)
    if word == "UNLOAD":
        return _routine(tokenize(sql, sql, Span(0, len(sql)), dialect), None)
    if word in NAMING:
        return ()
    if word not in HOLDERS:
        return None
    if _HAS_QUERY.search(sql) is None:
        return ()
    tokens = tokenize(sql, without_placeholders(sql), Span(0, len(sql)), dialect)
    if word in _EXPLAINS:
        return tuple(_explained(tokens))
    if word in ("CREATE", "ALTER"):
        return tuple(_created(tokens))
    if word in _BLOCKS:
        return _routine(tokens, None)
    return tuple(_part(chunk, tokens) for chunk in chunks(tokens, 0, len(tokens.tokens)))


def _part(chunk: Chunk, tokens: Tokens, **more: object) -> Part:
    sql = _TRAILER.sub(lambda found: " " * len(found[0]), chunk.sql)
    return Part(chunk.start, sql, **more)  # type: ignore[arg-type]


def _explained(tokens: Tokens) -> list[Part]:
    cursor = Cursor.over(tokens)
    cursor.next()
    if not cursor.seek(lambda at: at.peek().word in QUERIES - {"TABLE", "FROM"}):
        return []
    start = cursor.peek().start
    return [Part(start, tokens.text[start:], strict=True)]


def _created(tokens: Tokens) -> tuple[Part, ...]:
    cursor = Cursor.over(tokens)
    cursor.next()
    kind = ""
    while cursor and not kind:
        word = cursor.next().word
        if word in ("ON", "AS", "FROM", "INDEX", "POLICY"):
            return ()
        kind = word if word in _STORED else ""
    if kind == "TABLE" and cursor.sees("FUNCTION"):
        kind = "FUNCTION"
    if kind in _ROUTINES:
        return _routine(tokens, _trigger_table(cursor) if kind == "TRIGGER" else None)
    return tuple(_part(chunk, tokens) for chunk in chunks(tokens, cursor.at, cursor.end))


def _trigger_table(cursor: Cursor) -> Name | None:
    at = Cursor(cursor.tokens, cursor.at, cursor.end)
    return at.name() if at.seek(lambda here: here.sees("ON")) and at.take("ON") else None


_BUILT_IN = frozenset(
    """
    found sqlstate sqlerrm sqlcode sqlrowcount sqlfound sqlnotfound
    tg_name tg_when tg_level tg_op tg_relid tg_relname tg_table_name tg_table_schema tg_nargs
    tg_argv tg_event tg_tag
    """.split()
)
"""Variables that bodies have without declaring them."""

_LANGUAGES = words("SQL PLPGSQL PLSQL EDBSPL")


def _routine(tokens: Tokens, trigger: Name | None) -> tuple[Part, ...]:
    cursor = Cursor.over(tokens)
    if cursor.seek(lambda at: at.sees("LANGUAGE")):
        cursor.next()
        if cursor.next().text.upper() not in _LANGUAGES:
            return ()
    found, every = routine_chunks(tokens)
    inside = [Span(chunk.start, chunk.start + len(chunk.sql)) for chunk in found]
    names = set(_BUILT_IN)
    at = 0
    for token in sorted(every, key=lambda token: token.start):
        while at < len(inside) and inside[at].end <= token.start:
            at += 1
        covered = at < len(inside) and inside[at].start <= token.start
        if token.sort in (Sort.WORD, Sort.NAME) and not covered:
            names.add(token.text.casefold().lstrip(":"))
    for chunk in found:
        names.update(chunk.targets)
    known = frozenset(names)
    loose = Cursor.over(tokens).seek(lambda at: at.sees("RETURNS", "TRIGGER"))
    parts = [Part(chunk.start, chunk.sql, False, known, trigger, loose) for chunk in found]
    if trigger is not None:
        parts += _rows(tokens, every, inside, trigger)
    return tuple(parts)


def _rows(
    tokens: Tokens, every: Sequence[Token], inside: Sequence[Span], trigger: Name
) -> Iterator[Part]:
    """``NEW.total`` outside of the queries, each as a query of its own."""
    for row, dot, name in zip(every, every[1:], every[2:], strict=False):
        if row.word not in ("NEW", "OLD") or dot.text != "." or name.sort is Sort.MARK:
            continue
        if not any(span.start <= row.start < span.end for span in inside):
            text = f"SELECT {tokens.text[row.start : name.end]}"
            yield Part(row.start - len("SELECT "), text, trigger=trigger)


def _without_rows(sql: str, dialect: str) -> tuple[Part, ...] | None:
    """An INSERT without its rows behind the first."""
    if len(sql) <= _LONG:
        return None
    head = sql[:_LONG]
    tokens = tokenize(head, head, Span(0, len(head)), dialect)
    cursor = Cursor.over(tokens)
    if not cursor.seek(lambda at: at.peek().word in ("VALUES", "SELECT", "SET")):
        return None
    if not cursor.take("VALUES"):
        return None
    closed = tokens.closing.get(cursor.at)
    if closed is None:
        # The first row alone is long: its place is taken by one that says nothing.
        return (Part(0, sql[: cursor.peek().start] + " (NULL)"),)
    return (Part(0, sql[: tokens.tokens[closed].end], strict=True),)
