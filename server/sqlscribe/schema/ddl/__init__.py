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
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from sqlscribe.notation.document import Document, Span
from sqlscribe.notation.findings import Finding
from sqlscribe.notation.script_lines import is_tsql
from sqlscribe.notation.statements import Statement, split
from sqlscribe.schema.ddl import comments
from sqlscribe.schema.ddl.changes import Change, CreateTable, UseNamespace
from sqlscribe.schema.ddl.cursor import Cursor
from sqlscribe.schema.ddl.migrations import migration_order, without_down_parts
from sqlscribe.schema.ddl.replay import Replayed, replay, replayed
from sqlscribe.schema.ddl.statements import Read, read_statement
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


@dataclass(frozen=True)
class DdlScript:
    """What one script does to a schema. Findings have their spans in the script's text."""

    path: Path
    dialect: str
    changes: tuple[Change, ...]
    findings: tuple[Finding, ...]


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
    masked = without_placeholders(without_down_parts(document.text))
    result = Read()
    for statement in split(masked, dialect):
        if statement.keyword in _NAMESPACE_WORDS:
            found = _NAMESPACE.match(masked, *statement.span)
            result.changes += [UseNamespace(found.group(1))] if found else []
        if _may_matter(statement, masked, dialect):
            _read(document, masked, statement, dialect, result)
    return DdlScript(path, dialect, tuple(result.changes), tuple(result.findings))


_NAMESPACE_WORDS = frozenset({"USE", "SET"})
_NAMESPACE = re.compile(
    r"(?:USE\s+(?:(?:SCHEMA|DATABASE|CATALOG)\s+)?"
    r"|SET\s+(?:(?:SESSION|LOCAL)\s+)?(?:SEARCH_PATH|(?:CURRENT_)?SCHEMA)\b\s*(?:=|TO\b)?\s*)"
    r"[`\"'\[]?([\w$.-]+)",
    re.IGNORECASE,
)
_BLOCKS = words("IF DO BEGIN DECLARE")
_DDL = words("CREATE ALTER DROP RENAME COMMENT EXEC EXECUTE") | _BLOCKS
# Their text is data or a query; looking through it would cost more than it gives.
_NEVER_DDL = words("INSERT COPY VALUES SELECT WITH UPDATE DELETE MERGE GRANT REVOKE")
_NEXT_STATEMENT = re.compile(
    r"^[ \t]*(?:CREATE|ALTER|DROP|EXEC|EXECUTE|COMMENT|IF)\b", re.IGNORECASE | re.MULTILINE
)
_NO_MATTER = re.compile(
    r"(?:CREATE|ALTER|DROP)\s+(?:OR\s+(?:REPLACE|ALTER)\s+)?"
    r"(?:(?P<routine>PROCEDURE|PROC|TRIGGER|PACKAGE)"
    r"|(?:UNIQUE\s+|BITMAP\s+|CLUSTERED\s+|NONCLUSTERED\s+){0,3}INDEX|SEQUENCE|EXTENSION|DATABASE"
    r"|ROLE|USER|LOGIN|POLICY|SYNONYM|PUBLICATION|STAGE|WAREHOUSE)\b",
    re.IGNORECASE,
)


def _may_matter(statement: Statement, text: str, dialect: str) -> bool:
    """A first look, so that only what may hold DDL of tables is cut into words."""
    start, end = statement.span
    if statement.keyword in _DDL:
        other = _NO_MATTER.match(text, start, end)
        if other is None or other["routine"]:
            return other is None
        start = other.end()
    elif statement.keyword in _NEVER_DDL and not is_tsql(dialect):
        return False
    # DDL may follow a statement that nothing ends, or an IF.
    return _NEXT_STATEMENT.search(text, start, end) is not None


def _read(
    document: Document, masked: str, statement: Statement, dialect: str, result: Read
) -> None:
    tokens = _tokens(document.text, masked, statement, dialect)
    guarded = statement.keyword in _BLOCKS
    for part in _parts(tokens, guarded=guarded):
        line = document.line_of(part.peek().start)
        if not read_statement(part, line, result, guarded=guarded):
            break
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


def _parts(tokens: Tokens, *, guarded: bool) -> Iterator[Cursor]:
    """The statements that nothing separates, as T-SQL allows, or that a block holds."""
    starts: list[int] = []
    ends: list[int] = []
    cursor = Cursor.over(tokens)
    while cursor:
        here = cursor.at
        if here == 0 and not guarded:
            starts.append(here)
        elif _starts_ddl(cursor) and (guarded or tokens.first_on_line(here)):
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
    return word == "COMMENT" and cursor.sees("COMMENT", "ON")
