"""Functions of other engines, with the engine's own way, and functions that nobody knows."""

from __future__ import annotations

import pytest

from sqlscribe.checking.dialects import check_dialect
from sqlscribe.checking.dialects.catalogues import catalogue
from sqlscribe.checking.dialects.foreign import FOREIGN, ONLY_MARIADB
from sqlscribe.checking.dialects.formats import converted
from sqlscribe.checking.parsing import parsed
from sqlscribe.notation.document import Document
from sqlscribe.notation.findings import Finding
from sqlscribe.schema.model import Column, Schema, Table

SCHEMA = Schema(
    (Table("visits", (Column("at"), Column("name"), Column("n"), Column("sysdate"))),),
    functions=frozenset({"to_days", "nvl"}),
)


def found(dialect: str, sql: str, schema: Schema = SCHEMA) -> list[Finding]:
    return check_dialect(parsed(sql, dialect), schema)


OWN_WAYS = [
    ("postgres", "IFNULL(n, 0)", "COALESCE(n, 0)"),
    ("tsql", "NVL(n, 0)", "COALESCE(n, 0)"),
    ("postgres", "IF(n > 1, 'a', 'b')", "CASE WHEN n > 1 THEN 'a' ELSE 'b' END"),
    ("mysql", "IIF(n > 1, 'a', 'b')", "CASE WHEN n > 1 THEN 'a' ELSE 'b' END"),
    ("sqlite", "NVL2(n, 1, 2)", "CASE WHEN n IS NOT NULL THEN 1 ELSE 2 END"),
    ("postgres", "GETDATE()", "now()"),
    ("tsql", "NOW()", "SYSDATETIME()"),
    ("sqlite", "CURDATE()", "date('now')"),
    ("postgres", "DATE_FORMAT(at, '%Y-%m')", "to_char(at, 'YYYY-MM')"),
    ("mysql", "TO_CHAR(at, 'YYYY-MM-DD HH24:MI')", "DATE_FORMAT(at, '%Y-%m-%d %H:%i')"),
    ("sqlite", "DATE_FORMAT(at, '%Y-%m-%d %H:%i')", "strftime('%Y-%m-%d %H:%M', at)"),
    ("tsql", "strftime('%Y-%m', at)", "FORMAT(at, 'yyyy-MM')"),
    ("duckdb", "TO_CHAR(at, 'YYYY')", "strftime(at, '%Y')"),
    ("sqlite", "DATE_TRUNC('month', at)", "date(at, 'start of month')"),
    ("mysql", "DATE_TRUNC('month', at)", "DATE_FORMAT(at, '%Y-%m-01')"),
    ("oracle", "DATE_TRUNC('year', at)", "TRUNC(at, 'YYYY')"),
    ("tsql", "DATE_TRUNC('day', at)", "DATETRUNC(DAY, at)"),
    ("postgres", "DATEADD(day, -7, at)", "(at + INTERVAL '-7 day')"),
    ("mysql", "DATEADD(month, 1, at)", "DATE_ADD(at, INTERVAL 1 MONTH)"),
    ("sqlite", "DATE_SUB(at, INTERVAL 2 DAY)", "date(at, '-2 day')"),
    ("tsql", "DATE_ADD(at, INTERVAL 2 HOUR)", "DATEADD(HOUR, 2, at)"),
    ("bigquery", "DATEADD(day, 1, at)", "DATE_ADD(at, INTERVAL 1 DAY)"),
    ("snowflake", "DATE_SUB(at, INTERVAL 1 DAY)", "DATEADD(DAY, -1, at)"),
    ("postgres", "DATEDIFF(day, at, now())", "(CAST(now() AS date) - CAST(at AS date))"),
    ("bigquery", "DATEDIFF(month, at, at)", "DATE_DIFF(at, at, MONTH)"),
    ("tsql", "TIMESTAMPDIFF(YEAR, at, at)", "DATEDIFF(YEAR, at, at)"),
    ("postgres", "YEAR(at)", "EXTRACT(YEAR FROM at)"),
    ("sqlite", "EXTRACT(MONTH FROM at)", "CAST(strftime('%m', at) AS INTEGER)"),
    ("tsql", "EXTRACT(YEAR FROM at)", "DATEPART(YEAR, at)"),
    ("mysql", "DATE_PART('year', at)", "EXTRACT(YEAR FROM at)"),
    ("postgres", "EOMONTH(at)",
     "CAST(date_trunc('month', at) + INTERVAL '1 month - 1 day' AS date)"),
    ("postgres", "GROUP_CONCAT(name)", "STRING_AGG(name, ',')"),
    ("tsql", "GROUP_CONCAT(name SEPARATOR ';')", "STRING_AGG(name, ';')"),
    ("mysql", "STRING_AGG(name, ';')", "GROUP_CONCAT(name SEPARATOR ';')"),
    ("oracle", "STRING_AGG(name, ';')", "LISTAGG(name, ';')"),
    ("postgres", "LISTAGG(name, ';') WITHIN GROUP (ORDER BY n)",
     "STRING_AGG(name, ';' ORDER BY n)"),
    ("postgres", "LEN(name)", "LENGTH(name)"),
    ("tsql", "LENGTH(name)", "LEN(name)"),
    ("oracle", "SUBSTRING(name, 1, 3)", "SUBSTR(name, 1, 3)"),
    ("sqlite", "LEFT(name, 3)", "SUBSTR(name, 1, 3)"),
    ("postgres", "CHARINDEX('a', name)", "STRPOS(name, 'a')"),
    ("tsql", "INSTR(name, 'a')", "CHARINDEX('a', name)"),
    ("postgres", "SAFE_DIVIDE(n + 1, n)", "((n + 1) / NULLIF(n, 0))"),
    ("snowflake", "SAFE_CAST(n AS int)", "TRY_CAST(n AS int)"),
    ("sqlite", "GREATEST(n, 1, 2)", "MAX(n, 1, 2)"),
    ("postgres", "RAND()", "RANDOM()"),
    ("tsql", "RANDOM()", "RAND()"),
    ("postgres", "NEWID()", "gen_random_uuid()"),
    ("tsql", "MOD(n, 2)", "(n % 2)"),
    ("postgres", "UNIX_TIMESTAMP(at)", "EXTRACT(EPOCH FROM at)"),
    ("bigquery", "COUNT_IF(n > 1)", "COUNTIF(n > 1)"),
    ("mysql", "REPLICATE(name, 2)", "REPEAT(name, 2)"),
    ("tsql", "CURRENT_DATE", "CAST(GETDATE() AS date)"),
    ("bigquery", "SYSTIMESTAMP", "CURRENT_TIMESTAMP()"),
]  # fmt: skip


