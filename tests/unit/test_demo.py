"""The demo's own database."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from sqlscribe import demo
from sqlscribe.loading import bundled

DDL = "CREATE TABLE customers (id integer PRIMARY KEY, name text);\n"


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    files = {
        "db/002_city.sql": "ALTER TABLE customers ADD COLUMN city text;\n",
        "db/001_shop.sql": DDL,
        "data/customers.csv": 'id,name,city\n1,"O\'Brien, Ann",Lyon\n2,订单,\n',
    }
    for name, text in files.items():
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, "utf-8")
    return tmp_path


def test_the_database_is_made_of_scripts_in_order_and_csv_files(shop: Path) -> None:
    assert demo.build_database(shop, shop / "shop.db") == 2
    names, rows = demo.read_rows(shop / "shop.db", "SELECT * FROM customers ORDER BY id")
    assert list(names) == ["id", "name", "city"]
    assert rows == [(1, "O'Brien, Ann", "Lyon"), (2, "订单", None)]


@pytest.mark.parametrize(
    "sql",
    ["DELETE FROM customers", "CREATE TABLE x (id int)", "UPDATE customers SET name = 'x'"],
)
def test_nothing_is_written_when_rows_are_read(shop: Path, sql: str) -> None:
    demo.build_database(shop, shop / "shop.db")
    with pytest.raises(sqlite3.OperationalError, match="readonly"):
        demo.read_rows(shop / "shop.db", sql)
    assert len(demo.read_rows(shop / "shop.db", "SELECT 1 FROM customers")[1]) == 2


def test_no_other_database_is_made_by_a_query(shop: Path) -> None:
    demo.build_database(shop, shop / "shop.db")
    with pytest.raises(sqlite3.OperationalError, match="attached"):
        demo.read_rows(shop / "shop.db", f"ATTACH '{shop / 'other.db'}' AS other")
    assert not (shop / "other.db").exists()


def test_a_database_that_is_not_there_is_not_made(shop: Path) -> None:
    with pytest.raises(sqlite3.OperationalError):
        demo.read_rows(shop / "nothing.db", "SELECT 1")
    assert not (shop / "nothing.db").exists()


def test_the_bundled_example_makes_a_database(tmp_path: Path) -> None:
    assert demo.build_database(bundled("examples/shop"), tmp_path / "shop.db") > 0
