"""One statement of DDL to the changes it makes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from sqlscribe.notation.document import Span
from sqlscribe.notation.findings import Finding, Severity
from sqlscribe.schema.ddl import comments
from sqlscribe.schema.ddl.alter import NotUnderstood, read_actions
from sqlscribe.schema.ddl.changes import (
    AlterColumn,
    AlterTable,
    AlterType,
    Change,
    CreateFunction,
    CreateTable,
    CreateType,
    DropFunction,
    DropSchema,
    DropTable,
    RenameTable,
    SetComment,
)
from sqlscribe.schema.ddl.cursor import Cursor, Name
from sqlscribe.schema.ddl.procedures import dynamic_statement, read_call
from sqlscribe.schema.ddl.tables import (
    NOT_UNDERSTOOD,
    Head,
    not_understood,
    read_table,
    virtual_table,
)
from sqlscribe.schema.ddl.tokens import Sort, tokenize, words
from sqlscribe.schema.ddl.types import checked_values, nested_fields, strings


@dataclass
class Read:
    """What was read so far."""

    changes: list[Change] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    line: int = 0
    """Where the statement that is being read starts."""


def read_statement(cursor: Cursor, line: int, read: Read, *, guarded: bool = False) -> bool:
    """Add what the statement at ``cursor`` does to ``read``.

    False for a routine: what follows up to the end is its body. ``guarded`` is for a statement
    behind an IF or before an exception handler: it keeps what exists.
    """
    read.line = line
    start, word = cursor.peek().start, cursor.next().word
    if word == "CREATE":
        return _create(cursor, start, read, guarded=guarded)
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
    "DATASHARE DEFAULT DIRECTORY ENDPOINT EXTENSION FAILOVER FILE FULLTEXT GIT IMAGE "
    "INDEX INTEGRATION JOB KEY LANGUAGE LIBRARY LOGIN MASKING MODEL NETWORK NOTEBOOK "
    "NOTIFICATION OPERATOR PARTITION PIPE POLICY PROFILE PROJECTION PUBLICATION QUEUE "
    "REPLICATION RESOURCE ROLE ROUTE RULE SCHEMA SECRET SECURITY SEMANTIC SEQUENCE SERVER "
    "SERVICE SHARE SPATIAL STAGE STATISTICS STREAM STREAMLIT SUBSCRIPTION SYMMETRIC "
    "SYNONYM TABLESPACE TAG TASK TEXT TRANSFORM USER USERS WAREHOUSE XML"
)
_TEMPORARY = frozenset({"TEMP", "TEMPORARY", "VOLATILE"})
_STOPS = frozenset({"ON", "FOR", "FROM", "AS", "USING", "TO"})


def _create(cursor: Cursor, start: int, read: Read, *, guarded: bool) -> bool:
    seen: set[str] = set()
    while cursor:
        cursor.take("SQL", "SECURITY")
        token = cursor.peek()
        if token.sort is Sort.WORD:
            seen.add(token.word)
        if token.word in ("TABLE", "VIEW", "TYPE", "DOMAIN", "DICTIONARY"):
            break
        if token.word in _ROUTINES and not cursor.sees("EVENT", "TABLE"):
            cursor.next()
            _created_routine(cursor, token.word, read)
            return False
        if token.word in _OTHERS or token.word in _STOPS or cursor.sees_mark("("):
            return True
        cursor.next()
    if not cursor:
        return True
    kind = cursor.next().word
    keep = cursor.take("IF", "NOT", "EXISTS") or guarded
    if kind in ("TYPE", "DOMAIN"):
        _created_type(cursor, kind, read)
        return True
    head = Head(
        kind=_kind(kind, seen, cursor),
        start=start,
        line=read.line,
        replace_existing="REPLACE" in seen or ("ALTER" in seen and "OR" in seen),
        keep_existing=keep,
        above=comments.above(cursor.tokens, start),
    )
    table, findings = (virtual_table if "VIRTUAL" in seen else read_table)(cursor, head)
    read.findings += findings
    if table is not None:
        read.changes.append(table)
    return True


def _kind(object_: str, seen: set[str], cursor: Cursor) -> str:
    kind = "view" if object_ == "VIEW" else "table"
    if seen & _TEMPORARY or cursor.peek().text.startswith("#"):
        return f"temporary {kind}"
    return "materialized view" if kind == "view" and "MATERIALIZED" in seen else kind


def _created_routine(cursor: Cursor, kind: str, read: Read) -> None:
    cursor.take("IF", "NOT", "EXISTS")
    name = cursor.name()
    if name is not None and kind in ("FUNCTION", "AGGREGATE", "MACRO"):
        read.changes.append(CreateFunction(name))


def _created_type(cursor: Cursor, kind: str, read: Read) -> None:
    name = cursor.name()
    if name is None:
        return
    values: tuple[str, ...] = ()
    fields: tuple[str, ...] = ()
    if kind == "DOMAIN":
        if cursor.seek(lambda at: at.sees("CHECK")):
            cursor.next()
            group = cursor.group()
            checked = checked_values(group) if group else None
            values = checked[1] if checked else ()
    elif cursor.take("AS", "ENUM"):
        values = strings(cursor.group())
    elif cursor.take("AS"):
        fields = _composite(cursor)
    read.changes.append(CreateType(name, values, fields))


def _composite(cursor: Cursor) -> tuple[str, ...]:
    cursor.take("OBJECT")
    if not cursor.sees_mark("("):
        return nested_fields(cursor)
    group = cursor.group()
    items = group.items() if group else []
    names = [item.identifier() for item in items if len(range(item.at, item.end)) > 1]
    return tuple(name.text for name in names if name is not None)


# -- ALTER, DROP, RENAME, COMMENT --------------------------------------------------------

_MODIFIERS = words("FOREIGN EXTERNAL ICEBERG HYBRID DYNAMIC MATERIALIZED EVENT")


def _alter(cursor: Cursor, start: int, read: Read) -> None:
    cursor.skip_words(_MODIFIERS)
    kind = cursor.next().word
    cursor.take("IF", "EXISTS")
    if kind == "TYPE":
        _altered_type(cursor, read)
    elif kind == "VIEW":
        _altered_view(cursor, start, read)
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
    if cursor.take("ON", "CLUSTER"):
        cursor.name()
    actions = []
    try:
        for action in read_actions(cursor):
            actions.append(action)
    except NotUnderstood as error:
        message = f"This change of {name.name} was not understood and is not made."
        read.findings.append(Finding(NOT_UNDERSTOOD, Severity.WARNING, message, error.span))
    if actions:
        read.changes.append(AlterTable(name, tuple(actions), cursor.span_from(start)))


def _altered_view(cursor: Cursor, start: int, read: Read) -> None:
    at = cursor.at
    name = cursor.name()
    if name is None:
        return
    if cursor.sees("RENAME"):
        cursor.at = at
        _altered_table(cursor, start, read)
    elif cursor.seek(lambda here: here.sees("AS")):
        cursor.at = at
        head = Head("view", start, read.line, True, False, "")
        table, findings = read_table(cursor, head)
        read.findings += findings
        if table is not None:
            read.changes.append(table)


def _altered_type(cursor: Cursor, read: Read) -> None:
    name = cursor.name()
    if name is None:
        return
    if cursor.take("ADD", "VALUE"):
        cursor.take("IF", "NOT", "EXISTS")
        value = cursor.text()
        before = cursor.sees("BEFORE")
        beside = cursor.text() if cursor.take("BEFORE") or cursor.take("AFTER") else None
        if value is not None:
            read.changes.append(AlterType(name, value, "", beside or "", before))
    elif cursor.take("RENAME", "VALUE"):
        old = cursor.text()
        new = cursor.text() if cursor.take("TO") else None
        if old is not None and new is not None:
            read.changes.append(AlterType(name, new, old))


def _drop(cursor: Cursor, start: int, read: Read) -> None:
    cursor.skip_words(_MODIFIERS | _TEMPORARY)
    make = _DROPS.get(cursor.next().word)
    if make is None:
        return
    cursor.take("IF", "EXISTS")
    for item in cursor.items():
        name = item.name()
        if name is not None:
            read.changes.append(make(name))


_DROPS: dict[str, Callable[[Name], Change]] = {
    "TABLE": DropTable,
    "VIEW": DropTable,
    "DICTIONARY": DropTable,
    "FUNCTION": DropFunction,
    "AGGREGATE": DropFunction,
    "SCHEMA": lambda name: DropSchema(name.name),
}


def _rename(cursor: Cursor, start: int, read: Read) -> None:
    cursor.take("TABLE")
    cursor.take("IF", "EXISTS")
    for item in cursor.items():
        old = item.name()
        new = item.name() if old is not None and item.take("TO") else None
        if old is not None and new is not None:
            action = RenameTable(new.name, new.schema or None, new.quoted)
            read.changes.append(AlterTable(old, (action,), cursor.span_from(start)))


def _comment(cursor: Cursor, start: int, read: Read) -> None:
    cursor.take("IF", "EXISTS")
    cursor.take("ON")
    cursor.skip_words(_MODIFIERS)
    kind = cursor.next().word
    if kind not in ("TABLE", "VIEW", "COLUMN"):
        return
    name = cursor.name()
    if name is None or not cursor.take("IS"):
        return
    text = "" if cursor.sees("NULL") else cursor.text()
    if text is None:
        return
    span = cursor.span_from(start)
    if kind != "COLUMN":
        read.changes.append(AlterTable(name, (SetComment(text),), span))
    elif name.schema:
        schema, _, table = name.schema.rpartition(".")
        action = AlterColumn(name.name, comment=text)
        read.changes.append(AlterTable(Name(table, schema), (action,), span))


def _call(cursor: Cursor, start: int, read: Read) -> None:
    at, span = cursor.at, cursor.span_from(start)
    change = read_call(cursor, start)
    if change is not None:
        read.changes.append(change)
        return
    cursor.at = at
    statement = dynamic_statement(cursor)
    if statement is None:
        return
    inner = Read()
    dialect = cursor.tokens.dialect
    tokens = tokenize(statement, statement, Span(0, len(statement)), dialect)
    if tokens.tokens:
        read_statement(Cursor.over(tokens), read.line, inner, guarded=True)
    read.findings += [replace(finding, span=span) for finding in inner.findings]
    read.changes += [
        replace(made, span=span) if isinstance(made, CreateTable | AlterTable) else made
        for made in inner.changes
    ]


_Reader = Callable[[Cursor, int, Read], None]

_READERS: dict[str, _Reader] = {
    "ALTER": _alter,
    "DROP": _drop,
    "RENAME": _rename,
    "COMMENT": _comment,
    "EXEC": _call,
    "EXECUTE": _call,
}
