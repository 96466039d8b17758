"""Vectors: the built-in ones, those of a configured model, and those that say nothing."""

from __future__ import annotations

import subprocess
import sys
import threading
import unicodedata
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sqlscribe.errors import Unreachable
from sqlscribe.knowledge.embedders import (
    CannotEmbed,
    GuardedEmbedder,
    LiteLLMEmbedder,
    Vocabulary,
    WordLlamaEmbedder,
    _vocabulary,
    sound,
)


def similarity(embedder: WordLlamaEmbedder, one: str, other: str) -> float:
    first, second = embedder.embed([one, other])
    return float(first @ second)


def test_vectors_have_length_one_and_close_meanings_lie_close(
    wordllama: WordLlamaEmbedder,
) -> None:
    vectors = wordllama.embed(["customers", "clients", "temperature", "客户"])
    assert vectors.shape == (4, wordllama.dimension)
    assert vectors.dtype == np.float32
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)
    assert sound(vectors)
    near = similarity(wordllama, "unpaid invoices", "bills not yet paid")
    assert near > similarity(wordllama, "unpaid invoices", "temperature of the sensor")


@pytest.mark.parametrize(
    ("word", "tokens"),
    [("ab", (8,)), ("abc", (8, 3)), ("cab", (5, 3, 6)), ("é", (5, 20, 21)), ("北", ()), ("", (5,))],
)
def test_the_merge_of_the_lowest_number_comes_first(word: str, tokens: tuple[int, ...]) -> None:
    numbers = {"a": 1, "b": 2, "c": 3, "▁": 5, "ab": 6, "bc": 7, "▁ab": 8}
    vocabulary = Vocabulary(numbers | {"<0xC3>": 20, "<0xA9>": 21})
    assert vocabulary.tokens(word) == tokens


def test_tokens_are_those_of_the_published_tokenizer() -> None:
    tokenizers = pytest.importorskip("tokenizers")
    package = find_spec("wordllama")
    assert package is not None
    assert package.submodule_search_locations
    folder = Path(package.submodule_search_locations[0]) / "tokenizers"
    text = (folder / "l2_supercat_tokenizer_config.json").read_text("utf-8")
    theirs, ours = tokenizers.Tokenizer.from_str(text), _vocabulary(text)
    theirs.no_padding()
    theirs.no_truncation()
    for word in "customers orderitems größe x7y zzzqqq привет unpaid reallocated".split():
        ids = theirs.encode(word, add_special_tokens=False).ids
        assert list(ours.tokens(word)) == ids, word


def test_composed_and_decomposed_letters_give_one_vector(wordllama: WordLlamaEmbedder) -> None:
    text = "Umsätze der Café-Kunden"
    assert similarity(wordllama, text, unicodedata.normalize("NFD", text)) > 0.9999


@pytest.mark.parametrize("text", ["", "\0", "\ud800", "(" * 100_000, "💥" * 1000, "\n" * 50])
def test_any_text_has_a_vector(wordllama: WordLlamaEmbedder, text: str) -> None:
    assert np.isfinite(wordllama.embed([text, "orders"])).all()


def test_no_texts_give_no_vectors(wordllama: WordLlamaEmbedder) -> None:
    assert wordllama.embed([]).shape == (0, wordllama.dimension)


def test_threads_load_the_weights_once() -> None:
    embedder = WordLlamaEmbedder()
    found: list[np.ndarray] = []
    threads = [
        threading.Thread(target=lambda: found.append(embedder.embed(["orders"]))) for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 4
    assert all(np.array_equal(found[0], vectors) for vectors in found)


def test_the_built_in_vectors_need_no_network_and_no_heavy_import() -> None:
    program = """
import socket, sys
def refuse(*_, **__):
    raise AssertionError("a connection was tried")
socket.socket.connect = refuse
from sqlscribe.knowledge.embedders import WordLlamaEmbedder
embedder = WordLlamaEmbedder()
embedder.embed(["orders"])
heavy = {"tokenizers", "wordllama", "requests", "pydantic", "litellm", "apsw"}
print(sorted(heavy & set(sys.modules)))
"""
    run = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False
    )
    assert (run.stdout.strip(), run.stderr) == ("[]", "")


