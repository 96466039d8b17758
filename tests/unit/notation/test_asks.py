"""Questions: how they are read, where their answers go, and how they are found again."""

from __future__ import annotations

import datetime
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sqlscribe.notation.asks import Question, Script, Turn, find_again, place, read
from sqlscribe.notation.document import Document, Span
from sqlscribe.notation.findings import Finding
from sqlscribe.notation.lexicon import DIALECTS

relaxed = settings(max_examples=100, deadline=None)


def script(text: str, dialect: str = "") -> Script:
    return read(Document("file:///a.sql", text), dialect)


def only(text: str, dialect: str = "") -> Question:
    (question,) = script(text, dialect).questions
    return question


def answer(text: str, question: Question) -> str | None:
    return None if question.answer is None else question.answer.of(text)


def check(text: str, *expected: tuple[str, str, str | None], dialect: str = "") -> None:
    """``expected``: kind, words and answer of each question."""
    found = [(q.kind, q.text, answer(text, q)) for q in script(text, dialect).questions]
    assert found == list(expected)


@pytest.mark.parametrize(
    ("dialect", "text", "words"),
    [
        ("", "-- ask: top 10", "top 10"),
        ("", "--ask:top 10  ", "top 10"),
        ("", "-- ASK : top 10", "top 10"),
        ("", "\t-- Ask： 销售额最高的10个客户", "销售额最高的10个客户"),
        ("", "--- ask: a", "a"),
        ("", "-- ask: a\n--  b  \n--\n--c", "a\n b  \n\nc"),
        ("", "-- ask: a\n\n-- b", "a"),
        ("", "-- ask: a\n-- b\n   -- c", "a\nb\nc"),
        ("", "-- ask: a\r\n-- b\r\n", "a\nb"),
        ("", "-- ask:\n-- a", "a"),
        ("", "-- ask: a\n-- dialect: mysql", "a"),
        ("", "-- ask: a\n-- as of: 2024-01-31", "a"),
        ("", '-- ask: it\'s -- "so" /* and */ `so`', 'it\'s -- "so" /* and */ `so`'),
        ("", "-- ask: what about ask: x and refine: y", "what about ask: x and refine: y"),
        ("", "-- ask: total < 5 & name = 'O''Brien'", "total < 5 & name = 'O''Brien'"),
        ("", "/* ask: a */", "a"),
        ("", "/*ask: a\r\n  b*/", "a\n  b"),
        ("", "/**\n * ask: a\n */", "a"),
        ("", "/* ask: never closed", "never closed"),
        ("mysql", "# ask: a\n#b\n-- c", "a\nb"),
        ("mysql", "-- ask: a\n# b", "a"),
        ("bigquery", "# ask: a", "a"),
        ("snowflake", "// ask: a\n// b", "a\nb"),
        ("", "SELECT 1; -- ask: a\n-- b", "a\nb"),
        ("", "-- note\n-- ask: a", "a"),
    ],
)
def test_words_of_a_question(dialect: str, text: str, words: str) -> None:
    assert only(text, dialect).text == words


@pytest.mark.parametrize(
    ("dialect", "text"),
    [
        ("", "SELECT '\n-- ask: a\n'"),
        ("", "SELECT $$\n-- ask: a\n$$"),
        ("", "/*\n note\n-- ask: a\n*/"),
        ("", "-- note: ask: a"),
        ("", "-- please ask: a"),
        ("", "-- asking: a"),
        ("", "-- ask a"),
        ("postgres", "SELECT 1\n# ask: a"),
        ("postgres", "COPY t FROM stdin;\n-- ask: a\n\\.\n"),
        ("", "ask: a"),
        ("", "-- task: a"),
    ],
)
def test_what_is_no_question(dialect: str, text: str) -> None:
    assert script(text, dialect).questions == ()


@relaxed
@given(
    st.lists(
        st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\r\n")), max_size=4
    ),
    st.sampled_from(["\n", "\r\n", "\r"]),
)
def test_words_are_kept_byte_for_byte(lines: list[str], newline: str) -> None:
    lines = ["x", *lines, "y"]
    comment = newline.join(f"-- {line}" for line in lines[1:])
    # A line that is a mark itself ends the question.
    if any(mark in comment.lower() for mark in ("ask", "refine", "error", "dialect", "as")):
        return
    question = only(f"-- ask: {lines[0]}{newline}{comment}{newline}{newline}SELECT 1")
    assert question.text == "\n".join(lines)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("-- ask: a\nSELECT 1;", "SELECT 1;"),
        ("-- ask: a\nSELECT 1", "SELECT 1"),
        ("-- ask: a\n  SELECT 1 -- b\n  ;\nSELECT 2", "SELECT 1 -- b\n  ;"),
        ("-- ask: a\r\nSELECT 1;\r\nSELECT 2;", "SELECT 1;"),
        ("-- ask: a\n-- b\nSELECT 1;", "SELECT 1;"),
        ("-- ask: a\n\nSELECT 1;", None),
        ("-- ask: a\n   \nSELECT 1;", None),
        ("-- ask: a\n/* hint */\nSELECT 1;", "/* hint */\nSELECT 1;"),
        ("-- ask: a\n/* hint */\n\nSELECT 1;", None),
        ("/* ask: a */ SELECT 1;", "SELECT 1;"),
        ("/* ask: a */\nSELECT 1;", "SELECT 1;"),
        ("/* ask: a */\n-- hint\nSELECT 1;", "-- hint\nSELECT 1;"),
        ("SELECT 0; -- ask: a\nSELECT 1;", "SELECT 1;"),
        ("SELECT 0 -- ask: a\nSELECT 1;", "SELECT 1;"),
        ("-- ask: a\nSELECT 1\n\nSELECT 2", "SELECT 1"),
        ("-- ask: a\nSELECT (1\n\nSELECT 2;", "SELECT (1\n\nSELECT 2;"),
    ],
)
def test_the_answer_is_the_statement_on_the_next_line(text: str, expected: str | None) -> None:
    assert answer(text, only(text)) == expected


