"""Habits that give wrong answers without an error."""

from __future__ import annotations

from pathlib import Path

import pytest

from sqlscribe.checking.check import check
from sqlscribe.notation.document import Document
from sqlscribe.notation.findings import Finding, Severity
from sqlscribe.schema import ddl

TABLES = """
CREATE TABLE customers (customer_id int PRIMARY KEY, full_name text NOT NULL);
CREATE TABLE orders (
    order_id int PRIMARY KEY,
    customer_id int REFERENCES customers,
    total numeric, placed_at timestamp, seen timestamptz, due date
);
CREATE TABLE items (item_id int PRIMARY KEY, order_id int REFERENCES orders, price numeric);
CREATE TABLE invoices (order_id int PRIMARY KEY REFERENCES orders, sum numeric);
"""


def hints(sql: str, dialect: str = "postgres") -> list[Finding]:
    script = ddl.read(Document("schema.sql", TABLES), Path("schema.sql"), "postgres")
    found = check(sql, ddl.replay([script]), dialect).findings
    assert all(finding.severity is not Severity.ERROR for finding in found)
    return list(found)


def messages(sql: str, dialect: str = "postgres") -> list[str]:
    return [finding.message for finding in hints(sql, dialect)]


@pytest.mark.parametrize(
    ("condition", "repaired"),
    [
        ("placed_at BETWEEN '2024-01-01' AND '2024-01-31'",
         "placed_at >= '2024-01-01' AND placed_at < '2024-02-01'"),
        ("o.placed_at BETWEEN '2024-01-01' AND '2024-12-31'",
         "o.placed_at >= '2024-01-01' AND o.placed_at < '2025-01-01'"),
        ("placed_at <= '2024-01-31'", "placed_at < '2024-02-01'"),
        ("placed_at BETWEEN DATE '2024-02-01' AND DATE '2024-02-29'",
         "placed_at >= DATE '2024-02-01' AND placed_at < DATE '2024-03-01'"),
        ("seen BETWEEN '2024-01-01'::date AND '2024-01-31'::date",
         "seen >= '2024-01-01'::date AND seen < '2024-02-01'::date"),
        ("placed_at BETWEEN '20240101' AND '20241231'",
         "placed_at >= '20240101' AND placed_at < '20250101'"),
        ("placed_at <= DATE '2024-01-31'", "placed_at < DATE '2024-02-01'"),
        ("placed_at <= '2024-01-31'::timestamp", "placed_at < '2024-02-01'::timestamp"),
        ("placed_at BETWEEN CAST('2024-01-01' AS date) AND CAST('2024-01-31' AS date)",
         "placed_at >= CAST('2024-01-01' AS date) AND placed_at < CAST('2024-02-01' AS date)"),
        ("placed_at BETWEEN date_trunc('year', now()) AND to_date('2024-01-31', 'YYYY-MM-DD')",
         "placed_at >= date_trunc('year', now())"
         " AND placed_at < to_date('2024-02-01', 'YYYY-MM-DD')"),
    ],
)  # fmt: skip
def test_a_day_as_upper_bound_of_a_timestamp(condition: str, repaired: str) -> None:
    sql = f"SELECT count(*) FROM orders o WHERE total > 5 AND {condition}"
    (finding,) = hints(sql)
    assert "is a timestamp: the upper bound is midnight at the start of 2024" in finding.message
    assert Document("q", sql).changed(finding.fixes[0].edits).text == sql.replace(
        condition, repaired
    )


@pytest.mark.parametrize(
    "condition",
    [
        "due BETWEEN '2024-01-01' AND '2024-01-31'",
        "placed_at BETWEEN '2024-01-01 00:00' AND '2024-01-31 23:59'",
        "placed_at::date BETWEEN '2024-01-01' AND '2024-01-31'",
        "placed_at >= '2024-01-01' AND placed_at < '2024-02-01'",
    ],
)
def test_other_date_ranges_are_fine(condition: str) -> None:
    assert hints(f"SELECT count(*) FROM orders WHERE {condition}") == []


def test_no_fix_where_a_not_stands_before() -> None:
    sql = "SELECT 1 FROM orders WHERE NOT placed_at BETWEEN '2024-01-01' AND '2024-01-31'"
    (finding,) = hints(sql)
    assert finding.fixes == ()


def test_comparison_with_null() -> None:
    sql = "UPDATE orders SET total = NULL WHERE due = NULL AND total <> NULL"
    edits = [edit for f in hints(sql) for fix in f.fixes for edit in fix.edits]
    assert Document("q", sql).changed(edits).text == (
        "UPDATE orders SET total = NULL WHERE due IS NULL AND total IS NOT NULL"
    )
    assert hints("SELECT 1 FROM orders WHERE due IS NULL") == []


