"""Types with columns, and tables made of them."""

import pytest
from ddl_reading import lines, schema, table

_ADDR = 'CREATE TYPE addr AS (street text, "Zip" varchar(9));'


def check(dialect: str, text: str, *expected: str) -> None:
    assert lines(schema(dialect, text)) == list(expected)


@pytest.mark.parametrize(
    ("dialect", "text", "expected"),
    [
        ("postgres", f"{_ADDR} CREATE TABLE t OF addr", "t(street text, Zip varchar(9))"),
        (
            "postgres",
            f"{_ADDR} CREATE TABLE t OF addr (PRIMARY KEY (street))",
            "t(street text!, Zip varchar(9))",
        ),
        (
            "postgres",
            f"{_ADDR} ALTER TYPE addr ADD ATTRIBUTE city text, DROP ATTRIBUTE street CASCADE;"
            ' ALTER TYPE addr RENAME ATTRIBUTE "Zip" TO zip; CREATE TABLE t OF addr',
            "t(zip varchar(9), city text)",
        ),
        (
            "oracle",
            "CREATE TYPE addr AS OBJECT (street VARCHAR2(9), MEMBER FUNCTION f RETURN NUMBER);\n"
            "/\nCREATE TABLE t OF addr (street NOT NULL)",
            "t(street VARCHAR2(9))",
        ),
        ("oracle", "CREATE TABLE t OF XMLTYPE", "t() ?"),
    ],
)
def test_a_table_of_a_type_has_its_columns(dialect: str, text: str, expected: str) -> None:
    check(dialect, text, expected)


def test_fields_of_a_composite_type_follow_its_changes() -> None:
    text = f"{_ADDR} ALTER TYPE addr ADD ATTRIBUTE city text; CREATE TABLE t (home addr)"
    assert table("postgres", text).columns[0].fields == ("street", "Zip", "city")


def test_an_enum_that_is_replaced_keeps_its_columns() -> None:
    found = table(
        "postgres",
        """CREATE TYPE "Role" AS ENUM ('user');
        CREATE TABLE t (r "Role", many "Role"[]);
        CREATE TYPE "Role_new" AS ENUM ('user', 'owner');
        ALTER TABLE t ALTER COLUMN r TYPE "Role_new" USING (r::text::"Role_new");
        ALTER TYPE "Role" RENAME TO "Role_old";
        ALTER TYPE "Role_new" RENAME TO "Role";
        DROP TYPE "Role_old";""",
    )
    assert [(column.type, column.values) for column in found.columns] == [
        ('"Role"', ("user", "owner")),
        ('"Role_old"[]', ()),
    ]
