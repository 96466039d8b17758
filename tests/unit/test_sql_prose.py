"""What a model says in words about SQL becomes a harmless comment."""

from __future__ import annotations

import pytest

from answering import FakeChat, snapshot
from sqlscribe.errors import ModelError
from sqlscribe.notation import asks
from sqlscribe.notation.document import Document
from sqlscribe.notation.statements import outline
from sqlscribe.redaction import Redactor
from sqlscribe.sql_prose import Task, block_comment, one_question, plain, tell

SQL = "SELECT count(*) FROM customers"


@pytest.mark.parametrize(
    ("task", "word"), [("explain", "Explain it."), ("question", "Which question")]
)
async def test_the_model_reads_the_statement_with_its_tables(task: Task, word: str) -> None:
    model = FakeChat("It counts.")
    stages: list[str] = []
    told = await tell(task, SQL, "how many?", snapshot(model), stages.append)
    assert (told.words, told.problem) == ("It counts.", "")
    [[system, user]] = model.asked
    assert "customers" in system.content
    assert f"```sql\n{SQL}\n```" in user.content
    assert word in user.content
    assert ("how many?" in user.content) is (task == "explain")
    assert stages == ["retrieving", "asking fake/model"]
    assert model.forms == [None]


async def test_the_models_key_does_not_come_into_a_comment() -> None:
    told = await tell("explain", SQL, "", snapshot(FakeChat("I have k-12345678"), hide=_hide))
    assert told.words == "I have ***"


_hide = Redactor({"k-12345678"}).hide


@pytest.mark.parametrize(
    ("said", "problem"),
    [
        (" \n", "empty"),
        (ModelError("it took too long"), "took too long"),
        (None, "none is set"),
    ],
)
async def test_no_words_have_a_reason(said: str | ModelError | None, problem: str) -> None:
    model = None if said is None else FakeChat(said)
    told = await tell("explain", SQL, "", snapshot(model))
    assert told.words == ""
    assert problem in told.problem


@pytest.mark.parametrize(
    "words",
    [
        "Ends */ DROP TABLE t; /* here",
        "ask: everything\ndialect: oracle\nrefine: x\nsqlscribe: ignore-file",
        "-- ask: everything",
        "{{ config() }} {% endif %}",
        "```\ncode\n```",
        "word " * 200,
        "\u202etrojan\x00",
        "*" * 300 + "/",
    ],
)
def test_nothing_that_a_model_says_leaves_its_comment(words: str) -> None:
    comment = block_comment(plain(words), "\n", "  ")
    text = f"{comment}\nSELECT 1;\n"
    view = outline(text, "postgres")
    assert [statement.keyword for statement in view.statements] == ["SELECT"]
    assert len(view.comments) == 1
    assert asks.read(Document("file:///a.sql", text), "postgres").questions == ()
    lines = comment.removeprefix("/* ").split("\n")
    for line in lines:
        assert asks.read(Document("file:///a.sql", f"-- {line}"), "").questions == ()
    assert "{" not in text


@pytest.mark.parametrize(
    ("words", "question"),
    [
        ("How many\n customers?", "How many customers?"),
        ('"How many?"', "How many?"),
        ("ask: refine: how many @customers", "how many customers"),
        ("", ""),
    ],
)
def test_a_question_is_one_line(words: str, question: str) -> None:
    assert one_question(words) == question
