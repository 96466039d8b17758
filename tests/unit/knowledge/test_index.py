"""The index: what is found, what is kept, and what happens to its file."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import apsw
import numpy as np
import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from sqlscribe.errors import Unreachable
from sqlscribe.knowledge.embedders import Embedder, WordLlamaEmbedder
from sqlscribe.knowledge.index import Entry, Index, Synced

CHINESE = {"A": "上个月销售额最高的客户", "B": "库存不足的商品"}
SHOP = {
    "top": "top 10 customers by net revenue",
    "late": "orders delivered late",
    "stock": "products that are out of stock",
    "salary": "average salary by department",
}


class FakeEmbedder:
    """Vectors by a rule; counts the texts it was asked for."""

    def __init__(
        self,
        row: Callable[[str], Sequence[float]],
        name: str = "fake",
        failure: Exception | None = None,
    ) -> None:
        self.name = name
        self.dimension = len(row("x"))
        self.failure = failure
        self.texts: list[str] = []
        self._row = row

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        if self.failure:
            raise self.failure
        self.texts += texts
        return np.array([self._row(text) for text in texts], dtype=np.float32)


def letters(dimension: int) -> Callable[[str], Sequence[float]]:
    """A row that depends on the letters of a text, and differs from text to text."""

    def row(text: str) -> Sequence[float]:
        counts = np.ones(dimension)
        for position, letter in enumerate(text):
            counts[(ord(letter) + position) % dimension] += 1
        return list(counts / np.linalg.norm(counts))

    return row


def entries(texts: dict[str, str], kind: str = "example") -> list[Entry]:
    return [Entry(kind, key, text) for key, text in texts.items()]


def found(index: Index, question: str, kind: str = "example", limit: int = 10) -> list[str]:
    return [hit.key for hit in index.search(question, kind, limit)]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "work" / ".sqlscribe" / "index.db"


@pytest.fixture(scope="module")
def wordllama() -> WordLlamaEmbedder:
    return WordLlamaEmbedder()


@pytest.fixture
def opened(path: Path) -> Iterator[Callable[..., Index]]:
    indexes: list[Index] = []

    def open_index(embedder: Embedder | None = None, at: Path | None = path) -> Index:
        indexes.append(Index.open(at, embedder))
        return indexes[-1]

    yield open_index
    for index in indexes:
        index.close()


Opened = Callable[..., Index]


# What is found.


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("best customers by revenue", "top"),
        ("the order was delivered too late", "late"),
        ("OrdersDelivered", "late"),
        ("orders_delivered", "late"),
        ("prodcts wich are outt of stok", "stock"),
        ("ＡＶＥＲＡＧＥ　ｓａｌａｒｙ", "salary"),
        ("averäge sálary", "salary"),
    ],
)
def test_words_alone_find_the_entry(opened: Opened, question: str, expected: str) -> None:
    index = opened()
    index.sync("example", entries(SHOP))
    assert found(index, question)[0] == expected


@pytest.mark.parametrize("value", [1.0, 0.0, float("nan")], ids=["equal", "zero", "not numbers"])
def test_useless_vectors_do_not_lose_the_better_entry(opened: Opened, value: float) -> None:
    index = opened(FakeEmbedder(lambda _text: [value] * 4))
    index.sync("example", entries(CHINESE))
    assert found(index, "销量最高的客户是谁")[0] == "A"
    assert index.remark.count("Search goes by words alone") == 1


def test_equal_vectors_added_one_by_one_are_noticed(opened: Opened) -> None:
    index = opened(FakeEmbedder(lambda _text: [1.0, 0.0]))
    index.sync("example", entries({"B": CHINESE["B"]}))
    index.sync("example", entries(CHINESE))
    assert found(index, "销量最高的客户是谁")[0] == "A"
    assert "Search goes by words alone" in index.remark


def test_a_poor_embedder_does_not_lose_an_exact_match(opened: Opened) -> None:
    index = opened(FakeEmbedder(letters(7)))
    texts = {str(number): f"question number {number} about orders" for number in range(300)}
    index.sync("example", entries(texts))
    assert [found(index, texts[key])[0] for key in ("0", "7", "299")] == ["0", "7", "299"]


def test_reasons_name_the_ranks_and_the_best_possible_score_is_one(
    opened: Opened, wordllama: WordLlamaEmbedder
) -> None:
    index = opened(wordllama)
    index.sync("example", entries(SHOP))
    best, *others = index.search(SHOP["top"], "example", 10)
    assert (best.key, best.reasons) == ("top", ("words 1", "letters 1", "meaning 1"))
    assert best.score == pytest.approx(1.0)
    assert all(0 < hit.score < best.score for hit in others)
    assert len(index.search("customers orders products", "example", 2)) == 2


def recall(index: Index, first: int) -> dict[str, float]:
    """Share of the paraphrases whose known question is among the ``first`` hits."""
    rows = yaml.safe_load(Path(__file__).with_name("paraphrases.yaml").read_text("utf-8"))
    index.sync("example", entries({known: known for known, *_ in rows}))
    results: dict[str, list[bool]] = {"English": [], "Chinese": []}
    for known, *others in rows:
        for question in others:
            language = "English" if question.isascii() else "Chinese"
            results[language].append(known in found(index, question, limit=first))
    return {language: sum(hits) / len(hits) for language, hits in results.items()}


def test_free_paraphrases_are_found(opened: Opened, wordllama: WordLlamaEmbedder) -> None:
    index = opened(wordllama, at=None)
    first, third = recall(index, 1), recall(index, 3)
    assert first["English"] >= 0.6
    assert first["Chinese"] >= 0.85
    assert third["English"] >= 0.8
    words_alone = recall(opened(at=None), 3)
    assert third["English"] > words_alone["English"]


@pytest.mark.parametrize(
    "question",
    [
        "",
        " ",
        "\0",
        "?!",
        "the of",
        '"',
        "'; DROP TABLE entries; --",
        'a" OR "b',
        "NEAR(a b, 2) AND NOT words : *",
        "(" * 100_000,
        "\ud800 lone",
        "orders " * 50_000,
        "上" * 50_000,
    ],
    ids=lambda text: ascii(text)[:20],
)
def test_any_question_can_be_searched(opened: Opened, question: str) -> None:
    index = opened()
    index.sync("example", entries({**SHOP, "odd": question}))
    assert {*found(index, question)} <= {*SHOP, "odd"}
    assert index.remark == ""


@settings(max_examples=60, deadline=None)
@given(
    texts=st.dictionaries(st.text(max_size=8), st.text(max_size=40), max_size=8),
    question=st.text(max_size=40),
)
def test_every_text_can_be_stored_and_every_key_comes_back(
    texts: dict[str, str], question: str
) -> None:
    index = Index.open(None, FakeEmbedder(letters(5)))
    assert index.sync("note", entries(texts, "note")).added == len(texts)
    assert {*found(index, question, "note")} <= texts.keys()
    assert index.sync("note", entries(texts, "note")) == Synced(0, 0, len(texts))
    index.close()


# What is kept.


def test_only_changes_are_written(opened: Opened) -> None:
    embedder = FakeEmbedder(letters(8))
    index = opened(embedder)
    assert index.sync("example", entries(SHOP)) == Synced(4, 0, 0)
    assert index.sync("example", entries(SHOP)) == Synced(0, 0, 4)
    changed = {**SHOP, "late": "parcels that came late", "new": "gift cards"}
    del changed["salary"]
    assert index.sync("example", entries(changed)) == Synced(2, 1, 2)
    assert "salary" not in found(index, "average salary by department")
    assert embedder.texts[:6] == [*SHOP.values(), "parcels that came late", "gift cards"]
    reasons = [reason for hit in index.search("delivered", "example", 9) for reason in hit.reasons]
    assert not any(reason.startswith("words") for reason in reasons)


def test_kinds_do_not_mix(opened: Opened) -> None:
    index = opened(FakeEmbedder(letters(8)))
    index.sync("example", entries(SHOP))
    index.sync("table", entries({"late": "late orders"}, "table"))
    assert found(index, "late orders", "table") == ["late"]
    assert index.sync("table", []) == Synced(0, 1, 0)
    assert found(index, "late orders", "table") == []
    assert len(found(index, "orders products customers salary")) == 4


def test_of_two_entries_with_one_key_the_later_counts(opened: Opened) -> None:
    index = opened()
    index.sync("example", [Entry("example", "k", "first"), Entry("example", "k", "second")])
    assert found(index, "second") == ["k"]
    assert found(index, "first") == []


def test_the_index_stays_when_it_is_closed_and_opened(path: Path, opened: Opened) -> None:
    opened(FakeEmbedder(letters(8))).sync("example", entries(SHOP))
    embedder = FakeEmbedder(letters(8))
    index = opened(embedder)
    assert index.sync("example", entries(SHOP)) == Synced(0, 0, 4)
    assert embedder.texts == []
    assert (path.parent / ".gitignore").read_text() == "*\n"
    assert index.remark == ""


def test_an_existing_folder_gets_no_ignore_file(tmp_path: Path, opened: Opened) -> None:
    opened(at=tmp_path / "index.db").sync("example", entries(SHOP))
    assert not (tmp_path / ".gitignore").exists()


@pytest.mark.parametrize(("name", "dimension"), [("fake", 16), ("other", 8), ("a/b", 3)], ids=str)
def test_vectors_of_two_embedders_are_never_mixed(
    opened: Opened, name: str, dimension: int
) -> None:
    opened(FakeEmbedder(letters(8))).sync("example", entries(SHOP))
    changed = FakeEmbedder(letters(dimension), name)
    index = opened(changed)
    before = index.search("late orders", "example", 5)
    assert before[0].key == "late"
    assert not any("meaning" in reason for hit in before for reason in hit.reasons)
    assert index.sync("example", entries(SHOP)) == Synced(0, 0, 4)
    assert [text for text in changed.texts if text in SHOP.values()] == [*SHOP.values()]
    after = index.search(SHOP["late"], "example", 5)
    assert "meaning 1" in after[0].reasons
    assert index.remark == ""


def test_another_window_may_change_the_embedder(opened: Opened) -> None:
    ours, theirs = opened(FakeEmbedder(letters(8))), opened(FakeEmbedder(letters(9), "b"))
    for index in (ours, theirs, ours):
        index.sync("example", entries(SHOP))
        assert "meaning 1" in index.search(SHOP["late"], "example", 1)[0].reasons
    assert found(theirs, SHOP["late"])[0] == "late"
    assert (ours.remark, theirs.remark) == ("", "")


def test_a_model_server_that_is_down_leaves_the_words(opened: Opened) -> None:
    embedder = FakeEmbedder(letters(8), failure=Unreachable("The model server is down."))
    index = opened(embedder)
    assert index.sync("example", entries(SHOP)) == Synced(4, 0, 0)
    assert found(index, "late orders")[0] == "late"
    assert index.remark == "Search goes by words alone: The model server is down."
    embedder.failure = None
    assert index.sync("example", entries(SHOP)) == Synced(0, 0, 4)
    assert "meaning 1" in index.search(SHOP["late"], "example", 1)[0].reasons
    assert index.remark == ""


def test_without_the_extension_words_are_enough(
    opened: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened(FakeEmbedder(letters(8))).sync("example", entries(SHOP))
    with monkeypatch.context() as patch:
        patch.setitem(sys.modules, "sqlite_vec", None)
        index = opened(FakeEmbedder(letters(8)))
        changed = {**SHOP, "late": "parcels that came late"}
        assert index.sync("example", entries(changed)) == Synced(1, 0, 3)
        assert found(index, "parcels")[0] == "late"
        assert "sqlite-vec cannot be loaded" in index.remark
    again = opened(FakeEmbedder(letters(8)))
    again.sync("example", entries(changed))
    assert "meaning 1" in again.search(changed["late"], "example", 1)[0].reasons


# What happens to the file.


def damage_header(path: Path) -> None:
    path.write_bytes(b"this was no database " * 100)


def damage_pages(path: Path) -> None:
    size = path.stat().st_size
    with path.open("r+b") as file:
        file.seek(4096)
        file.write(b"\xff" * (size - 4096))


def change_version(path: Path) -> None:
    connection = apsw.Connection(str(path))
    connection.pragma("user_version", 999)
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