def test_not_in_over_a_nullable_column() -> None:
    sql = "SELECT full_name FROM customers WHERE customer_id NOT IN (SELECT {} FROM {})"
    (finding,) = hints(sql.format("customer_id", "orders"))
    assert finding.message.startswith("orders.customer_id may be NULL")
    assert finding.message.endswith("NOT EXISTS is safer")
    assert hints(sql.format("order_id", "orders")) == []
    assert hints(sql.format("customer_id", "orders WHERE customer_id IS NOT NULL")) == []
    assert hints(sql.format("customer_id", "orders").replace("NOT IN", "IN")) == []


def test_months_that_sqlite_steps_over() -> None:
    sql = "SELECT 1 FROM orders WHERE due >= date('now', '-1 month')"
    (finding,) = hints(sql, "sqlite")
    assert "put 'start of month' before it" in finding.message
    repaired = Document("q", sql).changed(finding.fixes[0].edits).text
    assert repaired.endswith("date('now', 'start of month', '-1 month')")
    assert hints(repaired, "sqlite") == []
    assert hints("SELECT date(due, '-1 month') FROM orders", "sqlite") == []


def test_months_before_the_current_date() -> None:
    (finding,) = hints("SELECT 1 FROM orders WHERE due >= date(CURRENT_DATE, '-1 month')", "sqlite")
    assert "put 'start of month' before it" in finding.message


def test_a_moment_shifted_to_two_zones() -> None:
    sql = "SELECT {} AT TIME ZONE 'UTC' AT TIME ZONE 'Asia/Tokyo' FROM orders"
    assert messages(sql.format("seen")) == [
        "seen has a time zone: AT TIME ZONE twice shifts it twice; once gives the local time"
    ]
    # A timestamp without a zone must be given one first.
    assert messages(sql.format("placed_at")) == []
    assert messages("SELECT seen AT TIME ZONE 'Asia/Tokyo' FROM orders") == []
    undone = "SELECT placed_at AT TIME ZONE 'UTC' AT TIME ZONE 'UTC' FROM orders"
    assert messages(undone) == ["the second AT TIME ZONE undoes the first on placed_at"]


@pytest.mark.parametrize(
    ("dialect", "condition"),
    [
        ("mysql", "placed_at BETWEEN '2024-01-01' AND LAST_DAY('2024-01-01')"),
        ("mysql", "placed_at <= LAST_DAY(NOW())"),
        ("spark", "placed_at BETWEEN '2024-01-01' AND last_day(current_date())"),
        ("snowflake", "placed_at BETWEEN '2024-01-01' AND LAST_DAY('2024-01-01'::date)"),
    ],
)
def test_the_end_of_a_month_as_upper_bound_of_a_timestamp(dialect: str, condition: str) -> None:
    sql = f"SELECT total FROM orders WHERE {condition}"
    (finding,) = hints(sql, dialect)
    assert "the upper bound is midnight at the start of" in finding.message
    assert (finding.span.of(sql), finding.fixes) == (condition, ())


@pytest.mark.parametrize(
    ("dialect", "condition"),
    [
        (
            "postgres",
            "placed_at BETWEEN DATE '2024-01-01' AND DATE '2024-01-31' + INTERVAL '1 day'",
        ),
        ("postgres", "placed_at <= '2024-01-31'::date + 1"),
        ("postgres", "placed_at <= '2024-01-31'::timestamp + interval '23 hours'"),
        ("postgres", "placed_at <= to_timestamp('2024-01-31 23:59', 'YYYY-MM-DD HH24:MI')"),
        ("mysql", "placed_at < LAST_DAY(NOW()) + INTERVAL 1 DAY"),
        ("mysql", "placed_at <= LAST_DAY(NOW()) + INTERVAL 1 DAY"),
        ("mysql", "due <= LAST_DAY(NOW()) AND DATE(placed_at) <= LAST_DAY(NOW())"),
        ("oracle", "placed_at <= LAST_DAY(SYSDATE)"),
    ],
)
def test_a_moment_computed_from_a_day_is_meant(dialect: str, condition: str) -> None:
    assert hints(f"SELECT total FROM orders WHERE {condition}", dialect) == []


def test_an_empty_text_is_null_in_oracle() -> None:
    sql = "SELECT order_id FROM orders JOIN customers USING (customer_id) WHERE full_name != ''"
    (finding,) = hints(sql, "oracle")
    assert finding.message == "'' is NULL in oracle, so this is never true; use IS NOT NULL"
    assert Document("q", sql).changed(finding.fixes[0].edits).text.endswith("IS NOT NULL")
    assert hints(sql, "postgres") == []
    assert hints("SELECT order_id FROM orders WHERE NVL(total, '') > 5", "oracle") == []


def test_a_conversion_of_time_zones_within_itself() -> None:
    once = "CONVERT_TIMEZONE('UTC', 'Asia/Tokyo', placed_at)"
    twice = f"CONVERT_TIMEZONE('UTC', 'Asia/Tokyo', {once})"
    (finding,) = hints(f"SELECT {twice} FROM orders", "snowflake")
    assert finding.code == "quality/zone-twice"
    onward = f"CONVERT_TIMEZONE('Asia/Tokyo', 'Europe/Oslo', {once})"
    assert hints(f"SELECT {once}, {onward} FROM orders", "snowflake") == []
