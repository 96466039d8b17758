"""The values that the INSERT statements and COPY data of scripts put into columns."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from sqlscribe.knowledge.profiling import ColumnValues, Gathered
from sqlscribe.notation.document import Span
from sqlscribe.notation.statements import Statement, outline
from sqlscribe.schema.ddl.cursor import Cursor, Name
from sqlscribe.schema.ddl.tokens import Sort, tokenize, words
from sqlscribe.schema.model import Schema, Table

_MOST_CHARACTERS = 4_000_000
"""Of data in one script: about three seconds. What comes behind leaves its columns open."""
_LONGEST_STATEMENT = 1_000_000


def inserted_values(scripts: Iterable[tuple[str, str]], schema: Schema) -> tuple[ColumnValues, ...]:
    """What the scripts, each a text with its dialect, insert into tables of ``schema``.

    Columns come in the schema's order. Values that are no literals, and data beyond the
    bounds, make a column's ``distinct_more`` true. Never raises.
    """
    found = _Found(schema)
    for text, dialect in scripts:
        view = outline(text, dialect)
        left = _MOST_CHARACTERS
        for statement in view.statements:
            if statement.keyword not in ("INSERT", "REPLACE", "COPY"):
                continue
            is_copy = statement.keyword == "COPY"
            data = _data_behind(statement, view.skipped) if is_copy else statement.span
            if data is None:
                continue
            left -= data.end - data.start
            read = _read_copy if is_copy else _read_insert
            read(text, dialect, statement, data, found, left >= 0)
    return tuple(found.columns())


@dataclass
class _Found:
    schema: Schema
    gathered: dict[tuple[int, str], Gathered] = field(default_factory=dict)

    def table(self, name: Name) -> Table | None:
        tables = self.schema.named(name.name, name.schema)
        return tables[0] if tables else None

    def column(self, table: Table, name: str) -> Gathered | None:
        column = table.column(name)
        if column is None:
            return None
        return self.gathered.setdefault((id(table), column.name), Gathered())

    def columns(self) -> Iterator[ColumnValues]:
        for table in self.schema.tables:
            for column in table.columns:
                gathered = self.gathered.get((id(table), column.name))
                if gathered is not None:
                    yield gathered.values(table.qualified_name, column.name)


def _targets(found: _Found, name: Name | None, listed: Cursor | None) -> list[Gathered | None]:
    """What gathers the values of each position, ``None`` where nothing does."""
    table = found.table(name) if name is not None else None
    if table is None:
        return []
    if listed is None:
        return [found.column(table, column.name) for column in table.columns]
    names = [item.identifier() for item in listed.items()]
    return [found.column(table, each.text) if each else None for each in names]


# -- INSERT ------------------------------------------------------------------------------

_BEFORE_THE_NAME = words(
    "INSERT REPLACE INTO OVERWRITE OR IGNORE ABORT FAIL ROLLBACK TABLE LOW_PRIORITY DELAYED"
    " HIGH_PRIORITY ALL FIRST"
)
_ROWS = words("VALUES VALUE")


def _read_insert(
    text: str, dialect: str, statement: Statement, data: Span, found: _Found, allowed: bool
) -> None:
    end = min(data.end, data.start + _LONGEST_STATEMENT)
    end = end if allowed else min(end, data.start + 2_000)
    cursor = Cursor.over(tokenize(text, text, Span(data.start, end), dialect))
    while cursor:
        _read_rows(cursor, found, cut=end < data.end)
        # T-SQL needs nothing between two statements; INSERT ALL fills several tables.
        if not cursor.seek(lambda at: at.sees("INSERT") or at.sees("INTO")):
            break


def _read_rows(cursor: Cursor, found: _Found, *, cut: bool) -> None:
    """One INSERT; with ``cut`` there is more of it than ``cursor`` has."""
    cursor.skip_words(_BEFORE_THE_NAME)
    if cursor.sees("WHEN") and cursor.seek(lambda at: at.sees("INTO")):
        cursor.next()
    name = cursor.name()
    targets = _targets(found, name, cursor.group())
    if cut:
        _open(targets)
    while cursor and not cursor.sees("INSERT"):
        if cursor.next().word in _ROWS:
            break
    else:
        # The rows of a query are not here.
        _open(targets)
        return
    while cursor.sees_mark("("):
        row = cursor.group()
        if row is not None and targets and (cursor or not cut):
            _add_row(row.items(), targets)
        cursor.take_mark(",")


def _open(targets: Iterable[Gathered | None]) -> None:
    for target in targets:
        if target is not None:
            target.more = True


def _add_row(items: Sequence[Cursor], targets: Sequence[Gathered | None]) -> None:
    if len(items) != len(targets):
        _open(targets)
        return
    for item, target in zip(items, targets, strict=True):
        if target is not None:
            target.add(*_literal(item))


_TYPED = words("DATE TIMESTAMP TIMESTAMPTZ DATETIME TIME")
_CALLS = words("CAST TO_DATE TO_TIMESTAMP DATE TIMESTAMP CONVERT PARSE_DATE STR_TO_DATE")


def _literal(item: Cursor) -> tuple[str | None, bool]:
    """The value and whether it is known: ``None`` for NULL."""
    sign = "-" if item.take_mark("-") else ""
    if item.peek().word in _CALLS and item.sees_mark("(", 1):
        item.next()
        inside = item.group()
        item = inside.items()[0] if inside is not None else item
    elif item.peek().word in _TYPED:
        item.next()
    token = item.next()
    if token.sort is Sort.NUMBER and _ends(item):
        return sign + token.text, True
    if token.sort is Sort.STRING and not sign and _ends(item):
        return token.text, True
    if token.word == "NULL":
        return None, True
    if token.word in ("TRUE", "FALSE"):
        return token.text.lower(), True
    return None, False


def _ends(item: Cursor) -> bool:
    """Whether a literal is the whole of a value, but for a cast."""
    return not item or item.sees_mark(":") or item.sees("AS")


# -- COPY --------------------------------------------------------------------------------

_ESCAPED = re.compile(r"\\(.)")
_PLAIN_COPY = re.compile(r"(?i)\bWITH\b|\bCSV\b|\bDELIMITER|\bFORMAT\b|\bBINARY\b")


def _data_behind(statement: Statement, skipped: Iterable[Span]) -> Span | None:
    """The rows of ``COPY … FROM stdin``."""
    for span in skipped:
        if span.start >= statement.end:
            return span if span.start - statement.end <= 2 else None
    return None


def _read_copy(
    text: str, dialect: str, statement: Statement, data: Span, found: _Found, allowed: bool
) -> None:
    cursor = Cursor.over(tokenize(text, text, statement.span, dialect))
    cursor.take("COPY")
    targets = _targets(found, cursor.name(), cursor.group())
    if not targets:
        return
    if not allowed or _PLAIN_COPY.search(text, *statement.span):
        _open(targets)
        return
    for line in data.of(text).splitlines():
        if line == "\\.":
            break
        fields = line.split("\t")
        if len(fields) != len(targets):
            continue
        for value, target in zip(fields, targets, strict=True):
            if target is not None and value != r"\N":
                target.add(_ESCAPED.sub(_unescaped, value), True)


def _unescaped(found: re.Match[str]) -> str:
    return {"t": "\t", "n": "\n", "r": "\r"}.get(found[1], found[1])
