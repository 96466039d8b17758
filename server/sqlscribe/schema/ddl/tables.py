"""CREATE TABLE and CREATE VIEW."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from sqlscribe.notation.document import Span
from sqlscribe.notation.findings import Finding, Severity
from sqlscribe.notation.script_lines import is_tsql
from sqlscribe.schema.ddl import comments
from sqlscribe.schema.ddl.alter import comment_property
from sqlscribe.schema.ddl.changes import Constraint, CreateTable, Like, LikeHow, Query
from sqlscribe.schema.ddl.columns import read_comment, read_item, same
from sqlscribe.schema.ddl.constraints import key_columns, with_constraints
from sqlscribe.schema.ddl.cursor import Cursor, Name
from sqlscribe.schema.ddl.queries import read_query
from sqlscribe.schema.ddl.tokens import Sort, Token, words
from sqlscribe.schema.model import Column

NOT_UNDERSTOOD = "schema/not-understood"


@dataclass
class _Draft:
    """A table while its clauses are read."""

    columns: list[Column] = field(default_factory=list)
    constraints: list[Constraint] = field(default_factory=list)
    likes: list[Like] = field(default_factory=list)
    query: Query | None = None
    partly: bool = False
    said_inside: str = ""
    comment: str | None = None
    partitioned: list[str] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)

    def lose(self, message: str, span: Span) -> None:
        self.partly = True
        self.findings.append(Finding(NOT_UNDERSTOOD, Severity.WARNING, message, span))


@dataclass(frozen=True)
class Head:
    """What stands before the name: ``CREATE OR REPLACE TEMP TABLE IF NOT EXISTS``."""

    kind: str
    start: int
    line: int
    replace_existing: bool
    keep_existing: bool
    above: str


def read_table(cursor: Cursor, head: Head) -> tuple[CreateTable | None, list[Finding]]:
    """The table whose name stands at ``cursor``, and what of it was not understood."""
    start = cursor.at
    name = cursor.name()
    if name is None:
        message = f"The name of this {head.kind} was not found, so it is not known."
        return None, [not_understood(message, cursor, head.start)]
    name = _without_dot(name, cursor.tokens.dialect)
    draft = _Draft()
    is_view = head.kind.endswith("view")
    opening = _take_list_opening(cursor)
    listed = cursor.group() if opening is not None else None
    if listed is not None and opening is not None:
        if listed.sees("SELECT"):
            draft.query = read_query(listed)
        else:
            _read_list(listed, opening, head, draft)
    _read_clauses(cursor, draft, is_view)
    if not (draft.columns or draft.likes or draft.query):
        _report_no_columns(Cursor(cursor.tokens, start, cursor.end), name, head, draft)
    names: tuple[Column, ...] = ()
    if draft.query is not None and (is_view or cursor.tokens.dialect not in _ADDS_TO_THE_QUERY):
        names, draft.columns = tuple(with_constraints(draft.columns, draft.constraints)), []
    table = CreateTable(
        table=name,
        span=cursor.span_from(head.start),
        line=head.line,
        kind=head.kind,
        columns=tuple(with_constraints(draft.columns, draft.constraints)),
        constraints=tuple(draft.constraints),
        comment=(head.above or draft.said_inside) if draft.comment is None else draft.comment,
        likes=tuple(draft.likes),
        query=draft.query,
        names=names,
        partly_understood=draft.partly,
        keep_existing=head.keep_existing,
        replace_existing=head.replace_existing,
        partitioned=tuple(draft.partitioned),
    )
    return table, draft.findings


_HIVE = frozenset({"hive", "spark", "spark2", "databricks"})


def _without_dot(name: Name, dialect: str) -> Name:
    """Hive's ``SHOW CREATE TABLE`` writes both parts of a name in one pair of backticks.

    No name of a table may hold a dot there.
    """
    schema, dot, table = name.name.rpartition(".")
    if dialect not in _HIVE or not dot or name.schema or not (schema and table):
        return name
    return name._replace(name=table, schema=schema)


def history_table(cursor: Cursor, owner: Name, line: int) -> CreateTable | None:
    """The table that T-SQL makes for the old rows of ``owner``, where the statement names one."""
    tokens = cursor.tokens.tokens
    for index in range(cursor.at, cursor.end) if is_tsql(cursor.tokens.dialect) else ():
        if tokens[index].word == "HISTORY_TABLE":
            at = Cursor(cursor.tokens, index + 1, cursor.end)
            name = at.name() if at.take_mark("=") else None
            if name is not None:
                span, likes = at.span_from(tokens[index].start), (Like(owner, "inherit"),)
                return CreateTable(name, span, line, likes=likes, keep_existing=True)
    return None


def not_understood(message: str, cursor: Cursor, start: int) -> Finding:
    """A finding on the first line of the statement that starts at ``start``."""
    end = cursor.tokens.tokens[cursor.end - 1].end if cursor.end else start
    line_end = cursor.tokens.text.find("\n", start, end)
    span = Span(start, line_end if line_end > 0 else end)
    return Finding(NOT_UNDERSTOOD, Severity.WARNING, message, span)


def _take_list_opening(cursor: Cursor) -> int | None:
    """Index of the bracket that opens the list of columns; the cursor moves to it."""
    start = cursor.at
    while cursor.take("ON", "CLUSTER") or cursor.take("TO") or cursor.take("UUID"):
        if cursor.name() is None:
            cursor.next()
    if cursor.take("CLUSTER", "BY"):
        # Snowflake's GET_DDL writes this clause before the list.
        cursor.group()
    if cursor.sees_mark(","):
        # Teradata has options between the name and the list.
        cursor.seek(lambda at: at.sees_mark("(") and not at.sees_mark(",", -1))
    if cursor.sees_mark("("):
        return cursor.at
    cursor.at = start
    return None


def _read_list(listed: Cursor, opening: int, head: Head, draft: _Draft) -> None:
    tokens = listed.tokens
    unclosed = opening not in tokens.closing
    items = listed.items()
    said = comments.beside(tokens, items, opening)
    draft.said_inside = comments.inside_head(tokens, head.start, opening)
    for index, item in enumerate(items):
        if not item:
            # A comma before the closing bracket is allowed by half of the engines.
            if 0 < index < len(items) - 1:
                draft.lose("A column is missing between these commas.", _around(item))
            continue
        _read_item(item, said.get(index, ""), draft)
    if unclosed:
        draft.lose("This list of columns is not closed.", _first_line(listed, opening))


def _read_item(item: Cursor, said: str, draft: _Draft) -> None:
    span = item.span()
    read = read_item(Cursor(item.tokens, item.at, item.end))
    draft.constraints += read.constraints
    if read.like is not None:
        draft.likes.append(replace(read.like, place=len(draft.columns)))
    if read.column is not None and not read.column.name:
        # A placeholder is the whole name.
        draft.partly = True
    elif read.column is not None:
        column = read.column
        draft.columns.append(column if column.comment else replace(column, comment=said))
        if not read.understood:
            draft.lose(f"The definition of {column.name} looks like more than one column.", span)
    elif not read.understood:
        draft.lose("This is neither a column nor a constraint that is known.", span)


def _around(item: Cursor) -> Span:
    before = item.tokens.tokens[item.at - 1]
    after = item.tokens.tokens[min(item.end, len(item.tokens.tokens) - 1)]
    return Span(before.start, after.end)


def _first_line(listed: Cursor, opening: int) -> Span:
    start = listed.tokens.tokens[opening].start
    line_end = listed.tokens.text.find("\n", start)
    return Span(start, line_end if line_end > 0 else listed.tokens.tokens[listed.end - 1].end)


# Where a list before the query of CREATE TABLE adds columns instead of naming the query's.
_ADDS_TO_THE_QUERY = frozenset({"mysql", "singlestore"})


# -- what follows the list ---------------------------------------------------------------

_QUERY = words("SELECT SEL WITH VALUES TABLE FROM EXPLAIN LOCKING")
_COPIES = frozenset({"LIKE", "CLONE", "COPY"})


def _read_clauses(cursor: Cursor, draft: _Draft, is_view: bool) -> None:
    while cursor:
        token = cursor.peek()
        if token.word == "AS" and _starts_query(cursor, 1, is_view):
            cursor.next()
            _read_as(cursor, draft)
        elif not is_view and _bare_query(cursor):
            _read_as(cursor, draft)
        elif _read_likes(cursor, draft, is_view):
            continue
        elif cursor.take("PRIMARY", "KEY"):
            columns = key_columns(cursor.group())
            draft.constraints += [Constraint("primary", columns)] if columns else []
        elif cursor.sees("PARTITIONED", "BY") or cursor.sees("WITH", "PARTITION", "COLUMNS"):
            cursor.at += 2 if token.word == "PARTITIONED" else 3
            _read_partition_columns(cursor.group(), draft)
        elif token.word in ("COMMENT", "OPTIONS"):
            said = read_comment(cursor)
            draft.comment = draft.comment if said is None else said
        elif cursor.take("TBLPROPERTIES"):
            said = comment_property(cursor.group())
            draft.comment = draft.comment if said is None else said
        else:
            cursor.skip()


def _read_likes(cursor: Cursor, draft: _Draft, is_view: bool) -> bool:
    """A clause that takes columns over from another table or a type, if one is here."""
    if cursor.peek().word in _COPIES and _names_something(cursor.peek(1)):
        cursor.next()
        cursor.skip_words(frozenset({"OF", "AS"}))
        _add_like(cursor.name(), "copy", draft)
    elif cursor.take("PARTITION", "OF"):
        _add_like(cursor.name(), "partition", draft)
        _read_constraints(cursor.group(), draft)
    elif cursor.take("INHERITS"):
        parents = cursor.group()
        for parent in parents.items() if parents else ():
            _add_like(parent.name(), "inherit", draft)
    elif cursor.take("AS", "OF"):
        # The moment of a copy: FOR SYSTEM_TIME AS OF …
        pass
    elif cursor.sees("OF") and not draft.columns and not is_view:
        cursor.next()
        _add_like(cursor.name(), "type", draft)
        _read_constraints(cursor.group(), draft)
    else:
        return False
    return True


# CREATE TABLE a AS b: a table like b.
_COPIES_BY_AS = frozenset({"clickhouse", "teradata"})


def _starts_query(cursor: Cursor, ahead: int, is_view: bool) -> bool:
    token = cursor.peek(ahead)
    if token.word in _QUERY or cursor.sees_mark("(", ahead):
        return True
    if cursor.tokens.dialect in _COPIES_BY_AS:
        return token.sort in (Sort.WORD, Sort.NAME)
    return is_view and token.sort is not Sort.END


def _bare_query(cursor: Cursor) -> bool:
    """``CREATE TABLE t SELECT …``, as MySQL has it; other WITHs are options."""
    mysql = cursor.tokens.dialect == "mysql"
    if mysql and cursor.sees("WITH"):
        # MariaDB: WITH SYSTEM VERSIONING.
        return not cursor.sees_mark("(", 1) and not cursor.sees("WITH", "SYSTEM", "VERSIONING")
    return cursor.sees("SELECT")


def _read_as(cursor: Cursor, draft: _Draft) -> None:
    names_a_table = cursor.peek().word not in _QUERY and not cursor.sees_mark("(")
    if names_a_table and cursor.tokens.dialect in _COPIES_BY_AS:
        _add_like(cursor.name(), "copy", draft)
    else:
        draft.query = read_query(cursor)
    cursor.at = cursor.end


def _names_something(token: Token) -> bool:
    return token.sort is Sort.NAME or (token.sort is Sort.WORD and token.word != "GRANTS")


def _read_constraints(group: Cursor | None, draft: _Draft) -> None:
    """A list that only adds constraints to columns that are taken over from elsewhere."""
    for item in group.items() if group is not None else ():
        if item:
            draft.constraints += read_item(item).constraints


def _add_like(name: Name | None, how: LikeHow, draft: _Draft) -> None:
    if name is not None:
        place = len(draft.columns) if how == "copy" else 0
        draft.likes.append(Like(name, how, place, keys=how != "inherit"))


def _read_partition_columns(group: Cursor | None, draft: _Draft) -> None:
    """Partition columns are columns; a name without a type repeats one.

    Without a list BigQuery takes their names from the files.
    """
    if group is None:
        draft.partly = True
        return
    for item in group.items():
        column = read_item(item).column if item else None
        if column and column.type and not any(same(column.name, c.name) for c in draft.columns):
            draft.columns.append(column)
            draft.partitioned.append(column.name)


# Tables whose columns stand elsewhere: in a file, in a registry, in what they are made from.
_ELSEWHERE = words(
    "AS BASE_LOCATION CATALOG CATALOG_TABLE_NAME ENGINE EXTERNAL_VOLUME FROM LOCATION "
    "METADATA_FILE_PATH OF OPTIONS ROW STORED TARGET_LAG TBLPROPERTIES USING WITH"
)


def _report_no_columns(cursor: Cursor, name: Name, head: Head, draft: _Draft) -> None:
    draft.partly = True
    if draft.findings:
        return
    cursor.name()
    # PostgreSQL takes a table without any column.
    is_empty = cursor.sees_mark("(") and cursor.sees_mark(")", 1)
    known = is_empty or cursor.peek().word in _ELSEWHERE
    finding = not_understood(
        f"No columns of {name.name} were found here, so no column of it is called unknown.",
        cursor,
        head.start,
    )
    draft.findings.append(replace(finding, severity=Severity.INFORMATION) if known else finding)


# Modules whose arguments name a source or an option.
_NO_COLUMNS = re.compile(r"VOCAB|AUX|CSV|DBSTAT|SPELLFIX|ZIPFILE|STATEMENT")


def virtual_table(cursor: Cursor, head: Head) -> tuple[CreateTable | None, list[Finding]]:
    """SQLite's ``CREATE VIRTUAL TABLE t USING fts5(title, body, tokenize = '…')``."""
    name = cursor.name()
    if name is None or not cursor.take("USING"):
        message = "This virtual table was not understood."
        return None, [not_understood(message, cursor, head.start)]
    module = cursor.next().word
    arguments = cursor.group()
    listed = arguments.items() if arguments and not _NO_COLUMNS.search(module) else ()
    columns = _arguments(listed)
    table = CreateTable(
        table=name,
        span=cursor.span_from(head.start),
        line=head.line,
        columns=tuple(columns),
        comment=head.above,
        # Other modules have columns of their own; full-text ones have hidden columns too.
        partly_understood=not (module.startswith("RTREE") and columns),
        keep_existing=head.keep_existing,
    )
    return table, []


def _arguments(items: Sequence[Cursor]) -> list[Column]:
    columns: list[Column] = []
    for item in items:
        item.take_mark("+")
        name = item.identifier()
        if name is not None and not item.sees_mark("="):
            columns.append(Column(name.text, quoted=name.sort is Sort.NAME))
    return columns
