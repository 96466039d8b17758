"""Joins that repeat rows, miss a condition, or are outer for nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from sqlscribe.checking.check import check
from sqlscribe.notation.document import Document
from sqlscribe.notation.findings import Finding
from sqlscribe.schema import ddl

TABLES = """
CREATE TABLE clubs (club_id int PRIMARY KEY, title text NOT NULL);
CREATE TABLE members (
    member_id int PRIMARY KEY, club_id int NOT NULL REFERENCES clubs, dues numeric, age int
);
CREATE TABLE visits (
    visit_id int PRIMARY KEY, member_id int NOT NULL REFERENCES members, minutes int
);
CREATE TABLE gifts (
    gift_id int PRIMARY KEY, member_id int NOT NULL REFERENCES members, amount numeric
);
CREATE TABLE cards (member_id int PRIMARY KEY REFERENCES members, credit numeric);
CREATE TABLE seats (
    member_id int REFERENCES members, year int, price numeric, PRIMARY KEY (member_id, year)
);
CREATE TABLE loose_members (member_id int, dues numeric);
CREATE TABLE loose_visits (member_id int, minutes int);
"""
SCHEMA = ddl.replay([ddl.read(Document("s.sql", TABLES), Path("s.sql"), "postgres")])


def found(sql: str, code: str, dialect: str = "postgres") -> list[Finding]:
    findings = check(sql, SCHEMA, dialect).findings
    assert all(finding.severity != "error" for finding in findings)
    return [finding for finding in findings if finding.code == f"quality/{code}"]


REPEATED = [
    ("SELECT SUM(m.dues) FROM members m JOIN visits v ON v.member_id = m.member_id", "visits"),
    ("SELECT AVG(m.dues) FROM members m LEFT JOIN visits v USING (member_id)", "visits"),
    ("SELECT SUM(m.dues) FROM members m, visits v WHERE m.member_id = v.member_id", "visits"),
    # Two branches of one table repeat each other.
    ("SELECT SUM(g.amount) FROM members m JOIN gifts g ON g.member_id = m.member_id"
     " JOIN visits v ON v.member_id = m.member_id", "visits"),
    ("SELECT c.title, SUM(m.dues) FROM clubs c JOIN members m ON m.club_id = c.club_id"
     " JOIN visits v ON v.member_id = m.member_id GROUP BY c.club_id", "visits"),
    ("WITH x AS (SELECT m.dues FROM members m JOIN visits v ON v.member_id = m.member_id)"
     " SELECT SUM(dues) FROM x", "visits"),
    ("SELECT SUM(x.dues) FROM (SELECT m.dues AS dues FROM members m"
     " JOIN visits v ON v.member_id = m.member_id) x", "visits"),
    ("SELECT SUM(m.dues) FROM members m JOIN seats s ON s.member_id = m.member_id", "seats"),
    ("SELECT COUNT(m.member_id) FROM members m JOIN visits v ON v.member_id = m.member_id"
     " WHERE v.minutes > 5", "visits"),
    ("SELECT v.minutes, COUNT(m.member_id) FROM members m"
     " JOIN visits v ON v.member_id = m.member_id GROUP BY v.minutes", "visits"),
]  # fmt: skip


@pytest.mark.parametrize(("sql", "many"), REPEATED)
def test_aggregates_of_repeated_rows(sql: str, many: str) -> None:
    (finding,) = found(sql, "fan-out")
    assert f"counted once per {many} row" in finding.message
    assert "because the join repeats it" in finding.message


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT SUM(v.minutes) FROM members m JOIN visits v ON v.member_id = m.member_id",
        "SELECT SUM(m.dues) FROM members m JOIN clubs c ON c.club_id = m.club_id",
        "SELECT SUM(m.dues) FROM members m JOIN cards k ON k.member_id = m.member_id",
        "SELECT MAX(m.dues) FROM members m JOIN visits v ON v.member_id = m.member_id",
        "SELECT SUM(m.dues) FROM loose_members m JOIN loose_visits v ON v.member_id = m.member_id",
        "SELECT SUM(m.dues) FROM members m JOIN seats s ON s.member_id = m.member_id"
        " AND s.year = 2024",
        "SELECT SUM(m.dues) FROM members m JOIN seats s ON s.member_id = m.member_id"
        " WHERE s.year = 2024",
        # Within a group each member has one seat.
        "SELECT s.year, SUM(m.dues) FROM members m JOIN seats s ON s.member_id = m.member_id"
        " GROUP BY s.year",
        "WITH x AS (SELECT member_id, SUM(minutes) AS n FROM visits GROUP BY member_id)"
        " SELECT SUM(m.dues) FROM members m JOIN x ON x.member_id = m.member_id",
        "SELECT SUM(m.dues * v.minutes) FROM members m JOIN visits v ON v.member_id = m.member_id",
        "SELECT COUNT(*) FROM members m JOIN visits v ON v.member_id = m.member_id",
        "SELECT COUNT(DISTINCT m.member_id) FROM members m"
        " JOIN visits v ON v.member_id = m.member_id",
        # How many visits each member has.
        "SELECT m.member_id, COUNT(m.member_id) FROM members m"
        " JOIN visits v ON v.member_id = m.member_id GROUP BY m.member_id",
        "SELECT SUM(m.dues) OVER () FROM members m JOIN visits v ON v.member_id = m.member_id",
        "SELECT SUM(dues) FROM members WHERE member_id IN (SELECT member_id FROM visits)",
    ],
)
def test_rows_that_are_not_repeated(sql: str) -> None:
    assert found(sql, "fan-out") == []


def test_distinct_sums() -> None:
    sql = "SELECT SUM(DISTINCT m.dues) FROM members m JOIN visits v ON v.member_id = m.member_id"
    (finding,) = found(sql, "fan-out")
    assert finding.message == "SUM(DISTINCT m.dues) drops equal amounts of different members"
    (hint,) = found("SELECT SUM(DISTINCT dues) FROM members", "sum-distinct")
    assert hint.message == "SUM(DISTINCT dues) adds equal amounts only once"
    assert found("SELECT SUM(DISTINCT member_id) FROM members", "sum-distinct") == []


def test_a_price_may_well_be_summed_for_each_sale() -> None:
    tables = TABLES + "CREATE TABLE wares (ware_id int PRIMARY KEY, price numeric);"
    tables += "CREATE TABLE sold (id int PRIMARY KEY, ware_id int REFERENCES wares);"
    schema = ddl.replay([ddl.read(Document("s.sql", tables), Path("s.sql"), "postgres")])
    sql = "SELECT SUM(w.price) FROM wares w JOIN sold s ON s.ware_id = w.ware_id"
    (finding,) = check(sql, schema, "postgres").findings
    assert (finding.code, finding.severity) == ("quality/fan-out", "hint")


@pytest.mark.parametrize(
    ("sql", "told"),
    [
        ("SELECT c.title FROM clubs c, members m",
         "the foreign key says m.club_id = c.club_id"),
        ("SELECT c.title FROM clubs c, members m, visits v WHERE m.club_id = c.club_id",
         "the foreign key says v.member_id = m.member_id"),
        ("SELECT c.title FROM clubs c, visits v WHERE v.minutes > 5",
         "write CROSS JOIN if that is meant"),
    ],
)  # fmt: skip
def test_tables_that_nothing_links(sql: str, told: str) -> None:
    (finding,) = found(sql, "cross-join")
    assert finding.message.endswith(told)


def test_a_join_without_its_condition() -> None:
    (finding,) = found("SELECT c.title FROM clubs c JOIN members m", "cross-join", "mysql")
    assert finding.span.start == 33


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT c.title FROM clubs c CROSS JOIN members m",
        "SELECT c.title FROM clubs c, members m WHERE m.club_id = c.club_id",
        "SELECT c.title FROM clubs c, members m WHERE m.club_id + 1 > c.club_id",
        "SELECT c.title, x.n FROM clubs c, (SELECT COUNT(*) AS n FROM members) x",
        "SELECT c.title, x.n FROM clubs c, (SELECT age AS n FROM members LIMIT 1) x",
        "WITH t AS (SELECT COUNT(*) AS n FROM visits) SELECT c.title, t.n FROM clubs c, t",
        "SELECT a.title, b.title FROM clubs a, clubs b WHERE a.club_id = 1 AND b.club_id = 2",
        "SELECT 1 FROM clubs o WHERE EXISTS (SELECT 1 FROM members m, visits v"
        " WHERE m.club_id = o.club_id AND v.visit_id = o.club_id)",
        "SELECT COUNT(DISTINCT c.club_id), COUNT(DISTINCT m.member_id) FROM clubs c, members m",
        "SELECT c.title FROM clubs c, generate_series(1, 3) AS g(n)",
        "SELECT c.title FROM clubs c JOIN members m ON 1 = 1",
        "SELECT title FROM clubs, elsewhere WHERE club_id = place",
    ],
)
def test_tables_that_are_linked_or_crossed_on_purpose(sql: str) -> None:
    assert [f for f in check(sql, SCHEMA, "postgres").findings if "cross" in f.code] == []


def test_rows_put_side_by_side_are_no_cross_join() -> None:
    sql = "SELECT title, age FROM clubs {} JOIN members"
    for dialect, word in (("clickhouse", "PASTE"), ("duckdb", "POSITIONAL")):
        assert check(sql.format(word), SCHEMA, dialect).findings == ()


def test_an_outer_join_that_where_takes_back() -> None:
    sql = "SELECT m.age FROM members m LEFT JOIN visits v ON v.member_id = m.member_id WHERE {}"
    (finding,) = found(sql.format("v.minutes > 5"), "outer-join-filter")
    assert "LEFT JOIN does no more than JOIN" in finding.message
    for condition in ("v.visit_id IS NULL", "m.age > 5", "v.minutes > 5 OR v.visit_id IS NULL"):
        assert found(sql.format(condition), "outer-join-filter") == []


def test_counting_rows_of_an_outer_join() -> None:
    sql = (
        "SELECT m.member_id, COUNT({}) FROM members m"
        " LEFT JOIN visits v ON v.member_id = m.member_id GROUP BY m.member_id"
    )
    (finding,) = found(sql.format("*"), "count-star-outer-join")
    edits = finding.fixes[0].edits
    assert Document("q", sql.format("*")).changed(edits).text == sql.format("v.visit_id")
    assert found(sql.format("v.visit_id"), "count-star-outer-join") == []
    assert found(sql.format("*").replace("LEFT ", ""), "count-star-outer-join") == []
