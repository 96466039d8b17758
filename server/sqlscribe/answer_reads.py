"""What an answer may read from the configured database: rows of a query, and values of columns.

Queries that a model wrote are run only with ``database.run_queries``. Values are read for the
model only with ``privacy.values = "samples"``, by queries of our own, and kept in memory alone.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, TypedDict

from sqlscribe.errors import ConfigurationError, DatabaseError
from sqlscribe.knowledge.profiles import Profile
from sqlscribe.knowledge.profiling import sampled, wanted_columns
from sqlscribe.schema.model import Column, Schema, Table
from sqlscribe.settings import DatabaseSettings, Settings

if TYPE_CHECKING:
    from sqlscribe.schema.database.running import Rows

_QUERY_SECONDS = 10.0
"""How long one query may take while somebody waits for an answer."""
_SAMPLE_SECONDS = 8.0
"""How long values are read for one question; what is left is read for the next one."""
_ROWS_LOOKED_AT = 10_000
_FRESH_SECONDS = 3_600.0
_REST_SECONDS = 60.0


class Allowed(TypedDict):
    """Parts of a snapshot, as :class:`sqlscribe.snapshot.Snapshot` describes them."""

    run: Callable[[str, int], Rows] | None
    samples: Callable[[Sequence[Table]], tuple[Profile, ...]] | None
    send_rows: bool
    masks: tuple[str, ...]


class AnswerReads:
    """The reads of one folder, ``root``. May be used from any thread; nothing is kept open.

    ``remark`` says in one sentence why values could not be read, where they could not.
    """

    def __init__(self, root: Path | None) -> None:
        self._root = root or Path.cwd()
        self._lock = Lock()
        self._of: tuple[str, tuple[str, ...]] = ("", ())
        self._known: dict[str, _Values] = {}
        self._rest_until = 0.0
        self.remark = ""

    def allowed(
        self, settings: Settings, dialect: str, address: Callable[[DatabaseSettings], str]
    ) -> Allowed:
        """What the settings allow; nothing where no database is configured, or may be used.

        ``address`` gives the database's URL, or raises what makes it unusable.
        """
        privacy, database = settings.privacy, settings.database
        allowed = Allowed(
            run=None, samples=None, send_rows=privacy.values == "samples", masks=privacy.mask
        )
        if not database.url:
            return allowed
        try:
            url = address(database)
        except (ConfigurationError, DatabaseError):
            # The engine's own remark says so.
            return allowed
        if database.run_queries:
            allowed["run"] = partial(_run, url, self._root, dialect)
        if privacy.values == "samples":
            allowed["samples"] = partial(self._samples, url, privacy.mask)
        return allowed

    def _samples(
        self, url: str, masks: tuple[str, ...], tables: Sequence[Table]
    ) -> tuple[Profile, ...]:
        """Values of the tables' columns, those in the database now or an hour ago. Blocks."""
        with self._lock:
            if self._of != (url, masks):
                self._of, self._known, self._rest_until = (url, masks), {}, 0.0
            now = time.monotonic()
            unknown = [
                table
                for table in tables
                if (known := self._values(table)) is None or now - known.at > _FRESH_SECONDS
            ]
            if unknown and now >= self._rest_until:
                self._read(url, masks, unknown)
            found = map(self._values, tables)
            return tuple(profile for known in found if known for profile in known.profiles)

    def _values(self, table: Table) -> _Values | None:
        """What is known of a table, unless it had another form then."""
        known = self._known.get(table.qualified_name)
        return known if known is not None and known.table == table else None

    def _read(self, url: str, masks: tuple[str, ...], tables: Sequence[Table]) -> None:
        from sqlscribe.schema.database import profile_columns

        end = time.monotonic() + _SAMPLE_SECONDS
        late: set[str] = set()
        wanted = {
            table.qualified_name: {column.name for column in wanted_columns(table, masks)}
            for table in tables
        }

        def skip(table: Table, column: Column) -> bool:
            if column.name not in wanted[table.qualified_name]:
                return True
            if time.monotonic() > end:
                late.add(table.qualified_name)
                return True
            return False

        try:
            found = profile_columns(
                url,
                Schema(tuple(tables)),
                root=self._root,
                most_rows=_ROWS_LOOKED_AT,
                timeout_seconds=_SAMPLE_SECONDS / 2,
                skip=skip,
                keep=True,
            )
        except DatabaseError as error:
            self.remark = f"no values were read for the prompt: {error}"
            self._rest_until = time.monotonic() + _REST_SECONDS
            return
        self.remark = ""
        now = time.monotonic()
        for table in tables:
            if table.qualified_name not in late:
                own = [each for each in found if each.table == table.qualified_name]
                known = _Values(table, now, sampled(table, own, masks))
                self._known[table.qualified_name] = known


@dataclass(frozen=True)
class _Values:
    """Values of a table's columns, as they were ``at`` a time of the monotonic clock."""

    table: Table
    at: float
    profiles: tuple[Profile, ...]


def _run(url: str, root: Path, dialect: str, sql: str, most: int) -> Rows:
    from sqlscribe.schema.database.running import run_read

    return run_read(url, root, dialect, sql, timeout_seconds=_QUERY_SECONDS, max_rows=most)
