"""Renaming within a statement. ``|`` in a text is the cursor."""

import pytest

from navigating import Shop, scripted
from sqlscribe.navigation.finding import renamed, to_rename
from sqlscribe.navigation.renames import RenameError


def after(text: str, name: str, dialect: str = "postgres") -> str:
    script, offset = scripted(text, dialect)
    edits = renamed(script, offset, Shop(dialect=dialect), name)
    return script.document.changed(edits).text


@pytest.mark.parametrize(
    ("text", "name", "expected"),
    [
        ("SELECT |o.total FROM orders o WHERE o.status = 'o'", "x",
         "SELECT x.total FROM orders x WHERE x.status = 'o'"),
        ("SELECT o.total FROM orders AS |o JOIN customers c ON c.customer_id = o.customer_id", "x",
         "SELECT x.total FROM orders AS x JOIN customers c ON c.customer_id = x.customer_id"),
        ("WITH r AS (SELECT 1 AS a) SELECT r.a FROM |r", "recent",
         "WITH recent AS (SELECT 1 AS a) SELECT recent.a FROM recent"),
        ("WITH r AS (SELECT 1 AS a), q AS (SELECT * FROM r) SELECT x.a FROM q JOIN |r x ON true",
         "s",
         "WITH s AS (SELECT 1 AS a), q AS (SELECT * FROM s) SELECT x.a FROM q JOIN s x ON true"),
        ("WITH RECURSIVE |r AS (SELECT 1 AS a UNION ALL SELECT a + 1 FROM r) SELECT a FROM r", "s",
         "WITH RECURSIVE s AS (SELECT 1 AS a UNION ALL SELECT a + 1 FROM s) SELECT a FROM s"),
        ("SELECT o.total FROM orders o WHERE EXISTS (SELECT 1 FROM customers c"
         " WHERE c.customer_id = |o.customer_id)", "x",
         "SELECT x.total FROM orders x WHERE EXISTS (SELECT 1 FROM customers c"
         " WHERE c.customer_id = x.customer_id)"),
        ("SELECT |o.total FROM orders o WHERE EXISTS (SELECT 1 FROM customers o WHERE o.city = '')",
         "x",
         "SELECT x.total FROM orders x WHERE EXISTS (SELECT 1 FROM customers o WHERE o.city = '')"),
        ("SELECT count(*) AS |n FROM orders ORDER BY n", "number",
         "SELECT count(*) AS number FROM orders ORDER BY number"),
        ("WITH r AS (SELECT count(*) AS |n FROM orders) SELECT r.n, n + 1 FROM r", "m",
         "WITH r AS (SELECT count(*) AS m FROM orders) SELECT r.m, m + 1 FROM r"),
        ("SELECT |o.total FROM orders o", "the orders",
         'SELECT "the orders".total FROM orders "the orders"'),
        ("SELECT |o.total FROM orders o", '"the orders"',
         'SELECT "the orders".total FROM orders "the orders"'),
        ("SELECT |o.total FROM orders o", "select", 'SELECT "select".total FROM orders "select"'),
        ('SELECT |"my o".total FROM orders "my o"', "o", "SELECT o.total FROM orders o"),
        ("-- 😀\r\nSELECT |o.total\r\nFROM orders o; SELECT o.total FROM orders o", "x",
         "-- 😀\r\nSELECT x.total\r\nFROM orders x; SELECT o.total FROM orders o"),
        ("UPDATE orders |o SET total = 1 WHERE o.status = 'a'", "x",
         "UPDATE orders x SET total = 1 WHERE x.status = 'a'"),
        ("CREATE VIEW v AS SELECT |o.total FROM orders o", "x",
         "CREATE VIEW v AS SELECT x.total FROM orders x"),
    ],
)  # fmt: skip
def test_every_use_and_nothing_else_changes(text: str, name: str, expected: str) -> None:
    assert after(text, name) == expected


@pytest.mark.parametrize(
    ("text", "name", "dialect", "expected"),
    [
        ("SELECT |o.total FROM orders o", "a b", "mysql", "SELECT `a b`.total FROM orders `a b`"),
        ("SELECT |o.total FROM orders o", "a b", "tsql", "SELECT [a b].total FROM orders [a b]"),
        ("SELECT |o.total FROM orders o", "[a b]", "tsql", "SELECT [a b].total FROM orders [a b]"),
    ],
)
def test_a_name_is_quoted_as_the_engine_has_it(
    text: str, name: str, dialect: str, expected: str
) -> None:
    assert after(text, name, dialect) == expected


@pytest.mark.parametrize(
    ("text", "name", "reason"),
    [
        ("SELECT total FROM or|ders", "x", "table of the database"),
        ("SELECT to|tal FROM orders", "x", "column of the database"),
        ("SELECT ord|ers.total FROM orders", "x", "table of the database"),
        ("SELECT no|thing FROM orders", "x", "Only an alias or a CTE"),
        ("-- ask: all @ord|ers", "x", "Only an alias or a CTE"),
        ("SELECT |o.total FROM orders o, customers c", "c", "c already is a name"),
        ("SELECT |o.total FROM orders o, customers", "CUSTOMERS", "already is a name"),
        ("WITH r AS (SELECT 1), q AS (SELECT 2) SELECT * FROM |r, q", "q", "already is a name"),
        ("SELECT |o.total FROM orders o WHERE (", "x", "does not parse"),
        ("SELECT |o.total FROM orders o", "", "printable"),
        ("SELECT |o.total FROM orders o", "a\nb", "printable"),
        ("SELECT |o.total FROM {{ ref('x') }} o", "x", "template"),
    ],
)
def test_what_would_not_be_safe_is_refused(text: str, name: str, reason: str) -> None:
    with pytest.raises(RenameError, match=reason):
        after(text, name)


def test_a_name_that_would_catch_others_is_refused() -> None:
    # Behind its new name the alias would hide the outer source that is used inside.
    text = (
        "SELECT 1 FROM customers c WHERE EXISTS ("
        "SELECT 1 FROM orders |o WHERE o.customer_id = c.customer_id)"
    )
    with pytest.raises(RenameError):
        after(text, "c")


def test_what_can_be_renamed_is_told_before() -> None:
    script, offset = scripted("SELECT o.total FROM orders |o")
    hit = to_rename(script, offset, Shop())
    assert hit.span.of(script.document.text) == "o"


def test_the_same_name_again_changes_nothing() -> None:
    assert after("SELECT |o.total FROM orders o", "o") == "SELECT o.total FROM orders o"