def test_a_missing_package_is_one_clear_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sqlscribe.knowledge.embedders.find_spec", lambda _name: None)
    with pytest.raises(CannotEmbed, match="wordllama is not installed"):
        WordLlamaEmbedder().embed(["orders"])


def test_a_configured_model_is_called_in_parts_and_normalised() -> None:
    calls: list[list[str]] = []

    def embed_texts(texts: list[str]) -> list[list[float]]:
        calls.append(texts)
        return [[3.0, 4.0] for _ in texts]

    embedder = LiteLLMEmbedder("openai/some-model", embed_texts)
    assert embedder.dimension == 0
    vectors = embedder.embed([f"问题 {number}" for number in range(100)])
    assert vectors.shape == (100, 2)
    assert np.allclose(vectors[0], [0.6, 0.8])
    assert embedder.dimension == 2
    assert [text for call in calls for text in call] == [f"问题 {n}" for n in range(100)]
    assert max(map(len, calls)) <= 96


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ([[1.0, 0.0]], "1 vectors for 2 texts"),
        ([[1.0, 0.0], [1.0]], "no vectors of one length"),
        ([["a"], ["b"]], "no vectors of one length"),
    ],
)
def test_a_wrong_answer_of_a_model_is_refused(answer: Any, expected: str) -> None:
    with pytest.raises(CannotEmbed, match=expected):
        LiteLLMEmbedder("m", lambda _texts: answer).embed(["a", "b"])


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        ([[1, 0], [0, 1]], True),
        ([[1, 0]], True),
        ([[1, 0], [1, 0]], False),
        ([[0, 0], [0, 1]], False),
        ([[float("nan"), 1], [0, 1]], False),
        ([[float("inf"), 1], [0, 1]], False),
        ([], True),
    ],
)
def test_vectors_that_say_nothing_are_noticed(rows: list[list[float]], expected: bool) -> None:
    vectors = np.array(rows, dtype=np.float32).reshape(len(rows), 2)
    assert sound(vectors) is expected


def test_equal_vectors_are_noticed_when_texts_come_one_at_a_time() -> None:
    guarded = GuardedEmbedder(LiteLLMEmbedder("m", lambda texts: [[1.0, 0.0]] * len(texts)))
    assert guarded.embed(["orders"])
    assert guarded.embed(["orders"])
    assert guarded.embed(["customers"]) == {}
    assert "the same for different texts" in guarded.remark
    guarded.try_again()
    assert not guarded.is_usable


def test_a_server_that_was_down_is_tried_again() -> None:
    answers: list[Exception | None] = [Unreachable("The server is down."), None]

    def embed_texts(texts: list[str]) -> list[list[float]]:
        failure = answers.pop(0)
        if failure:
            raise failure
        return [[1.0, 0.0]] * len(texts)

    guarded = GuardedEmbedder(LiteLLMEmbedder("m", embed_texts))
    assert guarded.embed(["orders"]) == {}
    assert guarded.remark == "The server is down."
    assert guarded.embed(["orders"]) == {}
    guarded.try_again()
    assert list(guarded.embed(["orders"])) == ["orders"]


def test_a_model_that_changes_its_dimension_goes_on() -> None:
    rows = [[1.0, 0.0], [1.0, 0.0, 0.0]]
    guarded = GuardedEmbedder(LiteLLMEmbedder("m", lambda _texts: [rows.pop(0)]))
    assert guarded.embed(["orders"])["orders"].shape == (2,)
    assert guarded.embed(["customers"])["customers"].shape == (3,)
    assert guarded.made("m/3")
    assert not guarded.made("m/2")
    assert not guarded.made("other/3")
    assert not guarded.made("")
