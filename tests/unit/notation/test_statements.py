"""Splitting scripts: each dialect's terminators, bodies and lines that are no SQL."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sqlscribe.notation.lexicon import DIALECTS
from sqlscribe.notation.statements import Statement, outline, split

relaxed = settings(max_examples=100, deadline=None)


def check(dialect: str, text: str, *expected: str) -> tuple[Statement, ...]:
    """``expected``: the statements' own text, without terminators."""
    statements = split(text, dialect)
    assert [statement.span.of(text) for statement in statements] == list(expected)
    return statements


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        (" ;;\n; -- nothing", []),
        ("a; b ;c", ["a", "b", "c"]),
        ("SELECT ';' AS \"a;b\"; -- x;y\nb", ["SELECT ';' AS \"a;b\"", "b"]),
        ("/* a; */ b /* c; */;", ["b"]),
        ("SELECT {{ ref('a;') }} {% if ';' %}; b", ["SELECT {{ ref('a;') }} {% if ';' %}", "b"]),
        ("SELECT $$ a; $$; b", ["SELECT $$ a; $$", "b"]),
        ("SELECT 'open\n; b", ["SELECT 'open", "b"]),
        ("\ufeffSELECT 1;", ["SELECT 1"]),
        ("a (;\nb", ["a (", "b"]),
    ],
)
def test_semicolons_outside_quotes_and_comments_split(text: str, expected: list[str]) -> None:
    check("", text, *expected)


def test_a_statement_knows_its_parts() -> None:
    text = "-- one\nSELECT 1 -- two\n; -- three\n\nselect 2 -- four"
    first, second = split(text, "")
    assert first.lead.of(text) == "-- one\n"
    assert first.span.of(text) == "SELECT 1"
    assert text[first.span.end : first.end] == " -- two\n;"
    assert second.lead.of(text) == " -- three\n\n"
    assert second.end == second.span.end == text.index(" -- four")
    assert (first.keyword, second.keyword) == ("SELECT", "SELECT")


@pytest.mark.parametrize(
    ("dialect", "text", "keyword"),
    [
        ("", "((select 1) union (select 2))", "SELECT"),
        ("", "{{ config(x=1) }}\nwith a as (select 1) select 2", "WITH"),
        ("mysql", "/*!40101 SET NAMES utf8 */", "SET"),
        ("", "'text'", ""),
        ("", "-- c\n统计 x", "统计"),
    ],
)
def test_the_keyword_is_the_first_word(dialect: str, text: str, keyword: str) -> None:
    assert [statement.keyword for statement in split(text, dialect)] == [keyword]


@pytest.mark.parametrize("dialect", ["tsql", "fabric", ""])
def test_go_ends_a_batch(dialect: str) -> None:
    text = "CREATE TABLE a (b int)\nGO\nSELECT 'x\nGO\n'\n  go 2 \nSELECT 2;\nGO -- end\ngo_on"
    check(dialect, text, "CREATE TABLE a (b int)", "SELECT 'x\nGO\n'", "SELECT 2", "go_on")


def test_an_unknown_dialect_is_split_as_generic() -> None:
    check("COBOL", "SELECT 1\nGO\nSELECT 2\n\\gx", "SELECT 1", "SELECT 2")


def test_go_is_a_word_elsewhere() -> None:
    check("postgres", "SELECT a AS\ngo\nFROM t", "SELECT a AS\ngo\nFROM t")


