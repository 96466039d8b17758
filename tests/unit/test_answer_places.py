"""Where an answer goes in a document that changed while it was made."""

from __future__ import annotations

import pytest

from sqlscribe import answer_places
from sqlscribe.answer_places import Asked
from sqlscribe.notation import asks
from sqlscribe.notation.asks import Script
from sqlscribe.notation.document import Document

SQL = "SELECT 7 FROM t"


def read(text: str) -> Script:
    return asks.read(Document("file:///q.sql", text), "postgres")


def placed(before: str, after: str, reading: str = "") -> str | None:
    """The second text with the answer to the last question of the first, if it has a place."""
    asked = read(before)
    now = read(after)
    edits = answer_places.edits(
        Asked(asked.document, asked.questions[-1]), now, SQL, reading=reading
    )
    return None if edits is None else now.document.changed(edits).text


ASK = "-- ask: q\n"
REFINE = "-- refine: r\n"
ERROR = "-- error: e\n"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (ASK, f"{ASK}SELECT mine;\n"),
        (f"{ASK}\nSELECT other;\n", f"{ASK}SELECT other;\n"),
        (f"{ASK}SELECT 1;\n", f"{ASK}SELECT 1, mine;\n"),
        (f"{ASK}SELECT 1;\n", f"{ASK}-- a remark of mine\nSELECT 1;\n"),
        (f"{ASK}SELECT 1;\n{REFINE}", f"{ASK}SELECT 1, mine;\n{REFINE}"),
        (f"SELECT 1;\n{ERROR}", f"SELECT 1, mine;\n{ERROR}"),
        (f"{ASK}\n{ASK}SELECT 2;\n{ASK}", f"{ASK}SELECT 2;\n"),
    ],
)
@pytest.mark.parametrize("reading", ["", "by the date of payment"])
def test_what_was_written_meanwhile_is_not_replaced(before: str, after: str, reading: str) -> None:
    assert placed(before, after, reading) is None


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        (f"{ASK}SELECT 1;\n", f"{ASK}SELECT\n  1\n", f"{ASK}{SQL};\n"),
        (f"{ASK}SELECT 1;\n", f"\n{ASK}", f"\n{ASK}{SQL};\n"),
        (f"{ASK}SELECT 1;\n", f"{ASK}{SQL};\n", f"{ASK}{SQL};\n"),
        (f"SELECT 1\n{ERROR}", f"SELECT\t1;\n{ERROR}", "SELECT 7 FROM t;\n"),
    ],
)
def test_what_was_only_laid_out_anew_or_taken_out_is_replaced(
    before: str, after: str, expected: str
) -> None:
    assert placed(before, after) == expected


@pytest.mark.parametrize(
    ("before", "expected"),
    [
        (ASK, f"{ASK}{SQL}\n"),
        (f"{ASK}SELECT 1;\n", f"{ASK}{SQL}\n"),
        (f"{ASK}SELECT 1\n{REFINE}", f"{ASK}{REFINE}{SQL}\n"),
        (f"SELECT 1\n{ERROR}", f"{SQL}\n"),
        (f"{ASK}\nSELECT 2\n", f"{ASK}{SQL};\n\nSELECT 2\n"),
    ],
)
def test_in_a_model_of_dbt_nothing_ends_the_last_statement(before: str, expected: str) -> None:
    script = read(before)
    asked = Asked(script.document, script.questions[-1])
    edits = answer_places.edits(asked, script, SQL, is_model=True)
    assert edits is not None
    after = script.document.changed(edits)
    assert after.text == expected
    # It is found again as it stands.
    answered = asks.read(after, "postgres")
    assert SQL in [statement.span.of(after.text) for statement in answered.statements]
