"""A live schema as scripts."""

import os
import sys
from pathlib import Path

import pytest

from sqlscribe.notation.document import Document
from sqlscribe.pulling import MARK, Pulled, scripts_of, write_scripts
from sqlscribe.schema import ddl
from sqlscribe.schema.model import Column, Schema, Table

ORDERS = Table("orders", (Column("id", "integer", nullable=False),), primary_key=("id",))


def test_each_table_has_its_script_and_reads_back() -> None:
    sales = Table("Order Lines", (Column("n", "integer"),), schema="sales", quoted=True)
    part = Table("orders_2024", (), parent="orders")
    found = scripts_of(Schema((ORDERS, sales, part)), "postgres")
    assert list(found) == ["orders.sql", "sales.order_lines.sql"]
    assert all(text.startswith(MARK) for text in found.values())
    read = [ddl.read(Document(n, text), Path(n), "postgres") for n, text in found.items()]
    assert [(table.qualified_name, table.comment) for table in ddl.replay(read).tables] == [
        ("orders", ""),
        ("sales.Order Lines", ""),
    ]


def test_names_that_a_file_system_confuses_get_numbers() -> None:
    two = Schema((Table("T", (), quoted=True), Table("t", ()), Table("/", ())))
    assert list(scripts_of(two, "postgres")) == ["t.sql", "t_2.sql", "table.sql"]
    devices = Schema((Table("con", ()), Table("x", (), schema="nul"), Table("console", ())))
    assert list(scripts_of(devices, "postgres")) == ["_con.sql", "_nul.x.sql", "console.sql"]


def test_only_what_changed_is_written_and_what_is_gone_is_removed(tmp_path: Path) -> None:
    folder = tmp_path / "db"
    one = {"a.sql": f"{MARK}\n1", "b.sql": f"{MARK}\n1"}
    assert write_scripts(folder, one) == Pulled(("a.sql", "b.sql"), (), ())
    assert write_scripts(folder, one) == Pulled((), (), ())
    two = {"a.sql": f"{MARK}\n2"}
    assert write_scripts(folder, two) == Pulled(("a.sql",), ("b.sql",), ())
    assert sorted(path.name for path in folder.iterdir()) == ["a.sql"]


def test_scripts_of_people_are_never_touched(tmp_path: Path) -> None:
    (tmp_path / "own.sql").write_text("CREATE TABLE own (id int);", "utf-8")
    (tmp_path / "a.sql").write_text("-- mine now\n", "utf-8")
    done = write_scripts(tmp_path, {"a.sql": f"{MARK}\n1"})
    assert done == Pulled((), (), ("a.sql",))
    assert (tmp_path / "a.sql").read_text("utf-8") == "-- mine now\n"
    assert (tmp_path / "own.sql").exists()


@pytest.mark.skipif(sys.platform == "win32", reason="there are no such files")
def test_what_is_no_plain_file_is_neither_written_nor_read(tmp_path: Path) -> None:
    folder = tmp_path / "db"
    (folder / "folder.sql").mkdir(parents=True)
    (folder / "gone.sql").mkdir()
    os.mkfifo(folder / "pipe.sql")
    (folder / "link.sql").symlink_to(tmp_path / "elsewhere")
    names = ("folder.sql", "link.sql", "pipe.sql")
    done = write_scripts(folder, dict.fromkeys(names, f"{MARK}\n1"))
    assert done == Pulled((), (), names)
    assert not (tmp_path / "elsewhere").exists()


def test_scripts_of_schemas_that_were_not_read_stay(tmp_path: Path) -> None:
    all_of_them = {f"{name}.sql": f"{MARK}\n1" for name in ("app.a", "app.b", "my_hr.c", "d")}
    write_scripts(tmp_path, all_of_them)
    done = write_scripts(tmp_path, {"app.a.sql": f"{MARK}\n1"}, ["App"])
    assert done.removed == ("app.b.sql",)
    assert write_scripts(tmp_path, {}, ["my hr"]).removed == ("my_hr.c.sql",)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["app.a.sql", "d.sql"]


def test_the_names_of_functions_have_a_script_of_their_own() -> None:
    schema = Schema(
        (Table("functions", (Column("id", "integer"),)),), frozenset({"vat", "odd one"})
    )
    found = scripts_of(schema, "postgres")
    assert list(found) == ["functions.sql", "functions_2.sql"]
    text = found["functions_2.sql"]
    assert text.startswith(MARK)
    read = ddl.replay([ddl.read(Document("f.sql", text), Path("f.sql"), "postgres")])
    assert read == Schema((), schema.functions)
