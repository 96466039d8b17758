"""Calls to a model over real HTTP, to a server on the loopback.

The library behind takes seconds to import; the tests here share that one import.
"""

from __future__ import annotations

import asyncio
import json
import logging
import os
import re
import subprocess
import sys
from collections.abc import Iterator

import pytest

from loopback import (
    Behaviour,
    CloseMidway,
    Connection,
    Exchange,
    Hang,
    LoopbackModel,
    Refuse,
    Say,
    Send,
    Trickle,
)
from sqlscribe.errors import (
    ModelError,
    ModelFailed,
    NoKey,
    RateLimited,
    TimedOut,
    TooLong,
    UnknownModel,
    Unreachable,
    WrongKey,
)
from sqlscribe.models.bounded_client import LARGEST_REPLY
from sqlscribe.models.chat import Message, ReplyForm, Usage
from sqlscribe.models.context_window import context_size, estimated_tokens
from sqlscribe.models.litellm_client import LiteLLMChat
from sqlscribe.models.litellm_embedding import embed_texts

KEY = "FAKE-abc123"
QUESTION = [
    Message("system", "Answer with SQL."),
    Message("user", "orders of  O'Brien < 5? 你好"),
]
OPENAI, OLLAMA, VLLM = "openai/local", "ollama_chat/local", "hosted_vllm/local"


class Endless:
    """A reply without an end."""

    def __call__(self, connection: Connection) -> bool:
        connection.send(
            b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
            b"Transfer-Encoding: chunked\r\n\r\n"
        )
        while connection.send(b"10000\r\n" + b" " * 0x10000 + b"\r\n"):
            pass
        return False


@pytest.fixture
def model() -> Iterator[LoopbackModel]:
    with LoopbackModel() as server:
        yield server


def chat(model: LoopbackModel, name: str = OPENAI, **fields: object) -> LiteLLMChat:
    base = model.root if name == OLLAMA else model.api_base
    return LiteLLMChat(name, base, KEY, **fields)  # type: ignore[arg-type]


@pytest.mark.parametrize("name", [OPENAI, OLLAMA, VLLM])
async def test_messages_reach_the_model_and_its_text_comes_back(
    model: LoopbackModel, name: str, capfd: pytest.CaptureFixture[str]
) -> None:
    text = "```sql\nSELECT 'naïve'  -- 你好\n```\n"
    model.queue(Say(text, prompt_tokens=120, completion_tokens=8))
    reply = await chat(model, name).complete(QUESTION)
    assert reply.text == text
    assert (reply.usage.prompt_tokens, reply.usage.completion_tokens) == (120, 8)
    assert not reply.cut_off
    sent = model.exchanges[0].json
    assert [(m["role"], m["content"]) for m in sent["messages"]] == [
        (m.role, m.content) for m in QUESTION
    ]
    assert sent["model"] == "local"
    assert len(model.exchanges) == 1
    assert capfd.readouterr().out == ""


@pytest.mark.parametrize("provider", ["lm_studio", "llamafile", "litellm_proxy", "mistral"])
async def test_any_provider_is_asked_at_an_address_of_ones_own(
    model: LoopbackModel, provider: str
) -> None:
    model.queue(Say("SELECT 1"), Refuse(401, "no"))
    one = chat(model, f"{provider}/local")
    assert (await one.complete(QUESTION)).text == "SELECT 1"
    assert await closed(model.exchanges[0])
    with pytest.raises(WrongKey):
        await one.complete(QUESTION)
    assert len(model.exchanges) == 2


async def test_half_a_character_does_not_stop_a_question(model: LoopbackModel) -> None:
    model.queue(Say("x"))
    await chat(model).complete([Message("user", "a\ud800b")])
    assert model.exchanges[0].json["messages"][0]["content"] == "a?b"


def test_a_key_is_not_shown_with_its_model() -> None:
    assert KEY not in repr(LiteLLMChat("openai/x", api_key=KEY))


