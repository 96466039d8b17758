"""What the tests of the search index share: entries, an embedder by rule, and a search."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from sqlscribe.knowledge.index import Entry, Index

Opened = Callable[..., Index]
"""Opens an index that is closed at the end of the test."""

SHOP = {
    "top": "top 10 customers by net revenue",
    "late": "orders delivered late",
    "stock": "products that are out of stock",
    "salary": "average salary by department",
}


class FakeEmbedder:
    """Vectors by a rule; counts the texts it was asked for."""

    def __init__(
        self,
        row: Callable[[str], Sequence[float]],
        name: str = "fake",
        failure: Exception | None = None,
    ) -> None:
        self.name = name
        self.dimension = len(row("x"))
        self.failure = failure
        self.texts: list[str] = []
        self._row = row

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        if self.failure:
            raise self.failure
        self.texts += texts
        return np.array([self._row(text) for text in texts], dtype=np.float32)


def letters(dimension: int) -> Callable[[str], Sequence[float]]:
    """A row that depends on the letters of a text, and differs from text to text."""

    def row(text: str) -> Sequence[float]:
        counts = np.ones(dimension)
        for position, letter in enumerate(text):
            counts[(ord(letter) + position) % dimension] += 1
        return list(counts / np.linalg.norm(counts))

    return row


def entries(texts: dict[str, str], kind: str = "example") -> list[Entry]:
    return [Entry(kind, key, text) for key, text in texts.items()]


def found(index: Index, question: str, kind: str = "example", limit: int = 10) -> list[str]:
    return [hit.key for hit in index.search(question, kind, limit)]
