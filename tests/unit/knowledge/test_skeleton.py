"""The shape of a query, and how alike two shapes are."""

from __future__ import annotations

import pytest

from sqlscribe.knowledge.skeleton import likeness, skeleton


@pytest.mark.parametrize(
    ("sql", "shape"),
    [
        (
            "SELECT c.name FROM customers AS c WHERE c.city = 'Oslo' LIMIT 5;",
            "SELECT _ FROM _ WHERE _ = ? LIMIT ?",
        ),
        ("select Name n from [my table] t -- all", "SELECT _ FROM _"),
        ("SELECT COUNT(*), max(x) FROM a.b.c", "SELECT COUNT() * MAX() _ FROM _"),
        ("SELECT t.* FROM t ORDER BY 1 DESC", "SELECT _ FROM _ ORDER BY ? DESC"),
        ("SELECT a || b, x <> 1.5e3 FROM t", "SELECT _ || _ _ <> ? FROM _"),
        ("", ""),
    ],
)
def test_names_and_values_are_left_out(sql: str, shape: str) -> None:
    assert " ".join(skeleton(sql, "tsql")) == shape


def test_the_same_shape_is_likest() -> None:
    draft = skeleton("SELECT a, COUNT(*) FROM t GROUP BY a")
    same = skeleton("SELECT b, COUNT(*) FROM u GROUP BY b")
    near = skeleton("SELECT b, SUM(c) FROM u GROUP BY b")
    far = skeleton("SELECT * FROM u WHERE x IN (SELECT y FROM z)")
    assert likeness(draft, same) == 1.0
    assert 1.0 > likeness(draft, near) > likeness(draft, far) > 0.0
    assert likeness((), draft) == 0.0


@pytest.mark.parametrize("sql", ["(" * 100_000, "'" * 9, "\0\ud800", "SELECT " * 50_000])
def test_any_text_has_a_shape(sql: str) -> None:
    assert isinstance(skeleton(sql, "mysql"), tuple)
