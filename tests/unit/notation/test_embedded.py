"""SQL within Markdown and notebook cells: the same places both ways, and edits that stay there."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sqlscribe.notation import asks
from sqlscribe.notation.document import Document, Encoding, Position, Span, TextEdit
from sqlscribe.notation.embedded import Embedded, embedded

URI = "file:///notes.md"
ENCODINGS: tuple[Encoding, ...] = ("utf-8", "utf-16", "utf-32")


def markdown(text: str) -> Embedded:
    view = embedded(Document(URI, text, 3), "markdown")
    assert isinstance(view, Embedded)
    return view


def cell(text: str, language: str = "python") -> Document:
    return embedded(Document("vscode-notebook-cell:/w.ipynb#W0", text), language, is_cell=True)


def answered(text: str, sql: str, number: int = 0) -> str:
    """The text with an answer under one of its questions."""
    view = markdown(text)
    script = asks.read(view, "postgres")
    edit = asks.place(view, script.questions[number], sql, "", script.outline)
    return view.host.changed([view.outward(edit)]).text


def test_all_but_the_sql_is_blank() -> None:
    view = markdown("# 😀 -- ask: a\n\n> ```sql\n> -- ask: b\n> ```\n\n```python\nx\n```\n")
    assert view.text.split() == ["--", "ask:", "b"]
    assert view.host.text.startswith("# 😀")
    assert (view.uri, view.version) == (URI, 3)


@pytest.mark.parametrize(
    ("text", "sql", "expected"),
    [
        ("```sql\n-- ask: x\n```\n", "SELECT 1", "```sql\n-- ask: x\nSELECT 1;\n```\n"),
        ("```sql\r\n-- ask: x", "SELECT\n1", "```sql\r\n-- ask: x\r\nSELECT\r\n1;"),
        (
            "> ```sql\n> -- ask: x\n> SELECT 2;\n> ```\n",
            "SELECT\n\n1",
            "> ```sql\n> -- ask: x\n> SELECT\n>\n> 1;\n> ```\n",
        ),
        (
            "> ```sql\n>-- ask: x\n>   SELECT 2;\n> ```\n",
            "SELECT 1",
            "> ```sql\n>-- ask: x\n> SELECT 1;\n> ```\n",
        ),
        (
            "- a\n  ```sql\n    -- ask: x\n  ```\n",
            "SELECT 'a\nb'",
            # A line further out would end the list, and the block with it.
            "- a\n  ```sql\n    -- ask: x\n    SELECT 'a\n  b';\n  ```\n",
        ),
        (
            "> ```sql\n> SELECT 2;\n> -- refine: x\n> ```",
            "SELECT 1",
            "> ```sql\n> -- refine: x\n> SELECT 1;\n> ```",
        ),
    ],
)
def test_an_answer_looks_as_if_typed_there(text: str, sql: str, expected: str) -> None:
    assert answered(text, sql) == expected


def test_each_block_is_a_script_of_its_own() -> None:
    view = markdown("```sql\nSELECT 'x\n```\n```sql\n-- ask: a\n```\n```sql\nSELECT 2\n```\n")
    script = asks.read(view, "postgres")
    assert [question.text for question in script.questions] == ["a"]
    assert script.questions[0].answer is None
    assert [each.span.of(view.text) for each in script.statements] == ["SELECT 'x", "SELECT 2"]


def test_a_delimiter_ends_with_its_block() -> None:
    view = markdown("```sql\nDELIMITER //\nSELECT 1 //\n```\n```sql\n-- ask: a\n```\n")
    assert answered(view.host.text, "SELECT 2").endswith("-- ask: a\nSELECT 2;\n```\n")


def test_the_options_at_the_top_of_the_first_block_count() -> None:
    assert asks.read(markdown("x\n```sql\n-- dialect: mysql\n```\n"), "sqlite").dialect == "mysql"


@pytest.mark.parametrize(
    ("text", "language", "expected"),
    [
        ("%%sql\nSELECT 1", "python", ["SELECT 1"]),
        ("\n %%sql postgresql://x --with y\r\nSELECT 1\r\n", "python", ["SELECT 1"]),
        ("%%sql\nSELECT 1", "sql", ["SELECT 1"]),
        ("%sql\nSELECT 1", "python", ["SELECT 1"]),
        ("SELECT 1", "sql", ["SELECT 1"]),
        ("%%sql SELECT 1", "python", []),
        ("%%sqlite\nSELECT 1", "python", []),
        ("x = 1\n%%sql\nSELECT 1", "python", []),
        ("%%bigquery df --project x\nSELECT 1", "python", ["SELECT 1"]),
        ("-- ask: x", "python", []),
        ("%%sql", "python", []),
        ("x = 1\n%sql SELECT 1\nprint(x)", "python", ["SELECT 1"]),
        (
            "a, b[0] = %sql WITH x AS (SELECT 1) SELECT 2\r\n",
            "python",
            ["WITH x AS (SELECT 1) SELECT 2"],
        ),
        ("%sql SELECT 1\n  %SQL select 2;\n", "python", ["SELECT 1", "select 2"]),
        ("%sql sqlite:///a.db SELECT 1", "python", ["SELECT 1"]),
        ("%sql --with recent SELECT 1", "python", ["SELECT 1"]),
        ("%sql found << SELECT 1", "python", ["SELECT 1"]),
        ("%sql $query\n%sql sqlite:///a.db\n%sql", "python", []),
        ("%sql some words that SELECT 1", "python", []),
        ("%sql SELECT 1 \\\n  FROM x", "python", []),
        ("if x: %sql SELECT 1\n# %sql SELECT 1\n%sqlite SELECT 1", "python", []),
        ('"""\n%sql SELECT 1\n"""', "python", []),
        ("", "python", []),
    ],
)
def test_cells(text: str, language: str, expected: list[str]) -> None:
    view = cell(text, language)
    assert view.host.text == text
    statements = asks.read(view, "").statements
    assert [each.span.of(view.text) for each in statements] == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("%%sql\n-- ask: x\n", {}),
        ("%%sql postgresql+psycopg://x/y\n-- ask: x\n", {}),
        ("%%sql sqlite:///a.db --with y\n-- ask: x\n", {"dialect": "sqlite"}),
        ("%%bigquery df --project x\n-- ask: x\n", {"dialect": "bigquery"}),
        ("%%bigquery\n-- ask[dialect=duckdb]: x\n", {"dialect": "duckdb"}),
        ("%%bigquery\n-- ask[model=fast]: x\n", {"dialect": "bigquery", "model": "fast"}),
    ],
)
def test_a_question_is_of_the_dialect_that_its_cell_says(
    text: str, expected: dict[str, str]
) -> None:
    [question] = asks.read(cell(text), "postgres").questions
    assert dict(question.options) == expected


def test_a_block_is_read_and_asked_in_the_dialect_that_it_is_called() -> None:
    view = markdown("```mysql\n-- ask: x\nSELECT 'it\\'s;' # ;\n```\n```sql\n-- ask: y\n```\n")
    script = asks.read(view, "postgres")
    assert [dict(each.options) for each in script.questions] == [{"dialect": "mysql"}, {}]
    assert [each.span.of(view.text) for each in script.statements] == ["SELECT 'it\\'s;'"]


def test_a_line_of_python_asks_nothing_and_stays_one_line() -> None:
    text = "x = 1\ny = %sql SELECT 1 -- ask: z\nprint(y)\n"
    view = cell(text)
    assert isinstance(view, Embedded)
    assert asks.read(view, "postgres").questions == ()
    at = text.index("1 --")
    edit = view.outward(TextEdit(Span(at, at + 1), "a,\n  b"))
    assert edit == TextEdit(Span(at, at + 1), "a,   b")
    assert [view.takes_lines(offset) for offset in (0, at, len(text))] == [False] * 3
    assert (view.holds(0), view.holds(at), view.beside) == (
        False,
        True,
        "x = 1\ny = %sql print(y)\n",
    )
    assert cell("%%sql\nSELECT 1").takes_lines(7)


@pytest.mark.parametrize(
    ("uri", "language", "is_view"),
    [
        ("file:///a.md", "sql", True),
        ("file:///a.Rmd", "", True),
        ("untitled:Untitled-1", "markdown", True),
        ("file:///a.sql", "sql", False),
        ("file:///a.py", "python", False),
    ],
)
def test_which_texts_hold_sql(uri: str, language: str, is_view: bool) -> None:
    assert isinstance(embedded(Document(uri, "```sql\n```"), language), Embedded) is is_view


def test_where_sql_may_stand() -> None:
    text = "a\n```sql\nSELECT 1\n```\nb"
    view = markdown(text)
    held = [offset for offset in range(len(text) + 1) if view.holds(offset)]
    assert held == list(range(text.index("SELECT"), text.rindex("```")))
    assert view.around(0).strip() == ""
    assert view.around(text.index("1")).strip() == "SELECT 1"


_LINES = st.sampled_from(
    ["", "text 😀", "-- ask: é", "SELECT 1;", "SELECT 'a", "```", "```sql", "~~~ sql", "# h", "\t"]
)
_PREFIXES = st.sampled_from(["", "> ", ">", "- ", "  ", "> > ", "1. ", "   "])
_TEXTS = st.lists(
    st.tuples(_PREFIXES, _LINES, st.sampled_from(["\n", "\r\n", "\r"])).map("".join), max_size=12
).map("".join)


@settings(max_examples=100, deadline=None)
@given(_TEXTS, st.sampled_from(ENCODINGS), st.integers(0, 12), st.integers(0, 20))
def test_places_are_the_same_both_ways(
    text: str, encoding: Encoding, line: int, character: int
) -> None:
    view, host = markdown(text), Document(URI, text)
    assert len(view.text) == len(text)
    assert Document(URI, view.text).line_starts == host.line_starts
    assert all(a == b or a == " " for a, b in zip(view.text, text, strict=True))
    outside = [text[n] for n in range(len(text)) if not view.holds(n) and view.text[n] != " "]
    assert not "".join(outside).strip()
    position = Position(line, character)
    assert view.offset(position, encoding) == host.offset(position, encoding)
    for offset in range(len(text) + 1):
        assert view.position(offset, encoding) == host.position(offset, encoding)


def _block(around: tuple[str, str], fence: str, lines: list[str], newline: str) -> str:
    """A block within what is around, whose first line begins otherwise than the others."""
    first, other = around
    inside = [f"{other}{line}{newline}" for line in (*lines, fence[:3])]
    return "".join([f"{first}{fence}{newline}", *inside])


_BLOCKS = st.builds(
    _block,
    st.sampled_from(
        [("", ""), ("> ", "> "), (">", "> "), ("- ", "  "), ("> 1. ", ">    "), ("> > ", ">> ")]
    ),
    st.sampled_from(["```sql", "~~~ sql", "```python", "```{sql}"]),
    st.lists(
        st.sampled_from(["", "-- ask: é", "  -- ask: b", "SELECT 1;", "SELECT 2"]), max_size=5
    ),
    st.sampled_from(["\n", "\r\n"]),
)
_WITH_BLOCKS = st.lists(_BLOCKS | st.sampled_from(["text 😀\n", "\n", "# h\n"]), max_size=4).map(
    "".join
)


@settings(max_examples=100, deadline=None)
@given(_WITH_BLOCKS, st.sampled_from(["SELECT 1", "SELECT 'a\n\nb'", "SELECT 1\nFROM t -- c"]))
def test_an_answer_changes_nothing_around_its_block(text: str, sql: str) -> None:
    view = markdown(text)
    script = asks.read(view, "postgres")
    for question in script.questions:
        edit = asks.place(view, question, sql, "", script.outline)
        region = view.region_at(question.span.start)
        assert region is not None
        after = view.changed([edit])
        assert isinstance(after, Embedded)
        outward = view.outward(edit)
        assert after.host.text == view.host.changed([outward]).text
        assert region.span.start <= outward.span.start <= outward.span.end <= region.span.end
        # All that stood around is there, and the same blocks are.
        assert after.host.text.startswith(text[: region.span.start])
        assert after.host.text.endswith(text[region.span.end :])
        assert len(after.regions) == len(view.regions)
        again = asks.find_again(question, asks.read(after, "postgres"))
        assert again is not None
        assert again.answer is not None
        assert again.answer.of(after.text).lstrip().startswith(sql[:8])


@settings(max_examples=100, deadline=None)
@given(_WITH_BLOCKS, st.data(), st.sampled_from(["", "x", "a\nb", "\n", "a\n"]))
def test_any_edit_of_sql_is_the_same_edit_of_the_text(
    text: str, data: st.DataObject, new: str
) -> None:
    """Seen as SQL, the changed text is what the edit of the SQL gives, but for blanks."""
    view = markdown(text)
    regions = [region for region in view.regions if region.prefix]
    if not regions:
        return
    region = data.draw(st.sampled_from(regions))
    ends = st.integers(region.span.start, region.span.end - 1)
    # No position of the protocol is between the two halves of a line end.
    start, end = (
        view.offset(view.position(place)) for place in sorted(data.draw(st.tuples(ends, ends)))
    )
    edit = TextEdit(Span(start, end), new)
    outward = view.outward(edit)
    host = view.host.changed([outward])
    assert outward.span.start >= region.span.start
    assert host.text.startswith(text[: region.span.start])
    assert host.text.endswith(text[region.span.end :])
    changed = host.text[region.span.start : len(host.text) - len(text) + region.span.end]
    expected = view.text[region.span.start : start] + new + view.text[end : region.span.end]
    assert bare(changed) == bare(expected)
    # Quotes go on from line to line, so that the block holds what it held.
    marks = region.prefix.count(">")
    lines = _LINE_END.split(changed)[:-1]
    assert all(line[: len(line) - len(line.lstrip(" >"))].count(">") >= marks for line in lines)


_LINE_END = re.compile(r"\r\n|\n|\r")


def bare(text: str) -> list[str]:
    """Lines without what stands at their ends."""
    return [line.lstrip(" \t>").rstrip() for line in _LINE_END.split(text)]


@pytest.mark.parametrize(
    ("start", "end", "new", "expected"),
    [
        # Within the mark of the quote, up to a place in the SQL.
        (1, 10, "a", "> > a 1\n> > b\n"),
        (0, 10, "a\nb", "> > a\n> > b 1\n> > b\n"),
        (4, 4, "\n", "> > \n> > SELECT 1\n> > b\n"),
        # To the end of the line, and to the start of the next one.
        (4, 12, "", "> > \n> > b\n"),
        (0, 13, "", "> > b\n"),
        (0, 13, "a\n", "> > a\n> > b\n"),
        (10, 14, "", "> > SELECT   b\n"),
    ],
)
def test_edits_at_the_marks_of_a_quote(start: int, end: int, new: str, expected: str) -> None:
    view = markdown("> > ```sql\n> > SELECT 1\n> > b\n> > ```\n")
    first = view.regions[0].span.start
    host = view.changed([TextEdit(Span(first + start, first + end), new)]).host
    got = host.text.removeprefix("> > ```sql\n").removesuffix("> > ```\n")
    assert got == expected
