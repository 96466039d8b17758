"""SQL of other dialects that the parser would let pass."""

from __future__ import annotations

import pytest

from sqlscribe.checking.check import check
from sqlscribe.checking.features import FUNCTIONS
from sqlscribe.notation.document import Document
from sqlscribe.notation.findings import Finding
from sqlscribe.notation.lexicon import DIALECTS
from sqlscribe.schema.model import Column, Schema, Table

SCHEMA = Schema(
    (
        Table("staff", (Column("name"), Column("city"), Column("age"), Column("born"))),
        Table("teams", (Column("team"), Column("name"))),
    ),
    functions=frozenset({"datediff"}),
)


def found(dialect: str, sql: str) -> list[Finding]:
    return [f for f in check(sql, SCHEMA, dialect).findings if f.severity == "error"]


FOREIGN = [
    ("tsql", "SELECT name FROM staff ORDER BY name LIMIT 10", "limit", "LIMIT 10"),
    ("oracle", "SELECT name FROM staff LIMIT 10", "limit", "LIMIT 10"),
    ("postgres", "SELECT name FROM staff LIMIT 5, 10", "limit-pair", "LIMIT 5, 10"),
    ("postgres", "SELECT TOP 10 name FROM staff", "top", "SELECT TOP"),
    ("sqlite", "SELECT name FROM staff FETCH FIRST 5 ROWS ONLY", "fetch-first", "FETCH FIRST"),
    ("mysql", "SELECT age::int FROM staff", "cast-operator", "::int"),
    ("bigquery", "SELECT age::int FROM staff", "cast-operator", "::int"),
    ("mysql", "SELECT name FROM staff WHERE name ILIKE 'a%'", "ilike", "ILIKE"),
    ("sqlite", "SELECT DATE_TRUNC('month', born) FROM staff", "date-trunc", "DATE_TRUNC"),
    ("postgres", "SELECT DATE_FORMAT(born, '%Y') FROM staff", "date-format", "DATE_FORMAT"),
    ("postgres", "SELECT strftime('%Y', born) FROM staff", "strftime", "strftime"),
    ("tsql", "SELECT name FROM staff WHERE born > NOW()", "now", "NOW"),
    ("postgres", "SELECT name FROM staff WHERE born > GETDATE()", "getdate", "GETDATE"),
    ("postgres", "SELECT IFNULL(name, 'x') FROM staff", "ifnull", "IFNULL"),
    ("postgres", "SELECT GROUP_CONCAT(name) FROM staff", "group-concat", "GROUP_CONCAT"),
    ("mysql", "SELECT STRING_AGG(name, ',') FROM staff", "string-agg", "STRING_AGG"),
    ("postgres", "SELECT YEAR(born) FROM staff", "year", "YEAR"),
    ("sqlite", "SELECT EXTRACT(YEAR FROM born) FROM staff", "extract", "EXTRACT"),
    ("sqlite", "SELECT name FROM staff WHERE born > date('now') - INTERVAL '7 days'",
     "interval", "INTERVAL '7 days'"),
    ("mysql", "SELECT NOW() - INTERVAL '7 days' FROM staff", "interval-text", "INTERVAL '7 days'"),
    ("postgres", "SELECT now() - INTERVAL 7 DAY FROM staff", "interval-number", "INTERVAL 7 DAY"),
    ("sqlite", "SELECT name FROM staff WHERE born > DATE '2024-01-01'",
     "date-literal", "DATE '2024-01-01'"),
    ("postgres", "SELECT name, ROW_NUMBER() OVER (ORDER BY age) AS n FROM staff QUALIFY n = 1",
     "qualify", "QUALIFY"),
    ("mysql", "SELECT DISTINCT ON (city) name FROM staff", "distinct-on", "DISTINCT"),
    ("mysql", "SELECT s.age FROM staff s FULL JOIN teams t ON s.name = t.name",
     "full-join", "FULL"),
    ("tsql", "SELECT COUNT(*) FILTER (WHERE age > 5) FROM staff", "filter", "FILTER"),
    ("postgres", "SELECT * EXCEPT (age) FROM staff", "star-except", "*"),
    ("tsql", "SELECT name FROM staff WHERE 1 = TRUE", "boolean", "TRUE"),
    ("tsql", "SELECT name FROM staff ORDER BY name NULLS LAST", "nulls-order", "NULLS LAST"),
    ("postgres", "SELECT name FROM staff WHERE age == 5", "double-equals", "=="),
    ("postgres", "SELECT name FROM staff WHERE name REGEXP 'a'", "regexp", "REGEXP"),
    ("postgres", "SELECT name FROM staff MINUS SELECT name FROM teams", "minus", "MINUS"),
    ("postgres", "SELECT name, FROM staff", "trailing-comma", ","),
    ("mysql", "SELECT name || ' ' || city FROM staff", "concat", "||"),
    ("postgres", "SELECT name + ' ' + city FROM staff", "concat", "+"),
    ("postgres", "SELECT `name` FROM staff", "quotes", "`name`"),
    ("postgres", "SELECT [name] FROM staff", "quotes", "[name]"),
    ("mysql", 'SELECT "name" FROM staff', "quotes", '"name"'),
    ("mysql", 'SELECT age FROM "staff"', "quotes", '"staff"'),
    ("spark", 'SELECT s."age" FROM staff s', "quotes", '"age"'),
    ("mysql", "SELECT name FROM staff WHERE name SIMILAR TO 'a%'", "similar-to", "SIMILAR TO"),
    ("oracle", "SELECT s.name FROM staff AS s", "table-as", "AS"),
    ("oracle", "SELECT x.name FROM teams JOIN (SELECT name FROM staff) AS x ON 1 = 1",
     "table-as", "AS"),
    ("mysql", "SELECT name FROM staff WHERE born > SYSDATETIME()", "sysdatetime", "SYSDATETIME"),
    ("oracle", "SELECT IF(age > 5, 1, 0) FROM staff", "if", "IF"),
]  # fmt: skip


