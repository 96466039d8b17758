"""The search index of one folder, brought up to date with what is loaded when it is asked."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from pathlib import Path

from sqlscribe.generated_files import GENERATED
from sqlscribe.knowledge.embedders import Embedder
from sqlscribe.knowledge.index import Entry, Index
from sqlscribe.knowledge.retrieval import Hit, card
from sqlscribe.loading import Loaded
from sqlscribe.settings import EmbeddingSettings


class FolderIndex:
    """Finds examples, notes and tables. Every method may block, and may be called from any thread.

    ``embedder_for`` makes what turns texts into vectors, as the settings have it.
    """

    def __init__(
        self, root: Path | None, embedder_for: Callable[[EmbeddingSettings, float | None], Embedder]
    ) -> None:
        self._root = root
        self._embedder_for = embedder_for
        self._lock = threading.Lock()
        self._index: Index | None = None
        self._made_of: tuple[object, ...] | None = None
        self._indexed: Loaded | None = None
        self._closed = False

    def search(self, loaded: Loaded, text: str, kind: str, limit: int) -> Sequence[Hit]:
        """Hits for one kind of entry, best first, over what is loaded."""
        with self._lock:
            index = self._synced(loaded)
        return index.search(text, kind, limit)

    def sync(self, loaded: Loaded) -> dict[str, int]:
        """Bring the index up to date; the number of its entries by kind."""
        with self._lock:
            self._synced(loaded)
        tables = sum(1 for table in loaded.schema.tables if not table.parent)
        return {"example": len(loaded.examples), "note": len(loaded.notes), "table": tables}

    def holds(self, loaded: Loaded) -> bool:
        """Whether all of what is loaded is in it."""
        return self._indexed is loaded

    @property
    def remark(self) -> str:
        """Why the index is not kept on disk, where it is not."""
        return self._index.remark if self._index is not None else ""

    def close(self) -> None:
        """Close it without waiting for what uses it; that finds nothing any more."""
        self._closed = True
        if (index := self._index) is not None:
            index.close()

    def _synced(self, loaded: Loaded) -> Index:
        if self._index is not None and self._indexed is loaded:
            return self._index
        found = _searchable(loaded)
        path = None
        if self._root is not None and any(found.values()):
            # A folder that knows nothing gets no file of ours either.
            path = self._root / GENERATED / "index.db"
        embedding, limit = loaded.settings.embedding, loaded.settings.limits.cost_per_day
        made_of = (path, embedding, limit)
        if self._index is None or self._made_of != made_of:
            if self._index is not None:
                self._index.close()
            self._index = Index.open(path, self._embedder_for(embedding, limit))
            self._made_of = made_of
            if self._closed:
                # An answer outlived its folder: no file may stay open behind it.
                self._index.close()
        for kind, entries in found.items():
            self._index.sync(kind, entries)
        self._indexed = loaded
        return self._index


def _searchable(loaded: Loaded) -> dict[str, list[Entry]]:
    """What can be found, by kind. Keys are those that retrieval looks up."""
    return {
        "example": [Entry("example", e.key, e.question) for e in loaded.examples],
        "note": [Entry("note", n.key, f"{n.title}\n{n.text}") for n in loaded.notes],
        "table": [
            Entry("table", t.qualified_name, card(t)) for t in loaded.schema.tables if not t.parent
        ],
    }
