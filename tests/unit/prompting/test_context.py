import datetime

import pytest

from sqlscribe.knowledge.examples import Example
from sqlscribe.knowledge.retrieval import Scored
from sqlscribe.prompting.context import (
    Limits,
    Material,
    Request,
    Turn,
    assemble,
    resolve_mention,
    shrunk,
)
from sqlscribe.schema.model import Column, ForeignKey, Schema, Table

TODAY = datetime.date(2024, 3, 31)


def table(name: str, *columns: str, refers: str = "", schema: str = "", parent: str = "") -> Table:
    keys = (ForeignKey((f"{refers}_id",), refers),) if refers else ()
    made = tuple(Column(column, "text") for column in columns or ("id", "name"))
    return Table(
        name, made, schema=schema, foreign_keys=keys, parent=parent, primary_key=(made[0].name,)
    )


def material(*tables: Table, **more: object) -> Material:
    return Material(schema=Schema(tables), dialect="postgres", today=TODAY, **more)  # type: ignore[arg-type]


def names(context: object) -> list[str]:
    return [scored.item.name for scored in context.tables]  # type: ignore[attr-defined]


def test_the_whole_schema_goes_in_while_it_fits_but_for_partitions() -> None:
    known = material(table("orders"), table("customers"), table("orders_2024", parent="orders"))
    context = assemble(Request("x"), known, Limits())
    assert names(context) == ["orders", "customers"]
    assert context.whole_schema
    assert context.left_out == ()


def large_schema() -> list[Table]:
    wide = [f"column_{n}" for n in range(40)]
    fillers = [table(f"filler_{n}", *wide) for n in range(400)]
    joined = [
        table("customers", "customer_id", "name"),
        table("accounts", "accounts_id", "customers_id", *wide, refers="customers"),
        table("payments", "payments_id", "accounts_id", refers="accounts"),
    ]
    return [*fillers[:200], *joined, *fillers[200:]]


def test_a_large_schema_is_cut_to_what_matters_in_file_order() -> None:
    tables = large_schema()
    by_name = {t.name: t for t in tables}
    known = material(*tables, tables=[Scored(by_name["customers"], "named in the question", 0.9)])
    context = assemble(Request("customers"), known, Limits(tokens=4000))
    # Two joins away is still near; in file order, so that the prompt's beginning stays the same.
    assert names(context) == ["customers", "accounts", "payments"]
    assert [s.reason for s in context.tables][1:] == ["joins customers", "joins accounts"]
    assert not context.whole_schema
    assert len(context.left_out) == len(tables) - 3


def test_room_is_kept_for_the_tables_on_the_way_between_the_chosen_ones() -> None:
    tables = large_schema()
    by_name = {t.name: t for t in tables}
    found = [
        Scored(by_name["payments"], "words 1", 0.9),
        Scored(by_name["customers"], "words 2", 0.9),
    ]
    found += [Scored(t, "words 3", 0.85) for t in tables if t.name.startswith("filler")]
    context = assemble(Request("x"), material(*tables, tables=found), Limits(tokens=6000))
    reasons = {s.item.name: s.reason for s in context.tables}
    assert reasons["accounts"] == "on a join path"
    assert len(context.left_out) + len(context.tables) == len(tables)


def test_a_table_that_everything_joins_does_not_drag_everything_in() -> None:
    hub = table("hub", "hub_id")
    spokes = [table(f"spoke_{n}", "a_id", "hub_id", *"bcdefg", refers="hub") for n in range(500)]
    known = material(hub, *spokes, tables=[Scored(hub, "named in the question", 1.0)])
    context = assemble(Request("x"), known, Limits(whole_schema=1000))
    assert names(context) == ["hub"]


def test_mentioned_tables_always_go_in() -> None:
    known = material(*large_schema())
    context = assemble(
        Request("x", mentions=("filler_7", "customers.name", "nothing")),
        known,
        Limits(tokens=1200),
    )
    assert {"filler_7", "customers"} <= set(names(context))
    assert context.unknown_mentions == ("nothing",)


def test_tables_of_the_chosen_examples_go_in() -> None:
    known = material(
        *large_schema(),
        examples=[Scored(Example("who pays", "SELECT name FROM customers"), "words 1", 1.0)],
    )
    context = assemble(Request("x"), known, Limits(tokens=3000))
    assert "customers" in names(context)


def test_examples_that_do_not_fit_are_left_out_by_name() -> None:
    long = Example("long one", "SELECT " + ", ".join(f"c{n}" for n in range(5000)))
    known = material(
        table("t"), examples=[Scored(long, ""), Scored(Example("short", "SELECT 1"), "")]
    )
    context = assemble(Request("x"), known, Limits(tokens=2000))
    assert [s.item.question for s in context.examples] == ["short"]
    assert [(left.kind, left.name) for left in context.left_out] == [("example", "long one")]


def test_shrinking_drops_the_lowest_ranked_first_and_keeps_what_was_asked_for() -> None:
    known = material(*[table(f"t{n}") for n in range(30)])
    context = assemble(Request("x", mentions=("t29",)), known, Limits())
    smaller = shrunk(context, 2000, 1900)
    assert smaller is not None
    assert "t29" in names(smaller)
    assert len(smaller.tables) < 30
    assert all("1900 tokens" in left.reason for left in smaller.left_out)
    only = assemble(Request("x", mentions=("a",)), material(table("a")), Limits())
    assert shrunk(only, 2000, 10) is None


@pytest.mark.parametrize(
    ("mention", "expected"),
    [
        ("orders", ["orders", "orders"]),
        ("sales.orders", ["orders"]),
        ("ORDERS", ["orders", "orders"]),
        ("orders.name", ["orders", "orders"]),
        ("sales.orders.name", ["orders"]),
        ("orders.nothing", ["orders", "orders"]),
        ("orders的总额", ["orders", "orders"]),
        ("订单的金额", ["订单"]),
        ("ordersx", []),
        ("", []),
        ("...", []),
    ],
)
def test_a_mention_is_resolved_to_its_longest_known_beginning(
    mention: str, expected: list[str]
) -> None:
    schema = Schema((table("orders", schema="sales"), table("orders", schema="hr"), table("订单")))
    assert [found.name for found in resolve_mention(mention, schema)] == expected


def test_retrieval_looks_for_the_whole_chain() -> None:
    request = Request("by region", turns=(Turn("user", "revenue"), Turn("assistant", "SELECT 1")))
    assert request.search_text == "revenue\nby region"
