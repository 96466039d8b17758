"""The history added up, for people and for programs."""

from __future__ import annotations

import datetime
from pathlib import Path

from click.testing import CliRunner

from sqlscribe import history_totals
from sqlscribe.answer_history import Answered, Called, History, Kept, now
from sqlscribe.cli import commands
from sqlscribe.models.chat import Usage

NOON = now().replace(hour=12, minute=0, second=0, microsecond=0)
BEFORE = NOON - datetime.timedelta(1)


def called(model: str, cost: float | None, at: datetime.datetime = NOON) -> Called:
    return Called(at, model, Usage(1000, 100, None, cost), 1.0)


def answered(
    question: str, outcome: str = "sql", source: str = "model", **more: object
) -> Answered:
    values = {"at": NOON, "model": "openai/x", **more}
    return Answered(question=question, outcome=outcome, source=source, **values)  # type: ignore[arg-type]


EVENTS = (
    answered(
        "top\ncustomers \x1b[31m",
        usage=Usage(2000, 200, None, 0.5),
        calls=2,
        seconds={"asking": 1.5, "checking": 0.5},
        file="q.sql",
        line=3,
    ),
    answered("known", source="verified", model="verified"),
    answered("gone", "failed", "none", error="timed_out"),
    called("openai/x", 0.25),
    called("openai/x", 0.25),
    called("local/y", None),
    answered("earlier", at=BEFORE),
    called("openai/x", None, BEFORE),
    called("openai/x", 0.125, BEFORE),
)


def test_a_person_sees_each_day_its_answers_and_what_they_took() -> None:
    before, day = BEFORE.date().isoformat(), NOON.date().isoformat()
    assert list(history_totals.lines(Kept(EVENTS, 2))) == [
        before,
        "  12:00  openai/x  0.0 s  earlier",
        "  answers: 1 sql",
        "  openai/x: 2 calls, 2,000 tokens in, 200 tokens out, $0.125,"
        " the cost of 1 of them is unknown",
        day,
        "  12:00  openai/x  2.0 s  $0.5  q.sql:3  top customers \ufffd[31m",
        "  12:00  verified  0.0 s  known",
        "  12:00  timed_out  0.0 s  gone",
        "  answers: 2 sql, 1 failed, 1 verified",
        "  openai/x: 2 calls, 2,000 tokens in, 200 tokens out, $0.5",
        "  local/y: 1 call, 1,000 tokens in, 100 tokens out, cost unknown",
        "  all models: 3 calls, 3,000 tokens in, 300 tokens out, $0.5,"
        " the cost of 1 of them is unknown",
        "2 days",
        "  answers: 3 sql, 1 failed, 1 verified",
        "  openai/x: 4 calls, 4,000 tokens in, 400 tokens out, $0.625,"
        " the cost of 1 of them is unknown",
        "  local/y: 1 call, 1,000 tokens in, 100 tokens out, cost unknown",
        "  all models: 5 calls, 5,000 tokens in, 500 tokens out, $0.625,"
        " the cost of 2 of them is unknown",
        "2 damaged lines of the history were passed over",
    ]


def test_a_program_gets_the_same() -> None:
    data = history_totals.as_json(Kept(EVENTS, 2))
    assert [day["date"] for day in data["days"]] == [
        BEFORE.date().isoformat(),
        NOON.date().isoformat(),
    ]
    today = data["days"][1]
    assert today["outcomes"] == {"sql": 2, "failed": 1}
    assert today["sources"] == {"model": 1, "verified": 1}
    assert (today["calls"], today["cost"], today["calls_without_cost"]) == (3, 0.5, 1)
    assert [model["model"] for model in today["models"]] == ["openai/x", "local/y"]
    assert today["models"][1]["cost"] is None
    assert today["answers"][0]["question"] == "top\ncustomers \x1b[31m"
    assert today["answers"][0]["line"] == 3
    assert today["answers"][1]["file"] is None
    assert (data["total"]["cost"], data["damaged"]) == (0.625, 2)


def test_the_command_lists_the_days_that_were_asked_for(tmp_path: Path) -> None:
    history = History(tmp_path / ".sqlscribe" / "history")
    for event in EVENTS:
        history.put(event)

    def shown(*arguments: str) -> str:
        done = CliRunner().invoke(commands, ["history", "-w", str(tmp_path), *arguments])
        assert done.exit_code == 0, done.output
        return done.output

    assert "earlier" in shown()
    assert "earlier" not in shown("--days", "1")
    assert '"calls_without_cost": 2' in shown("--json")
    assert "earlier" not in shown("--days", "1", "--json")


def test_a_folder_without_a_history_says_so_and_gets_none(tmp_path: Path) -> None:
    done = CliRunner().invoke(commands, ["history", "-w", str(tmp_path)])
    assert (done.exit_code, done.output) == (0, "nothing was asked in these days\n")
    assert list(tmp_path.iterdir()) == []
