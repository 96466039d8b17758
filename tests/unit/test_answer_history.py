"""The history on disk: shared, damaged, bounded, or not possible at all."""

from __future__ import annotations

import datetime
import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from sqlscribe import answer_history
from sqlscribe.answer_history import Answered, Called, Event, History, Spent, now
from sqlscribe.models.chat import Usage
from sqlscribe.redaction import Redactor

TODAY = now().date()
USAGE = Usage(100, 10, 40, 0.002)
ANSWER = Answered(
    now().replace(microsecond=0),
    "how many customers\nlive in 'Zoë'? 订单",
    "sql",
    "model",
    "openai/x",
    usage=USAGE,
    calls=2,
    repairs=1,
    seconds={"asking": 1.25, "checking": 0.5},
    file="queries/q.sql",
    line=3,
)


def call(cost: float | None = 0.002, at: datetime.datetime | None = None) -> Called:
    return Called(at or ANSWER.at, "openai/x", Usage(100, 10, None, cost), 0.5)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / ".sqlscribe" / "history"


def events(history: History, days: int = 1) -> list[Event]:
    return list(history.read(TODAY - datetime.timedelta(days - 1), TODAY).events)


@pytest.mark.parametrize(
    "event",
    [
        ANSWER,
        replace(ANSWER, usage=Usage(), error="timed_out", outcome="failed", file="", line=0),
        call(),
        call(None),
    ],
)
def test_an_event_outlives_the_process(folder: Path, event: Event) -> None:
    History(folder).put(event)
    assert events(History(folder)) == [event]
    assert (folder.parent / ".gitignore").read_text("utf-8") == "*\n"


def test_without_a_folder_it_lives_as_long_as_the_process() -> None:
    history = History(None)
    history.put(ANSWER)
    history.put(call())
    assert events(history) == [ANSWER, call()]
    assert history.spent(TODAY) == Spent(0.002, 0.002)
    assert events(History(None)) == []


def test_keys_are_masked_and_long_questions_cut(folder: Path) -> None:
    history = History(folder)
    asked = f"why does sk-abcdefghijkl fail for hunter-the-second? {'x' * 5000}"
    history.put(replace(ANSWER, question=asked), Redactor(["hunter-the-second"]))
    text = next(folder.glob("*.jsonl")).read_text("utf-8")
    assert "sk-abcdefghijkl" not in text
    assert "hunter-the-second" not in text
    assert len(text) < 2000


DAMAGE = [
    b"\0",
    b"{",
    b"\xff\xfe\x00",
    b"[1]",
    b"null",
    b"[" * 100_000,
    b'{"kind": "call"}',
    b'{"kind": "call", "at": "2026", "model": "m", "cost": 1, "seconds": 1}',
    json.dumps({**json.loads(answer_history._line(call())), "cost": -5}).encode(),
    json.dumps({**json.loads(answer_history._line(call())), "cost": float("nan")}).encode(),
    json.dumps({**json.loads(answer_history._line(call())), "cost": True}).encode(),
    json.dumps({**json.loads(answer_history._line(call())), "kind": "other"}).encode(),
    b"x" * 3_000_000,
]


@pytest.mark.parametrize("damage", DAMAGE)
def test_damaged_lines_are_passed_over_and_counted(folder: Path, damage: bytes) -> None:
    history = History(folder)
    history.put(call())
    file = next(folder.glob("*.jsonl"))
    with file.open("ab") as out:
        out.write(damage + b"\n")
    history.put(ANSWER)
    for each in (history, History(folder)):
        kept = each.read(TODAY, TODAY)
        assert kept.events == (call(), ANSWER)
        assert kept.damaged == 1
        assert each.spent(TODAY) == Spent(0.002, 0.002)


def test_a_line_that_was_cut_off_does_not_spoil_the_next_one(folder: Path) -> None:
    History(folder).put(ANSWER)
    file = next(folder.glob("*.jsonl"))
    file.write_bytes(file.read_bytes() + answer_history._line(call())[:40])
    history = History(folder)
    assert history.spent(TODAY) == Spent()
    history.put(call())
    assert history.read(TODAY, TODAY) == answer_history.Kept((ANSWER, call()), 1)
    assert history.spent(TODAY) == Spent(0.002, 0.002)


def test_what_others_spend_is_seen_and_only_today_counts(folder: Path) -> None:
    one, other = History(folder), History(folder)
    yesterday = ANSWER.at - datetime.timedelta(1)
    for history, cost, at in (
        (one, 0.5, ANSWER.at),
        (other, 0.25, ANSWER.at),
        (one, 100, yesterday),
        (other, None, ANSWER.at),
    ):
        history.put(call(cost, at))
        history.put(ANSWER)
        assert one.spent(TODAY) == other.spent(TODAY)
    assert one.spent(TODAY) == Spent(0.75, 0.5)
    next(folder.glob(f"{TODAY}*")).unlink()
    one.put(call(0.125))
    assert one.spent(TODAY) == other.spent(TODAY) == Spent(0.125, 0.125)


