"""What may happen to the files that the server keeps, and to those that it reads."""

from __future__ import annotations

import ctypes
import os
import random
import resource
import shutil
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from faults.conftest import VERIFIED, Note
from shop import SHOP, write
from wire import Wire, until

ASK = "-- ask: how many customers live in 'Oslo'?\n"
_DROP, _OVERRIDE, _SEARCH = 24, 1, 2


def without_privileges() -> None:
    """Let permissions count for the superuser too; runs in the new process."""
    if os.geteuid() == 0:
        libc = ctypes.CDLL(None)
        for capability in (_OVERRIDE, _SEARCH):
            libc.prctl(_DROP, capability, 0, 0, 0)


def full_disk() -> None:
    """No file may grow beyond a few kilobytes, as on a disk that is nearly full."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (8192, 8192))


def is_well(wire: Wire, name: str = "well.sql") -> str:
    """The server answers from its example; what it says about itself on the question."""
    wire.open(name, ASK)
    answer = wire.answer(name)
    assert "city = 'Oslo'" in str(answer["sql"]), answer
    return wire.hover(name)


@pytest.fixture(scope="module")
def worked_on(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The shop after a server has worked there, and has ended well."""
    root = write(tmp_path_factory.mktemp("worked") / "shop", SHOP | {"sqlscribe.toml": VERIFIED})
    with Wire(root) as wire:
        is_well(wire)
        until(lambda: index_of(root).exists())
        wire.ask("shutdown", None)
        wire.tell("exit", None)
        assert wire.ends(5) == 0
    return root


@pytest.fixture
def indexed(worked_on: Path, tmp_path: Path) -> Path:
    """A copy of it."""
    return Path(shutil.copytree(worked_on, tmp_path / "shop"))


def index_of(root: Path) -> Path:
    return root / ".sqlscribe" / "index.db"


def corrupt(path: Path) -> None:
    data = bytearray(path.read_bytes())
    middle = random.Random(7)
    for at in range(100, len(data), 37):
        data[at] = middle.randrange(256)
    path.write_bytes(data)


def cut(to: int) -> Callable[[Path], None]:
    def cut_file(path: Path) -> None:
        os.truncate(path, to)

    return cut_file


def newer(path: Path) -> None:
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA user_version = 99")
    connection.commit()
    connection.close()


def folder_instead(path: Path) -> None:
    path.unlink()
    path.mkdir()


def link_to_nowhere(path: Path) -> None:
    path.unlink()
    path.symlink_to("/nowhere/at/all")


