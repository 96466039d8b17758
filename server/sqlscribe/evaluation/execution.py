"""Runs queries for an evaluation: read-only, bounded in time, rows and memory.

    with Executor(root) as executor:
        result = executor.run(url, "SELECT 1")

The queries run in a process of their own, which is ended where it does not answer in time.
"""

from __future__ import annotations

import json
import multiprocessing
import threading
from collections.abc import Sequence
from dataclasses import dataclass, replace
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path
from types import TracebackType
from typing import Any, Literal

from sqlscribe.evaluation import worker
from sqlscribe.evaluation.cells import Cell

_GRACE = 10.0
"""Seconds beyond the time-out in which an engine may stop by itself."""
_START = 60.0
"""Seconds in which the process starts on a busy machine."""
_KEPT_ROWS = 1_000
"""A result with more rows is not kept in memory."""

Problem = Literal["", "failed", "timed out", "too large", "no database"]


@dataclass(frozen=True)
class Result:
    """The rows of a query, or why there are none.

    ``problem`` is the kind of ``error``, which is in the engine's own words. ``count`` is the
    number of rows that were read, of which ``rows`` may hold the first only. ``cut``: there
    are more than may be read.
    """

    columns: tuple[str, ...] = ()
    rows: tuple[Sequence[Cell], ...] = ()
    count: int = 0
    cut: bool = False
    problem: Problem = ""
    error: str = ""

    def head(self, most: int) -> Result:
        """The same with no more than so many rows."""
        return replace(self, rows=self.rows[:most])


class Executor:
    """The other process. Any thread may use it; queries are run one after the other.

    The file of a relative URL lies in ``root``.
    """

    def __init__(self, root: Path, *, seconds: float = 30.0, most_rows: int = 50_000) -> None:
        self._root = root
        self._seconds = seconds
        self._most_rows = most_rows
        self._lock = threading.Lock()
        self._running: tuple[BaseProcess, Connection] | None = None
        self._is_new = True
        self._known: dict[tuple[str, str], Result] = {}

    def run(self, url: str, sql: str) -> Result:
        """The rows of ``sql``. A query whose result is not large is run once on a database."""
        with self._lock:
            known = self._known.get((url, sql))
            if known is None:
                known = self._run(url, sql)
                if known.count <= _KEPT_ROWS:
                    self._known[url, sql] = known
            return known

    def __enter__(self) -> Executor:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        with self._lock:
            self._stop()

    def _run(self, url: str, sql: str) -> Result:
        request = {
            "url": url,
            "sql": sql,
            "root": str(self._root),
            "seconds": self._seconds,
            "rows": self._most_rows,
        }
        pipe = self._pipe()
        try:
            pipe.send_bytes(json.dumps(request).encode())
            if not pipe.poll(self._seconds + (_START if self._is_new else _GRACE)):
                self._stop()
                error = f"no result within {self._seconds:g} seconds"
                return Result(problem="timed out", error=error)
            answer: dict[str, Any] = json.loads(pipe.recv_bytes())
        except (EOFError, OSError):
            # The system ends a process that wants more memory than it may have.
            self._stop()
            return Result(problem="too large", error="the query ended the process that ran it")
        self._is_new = False
        if "error" in answer:
            return Result(problem=answer["kind"], error=answer["error"])
        rows = tuple(answer["rows"])
        return Result(tuple(answer["columns"]), rows, len(rows), answer["cut"])

    def _pipe(self) -> Connection:
        if self._running is None:
            # Not forked: threads and open connections of this process must not be copied.
            context = multiprocessing.get_context("spawn")
            mine, theirs = context.Pipe()
            process = context.Process(target=worker.serve, args=(theirs,), daemon=True)
            process.start()
            theirs.close()
            self._running, self._is_new = (process, mine), True
        return self._running[1]

    def _stop(self) -> None:
        if self._running is not None:
            process, pipe = self._running
            self._running = None
            pipe.close()
            process.kill()
            process.join()
