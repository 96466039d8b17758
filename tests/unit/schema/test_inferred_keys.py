"""Joins that names and types tell where no foreign key does."""

from __future__ import annotations

import pytest
from ddl_reading import schema

from sqlscribe.schema.inferred_keys import inferred_keys

CUSTOMERS = "CREATE TABLE customers (id int PRIMARY KEY, email text UNIQUE, name text);"


def check(ddl: str, *expected: str) -> None:
    found = [
        f"{table.qualified_name}.{key.columns[0]} -> "
        f"{'.'.join(filter(None, (key.to_schema, key.to_table, key.to_columns[0])))}"
        for table, key in inferred_keys(schema("postgres", ddl))
    ]
    assert found == list(expected)


@pytest.mark.parametrize(
    ("column", "target"),
    [
        ("customer_id int", "customers.id"),
        ("customer_id bigint", "customers.id"),
        ('"customerId" integer', "customers.id"),
        ("id_customer int", "customers.id"),
        ("paying_customer_id int", "customers.id"),
        ("fk_customer int", "customers.id"),
        # Another type, another name, or no name at all.
        ("customer_id text", ""),
        ("customer_id uuid", ""),
        ("customer int", ""),
        ("customer_name int", ""),
        ("id int", ""),
        ("parent_id int", ""),
        ("email text", ""),
    ],
)
def test_a_column_called_like_a_table_and_its_key_refers_to_it(column: str, target: str) -> None:
    name = column.partition(" ")[0].strip('"')
    expected = [f"orders.{name} -> {target}"] if target else []
    check(f"{CUSTOMERS} CREATE TABLE orders (no int, {column});", *expected)


@pytest.mark.parametrize(
    ("ddl", "expected"),
    [
        (
            "CREATE TABLE clients (cust_id int PRIMARY KEY); CREATE TABLE o (cust_id int);",
            ["o.cust_id -> clients.cust_id"],
        ),
        (
            "CREATE TABLE tbl_city (city_code text PRIMARY KEY); CREATE TABLE o (city_code text);",
            ["o.city_code -> tbl_city.city_code"],
        ),
        (
            "CREATE TABLE categories (id int PRIMARY KEY);"
            " CREATE TABLE p (a int, category_id int, PRIMARY KEY (a, category_id));",
            ["p.category_id -> categories.id"],
        ),
        # No key is declared there, but what is called like one is one.
        (
            "CREATE TABLE customers (id int); CREATE TABLE o (customer_id int);",
            ["o.customer_id -> customers.id"],
        ),
        (
            "CREATE TABLE users (user_id text, name text); CREATE TABLE tip (user_id text);",
            ["tip.user_id -> users.user_id"],
        ),
        # A key that is called by the first letters of its table.
        (
            "CREATE TABLE users (uid int PRIMARY KEY); CREATE TABLE o (user_id int, uid2 int);",
            ["o.user_id -> users.uid"],
        ),
        (
            "CREATE TABLE topic (tid int); CREATE TABLE topic_word (tid int, wid int);"
            " CREATE TABLE word (wid int, word text);",
            ["topic_word.tid -> topic.tid", "topic_word.wid -> word.wid"],
        ),
        # It could be that of two tables, or of none.
        (
            "CREATE TABLE topic (tid int); CREATE TABLE track (tid int); CREATE TABLE o (tid int);",
            [],
        ),
        ("CREATE TABLE a (xid int); CREATE TABLE b (xid int);", []),
        # Another key is declared there, or a key of two columns.
        ("CREATE TABLE customers (id int, n int UNIQUE); CREATE TABLE o (customer_id int);", []),
        (
            "CREATE TABLE customers (id int, n int, PRIMARY KEY (id, n));"
            " CREATE TABLE o (customer_id int);",
            [],
        ),
        # It is the key of its own table.
        ("CREATE TABLE customers (customer_id int PRIMARY KEY);", []),
        # A longer name that is a table's own, though that table has no key.
        (
            "CREATE TABLE address (id int PRIMARY KEY); CREATE TABLE email_address (x int);"
            " CREATE TABLE p (email_address_id int);",
            [],
        ),
        # Two tables of that name; one in the table's own schema.
        (
            "CREATE TABLE a.users (id int PRIMARY KEY); CREATE TABLE b.users (id int PRIMARY KEY);"
            " CREATE TABLE c.o (user_id int); CREATE TABLE a.o (user_id int);",
            ["a.o.user_id -> a.users.id"],
        ),
    ],
)
def test_only_what_can_mean_one_key_is_inferred(ddl: str, expected: list[str]) -> None:
    check(ddl, *expected)


def test_what_is_declared_is_not_inferred_again() -> None:
    check(f"{CUSTOMERS} CREATE TABLE orders (customer_id int REFERENCES customers (id));")


def test_odd_names_are_no_trouble() -> None:
    check('CREATE TABLE "_" (id int PRIMARY KEY); CREATE TABLE "1" ("__id" int, "_" int);')
    check('CREATE TABLE "客户" (id int PRIMARY KEY); CREATE TABLE o ("客户_id" int);')
