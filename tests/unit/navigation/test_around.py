"""The statement at a place, in small texts and in large ones."""

import pytest

from navigating import at_cursor
from sqlscribe.navigation.around import dialect_of, spot_near


def around(text: str, dialect: str = "postgres") -> str | None:
    document, offset = at_cursor(text)
    spot = spot_near(document.text, offset, dialect, {})
    if spot is None:
        return None
    assert document.text[spot.start : spot.start + len(spot.sql)] == spot.sql
    return spot.sql


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("SELECT 1; SELECT |2; SELECT 3", "SELECT 2"),
        ("SELECT 1 FROM |\n\n-- ask: x\nSELECT 2;", "SELECT 1 FROM "),
        ("SELECT 1 FROM \n  |", "SELECT 1 FROM \n  "),
        ("SELECT 1;|", None),
        ("SELECT 1;\n|", None),
        ("|", None),
        ("-- only a |remark", None),
        ("DO $$ BEGIN SELECT 1; SELECT |2; END $$", "SELECT 2"),
    ],
)
def test_the_statement_of_the_cursor(text: str, expected: str | None) -> None:
    assert around(text) == expected


def test_in_a_long_text_only_the_neighbourhood_is_read() -> None:
    line = "SELECT 'some words that are in the way', 1;\r\n"
    assert around(line * 3_000 + "SELECT |x FROM t;\r\n" + line * 3_000) == "SELECT x FROM t"


def test_a_long_statement_is_found_from_its_beginning() -> None:
    items = ",\n".join(f"  'item number {n}' AS item_{n}" for n in range(600))
    text = f"{'SELECT 1;' * 3_000}\nSELECT\n{items},\n  |\nFROM orders o;\n"
    found = around(text)
    assert found is not None
    assert found.startswith("SELECT\n  'item number 0'")


@pytest.mark.parametrize(
    ("text", "expected"),
    [("-- dialect: mysql\nSELECT 1", "mysql"), ("SELECT 1 -- dialect: mysql", "postgres"),
     ("-- dialect: klingon\n", "postgres"), ("", "postgres")],
)  # fmt: skip
def test_the_head_of_a_file_names_its_dialect(text: str, expected: str) -> None:
    assert dialect_of(text, "postgres") == expected
