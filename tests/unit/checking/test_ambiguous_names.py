"""A name that two tables of a query have: what the SELECT list says of it, by clause and dialect.

What is expected here is what PostgreSQL 15, MariaDB, SQLite and DuckDB say.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from sqlscribe.checking.check import check
from sqlscribe.notation.document import Document
from sqlscribe.schema import ddl
from sqlscribe.schema.model import Schema

DDL = "CREATE TABLE o (id int, total int, note int); CREATE TABLE i (id int, q int, note int);"
BOTH = "FROM o JOIN i ON o.id = i.id"
ENGINES = ("postgres", "mysql", "sqlite", "duckdb")


def schema(dialect: str) -> Schema:
    return ddl.replay([ddl.read(Document("o.sql", DDL), Path("o.sql"), dialect)])


def refused_by(sql: str) -> list[str]:
    """The engines that are said to find a name ambiguous."""
    return [
        dialect
        for dialect in ENGINES
        if any(f.code.startswith("name/") for f in check(sql, schema(dialect), dialect).findings)
    ]


@pytest.mark.parametrize(
    "sql",
    [
        f"SELECT o.*, i.q {BOTH} ORDER BY id",
        f"SELECT o.*, i.q {BOTH} ORDER BY note DESC, q",
        f"SELECT i.*, o.total {BOTH} ORDER BY total, i.id, id",
        f"SELECT o.total AS id {BOTH} ORDER BY id",
        f"SELECT COUNT(*) AS id {BOTH} GROUP BY o.total ORDER BY id",
        f"SELECT o.id, i.id {BOTH} ORDER BY 1",
        f"SELECT o.id AS id, i.id AS x {BOTH} ORDER BY id",
        f"SELECT o.id, i.id AS b {BOTH} GROUP BY o.id, b",
        "SELECT * FROM o JOIN i USING (id) ORDER BY id, o.note",
    ],
)
def test_names_that_every_engine_takes(sql: str) -> None:
    assert refused_by(sql) == []


@pytest.mark.parametrize(
    ("sql", "engines"),
    [
        (f"SELECT o.id AS id {BOTH} WHERE id > 1", ENGINES),
        (f"SELECT o.id AS id, id + 1 {BOTH}", ENGINES),
        (f"SELECT o.id, i.id {BOTH} ORDER BY id", ENGINES),
        (f"SELECT o.id, COUNT(*) {BOTH} GROUP BY id", ("postgres", "sqlite", "duckdb")),
        (f"SELECT o.id AS id, COUNT(*) {BOTH} GROUP BY id", ("postgres", "sqlite", "duckdb")),
        (f"SELECT MAX(o.id) AS id {BOTH} HAVING id > 1", ("postgres", "sqlite", "duckdb")),
        (
            f"SELECT o.note AS n {BOTH} GROUP BY o.id HAVING id > 1",
            ("postgres", "sqlite", "duckdb"),
        ),
        (f"SELECT o.*, i.q {BOTH} GROUP BY id", ("postgres", "sqlite", "duckdb")),
        (f"SELECT o.id {BOTH} ORDER BY id", ("sqlite",)),
        (f"SELECT o.*, i.id {BOTH} ORDER BY id", ("postgres", "mysql", "duckdb")),
        (f"SELECT * {BOTH} ORDER BY id", ("postgres", "mysql", "duckdb")),
        (f"SELECT o.id, i.id, * {BOTH} ORDER BY id", ("postgres", "mysql", "duckdb")),
        (f"SELECT o.*, i.id AS id {BOTH} ORDER BY id", ("postgres", "mysql")),
    ],
)
def test_names_that_some_engines_refuse(sql: str, engines: tuple[str, ...]) -> None:
    assert refused_by(sql) == list(engines)


def test_a_star_without_a_column_says_nothing_of_it() -> None:
    sql = "SELECT o.* EXCEPT (id), i.q FROM o JOIN i ON o.id = i.id ORDER BY id"
    (finding,) = check(sql, schema("bigquery"), "bigquery").findings
    assert finding.code == "name/ambiguous-column"