def test_several_processes_may_write_at_once(folder: Path) -> None:
    program = (
        "import sys; from pathlib import Path\n"
        "from sqlscribe.answer_history import *\n"
        "history = History(Path(sys.argv[1]))\n"
        "for number in range(200):\n"
        "    history.put(Called(now(), sys.argv[2] * 50, Usage(1, 1, None, 0.5), 1.0))\n"
        "assert history.remark == '', history.remark\n"
    )
    folder.parent.mkdir()
    running = [
        subprocess.Popen([sys.executable, "-c", program, str(folder), name]) for name in "abc"
    ]
    assert [process.wait() for process in running] == [0, 0, 0]
    history = History(folder)
    kept = history.read(TODAY, now().date())
    assert (len(kept.events), kept.damaged) == (600, 0)
    # Midnight may have come meanwhile.
    days = {TODAY, now().date()}
    assert sum(history.spent(day).total for day in days) == 300


def test_where_nothing_can_be_written_it_says_so_and_remembers(folder: Path) -> None:
    folder.parent.mkdir()
    folder.write_text("a file stands in the way")
    history = History(folder)
    history.put(call())
    assert "not kept on disk" in history.remark
    assert history.spent(TODAY) == Spent(0.002, 0.002)
    folder.unlink()
    history.put(call())
    assert history.remark == ""
    assert history.spent(TODAY).total == pytest.approx(0.004)


@pytest.mark.skipif(os.name == "nt", reason="links take a privilege there")
@pytest.mark.parametrize("what", ["the folder", "the folder around", "the file"])
def test_a_link_that_a_repository_brings_along_is_not_followed(
    folder: Path, tmp_path: Path, what: str
) -> None:
    outside = tmp_path / "outside"
    (outside / "history").mkdir(parents=True)
    victim = outside / "victim.txt"
    victim.write_text("mine")
    if what == "the folder around":
        folder.parent.symlink_to(outside)
    elif what == "the folder":
        folder.parent.mkdir()
        folder.symlink_to(outside / "history")
    else:
        folder.mkdir(parents=True)
        (folder / f"{TODAY}.jsonl").symlink_to(victim)
    history = History(folder)
    history.put(ANSWER)
    assert "not kept on disk" in history.remark
    assert victim.read_text() == "mine"
    assert list((outside / "history").iterdir()) == []


def test_a_workspace_that_was_deleted_stays_deleted(tmp_path: Path) -> None:
    history = History(tmp_path / "gone" / ".sqlscribe" / "history")
    history.put(ANSWER)
    assert not (tmp_path / "gone").exists()
    assert events(history) == [ANSWER]


def test_old_days_go_by_age_and_by_size(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    days = [TODAY - datetime.timedelta(days) for days in (0, 1, 2, 3, 89, 90, 400)]
    History(folder).put(call(at=ANSWER.at))
    for day in days[1:]:
        (folder / f"{day}.jsonl").write_bytes(b"x" * 1000)
    (folder / "mine.txt").write_text("not ours")
    History(folder).put(call(at=ANSWER.at))
    kept = sorted(file.name for file in folder.iterdir())
    assert kept == sorted([*(f"{day}.jsonl" for day in days[:5]), "mine.txt"])
    monkeypatch.setattr(answer_history, "_LARGEST", 2500)
    History(folder).put(call(at=ANSWER.at))
    kept = sorted(file.name for file in folder.iterdir())
    assert kept == sorted([*(f"{day}.jsonl" for day in days[:3]), "mine.txt"])


def test_a_full_day_takes_only_what_costs(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(answer_history, "_LARGEST_DAY", 1000)
    history = History(folder)
    for _ in range(10):
        history.put(ANSWER)
    assert "is full" in history.remark
    history.put(call(None))
    size = next(folder.iterdir()).stat().st_size
    assert 1000 < size < 2000
    history.put(call())
    assert history.spent(TODAY) == Spent(0.002, 0.002)


def test_a_line_of_a_newer_version_is_read_as_far_as_it_is_understood(folder: Path) -> None:
    folder.mkdir(parents=True)
    newer = [
        {**json.loads(answer_history._line(event)), "mood": "good", "version": 9}
        for event in (ANSWER, call())
    ]
    text = "".join(f"{json.dumps(line)}\n" for line in newer)
    (folder / f"{TODAY}.jsonl").write_text(text, "utf-8")
    assert events(History(folder)) == [ANSWER, call()]


def test_the_days_that_are_asked_for_are_read(folder: Path) -> None:
    history = History(folder)
    for age in (0, 1, 2):
        history.put(replace(ANSWER, at=ANSWER.at - datetime.timedelta(age)))
    assert [len(events(history, days)) for days in (1, 2, 3, 30)] == [1, 2, 3, 3]
