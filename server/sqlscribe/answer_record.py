"""An answer on its way: traced in the log, and noted in the history of its folder."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

from sqlscribe import answer as route
from sqlscribe.answer_history import Answered, History, now
from sqlscribe.notation.asks import Question
from sqlscribe.notation.document import Document
from sqlscribe.outcomes import Answer, Report
from sqlscribe.prompting.context import Request
from sqlscribe.redaction import redact
from sqlscribe.snapshot import Snapshot
from sqlscribe.trace import Trace, told

logger = logging.getLogger(__name__)


def _unheard(trace: Trace, event: Answered) -> None:
    """What is told where only the log wants to know."""


@dataclass(frozen=True)
class Recorder:
    """Where answers to a question are noted. ``hear`` is told of each, with its trace.

    ``file`` is relative to the folder, ``""`` where the question stands in none of its files;
    ``line`` is one-based, 0 where there is none.
    """

    history: History
    question: str
    file: str = ""
    line: int = 0
    redact: Callable[[str], str] = redact
    hear: Callable[[Trace, Answered], None] = _unheard
    trace: Trace = field(default_factory=Trace)

    async def answer(
        self, request: Request, snapshot: Snapshot, *, report: Report, regenerate: bool = False
    ) -> Answer:
        """What :func:`sqlscribe.answer.answer` gives, noted; also where it is cancelled."""

        def stage(name: str) -> None:
            self.trace.stage(name)
            report(name)

        cancelled = Answer("failed", model=snapshot.model_name)
        try:
            given = await route.answer(request, snapshot, report=stage, regenerate=regenerate)
        except asyncio.CancelledError:
            event = replace(self._event(cancelled), outcome="cancelled")
            put = partial(self.history.put, event, self.redact)
            # Nobody waits for it: whoever cancels wants to go on.
            asyncio.get_running_loop().run_in_executor(None, put)
            raise
        await asyncio.to_thread(self.history.put, self._event(given), self.redact)
        return given

    def _event(self, given: Answer) -> Answered:
        self.trace.end()
        event = Answered(
            now(),
            self.question,
            given.outcome,
            given.source,
            given.model,
            given.error,
            given.usage,
            given.calls,
            self.trace.repairs,
            dict(self.trace.seconds),
            self.file,
            self.line,
        )
        logger.info("answer %s", told(self.trace.number, event))
        self.hear(self.trace, event)
        return event


def place_in(
    root: Path | None, path: Path | None, document: Document, question: Question
) -> tuple[str, int]:
    """The file of a question, relative to its folder, and its line."""
    if root is None or path is None or not path.is_relative_to(root):
        return "", 0
    line = document.line_of(question.span.start) + 1
    return path.relative_to(root).as_posix(), line
