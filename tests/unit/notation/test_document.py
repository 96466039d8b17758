"""Positions, edits and file encodings, against what ``str`` and ``bytes`` say of them."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sqlscribe.notation.document import (
    Document,
    Encoding,
    NotText,
    Position,
    Range,
    Span,
    TextEdit,
    decode,
    difference,
    length,
)

ENCODINGS: tuple[Encoding, ...] = ("utf-8", "utf-16", "utf-32")
UNIT = {"utf-8": ("utf-8", 1), "utf-16": ("utf-16-le", 2), "utf-32": ("utf-32-le", 4)}

characters = st.one_of(
    st.sampled_from("a\n\r\t😀𠮷é售\u2028\u2029\x0b\x0c\x1c\x85\ufeff\u0301\x00"),
    st.characters(),
    st.sampled_from(["\ud83d", "\udc00"]),
)
texts = st.lists(st.one_of(characters, st.just("\r\n")), max_size=40).map("".join)
relaxed = settings(max_examples=100, deadline=None)


def units(text: str, encoding: str) -> int:
    codec, size = UNIT[encoding]
    return len(text.encode(codec, "surrogatepass")) // size


def line_table(text: str) -> list[tuple[int, int]]:
    """Start and end of each line, by a way of its own."""
    table, start = [], 0
    for part in re.split(r"(\r\n|\r|\n)", text)[::2]:
        end = start + len(part)
        table.append((start, end))
        start = end + (2 if text.startswith("\r\n", end) else 1)
    return table


@relaxed
@given(texts, st.sampled_from(ENCODINGS))
def test_every_offset_has_the_position_that_encoding_its_line_gives(
    text: str, encoding: Encoding
) -> None:
    document = Document("file:///a.sql", text)
    table = line_table(text)
    assert list(document.line_starts) == [start for start, _ in table]
    for line, (start, end) in enumerate(table):
        assert document.line_span(line) == (start, end)
        for offset in range(start, end + 1):
            position = document.position(offset, encoding)
            assert position == (line, units(text[start:offset], encoding))
            assert document.offset(position, encoding) == offset


@relaxed
@given(texts, st.sampled_from(ENCODINGS), st.integers(-2, 60), st.integers(-2, 200))
def test_any_position_means_a_place_on_its_line(
    text: str, encoding: Encoding, line: int, character: int
) -> None:
    document = Document("file:///a.sql", text)
    offset = document.offset(Position(line, character), encoding)
    table = line_table(text)
    if line < 0:
        assert offset == 0
    elif line >= len(table):
        assert offset == len(text)
    else:
        start, end = table[line]
        assert start <= offset <= end
        if offset < end:
            reached = units(text[start:offset], encoding)
            assert reached <= max(character, 0) < reached + units(text[offset], encoding)


@relaxed
@given(texts, st.sampled_from(ENCODINGS))
def test_length_counts_code_units(text: str, encoding: Encoding) -> None:
    assert length(text, encoding) == units(text, encoding)


@relaxed
@given(texts, st.data())
def test_ranges_and_spans_are_each_other_s_inverse(text: str, data: st.DataObject) -> None:
    document = Document("file:///a.sql", text)
    places = st.integers(0, len(text)).filter(lambda n: text[n - 1 : n + 1] != "\r\n")
    start, end = sorted((data.draw(places), data.draw(places)))
    for encoding in ENCODINGS:
        span = Span(start, end)
        assert document.span(document.range(span, encoding), encoding) == span


@pytest.mark.parametrize(
    ("encoding", "start", "end"),
    [("utf-16", 15, 18), ("utf-32", 13, 16), ("utf-8", 19, 22)],
)
def test_columns_after_wide_characters(encoding: Encoding, start: int, end: int) -> None:
    text = "-- 😀 notes\nSELECT '😀𠮷', nme FROM customers;"
    document = Document("file:///a.sql", text)
    at = text.index("nme")
    found = document.range(Span(at, at + 3), encoding)
    assert found == Range(Position(1, start), Position(1, end))


@pytest.mark.parametrize("not_an_end", ["\u2028", "\u2029", "\x0b", "\x0c", "\x1c", "\x85"])
def test_only_cr_and_lf_end_a_line(not_an_end: str) -> None:
    document = Document("file:///a.sql", f"a{not_an_end}b")
    assert len(document.line_starts) == 1
    assert document.position(3) == Position(0, 3)


def test_a_place_within_a_character_or_a_line_end_means_its_start() -> None:
    document = Document("file:///a.sql", "😀x\r\ny")
    assert document.offset(Position(0, 1), "utf-16") == 0
    assert document.offset(Position(0, 3), "utf-8") == 0
    assert document.position(3) == document.position(2) == Position(0, 2)
    assert document.position(4) == Position(1, 0)
    assert document.position(-5) == Position(0, 0)
    assert document.position(500) == Position(1, 1)


def test_a_reversed_range_is_empty() -> None:
    document = Document("file:///a.sql", "one\ntwo")
    assert document.span(Range(Position(1, 1), Position(0, 1))) == Span(5, 5)


@pytest.mark.parametrize(
    ("text", "newline"),
    [("", "\n"), ("a", "\n"), ("a\r\nb\n", "\r\n"), ("a\nb\r\n", "\n"), ("a\rb", "\r")],
)
def test_newline_is_that_of_the_first_line(text: str, newline: str) -> None:
    assert Document("file:///a.sql", text).newline == newline


@relaxed
@given(texts, st.data())
def test_edits_are_made_as_if_one_by_one_from_the_end(text: str, data: st.DataObject) -> None:
    cuts = sorted(data.draw(st.lists(st.integers(0, len(text)), max_size=6)))
    spans = [Span(*pair) for pair in zip(cuts[::2], cuts[1::2], strict=False)]
    edits = [TextEdit(span, data.draw(texts)) for span in spans]
    expected = text
    for span, new in reversed(edits):
        expected = expected[: span.start] + new + expected[span.end :]
    document = Document("file:///a.sql", text, 3)
    assert document.changed(edits) == Document("file:///a.sql", expected, 3)
    assert document.changed(edits, 4).version == 4


def test_overlapping_edits_are_refused() -> None:
    document = Document("file:///a.sql", "abcdef")
    with pytest.raises(ValueError, match="overlap"):
        document.changed([TextEdit(Span(0, 3), "x"), TextEdit(Span(2, 4), "y")])


def test_edits_given_in_any_order_give_the_same_text() -> None:
    edits = [TextEdit(Span(4, 5), "E"), TextEdit(Span(0, 1), "A"), TextEdit(Span(2, 2), "+")]
    assert Document("u", "abcde").changed(edits).text == "Ab+cdE"


def test_a_cursor_at_the_end_of_a_span_touches_it() -> None:
    span = Span(2, 4)
    assert [span.contains(offset) for offset in range(1, 6)] == [False, True, True, True, False]
    assert span.of("abcdef") == "cd"
    assert span.moved(2) == Span(4, 6)


TABLE = "-- Größe 销售\r\nCREATE TABLE t (a int);"


@pytest.mark.parametrize(
    ("data", "text", "encoding", "remark"),
    [
        (b"", "", "utf-8", None),
        (TABLE.encode(), TABLE, "utf-8", None),
        (TABLE.encode("utf-8-sig"), TABLE, "utf-8-sig", None),
        (TABLE.encode("utf-16"), TABLE, "utf-16", None),
        (b"\xfe\xff" + TABLE.encode("utf-16-be"), TABLE, "utf-16", None),
        (TABLE.encode("utf-32"), TABLE, "utf-32", None),
        (TABLE.encode("utf-16-le"), TABLE, "utf-16-le", "no BOM"),
        (TABLE.encode("utf-16-be"), TABLE, "utf-16-be", "no BOM"),
        ("-- Größe".encode("latin-1"), "-- Größe", "cp1252", "not UTF-8"),
        ("-- Größe\x81".encode("latin-1"), "-- Größe\ufffd", "cp1252", "not UTF-8"),
        (b"\xef\xbb\xbfSELECT '\xff' AS x", "SELECT '\ufffd' AS x", "utf-8-sig", "some letters"),
        ("SELECT 1".encode("utf-16") + b"\n", "SELECT 1\ufffd", "utf-16", "some letters"),
    ],
)
def test_files_are_read_in_the_encoding_they_show(
    data: bytes, text: str, encoding: str, remark: str | None
) -> None:
    found = decode(data)
    assert (found.text, found.encoding) == (text, encoding)
    assert (found.remark is None) == (remark is None)
    assert remark is None or remark in (found.remark or "")


@pytest.mark.parametrize("data", [b"-- ask: a name\x00\nSELECT 1\x00;\n", b"SELECT\x00 1;\n" * 9])
def test_ascii_with_a_zero_here_and_there_is_no_text(data: bytes) -> None:
    with pytest.raises(NotText):
        decode(data)


def test_unmarked_utf16_of_mostly_chinese_text_is_text() -> None:
    text = "-- 上个月销售额最高的客户是谁\n" * 20
    assert decode(text.encode("utf-16-le")).text == text


def test_a_long_unmarked_utf16_file_may_be_cut_within_a_character() -> None:
    text = "x" * 2047 + "😀" + "y" * 50
    assert decode(text.encode("utf-16-le")).text == text


@pytest.mark.parametrize(
    "data",
    [
        b"SQLite format 3\x00\x10\x00\x01\x01\x00\x40\x20\x20",
        b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR",
        b"\x00" * 50,
        b"\x01\x00\x02\x00\x03\x00",
        b"\xff\xfe" + b"\x00\xd8\x00\xd8" * 30,
    ],
)
def test_binary_files_are_no_text(data: bytes) -> None:
    with pytest.raises(NotText):
        decode(data)


def test_the_fallback_can_be_chosen() -> None:
    found = decode("-- 销售额".encode("gb18030"), fallback="gb18030")
    assert found.text == "-- 销售额"
    assert "gb18030" in (found.remark or "")
    assert not found.guessed
    assert decode(b"-- \xff\xff\xff", fallback="gb18030").guessed
    assert decode(b"-- \xe9").guessed


@relaxed
@given(st.binary(max_size=60))
def test_any_bytes_are_text_or_said_to_be_none(data: bytes) -> None:
    try:
        found = decode(data)
    except NotText:
        return
    assert isinstance(found.text, str)


@relaxed
@given(st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=30))
def test_text_survives_each_marked_encoding(text: str) -> None:
    for encoding in ("utf-8-sig", "utf-16", "utf-32"):
        assert decode(text.encode(encoding)).text == text


_LINES = st.lists(st.sampled_from(["a", "b", "😀", "\n", "\r\n", "\r", "aa"])).map("".join)


@given(_LINES, _LINES)
def test_the_difference_of_two_texts_makes_one_of_the_other(old: str, new: str) -> None:
    document = Document("file:///q.sql", old)
    edit = difference(old, new)
    assert document.changed([edit]).text == new
    gone = edit.span.of(old)
    assert not (gone and edit.text) or (gone[0] != edit.text[0] and gone[-1] != edit.text[-1])


@given(_LINES, _LINES)
def test_the_lines_of_the_next_version_are_taken_over(old: str, new: str) -> None:
    document = Document("file:///q.sql", old, 1)
    assert document.line_starts
    following = document.next(new, 2)
    assert list(following.line_starts) == list(Document("file:///q.sql", new).line_starts)
