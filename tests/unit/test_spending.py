"""The limit of a day, before and while models are called."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from typing import Any

import pytest

from answering import FakeChat, fenced, snapshot
from sqlscribe.answer import answer
from sqlscribe.answer_history import Called, History, now
from sqlscribe.errors import SpendingLimit
from sqlscribe.knowledge.examples import Example
from sqlscribe.logs import TRACE
from sqlscribe.models.chat import ChatModel, Message, Reply, ReplyForm, Usage, at_temperature, heard
from sqlscribe.models.litellm_embedding import Embedded
from sqlscribe.prompting.context import Request
from sqlscribe.redaction import Redactor
from sqlscribe.spending import Metered, Spending, dollars, metered_embedding

SQL = "SELECT count(*) FROM customers"


def spent(*costs: float | None) -> Spending:
    history = History(None)
    for cost in costs:
        history.put(Called(now(), "m", Usage(1, 1, None, cost), 0.1))
    return Spending(history)


def metered(model: ChatModel, spending: Spending, limit: float | None) -> Metered:
    return Metered(model, spending, limit, Redactor(["the-key-of-today"]))


def paid(text: str, cost: float | None) -> Reply:
    return Reply(text, Usage(100, 10, None, cost))


async def asked(model: ChatModel, **more: Any) -> Any:
    return await answer(Request("how many customers?"), snapshot(model, **more))


@pytest.mark.parametrize(
    ("costs", "limit", "is_asked"),
    [
        ([], None, True),
        ([5.0], None, True),
        ([], 1.0, True),
        ([0.4, 0.5], 1.0, True),
        ([0.5, 0.5], 1.0, False),
        ([0.4, 0.7], 1.0, False),
        ([None, None], 1.0, True),
        ([], 0.0, False),
    ],
)
async def test_no_model_is_asked_once_the_limit_is_reached(
    costs: list[float | None], limit: float | None, is_asked: bool
) -> None:
    model = FakeChat(fenced(SQL))
    given = await asked(metered(model, spent(*costs), limit))
    assert bool(model.asked) == is_asked
    if is_asked:
        assert given.outcome == "sql"
    else:
        assert (given.outcome, given.error, given.sql) == ("failed", "spending_limit", "")
        assert f"limit of {dollars(limit or 0)} a day is reached" in given.message
        assert "limits.cost_per_day" in given.message
        assert "\n" not in given.message


async def test_verified_and_stored_answers_still_come() -> None:
    spending = spent(0.9)
    model = FakeChat(paid(fenced(SQL), 0.2))
    whole = snapshot(metered(model, spending, 1.0))
    first = await answer(Request("how many customers?"), whole)
    again = await answer(Request("how many customers?"), whole)
    assert (first.source, again.source, len(model.asked)) == ("model", "stored", 1)
    example = Example("how many orders?", "SELECT count(*) FROM orders")
    verified = snapshot(metered(model, spending, 1.0), examples=(example,))
    assert (await answer(Request("how many orders?"), verified)).source == "verified"
    other = await answer(Request("names of customers"), verified)
    assert (other.error, len(model.asked)) == ("spending_limit", 1)


async def test_a_repair_beyond_the_limit_is_not_made_and_the_draft_kept() -> None:
    model = FakeChat(paid(fenced("SELECT no_such FROM customers"), 0.2), paid(fenced(SQL), 0.2))
    given = await asked(metered(model, spent(0.9), 1.0))
    assert (given.outcome, len(model.asked)) == ("sql", 1)
    assert "limit" in " ".join(given.warnings)


class Gated:
    """A model whose replies wait for ``gate``."""

    name = "gated"

    def __init__(self, cost: float) -> None:
        self.gate = asyncio.Event()
        self.begun = 0
        self.arrived = asyncio.Event()
        self._cost = cost

    async def complete(self, messages: Sequence[Message], form: ReplyForm | None = None) -> Reply:
        self.begun += 1
        self.arrived.set()
        await self.gate.wait()
        return paid(fenced(SQL), self._cost)


MESSAGES = [Message("user", "hello")]


async def test_two_at_once_do_not_both_take_what_is_left() -> None:
    model = Gated(0.25)
    spending = spent(0.25, 0.25)
    one = asyncio.create_task(metered(model, spending, 0.75).complete(MESSAGES))
    await model.arrived.wait()
    with pytest.raises(SpendingLimit, match=r"about \$0.25 is under way"):
        await metered(model, spending, 0.75).complete(MESSAGES)
    model.gate.set()
    await one
    assert model.begun == 1
    assert spending.history.spent(now().date()).total == pytest.approx(0.75)


async def test_a_call_that_was_cancelled_or_failed_holds_nothing_back() -> None:
    model = Gated(0.25)
    spending = spent(0.25, 0.25)
    task = asyncio.create_task(metered(model, spending, 0.75).complete(MESSAGES))
    await model.arrived.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    with pytest.raises(SpendingLimit):
        await metered(FakeChat(SpendingLimit("as a model's")), spending, 0.75).complete(MESSAGES)
    model.gate.set()
    assert (await metered(model, spending, 0.75).complete(MESSAGES)).text == fenced(SQL)


async def test_every_reply_is_noted_with_what_it_took() -> None:
    spending = spent()
    model = metered(FakeChat(paid("x", 0.25), paid("y", None)), spending, None)
    for _ in range(2):
        await model.complete(MESSAGES)
    kept = spending.history.read(now().date(), now().date()).events
    assert [event.usage for event in kept] == [Usage(100, 10, None, 0.25), Usage(100, 10)]
    assert {event.model for event in kept} == {"fake/model"}


class Talking(FakeChat):
    """A model that can be heard, and adjusted."""

    def __init__(self) -> None:
        super().__init__("x")
        self.least = 0.0
        self.listeners = 0

    def heard_by(self, listen: Any) -> Talking:
        self.listeners += 1
        return self

    def at_temperature(self, least: float) -> Talking:
        self.least = least
        return self


async def test_what_the_model_can_do_it_can_still_do() -> None:
    model = Talking()
    counted = metered(model, spent(), None)
    changed = heard(at_temperature(counted, 0.7), lambda: lambda piece: None)
    assert (model.least, model.listeners, changed.name) == (0.7, 1, "fake/model")
    assert isinstance(changed, Metered)


@pytest.mark.parametrize("level", [TRACE, logging.DEBUG])
async def test_prompts_and_replies_are_logged_at_trace_alone_on_one_line_without_keys(
    caplog: pytest.LogCaptureFixture, level: int
) -> None:
    caplog.set_level(level, logger="sqlscribe")
    model = metered(FakeChat("a reply\nERROR forged: the-key-of-today"), spent(), None)
    await model.complete([Message("user", "a prompt with sk-abcdefghijklmn")])
    text = caplog.text
    assert ("a prompt" in text, "a reply" in text) == ((level == TRACE),) * 2
    assert "the-key-of-today" not in text
    assert "sk-abcdefghijklmn" not in text
    assert not any(line.startswith("ERROR forged") for line in text.splitlines())


@pytest.mark.parametrize(
    ("amount", "shown"), [(0, "$0.00"), (1.5, "$1.50"), (12, "$12.00"), (0.00123, "$0.00123")]
)
def test_small_amounts_keep_their_digits(amount: float, shown: str) -> None:
    assert dollars(amount) == shown


def test_embeddings_are_noted_and_end_at_the_limit_too() -> None:
    spending, asked = spent(0.4), []

    def embed(texts: list[str]) -> Embedded:
        asked.append(texts)
        return Embedded([[1.0]] * len(texts), Usage(prompt_tokens=7, cost=0.7))

    vectors = metered_embedding(embed, "paid/e", spending, 1.0, str)
    assert vectors(["a", "b"]) == [[1.0], [1.0]]
    [_, called] = spending.history.read(now().date(), now().date()).events
    assert isinstance(called, Called)
    assert (called.model, called.usage) == ("paid/e", Usage(prompt_tokens=7, cost=0.7))
    with pytest.raises(SpendingLimit):
        vectors(["c"])
    assert asked == [["a", "b"]]
