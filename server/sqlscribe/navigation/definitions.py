"""Where a table or a column is defined, in the text of the file that defines it."""

from __future__ import annotations

import re

from sqlscribe.navigation.ddl_names import ddl_name
from sqlscribe.navigation.reading import LONGEST, Reading, is_name
from sqlscribe.navigation.walk import read
from sqlscribe.notation.document import Document, Span
from sqlscribe.notation.jinja_sql import neutral
from sqlscribe.notation.statements import split
from sqlscribe.schema.model import Table

_READ_ON = 400_000
"""Characters behind a table's definition in which an ALTER of it is looked for."""


def definition_in(document: Document, dialect: str, table: Table, column: str = "") -> Span:
    """The name of ``table``, or of its ``column``, in the file that it was read from.

    What cannot be found there is shown by the line where the definition starts.
    """
    line = min(table.line, len(document.line_starts) - 1)
    start = document.line_starts[line]
    whole_line = document.line_span(line)
    if not document.uri.casefold().endswith(".sql"):
        return _word(document.text, column or table.name, start) or whole_line
    text = neutral(document.text[start : start + _READ_ON], dialect).text
    for statement in split(text, dialect):
        if len(statement.span.of(text)) > LONGEST:
            continue
        found = name_in(statement.span.of(text), dialect, table, column)
        if found is not None:
            return found.moved(start + statement.span.start)
    # An ALTER of another file may have added the column, or the table is a model's query.
    return definition_in(document, dialect, table) if column else whole_line


def name_in(sql: str, dialect: str, table: Table, column: str = "") -> Span | None:
    """The name of a table or its column in a statement that defines it."""
    reading = read(sql, dialect)
    tokens = reading.tokens.tokens
    if not column:
        for path in reading.tables[:1]:
            if path[-1].text.casefold() == table.name.casefold():
                return Span(path[-1].start, path[-1].end)
        return None
    folded = column.casefold()
    for index, token in enumerate(tokens):
        if token.text.casefold() != folded or not is_name(token):
            continue
        if reading.contexts[index].block is None:
            named = ddl_name(reading, index)
            owner = named.table[-1].text.casefold() if named and named.is_column else ""
            if owner == table.name.casefold():
                return Span(token.start, token.end)
    return _given(reading, folded)


def _given(reading: Reading, column: str) -> Span | None:
    """Where the query of a view or a model gives a column its name."""
    outermost = [block for block in reading.blocks if block.parent is None]
    for block in reversed(outermost):
        for item in block.items:
            token = item.alias or (item.path[-1] if item.path and not item.star else None)
            if token is not None and token.text.casefold() == column:
                return Span(token.start, token.end)
    return None


def _word(text: str, word: str, start: int) -> Span | None:
    found = re.compile(rf"(?<!\w){re.escape(word)}(?!\w)", re.IGNORECASE).search(text, start)
    return Span(*found.span()) if found else None
