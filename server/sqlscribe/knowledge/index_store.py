"""The tables of the index in SQLite: opening, laying out, writing and reading them.

Every failure leaves here as one of three errors, so that the index can decide what to do.
Writing is one short transaction at a time; opening a file that is in order writes nothing.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence, Set, Sized
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, NamedTuple

import apsw

from sqlscribe.knowledge.units import Reading

KINDS = ("example", "note", "table")

_VERSION = 2
"""Goes up with every change of the layout, or of the terms and texts that are stored in it."""
_BUSY_MILLISECONDS = 5000
_BUSY_ATTEMPTS = 3
_QUERY_TERMS = 160
_ENOUGH = 0.5
"""Share of the question's letters above which its words were spelt as in the entry."""
_SAME_DISTANCE = 1e-6


class Damaged(Exception):
    """The file is no database, or no longer a sound one."""


class OtherVersion(Exception):
    """The file is an index of another version, or somebody else's database."""


class Unusable(Exception):
    """The file cannot be used here and now: locked, read-only, full, or not to be opened."""


class Stored(NamedTuple):
    """What is known of a stored entry; ``embedded`` says that its vector needs no making."""

    digest: bytes
    embedded: bool


class Row(NamedTuple):
    """An entry to be stored. Of one without words no vector can be made, and none is missing."""

    key: bytes
    digest: bytes
    read: Reading
    vector: bytes | None


Strengths = dict[bytes, float]
"""Keys with how strongly a measure speaks for each, 0.0 to 1.0, best first."""


class Closest(NamedTuple):
    """What each measure found: by words, relative to the best entry; by the share of the
    question's letters that an entry has; by meaning, the cosine of the vectors.
    """

    words: Strengths
    letters: Strengths
    meaning: Strengths


class VectorSpace(NamedTuple):
    """Whose vectors they are; those of two spaces are never compared."""

    embedder: str
    dimension: int

    @property
    def label(self) -> str:
        return f"{self.embedder}/{self.dimension}"