@pytest.mark.parametrize(("dialect", "call", "own"), OWN_WAYS)
def test_the_engines_own_way(dialect: str, call: str, own: str) -> None:
    sql = f"SELECT {call} FROM visits"
    bare = Schema(SCHEMA.tables)
    first = next(f for f in found(dialect, sql, bare) if f.code == "dialect/function")
    assert Document("q", sql).changed(first.fixes[0].edits).text == f"SELECT {own} FROM visits"


USED_OTHERWISE = [
    ("mysql", "DATEDIFF(day, at, at)", "TIMESTAMPDIFF(DAY, at, at)"),
    ("tsql", "DATEDIFF(at, at)", "DATEDIFF(DAY, at, at)"),
    ("mysql", "ISNULL(n, 0)", "COALESCE(n, 0)"),
    ("tsql", "ISNULL(n)", "(n IS NULL)"),
    ("postgres", "STRING_AGG(name)", "STRING_AGG(name, ',')"),
    ("bigquery", "DATE_TRUNC('month', at)", "DATE_TRUNC(at, MONTH)"),
    ("postgres", "DATE_TRUNC(at, MONTH)", "DATE_TRUNC('month', at)"),
    ("duckdb", "DATEDIFF(day, at, at)", "DATEDIFF('day', at, at)"),
    ("duckdb", "DATE_DIFF(at, n, DAY)", "DATE_DIFF('day', n, at)"),
    ("tsql", "DATEADD('day', 1, at)", "DATEADD(day, 1, at)"),
    ("mysql", "GROUP_CONCAT(name, ', ')", "GROUP_CONCAT(name SEPARATOR ', ')"),
    ("mysql", "EXTRACT(EPOCH FROM at)", "UNIX_TIMESTAMP(at)"),
    ("postgres", "COUNT(DISTINCT name, n)", "COUNT(DISTINCT (name, n))"),
    ("postgres", "FORMAT(at, 'yyyy-MM')", "to_char(at, 'YYYY-MM')"),
    ("postgres", "TRUNC(at, 'MM')", "date_trunc('month', at)"),
    ("sqlite", "SUBSTRING(name FROM 1 FOR 3)", "SUBSTRING(name, 1, 3)"),
    ("tsql", "ROUND(n)", "ROUND(n, 0)"),
]


@pytest.mark.parametrize(("dialect", "call", "own"), USED_OTHERWISE)
def test_functions_that_two_engines_use_differently(dialect: str, call: str, own: str) -> None:
    sql = f"SELECT {call} FROM visits"
    first = next(f for f in found(dialect, sql) if f.code == "dialect/arguments")
    assert Document("q", sql).changed(first.fixes[0].edits).text == f"SELECT {own} FROM visits"


