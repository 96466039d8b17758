"""What would give a held-out example's answer away is left out."""

import pytest

from sqlscribe.evaluation.held_out import others
from sqlscribe.knowledge.examples import Example

ASKED = Example("How many pets are in Lyon?", "SELECT count(*) FROM pets WHERE city = 'Lyon'")


@pytest.mark.parametrize(
    ("question", "sql", "stays"),
    [
        ("How many pets are in Lyon?", "SELECT 1", False),
        ("how many pets are in lyon", "SELECT 1", False),
        ("How many pets are in 'Rome'?", "SELECT COUNT(*) FROM pets WHERE city = 'Rome' ;", False),
        ("Pets of Lyon, their number", "select count(*)\nFROM pets WHERE city = 'Lyon'", False),
        ("How many pets there are in Lyon?", "SELECT 2", False),
        ("Which owners have no pets?", "SELECT name FROM owners", True),
        ("里昂有多少只宠物？", "SELECT 3", True),
    ],
)
def test_near_duplicates_go(question: str, sql: str, stays: bool) -> None:
    other = Example(question, sql)
    assert (others(ASKED, (ASKED, other)) == (other,)) is stays
