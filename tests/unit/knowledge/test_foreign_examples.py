"""Questions and SQL in the files of other tools."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sqlscribe.knowledge.foreign_examples import Foreign, Pair, read_foreign
from sqlscribe.notation.document import Document

SQL = "SELECT count(*) FROM orders"


def read(text: str, name: str = "x.json") -> Foreign:
    return read_foreign(Document("", text), name)


def only(text: str, name: str = "x.json") -> Pair:
    found = read(text, name)
    assert (len(found.pairs), found.problems) == (1, ())
    return found.pairs[0]


@pytest.mark.parametrize(
    ("item", "name"),
    [
        ({"training_data_type": "sql", "question": "how many?", "content": SQL}, "vanna"),
        ({"db_id": "shop", "question": "how many?", "query": SQL, "query_toks": ["a"]}, "spider"),
        ({"db_id": "shop", "question": "how many?", "SQL": f"{SQL};", "evidence": ""}, "bird"),
        ({"prompt": "how many?", "completion": f"```sql\n{SQL}\n```"}, "completions"),
        ({"query": "how many?", "sql": SQL}, "the question is called a query"),
    ],
)
@pytest.mark.parametrize("form", ["json", "jsonl", "yaml", "inside"])
def test_the_usual_names_are_known_in_every_form(
    item: dict[str, str], name: str, form: str
) -> None:
    text = {
        "json": json.dumps([item]),
        "jsonl": json.dumps(item),
        "yaml": json.dumps([item]),
        "inside": json.dumps({"training_data": [item]}),
    }[form]
    pair = only(text, f"x.{'json' if form == 'inside' else form}")
    assert (pair.question, pair.sql) == ("how many?", SQL), name


def test_verified_queries_of_a_semantic_model_name_the_tables_behind_it() -> None:
    pair = only(
        "tables:\n- name: orders\n  base_table: {database: D, schema: S, table: ORDERS_T}\n"
        "verified_queries:\n- name: q\n  question: how many?\n"
        "  sql: |\n    SELECT count(*)\n    FROM __orders\n"
        "  verified_at: 1714497970\n  verified_by: Jane\n",
        "model.yaml",
    )
    assert pair.sql == "SELECT count(*)\nFROM ORDERS_T"
    assert (pair.verified_by, pair.verified_at, pair.line) == ("Jane", "2024-04-30", 4)


def test_a_table_of_training_data_keeps_its_lines() -> None:
    found = read(
        'id,training_data_type,question,content\n1,sql,"how many, really?","SELECT 1\nFROM t"\n'
        "2,ddl,,CREATE TABLE t (a int)\n3,sql,x,\n",
        "export.csv",
    )
    assert [(pair.question, pair.sql) for pair in found.pairs] == [
        ("how many, really?", "SELECT 1\nFROM t")
    ]
    assert [problem.line for problem in found.problems] == [3, 4]
    assert "belongs to the schema" in found.problems[0].message


def test_questions_may_be_keys() -> None:
    assert only(json.dumps({"how many?": SQL})).question == "how many?"


@pytest.mark.parametrize(
    ("written", "question"),
    [
        ("上个月的销售额", "上个月的销售额"),
        (r"\u4e0a\u4e2a\u6708", "上个月"),
        (r"\ud83d\ude00?", "😀?"),
        ("Cafe\u0301", "Café"),
        ("  two\n lines ", "two\nlines"),
    ],
)
def test_questions_are_letters_and_no_escapes(written: str, question: str) -> None:
    assert only(json.dumps([{"question": written, "sql": SQL}])).question == question


@pytest.mark.parametrize(
    ("text", "name", "said"),
    [
        ("[{", "x.json", "not JSON"),
        ('{"question": "a"}\n{"question"', "x.jsonl", "no SQL in it"),
        ("a: [", "x.yaml", "not YAML"),
        ("saved_queries:\n- name: revenue\n", "x.yml", "hold no SQL"),
        ("", "x.csv", "no questions with SQL"),
        ("x", "x.parquet", "not known"),
        ("[1, null, [2]]", "x.json", "no SQL in it, only nothing"),
    ],
)
def test_what_cannot_be_used_is_said(text: str, name: str, said: str) -> None:
    found = read(text, name)
    assert found.pairs == ()
    assert said in found.problems[0].message


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=80), st.sampled_from(["x.json", "x.jsonl", "x.csv", "x.yaml", "x"]))
def test_any_text_is_read_without_an_error(text: str, name: str) -> None:
    assert isinstance(read(text, name), Foreign)
