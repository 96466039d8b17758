"""Answers from verified examples, with the question's own values in their places."""

from __future__ import annotations

import datetime
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
        ("top ten customers", TOP.sql),
        ("show me the top twenty customers, please", TOP.sql.replace("10", "20")),
        (
            "revenue on 2023-02-28",
            "SELECT SUM(x) FROM o WHERE at >= '2023-02-28' AND at < '2023-03-01'",
        ),
        # Not certain, or not asked before.
        ("How many customers live in Berlin?", None),
        ("How many customers died in Paris?", None),
        ("top customers", None),
        ("customers", None),
        ("", None),
    ],
)
def test_new_values_take_the_places_of_the_old_ones(question: str, sql: str | None) -> None:
    check(question, sql)


def test_a_value_of_another_column_is_not_put_in() -> None:
    known = {"Paris": ["customers.city"], "Rome": ["customers.city"], "Italy": ["c.country"]}
    check("How many customers live in Rome?", CITY.sql.replace("Paris", "Rome"), known=known)
    check("How many customers live in Italy?", None, known=known)


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        # What counts as Paris is said in the SQL alone; nobody knows it of Rome.
        ("city IN ('Paris', 'Neuilly')", None),
        ("city IN ('Neuilly', 'Paris', 'Vanves')", None),
        ("city = 'Paris' OR city = 'Neuilly'", None),
        ("city LIKE 'Paris%' OR city LIKE 'Neuilly%'", None),
        ("city IN ('Paris')", "city IN ('Rome')"),
        ("kind IN ('x', 'y') AND city = 'Paris'", "kind IN ('x', 'y') AND city = 'Rome'"),
        ("coalesce(city, 'none') = 'Paris'", "coalesce(city, 'none') = 'Rome'"),
        ("replace(city, 'Paris', 'none') = ''", "replace(city, 'Rome', 'none') = ''"),
    ],
)
def test_a_value_that_is_one_of_several_stays(condition: str, expected: str | None) -> None:
    example = Example("customers of Paris", f"SELECT name FROM customers WHERE {condition}")
    right = expected and f"SELECT name FROM customers WHERE {expected}"
    check("customers of Rome", right, (example,))
    check("customers of Paris", example.sql, (example,))


@pytest.mark.parametrize(
    ("sql", "is_filled"),
    [
        ("SELECT 'Paris' AS city, n FROM c WHERE zip LIKE '75%'", False),
        ("SELECT CASE WHEN zip > 5 THEN 'Paris' ELSE '' END AS place FROM c", False),
        ("SELECT CASE WHEN zip > 5 THEN 1 ELSE 'Paris' END FROM c", False),
        ("SELECT CASE WHEN city = 'Paris' THEN 1 END FROM c", True),
        ("SELECT n FROM c WHERE city = CAST('Paris' AS text)", True),
        ("SELECT n, city = 'Paris' AS is_there FROM c", True),
        ("SELECT n, 'Paris' AS city FROM c WHERE zip LIKE '75%'", False),
    ],
)
def test_a_value_that_is_only_a_label_stays(sql: str, is_filled: bool) -> None:
    example = Example("customers of Paris", sql, "postgres")
    check("customers of Rome", sql.replace("Paris", "Rome") if is_filled else None, (example,))


def test_the_values_of_a_list_that_are_all_named_are_all_put_in() -> None:
    both = Example("customers of Paris or Rome", "SELECT 1 FROM c WHERE city IN ('Paris', 'Rome')")
    known = (*CITIES, "Oslo")
    right = "SELECT 1 FROM c WHERE city IN ('Oslo', 'Rome')"
    check("customers of Oslo or Rome", right, (both,), known)


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