def test_a_question_does_not_belong_to_the_unfinished_answer_above() -> None:
    check(
        "-- ask: a\nSELECT (1\n-- ask: b\nSELECT 2\n-- ask: c\n",
        ("ask", "a", "SELECT (1"),
        ("ask", "b", "SELECT 2"),
        ("ask", "c", None),
    )


def test_go_is_no_part_of_an_answer() -> None:
    check("-- ask: a\nSELECT 1\nGO\n", ("ask", "a", "SELECT 1"), dialect="tsql")


def test_answered_refinements_stand_with_the_question() -> None:
    text = "-- ask: a\n-- refine: b\n/* refine: c */\nSELECT 1;"
    question = only(text)
    assert (question.kind, question.text, answer(text, question)) == ("ask", "c", "SELECT 1;")
    assert question.turns == (Turn("ask", "a"), Turn("refine", "b"))
    assert question.chain[-1] == Turn("refine", "c")
    assert question.span.of(text) == text.removesuffix("\nSELECT 1;")


def test_a_refinement_under_an_answer_waits() -> None:
    text = "-- ask: a\n-- refine: b\nSELECT 1;\n-- refine: c\n-- refine: d\n"
    first, second = script(text).questions
    assert (first.kind, first.text, answer(text, first)) == ("ask", "b", "SELECT 1;")
    assert (second.kind, second.text, answer(text, second)) == ("refine", "d", "SELECT 1;")
    assert second.turns == (Turn("ask", "a"), Turn("refine", "b"), Turn("refine", "c"))
    assert second.previous == first.span


@pytest.mark.parametrize("kind", ["refine", "error"])
@pytest.mark.parametrize(
    ("before", "statement"),
    [
        ("SELECT 1;\n", "SELECT 1;"),
        ("SELECT 1\n", "SELECT 1"),
        ("SELECT 1; -- note\n", "SELECT 1;"),
        ("SELECT 1; ", "SELECT 1;"),
        ("SELECT 0;\nSELECT\n1;\n", "SELECT\n1;"),
        ("SELECT 0; SELECT 1;\r\n", "SELECT 1;"),
    ],
)
def test_the_statement_directly_above_is_meant(kind: str, before: str, statement: str) -> None:
    text = f"{before}-- {kind}: x\n\nSELECT 9;"
    question = only(text)
    assert (question.kind, answer(text, question)) == (kind, statement)
    assert (question.turns, question.previous) == ((), None)


def test_a_refinement_without_a_question_stands_above_what_it_led_to() -> None:
    text = "SELECT 0;\n\n-- refine: x\nSELECT 1;\n-- refine: y\n"
    first, second = script(text).questions
    assert (first.kind, answer(text, first), first.turns) == ("refine", "SELECT 1;", ())
    assert (second.kind, answer(text, second)) == ("refine", "SELECT 1;")
    assert second.turns == (Turn("refine", "x"),)


def test_an_error_brings_the_message_and_the_question_above() -> None:
    text = "-- ask[model=fast]: a @t\nSELECT 1;\n-- ERROR:  no column b\n-- LINE 1: x\n"
    first, error = script(text).questions
    assert first.kind == "ask"
    assert (error.kind, error.text) == ("error", "no column b\nLINE 1: x")
    assert error.turns == (Turn("ask", "a @t"),)
    assert error.options == (("model", "fast"),)
    assert [mention.name for mention in error.mentions] == ["t"]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("-- refine: x", "ask/no-statement"),
        ("SELECT 1;\n\n-- error: x\nSELECT 2;", "ask/no-statement"),
        ("SELECT 1;\n-- note\n-- error: x", "ask/no-statement"),
        ("SELECT a, -- ask: x\n b FROM c;", "ask/inside-statement"),
        ("CREATE TABLE a (\n-- ask: x\nb int);", "ask/inside-statement"),
        ("WITH a AS (\n-- ask: x\n) SELECT 1;", "ask/inside-statement"),
        ("WITH a AS (\n-- ask: x\n\nSELECT (1)\n)\nSELECT 1;", "ask/inside-statement"),
        ("SELECT * FROM (\n/* ask: x :) */\nSELECT ')' -- )\n) AS b", "ask/inside-statement"),
        ("SELECT 1\n-- ask: x\nUNION SELECT 2;", "ask/inside-statement"),
        ("SELECT a\n-- ask: x\nFROM t;", "ask/inside-statement"),
        ("SELECT a FROM t\n\n-- ask: x\n-- refine: y\nWHERE b;", "ask/inside-statement"),
        ("SELECT a\n-- ask: x\n, b FROM t;", "ask/inside-statement"),
        ("SELECT (a\n-- ask: x\n) FROM t;", "ask/inside-statement"),
        ("SELECT a\n-- refine: x\nFROM t;", "ask/inside-statement"),
        ("SELECT a FROM t WHERE b\n-- refine: x\n= 1;", "ask/inside-statement"),
        ("SELECT a\n-- refine: x\n-- refine: y\nFROM t;", "ask/inside-statement"),
        ("CREATE VIEW v\n-- ask: x\nAS SELECT 1;", "ask/inside-statement"),
        ("-- ask:", "ask/empty"),
        ("/* ask: */", "ask/empty"),
        ("-- ask: \nSELECT 1;", "ask/empty"),
    ],
)
def test_a_comment_that_cannot_be_answered_is_remarked_on(text: str, code: str) -> None:
    found = script(text)
    assert found.questions == ()
    assert [finding.code for finding in found.findings] == [code]


