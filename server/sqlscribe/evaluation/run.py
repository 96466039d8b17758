"""Each question by each arm in turn: the real route, then the query beside its gold query."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Coroutine, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from sqlscribe import answer as route
from sqlscribe.answer import Answer
from sqlscribe.checking.extraction import extract
from sqlscribe.errors import ConfigurationError
from sqlscribe.evaluation.arms import Arm
from sqlscribe.evaluation.compare import compare
from sqlscribe.evaluation.dataset import EvalQuestion
from sqlscribe.evaluation.execution import Executor, Result
from sqlscribe.evaluation.replies import Recorded, ReplyFile
from sqlscribe.evaluation.snapshots import Snapshots, Start
from sqlscribe.models.chat import ChatModel, Message, Usage
from sqlscribe.models.litellm_library import load
from sqlscribe.notation.findings import Finding
from sqlscribe.prompting.context import Request

Verdict = Literal[
    "right",
    "wrong rows",
    "wrong columns",
    "wrong order",
    "too many rows",
    "does not run",
    "too slow",
    "no sql",
    "recognised",
    "not recognised",
]
"""What came of an answer; the last two are of questions that cannot be answered."""

RIGHT: frozenset[Verdict] = frozenset({"right", "recognised"})
RAN: frozenset[Verdict] = frozenset(
    {"right", "wrong rows", "wrong columns", "wrong order", "too many rows"}
)

_FATAL = frozenset({"no_key", "wrong_key", "unknown_model", "unreachable", "spending_limit"})
"""Kinds of errors that the next question would meet as well, and that say nothing of an arm."""

SHOWN_ROWS = 20
"""Rows of a result that are kept to be shown; all of them are compared."""

Order = Literal["question", "database"]
"""``question``: all arms on one question, then on the next. ``database``: an arm on all the
questions of a database, then the next arm, so that a server with one prefix cache can use it."""


@dataclass(frozen=True)
class Trial:
    """One arm's answer to one question, and what came of it.

    ``error`` is what the engine said. ``sent`` are the messages of the last call, ``replies``
    the model's texts of all calls. ``seconds`` count the model's time as it was first taken.
    ``result`` holds the first rows only.
    """

    arm: str
    question: EvalQuestion
    verdict: Verdict
    outcome: str
    sql: str = ""
    message: str = ""
    error: str = ""
    findings: tuple[Finding, ...] = ()
    warnings: tuple[str, ...] = ()
    source: str = "none"
    model: str = ""
    usage: Usage = field(default_factory=Usage)
    calls: int = 0
    repairs: int = 0
    seconds: float = 0.0
    result: Result = field(default_factory=Result)
    sent: tuple[Message, ...] = ()
    replies: tuple[str, ...] = ()

    @property
    def is_right(self) -> bool:
        return self.verdict in RIGHT


@dataclass(frozen=True)
class Gold:
    """The rows that a question should give, by each query that is right for it."""

    database: str
    results: tuple[tuple[str, Result], ...] = ()


@dataclass(frozen=True)
class Skipped:
    """A question that cannot be counted, since its gold query gives nothing to compare with."""

    question: EvalQuestion
    reason: str


@dataclass(frozen=True)
class Run:
    """Everything that came of a run. Trials stand question by question, in the arms' order."""

    arms: tuple[Arm, ...]
    trials: tuple[Trial, ...]
    golds: dict[str, Gold]
    skipped: tuple[Skipped, ...] = ()


@dataclass(frozen=True)
class Bench:
    """What a run works with. ``database`` gives the URL for a question, ``""`` for none."""

    snapshots: Snapshots
    executor: Executor
    replies: ReplyFile
    database: Callable[[EvalQuestion], str]
    evidence: bool = True
    order: Order = "question"
    jobs: int = 1


Progress = Callable[[int, int, "Trial | None"], None]
"""Told how many trials are done, of how many, and the one just done."""


async def run(
    questions: Sequence[EvalQuestion], arms: Sequence[Arm], bench: Bench, progress: Progress
) -> Run:
    """Ask everything that is not answered yet.

    Raises ``ConfigurationError`` where a model cannot be reached at all; what was answered
    until then is kept.
    """
    golds, skipped = await asyncio.to_thread(_golds, questions, bench)
    counted = [question for question in questions if question.id in golds]
    if not counted:
        told = f": {skipped[0].reason}" if skipped else ""
        raise ConfigurationError(f"there is no question to ask{told}")
    done: dict[tuple[str, str], Trial] = {}
    turns = iter(_turns(counted, arms, bench.order))
    total = len(counted) * len(arms)
    reading = asyncio.Lock()
    progress(0, total, None)

    async def work() -> None:
        for question, arm in turns:
            async with reading:
                database = golds[question.id].database
                start = await asyncio.to_thread(bench.snapshots.start, arm, question, database)
            trial = await _try(question, arm, start, golds[question.id], bench)
            done[question.id, arm.name] = trial
            progress(len(done), total, trial)

    await _together(work, bench.jobs)
    trials = tuple(done[question.id, arm.name] for question in counted for arm in arms)
    return Run(tuple(arms), trials, golds, skipped)


