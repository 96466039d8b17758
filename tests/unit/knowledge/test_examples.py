"""Verified examples in all their file formats, and what is said about those that fail."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sqlscribe.knowledge.examples import (
    Example,
    Wrong,
    duplicates,
    fitting,
    latest,
    read_examples,
    usable,
)
from sqlscribe.notation.document import Document, Span
from sqlscribe.notation.findings import Finding, Severity


def read(
    text: str, name: str, dialect: str = "postgres"
) -> tuple[tuple[Example, ...], tuple[Finding, ...]]:
    return read_examples(Document(f"file:///{name}", text), Path("/work") / name, dialect)


def check(text: str, name: str, pairs: list[tuple[str, str]], findings: list[str]) -> None:
    """``findings`` are codes, without their subject, each with the text that they mark."""
    examples, found = read(text, name)
    assert [(example.question, example.sql) for example in examples] == pairs
    said = [f"{f.code.removeprefix('example/')}: {f.span.of(text)}" for f in found]
    assert sorted(said) == sorted(findings)


FULL = {
    "a.yaml": """\
- question: Umsatz im Mai
  sql: |
    SELECT 1
  dialect: MySQL
  tables: [orders, sales.customers]
  tags: [money, 2024]
  note: "net, always"
  verified_by: Ann
  verified_at: 2024-05-31
  wrong:
    - {sql: SELECT 2, why: gross}
""",
    "a.jsonl": '{"question": "Umsatz im Mai", "sql": "SELECT 1\\n", "dialect": "MySQL",'
    ' "tables": ["orders", "sales.customers"], "tags": ["money", 2024],'
    ' "note": "net, always", "verified_by": "Ann", "verified_at": "2024-05-31",'
    ' "wrong": [{"sql": "SELECT 2", "why": "gross"}]}\n',
}


@pytest.mark.parametrize("name", FULL)
def test_every_key_is_read(name: str) -> None:
    examples, findings = read(FULL[name], name)
    assert findings == ()
    assert examples == (
        Example(
            question="Umsatz im Mai",
            sql="SELECT 1",
            dialect="mysql",
            tables=("orders", "sales.customers"),
            tags=("money", "2024"),
            note="net, always",
            verified_by="Ann",
            verified_at="2024-05-31",
            wrong=(Wrong("SELECT 2", "gross"),),
            file=Path("/work") / name,
            line=0,
        ),
    )


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.yaml", "- {question: q, sql: s}\n- {question: 库存, sql: 'S'}"),
        ("a.yml", "examples:\n- {question: q, sql: s}\n- {question: 库存, sql: 'S'}"),
        ("a.yaml", "question: q\nsql: s\n---\nquestion: 库存\nsql: S\n"),
        ("a.yaml", '[{"question": "q", "sql": "s"}, {"question": "库存", "sql": "S"}]'),
        ("a.yaml", "- &q {question: q, sql: s}\n- {<<: *q, question: 库存, sql: S}"),
        ("a.jsonl", '\n{"question":"q","sql":"s"}\r\n\r\n{"question":"库存","sql":"S"}'),
        ("a.JSONL", '{"question":"q","sql":"s"}\n{"question":"\\u5e93\\u5b58","sql":"S"}'),
        ("a.json", '[{"question":"q","sql":"s"},\n{"question":"库存","sql":"S"}]'),
        (
            "a.json",
            '{"examples": [{"question":"q","sql":"s"}, {"question":"库存","sql":"S"}]}',
        ),
        ("a.sql", "-- ask: q\ns\n;\n\n/* ask: 库存 */\nS;\n"),
    ],
)
def test_all_forms_of_a_file_say_the_same(name: str, text: str) -> None:
    check(text, name, [("q", "s"), ("库存", "S")], [])


@pytest.mark.parametrize("name", ["a.yaml", "a.jsonl", "a.json", "a.sql", "README.md"])
def test_an_empty_file_holds_no_examples(name: str) -> None:
    for text in ("", "\n\n", "  \n"):
        check(text, name, [], [])


def test_a_question_and_the_statement_under_it_are_an_example() -> None:
    text = """\
-- as of: 2024-01-31

-- ask: top 10 customers
-- by revenue @orders
SELECT 1;

-- ask: nothing yet

