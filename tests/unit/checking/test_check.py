"""The check as a whole: what it says it looked at, and that nothing brings it down."""

from __future__ import annotations

import logging

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sqlscribe.checking import parsing
from sqlscribe.checking.check import check, parses
from sqlscribe.notation.lexicon import DIALECTS
from sqlscribe.schema.model import Column, Schema, Table

SCHEMA = Schema(
    (
        Table("staff", (Column("name"), Column("age", "int"), Column("born", "timestamp"))),
        Table("teams", (Column("team"), Column("name"))),
    )
)


def test_what_was_checked() -> None:
    checked = check("SELECT name FROM staff", SCHEMA, "postgres")
    assert checked.checked == ("names", "dialect", "read-only")
    assert (checked.findings, checked.unchecked, checked.tables) == ((), (), ("staff",))


def test_what_could_not_be_checked() -> None:
    checked = check("SELECT s.x, f.v FROM staff s, some_function(1) f", SCHEMA, "")
    assert [finding.code for finding in checked.findings] == ["name/unknown-column"]
    assert checked.unchecked == (
        "the dialect is not known, so its own rules were not checked",
        "the schema does not say whether these names are right: v",
    )


def test_a_write_is_not_read_only() -> None:
    assert check("DELETE FROM staff", SCHEMA, "postgres").checked == ("names", "dialect")


@pytest.mark.parametrize(
    ("sql", "message", "text"),
    [
        ("SELECT name FROM staff WHERE ORDER BY age", "syntax error", "ORDER BY"),
        ("SELECT name FROM staff GROUP age", "syntax error at age", "age"),
        (
            "SELECT name FROM",
            "syntax error: expected table name but got the end of the statement",
            "FROM",
        ),
        ("SELECT 'abc", "syntax error: a quote is not closed", "'abc"),
        ("SELECT /* abc", "syntax error: a comment is not closed", "/* abc"),
    ],
)
def test_syntax_errors(sql: str, message: str, text: str) -> None:
    (finding,) = check(sql, SCHEMA, "postgres").findings
    assert (finding.code, finding.span.of(sql)) == ("syntax/error", text)
    assert finding.message.startswith(message)


def test_the_query_of_a_view_is_checked_as_far_as_it_can_be_read() -> None:
    checked = check("CREATE VIEW v AS SELECT nme FROM staff", SCHEMA, "postgres")
    assert [finding.code for finding in checked.findings] == ["name/unknown-column"]
    assert (checked.tables, checked.checked) == (("staff",), ("names", "dialect"))
    odd = check("CREATE VIEW v AS SELECT name FROM staff SOMETHING NEW 5", SCHEMA, "postgres")
    assert odd.findings == ()
    assert odd.unchecked == ("names could not be checked: the statement does not parse",)


def test_an_explained_query_must_parse() -> None:
    (finding,) = check("EXPLAIN SELECT name FROM staff GROUP age", SCHEMA, "postgres").findings
    assert finding.code == "syntax/error"


@pytest.mark.parametrize(
    ("dialect", "sql", "wrong"),
    [
        ("tsql", "DELETE FROM s FROM staff s WHERE s.agee = 1", "agee"),
        ("tsql", "INSERT INTO staff (nme) OUTPUT inserted.age INTO @t (a) VALUES ('x')", "nme"),
        ("oracle", "MERGE INTO staff s USING teams t ON (s.name = t.nme) WHEN MATCHED THEN UPDATE"
         " SET s.age = 1 DELETE WHERE s.age = 0", "nme"),
    ],
)  # fmt: skip
def test_names_beside_a_part_that_the_parser_does_not_know(
    dialect: str, sql: str, wrong: str
) -> None:
    (finding,) = check(sql, SCHEMA, dialect).findings
    assert (finding.code, finding.span.of(sql)) == ("name/unknown-column", wrong)


def test_a_feature_of_another_dialect_explains_the_error() -> None:
    checked = check("SELECT TOP 5 name FROM staff", SCHEMA, "postgres")
    assert [finding.code for finding in checked.findings] == ["dialect/top"]


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT " + "(" * 300 + "1" + ")" * 300,
        "SELECT " + "CASE WHEN age THEN 1 ELSE " * 200 + "1" + " END" * 200,
        "SELECT * FROM " + "(SELECT * FROM " * 200 + "staff" + ") x" * 200,
        "SELECT " + "NOT " * 2_000 + "name FROM staff",
        "SELECT name FROM staff WHERE name IN (" + "'x', " * 50_000 + "'y')",
    ],
    ids=lambda sql: sql[7:20],
)
def test_deep_and_long_statements(sql: str) -> None:
    checked = check(sql, SCHEMA, "snowflake")
    (finding,) = checked.findings
    assert (finding.code, finding.severity) == ("check/not-checked", "hint")
    assert checked.unchecked == (finding.message,)
    assert "could not be checked" in finding.message


