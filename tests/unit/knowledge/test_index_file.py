"""What may happen to the file of the index, and what several processes do to it."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

import apsw
import pytest

from indexing import SHOP, FakeEmbedder, Opened, entries, found, letters
from sqlscribe.knowledge.embedders import WordLlamaEmbedder
from sqlscribe.knowledge.index import Index, Synced


def damage_header(path: Path) -> None:
    path.write_bytes(b"this was no database " * 100)


def damage_pages(path: Path) -> None:
    size = path.stat().st_size
    with path.open("r+b") as file:
        file.seek(4096)
        file.write(b"\xff" * (size - 4096))


def change_version(path: Path, version: int = 999) -> None:
    connection = apsw.Connection(str(path))
    connection.pragma("user_version", version)
    connection.close()


def replace_by_foreign(path: Path) -> None:
    path.unlink()
    connection = apsw.Connection(str(path))
    connection.execute("CREATE TABLE invoices (number INTEGER)")
    connection.close()


@pytest.mark.parametrize(
    ("spoil", "remark"),
    [
        (damage_header, "was damaged"),
        (damage_pages, "was damaged"),
        (change_version, "another version"),
        (partial(change_version, version=1), "another version"),
        (replace_by_foreign, "another version"),
    ],
)
def test_a_spoilt_file_is_set_aside_and_built_anew(
    path: Path, opened: Opened, spoil: Callable[[Path], None], remark: str
) -> None:
    for number in (1, 2):
        before = Index.open(path, FakeEmbedder(letters(8)))
        before.sync("example", entries(SHOP))
        before.close()
        spoil(path)
        index = opened(FakeEmbedder(letters(8)))
        assert index.sync("example", entries(SHOP)).added == 4
        assert found(index, "late orders")[0] == "late"
        assert remark in index.remark
        assert [file.name for file in path.parent.glob("*.broken-*")] == [
            f"index.db.broken-{number}"
        ]
        index.close()


def test_damage_noticed_by_a_search_is_no_error(path: Path, opened: Opened) -> None:
    before = Index.open(path, None)
    before.sync("example", entries(SHOP))
    before.close()
    damage_pages(path)
    index = opened()
    assert found(index, "late orders") == []
    assert index.sync("example", entries(SHOP)).added == 4
    assert found(index, "late orders")[0] == "late"


def test_the_folder_may_be_deleted_at_any_time(path: Path, opened: Opened) -> None:
    index = opened(FakeEmbedder(letters(8)))
    index.sync("example", entries(SHOP))
    for file in path.parent.iterdir():
        file.unlink()
    path.parent.rmdir()
    assert found(index, "late orders")[0] == "late"
    assert index.sync("example", entries(SHOP)) == Synced(4, 0, 0)
    assert path.is_file()
    assert found(index, "late orders")[0] == "late"
    assert index.remark == ""


@pytest.mark.parametrize("name", ["a file/index.db", "a file/.sqlscribe/index.db", "folder"])
def test_where_no_file_can_be_the_index_is_in_memory(
    tmp_path: Path, opened: Opened, name: str
) -> None:
    (tmp_path / "a file").write_text("")
    (tmp_path / "folder").mkdir()
    index = opened(at=tmp_path / name)
    assert index.sync("example", entries(SHOP)) == Synced(4, 0, 0)
    assert found(index, "late orders")[0] == "late"
    assert index.remark.startswith("The search index is kept in memory")


@pytest.mark.parametrize("leads_to", ["nothing", "an index", "text"])
def test_nothing_is_written_through_a_link_in_place_of_the_file(
    tmp_path: Path, opened: Opened, leads_to: str
) -> None:
    elsewhere = tmp_path / "elsewhere" / "file"
    elsewhere.parent.mkdir()
    if leads_to == "an index":
        Index.open(elsewhere, None).close()
    elif leads_to == "text":
        elsewhere.write_text("precious", "utf-8")
    before = elsewhere.read_bytes() if elsewhere.exists() else None
    link = tmp_path / "index.db"
    link.symlink_to(elsewhere)
    index = opened(at=link)
    index.sync("example", entries(SHOP))
    assert found(index, "late orders")[0] == "late"
    assert "it is a link" in index.remark
    assert (elsewhere.read_bytes() if elsewhere.exists() else None) == before


def test_without_a_path_the_index_is_in_memory(opened: Opened) -> None:
    index = opened(at=None)
    assert index.sync("example", entries(SHOP)) == Synced(4, 0, 0)
    assert "no folder" in index.remark


IN_A_PROCESS = """
import sys
from pathlib import Path
from sqlscribe.knowledge.embedders import WordLlamaEmbedder
from sqlscribe.knowledge.index import Entry, Index
path, count = Path(sys.argv[1]), int(sys.argv[2])
"""


def python(program: str, *arguments: object) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", IN_A_PROCESS + program, *map(str, arguments)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


@pytest.mark.skipif(sys.platform == "win32", reason="limits of file size are a thing of Unix")
def test_a_disk_that_fills_up_moves_the_index_into_memory(path: Path) -> None:
    process = python(
        """
