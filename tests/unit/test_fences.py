"""SQL in fenced blocks of rules, notes and templates."""

from __future__ import annotations

from pathlib import Path

import pytest

from sqlscribe.files import Text
from sqlscribe.loading.fences import Fences, fenced_sql
from sqlscribe.notation.document import Document
from sqlscribe.schema.model import Column, Schema, Table

SCHEMA = Schema((Table("orders", (Column("order_id"), Column("total"))),))
FILE = Path("/rules.md")


def text_of(text: str) -> Text:
    return Text(Document("file:///rules.md", text))


def fence(sql: str) -> Text:
    return text_of(f"# Sums\n\n```sql\n{sql}\n```\n")


@pytest.mark.parametrize(
    ("text", "blocks"),
    [
        ("```sql\nSELECT 1\n```\n", ["SELECT 1\n"]),
        ("```SQL title\r\nSELECT 1\r\n```", ["SELECT 1\r\n"]),
        ("~~~~ postgresql\n```\n~~~~\n", ["```\n"]),
        ("```\nSELECT 1\n```\n```sql\nSELECT 2\n```\n", ["SELECT 2\n"]),
        ("```python\n```\n```sql\nSELECT 1", []),
        ("```sql\n```\n", []),
        ("", []),
        ("```" * 10_000, []),
    ],
)
def test_blocks_that_say_they_are_sql(text: str, blocks: list[str]) -> None:
    document = Document("", text)
    assert [span.of(text) for span in fenced_sql(document)] == blocks


@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        ("SELECT sum(total) FROM orders", []),
        ("SELECT sum(totl) FROM orders", ["totl"]),
        ("SELECT 1 FROM ordrs", ["ordrs"]),
        # It may be another database that is told of.
        ("SELECT 1 FROM invoices", []),
        ("SELECT … FROM ordrs", []),
        ("SELECT {{ column }} FROM ordrs", []),
        ("SELECT FROM WHERE", []),
    ],
)
def test_only_a_slip_is_told_in_rules_and_notes(sql: str, expected: list[str]) -> None:
    text = fence(sql)
    found = Fences().names(FILE, text, SCHEMA, "postgres")
    assert [each.span.of(text.document.text) for each in found] == expected


@pytest.mark.parametrize(
    ("dialect", "expected"), [("postgres", ["dialect/top"]), ("tsql", []), ("", [])]
)
def test_a_template_may_not_show_another_engines_words(dialect: str, expected: list[str]) -> None:
    found = Fences().dialect(FILE, fence("SELECT TOP 3 total FROM orders"), dialect)
    assert [each.code for each in found] == expected


def test_what_did_not_change_is_not_checked_again(monkeypatch: pytest.MonkeyPatch) -> None:
    from sqlscribe.loading import fences

    checked: list[str] = []
    check = fences.check

    def counted(sql: str, *given: object) -> object:
        checked.append(sql)
        return check(sql, *given)  # type: ignore[arg-type]

    monkeypatch.setattr(fences, "check", counted)
    kept = Fences()
    for schema in (SCHEMA, SCHEMA, Schema(SCHEMA.tables)):
        kept.names(FILE, fence("SELECT totl FROM orders"), schema, "postgres")
    assert len(checked) == 2
    kept.forget({FILE})
    kept.names(FILE, fence("SELECT totl FROM orders"), schema, "postgres")
    assert len(checked) == 2
    kept.forget(())
    kept.names(FILE, fence("SELECT totl FROM orders"), schema, "postgres")
    assert len(checked) == 3
