"""The search index in ``.sqlscribe/index.db``: words, pieces of words and vectors together.

The index holds nothing that cannot be made again from the workspace. So whatever happens to
its file (deleted, damaged, written by another version, on a full or read-only disk), the index
starts anew or goes on in memory, says so in :attr:`Index.remark`, and never fails a question.

Several processes may use one file: writes are short transactions, readers are not blocked,
and vectors are computed while nothing is locked.
"""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple, TypeVar

from sqlscribe.generated_files import make_generated
from sqlscribe.knowledge import terms, units
from sqlscribe.knowledge.embedders import Embedder, GuardedEmbedder
from sqlscribe.knowledge.index_store import (
    Closest,
    Damaged,
    OtherVersion,
    Row,
    Store,
    Stored,
    Unusable,
    VectorSpace,
)
from sqlscribe.knowledge.retrieval import LONGEST_QUESTION, Hit
from sqlscribe.knowledge.units import Reading

_ATTEMPTS = 3
"""A damaged file, then an unusable one, then memory."""
_BATCH = 100
_DEPTH = 60
"""How far down each ranking is read."""
_WEIGHTS = {"words": 0.1, "letters": 0.2, "meaning": 1.0}
"""Chosen on paraphrases, so that both slight and free ones are found. See the tests."""

Result = TypeVar("Result")


class Entry(NamedTuple):
    """What can be found: ``text`` is searched, ``key`` names it and is unique in its kind.

    ``kind`` is ``example``, ``note`` or ``table``.
    """

    kind: str
    key: str
    text: str


class Synced(NamedTuple):
    """Entries new or changed, gone, and left as they were."""

    added: int
    removed: int
    kept: int