import resource, signal
index = Index.open(path, WordLlamaEmbedder())
index.sync("note", [Entry("note", "n", "parcels that came late")])
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (path.stat().st_size, resource.RLIM_INFINITY))
entries = [Entry("example", str(n), f"question {n} on orders") for n in range(count)]
print(index.sync("example", entries))
print(index.search("question 7 on orders", "example", 1)[0].key)
print(index.search("late parcels", "note", 1)[0].key)
print(index.remark)
""",
        path,
        1500,
    )
    out, err = process.communicate(timeout=60)
    assert err == ""
    lines = out.splitlines()
    assert lines[0].startswith("Synced(added=1")
    assert lines[1:3] == ["7", "n"]
    assert lines[3].startswith("The search index is kept in memory")


@pytest.mark.skipif(sys.platform == "win32", reason="folders are protected otherwise there")
def test_a_read_only_folder_is_no_error(path: Path) -> None:
    index = Index.open(path, None)
    index.sync("example", entries(SHOP))
    index.close()
    for parent in path.parents:
        if parent.owner() == path.owner() and parent != Path(parent.anchor):
            parent.chmod(0o755)
    path.chmod(0o444)
    path.parent.chmod(0o555)
    process = python(
        """
import os, sqlite_vec
if os.geteuid() == 0:
    os.seteuid(65534)  # The superuser may write everywhere.
index = Index.open(path, None)
print(index.sync("example", [Entry("example", "late", "orders delivered late")]))
print(index.search("late orders", "example", 1)[0].key)
print(index.remark)
""",
        path,
        0,
    )
    out, err = process.communicate(timeout=60)
    path.parent.chmod(0o755)
    assert err == ""
    assert out.splitlines()[1] == "late"
    assert out.splitlines()[2].startswith("The search index is kept in memory")


SYNC_AGAIN_AND_AGAIN = """
class Telling(WordLlamaEmbedder):
    def embed(self, texts):
        vectors = super().embed(texts)
        if len(texts) > 1:
            print("writing", flush=True)
        return vectors

index = Index.open(path, Telling())
for turn in range(int(sys.argv[3])):
    entries = [
        Entry("example", str(n), f"question {n} of turn {turn} about late orders")
        for n in range(count)
    ]
    index.sync("example", entries)
    assert index.search("late orders", "example", 3)
assert index.remark == "", index.remark
index.close()
print("done")
"""


def test_two_processes_may_sync_at_once(path: Path, opened: Opened) -> None:
    processes = [python(SYNC_AGAIN_AND_AGAIN, path, 300, 4) for _ in range(2)]
    for process in processes:
        out, err = process.communicate(timeout=120)
        assert (out.splitlines()[-1:], err) == (["done"], "")
    index = opened(WordLlamaEmbedder())
    wanted = {str(n): f"question {n} of turn 3 about late orders" for n in range(300)}
    assert index.sync("example", entries(wanted)) == Synced(0, 0, 300)
    check_whole(path)


def test_a_process_killed_while_writing_leaves_a_sound_index(path: Path, opened: Opened) -> None:
    for batch in range(1, 5):
        process = python(SYNC_AGAIN_AND_AGAIN, path, 800, 1000)
        assert process.stdout
        assert [process.stdout.readline() for _ in range(batch)] == ["writing\n"] * batch
        process.kill()
        process.communicate(timeout=60)
        check_whole(path)
    index = opened(WordLlamaEmbedder())
    assert index.sync("example", entries(SHOP)).added == 4
    assert found(index, "late orders")[0] == "late"
    assert index.remark == ""


def check_whole(path: Path) -> None:
    """Every entry has its words and its vector, and the file is in order."""
    import sqlite_vec

    connection = apsw.Connection(str(path))
    connection.enable_load_extension(True)
    connection.load_extension(sqlite_vec.loadable_path())
    assert connection.pragma("integrity_check") == "ok"
    numbers = connection.execute("SELECT id FROM entries ORDER BY id").fetchall()
    tables = {name for (name,) in connection.execute("SELECT name FROM sqlite_schema")}
    assert "vectors" in tables or not numbers
    for table in {"example_terms", "vectors"} & tables:
        rows = connection.execute(f"SELECT rowid FROM {table} ORDER BY rowid").fetchall()
        assert rows == numbers
    connection.execute("INSERT INTO example_terms (example_terms) VALUES ('integrity-check')")
    connection.close()


def test_threads_share_one_index(opened: Opened, wordllama: WordLlamaEmbedder) -> None:
    index = opened(wordllama)

    def work(number: int) -> list[str]:
        for turn in range(5):
            index.sync("example", entries({**SHOP, f"{number}": f"gift cards {turn}"}))
        return found(index, "late orders")

    with ThreadPoolExecutor(4) as pool:
        assert all("late" in keys for keys in pool.map(work, range(4)))
    assert index.remark == ""


def test_a_closed_index_finds_nothing(opened: Opened) -> None:
    index = opened()
    index.sync("example", entries(SHOP))
    index.close()
    index.close()
    assert index.search("late orders", "example", 3) == ()
    assert index.sync("example", entries(SHOP)) == Synced(0, 0, 0)


@pytest.mark.skipif(os.name == "nt", reason="names are Unicode there")
def test_a_path_that_is_not_utf_8_leaves_the_index_in_memory(tmp_path: Path) -> None:
    index = Index.open(tmp_path / os.fsdecode(b"caf\xe9") / "index.db", None)
    assert index.sync("example", entries(SHOP)).added == 4
    assert "its path is not UTF-8" in index.remark
    index.close()
