"""Pairs of other tools as text for our training files."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from sqlscribe.importing import Imported, imported
from sqlscribe.knowledge.examples import Example, read_examples
from sqlscribe.knowledge.foreign_examples import Pair
from sqlscribe.notation.document import Document, decode

FILE = Path("training/x.sql")
LINES = Path("training/x.jsonl")


def made(*pairs: Pair, examples: tuple[Example, ...] = (), path: Path = FILE) -> Imported:
    return imported(pairs, examples, path, "postgres")


def read_back(found: Imported, path: Path = FILE) -> list[tuple[str, str]]:
    examples, findings = read_examples(Document("", found.text), path, "postgres")
    assert findings == ()
    return [(example.question, example.sql.rstrip(";")) for example in examples]


def test_what_is_written_is_read_back_as_it_was() -> None:
    found = made(
        Pair("how many?", "SELECT count(*)\nFROM orders -- all", 0),
        Pair("two\nlines", "WITH a AS (SELECT 1 AS b) SELECT b FROM a", 1),
        Pair("上个月", "SELECT ';' AS x", 2, dialect="mysql", verified_by="Ann"),
    )
    assert (found.added, found.known, found.problems) == (3, 0, ())
    examples, _ = read_examples(Document("", found.text), FILE, "postgres")
    assert [each.question for each in examples] == ["how many?", "two\nlines", "上个月"]
    assert (examples[2].dialect, examples[2].verified_by) == ("mysql", "Ann")


def test_characters_that_would_make_the_file_unreadable_are_left_out() -> None:
    pair = Pair("all\x00 names\x1b\ud83d", "SELECT 1", 0, note="of\x00 all")
    assert read_back(made(pair)) == [("all  names", "SELECT 1")]
    assert decode(made(pair).text.encode()).text == made(pair).text
    [example], _ = read_examples(Document("", made(pair, path=LINES).text), LINES, "postgres")
    assert (example.question, example.note) == ("all  names", "of  all")


def test_of_two_answers_the_later_one_counts_and_the_other_is_told() -> None:
    found = made(Pair("Top customers", "SELECT 1", 4), Pair("  top  customers ", "SELECT 2", 9))
    assert [sql for _, sql in read_back(found)] == ["SELECT 2"]
    assert [(one.line, "line 10" in one.message) for one in found.problems] == [(4, True)]


def test_what_is_known_is_not_added_again_and_what_people_verified_stays() -> None:
    example = Example("how many?", "SELECT count(*)\nFROM orders;", file=Path("training/t.sql"))
    same = made(Pair("How many?", "SELECT count(*) FROM orders", 0), examples=(example,))
    assert (same.text, same.added, same.known, same.problems) == ("", 0, 1, ())
    other = made(Pair("How many?", "SELECT 5", 0), examples=(example,))
    assert (other.text, "t.sql, line 1" in other.problems[0].message) == ("", True)


@pytest.mark.parametrize(
    ("pair", "said"),
    [
        (Pair("cities", "SELECT FROM", 2), "does not parse"),
        (Pair("drop it", "DROP TABLE orders", 2), "does not only read"),
        (Pair("two", "SELECT 1; SELECT 2", 2), "does not only read"),
        (Pair("", "SELECT 1", 2), "--ask-model"),
        (Pair("x", "SELECT 1", 2, dialect="klingon"), "no dialect klingon"),
        (Pair("one\nask: two", "SELECT 1", 2), "cannot be written"),
    ],
)
def test_what_is_no_example_is_a_problem_at_its_line(pair: Pair, said: str) -> None:
    good = Pair("how many?", "SELECT 1", 0)
    found = made(good, pair)
    assert (found.added, [one.line for one in found.problems]) == (1, [2])
    assert said in found.problems[0].message


def test_lines_of_json_have_a_place_for_notes() -> None:
    pair = Pair("how many?", "SELECT 1", 0, note="all of them", verified_at="2024-01-31")
    assert made(pair).notes == 1
    path = Path("training/x.jsonl")
    found = made(pair, Pair("b", "SELECT 2", 1), path=path)
    assert found.notes == 0
    assert json.loads(found.text.splitlines()[0])["note"] == "all of them"
    assert [question for question, _ in read_back(found, path)] == ["how many?", "b"]
