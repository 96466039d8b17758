"""Where an answer is missing at a cursor, and what would be put there."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sqlscribe.ghost_text import gap_at, ghost
from sqlscribe.notation import asks
from sqlscribe.notation.document import Document

CURSOR = "▮"


def placed(marked: str, sql: str = "SELECT 1", stamp: str = "", dialect: str = "") -> str | None:
    """The text once the ghost at the cursor was taken; ``None`` where there is none."""
    offset = marked.index(CURSOR)
    document = Document("file:///q.sql", marked.replace(CURSOR, "", 1))
    script = asks.read(document, dialect)
    gap = gap_at(script, offset)
    edit = ghost(script, gap, sql, stamp) if gap is not None else None
    if edit is None:
        return None
    # Editors show ghost text for ranges within one line only, around the cursor.
    assert document.line_of(edit.span.start) == document.line_of(edit.span.end)
    assert edit.span.contains(offset)
    return document.changed([edit]).text


@pytest.mark.parametrize(
    ("marked", "after"),
    [
        ("-- ask: cities▮", "-- ask: cities\nSELECT 1;"),
        ("-- ask: cities▮\n", "-- ask: cities\nSELECT 1;\n"),
        ("-- ask: cities\n▮", "-- ask: cities\nSELECT 1;"),
        ("-- ask: cities\n▮\nSELECT 2;\n", "-- ask: cities\nSELECT 1;\nSELECT 2;\n"),
        ("-- ask: cities▮\n\nSELECT 2;\n", "-- ask: cities\nSELECT 1;\n\nSELECT 2;\n"),
        ("-- ask: cities\n-- with names▮\n", "-- ask: cities\n-- with names\nSELECT 1;\n"),
        ("-- ask: 你好😀▮\n", "-- ask: 你好😀\nSELECT 1;\n"),
        ("/* ask: cities\n  of France */▮\n", "/* ask: cities\n  of France */\nSELECT 1;\n"),
        ("/* ask: cities */  ▮\n", "/* ask: cities */  \nSELECT 1;\n"),
        ("-- ask: cities▮\r\nSELECT", None),
        ("-- ask: cities▮\r\n\r\n", "-- ask: cities\r\nSELECT 1;\r\n\r\n"),
        ("-- ask: cities\r\n▮\r\n", "-- ask: cities\r\nSELECT 1;\r\n"),
        ("  -- ask: cities▮\n", "  -- ask: cities\n  SELECT 1;\n"),
        ("  -- ask: cities\n  ▮\n", "  -- ask: cities\n  SELECT 1;\n"),
        ("\t-- ask: cities\n▮\n", "\t-- ask: cities\n\tSELECT 1;\n"),
        ("-- ask: a\n-- refine: b▮\n", "-- ask: a\n-- refine: b\nSELECT 1;\n"),
        # It would else ask to change this answer.
        ("-- ask: a\n▮\n-- refine: b\n", "-- ask: a\nSELECT 1;\n\n-- refine: b\n"),
        ("-- ask: a\n▮\n-- ask: b\n", "-- ask: a\nSELECT 1;\n-- ask: b\n"),
    ],
)
def test_the_answer_goes_where_the_code_action_puts_it(marked: str, after: str | None) -> None:
    assert placed(marked) == after


@pytest.mark.parametrize(
    "marked",
    [
        "▮",
        "SELECT 1;▮\n",
        "-- a comment▮\n",
        "-- ask: cit▮ies\n",
        "▮-- ask: cities\n",
        "-- ask:▮\n",
        "-- ask: cities\n\n▮\n",
        "-- ask: cities▮\nSELECT 1;\n",
        "-- ask: cities\nSELECT 1;▮\n",
        "-- ask: cities\nSELECT 1;\n▮\n",
        "-- ask: cities\nSEL▮\n",
        "-- ask: cities\n-- with▮ names\n",
        "-- ask: cities▮\n-- with names\n",
        "/* ask: cities */▮ SELECT 1;\n",
        "/* ask: cities */ ▮x SELECT 1;\n",
        "-- ask: a\nSELECT 1;\n-- refine: b▮\n",
        "SELECT 1;\n-- error: b▮\n",
        # What is left of an older answer would seem to speak of this one.
        "-- ask: cities▮\n-- sqlscribe: at=2024-01-31 model=m question=q sql=s\n",
        "-- ask: cities\n▮\n-- sqlscribe: at=2024-01-31 model=m question=q sql=s\n",
    ],
)
def test_elsewhere_there_is_none(marked: str) -> None:
    assert placed(marked) is None


def test_lines_are_indented_and_end_as_those_of_the_file() -> None:
    assert placed("  -- ask: a▮\r\n", "SELECT 1,\n  2") == (
        "  -- ask: a\r\n  SELECT 1,\r\n    2;\r\n"
    )


def test_a_stamp_stands_under_it() -> None:
    assert placed("-- ask: a\n▮\n", stamp="-- s") == "-- ask: a\nSELECT 1;\n-- s\n"


def test_the_delimiter_of_the_file_ends_it() -> None:
    marked = "DELIMITER //\n-- ask: a▮\n"
    assert placed(marked, dialect="mysql") == "DELIMITER //\n-- ask: a\nSELECT 1//\n"


@pytest.mark.parametrize("sql", ["", "-- nothing", ";"])
def test_what_is_no_statement_is_not_placed(sql: str) -> None:
    assert placed("-- ask: a▮\n", sql) is None


LINES = st.sampled_from(
    [
        "-- ask: a",
        "  -- ask: b",
        "-- refine: c",
        "/* ask: d */",
        "",
        "  ",
        "SELECT 1;",
        "SELECT",
        "-- x",
    ]
)


@given(st.lists(LINES, max_size=8), st.sampled_from(["\n", "\r\n", "\r"]), st.data())
@settings(max_examples=100, deadline=None)
def test_what_was_there_stays_and_the_question_has_its_answer(
    lines: list[str], newline: str, data: st.DataObject
) -> None:
    text = newline.join(lines)
    offset = data.draw(st.integers(0, len(text)))
    document = Document("file:///q.sql", text)
    script = asks.read(document, "postgres")
    gap = gap_at(script, offset)
    edit = ghost(script, gap, "SELECT 42") if gap is not None else None
    if gap is None or edit is None:
        return
    after = asks.read(document.changed([edit]), "postgres")
    found = next(each for each in after.questions if each.span.start == gap.question.span.start)
    assert after.sql_of(found) == "SELECT 42"
    assert (found.text, found.turns) == (gap.question.text, gap.question.turns)
    kept = after.document.text.replace("SELECT 42;", "", 1).split()
    assert kept == text.split()