def test_tsql_statements_need_no_semicolon() -> None:
    check(
        "tsql",
        "USE [Shop]\nSET ANSI_NULLS ON\nCREATE TABLE a (\n  b int,\n  c int\n)\n"
        "CREATE INDEX i ON a (b)\nALTER TABLE a\nALTER COLUMN b bigint\n"
        "ALTER TABLE a\nDROP COLUMN c\nUPDATE a\nSET b = 1\nEXEC sp_rename 'a', 'z'\n"
        "INSERT INTO a\nEXEC p\nINSERT INTO a VALUES (1)\nEXEC q\n"
        "SET IDENTITY_INSERT [a] ON\nPRINT 'x'\n"
        "WITH x AS (SELECT 1 AS n)\nINSERT INTO a SELECT n FROM x\nDROP TABLE a",
        "USE [Shop]",
        "SET ANSI_NULLS ON",
        "CREATE TABLE a (\n  b int,\n  c int\n)",
        "CREATE INDEX i ON a (b)",
        "ALTER TABLE a\nALTER COLUMN b bigint",
        "ALTER TABLE a\nDROP COLUMN c",
        "UPDATE a\nSET b = 1",
        "EXEC sp_rename 'a', 'z'",
        "INSERT INTO a\nEXEC p",
        "INSERT INTO a VALUES (1)",
        "EXEC q",
        "SET IDENTITY_INSERT [a] ON",
        "PRINT 'x'",
        "WITH x AS (SELECT 1 AS n)\nINSERT INTO a SELECT n FROM x",
        "DROP TABLE a",
    )


def test_a_tsql_cursor_needs_no_semicolon() -> None:
    check(
        "tsql",
        "DECLARE c CURSOR LOCAL FOR SELECT a FROM t\nOPEN c\nFETCH NEXT FROM c INTO @a\n"
        "WHILE @@FETCH_STATUS = 0\nBEGIN\nUPDATE t SET a = 1 WHERE CURRENT OF c\n"
        "FETCH NEXT FROM c INTO @a\nEND\nCLOSE c\nDEALLOCATE c\n"
        "SELECT a FROM t ORDER BY a\nOFFSET 5 ROWS\nFETCH NEXT 5 ROWS ONLY",
        "DECLARE c CURSOR LOCAL FOR SELECT a FROM t",
        "OPEN c",
        "FETCH NEXT FROM c INTO @a",
        "WHILE @@FETCH_STATUS = 0",
        "UPDATE t SET a = 1 WHERE CURRENT OF c",
        "FETCH NEXT FROM c INTO @a",
        "CLOSE c",
        "DEALLOCATE c",
        "SELECT a FROM t ORDER BY a\nOFFSET 5 ROWS\nFETCH NEXT 5 ROWS ONLY",
    )


def test_tables_within_tsql_blocks_are_statements() -> None:
    check(
        "tsql",
        "IF NOT EXISTS (SELECT * FROM sys.objects)\nBEGIN\nCREATE TABLE a (b int)\nEND\nGO\n"
        "IF OBJECT_ID('a') IS NOT NULL\n  DROP TABLE a\n",
        "IF NOT EXISTS (SELECT * FROM sys.objects)",
        "CREATE TABLE a (b int)",
        "IF OBJECT_ID('a') IS NOT NULL",
        "DROP TABLE a",
    )


def test_the_end_of_a_case_is_none_of_a_block() -> None:
    text = "SELECT CASE\n  WHEN 1 = 1 THEN 2\nEND\nAS x FROM a"
    check("tsql", f"{text}\nGO", text)


def test_a_tsql_routine_goes_to_the_end_of_its_batch() -> None:
    body = "CREATE OR ALTER PROC p AS\nSELECT 1;\nCREATE TABLE #t (a int);\nDROP TABLE #t"
    check("tsql", f"{body};\nGO\nSELECT 2", body, "SELECT 2")


