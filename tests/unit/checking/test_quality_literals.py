"""Literals, patterns, ranges, whole numbers, and statements that change every row."""

from __future__ import annotations

from pathlib import Path

import pytest

from sqlscribe.checking.names import check_names
from sqlscribe.checking.parsing import parsed
from sqlscribe.checking.quality import check_quality
from sqlscribe.notation.document import Document
from sqlscribe.notation.findings import Finding
from sqlscribe.schema import ddl
from sqlscribe.schema.model import Schema

TABLES = """
CREATE TABLE shipments (
    shipment_id int PRIMARY KEY, state text CHECK (state IN ('new', 'sent', 'lost')),
    city text, carrier text, code varchar(10), boxes int, pallets int, weight numeric,
    sent_on date, sent_at timestamp
);
CREATE TABLE stops (stop_id int, name text);
"""
SCHEMA = ddl.replay([ddl.read(Document("s.sql", TABLES), Path("s.sql"), "postgres")])
VALUES = {("shipments", "carrier"): ("Nord Post", "Swift", "Van & Co")}


def found(sql: str, code: str, dialect: str = "postgres") -> list[Finding]:
    parse = parsed(sql, dialect)
    findings = check_quality(parse, check_names(parse, SCHEMA).walk, VALUES)
    return [finding for finding in findings if finding.code == f"quality/{code}"]


def where(condition: str, code: str, dialect: str = "postgres") -> list[Finding]:
    return found(f"SELECT boxes FROM shipments WHERE {condition}", code, dialect)


def repaired(condition: str, code: str, dialect: str = "postgres") -> str:
    sql = f"SELECT boxes FROM shipments WHERE {condition}"
    (finding,) = found(sql, code, dialect)
    text = Document("q", sql).changed(finding.fixes[0].edits).text
    return text.removeprefix("SELECT boxes FROM shipments WHERE ")


def test_values_that_the_ddl_does_not_allow() -> None:
    (finding,) = where("state = 'send'", "unknown-value")
    assert finding.severity == "warning"
    assert finding.message == "state can only be 'new', 'sent', 'lost': 'send' finds no row"
    assert repaired("state IN ('new', 'losst')", "unknown-value") == "state IN ('new', 'lost')"
    assert repaired("state <> 'Lost'", "unknown-value") == "state <> 'lost'"
    for condition in ("state = 'sent'", "state LIKE 'x%'", "state = city", "city = 'send'"):
        assert where(condition, "unknown-value") == []
    # Letter case makes no difference there.
    assert where("state = 'Lost'", "unknown-value", "mysql") == []


def test_values_that_are_not_among_the_known_ones() -> None:
    (finding,) = where("carrier = 'nord post'", "unknown-value")
    assert finding.severity == "hint"
    assert "'Nord Post' in other letters" in finding.message
    (finding,) = where("carrier = 'Nordpost'", "unknown-value")
    assert finding.message == (
        "'Nordpost' is not among the known values of carrier: 'Nord Post', 'Swift', 'Van & Co'"
    )
    assert repaired("carrier = 'Nordpost'", "unknown-value") == "carrier = 'Nord Post'"
    assert where("carrier = 'Van & Co'", "unknown-value") == []


def test_letter_case_of_what_people_write() -> None:
    (finding,) = where("city = 'oslo'", "letter-case")
    assert finding.severity == "information"
    assert repaired("city = 'oslo'", "letter-case") == "LOWER(city) = 'oslo'"
    for condition in (
        "city = 'Oslo'", "LOWER(city) = 'oslo'", "code = 'oslo'", "city <> 'oslo'",
        "carrier = 'swift'", "state = 'sent'", "city = 'no-1'", "city = 'OSLO'",
    ):  # fmt: skip
        assert where(condition, "letter-case") == []
    for dialect in ("mysql", "tsql"):
        assert where("city = 'oslo'", "letter-case", dialect) == []


