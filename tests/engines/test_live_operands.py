"""Types that are told not to go together: a real PostgreSQL and DuckDB refuse each of them.

``OPERANDS=all`` tries all statements, in about a minute, else it is one of seven.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from itertools import islice, product
from typing import Any

import pytest

from engines import postgres_server
from operand_cases import cases, schema_of
from sqlscribe.checking.check import check
from sqlscribe.notation.document import Document
from sqlscribe.notation.findings import Finding, Severity
from sqlscribe.schema.model import Schema

EVERY = 1 if os.environ.get("OPERANDS") == "all" else 7
Refusal = Callable[[str], str]
"""What an engine says against a statement; ``""`` where it takes it."""

COLUMNS = {
    "postgres": {
        "i": "integer", "n": "numeric(10,2)", "f": "double precision", "s": "text",
        "v": "varchar(10)", "b": "boolean", "d": "date", "ts": "timestamp", "tz": "timestamptz",
        "t": "time", "iv": "interval", "u": "uuid", "j": "jsonb", "a": "text[]",
    },
    "duckdb": {
        "i": "INTEGER", "n": "DECIMAL(10,2)", "f": "DOUBLE", "s": "VARCHAR", "b": "BOOLEAN",
        "d": "DATE", "ts": "TIMESTAMP", "tz": "TIMESTAMPTZ", "t": "TIME", "iv": "INTERVAL",
        "u": "UUID", "a": "VARCHAR[]",
    },
}  # fmt: skip
VALUES = ("1", "-2.5", "'5'", "'2024-01-01'", "'x'", "TRUE", "CURRENT_DATE", "i + 1", "d - d",
          "CAST(i AS DATE)", "COALESCE(n, 0)", "LOWER(s)", "(s)")  # fmt: skip
TOTALS = ("MAX(f)", "COUNT(*)", "MIN(d)")
PAIRS = ("{} = {}", "{} < {}", "{} + {}", "{} - {}", "{} * {}", "{} % {}", "COALESCE({}, {})",
         "CASE WHEN b THEN {} ELSE {} END", "{} IN ({})", "{} BETWEEN {} AND NULL",
         "CASE {} WHEN {} THEN 1 END", "b AND ({} = {})")  # fmt: skip
SINGLES = ("{} LIKE '2%'", "NOT {}", "{} OR b", "LOWER({})", "LENGTH({})", "SUM({})", "AVG({})",
           "MAX({})", "ROUND({}, 2)", "EXTRACT(YEAR FROM {})", "DATE_TRUNC('month', {})",
           "CASE WHEN {} THEN 1 END", "TRIM({})", "SUBSTR({}, 1, 2)", "SUM(DISTINCT {})",
           "ROUND(AVG({}), 1)", "{} + 7", "7 - {}", "{} / 2")  # fmt: skip


def statements(dialect: str) -> Iterator[str]:
    """Everything that is written of two values, or of one."""
    values = (*COLUMNS[dialect], *VALUES)
    # So that a total stands beside a column.
    rest = f"FROM t GROUP BY {', '.join(COLUMNS[dialect])}"
    for form, one, two in product(PAIRS, (*values, *TOTALS), (*values, *TOTALS)):
        yield f"SELECT {form.format(one, two)} {rest}"
    for one, two in product(values, values):
        yield f"SELECT {one} FROM t UNION ALL SELECT {two} FROM t"
    for form, one in product(SINGLES, values):
        yield f"SELECT {form.format(one)} {rest}"


def told(sql: str, schema: Schema, dialect: str) -> list[Finding]:
    findings = check(sql, schema, dialect).findings
    return [
        finding
        for finding in findings
        if finding.code == "quality/type-mismatch" and finding.severity is Severity.ERROR
    ]


def table_of(dialect: str) -> str:
    columns = ", ".join(f"{name} {type_}" for name, type_ in COLUMNS[dialect].items())
    return f"CREATE TABLE t ({columns});"


@contextmanager
def refusals(dialect: str, ddl_text: str) -> Iterator[Refusal]:
    """A new engine with some tables, which plans statements and runs none."""
    if dialect == "duckdb":
        duckdb = pytest.importorskip("duckdb")
        with duckdb.connect() as session:
            session.execute(ddl_text)
            yield partial(refusal, session, duckdb.Error)
        return
    psycopg = pytest.importorskip("psycopg")
    with (
        postgres_server() as url,
        psycopg.connect(url.replace("+psycopg", ""), autocommit=True) as session,
    ):
        types = "CREATE TYPE mood AS ENUM ('good', 'bad'); CREATE DOMAIN email AS text;"
        session.execute(types + ddl_text)
        yield partial(refusal, session, psycopg.Error)


def refusal(session: Any, kind: type[Exception], sql: str) -> str:
    try:
        session.execute(f"EXPLAIN {sql}")
    except kind as error:
        return str(error)
    return ""


@pytest.mark.parametrize("dialect", ["postgres", "duckdb"])
def test_the_engine_says_the_same_of_every_case(dialect: str) -> None:
    of = cases(dialect)
    with refusals(dialect, of.ddl) as refused:
        taken = [*of.taken, *(right for _, right in of.refused if right)]
        assert {sql: said for sql in taken if (said := refused(sql))} == {}
        assert [wrong for wrong, _ in of.refused if not refused(wrong)] == []


@pytest.mark.parametrize("dialect", ["postgres", "duckdb"])
def test_nothing_is_told_that_the_engine_takes(dialect: str) -> None:
    table = table_of(dialect)
    schema = schema_of(table, dialect)
    taken: list[str] = []
    mended: dict[str, str] = {}
    count = 0
    with refusals(dialect, table) as refused:
        for sql in islice(statements(dialect), None, None, EVERY):
            found = told(sql, schema, dialect)
            if not found:
                continue
            count += 1
            if not refused(sql):
                taken.append(sql)
            fixes = [fix for finding in found for fix in finding.fixes[:1] if fix.preferred]
            if len(found) == len(fixes) == 1:
                right = Document("q", sql).changed(fixes[0].edits).text
                if said := refused(right):
                    mended[right] = said
    assert (taken, mended) == ([], {})
    assert count > 500 / EVERY