@pytest.mark.parametrize(
    ("dialect", "body"),
    [
        ("mysql", "CREATE PROCEDURE p()\nBEGIN\n  IF x THEN DO 1; END IF;\n  SELECT 2;\nEND"),
        ("mysql", "CREATE DEFINER=`a`@`%` TRIGGER t AFTER INSERT ON a FOR EACH ROW BEGIN\n"
                  "  SET NEW.b = CASE WHEN 1 THEN 2 END;\n  CASE x WHEN 1 THEN a; END CASE;\n"
                  "  WHILE y DO SET y=0; END WHILE;\nEND"),
        ("mysql", "CREATE EVENT e ON SCHEDULE EVERY 1 DAY DO BEGIN DELETE FROM a; END"),
        ("sqlite", "CREATE TRIGGER t AFTER INSERT ON a BEGIN\n  UPDATE a SET b=1; SELECT 1;\nEND"),
        ("sqlite", "CREATE TEMP TRIGGER IF NOT EXISTS t AFTER DELETE ON a BEGIN SELECT 1; END"),
        ("bigquery", "CREATE PROCEDURE p()\nBEGIN\n  DECLARE x INT64;\n  BEGIN TRANSACTION;\n"
                     "  SELECT 1;\n  COMMIT TRANSACTION;\nEND"),
        ("bigquery", "BEGIN\n  SELECT 1;\nEXCEPTION WHEN ERROR THEN\n  SELECT 2;\nEND"),
        ("snowflake", "CREATE PROCEDURE p() RETURNS INT LANGUAGE SQL AS\nDECLARE\n  x INT;\n"
                      "BEGIN\n  x := 1;\n  RETURN x;\nEND"),
        ("snowflake", "DECLARE x INT;\nBEGIN\n  RETURN 1;\nEND"),
        ("postgres", "CREATE FUNCTION f() RETURNS int LANGUAGE SQL BEGIN ATOMIC SELECT 1; END"),
        ("postgres", "CREATE FUNCTION f(\"end\" int) RETURNS int AS $$ BEGIN; $$ LANGUAGE plpgsql"),
        ("oracle", "CREATE OR REPLACE FUNCTION f RETURN NUMBER IS\n  x NUMBER;\n  y NUMBER;\n"
                   "BEGIN\n  RETURN 1;\nEND f"),
        ("oracle", "CREATE PROCEDURE p AS\n  PROCEDURE q IS\n  BEGIN NULL; END q;\n"
                   "BEGIN\n  q;\nEND"),
        ("oracle", "CREATE PACKAGE p AS\n  PROCEDURE a;\n  FUNCTION b RETURN NUMBER;\nEND p"),
        ("oracle", "CREATE PACKAGE BODY p IS\n  x NUMBER := 1;\n  PROCEDURE a IS\n"
                   "  BEGIN NULL; END a;\nEND p"),
        ("oracle", "CREATE TRIGGER t BEFORE INSERT ON a REFERENCING NEW AS n FOR EACH ROW\n"
                   "DECLARE\n  x INT;\nBEGIN\n  x := 1;\nEND"),
        ("oracle", "BEGIN\n  EXECUTE IMMEDIATE 'x';\nEXCEPTION WHEN OTHERS THEN NULL;\nEND"),
        ("oracle", "CREATE FUNCTION f RETURN NUMBER AS LANGUAGE JAVA NAME 'a.b()'"),
    ],
)  # fmt: skip
def test_bodies_are_not_split(dialect: str, body: str) -> None:
    check(dialect, f"{body};\nSELECT 2;", body, "SELECT 2")


@pytest.mark.parametrize("dialect", ["postgres", "sqlite", "mysql", "bigquery", "oracle", "tsql"])
@pytest.mark.parametrize("begin", ["BEGIN", "BEGIN TRANSACTION", "BEGIN  WORK"])
def test_begin_of_a_transaction_is_a_statement(dialect: str, begin: str) -> None:
    check(dialect, f"{begin}; SELECT 1; COMMIT;", begin, "SELECT 1", "COMMIT")


def test_columns_may_be_called_like_words_of_a_body() -> None:
    table = 'CREATE TABLE event (begin date, "case" int, declare int)'
    check("sqlite", f"{table}; SELECT begin FROM event;", table, "SELECT begin FROM event")


def test_a_slash_ends_statements_in_oracle() -> None:
    text = (
        "CREATE TABLE a (b int)\n/\nCOMMENT ON TABLE a IS 'x\n/\ny'\n/\nSELECT 4\n/ 2 FROM a;\n/\n"
    )
    first, *_ = check(
        "oracle",
        text,
        "CREATE TABLE a (b int)",
        "COMMENT ON TABLE a IS 'x\n/\ny'",
        "SELECT 4\n/ 2 FROM a",
    )
    assert text[: first.end] == "CREATE TABLE a (b int)\n/"


