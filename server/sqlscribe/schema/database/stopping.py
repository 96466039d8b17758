"""Ending a query while another thread waits for it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Condition
from typing import TYPE_CHECKING

from sqlscribe.errors import DatabaseError
from sqlscribe.schema.database.urls import Place

if TYPE_CHECKING:
    from sqlalchemy import Connection


_AGAIN_SECONDS = 0.2


class Stop:
    """Ends one query; to be called from another thread, at any time. Blocks until it has ended.

    A query that has not begun never will. Where a driver cannot be interrupted, the query runs
    on until its time is over.
    """

    def __init__(self) -> None:
        self._changed = Condition()
        self._running: tuple[Connection, Place] | None = None
        self._asked = False

    def __call__(self) -> None:
        with self._changed:
            self._asked = True
            while self._running is not None:
                _interrupt(*self._running)
                # Once more where the driver had not begun yet: nothing was interrupted then.
                self._changed.wait(_AGAIN_SECONDS)

    @contextmanager
    def watching(self, connection: Connection, place: Place) -> Iterator[None]:
        """The query runs in this block, and only there its connection is interrupted.

        Raises ``DatabaseError`` of the kind ``cancelled`` where the end was asked for before.
        """
        with self._changed:
            if self._asked:
                raise DatabaseError("The query was cancelled.", kind="cancelled")
            self._running = connection, place
        try:
            yield
        finally:
            with self._changed:
                self._running = None
                self._changed.notify_all()


def _interrupt(connection: Connection, place: Place) -> None:
    raw = connection.connection.driver_connection
    assert raw is not None
    if place.dialect in ("sqlite", "duckdb"):
        raw.interrupt()
    elif place.dialect == "postgres":
        raw.cancel()