DAMAGES: dict[str, Callable[[Path], None]] = {
    "corrupt": corrupt,
    "cut in half": lambda path: os.truncate(path, path.stat().st_size // 2),
    "cut to nothing": cut(0),
    "cut to 100 bytes": cut(100),
    "of a newer version": newer,
    "no database": lambda path: path.write_bytes(b"hello " * 1000) and None,
    "a folder": folder_instead,
    "a link to nowhere": link_to_nowhere,
}


@pytest.mark.fault("the index file is {damage}")
@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_index_is_made_anew(indexed: Path, damage: str, note: Note) -> None:
    for beside in index_of(indexed).parent.glob("index.db-*"):
        beside.unlink()
    DAMAGES[damage](index_of(indexed))
    with Wire(indexed) as wire:
        said = is_well(wire)
    told = [line for line in said.splitlines() if "search index" in line]
    note(told[0].strip()[:70] if told else "built anew without a word")


@pytest.mark.fault("the index file is damaged while the server runs")
def test_an_index_that_is_damaged_under_its_hands(indexed: Path) -> None:
    with Wire(indexed) as wire:
        is_well(wire)
        corrupt(index_of(indexed))
        write(indexed, {"training/more.sql": "-- ask: all cities\nSELECT city FROM customers;\n"})
        is_well(wire, "later.sql")
    with Wire(indexed) as wire:
        is_well(wire)


@pytest.mark.fault("the index file is locked by another process")
def test_a_locked_index_holds_nothing_up(indexed: Path, note: Note) -> None:
    connection = sqlite3.connect(index_of(indexed))
    connection.execute("PRAGMA locking_mode = EXCLUSIVE")
    connection.execute("BEGIN EXCLUSIVE")
    try:
        write(indexed, {"training/more.sql": "-- ask: all cities\nSELECT city FROM customers;\n"})
        with Wire(indexed) as wire:
            told = [line for line in is_well(wire).splitlines() if "search index" in line]
            note(told[0].strip()[:70] if told else "waited for")
    finally:
        connection.close()


@contextmanager
def read_only(*paths: Path) -> Iterator[None]:
    modes = {path: path.stat().st_mode for path in paths}
    for path in paths:
        path.chmod(0o555 if path.is_dir() else 0o444)
    try:
        yield
    finally:
        for path, mode in modes.items():
            path.chmod(mode)


@pytest.mark.fault("the folder is read-only, {state}")
@pytest.mark.parametrize("state", ["with an index", "without one"])
def test_a_read_only_folder_is_served(indexed: Path, state: str, note: Note) -> None:
    kept = index_of(indexed).parent
    if state == "without one":
        shutil.rmtree(kept)
    folders = [indexed, *(path for path in kept.rglob("*") if kept.exists())]
    folders += [kept] if kept.exists() else []
    before = snapshot(indexed)
    with read_only(*folders), Wire(indexed, before=without_privileges) as wire:
        write_is_refused = not os.access(indexed, os.W_OK) or os.geteuid() == 0
        assert write_is_refused
        told = [line for line in is_well(wire).splitlines() if "memory" in line or "disk" in line]
        assert snapshot(indexed) == before
    note(told[0].strip()[:70] if told else "served without a word")


def snapshot(root: Path) -> dict[str, int]:
    return {
        str(path.relative_to(root)): path.stat().st_size
        for path in sorted(root.rglob("*"))
        if path.is_file() and not path.name.endswith(("-shm", "-wal"))
    }


@pytest.mark.fault("the disk is full, {state}")
@pytest.mark.parametrize("state", ["with an index", "without one"])
def test_a_full_disk_holds_nothing_up(indexed: Path, state: str, note: Note) -> None:
    if state == "without one":
        shutil.rmtree(index_of(indexed).parent)
    write(
        indexed,
        {f"training/more{n}.sql": f"-- ask: number {n}\nSELECT {n};\n" for n in range(300)},
    )
    with Wire(indexed, before=full_disk) as wire:
        told = [line for line in is_well(wire).splitlines() if "memory" in line or "disk" in line]
        note(told[0].strip()[:70] if told else "served without a word")
    with Wire(indexed) as wire:
        is_well(wire)


@pytest.mark.fault("the folder of generated files is a link to elsewhere")
def test_nothing_is_written_through_a_link_that_a_repository_brings(
    shop: Path, tmp_path: Path
) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (shop / ".sqlscribe").symlink_to(elsewhere)
    with Wire(shop) as wire:
        is_well(wire)
    assert list(elsewhere.iterdir()) == []


@pytest.mark.fault("a file nobody may read, a folder nobody may list")
def test_unreadable_files_are_told_and_the_rest_is_read(shop: Path, note: Note) -> None:
    write(shop, {"db/secret.sql": "CREATE TABLE secret (a int);\n", "shut/a.sql": "SELECT 1;\n"})
    (shop / "db" / "secret.sql").chmod(0)
    (shop / "shut").chmod(0)
    try:
        with Wire(shop, before=without_privileges) as wire:
            said = is_well(wire)
            assert "shut" in said
            uri = wire.uri("db/secret.sql")
            until(lambda: any("cannot be read" in str(m) and uri in str(m) for m in wire.messages))
    finally:
        (shop / "shut").chmod(0o755)
    note("told at the file and on the question")


@pytest.mark.fault("cyclic and broken links, pipes and devices with names of SQL files")
def test_odd_things_in_a_folder_are_passed_over(shop: Path) -> None:
    (shop / "db" / "loop").symlink_to(shop)
    (shop / "a.sql").symlink_to(shop / "b.sql")
    (shop / "b.sql").symlink_to(shop / "a.sql")
    (shop / "gone.sql").symlink_to(shop / "nothing.sql")
    (shop / "zero.sql").symlink_to("/dev/zero")
    (shop / "training" / "up").symlink_to("..")
    os.mkfifo(shop / "pipe.sql")
    (shop / "rules.md").unlink()
    os.mkfifo(shop / "rules.md")
    with Wire(shop) as wire:
        is_well(wire)


@pytest.mark.fault("files change while they are read")
def test_files_that_change_all_the_time_are_read_in_the_end(shop: Path) -> None:
    schema = shop / "db" / "more.sql"
    tables = [f"CREATE TABLE t{n} (id int, name text);\n" for n in range(200)]
    stop = threading.Event()

    def rewrite() -> None:
        chance = random.Random(3)
        while not stop.is_set():
            # In place, so that readers see halves of it.
            schema.write_text("".join(tables[: chance.randrange(200)]))
            (shop / "training" / "t.yaml").write_bytes(b"- question: \xff"[: chance.randrange(14)])

    writer = threading.Thread(target=rewrite)
    writer.start()
    try:
        with Wire(shop) as wire:
            for number in range(10):
                is_well(wire, f"q{number}.sql")
            stop.set()
            writer.join()
            schema.write_text("".join(tables))
            (shop / "training" / "t.yaml").unlink()
            wire.open("last.sql", "-- ask: @t199 names\n")
            until(lambda: "t199" in wire.hover("last.sql").partition("[system]")[2])
    finally:
        stop.set()
        writer.join()


@pytest.mark.fault("the clock jumps: files from {when}")
@pytest.mark.parametrize(
    ("when", "moment"), [("1970", 1), ("2100", 4_102_444_800), ("in an hour", 0)]
)
def test_a_change_is_seen_whatever_the_clock_said(shop: Path, when: str, moment: int) -> None:
    moment = moment or int(time.time()) + 3600
    schema = shop / "db" / "shop.sql"
    os.utime(schema, (moment, moment))
    with Wire(shop) as wire:
        wire.open("q.sql", "-- ask: @orders totals\n")
        assert "novelty" not in wire.hover("q.sql")
        schema.write_text(schema.read_text() + "CREATE TABLE novelty (id int);\n")
        os.utime(schema, (moment - 1, moment - 1))
        assert "novelty" in wire.hover("q.sql")
        is_well(wire)


@pytest.mark.slow
@pytest.mark.fault("100,000 files in the folder")
@pytest.mark.timeout(170)
def test_a_folder_with_very_many_files_is_served_and_its_limit_told(
    tmp_path: Path, note: Note
) -> None:
    root = write(tmp_path / "big", {**SHOP, "sqlscribe.toml": VERIFIED})
    for folder in range(101):
        inner = root / "zz" / f"f{folder:03}"
        inner.mkdir(parents=True)
        for number in range(1000):
            (inner / f"n{number}.txt").touch()
    start = time.monotonic()
    with Wire(root) as wire:
        said = is_well(wire)
        first = time.monotonic() - start
        assert "only the first 100,000 files" in said
        start = time.monotonic()
        is_well(wire, "again.sql")
        again = time.monotonic() - start
        wire.open("third.sql", ASK)
        assert "Generate SQL" in wire.titles("third.sql")
    note(f"first answer after {first:.1f} s, the next after {again:.1f} s; limit told")
    # Pytest would keep three such folders.
    shutil.rmtree(root)
