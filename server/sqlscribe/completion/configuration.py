"""Inside ``sqlscribe.toml``: tables, keys, and the values that a key may have."""

from __future__ import annotations

import re
from collections.abc import Iterator

from sqlscribe.completion.suggestion import Suggestion
from sqlscribe.notation.codes import CODES, GROUPS
from sqlscribe.notation.document import Document, Span
from sqlscribe.settings import allowed_values, describe

_HEADER = re.compile(r"[ \t]*\[([^\]\r\n]*)\]?")
_KEY = re.compile(r"[ \t]*([\w.-]*)\Z")
_VALUE = re.compile(r"[ \t]*([\w.-]+)[ \t]*=[ \t]*(.*)\Z")
_LIST_ITEM = re.compile(r"\"?([\w/*-]*)\Z")
_QUOTED = re.compile(r"(\"?)([\w/.*-]*)\Z")


def in_configuration(document: Document, offset: int) -> list[Suggestion]:
    """Suggestions at an offset of ``sqlscribe.toml``."""
    line = document.line_span(document.line_of(offset))
    before = document.text[line.start : offset]
    if before.lstrip().startswith("#"):
        return []
    if before.lstrip().startswith("["):
        start = line.start + before.index("[") + 1
        return list(_tables(Span(start, offset)))
    table = _table_at(document, line.start)
    if value := _VALUE.match(before):
        return list(_values(f"{table}{value[1]}", value[2], offset))
    if key := _KEY.match(before):
        span = Span(line.start + key.start(1), offset)
        return list(_keys(table, span))
    return []


def _table_at(document: Document, start: int) -> str:
    """The path of the table that a line stands in, with a dot behind it, or ``""``."""
    for line in range(document.line_of(start) - 1, -1, -1):
        header = _HEADER.match(document.text, *document.line_span(line))
        if header is not None:
            name = header[1].strip()
            # Every table of a further model has the keys of the model.
            return "model." if name.startswith("models.") else f"{name}."
    return ""


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
    if key == "checks.ignore":
        item = _LIST_ITEM.search(written)
        typed = item[1] if item else ""
        quoted = item is not None and item[0].startswith('"')
        span = Span(offset - len(typed), offset)
        meanings = {**CODES, **{f"{group}/*": said for group, said in GROUPS.items()}}
        for code, meaning in meanings.items():
            yield Suggestion(code if quoted else f'"{code}"', "value", span, meaning)
        return
    found = _QUOTED.match(written)
    if found is None:
        return
    span = Span(offset - len(found[2]), offset)
    for value in allowed_values(key):
        is_text = value not in ("true", "false")
        yield Suggestion(value if found[1] or not is_text else f'"{value}"', "value", span)