def test_a_slash_ends_a_body_that_is_not_closed() -> None:
    check("oracle", "BEGIN\n x;\n/\nSELECT 1;", "BEGIN\n x;", "SELECT 1")


def test_sqlplus_lines_are_no_statements() -> None:
    check(
        "oracle",
        "SET DEFINE OFF\nPROMPT it's coming; soon\nREM don't\nWHENEVER SQLERROR EXIT\n"
        "@other.sql\nCREATE TABLE a (\n  remark int,\n  col int\n);\nSPOOL off\n"
        "SET TRANSACTION READ ONLY;\nUPDATE a\nSET b = 1;\nEXIT\n",
        "CREATE TABLE a (\n  remark int,\n  col int\n)",
        "SET TRANSACTION READ ONLY",
        "UPDATE a\nSET b = 1",
    )


def test_psql_lines_and_copy_data_are_no_statements() -> None:
    text = (
        "\\restrict kJ2x\nSET statement_timeout = 0;\nCREATE TABLE a (b int, c text);\n"
        "COPY a (b, c) FROM stdin;\n1\tParis; it's\n-- ask: x\n2\tL'Aquila\n\\.\n\n"
        "CREATE TABLE d (e text DEFAULT 'x\n\\y');\n\\unrestrict kJ2x\n"
    )
    check(
        "postgres",
        text,
        "SET statement_timeout = 0",
        "CREATE TABLE a (b int, c text)",
        "COPY a (b, c) FROM stdin",
        "CREATE TABLE d (e text DEFAULT 'x\n\\y')",
    )
    view = outline(text, "postgres")
    assert [span.of(text)[:4] for span in view.skipped] == ["\\res", "\n1\tP", "\\unr"]
    assert view.comments == ()


def test_a_backslash_line_sends_the_statement_off() -> None:
    check("postgres", "SELECT 1\n\\gx\nSELECT 2", "SELECT 1", "SELECT 2")


def test_copy_without_data_skips_nothing() -> None:
    check("postgres", "COPY a FROM stdin;\nSELECT 1;", "COPY a FROM stdin", "SELECT 1")


def test_a_backslash_line_is_text_in_other_dialects() -> None:
    check("sqlite", "SELECT 1\n\\gx\n;", "SELECT 1\n\\gx")


def test_delimiter_lines_change_the_terminator() -> None:
    check(
        "mysql",
        "SELECT 1;\nDELIMITER $$\nCREATE PROCEDURE p()\nBEGIN\n  SELECT '$$';\nEND $$\n"
        "DROP TABLE a$$\ndelimiter ;;\nSELECT 2; SELECT 3;;\nDELIMITER ;\nSELECT 4;",
        "SELECT 1",
        "CREATE PROCEDURE p()\nBEGIN\n  SELECT '$$';\nEND",
        "DROP TABLE a",
        "SELECT 2; SELECT 3",
        "SELECT 4",
    )


@pytest.mark.parametrize("mark", ["//", "--", "|", "]", "^", "\\", "end", "'", "#", "(", "-"])
def test_any_delimiter_works(mark: str) -> None:
    check("mysql", f"DELIMITER {mark}\nSELECT 1; x {mark}\nSELECT 2{mark}", "SELECT 1; x",
          "SELECT 2")  # fmt: skip


def test_version_comments_of_mysql_are_code() -> None:
    check("mysql", "SELECT 1 /*!50000 ; DROP TABLE a */", "SELECT 1 /*!50000", "DROP TABLE a */")
    check("postgres", "SELECT 1 /*!50000 ; DROP TABLE a */", "SELECT 1")


def test_dot_commands_of_sqlite_are_no_statements() -> None:
    check("sqlite", ".mode csv\nSELECT a\n.5;\n.quit\n", "SELECT a\n.5")


