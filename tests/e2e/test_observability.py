"""What is kept and told of answers: history, cost, log and trace, from the real process."""

from __future__ import annotations

import asyncio
import json
import os
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types
from test_command_line import run, run_json

from editor import Editor, editor
from loopback import Hang, LoopbackModel, Say, Send
from shop import use_model, write
from sqlscribe.answer_history import Called, History, now
from sqlscribe.models.chat import Usage

SQL = "SELECT full_name FROM customers"
REPLY = f"```sql\n{SQL}\n```"
KEY = {"TEST_MODEL_KEY": "FAKE-key-1"}


def days(shop: Path) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = run_json("history", cwd=shop)["days"]
    return found


async def until(holds: Any) -> None:
    async with asyncio.timeout(20):
        while not holds():
            await asyncio.sleep(0.02)


def priced(text: str, model: str = "gpt-4o-mini") -> Send:
    """A reply of a model whose price is known."""
    choice = {
        "index": 0,
        "finish_reason": "stop",
        "message": {"role": "assistant", "content": text},
    }
    usage = {"prompt_tokens": 1_000_000, "completion_tokens": 100_000, "total_tokens": 1_100_000}
    head = {"id": "chatcmpl-1", "object": "chat.completion", "created": 1700000000, "model": model}
    return Send(json.dumps({**head, "choices": [choice], "usage": usage}).encode())


async def test_the_editor_and_the_command_line_note_what_they_answer(shop: Path) -> None:
    write(shop, {"queries/q.sql": "\n-- ask: names of customers\n"})
    with LoopbackModel(Say("```sql\nSELECT no_such FROM customers\n```"), Say(REPLY)) as model:
        use_model(shop, model.api_base, more='[log]\nlevel = "info"\n')
        async with editor(shop, environment=KEY) as ed:
            ed.open("queries/q.sql")
            ed.apply((await ed.resolved("queries/q.sql", 1)).edit)
            lines = [message.message for message in ed.client.log_messages]
        done = run("ask", "names of customers", cwd=shop, **KEY)
    assert done.stdout == f"{SQL}\n"
    for told in ("\n".join(lines), done.stderr):
        assert "answer number=1 outcome=sql" in told
        assert SQL not in told
        assert "names of" not in told
    (day,) = days(shop)
    first, second = day["answers"]
    assert (first["file"], first["line"]) == ("queries/q.sql", 2)
    assert (first["source"], first["calls"], first["repairs"]) == ("model", 2, 1)
    assert {"loading", "retrieving", "asking", "checking", "repairing"} == set(first["seconds"])
    assert (second["source"], second["file"]) == ("stored", None)
    assert {event["question"] for event in (first, second)} == {"names of customers"}
    # A model on this machine has no price.
    assert (day["calls"], day["prompt_tokens"], day["cost"]) == (2, 200, None)
    text = "".join(file.read_text("utf-8") for file in (shop / ".sqlscribe/history").iterdir())
    assert SQL not in text
    assert "FAKE-key-1" not in text


@pytest.mark.parametrize("level", ["debug", "trace"])
async def test_prompts_are_logged_only_at_the_level_that_says_so_and_never_on_stdout(
    shop: Path, level: str
) -> None:
    with LoopbackModel(Say(REPLY)) as model:
        use_model(shop, model.api_base, more=f'[log]\nlevel = "{level}"\n')
        done = run("ask", "names of customers", cwd=shop, **KEY)
        write(shop, {"q.sql": "-- ask: names of all customers\n"})
        async with editor(shop, environment=KEY) as ed:
            ed.open("q.sql")
            await ed.resolved("q.sql", 0)
            logged = "\n".join(message.message for message in ed.client.log_messages)
    assert done.stdout == f"{SQL}\n"
    for told in (done.stderr, logged):
        assert ("CREATE TABLE customers" in told, "SELECT full_name" in told) == (
            level == "trace",
            level == "trace",
        )
        assert "stage=retrieving" in told
        assert "FAKE-key-1" not in told


