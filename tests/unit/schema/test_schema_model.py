import pytest

from sqlscribe.schema.model import Column, Schema, Table

_SCHEMA = Schema(
    (
        Table("account", (Column("Id"), Column("id")), schema="acme.sales"),
        Table("Account", (Column("login"),), schema="hr"),
        Table("plain", (Column("x"),)),
    )
)


@pytest.mark.parametrize(
    ("name", "schema", "expected"),
    [
        ("ACCOUNT", "", ["acme.sales.account", "hr.Account"]),
        ("account", "sales", ["acme.sales.account"]),
        ("account", "Acme.Sales", ["acme.sales.account"]),
        ("account", "other.acme.sales", ["acme.sales.account"]),
        ("account", "acme", []),
        ("account", "HR", ["hr.Account"]),
        ("plain", "any", ["plain"]),
        ("nothing", "", []),
    ],
)
def test_tables_are_found_by_any_form_of_their_name(
    name: str, schema: str, expected: list[str]
) -> None:
    assert [table.qualified_name for table in _SCHEMA.named(name, schema)] == expected


def test_columns_are_found_in_any_letter_case_and_exactly_first() -> None:
    account = _SCHEMA.tables[0]
    assert account.column("id") is account.columns[1]
    assert account.column("Id") is account.columns[0]
    assert account.column("ID") is account.columns[0]
    assert account.column("no") is None