async def test_the_limits_of_the_reply_are_sent(model: LoopbackModel) -> None:
    model.queue(Say("x"))
    await chat(model, max_tokens=77, temperature=0.25).complete(QUESTION)
    sent = model.exchanges[0].json
    assert (sent["max_tokens"], sent["temperature"]) == (77, 0.25)
    assert model.exchanges[0].headers["authorization"] == f"Bearer {KEY}"


async def test_a_model_that_takes_no_temperature_is_asked_without(model: LoopbackModel) -> None:
    model.queue(Refuse(400, "Unsupported value: 'temperature' does not support 0.0"), Say("x"))
    assert (await chat(model).complete(QUESTION)).text == "x"
    assert "temperature" not in model.exchanges[1].json


FORM = ReplyForm("answer", {"type": "object", "properties": {"sql": {"type": "string"}}})


@pytest.mark.parametrize("name", [OPENAI, VLLM])
async def test_a_form_of_the_reply_is_sent_as_a_schema(model: LoopbackModel, name: str) -> None:
    model.queue(Say('{"sql": "SELECT 1"}'))
    assert (await chat(model, name=name).complete(QUESTION, FORM)).text == '{"sql": "SELECT 1"}'
    sent = model.exchanges[0].json["response_format"]
    assert sent["type"] == "json_schema"
    assert sent["json_schema"]["schema"] == FORM.schema


async def test_a_server_that_knows_no_forms_is_asked_without(model: LoopbackModel) -> None:
    model.queue(Refuse(400, "'response_format' of type 'json_schema' is not supported"), Say("x"))
    assert (await chat(model).complete(QUESTION, FORM)).text == "x"
    assert "response_format" not in model.exchanges[1].json


async def test_an_error_about_the_form_itself_is_told_once(model: LoopbackModel) -> None:
    model.queue(Refuse(400, "bad response_format"), Refuse(400, "bad response_format"))
    with pytest.raises(ModelFailed):
        await chat(model).complete(QUESTION, FORM)
    assert len(model.exchanges) == 2


async def test_a_reply_that_stopped_at_its_limit_is_marked(model: LoopbackModel) -> None:
    model.queue(Say("SELECT", finish_reason="length"), Say("", finish_reason="length"))
    reply = await chat(model).complete(QUESTION)
    assert reply.cut_off
    assert reply.warnings == ()
    empty = await chat(model).complete(QUESTION)
    assert empty.cut_off
    assert "max_tokens" in empty.warnings[0]


@pytest.mark.parametrize("text", ["SELECT name FROM staff", ""])
@pytest.mark.parametrize("is_heard", [False, True])
async def test_a_reply_that_a_filter_stopped_is_none(
    model: LoopbackModel, text: str, is_heard: bool
) -> None:
    model.queue(Say(text, finish_reason="content_filter"))
    asked = chat(model).heard_by(lambda: lambda _: None) if is_heard else chat(model)
    with pytest.raises(ModelFailed, match="filter"):
        await asked.complete(QUESTION)
    assert len(model.exchanges) == 1


CALLED = {"name": "run_sql", "arguments": '{"query": "SELECT 1"}'}


@pytest.mark.parametrize(
    ("message", "text"),
    [
        ({"refusal": "I cannot help with that."}, "I cannot help with that."),
        ({"tool_calls": [{"id": "a", "type": "function", "function": CALLED}]}, "SELECT 1"),
        ({"function_call": CALLED}, "SELECT 1"),
        ({}, ""),
    ],
)
@pytest.mark.parametrize("name", [OPENAI, VLLM])
async def test_a_reply_beside_the_text_is_one_too(
    model: LoopbackModel, name: str, message: dict[str, object], text: str
) -> None:
    said = {"role": "assistant", "content": None, **message}
    choice = {"index": 0, "finish_reason": "stop", "message": said}
    body = {"id": "1", "object": "chat.completion", "created": 1, "model": "m", "choices": [choice]}
    model.queue(Send(json.dumps(body).encode()))
    reply = await chat(model, name).complete(QUESTION)
    assert text in reply.text
    assert bool(reply.text) == bool(text)


