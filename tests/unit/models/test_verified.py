"""Answers from verified examples, with the question's own values in their places."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sqlscribe.knowledge.examples import Example
from sqlscribe.models.verified import Declined, KnownValues, VerifiedAnswer, answer
from sqlscribe.notation.lexicon import Kind, scan

TOP = Example("Top 10 customers", "SELECT name FROM customers ORDER BY total DESC LIMIT 10")
CITY = Example(
    "How many customers live in Paris?", "SELECT COUNT(*) FROM customers WHERE city = 'Paris'"
)
NAMED = Example("orders of 'Smith'", "SELECT * FROM orders WHERE name = 'Smith'")
DAY = Example("orders on 2024-01-31", "SELECT * FROM orders WHERE ordered = '2024-01-31'")
RANGE = Example(
    "revenue on 2024-01-31",
    "SELECT SUM(x) FROM o WHERE at >= '2024-01-31' AND at < '2024-02-01'",
)
WEEK = Example("订单最近7天", "SELECT * FROM orders WHERE at > date('now', '-7 days')")
EXAMPLES = (TOP, CITY, NAMED, DAY, RANGE, WEEK)
CITIES = ("Paris", "Rome", "L'Aquila")


def check(
    question: str,
    sql: str | None,
    examples: tuple[Example, ...] = EXAMPLES,
    known: KnownValues = CITIES,
) -> None:
    found = answer(question, examples, known)
    assert (found.sql if isinstance(found, VerifiedAnswer) else None) == sql


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.question)
def test_the_same_question_gets_the_same_sql(example: Example) -> None:
    check(example.question, example.sql)
    check(f"  {example.question} ? ", example.sql)


def test_letter_case_matters_in_quoted_strings_only() -> None:
    check("TOP 10 CUSTOMERS", TOP.sql)
    check("ORDERS OF 'SMITH'", "SELECT * FROM orders WHERE name = 'SMITH'")


@pytest.mark.parametrize(
    ("question", "sql"),
    [
        ("top 25 customers", "SELECT name FROM customers ORDER BY total DESC LIMIT 25"),
        (
            "how many customers live in Rome",
            "SELECT COUNT(*) FROM customers WHERE city = 'Rome'",
        ),
        (
            "How many customers live in rome?",
            "SELECT COUNT(*) FROM customers WHERE city = 'Rome'",
        ),
        (
            "How many customers live in L'Aquila?",
            "SELECT COUNT(*) FROM customers WHERE city = 'L''Aquila'",
        ),
        ("orders of 'Jones'", "SELECT * FROM orders WHERE name = 'Jones'"),
        ("orders on 2023-02-28", "SELECT * FROM orders WHERE ordered = '2023-02-28'"),
        ("订单最近30天", "SELECT * FROM orders WHERE at > date('now', '-30 days')"),
        # Not certain, or not asked before.
        ("revenue on 2023-02-28", None),
        ("How many customers live in Berlin?", None),
        ("How many customers died in Paris?", None),
        ("top ten customers", None),
        ("", None),
    ],
)
def test_new_values_take_the_places_of_the_old_ones(question: str, sql: str | None) -> None:
    check(question, sql)


def test_a_value_of_another_column_is_not_put_in() -> None:
    known = {"Paris": ["customers.city"], "Rome": ["customers.city"], "Italy": ["c.country"]}
    check("How many customers live in Rome?", CITY.sql.replace("Paris", "Rome"), known=known)
    check("How many customers live in Italy?", None, known=known)


def test_the_identical_question_is_preferred_then_one_with_a_name_then_the_first() -> None:
    first = Example("Top 10 customers", "SELECT 1 LIMIT 10")
    named = Example("Top 20 customers", "SELECT 2 LIMIT 20", verified_by="ann")
    exact = Example("Top 30 customers", "SELECT 3 LIMIT 30")
    check("top 5 customers", "SELECT 2 LIMIT 5", (first, named, exact))
    check("top 30 customers", "SELECT 3 LIMIT 30", (first, named, exact))
    check("top 5 customers", "SELECT 1 LIMIT 5", (first, exact))


def test_another_example_answers_where_the_first_cannot() -> None:
    twice = Example("Top 10 customers", "SELECT 10 LIMIT 10", verified_by="ann")
    check("top 5 customers", TOP.sql.replace("10", "5"), (twice, TOP))


def test_examples_of_another_dialect_do_not_answer() -> None:
    mysql = Example("Top 10 customers", "SELECT 1 LIMIT 10", dialect="mysql")
    assert isinstance(answer("top 10 customers", (mysql,), dialect="tsql"), Declined)
    assert isinstance(answer("top 10 customers", (mysql,), dialect="mysql"), VerifiedAnswer)
    assert isinstance(answer("top 10 customers", (mysql,)), VerifiedAnswer)


def test_a_refusal_names_the_nearest_examples() -> None:
    declined = answer("How many customers live near Paris?", EXAMPLES, CITIES)
    assert isinstance(declined, Declined)
    assert declined.nearest[0] is CITY
    assert len(declined.nearest) <= 3
    assert answer("zzz qqq", EXAMPLES, CITIES) == Declined()
    assert answer("anything", ()) == Declined()


@given(value=st.one_of(st.text(max_size=15), st.text("'\\;-\"` /*$0", max_size=15)))
@settings(max_examples=100, deadline=None)
def test_no_question_becomes_code(value: str) -> None:
    for question in (
        f"orders of '{value}'",
        f"Top {value} customers",
        f"orders on {value}",
        f"How many customers live in {value}?",
    ):
        for dialect in ("", "mysql", "bigquery", "postgres"):
            examples = tuple(
                Example(example.question, example.sql, dialect) for example in EXAMPLES
            )
            found = answer(question, examples, (*CITIES, value))
            if isinstance(found, VerifiedAnswer):
                assert code(found.sql, dialect) == code(found.example.sql, dialect)


def code(sql: str, dialect: str) -> list[str]:
    """The text outside of strings, with its numbers masked."""
    return [
        re.sub(r"\d+", "0", sql[piece.start : piece.end])
        for piece in scan(sql, dialect)
        if piece.kind is not Kind.STRING
    ]