async def _together(work: Callable[[], Coroutine[None, None, None]], jobs: int) -> None:
    """So many at once; what one of them raises ends them all."""
    tasks = [asyncio.create_task(work()) for _ in range(max(1, jobs))]
    try:
        await asyncio.gather(*tasks)
    finally:
        for task in tasks:
            task.cancel()


def _turns(
    questions: Sequence[EvalQuestion], arms: Sequence[Arm], order: Order
) -> Iterator[tuple[EvalQuestion, Arm]]:
    if order == "question":
        yield from ((question, arm) for question in questions for arm in arms)
        return
    for db_id in dict.fromkeys(question.db_id for question in questions):
        same = [question for question in questions if question.db_id == db_id]
        yield from ((question, arm) for arm in arms for question in same)


def _golds(
    questions: Sequence[EvalQuestion], bench: Bench
) -> tuple[dict[str, Gold], tuple[Skipped, ...]]:
    """What the gold queries give, before any model is asked."""
    golds: dict[str, Gold] = {}
    skipped: list[Skipped] = []
    for question in questions:
        url = bench.database(question)
        if question.is_answerable and not url:
            skipped.append(Skipped(question, "no database is known for it"))
            continue
        results = [(sql, bench.executor.run(url, sql)) for sql in question.gold]
        usable = [(sql, result) for sql, result in results if not (result.problem or result.cut)]
        if results and not usable:
            result = results[0][1]
            reason = result.error or "its gold query gives more rows than may be read"
            skipped.append(Skipped(question, f"its gold query gives nothing: {reason}"))
            continue
        golds[question.id] = Gold(url, tuple(usable))
    return golds, tuple(skipped)


async def _try(question: EvalQuestion, arm: Arm, start: Start, gold: Gold, bench: Bench) -> Trial:
    recorded: list[Recorded] = []

    async def connect() -> ChatModel | None:
        model = await start.snapshot.connect()
        if model is None:
            return None
        # The library that calls models takes seconds to import, which is no arm's time.
        recorded.append(Recorded(model, bench.replies, start.called, arm.turns, load))
        return recorded[-1]

    text = question.question
    if bench.evidence and question.evidence:
        # As a person continues the comment on a second line.
        text = f"{text}\n{question.evidence}"
    snapshot = replace(start.snapshot, connect=connect)
    began = time.perf_counter()
    answer = await route.answer(Request(text), snapshot, regenerate=not arm.verified)
    spent = time.perf_counter() - began
    for model in recorded:
        if model.error is not None and model.error.kind in _FATAL:
            kept = "the replies so far are kept, and the same command goes on from here"
            raise ConfigurationError(f"arm {arm.name}: {model.error}; {kept}")
    trial = _trial(question, arm, answer, recorded)
    own = spent - sum(model.waited for model in recorded)
    trial = replace(trial, seconds=own + sum(model.seconds for model in recorded))
    return await asyncio.to_thread(_judged, trial, arm, snapshot.dialect, gold, bench.executor)


def _trial(question: EvalQuestion, arm: Arm, answer: Answer, recorded: Sequence[Recorded]) -> Trial:
    sent = [messages for model in recorded for messages in model.sent]
    shown = sent[-1:] or ([answer.prompt.messages] if answer.prompt else [])
    return Trial(
        arm=arm.name,
        question=question,
        verdict="no sql",
        outcome=answer.outcome,
        sql=answer.sql,
        message=answer.message,
        findings=answer.findings,
        warnings=answer.warnings,
        source=answer.source,
        model=answer.model,
        usage=answer.usage,
        calls=answer.calls,
        repairs=sum(1 for messages in sent if len(messages) > len(sent[0])),
        sent=shown[0] if shown else (),
        replies=tuple(reply.text for model in recorded for reply in model.replies),
    )


def _judged(trial: Trial, arm: Arm, dialect: str, gold: Gold, executor: Executor) -> Trial:
    """The trial with its verdict, and the rows that its query gave."""
    if not trial.question.is_answerable:
        is_right = trial.outcome == "insufficient"
        return replace(trial, verdict="recognised" if is_right else "not recognised")
    sql = trial.sql
    if not arm.checked and not sql and trial.replies:
        # What our checker refuses, such as SQL that it cannot parse, may run all the same.
        sql = extract(trial.replies[-1], dialect).sql
    if not sql:
        return trial
    result = executor.run(gold.database, sql)
    trial = replace(trial, sql=sql, result=result.head(SHOWN_ROWS), error=result.error)
    if result.problem:
        slow = result.problem in ("timed out", "too large")
        return replace(trial, verdict="too slow" if slow else "does not run")
    if result.cut:
        return replace(trial, verdict="too many rows")
    ordered = trial.question.order_matters
    found = [compare(one.rows, result.rows, ordered=ordered) for _, one in gold.results]
    return replace(trial, verdict=min(found, key=_CLOSEST.index))


_CLOSEST: tuple[Verdict, ...] = ("right", "wrong order", "wrong rows", "wrong columns")
