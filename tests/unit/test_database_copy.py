"""The database's schema, kept as a script."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from sqlscribe.database_copy import NAME, DatabaseCopy
from sqlscribe.errors import DatabaseError

URL = "sqlite:///shop.db"


def make(root: Path, *statements: str) -> None:
    with closing(sqlite3.connect(root / "shop.db")) as database, database:
        for statement in statements:
            database.execute(statement)


def tables(copy: DatabaseCopy) -> dict[str, list[str]]:
    return {t.name: [c.name for c in t.columns] for t in copy.schema(URL).tables}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    make(tmp_path, "CREATE TABLE orders (id INTEGER PRIMARY KEY, total NUMERIC NOT NULL)")
    return tmp_path


def test_what_was_read_is_known_after_a_restart(root: Path) -> None:
    copy = DatabaseCopy(root / ".sqlscribe")
    assert tables(copy) == {}
    assert copy.refresh(URL, URL, root)
    later = DatabaseCopy(root / ".sqlscribe")
    assert tables(later) == tables(copy) == {"orders": ["id", "total"]}
    assert later.is_fresh(URL)
    [table] = later.schema(URL).tables
    assert (table.primary_key, table.column("total")) == (("id",), table.columns[1])
    assert not table.columns[1].nullable
    assert table.comment == ""
    assert table.file == root / ".sqlscribe" / NAME


def test_only_a_change_of_the_tables_is_one(root: Path) -> None:
    copy = DatabaseCopy(root / ".sqlscribe")
    copy.refresh(URL, URL, root)
    first = copy.schema(URL)
    assert not copy.refresh(URL, URL, root)
    assert copy.schema(URL) is first
    make(root, "ALTER TABLE orders ADD COLUMN note TEXT")
    assert copy.refresh(URL, URL, root)
    assert tables(copy) == {"orders": ["id", "total", "note"]}


def test_another_database_is_not_taken_for_this_one(root: Path) -> None:
    DatabaseCopy(root / ".sqlscribe").refresh(URL, URL, root)
    other = DatabaseCopy(root / ".sqlscribe")
    assert other.schema("sqlite:///other.db").tables == ()
    assert not other.is_fresh("sqlite:///other.db")


@pytest.mark.parametrize("text", ["", "CREATE TABLE x (a int);", "\udcff", "-- Read from\n"])
def test_a_damaged_copy_is_none(root: Path, text: str) -> None:
    folder = root / ".sqlscribe"
    folder.mkdir()
    (folder / NAME).write_bytes(text.encode("utf-8", "surrogateescape"))
    copy = DatabaseCopy(folder)
    assert copy.schema(URL).tables == ()
    assert copy.refresh(URL, URL, root)


def test_a_copy_that_is_not_whole_is_none(root: Path) -> None:
    make(root, "CREATE TABLE more (a INTEGER)")
    DatabaseCopy(root / ".sqlscribe").refresh(URL, URL, root)
    path = root / ".sqlscribe" / NAME
    whole = path.read_text("utf-8")
    for text in (whole[: whole.index("CREATE TABLE more")], whole.replace("total", "tutal")):
        path.write_text(text, "utf-8")
        copy = DatabaseCopy(root / ".sqlscribe")
        assert copy.schema(URL).tables == ()
        assert not copy.is_fresh(URL)


def test_a_database_that_cannot_be_read_leaves_what_is_known(root: Path) -> None:
    copy = DatabaseCopy(root / ".sqlscribe")
    copy.refresh(URL, URL, root)
    (root / "shop.db").unlink()
    with pytest.raises(DatabaseError):
        copy.refresh(URL, URL, root)
    assert tables(copy) == {"orders": ["id", "total"]}
    assert "was not read" in copy.remark
    # It is not asked again at once, whoever comes by.
    assert copy.is_fresh(URL)


def test_without_a_folder_it_lives_in_memory(root: Path) -> None:
    copy = DatabaseCopy(None)
    assert copy.refresh(URL, URL, root)
    assert tables(copy) == {"orders": ["id", "total"]}
    assert not (root / ".sqlscribe").exists()
