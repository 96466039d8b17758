"""Templates of SQL made plain in place."""

from __future__ import annotations

import pytest
import sqlglot
from hypothesis import given, settings
from hypothesis import strategies as st

from sqlscribe.notation.jinja_sql import Neutral, is_switched_off, is_templated, neutral


def check(template: str, expected: str, *, complete: bool = True, **options: object) -> Neutral:
    """``expected`` is the result with runs of blanks made one."""
    found = neutral(template, "postgres", **options)  # type: ignore[arg-type]
    assert len(found.text) == len(template)
    assert " ".join(found.text.split()).replace(" )", ")") == expected
    assert found.complete is complete
    return found


@pytest.mark.parametrize(
    ("template", "expected"),
    [
        ("select * from {{ ref('orders') }} o", "select * from orders o"),
        ('select * from {{ref("shop", "orders")}}', "select * from orders"),
        ("select * from {{ ref('orders', v=2) }}", "select * from orders"),
        ("select * from {{- ref('orders') -}}", "select * from orders"),
        ("select * from {{ source('raw', 'orders') }}", "select * from raw.orders"),
        ("select * from {{ ref('2024 orders') }}", 'select * from "2024 orders"'),
        ("select max(id) from {{ this }}", "select max(id) from daily"),
        ("{% set o = ref('orders') %}select * from {{ o }}", "select * from orders"),
        ("{% set n = 'total' %}select {{ n }} from t", "select total from t"),
    ],
)
def test_calls_become_the_names_of_tables(template: str, expected: str) -> None:
    check(template, expected, this="daily")


def test_relations_say_what_a_table_is_called() -> None:
    relations = {"orders": "sales.orders", "raw.orders": "landing.orders_2024"}
    template = "select * from {{ ref('orders') }} join {{ source('raw', 'orders') }}"
    expected = "select * from sales.orders join landing.orders_2024"
    check(template, expected, relations=relations)


def test_a_name_that_does_not_fit_leaves_the_template_open() -> None:
    long = {"a": "warehouse.of_the_north.a_table_with_a_long_name"}
    check("from {{ ref('a') }}", "from xxxxxxxxxxxxxx", complete=False, relations=long)


def test_references_know_their_places() -> None:
    template = "{% set s = source('raw', 'items') %}from {{ ref('p', 'orders', version=3) }}"
    found = neutral(template)
    assert [(each.kind, each.key, each.span.of(template)) for each in found.references] == [
        ("source", "raw.items", "items"),
        ("ref", "orders.v3", "orders"),
    ]


@pytest.mark.parametrize(
    ("template", "expected"),
    [
        ("{{ config(meta={'a': {'b': 1}}) }}\nselect 1", "select 1"),
        ("select 1 {# {{ ref('a') }} %} #}", "select 1"),
        ("{% macro m(a) %}select {{ a }}{% endmacro %}select 1", "select 1"),
        ("{% raw %}select '{{ x }}'{% endraw %}", "select '{{ x }}'"),
        ("select 1{% if is_incremental() %} where a > 1{% endif %}", "select 1 where a > 1"),
        ("{% call statement('s') %}select 2{% endcall %}select 1", "select 1"),
        ("{% for d in days %}, f('{{ d }}'){% endfor %}", ", f('xxxxxxx')"),
        ("{% for d in ds %}a{% if not loop.last %},{% endif %}{% endfor %} b", "a b"),
        ("{% snapshot s %}select 1{% endsnapshot %}", "select 1"),
    ],
)
def test_tags_become_blanks(template: str, expected: str) -> None:
    check(template, expected)


def test_the_first_branch_stands_for_all_and_leaves_the_template_open() -> None:
    check("select {% if a %}b{% elif c %}d{% else %}e{% endif %}", "select b", complete=False)


