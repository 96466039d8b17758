"""What becomes of an answer whose SQL leaves out, or makes up, what the question speaks of."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from answering import FakeChat, fenced, snapshot
from sqlscribe.answer import Answer, answer, known
from sqlscribe.knowledge.embedders import likeness
from sqlscribe.prompting.context import Request, Turn
from sqlscribe.stored_answers import AnswerFiles

GOOD = "SELECT full_name FROM customers"
WORLDLY = "How can the credibility and impact of a scientific publication be evaluated?"


async def asked(question: str, sql: str, *, regenerate: bool = False, **more: Any) -> Answer:
    """What comes of a question to a model that always says the same."""
    model = FakeChat(*[fenced(sql)] * 3)
    return await answer(Request(question), snapshot(model, **more), regenerate=regenerate)


@pytest.mark.parametrize(
    ("question", "sql", "missing"),
    [
        ("customers with a seating area", "SELECT seating_area FROM customers", "“seating”"),
        ("the elevation of customers", "SELECT c.elevation FROM customers AS c", "“elevation”"),
        ("what is the temperature?", "SELECT temperature FROM weather", "“temperature”"),
        ("the weather in Lyon", "SELECT * FROM weather WHERE city = 'Lyon'", "“weather”"),
    ],
)
async def test_a_query_that_makes_up_what_is_asked_for_is_no_answer(
    question: str, sql: str, missing: str
) -> None:
    found = await asked(question, sql)
    assert (found.outcome, found.sql, found.findings) == ("insufficient", "", ())
    assert missing in found.message
    # What was said until then has its cost all the same.
    assert (found.source, found.calls) == ("model", 2)
    draft = await asked(question, sql, regenerate=True)
    assert (draft.outcome, draft.sql) == ("sql", sql)
    assert draft.message.startswith("a draft that would not run")


@pytest.mark.parametrize(
    ("question", "sql", "rules"),
    [
        ("all names", "SELECT nme FROM customers", ""),
        ("customers who came back", "SELECT loyalty_points FROM customers", ""),
        (
            "customers with a seating area",
            "SELECT seating_area FROM customers",
            "Seating area: city.",
        ),
        ("the temperature", "SELECT degrees FROM weather WHERE kind = 'temperature'", ""),
    ],
    ids=["a near name", "not asked for", "the rules speak of it", "a text is no name"],
)
async def test_another_wrong_name_leaves_a_marked_draft(
    question: str, sql: str, rules: str
) -> None:
    found = await asked(question, sql, rules=rules)
    assert (found.outcome, found.sql) == ("sql", sql)
    assert not found.is_clean


async def test_a_refinement_that_makes_up_what_is_asked_for_leaves_what_stands() -> None:
    turns = (Turn("user", "all customers"), Turn("assistant", GOOD))
    request = Request("with their seating area", task="refine", turns=turns, sql=GOOD)
    model = FakeChat(*[fenced("SELECT full_name, seating_area FROM customers")] * 3)
    found = await answer(request, snapshot(model))
    assert (found.outcome, found.sql) == ("insufficient", "")


async def test_a_question_about_the_world_is_not_answered_by_whatever_query(
    tmp_path: Path,
) -> None:
    stored = AnswerFiles(tmp_path)
    for source in ("model", "stored"):
        found = await asked(WORLDLY, GOOD, stored=stored, likeness=likeness)
        assert (found.outcome, found.source) == ("insufficient", source)
        assert "“credibility”, “impact”, “scientific”, “publication”" in found.message
    assert known(Request(WORLDLY), snapshot(FakeChat(), stored=stored)) is None
    told = await asked(WORLDLY, GOOD, regenerate=True)
    assert (told.outcome, told.sql) == ("sql", GOOD)
    assert "“credibility”" in told.warnings[-1]
