"""Scripts kept from one start to the next."""

from pathlib import Path

import pytest

from sqlscribe import schema_cache
from sqlscribe.notation.document import Document
from sqlscribe.schema import ddl
from sqlscribe.schema_cache import SchemaCache

PATHS = [Path("a.sql"), Path("b.sql")]
TEXTS = ["CREATE TABLE a (id int);", "CREATE TABLE b (id int, odd odd int);"]


class Reading:
    """Counts the texts that are really read."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.texts: list[str] = []
        read = ddl.read

        def counted(document: Document, path: Path, dialect: str) -> ddl.DdlScript:
            self.texts.append(document.text)
            return read(document, path, dialect)

        monkeypatch.setattr(schema_cache.ddl, "read", counted)

    def taken(self) -> list[str]:
        texts, self.texts = self.texts, []
        return texts


@pytest.fixture
def reading(monkeypatch: pytest.MonkeyPatch) -> Reading:
    return Reading(monkeypatch)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "generated" / "schema"


def load(
    cache: SchemaCache, texts: list[str] = TEXTS, dialect: str = "postgres"
) -> list[ddl.DdlScript]:
    paths = PATHS[: len(texts)]
    scripts = [
        cache.read(Document(path.name, text), path, dialect)
        for path, text in zip(paths, texts, strict=True)
    ]
    cache.save(paths)
    return scripts


def test_a_second_start_reads_nothing(folder: Path, reading: Reading) -> None:
    first = load(SchemaCache(folder))
    assert reading.taken() == TEXTS
    assert load(SchemaCache(folder)) == first
    assert reading.taken() == []
    assert sorted(file.name for file in folder.iterdir()) == [".gitignore", "scripts"]


def test_only_what_changed_is_read(folder: Path, reading: Reading) -> None:
    load(SchemaCache(folder))
    reading.taken()
    changed = ["CREATE TABLE a (other int);", TEXTS[1]]
    cache = SchemaCache(folder)
    load(cache, changed)
    load(cache, changed)
    load(SchemaCache(folder), changed)
    assert reading.taken() == changed[:1]
    # What is no longer there was not kept.
    load(SchemaCache(folder))
    assert reading.taken() == TEXTS[:1]


def test_each_dialect_has_its_own_reading(folder: Path, reading: Reading) -> None:
    load(SchemaCache(folder))
    reading.taken()
    found = load(SchemaCache(folder), dialect="mysql")
    assert reading.taken() == TEXTS
    assert {script.dialect for script in found} == {"mysql"}


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\xff\xfe\0",
        b"sqlscribe 0 0\n" + b"0" * 64 + b" []\n",
        b"{}\n",
    ],
)
def test_an_alien_file_is_as_good_as_none(folder: Path, reading: Reading, content: bytes) -> None:
    folder.mkdir(parents=True)
    (folder / "scripts").write_bytes(content)
    load(SchemaCache(folder))
    load(SchemaCache(folder))
    assert reading.taken() == TEXTS


def test_a_damaged_line_costs_only_itself(folder: Path, reading: Reading) -> None:
    first = load(SchemaCache(folder))
    reading.taken()
    head, one, two = (folder / "scripts").read_bytes().splitlines(keepends=True)
    (folder / "scripts").write_bytes(head + one[:70] + b"\n" + two)
    assert load(SchemaCache(folder)) == first
    assert reading.taken() == TEXTS[:1]


def test_what_is_damaged_but_still_readable_is_read_anew(folder: Path, reading: Reading) -> None:
    first = load(SchemaCache(folder))
    reading.taken()
    whole = (folder / "scripts").read_bytes()
    assert whole.count(b"nodd") == 1
    (folder / "scripts").write_bytes(whole.replace(b"nodd", b"nodf"))
    assert load(SchemaCache(folder)) == first
    assert reading.taken() == TEXTS[1:]
    # Lines that have changed places, each whole in itself.
    head, one, two = whole.splitlines(keepends=True)
    (folder / "scripts").write_bytes(head + one[:64] + two[64:] + two[:64] + one[64:])
    assert load(SchemaCache(folder)) == first
    assert reading.taken() == TEXTS


def test_a_small_change_of_much_is_not_written(folder: Path, reading: Reading) -> None:
    large = [TEXTS[0], "".join(f"CREATE TABLE t{n} (id int);\n" for n in range(100))]
    load(SchemaCache(folder), large)
    written = (folder / "scripts").read_bytes()
    load(SchemaCache(folder), ["CREATE TABLE a (x int);", large[1]])
    assert (folder / "scripts").read_bytes() == written


def test_where_nothing_can_be_written_it_is_said(tmp_path: Path) -> None:
    in_the_way = tmp_path / "file"
    in_the_way.write_text("")
    cache = SchemaCache(in_the_way / "schema")
    assert [script.changes for script in load(cache)] != []
    assert cache.remark.startswith("scripts are read anew at each start")


def test_without_a_folder_nothing_is_kept(reading: Reading) -> None:
    cache = SchemaCache(None)
    load(cache)
    load(cache)
    assert reading.taken() == TEXTS * 2
    assert cache.remark == ""
