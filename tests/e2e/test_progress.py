"""What a person sees and can stop while an answer is made."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types
from pygls.exceptions import JsonRpcException

from editor import Editor, editor
from loopback import Hang, LoopbackModel, Stream
from shop import use_model

ENVIRONMENT = {"TEST_MODEL_KEY": "FAKE-k"}
GOOD = "SELECT full_name FROM customers"
WRONG = "SELECT nmx FROM customers"
TEXT = "-- ask: names\n"


def streamed(sql: str, **more: Any) -> Stream:
    return Stream(("```sql\n", sql[:20], sql[20:], "\n```"), **more)


class Watched:
    """The progress that an editor is sent, by token."""

    def __init__(self, ed: Editor) -> None:
        self.values: dict[Any, list[dict[str, Any]]] = {}
        self.created: list[Any] = []
        self.answer_created: Callable[[], Any] | None = None
        self._news = asyncio.Event()
        features = ed.client.protocol.fm.features
        features[types.PROGRESS] = self._came
        features[types.WINDOW_WORK_DONE_PROGRESS_CREATE] = self._create

    async def _create(self, params: types.WorkDoneProgressCreateParams) -> None:
        self.created.append(params.token)
        self._news.set()
        if self.answer_created is not None:
            await self.answer_created()

    def _came(self, params: types.ProgressParams) -> None:
        self.values.setdefault(params.token, []).append(params.value)
        self._news.set()

    async def until(self, satisfied: Callable[[], bool], seconds: float = 60) -> None:
        async with asyncio.timeout(seconds):
            while not satisfied():
                self._news.clear()
                await self._news.wait()

    def messages(self, token: Any) -> list[str]:
        values = self.values.get(token, [])
        return [value["message"] for value in values if "message" in value]


def ask(ed: Editor, name: str = "q.sql", number: str = "", **more: Any) -> asyncio.Future[Any]:
    params = {
        "textDocument": {"uri": ed.uri(name)},
        "position": {"line": 0, "character": 4},
        **more,
    }
    sending = ed.client.protocol.send_request_async(
        "sqlscribe/answer", params, msg_id=number or None
    )
    return asyncio.ensure_future(sending)


async def test_stages_tokens_and_the_sql_are_told_as_they_come(shop: Path) -> None:
    gate = threading.Event()
    first, second = streamed(WRONG, gate=gate), streamed(GOOD)
    with LoopbackModel(first, second) as model:
        use_model(shop, model.api_base)
        async with editor(shop, environment=ENVIRONMENT) as ed:
            ed.open("q.sql", TEXT)
            watched = Watched(ed)
            asking = ask(ed, workDoneToken="work", partialResultToken="partial")
            await watched.until(lambda: any("tokens" in m for m in watched.messages("work")))
            await watched.until(lambda: any(v["tokens"] for v in watched.values["partial"]))
            gate.set()
            result = await asking
    assert result.sql == GOOD
    # Both calls were counted by the provider, and not by what was shown.
    assert (result.usage.prompt_tokens, result.usage.completion_tokens) == (200, 20)
    stages = [value["stage"] for value in watched.values["partial"]]
    assert [stage.partition(" ")[0] for stage in dict.fromkeys(stages)] == [
        "loading",
        "retrieving",
        "asking",
        "checking",
        "repairing",
    ]
    assert "repairing 1/2" in stages
    begin, *_, end = watched.values["work"]
    assert (begin["kind"], begin["cancellable"], end["kind"]) == ("begin", True, "end")
    shown = [value["sql"] for value in watched.values["partial"] if value["sql"]]
    assert all(WRONG.startswith(sql) or GOOD.startswith(sql) for sql in shown)


async def test_cancelling_the_progress_ends_the_call_and_the_request(shop: Path) -> None:
    with LoopbackModel(Stream(("```sql\nSELECT", " 1"), pause=0.05, is_endless=True)) as model:
        use_model(shop, model.api_base)
        async with editor(shop, environment=ENVIRONMENT) as ed:
            ed.open("q.sql", TEXT)
            watched = Watched(ed)
            action = await ed.action("q.sql", 0, "Generate SQL")
            resolving = asyncio.ensure_future(ed.client.code_action_resolve_async(action))
            await watched.until(lambda: bool(watched.created))
            [token] = watched.created
            await watched.until(lambda: any("tokens" in m for m in watched.messages(token)))
            ed.client.window_work_done_progress_cancel(types.WorkDoneProgressCancelParams(token))
            with pytest.raises(JsonRpcException, match="cancel"):
                await resolving
            assert await asyncio.to_thread(model.exchanges[0].closed.wait, 10)
            assert watched.values[token][-1]["kind"] == "end"


async def test_a_request_cancelled_before_its_progress_is_created_leaves_no_trace(
    shop: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    with LoopbackModel(Hang()) as model:
        use_model(shop, model.api_base)
        async with editor(shop, environment=ENVIRONMENT) as ed:
            ed.open("q.sql", TEXT)
            watched = Watched(ed)
            cancelled = asyncio.Event()
            watched.answer_created = cancelled.wait
            asking = ask(ed, number="slow")
            await watched.until(lambda: bool(watched.created))
            ed.client.cancel_request(types.CancelParams("slow"))
            with pytest.raises(JsonRpcException, match="cancel"):
                await asking
            cancelled.set()
            # The editor's late answer has arrived before the one to this.
            assert await ed.hover("q.sql", 0)
    said = capfd.readouterr().err
    assert "InvalidStateError" not in said
    assert "Traceback" not in said


async def test_the_same_question_is_asked_once_and_both_get_the_answer(shop: Path) -> None:
    gate = threading.Event()
    with LoopbackModel(streamed(GOOD, gate=gate)) as model:
        use_model(shop, model.api_base)
        async with editor(shop, environment=ENVIRONMENT) as ed:
            ed.open("q.sql", TEXT)
            first, second = ask(ed, number="1"), ask(ed, regenerate=True)
            assert await asyncio.to_thread(model.wait_for, 1)
            assert await ed.hover("q.sql", 0)
            ed.client.cancel_request(types.CancelParams("1"))
            with pytest.raises(JsonRpcException, match="cancel"):
                await first
            gate.set()
            assert (await second).sql == GOOD
        assert len(model.exchanges) == 1


async def test_a_document_closed_meanwhile_gets_no_edit_and_keeps_its_answer(shop: Path) -> None:
    gate = threading.Event()
    with LoopbackModel(streamed(GOOD, gate=gate)) as model:
        use_model(shop, model.api_base)
        async with editor(shop, environment=ENVIRONMENT) as ed:
            document = ed.open("q.sql", TEXT)
            action = await ed.action("q.sql", 0, "Generate SQL")
            resolving = asyncio.ensure_future(ed.client.code_action_resolve_async(action))
            assert await asyncio.to_thread(model.wait_for, 1)
            ed.client.text_document_did_close(
                types.DidCloseTextDocumentParams(types.TextDocumentIdentifier(document.uri))
            )
            gate.set()
            assert (await resolving).edit is None
            assert [m for m in ed.messages if "closed meanwhile" in m] == ed.messages
            ed.open("q.sql", TEXT)
            again = await ed.resolved("q.sql", 0, "Use stored answer")
            assert ed.apply(again.edit).text == f"{TEXT}{GOOD};\n"
        assert len(model.exchanges) == 1


async def test_leaving_while_answers_are_made_ends_them(
    shop: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    with LoopbackModel(Hang()) as model:
        use_model(shop, model.api_base)
        async with editor(shop, environment=ENVIRONMENT) as ed:
            asking = []
            for number in range(3):
                ed.open(f"{number}.sql", f"-- ask: names {number}\n")
                asking.append(ask(ed, f"{number}.sql"))
            assert await asyncio.to_thread(model.wait_for, 2)
        results = await asyncio.gather(*asking, return_exceptions=True)
        assert all(isinstance(each, JsonRpcException) for each in results)
        # The third one waited for its turn, and was not sent any more.
        assert len(model.exchanges) == 2
        for exchange in model.exchanges:
            assert await asyncio.to_thread(exchange.closed.wait, 10)
    assert "Traceback" not in capfd.readouterr().err
