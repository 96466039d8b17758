"""Which tables are not the same in two states of a schema."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from sqlscribe.schema.differences import changed_tables
from sqlscribe.schema.model import Column, ForeignKey, Schema, Table

ORDERS = Table("orders", (Column("order_id"), Column("total", "numeric")), "sales")
REGIONS = Table("regions", (Column("name"),))
BEFORE = Schema((ORDERS, REGIONS))


@pytest.mark.parametrize(
    ("now", "changed"),
    [
        ((ORDERS, REGIONS), set()),
        ((REGIONS, ORDERS), set()),
        ((replace(ORDERS, line=7, file=Path("/other.sql")), REGIONS), set()),
        ((replace(ORDERS, columns=ORDERS.columns[:1]), REGIONS), {"orders"}),
        ((replace(ORDERS, comment="one a day"), REGIONS), {"orders"}),
        ((ORDERS, replace(REGIONS, foreign_keys=(ForeignKey(("name",), "orders"),))), {"regions"}),
        ((ORDERS,), {"regions"}),
        ((ORDERS, REGIONS, REGIONS), {"regions"}),
        ((replace(ORDERS, schema="old"), REGIONS), {"orders"}),
        ((ORDERS, REGIONS, Table("cities", ())), {"cities"}),
        ((), {"orders", "regions"}),
    ],
)
def test_a_table_is_changed_by_what_it_means_and_not_by_its_place(
    now: tuple[Table, ...], changed: set[str]
) -> None:
    assert changed_tables(BEFORE, Schema(now)) == changed


def test_other_functions_may_change_everything() -> None:
    assert changed_tables(BEFORE, Schema(BEFORE.tables, frozenset({"f"}))) is None
