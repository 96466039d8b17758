"""At most two answers at once, and one for each question: who asks again joins the running one."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Hashable
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

Result = TypeVar("Result")


@dataclass(frozen=True)
class Stage:
    """What a piece of work is at: ``asking gpt-5-mini · 120 tokens``.

    ``tokens`` and ``reply`` are of the model's reply, as far as it has come.
    """

    name: str = ""
    tokens: int = 0
    reply: str = field(default="", repr=False)

    def __str__(self) -> str:
        return f"{self.name} · {self.tokens} tokens" if self.tokens else self.name


Report = Callable[[Stage], None]
Start = Callable[[Coroutine[Any, Any, Result]], "asyncio.Task[Result]"]

AT_ONCE = 2
WAITING = Stage("waiting for other answers")


@dataclass
class _Run(Generic[Result]):
    """One piece of work with those who watch it."""

    task: asyncio.Task[Result] | None = None
    stage: Stage = Stage()
    watchers: list[Report] = field(default_factory=list)

    def report(self, stage: Stage) -> None:
        self.stage = stage
        for watcher in tuple(self.watchers):
            watcher(stage)


class AnswerQueue(Generic[Result]):
    """Runs work by its key. Everything here is called on one event loop.

    ``start`` makes a task; ``changed`` is told whenever work begins or ends.
    """

    def __init__(self, start: Start[Result], changed: Callable[[], None]) -> None:
        self._start = start
        self._changed = changed
        self._runs: dict[Hashable, _Run[Result]] = {}
        self._slots = asyncio.Semaphore(AT_ONCE)

    def stage(self, key: Hashable) -> str | None:
        """The name of what the work of a key is at, ``None`` where there is none."""
        run = self._runs.get(key)
        return None if run is None else run.stage.name

    async def join(
        self, key: Hashable, work: Callable[[Report], Awaitable[Result]], report: Report
    ) -> Result:
        """The result of ``work``, or of the work that already runs for the key.

        Who is cancelled here leaves the others their result; with the last one the work ends.
        """
        run = self._runs.get(key)
        if run is None:
            run = self._runs[key] = _Run()
            run.task = self._start(self._carry_out(run, work))
            # Not in the work itself: that may be cancelled before it has begun.
            run.task.add_done_callback(lambda _: self._ended(key, run))
            self._changed()
        assert run.task is not None
        run.watchers.append(report)
        if run.stage.name:
            report(run.stage)
        try:
            return await asyncio.shield(run.task)
        finally:
            run.watchers.remove(report)
            if not run.watchers and not run.task.done():
                run.task.cancel()
                # Who asks now is not to join what is about to end.
                self._forget(key, run)

    def cancel(self) -> int:
        """End all work; how many pieces there were that nobody had ended yet."""
        tasks = [run.task for run in self._runs.values() if run.task is not None]
        going_on = sum(not task.cancelling() for task in tasks)
        for task in tasks:
            task.cancel()
        return going_on

    async def _carry_out(
        self, run: _Run[Result], work: Callable[[Report], Awaitable[Result]]
    ) -> Result:
        if self._slots.locked():
            run.report(WAITING)
        async with self._slots:
            return await work(run.report)

    def _ended(self, key: Hashable, run: _Run[Result]) -> None:
        self._forget(key, run)
        self._changed()

    def _forget(self, key: Hashable, run: _Run[Result]) -> None:
        if self._runs.get(key) is run:
            del self._runs[key]