@pytest.mark.parametrize(("dialect", "sql", "feature", "text"), FOREIGN)
def test_features_of_other_dialects(dialect: str, sql: str, feature: str, text: str) -> None:
    first = found(dialect, sql)[0]
    assert (first.code, first.span.of(sql)) == (f"dialect/{feature}", text)
    assert first.message.startswith(f"{dialect} ")


OWN = [
    ("postgres", "SELECT name::text || ', ' || city FROM staff WHERE name ILIKE 'a%' LIMIT 5"),
    ("postgres", "SELECT DISTINCT ON (city) now() - interval '7 days', date '2024-01-01'"
     " FROM staff ORDER BY city NULLS LAST"),
    ("postgres", "SELECT count(*) FILTER (WHERE age > 5), (ARRAY[1, 2])[1] FROM staff"),
    ("postgres", "WITH a AS (SELECT 1), month (m) AS (SELECT 2) SELECT m FROM month"),
    ("postgres", "SELECT datediff(born, born) FROM staff"),
    ("postgres", "SELECT s.left, s.year FROM (SELECT 1 AS left, 2 AS year) s"),
    ("mysql", "SELECT DATE_FORMAT(born, '%Y'), IFNULL(name, 'x'), NOW() - INTERVAL 7 DAY"
     " FROM staff WHERE city = \"name\" AND name REGEXP 'a' LIMIT 5, 10"),
    ("mysql", "SELECT name FROM staff WHERE age > 5 || city IN (\"city\", \"name\")"),
    ("sqlite", "SELECT strftime('%Y', born), `name`, [city] FROM staff WHERE age == 5 LIMIT 1"),
    ("tsql", "SELECT TOP (5) [name] + ' ' + [city], ISNULL(name, 'x'), LEN(name) FROM staff"),
    ("tsql", "SELECT geography::Point(1, 2, 4326) FROM staff"),
    ("tsql", "SELECT limit FROM (SELECT 1 AS limit) x"),
    ("oracle", "SELECT NVL(name, 'x') FROM staff WHERE born > DATE '2024-01-01' - INTERVAL '7' DAY"
     " FETCH FIRST 5 ROWS ONLY"),
    ("oracle", "SELECT name FROM staff MINUS SELECT name FROM teams"),
    ("oracle", "WITH s AS (SELECT name AS n FROM staff x) SELECT s.n FROM s"),
    ("oracle", "SELECT j.v FROM staff s, JSON_TABLE(s.name, '$' COLUMNS (v PATH '$.v')) AS j"),
    ("postgres", "SELECT s.name FROM staff AS s WHERE s.name SIMILAR TO 'a%'"),
    ("bigquery", "SELECT DATE_TRUNC(born, MONTH), [1, 2], COUNTIF(age > 5), FROM staff"
     " GROUP BY 1 QUALIFY ROW_NUMBER() OVER () = 1"),
    ("snowflake", "SELECT * EXCLUDE (age), IFF(age > 5, 1, 0) FROM staff QUALIFY 1 = 1"),
    ("duckdb", "SELECT [1, 2, 3], strftime(born, '%Y'), name::text FROM staff"),
]  # fmt: skip


@pytest.mark.parametrize(("dialect", "sql"), OWN)
def test_the_dialects_own_features(dialect: str, sql: str) -> None:
    assert [finding.message for finding in found(dialect, sql)] == []


def test_nothing_is_foreign_where_the_dialect_is_not_known() -> None:
    assert found("", "SELECT age::int, IFNULL(name, 'x') FROM staff LIMIT 5") == []


@pytest.mark.parametrize(
    ("dialect", "sql", "repaired"),
    [
        ("postgres", "SELECT `name` FROM `staff`", "SELECT name FROM staff"),
        ("postgres", "SELECT [full name] FROM [staff]", 'SELECT "full name" FROM staff'),
        ("mysql", 'SELECT "name" FROM staff', "SELECT `name` FROM staff"),
        ("mysql", 'SELECT age FROM "staff"', "SELECT age FROM staff"),
        ("oracle", "SELECT s.age FROM staff AS s", "SELECT s.age FROM staff s"),
    ],
)
def test_quotes_are_repaired(dialect: str, sql: str, repaired: str) -> None:
    edits = [e for f in found(dialect, sql) for fix in f.fixes for e in fix.edits]
    assert Document("q.sql", sql).changed(edits).text == repaired


def test_every_dialect_named_exists() -> None:
    named = {dialect for forms in FUNCTIONS.values() for dialect in forms}
    assert named <= set(DIALECTS)
