"""What an edit of the schema broke: examples and queries that were right until then.

Compared is what the definitions said before, in this session, with what they say now. A name
that went counts only while some SQL needs it that would be right if it were back.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from sqlscribe.checking.check import check
from sqlscribe.checking.names.running import words_of
from sqlscribe.files import FileEntry, Reader
from sqlscribe.inspection import Inspector
from sqlscribe.knowledge.examples import Example
from sqlscribe.learned import Learned
from sqlscribe.loading import Loaded
from sqlscribe.notation import asks
from sqlscribe.notation.asks import Script
from sqlscribe.notation.document import Document, Span
from sqlscribe.notation.findings import FileFindings, Finding, Related, Severity
from sqlscribe.notation.ignores import is_ignored
from sqlscribe.schema.model import Column, Schema, Table

_UNKNOWN = ("name/unknown-table", "name/unknown-column")
_LONGEST_SCRIPT = 1_000_000
"""Bytes of a script that is looked through for what uses a name."""
_MOST_SHOWN = 50
"""Places that are listed with one finding."""
_MOST_NAMED = 3
_LONGEST_TITLE = 60
_QUOTES = "\"'`[]"


@dataclass(frozen=True)
class _Lost:
    """A table as it was, with all that it has had, and the names of the columns that went.

    Without such names the whole table is gone.
    """

    table: Table
    columns: tuple[str, ...] = ()


@dataclass(frozen=True)
class _User:
    """A place that needs what is gone. ``kind`` is what a person calls it."""

    kind: str
    title: str
    document: Document
    span: Span


class Breakages:
    """What the definitions of one folder have lost. May be used from any thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._reader = Reader()
        self._schema: Schema | None = None
        self._good: dict[str, Table] = {}
        self._lost: dict[str, _Lost] = {}

    def update(
        self,
        loaded: Loaded,
        learned: Learned,
        inspector: Inspector,
        entries: Iterable[FileEntry],
        buffers: Mapping[Path, Document],
    ) -> tuple[FileFindings, ...]:
        """Findings on the definitions that others still need.

        ``entries`` are the files of the folder, which are read only if something is gone.
        """
        with self._lock:
            if loaded.schema is not self._schema:
                self._compare(loaded.schema)
                self._schema = loaded.schema
            if (
                not self._lost
                or not loaded.schema.tables
                or is_ignored("schema/breaks", loaded.settings.checks.ignore)
            ):
                return ()
            entries = list(entries)
            self._reader.forget(entry.path for entry in entries)
            documents = list(self._scripts(loaded, entries, buffers))
            return self._findings(loaded, learned, inspector, documents)

    def _scripts(
        self, loaded: Loaded, entries: Iterable[FileEntry], buffers: Mapping[Path, Document]
    ) -> Iterator[Document]:
        """The SQL files of the folder, those that are open as they are in the editor."""
        for entry in entries:
            if entry.name.lower().endswith(".sql") and entry.size <= _LONGEST_SCRIPT:
                fallback = loaded.settings.encoding
                yield self._reader.read(entry, buffers, fallback=fallback).document

    def _findings(
        self, loaded: Loaded, learned: Learned, inspector: Inspector, documents: list[Document]
    ) -> tuple[FileFindings, ...]:
        found: dict[str, tuple[Document, list[Finding]]] = {}
        for key, lost in list(self._lost.items()):
            users = _users(lost, loaded, learned, inspector, documents)
            self._forget_unused(key, lost, users)
            for column, used in users.items():
                place = _place(lost.table, column, loaded, documents)
                if place is not None:
                    document, span = place
                    finding = _finding(lost.table, column, used, span)
                    found.setdefault(document.uri, (document, []))[1].append(finding)
        return tuple(FileFindings(document, tuple(each)) for document, each in found.values())

    def _compare(self, schema: Schema) -> None:
        now = {table.qualified_name.casefold(): table for table in schema.tables}
        for key, old in list(self._good.items()):
            new = now.get(key)
            if new is old or (new is not None and new.partly_understood):
                continue
            before = self._lost[key].table if key in self._lost else old
            before = _with(before, old.columns)
            if new is None:
                self._lost[key] = _Lost(before)
                continue
            gone = tuple(each.name for each in before.columns if new.column(each.name) is None)
            if gone:
                self._lost[key] = _Lost(before, gone)
            else:
                self._lost.pop(key, None)
        self._good |= {key: table for key, table in now.items() if not table.partly_understood}

    def _forget_unused(self, key: str, lost: _Lost, users: Mapping[str, Sequence[_User]]) -> None:
        """What nobody needs is no loss: names that were half typed, and what was cleaned up."""
        if not users:
            del self._lost[key]
            if not lost.columns:
                self._good.pop(key, None)
        elif lost.columns:
            kept = tuple(name for name in lost.columns if name in users)
            self._lost[key] = replace(lost, columns=kept)


