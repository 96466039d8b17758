"""A page to read a run on: the arms, their differences, and every question with its answers.

One file that needs no other and asks no server for anything. What comes from questions,
databases and models is text in it, never markup.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from sqlscribe import __version__
from sqlscribe.evaluation.figures import ArmFigures, PairFigures, arm_figures, pair_figures
from sqlscribe.evaluation.markup import escaped, joined
from sqlscribe.evaluation.report_questions import questions_html
from sqlscribe.evaluation.run import Run
from sqlscribe.evaluation.summary import interval, percent, probability, seconds


def html(run: Run) -> str:
    """The whole page."""
    style, script = _beside("report.css"), _beside("report.js")
    arms, pairs = arm_figures(run), pair_figures(run)
    # Nothing else may run here or be fetched, whatever somebody's data holds.
    policy = f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{_digest(script)}'"
    body = joined(
        _header(run),
        "<main>",
        _arms(arms),
        _pairs(pairs),
        _groups(arms),
        questions_html(run),
        "</main>",
        f"<footer><p>SQLScribe {escaped(__version__)}</p></footer>",
    )
    return joined(
        '<!doctype html><html lang="en"><head><meta charset="utf-8">',
        f'<meta http-equiv="Content-Security-Policy" content="{escaped(policy)}">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>Evaluation: {escaped(', '.join(arm.name for arm in arms))}</title>",
        f"<style>{style}</style></head><body>{body}<script>{script}</script></body></html>\n",
    )


def _beside(name: str) -> str:
    return Path(__file__).with_name(name).read_text("utf-8")


def _digest(script: str) -> str:
    return base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()


def _header(run: Run) -> str:
    questions = {trial.question.id: trial.question for trial in run.trials}.values()
    cannot = sum(1 for question in questions if not question.is_answerable)
    databases = len({question.db_id for question in questions})
    told = f"{len(questions)} questions on {_number(databases, 'database')}"
    if cannot:
        told += f", {cannot} of which their schema cannot answer"
    if run.skipped:
        told += f"; {len(run.skipped)} not counted"
    reference = run.arms[0]
    best = next(figures for figures in arm_figures(run) if figures.name == reference.name)
    right = f"{best.correct.count} of {best.correct.n} right" if best.correct.n else "Evaluation"
    models = dict.fromkeys(trial.model for trial in run.trials if trial.source == "model")
    return joined(
        "<header>",
        f"<h1>{escaped(reference.name)}: {escaped(right)}</h1>",
        f"<p>{escaped(told)}.</p>",
        f"<p>Model: {escaped(', '.join(models))}</p>" if models else "",
        "</header>",
    )


def _number(count: int, noun: str) -> str:
    return f"{count} {noun}{'' if count == 1 else 's'}"


def _arms(arms: Sequence[ArmFigures]) -> str:
    head = ("Arm", "Right", "Accuracy with 95 % interval", "", "Valid SQL", "Declined",
            "Recognised", "Repairs", "Tokens in / out", "Cached", "Cost",
            "Median / p90")  # fmt: skip
    return joined("<h2>Arms</h2>", _table(head, [_arm(figures) for figures in arms], wide=2))


def _arm(figures: ArmFigures) -> list[str]:
    tokens = [_count(figures.prompt_tokens), _count(figures.completion_tokens)]
    times = [seconds(figures.seconds_median), seconds(figures.seconds_p90)]
    name = f"<strong>{escaped(figures.name)}</strong>"
    if figures.description:
        name += f"<small>{escaped(figures.description)}</small>"
    return [
        name,
        f"{figures.correct.count} of {figures.correct.n}",
        _bar(figures.correct.rate, figures.correct.interval) if figures.correct.n else "",
        escaped(percent(figures.correct.rate)),
        escaped(percent(figures.valid.rate)),
        escaped(percent(figures.declined.rate)),
        f"{figures.recognised.count} of {figures.recognised.n}" if figures.recognised.n else "",
        str(figures.repairs) if figures.calls else "",
        escaped(" / ".join(filter(None, tokens))),
        escaped(percent(figures.cached)),
        f"${figures.cost:.4f}" if figures.cost is not None else "",
        escaped(" / ".join(filter(None, times))),
    ]


def _bar(rate: float | None, bounds: tuple[float, float]) -> str:
    low, high = bounds
    return (
        f'<div class="scale" role="img" aria-label="{escaped(percent(rate))},'
        f' {escaped(interval(bounds))}"><i style="width:{100 * (rate or 0):.1f}%"></i>'
        f'<b style="left:{100 * low:.1f}%;width:{100 * (high - low):.1f}%"></b></div>'
    )


def _pairs(pairs: Sequence[PairFigures]) -> str:
    if not pairs:
        return ""
    reference = pairs[0].reference
    head = (f"Against {reference}", "Difference, points", "95 % interval (Newcombe)", "",
            "p (McNemar, exact)", "Only it right", f"Only {reference} right", "Time")  # fmt: skip
    return joined(
        "<h2>Differences on the same questions</h2>",
        _table(head, [_pair(figures) for figures in pairs], wide=2),
    )


def _pair(figures: PairFigures) -> list[str]:
    low, high = figures.interval
    kind = "better" if low > 0 else "worse" if high < 0 else ""
    where = [50 + 50 * bound for bound in (low, figures.difference, high)]
    forest = (
        f'<div class="scale plain"><u style="left:50%"></u>'
        f'<b style="left:{where[0]:.1f}%;width:{where[2] - where[0]:.1f}%"></b>'
        f'<em style="left:{where[1]:.1f}%"></em></div>'
    )
    return [
        f"<strong>{escaped(figures.arm)}</strong>",
        f'<span class="{kind}">{100 * figures.difference:+.1f}</span>',
        forest,
        f"{100 * low:+.1f} … {100 * high:+.1f}",
        escaped(probability(figures.p)),
        str(figures.table.only_first),
        str(figures.table.only_second),
        f"×{figures.slower:.2f}" if figures.slower is not None else "",
    ]


def _groups(arms: Sequence[ArmFigures]) -> str:
    cards = [
        joined(f"<div><h3>By {kind}</h3>", _group(arms, kind), "</div>")
        for kind in ("language", "difficulty", "database")
        if len(arms[0].groups[kind]) > 1
    ]
    return joined("<h2>Where</h2>", '<div class="grids">', *cards, "</div>") if cards else ""


def _group(arms: Sequence[ArmFigures], kind: str) -> str:
    def cells() -> Iterator[list[str]]:
        for name, share in sorted(arms[0].groups[kind].items(), key=lambda item: -item[1].n):
            shares = [arm.groups[kind].get(name) for arm in arms]
            rates = [one.rate or 0.0 if one is not None else 0.0 for one in shares]
            heat = [
                f'<span title="{escaped(percent(rate))}">{100 * rate:.0f}</span>' for rate in rates
            ]
            yield [escaped(name), str(share.n), *heat]

    return _table((kind, "n", *(arm.name for arm in arms)), cells())


def _table(head: Sequence[str], rows: Iterable[Sequence[str]], wide: int = -1) -> str:
    """A table whose cells are markup; columns in which no row has anything are left out."""
    rows = list(rows)
    places = [at for at in range(len(head)) if any(row[at] for row in rows)]
    heads = "".join(f"<th scope=col>{escaped(head[at])}</th>" for at in places)

    def line(row: Sequence[str]) -> str:
        cells = (
            f'<td class="wide">{row[at]}</td>' if at == wide else f"<td>{row[at]}</td>"
            for at in places
        )
        return f"<tr>{''.join(cells)}</tr>"

    body = "".join(map(line, rows))
    return (
        f'<div class="card"><table><thead><tr>{heads}</tr></thead>'
        f"<tbody>{body}</tbody></table></div>"
    )


def _count(number: float | None) -> str:
    return "" if number is None else f"{number:,.0f}"
