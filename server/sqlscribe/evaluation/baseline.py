"""What passed before, so that a build fails when it fails now.

{"version": 1, "arms": {"workspace": {"q1": true, "q2": false}}}
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from sqlscribe.errors import ConfigurationError
from sqlscribe.evaluation.run import Run

Passed = Mapping[str, bool]
"""Whether each question passed, by its id."""

_VERSION = 1


@dataclass(frozen=True)
class Change:
    """One arm against its baseline, on the questions of both. Accuracies are shares.

    ``broken`` and ``mended`` are ids. ``is_worse`` is what a build fails for.
    """

    arm: str
    n: int
    before: float
    now: float
    broken: tuple[str, ...]
    mended: tuple[str, ...]
    is_worse: bool


def passed(run: Run) -> dict[str, dict[str, bool]]:
    """Pass or fail by arm and question."""
    found: dict[str, dict[str, bool]] = {arm.name: {} for arm in run.arms}
    for trial in run.trials:
        found[trial.arm][trial.question.id] = trial.is_right
    return found


def save(path: Path, run: Run) -> None:
    """Write a baseline, a question to a line, so that a change of it reads well in git."""
    data = {"version": _VERSION, "arms": passed(run)}
    try:
        path.write_text(json.dumps(data, ensure_ascii=False, indent=1) + "\n", "utf-8")
    except OSError as error:
        raise ConfigurationError(f"{path}: {error.strerror or error}") from error


def load(path: Path) -> dict[str, Passed]:
    """The arms of a baseline. Raises ``ConfigurationError`` where it is none."""
    try:
        data = json.loads(path.read_text("utf-8"))
    except OSError as error:
        raise ConfigurationError(f"{path}: {error.strerror or error}") from error
    except (ValueError, RecursionError) as error:
        raise ConfigurationError(f"{path}: this is no baseline: {error}") from error
    arms = data.get("arms") if isinstance(data, dict) else None
    if not isinstance(arms, dict) or data.get("version") != _VERSION:
        raise ConfigurationError(f"{path}: this is no baseline of version {_VERSION}")
    for name, questions in arms.items():
        values = questions.values() if isinstance(questions, dict) else [None]
        if not all(isinstance(value, bool) for value in values):
            raise ConfigurationError(f"{path}: arm {name} does not say true or false by question")
    return arms


def changes(
    before: Mapping[str, Passed], run: Run, tolerance: float | None = None
) -> tuple[Change, ...]:
    """What changed in the arms that both have.

    Without ``tolerance`` an arm is worse when a question that passed fails. With it (in
    points) single questions may fail, and it is worse when its accuracy falls by more.
    """
    found = []
    for arm, now in passed(run).items():
        then = before.get(arm)
        if then is None:
            continue
        both = [question for question in now if question in then]
        broken = tuple(one for one in both if then[one] and not now[one])
        mended = tuple(one for one in both if now[one] and not then[one])
        fall = 100 * (len(broken) - len(mended)) / len(both) if both else 0.0
        # A fall of exactly the tolerance is still within it, whatever the last digit says.
        is_worse = bool(broken) if tolerance is None else fall > tolerance + 1e-9
        found.append(
            Change(arm, len(both), _rate(then, both), _rate(now, both), broken, mended, is_worse)
        )
    if not found:
        known = ", ".join(before) or "none"
        raise ConfigurationError(f"the baseline knows none of these arms; it has: {known}")
    return tuple(found)


def _rate(answers: Passed, questions: list[str]) -> float:
    return sum(answers[one] for one in questions) / len(questions) if questions else 0.0