FAILURES: list[tuple[Behaviour, type[ModelError], str]] = [
    (Refuse(401, f"Incorrect API key provided: {KEY}"), WrongKey, "refused the API key"),
    (Refuse(403), WrongKey, "refused the API key"),
    (Refuse(404, "no model"), UnknownModel, "local"),
    (Refuse(429, "slow", (("Retry-After", "7"),)), RateLimited, "in 7 s"),
    (Refuse(400, "prompt is too long"), TooLong, "too long"),
    (Refuse(500, f"boom for ?key={KEY}"), ModelFailed, "boom"),
    (Refuse(502, body=b"<html>bad</html>"), ModelFailed, "HTTP 502"),
    (Refuse(302, headers=(("Location", "http://127.0.0.1:9/"),)), ModelFailed, "api_base"),
    (CloseMidway(), Unreachable, "closed"),
    (Send(b"<html>", "text/html"), ModelFailed, "not a model's reply"),
    (Send(b'{"choices": [{"mess'), ModelFailed, "not a model's reply"),
    (Send(b'{"choices": []}'), ModelFailed, ""),
    (Send(b'{"choices": [{"message": null}]}'), ModelFailed, ""),
    (Send(b"[]"), ModelFailed, ""),
    (Send(b"\xff\xfe\x00"), ModelFailed, ""),
    (Endless(), ModelFailed, "far too large"),
]


@pytest.mark.parametrize("name", [OPENAI, OLLAMA, VLLM])
async def test_every_failure_is_one_clear_sentence_and_one_attempt(
    model: LoopbackModel,
    name: str,
    capfd: pytest.CaptureFixture[str],
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.DEBUG)
    for place, (behaviour, kind, says) in enumerate(FAILURES):
        model.replace(behaviour)
        with pytest.raises(ModelError) as raised:
            await chat(model, name, timeout_seconds=30).complete(QUESTION)
        message = str(raised.value)
        assert type(raised.value) is kind, (behaviour, message)
        assert says in message
        assert KEY not in message
        assert "\n" not in message
        assert len(model.exchanges) == place + 1
    output = capfd.readouterr()
    assert output.out == ""
    assert KEY not in output.err + caplog.text


@pytest.mark.parametrize(
    ("api_base", "says"),
    [
        ("http://127.0.0.1:9/v1", "nothing answers"),
        ("http://no-such-host.invalid/v1", "name is not known"),
    ],
)
async def test_an_address_without_a_server_is_unreachable(api_base: str, says: str) -> None:
    with pytest.raises(Unreachable, match=says):
        await LiteLLMChat(OPENAI, api_base, KEY).complete(QUESTION)


async def test_another_protocol_than_the_addresss_is_unreachable(model: LoopbackModel) -> None:
    secure = model.api_base.replace("http:", "https:")
    with pytest.raises(Unreachable):
        await LiteLLMChat(OPENAI, secure, KEY).complete(QUESTION)


@pytest.mark.parametrize("behaviour", [Hang(), Trickle(0.02)])
@pytest.mark.parametrize("name", [OPENAI, OLLAMA])
async def test_a_stalled_server_is_left_after_the_time_set(
    model: LoopbackModel, behaviour: Behaviour, name: str
) -> None:
    model.queue(behaviour)
    with pytest.raises(TimedOut, match=r"no answer after 0\.3 s"):
        await chat(model, name, timeout_seconds=0.3).complete(QUESTION)
    assert len(model.exchanges) == 1
    assert await closed(model.exchanges[0])