def test_setting_a_value_is_no_comparison() -> None:
    sql = "UPDATE shipments SET city = 'oslo', sent_at = '2024-01-31', code = 'A%' WHERE boxes = 1"
    for code in ("letter-case", "timestamp-equals-day", "wildcard-in-equals"):
        assert found(sql, code) == []
    assert found("UPDATE shipments SET state = 'gone' WHERE boxes = 1", "unknown-value")


def test_letter_case_where_the_schema_is_not_known() -> None:
    sql = "SELECT phone FROM elsewhere WHERE {} = 'paris'"
    parse = parsed(sql.format("city"), "postgres")
    walk = check_names(parse, Schema()).walk
    assert [f.code for f in check_quality(parse, walk)] == ["quality/letter-case"]
    assert found(sql.format("slot"), "letter-case") == []


def test_letters_that_a_function_has_changed() -> None:
    assert repaired("LOWER(city) = 'Oslo'", "changed-case") == "LOWER(city) = 'oslo'"
    assert repaired("'oslo' = UPPER(city)", "changed-case") == "'OSLO' = UPPER(city)"
    assert where("LOWER(city) = 'oslo'", "changed-case") == []
    assert where("LOWER(city) = 'Oslo'", "changed-case", "mysql") == []


def test_patterns() -> None:
    assert where("city LIKE 'Oslo'", "like-without-wildcard")
    for condition in ("city LIKE 'Os%'", "city LIKE 'Os_o'", "city ILIKE 'oslo'", "city LIKE code"):
        assert where(condition, "like-without-wildcard") == []
    assert where("city LIKE 'oslo'", "like-without-wildcard", "sqlite") == []
    assert repaired("city = 'Os%'", "wildcard-in-equals") == "city LIKE 'Os%'"
    assert where("code = '50%'", "wildcard-in-equals") == []


def test_ranges_and_contradictions() -> None:
    assert repaired("boxes BETWEEN 9 AND 5", "empty-range") == "boxes BETWEEN 5 AND 9"
    assert where("sent_on BETWEEN '2024-12-31' AND '2024-01-01'", "empty-range")
    for condition in (
        "boxes BETWEEN 5 AND 9",
        "boxes BETWEEN -5 AND 9",
        "city BETWEEN 'b' AND 'a'",
    ):
        assert where(condition, "empty-range") == []
    assert where("state = 'new' AND boxes > 3 AND state = 'sent'", "never-true")
    assert where("state <> 'new' OR state <> 'sent'", "always-true")
    for condition in (
        "state = 'new' OR state = 'sent'", "state <> 'new' AND state <> 'sent'",
        "boxes = 1 AND boxes = 1.0", "(state = 'new' AND boxes = 1) OR (state = 'sent')",
    ):  # fmt: skip
        assert where(condition, "never-true") + where(condition, "always-true") == []


def test_and_beside_or() -> None:
    assert where("state = 'new' OR state = 'sent' AND boxes > 3", "and-or")
    for condition in (
        "(state = 'new' OR state = 'sent') AND boxes > 3",
        "state = 'new' OR (state = 'sent' AND boxes > 3)",
        "state = 'new' AND boxes = 1 OR state = 'sent' AND boxes = 2",
    ):
        assert where(condition, "and-or") == []


def test_texts_and_numbers() -> None:
    assert repaired("code = 5", "type-mismatch") == "code = '5'"
    assert where("boxes = 'many'", "type-mismatch")
    for condition in ("boxes = '5'", "code = '5'", "weight > 5", "boxes IN (1, 2)"):
        assert where(condition, "type-mismatch") == []
    assert where("code = 5", "type-mismatch", "sqlite") == []