class Index:
    """One open index; any thread may use it. Once closed it keeps and finds nothing."""

    def __init__(self, path: Path | None, embedder: Embedder | None) -> None:
        self._path = path
        self._embedder = GuardedEmbedder(embedder)
        self._lock = threading.RLock()
        self._remarks: dict[str, None] = {}
        self._closed = False
        self._store = self._connect()

    @classmethod
    def open(cls, path: Path | None, embedder: Embedder | None) -> Index:
        """The index at ``path``, made where there is none; in memory where that cannot be.

        Without an ``embedder``, entries are found by their words alone.
        """
        return cls(path, embedder)

    @property
    def remark(self) -> str:
        """What a person should know about this index, or ``""``."""
        said = list(self._remarks)
        reason = self._embedder.remark
        if self._embedder.name and not self._store.has_extension:
            reason = "the extension sqlite-vec cannot be loaded."
        if reason:
            said.append(f"Search goes by words alone: {reason}")
        return " ".join(said)

    def sync(self, kind: str, entries: Iterable[Entry]) -> Synced:
        """Make the index hold exactly ``entries``, all of one kind; only changes are written.

        Where two entries share a key the later one counts.
        """
        wanted = {_key_bytes(entry.key): terms.clean(entry.text) for entry in entries}
        with self._lock:
            if self._store.is_gone() and not self._closed:
                self._store.close()
                self._store = self._connect()
        self._embedder.try_again()
        return self._again_if_lost(lambda: self._sync(kind, wanted), Synced(0, 0, 0))

    def search(self, text: str, kind: str, limit: int) -> tuple[Hit, ...]:
        """The entries of a kind that are closest to ``text``, best first.

        Another process may have put entries there that the caller does not know.
        """
        text = terms.clean(text[:LONGEST_QUESTION])
        read = units.read(text)
        vectors, space = self._embed({text: read})

        def closest(store: Store) -> Closest:
            return store.closest(kind, read, vectors.get(text), space, _DEPTH)

        found = self._again_if_lost(lambda: self._with_store(closest), Closest({}, {}, {}))
        return _fused(found)[:limit]

    def close(self) -> None:
        with self._lock:
            self._closed = True
            self._store.close()

    def _sync(self, kind: str, wanted: Mapping[bytes, str]) -> Synced:
        stored, label = self._with_store(lambda store: (store.stored(kind), store.vector_space()))
        digests = {key: _digest(text) for key, text in wanted.items()}
        gone = [key for key in stored if key not in wanted]
        new = {key for key in wanted if key not in stored or stored[key].digest != digests[key]}
        blank = {key for key, entry in stored.items() if self._lacks_vector(entry, label)}
        stale = [key for key in wanted if key in new or key in blank]
        for start in range(0, max(len(stale), len(gone)), _BATCH):
            texts = {key: wanted[key] for key in stale[start : start + _BATCH]}
            read = {text: units.read(text) for text in texts.values()}
            vectors, space = self._embed(read)
            rows = [
                Row(key, digests[key], read[text], vectors.get(text)) for key, text in texts.items()
            ]
            self._write(kind, gone[start : start + _BATCH], rows, space)
        return Synced(len(new), len(gone), len(wanted) - len(new))

    def _write(
        self, kind: str, gone: Sequence[bytes], rows: Sequence[Row], space: VectorSpace | None
    ) -> None:
        self._with_store(lambda store: store.write(kind, gone, rows, space))

    def _lacks_vector(self, entry: Stored, label: str) -> bool:
        """True for an entry without a vector of our embedder, where one can be made now."""
        if not (self._embedder.is_usable and self._store.has_extension):
            return False
        return not entry.embedded or not self._embedder.made(label)

    def _embed(
        self, texts: Mapping[str, Reading]
    ) -> tuple[Mapping[str, bytes], VectorSpace | None]:
        """Vectors by text; none where search has to do without. Nothing is locked here."""
        if not self._store.has_extension:
            return {}, None
        vectors = self._embedder.embed([text for text, read in texts.items() if read.words])
        if not vectors:
            return {}, None
        space = VectorSpace(self._embedder.name, next(iter(vectors.values())).size)
        return {text: vector.tobytes() for text, vector in vectors.items()}, space

    def _again_if_lost(self, action: Callable[[], Result], if_closed: Result) -> Result:
        for _ in range(_ATTEMPTS):
            try:
                return action()
            except _Closed:
                return if_closed
            except _Lost:
                continue
        with self._lock:
            self._store.close()
            self._store = self._in_memory("it was lost again and again")
        return action()

    def _with_store(self, action: Callable[[Store], Result]) -> Result:
        """Do one thing with the file. Raises :class:`_Lost` once another is in its place."""
        with self._lock:
            if self._closed:
                raise _Closed
            store = self._store
            try:
                return action(store)
            except (Damaged, Unusable) as error:
                if store.path is None:
                    raise
                if isinstance(error, Damaged):
                    store.close()
                    self._store = self._connect("was damaged")
                else:
                    self._store = self._in_memory(str(error))
                    store.copy_into(self._store)
                    store.close()
                raise _Lost from error

    def _connect(self, broken: str = "") -> Store:
        """Open the file; one that is ``broken``, or turns out to be, is first set aside."""
        if self._path is None:
            return self._in_memory("there is no folder for it")
        try:
            make_generated(self._path.parent)
            for _ in range(_ATTEMPTS):
                if broken:
                    self._set_aside(self._path, broken)
                try:
                    return Store(self._path)
                except Damaged:
                    broken = "was damaged"
                except OtherVersion:
                    broken = "was written by another version of SQLScribe"
        except (OSError, Unusable) as error:
            return self._in_memory(f"{self._path} cannot be used: {error}")
        return self._in_memory(f"{self._path} is broken again and again")

    def _in_memory(self, reason: str) -> Store:
        self._remarks[f"The search index is kept in memory ({reason})."] = None
        return Store(None)

    def _set_aside(self, path: Path, reason: str) -> None:
        """Rename the file, so that a person can look at it. Only the latest one is kept."""
        earlier = list(path.parent.glob(f"{path.name}.broken-*"))
        numbers = [file.suffix.rpartition("-")[2] for file in earlier]
        number = max((int(text) for text in numbers if text.isdecimal()), default=0) + 1
        aside = path.with_name(f"{path.name}.broken-{number}")
        path.rename(aside)
        for old in (*earlier, *(path.with_name(path.name + end) for end in ("-wal", "-shm"))):
            old.unlink(missing_ok=True)
        self._remarks[f"The search index {reason} and is built anew; see {aside.name}."] = None


class _Lost(Exception):
    """The store was replaced by another one, which may be empty."""


class _Closed(Exception):
    """The index was closed by another thread."""


def _fused(found: Closest) -> tuple[Hit, ...]:
    """One ranking out of several, by how strongly each measure speaks for an entry.

    The best by words may share no more than "month" with the question, so being that counts
    little beside how near an entry is.
    """
    scores: dict[bytes, float] = {}
    reasons: dict[bytes, list[str]] = {}
    for name, strengths in found._asdict().items():
        for rank, (key, strength) in enumerate(strengths.items(), 1):
            scores[key] = scores.get(key, 0.0) + _WEIGHTS[name] * max(strength, 0.0)
            reasons.setdefault(key, []).append(f"{name} #{rank}")
    highest = sum(_WEIGHTS[name] for name, strengths in found._asdict().items() if strengths)
    best_first = sorted(scores, key=lambda key: -scores[key])
    return tuple(Hit(_key(key), scores[key] / highest, tuple(reasons[key])) for key in best_first)


def _key_bytes(key: str) -> bytes:
    """Any string, even one with lone surrogates, as the bytes under which it is stored."""
    return key.encode("utf-8", "surrogatepass")


def _key(stored: bytes) -> str:
    return stored.decode("utf-8", "surrogatepass")


def _digest(text: str) -> bytes:
    return hashlib.sha256(text.encode()).digest()[:16]
