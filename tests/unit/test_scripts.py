"""Open documents are read once."""

from __future__ import annotations

import asyncio
import gc
import weakref

import pytest

from sqlscribe import scripts as module
from sqlscribe.notation.document import Document
from sqlscribe.scripts import Scripts

QUESTION = "-- ask: x\n"


@pytest.fixture
def scripts() -> Scripts:
    return Scripts()


def opened(scripts: Scripts, text: str, version: int = 1) -> Document:
    document = Document("untitled:1", text, version)
    scripts.expect(document)
    return document


def test_once_for_each_version(scripts: Scripts) -> None:
    document = opened(scripts, QUESTION)
    script = scripts.of(document, "")
    assert scripts.of(document, "") is script
    newer = opened(scripts, QUESTION, 2)
    assert scripts.of(newer, "") is not script
    assert scripts.of(newer, "").document is newer


def test_once_for_each_dialect(scripts: Scripts) -> None:
    document = opened(scripts, "# ask: x\n")
    assert scripts.of(document, "").questions == ()
    assert [question.text for question in scripts.of(document, "mysql").questions] == ["x"]


async def test_a_large_one_is_read_once_too(scripts: Scripts) -> None:
    document = opened(scripts, QUESTION + "SELECT 1;\n" * 40_000)
    script, other = await asyncio.gather(scripts.read(document, ""), scripts.read(document, ""))
    assert [question.text for question in script.questions] == ["x"]
    assert other is script
    assert await scripts.read(document, "") is script
    assert scripts.of(document, "") is script


def test_nothing_is_kept_of_earlier_versions_and_closed_documents(scripts: Scripts) -> None:
    seen: list[weakref.ref[Document]] = []
    for version in range(3):
        document = opened(scripts, QUESTION, version)
        scripts.of(document, "")
        seen.append(weakref.ref(document))
    scripts.forget(document.uri)
    del document
    gc.collect()
    assert [reference() for reference in seen] == [None, None, None]


async def test_nothing_is_kept_of_a_large_one_that_nobody_waited_for(
    scripts: Scripts, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "_READ_AT_ONCE", 0)
    document = opened(scripts, QUESTION)
    reading = asyncio.create_task(scripts.read(document, ""))
    await asyncio.sleep(0)
    reading.cancel()
    scripts.forget(document.uri)
    seen = weakref.ref(document)
    del document, reading

    def is_gone() -> bool:
        gc.collect()
        return seen() is None

    async with asyncio.timeout(20):
        while not is_gone():
            await asyncio.sleep(0.01)
