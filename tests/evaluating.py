"""What the tests of evaluations share: a database of pets, questions on it, and made-up runs."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

from sqlscribe.evaluation.arms import Arm
from sqlscribe.evaluation.dataset import EvalQuestion
from sqlscribe.evaluation.execution import Result
from sqlscribe.evaluation.run import Gold, Run, Trial, Verdict

PETS = """
CREATE TABLE owners (owner_id INTEGER PRIMARY KEY, name TEXT NOT NULL, city TEXT);
CREATE TABLE pets (pet_id INTEGER PRIMARY KEY, owner_id INTEGER REFERENCES owners (owner_id),
  name TEXT, kind TEXT, weight REAL);
"""
ROWS = """
INSERT INTO owners VALUES (1, 'Ana', 'Lyon'), (2, 'Bo', 'Rome'), (3, 'Cy', 'Lyon');
INSERT INTO pets VALUES (1, 1, 'Rex', 'dog', 12.5), (2, 1, 'Tom', 'cat', 4.0),
  (3, 2, 'Kit', 'cat', 3.5), (4, 3, '<b>Max</b>', 'dog', NULL);
"""
QUESTIONS: tuple[dict[str, Any], ...] = (
    {"id": "count", "question": "How many pets are there?", "lang": "en",
     "gold_sql": "SELECT count(*) FROM pets", "difficulty": "easy"},
    {"id": "heavy", "question": "Which pets weigh more than 4 kilos?", "lang": "en",
     "gold_sql": "SELECT name FROM pets WHERE weight > 4", "difficulty": "easy"},
    {"id": "zh", "question": "里昂有多少位主人？", "lang": "zh", "difficulty": "hard",
     "gold_sql": "SELECT count(*) FROM owners WHERE city = 'Lyon'"},
)  # fmt: skip


def make_database(path: Path) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(PETS + ROWS)
    return path


def make_set(folder: Path, items: Sequence[Mapping[str, Any]] = QUESTIONS) -> Path:
    """A set with its database and its schema beside it; the file of the questions."""
    make_database(folder / "db" / "pets.sqlite")
    (folder / "pets.sql").write_text(PETS, "utf-8")
    common = {"db_id": "pets", "dialect": "sqlite", "db": "db/pets.sqlite", "schema": "pets.sql"}
    file = folder / "questions.jsonl"
    file.write_text("".join(json.dumps({**common, **item}) + "\n" for item in items), "utf-8")
    return file


def made_run(*arms: tuple[str, Sequence[Verdict]], **more: Any) -> Run:
    """A run in which each arm's answers to the questions q1, q2 … came to these verdicts."""
    trials = [
        made_trial(arm, f"q{number}", verdict, **more)
        for number in range(1, len(arms[0][1]) + 1)
        for arm, verdicts in arms
        for verdict in verdicts[number - 1 : number]
    ]
    golds = {trial.question.id: Gold("", _gold(trial)) for trial in trials}
    return Run(tuple(Arm(arm) for arm, _ in arms), tuple(trials), golds)


def made_trial(arm: str, name: str, verdict: Verdict, **more: Any) -> Trial:
    unanswerable = verdict in ("recognised", "not recognised")
    gold = () if unanswerable else ("SELECT 1",)
    question = EvalQuestion(name, f"What is {name}?", gold, db_id="db", lang="en")
    outcome = "insufficient" if verdict in ("no sql", "recognised") else "sql"
    return Trial(arm, question, verdict, outcome, **{"calls": 1, "seconds": 1.0, **more})


def _gold(trial: Trial) -> tuple[tuple[str, Result], ...]:
    return tuple((sql, Result(("1",), ((1,),))) for sql in trial.question.gold)
