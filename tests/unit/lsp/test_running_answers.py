"""One question, asked again while its answer is made."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from desk import Desk
from sqlscribe.answer import Answer, Source
from sqlscribe.lsp import answers


@pytest.mark.parametrize(
    ("first", "calls"), [("stored", [False, True]), ("verified", [False, True]), ("model", [False])]
)
async def test_a_new_answer_is_not_what_was_stored_for_somebody_else(
    desk: Desk, monkeypatch: pytest.MonkeyPatch, first: Source, calls: list[bool]
) -> None:
    made: list[bool] = []
    go_on = asyncio.Event()

    async def make(server: Any, asked: answers.Wanted, tell: Any) -> Answer:
        made.append(asked.regenerate)
        await go_on.wait()
        return Answer("sql", "SELECT 1", source="model" if asked.regenerate else first)

    monkeypatch.setattr(answers, "_answer", make)
    document = desk.open("-- ask: all names\n")
    [question] = desk.server.session.script(document).questions
    plain = asyncio.create_task(answers.run(desk.server, answers.Wanted(document, question)))
    await asyncio.sleep(0)
    again = answers.Wanted(document, question, regenerate=True)
    new = asyncio.create_task(answers.run(desk.server, again))
    await asyncio.sleep(0)
    go_on.set()
    assert (await plain).source == first
    assert (await new).source == "model"
    assert made == calls


async def test_the_answer_of_a_document_that_is_closed_is_kept(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def make(server: Any, asked: answers.Wanted, tell: Any) -> Answer:
        server.session.close(asked.document.uri)
        return Answer("sql", "SELECT 1", source="model")

    monkeypatch.setattr(answers, "_answer", make)
    document = desk.open("-- ask: all names\n")
    [question] = desk.server.session.script(document).questions
    assert (await desk.resolved("Generate SQL")).edit is None
    assert desk.server.said == [f"SQLScribe: {answers.CLOSED}"]
    assert answers.kept(desk.server, desk.uri, question) == "SELECT 1"
