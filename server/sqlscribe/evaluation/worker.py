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
from sqlscribe.evaluation.cells import cell
from sqlscribe.schema.database.connecting import bounded, connected
from sqlscribe.schema.database.running import STREAMS, fetched

MEMORY = 4 * 1024**3
"""Bytes of address space for this process, where the system can bound it."""
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
            with bounded(connection, place, seconds):
                got = fetched(
                    connection,
                    place,
                    request["sql"],
                    request["rows"],
                    cell,
                    streams=place.dialect in STREAMS,
                    most_text=_MOST_TEXT,
                )
    except DatabaseError as error:
        if not is_open:
            return {"error": str(error), "kind": "no database"}
        # A column may be called timeout; the clock tells.
        slow = error.kind == "timed_out" and time.monotonic() - began > 0.9 * seconds
        # The engine's words stand behind the name of the database.
        said = str(error).partition(": ")[2]
        return {"error": said or str(error), "kind": "timed out" if slow else "failed"}
    if got is None:
        return {"error": "the statement gives no rows", "kind": "failed"}
    return got._asdict()


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
