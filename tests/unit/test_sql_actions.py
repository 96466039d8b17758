"""What can be done with one statement of a script."""

import pytest

from sqlscribe.notation import asks
from sqlscribe.notation.document import Document, Span
from sqlscribe.rewrites import Rewrites
from sqlscribe.schema.model import Column, Schema, Table
from sqlscribe.sql_actions import (
    Change,
    Spot,
    convert_change,
    dialects_for,
    explanation_edit,
    format_change,
    question_edit,
    spot_again,
    spot_at,
)

SCHEMA = Schema((Table("t", (Column("a", "int"), Column("b", "text"))),))


def spot(text: str, word: str = "from t", dialect: str = "postgres") -> Spot:
    """The statement around a word of a text."""
    script = asks.read(Document("file:///a.sql", text), dialect)
    at = text.index(word)
    found = spot_at(script, Span(at, at))
    assert found is not None
    return found


def after(found: Spot, change: Change) -> str:
    assert not change.reason, change.reason
    return found.script.document.changed(change.edits).text


@pytest.mark.parametrize(
    ("text", "at", "sql"),
    [
        ("select 1; select 2;", 0, "select 1"),
        ("select 1; select 2;", 9, "select 1"),
        ("select 1; select 2;", 10, "select 2"),
        ("-- note\nselect 1", 3, None),
        ("create table x (a int)", 3, None),
        ("(select 1)", 3, "(select 1)"),
        ("", 0, None),
    ],
)
def test_the_query_at_a_place(text: str, at: int, sql: str | None) -> None:
    script = asks.read(Document("file:///a.sql", text), "postgres")
    found = spot_at(script, Span(at, at))
    assert (found.sql if found else None) == sql


def test_a_statement_is_found_again_where_it_has_moved() -> None:
    old = spot("select 0;\nselect a from t;\n")
    new = asks.read(Document("file:///a.sql", "select 1;\n\n-- ask: x\nselect a from t"), "")
    again = spot_again(new, old.print, old.index)
    assert again is not None
    assert again.question is not None
    assert again.sql == old.sql
    assert spot_again(new, "other", 0) is None


@pytest.mark.parametrize(
    ("text", "whole"),
    [
        ("select a from t;\n", "SELECT\n  a\nFROM t;\n"),
        (
            "-- ask: x\r\n  select a from t ;  -- r\r\n",
            "-- ask: x\r\n  SELECT\r\n    a\r\n  FROM t ;  -- r\r\n",
        ),
        ("select 1; select a from t", "select 1; SELECT\n  a\nFROM t"),
    ],
)
def test_only_the_statement_is_formatted(text: str, whole: str) -> None:
    found = spot(text)
    assert after(found, format_change(found, Rewrites())) == whole


@pytest.mark.parametrize(
    ("text", "whole", "remark"),
    [
        (
            "select a from t limit 1;\n",
            "-- dialect: tsql\nSELECT TOP 1 a FROM t;\n",
            "",
        ),
        (
            "-- dialect: postgres\nselect a from t limit 1;\n",
            "-- dialect: tsql\nSELECT TOP 1 a FROM t;\n",
            "",
        ),
        (
            "-- ask[model=x, dialect=postgres]: q\nselect a from t limit 1;\n\nselect 2;",
            "-- ask[model=x, dialect=tsql]: q\nSELECT TOP 1 a FROM t;\n\nselect 2;",
            "",
        ),
        (
            "select a from t limit 1;\nselect 2;",
            "SELECT TOP 1 a FROM t;\nselect 2;",
            "the rest of the file is still read as postgres",
        ),
    ],
)
def test_a_converted_statement_is_read_in_its_dialect(text: str, whole: str, remark: str) -> None:
    found = spot(text)
    change = convert_change(found, "tsql", SCHEMA, Rewrites())
    assert (after(found, change), change.remark) == (whole, remark)


def test_what_would_not_run_there_is_not_converted() -> None:
    found = spot("select date_trunc('month', a::timestamp) - interval '1 month' from t")
    change = convert_change(found, "sqlite", SCHEMA, Rewrites())
    assert change.edits == ()
    assert change.reason.startswith("not converted to sqlite: ")


def test_an_old_error_is_no_reason_not_to_convert() -> None:
    found = spot("select zz from t")
    assert convert_change(found, "mysql", SCHEMA, Rewrites()).edits


def test_dialects_of_the_workspace_come_first_and_its_own_is_none() -> None:
    found = spot("select a from t")
    assert dialects_for(found, ("oracle", "", "postgres"))[:2] == ("oracle", "mysql")
    assert "postgres" not in dialects_for(found, ())


def test_there_is_only_so_much_time_to_look_for_reasons() -> None:
    rewrites = Rewrites()
    sql = "select a from t for update"
    assert rewrites.reasons(sql, "postgres", ["tsql"], 0.0) == {"tsql": ""}
    assert "FOR UPDATE" in rewrites.reasons(sql, "postgres", ["tsql"], 60.0)["tsql"]
    assert "FOR UPDATE" in rewrites.reasons(sql, "postgres", ["tsql"], 0.0)["tsql"]


@pytest.mark.parametrize(
    ("text", "whole"),
    [
        ("select a from t;", "/* Explanation: All of a. */\nselect a from t;"),
        (
            "-- ask: x\r\n  select a from t;",
            "-- ask: x\r\n  /* Explanation: All of a. */\r\n  select a from t;",
        ),
        (
            "-- ask: x\n/* Explanation: old\n   words */\nselect a from t;",
            "-- ask: x\n/* Explanation: All of a. */\nselect a from t;",
        ),
        (
            "/* Explanation: of 1 */\nselect 1;\nselect a from t;",
            "/* Explanation: of 1 */\nselect 1;\n/* Explanation: All of a. */\nselect a from t;",
        ),
    ],
)
def test_an_explanation_stands_above_its_statement_once(text: str, whole: str) -> None:
    found = spot(text)
    edited = found.script.document.changed([explanation_edit(found, "All of a.")])
    assert edited.text == whole
    questions = asks.read(edited, "postgres").questions
    assert [each.text for each in questions] == [q.text for q in found.script.questions]
    assert all(each.answer is not None for each in questions)


@pytest.mark.parametrize(
    ("text", "words", "whole"),
    [
        ("select a from t;", "Which a?", "-- ask: Which a?\nselect a from t;"),
        ("select 1; select a from t;", "a?", "select 1; \n-- ask: a?\nselect a from t;"),
        ("  select a from t", "-- ask: @a\nand b", "  -- ask: a and b\n  select a from t"),
    ],
)
def test_a_statement_gets_its_question(text: str, words: str, whole: str) -> None:
    found = spot(text)
    assert after(found, question_edit(found, words)) == whole
    assert spot(whole).question is not None


def test_a_statement_has_one_question_only() -> None:
    found = spot("-- ask: x\nselect a from t")
    assert question_edit(found, "y").reason
    assert question_edit(spot("select a from t"), " ``` ").reason
