"""Stamps: what a program writes under a statement, and where it stands among questions."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sqlscribe.notation import asks
from sqlscribe.notation.document import Document
from sqlscribe.notation.lexicon import scan
from sqlscribe.notation.stamps import stamp, stamp_under

STAMP = "-- sqlscribe: at=2024-01-31 sql=abc"


@given(st.lists(st.tuples(st.sampled_from(["at", "table", "verified_by"]), st.text())))
def test_facts_are_read_as_they_were_written(facts: list[tuple[str, str]]) -> None:
    line = stamp(facts)
    assert not set("\n\r{}") & set(line)
    found = stamp_under(f"SELECT 1;\n{line}\n", 9)
    assert (found.facts if found else ()) == tuple(facts)
    assert len([piece for piece in scan(line, "postgres") if piece.end > piece.start]) == 1


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (f"SELECT 1;\n{STAMP}\n", True),
        (f"SELECT 1;\r\n  {STAMP}", True),
        (f"SELECT 1; -- a remark\n{STAMP}", True),
        (f"SELECT 1; /* a remark */ \n{STAMP}", True),
        (f"SELECT 1; SELECT 2;\n{STAMP}", False),
        (f"SELECT 1;\n\n{STAMP}", False),
        (f"SELECT 1; {STAMP}", False),
        ("SELECT 1;\n-- sqlscribe: ignore[name/*]", False),
        ("SELECT 1;", False),
    ],
)
def test_a_stamp_stands_on_the_line_under_its_statement(text: str, found: bool) -> None:
    assert (stamp_under(text, 9) is not None) is found


def question(text: str, index: int = 0) -> tuple[Document, asks.Question]:
    document = Document("file:///a.sql", text)
    return document, asks.read(document, "postgres").questions[index]


@pytest.mark.parametrize(
    ("text", "index", "after"),
    [
        (f"-- ask: a\nSELECT 1;\n{STAMP}\n", 0, "-- ask: a\nSELECT 2;\n-- new\n"),
        ("-- ask: a\nSELECT 1;\n\n", 0, "-- ask: a\nSELECT 2;\n-- new\n\n"),
        ("-- ask: a\nSELECT 1; -- r\n", 0, "-- ask: a\nSELECT 2; -- r\n-- new\n"),
        ("-- ask: a\nSELECT 1; SELECT 3;\n", 0, "-- ask: a\nSELECT 2; SELECT 3;\n"),
        ("  -- ask: a\n", 0, "  -- ask: a\n  SELECT 2;\n  -- new\n"),
        (f"-- ask: a\n{STAMP}\n", 0, "-- ask: a\nSELECT 2;\n-- new\n"),
        (
            f"-- ask: a\nSELECT 1;\n{STAMP}\n-- refine: b\n",
            1,
            "-- ask: a\n-- refine: b\nSELECT 2;\n-- new\n",
        ),
        (
            f"-- ask: a\nSELECT 1;\n-- refine: b\n{STAMP}\n",
            1,
            "-- ask: a\n-- refine: b\nSELECT 2;\n-- new\n",
        ),
        (f"SELECT 1;\n{STAMP}\n-- error: b\nSELECT 3;", 0, "SELECT 2;\n-- new\nSELECT 3;"),
    ],
)
def test_a_new_answer_brings_its_own_stamp(text: str, index: int, after: str) -> None:
    document, asked = question(text, index)
    edit = asks.place(document, asked, "SELECT 2", "-- new")
    assert document.changed([edit]).text == after


def test_without_a_new_stamp_the_old_one_goes() -> None:
    document, asked = question(f"-- ask: a\r\nSELECT 1;\r\n{STAMP}\r\n-- a remark")
    edit = asks.place(document, asked, "SELECT 2")
    assert document.changed([edit]).text == "-- ask: a\r\nSELECT 2;\r\n-- a remark"


@pytest.mark.parametrize("line", [STAMP, "-- sqlscribe: ignore[quality/*]"])
def test_what_speaks_to_the_program_is_no_part_of_a_question(line: str) -> None:
    _, asked = question(f"-- ask: a\n{line}\nSELECT 1;\n")
    assert asked.text == "a"
