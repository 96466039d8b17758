"""Question sets from files: what they hold, and what is said of what they should not."""

import datetime
import json
from pathlib import Path
from typing import Any

import pytest

from evaluating import QUESTIONS, make_set
from sqlscribe.errors import ConfigurationError
from sqlscribe.evaluation.dataset import from_examples, read_sets
from sqlscribe.knowledge.examples import Example


def write(file: Path, *items: Any) -> Path:
    file.write_text("".join(json.dumps(item) + "\n" for item in items), "utf-8")
    return file


def test_a_set_with_its_database_and_schema(tmp_path: Path) -> None:
    count, heavy, chinese = read_sets([make_set(tmp_path)])
    assert (count.id, count.gold, count.lang) == ("count", ("SELECT count(*) FROM pets",), "en")
    assert count.database == f"sqlite:///{(tmp_path / 'db/pets.sqlite').as_posix()}"
    assert count.schema == tmp_path / "pets.sql"
    assert heavy.is_answerable
    assert chinese.lang == "zh"


def test_the_least_that_a_question_needs(tmp_path: Path) -> None:
    [asked, cannot, other] = read_sets(
        [
            write(
                tmp_path / "q.jsonl",
                {"question": "多少？", "sql": "SELECT 1", "gold_alternatives": ["SELECT 2"]},
                {"question": "The weather?", "as_of": "2024-01-31"},
                {"question": "x", "gold_sql": "SELECT 1", "id": 7, "order_matters": True},
            )
        ]
    )
    assert (asked.id, asked.lang, asked.gold) == ("q.jsonl, line 1", "zh", ("SELECT 1", "SELECT 2"))
    assert (cannot.is_answerable, cannot.as_of) == (False, datetime.date(2024, 1, 31))
    assert (other.id, other.order_matters) == ("7", True)


def test_questions_of_one_database_stand_together_and_share_what_one_knows(tmp_path: Path) -> None:
    first = make_set(tmp_path)
    second = write(
        tmp_path / "more.jsonl",
        {"id": "far", "question": "How far?", "db_id": "moon"},
        {"id": "weather", "question": "What is the weather?", "db_id": "pets"},
    )
    found = read_sets([second, first])
    assert [question.id for question in found] == ["far", "weather", "count", "heavy", "zh"]
    assert (found[1].schema, found[1].dialect) == (tmp_path / "pets.sql", "sqlite")
    assert found[0].schema is None


def test_another_dialects_gold_and_schema(tmp_path: Path) -> None:
    (tmp_path / "schema_postgres").mkdir()
    (tmp_path / "schema_postgres" / "pets.sql").write_text("CREATE TABLE pets (x int);", "utf-8")
    items = [{**QUESTIONS[0], "gold_sql_postgres": "SELECT 7"}, QUESTIONS[1]]
    [found] = read_sets(
        [make_set(tmp_path, items)], dialect="postgres", database="postgresql://h/{db_id}"
    )
    assert (found.dialect, found.gold) == ("postgres", ("SELECT 7",))
    assert found.database == "postgresql://h/pets"
    assert found.schema == tmp_path / "schema_postgres" / "pets.sql"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("{oops", "line 1: not JSON"),
        ("[]", "line 1: a question is a mapping"),
        ('{"question": "x"}\n{"question": " "}', "line 2: there is no question"),
        ('{"question": 7}', "question must be text"),
        ('{"question": "x", "dialect": "klingon"}', "no dialect 'klingon'"),
        ('{"question": "x", "as_of": "soon"}', "as_of must be a date"),
        ('{"question": "x", "schema": "none.sql"}', "no file"),
        ('{"question": "x", "db": "none.db"}', "none.db"),
        ('{"question": "x", "gold_alternatives": "SELECT 1"}', "list of texts"),
        ('{"question": "x", "id": "1"}\n{"question": "y", "id": "1"}', "two questions"),
        ("[" * 100_000, "not JSON"),
    ],
)
def test_what_cannot_be_used_is_named_by_its_line(tmp_path: Path, text: str, words: str) -> None:
    (tmp_path / "q.jsonl").write_text(text, "utf-8")
    with pytest.raises(ConfigurationError, match=r"q\.jsonl|two questions") as raised:
        read_sets([tmp_path / "q.jsonl"])
    assert words in str(raised.value)


def test_what_is_no_text_is_told(tmp_path: Path) -> None:
    (tmp_path / "q.jsonl").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(ConfigurationError, match="not UTF-8"):
        read_sets([tmp_path / "q.jsonl"])


def test_examples_as_questions() -> None:
    [found] = from_examples([Example("How many?", "SELECT 1", dialect="mysql")], "sqlite:///x")
    assert (found.question, found.gold, found.dialect) == ("How many?", ("SELECT 1",), "mysql")
    assert found.example is not None
