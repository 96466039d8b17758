"""What the editor is told all the time: the model, the index, and what the last answer cost."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from editor import Editor, editor
from loopback import LoopbackModel, Say
from shop import use_model

ENVIRONMENT = {"TEST_MODEL_KEY": "FAKE-never-shown"}


class Listener:
    """An editor that listens, and what it was told last."""

    def __init__(self) -> None:
        self.said: list[Any] = []
        self._changed = asyncio.Event()

    def status(self, params: Any) -> None:
        self.said.append(params)
        self._changed.set()

    async def until(self, fits: Callable[[Any], object]) -> Any:
        async with asyncio.timeout(30):
            while not (self.said and fits(self.said[-1])):
                self._changed.clear()
                await self._changed.wait()
        return self.said[-1]


@asynccontextmanager
async def listening(root: Path, **options: Any) -> AsyncIterator[tuple[Editor, Listener]]:
    listener = Listener()
    async with editor(
        root,
        options={"status": True, **options},
        environment=ENVIRONMENT,
        features={"sqlscribe/status": listener.status},
    ) as ed:
        yield ed, listener


async def test_model_and_index_are_told_and_each_state_once(shop: Path) -> None:
    async with listening(shop) as (_, listener):
        last = await listener.until(lambda said: "entries" in said.folders[0].index)
        [folder] = last.folders
        assert (folder.uri, folder.model, folder.dialect) == (shop.as_uri(), "verified", "postgres")
        assert (folder.tables, folder.examples, folder.index) == (2, 1, "3 entries")
        assert (folder.database, last.answer) == ("", None)
        assert listener.said[0].folders[0].tables is None
        assert all(a != b for a, b in zip(listener.said, listener.said[1:], strict=False))


async def test_an_answer_tells_its_cost(shop: Path) -> None:
    with LoopbackModel(Say("```sql\nSELECT full_name FROM customers\n```")) as model:
        use_model(shop, model.api_base)
        async with listening(shop, trusted=True) as (ed, listener):
            ed.open("q.sql", "-- ask: everybody's name\n")
            await ed.resolved("q.sql", 0)
            answer = (await listener.until(lambda said: said.answer)).answer
    assert (answer.outcome, answer.source, answer.model) == ("sql", "model", "openai/test")
    assert (answer.usage.prompt_tokens, answer.usage.completion_tokens) == (100, 10)


async def test_a_folder_that_is_not_trusted_says_what_of_it_is_not_used(shop: Path) -> None:
    use_model(shop, "http://192.0.2.1/v1", more='[database]\nurl = "sqlite:///shop.db"\n')
    (shop / ".env").write_text("OPENAI_API_KEY=FAKE-theirs\n", "utf-8")
    async with listening(shop, trusted=False) as (_, listener):
        [folder] = (await listener.until(lambda said: said.folders[0].model)).folders
    assert (folder.model, folder.database) == ("verified", "")
    for what in (".env", "model.api_base", "database"):
        assert any(each.startswith(what) for each in folder.remarks), what


async def test_who_does_not_listen_is_not_told(shop: Path) -> None:
    listener = Listener()
    async with editor(shop, features={"sqlscribe/status": listener.status}) as ed:
        ed.open("q.sql", "-- ask: how many customers live in 'Oslo'?\n")
        await ed.resolved("q.sql", 0)
    assert listener.said == []
