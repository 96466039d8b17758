"""A schema written as DDL is the same schema when it is read again."""

from dataclasses import replace

import ddl_reading as reading
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sqlscribe.schema.model import Column, ForeignKey, Schema, Table
from sqlscribe.schema.writing import create_statements

DIALECTS = (
    "postgres", "sqlite", "mysql", "duckdb", "tsql", "oracle", "snowflake", "bigquery",
    "spark", "clickhouse", "redshift",
)  # fmt: skip


def check(schema: Schema, dialect: str) -> str:
    """The script, once it has been seen to say the same as ``schema``."""
    text = create_statements(schema, dialect)
    assert plain(reading.schema(dialect, text)) == plain(schema), text
    return text


def plain(schema: Schema) -> list[Table]:
    """Tables without what a script cannot keep: its own place, and quotes that nobody needs."""
    return [
        replace(
            table,
            file=None,
            line=0,
            quoted=False,
            columns=tuple(replace(column, quoted=False) for column in table.columns),
        )
        for table in schema.tables
    ]


CUSTOMERS = Table(
    "customers",
    (
        Column("id", "integer", nullable=False),
        Column("name", "varchar(40)", nullable=False, comment="First and last, o'clock"),
        Column("tier", "char(1)", values=("A", "it's")),
    ),
    schema="shop",
    primary_key=("id",),
    unique=(("name", "tier"),),
    comment="People who buy",
)
ORDERS = Table(
    "orders",
    (
        Column("id", "integer", nullable=False),
        Column("day", "date", nullable=False),
        Column("customer_id", "integer"),
    ),
    schema="shop",
    primary_key=("id", "day"),
    foreign_keys=(ForeignKey(("customer_id",), "customers", "shop", ("id",)),),
)
LATE = Table(
    "late",
    (Column("day", "DATE", comment="Of the order"), Column("note")),
    schema="shop",
    comment="Orders that are late",
    kind="view",
)


# In ClickHouse a column is NOT NULL unless its type says otherwise.
@pytest.mark.parametrize("dialect", [each for each in DIALECTS if each != "clickhouse"])
def test_keys_values_comments_and_views_survive(dialect: str) -> None:
    check(Schema((CUSTOMERS, ORDERS, LATE)), dialect)


@pytest.mark.parametrize(
    ("dialect", "wanted"),
    [
        ("postgres", "COMMENT ON COLUMN shop.customers.name IS 'First and last, o''clock';"),
        ("mysql", "name varchar(40) NOT NULL COMMENT 'First and last, o''clock',"),
        ("bigquery", r"OPTIONS (description='First and last, o\'clock')"),
        ("sqlite", "  -- First and last, o'clock\n  name varchar(40) NOT NULL,"),
        ("tsql", "EXEC sp_addextendedproperty @name = N'MS_Description', @value = 'First"),
    ],
)
def test_a_comment_is_written_in_the_dialects_way(dialect: str, wanted: str) -> None:
    assert wanted in create_statements(Schema((CUSTOMERS,)), dialect)


@pytest.mark.parametrize(
    ("dialect", "name", "quoted", "written"),
    [
        ("postgres", "Order Lines", True, '"Order Lines"'),
        ("postgres", "Orders", True, '"Orders"'),
        ("postgres", "Orders", False, "Orders"),
        ("postgres", "window", False, '"window"'),
        ("mysql", "order", False, "`order`"),
        ("tsql", "order", False, "[order]"),
        ("oracle", "level", False, '"LEVEL"'),
    ],
)
def test_names_are_quoted_where_they_must_be(
    dialect: str, name: str, quoted: bool, written: str
) -> None:
    table = Table(name, (Column("id", "integer"),), quoted=quoted)
    text = create_statements(Schema((table,)), dialect)
    assert text.startswith(f"CREATE TABLE {written} (")


def test_a_key_refers_to_a_quoted_table_by_its_quoted_name() -> None:
    target = Table("Orders", (Column("Id", "integer", quoted=True),), quoted=True)
    lines = Table(
        "lines",
        (Column("order_id", "integer"),),
        foreign_keys=(ForeignKey(("order_id",), "Orders", "", ("Id",)),),
    )
    text = check(Schema((target, lines)), "postgres")
    assert 'REFERENCES "Orders" ("Id")' in text


def test_a_virtual_table_stays_one_that_may_have_more_columns() -> None:
    table = Table("notes", (Column("title"), Column("body")), partly_understood=True)
    assert "CREATE VIRTUAL TABLE notes" in check(Schema((table,)), "sqlite")


def test_an_empty_schema_is_an_empty_script() -> None:
    assert create_statements(Schema(), "postgres") == ""


def test_a_line_end_in_a_comment_does_not_end_the_comment() -> None:
    table = Table("t", (Column("a", "integer", comment="first\nCREATE TABLE u (b int);"),))
    for dialect in DIALECTS:
        text = create_statements(Schema((table,)), dialect)
        assert [found.name for found in reading.schema(dialect, text).tables] == ["t"]


NAMES = st.text(
    st.characters(
        categories=("Ll", "Lu", "Lo", "Nd"), include_characters="_ -.'$#", max_codepoint=0x2FFF
    ),
    min_size=1,
    max_size=12,
).filter(lambda name: name.strip() == name)
# Three quotes in a row begin a string of another kind in some dialects.
WORDS = st.text(st.characters(categories=("L", "N", "P")), max_size=12).filter(
    lambda word: not word.startswith("'")
)


@settings(max_examples=100, deadline=None)
@given(
    dialect=st.sampled_from(("postgres", "sqlite", "mysql", "duckdb", "snowflake")),
    table=NAMES,
    columns=st.lists(NAMES, min_size=1, max_size=4, unique_by=str.casefold),
    values=st.lists(WORDS, max_size=3, unique=True),
)
def test_any_name_and_any_value_survive(
    dialect: str, table: str, columns: list[str], values: list[str]
) -> None:
    first, *rest = columns
    written = Table(
        table,
        (
            Column(first, "text", quoted=True, values=tuple(values)),
            *(Column(name, "integer", quoted=True) for name in rest),
        ),
        quoted=True,
    )
    check(Schema((written,)), dialect)
