"""The tables of dbt projects, from all that such a project holds."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from sqlscribe.notation.document import Document
from sqlscribe.schema import dbt, ddl
from sqlscribe.schema.model import Schema, Table

ROOT = Path("/shop")

PROPERTIES = """\
version: 2
sources:
  - name: raw
    schema: landing
    tables:
      - name: orders
        identifier: orders_raw
        description: One row per order.
models:
  - name: orders
    description: Orders, {{ doc('grain') }}
    columns:
      - name: order_id
        tests: [unique, not_null]
      - name: status
        description: Where it stands.
        data_tests:
          - accepted_values:
              arguments: {values: [placed, shipped, NO]}
      - name: customer_id
        tests:
          - relationships: {to: ref('customers'), field: customer_id}
"""


def project(files: Mapping[str, str], scripts: Mapping[str, str] | None = None) -> Schema:
    """The schema of a project whose files are read by their names."""
    parts = []
    for order in (".yml", ".md", "manifest.json", "catalog.json", ".csv"):
        for name, text in files.items():
            if name.endswith(order):
                parts.append(_part(Document("", text), ROOT / name))
    relations = dbt.combined(parts)
    names = dbt.names_in_sql(relations, "postgres")
    models = [
        dbt.read_models(Document("", text), ROOT / name, "postgres", names)
        for name, text in files.items()
        if name.endswith((".sql", ".py"))
    ]
    read = [
        ddl.read(Document("", text), ROOT / name, "postgres")
        for name, text in (scripts or {}).items()
    ]
    result = dbt.replayed(read, relations, models)
    assert not result.findings
    return result.schema


def _part(document: Document, path: Path) -> dbt.DbtPart:
    if path.suffix == ".md":
        return dbt.read_docs(document.text)
    read = {"manifest.json": dbt.read_manifest, "catalog.json": dbt.read_catalog}
    by_suffix = {".yml": dbt.read_properties, ".csv": dbt.read_seed}
    return (read.get(path.name) or by_suffix[path.suffix])(document, path)


def only(schema: Schema, name: str) -> Table:
    [table] = schema.named(name)
    return table


def columns(table: Table) -> str:
    """Names in order, with ``…`` where there may be more."""
    more = ["…"] if table.partly_understood else []
    return " ".join([*(column.name for column in table.columns), *more])


def test_properties_describe_tables_whose_columns_may_be_incomplete() -> None:
    files = {
        "models/shop.yml": PROPERTIES,
        "docs.md": "{% docs grain %} one per sale {% enddocs %}",
    }
    schema = project(files)
    table = only(schema, "orders")
    status = table.column("status")
    assert status is not None
    assert columns(table) == "order_id status customer_id …"
    assert table.comment == "Orders, one per sale"
    assert (status.values, status.comment) == (("placed", "shipped", "NO"), "Where it stands.")
    assert table.primary_key == ("order_id",)
    [key] = table.foreign_keys
    assert (key.columns, key.to_table, key.to_columns) == (
        ("customer_id",), "customers", ("customer_id",)
    )  # fmt: skip
    assert (table.file, table.line) == (ROOT / "models/shop.yml", 9)
    assert only(schema, "orders_raw").schema == "landing"


def test_a_model_has_the_columns_of_its_query() -> None:
    files = {
        "models/shop.yml": PROPERTIES,
        "seeds/customers.csv": "customer_id,full_name\n1,Ann\n",
        "models/orders.sql": (
            "{{ config(materialized='table') }}\n"
            "with source as (select * from {{ ref('stage') }})\n"
            "select order_id, source.status, {{ cents('amount') }} as total, c.*\n"
            "from source join {{ ref('customers') }} c on {{ same }}"
        ),
        "models/stage.sql": "select 1 as order_id, 'x' as status, 2 as amount",
    }
    schema = project(files)
    orders = only(schema, "orders")
    assert columns(orders) == "order_id status total customer_id full_name"
    assert orders.column("status").values == ("placed", "shipped", "NO")  # type: ignore[union-attr]
    assert (orders.kind, orders.file, orders.line) == ("table", ROOT / "models/orders.sql", 0)
    assert only(schema, "stage").kind == "view"


@pytest.mark.parametrize(
    "query",
    [
        "select order_id, {{ star() }} from {{ ref('stage') }}",
        "select order_id from t {{ join_more() }}",
        "select order_id, {% for m in ms %}sum(a) as {{ m }}_total{% endfor %} from t",
        "select order_id, * from {{ ref('unknown') }}",
    ],
)
def test_a_query_that_may_give_more_leaves_its_table_open(query: str) -> None:
    table = only(project({"models/totals.sql": query}), "totals")
    assert columns(table) == "order_id …"


def test_a_snapshot_has_its_own_columns_too() -> None:
    text = "{% snapshot orders_history %}\nselect id from {{ ref('o') }}\n{% endsnapshot %}"
    table = only(project({"snapshots/any.sql": text}), "orders_history")
    assert columns(table) == "id dbt_scd_id dbt_updated_at dbt_valid_from dbt_valid_to"


def test_a_contract_is_complete() -> None:
    text = """