@pytest.mark.parametrize("below", ["", "SELECT (1);", "SELECT (1);\nSELECT 1);", "SELECT ')' -- )"])
def test_a_query_that_is_just_being_typed_swallows_no_question(below: str) -> None:
    text = f"SELECT count(\n-- ask: x\n{below}"
    assert only(text).text == "x"
    assert script(text).statements[0].span.of(text) == "SELECT count("


@pytest.mark.parametrize(
    ("text", "dialect", "answer"),
    [
        ("SELECT 1\n-- ask: x\nFROM t;", "duckdb", "FROM t;"),
        ("SELECT 1;\n-- ask: x\nFROM t;", "postgres", "FROM t;"),
        ("SELECT 1\n-- ask: x\nSELECT 2;", "postgres", "SELECT 2;"),
    ],
)
def test_what_may_begin_a_statement_is_an_answer(text: str, dialect: str, answer: str) -> None:
    check(text, ("ask", "x", answer), dialect=dialect)


@pytest.mark.parametrize(
    "text",
    [
        "BEGIN;\n-- ask: x\nCOMMIT;",
        "BEGIN\n  -- ask: x\nEND;",
        "-- ask: x\nBEGIN;\nDELETE FROM t;",
        "-- ask: x\nSET search_path = a;",
        "{% if a %}\n-- ask: x\n{% endif %}",
        "{% if a %}\n-- ask: x\n{%- else %}\nSELECT 1\n{% endif %}",
        "-- ask: x\n{# to be done #}\n",
        "-- ask: x\n{{ config(materialized='table') }}\n{% set a = 1 %}\n",
    ],
)
def test_what_answers_nothing_is_not_replaced(text: str) -> None:
    question = only(text)
    assert question.answer is None
    edit = place(Document("file:///q.sql", text), question, "SELECT 2")
    assert edit.span.of(text) == ""


@pytest.mark.parametrize(
    "head",
    [
        "{{ config(materialized='table') }}\n\n",
        "{#- a\n note #}\n",
        "{% set a = 1 %}\r\n{%- do b() -%}\r\n",
    ],
)
def test_lines_of_a_template_above_an_answer_stay(head: str) -> None:
    text = f"-- ask: x\n{head}SELECT 1;"
    question = only(text)
    edit = place(Document("file:///q.sql", text), question, "SELECT 2")
    changed = Document("file:///q.sql", text).changed([edit]).text
    assert changed == f"-- ask: x\n{head}SELECT 2;"


def test_a_refinement_stays_with_its_question_above_the_lines_of_a_template() -> None:
    text = "-- ask: x\n{{ config(a=1) }}\nSELECT 1;\n-- refine: y\n"
    _, refine = script(text).questions
    document = Document("file:///q.sql", text)
    changed = document.changed([place(document, refine, "SELECT 2")]).text
    assert changed == "-- ask: x\n-- refine: y\n{{ config(a=1) }}\nSELECT 2;\n"
    assert answer(changed, only(changed)) == "SELECT 2;"


def test_only_settings_of_a_model_below_do_not_make_its_query_one_of_several() -> None:
    text = "-- ask: x\n{{ config(a=1) }}\n"
    document = Document("file:///q.sql", text)
    changed = document.changed([place(document, only(text), "SELECT 2;", is_model=True)]).text
    assert changed == "-- ask: x\nSELECT 2\n{{ config(a=1) }}\n"


def test_comments_within_a_table_are_left_in_peace() -> None:
    found = script("CREATE TABLE a (\n-- error: the message\nb text);")
    assert (found.questions, found.findings) == ((), ())


@pytest.mark.parametrize(
    ("mark", "options"),
    [
        ("ask[dialect=bigquery, model=fast, as_of=2024-01-31]",
         [("dialect", "bigquery"), ("model", "fast"), ("as_of", "2024-01-31")]),
        ("ask [ Dialect = PostgreSQL ， model=\"ollama/qwen:7b\" ] ",
         [("dialect", "postgres"), ("model", "ollama/qwen:7b")]),
        ("ask[as of=2024-01-31]", [("as_of", "2024-01-31")]),
        ("ask[as-of＝2024-01-31]", [("as_of", "2024-01-31")]),
        ("ask[]", []),
        ("ask", []),
    ],
)  # fmt: skip
def test_options(mark: str, options: list[tuple[str, str]]) -> None:
    question = only(f"-- {mark}: x")
    assert question.options == tuple(options)
    assert question.findings == ()
    assert question.text == "x"


