"""What GROUP BY, HAVING, DISTINCT and aggregates allow, by dialect."""

from __future__ import annotations

from pathlib import Path

import pytest

from sqlscribe.checking.check import check
from sqlscribe.notation.document import Document
from sqlscribe.notation.findings import Finding
from sqlscribe.schema import ddl

TABLES = """
CREATE TABLE trees (tree_id int PRIMARY KEY, kind text, park text, height numeric);
CREATE TABLE cuts (cut_id int PRIMARY KEY, tree_id int REFERENCES trees, tons numeric);
"""
SCHEMA = ddl.replay([ddl.read(Document("s.sql", TABLES), Path("s.sql"), "postgres")])


def found(sql: str, code: str, dialect: str = "postgres") -> list[Finding]:
    findings = check(sql, SCHEMA, dialect).findings
    return [finding for finding in findings if finding.code == f"quality/{code}"]


@pytest.mark.parametrize(
    ("sql", "missing"),
    [
        ("SELECT kind, COUNT(*) FROM trees", "kind"),
        ("SELECT kind, park, COUNT(*) FROM trees GROUP BY kind", "park"),
        ("SELECT t.kind, upper(t.park), SUM(height) FROM trees t GROUP BY t.kind", "t.park"),
        ("SELECT kind FROM trees GROUP BY kind HAVING height > 5", "height"),
        ("SELECT t.kind, SUM(c.tons) FROM trees t JOIN cuts c USING (tree_id) GROUP BY c.cut_id",
         "t.kind"),
    ],
)  # fmt: skip
def test_columns_that_the_groups_leave_open(sql: str, missing: str) -> None:
    for dialect in ("postgres", "tsql", "bigquery"):
        if "USING" in sql and dialect == "tsql":
            continue
        (finding,) = found(sql, "missing-group-by", dialect)
        assert finding.severity == "error"
        assert finding.message == f"{missing} must stand in GROUP BY or in an aggregate"
        assert finding.span.of(sql) == missing


@pytest.mark.parametrize("dialect", ["postgres", "sqlite", "mysql", "duckdb", "snowflake"])
@pytest.mark.parametrize(
    "sql",
    [
        "SELECT kind, COUNT(*) FROM trees GROUP BY kind",
        "SELECT kind, COUNT(*) FROM trees GROUP BY 1",
        "SELECT upper(kind), COUNT(*) FROM trees GROUP BY upper(kind)",
        "SELECT upper(kind) AS k, COUNT(*) FROM trees GROUP BY k",
        "SELECT t.kind, COUNT(*) FROM trees t GROUP BY kind",
        "SELECT KIND, COUNT(*) FROM trees GROUP BY kind",
        "SELECT COUNT(*), 'x', 5 FROM trees",
        "SELECT kind, height - AVG(height) OVER (PARTITION BY kind) FROM trees",
        "SELECT tree_id, SUM(tons) FROM trees JOIN cuts USING (tree_id) GROUP BY tree_id",
        "SELECT kind, (SELECT MAX(tons) FROM cuts) FROM trees GROUP BY kind",
        "SELECT kind || park, COUNT(*) FROM trees GROUP BY kind, park",
        "SELECT CASE WHEN height > 5 THEN 'tall' ELSE 'short' END AS size, COUNT(*) FROM trees"
        " GROUP BY size",
        "SELECT t.kind FROM trees t WHERE 3 < (SELECT COUNT(*) FROM cuts c"
        " WHERE c.tree_id = t.tree_id)",
    ],
)
def test_grouped_queries(sql: str, dialect: str) -> None:
    assert found(sql, "missing-group-by", dialect) == []


@pytest.mark.parametrize("dialect", ["tsql", "oracle"])
@pytest.mark.parametrize(
    ("item", "meant"),
    [
        ("kind", "kind"),
        ("t.kind AS k", "t.kind"),
        ("upper(t.kind) AS k", "upper(t.kind)"),
        ("CASE WHEN height > 5 THEN 'tall' ELSE park END AS size",
         "CASE WHEN height > 5 THEN 'tall' ELSE park END"),
    ],
)  # fmt: skip
def test_a_number_in_group_by_is_no_position_everywhere(
    item: str, meant: str, dialect: str
) -> None:
    sql = f"SELECT {item}, COUNT(*) FROM trees t GROUP BY 1"
    (finding,) = found(sql, "missing-group-by", dialect)
    assert (finding.severity, finding.span.of(sql)) == ("error", "1")
    texts = [edit.text for fix in finding.fixes for edit in fix.edits]
    assert texts == ([meant] if "(" not in meant and " " not in meant else [])
    grouped = sql.removesuffix("1") + meant
    assert found(grouped, "missing-group-by", dialect) == []


@pytest.mark.parametrize("dialect", ["tsql", "oracle"])
def test_a_number_that_groups_nothing_is_left_alone(dialect: str) -> None:
    assert found("SELECT COUNT(*) FROM trees GROUP BY 1", "missing-group-by", dialect) == []


@pytest.mark.parametrize("dialect", ["postgres", "mysql", "sqlite"])
def test_a_primary_key_determines_its_row(dialect: str) -> None:
    sql = (
        "SELECT t.kind, SUM(c.tons) FROM trees t JOIN cuts c ON c.tree_id = t.tree_id"
        " GROUP BY t.tree_id"
    )
    assert found(sql, "missing-group-by", dialect) == []
    (finding,) = found(sql, "missing-group-by", "oracle")
    edits = finding.fixes[0].edits
    assert Document("q", sql).changed(edits).text == sql + ", t.kind"


