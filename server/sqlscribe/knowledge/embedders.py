"""Texts to vectors: with the weights in wordllama's wheel, or with a configured model.

WordLlama's own loader and tokenizer are not used. The loader looks for files that its wheel does
not have and then downloads them, sets up the root logger and holds the weights twice; the
tokenizer takes 16 MB for merging rules that the order of the vocabulary gives as well. Reading
the same two files here, with the weights mapped and not loaded, takes 0.05 s and 8 MB.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache, lru_cache
from importlib.util import find_spec
from itertools import pairwise
from pathlib import Path
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from sqlscribe.errors import SQLScribeError
from sqlscribe.knowledge.terms import clean, has_cjk
from sqlscribe.knowledge.units import meant

Vectors = NDArray[np.float32]


class CannotEmbed(SQLScribeError):
    """No vectors can be had; search goes on with words alone."""


class Embedder(Protocol):
    """Turns texts into vectors of length one, so that close meanings lie close together."""

    @property
    def name(self) -> str:
        """Stable; vectors of two names are never compared."""

    @property
    def dimension(self) -> int:
        """Numbers in one vector; 0 as long as that is not known."""

    def embed(self, texts: Sequence[str]) -> Vectors:
        """One row for each text. A text without content may give a row of zeros.

        Raises :class:`~sqlscribe.errors.SQLScribeError` where no vectors can be had.
        """


class WordLlamaEmbedder:
    """The built-in static vectors: the mean over the tokens of what a text says, in its words
    and in others. Loaded at the first use.
    """

    name = "wordllama/l2_supercat_256"
    dimension = 256

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._loaded: tuple[Vocabulary, NDArray[np.float16]] | None = None

    def embed(self, texts: Sequence[str]) -> Vectors:
        vocabulary, weights = self._load()
        vectors = np.zeros((len(texts), self.dimension), dtype=np.float32)
        for row, text in enumerate(texts):
            ids = [number for word in meant(text) for number in vocabulary.tokens(word)]
            if ids:
                vectors[row] = weights[ids].mean(axis=0, dtype=np.float32)
        return _normalised(vectors)

    def _load(self) -> tuple[Vocabulary, NDArray[np.float16]]:
        with self._lock:
            if self._loaded is None:
                self._loaded = _load_wordllama(self.dimension)
            return self._loaded


@cache
def builtin() -> WordLlamaEmbedder:
    """The one that all of this process share."""
    return WordLlamaEmbedder()


def likeness(words: Sequence[str], others: Sequence[str]) -> list[float]:
    """How near each of ``words`` comes to the nearest of ``others``: 1.0 for the same.

    Empty where there are no built-in vectors.
    """
    if not words or not others:
        return []
    try:
        vectors = builtin().embed([*words, *others])
    except CannotEmbed:
        return []
    nearest: list[float] = (vectors[: len(words)] @ vectors[len(words) :].T).max(axis=1).tolist()
    return nearest


class Vocabulary:
    """The tokens of a byte-pair encoding. Of two merges the one of the lower number comes first,
    which is how such a vocabulary is made.
    """

    def __init__(self, numbers: dict[str, int]) -> None:
        self._numbers = numbers
        # The words of a schema come again and again.
        self.tokens = lru_cache(maxsize=8_000)(self._tokens)

    def _tokens(self, word: str) -> tuple[int, ...]:
        """The numbers of a word's tokens: as after a space, where words have spaces."""
        word = word[:_LONGEST_WORD]
        parts = list(word if has_cjk(word) else f"▁{word}")
        while len(parts) > 1:
            number, place = min(
                (self._numbers.get(one + other, _NO_TOKEN), place)
                for place, (one, other) in enumerate(pairwise(parts))
            )
            if number == _NO_TOKEN:
                break
            parts[place : place + 2] = [parts[place] + parts[place + 1]]
        return tuple(number for part in parts for number in self._numbers_of(part))

    def _numbers_of(self, part: str) -> Iterator[int]:
        if part in self._numbers:
            yield self._numbers[part]
            return
        for byte in part.encode():
            if (number := self._numbers.get(f"<0x{byte:02X}>")) is not None:
                yield number


_LONGEST_WORD = 60
"""Letters; what is longer is no word, and would take long to merge."""
_NO_TOKEN = 1 << 30


class LiteLLMEmbedder:
    """A configured model; ``embed_texts`` calls it, and gives a vector for each text in order."""

    def __init__(
        self,
        name: str,
        embed_texts: Callable[[list[str]], list[list[float]]],
        dimension: int = 0,
    ) -> None:
        self.name = name
        self.dimension = dimension
        self._embed_texts = embed_texts

    def embed(self, texts: Sequence[str]) -> Vectors:
        rows: list[list[float]] = []
        for start in range(0, len(texts), _TEXTS_A_CALL):
            part = [clean(text) for text in texts[start : start + _TEXTS_A_CALL]]
            answer = self._embed_texts(part)
            if len(answer) != len(part):
                raise CannotEmbed(f"{self.name} gave {len(answer)} vectors for {len(part)} texts.")
            rows += answer
        try:
            vectors = np.array(rows, dtype=np.float32).reshape(len(texts), -1)
        except (TypeError, ValueError) as error:
            raise CannotEmbed(f"{self.name} gave no vectors of one length.") from error
        if rows:
            self.dimension = vectors.shape[1]
        return _normalised(vectors)


