"""What came of a run: the figures of each arm, and the differences between arms."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import reduce
from operator import add

from sqlscribe.evaluation.run import RAN, Run, Trial
from sqlscribe.evaluation.statistics import Interval, Paired, mcnemar, newcombe, quantile, wilson
from sqlscribe.models.chat import Number

DECLINED = frozenset({"insufficient", "needs_choice"})
"""Outcomes in which the model says that it cannot or should not write a query."""


@dataclass(frozen=True)
class Share:
    """``count`` of ``n``."""

    count: int
    n: int

    @property
    def rate(self) -> float | None:
        return self.count / self.n if self.n else None

    @property
    def interval(self) -> Interval:
        return wilson(self.count, self.n)


@dataclass(frozen=True)
class ArmFigures:
    """The figures of one arm over the answerable questions, but where it says otherwise.

    ``valid``: of the questions that it did not decline, those whose query ran.
    ``declined``: answered with ``insufficient`` or ``needs_choice``.
    ``recognised``: of the questions that cannot be answered, those it said so of.
    ``cached``: the share of prompt tokens that the provider had in its prefix cache, ``None``
    where it never says. Calls, repairs, tokens, cost and seconds count all questions.
    """

    name: str
    description: str
    model: str
    correct: Share
    valid: Share
    declined: Share
    recognised: Share
    outcomes: Counter[str]
    verdicts: Counter[str]
    sources: Counter[str]
    repaired: int
    repairs: int
    calls: int
    prompt_tokens: int | None
    completion_tokens: int | None
    cached: float | None
    cost: float | None
    seconds_median: float | None
    seconds_p90: float | None
    groups: dict[str, dict[str, Share]] = field(default_factory=dict)


@dataclass(frozen=True)
class PairFigures:
    """An arm against the reference. ``difference`` is positive where the arm is better.

    ``slower``: the median over the questions of its time divided by the reference's.
    """

    arm: str
    reference: str
    table: Paired
    interval: Interval
    p: float
    slower: float | None

    @property
    def difference(self) -> float:
        return self.table.difference


def arm_figures(run: Run) -> tuple[ArmFigures, ...]:
    return tuple(_figures(arm.name, arm.description, _of(run, arm.name)) for arm in run.arms)


def pair_figures(run: Run) -> tuple[PairFigures, ...]:
    """Every other arm against the first one, on the answerable questions."""
    reference = run.arms[0].name
    theirs = [trial for trial in _of(run, reference) if trial.question.is_answerable]
    found: list[PairFigures] = []
    for arm in run.arms[1:]:
        own = [trial for trial in _of(run, arm.name) if trial.question.is_answerable]
        table = Paired.of([t.is_right for t in own], [t.is_right for t in theirs])
        times = [
            mine.seconds / other.seconds
            for mine, other in zip(own, theirs, strict=True)
            if mine.calls and other.calls and other.seconds > 0
        ]
        slower = quantile(times, 0.5)
        pair = PairFigures(arm.name, reference, table, newcombe(table), mcnemar(table), slower)
        found.append(pair)
    return tuple(found)


def _of(run: Run, arm: str) -> list[Trial]:
    return [trial for trial in run.trials if trial.arm == arm]


def _figures(name: str, description: str, trials: Sequence[Trial]) -> ArmFigures:
    answerable = [trial for trial in trials if trial.question.is_answerable]
    others = [trial for trial in trials if not trial.question.is_answerable]
    asked = [trial for trial in answerable if trial.outcome not in DECLINED]
    times = [trial.seconds for trial in trials if trial.calls]
    prompt_tokens = _sum(trial.usage.prompt_tokens for trial in trials)
    cached = _sum(trial.usage.cached_tokens for trial in trials)
    return ArmFigures(
        name=name,
        description=description,
        model=next((trial.model for trial in trials if trial.source == "model"), ""),
        correct=_share(answerable, lambda trial: trial.is_right),
        valid=_share(asked, lambda trial: trial.verdict in RAN),
        declined=_share(answerable, lambda trial: trial.outcome in DECLINED),
        recognised=_share(others, lambda trial: trial.is_right),
        outcomes=Counter(trial.outcome for trial in trials),
        verdicts=Counter(trial.verdict for trial in trials),
        sources=Counter(trial.source for trial in trials),
        repaired=sum(1 for trial in trials if trial.repairs),
        repairs=sum(trial.repairs for trial in trials),
        calls=sum(trial.calls for trial in trials),
        prompt_tokens=prompt_tokens,
        completion_tokens=_sum(trial.usage.completion_tokens for trial in trials),
        cached=cached / prompt_tokens if cached is not None and prompt_tokens else None,
        cost=_sum(trial.usage.cost for trial in trials),
        seconds_median=quantile(times, 0.5),
        seconds_p90=quantile(times, 0.9),
        groups={
            "language": _grouped(answerable, lambda trial: trial.question.lang),
            "database": _grouped(answerable, lambda trial: trial.question.db_id),
            "difficulty": _grouped(answerable, lambda trial: trial.question.difficulty),
        },
    )


def _share(trials: Sequence[Trial], counts: Callable[[Trial], bool]) -> Share:
    return Share(sum(1 for trial in trials if counts(trial)), len(trials))


def _grouped(trials: Sequence[Trial], kind: Callable[[Trial], str]) -> dict[str, Share]:
    groups: dict[str, list[Trial]] = {}
    for trial in trials:
        groups.setdefault(kind(trial), []).append(trial)
    return {name: _share(group, lambda t: t.is_right) for name, group in groups.items() if name}


def _sum(values: Iterable[Number | None]) -> Number | None:
    """The sum of what is known; ``None`` where nothing is."""
    known = [value for value in values if value is not None]
    return reduce(add, known) if known else None