def test_days_that_there_are_not() -> None:
    for condition in (
        "sent_on = '2024-02-30'", "sent_at > '2024-13-01 10:00'",
        "sent_on BETWEEN '2024-02-01' AND '2024-02-31'", "sent_on < DATE '2023-02-29'",
    ):  # fmt: skip
        (finding,) = where(condition, "invalid-date")
        assert finding.message.startswith("there is no day 202")
    for condition in ("sent_on = '2024-02-29'", "city = '2024-02-30'", "sent_on = '0000-00-00'"):
        assert where(condition, "invalid-date") == []
    assert where("sent_on = '31/01/2024'", "date-format")
    assert where("sent_on = '31/01/2024'", "date-format", "sqlite") == []
    assert where("city = '31/01/2024'", "date-format") == []


def test_a_timestamp_is_seldom_midnight() -> None:
    assert repaired("sent_at = '2024-01-31'", "timestamp-equals-day") == (
        "sent_at >= '2024-01-31' AND sent_at < '2024-02-01'"
    )
    assert repaired("sent_at NOT BETWEEN '2024-01-01' AND '2024-01-31'", "between-timestamps") == (
        "NOT (sent_at >= '2024-01-01' AND sent_at < '2024-02-01')"
    )
    assert where("sent_on = '2024-01-31'", "timestamp-equals-day") == []
    assert where("sent_at = '2024-01-31 10:00'", "timestamp-equals-day") == []


WHOLE = [
    ("boxes / pallets", "boxes * 1.0 / pallets"),
    ("COUNT(*) / COUNT(DISTINCT city)", "COUNT(*) * 1.0 / COUNT(DISTINCT city)"),
    ("SUM(CASE WHEN state = 'lost' THEN 1 ELSE 0 END) / COUNT(*)",
     "SUM(CASE WHEN state = 'lost' THEN 1 ELSE 0 END) * 1.0 / COUNT(*)"),
    ("ROUND((boxes + pallets) / pallets, 2)", "ROUND((boxes + pallets) * 1.0 / pallets, 2)"),
    ("100 * boxes / pallets", "100 * boxes * 1.0 / pallets"),
]  # fmt: skip


@pytest.mark.parametrize("dialect", ["postgres", "sqlite", "tsql", "trino"])
@pytest.mark.parametrize(("expression", "exact"), WHOLE)
def test_whole_numbers_divided(expression: str, exact: str, dialect: str) -> None:
    sql = f"SELECT {expression} FROM shipments"
    (finding,) = found(sql, "integer-division", dialect)
    changed = Document("q", sql).changed(finding.fixes[0].edits).text
    assert changed == f"SELECT {exact} FROM shipments"
    assert found(changed, "integer-division", dialect) == []


@pytest.mark.parametrize(
    "expression",
    ["weight / boxes", "boxes / 10 * 10", "100.0 * boxes / pallets", "AVG(boxes) / 2",
     "CAST(boxes / pallets AS int)", "FLOOR(boxes / pallets)", "boxes::numeric / pallets",
     "COUNT(*) / SUM(weight)", "boxes / my_number(pallets)",
     "COUNT(*) * 100 / SUM(COUNT(*)) OVER ()", "boxes / SUM(SUM(boxes)) OVER ()",
     "boxes / SUM(pallets::bigint)"],
)  # fmt: skip
def test_divisions_that_keep_or_want_to_drop_the_fraction(expression: str) -> None:
    assert found(f"SELECT {expression} FROM shipments", "integer-division") == []


@pytest.mark.parametrize("dialect", ["mysql", "oracle", "bigquery", "snowflake", "duckdb"])
def test_engines_that_divide_exactly(dialect: str) -> None:
    assert found("SELECT boxes / pallets FROM shipments", "integer-division", dialect) == []


MONTHS = [
    ("postgres", "CURRENT_DATE - INTERVAL '1 month'"),
    ("mysql", "DATE_SUB(CURDATE(), INTERVAL 1 MONTH)"),
    ("tsql", "DATEADD(month, -1, GETDATE())"),
    ("oracle", "ADD_MONTHS(SYSDATE, -1)"),
    ("oracle", "SYSDATE - INTERVAL '1' MONTH"),
    ("bigquery", "DATE_SUB(CURRENT_DATE(), INTERVAL 1 MONTH)"),
    ("duckdb", "current_date - INTERVAL 1 MONTH"),
]