class GuardedEmbedder:
    """An embedder that may fail or talk nonsense, or be missing, and never stops a search.

    ``remark`` says why there are no vectors; it stays ``""`` where none were asked for.
    """

    def __init__(self, embedder: Embedder | None) -> None:
        self.name = embedder.name if embedder else ""
        self.remark = ""
        self._embedder = embedder
        self._is_useless = False
        self._seen: tuple[str, Vectors] | None = None

    @property
    def is_usable(self) -> bool:
        return self._embedder is not None and not self.remark

    def try_again(self) -> None:
        """A model server that did not answer may be back; vectors without sense stay so."""
        if not self._is_useless:
            self.remark = ""

    def made(self, label: str) -> bool:
        """True for the label ``name/dimension`` of vectors that this embedder makes."""
        name, _, dimension = label.rpartition("/")
        known = self._embedder.dimension if self._embedder else 0
        return name == self.name and known in (0, int(dimension))

    def embed(self, texts: Iterable[str]) -> dict[str, Vectors]:
        """A vector for each different text, or no vectors at all."""
        different = list(dict.fromkeys(texts))
        if self._embedder is None or self.remark or not different:
            return {}
        try:
            vectors = self._embedder.embed(different)
        except SQLScribeError as error:
            self.remark = str(error)
            return {}
        compared = vectors
        seen = self._seen
        if seen and seen[0] not in different and seen[1].shape == vectors[0].shape:
            # Texts often come one at a time, and one vector does not show that all are equal.
            compared = np.vstack([vectors, seen[1]])
        if not sound(compared):
            self._is_useless = True
            self.remark = (
                f"the vectors of {self.name} cannot be compared"
                " (zero, not numbers, or the same for different texts)."
            )
            return {}
        self._seen = (different[0], vectors[0])
        return dict(zip(different, vectors, strict=True))


def sound(vectors: Vectors) -> bool:
    """False where vectors of different texts say nothing: not a number, zero, all equal."""
    if vectors.size == 0:
        return len(vectors) == 0
    if not np.isfinite(vectors).all() or not np.any(vectors, axis=1).all():
        return False
    return len(vectors) == 1 or float(np.ptp(vectors, axis=0).max()) > _SAME


_TEXTS_A_CALL = 64
"""Providers refuse longer lists: the smallest limit known is 96."""
_SAME = 1e-6


def _normalised(vectors: Vectors) -> Vectors:
    with np.errstate(invalid="ignore", over="ignore"):
        lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
        return np.asarray(vectors / np.where(lengths == 0, 1, lengths), dtype=np.float32)


def _load_wordllama(dimension: int) -> tuple[Vocabulary, NDArray[np.float16]]:
    try:
        # Finding the package does not import it.
        package = find_spec("wordllama")
        if package is None or not package.submodule_search_locations:
            raise CannotEmbed("The package wordllama is not installed.")
        folder = Path(package.submodule_search_locations[0])
        weights = _map_weights(folder / "weights" / "l2_supercat_256.safetensors", dimension)
        text = (folder / "tokenizers" / "l2_supercat_tokenizer_config.json").read_text("utf-8")
        vocabulary = _vocabulary(text)
    except (ImportError, OSError, ValueError, KeyError, TypeError) as error:
        raise CannotEmbed(f"The vectors of wordllama cannot be read: {error}.") from error
    return vocabulary, weights


def _vocabulary(text: str) -> Vocabulary:
    """The vocabulary in the description of a tokenizer, of which nothing else is decoded."""
    start = text.index("{", text.index('"vocab"'))
    numbers, _ = json.JSONDecoder().raw_decode(text, start)
    if not isinstance(numbers, dict) or not all(isinstance(n, int) for n in numbers.values()):
        raise ValueError("the vocabulary has an unexpected form")
    return Vocabulary(numbers)


def _map_weights(path: Path, dimension: int) -> NDArray[np.float16]:
    """The one table in a safetensors file: a length, a JSON header, then the numbers."""
    with path.open("rb") as file:
        header_size = int.from_bytes(file.read(8), "little")
        table = json.loads(file.read(header_size))["embedding.weight"]
    rows, columns = table["shape"]
    if table["dtype"] != "F16" or columns != dimension:
        raise ValueError(f"{path.name} has an unexpected form")
    start = 8 + header_size + table["data_offsets"][0]
    mapped = np.memmap(path, dtype="<f2", mode="r", offset=start, shape=(rows, columns))
    # The same memory as a plain array, of which rows are taken in half the time.
    return np.asarray(mapped)
