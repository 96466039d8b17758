"""What is told about an answer while it is made."""

from __future__ import annotations

from answering import FakeChat, snapshot
from sqlscribe.answer_progress import Following
from sqlscribe.answer_queue import Stage
from sqlscribe.models.chat import Listen, Message, Piece, Reply


class Talking(FakeChat):
    """A model that tells its reply in two pieces."""

    listen: Listen | None = None

    def heard_by(self, listen: Listen) -> Talking:
        self.listen = listen
        return self

    async def complete(self, messages: object, form: object = None) -> Reply:
        assert self.listen is not None
        hear = self.listen()
        hear(Piece("SELECT "))
        hear(Piece("1"))
        return Reply("SELECT 1")


class Told:
    """A report that notes what it is told, with a clock that is set by hand."""

    def __init__(self) -> None:
        self.stages: list[Stage] = []
        self.time = 0.0
        self.following = Following(self.stages.append, lambda: self.time)

    @property
    def said(self) -> list[str]:
        return [str(stage) for stage in self.stages]


def test_tokens_are_counted_within_their_stage() -> None:
    told = Told()
    told.following.stage("asking gpt")
    told.following.listen()(Piece("SELECT"))
    told.time = 1.0
    told.following.stage("repairing 1/2")
    told.following.listen()(Piece("abc"))
    assert told.said == [
        "asking gpt",
        "asking gpt · 2 tokens",
        "repairing 1/2",
        "repairing 1/2 · 1 tokens",
    ]
    assert [stage.reply for stage in told.stages] == ["", "SELECT", "", "abc"]


def test_thoughts_count_but_are_not_shown() -> None:
    told = Told()
    told.following.listen()(Piece("hm hm hm ", is_thought=True))
    assert (told.stages[0].tokens, told.stages[0].reply) == (3, "")


def test_pieces_that_come_fast_are_told_together() -> None:
    told = Told()
    hear = told.following.listen()
    for number in range(100):
        told.time = number / 1000
        hear(Piece("abc"))
    told.time = 1.0
    hear(Piece("end"))
    assert len(told.stages) == 2
    assert told.stages[-1].reply == "abc" * 100 + "end"


async def test_the_model_of_a_snapshot_is_heard() -> None:
    told = Told()
    model = await told.following.of(snapshot(Talking())).connect()
    assert model is not None
    assert (await model.complete([Message("user", "x")])).text == "SELECT 1"
    assert told.stages[0].reply == "SELECT "


async def test_a_model_that_tells_nothing_is_asked_all_the_same() -> None:
    told = Told()
    model = await told.following.of(snapshot(FakeChat("x"))).connect()
    assert model is not None
    assert (await model.complete([Message("user", "x")])).text == "x"
    assert await told.following.of(snapshot(None)).connect() is None
    assert told.stages == []


def test_of_replies_that_come_together_the_first_is_shown_and_all_are_counted() -> None:
    told = Told()
    first, second = told.following.listen(), told.following.listen()
    first(Piece("SELECT"))
    told.time = 1.0
    second(Piece("FROM t"))
    assert (told.stages[-1].tokens, told.stages[-1].reply) == (4, "SELECT")
