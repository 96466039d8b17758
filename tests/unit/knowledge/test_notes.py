"""Notes in Markdown and the sections they are cut into."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sqlscribe.knowledge.notes import Section, read_notes
from sqlscribe.notation.document import Document


def read(text: str) -> tuple[Section, ...]:
    return read_notes(Document("file:///shop.md", text), Path("/shop/docs/shop.md"))


def check(text: str, expected: list[tuple[int, str, str]]) -> None:
    assert [(s.line, s.title, s.text) for s in read(text)] == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        ("just text\n", [(0, "shop", "just text")]),
        ("# A\n\ntext\n\n## B ##\nmore\n", [(2, "A", "text"), (5, "A > B", "more")]),
        ("# A\n## B\nb\n# C\nc", [(2, "A > B", "b"), (4, "C", "c")]),
        ("## B\nb\n# A\na\n### D\nd", [(1, "B", "b"), (3, "A", "a"), (5, "A > D", "d")]),
        ("Title\n=====\nx\n\nSub\n---\ny", [(2, "Title", "x"), (6, "Title > Sub", "y")]),
        ("intro\n# A\na", [(0, "shop", "intro"), (2, "A", "a")]),
        ("---\ntitle: x\n# no\n---\n# A\na", [(5, "A", "a")]),
        ("---\nnot front matter\n", [(0, "shop", "---\nnot front matter")]),
        ("# A\n```sql\n# no\n\nx\n---\n```\nend", [(1, "A", "```sql\n# no\n\nx\n---\n```\nend")]),
        (
            "# A\n~~~~\n```\n# no\n~~~\n~~~~\n# B\nb",
            [(1, "A", "~~~~\n```\n# no\n~~~\n~~~~"), (7, "B", "b")],
        ),
        ("# A\n```\n# open to the end", [(1, "A", "```\n# open to the end")]),
        ("# 销售\n净额\n", [(1, "销售", "净额")]),
        ("#hash\n# \n#\nx", [(0, "shop", "#hash"), (3, "shop", "x")]),
        ("- item\n---\n| a |\n|---|\n", [(0, "shop", "- item\n---\n| a |\n|---|")]),
        ("# A\r\n\r\na\r\n", [(2, "A", "a")]),
    ],
)
def test_a_file_is_cut_at_its_headings(text: str, expected: list[tuple[int, str, str]]) -> None:
    check(text, expected)


def test_a_long_section_is_cut_between_paragraphs() -> None:
    paragraphs = [f"{number} " + "word " * 100 for number in range(7)]
    sections = read("# A\n\n" + "\n\n".join(paragraphs))
    assert {section.title for section in sections} == {"A"}
    assert [section.line for section in sections] == [2, 6, 10, 14]
    assert all(section.text[0].isdigit() for section in sections)
    assert max(len(section.text) for section in sections) <= 1500


def test_a_long_paragraph_is_cut_at_a_line_end() -> None:
    sections = read("\n".join(f"line {number} with some words" for number in range(200)))
    assert len(sections) > 2
    assert all(section.text.startswith("line ") for section in sections)
    assert sections[1].text.startswith(f"line {sections[1].line} ")


def test_a_key_depends_on_what_is_said_and_not_on_the_line() -> None:
    [one], [moved], [other] = read("# A\nx"), read("\n\n# A\n\n\nx"), read("# A\ny")
    assert one.key == moved.key != other.key


@settings(max_examples=60, deadline=None)
@given(st.text(alphabet="#-=`~ \n\r\tab客😀\ud800\0\u2028", max_size=80))
def test_sections_stand_in_the_file_in_order(text: str) -> None:
    document = Document("", text)
    sections = read(text)
    lines = [section.line for section in sections]
    assert lines == sorted(set(lines))
    for section in sections:
        assert section.text.strip()
        first_line = document.line_span(section.line).of(text)
        assert section.text.startswith(first_line)


@pytest.mark.parametrize("text", ["(" * 1_000_000, "# a\n" * 50_000, "```\n" * 100_000])
def test_large_files_are_read(text: str) -> None:
    assert all(0 < len(section.text) <= 1500 for section in read(text))
