"""What is measured from outside over a long day, and the verdict on it."""

from __future__ import annotations

import os
import statistics
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

WINDOWS = 10
"""Equal parts of the day; the first ones are the warm-up."""
WARM_UP = 2
GROWTH = 0.05
"""How much more memory there may be at the end than after the warm-up, as a share."""
TIMES_EMPTY = 5.0
"""How much slower than an empty request each of ``NATIVE`` may be, at p95 of both."""
NATIVE = ("code actions", "one lens", "lenses", "completion", "hover")
_FEW = 20
"""Requests of a kind in a window, below which a quantile says nothing."""


@dataclass(frozen=True)
class Sample:
    """The process at one time, as the system sees it. ``at`` is in seconds, ``memory`` in kB."""

    at: float
    memory: int
    threads: int
    files: int
    sockets: int
    children: int


@dataclass(frozen=True)
class Timed:
    at: float
    seconds: float
    empty: float


class Watch:
    """Looks at a process, and takes the times of requests, by one clock."""

    def __init__(self, process_id: int) -> None:
        self._process = Path("/proc") / str(process_id)
        self._start = time.perf_counter()
        self.samples: list[Sample] = []
        self.requests: dict[str, list[Timed]] = {}

    @property
    def now(self) -> float:
        return time.perf_counter() - self._start

    def look(self) -> Sample:
        """Take a sample. Raises ``OSError`` where the process is gone."""
        status = (self._process / "status").read_text("ascii", "replace")
        said = dict(line.split(":\t", 1) for line in status.splitlines() if ":\t" in line)
        names = [_target(link) for link in (self._process / "fd").iterdir()]
        tasks = list((self._process / "task").iterdir())
        children = sum(len(_text(task / "children").split()) for task in tasks)
        sample = Sample(
            self.now,
            int(said["VmRSS"].split()[0]),
            len(tasks),
            len(names),
            sum(name.startswith("socket:") for name in names),
            children,
        )
        self.samples.append(sample)
        return sample

    def note(self, name: str, seconds: float, empty: float) -> None:
        self.requests.setdefault(name, []).append(Timed(self.now, seconds, empty))


@dataclass
class Figures:
    """A day in figures. ``problems`` are what must not have happened."""

    watch: Watch
    seconds: float
    done: Mapping[str, int]
    problems: list[str] = field(default_factory=list)

    def windows(self, of: Callable[[Sample], float]) -> list[float]:
        """The median of each part of the day."""
        parts = self._parts()
        return [statistics.median(map(of, part)) for part in parts if part]

    @property
    def growth(self) -> float:
        """How much more memory the last part of the day takes than the part after warm-up.

        The last three windows against the first three, by their medians, so that neither a peak
        nor the moment of looking counts.
        """
        memory = self.windows(lambda sample: sample.memory)[WARM_UP:]
        return statistics.median(memory[-3:]) / statistics.median(memory[:3]) - 1

    @property
    def slope(self) -> float:
        """The same by a line: the median slope between all pairs of windows, over the day."""
        memory = self.windows(lambda sample: sample.memory)[WARM_UP:]
        pairs = [
            (memory[later] - memory[first]) / (later - first)
            for first in range(len(memory))
            for later in range(first + 1, len(memory))
        ]
        return statistics.median(pairs) * (len(memory) - 1) / memory[0]

    def times_empty(self, name: str, share: float = 0.95) -> float:
        some = self.watch.requests[name]
        return quantile([each.seconds for each in some], share) / quantile(
            [each.empty for each in some], share
        )

    def worst_window(self, name: str) -> float:
        """The highest ratio of p95 in a part of the day that has enough requests."""
        found = []
        for number in range(WINDOWS):
            part = [
                each
                for each in self.watch.requests[name]
                if number <= each.at * WINDOWS / self.seconds < number + 1
            ]
            if len(part) >= _FEW:
                mine, empty = [[each.seconds for each in part], [each.empty for each in part]]
                found.append(quantile(mine, 0.95) / quantile(empty, 0.95))
        return max(found, default=0.0)

    def verdict(self, *, judge_memory: bool = True) -> list[str]:
        """What is not as it should be."""
        wrong = list(self.problems)
        if judge_memory and max(self.growth, self.slope) > GROWTH:
            wrong.append(f"memory grew by {self.growth:.1%}, by its slope {self.slope:.1%}")
        for name, of in _COUNTED.items():
            counts = self.windows(of)[WARM_UP:]
            if counts[-1] > counts[0] + _SLACK[name]:
                wrong.append(f"{name} grew from {counts[0]:.0f} to {counts[-1]:.0f}")
        for name in NATIVE:
            if name in self.watch.requests and self.times_empty(name) > TIMES_EMPTY:
                times = self.times_empty(name)
                wrong.append(f"{name}: p95 is {times:.1f} × that of an empty request")
        return wrong

    def _parts(self) -> list[list[Sample]]:
        parts: list[list[Sample]] = [[] for _ in range(WINDOWS)]
        for sample in self.watch.samples:
            parts[min(WINDOWS - 1, int(sample.at * WINDOWS / self.seconds))].append(sample)
        return parts


