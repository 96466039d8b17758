"""What a database was last seen to hold, kept as a DDL script under ``.sqlscribe/``.

A script, so that people can read it and editors can jump into it; and so that the schema is
known at once after a start, and with no connection.
"""

from __future__ import annotations

import hashlib
import os
import re
import threading
import time
from pathlib import Path

from sqlscribe.errors import DatabaseError
from sqlscribe.generated_files import open_generated, write_generated
from sqlscribe.notation.document import Document
from sqlscribe.schema import ddl
from sqlscribe.schema.model import Schema
from sqlscribe.schema.writing import create_statements

NAME = "database.sql"
_FORMAT = 4
_HEAD = re.compile(
    r"-- Read from the database of sqlscribe\.toml; made anew, so changes get lost\.\n"
    r"-- format (?P<format>\d+), dialect (?P<dialect>\w*), source (?P<source>[0-9a-f]+),"
    r" sum (?P<sum>[0-9a-f]+)\n\n"
)
_FRESH_SECONDS = 3_600.0


class DatabaseCopy:
    """The copy in ``folder``, or in memory for ``None``. May be used from any thread.

    ``remark`` says in one sentence why there is none, or why it may be old.
    """

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder
        self._lock = threading.Lock()
        self._known: tuple[str, float, Schema] | None = None
        self._failed: tuple[str, float] | None = None
        self.remark = ""

    def schema(self, url: str) -> Schema:
        """The tables as they were last seen at ``url``, none where they never were.

        ``url`` is the configured one, with its variables unfilled.
        """
        with self._lock:
            if self._known is None or self._known[0] != url:
                self._known = (url, *self._from_disk(url))
            return self._known[2]

    def is_fresh(self, url: str) -> bool:
        """Whether the copy need not be made anew yet; a failure is not tried again at once."""
        with self._lock:
            failed = self._failed
            if failed is not None and failed[0] == url and time.time() - failed[1] < 60:
                return True
            known = self._known
            return (
                known is not None
                and known[0] == url
                and 0 <= time.time() - known[1] < _FRESH_SECONDS
            )

    def refresh(self, url: str, filled: str, root: Path) -> bool:
        """Read the database at ``filled``; true where its tables are others than before.

        Raises ``DatabaseError``, and then leaves the copy as it is.
        """
        from sqlscribe.schema.database import read_schema

        try:
            live = read_schema(filled, root=root)
        except DatabaseError as error:
            with self._lock:
                self._failed = (url, time.time())
                self.remark = f"the database was not read: {error}"
            raise
        statements = create_statements(live.schema, live.dialect)
        text = (
            "-- Read from the database of sqlscribe.toml; made anew, so changes get lost.\n"
            f"-- format {_FORMAT}, dialect {live.dialect}, source {_digest(url)},"
            # A comment right above a table would be the table's own.
            f" sum {_digest(statements)}\n\n{statements}"
        )
        before = self.schema(url)
        self._to_disk(text)
        now = self._parsed(text, live.dialect)
        with self._lock:
            self._failed = None
            self.remark = "; ".join(live.remarks)
            # An equal one is not new: what was made of the old one stays valid.
            self._known = (url, time.time(), before if before == now else now)
        return before != now

    def _from_disk(self, url: str) -> tuple[float, Schema]:
        if self._folder is None:
            return 0.0, Schema()
        path = self._folder / NAME
        try:
            with open_generated(path) as file:
                text = file.read().decode("utf-8")
                read_at = os.fstat(file.fileno()).st_mtime
        except (OSError, UnicodeDecodeError):
            # Not there, or damaged: it is made anew.
            return 0.0, Schema()
        head = _HEAD.match(text)
        if head is None or head["format"] != str(_FORMAT) or head["source"] != _digest(url):
            return 0.0, Schema()
        if head["sum"] != _digest(text[head.end() :]):
            # Half a file, or one that somebody changed.
            return 0.0, Schema()
        return read_at, self._parsed(text, head["dialect"])

    def _parsed(self, text: str, dialect: str) -> Schema:
        path = self._folder / NAME if self._folder is not None else Path(NAME)
        return ddl.replay([ddl.read(Document(NAME, text), path, dialect)])

    def _to_disk(self, text: str) -> None:
        if self._folder is None:
            return
        try:
            write_generated(self._folder, NAME, text.encode("utf-8", "replace"))
        except OSError as error:
            self.remark = f"the database's schema is not kept: {error.strerror or error}"


def _digest(text: str) -> str:
    """Of a URL, to tell databases apart: it holds no password where variables are used."""
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:16]
