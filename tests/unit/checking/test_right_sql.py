"""SQL that its engine takes, in forms that are easily taken for wrong."""

from __future__ import annotations

from pathlib import Path

import pytest

from sqlscribe.checking.check import check
from sqlscribe.inspection import Inspector
from sqlscribe.notation import asks
from sqlscribe.notation.document import Document
from sqlscribe.notation.findings import Finding, Severity
from sqlscribe.schema import ddl
from sqlscribe.schema.model import Schema

DDL = """
CREATE TABLE ports (port_id int PRIMARY KEY, name varchar(40) NOT NULL, country varchar(40));
CREATE TABLE calls (
  call_id int PRIMARY KEY, port_id int NOT NULL REFERENCES ports (port_id),
  ship varchar(40), tons decimal(10,2), docked_at timestamp, spot geography, kind varchar(5)
);
"""


def schema(dialect: str) -> Schema:
    return ddl.replay([ddl.read(Document("ports.sql", DDL), Path("ports.sql"), dialect)])


def remarks(dialect: str, sql: str) -> list[Finding]:
    """All that is said about a script, hints included."""
    return list(
        Inspector(schema(dialect)).inspect(asks.read(Document("file:///q.sql", sql), dialect))
    )


@pytest.mark.parametrize(
    ("dialect", "sql"),
    [
        ("sqlite", "UPDATE OR IGNORE ports SET name = 'a' WHERE port_id = ?1"),
        ("sqlite", "SELECT name FROM ports WHERE port_id = ?2 AND country = ?10"),
        ("sqlite", "SELECT name FROM pragma_table_info('ports')"),
        ("sqlite", "SELECT name FROM ports('harbour')"),
        ("postgres", "SELECT name FROM ports WHERE name = :'wanted' AND port_id = :id"),
        ("postgres", "SELECT btrim(name), int4range(1, port_id) FROM ports"),
        ("postgres", "SELECT last_value, is_called FROM tickets"),
        ("postgres", "SELECT nextval('ports_port_id_seq'), last_value FROM ports_port_id_seq"),
        ("mysql", "SELECT name FROM ports INTO OUTFILE '/tmp/p.csv' FIELDS TERMINATED BY ','"),
        ("mysql", "SELECT port_id = 1 || port_id = 2 AS either FROM ports"),
        ("tsql", "UPDATE TOP (5) calls SET ship = 'x'"),
        ("tsql", "DELETE TOP (5) FROM calls WHERE ship IS NULL"),
        ("tsql", "DELETE calls WHERE ship IS NULL"),
        ("tsql", "SELECT calls.ship, spot.Lat FROM calls"),
        ("tsql", "SELECT name FROM ports WHERE CONTAINS(name, 'bay')"),
        ("tsql", "SELECT a FROM OPENROWSET(BULK 'p.csv', FORMAT = 'CSV') WITH (a int) AS r"),
        ("tsql", "IF (1 > 0) SELECT name FROM ports"),
        ("oracle", "DELETE calls WHERE call_id = :1"),
        ("oracle", "INSERT INTO ports (port_id, name) SELECT tickets.NEXTVAL, c.ship FROM calls c"),
        ("oracle", "UPDATE (SELECT c.tons FROM calls c WHERE c.call_id = 1) SET tons = 5"),
        ("oracle", "SELECT p.name FROM ports p, calls c WHERE p.port_id = c.port_id(+)"),
        (
            "oracle",
            "SELECT * FROM (SELECT call_id, tons FROM calls)"
            " UNPIVOT (amount FOR sort IN (tons AS 'tons'))",
        ),
        (
            "oracle",
            "WITH FUNCTION half(x NUMBER) RETURN NUMBER IS BEGIN RETURN x / 2; END;\n"
            "SELECT half(tons) FROM calls",
        ),
        ("clickhouse", "SELECT * APPLY toString FROM ports"),
        ("clickhouse", "SELECT name FROM ports ORDER BY name LIMIT 5 OFFSET 1 WITH TIES"),
        ("clickhouse", "INSERT INTO ports FORMAT CSV"),
        ("snowflake", "SHOW TABLES ->> SELECT * FROM $1"),
        ("databricks", "SELECT name, session.chosen FROM ports"),
        ("trino", 'SELECT * FROM "calls$partitions"'),
        ("postgres", "INSERT INTO ports VALUES (1, 'Bergen', 'Norway')"),
        ("mysql", "INSERT INTO calls (call_id, docked_at) VALUES (1, NOW() - INTERVAL 2 MONTH)"),
        ("postgres", "SELECT name FROM ports WHERE country = 'NORWAY'"),
        ("postgres", "SELECT ARRAY[[1, 2], [3, 4]], ARRAY[[[1]], [[2]]] FROM ports"),
        ("mysql", "SELECT name INTO @name FROM ports WHERE port_id = 1"),
        ("mysql", "SELECT name, country INTO @name, @country FROM ports WHERE port_id = 1"),
        ("bigquery", "SELECT DATE_TRUNC(CURRENT_DATE(), WEEK(MONDAY)) FROM ports"),
        ("bigquery", "SELECT EXTRACT(WEEK(SUNDAY) FROM docked_at) FROM calls"),
        ("sqlite", "WITH p AS NOT MATERIALIZED (SELECT name FROM ports) SELECT name FROM p"),
        (
            "trino",
            "SELECT j.a FROM calls, JSON_TABLE(ship, 'lax $' COLUMNS (a varchar PATH 'lax $.a')) j",
        ),
        (
            "postgres",
            "SELECT name FROM {{ ref('ports') }}"
            " WHERE port_id > (SELECT max(port_id) FROM {{ this }})",
        ),
    ],
)
def test_nothing_is_said(dialect: str, sql: str) -> None:
    assert remarks(dialect, sql) == []


