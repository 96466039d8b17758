"""Verified examples written to training files, and read back."""

import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shop import write
from sqlscribe.knowledge.examples import Example, read_examples
from sqlscribe.notation import asks
from sqlscribe.notation.asks import Turn
from sqlscribe.notation.document import Document
from sqlscribe.saving import (
    Verified,
    added,
    own_file,
    replaced,
    training_file,
    twins,
    verified_of,
    write_new,
)

FILE = Path("verified.sql")
NAMES = Verified((Turn("ask", "all names"),), "SELECT name FROM t", "postgres", "Ada", "2026-01-31")
ENTRY = (
    "-- ask[dialect=postgres]: all names\nSELECT name FROM t;\n"
    "-- sqlscribe: verified_by=Ada verified_at=2026-01-31\n"
)


def after(text: str, verified: Verified = NAMES, dialect: str = "postgres") -> str:
    document = Document("file:///t.sql", text)
    saved = added(document, FILE, verified, dialect)
    assert not saved.reason, saved.reason
    return document.changed(saved.edits).text


@pytest.mark.parametrize(
    ("text", "whole"),
    [
        ("", ENTRY),
        ("\n\n", f"\n\n{ENTRY}"),
        ("-- ask: a\nSELECT 1;\n", f"-- ask: a\nSELECT 1;\n\n{ENTRY}"),
        ("-- ask: a\nSELECT 1;\n\n", f"-- ask: a\nSELECT 1;\n\n{ENTRY}"),
        ("-- ask: a\nSELECT 1;", f"-- ask: a\nSELECT 1;\n\n{ENTRY}"),
        ("-- ask: a\nSELECT 1\n", f"-- ask: a\nSELECT 1;\n\n{ENTRY}"),
        ("-- ask: a\nSELECT 1 -- r", f"-- ask: a\nSELECT 1; -- r\n\n{ENTRY}"),
        ("\tSELECT  1 ;  \r\n", "\tSELECT  1 ;  \r\n\r\n" + ENTRY.replace("\n", "\r\n")),
        ("-- ask: a", f"-- ask: a\n\n{ENTRY}"),
    ],
)
def test_a_training_file_keeps_all_that_it_had(text: str, whole: str) -> None:
    assert after(text) == whole


SQL = st.sampled_from(
    [
        "SELECT 1",
        "SELECT a, -- first\n  b\nFROM t -- last",
        "-- lead\nSELECT 'it''s; -- no end'",
        "WITH x AS (\n  SELECT 1\n)\nSELECT * FROM x;",
        'SELECT "ask: x" FROM "T"',
    ]
)
WORDS = st.text(st.sampled_from("ab é中@.-*/:'\"\n#"), min_size=1, max_size=30)


@settings(max_examples=100, deadline=None)
@given(
    st.lists(WORDS, min_size=1, max_size=2),
    SQL,
    st.text(max_size=10),
    st.sampled_from(["", "-- ask: a\r\nSELECT 1;\r\n", "SELECT 1"]),
)
def test_what_is_saved_is_read_back_or_refused(
    said: list[str], sql: str, by: str, before: str
) -> None:
    said = [text.strip() or "x" for text in said]
    turns = tuple(Turn("refine" if index else "ask", text) for index, text in enumerate(said))
    verified = Verified(turns, sql, "postgres", by, "2026-01-31")
    document = Document("file:///t.sql", before)
    saved = added(document, FILE, verified, "postgres")
    if saved.reason:
        assert saved.edits == ()
        return
    text = document.changed(saved.edits).text
    assert text.startswith(before)
    *_, last = read_examples(Document("file:///t.sql", text), FILE, "postgres")[0]
    assert last.question.split() == verified.question.split()
    assert (last.dialect, last.verified_by) == ("postgres", by)
    assert twins(verified, [last])[0] is last


def test_sql_of_another_dialect_goes_where_it_can_be_read() -> None:
    ticks = Verified((Turn("ask", "a"),), "SELECT `a;b` FROM t", "mysql")
    saved = added(Document("file:///t.sql", "SELECT 1;\n"), FILE, ticks, "postgres")
    assert "another dialect" in saved.reason
    assert after("-- dialect: mysql\n", ticks).endswith("SELECT `a;b` FROM t;\n")