def test_options_of_a_chain_add_up() -> None:
    question = only("-- ask[model=a, dialect=mysql]: x\n-- refine[model=b]: y\nSELECT 1;")
    assert question.options == (("model", "b"), ("dialect", "mysql"))


@pytest.mark.parametrize(
    ("mark", "code", "marked", "said"),
    [
        ("ask[dialect=postgress]", "ask/bad-option", "postgress", "did you mean postgres?"),
        ("ask[dialect=klingon]", "ask/bad-option", "klingon", "bigquery"),
        ("ask[as_of=31.1.2024]", "ask/bad-option", "31.1.2024", "2024-01-31"),
        ("ask[as_of=2024-02-30]", "ask/bad-option", "2024-02-30", "no date"),
        ("ask[model=]", "ask/bad-option", "model=", "no value"),
        ("ask[fast]", "ask/bad-option", "fast", "name=value"),
        ("ask[model=a, model=b]", "ask/bad-option", "model=b", "twice"),
        ("ask[modle=a]", "ask/unknown-option", "modle", "did you mean model?"),
        ("ask[temperature=1]", "ask/unknown-option", "temperature", "known are"),
        ("ask[model=a", "ask/bad-option", "[model=a", "closing ]"),
    ],
)
def test_bad_options_are_findings(mark: str, code: str, marked: str, said: str) -> None:
    text = f"  -- {mark}: x"
    question = only(text)
    (finding,) = question.findings
    assert (finding.code, finding.span.of(text)) == (code, marked)
    assert said in finding.message
    assert question.text == "x"


@pytest.mark.parametrize(
    ("mark", "fixed"),
    [("ask[dialect=postgress]", "ask[dialect=postgres]"), ("ask[modle=a]", "ask[model=a]")],
)
def test_misspelt_options_have_a_fix(mark: str, fixed: str) -> None:
    document = Document("file:///a.sql", f"-- {mark}: x")
    (finding,) = only(document.text).findings
    assert finding.fixes[0].preferred
    assert document.changed(finding.fixes[0].edits).text == f"-- {fixed}: x"


@pytest.mark.parametrize(
    ("words", "names"),
    [
        ("net revenue @orders @sales.customers", ["orders", "sales.customers"]),
        ("by @orders.status.", ["orders.status"]),
        ("统计@orders的总额，@客户", ["orders的总额", "客户"]),
        ("mail bob@example.com about @@rowcount", []),
        ('@"Order Details".id @`a b` @[c d].e', ['"Order Details".id', "`a b`", "[c d].e"]),
        ("(@a,@b)", ["a", "b"]),
        ("@ x", []),
        ("＠orders", ["orders"]),
    ],
)
def test_mentions(words: str, names: list[str]) -> None:
    text = f"-- ask: {words}\n-- and @more"
    question = only(text)
    assert [mention.name for mention in question.mentions] == [*names, "more"]
    for mention in question.mentions:
        assert mention.span.of(text)[1:] == mention.name


def test_a_mention_has_parts_without_quotes() -> None:
    (mention,) = only('-- ask: @"a.b ""c""".`d`.[e f].g').mentions
    assert mention.parts == ('a.b "c"', "d", "e f", "g")


def test_the_head_of_a_file_sets_options() -> None:
    found = script("/* shop */\n# Dialect: MySQL\n-- as of: 2024-01-31\n\n# ask: a\n", "postgres")
    assert (found.dialect, found.assumed) == ("mysql", "postgres")
    assert found.as_of == datetime.date(2024, 1, 31)
    assert [question.text for question in found.questions] == ["a"]


@pytest.mark.parametrize("text", ["SELECT 1;\n-- dialect: mysql", "-- a dialect: mysql", ""])
def test_only_the_head_sets_options(text: str) -> None:
    found = script(text, "postgres")
    assert (found.dialect, found.as_of, found.findings) == ("postgres", None, ())


@pytest.mark.parametrize(
    ("text", "marked", "said"),
    [
        ("-- dialect: postgress\n", "postgress", "did you mean postgres?"),
        ("-- as of: yesterday", "yesterday", "no date"),
        ("/* dialect: klingon */", "klingon", "snowflake"),
    ],
)
def test_bad_options_of_a_file_are_findings(text: str, marked: str, said: str) -> None:
    found = script(text, "duckdb")
    (finding,) = found.findings
    assert isinstance(finding, Finding)
    assert (finding.code, finding.span.of(text)) == ("ask/bad-option", marked)
    assert said in finding.message
    assert (found.dialect, found.as_of) == ("duckdb", None)


def placed(text: str, sql: str, index: int = -1, dialect: str = "") -> str:
    document = Document("file:///a.sql", text)
    question = read(document, dialect).questions[index]
    return document.changed([place(document, question, sql)]).text


