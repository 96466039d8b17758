"""The process that runs queries for an evaluation: one request at a time, for reading only.

What comes in and goes out is JSON, so that neither side can make the other run anything else.
"""

from __future__ import annotations

import json
import time
from contextlib import suppress
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from sqlscribe.errors import DatabaseError
from sqlscribe.evaluation.cells import Cell, cell
from sqlscribe.schema.database.connecting import bounded, connected

MEMORY = 4 * 1024**3
"""Bytes of address space for this process, where the system can bound it."""
_BATCH = 200
_MOST_TEXT = 50_000_000
"""Characters of one result; reading ends there, as it does at the most rows."""


def serve(pipe: Connection) -> None:
    """Answer requests until the other side hangs up."""
    _bound_memory()
    while True:
        try:
            request = json.loads(pipe.recv_bytes())
        except EOFError:
            return
        except KeyboardInterrupt:
            # Meant for the whole program; the other side closes the pipe.
            return
        try:
            answer = _answer(request)
        except MemoryError:
            answer = {"error": "the result does not fit into memory", "kind": "too large"}
        with suppress(KeyboardInterrupt):
            pipe.send_bytes(json.dumps(answer).encode())


def _answer(request: dict[str, Any]) -> dict[str, Any]:
    seconds = request["seconds"]
    is_open, began = False, time.monotonic()
    try:
        with connected(request["url"], Path(request["root"]), seconds) as (connection, place):
            is_open, began = True, time.monotonic()
            if place.dialect == "sqlite":
                # Old files hold text in any code page, which is no reason to read nothing.
                driver: Any = connection.connection.driver_connection
                driver.text_factory = lambda text: text.decode("utf-8", "replace")
            with bounded(connection, place, seconds):
                # A percent sign in the SQL is not the place of a parameter.
                options = {"no_parameters": True, "stream_results": place.dialect in _STREAMS}
                result = connection.execution_options(**options).exec_driver_sql(request["sql"])
                return _read(result, request["rows"])
    except DatabaseError as error:
        if not is_open:
            return {"error": str(error), "kind": "no database"}
        # A column may be called timeout; the clock tells.
        slow = error.kind == "timed_out" and time.monotonic() - began > 0.9 * seconds
        # The engine's words stand behind the name of the database.
        said = str(error).partition(": ")[2]
        return {"error": said or str(error), "kind": "timed out" if slow else "failed"}


_STREAMS = ("postgres", "mysql")
"""Engines whose drivers would otherwise read a whole result before they give its first row."""


def _read(result: Any, most: int) -> dict[str, Any]:
    if not result.returns_rows:
        return {"error": "the statement gives no rows", "kind": "failed"}
    columns = [str(name) for name in result.keys()]  # noqa: SIM118
    rows: list[list[Cell]] = []
    room = _MOST_TEXT
    while room > 0 and len(rows) <= most and (batch := result.fetchmany(_BATCH)):
        for row in batch:
            cells = [cell(value) for value in row]
            room -= sum(len(value) for value in cells if isinstance(value, str))
            rows.append(cells)
    cut = room <= 0 or len(rows) > most
    return {"columns": columns, "rows": rows[:most], "cut": cut}


def _bound_memory() -> None:
    try:
        import resource
    except ImportError:
        # Windows has no such bound; the time-out and the most rows remain.
        return
    with suppress(ValueError, OSError):
        _, most = resource.getrlimit(resource.RLIMIT_AS)
        bound = MEMORY if most == resource.RLIM_INFINITY else min(MEMORY, most)
        resource.setrlimit(resource.RLIMIT_AS, (bound, most))
