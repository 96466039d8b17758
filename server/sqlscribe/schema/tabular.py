"""CSV, Parquet and JSON files as tables, read by DuckDB where it is installed.

DuckDB works in memory, may open this one file and nothing else, loads no extensions and is
stopped when it takes too long.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from threading import Event, Thread
from typing import Any, TypeVar

from sqlscribe.knowledge.profiling import MOST_VALUES, ColumnValues
from sqlscribe.notation.document import Span
from sqlscribe.notation.findings import Finding, Severity
from sqlscribe.schema.ddl.cursor import Cursor
from sqlscribe.schema.ddl.tokens import tokenize
from sqlscribe.schema.ddl.types import nested_fields
from sqlscribe.schema.identifiers import quote
from sqlscribe.schema.model import Column, Table

SUFFIXES = frozenset({".csv", ".tsv", ".parquet", ".jsonl", ".ndjson"})
"""Files that can be read; the text ones also with ``.gz`` behind."""
_READERS = {
    ".csv": "read_csv(?)",
    ".tsv": "read_csv(?, delim = '\t')",
    ".parquet": "read_parquet(?)",
    ".jsonl": "read_json(?, format = 'newline_delimited')",
    ".ndjson": "read_json(?, format = 'newline_delimited')",
}
_SECONDS = 5.0
_AGAIN_SECONDS = 0.02
_MEMORY = "512MB"
_THREADS = 2
_MOST_PROFILED = 200_000_000
"""In bytes: a larger file would have to be sampled, and a sample does not have all values."""
_SOME_MORE = 2 * MOST_VALUES
"""The first count is an estimate, so that columns near the bound are counted again."""


@dataclass(frozen=True)
class Tabular:
    """A file as a table named after it; ``None`` and a finding where it cannot be read."""

    table: Table | None
    findings: tuple[Finding, ...] = ()


@dataclass(frozen=True)
class FileValues:
    """The values in a file's columns, in its order; findings where they cannot be read."""

    values: tuple[ColumnValues, ...]
    findings: tuple[Finding, ...] = ()


def is_tabular(path: Path) -> bool:
    """Whether a file's name says that it holds rows."""
    return _suffix(path) in SUFFIXES


def table_name(path: Path) -> str:
    """What the table in a file is called: ``orders`` for ``orders.csv.gz``."""
    name = path.name
    if name.lower().endswith(".gz"):
        name = name[: -len(".gz")]
    return name[: -len(_suffix(path))] or path.name


def read_tabular(path: Path, *, seconds: float = _SECONDS) -> Tabular:
    """The columns of a file and their types, from its first rows. Never raises."""
    described = _asked(path, seconds, lambda connection: _describe(connection, path))
    if isinstance(described, Finding):
        return Tabular(None, (described,))
    columns = tuple(_column(name, type_) for name, type_, *_ in described)
    return Tabular(Table(table_name(path), columns, file=path))


def profile_file(
    path: Path, *, columns: Collection[str] | None = None, seconds: float = 4 * _SECONDS
) -> FileValues:
    """Distinct values of the columns that have few, and the bounds of dates and numbers.

    ``columns`` are the names to look at, all of them without it. Never raises.
    """
    wanted = None if columns is None else {name.casefold() for name in columns}

    def ask(connection: Any) -> tuple[ColumnValues, ...]:
        found = [
            (name, type_)
            for name, type_, *_ in _describe(connection, path)
            if wanted is None or name.casefold() in wanted
        ]
        return _values(connection, path, found) if found else ()

    try:
        size = path.stat().st_size
    except OSError as error:
        return FileValues((), (_unreadable(path, error.strerror or str(error)),))
    if size > _MOST_PROFILED:
        message = f"{path.name} is too large for a profile: its values were not read."
        finding = Finding("data/too-large", Severity.INFORMATION, message, Span(0, 0))
        return FileValues((), (finding,))
    values = _asked(path, seconds, ask)
    return FileValues((), (values,)) if isinstance(values, Finding) else FileValues(values)


# -- asking ------------------------------------------------------------------------------

Answer = TypeVar("Answer")