@pytest.mark.parametrize(
    ("text", "sql", "expected"),
    [
        # A first answer.
        ("-- ask: a", "SELECT 1", "-- ask: a\nSELECT 1;"),
        ("-- ask: a\n", "SELECT 1;", "-- ask: a\nSELECT 1;\n"),
        ("-- ask: a\r\n-- b\r\n\r\nx", "SELECT 1\nFROM b\n",
         "-- ask: a\r\n-- b\r\nSELECT 1\r\nFROM b;\r\n\r\nx"),
        ("-- ask: a\n\nSELECT 2;", "SELECT 1", "-- ask: a\nSELECT 1;\n\nSELECT 2;"),
        ("SELECT 0; -- ask: a", "SELECT 1", "SELECT 0; -- ask: a\nSELECT 1;"),
        # A comment that is still being written, and would take the answer in.
        ("/* ask: a", "SELECT 1", "/* ask: a */\nSELECT 1;"),
        ("/* ask: a\n", "SELECT 1", "/* ask: a\n */\nSELECT 1;"),
        ("/* ask: a\nSELECT 2;", "SELECT 1", "/* ask: a\nSELECT 2; */\nSELECT 1;"),
        ("SELECT 0;\n/* refine: a", "SELECT 1", "/* refine: a */\nSELECT 1;"),
        ("SELECT 0;\n/* error: a\nSELECT 2;\n", "SELECT 1",
         "SELECT 1;\n/* error: a\nSELECT 2;\n"),
        ("  SELECT 0; -- ask: a", "SELECT\n1", "  SELECT 0; -- ask: a\n  SELECT\n  1;"),
        ("/* ask: a */ -- b\n", "SELECT 1", "/* ask: a */\nSELECT 1; -- b\n"),
        # An answer in place of another.
        ("-- ask: a\nSELECT 0;\nSELECT 2;", "SELECT 1", "-- ask: a\nSELECT 1;\nSELECT 2;"),
        ("-- ask: a\n   SELECT 0 -- b\n", "SELECT 1;", "-- ask: a\nSELECT 1; -- b\n"),
        ("/* ask: a */ SELECT 0;", "SELECT 1", "/* ask: a */ SELECT 1;"),
        ("-- ask: a\nSELECT 0\n\n-- ask: b", "SELECT 1", None),
        # Indented like the comment, but for the inside of strings.
        ("\t-- ask: a\n", "SELECT 'x\ny',\n\n 2", "\t-- ask: a\n\tSELECT 'x\ny',\n\n\t 2;\n"),
        # Terminated once, and not in a comment.
        ("-- ask: a", "SELECT 1 ;;", "-- ask: a\nSELECT 1;"),
        ("-- ask: a", "SELECT 1 -- one", "-- ask: a\nSELECT 1 -- one\n;"),
        ("-- ask: a", "SELECT 1; -- one", "-- ask: a\nSELECT 1 -- one\n;"),
        ("-- ask: a", "SELECT 1 /* one */", "-- ask: a\nSELECT 1 /* one */;"),
        ("-- ask: a", "SELECT ';'", "-- ask: a\nSELECT ';';"),
        # A comment before it would go on with the question.
        ("-- ask: a", "-- one\n\n-- two */\nSELECT 1",
         "-- ask: a\n/* one */\n/* two * / */\nSELECT 1;"),
        ("-- ask: a", "/* one */ SELECT 1", "-- ask: a\n/* one */\nSELECT 1;"),
        # What stands below does not become part of it.
        ("-- ask: a\n-- error: b", "SELECT 1", None),
        ("-- ask: a\n-- ask: b", "SELECT 1", "-- ask: a\n-- ask: b\nSELECT 1;"),
        # Refined.
        ("-- ask: a\nSELECT 0;\n-- refine: b\n", "SELECT 1",
         "-- ask: a\n-- refine: b\nSELECT 1;\n"),
        ("-- ask: a\r\nSELECT 0 -- c\r\n-- refine: b\r\n-- d", "SELECT 1",
         "-- ask: a\r\n-- refine: b\r\n-- d\r\nSELECT 1; -- c"),
        ("SELECT 0;\n  -- refine: b\n", "SELECT 1", "  -- refine: b\n  SELECT 1;\n"),
        ("SELECT 0; -- refine: b\n", "SELECT 1", "-- refine: b\nSELECT 1;\n"),
        ("x;\nSELECT 0;\n-- refine: b\n", "SELECT 1", "x;\n\n-- refine: b\nSELECT 1;\n"),
        ("x; SELECT 0;\n-- refine: b\n", "SELECT 1", "x; \n\n-- refine: b\nSELECT 1;\n"),
        ("/* ask: a */ SELECT 0;\n-- refine: b\n", "SELECT 1",
         "/* ask: a */ -- refine: b\nSELECT 1;\n"),
        ("-- refine: b\nSELECT 0;", "SELECT 1", "-- refine: b\nSELECT 1;"),
        # Repaired.
        ("-- ask: a\nSELECT 0;\n-- error: b\n-- c\n\nx", "SELECT 1",
         "-- ask: a\nSELECT 1;\n\nx"),
        ("  SELECT 0; -- error: b", "SELECT 1", "  SELECT 1;"),
        ("SELECT 0; -- why\n/* error: b */\n", "SELECT 1", "SELECT 1; -- why\n"),
    ],
)  # fmt: skip
def test_an_answer_goes_where_it_belongs(text: str, sql: str, expected: str | None) -> None:
    if expected is None:
        below = text.split("-- ask: a\n", 1)[1].removeprefix("SELECT 0\n").lstrip("\n")
        expected = f"-- ask: a\nSELECT 1;\n\n{below}"
        assert placed(text, sql, 0) == expected
    else:
        assert placed(text, sql) == expected


