"""Types that an engine does not take together, or in a function."""

from __future__ import annotations

import pytest

from operand_cases import DIALECTS, cases, schema_of
from sqlscribe.checking.check import check
from sqlscribe.notation.document import Document
from sqlscribe.notation.findings import Finding

CODE = "quality/type-mismatch"


def found(sql: str, dialect: str) -> list[Finding]:
    findings = check(sql, schema_of(cases(dialect).ddl, dialect), dialect).findings
    return [finding for finding in findings if finding.code == CODE]


@pytest.mark.parametrize("dialect", DIALECTS)
def test_what_is_taken_is_not_told(dialect: str) -> None:
    told = {sql: [one.message for one in found(sql, dialect)] for sql in cases(dialect).taken}
    assert {sql: messages for sql, messages in told.items() if messages} == {}


@pytest.mark.parametrize(
    ("dialect", "wrong", "right"),
    [(dialect, *pair) for dialect in DIALECTS for pair in cases(dialect).refused],
)
def test_what_is_refused_is_told_with_its_fix(dialect: str, wrong: str, right: str) -> None:
    (finding,) = found(wrong, dialect)
    assert finding.severity == "error"
    fixed = [Document("q", wrong).changed(fix.edits).text for fix in finding.fixes]
    assert fixed == ([right] if right else [])
    if right:
        assert found(right, dialect) == []


def test_messages_say_what_a_value_is_and_what_to_write() -> None:
    (finding,) = found("SELECT id FROM orders WHERE paid = 1", "postgres")
    assert finding.message == (
        "paid is a boolean, and postgres does not compare it with a number; use TRUE"
    )
    (finding,) = found("SELECT EXTRACT(YEAR FROM code) FROM orders", "postgres")
    assert finding.message == (
        "code is a text, and postgres has no EXTRACT of it; use CAST(code AS DATE)"
    )


def test_engines_that_convert_are_left_alone() -> None:
    for dialect in ("mysql", "sqlite", "snowflake", "spark"):
        shop = schema_of("CREATE TABLE t (a int, b text, c date);", dialect)
        sql = "SELECT SUM(b) FROM t WHERE a = '5' AND c LIKE '2024%' AND b > 3 AND a"
        findings = check(sql, shop, dialect).findings
        assert [one for one in findings if one.code == CODE] == []


@pytest.mark.parametrize(
    "text", ["${x}", "$x", "{{ x }}", "{x}", "%(x)s", "%s", ":x", "@x", "&x", "&&x", "<x>", "[[x]]"]
)
def test_a_literal_that_a_program_fills_in_may_be_anything(text: str) -> None:
    conditions = (f"{name} = '{text}'" for name in ("id", "day", "paid", "ref", "meta", "tags"))
    assert found(f"SELECT id FROM orders WHERE {' AND '.join(conditions)}", "postgres") == []
    assert found("SELECT id FROM orders WHERE id = 'x'", "postgres") != []
    table = "CREATE TABLE t (kind varchar(9) CHECK (kind IN ('a', 'b')), n int);"
    filled = schema_of(table, "mysql")
    sql = f"SELECT n FROM t WHERE kind = '{text}' AND n IN ('{text}')"
    assert check(sql, filled, "mysql").findings == ()


def test_a_deep_sum_costs_no_more_than_its_length() -> None:
    sql = "SELECT " + " + ".join(["id"] * 3_000) + " FROM orders WHERE code = 5"
    assert len(found(sql, "postgres")) <= 1