@pytest.mark.parametrize(
    ("dialect", "script"),
    [
        (
            "postgres",
            "CREATE FUNCTION half(x numeric) RETURNS numeric LANGUAGE sql AS 'SELECT x / 2';\n"
            "SELECT half(tons) FROM calls;",
        ),
        (
            "postgres",
            "CREATE FUNCTION steps(n int) RETURNS int LANGUAGE plpgsql AS $$\nBEGIN\n"
            "  RETURN (SELECT steps(n - 1) FROM ports WHERE port_id = n);\nEND $$;",
        ),
        ("duckdb", "CREATE MACRO half(x) AS x / 2;\nSELECT half(tons) FROM calls;"),
        ("postgres", "CREATE SEQUENCE numbers;\nSELECT * FROM numbers;"),
        (
            "snowflake",
            "CREATE STREAM news ON TABLE calls;\nSELECT ship, METADATA$ACTION FROM news;",
        ),
        ("oracle", "CREATE OR REPLACE SYNONYM harbours FOR ports;\nSELECT name FROM harbours;"),
        ("spark", "CACHE LAZY TABLE big AS SELECT tons AS t FROM calls;\nSELECT t FROM big;"),
        (
            "databricks",
            "DECLARE OR REPLACE VARIABLE least INT = 5;\n"
            "SELECT ship FROM calls WHERE tons > least;",
        ),
    ],
)
def test_what_a_script_makes_is_known_behind(dialect: str, script: str) -> None:
    assert remarks(dialect, script) == []


def test_a_function_is_not_known_before_it_is_made() -> None:
    script = (
        "SELECT half(tons) FROM calls;\n"
        "CREATE FUNCTION half(x numeric) RETURNS numeric LANGUAGE sql AS 'SELECT x / 2';"
    )
    assert [found.code for found in remarks("postgres", script)] == ["dialect/unknown-function"]


def test_a_flag_counts_the_joined_rows() -> None:
    """As the amount itself does not."""
    join = "FROM ports p JOIN calls c ON c.port_id = p.port_id"
    flag = f"SELECT SUM(CASE WHEN p.country = 'Norway' THEN 1 ELSE 0 END) {join}"
    amount = f"SELECT SUM(CASE WHEN p.country = 'Norway' THEN p.port_id ELSE 0 END) {join}"
    assert remarks("postgres", flag) == []
    assert [found.code for found in remarks("postgres", amount)] == ["quality/fan-out"]


@pytest.mark.parametrize(
    ("dialect", "sql", "code", "text"),
    [
        ("postgres", "REPLACE INTO ports (port_id) VALUES (1)", "dialect/upsert", "REPLACE"),
        (
            "mysql",
            "CREATE OR ALTER VIEW v AS SELECT name FROM ports",
            "dialect/or-replace",
            "OR ALTER",
        ),
        (
            "tsql",
            "CREATE OR REPLACE VIEW v AS SELECT name FROM ports",
            "dialect/or-replace",
            "OR REPLACE",
        ),
        ("sqlite", "CREATE OR REPLACE VIEW v AS SELECT 1", "dialect/or-replace", "OR REPLACE"),
        ("postgres", "CREATE OR REPLACE TABLE t (a int)", "dialect/or-replace", "OR REPLACE"),
        (
            "postgres",
            "SELECT p.name FROM ports p, calls c WHERE p.port_id = c.port_id(+)",
            "dialect/outer-join-mark",
            "(+)",
        ),
        ("tsql", "SELECT IF(tons > 5, 'a', 'b') FROM calls", "dialect/function", "IF"),
        (
            "postgres",
            'SELECT name FROM ports WHERE country = "Norway"',
            "dialect/quotes",
            '"Norway"',
        ),
        ("oracle", "DELETE calls WHERE cal_id = 1", "name/unknown-column", "cal_id"),
    ],
)
def test_one_thing_is_said_once(dialect: str, sql: str, code: str, text: str) -> None:
    found = [
        one for one in remarks(dialect, sql) if one.severity in (Severity.ERROR, Severity.WARNING)
    ]
    assert [(one.code, one.span.of(sql)) for one in found] == [(code, text)]