def test_go_stays_where_it_is() -> None:
    text = "-- ask: a\nSELECT 0\nGO\n"
    assert placed(text, "SELECT 1", dialect="tsql") == "-- ask: a\nSELECT 1;\nGO\n"


def test_without_a_statement_nothing_is_placed() -> None:
    with pytest.raises(ValueError, match="no statement"):
        placed("-- ask: a", "-- only words")


sql_parts = st.sampled_from(
    ["a", "b.c", "'it''s; -- no'", "'two\nlines'", '"x;y"', "(SELECT 1)", "-- note\n", "/* n; */",
     "\n", "\n\n", "\r\n", "+", ",", "FROM t", "WHERE x = 1", "UNION ALL SELECT 2", "'销售'",
     "CASE WHEN 1 THEN 2 END", "-- end\n"]
)  # fmt: skip
sqls = st.tuples(
    st.sampled_from(["", "", "-- said\n", "/* said */ ", "-- a\n-- b\n\n", "\n\n"]),
    st.lists(sql_parts, max_size=6).map(" ".join),
    st.sampled_from(["", ";", " ;\n", "\n", " -- done", "; -- done\n"]),
).map(lambda parts: f"{parts[0]}SELECT 1 {parts[1]}{parts[2]}")
indents = st.sampled_from(["", "", "  ", "\t"])
asked = st.sampled_from(
    ["-- ask: x", "-- ask: x\n{i}-- more", "/* ask: x */", "/* ask: x\ny */", "--ASK[model=m]：x",
     "-- ask: x\n{i}-- refine: y", "/* ask: x */\n{i}-- refine: y\n{i}-- z"]
)  # fmt: skip
answers = st.sampled_from(
    ["", "", "\n{i}SELECT 0;", "\n{i}SELECT 0", "\n{i}/* c */\n{i}SELECT 0 -- d\n{i};",
     "\n{i}WITH a AS (\n\nSELECT 0)\n{i}SELECT * FROM a;"]
)  # fmt: skip
around = st.sampled_from(
    ["", "\n", "\n\n", "SELECT 7;\n\n", "SELECT 7\n", "-- note\n\n", "SELECT 7; ",
     "CREATE TABLE t (a int);\n", "-- ask: x\nSELECT 5;\n\n", "INSERT INTO t VALUES (1);\n"]
)  # fmt: skip
after = st.sampled_from(
    ["", "\n", "\n\nSELECT 8;", "\n-- ask: next", "\n-- ask: next\nSELECT 9;", "\n\n-- note\n"]
)
newlines = st.sampled_from(["\n", "\r\n"])
dialects = st.sampled_from(["", "postgres", "mysql", "tsql", "bigquery", "oracle"])


def body(sql: str) -> str:
    """SQL without comments' form, blanks and terminators, to compare what was placed."""
    return "".join(letter for letter in sql if letter.isalnum() or letter in "'\"()+,=")


@relaxed
@given(around, indents, asked, answers, after, sqls, newlines, dialects)
def test_the_placed_sql_is_read_back_as_the_answer(
    before: str, indent: str, ask: str, old: str, below: str, sql: str, newline: str, dialect: str
) -> None:
    text = (before + indent + (ask + old).replace("{i}", indent) + below).replace("\n", newline)
    document = Document("file:///a.sql", text)
    found = [q for q in read(document, dialect).questions if q.span.start >= len(before)]
    question = found[0]
    edited = document.changed([place(document, question, sql)])
    again = find_again(question, read(edited, dialect))
    assert again is not None
    assert again.span.start == question.span.start
    assert again.span.of(edited.text) == question.span.of(text)
    assert again.answer is not None
    new = again.answer.of(edited.text)
    assert body(new) == body(sql)
    assert new.endswith(";")
    if "\r\n" in text:
        assert "\n" not in edited.text.replace("\r\n", "")
    kept = question.answer.end if question.answer else question.span.end
    assert edited.text.startswith(text[: question.span.end])
    assert edited.text.endswith(text[kept:])


@relaxed
@given(around, indents, st.booleans(), st.sampled_from(["SELECT 0;", "SELECT 0", "SELECT 0; -- c"]),
       after, sqls, newlines, dialects)  # fmt: skip
def test_a_refined_answer_stands_under_its_whole_chain(
    before: str, indent: str, has_ask: bool, old: str, below: str, sql: str, newline: str,
    dialect: str,
) -> None:  # fmt: skip
    ask = f"{indent}-- ask: q\n" if has_ask else ""
    refine = f"{indent}{old}\n{indent}-- refine: r\n{indent}-- more"
    text = (before + ask + refine + below).replace("\n", newline)
    document = Document("file:///a.sql", text)
    (question,) = [q for q in read(document, dialect).questions if q.kind == "refine"]
    edited = document.changed([place(document, question, sql)])
    (again,) = [q for q in read(edited, dialect).questions if q.text == "r\nmore"]
    assert again.answer is not None
    assert body(again.answer.of(edited.text)) == body(sql)
    assert again.turns == ((Turn("ask", "q"),) if has_ask else ())
    assert again.kind == ("ask" if has_ask else "refine")
    assert "SELECT 0" not in edited.text


