"""The figures as text for a terminal, a log, or a commit message."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator, Sequence

from sqlscribe.evaluation.baseline import Change
from sqlscribe.evaluation.figures import ArmFigures, PairFigures, Share, arm_figures, pair_figures
from sqlscribe.evaluation.run import Run
from sqlscribe.evaluation.statistics import Interval


def summary(run: Run) -> str:
    """The arms, their differences, and why answers were wrong."""
    arms = arm_figures(run)
    parts = ["\n".join(table(_HEAD, [_row(figures) for figures in arms]))]
    if pairs := pair_figures(run):
        title = f"against {pairs[0].reference}"
        head = (title, "points", "95 % interval", "p", "better", "worse", "time")
        parts.append("\n".join(table(head, [_pair(figures) for figures in pairs])))
    kinds = [kind for kind in ("language", "difficulty", "database") if _splits(arms, kind)]
    parts += ["\n".join(_groups(arms, kind)) for kind in kinds]
    parts.append("\n".join(_verdicts(arms)))
    return "\n\n".join(parts)


_HEAD = (
    "arm", "n", "right", "accuracy", "95 % interval", "valid", "declined", "recognised",
    "repairs", "calls", "tokens in", "out", "cached", "cost", "median", "p90",
)  # fmt: skip


def _row(figures: ArmFigures) -> list[str]:
    return [
        figures.name,
        str(figures.correct.n),
        str(figures.correct.count),
        percent(figures.correct.rate),
        interval(figures.correct.interval) if figures.correct.n else "",
        percent(figures.valid.rate),
        percent(figures.declined.rate),
        percent(figures.recognised.rate),
        str(figures.repairs),
        str(figures.calls),
        _count(figures.prompt_tokens),
        _count(figures.completion_tokens),
        percent(figures.cached),
        f"${figures.cost:.4f}" if figures.cost is not None else "",
        seconds(figures.seconds_median),
        seconds(figures.seconds_p90),
    ]


def _pair(figures: PairFigures) -> list[str]:
    low, high = figures.interval
    return [
        figures.arm,
        f"{100 * figures.difference:+.1f}",
        f"{100 * low:+.1f} … {100 * high:+.1f}",
        probability(figures.p),
        str(figures.table.only_first),
        str(figures.table.only_second),
        f"×{figures.slower:.2f}" if figures.slower is not None else "",
    ]


def _splits(arms: Sequence[ArmFigures], kind: str) -> bool:
    return len(arms[0].groups[kind]) > 1


def _groups(arms: Sequence[ArmFigures], kind: str) -> Iterator[str]:
    names = arms[0].groups[kind]
    rows = [
        [name, str(share.n), *(percent(_of(arm, kind, name).rate) for arm in arms)]
        for name, share in sorted(names.items(), key=lambda item: -item[1].n)
    ]
    yield from table((kind, "n", *(arm.name for arm in arms)), rows[:_MOST_GROUPS])
    if len(rows) > _MOST_GROUPS:
        yield f"… and {len(rows) - _MOST_GROUPS} more with fewer questions"


_MOST_GROUPS = 12


def _of(arm: ArmFigures, kind: str, name: str) -> Share:
    return arm.groups[kind].get(name, Share(0, 0))


def _verdicts(arms: Sequence[ArmFigures]) -> Iterator[str]:
    names = dict.fromkeys(name for arm in arms for name, _ in arm.verdicts.most_common())
    rows = [[name, *(str(arm.verdicts[name]) for arm in arms)] for name in names]
    return table(("came of it", *(arm.name for arm in arms)), rows)


def changed(changes: Iterable[Change]) -> str:
    """What to say of a baseline."""
    lines = []
    for change in changes:
        state = "worse than" if change.is_worse else "no worse than"
        lines.append(
            f"{change.arm}: {state} the baseline on {change.n} questions:"
            f" {percent(change.before)} before, {percent(change.now)} now"
        )
        lines += [f"  fails now: {question}" for question in change.broken]
        lines += [f"  passes now: {question}" for question in change.mended]
    return "\n".join(lines)


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """Lines with columns below one another; the first is to the left, numbers to the right.

    Columns in which no row has anything are left out.
    """
    places = [at for at in range(len(head)) if at == 0 or any(row[at] for row in rows)]
    every = [[line[at] for at in places] for line in (head, *rows)]
    widths = [max(map(_width, column)) for column in zip(*every, strict=True)]
    for line in every:
        cells = [
            text + _gap(text, width) if at == 0 else _gap(text, width) + text
            for at, (text, width) in enumerate(zip(line, widths, strict=True))
        ]
        yield "  ".join(cells).rstrip()


def percent(rate: float | None) -> str:
    return "" if rate is None else f"{100 * rate:.1f} %"


def interval(bounds: Interval) -> str:
    return f"{100 * bounds[0]:.0f} … {100 * bounds[1]:.0f}"


def seconds(value: float | None) -> str:
    return "" if value is None else f"{value:.2f} s" if value < 10 else f"{value:.0f} s"


def probability(p: float) -> str:
    return "< 0.001" if p < 0.001 else f"{p:.3f}"


def _count(number: float | None) -> str:
    return "" if number is None else f"{number:,.0f}"


def _gap(text: str, width: int) -> str:
    return " " * (width - _width(text))


def _width(text: str) -> int:
    """Columns of a terminal; a Chinese character takes two."""
    return sum(2 if unicodedata.east_asian_width(letter) in "WF" else 1 for letter in text)