def test_a_verified_answer_is_replaced_where_it_stands() -> None:
    text = f"-- a\n-- ask: b\nSELECT 2;\n\n{after('')}-- ask: c\nSELECT 3\n".replace("\n", "\r\n")
    document = Document("file:///t.sql", text)
    old = read_examples(document, FILE, "postgres")[0][1]
    new = Verified(NAMES.turns, "SELECT other FROM t", "postgres", "Grace", "2026-02-01")
    saved = replaced(document, FILE, old, new, "postgres")
    expected = text.replace("SELECT name", "SELECT other").replace("=Ada", "=Grace")
    assert document.changed(saved.edits).text == expected.replace("01-31", "02-01")


def test_an_answer_that_is_gone_is_not_replaced() -> None:
    old = Example("all names", "SELECT name FROM t", "postgres")
    saved = replaced(Document("file:///t.sql", "SELECT 1;"), FILE, old, NAMES, "postgres")
    assert "not in verified.sql any more" in saved.reason


@pytest.mark.parametrize(
    ("example", "same", "other"),
    [
        (Example("All names?", "select NAME\nfrom t;", "postgres"), True, False),
        (Example("all names", "SELECT id FROM t", "postgres"), False, True),
        (Example("all names", "SELECT name FROM t", "mysql"), False, False),
        (Example("all towns", "SELECT name FROM t", "postgres"), False, False),
    ],
)
def test_the_same_question_is_known_again(example: Example, same: bool, other: bool) -> None:
    found = twins(NAMES, [example])
    assert (found[0] is not None, found[1] is not None) == (same, other)


def test_an_error_is_no_part_of_what_is_saved() -> None:
    text = "-- ask: a\n-- refine: b\nSELECT 1;\n-- error: no table\n"
    question = asks.read(Document("file:///a.sql", text), "postgres").questions[-1]
    verified = verified_of(question, "SELECT 2", "postgres")
    assert verified is not None
    assert verified.question == "a\nb"
    assert verified_of(question, "  ", "postgres") is None


@pytest.mark.parametrize(
    ("files", "patterns", "name", "there"),
    [
        ({}, ["training/**"], "training/verified.sql", False),
        ({"training/b.sql": "", "training/a.yaml": ""}, ["training/**"], "training/b.sql", True),
        ({"kb/x.sql": ""}, ["*.jsonl", "kb/*.sql"], "kb/x.sql", True),
        ({}, ["*.jsonl", "kb/**/*.sql"], "kb/verified.sql", False),
        ({}, ["**/examples/*.sql"], None, False),
        ({}, ["kb/*.yaml"], None, False),
        ({}, ["../kb/*.sql", "kb/../../*.sql", "kb/../x/*.sql"], None, False),
        ({}, ["../kb/*.sql", "kb/*.sql"], "kb/verified.sql", False),
        ({}, [], None, False),
    ],
)
def test_where_examples_are_saved(
    tmp_path: Path, files: dict[str, str], patterns: list[str], name: str | None, there: bool
) -> None:
    write(tmp_path, files)
    assert training_file(tmp_path, patterns) == (name and tmp_path / name, there)


@pytest.mark.skipif(sys.platform == "win32", reason="links need rights there")
def test_examples_are_not_saved_through_a_link_out_of_the_folder(tmp_path: Path) -> None:
    root = tmp_path / "shop"
    root.mkdir()
    (tmp_path / "private").mkdir()
    (root / "training").symlink_to(tmp_path / "private")
    assert training_file(root, ["training/*.sql"]) == (None, False)
    (root / "kb").mkdir()
    (root / "kb" / "verified_mysql.sql").symlink_to(tmp_path / "private" / "other.sql")
    assert own_file(root, root / "kb" / "verified.sql", "mysql", ["kb/*"]) is None


def test_a_dialect_has_a_file_of_its_own_where_that_would_be_read(tmp_path: Path) -> None:
    path = tmp_path / "training" / "verified.sql"
    own = own_file(tmp_path, path, "mysql", ["training/**"])
    assert own == path.with_name("verified_mysql.sql")
    assert own_file(tmp_path, path, "mysql", ["training/verified.sql"]) is None


def test_a_new_file_never_takes_the_place_of_another(tmp_path: Path) -> None:
    path = tmp_path / "new" / "verified.sql"
    write_new(path, "é\r\n")
    assert path.read_bytes() == "é\r\n".encode()
    with pytest.raises(FileExistsError):
        write_new(path, "")


def test_characters_that_would_make_the_file_unreadable_are_not_saved() -> None:
    script = asks.read(Document("", "-- ask: all\x00 names \x1b[1m\nSELECT 1;\n"), "postgres")
    verified = verified_of(script.questions[0], "SELECT 1", "postgres")
    assert verified is not None
    assert after("", verified).startswith("-- ask[dialect=postgres]: all  names  [1m\n")