@pytest.mark.parametrize("bounds", ["'2024-01-01'::date, now()", "date_trunc('day', now()), now()"])
def test_a_step_at_which_the_parser_gives_up(bounds: str) -> None:
    sql = f"SELECT day, nme FROM generate_series({bounds}, '1 month 2 days') AS day, staff"
    (finding,) = check(sql, SCHEMA, "postgres").findings
    assert (finding.code, finding.span.of(sql)) == ("name/unknown-column", "nme")


def test_what_the_parser_gives_up_on_is_not_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    def gives_up(*_: object) -> None:
        raise AssertionError

    monkeypatch.setattr(parsing, "_trees", gives_up)
    (finding,) = check("SELECT name FROM staff AS odd", SCHEMA, "postgres").findings
    assert finding.code == "check/not-checked"


@pytest.mark.parametrize(
    ("dialect", "sql"),
    [
        ("bigquery", "SELECT n, place FROM staff AS s, s.names AS n WITH OFFSET AS place"),
        ("clickhouse", "SELECT name FROM staff ORDER BY age LIMIT 1 BY name LIMIT 5"),
        (
            "oracle",
            "SELECT name FROM staff MODEL DIMENSION BY (name) MEASURES (age) RULES (age[1]=5)",
        ),
    ],
)
def test_what_only_the_parser_does_not_know_is_no_error(dialect: str, sql: str) -> None:
    checked = check(sql, SCHEMA, dialect)
    assert checked.findings == ()
    assert any("could not be checked" in sentence for sentence in checked.unchecked)


def test_a_long_union_is_no_deep_one() -> None:
    sql = " UNION ALL ".join(["SELECT name FROM staff"] * 300)
    assert check(sql, SCHEMA, "postgres").findings == ()


def test_template_placeholders_are_no_syntax_errors() -> None:
    checked = check("SELECT name FROM {{ ref('staff') }}", SCHEMA, "snowflake")
    assert checked.findings == ()
    assert checked.unchecked == (
        "the statement could not be checked: it holds template placeholders",
    )


def test_statements_without_semicolons() -> None:
    checked = check("SELECT name FROM staff\nSELECT team FROM teams", SCHEMA, "tsql")
    assert checked.findings == ()
    assert checked.unchecked == (
        "names could not be checked: put semicolons between the statements",
    )


def test_findings_come_in_the_order_of_the_text() -> None:
    sql = "SELECT nam, ag FROM staff WHERE bor == 1"
    spans = [finding.span for finding in check(sql, SCHEMA, "postgres").findings]
    assert spans == sorted(spans)
    assert [span.of(sql) for span in spans] == ["nam", "ag", "bor", "=="]


def test_parses_says_why_not() -> None:
    assert parses("SELECT 1", "postgres") is None
    assert parses("SELECT FROM WHERE", "postgres") is not None


def test_the_parsers_remarks_stay_out_of_the_log(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG):
        check("GRANT nonsense TO everybody FOR free", SCHEMA, "postgres")
    assert caplog.records == []


PIECES = [
    "SELECT", "FROM", "WHERE", "JOIN", "ON", "GROUP BY", "ORDER BY", "WITH", "AS", "UNION", "(",
    ")", ",", ".", "*", "=", "'", '"', "`", "[", "]", "{", "--", "/*", ";", "::", ":", "@", "#",
    "$$", "\\", "\n", "\0", "\ud800", "😀", "name", "nme", "staff", "teams", "s", "t", "1", "'x'",
    "INTERVAL", "BETWEEN", "AND", "NULL", "OVER", "LATERAL", "UNNEST", "PIVOT", "VALUES", "IN",
    "INSERT INTO", "UPDATE", "SET", "DELETE", "MERGE", "USING", "CASE", "WHEN", "END", "LIMIT",
]  # fmt: skip


@settings(max_examples=100, deadline=None)
@given(
    st.lists(st.sampled_from(PIECES), max_size=25).map(" ".join) | st.text(max_size=60),
    st.sampled_from(["", *DIALECTS]),
)
def test_no_text_raises_and_all_spans_lie_in_it(sql: str, dialect: str) -> None:
    for finding in check(sql, SCHEMA, dialect).findings:
        spans = [finding.span, *(edit.span for fix in finding.fixes for edit in fix.edits)]
        assert all(0 <= span.start <= span.end <= len(sql) for span in spans)