models:
  - name: orders
    config: {contract: {enforced: true}, materialized: table, alias: sales_orders}
    constraints:
      - {type: primary_key, columns: [id]}
      - {type: foreign_key, columns: [buyer], to: ref('buyers'), to_columns: [id]}
    columns:
      - {name: id, data_type: bigint}
      - name: buyer
        data_type: bigint
        constraints: [{type: not_null}, {type: foreign_key, expression: "shop.people (key)"}]
"""
    table = only(project({"a.yml": text, "orders.sql": "select 1 as id"}), "sales_orders")
    assert columns(table) == "id buyer"
    assert table.primary_key == ("id",)
    assert [column.nullable for column in table.columns] == [False, False]
    assert {key.to_table for key in table.foreign_keys} == {"buyers"} or len(
        table.foreign_keys
    ) == 2


def test_a_model_with_an_alias_is_referred_to_by_its_name() -> None:
    files = {
        "a.yml": "models:\n- {name: orders, config: {alias: sales}, columns: [{name: id}]}",
        "models/orders.sql": "{{ config(alias='sales') }} select 1 as id",
        "models/top.sql": "select * from {{ ref('orders') }}",
    }
    assert columns(only(project(files), "top")) == "id"


def test_versions_share_columns() -> None:
    text = """
models:
  - name: orders
    latest_version: 2
    columns: [{name: id, data_type: int}, {name: old, data_type: int}]
    versions:
      - v: 1
      - v: 2
        columns: [{include: all, exclude: [old]}, {name: new}]
