"""Replies are kept by what was asked, and a run that was killed goes on where it was."""

import asyncio
from collections.abc import Sequence
from pathlib import Path

import pytest

from answering import FakeChat
from sqlscribe.errors import ConfigurationError, RateLimited, TimedOut
from sqlscribe.evaluation import replies
from sqlscribe.evaluation.replies import Recorded, ReplyFile, split
from sqlscribe.models.chat import Message, Reply, Usage

ASKED = (Message("system", "Write SQL."), Message("user", "how many?"))
REPLY = Reply("SELECT 1", Usage(100, 10, 80, 0.25), cut_off=True, warnings=("w",))


def ask(
    model: FakeChat, file: ReplyFile, called: str = "m", messages: Sequence[Message] = ASKED
) -> Reply:
    return asyncio.run(Recorded(model, file, called).complete(messages))


def test_the_same_is_asked_once_even_by_another_process(tmp_path: Path) -> None:
    path = tmp_path / "eval" / "replies.jsonl"
    model = FakeChat(REPLY)
    for _ in range(2):
        assert ask(model, ReplyFile(path)) == REPLY
    assert len(model.asked) == 1


def test_another_model_or_another_word_is_asked_anew(tmp_path: Path) -> None:
    file, model = ReplyFile(tmp_path / "r.jsonl"), FakeChat(REPLY)
    ask(model, file)
    ask(model, file, "another")
    ask(model, file, messages=(*ASKED[:1], Message("user", "how many ?")))
    assert len(model.asked) == 3


def test_a_fresh_run_forgets_what_was_kept(tmp_path: Path) -> None:
    path, model = tmp_path / "r.jsonl", FakeChat("old", "new")
    ask(model, ReplyFile(path))
    assert ask(model, ReplyFile(path, fresh=True)).text == "new"
    assert ask(model, ReplyFile(path)).text == "new"


def test_several_candidates_for_one_prompt_are_several_replies(tmp_path: Path) -> None:
    path = tmp_path / "r.jsonl"

    async def twice(model: FakeChat) -> list[str]:
        recorded = Recorded(model, ReplyFile(path), "m")
        return [(await recorded.complete(ASKED)).text for _ in range(2)]

    assert asyncio.run(twice(FakeChat("one", "two"))) == ["one", "two"]
    assert asyncio.run(twice(FakeChat("never asked"))) == ["one", "two"]


@pytest.mark.parametrize("rest", ['{"key": "x", "te', '{"key": "x"', "\x00", ""])
def test_a_line_cut_off_by_a_kill_costs_only_itself(tmp_path: Path, rest: str) -> None:
    path = tmp_path / "r.jsonl"
    model = FakeChat("one", "two")
    ask(model, ReplyFile(path))
    with path.open("a", encoding="utf-8") as file:
        file.write(rest)
    again = ReplyFile(path)
    assert again.remark == ""
    assert ask(model, again, "another").text == "two"
    third = ReplyFile(path)
    assert [ask(FakeChat("x"), third, called).text for called in ("m", "another")] == ["one", "two"]


@pytest.mark.parametrize("line", ["oops", "3", '{"key": 1}', "[" * 100_000])
def test_lines_that_cannot_be_read_are_told(tmp_path: Path, line: str) -> None:
    (tmp_path / "r.jsonl").write_text(f"{line}\n", "utf-8")
    assert "1 line" in ReplyFile(tmp_path / "r.jsonl").remark


def test_the_date_of_the_first_reply_stays_today(tmp_path: Path) -> None:
    path = tmp_path / "r.jsonl"
    file = ReplyFile(path)
    file.begin("2024-01-31")
    file.close()
    assert ReplyFile(path).started == "2024-01-31"


def test_a_folder_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    (tmp_path / "out").write_text("a file")
    with pytest.raises(ConfigurationError, match="out"):
        ReplyFile(tmp_path / "out" / "r.jsonl").begin("2024-01-31")


def test_a_provider_that_asks_to_slow_down_is_asked_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(replies, "_PATIENCE", (0.0, 0.0))
    path = tmp_path / "r.jsonl"
    assert ask(FakeChat(RateLimited("slow"), "SELECT 1"), ReplyFile(path)).text == "SELECT 1"
    with pytest.raises(RateLimited):
        ask(FakeChat(RateLimited("slow")), ReplyFile(path), "never")


def test_an_error_is_not_kept(tmp_path: Path) -> None:
    file = ReplyFile(tmp_path / "r.jsonl")
    recorded = Recorded(FakeChat(TimedOut("late")), file, "m")
    with pytest.raises(TimedOut):
        asyncio.run(recorded.complete(ASKED))
    assert isinstance(recorded.error, TimedOut)
    assert ask(FakeChat("SELECT 1"), file).text == "SELECT 1"


def test_marks_begin_messages_and_blank_ones_are_not_sent(tmp_path: Path) -> None:
    text = "[[user]]\none?\n[[assistant]]\nSELECT 1\n [[user]] \ntwo?"
    sent = split([Message("system", "Role."), Message("user", text)])
    assert [(message.role, message.content) for message in sent] == [
        ("system", "Role."), ("user", "one?"), ("assistant", "SELECT 1"), ("user", "two?"),
    ]  # fmt: skip
    model = FakeChat("x")
    ask(model, ReplyFile(tmp_path / "r.jsonl"), messages=(Message("system", " \n"), ASKED[1]))
    assert model.asked == [[ASKED[1]]]
