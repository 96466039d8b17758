"""Forms of dbt's properties, and what is said about those that cannot be used."""

from __future__ import annotations

from pathlib import Path

import pytest

from sqlscribe.notation.document import Document
from sqlscribe.schema import dbt
from sqlscribe.schema.dbt.facts import DbtPart, Link
from sqlscribe.schema.model import Column

FILE = Path("/shop/models/shop.yml")


def read(text: str) -> DbtPart:
    return dbt.read_properties(Document("", text), FILE)


def column_with(test: str) -> Column:
    text = f"models:\n- name: m\n  columns:\n  - name: c\n    tests:\n    - {test}\n"
    [relation] = read(text).relations
    return relation.table.columns[0]


@pytest.mark.parametrize(
    "test",
    [
        "accepted_values: {values: [a, b]}",
        "accepted_values: {arguments: {values: [a, b]}, config: {severity: warn}}",
        "{name: kinds, test_name: accepted_values, values: [a, b]}",
        "dbt_expectations.expect_column_values_to_be_in_set: {value_set: [a, b]}",
    ],
)
def test_accepted_values_are_the_values_of_a_column(test: str) -> None:
    assert column_with(test).values == ("a", "b")


@pytest.mark.parametrize(
    "test",
    [
        "accepted_values: {values: [a, b], where: x}",
        "accepted_values: {values: [a, b], config: {where: x}}",
        "accepted_values: {values: [a, b], config: {enabled: false}}",
        "accepted_values:",
        "some_package.other: {values: [a, b]}",
        "[]",
    ],
)
def test_tests_of_some_rows_only_say_nothing(test: str) -> None:
    assert column_with(test).values == ()


@pytest.mark.parametrize(
    ("test", "link"),
    [
        ("relationships: {to: ref('n'), field: id}", Link(("c",), "n", ("id",))),
        ("relationships: {arguments: {to: \"source('s', 'n')\", field: id}}",
         Link(("c",), "s.n", ("id",))),
        ("dbt_utils.relationships_where: {to: ref('n'), field: id, where: x}",
         Link(("c",), "n", ("id",))),
    ],
)  # fmt: skip
def test_relationships_are_links(test: str, link: Link) -> None:
    text = f"seeds:\n- name: m\n  columns:\n  - name: c\n    data_tests:\n    - {test}\n"
    assert read(text).relations[0].links == (link,)


def test_tests_of_a_whole_table_name_their_columns() -> None:
    text = """
models:
- name: m
  columns: [{name: a, tests: [not_null]}, {name: b, tests: [not_null]}]
  tests:
  - dbt_utils.unique_combination_of_columns: {combination_of_columns: [a, b]}
  - unique: {column_name: "a || b"}
"""
    [relation] = read(text).relations
    assert relation.table.primary_key == ("a", "b")
    assert relation.table.unique == ()


def test_what_is_switched_off_is_left_out() -> None:
    assert read("models: [{name: m, config: {enabled: false}}]").relations == ()


def test_a_schema_that_a_variable_names_is_not_known() -> None:
    text = "sources: [{name: s, schema: \"{{ var('x') }}\", tables: [{name: t}]}]"
    [relation] = read(text).relations
    assert (relation.key, relation.table.qualified_name) == ("s.t", "t")


def test_a_block_of_text_may_name_a_schema() -> None:
    text = """
sources:
  - name: s
    database: ' lake '
    schema: |
      raw
    tables: [{name: t}]
"""
    [relation] = read(text).relations
    assert relation.table.qualified_name == "lake.raw.t"


@pytest.mark.parametrize(
    ("text", "findings"),
    [
        ("", []),
        ("models: {a: 1}", ["bad-value: {a: 1}"]),
        ("models: [{description: a}]", ["bad-value: {description: a}"]),
        ("models: [{name: a, columns: [b]}]", ["bad-value: b"]),
        ("models: [{name: a, columns: [{name: b}, {name: b}]}]", ["duplicate: b"]),
        ("models: [{name: a}, {name: a}]", ["duplicate: a"]),
        ("models: [{name: a", ["syntax: {name: a"]),
        ("models:\nsources:\n", []),
        ("models: [{name: a, tests: x, constraints: [y], versions: [1, {v: 1}]}]", []),
    ],
)
def test_what_cannot_be_used_is_said_at_its_place(text: str, findings: list[str]) -> None:
    said = read(text).findings
    assert [f"{f.code.removeprefix('dbt/')}: {f.span.of(text)}" for f in said] == findings


def test_a_project_says_what_its_folders_hold() -> None:
    text = "name: shop\nmodel-paths: [transform]\nseed-paths: ['./data/']\ntarget-path: out\n"
    project = dbt.read_project(Document("", text))
    assert project is not None
    assert project.name == "shop"
    kinds = {
        "transform/a.sql": "model",
        "data/a.csv": "seed",
        "macros/a.sql": "macro",
        "snapshots/a.sql": "snapshot",
        "out/run/a.sql": "target",
        "models/a.sql": "",
    }
    assert {name: project.kind_of(name) for name in kinds} == kinds


def test_what_is_no_project_is_none() -> None:
    assert dbt.read_project(Document("", "- a")) is None