def _users(
    lost: _Lost,
    loaded: Loaded,
    learned: Learned,
    inspector: Inspector,
    documents: Iterable[Document],
) -> dict[str, list[_User]]:
    """Who needs each of the lost columns; all under ``""`` where the table itself is gone."""
    restored = _restored(loaded.schema, lost)
    words = words_of(lost.table.name)
    found: dict[str, list[_User]] = {}
    for example in loaded.examples:
        if words <= words_of(example.sql):
            for name in _missed_by(example, lost, loaded, learned, restored):
                document = loaded.example_files.get(example.file)
                if document is not None:
                    user = _User("example", example.question, document, example.span)
                    found.setdefault(name, []).append(user)
    as_before = inspector.against(restored)
    own = {document.uri for document in loaded.example_files.values()}
    for document in documents:
        if document.uri not in own and words <= words_of(document.text):
            script = asks.read(document, loaded.dialect)
            for name, user in _users_in(script, lost, inspector, as_before):
                found.setdefault(name, []).append(user)
    return found


def _missed_by(
    example: Example, lost: _Lost, loaded: Loaded, learned: Learned, restored: Schema
) -> set[str]:
    now = [each for each in learned.findings(example) if _is_unknown(each)]
    if not now:
        return set()
    dialect = example.dialect or loaded.dialect
    then = {(f.code, f.span) for f in check(example.sql, restored, dialect).findings}
    cured = [each for each in now if (each.code, each.span) not in then]
    return {name for each in cured for name in _named(each.span.of(example.sql), lost)}


def _users_in(
    script: Script, lost: _Lost, inspector: Inspector, as_before: Inspector
) -> Iterator[tuple[str, _User]]:
    """The questions and queries of a script that need it, each once for a column."""
    now = [each for each in inspector.inspect(script) if _is_unknown(each)]
    if not now:
        return
    then = {(each.code, each.span) for each in as_before.inspect(script)}
    text = script.document.text
    seen: set[tuple[str, int]] = set()
    for finding in now:
        if (finding.code, finding.span) in then:
            continue
        user = _user_at(script, finding.span)
        for name in _named(finding.span.of(text), lost):
            if (name, user.span.start) not in seen:
                seen.add((name, user.span.start))
                yield name, user


def _user_at(script: Script, span: Span) -> _User:
    for question in script.questions:
        answer = question.answer
        if answer is not None and answer.start <= span.start < answer.end:
            return _User("question", question.text, script.document, question.span)
    for statement in script.statements:
        if statement.span.contains(span.start):
            sql = statement.span.of(script.document.text)
            return _User("query", sql, script.document, statement.span)
    return _User("query", span.of(script.document.text), script.document, span)


def _is_unknown(finding: Finding) -> bool:
    return finding.code in _UNKNOWN and finding.severity is Severity.ERROR


def _named(written: str, lost: _Lost) -> set[str]:
    """Which of the lost names a place names; ``""`` for the table itself."""
    name = written.rpartition(".")[2].strip(_QUOTES).casefold()
    if not lost.columns:
        return {""} if name == lost.table.name.casefold() else set()
    return {column for column in lost.columns if column.casefold() == name}