@pytest.mark.parametrize(
    ("template", "expected"),
    [
        ("where a >= {{ var('start') }}", "where a >= ?"),
        ("where {{ condition }} and a = 1", "where ? and a = 1"),
        ("select coalesce(a, {{ b }}) from t", "select coalesce(a, ?) from t"),
        ("where a in ({{ ids }})", "where a in (?)"),
        ("select {{ cents('a') }} as b", "select ? as b"),
        ("select a * {{ rate }}", "select a * ?"),
        ("limit {{ n }}", "limit ?"),
        ("limit {{ 10 }}", "limit 10"),
        ("select cast(a as {{ dbt.type_string() }})", "select cast(a as text)"),
        ("select a::{{ dbt.type_int() }}", "select a::text"),
        ("where a = '{{ x }}'", "where a = 'xxxxxxx'"),
        ("select 1 -- {{ x }}", "select 1 --"),
        ("from t {{ dbt_utils.group_by(2) }}", "from t"),
    ],
)
def test_a_value_gets_a_stand_in(template: str, expected: str) -> None:
    check(template, expected)


@pytest.mark.parametrize(
    ("template", "expected"),
    [
        ("select {{ star() }} from t", "select ? from t"),
        ("select * from {{ table }}", "select * from xxxxxxxxxxx"),
        ("select {{ a }}.id", "select xxxxxxx.id"),
        ("select sum(a) as {{ m }}_total", "select sum(a) as xxxxxxx_total"),
        ('select * from "{{ db }}".t', 'select * from "xxxxxxxx".t'),
        ("with {{ n }} as (select 1)", "with xxxxxxx as (select 1)"),
        ("{{ union_of_all() }}", ""),
        ("select 1 from a {{ joins }}", "select 1 from a"),
        ("{% include 'x' %}select 1", "select 1"),
        ("{% if a %}select 1", "select 1"),
        ("{% endif %}select 1", "select 1"),
        ("select 1 {{ never", "select 1"),
    ],
)
def test_what_may_hold_names_leaves_the_template_open(template: str, expected: str) -> None:
    check(template, expected, complete=False)


def test_stand_ins_are_marked() -> None:
    template = "select '{{ x }}', {{ ref('a') }}.b, 1 + {{ y }}"
    assert [span.of(template) for span in neutral(template).filled] == ["{{ x }}", "{{ y }}"]


def test_line_ends_stay_where_they_are() -> None:
    template = "select\r\n{{ config(\n a=1) }} 1\r{# a\nb #}"
    found = neutral(template)
    assert [i for i, c in enumerate(found.text) if c in "\r\n"] == [
        i for i, c in enumerate(template) if c in "\r\n"
    ]


@pytest.mark.parametrize("dialect", ["", "postgres", "mysql", "bigquery", "snowflake", "tsql"])
def test_stand_ins_for_values_parse_in_every_dialect(dialect: str) -> None:
    template = (
        "select {{ a() }} as b, cast({{ c }} as int) from {{ ref('t') }}"
        " where d between {{ e }} and {{ f }} and g in ({{ h }}) group by {{ i }}"
    )
    found = neutral(template, dialect)
    assert found.complete
    assert sqlglot.parse_one(found.text, read=dialect or None)


@pytest.mark.parametrize(
    ("text", "expected"),
    [("select 1", False), ("{{ a }}", True), ("{% a %}", True), ("{# a #}", True), ("{a}", False)],
)
def test_templates_are_told_from_plain_sql(text: str, expected: bool) -> None:
    assert is_templated(text) is expected


@settings(max_examples=100, deadline=None)
@given(st.lists(st.sampled_from(
    ["{{", "}}", "{%", "%}", "{#", "#}", "{", "}", "'", '"', " if a ", " endif ", " else ", "raw",
     " endraw ", "ref('a')", "(", ")", "\n", "\r", "select ", "x", " for i in j ", "\0", "\ud800"]
), max_size=30).map("".join))  # fmt: skip
def test_any_text_keeps_its_length_and_lines(text: str) -> None:
    found = neutral(text, "postgres")
    assert len(found.text) == len(text)
    assert found.text.count("\n") == text.count("\n")
    assert all(span.end <= len(text) for span in found.filled)


@pytest.mark.parametrize(
    ("template", "off"),
    [
        ("{{ config(enabled=false) }} select 1", True),
        ("{{- config( materialized='view',\n enabled = False ) -}} select 1", True),
        ("{{ config(enabled=true) }} select 1", False),
        ("{{ config(enabled=var('x', false)) }} select 1", False),
        ("{{ config(re_enabled=false) }} select 1", False),
        ("select 1 -- config(enabled=false)", False),
    ],
)
def test_a_template_that_is_switched_off_is_not_judged(template: str, off: bool) -> None:
    assert is_switched_off(template) is off
    assert neutral(template).complete is not off