class Store:
    """An open database, for one thread at a time. ``path`` is ``None`` for one in memory.

    Methods raise :class:`Damaged` or :class:`Unusable`.
    """

    def __init__(self, path: Path | None) -> None:
        """Open the file, lay it out where it is new. Also raises :class:`OtherVersion`."""
        self.path = path
        with _translated():
            self._connection = apsw.Connection(":memory:" if path is None else _name(path))
        try:
            with _translated():
                self._connection.set_busy_timeout(_BUSY_MILLISECONDS)
                self.has_extension = _load_extension(self._connection)
                _lay_out(self._connection)
        except BaseException:
            self._connection.close()
            raise
        self._identity = _identity(path) if path else None

    def close(self) -> None:
        self._connection.close()

    def is_gone(self) -> bool:
        """True when the file was deleted or replaced under our hands."""
        return self.path is not None and _identity(self.path) != self._identity

    def vector_space(self) -> str:
        """The label of the space of the stored vectors, or ``""``."""
        with _translated():
            return self._vector_space()

    def stored(self, kind: str) -> dict[bytes, Stored]:
        """The entries of a kind by their keys."""
        with _translated():
            rows = self._run("SELECT key, digest, embedded FROM entries WHERE kind = ?", (kind,))
        return {key: Stored(digest, bool(embedded)) for key, digest, embedded in rows}

    def write(
        self, kind: str, gone: Sequence[bytes], rows: Sequence[Row], space: VectorSpace | None
    ) -> None:
        """Take out ``gone`` and put in ``rows``, or do neither. ``space``: of their vectors."""
        with _translated(), _transaction(self._connection, "IMMEDIATE"):
            has_vectors = self._prepare_vectors(space)
            for key in (*gone, *(row.key for row in rows)):
                self._take_out(kind, key, has_vectors)
            for row in rows:
                self._put_in(kind, row)

    def closest(
        self,
        kind: str,
        read: Reading,
        vector: bytes | None,
        space: VectorSpace | None,
        depth: int,
    ) -> Closest:
        """The entries of a kind closest to a question, at most ``depth`` by each measure."""
        with _translated(), _transaction(self._connection, "DEFERRED"):
            by_words = self._by_terms(kind, "words", read.words, depth)
            by_meaning: dict[int, float] = {}
            if vector is not None and space and space.label == self._vector_space():
                by_meaning = self._by_meaning(kind, vector, depth)
            shares = self._shares(kind, {*by_words, *by_meaning}, read.letters)
            if max(shares.values(), default=0.0) < _ENOUGH:
                # Perhaps a word is misspelt. Looking for letters takes longest.
                by_letters = self._by_terms(kind, "letters", read.letters, depth)
                shares |= self._shares(kind, {*by_letters} - shares.keys(), read.letters)
            keys = self._keys(shares)
        by_share = sorted(shares, key=lambda number: (-shares[number], number))
        by_letters = {number: shares[number] for number in by_share if shares[number] > 0}

        def named(strengths: dict[int, float]) -> Strengths:
            return {keys[number]: one for number, one in strengths.items() if number in keys}

        return Closest(named(by_words), named(by_letters), named(by_meaning))

    def copy_into(self, other: Store) -> None:
        """Fill ``other`` with all that can still be read here, which may be nothing."""
        with (
            suppress(apsw.Error),
            other._connection.backup("main", self._connection, "main") as backup,
        ):
            while not backup.done:
                backup.step()

    def _run(self, sql: str, values: Sequence[str | int | bytes] = ()) -> list[tuple[Any, ...]]:
        return self._connection.execute(sql, values).fetchall()

    def _vector_space(self) -> str:
        rows = self._run("SELECT value FROM about WHERE name = 'vectors'")
        return rows[0][0] if rows else ""

    def _prepare_vectors(self, space: VectorSpace | None) -> bool:
        """Whether there is a table of vectors for this change to keep in step."""
        before = self._vector_space()
        after = space.label if space else before
        if not self.has_extension:
            # Rows cannot be taken out now. Whoever has the extension next starts anew.
            after = ""
        if after != before:
            if self.has_extension and space:
                self._run("DROP TABLE IF EXISTS vectors")
                self._run(
                    "CREATE VIRTUAL TABLE vectors USING vec0(kind TEXT PARTITION KEY,"
                    f" embedding float[{space.dimension}] distance_metric=cosine)"
                )
            self._run("UPDATE entries SET embedded = 0")
            self._run("REPLACE INTO about VALUES ('vectors', ?)", (after,))
        return bool(after)

    def _take_out(self, kind: str, key: bytes, has_vectors: bool) -> None:
        numbers = self._run(
            "DELETE FROM entries WHERE kind = ? AND key = ? RETURNING id", (kind, key)
        )
        for number in numbers:
            self._run(f"DELETE FROM {kind}_terms WHERE rowid = ?", number)
            if has_vectors:
                self._run("DELETE FROM vectors WHERE rowid = ?", number)

    def _put_in(self, kind: str, row: Row) -> None:
        embedded = row.vector is not None or not row.read.words
        self._run(
            "INSERT INTO entries (kind, key, digest, embedded) VALUES (?, ?, ?, ?)",
            (kind, row.key, row.digest, embedded),
        )
        number = self._connection.last_insert_rowid()
        self._run(
            f"INSERT INTO {kind}_terms (rowid, words, letters) VALUES (?, ?, ?)",
            (number, row.read.words, row.read.letters),
        )
        if row.vector is not None:
            self._run(
                "INSERT INTO vectors (rowid, kind, embedding) VALUES (?, ?, ?)",
                (number, kind, row.vector),
            )

    def _by_terms(self, kind: str, column: str, wanted: str, depth: int) -> dict[int, float]:
        different = list(dict.fromkeys(wanted.split()))[:_QUERY_TERMS]
        if not different:
            return {}
        # Terms hold letters and digits only, so the quotes cannot be broken out of.
        query = column + " : (" + " OR ".join(f'"{term}"' for term in different) + ")"
        rows = self._run(
            f"SELECT rowid, rank FROM {kind}_terms WHERE {kind}_terms MATCH ?"
            " ORDER BY rank LIMIT ?",
            (query, depth),
        )
        # A rank is below zero, the best one lowest.
        best = rows[0][1] if rows else 0.0
        return {number: rank / best if best else 1.0 for number, rank in rows}

    def _by_meaning(self, kind: str, vector: bytes, depth: int) -> dict[int, float]:
        rows = self._run(
            "SELECT rowid, distance FROM vectors WHERE embedding MATCH ? AND k = ? AND kind = ?",
            (vector, depth, kind),
        )
        near = sorted((distance, number) for number, distance in rows if distance is not None)
        if len(near) > 1 and near[-1][0] - near[0][0] < _SAME_DISTANCE:
            # All equally far: an order would be made up.
            return {}
        return {number: 1.0 - distance for distance, number in near}

    def _shares(self, kind: str, numbers: Set[int], letters: str) -> dict[int, float]:
        """The share of ``letters`` that each entry has; an orphaned vector has no entry."""
        wanted = frozenset(letters.split())
        rows = self._run(
            f"SELECT rowid, letters FROM {kind}_terms WHERE rowid IN ({_marks(numbers)})",
            tuple(numbers),
        )
        return {
            number: len(wanted.intersection(there.split())) / len(wanted) if wanted else 1.0
            for number, there in rows
        }

    def _keys(self, numbers: Collection[int]) -> dict[int, bytes]:
        rows = self._run(
            f"SELECT id, key FROM entries WHERE id IN ({_marks(numbers)})", tuple(numbers)
        )
        return dict(rows)