@pytest.mark.parametrize(("dialect", "step"), MONTHS)
def test_months_back_from_today(dialect: str, step: str) -> None:
    (finding,) = where(f"sent_on >= {step}", "month-step", dialect)
    assert step in finding.message


@pytest.mark.parametrize(
    ("dialect", "step"),
    [
        ("postgres", "date_trunc('month', CURRENT_DATE - INTERVAL '1 month')"),
        ("postgres", "date_trunc('month', CURRENT_DATE) - INTERVAL '1 month'"),
        ("postgres", "CURRENT_DATE - INTERVAL '7 days'"),
        ("postgres", "sent_at - INTERVAL '1 month'"),
        ("mysql", "LAST_DAY(DATE_SUB(CURDATE(), INTERVAL 1 MONTH))"),
        ("tsql", "DATEADD(day, -1, GETDATE())"),
    ],
)
def test_other_steps_are_fine(dialect: str, step: str) -> None:
    assert where(f"sent_on >= {step}", "month-step", dialect) == []


def test_changes_of_every_row() -> None:
    assert found("UPDATE shipments SET boxes = 0", "no-where")
    assert found("DELETE FROM shipments", "no-where")
    assert found("DELETE FROM shipments WHERE boxes = 0", "no-where") == []
    assert found("UPDATE shipments SET boxes = 0 WHERE boxes < 0", "no-where") == []
    assert found("UPDATE TOP (5) shipments SET boxes = 0", "no-where", "tsql") == []
    cte = "WITH few AS (SELECT TOP (5) * FROM shipments ORDER BY boxes) {}"
    assert found(cte.format("UPDATE few SET boxes = 0"), "no-where", "tsql") == []
    assert found(cte.format("DELETE FROM few"), "no-where", "tsql") == []
    assert found(cte.format("DELETE FROM shipments"), "no-where", "tsql")


@pytest.mark.parametrize(
    ("sql", "told"),
    [
        ("UPDATE shipments SET boxes = 0 FROM shipments s JOIN stops t ON t.name = s.city", True),
        ("DELETE FROM shipments USING stops AS t WHERE t.name = 'a'", True),
        ("UPDATE shipments SET boxes = 0 FROM stops AS t WHERE t.name = shipments.city", False),
        ("UPDATE shipments AS s SET boxes = 0 FROM stops AS t WHERE s.city = 'a'", False),
        ("UPDATE shipments SET boxes = 0 FROM stops AS t WHERE boxes > 5", False),
        ("UPDATE shipments SET boxes = m.n FROM (SELECT MAX(stop_id) AS n FROM stops) AS m", False),
        ("WITH m AS (SELECT 1 AS n) UPDATE shipments SET boxes = n FROM m", False),
        ("DELETE FROM shipments USING stops AS t WHERE t.name = shipments.city", False),
    ],
)
def test_changes_with_no_condition_on_what_is_changed(sql: str, told: bool) -> None:
    assert bool(found(sql, "no-where")) == told
    assert found(sql, "no-where", "tsql") == []


def test_null_in_a_list_and_in_a_subquery() -> None:
    assert where("boxes NOT IN (1, NULL)", "not-in-null")
    assert where("boxes IN (1, NULL)", "not-in-null") == []
    sql = "city <> ALL (SELECT name FROM stops)"
    assert repaired(sql, "not-in-null") == (
        "city <> ALL (SELECT name FROM stops WHERE name IS NOT NULL)"
    )
    assert where("NOT city IN (SELECT name FROM stops)", "not-in-null")
    assert where("NOT shipment_id IN (SELECT shipment_id FROM shipments)", "not-in-null") == []


def test_without_known_values_nothing_is_missing() -> None:
    parse = parsed("SELECT boxes FROM shipments WHERE carrier = 'x'", "postgres")
    assert list(check_quality(parse, check_names(parse, SCHEMA).walk)) == []
