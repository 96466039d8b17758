"""Schemas from more than DDL: dbt projects, files with rows, a database's copy."""

from pathlib import Path

import pytest

from shop import write
from sqlscribe import files
from sqlscribe.loading import Loaded, Loader
from sqlscribe.loading.dbt_files import is_run_by_dbt
from sqlscribe.schema.model import Column, Schema, Table
from sqlscribe.settings import ClientSettings

PROJECT = {
    "shop/dbt_project.yml": "name: shop\nversion: '1'\n",
    "shop/models/staging/stg_orders.sql": (
        "{{ config(materialized='view') }}\n"
        "select id as order_id, total from {{ source('raw', 'orders') }}\n"
    ),
    "shop/models/orders.sql": (
        "select order_id, total * 2 as doubled from {{ ref('stg_orders') }}\n"
    ),
    "shop/models/schema.yml": (
        "version: 2\n"
        "sources:\n"
        "  - name: raw\n"
        "    tables:\n"
        "      - name: orders\n"
        "        columns:\n"
        "          - name: id\n"
        "models:\n"
        "  - name: stg_orders\n"
        "    description: one row per order\n"
        "    columns:\n"
        "      - name: order_id\n"
        "        tests: [unique, not_null]\n"
    ),
    "shop/macros/m.sql": "{% macro m() %} create table macro_table (a int) {% endmacro %}\n",
    "shop/tests/t.sql": "create table test_table (a int);\n",
    "docs.yml": "services:\n  web: {}\n",
}


def load(root: Path, live: Schema | None = None) -> Loaded:
    entries = list(files.walk(root))
    return Loader().load(entries, {}, ClientSettings(), live or Schema())


def columns(loaded: Loaded) -> dict[str, list[str]]:
    return {t.qualified_name: [c.name for c in t.columns] for t in loaded.schema.tables}


def test_models_of_a_dbt_project_are_tables_with_the_columns_of_their_queries(
    tmp_path: Path,
) -> None:
    loaded = load(write(tmp_path, PROJECT))
    found = columns(loaded)
    assert found["stg_orders"] == ["order_id", "total"]
    assert found["orders"] == ["order_id", "doubled"]
    assert found["raw.orders"] == ["id"]
    assert not {"macro_table", "test_table"} & found.keys()
    [staging] = loaded.schema.named("stg_orders")
    assert staging.comment == "one row per order"
    assert not staging.partly_understood
    assert staging.file == tmp_path / "shop/models/staging/stg_orders.sql"
    assert loaded.findings == ()


def test_snapshots_in_properties_and_models_in_python_are_tables(tmp_path: Path) -> None:
    extra = {
        "shop/snapshots/then.yml": (
            "snapshots:\n  - name: orders_then\n    relation: ref('orders')\n"
        ),
        "shop/models/scores.py": "def model(dbt, session):\n    return dbt.ref('orders')\n",
        "shop/models/helpers.py": "x = 1\n",
    }
    loaded = load(write(tmp_path, PROJECT | extra))
    for name in ("orders_then", "scores"):
        [table] = loaded.schema.named(name)
        assert (table.columns, table.partly_understood) == ((), True)
    assert not loaded.schema.named("helpers")
    assert loaded.findings == ()


def test_ddl_beside_a_project_counts_too(tmp_path: Path) -> None:
    extra = {"db/own.sql": "CREATE TABLE own (a int);"}
    assert columns(load(write(tmp_path, PROJECT | extra)))["own"] == ["a"]


def test_properties_may_be_named_without_a_project(tmp_path: Path) -> None:
    write(
        tmp_path,
        {
            "sqlscribe.toml": 'schema = ["m/schema.yml"]\n',
            "m/schema.yml": "models:\n  - name: t\n    columns:\n      - name: a\n",
        },
    )
    loaded = load(tmp_path)
    assert columns(loaded) == {"t": ["a"]}
    assert loaded.schema.tables[0].partly_understood


def test_what_is_wrong_in_properties_is_a_finding_at_its_place(tmp_path: Path) -> None:
    write(tmp_path, PROJECT | {"shop/models/more.yml": "models:\n  - columns: [{name: a}]\n"})
    [file] = load(tmp_path).findings
    assert file.document.uri.endswith("more.yml")
    assert [finding.code for finding in file.findings] == ["dbt/bad-value"]


def test_files_with_rows_are_tables_where_the_configuration_names_them(tmp_path: Path) -> None:
    pytest.importorskip("duckdb", reason="the extra duckdb is not installed")
    write(
        tmp_path,
        {
            "data/visits.csv": "id,at\n1,2024-01-31\n",
            "sqlscribe.toml": 'dialect = "duckdb"\nschema = ["data/*.csv"]\n',
        },
    )
    loaded = load(tmp_path)
    assert columns(loaded) == {"visits": ["id", "at"]}
    assert loaded.schema.tables[0].columns[1].type == "DATE"
    (tmp_path / "sqlscribe.toml").unlink()
    assert columns(load(tmp_path)) == {}


