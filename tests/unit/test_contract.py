"""The JSON shapes that other programs rely on."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from answering import FakeChat, fenced, snapshot
from sqlscribe import contract
from sqlscribe.answer import Answer, answer, prepare
from sqlscribe.knowledge.examples import Example
from sqlscribe.models.chat import Usage
from sqlscribe.notation.document import Document, Span, TextEdit
from sqlscribe.notation.findings import FileFindings, Finding, Fix, Severity
from sqlscribe.prompting.context import Request
from sqlscribe.schema.model import Column, ForeignKey, Schema, Table


def found(text: str, word: str) -> Finding:
    start = text.index(word)
    span = Span(start, start + len(word))
    fix = Fix("Change to total", (TextEdit(span, "total"),), preferred=True)
    return Finding("name/unknown-column", Severity.ERROR, "unknown column", span, (fix,))


@pytest.mark.parametrize(
    ("text", "start", "end"),
    [
        ("SELECT ttal", (1, 8), (1, 12)),
        # Code points count: not UTF-16 units, and not the width of the letters.
        ("SELECT '😀订', ttal", (1, 14), (1, 18)),
        ("SELECT 'e\u0301' ,\r\n  ttal", (2, 3), (2, 7)),
        ("-- a\u2028b\n\n😀ttal", (3, 2), (3, 6)),
    ],
)
def test_places_are_one_based_and_count_code_points(
    text: str, start: tuple[int, int], end: tuple[int, int]
) -> None:
    data = contract.finding_json(Document("q.sql", text), found(text, "ttal"))
    assert (data["line"], data["column"]) == start
    assert (data["end_line"], data["end_column"]) == end
    assert data["fixes"] == [
        {
            "title": "Change to total",
            "preferred": True,
            "edits": [{"start": [*start], "end": [*end], "text": "total"}],
        }
    ]


def test_a_diagnostic_names_its_file_as_people_write_it(tmp_path: Path) -> None:
    path = tmp_path / "my shop" / "订单#1%20.sql"
    for uri, name in ((path.as_uri(), str(path)), ("untitled:q", "untitled:q")):
        document = Document(uri, "SELECT ttal")
        [data] = contract.diagnostics_json([FileFindings(document, (found("ttal", "ttal"),))])
        assert data["file"] == name
        assert set(data) == {
            "file", "line", "column", "end_line", "end_column",
            "severity", "code", "message", "fixes",
        }  # fmt: skip
        assert (data["severity"], data["code"]) == ("error", "name/unknown-column")


async def test_an_answer_tells_where_it_comes_from() -> None:
    made = snapshot(FakeChat(fenced("SELECT nme FROM customers")), max_repairs=0)
    given = await answer(Request("names"), made)
    data = contract.answer_json(given)
    assert json.loads(json.dumps(data)) == data
    assert data["outcome"] == "sql"
    assert data["sql"] == "SELECT nme FROM customers"
    assert [(f["line"], f["column"], f["end_column"]) for f in data["findings"]] == [(1, 8, 11)]
    assert data["usage"] == {
        "prompt_tokens": 100, "completion_tokens": 10, "cached_tokens": None, "cost": None,
        "calls": 1,
    }  # fmt: skip
    assert data["model"] == "fake/model"
    assert data["message"].startswith("a draft that would not run: unknown column nme")
    assert data["error"] is None
    provenance = data["provenance"]
    assert (provenance["source"], provenance["example"]) == ("model", None)
    assert provenance["tables"] == ["customers", "orders"]
    assert len(provenance["fingerprint"]) == 64


def test_an_answer_without_a_prompt_and_without_sql() -> None:
    data = contract.answer_json(Answer("failed", message="no key", error="no_key"))
    assert (data["outcome"], data["sql"], data["error"]) == ("failed", None, "no_key")
    assert data["provenance"] == {
        "source": "none", "example": None, "prompt_tokens": None, "fingerprint": None,
        "tables": [], "examples": [], "left_out": 0,
    }  # fmt: skip
    assert data["usage"]["prompt_tokens"] is None
    cost = contract.answer_json(Answer("sql", usage=Usage(cost=0.25)))["usage"]["cost"]
    assert cost == 0.25


async def test_a_verified_answer_names_its_example() -> None:
    example = Example(
        "names", "SELECT full_name FROM customers", verified_by="ann", file=Path("t.sql"), line=4
    )
    given = await answer(Request("names"), snapshot(examples=(example,)))
    provenance = contract.answer_json(given)["provenance"]
    assert provenance["source"] == "verified"
    assert provenance["example"] == {
        "question": "names", "file": "t.sql", "line": 5, "verified_by": "ann",
    }  # fmt: skip


def test_a_prompt_shows_its_parts_and_what_it_costs() -> None:
    prompt = prepare(Request("names @nix", mentions=("nix",)), snapshot(rules="Be exact."))
    data = contract.prompt_json(prompt, "fake/model")
    assert [message["role"] for message in data["messages"]] == ["system", "user"]
    assert data["messages"][1]["content"] == prompt.messages[1].content
    assert {table["name"] for table in data["tables"]} == {"customers", "orders"}
    assert (data["tokens"], data["tokens_are"]) == (prompt.tokens, "estimated")
    assert data["unknown_mentions"] == ["nix"]
    assert {"examples", "notes", "left_out", "sections", "values_sent", "model"} < set(data)


def test_a_table_says_what_was_understood() -> None:
    table = Table(
        "orders",
        (
            Column("id", "integer", nullable=False),
            Column("status", "text", comment="where it is", values=("open", "paid")),
        ),
        schema="sales",
        primary_key=("id",),
        foreign_keys=(ForeignKey(("id",), "customers"),),
        file=Path("db.sql"),
        line=2,
    )
    data = contract.schema_json(Schema((table,)), [])
    assert data["diagnostics"] == []
    [shown] = data["tables"]
    assert (shown["name"], shown["schema"], shown["kind"]) == ("orders", "sales", "table")
    assert (shown["file"], shown["line"], shown["comment"]) == ("db.sql", 3, None)
    assert shown["columns"][1] == {
        "name": "status", "type": "text", "nullable": True, "comment": "where it is",
        "values": ["open", "paid"], "fields": [],
    }  # fmt: skip
    assert shown["foreign_keys"] == [
        {"columns": ["id"], "to_table": "customers", "to_schema": None, "to_columns": []}
    ]
