"""The history of a folder added up by day and by model, as text and as JSON."""

from __future__ import annotations

import datetime
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from sqlscribe.answer_history import Answered, Called, Event, Kept
from sqlscribe.models.chat import Usage
from sqlscribe.spending import dollars

Json = dict[str, Any]


@dataclass
class Calls:
    """Calls of a model added up. ``without_cost`` of them nobody knows the cost of."""

    number: int = 0
    usage: Usage = field(default_factory=Usage)
    without_cost: int = 0

    def add(self, call: Called) -> None:
        self.number += 1
        self.usage = self.usage.plus(call.usage)
        self.without_cost += call.usage.cost is None


@dataclass
class Totals:
    """What came of the questions of some days, and what their calls took."""

    outcomes: Counter[str] = field(default_factory=Counter)
    sources: Counter[str] = field(default_factory=Counter)
    models: dict[str, Calls] = field(default_factory=dict)

    def add(self, event: Event) -> None:
        if isinstance(event, Called):
            self.models.setdefault(event.model, Calls()).add(event)
            return
        self.outcomes[event.outcome] += 1
        if event.outcome == "sql":
            self.sources[event.source] += 1

    @property
    def calls(self) -> Calls:
        """Those of all models."""
        whole = Calls()
        for calls in self.models.values():
            whole.number += calls.number
            whole.usage = whole.usage.plus(calls.usage)
            whole.without_cost += calls.without_cost
        return whole


def total(events: Iterable[Event]) -> Totals:
    totals = Totals()
    for event in events:
        totals.add(event)
    return totals


def by_day(events: Iterable[Event]) -> dict[datetime.date, list[Event]]:
    """Events by the day of this machine, the oldest first."""
    days: dict[datetime.date, list[Event]] = {}
    for event in sorted(events, key=lambda event: event.at):
        days.setdefault(event.at.date(), []).append(event)
    return days


def as_json(kept: Kept) -> Json:
    """``{days: [{date, outcomes, sources, models, …, answers: […]}], models, damaged}``."""
    days = [
        {
            "date": day.isoformat(),
            **_totals_json(total(events)),
            "answers": [_answer_json(event) for event in events if isinstance(event, Answered)],
        }
        for day, events in by_day(kept.events).items()
    ]
    return {"days": days, "total": _totals_json(total(kept.events)), "damaged": kept.damaged}


def _totals_json(totals: Totals) -> Json:
    return {
        "outcomes": dict(totals.outcomes),
        "sources": dict(totals.sources),
        **_calls_json(totals.calls),
        "models": [{"model": name, **_calls_json(calls)} for name, calls in totals.models.items()],
    }


def _calls_json(calls: Calls) -> Json:
    return {
        "calls": calls.number,
        **_usage_json(calls.usage),
        "calls_without_cost": calls.without_cost,
    }


def _usage_json(usage: Usage) -> Json:
    return {
        "prompt_tokens": usage.prompt_tokens,
        "completion_tokens": usage.completion_tokens,
        "cached_tokens": usage.cached_tokens,
        "cost": usage.cost,
    }


def _answer_json(event: Answered) -> Json:
    return {
        "at": event.at.isoformat(timespec="seconds"),
        "question": event.question,
        "outcome": event.outcome,
        "source": event.source,
        "model": event.model or None,
        "error": event.error or None,
        **_usage_json(event.usage),
        "calls": event.calls,
        "repairs": event.repairs,
        "seconds": dict(event.seconds),
        "file": event.file or None,
        "line": event.line or None,
    }


# As text


def lines(kept: Kept) -> Iterator[str]:
    """For people: each day with its answers, and then what it and its models took."""
    days = by_day(kept.events)
    for day, events in days.items():
        yield day.isoformat()
        yield from (_answer_line(event) for event in events if isinstance(event, Answered))
        yield from _total_lines(total(events))
    if len(days) > 1:
        yield f"{len(days)} days"
        yield from _total_lines(total(kept.events))
    if not days:
        yield "nothing was asked in these days"
    if kept.damaged:
        yield f"{kept.damaged} damaged lines of the history were passed over"


def _answer_line(event: Answered) -> str:
    came = event.error or event.outcome
    if event.outcome == "sql":
        came = event.source if event.source != "model" else event.model
    parts = [f"  {event.at:%H:%M}", came, f"{sum(event.seconds.values()):.1f} s"]
    if event.calls:
        parts.append(_cost(event.usage.cost))
    if event.file:
        parts.append(f"{event.file}:{event.line}")
    return _printable("  ".join([*parts, " ".join(event.question.split())]))


def _total_lines(totals: Totals) -> Iterator[str]:
    came = [f"{number} {outcome}" for outcome, number in totals.outcomes.most_common()]
    came += [f"{number} {source}" for source, number in totals.sources.items() if source != "model"]
    yield f"  answers: {', '.join(came) or 'none'}"
    for model, calls in totals.models.items():
        yield _printable(f"  {model}: {_calls(calls)}")
    if len(totals.models) > 1:
        yield f"  all models: {_calls(totals.calls)}"


def _calls(calls: Calls) -> str:
    usage = calls.usage
    parts = [f"{calls.number} call{'' if calls.number == 1 else 's'}"]
    for name, number in (
        ("in", usage.prompt_tokens),
        ("out", usage.completion_tokens),
        ("cached", usage.cached_tokens),
    ):
        if number is not None:
            parts.append(f"{number:,} tokens {name}")
    parts.append(_cost(usage.cost))
    if usage.cost is not None and calls.without_cost:
        parts.append(f"the cost of {calls.without_cost} of them is unknown")
    return ", ".join(parts)


def _cost(cost: float | None) -> str:
    return "cost unknown" if cost is None else dollars(cost)


def _printable(text: str) -> str:
    """Without what would move the cursor of a terminal: the file may be anybody's."""
    return "".join(
        letter if letter.isprintable() else "\N{REPLACEMENT CHARACTER}" for letter in text
    )
