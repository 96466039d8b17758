"""Names in dbt's YAML that the project does not have."""

from __future__ import annotations

import pytest

from sqlscribe.knowledge.located_yaml import read_yaml
from sqlscribe.notation.document import Document
from sqlscribe.schema.dbt.named import names_in, unknown_names
from sqlscribe.schema.model import Column, Schema, Table

SCHEMA = Schema(
    (
        Table("orders", (Column("order_id"), Column("total"))),
        Table("sketch", (Column("a"),), partly_understood=True),
    )
)
MODELS = {"orders", "sketch"}
KEYS = {*MODELS, "countries", "raw.orders"}
TABLES = {"orders": "orders", "sketch": "sketch"}


def check(text: str, *expected: str) -> None:
    """Each finding as its code, without its subject, and the text that it marks."""
    document = Document("file:///m.yml", text)
    named = names_in(read_yaml(document).roots)
    found = [
        f"{each.code.removeprefix('dbt/')}: {each.span.of(text)}"
        for each in unknown_names(named, MODELS, KEYS, TABLES, SCHEMA)
    ]
    assert found == list(expected)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("models:\n- name: orders\n  columns: [{name: total}, {name: ORDER_ID}]\n", []),
        ("models:\n- name: ordrs\n", ["unknown-model: ordrs"]),
        ("models:\n- {name: far_away, columns: [{name: x}]}\n", ["unknown-model: far_away"]),
        ("models:\n- {name: orders, columns: [{name: totl}]}\n", ["unknown-column: totl"]),
        ("models:\n- {name: orders, columns: [{name: '\"total\"'}]}\n", []),
        ("models:\n- {name: sketch, columns: [{name: b}]}\n", []),
        ("models:\n- {name: dim, versions: [{v: 1}], columns: [{name: x}]}\n", []),
        ("seeds:\n- {name: countries, columns: [{name: x}]}\n", []),
        ("models:\n- columns: [{name: x}]\n- 5\n- {name: ''}\n", []),
        ("models: 7\nseeds: [a, b]\n", []),
        ("other: {models: [{name: x}]}\n", []),
    ],
)
def test_models_and_columns(text: str, expected: list[str]) -> None:
    check(text, *expected)


@pytest.mark.parametrize(
    ("to", "expected"),
    [
        ("ref('orders')", []),
        ("ref('ordrs')", ["unknown-model: ref('ordrs')"]),
        ("source('raw', 'ordrs')", []),
        # Of packages that are not here nothing is known.
        ("ref('stripe_charges')", []),
        ("ref('shop', 'ordrs')", []),
        ("ref('ordrs', v=2)", []),
    ],
)
def test_references_of_tests(to: str, expected: list[str]) -> None:
    check(
        "models:\n- name: orders\n  columns:\n  - name: total\n    tests:\n"
        f"    - relationships:\n        to: {to}\n        field: a\n",
        *expected,
    )


def test_a_slip_has_a_fix() -> None:
    text = "models:\n- name: 'ordrs'\n"
    document = Document("file:///m.yml", text)
    named = names_in(read_yaml(document).roots)
    [finding] = unknown_names(named, MODELS, KEYS, TABLES, SCHEMA)
    [fix] = finding.fixes
    assert document.changed(list(fix.edits)).text == "models:\n- name: 'orders'\n"
