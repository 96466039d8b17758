"""A stored baseline, and when a build fails for it."""

from pathlib import Path

import pytest

from evaluating import made_run
from sqlscribe.errors import ConfigurationError
from sqlscribe.evaluation.baseline import changes, load, save

BEFORE = made_run(("ours", ["right", "right", "wrong rows", "recognised"]))


@pytest.fixture
def file(tmp_path: Path) -> Path:
    save(tmp_path / "base.json", BEFORE)
    return tmp_path / "base.json"


def test_the_same_again_is_no_worse(file: Path) -> None:
    [change] = changes(load(file), BEFORE)
    assert (change.n, change.before, change.now) == (4, 0.75, 0.75)
    assert (change.broken, change.mended, change.is_worse) == ((), (), False)


@pytest.mark.parametrize(("tolerance", "is_worse"), [(None, True), (0, False), (25, False)])
def test_a_question_that_fails_now(file: Path, tolerance: float | None, is_worse: bool) -> None:
    run = made_run(("ours", ["right", "does not run", "right", "recognised"]))
    [change] = changes(load(file), run, tolerance)
    assert (change.broken, change.mended) == (("q2",), ("q3",))
    assert change.is_worse is is_worse


@pytest.mark.parametrize(("tolerance", "is_worse"), [(None, True), (24.9, True), (25, False)])
def test_an_accuracy_that_falls(file: Path, tolerance: float | None, is_worse: bool) -> None:
    run = made_run(("ours", ["right", "no sql", "wrong rows", "recognised"]))
    assert changes(load(file), run, tolerance)[0].is_worse is is_worse


def test_only_questions_and_arms_of_both_count(file: Path) -> None:
    run = made_run(("ours", ["right"]), ("new", ["wrong rows"]))
    [change] = changes(load(file), run)
    assert (change.arm, change.n) == ("ours", 1)
    with pytest.raises(ConfigurationError, match="it has: ours"):
        changes(load(file), made_run(("other", ["right"])))


@pytest.mark.parametrize(
    "text",
    ["", "[]", "{}", '{"version": 2, "arms": {}}', '{"version": 1, "arms": {"a": {"q": 1}}}',
     '{"version": 1, "arms": {"a": []}}', "[" * 100_000],
)  # fmt: skip
def test_what_is_no_baseline(tmp_path: Path, text: str) -> None:
    (tmp_path / "b.json").write_text(text, "utf-8")
    with pytest.raises(ConfigurationError, match=r"b\.json"):
        load(tmp_path / "b.json")
