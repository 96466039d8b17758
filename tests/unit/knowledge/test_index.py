"""The index: what is found, and what is kept."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from indexing import SHOP, FakeEmbedder, Opened, entries, found, letters
from sqlscribe.errors import Unreachable
from sqlscribe.knowledge.embedders import WordLlamaEmbedder
from sqlscribe.knowledge.examples import Example
from sqlscribe.knowledge.index import Entry, Index, Synced
from sqlscribe.knowledge.retrieval import card, choose_examples, choose_tables
from sqlscribe.schema.model import Column, Table

CHINESE = {"A": "上个月销售额最高的客户", "B": "库存不足的商品"}


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
    assert (best.key, best.reasons) == ("top", ("words #1", "letters #1", "meaning #1"))
    assert best.score == pytest.approx(1.0)
    assert all(0 < hit.score < best.score for hit in others)
    assert len(index.search("customers orders products", "example", 2)) == 2


def recall(index: Index, first: int) -> dict[str, float]:
    """Share of the paraphrases whose known question is among the ``first`` examples chosen."""
    rows = yaml.safe_load(Path(__file__).with_name("paraphrases.yaml").read_text("utf-8"))
    known = [Example(question, f"SELECT {number}") for number, (question, *_) in enumerate(rows)]
    index.sync("example", entries({example.key: example.question for example in known}))
    results: dict[str, list[bool]] = {"English": [], "Chinese": []}
    for example, (_, *others) in zip(known, rows, strict=True):
        for question in others:
            hits = index.search(question, "example", 40)
            chosen = choose_examples(question, known, hits, first)
            language = "English" if question.isascii() else "Chinese"
            results[language].append(example in [scored.item for scored in chosen])
    return {language: sum(found) / len(found) for language, found in results.items()}


def test_free_paraphrases_are_found(opened: Opened, wordllama: WordLlamaEmbedder) -> None:
    index = opened(wordllama, at=None)
    first, fifth = recall(index, 1), recall(index, 5)
    assert first["English"] >= 0.65
    assert first["Chinese"] >= 0.9
    assert min(fifth.values()) >= 0.95
    words_alone = recall(opened(at=None), 5)
    assert fifth["English"] > words_alone["English"]


def test_chinese_comments_come_before_chance_hits(
    opened: Opened, wordllama: WordLlamaEmbedder
) -> None:
    named = {"tkt": "工单", "whs": "仓库", "chk": "质检记录", "eqp": "设备台账"}
    tables = {
        name: Table(name, (Column("a1", comment=f"{comment}编号"), Column("a2", comment="备注")))
        for name, comment in named.items()
    }
    tables |= {f"f{n}": Table(f"f{n}", (Column(f"field_{n}", comment="备注"),)) for n in range(80)}
    index = opened(wordllama, at=None)
    index.sync("table", [Entry("table", name, card(table)) for name, table in tables.items()])
    for name, asked in {
        "tkt": "每天的工单编号",
        "whs": "各仓库有多少",
        "chk": "上周的质检记录",
        "eqp": "设备台账里的编号",
    }.items():
        chosen = choose_tables(asked, tables, index.search(asked, "table", 60))
        assert chosen[0].item.name == name, asked


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
    assert "meaning #1" in after[0].reasons
    assert index.remark == ""


def test_another_window_may_change_the_embedder(opened: Opened) -> None:
    ours, theirs = opened(FakeEmbedder(letters(8))), opened(FakeEmbedder(letters(9), "b"))
    for index in (ours, theirs, ours):
        index.sync("example", entries(SHOP))
        assert "meaning #1" in index.search(SHOP["late"], "example", 1)[0].reasons
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
    assert "meaning #1" in index.search(SHOP["late"], "example", 1)[0].reasons
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
    assert "meaning #1" in again.search(changed["late"], "example", 1)[0].reasons
