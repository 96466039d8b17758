"""Cells in their order, and what is told of SQL that other texts stand around."""

from __future__ import annotations

import pytest

from sqlscribe.inspection import Inspector
from sqlscribe.notation import asks
from sqlscribe.notation.document import Document
from sqlscribe.notation.embedded import embedded
from sqlscribe.notebooks import Around, Notebooks
from sqlscribe.schema.model import Column, Schema, Table

SHOP = Schema((Table("orders", (Column("order_id"), Column("total"))),))


def found(document: Document, around: Around | None = None, dialect: str = "postgres") -> list[str]:
    """The texts on which something is found."""
    script = asks.read(document, dialect)
    findings = Inspector(SHOP).inspect(script, around or Around())
    return [finding.span.of(document.text) for finding in findings]


def markdown(sql: str, info: str = "sql") -> Document:
    return embedded(Document("file:///a.md", f"# A\n```{info}\n{sql}\n```\n"), "markdown")


def cell(text: str) -> Document:
    return embedded(Document("vscode-notebook-cell:/w.ipynb#W", text), "python", is_cell=True)


def test_cells_keep_their_order() -> None:
    books = Notebooks()
    books.open("w", ["a", "b", "c"])
    books.open("v", ["x"])
    books.splice("w", 1, 1, ["d", "e"])
    assert books.cells_around("d") == ("a", "d", "e", "c")
    assert (books.notebook_of("x"), books.notebook_of("b")) == ("v", None)
    books.close("w")
    assert books.cells_around("d") == ()


@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        ("SELECT totl FROM orders", ["totl"]),
        ("SELECT a FROM ordrs", ["ordrs"]),
        ("SELECT nothing FROM orders", ["nothing"]),
        # It may be another database that is told of, unless it answers a question.
        ("SELECT a FROM invoices", []),
        ("-- ask: x\nSELECT a FROM invoices", ["invoices"]),
        ("SELECT … FROM ordrs", []),
        ("SELECT a FROM <table>", []),
        # Each block is read for itself, with the tables that those above have made.
        ("SELECT 'x\n```\n```sql\nSELECT totl FROM orders", ["'x", "totl"]),
        ("CREATE TABLE big (a int);\n```\n```sql\nSELECT b FROM big", ["b"]),
    ],
)
def test_what_is_told_of_a_text(sql: str, expected: list[str]) -> None:
    assert [each.strip() for each in found(markdown(sql))] == [each.strip() for each in expected]


@pytest.mark.parametrize(
    ("info", "dialect", "expected"),
    [
        ("{sql, connection=con}", "postgres", ["invoices"]),
        ("mysql", "postgres", []),
        ("mysql", "mysql", ["b"]),
    ],
)
def test_what_a_block_is_called_counts(info: str, dialect: str, expected: list[str]) -> None:
    sql = "SELECT a FROM invoices" if info.startswith("{") else "SELECT b FROM orders"
    assert found(markdown(sql, info), dialect=dialect) == expected


@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        ("SELECT totl FROM orders", ["totl"]),
        ("SELECT a FROM invoices", ["invoices"]),
        ("SELECT a FROM frame", []),
        ("SELECT totl FROM orders WHERE order_id = {number}", []),
        ("SELECT totl FROM orders WHERE order_id = $number", []),
        ("SELECT totl FROM orders WHERE order_id = {{number}}", ["totl"]),
    ],
)
def test_what_is_told_of_a_cell(sql: str, expected: list[str]) -> None:
    around = Around(others=("frame = read()",))
    assert found(cell(f"%%sql\n{sql}"), around) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("%%bigquery\nSELECT totl FROM orders", []),
        ("%%bigquery\n-- ask: totals\nSELECT totl FROM orders", ["totl"]),
        ("%%sql sqlite:///a.db\nSELECT totl FROM orders", []),
        ("%%sql postgresql://x/y\nSELECT totl FROM orders", ["totl"]),
        ("x = %sql SELECT totl FROM orders\n%sql SELECT a FROM invoices", ["totl", "invoices"]),
        ("frame = read()\n%sql SELECT a FROM frame", []),
        ("%sql SELECT totl FROM orders WHERE total = {number}", []),
    ],
)
def test_what_is_told_by_the_magic_of_a_cell(text: str, expected: list[str]) -> None:
    assert found(cell(text)) == expected


def test_tables_of_cells_above_are_known_with_their_columns() -> None:
    above = asks.read(cell("%%sql\nCREATE TEMP TABLE big AS SELECT total FROM orders"), "postgres")
    around = Around((above,), (above.document.host.text,))
    assert found(cell("%%sql\nSELECT total, totl FROM big"), around) == ["totl"]
    assert found(cell("%%sql\nDROP TABLE big;\nSELECT totl FROM orders"), around) == ["totl"]
