"""The first half hour of a long day: nothing is lost, and nothing is wrong in the log."""

from __future__ import annotations

from pathlib import Path

import pytest

from soak.day import live
from soak.figures import Figures, Sample, Watch

_SECONDS = 20


@pytest.mark.e2e
async def test_half_an_hour_of_everything_leaves_all_texts_as_they_are(tmp_path: Path) -> None:
    figures = await live(tmp_path, _SECONDS)
    # Memory and times say something after a long day only.
    assert figures.problems == []
    done = figures.done
    for what in ("questions asked", "texts compared", "branches checked out", "folders removed"):
        assert done[what] > 0, what
    assert done["folders added"] >= 10


def day(memory: list[int], threads: list[int] | None = None) -> Figures:
    """A day of a hundred samples, of which each tenth has its memory and threads."""
    watch = Watch(1)
    for number in range(100):
        tenth = number // 10
        some = 9 if threads is None else threads[tenth]
        watch.samples.append(Sample(number, memory[tenth], some, 20, 2, 0))
    return Figures(watch, 100, {})


@pytest.mark.parametrize(
    ("memory", "holds"),
    [
        ([100, 200, 300, 300, 300, 300, 300, 300, 300, 300], True),
        ([100, 200, 300, 310, 295, 305, 300, 305, 295, 310], True),
        # A peak is no leak, and neither is a day that ends with one.
        ([100, 200, 300, 300, 300, 900, 300, 300, 300, 300], True),
        ([100, 200, 300, 300, 300, 300, 300, 300, 300, 900], True),
        ([100, 200, 300, 304, 308, 312, 316, 320, 324, 328], False),
        ([100, 200, 300, 300, 300, 300, 300, 330, 330, 330], False),
    ],
)
def test_memory_may_be_had_in_the_morning_and_not_grow_afterwards(
    memory: list[int], holds: bool
) -> None:
    figures = day(memory)
    assert (figures.verdict() == []) is holds, (figures.growth, figures.slope)
    assert figures.windows(lambda sample: sample.memory) == memory


def test_threads_that_stay_are_a_leak() -> None:
    assert day([300] * 10, [9, 9, 9, 10, 11, 12, 12, 12, 12, 12]).verdict() == []
    [wrong] = day([300] * 10, list(range(9, 29, 2))).verdict()
    assert wrong == "threads grew from 13 to 27"