@pytest.mark.parametrize("ending", ["csv", "parquet", "jsonl", "sql", "yml"])
def test_no_kind_of_schema_file_is_read_through_a_link_out_of_the_folder(
    tmp_path: Path, ending: str
) -> None:
    folder = write(tmp_path / "folder", {"sqlscribe.toml": 'schema = ["data/*"]\n', "data/.x": ""})
    write(tmp_path, {"private": "CREATE TABLE private (id int);\n"})
    (folder / f"data/link.{ending}").symlink_to(tmp_path / "private")
    loaded = load(folder)
    assert loaded.schema.tables == ()
    assert [f.code for file in loaded.findings for f in file.findings] == ["file/outside"]


def test_a_database_adds_what_no_file_says(tmp_path: Path) -> None:
    write(tmp_path, {"db/a.sql": "CREATE TABLE a (id int);"})
    live = Schema((Table("a", (Column("other"),)), Table("b", (Column("x"),))))
    assert columns(load(tmp_path, live)) == {"a": ["id"], "b": ["x"]}


def test_findings_that_the_configuration_switches_off_are_not_shown(tmp_path: Path) -> None:
    write(tmp_path, {"db/a.sql": b"-- Gr\xf6\xdfe\nCREATE TABLE a (id int);".decode("latin-1")})
    (tmp_path / "db/a.sql").write_bytes(b"-- Gr\xf6\xdfe\nCREATE TABLE a (id int);")
    assert [f.code for file in load(tmp_path).findings for f in file.findings] == ["file/encoding"]
    write(tmp_path, {"sqlscribe.toml": '[checks]\nignore = ["file/*"]\n'})
    assert load(tmp_path).findings == ()


def test_what_yaml_names_and_the_project_lacks_is_a_finding(tmp_path: Path) -> None:
    properties = PROJECT["shop/models/schema.yml"]
    text = properties.replace("- name: order_id", "- name: order_ident")
    loaded = load(write(tmp_path, {**PROJECT, "shop/models/schema.yml": text}))
    [file] = loaded.findings
    assert [each.code for each in file.findings] == ["dbt/unknown-column"]
    assert load(write(tmp_path, PROJECT)).findings == ()


def test_a_reference_without_a_version_means_the_latest_one(tmp_path: Path) -> None:
    files = {
        "dbt_project.yml": "name: shop\n",
        "models/dim_v1.sql": "select 1 as a\n",
        "models/dim_v10.sql": "select 1 as b\n",
        "models/new.sql": "select * from {{ ref('dim') }}\n",
        "models/old.sql": "select * from {{ ref('dim', v=1) }}\n",
    }
    found = columns(load(write(tmp_path, files)))
    assert (found["new"], found["old"]) == (["b"], ["a"])


def test_a_text_counts_for_what_it_defines(tmp_path: Path) -> None:
    ddl = "CREATE TABLE orders (a int);\n"
    files = {"db.sql": ddl, "q.sql": "SELECT a FROM orders;\n", "training/a.yaml": "[]\n"}
    loaded = load(write(tmp_path, files))
    counts = {
        name: loaded.depends_on(tmp_path / name, text)
        for name, text in {**files, "new.sql": ddl, "notes.txt": ddl, "db.sql": ""}.items()
    }
    assert counts == {
        "db.sql": True,
        "q.sql": False,
        "training/a.yaml": True,
        "new.sql": True,
        "notes.txt": False,
    }
    assert loaded.depends_on(tmp_path / "q.sql", ddl)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("models/a.sql", True),
        ("models/deep/a.sql", True),
        ("tests/a.sql", True),
        ("queries/a.sql", False),
        ("target/a.sql", False),
        ("inner/mine/a.sql", True),
        ("inner/models/a.sql", False),
        ("broken/models/a.sql", False),
    ],
)
def test_what_dbt_runs_is_told_from_other_sql(tmp_path: Path, name: str, expected: bool) -> None:
    write(
        tmp_path,
        {
            "dbt_project.yml": "name: a\n",
            "inner/dbt_project.yml": "name: b\nmodel-paths: [mine]\n",
            "broken/dbt_project.yml": "[",
        },
    )
    assert is_run_by_dbt(tmp_path / name, tmp_path) is expected
    assert not is_run_by_dbt(tmp_path / name, tmp_path / name.rpartition("/")[0])