def _marks(values: Sized) -> str:
    return ", ".join("?" * len(values))


# The tokenizer "ascii" leaves the letters and digits of all scripts together; folding and
# splitting is done by the terms. AUTOINCREMENT keeps a number from ever naming two entries.
_LAYOUT = """
CREATE TABLE about (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE entries (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  kind TEXT NOT NULL,
  key BLOB NOT NULL,
  digest BLOB NOT NULL,
  embedded INTEGER NOT NULL,
  UNIQUE (kind, key)
);
""" + "\n".join(
    f"CREATE VIRTUAL TABLE {kind}_terms USING fts5(words, letters, tokenize='porter ascii');"
    for kind in KINDS
)
_TABLES = {"about", "entries", *(f"{kind}_terms" for kind in KINDS)}

# SQLite's extensions have no code of their own for what is damaged in their tables. And a file
# on which our statements cannot run is not the one that we laid out.
_DAMAGE = (apsw.CorruptError, apsw.NotADBError, apsw.SQLError)
_TROUBLE = (
    apsw.BusyError,
    apsw.CantOpenError,
    apsw.FullError,
    apsw.IOError,
    apsw.LockedError,
    apsw.NoLFSError,
    apsw.PermissionsError,
    apsw.ProtocolError,
    apsw.ReadOnlyError,
)


@contextmanager
def _translated() -> Iterator[None]:
    try:
        yield
    except _DAMAGE as error:
        raise Damaged(str(error)) from error
    except _TROUBLE as error:
        raise Unusable(str(error)) from error


def _name(path: Path) -> str:
    if path.is_symlink():
        # A repository could bring it along, and have us write wherever it leads.
        raise Unusable("it is a link")
    name = str(path)
    try:
        name.encode("utf-8")
    except UnicodeEncodeError as error:
        # Linux takes any bytes as a name; SQLite takes UTF-8.
        raise Unusable("its path is not UTF-8") from error
    return name


@contextmanager
def _transaction(connection: apsw.Connection, mode: str) -> Iterator[None]:
    for attempt in range(1, _BUSY_ATTEMPTS + 1):
        try:
            connection.execute(f"BEGIN {mode}")
            break
        except apsw.BusyError:
            # Each attempt has waited for the busy timeout already.
            if attempt == _BUSY_ATTEMPTS:
                raise
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        # Some errors have ended the transaction already.
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


def _identity(path: Path) -> tuple[int, int] | None:
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_dev, status.st_ino


def _load_extension(connection: apsw.Connection) -> bool:
    # The extension only makes search better: without it the program must start all the same.
    try:
        import sqlite_vec

        connection.enable_load_extension(True)
        connection.load_extension(sqlite_vec.loadable_path())
        connection.enable_load_extension(False)
    except (ImportError, AttributeError, apsw.ExtensionLoadingError):
        return False
    return True


def _lay_out(connection: apsw.Connection) -> None:
    if _is_laid_out(connection):
        return
    # Where a write-ahead log is impossible, SQLite keeps its older kind of journal. Where the
    # file is busy, another process is just laying it out.
    with suppress(apsw.BusyError):
        connection.pragma("journal_mode", "wal")
    with _transaction(connection, "IMMEDIATE"):
        if not _is_laid_out(connection):
            connection.execute(_LAYOUT)
            connection.pragma("user_version", _VERSION)


def _is_laid_out(connection: apsw.Connection) -> bool:
    version = connection.pragma("user_version")
    tables = {name for (name,) in connection.execute("SELECT name FROM sqlite_schema")}
    if version == _VERSION and tables >= _TABLES:
        return True
    if version or tables:
        raise OtherVersion(f"its version is {version}, not {_VERSION}")
    return False
