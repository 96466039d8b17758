"""Answers on disk: damaged, shared, pruned, or not possible at all."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from sqlscribe import stored_answers
from sqlscribe.stored_answers import AnswerFiles

SQL = "SELECT 'Zoë', '订单' -- \ud800"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / ".sqlscribe" / "answers"


@pytest.mark.parametrize("sql", ["SELECT 1", SQL, ""])
def test_an_answer_outlives_the_process(folder: Path, sql: str) -> None:
    AnswerFiles(folder).put("key", sql)
    assert AnswerFiles(folder).get("key") == sql
    assert AnswerFiles(folder).get("other") is None
    assert AnswerFiles(folder).remark == ""


def test_the_folder_is_not_for_git(folder: Path) -> None:
    AnswerFiles(folder).put("key", "SELECT 1")
    assert (folder.parent / ".gitignore").read_text("utf-8") == "*\n"


def test_without_a_folder_answers_live_as_long_as_the_process() -> None:
    answers = AnswerFiles(None)
    answers.put("key", "SELECT 1")
    assert answers.get("key") == "SELECT 1"
    assert AnswerFiles(None).get("key") is None
    assert answers.remark == ""


@pytest.mark.parametrize(
    "damage",
    [b"", b"{", b"\xff\xfe\x00", b"[1]", b'{"sql": 1}', b'{"other": ""}', b"[" * 100_000, b"null"],
)
def test_a_damaged_file_counts_as_no_answer_and_is_written_anew(
    folder: Path, damage: bytes
) -> None:
    folder.mkdir(parents=True)
    (folder / "key.json").write_bytes(damage)
    assert AnswerFiles(folder).get("key") is None
    AnswerFiles(folder).put("key", "SELECT 1")
    assert AnswerFiles(folder).get("key") == "SELECT 1"


def test_where_nothing_can_be_written_it_says_so_and_remembers(folder: Path) -> None:
    folder.parent.mkdir()
    folder.write_text("a file stands in the way")
    answers = AnswerFiles(folder)
    answers.put("key", "SELECT 1")
    assert answers.get("key") == "SELECT 1"
    assert "answers are not kept on disk" in answers.remark
    folder.unlink()
    answers.put("key", "SELECT 2")
    assert answers.remark == ""
    assert AnswerFiles(folder).get("key") == "SELECT 2"


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="everything is writable")
def test_a_read_only_folder_is_read(folder: Path) -> None:
    AnswerFiles(folder).put("key", "SELECT 1")
    folder.chmod(0o500)
    try:
        answers = AnswerFiles(folder)
        answers.put("other", "SELECT 2")
        assert (answers.get("key"), answers.get("other")) == ("SELECT 1", "SELECT 2")
        assert "not kept" in answers.remark
    finally:
        folder.chmod(0o700)


def test_the_oldest_answers_go_first(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stored_answers, "_KEPT", 3)
    answers = AnswerFiles(folder)
    for number in range(5):
        answers.put(f"key{number}", f"SELECT {number}")
        file = folder / f"key{number}.json"
        os.utime(file, (1_600_000_000 + number, 1_600_000_000 + number))
    assert sorted(file.name for file in folder.glob("*.json")) == [
        "key2.json", "key3.json", "key4.json",
    ]  # fmt: skip
    for kept in (answers, AnswerFiles(folder)):
        assert [kept.get(f"key{n}") is not None for n in range(5)] == [False] * 2 + [True] * 3


def test_a_folder_deleted_at_any_time_is_made_again(folder: Path) -> None:
    answers = AnswerFiles(folder)
    answers.put("one", "SELECT 1")
    for file in (*folder.iterdir(),):
        file.unlink()
    folder.rmdir()
    answers.put("two", "SELECT 2")
    assert (answers.get("one"), AnswerFiles(folder).get("two")) == ("SELECT 1", "SELECT 2")


def test_two_processes_may_write_at_once(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stored_answers, "_KEPT", 5)
    writers = [AnswerFiles(folder), AnswerFiles(folder)]

    def put(number: int) -> None:
        writers[number % 2].put(f"key{number % 12}", f"SELECT {number % 12}")

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(put, range(200)))
    assert [writer.remark for writer in writers] == ["", ""]
    assert not list(folder.glob("*.part"))
    for number in range(12):
        assert AnswerFiles(folder).get(f"key{number}") in (None, f"SELECT {number}")
    assert len(list(folder.glob("*.json"))) <= 5


def test_a_workspace_that_was_deleted_stays_deleted(tmp_path: Path) -> None:
    answers = AnswerFiles(tmp_path / "gone" / ".sqlscribe" / "answers")
    answers.put("key", "SELECT 1")
    assert not (tmp_path / "gone").exists()
    assert answers.get("key") == "SELECT 1"
    assert "not kept" in answers.remark
