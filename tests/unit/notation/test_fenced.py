"""Fenced blocks of Markdown, also as another reader of Markdown sees them."""

from __future__ import annotations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from sqlscribe.notation.document import Document
from sqlscribe.notation.fenced import Block, fenced_blocks


def blocks(text: str) -> list[Block]:
    return list(fenced_blocks(Document("", text)))


def lines(text: str, block: Block) -> list[str]:
    """The content, without what belongs to quotes and lists, and without blanks around."""
    document = Document("", text)
    first = document.line_of(block.span.start)
    found = []
    for number, inset in enumerate(block.insets, first):
        line = document.line_span(number)
        found.append(text[line.start + inset : line.end].strip())
    while found and not found[-1]:
        del found[-1]
    return found


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("```sql\nSELECT 1\n```\n", ["SELECT 1"]),
        ("~~~sql\r\nSELECT 1\r\n```\r\n~~~", ["SELECT 1", "```"]),
        ("````sql\n```\n`````\n", ["```"]),
        ("   ```sql\n  a\n   ```", ["a"]),
        ("```sql\nto the end", ["to the end"]),
        ("> ```sql\n> a\n>b\n> ```\n", ["a", "b"]),
        # A quote that ends takes its block with it.
        ("> ```sql\n> a\nb\n", ["a"]),
        ("1. x\n\n   ```sql\n   a\n\n   b\n   ```", ["a", "", "b"]),
        ("- ```sql\n  a\nb", ["a"]),
        ("> - ```sql\n>   a\n>   ```", ["a"]),
        ("> > ```sql\n> > a\n> b", ["a"]),
    ],
)
def test_the_content_of_a_block(text: str, expected: list[str]) -> None:
    [block] = blocks(text)
    assert block.language == "sql"
    assert lines(text, block) == expected


@pytest.mark.parametrize(
    "text",
    [
        "    ```sql\n    a\n    ```\n",
        "\t```sql\n\ta\n",
        "``sql\na\n``\n",
        "``` sql `x`\na\n",
        "x ```sql\n",
        "<!--\n```sql\na\n```\n-->\n",
        "<pre>\n```sql\na\n</pre>\n",
        "",
        "```" * 10_000,
        "> " * 10_000,
        "- " * 10_000,
    ],
)
def test_what_is_no_block_of_sql(text: str) -> None:
    assert [block for block in blocks(text) if block.language == "sql"] == []


@pytest.mark.parametrize(
    ("info", "language", "runs"),
    [
        ("SQL title=x", "sql", False),
        ("sql {.wide}", "sql", False),
        ("sql,ignore", "sql", False),
        ("{sql}", "sql", True),
        ("{sql, connection=con}", "sql", True),
        ("{.sql .numberLines}", "sql", False),
        ("sqlite", "sqlite", False),
        ("{r}", "r", True),
        ("", "", False),
        ("!", "", False),
    ],
)
def test_what_a_block_is_called(info: str, language: str, runs: bool) -> None:
    [block] = blocks(f"~~~{info}\n~~~\n")
    assert (block.language, block.runs, block.closed) == (language, runs, True)


def test_what_new_lines_begin_with() -> None:
    found = blocks("> 1. ```sql\n>    a\n>    ```\n\n* ```sql\n  a\n")
    assert [(block.prefix, block.closed) for block in found] == [(">    ", True), ("  ", False)]


_PIECES = ["```", "~~~", "````", "```sql", "~~~ sql", "> ", ">", "- ", "1. ", "   ", "    ", " "]
_PIECES += ["x", "\n", "\n", "\n", "\n\n", "```\n", "> ```sql\n", "<!--", "-->", "# h"]


@settings(max_examples=100, deadline=None)
@given(st.lists(st.sampled_from(_PIECES), max_size=14).map("".join))
# An item that is empty does not end a paragraph, nor does a list from 2 on.
@example("x\n- \n   ```\n```")
@example("x\n2. ```\n   ```")
@example("```> ```sql\n- \n   ```\n```~~~```")
def test_another_reader_sees_the_same(text: str) -> None:
    if "    >" in text:
        # There it takes a quote for one that is indented too far to be one.
        return
    theirs = [token for token in MarkdownIt("commonmark").parse(text) if token.type == "fence"]
    expected = [[line.strip() for line in token.content.rstrip().split("\n")] for token in theirs]
    found = blocks(text)
    assert [block.info for block in found] == [token.info.strip() for token in theirs]
    assert [lines(text, block) or [""] for block in found] == expected