@pytest.mark.parametrize(
    ("dialect", "call"),
    [
        ("postgres", "date_trunc('month', at), to_char(at, 'YYYY'), age(at)"),
        ("postgres", "nvl(n, 0), to_days(at), other.getdate(), st_area(at), pg_sleep(1)"),
        ("postgres", "left(name, 3), lower(name), uuid_generate_v4(), jsonb_build_object('a', 1)"),
        ("postgres", "visits.sysdate, sysdate"),
        ("mysql", "DATE_FORMAT(at, '%Y'), IFNULL(n, 0), DATEDIFF(at, at), CONCAT(name, n)"),
        ("mysql", "TIMESTAMPDIFF(DAY, at, at), CHAR_LENGTH(name), IF(n > 1, 1, 0), YEAR(at)"),
        ("sqlite", "date('now', '-1 month'), strftime('%Y', at), MAX(n, 1), total(n)"),
        ("sqlite", "json_extract(name, '$.a'), printf('%d', n), unixepoch(at), instr(name, 'a')"),
        ("duckdb", "strftime(at, '%Y'), date_diff('day', at, at), list_sort([1]), epoch(at)"),
        ("tsql", "DATEADD(day, 1, at), ISNULL(n, 0), CHARINDEX('a', name), GETDATE(), LEN(name)"),
        ("tsql", "CONVERT(date, at), DATEPART(year, at), STRING_AGG(name, ','), dbo.mine(n)"),
        ("oracle", "NVL(n, 0), TO_CHAR(at, 'YYYY'), ADD_MONTHS(at, 1), DECODE(n, 1, 'a', 'b')"),
        ("bigquery", "DATE_TRUNC(at, MONTH), SAFE_DIVIDE(n, 2), IF(n > 1, 1, 0), COUNTIF(n > 1)"),
        ("snowflake", "IFF(n > 1, 1, 0), DATEDIFF(day, at, at), LISTAGG(name, ','), NVL(n, 0)"),
        ("redshift", "GETDATE(), NVL(n, 0), LISTAGG(name, ','), DATEDIFF(day, at, at)"),
        ("trino", "date_diff('day', at, at), approx_distinct(n), try_cast(n AS int)"),
        ("databricks", "date_format(at, 'yyyy'), datediff(at, at), collect_list(n)"),
        ("clickhouse", "toStartOfMonth(at), uniq(n), dateDiff('day', at, at), if(n > 1, 1, 0)"),
    ],
)  # fmt: skip
def test_an_engines_own_functions(dialect: str, call: str) -> None:
    assert [f.message for f in found(dialect, f"SELECT {call} FROM visits")] == []


def test_a_function_that_only_mariadb_has() -> None:
    (finding,) = found("mysql", "SELECT NVL2(n, 1, 2) FROM visits")
    assert (finding.code, finding.severity) == ("dialect/function", "warning")
    assert finding.message.startswith("MySQL does not have NVL2(), only MariaDB does")


def test_a_function_that_nobody_knows() -> None:
    sql = "SELECT DATE_TRUNK('month', at) FROM visits"
    (finding,) = found("postgres", sql)
    assert (finding.code, finding.severity) == ("dialect/unknown-function", "hint")
    assert finding.message.startswith("postgres has no function DATE_TRUNK() of its own; did you")
    assert finding.fixes[0].edits[0].text == "DATE_TRUNC"
    (finding,) = found("postgres", "SELECT list_aggregate(n) FROM visits")
    assert finding.message.endswith("it is one of DuckDB")
    assert finding.fixes == ()


@pytest.mark.parametrize(
    ("dialect", "sql"),
    [
        # Nothing is known of all functions of these.
        ("tsql", "SELECT DATE_TRUNK(at) FROM visits"),
        ("snowflake", "SELECT my_own(at) FROM visits"),
        ("", "SELECT my_own(at) FROM visits"),
        ("postgres", "SELECT tools.my_own(at) FROM visits"),
        ("postgres", "WITH mine (a) AS (SELECT 1) SELECT a FROM mine"),
        ("postgres", "SELECT a FROM (SELECT 1) AS mine(a)"),
        ("postgres", "INSERT INTO mine (a) VALUES (1) ON CONFLICT (a) DO NOTHING"),
        ("postgres", "CREATE TABLE mine (a varchar(10), b date)"),
        ("postgres", 'SELECT "My Own"(at) FROM visits'),
        ("sqlite", "SELECT a.n FROM visits a WHERE a.n IN (1, 2) AND a.n BETWEEN (1) AND (2)"),
    ],
)
def test_names_that_may_be_functions_of_ones_own(dialect: str, sql: str) -> None:
    assert found(dialect, sql) == []


@pytest.mark.parametrize(
    ("text", "style", "expected"),
    [
        ("%Y-%m-%d", "char", "YYYY-MM-DD"),
        ("YYYY/MM", "strftime", "%Y/%m"),
        ("yyyy-MM-dd HH:mm", "mysql", "%Y-%m-%d %H:%i"),
        ("%H:%i", "strftime", "%H:%M"),
        ("%M %Y", "char", None),
        ("Day, DD", "mysql", None),
        ("%q", "char", None),
    ],
)
def test_formats_of_dates(text: str, style: str, expected: str | None) -> None:
    assert converted(text, style) == expected


def test_the_catalogues_are_lists_of_functions() -> None:
    for engine in ("sqlite", "postgres", "duckdb", "mysql"):
        assert {"count", "sum", "lower", "substr", "coalesce"} <= catalogue(engine)
    assert not catalogue("tsql")


def test_catalogues_decide_and_not_the_list() -> None:
    listed = {"sqlite", "postgres", "duckdb", "mysql"}
    assert not any(foreign.engines & listed for foreign in FOREIGN.values())
    assert catalogue("mysql") & FOREIGN.keys() >= ONLY_MARIADB