"""
    schema = project({"a.yml": text})
    assert columns(only(schema, "orders_v1")) == "id old …"
    assert columns(only(schema, "orders_v2")) == "id new …"


def test_the_latest_version_is_meant_by_a_plain_reference() -> None:
    versions = "[{v: 1, defined_in: orders_old}, {v: 2}, {v: 10, deprecated: no}]"
    files = {
        "models/shop.yml": f"models: [{{name: orders, versions: {versions}}}]\n",
        "models/orders_old.sql": "select 1 as old_one",
        "models/orders_v2.sql": "select 1 as second",
        "models/orders_v10.sql": "select 1 as newest",
        "models/totals.sql": "select * from {{ ref('orders') }}",
        "models/before.sql": "select * from {{ ref('orders', v=1) }}",
    }
    schema = project(files)
    found = {table.name: columns(table) for table in schema.tables}
    assert found == {
        "orders_v1": "old_one",
        "orders_v2": "second",
        "orders_v10": "newest",
        "totals": "newest",
        "before": "old_one",
    }
    files["models/shop.yml"] = files["models/shop.yml"].replace(
        "name: orders,", "name: orders, latest_version: 2,"
    )
    assert columns(only(project(files), "totals")) == "second"


@pytest.mark.parametrize(
    ("name", "text", "found"),
    [
        ("scores.py", "def model(dbt, session):\n    return dbt.ref('a')\n", {"scores": "…"}),
        (
            "scores.py",
            "def model(dbt, session):\n    dbt.config(alias='ranks', x=1)\n",
            {"ranks": "…"},
        ),
        ("helpers.py", "def other():\n    pass\n", {}),
        ("old.sql", "{{ config(materialized='view', enabled = false) }} select 1 as a", {}),
        ("new.sql", "{{ config(enabled=true) }} select 1 as a", {"new": "a"}),
        ("new.sql", "{{ config(enabled=target.name == 'x') }} select 1 as a", {"new": "a"}),
    ],
)
def test_what_is_a_model(name: str, text: str, found: dict[str, str]) -> None:
    schema = project({f"models/{name}": text})
    assert {table.name: columns(table) for table in schema.tables} == found


def test_a_model_with_a_file_for_each_engine_has_columns_that_nobody_knows() -> None:
    files = {
        "models/one/events.sql": "{{ config(enabled=target.type == 'a') }} select 1 as x",
        "models/two/events.sql": "{{ config(enabled=target.type == 'b') }} select 1 as y",
        "models/two/retired.sql": "{{ config(enabled=false) }} select 1 as x",
        "models/retired.sql": "select 1 as y",
    }
    schema = project(files)
    assert columns(only(schema, "events")) == "…"
    assert columns(only(schema, "retired")) == "y"


@pytest.mark.parametrize("mark", [",", ";", "|", "\t"])
def test_a_seed_may_have_other_marks_between_its_columns(mark: str) -> None:
    schema = project({"seeds/rates.csv": mark.join(["code", '"the rate"', "day"]) + "\n"})
    assert [column.name for column in only(schema, "rates").columns] == ["code", "the rate", "day"]


def test_ddl_gives_columns_and_dbt_says_what_they_mean() -> None:
    script = "CREATE TABLE landing.orders_raw (id int, status text);"
    schema = project({"models/shop.yml": PROPERTIES}, {"dump.sql": script})
    table = only(schema, "orders_raw")
    assert columns(table) == "id status"
    assert (table.comment, table.file) == ("One row per order.", ROOT / "dump.sql")


def manifest(**changes: object) -> str:
    node = {
        "resource_type": "model",
        "unique_id": "model.shop.orders",
        "name": "orders",
        "alias": "sales_orders",
        "database": "wh",
        "schema": "marts",
        "original_file_path": "models/orders.sql",
        "config": {"materialized": "table"},
        "columns": {"id": {"name": "id", "description": "The key.", "data_type": "bigint"},
                    "status": {"name": "status"}},
        **changes,
    }  # fmt: skip
    test = {
        "resource_type": "test",
        "unique_id": "test.shop.values",
        "column_name": "status",
        "config": {"enabled": True},
        "depends_on": {"nodes": ["model.shop.orders"]},
        "test_metadata": {
            "name": "accepted_values",
            "kwargs": {"values": ["a", "b"], "model": "{{ get_where_subquery(ref('orders')) }}"},
        },
    }
    return json.dumps(
        {
            "metadata": {"dbt_schema_version": "https://schemas.getdbt.com/dbt/manifest/v4.json"},
            "nodes": {"model.shop.orders": node, "test.shop.values": test},
            "sources": {},
        }
    )


def test_a_manifest_knows_where_tables_are() -> None:
    table = only(project({"target/manifest.json": manifest()}), "sales_orders")
    assert (table.schema, table.kind, table.file) == ("marts", "table", ROOT / "models/orders.sql")
    assert columns(table) == "id status …"
    assert [column.type for column in table.columns] == ["bigint", ""]
    assert table.column("status").values == ("a", "b")  # type: ignore[union-attr]


def test_properties_come_before_the_manifest_they_were_read_into() -> None:
    text = "models:\n- name: orders\n  columns: [{name: id, description: New words.}]"
    files = {"a.yml": text, "target/manifest.json": manifest()}
    table = only(project(files), "sales_orders")
    assert [column.comment for column in table.columns] == ["New words.", ""]


def test_a_catalogue_has_all_columns_in_order() -> None:
    catalogue = {
        "nodes": {
            "model.shop.orders": {
                "metadata": {"type": "VIEW", "schema": "marts", "name": "sales_orders"},
                "columns": {"B": {"name": "status", "type": "text", "index": 2},
                            "A": {"name": "id", "type": "int8", "index": 1}},
            }
        }
    }  # fmt: skip
    files = {"target/manifest.json": manifest(), "target/catalog.json": json.dumps(catalogue)}
    table = only(project(files), "sales_orders")
    assert columns(table) == "id status"
    assert table.column("status").values == ("a", "b")  # type: ignore[union-attr]


@pytest.mark.parametrize("text", ["", "[]", "{", "null", '{"nodes": 1}', '{"nodes": {"a": {}}}'])
def test_a_file_that_is_no_manifest_gives_nothing(text: str) -> None:
    for read in (dbt.read_manifest, dbt.read_catalog):
        part = read(Document("", text), ROOT / "manifest.json")
        assert part.relations == ()
        assert bool(part.findings) is (not text.startswith('{"'))


def test_dbt_yaml_is_told_from_other_yaml() -> None:
    assert dbt.is_dbt_yaml(PROPERTIES)
    short = "snapshots:\n  - name: orders_then\n    relation: source('raw', 'orders')\n"
    assert dbt.is_dbt_yaml(short, in_project=True)
    assert not dbt.is_dbt_yaml(short)
    assert not dbt.is_dbt_yaml("models: yes\nname: x\n", in_project=True)
    assert dbt.is_dbt_yaml("models:\n  # ours\n\n  - name: a\n    columns: []\n")
    for other in (
        "services:\n  web: {image: a}\nmodels:\n  llm:\n    model: a\n",
        "sources:\n  - https://example.org/chart\nversion: 2\n",
        "models:\n  - name: gpt\n    provider: openai\n",
        "name: shop\nmodels:\n  shop:\n    materialized: view\n",
        "version: 2\nmetrics:\n  - name: revenue\n",
    ):
        assert not dbt.is_dbt_yaml(other)