@pytest.mark.parametrize("behaviour", [Hang(), Trickle(0.02)])
@pytest.mark.parametrize("name", [OPENAI, OLLAMA, VLLM])
async def test_cancelling_closes_the_connection(
    model: LoopbackModel, behaviour: Behaviour, name: str
) -> None:
    model.queue(behaviour)
    task = asyncio.create_task(chat(model, name).complete(QUESTION))
    assert await asyncio.to_thread(model.wait_for, 1)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert await closed(model.exchanges[0])


async def test_nothing_stays_open_after_a_reply(model: LoopbackModel) -> None:
    model.queue(Say("x"))
    await chat(model).complete(QUESTION)
    assert await closed(model.exchanges[0])


async def closed(exchange: Exchange) -> bool:
    return await asyncio.to_thread(exchange.closed.wait, 10)


# Keys


async def test_a_missing_key_is_told_before_any_call() -> None:
    for name in ("openai/gpt-5-mini", "gpt-5-mini"):
        with pytest.raises(NoKey) as raised:
            await LiteLLMChat(name).complete(QUESTION)
        assert str(raised.value) == "no API key: set OPENAI_API_KEY"


@pytest.mark.parametrize("key", ["sk-own-12345\nsk-other-123", "sk-own-12345…", "sk-own-\x0012345"])
async def test_a_key_that_no_header_can_hold_is_told_before_any_call(
    model: LoopbackModel, key: str
) -> None:
    with pytest.raises(WrongKey, match="not sent") as raised:
        await LiteLLMChat("openai/test", model.api_base, key).complete(QUESTION)
    assert "own" not in str(raised.value)
    assert not model.connections