@relaxed
@given(around, indents, st.booleans(), after, sqls, newlines, dialects)
def test_a_repaired_statement_loses_its_error(
    before: str, indent: str, has_ask: bool, below: str, sql: str, newline: str, dialect: str
) -> None:
    ask = f"{indent}-- ask: q\n" if has_ask else ""
    text = f"{before}{ask}{indent}SELECT 0;\n{indent}-- error: e\n{indent}-- more{below}"
    document = Document("file:///a.sql", text.replace("\n", newline))
    (question,) = [q for q in read(document, dialect).questions if q.kind == "error"]
    edited = document.changed([place(document, question, sql)])
    script = read(edited, dialect)
    assert not [q for q in script.questions if q.kind == "error"]
    assert not [finding for finding in script.findings if finding.code == "ask/no-statement"]
    if has_ask:
        (owner,) = [q for q in script.questions if q.text == "q"]
        assert owner.answer is not None
        assert body(owner.answer.of(edited.text)) == body(sql)
    else:
        assert body(sql) in body(edited.text)


def test_a_question_is_found_again_by_its_words() -> None:
    before = script("-- ask: a\n\n-- ask: b\nSELECT 1;\n-- refine: c\n")
    after = script("SELECT 0;\n\n-- ask: b\nSELECT 2;\n-- refine: c\n\n-- ask: new\n")
    first, second, third = before.questions
    assert find_again(first, after) is None
    again = find_again(second, after)
    assert again is not None
    assert again.span == Span(11, 20)
    refined = find_again(third, after)
    assert refined is not None
    assert refined.kind == "refine"


@pytest.mark.parametrize(
    "changed",
    ["-- ask: b", "-- refine: a", "-- ask[model=m]: a", "-- ask: a\n-- more", "-- a", ""],
)
def test_a_changed_question_is_not_found(changed: str) -> None:
    assert find_again(only("-- ask: a\nSELECT 1;"), script(f"{changed}\nSELECT 1;")) is None


def test_a_refinement_is_another_one_once_the_chain_has_changed() -> None:
    question = script("-- ask: a\nSELECT 1;\n-- refine: r").questions[1]
    assert find_again(question, script("-- ask: b\nSELECT 1;\n-- refine: r")) is None


def test_of_equal_questions_the_one_as_far_down_is_found() -> None:
    text = "-- ask: a\n\n-- ask: a\n\n-- ask: a\n"
    questions = script(text).questions
    assert [question.ordinal for question in questions] == [0, 1, 2]
    moved = script("SELECT 1;\n\n" + text)
    for question, again in zip(questions, moved.questions, strict=True):
        assert find_again(question, moved) == again
    fewer = script("SELECT 1;\n\n-- ask: a\n\n-- ask: a\n")
    assert find_again(questions[2], fewer) == fewer.questions[1]


ATOMS = ["-- ask: a", "-- refine: b", "-- error: c", "/* ask: d */", "# ask: e", "// refine: f",
         "SELECT 1;", "SELECT 2", "-- note", "-- dialect: mysql", "-- ask[model=", "]: x", "'",
         "/*", "*/", "GO", "(", "-- ask:", "  ", "\n", "\r\n", "\r", "$$", "@a."]  # fmt: skip
files = st.lists(
    st.one_of(st.sampled_from(ATOMS), st.sampled_from([f"{a}\n" for a in ATOMS]), st.characters()),
    max_size=20,
).map("".join)


@relaxed
@given(files, st.sampled_from(["", *DIALECTS]))
def test_any_text_can_be_read_and_its_questions_answered(text: str, dialect: str) -> None:
    document = Document("file:///a.sql", text)
    found = read(document, dialect)
    end = 0
    for question in found.questions:
        assert end <= question.span.start < question.span.end <= len(text)
        end = question.span.end
        assert question.text == question.text.strip() != ""
        if question.answer is not None:
            assert not question.answer.of(text)[:1].isspace()
        edit = place(document, question, "SELECT 'new'")
        assert "SELECT 'new'" in document.changed([edit]).text
        assert find_again(question, found) == question
    for finding in found.findings:
        assert 0 <= finding.span.start <= finding.span.end <= len(text)


def test_statements_are_those_of_the_file() -> None:
    for text in ("SELECT 1; SELECT 2", "-- ask: a\nSELECT 1; SELECT 2"):
        assert [s.span.of(text) for s in script(text).statements] == ["SELECT 1", "SELECT 2"]


def test_a_long_file_is_read_between_two_keystrokes() -> None:
    query = "SELECT a, 'it''s' AS b -- c\nFROM t\nWHERE (a > 1 OR b IN ('x', 'y'))\nLIMIT 10;\n\n"
    text = "-- ask: a @t\n" + query * 2_000
    started = time.process_time()
    assert len(script(text, "postgres").questions) == 1
    assert time.process_time() - started < 1


