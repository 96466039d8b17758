"""One query that only reads, run on a live database, and its rows as plain data.

Reading is kept three times: by the query's syntax tree, by the session or the transaction, and
by the account, whose rights are for the user to restrict.
"""

from __future__ import annotations

import datetime
import json
import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from sqlscribe.errors import DatabaseError
from sqlscribe.schema.database.connecting import bounded, connected, words_of
from sqlscribe.schema.database.stopping import Stop
from sqlscribe.schema.database.urls import Place

if TYPE_CHECKING:
    from sqlalchemy import Connection

Value = None | bool | int | float | str
"""What JSON and JavaScript keep exactly; anything else is text."""

_BATCH = 200
_MOST_TEXT = 20_000_000
"""Characters of one result for people."""
_LONGEST = 20_000
"""Characters of one value; the rest of a longer one is told by its length."""
_EXACT = 2**53
"""JavaScript has no whole numbers from here on."""
STREAMS = ("postgres", "mysql")
"""Engines whose drivers would otherwise read a whole result before they give its first row."""
_NOT_STREAMED = ("EXPLAIN", "DESCRIBE", "DESC", "SHOW")
"""PostgreSQL declares a cursor for what it streams, which these cannot have."""


@dataclass(frozen=True)
class Rows:
    """``truncated``: there are more rows than were read. ``seconds`` is the query's own time."""

    columns: tuple[str, ...]
    rows: tuple[tuple[Value, ...], ...]
    truncated: bool = False
    seconds: float = 0.0


def run_read(
    url: str,
    root: Path,
    dialect: str,
    sql: str,
    *,
    timeout_seconds: float = 10,
    max_rows: int = 1000,
    stop: Stop | None = None,
) -> Rows:
    """The rows of one query, at most ``max_rows`` of them. Blocks; call it in a thread.

    ``url`` as for ``read_schema``; ``dialect`` is that of the text, ``""`` where it is not
    known: the query must be a read in it, and in that of the engine. Raises ``DatabaseError``:
    of the kind ``not_a_read`` for anything but a single read, which is never sent;
    ``timed_out`` and ``failed`` where the engine refuses it; and what ``connected`` raises.
    ``stop`` ends the query from another thread.
    """
    _only_a_read(sql, dialect)
    with connected(url, root, timeout_seconds) as (connection, place):
        word = _only_a_read(sql, place.dialect)
        began = time.monotonic()
        watched = (stop or Stop()).watching(connection, place)
        with bounded(connection, place, timeout_seconds), watched:
            streams = place.dialect in STREAMS and word not in _NOT_STREAMED
            got = _told(connection, place, sql, max_rows, streams, timeout_seconds)
        return Rows(got.columns, got.rows, got.cut, time.monotonic() - began)


class Fetched(NamedTuple):
    """``cut``: more was there than was read."""

    columns: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]
    cut: bool


def fetched(
    connection: Connection,
    place: Place,
    sql: str,
    most: int,
    convert: Callable[[object], Any],
    *,
    streams: bool,
    most_text: int = _MOST_TEXT,
) -> Fetched | None:
    """The rows of ``sql`` with each value converted; ``None`` for a statement without rows.

    Reading ends after ``most`` rows, or ``most_text`` characters.
    """
    if place.dialect == "sqlite":
        # Old files hold text in any code page, which is no reason to read nothing.
        driver: Any = connection.connection.driver_connection
        driver.text_factory = lambda text: text.decode("utf-8", "replace")
    # A percent sign in the SQL is not the place of a parameter.
    options = {"no_parameters": True, "stream_results": streams}
    result = connection.execution_options(**options).exec_driver_sql(sql)
    if not result.returns_rows:
        return None
    columns = tuple(str(name) for name in result.keys())  # noqa: SIM118
    rows: list[tuple[Any, ...]] = []
    room = most_text
    while room > 0 and len(rows) <= most and (batch := result.fetchmany(_BATCH)):
        for row in batch:
            values = tuple(convert(value) for value in row)
            room -= sum(len(value) for value in values if isinstance(value, str))
            rows.append(values)
    return Fetched(columns, tuple(rows[:most]), room <= 0 or len(rows) > most)


def _only_a_read(sql: str, dialect: str) -> str:
    """The first word of a statement that only reads. Raises ``DatabaseError`` for any other."""
    # The parser is loaded where a query is run, not where a schema is read.
    from sqlscribe.checking.reads import classify

    try:
        verdict = classify(sql, dialect)
    except RecursionError:
        message = "The query was not run: it is nested too deeply to be looked at."
        raise DatabaseError(message, kind="not_a_read") from None
    if not verdict.read:
        raise DatabaseError(f"The query was not run: {verdict.reason}.", kind="not_a_read")
    return verdict.kinds[0]


def _told(
    connection: Connection, place: Place, sql: str, most: int, streams: bool, seconds: float
) -> Fetched:
    """The rows; what the engine says against the query is one sentence in its words."""
    from sqlalchemy.exc import DBAPIError

    began = time.monotonic()
    try:
        got = fetched(connection, place, sql, most, plain, streams=streams)
    except DBAPIError as error:
        if error.connection_invalidated:
            raise
        # A column may be called timeout; the clock tells.
        if time.monotonic() - began > 0.9 * seconds:
            message = f"The query was stopped after {seconds:g} seconds."
            raise DatabaseError(message, kind="timed_out") from None
        said = place.without_secrets(words_of(error))
        raise DatabaseError(f"The database refuses the query: {said}", kind="failed") from None
    if got is None:
        raise DatabaseError("The statement gives no rows.", kind="failed")
    return got


def plain(value: object) -> Value:
    """A value as an engine's driver gives it, as JSON can carry it without losing anything."""
    match value:
        case None | bool():
            return value
        case int():
            return value if -_EXACT <= value <= _EXACT else str(value)
        case float():
            return value if math.isfinite(value) else str(value)
        case Decimal():
            return _decimal(value)
        case datetime.datetime():
            return value.isoformat(sep=" ")
        case datetime.date() | datetime.time():
            return value.isoformat()
        case bytes() | bytearray() | memoryview():
            content = bytes(value)
            return _bounded(f"x'{content[:_LONGEST].hex()}'", 2 * len(content) + 3)
        case str():
            return _bounded(value, len(value))
        case list() | tuple() | dict():
            text = _nested(value)
            return _bounded(text, len(text))
    text = str(value)
    return _bounded(text, len(text))


def _nested(value: object) -> str:
    try:
        return json.dumps(value, ensure_ascii=False, default=plain)
    except TypeError:
        # A map may have keys that are no text.
        return str(value)


def _decimal(value: Decimal) -> Value:
    """A number where a float keeps all its digits, so that columns sort as numbers."""
    if not value.is_finite():
        return str(value).lower()
    if len(value.as_tuple().digits) > 15 or abs(value.adjusted()) > 300:
        return format(value, "f")
    return int(value) if value == value.to_integral_value() else float(value)


def _bounded(text: str, length: int) -> str:
    return text if length <= _LONGEST else f"{text[:_LONGEST]}… ({length:,} characters)"
