"""Figures of arms and their differences, from verdicts."""

import pytest

from evaluating import made_run
from sqlscribe.evaluation.figures import arm_figures, pair_figures
from sqlscribe.evaluation.statistics import Paired
from sqlscribe.models.chat import Usage


def test_shares_count_what_they_say() -> None:
    run = made_run(
        ("ours", ["right", "wrong rows", "does not run", "no sql", "recognised", "not recognised"])
    )
    [figures] = arm_figures(run)
    assert (figures.correct.count, figures.correct.n) == (1, 4)
    # The one that was declined is no query that could run.
    assert (figures.valid.count, figures.valid.n) == (2, 3)
    assert (figures.declined.count, figures.declined.n) == (1, 4)
    assert (figures.recognised.count, figures.recognised.n) == (1, 2)
    assert figures.verdicts["does not run"] == 1
    assert figures.groups["language"]["en"].rate == 0.25
    assert figures.groups["difficulty"] == {}


def test_what_replies_cost_is_added_up() -> None:
    usage = Usage(1000, 50, 800, 0.5)
    run = made_run(
        ("ours", ["right", "right"]), usage=usage, calls=2, repairs=1, source="model", model="m"
    )
    [figures] = arm_figures(run)
    assert (figures.calls, figures.repairs, figures.repaired) == (4, 2, 2)
    assert (figures.prompt_tokens, figures.completion_tokens, figures.cost) == (2000, 100, 1.0)
    assert (figures.cached, figures.model) == (0.8, "m")


def test_what_no_provider_says_is_not_known() -> None:
    [figures] = arm_figures(made_run(("ours", ["right"])))
    assert (figures.prompt_tokens, figures.cached, figures.cost) == (None, None, None)
    [none] = arm_figures(made_run(("ours", ["recognised"])))
    assert (none.correct.rate, none.valid.rate) == (None, None)


def test_arms_are_compared_with_the_first_on_answerable_questions() -> None:
    run = made_run(
        ("ours", ["right", "right", "right", "wrong rows", "recognised"]),
        ("plain", ["right", "wrong rows", "no sql", "right", "not recognised"]),
    )
    [pair] = pair_figures(run)
    assert (pair.arm, pair.reference) == ("plain", "ours")
    assert pair.table == Paired(1, 1, 2, 0)
    assert pair.difference == pytest.approx(-0.25)
    assert pair.p == 1.0
    assert pair.slower == 1.0
    low, high = pair.interval
    assert low < -0.25 < high


def test_one_arm_has_nothing_to_be_compared_with() -> None:
    assert pair_figures(made_run(("ours", ["right"]))) == ()
