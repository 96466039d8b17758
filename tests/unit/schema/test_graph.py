import pytest
from ddl_reading import schema

from sqlscribe.schema.graph import join_path_tables, joins, joins_of
from sqlscribe.schema.model import Column, ForeignKey, Schema, Table


def shop(edges: str) -> Schema:
    """``a-b b-c``: tables in order of appearance, each left one refers to the right one."""
    pairs = [tuple(edge.split("-")) for edge in edges.split()]
    names = dict.fromkeys(name for pair in pairs for name in pair)
    return Schema(
        tuple(
            Table(
                name,
                (Column("id"),),
                primary_key=("id",),
                foreign_keys=tuple(
                    ForeignKey((f"{to}_id",), to) for from_, to in pairs if from_ == name
                ),
            )
            for name in names
        )
    )


def path(found: Schema, *chosen: str) -> list[str]:
    tables = [found.named(name)[0] for name in chosen]
    return [table.name for table in join_path_tables(found, tables)]


def test_joins_from_foreign_keys() -> None:
    found = schema(
        "postgres",
        """CREATE TABLE s.customer (id int PRIMARY KEY); CREATE TABLE hr.customer (id int);
        CREATE TABLE s.orders (id int, c int REFERENCES customer, n int REFERENCES nowhere,
          x int, y int, FOREIGN KEY (x, y) REFERENCES pair, boss int REFERENCES s.orders (id));
        CREATE TABLE pair (p int, q int, PRIMARY KEY (p, q));
        CREATE TABLE wrong (a int REFERENCES pair);""",
    )
    assert [(join.left.name, join.right.qualified_name, join.pairs) for join in joins(found)] == [
        ("orders", "s.customer", (("c", "id"),)),
        ("orders", "pair", (("x", "p"), ("y", "q"))),
        ("orders", "s.orders", (("boss", "id"),)),
    ]


def test_joins_of_a_table_in_both_directions() -> None:
    found = shop("orders-customer item-orders item-product orders-orders")
    orders = found.named("orders")[0]
    assert [join.other(orders).name for join in joins_of(found, orders)] == [
        "customer",
        "orders",
        "item",
    ]


@pytest.mark.parametrize(
    ("edges", "chosen", "extra"),
    [
        ("a-b b-c", ["a", "c"], ["b"]),
        ("a-b c-b", ["c", "a"], ["b"]),
        ("a-b", ["a", "b"], []),
        ("a-b b-c c-d a-d", ["a", "c"], ["b"]),
        ("a-b b-c c-d d-e", ["a", "c", "e"], ["b", "d"]),
        ("a-hub b-hub c-hub", ["a", "b", "c"], ["hub"]),
        ("a-b c-d", ["a", "c"], []),
        ("a-b b-c x-y y-z", ["a", "x", "c", "z"], ["b", "y"]),
        ("a-a a-b", ["a"], []),
        ("a-b", [], []),
    ],
)
def test_tables_on_the_way(edges: str, chosen: list[str], extra: list[str]) -> None:
    assert path(shop(edges), *chosen) == extra


def test_tables_on_the_way_do_not_depend_on_repetition() -> None:
    found = shop("a-b b-c")
    assert path(found, "a", "c", "a", "c") == path(found, "a", "c")


def test_a_long_chain_of_tables() -> None:
    found = shop(" ".join(f"t{n}-t{n + 1}" for n in range(5000)))
    assert len(path(found, "t0", "t5000")) == 4999


def test_joins_that_names_suggest_come_behind_the_declared_ones_and_say_so() -> None:
    text = (
        "CREATE TABLE customers (id int PRIMARY KEY);\n"
        "CREATE TABLE orders (id int PRIMARY KEY, customer_id int);\n"
        "CREATE TABLE order_lines (order_id int REFERENCES orders (id));\n"
    )
    found = joins(schema("postgres", text))
    assert [(join.left.name, join.right.name, join.is_inferred) for join in found] == [
        ("order_lines", "orders", False),
        ("orders", "customers", True),
    ]
