"""Statements formatted and in other dialects: the same meaning, or a reason."""

import pytest

from sqlscribe.checking.parsing import parsed
from sqlscribe.checking.rewriting import converted, formatted


@pytest.mark.parametrize(
    ("sql", "dialect", "lines"),
    [
        ("select a from t where b=1", "postgres", ["SELECT", "  a", "FROM t", "WHERE", "  b = 1"]),
        ("select a -- why\nfrom t", "mysql", ["SELECT", "  a /* why */", "FROM t"]),
        ("select '  x\n y' as a", "sqlite", ["SELECT", "  '  x", " y' AS a"]),
    ],
)
def test_a_statement_is_laid_out_in_lines(sql: str, dialect: str, lines: list[str]) -> None:
    assert formatted(sql, dialect).sql.split("\n") == lines


@pytest.mark.parametrize(
    ("sql", "dialect", "reason"),
    [
        ("select a from t", "", "dialect is not known"),
        ("select a from", "postgres", "syntax error"),
        ("select 1; select 2", "postgres", "not one statement"),
        ("", "postgres", "not one statement"),
        ("select {{ x }} from t", "postgres", "templates"),
        ("vacuum full t", "postgres", "statements of this kind"),
        ("select a\n-- ask: more\nfrom t", "postgres", "speaks to SQLScribe"),
        ("select a -- sqlscribe: ignore\nfrom t", "postgres", "speaks to SQLScribe"),
        ("(" * 100_000, "postgres", "too"),
        ("SELECT\n  a\nFROM t", "postgres", "formatted already"),
        ("select 'a", "postgres", "not closed"),
    ],
)
def test_what_cannot_be_written_anew_has_a_reason(sql: str, dialect: str, reason: str) -> None:
    made = formatted(sql, dialect)
    assert made.sql == ""
    assert reason in made.reason
    if reason != "formatted already":
        assert converted(sql, dialect, "duckdb").sql == ""


def test_what_the_parser_leaves_out_is_not_left_out_of_the_sql() -> None:
    sql = "DELETE FROM t FROM u WHERE t.a = u.a"
    assert parsed(sql, "tsql").problem is None
    assert formatted(sql, "tsql").reason


@pytest.mark.parametrize(
    ("sql", "to", "new"),
    [
        ("select a from t limit 5", "tsql", "SELECT TOP 5 a FROM t"),
        ('select "a b" from t', "mysql", "SELECT `a b` FROM t"),
        ("select a::int from t", "bigquery", "SELECT CAST(a AS INT64) FROM t"),
        ("select a -- why\nfrom t", "duckdb", "SELECT\n  a /* why */\nFROM t"),
    ],
)
def test_a_statement_is_converted(sql: str, to: str, new: str) -> None:
    made = converted(sql, "postgres", to)
    assert (made.sql, made.reason, made.lost) == (new, "", ())


def test_what_another_engine_lacks_is_a_reason() -> None:
    assert "FOR UPDATE" in converted("select a from t for update", "postgres", "tsql").reason
    assert "not a dialect" in converted("select a from t", "postgres", "cobol").reason


def test_where_rows_with_null_go_is_told() -> None:
    made = converted("select a from t order by 1 desc", "postgres", "mysql")
    assert made.sql == "SELECT a FROM t ORDER BY 1 DESC"
    assert "NULL" in made.remark