def test_engines_that_take_any_row_get_a_hint() -> None:
    sql = "SELECT kind, park, COUNT(*) FROM trees GROUP BY kind"
    for dialect in ("mysql", "sqlite"):
        (finding,) = found(sql, "missing-group-by", dialect)
        assert finding.severity == "hint"
        assert f"{dialect} takes the value of any row" in finding.message
    # SQLite takes the rest from the row with the extreme.
    assert found("SELECT kind, MAX(height) FROM trees", "missing-group-by", "sqlite") == []


@pytest.mark.parametrize("clause", ["ROLLUP (kind)", "GROUPING SETS ((kind), ())", "ALL"])
def test_other_groupings_are_left_alone(clause: str) -> None:
    sql = f"SELECT kind, park, COUNT(*) FROM trees GROUP BY {clause}"
    assert found(sql, "missing-group-by", "snowflake") == []


@pytest.mark.parametrize(
    "aggregate",
    ["string_agg(kind, ',')", "json_agg(kind)", "my_own(kind)",
     "count(*) FILTER (WHERE height > 5)",
     "percentile_cont(0.5) WITHIN GROUP (ORDER BY height)", "array_agg(kind ORDER BY height)"],
)  # fmt: skip
def test_all_kinds_of_aggregates(aggregate: str) -> None:
    assert found(f"SELECT park, {aggregate} FROM trees GROUP BY park", "missing-group-by") == []


def test_aggregates_in_where() -> None:
    (finding,) = found("SELECT kind FROM trees WHERE COUNT(*) > 3", "aggregate-in-where")
    assert finding.severity == "error"
    assert "HAVING" in finding.message
    for sql in (
        "SELECT kind FROM trees WHERE height > (SELECT AVG(height) FROM trees)",
        "SELECT kind FROM trees GROUP BY kind HAVING COUNT(*) > 3",
    ):
        assert found(sql, "aggregate-in-where") == []
    assert (
        found("SELECT kind FROM trees WHERE MAX(height, 3) > 5", "aggregate-in-where", "sqlite")
        == []
    )


def test_aggregates_of_aggregates() -> None:
    (finding,) = found(
        "SELECT kind, AVG(COUNT(*)) FROM trees GROUP BY kind ORDER BY kind", "nested-aggregate"
    )
    assert finding.severity == "error"
    assert "FROM" in finding.message
    assert found("SELECT kind FROM trees GROUP BY kind HAVING MAX(SUM(height)) > 3",
                 "nested-aggregate")  # fmt: skip
    for sql in (
        "SELECT kind, SUM(COUNT(*)) OVER () FROM trees GROUP BY kind",
        "SELECT kind, RANK() OVER (ORDER BY COUNT(*) DESC) FROM trees GROUP BY kind",
        "SELECT AVG(n) FROM (SELECT COUNT(*) AS n FROM trees GROUP BY kind) AS t",
        "SELECT SUM(height * (SELECT MAX(height) FROM trees)) FROM trees",
        "SELECT SUM(height) / COUNT(*) - MIN(height) FROM trees",
    ):
        assert found(sql, "nested-aggregate") == []
    oracle = "SELECT MAX(SUM(height)) FROM trees GROUP BY kind"
    assert found(oracle, "nested-aggregate", "oracle") == []
    assert found("SELECT MAX(COUNT(*), 3) FROM trees", "nested-aggregate", "sqlite") == []


@pytest.mark.parametrize(
    ("dialect", "way"),
    [("postgres", "a query around this one"), ("sqlite", "a query around this one"),
     ("snowflake", "QUALIFY")],
)  # fmt: skip
def test_window_functions_in_conditions(dialect: str, way: str) -> None:
    rank = "RANK() OVER (PARTITION BY kind ORDER BY height)"
    code = "window-in-where"
    for sql in (
        f"SELECT kind FROM trees WHERE {rank} = 1",
        f"SELECT kind FROM trees GROUP BY kind, height HAVING 1 < {rank}",
    ):
        (finding,) = found(sql, code, dialect)
        assert finding.severity == "error"
        assert finding.message.endswith(way)
        assert finding.span.of(sql) == rank
    inside = f"SELECT kind FROM trees WHERE height IN (SELECT {rank} FROM trees)"
    assert found(inside, code, dialect) == []
    kept = "MAX(height) KEEP (DENSE_RANK LAST ORDER BY kind) > 5"
    kept = f"SELECT kind FROM trees GROUP BY kind HAVING {kept}"
    assert found(kept, code, "oracle") == []


def test_having_for_rows() -> None:
    sql = "SELECT kind FROM trees HAVING height > 5"
    (finding,) = found(sql, "having-without-group")
    edits = finding.fixes[0].edits
    assert Document("q", sql).changed(edits).text == "SELECT kind FROM trees WHERE height > 5"
    assert found(sql, "having-without-group", "mysql") == []
    assert found("SELECT COUNT(*) FROM trees HAVING COUNT(*) > 5", "having-without-group") == []


def test_distinct_rows_in_the_order_of_something_else() -> None:
    (finding,) = found("SELECT DISTINCT kind FROM trees ORDER BY height", "distinct-order")
    assert finding.span.of("SELECT DISTINCT kind FROM trees ORDER BY height") == "height"
    for order in ("kind", "1", "trees.kind DESC"):
        assert found(f"SELECT DISTINCT kind FROM trees ORDER BY {order}", "distinct-order") == []
    assert (
        found("SELECT DISTINCT kind FROM trees ORDER BY height", "distinct-order", "sqlite") == []
    )


def test_some_groups_in_no_order() -> None:
    sql = "SELECT kind, COUNT(*) FROM trees GROUP BY kind {}LIMIT 3"
    assert found(sql.format(""), "limit-without-order")
    assert found(sql.format("ORDER BY 2 DESC "), "limit-without-order") == []
    assert found("SELECT kind FROM trees LIMIT 3", "limit-without-order") == []
