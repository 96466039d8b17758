"""Numbers of columns that must be equal, and those of which nothing is said."""

from __future__ import annotations

from pathlib import Path

import pytest

from sqlscribe.checking.check import check
from sqlscribe.inspection import Inspector
from sqlscribe.notation import asks
from sqlscribe.notation.document import Document
from sqlscribe.schema import ddl
from sqlscribe.schema.model import Column, Schema, Table

DDL = """
CREATE TABLE boats (boat int, name varchar(20), length int);
CREATE TABLE trips (trip int, boat int);
"""


def schema(dialect: str) -> Schema:
    return ddl.replay([ddl.read(Document("b.sql", DDL), Path("b.sql"), dialect)])


def said(sql: str, dialect: str = "postgres") -> list[tuple[str, str]]:
    """The text that each finding on numbers stands on, and what it says."""
    found = check(sql, schema(dialect), dialect).findings
    return [(f.span.of(sql), f.message) for f in found if f.code == "name/column-count"]


WRONG = [
    ("INSERT INTO boats (boat, name) VALUES (1, 'a', 2)",
     "boats", "INSERT names 2 columns, but there are 3 values"),
    ("INSERT INTO boats (boat, name, length) VALUES (1, 'a')",
     "boats", "INSERT names 3 columns, but there are 2 values"),
    ("INSERT INTO boats (boat, name) VALUES (1, 'a'), (2, 'b', 3)",
     "boats", "INSERT names 2 columns, but row 2 gives 3 values"),
    ("INSERT INTO trips VALUES (1, 2, 3)",
     "trips", "trips has 2 columns, but there are 3 values"),
    ("INSERT INTO trips (trip, boat) SELECT boat FROM boats",
     "trips", "INSERT names 2 columns, but the query gives 1"),
    ("INSERT INTO trips SELECT boat, name, length FROM boats",
     "trips", "trips has 2 columns, but the query gives 3"),
    ("MERGE INTO trips t USING boats b ON t.boat = b.boat"
     " WHEN NOT MATCHED THEN INSERT (trip, boat) VALUES (1, b.boat, b.name)",
     "trip", "INSERT names 2 columns, but there are 3 values"),
    ("SELECT boat, name FROM boats UNION ALL SELECT trip FROM trips",
     "trip", "this part of UNION gives 1 column, the one before it 2"),
    ("SELECT 1 FROM boats UNION SELECT 2 FROM boats EXCEPT SELECT trip, boat FROM trips",
     "trip", "this part of EXCEPT gives 2 columns, the one before it 1"),
    ("WITH a (x, y, z) AS (SELECT boat, name FROM boats) SELECT x FROM a",
     "a", "a has 2 columns, but 3 names"),
    ("SELECT x FROM (SELECT boat FROM boats) AS a (x, y)", "a", "a has 1 column, but 2 names"),
    ("SELECT x FROM (VALUES (1, 2)) AS v (x, y, z)", "v", "v has 2 columns, but 3 names"),
    ("SELECT name FROM boats WHERE boat IN (SELECT trip, boat FROM trips)",
     "trip", "IN compares one value, but this query gives 2 columns"),
    ("SELECT boat, name FROM boats ORDER BY 1, 3", "3",
     "ORDER BY 3, but the query gives 2 columns"),
    ("SELECT name, COUNT(*) FROM boats GROUP BY 3", "3",
     "GROUP BY 3, but the query gives 2 columns"),
    ("SELECT boat FROM boats UNION SELECT trip FROM trips ORDER BY 2", "2",
     "ORDER BY 2, but the query gives 1 column"),
]  # fmt: skip


@pytest.mark.parametrize(("sql", "place", "message"), WRONG)
def test_numbers_that_do_not_fit(sql: str, place: str, message: str) -> None:
    assert said(sql) == [(place, message)]


