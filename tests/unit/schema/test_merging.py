"""One schema from several sources."""

from pathlib import Path

from sqlscribe.schema.merging import merged
from sqlscribe.schema.model import Column, ForeignKey, Schema, Table


def table(name: str, *columns: str | Column, **more: object) -> Table:
    made = tuple(c if isinstance(c, Column) else Column(c) for c in columns)
    return Table(name, made, **more)  # type: ignore[arg-type]


def names(schema: Schema) -> dict[str, list[str]]:
    return {t.qualified_name: [c.name for c in t.columns] for t in schema.tables}


def test_tables_of_all_sources_in_their_order() -> None:
    one = Schema((table("a", "x"), table("b", "y")), frozenset({"f"}))
    two = Schema((table("c", "z"),), frozenset({"g"}))
    found = merged([one, two])
    assert names(found) == {"a": ["x"], "b": ["y"], "c": ["z"]}
    assert found.functions == {"f", "g"}


def test_the_first_source_says_what_a_table_is() -> None:
    script = table("orders", "id", "total", file=Path("a.sql"), line=3)
    live = table("Orders", "id", "amount", schema="public")
    [found] = merged([Schema((script,)), Schema((live,))]).tables
    assert [column.name for column in found.columns] == ["id", "total"]
    assert (found.name, found.schema, found.file, found.line) == (
        "orders",
        "public",
        Path("a.sql"),
        3,
    )


def test_later_sources_fill_in_what_is_open() -> None:
    script = table("orders", Column("status", "text"), "id")
    documented = table(
        "orders",
        Column("STATUS", "varchar", False, "where it is", values=("open", "paid")),
        Column("id", "int"),
        comment="one row per order",
        primary_key=("id",),
        foreign_keys=(ForeignKey(("id",), "other"),),
        unique=(("id",),),
    )
    [found] = merged([Schema((script,)), Schema((documented,))]).tables
    status, number = found.columns
    assert status == Column("status", "text", False, "where it is", values=("open", "paid"))
    assert number.type == "int"
    assert (found.comment, found.primary_key, found.unique) == (
        "one row per order",
        ("id",),
        (("id",),),
    )
    assert found.foreign_keys == documented.foreign_keys


def test_a_half_known_table_is_completed_by_one_that_is_known() -> None:
    half = table("orders", "id", partly_understood=True)
    [found] = merged([Schema((half,)), Schema((table("orders", "ID", "total"),))]).tables
    assert ([c.name for c in found.columns], found.partly_understood) == (["id", "total"], False)
    [still] = merged(
        [Schema((half,)), Schema((half, table("orders", "x", partly_understood=True)))]
    ).tables
    assert ([c.name for c in still.columns], still.partly_understood) == (["id", "x"], True)


def test_tables_of_one_name_in_two_schemas_stay_two() -> None:
    sales, hr = table("account", "a", schema="sales"), table("account", "b", schema="hr")
    assert len(merged([Schema((sales,)), Schema((hr,))]).tables) == 2


def test_tables_that_one_source_tells_apart_stay_apart() -> None:
    upper, lower = table("T", "a", quoted=True), table("t", "b")
    assert merged([Schema((upper, lower))]).tables == (upper, lower)
    assert merged([]).tables == ()
