"""Inside ``sqlscribe.toml``: tables, keys, the values that a key may have, and columns."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import chain, islice

from sqlscribe.completion.questions import MOST
from sqlscribe.completion.suggestion import Suggestion
from sqlscribe.notation.codes import CODES, GROUPS
from sqlscribe.notation.document import Document, Span
from sqlscribe.schema.model import Schema
from sqlscribe.settings import allowed_values, describe

_HEADER = re.compile(r"[ \t]*\[([^\]\r\n]*)\]?")
_KEY = re.compile(r"[ \t]*([\w.-]*)\Z")
_VALUE = re.compile(r"[ \t]*([\w.-]+)[ \t]*=[ \t]*(.*)\Z")
_LIST = re.compile(r"^[ \t]*([\w.-]+)[ \t]*=[ \t]*\[", re.MULTILINE)
_ITEMS = re.compile(
    r"(?:[\s,]|\"[^\"\r\n]*\"|'[^'\r\n]*'|#[^\r\n]*(?=[\r\n]))*+"
    r"(?:[\"'](?P<inside>[^\"'\r\n]*)|(?P<bare>[^\s,\"'#\]]*))\Z"
)
"""What may stand in a list before the cursor, and the item that it is in."""
_NO_SCHEMA = Schema()
_QUOTED = re.compile(r"(\"?)([\w/.*-]*)\Z")


def in_configuration(
    document: Document, offset: int, schema: Schema = _NO_SCHEMA
) -> list[Suggestion]:
    """Suggestions at an offset of ``sqlscribe.toml``."""
    line = document.line_span(document.line_of(offset))
    before = document.text[line.start : offset]
    if before.lstrip().startswith("#"):
        return []
    if before.lstrip().startswith("["):
        start = line.start + before.index("[") + 1
        return list(_tables(Span(start, offset)))
    table, begin = _table_at(document, line.start)
    lists = list(_LIST.finditer(document.text, begin, offset))
    if lists and (items := _ITEMS.match(document.text, lists[-1].end(), offset)):
        typed = items["inside"] if items["bare"] is None else items["bare"]
        span = Span(offset - len(typed), offset)
        found = _items(f"{table}{lists[-1][1]}", typed, span, schema)
        quote = "" if items["bare"] is None else '"'
        return [replace(each, text=f"{quote}{each.text}{quote}") for each in found]
    if value := _VALUE.match(before):
        return list(_values(f"{table}{value[1]}", value[2], offset))
    if key := _KEY.match(before):
        span = Span(line.start + key.start(1), offset)
        return list(_keys(table, span))
    return []


def _table_at(document: Document, start: int) -> tuple[str, int]:
    """The path of the table that a line stands in, with a dot behind it, and where that begins."""
    for line in range(document.line_of(start) - 1, -1, -1):
        header = _HEADER.match(document.text, *document.line_span(line))
        if header is not None:
            name = header[1].strip()
            # Every table of a further model has the keys of the model.
            table = "model." if name.startswith("models.") else f"{name}."
            return table, header.end()
    return "", 0


def _tables(span: Span) -> Iterator[Suggestion]:
    tables = dict.fromkeys(row.key.rpartition(".")[0] for row in describe() if "." in row.key)
    for table in (*tables, "models.NAME", "prompts.variables"):
        yield Suggestion(table, "key", span, "table")


def _keys(table: str, span: Span) -> Iterator[Suggestion]:
    for row in describe():
        name = row.key.removeprefix(table)
        if row.key.startswith(table) and "." not in name:
            detail = f"{row.type}, default {row.default}" if row.default else row.type
            yield Suggestion(name, "key", span, detail, row.meaning)


def _values(key: str, written: str, offset: int) -> Iterator[Suggestion]:
    found = _QUOTED.match(written)
    if found is None:
        return
    span = Span(offset - len(found[2]), offset)
    for value in allowed_values(key):
        is_text = value not in ("true", "false")
        yield Suggestion(value if found[1] or not is_text else f'"{value}"', "value", span)


def _items(key: str, typed: str, span: Span, schema: Schema) -> Iterator[Suggestion]:
    """What may stand in the list of a key."""
    if key == "checks.ignore":
        for code, meaning in {**CODES, **{f"{group}/*": GROUPS[group] for group in GROUPS}}.items():
            yield Suggestion(code, "value", span, meaning)
    elif key == "privacy.mask":
        yield from islice(_columns(typed.casefold(), span, schema), MOST)


def _columns(typed: str, span: Span, schema: Schema) -> Iterator[Suggestion]:
    """Columns with their tables, those that begin as typed first; behind ``*`` once each."""
    named: dict[str, Suggestion] = {}

    def fitting(*, begins: bool) -> Iterator[Suggestion]:
        for table in schema.tables:
            is_whole = typed.count(".") > 1 or len(schema.named(table.name)) > 1
            owner = table.qualified_name if is_whole else table.name
            owner = "*" if typed.startswith("*") else owner
            for column in table.columns:
                name = f"{owner}.{column.name}"
                if typed in name.casefold() and name.casefold().startswith(typed) is begins:
                    yield Suggestion(name, "column", span, column.type, column.comment)

    for each in chain(fitting(begins=True), fitting(begins=False)):
        if each.text not in named:
            named[each.text] = each
            yield each
