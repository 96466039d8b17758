"""Where the names of a statement lead, by their places."""

import gc
import weakref

import pytest

from navigating import SHOP
from sqlscribe.checking.names.places import places
from sqlscribe.schema.model import Column, Schema, Table


def columns(sql: str, dialect: str = "postgres") -> list[str]:
    """The columns that are bound, with the word that stands at each place."""
    bound = places(sql, SHOP, dialect).bound
    return [
        f"{sql[start:].split(' ')[0].rstrip(',;)')} {known.table.name}.{known.column.name}"
        for start, known in sorted(bound.items())
        if known.table is not None and known.column is not None
    ]


@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        ("SELECT o.total FROM orders o", ["total orders.total"]),
        ("WITH r AS (SELECT total AS t FROM orders) SELECT t FROM r",
         ["total orders.total", "t orders.total"]),
        ("CREATE VIEW v AS SELECT city FROM customers", ["city customers.city"]),
        ("CREATE FUNCTION f() RETURNS int LANGUAGE sql AS $$ SELECT total FROM orders $$",
         ["total orders.total"]),
        ("SELECT nothing FROM orders", []),
        ("SELECT total FROM orders WHERE (", []),
        ("", []),
    ],
)  # fmt: skip
def test_columns_by_their_places(sql: str, expected: list[str]) -> None:
    assert columns(sql) == expected


def test_what_is_lost_unsure_or_unread_is_counted() -> None:
    assert places("SELECT nothing FROM orders", SHOP, "postgres").lost == 1
    half = Schema((Table("half", (Column("a"),), partly_understood=True),))
    assert places("SELECT b FROM half", half, "postgres").unsure["b"] == 1
    assert not places("SELECT total FROM orders WHERE (", SHOP, "postgres").complete
    assert places("SELECT total FROM orders", SHOP, "postgres").complete


def test_tables_of_the_script_are_known() -> None:
    recent = Table("recent", (Column("t"),))
    found = places("SELECT t FROM recent", SHOP, "postgres", (recent,)).bound
    assert [known.table for known in found.values()] == [recent]


@pytest.mark.parametrize("sql", ["(" * 50_000, "SELECT (" * 5_000, "SELECT '", "\0", "\ud800"])
def test_nothing_raises(sql: str) -> None:
    places(sql, SHOP, "postgres")


def test_what_was_followed_in_a_schema_does_not_keep_it() -> None:
    gone = Schema((Table("orders", (Column("total"),)),))
    reference = weakref.ref(gone)
    assert places("SELECT total FROM orders", gone, "postgres").bound
    del gone
    for number in range(10):
        places("SELECT a FROM t", Schema((Table("t", (Column(f"a{number}"),)),)), "postgres")
    gc.collect()
    assert reference() is None