_COUNTED: dict[str, Callable[[Sample], float]] = {
    "threads": lambda sample: sample.threads,
    "open files": lambda sample: sample.files - sample.sockets,
    "sockets": lambda sample: sample.sockets,
    "child processes": lambda sample: sample.children,
}
# Pools fill while the day goes on: they are bounded, and a leak is not.
_SLACK = {"threads": 4, "open files": 4, "sockets": 4, "child processes": 0}


def quantile(some: Sequence[float], share: float) -> float:
    ordered = sorted(some)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def table(figures: Figures) -> str:
    """All figures for people."""
    lines = [f"{'':24}{'median of each tenth of the day':>60}"]
    rows: dict[str, list[float]] = {
        "memory, MB": [kilobytes / 1024 for kilobytes in figures.windows(lambda s: s.memory)],
        **{name: figures.windows(of) for name, of in _COUNTED.items()},
    }
    for name, values in rows.items():
        lines.append(f"{name:24}" + "".join(f"{value:7.0f}" for value in values))
    lines.append(
        f"{'memory after warm-up':24}{figures.growth:+7.1%}, by its slope {figures.slope:+.1%}"
    )
    lines += [
        "",
        f"{'':24}{'times':>7}{'p50 ms':>9}{'p95 ms':>9}{'p50':>8}{'p95':>8} × empty"
        f"{'worst tenth':>14}",
    ]
    for name, some in figures.watch.requests.items():
        mine = [each.seconds for each in some]
        cells = "".join(f"{1000 * quantile(mine, share):9.1f}" for share in (0.5, 0.95))
        cells += "".join(f"{figures.times_empty(name, share):8.1f}" for share in (0.5, 0.95))
        lines.append(f"{name:24}{len(some):7}{cells}{figures.worst_window(name):22.1f}")
    lines += ["", *(f"{name:72}{count:9,}" for name, count in sorted(figures.done.items()))]
    return "\n".join(lines)


def as_json(figures: Figures) -> dict[str, Any]:
    return {
        "seconds": figures.seconds,
        "memory_kb": figures.windows(lambda sample: sample.memory),
        "growth": figures.growth,
        "slope": figures.slope,
        **{name: figures.windows(of) for name, of in _COUNTED.items()},
        "requests": {
            name: {
                "count": len(some),
                "p50_ms": 1000 * quantile([each.seconds for each in some], 0.5),
                "p95_ms": 1000 * quantile([each.seconds for each in some], 0.95),
                "p50_times_empty": figures.times_empty(name, 0.5),
                "p95_times_empty": figures.times_empty(name),
                "worst_tenth": figures.worst_window(name),
            }
            for name, some in figures.watch.requests.items()
        },
        "done": dict(figures.done),
        "problems": figures.problems,
    }


def _target(link: Path) -> str:
    try:
        return os.readlink(link)
    except OSError:
        # It was closed meanwhile.
        return ""


def _text(path: Path) -> str:
    try:
        return path.read_text("ascii")
    except OSError:
        # The thread has ended meanwhile, or this system does not tell.
        return ""
