"""Replies that come in pieces, over real HTTP from a server on the loopback."""

from __future__ import annotations

import asyncio
import json
import logging
import threading
from collections.abc import Iterator

import pytest

from loopback import (
    Behaviour,
    CloseMidway,
    Exchange,
    Hang,
    LoopbackModel,
    Refuse,
    Say,
    Send,
    Stream,
    Trickle,
)
from sqlscribe.errors import ModelError, ModelFailed, RateLimited, TimedOut, Unreachable, WrongKey
from sqlscribe.models.chat import Message, Piece, Reply, ReplyForm, Usage, heard
from sqlscribe.models.litellm_client import LiteLLMChat
from sqlscribe.models.litellm_library import load

KEY = "FAKE-abc123"
QUESTION = [Message("user", "orders of O'Brien? 你好")]
OPENAI, OLLAMA, VLLM = "openai/local", "ollama_chat/local", "hosted_vllm/local"
PIECES = ("```sql\n", "SELECT 'naïve'", "  -- 你", "好\n```\n")


@pytest.fixture
def model() -> Iterator[LoopbackModel]:
    with LoopbackModel() as server:
        yield server


async def ask(
    model: LoopbackModel,
    name: str = OPENAI,
    pieces: list[Piece] | None = None,
    form: ReplyForm | None = None,
    **fields: object,
) -> Reply:
    base = model.root if name == OLLAMA else model.api_base
    chat = LiteLLMChat(name, base, KEY, **fields)  # type: ignore[arg-type]
    told: list[Piece] = [] if pieces is None else pieces
    return await heard(chat, lambda: told.append).complete(QUESTION, form)


async def closed(exchange: Exchange) -> bool:
    return await asyncio.to_thread(exchange.closed.wait, 10)


@pytest.mark.parametrize("name", [OPENAI, OLLAMA, VLLM])
async def test_the_pieces_are_told_as_they_come_and_make_the_reply(
    model: LoopbackModel, name: str, capfd: pytest.CaptureFixture[str]
) -> None:
    model.queue(Stream(PIECES, counts=(120, 8)))
    told: list[Piece] = []
    reply = await ask(model, name, told)
    assert tuple(piece.text for piece in told) == PIECES
    assert reply == Reply("".join(PIECES), Usage(120, 8))
    assert model.exchanges[0].json["stream"] is True
    assert len(model.exchanges) == 1
    assert capfd.readouterr().out == ""


async def test_the_first_piece_is_told_before_the_last_is_there(model: LoopbackModel) -> None:
    gate = threading.Event()
    model.queue(Stream(PIECES, gate=gate))

    def hear(piece: Piece) -> None:
        # The server waits for this before it sends the last one.
        gate.set()

    chat = heard(LiteLLMChat(OPENAI, model.api_base, KEY), lambda: hear)
    reply = await chat.complete(QUESTION)
    assert reply.text == "".join(PIECES)


@pytest.mark.parametrize("name", [OPENAI, VLLM])
async def test_thoughts_are_told_but_are_no_part_of_the_reply(
    model: LoopbackModel, name: str
) -> None:
    model.queue(Stream(("SELECT 1",), thoughts=("let me", " see")))
    told: list[Piece] = []
    reply = await ask(model, name, told)
    assert reply.text == "SELECT 1"
    assert [piece.is_thought for piece in told] == [True, True, False]


async def test_nobody_hears_and_nothing_is_streamed(model: LoopbackModel) -> None:
    model.queue(Say("x"))
    await LiteLLMChat(OPENAI, model.api_base, KEY).complete(QUESTION)
    assert "stream" not in model.exchanges[0].json


async def test_a_model_that_cannot_stream_is_taken_as_it_is() -> None:
    class Plain:
        name = "plain"

        async def complete(self, messages: object, form: object = None) -> Reply:
            return Reply("x")

    plain = Plain()
    assert heard(plain, lambda: [].append) is plain


@pytest.mark.parametrize("name", [OPENAI, OLLAMA, VLLM])
async def test_a_reply_that_stopped_at_its_limit_is_marked(model: LoopbackModel, name: str) -> None:
    model.queue(Stream(("SELECT",), finish_reason="length"))
    reply = await ask(model, name)
    assert (reply.text, reply.cut_off) == ("SELECT", True)


async def test_thoughts_that_used_up_the_limit_are_not_asked_for_again(
    model: LoopbackModel,
) -> None:
    model.queue(Stream((), finish_reason="length"))
    reply = await ask(model)
    assert reply.cut_off
    assert "max_tokens" in reply.warnings[0]
    assert len(model.exchanges) == 1


@pytest.mark.parametrize("name", [OPENAI, OLLAMA, VLLM])
async def test_a_stream_that_just_ends_is_no_reply(model: LoopbackModel, name: str) -> None:
    model.queue(Stream(("SELECT 1", " FROM"), finish_reason=None))
    with pytest.raises(Unreachable, match="before the answer was complete"):
        await ask(model, name)
    assert len(model.exchanges) == 1


async def test_what_the_provider_does_not_count_is_not_made_up(model: LoopbackModel) -> None:
    model.queue(Stream(("SELECT 1",), counts=None))
    assert (await ask(model)).usage == Usage()


