"""The terms by which texts are compared."""

from __future__ import annotations

import time

import pytest

from sqlscribe.knowledge import terms


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("order_items", ["orderitems", "order", "items"]),
        ("orderItems", ["orderitems", "order", "items"]),
        ("HTTPServer", ["http", "server"]),
        ("XmlOrder_Id", ["xmlorderid", "xml", "order", "id"]),
        ("2nd order", ["2nd", "order"]),
        ("_order__items_", ["orderitems", "order", "items"]),
    ],
)
def test_an_identifier_is_found_whole_and_by_its_parts(text: str, expected: list[str]) -> None:
    assert terms.words(text) == expected


@pytest.mark.parametrize("piece", ["x", "aB", "a_", "X", "_", "9", "é", "订"])
def test_a_long_run_of_letters_takes_no_time(piece: str) -> None:
    start = time.perf_counter()
    terms.words(piece * 100_000)
    assert time.perf_counter() - start < 1