-- ask[dialect=bigquery]: revenue by month
-- refine: only 2024
SELECT 2
;
-- refine: and by region
"""
    examples, findings = read(text, "a.sql")
    assert [(e.question.split(), e.sql, e.dialect, e.line) for e in examples] == [
        ("top 10 customers by revenue @orders".split(), "SELECT 1", "postgres", 2),
        ("revenue by month only 2024".split(), "SELECT 2", "bigquery", 8),
    ]
    assert examples[1].question == "revenue by month\nonly 2024"
    assert [(f.code, f.severity) for f in findings] == [("example/no-answer", Severity.HINT)]
    assert findings[0].span.of(text) == "-- ask: nothing yet"


def test_the_dialect_in_the_head_of_a_file_counts() -> None:
    examples, _ = read("-- dialect: snowflake\n\n-- ask: q\nSELECT 1\n", "a.sql")
    assert examples[0].dialect == "snowflake"


@pytest.mark.parametrize(
    ("text", "findings"),
    [
        ("- {question: q, sqll: s}", ["unknown-key: sqll", "incomplete: {question: q, sqll: s}"]),
        ("- question: q\n  sql:\n", ["incomplete: question: q"]),
        ("- {question: ' ', sql: s}", ["incomplete: {question: ' ', sql: s}"]),
        (
            "- question: 2024\n  sql: s",
            ["bad-value: 2024", "incomplete: question: 2024"],
        ),
        ("- {question: q, sql: [a]}", ["bad-value: [a]", "incomplete: {question: q, sql: [a]}"]),
        ("- just a text\n- [1]", ["bad-value: just a text", "bad-value: [1]"]),
        ("a: &a [*a]", ["syntax: *a]"]),
        ("- question: 'q\n  sql: s\n\n", ["syntax: 'q"]),
        ("question: q\n\tsql: s", ["syntax: \tsql: s"]),
        ("!!python/object/apply:os.getcwd []", []),
    ],
)
def test_what_cannot_be_used_in_yaml_is_said_at_its_place(text: str, findings: list[str]) -> None:
    check(text, "a.yaml", [], findings)


@pytest.mark.parametrize(
    ("addition", "finding"),
    [
        ("tabels: [a]", "unknown-key: tabels"),
        ("colour: red", "unknown-key: colour"),
        ("tables: 5", "bad-value: 5"),
        ("tables: [[a]]", "bad-value: [a]"),
        ("note: [a]", "bad-value: [a]"),
        ("note: {a: b}", "bad-value: {a: b}"),
        ("dialect: postgresq", "bad-value: postgresq"),
        ("wrong: no", "bad-value: no"),
        ("wrong: [{why: gross}]", "incomplete: {why: gross}"),
        ("wrong: [{sql: s, because: x}]", "unknown-key: because"),
        ("question: r", "bad-value: question"),
    ],
)
def test_a_bad_key_costs_only_itself(addition: str, finding: str) -> None:
    question = "r" if addition.startswith("question") else "q"
    check(f"- question: q\n  sql: s\n  {addition}\n", "a.yaml", [(question, "s")], [finding])


def test_a_wrong_key_gets_the_nearest_known_one() -> None:
    _, findings = read("- {question: q, sql: s, Verified-By: ann}", "a.yaml")
    assert "Did you mean verified_by?" in findings[0].message


def test_numbers_and_dates_are_taken_as_written() -> None:
    examples, findings = read(
        "- {question: q, sql: s, note: no, verified_by: 007, verified_at: 2024-01-31}", "a.yaml"
    )
    assert (examples[0].note, examples[0].verified_by) == ("no", "007")
    assert examples[0].verified_at == "2024-01-31"
    assert findings == ()


@pytest.mark.parametrize(
    ("text", "pairs", "findings"),
    [
        (
            '{"question":"q","sql":"s"}\n{"question":"x","sql":\n[1]\n{"question":"z","sql":"t"}',
            [("q", "s"), ("z", "t")],
            ['syntax: {"question":"x","sql":', "bad-value: [1]"],
        ),
        (
            '{"question":"q","sql":"s"} {"question":"r","sql":"s"}',
            [],
            ['syntax: {"question":"q","sql":"s"} {"question":"r","sql":"s"}'],
        ),
        (
            '{"question": "q", "sql": "the \\"note\\": x", "note": ["a"]}',
            [("q", 'the "note": x')],
            ['bad-value: "note"'],
        ),
    ],
)
def test_a_bad_line_costs_only_itself(
    text: str, pairs: list[tuple[str, str]], findings: list[str]
) -> None:
    check(text, "a.jsonl", pairs, findings)


@pytest.mark.parametrize("text", ["[", '[{"question":"q",', "{", "nothing"])
def test_an_unfinished_list_is_a_mistake(text: str) -> None:
    _, findings = read(text, "a.json")
    assert [finding.code for finding in findings] == ["example/syntax"]


def test_what_stands_before_a_mistake_is_still_used() -> None:
    check(
        '[{"question":"q","sql":"s"},\n {"question":"r" "sql":"s"},\n {}]',
        "a.json",
        [("q", "s")],
        ['syntax: "sql":"s"},'],
    )
    check(
        "examples:\n- {question: q, sql: s}\n- question: r\n  sql: 't\n- question: x\n",
        "a.yaml",
        [("q", "s")],
        ["syntax: 't"],
    )


def test_aliases_cannot_blow_a_file_up() -> None:
    lines = ["a0: &a0 [" + ", ".join(["x"] * 10) + "]"]
    for level in range(1, 9):
        lines.append(f"a{level}: &a{level} [" + ", ".join([f"*a{level - 1}"] * 10) + "]")
    examples, findings = read("\n".join([*lines, "examples: [*a8, *a8]"]), "a.yaml")
    assert examples == ()
    assert [finding.code for finding in findings] == ["example/syntax"] * len(findings) != []


@pytest.mark.parametrize("name", ["a.yaml", "a.jsonl", "a.json", "a.sql"])
@pytest.mark.parametrize(
    "text",
    ["\0", "\ud800", "[" * 100_000, "- " * 100_000, '{"a":' * 50_000, "'" * 9, '"\\ud800"'],
    ids=lambda text: ascii(text)[:12],
)
def test_any_text_can_be_read(name: str, text: str) -> None:
    examples, findings = read(text, name)
    assert examples == ()
    assert all(0 <= f.span.start <= f.span.end <= len(text) for f in findings)


@settings(max_examples=60, deadline=None)
@given(
    text=st.text(alphabet="-[]{}:,&*a'\"\\\n \t!|>#%@\u2028\x85客😀", max_size=60),
    name=st.sampled_from(["a.yaml", "a.jsonl", "a.json"]),
)
def test_marks_lie_in_the_text(text: str, name: str) -> None:
    _, findings = read(text, name)
    assert all(0 <= f.span.start <= f.span.end <= len(text) for f in findings)


def example(question: str, sql: str, line: int = 0, name: str = "a.yaml") -> Example:
    return Example(question, sql, file=Path("/work") / name, line=line)


def test_a_key_depends_on_what_is_said_and_not_where() -> None:
    key = example("Top  customers", "SELECT 1").key
    assert key == example("top customers", "SELECT 1", 7, "b.sql").key
    assert key != example("top customers", "SELECT 2").key
    assert key != Example("top customers", "SELECT 1", "mysql").key
    assert len(example("\ud800", "\ud800").key) == len(key)


def test_of_two_answers_the_later_one_is_used() -> None:
    first = example("Top customers", "SELECT 1")
    other = example("cities", "SELECT 3", 4)
    later = example("  top   customers? ", "SELECT 2", 8, "b.sql")
    assert latest((first, other, later)) == (other, later)
    found = duplicates((first, other, later))
    assert [(path.name, f.code, f.severity) for path, fs in found.items() for f in fs] == [
        ("b.sql", "example/two-answers", Severity.WARNING)
    ]
    assert "a.yaml, line 1" in found[later.file][0].message


def test_the_same_pair_twice_is_only_a_hint() -> None:
    pairs = (example("q", "SELECT 1;"), example("Q", "SELECT\n  1", 3))
    assert len(latest(pairs)) == 1
    [[finding]] = duplicates(pairs).values()
    assert (finding.code, finding.severity) == ("example/duplicate", Severity.HINT)


def test_one_question_may_have_an_answer_for_each_dialect() -> None:
    pairs = (Example("q", "SELECT 1", "mysql"), Example("q", "SELECT 2", "tsql"))
    assert latest(pairs) == pairs
    assert duplicates(pairs) == {}


def test_an_example_that_does_not_parse_is_left_out_and_named() -> None:
    text = "- {question: q, sql: SELECT 1}\n- question: cities\n  sql: SELECT FROM\n"
    examples, _ = read(text, "a.yaml")
    good, [finding] = usable(
        examples,
        lambda e: ("example/does-not-parse", "Expected a column.") if e.sql[7:] != "1" else None,
    )
    assert good == examples[:1]
    assert finding.code == "example/does-not-parse"
    assert finding.span.of(text) == "question: cities"
    assert finding.message.endswith("Expected a column.")


def test_examples_that_no_longer_fit_the_schema_are_left_out_and_named() -> None:
    (kept, other, old), _ = read(
        "- {question: a, sql: SELECT 1}\n- {question: b, sql: SELECT 2}\n"
        "- {question: c, sql: SELECT gone}\n",
        "a.yaml",
    )

    def findings_of(example: Example) -> list[Finding]:
        if example == kept:
            return []
        code = "name/unknown-column" if example == old else "quality/fan-out"
        return [Finding(code, Severity.ERROR, "gone is no column of t.", Span(7, 11))]

    good, gone = fitting((kept, other, old), findings_of)
    assert good == (kept, other)
    assert gone == {
        old.file: (
            Finding(
                "example/does-not-fit",
                Severity.WARNING,
                "This example is not used, it does not fit the schema: gone is no column of t.",
                old.span,
            ),
        )
    }


@pytest.mark.parametrize(
    ("name", "text", "cured"),
    [
        ("a.yaml", "- question: q\n  sqll: s\n", "- question: q\n  sql: s\n"),
        ("a.jsonl", '{"question": "q", "sqll": "s"}', '{"question": "q", "sql": "s"}'),
        ("a.yaml", "- question: q\n  'sqll': s\n", "- question: q\n  'sql': s\n"),
    ],
)
def test_an_unknown_key_has_a_fix(name: str, text: str, cured: str) -> None:
    document = Document("file:///a", text)
    _, [finding, *_] = read_examples(document, Path(name), "postgres")
    [fix] = finding.fixes
    assert document.changed(list(fix.edits)).text == cured


def test_a_key_that_is_there_already_is_not_meant() -> None:
    text = "- question: q\n  sql: s\n  sqll: s\n"
    _, [finding] = read_examples(Document("", text), Path("a.yaml"), "postgres")
    assert finding.fixes == ()
