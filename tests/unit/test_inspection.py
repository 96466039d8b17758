"""Findings on a whole SQL file."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import pytest

from sqlscribe import inspection
from sqlscribe.checking.check import Checked
from sqlscribe.inspection import Inspector
from sqlscribe.notation import asks
from sqlscribe.notation.document import Document, Span
from sqlscribe.notation.findings import Finding, Severity
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


def test_one_row_speaks_for_all_that_differ_in_values_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    checked: list[str] = []

    def counted(sql: str, *arguments: Any, **named: Any) -> Checked:
        checked.append(sql)
        return original(sql, *arguments, **named)

    original = inspection.check
    monkeypatch.setattr(inspection, "check", counted)
    row = "INSERT INTO orders (order_id, total) VALUES ({0}.5, 'it''s a{0}');\n"
    check("".join(map(row.format, range(50))))
    assert len(checked) == 1
    wrong = row.replace("total", "ttal")
    texts = [row, wrong, row, wrong, row.replace("VALUES", "SELECT 1, 2; VALUES")]
    script = "".join(text.format(index) for index, text in enumerate(texts))
    check(script, *[("name/unknown-column", "ttal")] * 2)


@pytest.mark.parametrize(
    "rest",
    [
        "RETURNING ttal",
        "ON CONFLICT (order_id) DO UPDATE SET ttal = 1",
        "; SELECT ttal FROM orders",
    ],
)
def test_a_row_speaks_for_no_statement_that_does_more(rest: str) -> None:
    row = "INSERT INTO orders (order_id, total) VALUES (1, 2)"
    check(f"{row};\n{row} {rest}", ("name/unknown-column", "ttal"))


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ("", ["dialect/function"]),
        ("[dialect=mysql]", []),
        ("[dialect=oracle]", ["dialect/function"]),
        ("[dialect=mysq]", ["ask/bad-option", "dialect/function"]),
    ],
)
def test_an_answer_is_checked_in_the_dialect_of_its_question(
    options: str, expected: list[str]
) -> None:
    text = f"-- ask{options}: totals\nSELECT IFNULL(total, 0) FROM orders;\n\nSELECT 1;\n"
    script = asks.read(Document("q.sql", text), "postgres")
    assert [each.code for each in Inspector(SHOP).inspect(script)] == expected


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


class Refusing:
    """An engine that refuses every query with a given word in it, and notes what it was asked."""

    name = "Postgres"
    remark = ""

    def __init__(self, word: str) -> None:
        self.word = word
        self.asked: list[tuple[str, set[str]]] = []

    def explain(self, sql: str, *, made: Collection[str] = ()) -> tuple[Finding, ...]:
        self.asked.append((sql, set(made)))
        at = sql.find(self.word)
        if at < 0:
            return ()
        span = Span(at, at + len(self.word))
        return (Finding("engine/error", Severity.ERROR, "refused", span),)

    def close(self) -> None:
        pass


def asked(text: str, *, dialect: str = "postgres") -> Refusing:
    engine = Refusing("refused")
    inspector = Inspector(SHOP, engine=engine, dialect="postgres")
    script = asks.read(Document("q.sql", text), dialect)
    inspector.inspect(script)
    inspector.inspect(script)
    return engine


def test_the_engine_is_asked_once_about_each_query_without_an_error() -> None:
    engine = asked(
        "SELECT total FROM orders;\nSELECT ttal FROM orders;\nUPDATE orders SET total = 1;\n"
        "CREATE TEMP TABLE mine AS SELECT 1 AS a;\nSELECT a FROM mine;\n"
    )
    assert [sql for sql, _ in engine.asked] == [
        "SELECT total FROM orders",
        "UPDATE orders SET total = 1",
        "SELECT a FROM mine",
    ]
    assert engine.asked[-1][1] == {"mine"}
    assert asked("SELECT total FROM orders", dialect="mysql").asked == []


def test_what_the_engine_refuses_stands_at_its_place() -> None:
    text = "SELECT 1;\nSELECT 1 + total FROM orders;\n"
    inspector = Inspector(SHOP, engine=Refusing("1 + total"), dialect="postgres")
    found = inspector.inspect(asks.read(Document("q.sql", text), "postgres"))
    assert [(f.code, f.span.of(text)) for f in found] == [("engine/error", "1 + total")]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("{{ config(x=1) }}\nselect total, ttal from {{ ref('orders') }}", ["ttal"]),
        ("select total from {{ source('raw', 'lines') }}", []),
        ("select x from {{ ref('nothing_like_it') }}", []),
        ("select ttal from {{ some_macro() }}", []),
        ("select {% if a %} ttal {% else %} total {% endif %} from {{ ref('orders') }}", []),
        ("select {{ dbt_utils.star(ref('orders')) }}, ttal from {{ ref('orders') }}", []),
    ],
)
def test_templates_are_checked_where_their_sql_can_be_seen(text: str, expected: list[str]) -> None:
    schema = Schema((*SHOP.tables, Table("raw_lines", (Column("total"),), schema="src")))
    inspector = Inspector(schema, relations={"raw.lines": "src.raw_lines"})
    found = inspector.inspect(asks.read(Document("file:///models/m.sql", text), "postgres"))
    wrong = [f.span.of(text) for f in found if f.code == "name/unknown-column"]
    assert wrong == expected


def test_comments_and_the_configuration_switch_findings_off() -> None:
    text = (
        "SELECT ttal FROM orders; -- sqlscribe: ignore[name/unknown-column]\nSELECT x FROM orders"
    )
    script = asks.read(Document("q.sql", text), "postgres")
    assert [f.span.of(text) for f in Inspector(SHOP).inspect(script)] == ["x"]
    assert Inspector(SHOP, ignored=("name/*", "check/*")).inspect(script) == ()


def test_known_values_reach_the_checker() -> None:
    values = {("orders", "status"): ("open", "paid")}
    schema = Schema((Table("orders", (Column("status", "text"),)),))
    text = "SELECT * FROM orders WHERE status = 'opne'"
    script = asks.read(Document("q.sql", text), "postgres")
    codes = {f.code for f in Inspector(schema, values).inspect(script)}
    assert codes - {f.code for f in Inspector(schema).inspect(script)} != set()


def test_another_schema_has_only_those_checked_again_that_name_what_changed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    checked: list[str] = []

    def counted(sql: str, schema: Schema, dialect: str, **given: Any) -> Checked:
        checked.append(sql)
        return real(sql, schema, dialect, **given)

    real = inspection.check
    monkeypatch.setattr(inspection, "check", counted)
    text = (
        "SELECT total FROM orders;\nSELECT name FROM regions;\nSELECT nme FROM regions;\n"
        "CREATE TEMP TABLE big AS SELECT name FROM regions;\nSELECT name FROM big;\n"
    )
    script = asks.read(Document("q.sql", text), "postgres")
    regions = Table("regions", (Column("name"),))
    before = Inspector(Schema((*SHOP.tables, regions)))
    assert [each.span.of(text) for each in before.inspect(script)] == ["nme"]
    checked.clear()
    other = Inspector(Schema((Table("orders", (Column("order_id"),)), regions)))
    other.follow(before)
    assert [each.span.of(text) for each in other.inspect(script)] == ["total", "nme"]
    assert checked == ["SELECT total FROM orders", "SELECT nme FROM regions"]


def test_what_no_schema_said_nothing_about_is_checked_once_there_is_one() -> None:
    text = "SELECT nme FROM regions;\n"
    script = asks.read(Document("q.sql", text), "postgres")
    before = Inspector(Schema())
    assert before.inspect(script) == ()
    other = Inspector(SHOP)
    other.follow(before)
    assert [each.span.of(text) for each in other.inspect(script)] == ["regions"]
    back = Inspector(Schema())
    back.follow(other)
    assert back.inspect(script) == ()
