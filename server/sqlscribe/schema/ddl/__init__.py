"""DDL scripts: what each one does, and the schema that all of them make together.

A script is read statement by statement, so that one which nobody understands costs only
itself, and becomes data that is replayed in order:

    text ─ read ─► DdlScript (changes, findings) ─ replay ─► Schema

Reading is by words and brackets, not by grammar (``tables``, ``columns``, ``alter``): engines
add clauses faster than any grammar follows, and types and comments are wanted as they are
written. Only the queries of views go through sqlglot (``queries``).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

from sqlscribe.notation.document import Document, Span
from sqlscribe.notation.script_lines import is_tsql
from sqlscribe.notation.statements import Statement, split
from sqlscribe.schema.ddl import comments
from sqlscribe.schema.ddl.changes import Change, CreateTable, UseNamespace
from sqlscribe.schema.ddl.gathered import Read
from sqlscribe.schema.ddl.migrations import migration_order, without_down_parts
from sqlscribe.schema.ddl.parts import BLOCKS, created_schema, parts
from sqlscribe.schema.ddl.replay import Replayed, replay, replayed
from sqlscribe.schema.ddl.script import DdlScript
from sqlscribe.schema.ddl.statements import read_statement
from sqlscribe.schema.ddl.tokens import Sort, Tokens, tokenize, without_placeholders, words

__all__ = [
    "DdlScript",
    "Replayed",
    "holds_ddl",
    "migration_order",
    "read",
    "replay",
    "replayed",
]


_HOLDS_DDL = re.compile(
    r"\b(?:(?:create|alter|drop)\s+(?:or\s+(?:replace|alter)\s+)?(?:[a-z]+\s+){0,4}?"
    r"(?:table|view|type|domain|function|macro)\b"
    r"|comment\s+(?:if\s+exists\s+)?on\s+(?:table|column|view)\b"
    r"|rename\s+table\b|sp_rename\b|sp_(?:add|update)extendedproperty\b)"
)
_HINTS = ("create", "alter", "drop", "comment", "rename", "extendedproperty")


def holds_ddl(text: str) -> bool:
    """Whether a text may define or change tables. A remark about a table may deceive it."""
    lowered = text.lower()
    # Looking for plain words first is ten times faster on files that hold nothing but data.
    return any(word in lowered for word in _HINTS) and _HOLDS_DDL.search(lowered) is not None


def read(document: Document, path: Path, dialect: str) -> DdlScript:
    """What the script in ``document`` does. Never raises: what is odd becomes a finding."""
    masked = without_placeholders(without_down_parts(document.text), dialect)
    result = Read()
    begun: int | None = None
    for statement in _statements(masked, dialect):
        if statement.keyword in _TRANSACTIONS and dialect in _ROLLS_DDL_BACK:
            begun = _transaction(masked, statement, result, begun)
        if statement.keyword in _NAMESPACE_WORDS:
            result.changes += _namespace(masked, statement)
        if _may_matter(statement, masked, dialect):
            _read(document, masked, statement, dialect, result)
    return DdlScript(path, dialect, tuple(result.changes), tuple(result.findings))


# T-SQL's tools end a batch so; in no other dialect is it SQL, and what a script in the wrong
# dialect leaves open ends there at the latest.
_GO = re.compile(r"(?:^|(?<=\r))[ \t]*GO[ \t]*(?=[\r\n]|\Z)", re.IGNORECASE | re.MULTILINE)

# Liquibase knows a changeset by its first line, whatever ends the statements in it.
_LIQUIBASE = re.compile(r"\s*--\s*liquibase\s+formatted\b", re.IGNORECASE)
_CHANGESET = re.compile(r"(?:^|(?<=\r))--[ \t]*changeset\b[^\r\n]*", re.IGNORECASE | re.MULTILINE)


def _statements(text: str, dialect: str) -> Iterator[Statement]:
    start = 0
    ends = _CHANGESET if _LIQUIBASE.match(text) else _GO
    for found in () if is_tsql(dialect) and ends is _GO else ends.finditer(text):
        yield from _moved(split(text[start : found.start()], dialect), start)
        start = found.end()
    yield from _moved(split(text[start:], dialect), start) if start else split(text, dialect)


def _moved(statements: Iterable[Statement], by: int) -> Iterator[Statement]:
    for each in statements:
        yield Statement(each.span.moved(by), each.lead.moved(by), each.end + by, each.keyword)


def _namespace(text: str, statement: Statement) -> list[Change]:
    if _NO_NAMESPACE.match(text, *statement.span):
        return [UseNamespace("")]
    found = _NAMESPACE.match(text, *statement.span)
    return [UseNamespace(found[1].translate(_QUOTES))] if found else []


# Where a transaction takes back what it made, and not only rows.
_ROLLS_DDL_BACK = words("postgres redshift sqlite duckdb")
_TRANSACTIONS = words("BEGIN START COMMIT END ROLLBACK ABORT")
_TRANSACTION = re.compile(
    r"(?:BEGIN|START|COMMIT|END|ROLLBACK|ABORT)(?:\s+(?:WORK|TRANSACTION|DEFERRED|IMMEDIATE"
    r"|EXCLUSIVE))*\Z",
    re.IGNORECASE,
)


def _transaction(text: str, statement: Statement, read: Read, begun: int | None) -> int | None:
    """How many changes there were when the transaction began that is open behind a statement."""
    if _TRANSACTION.match(statement.span.of(text)) is None:
        # A block, or back to a savepoint.
        return begun
    if statement.keyword in ("BEGIN", "START"):
        return len(read.changes) if begun is None else begun
    if statement.keyword in ("ROLLBACK", "ABORT") and begun is not None:
        # The fixtures of a test: no table of the database.
        del read.changes[begun:]
    return None


_NAMESPACE_WORDS = words("USE SET RESET ALTER DATABASE OPEN")
_NO_NAMESPACE = re.compile(
    r"(?:RESET\s+(?:SEARCH_PATH|ALL)"
    r"|SET\s+(?:(?:SESSION|LOCAL)\s+)?SEARCH_PATH\s*(?:=|TO\b)\s*DEFAULT)\b",
    re.IGNORECASE,
)
_NAMESPACE = re.compile(
    r"(?:USE\s+(?!(?:ROLE|WAREHOUSE|SECONDARY)\s+\w)(?:(?:SCHEMA|DATABASE|CATALOG)\s+)?"
    r"|ALTER\s+SESSION\s+SET\s+CURRENT_SCHEMA\s*=\s*|OPEN\s+SCHEMA\s+|DATABASE\s+"
    r"|SET\s+(?:(?:SESSION|LOCAL)\s+)?(?:SEARCH_PATH|(?:CURRENT_)?SCHEMA)\b\s*(?:=|TO\b)?\s*)"
    r"(?:[\"']?\$user[\"']?\s*,\s*)?"
    r"((?:(?:`[^`]+`|\"[^\"]+\"|'[^']+'|\[[^\]]+\]|[\w$-]+)\.?)+)",
    re.IGNORECASE,
)
_QUOTES = str.maketrans("", "", "`\"'[]")
_DDL = words("CREATE ALTER DROP RENAME EXCHANGE COMMENT EXEC EXECUTE") | BLOCKS
# Teradata's and Spark's; elsewhere REPLACE writes rows.
_REPLACED = re.compile(r"REPLACE\s+(?:(?:RECURSIVE\s+)?VIEW|TABLE)\b", re.IGNORECASE)
# Where a SELECT may make a table, not only set a variable or write a file.
_SELECTS_INTO = words("postgres redshift materialize risingwave tsql fabric")
_INTO = re.compile(r"\bINTO\b", re.IGNORECASE)
# How SQLite's shell dumps virtual tables.
_OF_THE_SCHEMA = re.compile(r"INSERT\s+INTO\s+sqlite_(?:schema|master)\b", re.IGNORECASE)
# Their text is data or a query; looking through it would cost more than it gives.
_NEVER_DDL = words("INSERT COPY VALUES SELECT WITH UPDATE DELETE MERGE GRANT REVOKE")
_NEXT_STATEMENT = re.compile(
    r"(?:^|(?<=\r))[ \t]*(?:CREATE|ALTER|DROP|EXEC|EXECUTE|COMMENT|IF)\b",
    re.IGNORECASE | re.MULTILINE,
)
_NO_MATTER = re.compile(
    r"(?:CREATE|ALTER|DROP)\s+(?:OR\s+(?:REPLACE|ALTER)\s+)?"
    r"(?:(?P<routine>PROCEDURE|PROC|TRIGGER|PACKAGE)"
    r"|(?:UNIQUE\s+|BITMAP\s+|CLUSTERED\s+|NONCLUSTERED\s+){0,3}INDEX|SEQUENCE|EXTENSION|DATABASE"
    r"|ROLE|USER|LOGIN|POLICY|PUBLICATION|STAGE|WAREHOUSE)\b",
    re.IGNORECASE,
)


def _selects_into(statement: Statement, text: str, dialect: str) -> bool:
    if statement.keyword not in ("SELECT", "WITH") or dialect not in _SELECTS_INTO:
        return False
    return _INTO.search(text, *statement.span) is not None


def _may_matter(statement: Statement, text: str, dialect: str) -> bool:
    """A first look, so that only what may hold DDL of tables is cut into words."""
    start, end = statement.span
    if statement.keyword in _DDL:
        other = _NO_MATTER.match(text, start, end)
        if other is None or other["routine"]:
            return other is None
        start = other.end()
    elif statement.keyword == "REPLACE":
        return _REPLACED.match(text, start, end) is not None
    elif _selects_into(statement, text, dialect):
        return True
    elif statement.keyword == "INSERT" and dialect == "sqlite":
        return _OF_THE_SCHEMA.match(text, start, end) is not None
    elif statement.keyword in _NEVER_DDL and not is_tsql(dialect):
        return False
    # DDL may follow a statement that nothing ends, or an IF.
    return _NEXT_STATEMENT.search(text, start, end) is not None


def _read(
    document: Document, masked: str, statement: Statement, dialect: str, result: Read
) -> None:
    tokens = _tokens(document.text, masked, statement, dialect)
    guarded = statement.keyword in BLOCKS
    before = len(result.changes)
    schema = created_schema(tokens) if statement.keyword == "CREATE" else ""
    for part in parts(tokens, guarded=guarded, inline=bool(schema)):
        line = document.line_of(part.peek().start)
        if not read_statement(part, line, result, guarded=guarded):
            break
    if schema:
        result.changes[before:] = [_inside(change, schema) for change in result.changes[before:]]
    table = result.changes[-1] if result.changes else None
    last = isinstance(table, CreateTable) and table.span.end == statement.span.end
    if isinstance(table, CreateTable) and last and not table.comment:
        said = comments.behind(document.text, statement.end)
        result.changes[-1] = replace(table, comment=said)


def _tokens(text: str, masked: str, statement: Statement, dialect: str) -> Tokens:
    """The tokens of a statement, with the comments above it; of a DO block's body."""
    own = tokenize(text, masked, statement.span, dialect)
    if statement.keyword == "DO":
        body = next((token for token in own.tokens if token.sort is Sort.STRING), None)
        if body is not None:
            tag = text.find("$", body.start + 1, body.end) + 1 - body.start
            inside = Span(body.start + tag, max(body.end - tag, body.start + tag))
            own = tokenize(text, masked, inside, dialect)
    if not statement.lead.of(text).strip():
        return own
    lead = tokenize(text, masked, statement.lead, dialect)
    return replace(own, comments=[*lead.comments, *own.comments])


def _inside(change: Change, schema: str) -> Change:
    if isinstance(change, CreateTable) and not change.table.schema:
        return replace(change, table=change.table._replace(schema=schema))
    return change