async def test_an_editor_that_traces_is_told_of_each_answer(shop: Path) -> None:
    traced: list[types.LogTraceParams] = []

    async def answered(ed: Editor, name: str) -> None:
        write(shop, {name: "-- ask: how many customers live in 'Rome'?\n"})
        ed.open(name)
        await ed.resolved(name, 0)

    async with editor(shop, features={types.LOG_TRACE: traced.append}) as ed:
        await answered(ed, "a.sql")
        ed.client.set_trace(types.SetTraceParams(types.TraceValue.Messages))
        await answered(ed, "b.sql")
        ed.client.set_trace(types.SetTraceParams(types.TraceValue.Verbose))
        await answered(ed, "c.sql")
        await until(lambda: len(traced) > 1)
        ed.client.set_trace(types.SetTraceParams(types.TraceValue.Off))
        await answered(ed, "d.sql")
    brief, verbose = traced
    assert "source=verified" in brief.message
    assert "place=b.sql:1" in brief.message
    assert brief.verbose is None
    assert verbose.verbose is not None
    assert verbose.verbose.startswith("loading=")
    assert "Rome" not in str(traced)


async def test_a_cancelled_answer_is_noted(shop: Path) -> None:
    write(shop, {"q.sql": "-- ask: names\n"})
    with LoopbackModel(Hang()) as model:
        use_model(shop, model.api_base)
        async with editor(shop, environment=KEY) as ed:
            ed.open("q.sql")
            asking = asyncio.ensure_future(ed.resolved("q.sql", 0))
            await asyncio.to_thread(model.wait_for, 1)
            await ed.client.workspace_execute_command_async(
                types.ExecuteCommandParams("sqlscribe.cancel", [])
            )
            await asyncio.wait([asking], timeout=20)
            await until(lambda: list(shop.glob(".sqlscribe/history/*.jsonl")))
    (day,) = days(shop)
    assert day["outcomes"] == {"cancelled": 1}


def test_what_a_day_may_cost_ends_the_asking(shop: Path) -> None:
    """The model is a paid one by its name; only its address is this machine's."""
    (shop / "sqlscribe.toml").write_text(
        'dialect = "postgres"\n[model]\nname = "openai/gpt-4o-mini"\n[limits]\ncost_per_day = 0.2\n'
    )
    with LoopbackModel(priced(REPLY)) as model:
        user = {"OPENAI_BASE_URL": model.api_base, "OPENAI_API_KEY": "FAKE-key-1"}
        first = run_json("ask", "names of customers", cwd=shop, **user)
        refused = run_json("ask", "cities of customers", cwd=shop, code=1, **user)
        assert len(model.exchanges) == 1
        facts = run_json("doctor", cwd=shop, **user)["facts"]
    assert (first["sql"], first["usage"]["cost"]) == (SQL, pytest.approx(0.21))
    assert (refused["outcome"], refused["error"]) == ("failed", "spending_limit")
    assert "limit of $0.2 a day is reached ($0.21 was spent" in refused["message"]
    assert facts["spending"] == "$0.21 of $0.2 today"
    (day,) = days(shop)
    assert (day["calls"], day["cost"]) == (1, pytest.approx(0.21))
    assert day["outcomes"] == {"sql": 1, "failed": 1}


async def test_what_others_spent_counts_for_the_editor_and_a_free_model_goes_on(shop: Path) -> None:
    history = History(shop / ".sqlscribe" / "history")
    history.put(Called(now(), "openai/x", Usage(1, 1, None, 5.0), 1.0))
    write(shop, {"q.sql": "-- ask: names\n\n-- ask[model=local]: names of customers\n"})
    with LoopbackModel(Say(REPLY)) as model:
        (shop / "sqlscribe.toml").write_text(
            'dialect = "postgres"\n[model]\nname = "openai/gpt-4o-mini"\n'
            f'[models.local]\nname = "openai/test"\napi_base = "{model.api_base}"\n'
        )
        user = {"OPENAI_BASE_URL": model.api_base, "OPENAI_API_KEY": "FAKE-key-1"}
        limit = {"limits": {"cost_per_day": 5}}
        async with editor(shop, environment=user, options=limit) as ed:
            ed.open("q.sql")
            action = await ed.resolved("q.sql", 0)
            assert action.edit is None
            assert any("a day is reached" in message for message in ed.messages)
            assert model.exchanges == []
            ed.apply((await ed.resolved("q.sql", 2)).edit)
            assert len(model.exchanges) == 1


def test_the_report_of_a_real_run_holds_nothing_private(shop: Path) -> None:
    with LoopbackModel(Say(REPLY)) as model:
        use_model(shop, model.api_base)
        run("ask", "names of customers", cwd=shop, **KEY)
        done = run("doctor", "--report", cwd=shop, **KEY)
    assert done.returncode == 0, done.stderr
    assert "sql 1" in done.stdout
    private = ("customers", "names", str(shop), os.path.expanduser("~"), "FAKE", "TEST_MODEL_KEY")
    assert [word for word in private if word in done.stdout] == []
