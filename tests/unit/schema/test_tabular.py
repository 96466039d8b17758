"""Files with rows as tables, and their values."""

from __future__ import annotations

import gzip
import sys
from pathlib import Path

import pytest

from sqlscribe.schema.tabular import is_tabular, profile_file, read_tabular, table_name

duckdb = pytest.importorskip("duckdb")

ROWS = "id,status,placed,total\n1,paid,2024-01-31,1.5\n2,open,2024-02-01,\n3,paid,2023-12-24,20\n"


@pytest.fixture
def orders(tmp_path: Path) -> Path:
    path = tmp_path / "orders.csv"
    path.write_text(ROWS, "utf-8")
    return path


def columns(path: Path) -> list[tuple[str, str]]:
    found = read_tabular(path)
    assert found.findings == ()
    assert found.table is not None
    assert found.table.file == path
    return [(column.name, column.type) for column in found.table.columns]


def test_a_csv_file_is_a_table_named_after_it(orders: Path) -> None:
    assert columns(orders) == [
        ("id", "BIGINT"), ("status", "VARCHAR"), ("placed", "DATE"), ("total", "DOUBLE")
    ]  # fmt: skip


@pytest.mark.parametrize("name", ['it\'s "new".csv', "客户.csv", "a b.csv"])
def test_names_of_files_may_hold_quotes_and_letters_of_any_script(
    tmp_path: Path, name: str
) -> None:
    path = tmp_path / name
    path.write_text(ROWS, "utf-8")
    assert len(columns(path)) == 4


def test_other_formats_are_read_too(tmp_path: Path) -> None:
    tabs, lines = tmp_path / "a.tsv", tmp_path / "b.jsonl"
    packed, parquet = tmp_path / "c.csv.gz", tmp_path / "d.parquet"
    tabs.write_text("x\ty\n1\t2\n", "utf-8")
    lines.write_text('{"x": {"y": 1}}\n{"x": {"y": 2}}\n', "utf-8")
    packed.write_bytes(gzip.compress(ROWS.encode()))
    duckdb.sql(f"COPY (SELECT 1 AS x, {{'y': {{'z': 'a'}}}} AS s) TO '{parquet}'")
    assert columns(tabs) == [("x", "BIGINT"), ("y", "BIGINT")]
    assert [name for name, _ in columns(lines)] == ["x"]
    assert len(columns(packed)) == 4
    table = read_tabular(parquet).table
    assert table is not None
    assert [column.fields for column in table.columns] == [(), ("y.z",)]


@pytest.mark.parametrize(
    ("name", "expected"),
    [("orders.csv", "orders"), ("a.b.CSV", "a.b"), ("orders.csv.gz", "orders"), ("x.tsv", "x")],
)
def test_tables_are_named_by_their_files(name: str, expected: str) -> None:
    assert is_tabular(Path(name))
    assert table_name(Path(name)) == expected


@pytest.mark.parametrize("name", ["a.txt", "a", "a.parquet.gz", ".csv"])
def test_other_files_hold_no_rows(name: str) -> None:
    assert not is_tabular(Path(name))


def test_values_of_a_file(orders: Path) -> None:
    found = profile_file(orders)
    assert found.findings == ()
    by_name = {each.column: each for each in found.values}
    assert by_name["status"].values == ("open", "paid")
    placed = by_name["placed"]
    assert (placed.minimum, placed.maximum) == ("2023-12-24", "2024-02-01")
    assert (by_name["total"].minimum, by_name["total"].maximum) == ("1.5", "20.0")
    assert not any(each.distinct_more for each in found.values)


def test_only_the_wanted_columns_are_asked_for(orders: Path) -> None:
    assert [each.column for each in profile_file(orders, columns=["STATUS"]).values] == ["status"]
    assert profile_file(orders, columns=[]).values == ()


def test_many_values_are_not_listed(tmp_path: Path) -> None:
    path = tmp_path / "many.csv"
    path.write_text("a,b\n" + "".join(f"x{n},{n % 60}\n" for n in range(500)), "utf-8")
    assert [(each.values, each.distinct_more) for each in profile_file(path).values] == [
        ((), True),
        ((), True),
    ]


@pytest.mark.parametrize(
    ("name", "content", "code"),
    [
        ("none.csv", None, "data/unreadable"),
        ("empty.csv", b"", "data/unreadable"),
        ("bad.parquet", b"nothing of the kind", "data/unreadable"),
        ("a[1].csv", b"a\n1\n", "data/unreadable"),
        ("a.txt", b"a\n1\n", "data/unreadable"),
    ],
)
def test_a_file_that_cannot_be_read_is_a_finding(
    tmp_path: Path, name: str, content: bytes | None, code: str
) -> None:
    path = tmp_path / name
    if content is not None:
        path.write_bytes(content)
    for found in (read_tabular(path).findings, profile_file(path).findings):
        [finding] = found
        assert finding.code == code
        assert name in finding.message
        assert str(tmp_path) not in finding.message


def test_reading_is_stopped_in_time(tmp_path: Path) -> None:
    path = tmp_path / "large.csv"
    path.write_text("a\n" + "1\n" * 3_000_000, "utf-8")
    [finding] = profile_file(path, seconds=0).findings
    assert finding.code == "data/too-slow"


def test_without_duckdb_a_person_is_told_what_to_install(
    orders: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "duckdb", None)
    [finding] = read_tabular(orders).findings
    assert finding.code == "data/no-duckdb"
    assert "sqlscribe[duckdb]" in finding.message