TODAY = datetime.date(2024, 3, 31)
MARCH = Example(
    "revenue in March 2023", "SELECT SUM(x) FROM o WHERE d >= '2023-03-01' AND d < '2023-04-01'"
)
TRUNCATED = Example(
    "orders last month", "SELECT COUNT(*) FROM o WHERE date_trunc('month', d) = '2023-07-01'"
)
CHINESE = Example(
    "上个月的销售额", "SELECT SUM(x) FROM o WHERE d BETWEEN '2023-05-01' AND '2023-05-31'"
)
YEARLY = Example("sales by region in 2022", "SELECT r FROM o WHERE EXTRACT(YEAR FROM d) = 2022")
SINCE = Example("users since 2023-01-01", "SELECT * FROM u WHERE d >= '2023-01-01'")
BY_ENGINE = Example("visits last week", "SELECT * FROM v WHERE w = strftime('%W', 'now') - 1")
BILLS = Example("bills in July", "SELECT * FROM b WHERE strftime('%Y-%m', d) = '2022-07'")
WRONG = Example("costs in May 2023", "SELECT * FROM c WHERE d >= '2023-03-01' AND d < '2023-04-01'")
DATED = (MARCH, TRUNCATED, CHINESE, YEARLY, SINCE, BY_ENGINE, BILLS, WRONG)


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("revenue last month", "SELECT SUM(x) FROM o WHERE d >= '2024-02-01' AND d < '2024-03-01'"),
        ("revenue this week", "SELECT SUM(x) FROM o WHERE d >= '2024-03-25' AND d < '2024-04-01'"),
        ("revenue in Q4 2023", "SELECT SUM(x) FROM o WHERE d >= '2023-10-01' AND d < '2024-01-01'"),
        (
            "revenue year to date",
            "SELECT SUM(x) FROM o WHERE d >= '2024-01-01' AND d < '2024-04-01'",
        ),
        ("orders last month", "SELECT COUNT(*) FROM o WHERE date_trunc('month', d) = '2024-02-01'"),
        (
            "orders in June 2022",
            "SELECT COUNT(*) FROM o WHERE date_trunc('month', d) = '2022-06-01'",
        ),
        ("上个月的销售额", "SELECT SUM(x) FROM o WHERE d BETWEEN '2024-02-01' AND '2024-02-29'"),
        ("今年的销售额", "SELECT SUM(x) FROM o WHERE d BETWEEN '2024-01-01' AND '2024-12-31'"),
        ("sales by region last year", "SELECT r FROM o WHERE EXTRACT(YEAR FROM d) = 2023"),
        ("users since last month", "SELECT * FROM u WHERE d >= '2024-02-01'"),
        ("visits last week", BY_ENGINE.sql),
        ("bills in August", "SELECT * FROM b WHERE strftime('%Y-%m', d) = '2023-08'"),
        # Of another length than can be written, reckoned by the engine, or no such range.
        ("orders last year", None),
        ("sales by region last month", None),
        ("users in January 2023", None),
        ("visits this week", None),
        ("costs in June 2023", None),
        ("revenue in the last 7 days", None),
        ("revenue in March 2023 and April 2023", None),
        ("revenue before March 2024", None),
    ],
)
def test_dates_in_words_are_reckoned_from_today(question: str, expected: str | None) -> None:
    found = answer(question, DATED, today=TODAY)
    assert (found.sql if isinstance(found, VerifiedAnswer) else None) == expected


def test_a_month_that_is_named_must_be_the_one_in_the_sql() -> None:
    wrong = Example("bills in July", "SELECT * FROM b WHERE strftime('%Y-%m', d) = '2022-06'")
    assert isinstance(answer("bills in August", (wrong,), today=TODAY), Declined)


def test_without_today_words_are_just_words() -> None:
    assert isinstance(answer("revenue last month", DATED), Declined)
    same = answer("orders last month", DATED)
    assert isinstance(same, VerifiedAnswer)
    assert same.sql == TRUNCATED.sql
    fixed = answer("revenue in May 2023", DATED)
    assert isinstance(fixed, VerifiedAnswer)
    assert "'2023-05-01'" in fixed.sql


def test_politeness_changes_nothing() -> None:
    for asked in ("Show me the orders of 'Jones' please", "what are orders of 'Jones'?"):
        found = answer(asked, EXAMPLES)
        assert isinstance(found, VerifiedAnswer)
        assert "'Jones'" in found.sql
    rate = Example("rate by product", "SELECT 1")
    assert isinstance(answer("return rate by product", (rate,)), Declined)
    assert isinstance(answer("list price by product", (rate,)), Declined)


@pytest.mark.parametrize(
    ("question", "theirs"),
    [
        ("US customers by revenue", "customers by revenue"),
        ("us customers by revenue", "customers by revenue"),
        ("Show US customers by revenue", "customers by revenue"),
        ("ME customers by revenue", "customers by revenue"),
        ("customers by revenue", "US customers by revenue"),
        ("hepatitis A cases per year", "hepatitis cases per year"),
        ("show me hepatitis cases per year", "hepatitis A cases per year"),
    ],
)
def test_a_short_name_is_no_politeness(question: str, theirs: str) -> None:
    assert isinstance(answer(question, (Example(theirs, "SELECT 1"),)), Declined)
    same = answer(question, (Example(question, "SELECT 1"),))
    assert isinstance(same, VerifiedAnswer)


