"""Answers on their way: their stages, what is logged, and what is noted."""

from __future__ import annotations

import asyncio
import logging
from pathlib import Path

import pytest

from answering import SPENT, FakeChat, HangingChat, fenced, snapshot
from sqlscribe import trace
from sqlscribe.answer_history import Answered, Event, History, now
from sqlscribe.answer_record import Recorder, place_in
from sqlscribe.errors import Unreachable
from sqlscribe.models.chat import ChatModel, Usage
from sqlscribe.notation import asks
from sqlscribe.notation.document import Document
from sqlscribe.outcomes import Answer, silent
from sqlscribe.prompting.context import Request
from sqlscribe.redaction import Redactor
from sqlscribe.trace import Trace

QUESTION = "how many customers?"
WRONG = fenced("SELECT no_such FROM customers")
RIGHT = fenced("SELECT count(*) FROM customers")


class Clock:
    """A second passes at each look."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def __call__(self) -> float:
        self.seconds += 1
        return self.seconds


def events(history: History) -> tuple[Event, ...]:
    return history.read(now().date(), now().date()).events


async def recorded(model: ChatModel | None, history: History) -> tuple[Answer, Answered]:
    recorder = Recorder(history, QUESTION, "q.sql", 3, Redactor(), trace=Trace(Clock()))
    given = await recorder.answer(Request(QUESTION), snapshot(model), report=silent)
    (event,) = events(history)
    assert isinstance(event, Answered)
    return given, event


async def test_an_answer_is_noted_with_all_that_it_took() -> None:
    given, event = await recorded(FakeChat(WRONG, RIGHT), History(None))
    assert given.is_clean
    assert (event.outcome, event.source, event.model) == ("sql", "model", "fake/model")
    assert (event.question, event.file, event.line) == (QUESTION, "q.sql", 3)
    assert (event.calls, event.repairs, event.error) == (2, 1, "")
    assert event.usage == SPENT.plus(SPENT)
    assert list(event.seconds) == ["retrieving", "asking", "checking", "repairing"]
    assert all(event.seconds.values())


async def test_what_failed_is_noted_with_its_kind() -> None:
    _, event = await recorded(FakeChat(Unreachable("no server")), History(None))
    assert (event.outcome, event.error, event.calls) == ("failed", "unreachable", 0)


async def test_what_needs_no_model_is_noted_too() -> None:
    _, event = await recorded(None, History(None))
    assert (event.outcome, event.model, event.usage) == ("insufficient", "verified", Usage())


async def test_a_cancelled_answer_is_noted_as_one(tmp_path: Path) -> None:
    history = History(tmp_path / ".sqlscribe" / "history")
    model = HangingChat()
    recorder = Recorder(history, QUESTION)
    work = recorder.answer(Request(QUESTION), snapshot(model), report=silent)
    task = asyncio.create_task(work)
    await model.asked.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    async with asyncio.timeout(10):
        while not events(history):
            await asyncio.sleep(0.01)
    (event,) = events(history)
    assert isinstance(event, Answered)
    assert (event.outcome, event.model) == ("cancelled", "fake/model")
    assert "asking" in event.seconds


@pytest.mark.parametrize("level", [logging.DEBUG, logging.INFO, logging.WARNING])
async def test_the_log_has_a_line_for_each_answer_and_its_stages_but_no_words_of_it(
    caplog: pytest.LogCaptureFixture, level: int
) -> None:
    caplog.set_level(level, logger="sqlscribe")
    await recorded(FakeChat(WRONG, RIGHT), History(None))
    said = [record.getMessage() for record in caplog.records]
    answers = [line for line in said if line.startswith("answer ")]
    stages = [line for line in said if line.startswith("stage ")]
    assert len(answers) == (level <= logging.INFO)
    assert len(stages) == (5 if level == logging.DEBUG else 0)
    for line in answers:
        assert "outcome=sql source=model model=fake/model place=q.sql:3 calls=2 repairs=1" in line
        assert "tokens_in=200 tokens_out=20 cost=unknown" in line
    assert not any(word in " ".join(said) for word in ("how many", "SELECT", "customers"))


async def test_who_wants_to_know_is_told() -> None:
    heard: list[tuple[int, str]] = []
    recorder = Recorder(
        History(None), QUESTION, hear=lambda trace, event: heard.append((trace.number, event.model))
    )
    await recorder.answer(Request(QUESTION), snapshot(FakeChat(RIGHT)), report=silent)
    assert heard == [(recorder.trace.number, "fake/model")]
    assert Trace().number > recorder.trace.number


def test_values_with_blanks_are_quoted_and_stay_on_their_line() -> None:
    facts = {"a": 1, "b": None, "c": "x y", "d": 'say "no"\nERROR', "e": "", "f": "a=b"}
    assert trace.pairs(facts) == 'a=1 c="x y" d="say \\"no\\"\\nERROR" e="" f="a=b"'


@pytest.mark.parametrize(
    ("path", "place"),
    [
        ("/shop/queries/q.sql", ("queries/q.sql", 3)),
        ("/other/q.sql", ("", 0)),
        (None, ("", 0)),
    ],
)
def test_places_are_relative_to_the_folder(path: str | None, place: tuple[str, int]) -> None:
    document = Document("file:///q.sql", "\n\n-- ask: names\n")
    (question,) = asks.read(document, "").questions
    found = Path(path) if path else None
    assert place_in(Path("/shop"), found, document, question) == place
    assert place_in(None, found, document, question) == ("", 0)