WHOLE = Send(
    json.dumps(
        {
            "id": "1",
            "object": "chat.completion",
            "created": 1,
            "model": "local",
            "choices": [
                {
                    "index": 0,
                    "message": {"role": "assistant", "content": "SELECT 1"},
                    "finish_reason": "stop",
                }
            ],
            "usage": {"prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 110},
        }
    ).encode()
)


@pytest.mark.parametrize("name", [OPENAI, VLLM])
@pytest.mark.parametrize(
    "first", [WHOLE, Refuse(400, "stream is not supported"), Refuse(422, "streaming: unknown")]
)
async def test_a_server_that_does_not_stream_is_asked_for_the_whole_and_remembered(
    model: LoopbackModel, name: str, first: Behaviour
) -> None:
    model.queue(first, WHOLE)
    for _ in range(2):
        reply = await ask(model, name)
        assert (reply.text, reply.usage) == ("SELECT 1", Usage(100, 10))
    streamed = ["stream" in exchange.json for exchange in model.exchanges]
    assert streamed == [True, False, False]
    assert "stream_options" not in model.exchanges[1].json


async def test_a_server_that_counts_nothing_in_streams_still_streams(model: LoopbackModel) -> None:
    model.queue(Refuse(400, "unknown field: stream_options"), Stream(PIECES))
    told: list[Piece] = []
    assert (await ask(model, pieces=told)).text == "".join(PIECES)
    assert len(told) == len(PIECES)
    assert "stream_options" not in model.exchanges[1].json


async def test_other_things_that_a_server_refuses_are_left_out_and_it_still_streams(
    model: LoopbackModel,
) -> None:
    form = ReplyForm("answer", {"type": "object", "properties": {"sql": {"type": "string"}}})
    model.queue(Refuse(400, "'response_format' of type 'json_schema' is unknown"), Stream(PIECES))
    assert (await ask(model, form=form)).text == "".join(PIECES)
    assert "response_format" not in model.exchanges[1].json
    assert model.exchanges[1].json["stream"] is True


FAILURES: list[tuple[Behaviour, type[ModelError], str]] = [
    (Refuse(401, f"Incorrect API key provided: {KEY}"), WrongKey, "refused the API key"),
    (Refuse(429, "slow", (("Retry-After", "7"),)), RateLimited, "in 7 s"),
    (Refuse(500, f"boom for ?key={KEY}"), ModelFailed, "boom"),
    (Refuse(502, body=b"<html>bad</html>"), ModelFailed, "HTTP 502"),
    (CloseMidway(), Unreachable, "closed"),
    (Send(b"<html>", "text/html"), ModelFailed, "not a model's reply"),
    (Send(b"data: {oh\n\n", "text/event-stream"), ModelFailed, ""),
    (Send(b"data: 1\n\n", "text/event-stream"), ModelFailed, ""),
    (Stream(("x" * 10_000,), is_endless=True), ModelFailed, "repeats itself"),
    (Stream((), thoughts=("x" * 5_000_000,)), ModelFailed, "far too large"),
]


@pytest.mark.parametrize("name", [OPENAI, OLLAMA, VLLM])
async def test_every_failure_is_one_clear_sentence(
    model: LoopbackModel,
    name: str,
    capfd: pytest.CaptureFixture[str],
    caplog: pytest.LogCaptureFixture,
) -> None:
    # The library is talkative while it is loaded.
    await load()
    capfd.readouterr()
    caplog.set_level(logging.DEBUG)
    for behaviour, kind, says in FAILURES:
        model.replace(behaviour)
        with pytest.raises(ModelError) as raised:
            await ask(model, name, timeout_seconds=30)
        message = str(raised.value)
        assert type(raised.value) is kind, (behaviour, message)
        assert says in message
        assert KEY not in message
        assert "\n" not in message
    output = capfd.readouterr()
    assert output.out == ""
    assert KEY not in output.err + caplog.text


@pytest.mark.parametrize("name", [OPENAI, OLLAMA, VLLM])
async def test_an_endless_stream_is_left_early(model: LoopbackModel, name: str) -> None:
    model.queue(Stream(("x" * 10_000, "y" * 10_000), is_endless=True))
    with pytest.raises(ModelFailed, match="far too large"):
        await ask(model, name)
    assert await closed(model.exchanges[0])


SLOW = [Hang(), Trickle(0.02), Stream(("a",), pause=0.02, is_endless=True)]


@pytest.mark.parametrize("behaviour", SLOW)
@pytest.mark.parametrize("name", [OPENAI, OLLAMA, VLLM])
async def test_a_slow_stream_ends_at_the_time_set(
    model: LoopbackModel, behaviour: Behaviour, name: str
) -> None:
    model.queue(behaviour)
    with pytest.raises(TimedOut, match=r"no answer after 0\.4 s"):
        await ask(model, name, timeout_seconds=0.4)
    assert len(model.exchanges) == 1
    assert await closed(model.exchanges[0])


@pytest.mark.parametrize("behaviour", SLOW)
@pytest.mark.parametrize("name", [OPENAI, OLLAMA, VLLM])
async def test_cancelling_closes_the_connection(
    model: LoopbackModel, behaviour: Behaviour, name: str
) -> None:
    model.queue(behaviour)
    task = asyncio.create_task(ask(model, name))
    assert await asyncio.to_thread(model.wait_for, 1)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert await closed(model.exchanges[0])