def _with(table: Table, columns: Iterable[Column]) -> Table:
    """The table with columns that it has had as well."""
    known = {column.name.casefold() for column in table.columns}
    more = [each for each in columns if each.name.casefold() not in known]
    return replace(table, columns=(*table.columns, *more)) if more else table


def _restored(schema: Schema, lost: _Lost) -> Schema:
    """The schema with what was lost besides what it has now."""
    key = lost.table.qualified_name.casefold()
    tables = tuple(
        _with(table, lost.table.columns) if table.qualified_name.casefold() == key else table
        for table in schema.tables
    )
    if not lost.columns:
        tables = (*tables, lost.table)
    return Schema(tables, schema.functions)


def _place(
    table: Table, column: str, loaded: Loaded, documents: Iterable[Document]
) -> tuple[Document, Span] | None:
    """Where a person took it away: the statement that drops it, else the table's definition."""
    for script in reversed(list(loaded.scripts.values())):
        span = _dropped(script.text, table.name, column)
        if span is not None:
            return script, span
    now = next(
        (each for each in loaded.schema.named(table.name, table.schema) if each.file is not None),
        table,
    )
    document = _document_of(now.file, loaded, documents)
    if document is None:
        return None
    line = document.line_span(min(now.line, len(document.line_starts) - 1))
    name = re.compile(rf"(?<!\w){re.escape(now.name)}(?!\w)", re.IGNORECASE)
    found = name.search(document.text, line.start)
    if now is not table and found is not None:
        return document, Span(*found.span())
    return document, line


def _document_of(
    file: Path | None, loaded: Loaded, documents: Iterable[Document]
) -> Document | None:
    if file is None:
        return None
    uri = file.as_uri() if file.is_absolute() else ""
    known = loaded.scripts.get(file)
    return known or next((each for each in documents if each.uri == uri), None)


def _dropped(text: str, table: str, column: str) -> Span | None:
    """The name in the last statement that drops or renames it."""
    name = column or table
    if name.casefold() not in text.casefold():
        return None
    word = rf"(?<!\w)(?P<name>{re.escape(name)})(?!\w)"
    forms = [rf"\b(?:drop|rename|change)\b[^;]{{0,200}}?{word}"]
    if not column:
        forms.append(rf"\balter\s+table\b[^;]{{0,200}}?{word}[^;]{{0,20}}?\brename\s+to\b")
    places = (found for form in forms for found in re.finditer(form, text, re.IGNORECASE))
    last: Span | None = None
    for found in places:
        start = text.rfind(";", 0, found.start()) + 1
        if words_of(table) <= words_of(text[start : found.end()]):
            last = Span(*found.span("name"))
    return last


def _finding(table: Table, column: str, users: Sequence[_User], span: Span) -> Finding:
    name = f"{table.qualified_name}.{column}" if column else table.qualified_name
    kinds = [user.kind for user in users]
    counted = [
        _counted(number, kind)
        for kind in ("example", "question", "query")
        if (number := kinds.count(kind))
    ]
    verb = "uses" if len(users) == 1 else "use"
    titles = ", ".join(f"“{_short(user.title)}”" for user in users[:_MOST_NAMED])
    more = ", …" if len(users) > _MOST_NAMED else ""
    message = f"{_listed(counted)} {verb} {name}, which is no longer there: {titles}{more}"
    related = tuple(
        Related(user.document, user.span, f"this {user.kind} uses {name}")
        for user in users[:_MOST_SHOWN]
    )
    return Finding("schema/breaks", Severity.WARNING, message, span, related=related)


def _counted(number: int, kind: str) -> str:
    if number == 1:
        return f"1 {kind}"
    return f"{number} queries" if kind == "query" else f"{number} {kind}s"


def _listed(parts: Sequence[str]) -> str:
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _LONGEST_TITLE else f"{line[:_LONGEST_TITLE]}…"
