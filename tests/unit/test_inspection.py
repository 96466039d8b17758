"""Findings on a whole SQL file."""

from __future__ import annotations

from typing import Any

import pytest

from sqlscribe import inspection
from sqlscribe.checking.check import Checked
from sqlscribe.inspection import Inspector
from sqlscribe.notation import asks
from sqlscribe.notation.document import Document
from sqlscribe.schema.model import Column, Schema, Table

SHOP = Schema((Table("orders", (Column("order_id"), Column("total"))),))


def check(text: str, *expected: tuple[str, str]) -> None:
    """Each expected finding is its code and the text it stands on."""
    script = asks.read(Document("q.sql", text), "postgres")
    found = Inspector(SHOP).inspect(script)
    assert [(finding.code, finding.span.of(text)) for finding in found] == list(expected)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("SELECT total FROM orders;\n", []),
        ("", []),
        ("SELECT ttal FROM orders;\nSELECT x FROM orders;\n", ["ttal", "x"]),
        ("-- 订单 😀\r\nSELECT ttal FROM orders", ["ttal"]),
        ("(SELECT ttal FROM orders)", ["ttal"]),
        ("UPDATE orders SET ttal = 1 WHERE total > 1", ["ttal"]),
        ("WITH a AS (SELECT ttal FROM orders) SELECT * FROM a", ["ttal"]),
        ("GRANT SELECT ON nothing TO nobody; VACUUM ttal;", []),
        ("EXPLAIN SELECT ttal FROM orders", ["ttal"]),
        ("CREATE VIEW v AS SELECT ttal FROM orders;", ["ttal"]),
        ("COPY (SELECT ttal FROM orders) TO STDOUT", ["ttal"]),
        ("CREATE FUNCTION f() RETURNS int AS $$ SELECT ttal FROM orders $$ LANGUAGE sql", ["ttal"]),
    ],
)
def test_names_of_every_query_are_checked_at_their_place(text: str, expected: list[str]) -> None:
    check(text, *(("name/unknown-column", name) for name in expected))


def test_tables_that_the_script_makes_are_known_from_there_on() -> None:
    made = "CREATE TEMP TABLE big AS SELECT total FROM orders;\n"
    check(f"{made}SELECT * FROM big;\n")
    check(f"SELECT * FROM big;\n{made}", ("name/unknown-table", "big"))


def test_questions_and_options_have_findings_of_their_own() -> None:
    check("-- ask[modl=x]: names\n", ("ask/unknown-option", "modl"))
    check("-- dialect: postgrs\n\nSELECT 1;\n", ("ask/bad-option", "postgrs"))


def test_a_mention_that_is_unknown_is_found_once_though_a_refinement_repeats_it() -> None:
    text = "-- ask: totals @ordrs @orders.total\nSELECT total FROM orders;\n-- refine: by day\n"
    check(text, ("ask/unknown-table", "@ordrs"))


def test_without_a_schema_no_name_is_called_unknown() -> None:
    script = asks.read(Document("q.sql", "-- ask: x @nix\nSELECT a FROM b;\n"), "postgres")
    assert Inspector(Schema()).inspect(script) == ()


def test_the_files_own_dialect_counts() -> None:
    text = "-- dialect: tsql\n\nSELECT TOP 5 total FROM orders;\n"
    check(text)
    check(text.partition("\n")[2], ("dialect/top", "SELECT TOP"))


def test_a_statement_is_checked_once_however_often_it_stands_there(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    checked: list[str] = []

    def count(sql: str, *_: object, **__: object) -> Checked:
        checked.append(sql)
        return Checked()

    monkeypatch.setattr(inspection, "check", count)
    monkeypatch.setattr(inspection, "_KEPT", 2)
    inspector = Inspector(SHOP)
    for numbers in ((1, 1), (1, 2), (3, 1), (4, 5), (2,)):
        text = ";".join(f"SELECT {number}" for number in numbers)
        inspector.inspect(asks.read(Document("q.sql", text), ""))
    # What is kept is bounded: the first one was still in use when the third made room.
    assert checked == [f"SELECT {number}" for number in (1, 2, 3, 4, 5, 2)]


def test_a_script_of_sql_server_is_not_judged_by_another_dialect() -> None:
    text = "SELECT ttal FROM orders\nGO\nSELECT [x] FROM orders\nGO\n"
    check(text, ("check/not-checked", ""))
    whole = f"-- dialect: tsql\n\n{text}"
    found = Inspector(SHOP).inspect(asks.read(Document("q.sql", whole), "postgres"))
    assert [finding.span.of(whole) for finding in found] == ["ttal", "[x]"]


def test_an_edit_has_only_that_checked_again_which_depends_on_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    checked: list[str] = []
    real = inspection.check

    def noting(sql: str, *arguments: Any, **named: Any) -> Checked:
        checked.append(sql)
        return real(sql, *arguments, **named)

    monkeypatch.setattr(inspection, "check", noting)
    inspector = Inspector(SHOP)
    text = (
        "CREATE TEMP TABLE big AS SELECT total FROM orders WHERE total > 1;"
        "SELECT total FROM big;SELECT order_id FROM orders"
    )
    inspector.inspect(asks.read(Document("q.sql", text), "postgres"))
    checked.clear()
    for edited in (text.replace("order_id", "total"), text.replace("> 1", "> 2")):
        inspector.inspect(asks.read(Document("q.sql", edited), "postgres"))
    assert checked == [
        "SELECT total FROM orders",
        "CREATE TEMP TABLE big AS SELECT total FROM orders WHERE total > 2",
        "SELECT total FROM big",
    ]


def test_variables_that_a_script_declares_are_no_unknown_columns() -> None:
    text = (
        "DECLARE since, until DATE DEFAULT '2024-01-01';\n"
        "SELECT full_name FROM customers WHERE city > since;\n"
    )
    script = asks.read(Document("q.sql", text), "bigquery")
    schema = Schema(
        (Table("customers", (Column("full_name", "STRING"), Column("city", "STRING"))),)
    )
    assert Inspector(schema).inspect(script) == ()
    without = asks.read(Document("q.sql", text.partition("\n")[2]), "bigquery")
    assert [finding.code for finding in Inspector(schema).inspect(without)] == [
        "name/unknown-column"
    ]
