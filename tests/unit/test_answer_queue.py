"""At most two pieces of work at once, and one for each key."""

import asyncio
from collections.abc import Awaitable
from typing import Any

import pytest

from sqlscribe.answer_queue import WAITING, AnswerQueue, Report, Stage


class Bench:
    """A queue whose work waits until it is let go."""

    def __init__(self) -> None:
        self.changes = 0
        self.begun: list[str] = []
        self.ended: list[str] = []
        self.gates: dict[str, asyncio.Event] = {}
        self.queue: AnswerQueue[str] = AnswerQueue(self._start, self._changed)

    def _start(self, work: Any) -> asyncio.Task[str]:
        return asyncio.get_running_loop().create_task(work)

    def _changed(self) -> None:
        self.changes += 1

    def ask(self, key: str, said: list[str] | None = None) -> asyncio.Task[str]:
        heard = [] if said is None else said

        def hear(stage: Stage) -> None:
            heard.append(str(stage))

        async def work(report: Report) -> str:
            self.begun.append(key)
            report(Stage(f"asking {key}"))
            try:
                await self.gates.setdefault(key, asyncio.Event()).wait()
            finally:
                self.ended.append(key)
            return f"answer {key}"

        asked: Awaitable[str] = self.queue.join(key, work, hear)
        return asyncio.ensure_future(asked)

    def let_go(self, key: str) -> None:
        self.gates[key].set()


async def turns() -> None:
    for _ in range(5):
        await asyncio.sleep(0)


@pytest.fixture
async def bench() -> Bench:
    return Bench()


async def test_two_run_and_the_third_waits_for_its_turn(bench: Bench) -> None:
    said: list[str] = []
    tasks = [bench.ask("a"), bench.ask("b"), bench.ask("c", said)]
    await turns()
    assert bench.begun == ["a", "b"]
    assert said == [str(WAITING)]
    assert bench.queue.stage("c") == WAITING.name
    bench.let_go("a")
    assert await tasks[0] == "answer a"
    await turns()
    assert bench.begun == ["a", "b", "c"]
    assert said[-1] == "asking c"
    bench.let_go("b")
    bench.let_go("c")
    assert await asyncio.gather(*tasks[1:]) == ["answer b", "answer c"]
    await turns()
    assert bench.queue.stage("c") is None
    assert bench.changes == 6


async def test_who_asks_the_same_joins_and_hears_where_it_is(bench: Bench) -> None:
    first = bench.ask("a")
    await turns()
    said: list[str] = []
    second = bench.ask("a", said)
    await turns()
    assert (bench.begun, said) == (["a"], ["asking a"])
    bench.let_go("a")
    assert await asyncio.gather(first, second) == ["answer a", "answer a"]


async def test_one_who_leaves_does_not_take_the_answer_from_the_others(bench: Bench) -> None:
    first, second = bench.ask("a"), bench.ask("a")
    await turns()
    first.cancel()
    await turns()
    assert bench.ended == []
    bench.let_go("a")
    assert await second == "answer a"


async def test_the_work_ends_with_the_last_who_waits(bench: Bench) -> None:
    first, second = bench.ask("a"), bench.ask("a")
    await turns()
    first.cancel()
    second.cancel()
    await turns()
    assert bench.ended == ["a"]
    again = bench.ask("a")
    await turns()
    assert bench.begun == ["a", "a"]
    bench.let_go("a")
    assert await again == "answer a"


async def test_one_that_is_cancelled_before_it_began_leaves_no_trace(bench: Bench) -> None:
    task = bench.ask("a")
    await asyncio.sleep(0)
    bench.queue.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert bench.queue.stage("a") is None


async def test_everything_can_be_ended_at_once(bench: Bench) -> None:
    tasks = [bench.ask(key) for key in "abc"]
    await turns()
    assert bench.queue.cancel() == 3
    # Who asks a second time is told that nothing is left, also before they have let go.
    assert bench.queue.cancel() == 0
    results = await asyncio.gather(*tasks, return_exceptions=True)
    assert all(isinstance(each, asyncio.CancelledError) for each in results)
    assert sorted(bench.ended) == ["a", "b"]
    assert bench.queue.cancel() == 0


def test_a_stage_tells_how_much_of_the_reply_has_come() -> None:
    assert str(Stage("asking gpt")) == "asking gpt"
    assert str(Stage("repairing 1/2", 120, "SELECT")) == "repairing 1/2 · 120 tokens"