async def test_no_key_of_the_environment_goes_to_an_address_of_ones_own(
    model: LoopbackModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    for variable in ("OPENAI_API_KEY", "HOSTED_VLLM_API_KEY", "OLLAMA_API_KEY"):
        monkeypatch.setenv(variable, KEY)
    model.queue(Say("x"))
    for name in (OPENAI, OLLAMA, VLLM):
        await LiteLLMChat(name, model.api_base).complete(QUESTION)
    assert len(model.exchanges) == 3
    for exchange in model.exchanges:
        assert KEY not in repr((exchange.headers, exchange.path, exchange.body))


async def test_a_name_without_a_provider_is_unknown() -> None:
    for name in ("no-such-provider-model", "nope/model"):
        with pytest.raises(UnknownModel, match=name):
            await LiteLLMChat(name).complete(QUESTION)


@pytest.mark.parametrize("proxy", ["http://127.0.0.1:9", "socks5://127.0.0.1:9"])
async def test_neither_proxies_nor_dotenv_files_redirect_a_call(
    model: LoopbackModel, proxy: str
) -> None:
    # Everything is set before the library is loaded, so it takes a process of its own.
    program = (
        "import asyncio, dotenv\n"
        "loaded = []\n"
        "dotenv.load_dotenv = lambda *args, **names: loaded.append(names)\n"
        "from sqlscribe.models.chat import Message\n"
        "from sqlscribe.models.litellm_client import LiteLLMChat\n"
        f"models = [LiteLLMChat(name, {model.api_base!r}) for name in {[OPENAI, VLLM]}]\n"
        "for model in models:\n"
        "    reply = asyncio.run(model.complete([Message('user', 'x')]))\n"
        "    assert reply.text == 'fine'\n"
        "assert not loaded\n"
        # The library leaves such a one behind where a call is given up as it begins.
        "class OpenAIChatCompletion:\n"
        "    async def acompletion(self): ...\n"
        "async def other(): ...\n"
        "OpenAIChatCompletion().acompletion()\n"
        "other()\n"
    )
    model.queue(Say("fine"))
    proxies = dict.fromkeys(("HTTP_PROXY", "http_proxy", "ALL_PROXY"), proxy)
    done = subprocess.run(
        [sys.executable, "-c", program],
        env={**os.environ, **proxies},
        capture_output=True,
        check=False,
        text=True,
    )
    assert (done.returncode, done.stdout) == (0, ""), done.stderr
    assert re.findall("coroutine '(.*?)'", done.stderr) == ["other"]


# Context


async def test_ollama_is_told_how_much_context_is_needed(model: LoopbackModel) -> None:
    long = [Message("user", "word " * 5000)]
    model.queue(Say("x", prompt_tokens=7000))
    await chat(model, OLLAMA, max_tokens=1000).complete(long)
    options = model.exchanges[0].json["options"]
    assert options["num_ctx"] >= estimated_tokens(long) + 1000
    assert options["num_predict"] == 1000


async def test_a_full_window_is_told_by_its_round_number(model: LoopbackModel) -> None:
    long = [Message("user", "column_name integer, " * 800)]
    model.queue(Say("x", prompt_tokens=4096), Say("x", prompt_tokens=4097))
    [warning] = (await chat(model).complete(long)).warnings
    assert "limited to 4096" in warning
    assert (await chat(model).complete(long)).warnings == ()


async def test_a_prompt_that_was_cut_in_silence_is_told(model: LoopbackModel) -> None:
    long = [Message("user", "column_name integer, " * 1000)]
    model.queue(Say("x", prompt_tokens=2048), Say("x", prompt_tokens=5000), Say("x"))
    [warning] = (await chat(model).complete(long)).warnings
    assert "about 7004 tokens" in warning
    assert "limited to 2048" in warning
    assert (await chat(model).complete(long)).warnings == ()
    assert (await chat(model).complete(QUESTION)).warnings == ()


@pytest.mark.parametrize(
    ("needed", "configured", "size"),
    [
        (10, None, 4096),
        (4096, None, 4096),
        (4097, None, 8192),
        (20_000, None, 32_768),
        (6000, 8192, 8192),
        (9000, 8192, 9000),
    ],
)
def test_the_size_of_context_grows_in_few_steps(
    needed: int, configured: int | None, size: int
) -> None:
    assert context_size(needed, configured) == size


@pytest.mark.parametrize(
    ("text", "tokens"), [("", 4), ("abc", 5), ("abcd", 6), ("上月销售额", 9), ("表 abc", 7)]
)
def test_tokens_are_estimated_without_a_tokenizer(text: str, tokens: int) -> None:
    assert estimated_tokens([Message("user", text)]) == tokens


# Embeddings


async def test_texts_become_vectors_in_their_order(model: LoopbackModel) -> None:
    model.queue(Say("unused"))
    found = await asyncio.to_thread(
        embed_texts, "openai/e", model.api_base, KEY, ["a", "bbb", "你"]
    )
    assert found.vectors == [[1.0, 97.0], [3.0, 98.0], [1.0, 20320.0]]
    # What runs on this machine costs nothing.
    assert found.usage == Usage(prompt_tokens=3)
    assert model.exchanges[0].json["input"] == ["a", "bbb", "你"]


@pytest.mark.parametrize(
    ("behaviour", "kind"),
    [
        (Refuse(401, KEY), WrongKey),
        (Send(b'{"data": [{"index": 0, "embedding": [1.0]}]}'), ModelFailed),
        (Send(b'{"data": [{"index": 0}, {"index": 1}]}'), ModelFailed),
        (Send(b"<html>"), ModelFailed),
    ],
)
def test_embeddings_fail_like_chats(
    model: LoopbackModel, behaviour: Behaviour, kind: type[ModelError]
) -> None:
    model.queue(behaviour)
    with pytest.raises(kind) as raised:
        embed_texts("openai/e", model.api_base, KEY, ["a", "b"])
    assert KEY not in str(raised.value)


def test_embeddings_need_a_key_too() -> None:
    with pytest.raises(NoKey, match="OPENAI_API_KEY"):
        embed_texts("openai/e", None, None, ["a"])


def test_the_largest_reply_leaves_room_for_any_query() -> None:
    assert LARGEST_REPLY > 1_000_000
