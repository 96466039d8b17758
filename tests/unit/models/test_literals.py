"""New values in the literals of a SQL text, and nowhere else."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sqlscribe.models.literals import Change, changed
from sqlscribe.notation.lexicon import Kind, scan


def check(
    sql: str, expected: str | None, *changes: tuple[str, str, str], dialect: str = ""
) -> None:
    assert changed(sql, dialect, [Change(*change) for change in changes]) == expected


@pytest.mark.parametrize(
    ("sql", "old", "new", "expected"),
    [
        ("SELECT a FROM t LIMIT 10", "10", "25", "SELECT a FROM t LIMIT 25"),
        ("SELECT a1 FROM t10 LIMIT 10", "10", "5", "SELECT a1 FROM t10 LIMIT 5"),
        ("WHERE x > 1000", "1,000", "2,500", "WHERE x > 2500"),
        ("WHERE x > 1.50", "1.5", "2.25", "WHERE x > 2.25"),
        ("LIMIT 10", "１０", "２５", "LIMIT 25"),
        ("LIMIT 10", "10", "007", "LIMIT 7"),
        ("WHERE x > 0.5", "0.5", "0.75", "WHERE x > 0.75"),
        ("date('now', '-7 days')", "7", "30", "date('now', '-30 days')"),
        ("INTERVAL '7 days'", "7", "14", "INTERVAL '14 days'"),
        ("WHERE no = '1001'", "1001", "2002", "WHERE no = '2002'"),
        ("SELECT 1 /* 10 */ LIMIT 10 -- 10", "10", "5", "SELECT 1 /* 10 */ LIMIT 5 -- 10"),
        # Which of them is meant is not certain.
        ("WHERE x > 10 LIMIT 10", "10", "5", None),
        ("date('now', '-10 days') LIMIT 10", "10", "5", None),
        ("LIMIT 20", "10", "5", None),
        ('SELECT "10" FROM t', "10", "5", None),
        ("WHERE d = $10 AND e = :10", "10", "5", None),
        # The other end of a range follows from it.
        ("WHERE y >= 2024 AND y < 2025", "2024", "2023", None),
        ("WHERE d >= '2024-01-01' AND y = 2024", "2024", "2023", None),
        ("WHERE d LIKE '2024-%'", "2024", "2023", "WHERE d LIKE '2023-%'"),
        # A count takes no fraction, and words are no numbers.
        ("LIMIT 10", "10", "2.5", None),
        ("LIMIT 10", "ten", "five", None),
        ("LIMIT 10", "10", "5; DROP TABLE t", None),
        ("WHERE x IN (E'10\\n', 10)", "10", "5", None),
    ],
)
def test_a_number_takes_the_place_of_one_number(
    sql: str, old: str, new: str, expected: str | None
) -> None:
    check(sql, expected, ("number", old, new), dialect="postgres")


@pytest.mark.parametrize(
    ("sql", "old", "new", "expected"),
    [
        ("d = '2024-01-31'", "2024-01-31", "2023-02-28", "d = '2023-02-28'"),
        ("d = DATE '2024-01-31'", "2024-01-31", "2023-02-28", "d = DATE '2023-02-28'"),
        ("d > '2024-01-31 12:00'", "2024-01-31", "2023-02-28", "d > '2023-02-28 12:00'"),
        ("m = '2024-01'", "2024-01", "2023-02", "m = '2023-02'"),
        ("d >= '2024-01-31' AND d < '2024-02-01'", "2024-01-31", "2023-02-28", None),
        ("d = '2024-01-31'", "2024-01-31", "28.02.2023", None),
        ("d = '2024-01-31'", "January 31", "February 28", None),
        ("d = '2024-01-31' OR e = '2024-01-31'", "2024-01-31", "2023-02-28", None),
    ],
)
def test_a_date_takes_the_place_of_the_only_date(
    sql: str, old: str, new: str, expected: str | None
) -> None:
    check(sql, expected, ("date", old, new))


@pytest.mark.parametrize(
    ("sql", "old", "new", "expected"),
    [
        ("city = 'Paris'", "'Paris'", "'Rome'", "city = 'Rome'"),
        ("city = 'Paris'", '"Paris"', "“Rome”", "city = 'Rome'"),
        ("city = 'Paris'", "Paris", "L'Aquila", "city = 'L''Aquila'"),
        ("city = 'L''Aquila'", "L'Aquila", "Rome", "city = 'Rome'"),
        ("city = N'Paris'", "Paris", "罗马", "city = N'罗马'"),
        ("city LIKE '%Paris%'", "Paris", "Rome", "city LIKE '%Rome%'"),
        ("city LIKE '%Paris%'", "Paris", "50%", None),
        ("lower(city) = 'paris'", "Paris", "Rome", "lower(city) = 'rome'"),
        ("lower(city) = 'paris'", "paris", "Rome", None),
        ("city = 'Paris' OR town = 'Paris'", "Paris", "Rome", None),
        ("city = 'Parisian'", "Paris", "Rome", None),
        ("city = 'Paris' -- 'Paris'", "Paris", "Rome", "city = 'Rome' -- 'Paris'"),
        ("city = 'Paris'", "Paris", "\\", None),
        ("city = 'Paris'", "Paris", "a\nb", None),
        ("city = 'Paris'", "Paris", "'; DROP TABLE t; --", "city = '''; DROP TABLE t; --'"),
    ],
)
def test_a_text_takes_the_place_of_one_whole_string(
    sql: str, old: str, new: str, expected: str | None
) -> None:
    check(sql, expected, ("text", old, new), dialect="tsql")


def test_quotes_are_escaped_as_the_dialect_has_them() -> None:
    change = ("value", "Paris", "L'Aquila")
    check("c = 'Paris'", "c = 'L\\'Aquila'", change, dialect="bigquery")
    check("c = 'Paris'", "c = 'L''Aquila'", change, dialect="mysql")


def test_several_values_are_replaced_together() -> None:
    check(
        "WHERE city = 'Paris' AND total > 100 LIMIT 10",
        "WHERE city = 'Rome' AND total > 200 LIMIT 10",
        ("number", "10", "10"),
        ("value", "Paris", "Rome"),
        ("number", "100", "200"),
    )


def test_values_may_change_their_places() -> None:
    changes = [("text", "a", "b"), ("text", "b", "a")]
    check("x = 'a' AND y = 'b'", "x = 'b' AND y = 'a'", *changes)


def test_one_value_that_is_asked_for_twice_must_stand_there_twice() -> None:
    twice = [("number", "5", "7"), ("number", "5", "7")]
    check("x > 5 AND y > 5", "x > 7 AND y > 7", *twice)
    check("x > 5", None, *twice)
    check("x > 5 AND y > 5", None, ("number", "5", "7"), ("number", "5", "5"))


def test_nothing_changes_where_no_value_does() -> None:
    sql = "SELECT 10, 10, 'x' -- as it was"
    check(sql, sql, ("number", "10", "10"), ("text", "y", "y"))
    check(sql, sql)


@given(
    new=st.one_of(st.text(max_size=12), st.text("'\\%;-/*\" $`\n0x", max_size=12)),
    kind=st.sampled_from(["number", "date", "text", "value"]),
    dialect=st.sampled_from(["", "postgres", "mysql", "bigquery", "tsql", "oracle", "snowflake"]),
)
@settings(max_examples=100, deadline=None)
def test_whatever_the_value_only_literals_differ(new: str, kind: str, dialect: str) -> None:
    old = {"number": "10", "date": "2024-01-31"}.get(kind, "Paris")
    sql = "SELECT a, 'x' FROM t WHERE c = 'Paris' AND d = '2024-01-31' AND e LIKE '%y' LIMIT 10;"
    result = changed(sql, dialect, [Change(kind, old, new)])
    if result is None:
        return
    numbers = (" LIMIT 10;", " LIMIT ")
    before, after = outline(sql, dialect), outline(result, dialect)
    assert before[:-1] == after[:-1]
    assert before[-1] == (Kind.CODE, numbers[0])
    kept, last = after[-1]
    assert kept is Kind.CODE
    assert last.startswith(numbers[1])
    assert last.removeprefix(numbers[1]).removesuffix(";").isdecimal()


def outline(sql: str, dialect: str) -> list[tuple[Kind, str]]:
    """The pieces of a text with what is inside its strings left out."""
    return [
        (kind, "" if kind is Kind.STRING else sql[start:end])
        for kind, start, end in scan(sql, dialect)
    ]