@pytest.mark.parametrize(
    ("dialect", "sql"),
    [
        ("postgres", "INSERT INTO boats VALUES (1, 'a')"),
        ("postgres", "INSERT INTO trips (trip, boat) SELECT * FROM trips"),
        ("postgres", "INSERT INTO trips (trip, boat) SELECT b.*, 1 FROM boats b"),
        ("postgres", "INSERT INTO trips (trip, boat) VALUES ($1)"),
        ("mysql", "INSERT INTO trips (trip, boat) VALUES (?)"),
        ("mysql", "INSERT INTO trips () VALUES ()"),
        ("mysql", "INSERT INTO trips (trip, boat) VALUES ROW(1, 2), ROW(3, 4)"),
        ("mysql", "INSERT INTO trips SET trip = 1"),
        ("duckdb", "INSERT INTO trips BY NAME SELECT boat, name, length FROM boats"),
        ("duckdb", "SELECT trip FROM trips UNION BY NAME SELECT boat, name FROM boats"),
        ("clickhouse", "INSERT INTO trips (* EXCEPT (boat)) VALUES (1)"),
        ("clickhouse", "SELECT trip FROM trips WHERE boat IN (SELECT boat, name FROM boats)"),
        ("spark", "INSERT INTO trips PARTITION (boat = 1) SELECT boat FROM boats"),
        ("spark", "SELECT stack(2, 1, 'a', 2, 'b') UNION ALL SELECT boat, name FROM boats"),
        ("postgres", "SELECT * FROM trips UNION ALL SELECT boat, length FROM boats"),
        ("postgres", "SELECT :parts UNION ALL SELECT boat, length FROM boats"),
        ("postgres", "WITH a (x) AS (SELECT boat, name FROM boats) SELECT x, name FROM a"),
        ("postgres", "SELECT 1 FROM boats WHERE (boat, length) IN (SELECT trip, boat FROM trips)"),
        ("postgres", "SELECT x FROM jsonb_to_recordset('[]') AS r (x int, y int)"),
        ("bigquery", "SELECT AS STRUCT boat, name FROM boats"),
        ("postgres", "SELECT *, ROW_NUMBER() OVER (ORDER BY 5) FROM trips ORDER BY 3"),
        ("tsql", "SELECT boat FROM boats GROUP BY boat ORDER BY 1"),
        ("oracle", "INSERT ALL INTO trips (trip, boat) VALUES (boat, 1) SELECT boat FROM boats"),
        ("tsql", "INSERT INTO trips (trip, boat) EXEC list_trips"),
    ],
)  # fmt: skip
def test_numbers_that_fit_or_are_not_known(dialect: str, sql: str) -> None:
    assert said(sql, dialect) == []


def test_some_engines_want_a_name_for_each_column() -> None:
    sql = "WITH a (x) AS (SELECT boat, name FROM boats) SELECT x FROM a"
    dialects = ("sqlite", "tsql", "mysql", "postgres", "duckdb")
    assert [dialect for dialect in dialects if said(sql, dialect)] == ["sqlite", "tsql", "mysql"]


def test_a_long_row_is_not_counted() -> None:
    sql = f"INSERT INTO boats (boat, name) VALUES (1, '{'a' * 5000}')"
    assert said(sql) == []


def inspected(text: str) -> list[str]:
    script = asks.read(Document("file:///b.sql", text), "postgres")
    return [finding.code for finding in Inspector(schema("postgres")).inspect(script)]


def test_a_placeholder_of_a_template_may_stand_for_several_columns() -> None:
    sql = "SELECT {} FROM boats UNION ALL SELECT trip, boat FROM trips"
    assert inspected(sql.format("boat")) == ["name/column-count"]
    assert inspected(sql.format("{{ columns }}")) == []


def test_rows_of_tables_whose_columns_are_not_known_are_not_counted() -> None:
    sql = "INSERT INTO rows VALUES (1, 2)"
    for table in (Table("rows", ()), Table("rows", (Column("a"),), partly_understood=True)):
        assert check(sql, Schema((table,)), "postgres").findings == ()


def test_rows_are_counted_against_what_the_script_has_made() -> None:
    made = "CREATE TEMP TABLE tmp AS SELECT trip, boat FROM trips; INSERT INTO tmp VALUES ({});"
    assert inspected(made.format("1, 2")) == []
    assert inspected(made.format("1, 2, 3")) == ["name/column-count"]