@pytest.mark.parametrize("dialect", ["mysql", ""])
@pytest.mark.parametrize(
    ("text", "sql", "expected"),
    [
        ("DELIMITER //\n-- ask: a\n", "SELECT 1", "DELIMITER //\n-- ask: a\nSELECT 1//\n"),
        ("delimiter //\n-- ask: a\nSELECT 2//\n", "SELECT 1",
         "delimiter //\n-- ask: a\nSELECT 1//\n"),
        ("DELIMITER //\n-- ask: a\n", "SELECT 1 -- b",
         "DELIMITER //\n-- ask: a\nSELECT 1 -- b\n//\n"),
        ("DELIMITER end\n-- ask: a\n", "SELECT 1", "DELIMITER end\n-- ask: a\nSELECT 1 end\n"),
        ("DELIMITER //\nx//\nDELIMITER ;\n-- ask: a\n", "SELECT 1",
         "DELIMITER //\nx//\nDELIMITER ;\n-- ask: a\nSELECT 1;\n"),
    ],
)  # fmt: skip
def test_an_answer_ends_as_the_script_says(
    dialect: str, text: str, sql: str, expected: str
) -> None:
    done = placed(text, sql, dialect=dialect)
    assert done == expected
    assert placed(done, sql, dialect=dialect) == expected


@pytest.mark.parametrize(
    ("dialect", "own", "sql"),
    [
        ("postgres", "mysql", "SELECT a FROM t WHERE b = 'it\\'s'"),
        ("postgres", "mysql", "SELECT 'a\\';b' FROM t"),
        ("postgres", "mysql", "SELECT a # it's here\nFROM t"),
        ("postgres", "bigquery", 'SELECT """it\'s; x""" FROM t'),
        ("mysql", "postgres", "SELECT a FROM t WHERE b LIKE 'a\\'"),
        ("mysql", "postgres", "SELECT a #> '{b}' FROM t"),
        ("mysql", "postgres", "SELECT $$a;b's$$\nFROM t"),
        ("sqlite", "mysql", "SELECT 'a\n  b\\'c\n d' FROM t"),
    ],
)
def test_an_answer_in_its_own_dialect_is_replaced_as_that_reads_it(
    dialect: str, own: str, sql: str
) -> None:
    above = f"-- ask[dialect={own}]: the first\n"
    below = "\n\nSELECT 2;\n-- ask: the next\nSELECT 3;\n"
    document = Document("q.sql", above.rstrip() + below)
    for each in (sql, "SELECT 7"):
        question = read(document, dialect).questions[0]
        document = document.changed([place(document, question, each)])
        assert document.text == f"{above}{each};{below}"
        found = read(document, dialect)
        assert found.sql_of(found.questions[0]) == each


@pytest.mark.parametrize("sql", ["SELECT 'a\\';\n\nSELECT 'b'", "SELECT 1"])
def test_what_stands_behind_an_empty_line_is_not_taken_into_an_answer(sql: str) -> None:
    text = f"-- ask[dialect=mysql]: the first\n{sql};\n"
    found = read(Document("q.sql", text), "postgres")
    assert found.sql_of(found.questions[0]) == sql.partition(";")[0]


@pytest.mark.parametrize("options", ["", "[as_of=2024-01-31]", "[as_of=20;", "["])
@pytest.mark.parametrize("above", ["1", "SELECT 1", "UPDATE t SET a = 1"])
def test_a_question_ends_what_has_no_terminator_whatever_its_options(
    above: str, options: str
) -> None:
    text = f"{above}\n-- ask{options}: q\nSELECT 2;\n"
    found = read(Document("q.sql", text), "postgres")
    assert [(q.text, found.sql_of(q)) for q in found.questions] == [("q", "SELECT 2")]


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
def test_an_answer_of_another_dialect_goes_on_over_the_ends_of_lines(newline: str) -> None:
    sql = newline.join([r"SELECT 'a\';", "b'"])
    text = newline.join(["-- ask[dialect=mysql]: the first", f"{sql};", ""])
    found = read(Document("q.sql", text), "postgres")
    assert found.sql_of(found.questions[0]) == sql


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
def test_a_refined_statement_is_kept_apart_from_what_waits_above(newline: str) -> None:
    lines = ["SELECT 1;", "-- refine: the first", "SELECT 2;", "-- refine: the second", ""]
    document = Document("q.sql", newline.join(lines))
    edit = place(document, read(document, "postgres").questions[1], "SELECT 7")
    found = read(document.changed([edit]), "postgres")
    assert [(q.text, found.sql_of(q)) for q in found.questions] == [
        ("the first", "SELECT 1"),
        ("the second", "SELECT 7"),
    ]


def test_what_go_has_ended_is_no_part_of_an_answer_in_another_dialect() -> None:
    text = "-- ask[dialect=postgres]: the first\nSELECT 1\nGO\nSELECT 2;\n"
    document = Document("q.sql", text)
    edit = place(document, read(document, "tsql").questions[0], "SELECT 7")
    assert "GO\nSELECT 2;\n" in document.changed([edit]).text


def test_a_terminator_is_in_no_comment_of_the_answers_own_dialect() -> None:
    document = Document("q.sql", "-- ask[dialect=mysql]: the first\n")
    edit = place(document, read(document, "postgres").questions[0], "SELECT 1 # it's one")
    assert edit.text == "\nSELECT 1 # it's one\n;"