@pytest.mark.parametrize(
    "text",
    [
        "SELECT a\nFROM b\n\nSELECT 2",
        "SELECT a FROM b\nWITH c AS (SELECT 1) SELECT * FROM c",
        "WITH c AS (SELECT 1)\nSELECT * FROM c\n\nSELECT 2",
        "SELECT a FROM b\n\nINSERT INTO c VALUES (1)",
        "SELECT a FROM b\n\nUPDATE c SET d = 1",
        "SELECT a FROM b -- trailing\nCREATE TABLE c (d int)",
        "CREATE TABLE a (b int)\n\nCREATE TABLE c (d int)",
        "COMMENT ON TABLE a IS 'x'\nALTER TABLE a ADD b int",
        "INSERT INTO a VALUES (1)\nINSERT INTO a VALUES (2)",
    ],
)
def test_a_forgotten_semicolon_is_seen(text: str) -> None:
    assert len(split(text, "postgres")) == 2
    assert len(split(text, "")) == 2


@pytest.mark.parametrize(
    "text",
    [
        "SELECT 1\nUNION ALL\nSELECT 2",
        "SELECT 1 UNION\n\n-- and\nSELECT 2",
        "WITH a AS (\nSELECT 1\n)\n\nSELECT * FROM a",
        "WITH a AS (SELECT 1)\nINSERT INTO b\nSELECT * FROM a",
        "INSERT INTO a\nSELECT 1",
        "CREATE VIEW a AS\nSELECT 1",
        "CREATE TABLE a AS\nWITH b AS (SELECT 1)\nSELECT * FROM b",
        "EXPLAIN\nSELECT 1",
        "EXPLAIN ANALYZE\nCREATE TABLE a AS SELECT 1",
        "SELECT (\nSELECT 1\n)",
        "SELECT a,\nSELECT b",
        "FROM a\nINSERT INTO b SELECT c",
        "MERGE INTO a USING b ON c\nWHEN MATCHED THEN\nUPDATE SET d = 1",
        "INSERT INTO a VALUES (1) ON CONFLICT DO\nUPDATE SET d = 1",
        "SELECT a FROM b FOR\nUPDATE",
    ],
)
def test_one_statement_may_begin_lines_like_another(text: str) -> None:
    check("postgres", text, text)


@pytest.mark.parametrize("dialect", ["", "postgres", "tsql", "mysql", "snowflake"])
@pytest.mark.parametrize("mark", ["-- ask: x", "  --refine : x", "/* ask: x */", "-- ASK[a=b]：x"])
def test_a_question_ends_an_unfinished_query(dialect: str, mark: str) -> None:
    check(dialect, f"SELECT (a\nFROM b\n{mark}\nSELECT 2;", "SELECT (a\nFROM b", "SELECT 2")


def test_a_comment_in_a_column_list_does_not_end_it() -> None:
    text = "CREATE TABLE a (\n  -- error: what the engine said\n  b text\n)"
    check("postgres", text, text)


def test_a_question_in_a_body_does_not_end_it() -> None:
    text = "CREATE TRIGGER t AFTER INSERT ON a BEGIN\n-- ask: why\nSELECT 1;\nEND"
    check("sqlite", f"{text};", text)


ATOMS = (
    "' \" ` [ ] $$ $a$ /* */ -- # // \\ {{ }} ; ; ; ( ) a 1 SELECT CREATE TABLE PROCEDURE AS IS "
    "BEGIN END CASE DECLARE IF INSERT INTO VALUES WITH COPY FROM stdin GO UNION ALL UPDATE SET"
    " LOOP WHILE FOR REPEAT THEN DO RULE FUNCTION l: <<l>> @s/a/*.csv file://a/*.py E' q' r' ,"
).split()
LINES = ["GO", "/", "\\.", "\\c x", "DELIMITER ;;", "DELIMITER a", "-- ask: x", "SET DEFINE OFF",
         "BEGIN", "END", "CREATE TABLE a", ".mode x", "SELECT 1", "-- error: y",
         "CREATE PROCEDURE p()", "IF x THEN", "EXEC p -", "RETURN", "USE a"]  # fmt: skip
