"""Queries that are ended from another thread."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest

from sqlscribe.errors import DatabaseError
from sqlscribe.schema.database.running import run_read
from sqlscribe.schema.database.stopping import Stop

ENDLESS = {
    "sqlite": (
        "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n"
    ),
    "duckdb": "SELECT sum(a.range * b.range) FROM range(100000000) a, range(100000000) b",
}


class Told(Stop):
    """Tells when the query may be running."""

    def __init__(self) -> None:
        super().__init__()
        self.begun = threading.Event()

    @contextmanager
    def watching(self, *about: Any) -> Iterator[None]:
        with super().watching(*about):
            self.begun.set()
            yield


def address(root: Path, engine: str) -> str:
    if engine == "sqlite":
        with closing(sqlite3.connect(root / "empty.db")) as connection:
            connection.execute("CREATE TABLE t (a)")
    else:
        duckdb = pytest.importorskip("duckdb")
        duckdb.connect(str(root / "empty.db")).close()
    return f"{engine}:///empty.db"


@pytest.mark.parametrize("engine", ENDLESS)
def test_a_running_query_ends_when_it_is_stopped(tmp_path: Path, engine: str) -> None:
    url, stop = address(tmp_path, engine), Told()
    with ThreadPoolExecutor(1) as threads:
        running = threads.submit(
            run_read, url, tmp_path, engine, ENDLESS[engine], timeout_seconds=600, stop=stop
        )
        assert stop.begun.wait(60)
        stop()
        assert isinstance(running.exception(), DatabaseError)


def test_a_query_that_was_stopped_before_never_begins(tmp_path: Path) -> None:
    stop = Stop()
    stop()
    with pytest.raises(DatabaseError) as caught:
        run_read(address(tmp_path, "sqlite"), tmp_path, "sqlite", "SELECT 1", stop=stop)
    assert caught.value.kind == "cancelled"
    stop()


def test_a_stop_that_comes_too_late_harms_nothing(tmp_path: Path) -> None:
    stop = Stop()
    url = address(tmp_path, "sqlite")
    got = run_read(url, tmp_path, "sqlite", "SELECT 1 AS a", stop=stop)
    stop()
    assert got.rows == ((1,),)