def _asked(path: Path, seconds: float, ask: Callable[[Any], Answer]) -> Answer | Finding:
    """What ``ask`` makes of a connection that sees only ``path``, or why it cannot."""
    try:
        import duckdb
    except ImportError:
        message = f"{path.name} was not read, DuckDB is missing: pip install 'sqlscribe[duckdb]'"
        return Finding("data/no-duckdb", Severity.INFORMATION, message, Span(0, 0))
    if not is_tabular(path):
        return _unreadable(path, "it is neither CSV, TSV, Parquet nor JSON lines")
    if any(character in path.as_posix() for character in "*?["):
        return _unreadable(path, "DuckDB takes *, ? and [ in its name for a pattern")
    if not path.is_file() or not path.stat().st_size:
        return _unreadable(path, "there is no such file, or it is empty")
    connection = duckdb.connect(":memory:")
    done = Event()
    watch = Thread(target=_interrupt, args=(connection, seconds, done), daemon=True)
    watch.start()
    try:
        _confine(connection, path)
        return ask(connection)
    except duckdb.InterruptException:
        message = f"{path.name} was not read: it took longer than {seconds:g} seconds."
        return Finding("data/too-slow", Severity.WARNING, message, Span(0, 0))
    except (duckdb.Error, UnicodeError) as error:
        said = str(error).split("\n", 1)[0]
        return _unreadable(path, said.replace(str(path), path.name))
    finally:
        done.set()
        watch.join()
        connection.close()


def _interrupt(connection: Any, seconds: float, done: Event) -> None:
    """Stop what runs after ``seconds``, again and again: between two statements it is lost."""
    late = not done.wait(seconds)
    while late and not done.wait(_AGAIN_SECONDS):
        connection.interrupt()


def _confine(connection: Any, path: Path) -> None:
    allowed = str(path).replace("'", "''")
    for setting in (
        f"memory_limit = '{_MEMORY}'",
        f"threads = {_THREADS}",
        "temp_directory = ''",
        "autoinstall_known_extensions = false",
        "autoload_known_extensions = false",
        f"allowed_paths = ['{allowed}']",
        "enable_external_access = false",
        "lock_configuration = true",
    ):
        connection.execute(f"SET {setting}")


def _unreadable(path: Path, reason: str) -> Finding:
    message = f"{path.name} cannot be read as a table: {reason.rstrip('.')}."
    return Finding("data/unreadable", Severity.WARNING, message, Span(0, 0))


def _suffix(path: Path) -> str:
    suffixes = [suffix.lower() for suffix in path.suffixes[-2:]]
    if suffixes[-1:] == [".gz"] and suffixes[0] != ".parquet":
        suffixes.pop()
    return suffixes[-1] if suffixes else ""


# -- what is asked -----------------------------------------------------------------------

_ORDERED = ("INT", "DECIMAL", "DOUBLE", "FLOAT", "HUGEINT", "DATE", "TIME")


def _describe(connection: Any, path: Path) -> Sequence[tuple[str, str]]:
    reader = _READERS[_suffix(path)]
    found: Sequence[tuple[str, str]] = connection.execute(
        f"DESCRIBE SELECT * FROM {reader}", [str(path)]
    ).fetchall()
    return found


def _column(name: str, type_: str) -> Column:
    cursor = Cursor.over(tokenize(type_, type_, Span(0, len(type_)), "duckdb"))
    return Column(name, type_, fields=nested_fields(cursor))


def _is_ordered(type_: str) -> bool:
    return any(part in type_ for part in _ORDERED) and not type_.endswith(("]", ")"))


def _values(
    connection: Any, path: Path, columns: Sequence[tuple[str, str]]
) -> tuple[ColumnValues, ...]:
    source, name = f"FROM {_READERS[_suffix(path)]}", table_name(path)
    counted = ", ".join(f"approx_count_distinct({quote(each, 'duckdb')})" for each, _ in columns)
    first = connection.execute(f"SELECT {counted} {source}", [str(path)]).fetchone()
    parts = [
        _parts(column, type_, count) for (column, type_), count in zip(columns, first, strict=True)
    ]
    row = connection.execute(f"SELECT {', '.join(parts)} {source}", [str(path)]).fetchone()
    result: list[ColumnValues] = []
    for (column, _), found in zip(columns, row, strict=True):
        values = tuple(sorted(found["listed"] or ()))
        more = found["more"] or len(values) > MOST_VALUES
        low, high = found["low"] or "", found["high"] or ""
        given = ColumnValues(name, column, minimum=low, maximum=high, distinct_more=more)
        result.append(given if more else replace(given, values=values))
    return tuple(result)


def _parts(column: str, type_: str, count: int) -> str:
    """A structure with the bounds of a column, and with its values where they are few."""
    named = quote(column, "duckdb")
    bounds = ("CAST(min({0}) AS VARCHAR)", "CAST(max({0}) AS VARCHAR)")
    low, high = (each.format(named) if _is_ordered(type_) else "NULL" for each in bounds)
    many = count > _SOME_MORE
    listed = "CAST(NULL AS VARCHAR[])"
    if not many:
        listed = f"list(DISTINCT CAST({named} AS VARCHAR)) FILTER (WHERE {named} IS NOT NULL)"
    return f"{{'listed': {listed}, 'low': {low}, 'high': {high}, 'more': {many}}}"