@pytest.mark.parametrize(
    ("dialect", "sql", "fixed"),
    [
        ("mysql", "CREATE OR ALTER VIEW v AS SELECT 1", "CREATE OR REPLACE VIEW v AS SELECT 1"),
        ("tsql", "CREATE OR REPLACE VIEW v AS SELECT 1", "CREATE OR ALTER VIEW v AS SELECT 1"),
        (
            "tsql",
            "create /* x */ or replace proc p AS SELECT 1",
            "create /* x */ OR ALTER proc p AS SELECT 1",
        ),
    ],
)
def test_first_words_are_changed_to_the_engines_own(dialect: str, sql: str, fixed: str) -> None:
    edit = remarks(dialect, sql)[0].fixes[0].edits[0]
    assert sql[: edit.span.start] + edit.text + sql[edit.span.end :] == fixed


@pytest.mark.parametrize(
    ("dialect", "sql"),
    [
        ("mysql", "REPLACE INTO ports (port_id) VALUES (1)"),
        ("mysql", "CREATE OR REPLACE VIEW v AS SELECT 1"),
        ("tsql", "CREATE OR ALTER VIEW v AS SELECT 1"),
        ("snowflake", "CREATE OR REPLACE TABLE v (a int)"),
        ("snowflake", "CREATE OR ALTER TABLE v (a int)"),
        ("postgres", "CREATE OR REPLACE VIEW v AS SELECT 1"),
        ("postgres", "SELECT REPLACE('into', 'a', 'b')"),
        ("", "CREATE OR ALTER VIEW v AS SELECT 1"),
    ],
)
def test_first_words_that_the_engine_has(dialect: str, sql: str) -> None:
    assert remarks(dialect, sql) == []


_UNITS = ("day", "month", "year", "week", "hour", "quarter", "minute", "date", "time")
_OF_UNITS = {
    "postgres": ("date_trunc('month', {0})", "date_part('year', {0})", "EXTRACT(YEAR FROM {0})"),
    "redshift": ("date_trunc('month', {0})", "datediff(day, {0}, {0})", "dateadd(day, 1, {0})"),
    "duckdb": ("date_trunc('month', {0})", "date_diff('day', docked, {0})", "year({0})"),
    "trino": ("date_trunc('month', {0})", "date_diff('day', docked, {0})", "year({0})"),
    "snowflake": ("DATE_TRUNC('month', {0})", "DATEDIFF('day', docked, {0})", "YEAR({0})"),
    "spark": ("date_trunc('month', {0})", "datediff(docked, {0})", "trunc({0}, 'MM')"),
    "bigquery": ("DATE_TRUNC({0}, MONTH)", "DATE_DIFF(docked, {0}, DAY)", "EXTRACT(YEAR FROM {0})"),
    "tsql": ("DATEDIFF(day, docked, {0})", "DATEADD(month, 1, {0})", "YEAR({0})"),
    "mysql": ("YEAR({0})", "TIMESTAMPDIFF(DAY, docked, {0})", "EXTRACT(YEAR FROM {0})"),
    "clickhouse": ("date_trunc('month', {0})", "dateDiff('day', docked, {0})", "toYear({0})"),
}  # fmt: skip


@pytest.mark.parametrize("dialect", sorted(_OF_UNITS))
def test_a_column_may_be_called_like_a_unit_of_time(dialect: str) -> None:
    columns = ", ".join(f"{name} date" for name in (*_UNITS, "docked"))
    shop = ddl.replay([ddl.read(Document("s", f"CREATE TABLE t ({columns});"), Path("s"), dialect)])
    calls = [call.format(name) for name in _UNITS for call in _OF_UNITS[dialect]]
    calls += [f"COALESCE({name}, docked)" for name in _UNITS]
    told = {
        call: findings
        for call in calls
        if (findings := check(f"SELECT {call} FROM t", shop, dialect).findings)
    }
    assert told == {}


def test_a_column_may_be_called_interval() -> None:
    text = "CREATE TABLE plans (id int, interval text);"
    plans = ddl.replay([ddl.read(Document("s", text), Path("s"), "postgres")])
    sql = "SELECT interval FROM plans WHERE interval = 'month' ORDER BY interval DESC"
    assert check(sql, plans, "postgres").findings == ()
    sql = "SELECT interval / 2, interval * 2, interval > '1' FROM plans"
    assert check(sql, plans, "postgres").findings == ()