scripts = st.lists(
    st.one_of(
        st.sampled_from([*ATOMS, "END IF", "END LOOP", " ", "\n", "\r\n", "\r"]),
        st.sampled_from([f"\n{line}\n" for line in LINES]),
        st.characters(),
    ).flatmap(lambda atom: st.sampled_from([atom, f"{atom} "])),
    max_size=30,
).map("".join)


@relaxed
@given(scripts, st.sampled_from(["", *DIALECTS]))
def test_nothing_is_lost_or_out_of_order(text: str, dialect: str) -> None:
    view = outline(text, dialect)
    parts = [(s.lead.start, s.end) for s in view.statements] + [tuple(s) for s in view.skipped]
    end = 0
    for start, stop in sorted(parts):
        assert end <= start <= stop <= len(text)
        end = stop
    for statement in view.statements:
        assert statement.lead.start <= statement.lead.end == statement.span.start
        assert statement.span.start < statement.span.end <= statement.end
        own = statement.span.of(text)
        assert own == own.strip()
    kept = [(s.lead.start, s.end) for s in view.statements]
    kept += [(s.start, s.end) for s in view.skipped] + [(c.start, c.end) for c in view.comments]
    left = without(text, kept)
    if "DELIMITER" not in text:
        assert not left.replace(";", "").replace("\ufeff", "").strip()


def without(text: str, spans: list[tuple[int, int]]) -> str:
    inside = {offset for start, end in spans for offset in range(start, end)}
    return "".join(letter for offset, letter in enumerate(text) if offset not in inside)


@relaxed
@given(scripts, st.sampled_from(["", *DIALECTS]), st.integers(0, 200))
def test_what_lies_behind_the_wanted_statement_need_not_be_read(
    text: str, dialect: str, until: int
) -> None:
    whole, found = split(text, dialect), split(text, dialect, until)
    assert found == whole[: len(found)]
    assert not [each for each in whole[len(found) :] if each.span.start <= until]


def test_what_lies_behind_the_wanted_statement_is_not_read() -> None:
    text = "SELECT 1; SELECT 2; SELECT 3"
    assert [len(split(text, "", until)) for until in (0, 8, 9, 18, 19)] == [1, 1, 2, 2, 3]


@relaxed
@given(scripts, st.sampled_from(["", *DIALECTS]))
def test_comments_lie_outside_of_skipped_parts(text: str, dialect: str) -> None:
    view = outline(text, dialect)
    end = 0
    for piece in view.comments:
        assert end <= piece.start < piece.end
        end = piece.end
        assert not any(s.start < piece.end and piece.start < s.end for s in view.skipped)


def test_a_large_dump_is_split_in_a_moment() -> None:
    row = "(1, 'it''s; some text -- no comment', \"x\", -5.0, NULL),\n"
    text = f"INSERT INTO a VALUES\n{row * 30_000};\n" * 4
    started = time.perf_counter()
    assert len(split(text, "postgres")) == 4
    assert time.perf_counter() - started < 5


@pytest.mark.parametrize(
    "atom", ["(", "(\nCREATE TABLE x\n", "WITH a AS (SELECT 1)\nSELECT 1\nUNION\n", "BEGIN\n",
             "COPY a FROM stdin;\n", "DELIMITER a\n", "IF a THEN ", "LOOP\n",
             "INSERT INTO a\nSELECT\n", "BEGIN;\nIF a THEN\n",
             "DELIMITER //\nCREATE PROCEDURE p() BEGIN\n-- ask: x\n",
             "-- ask: x\n", "CASE ", "\\'\n", "/*/* */", "DOC\n"]
)  # fmt: skip
def test_hostile_scripts_take_linear_time(atom: str) -> None:
    text = (atom * 100_000)[:100_000]
    started = time.perf_counter()
    for dialect in ("", "mysql", "oracle", "tsql", "bigquery"):
        assert all(s.end <= len(text) for s in split(text, dialect))
    assert time.perf_counter() - started < 15
