"""Indexes for the tests: in their own folder, and closed at the end."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from sqlscribe.knowledge.embedders import Embedder, WordLlamaEmbedder
from sqlscribe.knowledge.index import Index


@pytest.fixture
def path(tmp_path: Path) -> Path:
    (tmp_path / "work").mkdir()
    return tmp_path / "work" / ".sqlscribe" / "index.db"


@pytest.fixture(scope="session")
def wordllama() -> WordLlamaEmbedder:
    return WordLlamaEmbedder()


@pytest.fixture
def opened(path: Path) -> Iterator[Callable[..., Index]]:
    indexes: list[Index] = []

    def open_index(embedder: Embedder | None = None, at: Path | None = path) -> Index:
        indexes.append(Index.open(at, embedder))
        return indexes[-1]

    yield open_index
    for index in indexes:
        index.close()