def test_politeness_may_be_shouted() -> None:
    for asked in ("SHOW US THE CUSTOMERS BY REVENUE", "show us the customers by revenue"):
        found = answer(asked, (Example("customers by revenue", "SELECT 1"),))
        assert isinstance(found, VerifiedAnswer)


@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        # Digits, sizes, columns by their place and factors are no numbers of the question.
        ("SELECT ROUND(AVG(x), 2) FROM o WHERE d >= now() - interval '14 days'", None),
        ("SELECT CAST(AVG(x) AS numeric(10, 2)) FROM o WHERE d > now() - interval '14 d'", None),
        ("SELECT c, SUM(x) FROM o GROUP BY 1 ORDER BY 2 DESC", None),
        ("SELECT c, MAX(x), SUM(x) FROM o GROUP BY 1, 2", None),
        ("SELECT x / 2 FROM o WHERE y > 120", None),
        ("SELECT 2 * x FROM o WHERE y > 120", None),
        ("SELECT substr(n, 1, 2) FROM o", None),
        ("SELECT x FROM o WHERE age BETWEEN 2 AND 9", None),
        (
            "SELECT ROUND(AVG(x), 2) FROM o HAVING COUNT(*) > 2",
            "SELECT ROUND(AVG(x), 2) FROM o HAVING COUNT(*) > 7",
        ),
        (
            "SELECT x FROM o GROUP BY 1 LIMIT 2 /* few */",
            "SELECT x FROM o GROUP BY 1 LIMIT 7 /* few */",
        ),
        ("SELECT TOP 2 * FROM o", "SELECT TOP 7 * FROM o"),
        ("SELECT x FROM o WHERE r BETWEEN 1 AND 2", "SELECT x FROM o WHERE r BETWEEN 1 AND 7"),
        (
            "SELECT x FROM o WHERE d > now() - 2 * interval '1 day'",
            "SELECT x FROM o WHERE d > now() - 7 * interval '1 day'",
        ),
        (
            "SELECT x FROM o WHERE d > now() - interval '1 week' * 2",
            "SELECT x FROM o WHERE d > now() - interval '1 week' * 7",
        ),
        ("SELECT x FROM o WHERE ROUND(2 + x) > 5", "SELECT x FROM o WHERE ROUND(7 + x) > 5"),
    ],
)
def test_a_number_goes_only_where_one_of_a_question_may_stand(
    sql: str, expected: str | None
) -> None:
    check("things with 7 parts", expected, (Example("things with 2 parts", sql, "postgres"),))


@given(
    before=st.sampled_from(["top {} customers in {}", "orders over {} of {}", "{}个{}的订单"]),
    number=st.integers(0, 10**6),
    city=st.sampled_from(CITIES),
    new_number=st.integers(0, 10**6),
    new_city=st.sampled_from(CITIES),
)
@settings(max_examples=100, deadline=None)
def test_no_answer_has_a_value_that_nobody_named(
    before: str, number: int, city: str, new_number: int, new_city: str
) -> None:
    escaped = city.replace("'", "''")
    example = Example(
        before.format(number, city),
        f"SELECT a, 'x' FROM t WHERE c = '{escaped}' AND n > 3.5 LIMIT {number}",
    )
    question = before.format(new_number, new_city)
    found = answer(question, (example,), CITIES, today=TODAY)
    if isinstance(found, VerifiedAnswer):
        named = literals(example.sql) | {str(new_number), new_city}
        assert literals(found.sql) <= named
        # Filled with the example's own values again, it is the example's SQL again.
        back = answer(example.question, (Example(question, found.sql),), CITIES, today=TODAY)
        assert isinstance(back, Declined) or back.sql == example.sql


def literals(sql: str) -> set[str]:
    strings = {text.replace("''", "'") for text in re.findall(r"'((?:[^']|'')*)'", sql)}
    return strings | set(re.findall(r"\b\d+(?:\.\d+)?\b", re.sub(r"'(?:[^']|'')*'", "", sql)))


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
