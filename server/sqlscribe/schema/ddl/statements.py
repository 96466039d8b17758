"""One statement of DDL to the changes it makes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from sqlscribe.notation.document import Span
from sqlscribe.notation.script_lines import is_tsql
from sqlscribe.schema.ddl import amend, comments
from sqlscribe.schema.ddl.changes import (
    AlterTable,
    CreateFunction,
    CreateTable,
    Query,
    Star,
)
from sqlscribe.schema.ddl.cursor import Cursor, Name
from sqlscribe.schema.ddl.gathered import Read
from sqlscribe.schema.ddl.parts import BLOCKS, parts
from sqlscribe.schema.ddl.procedures import dynamic_statement, read_call
from sqlscribe.schema.ddl.queries import read_query
from sqlscribe.schema.ddl.tables import Head, history_table, read_table, virtual_table
from sqlscribe.schema.ddl.tokens import Sort, tokenize, words
from sqlscribe.schema.ddl.user_types import created_type


def read_statement(cursor: Cursor, line: int, read: Read, *, guarded: bool = False) -> bool:
    """Add what the statement at ``cursor`` does to ``read``.

    False for a routine: what follows up to the end is its body. ``guarded`` is for a statement
    behind an IF or before an exception handler: it keeps what exists.
    """
    read.line = line
    start, word = cursor.peek().start, cursor.next().word
    if word in ("CREATE", "REPLACE") or (word == "DECLARE" and cursor.sees("GLOBAL")):
        return _create(cursor, start, read, guarded=guarded, replaces=word == "REPLACE")
    reader = _READERS.get(word)
    if reader is not None:
        reader(cursor, start, read)
    return True


# -- CREATE ------------------------------------------------------------------------------

_ROUTINES = words("FUNCTION PROCEDURE PROC TRIGGER PACKAGE EVENT AGGREGATE MACRO")
# Objects that no catalogue of tables needs; their statements are left alone.
_OTHERS = words(
    "ACCOUNT ALERT APPLICATION ASSEMBLY AUTHORIZATION BODY CAST CATALOG CERTIFICATE "
    "CHANGEFEED COLLATION COMPUTE CONNECTION CONTEXT CONVERSION CREDENTIAL DATABASE "
    "DATASHARE DEFAULT DIRECTORY ENDPOINT ERROR EXTENSION FAILOVER FILE FULLTEXT GIT IMAGE "
    "INDEX INTEGRATION JOB KEY LANGUAGE LIBRARY LOGIN MASKING MODEL NETWORK NOTEBOOK "
    "NOTIFICATION OPERATOR PARTITION PIPE POLICY PROFILE PROJECTION PUBLICATION QUEUE "
    "REPLICATION RESOURCE ROLE ROUTE RULE SCHEMA SECRET SECURITY SEMANTIC SEQUENCE SERVER "
    "SERVICE SHARE SPATIAL STAGE STATISTICS STREAMLIT SUBSCRIPTION SYMMETRIC "
    "TABLESPACE TAG TASK TEXT TRANSFORM USER USERS WAREHOUSE XML"
)
_OBJECTS = words("TABLE VIEW TYPE DOMAIN DICTIONARY SYNONYM ALIAS NICKNAME STREAM")
_TEMPORARY = frozenset({"TEMP", "TEMPORARY", "VOLATILE"})
_STOPS = frozenset({"ON", "FOR", "FROM", "AS", "USING", "TO"})


def _create(cursor: Cursor, start: int, read: Read, *, guarded: bool, replaces: bool) -> bool:
    seen = {"REPLACE"} if replaces else set()
    while cursor:
        cursor.take("SQL", "SECURITY")
        token = cursor.peek()
        if token.sort is Sort.WORD:
            seen.add(token.word)
        if token.word in _OBJECTS and not cursor.sees("TABLE", "FUNCTION"):
            break
        if token.word in _ROUTINES and not cursor.sees("EVENT", "TABLE"):
            cursor.next()
            _created_routine(cursor, token.word, read)
            return False
        if token.word in _OTHERS or token.word in _STOPS or cursor.sees_mark("("):
            return True
        cursor.next()
    if cursor:
        _created(cursor, start, seen, read, guarded=guarded)
    return True


def _created(cursor: Cursor, start: int, seen: set[str], read: Read, *, guarded: bool) -> None:
    kind = cursor.next().word
    keep = cursor.take("IF", "NOT", "EXISTS") or guarded
    if kind in ("TYPE", "DOMAIN"):
        made = (
            created_type(cursor, kind) if "BODY" not in seen and not cursor.sees("BODY") else None
        )
        read.changes += [made] if made is not None else []
    elif kind in ("SYNONYM", "ALIAS", "NICKNAME"):
        _created_synonym(cursor, start, read)
    elif kind == "STREAM":
        _created_stream(cursor, start, read)
    elif not cursor.sees("LOG", "ON"):
        head = Head(
            kind=_kind(kind, seen, cursor),
            start=start,
            line=read.line,
            replace_existing="REPLACE" in seen or ("ALTER" in seen and "OR" in seen),
            keep_existing=keep,
            above=comments.above(cursor.tokens, start),
        )
        virtual = "VIRTUAL" in seen and cursor.tokens.dialect == "sqlite"
        whole = cursor.copy()
        table, findings = (virtual_table if virtual else read_table)(cursor, head)
        read.findings += findings
        if table is not None:
            history = history_table(whole, table.table, read.line)
            read.changes += [table, history] if history is not None else [table]


def _kind(object_: str, seen: set[str], cursor: Cursor) -> str:
    kind = "view" if object_ == "VIEW" else "table"
    if seen & _TEMPORARY or _is_temporary(cursor):
        return f"temporary {kind}"
    return "materialized view" if kind == "view" and "MATERIALIZED" in seen else kind


def _is_temporary(cursor: Cursor) -> bool:
    """Whether the name here is one of T-SQL's ``#temporary`` tables."""
    token = cursor.peek()
    may_be = token.sort is Sort.WORD or is_tsql(cursor.tokens.dialect)
    return may_be and token.text.startswith("#")


