"""Queries that say the same in other words have one form, and no others do."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sqlscribe.checking.canonical import canonical


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("SELECT name FROM pets", "select  NAME\nfrom Pets; -- all"),
        ("SELECT p.name FROM pets p", "SELECT pets.name FROM pets"),
        ("SELECT name AS n FROM pets ORDER BY n", "SELECT name FROM pets ORDER BY name"),
        ("SELECT a FROM t WHERE a = 1 AND b = 2", "SELECT a FROM t WHERE 2 = b AND a = 1"),
        ("SELECT a FROM t WHERE a = 1 OR b = 2 OR c = 3",
         "SELECT a FROM t WHERE c = 3 OR a = 1 OR b = 2"),
        ("SELECT x.a, count(*) AS n FROM t AS x JOIN u AS y ON x.i = y.i GROUP BY x.a",
         "SELECT p.a, COUNT(*) FROM t p JOIN u q ON q.i = p.i GROUP BY p.a"),
    ],
)  # fmt: skip
def test_the_same_in_other_words_has_one_form(one: str, other: str) -> None:
    assert canonical(one, "postgres") == canonical(other, "postgres")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("SELECT a FROM t WHERE x = 'A'", "SELECT a FROM t WHERE x = 'a'"),
        ('SELECT "A" FROM t', 'SELECT "a" FROM t'),
        ("SELECT a FROM t WHERE a < b", "SELECT a FROM t WHERE b < a"),
        ("SELECT a, b FROM t", "SELECT b, a FROM t"),
        ("SELECT x.a FROM t x, t y", "SELECT y.a FROM t x, t y"),
        ("SELECT a FROM t ORDER BY a", "SELECT a FROM t ORDER BY a DESC"),
        ("SELECT a FROM t WHERE a AND (b OR c)", "SELECT a FROM t WHERE (a AND b) OR c"),
    ],
)
def test_what_means_something_else_has_another_form(one: str, other: str) -> None:
    assert canonical(one, "postgres") != canonical(other, "postgres")


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=60))
def test_any_text_has_some_form(text: str) -> None:
    assert isinstance(canonical(text, "mysql"), str)
    assert isinstance(canonical(f"SELECT {text} FROM t", ""), str)
