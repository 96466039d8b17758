"""What arms answer from: the workspace, or what a question brings with it."""

import datetime
import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from evaluating import PETS, make_set
from shop import write
from sqlscribe import answer
from sqlscribe.evaluation.arms import Arm, alone
from sqlscribe.evaluation.dataset import EvalQuestion, from_examples, read_sets
from sqlscribe.evaluation.execution import Executor
from sqlscribe.evaluation.snapshots import Snapshots
from sqlscribe.prompting.context import Request

TODAY = datetime.date(2024, 1, 31)


@pytest.fixture(scope="module")
def executor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Executor]:
    with Executor(tmp_path_factory.mktemp("root")) as made:
        yield made


@pytest.fixture
def questions(tmp_path: Path) -> tuple[EvalQuestion, ...]:
    return read_sets([make_set(tmp_path / "set")])


@pytest.fixture
def pairs(tmp_path: Path) -> Path:
    items = (
        {
            "db_id": "pets",
            "question": "How many cats?",
            "sql": "SELECT 1",
            "evidence": "kind = cat",
        },
        {"db_id": "moon", "question": "How far?", "sql": "SELECT 2"},
        {"question": "Anywhere?", "sql": "SELECT 3"},
    )
    file = tmp_path / "pairs.jsonl"
    file.write_text("".join(json.dumps(item) + "\n" for item in items), "utf-8")
    return file


def test_a_question_brings_its_schema_and_the_examples_of_its_database(
    executor: Executor, questions: tuple[EvalQuestion, ...], pairs: Path, tmp_path: Path
) -> None:
    root = write(
        tmp_path / "ws", {"rules.md": "Weigh in kilos.", "a.sql": "CREATE TABLE other (x int);"}
    )
    snapshots = Snapshots(root, {}, executor, today=TODAY, examples=[pairs])
    [arm] = alone(["model.name=verified"])
    snapshot = snapshots.start(arm, questions[0], questions[0].database).snapshot
    assert [table.name for table in snapshot.schema.tables] == ["owners", "pets"]
    assert [(e.question, e.note) for e in snapshot.examples] == [
        ("How many cats?", "kind = cat"), ("Anywhere?", ""),
    ]  # fmt: skip
    assert (snapshot.rules, snapshot.dialect, snapshot.today) == (
        "Weigh in kilos.",
        "sqlite",
        TODAY,
    )
    assert snapshot.search("cats", "example", 5)
    assert not (root / ".sqlscribe" / "index.db").exists()


def test_a_database_without_a_schema_file_tells_its_schema_itself(
    executor: Executor, questions: tuple[EvalQuestion, ...], pairs: Path
) -> None:
    snapshots = Snapshots(None, {}, executor, today=TODAY, examples=[pairs])
    [arm] = alone(["model.name=verified"])
    question = replace(questions[0], schema=None, dialect="")
    snapshot = snapshots.start(arm, question, question.database).snapshot
    assert [table.name for table in snapshot.schema.tables] == ["owners", "pets"]
    assert (snapshot.dialect, len(snapshot.examples)) == ("sqlite", 2)


def test_examples_that_cannot_be_used_are_told(
    executor: Executor, questions: tuple[EvalQuestion, ...], tmp_path: Path
) -> None:
    file = tmp_path / "bad.jsonl"
    file.write_text('{"question": "x", "sql": "SELECT FROM"}\n', "utf-8")
    snapshots = Snapshots(None, {}, executor, today=TODAY, examples=[file])
    [arm] = alone(["model.name=verified"])
    assert snapshots.start(arm, questions[0], questions[0].database).snapshot.examples == ()
    [remark] = snapshots.remarks
    assert remark.startswith("pets: This example is not used: ")


def test_an_arm_may_have_no_examples_and_templates_of_its_own(
    executor: Executor, questions: tuple[EvalQuestion, ...], pairs: Path
) -> None:
    texts = {
        "ask/system.j2": (
            '{% from "eval/database.j2" import row_counts, sample_rows, distinct_values %}'
            '{{ row_counts["pets"] }} {{ sample_rows["pets"][3] | default("none") }} '
            '{{ sample_rows["pets"][0] | join("|") }} '
            '{{ distinct_values["pets.kind"] | join("|") }}'
        ),
        "ask/user.j2": "{{ question }}",
    }
    arm = replace(alone(["model.name=verified"])[0], templates=texts, examples=False, profiles=True)
    snapshots = Snapshots(None, {}, executor, today=TODAY, examples=[pairs])
    snapshot = snapshots.start(arm, questions[0], questions[0].database).snapshot
    prompt = answer.prepare(Request("How many?"), snapshot)
    assert [m.content for m in prompt.messages] == ["4 none 1|1|Rex|dog|12.5 cat|dog", "How many?"]
    assert snapshot.examples == ()
    found = {(p.table, p.column): p.values for p in snapshot.profiles}
    assert found["pets", "kind"] == ("cat", "dog")
    assert ("pets", "weight") not in found


def test_values_of_a_database_are_text_in_a_template(executor: Executor, tmp_path: Path) -> None:
    nasty = '{{ x }} {% endraw %} "quoted" \\n 客😀'
    set_ = make_set(tmp_path / "set")
    with closing(sqlite3.connect(tmp_path / "set/db/pets.sqlite")) as connection, connection:
        connection.execute("UPDATE pets SET name = ?", [nasty])
    texts = {
        "ask/system.j2": (
            '{% from "eval/database.j2" import sample_rows %}{{ sample_rows["pets"][0][2] }}'
        ),
        "ask/user.j2": "x",
    }
    arm = Arm("a", templates=texts)
    snapshots = Snapshots(None, {}, executor, today=TODAY)
    [question, *_] = read_sets([set_])
    snapshot = snapshots.start(arm, question, question.database).snapshot
    assert answer.prepare(Request("x"), snapshot).messages[0].content == nasty


def test_a_held_out_example_is_not_in_its_own_prompt(executor: Executor, tmp_path: Path) -> None:
    root = write(
        tmp_path / "ws",
        {
            "schema.sql": PETS,
            "training/a.sql": (
                "-- ask: how many pets are called 'Rex'?\n"
                "SELECT count(*) FROM pets WHERE name = 'Rex';\n"
                "\n-- ask: how many pets are called 'Tom'?\n"
                "SELECT count(*) FROM pets WHERE name = 'Tom' ;\n"
                "\n-- ask: which owners live in Lyon?\n"
                "SELECT name FROM owners WHERE city = 'Lyon';\n"
            ),
        },
    )
    snapshots = Snapshots(root, {}, executor, today=TODAY)
    [arm] = alone(["model.name=verified", "dialect=sqlite"])
    rex, tom, lyon = from_examples(snapshots.loaded(arm).examples, "")
    left = {q.id: snapshots.start(arm, q, "").snapshot.examples for q in (rex, tom, lyon)}
    assert [e.question for e in left[rex.id]] == [lyon.question]
    assert [e.question for e in left[lyon.id]] == [rex.question, tom.question]
