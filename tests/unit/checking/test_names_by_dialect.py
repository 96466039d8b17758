"""Right and wrong names in each dialect, as ``names_by_dialect/`` has them.

A file begins with the DDL. The paragraphs behind it are statements, each checked alone; the
last line of a wrong one has the texts that findings stand on, in order.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from sqlscribe.checking.check import check
from sqlscribe.notation.document import Document
from sqlscribe.schema import ddl
from sqlscribe.schema.model import Schema

FOLDER = Path(__file__).parent / "names_by_dialect"
DIALECTS = sorted(path.stem for path in FOLDER.glob("*.sql"))
RIGHT = "\n\n-- Right, one to a paragraph:\n\n"
WRONG = "\n\n-- Wrong, in the names behind the arrow:\n\n"
ARROW = "\n-- -> "


@cache
def parts(dialect: str) -> tuple[Schema, list[str], list[str]]:
    text = (FOLDER / f"{dialect}.sql").read_text(encoding="utf-8").rstrip()
    head, _, statements = text.partition(RIGHT)
    right, _, wrong = statements.partition(WRONG)
    path = Path("schema.sql")
    schema = ddl.replay([ddl.read(Document(path.name, head), path, dialect)])
    return schema, right.split("\n\n"), wrong.split("\n\n") if wrong else []


def found(sql: str, dialect: str) -> list[str]:
    schema, _, _ = parts(dialect)
    return [
        finding.span.of(sql)
        for finding in check(sql, schema, dialect).findings
        if finding.code.startswith(("name/", "syntax/", "check/"))
    ]


@pytest.mark.parametrize(
    ("dialect", "sql"), [(dialect, sql) for dialect in DIALECTS for sql in parts(dialect)[1]]
)
def test_right_names_are_left_alone(dialect: str, sql: str) -> None:
    assert found(sql, dialect) == []


@pytest.mark.parametrize(
    ("dialect", "text"), [(dialect, text) for dialect in DIALECTS for text in parts(dialect)[2]]
)
def test_wrong_names_are_found_where_they_stand(dialect: str, text: str) -> None:
    sql, _, names = text.partition(ARROW)
    assert found(sql, dialect) == names.split()


def test_names_with_blanks_in_them() -> None:
    assert found("SELECT [Order Idd], Qty FROM [Order Details]", "tsql") == ["[Order Idd]"]
    # What an engine calls a column that the query does not name.
    made_up = "SELECT x.`COUNT(*)`, x.`total - 1` FROM (SELECT COUNT(*), total - 1 FROM orders) x"
    assert found(made_up, "mysql") == []


def test_a_column_called_like_a_word_of_the_engine_is_quoted_by_the_fix() -> None:
    sql = 'SELECT order FROM "Audit"'
    schema, _, _ = parts("postgres")
    (finding,) = check(sql, schema, "postgres").findings
    assert (finding.code, finding.fixes[0].preferred) == ("name/needs-quotes", True)
    assert Document("q", sql).changed(finding.fixes[0].edits).text == 'SELECT "order" FROM "Audit"'


def test_a_word_that_the_ddl_writes_without_quotes_needs_none() -> None:
    text = Document("x.sql", "CREATE TABLE plans (rule int, plan int, [file] int);")
    schema = ddl.replay([ddl.read(text, Path("x.sql"), "tsql")])
    findings = check("SELECT rule, plan, file FROM plans", schema, "tsql").findings
    assert [finding.message.partition(" ")[0] for finding in findings] == ["file"]


def test_tables_of_one_name_in_two_schemas_are_linked_by_their_whole_names() -> None:
    text = "CREATE TABLE s.a (id int, v int); CREATE TABLE h.a (id int, w int);"
    schema = ddl.replay([ddl.read(Document("x.sql", text), Path("x.sql"), "postgres")])
    sql = "SELECT s.a.v, h.a.w FROM s.a, h.a WHERE s.a.id = h.a.id"
    assert check(sql, schema, "postgres").findings == ()