def _created_stream(cursor: Cursor, start: int, read: Read) -> None:
    """Snowflake's rows of change: the columns of its table, and pseudo-columns."""
    name = cursor.name()
    if name is None or not cursor.seek(lambda at: at.sees("ON")):
        return
    cursor.next()
    of_files = cursor.sees("STAGE")
    if not cursor.seek(lambda at: at.peek().word in ("TABLE", "VIEW", "STAGE")):
        return
    cursor.next()
    source = None if of_files else cursor.name()
    made = _derived(name, source, cursor.span_from(start), read.line)
    read.changes.append(replace(made, keep_existing=False, replace_existing=True))


def _derived(name: Name, source: Name | None, span: Span, line: int) -> CreateTable:
    """A table with the columns of another, which keeps what exists."""
    query = Query((Star(),), (("", source),))
    return CreateTable(name, span, line, "view", query=query, keep_existing=True)


def _created_synonym(cursor: Cursor, start: int, read: Read) -> None:
    """Another name for a table: it has that one's columns."""
    cursor.take("TABLE")
    name = cursor.name()
    target = cursor.name() if cursor.take("FOR") else None
    if name is None or target is None or (name.name, name.schema) == (target.name, target.schema):
        return
    read.changes.append(_derived(name, target, cursor.span_from(start), read.line))


def _created_routine(cursor: Cursor, kind: str, read: Read) -> None:
    cursor.take("IF", "NOT", "EXISTS")
    cursor.take("FUNCTION")
    name = cursor.name()
    if name is not None and kind in ("FUNCTION", "AGGREGATE", "MACRO"):
        read.changes.append(CreateFunction(name))


# -- statements that hold others, or make tables by the way -------------------------------

_BEFORE_NAME = words("TABLE TEMP TEMPORARY UNLOGGED LOCAL GLOBAL")


def _select_into(cursor: Cursor, start: int, read: Read) -> None:
    """``SELECT a, b INTO new FROM t``."""
    cursor.at -= 1
    query = cursor.copy()
    if not cursor.seek(lambda at: at.sees("INTO")):
        return
    cursor.next()
    words_before = cursor.at
    cursor.skip_words(_BEFORE_NAME)
    temporary = any(
        token.word in _TEMPORARY for token in cursor.tokens.tokens[words_before : cursor.at]
    )
    temporary = temporary or _is_temporary(cursor)
    name = cursor.name()
    if name is None:
        return
    read.changes.append(
        CreateTable(
            name,
            cursor.span_from(start),
            read.line,
            "temporary table" if temporary else "table",
            query=read_query(query),
        )
    )


def _call(cursor: Cursor, start: int, read: Read) -> None:
    at, span = cursor.at, cursor.span_from(start)
    change = read_call(cursor, start)
    if change is not None:
        read.changes.append(change)
        return
    cursor.at = at
    statement = dynamic_statement(cursor)
    if statement is not None:
        _read_text(statement, cursor.tokens.dialect, span, read)


def _inserted(cursor: Cursor, start: int, read: Read) -> None:
    """SQLite: ``INSERT INTO sqlite_schema … VALUES ('table', …, 'CREATE VIRTUAL TABLE …')``."""
    texts = [token for token in cursor.left() if token.sort is Sort.STRING]
    if cursor.tokens.dialect == "sqlite" and texts:
        _read_text(texts[-1].text, "sqlite", cursor.span_from(start), read)


def _read_text(statement: str, dialect: str, span: Span, read: Read) -> None:
    """Add what a statement inside a string does; it stands where the string does."""
    inner = Read()
    tokens = tokenize(statement, statement, Span(0, len(statement)), dialect)
    block = bool(tokens.tokens) and tokens.tokens[0].word in BLOCKS
    for part in parts(tokens, guarded=block):
        if not part or not read_statement(part, read.line, inner, guarded=True):
            break
    read.findings += [replace(finding, span=span) for finding in inner.findings]
    read.changes += [
        replace(made, span=span) if isinstance(made, CreateTable | AlterTable) else made
        for made in inner.changes
    ]


_READERS: dict[str, Callable[[Cursor, int, Read], None]] = {
    "ALTER": amend.alter,
    "DROP": amend.drop,
    "RENAME": amend.rename,
    "EXCHANGE": amend.exchange,
    "COMMENT": amend.comment,
    "SELECT": _select_into,
    "WITH": _select_into,
    "EXEC": _call,
    "EXECUTE": _call,
    "INSERT": _inserted,
}
