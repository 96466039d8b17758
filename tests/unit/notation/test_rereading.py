"""A script read again after an edit says what it says when it is read as a whole."""

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from sqlscribe.notation import asks
from sqlscribe.notation.document import Document, Span, TextEdit
from sqlscribe.notation.question import Script
from sqlscribe.notation.rereading import reread

PIECES = [
    "-- ask: cities\n",
    "  -- ask[model=fast, as_of=2024-01-31]: cities of @orders\n-- and more\n",
    "/* ask: block\n comment */\n",
    "-- refine: only 2024\n",
    "-- error: no such column\n",
    "-- ask:\n",
    "# ask: hash\n",
    "-- a remark\n",
    "-- sqlscribe: at=2024-01-31 model=x\n",
    "SELECT a, b\nFROM orders\nWHERE a = 'x';\n",
    "SELECT 1;",
    "SELECT 2; SELECT 3;\n",
    "SELECT 4\n",
    "WITH x AS (SELECT 1)\nSELECT * FROM x;\n",
    "WITH x",
    " AS (",
    "UPDATE t",
    " SET a = 1;\n",
    "INSERT INTO t VALUES ('it''s', \"b\");\n",
    "CREATE TABLE t (\n  a int, -- ask: no\n  b text\n);\n",
    "CREATE FUNCTION f() RETURNS int AS $$ SELECT 1; $$ LANGUAGE sql;\n",
    "CREATE PROCEDURE p()\nBEGIN\n  SELECT 1;\n  IF x THEN SELECT 2; END IF;\nEND;\n",
    "COPY t FROM STDIN;\n1\t2\n\\.\n",
    "COPY t FROM stdin;\n1;2\n",
    "DELIMITER //\n",
    "GO\n",
    "/\n",
    "\\connect db\n",
    "-- dialect: mysql\n",
    "-- as of: 2024-01-31\n",
    "{{ config(a=1) }}\n",
    "{% if x %}",
    "😀 𠮷\r\n",
    "\n",
    "\r\n",
    "\r",
    ";",
    "'",
    '"',
    "`",
    "$$",
    "$a$",
    "/*",
    "*/",
    "--",
    "(",
    ")",
    "[",
    "\\",
    "E'",
    "q'[",
    "BEGIN ",
    "END ",
    "CASE WHEN a THEN ",
    " ",
    "x",
    "ask",
    ":",
]
DIALECTS = ["", "postgres", "mysql", "oracle", "tsql", "bigquery", "snowflake", "sqlite", "hive"]
TAME = [piece for piece in PIECES if not set(piece) & set("'\"`\\{[($*")]
"""Of these most edits bear only on what stands around them."""
texts = st.one_of(
    st.lists(st.sampled_from(TAME), max_size=40), st.lists(st.sampled_from(PIECES), max_size=25)
).map("".join)
typed = st.one_of(st.sampled_from(["", "x", " ", "\n", ";", "a", "1", ",", "'"]), texts)
edits = st.lists(
    st.tuples(st.floats(0, 1), st.sampled_from([0, 0, 0, 1, 2, 7, 60]), typed), max_size=8
)


def check(old: Script, document: Document, dialect: str) -> Script:
    whole = asks.read(document, dialect)
    again = reread(old, document, dialect) or whole
    assert again == whole
    if whole.known is not None:
        assert again.outline == whole.outline
    assert list(document.line_starts) == list(Document("", document.text).line_starts)
    return again


def test_typing_in_a_long_script_reads_little_of_it() -> None:
    text = "".join(f"-- ask: number {n}\nSELECT {n};\n\n" for n in range(50))
    script = asks.read(Document("file:///q.sql", text), "postgres")
    at = text.index("number 25")
    changed = script.document.changed([TextEdit(Span(at, at), "x")])
    again = reread(script, changed, "postgres")
    assert again is not None
    assert again.questions[25].text == "xnumber 25"
    taken_over = [a is b for a, b in zip(script.questions, again.questions, strict=True)]
    assert taken_over.count(True) >= 20


@pytest.mark.parametrize("typed", ["'", '"', "/*", "*/", "\\", "{{"])
def test_what_may_close_something_far_above_is_not_read_in_part(typed: str) -> None:
    text = "SELECT 'open\n;\n" + "SELECT 1;\n" * 20
    script = asks.read(Document("file:///q.sql", text + "-- ask: x\n"), "postgres")
    at = text.rindex("SELECT")
    changed = script.document.changed([TextEdit(Span(at, at), typed)])
    assert reread(script, changed, "postgres") is None


@settings(max_examples=150, deadline=None)
@example("-- refine: 4\na -- ask: e\n; -- error: n\nb; a;\n", "postgres", [(1.0, 0, " ")])
@given(texts, st.sampled_from(DIALECTS), edits)
def test_reading_again_is_reading_the_whole(
    text: str, dialect: str, changes: list[tuple[float, int, str]]
) -> None:
    document = Document("file:///q.sql", text, 1)
    assert document.line_starts
    script = asks.read(document, dialect)
    for place, over, new in changes:
        start = int(place * len(document.text))
        end = min(start + over, len(document.text))
        document = document.changed([TextEdit(Span(start, end), new)])
        script = check(script, document, dialect)
