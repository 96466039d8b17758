"""One question, asked again while its answer is made."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from desk import Desk, inserted
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


@pytest.mark.parametrize("changes", ["the head", "the configuration", "nothing that counts"])
async def test_an_answer_in_a_dialect_that_is_no_more_is_kept(
    desk: Desk, monkeypatch: pytest.MonkeyPatch, changes: str
) -> None:
    async def make(*_: object, **__: object) -> Answer:
        if changes == "the configuration":
            settings = desk.root / "sqlscribe.toml"
            settings.write_text('dialect = "mysql"\n[model]\nname = "verified"\n', "utf-8")
            await desk.load()
        head = "-- dialect: mysql\n" if changes == "the head" else "-- dialect: none such\n"
        desk.open(head + desk.text)
        return Answer("sql", "SELECT 1", source="model")

    monkeypatch.setattr("sqlscribe.answer.answer", make)
    document = desk.open("-- ask: all of them\n")
    [question] = desk.server.session.script(document).questions
    done = await desk.resolved("Generate SQL")
    if changes == "nothing that counts":
        assert inserted(done.edit) == "SELECT 1;"
        return
    assert done.edit is None
    assert desk.server.said == [f"SQLScribe: {answers.DIALECT}"]
    assert answers.kept(desk.server, desk.uri, question) == "SELECT 1"
    assert inserted((await desk.resolved("Use stored answer", 1)).edit) == "SELECT 1;"


async def test_who_asks_in_another_dialect_does_not_join_the_old_answer(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[str] = []
    go_on = asyncio.Event()

    async def make(server: Any, asked: answers.Wanted, tell: Any) -> Answer:
        made.append(asked.question.dialect)
        await go_on.wait()
        return Answer("sql", "SELECT 1", source="model")

    monkeypatch.setattr(answers, "_answer", make)
    running = []
    for dialect in ("mysql", "sqlite", "sqlite"):
        document = desk.open(f"-- dialect: {dialect}\n-- ask: all names\n")
        [question] = desk.server.session.script(document).questions
        asked = answers.Wanted(document, question)
        running.append(asyncio.create_task(answers.run(desk.server, asked)))
        await asyncio.sleep(0)
    go_on.set()
    await asyncio.gather(*running)
    assert made == ["mysql", "sqlite"]
