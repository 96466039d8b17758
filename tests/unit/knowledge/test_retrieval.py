"""What a question gets of the team's knowledge, and how values are masked."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sqlscribe.knowledge.examples import Example
from sqlscribe.knowledge.masking import mask, masker
from sqlscribe.knowledge.notes import Section
from sqlscribe.knowledge.retrieval import (
    Hit,
    choose_examples,
    choose_notes,
    choose_tables,
    rerank,
)
from sqlscribe.schema.model import Table

KNOWN = ("Paris", "New York", "York", "paid", "L'Aquila", "北京", "上海市", "in", "A", "10")


def examples(*questions: str) -> list[Example]:
    return [Example(question, f"SELECT {number}") for number, question in enumerate(questions)]


def hits(known: list[Example]) -> list[Hit]:
    """The examples in the order in which an index found them."""
    return [
        Hit(example.key, 1 / (rank + 1), (f"words {rank + 1}", f"meaning {rank + 1}"))
        for rank, example in enumerate(known)
    ]


# Choosing.


def test_the_same_question_comes_first_then_one_with_other_values_then_the_closest() -> None:
    known = examples("orders of last week", "Top 10 customers", "top 5  customers?", "refunds")
    chosen = choose_examples("top 5 customers", known, hits(known), 8)
    assert [(c.item.question, c.reason) for c in chosen] == [
        ("top 5  customers?", "the same question"),
        ("orders of last week", "words 1, meaning 1"),
        ("refunds", "words 4, meaning 4"),
    ]
    assert chosen[0].score == 1.0
    chosen = choose_examples("top 20 customers", known, hits(known), 2)
    assert [(c.item.question, c.reason) for c in chosen] == [
        ("Top 10 customers", "the same question with other values"),
        ("orders of last week", "words 1, meaning 1"),
    ]


def test_examples_that_say_nearly_the_same_are_thinned_out() -> None:
    known = examples(
        "revenue in 2022", "revenue in 2023", "Revenue in 2024!", "revenue per store in 2022"
    )
    chosen = choose_examples("revenue by region", known, hits(known), 8)
    assert [c.item.question for c in chosen] == ["revenue in 2022", "revenue per store in 2022"]


def test_of_variants_with_one_shape_the_first_is_enough() -> None:
    known = [
        Example("total revenue of all orders by region", "SELECT a FROM b WHERE c = 1"),
        Example("total income of all purchases by region", "SELECT x FROM y WHERE z = 2"),
        Example("total revenue of all orders per region and day", "SELECT a, d FROM b GROUP BY d"),
    ]
    chosen = choose_examples("revenue per region", known, hits(known), 8)
    assert [c.item for c in chosen] == [known[0], known[2]]


def test_what_is_said_beside_the_values_counts() -> None:
    known = examples("clients in Bergen since 2020", "goods in Bergen since 2021")
    found = [Hit(example.key, 0.5, ("meaning 1",)) for example in known]
    chosen = choose_examples("products in Bergen since 2019", known, found, 8)
    assert [c.item for c in chosen] == known[::-1]


def test_of_equals_the_one_in_the_askers_script_comes_first() -> None:
    known = examples("refunds by category", "各类别的退款")
    found = [Hit(example.key, 0.5, ("meaning 1",)) for example in known]
    assert choose_examples("类别退款", known, found, 1)[0].item is known[1]
    assert choose_examples("category of refunds", known, found, 1)[0].item is known[0]


def test_examples_with_the_shape_of_a_draft_come_first_after_the_same_question() -> None:
    grouped = Example("orders by city", "SELECT city, COUNT(*) FROM orders GROUP BY city")
    joined = Example("who orders", "SELECT c.a FROM c JOIN o ON o.b = c.b WHERE o.d = 1")
    same = Example("bills", "SELECT 1")
    ranked = choose_examples("bills", [joined, grouped, same], hits([joined, grouped, same]), 8)
    draft = "SELECT vendor, COUNT(*) FROM bills GROUP BY vendor"
    assert [c.item for c in rerank(ranked, draft)] == [same, grouped, joined]
    assert [c.item for c in rerank(ranked, "SELECT x.y FROM x JOIN z ON z.k = x.k")][1] == joined
    assert rerank((), draft) == ()


def test_hits_that_are_not_loaded_are_skipped() -> None:
    known = examples("revenue", "refunds")
    assert [c.item for c in choose_examples("x", known[1:], hits(known), 8)] == known[1:]
    assert choose_examples("x", known, [], 8) == ()


TABLES = {
    table.qualified_name: table
    for table in (
        Table("customers", ()),
        Table("OrderItems", (), schema="sales"),
        Table("product_categories", ()),
        Table("客户", ()),
        Table("list", ()),
    )
}


@pytest.mark.parametrize(
    ("question", "named"),
    [
        ("best customer", ["customers", "客户"]),
        ("CUSTOMERS?", ["customers", "客户"]),
        ("clients", ["customers", "客户"]),
        ("sum of order items per product category", ["sales.OrderItems", "product_categories"]),
        ("rows of sales.OrderItems", ["sales.OrderItems"]),
        ("每个订单的明细", ["sales.OrderItems"]),
        ("customerservice", []),
        ("上个月的客户", ["客户", "customers"]),
        ("list everything", []),
        ("", []),
        ("(" * 100_000, []),
    ],
)
def test_a_table_that_is_named_comes_first(question: str, named: list[str]) -> None:
    close = [Hit("list", 0.9, ("words 1",)), Hit("gone", 0.8, ("words 2",))]
    chosen = choose_tables(question, TABLES, close)
    first = [c for c in chosen if c.reason.startswith("named in the question")]
    assert [c.item.qualified_name for c in first] == named
    assert chosen[: len(named)] == tuple(first)
    assert [c.reason for c in chosen if c.item.name == "list"] == ["words 1"]
    assert len(choose_tables(question, TABLES, close, 1)) == 1


def test_a_comment_names_a_table_in_the_askers_language() -> None:
    tables = {
        "cust": Table("cust", (), comment="客户"),
        "ord": Table("ord", (), comment="订单表，每行一单"),
        "item": Table("item", (), comment="单"),
    }
    chosen = choose_tables("销售额最高的客户的订单", tables, [Hit("item", 0.9, ("words 1",))])
    assert [c.item.name for c in chosen] == ["cust", "ord", "item"]


def test_a_note_whose_heading_is_in_the_question_comes_first() -> None:
    notes = [
        Section(title, "text", Path("/shop/docs/a.md"), line)
        for line, title in enumerate(["Sales > Returns", "Sales > Net revenue"])
    ]
    found = [Hit(note.key, 0.5, ("words 1",)) for note in notes]
    assert choose_notes("net revenue by month", notes, found)[0].item is notes[1]
    assert choose_notes("by month", notes, found)[0].item is notes[0]
    assert len(choose_notes("by month", notes, found, 1)) == 1


# Masking.


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("top 10 customers", "top <number> customers"),
        ("over 1,234.50 and 10%", "over <number> and <number>%"),
        ("最近30天前１０名", "最近<number>天前<number>名"),
        ("Q3 of v2, order_7, 3rd, 1.2.3, 10k", "Q3 of v2, order_7, 3rd, 1.2.3, 10k"),
        ("since 2024-01-31", "since <date>"),
        ("从2024-01-31到2024-02-01", "从<date>到<date>"),
        ("at 2024-01-31 10:30", "at <date>"),
        ("2024-13-31", "<number>-<number>-<number>"),
        ("orders of 'Smith' and \"Jones\"", "orders of <text> and <text>"),
        ("“A” ‘B’ 「C」 『D』", "<text> <text> <text> <text>"),
        ("the customer's and the users' orders", "the customer's and the users' orders"),
        ("customers' orders in 'Rome 5'", "customers' orders in <text>"),
        ("a lone ' or \"", "a lone ' or \""),
        ("orders in new york and York", "orders in <value> and <value>"),
        ("PAID but not unpaid, prepaid or paid_at", "<value> but not unpaid, prepaid or paid_at"),
        ("in A", "in A"),
        ("在Paris的北京和上海市客户", "在<value>的<value>和<value>客户"),
        ("from L'Aquila?", "from <value>?"),
        ("'New York 2024'", "<text>"),
        ("", ""),
    ],
)
def test_values_are_masked(question: str, expected: str) -> None:
    masked = mask(question, KNOWN)
    assert masked.text == expected
    assert masked.restored() == question


def test_slots_keep_kind_text_and_place() -> None:
    question = "top 5 in Paris since 2024-01-31 with 'x'"
    slots = mask(question, KNOWN).slots
    assert [(slot.kind, slot.text) for slot in slots] == [
        ("number", "5"),
        ("value", "Paris"),
        ("date", "2024-01-31"),
        ("text", "'x'"),
    ]
    assert all(slot.span.of(question) == slot.text for slot in slots)


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("Top 10 customers?", " top  25 customers", True),
        ("top 10 customers", "top <number> customers", False),
        ("5 <number>", "<number> 5", False),
        ("top 10 customers", "top 'ten' customers", False),
        ("top\0number\0", "top 5", False),
    ],
)
def test_questions_have_one_key_only_if_they_differ_in_values(
    one: str, other: str, same: bool
) -> None:
    assert (mask(one).key == mask(other).key) is same


def test_the_order_of_the_known_values_does_not_matter() -> None:
    question = "New York, York and Paris"
    assert mask(question, KNOWN) == mask(question, tuple(reversed(KNOWN)))


texts = st.text(alphabet="ab 10-:.,'\"“”‘’「」<>number京Paris\n\0\ud800İß", max_size=50)


@settings(max_examples=100, deadline=None)
@given(question=texts, known=st.lists(texts, max_size=5))
def test_the_slots_put_back_give_the_question(question: str, known: list[str]) -> None:
    masked = mask(question, known)
    assert masked.restored() == question
    assert all(slot.span.of(question) == slot.text for slot in masked.slots)
    assert list(masked.slots) == sorted(masked.slots, key=lambda slot: slot.span)
    assert masked == masker(known)(question)


@pytest.mark.parametrize("text", ["'" * 200_000, "1" * 200_000, "北京" * 100_000, "1," * 100_000])
def test_long_questions_are_masked(text: str) -> None:
    assert mask(text, KNOWN).restored() == text
