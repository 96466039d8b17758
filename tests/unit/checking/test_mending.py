"""Wrong names put right without asking again, and what is left as it is."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sqlscribe.checking.check import check
from sqlscribe.checking.mending import mended
from sqlscribe.notation.document import Document
from sqlscribe.notation.findings import Severity
from sqlscribe.schema import ddl

CLINIC = ddl.replay(
    [
        ddl.read(
            Document(
                "schema.sql",
                """
CREATE TABLE owners (owner_id int PRIMARY KEY, name text, city text);
CREATE TABLE pets (pet_id int PRIMARY KEY, kind text, weight int);
CREATE TABLE owner_pet (owner_id int REFERENCES owners, pet_id int REFERENCES pets);
CREATE TABLE visits (visit_id int PRIMARY KEY, pet_id int REFERENCES pets, cost int,
                     seen_by int REFERENCES vets, paid_by int REFERENCES owners);
CREATE TABLE vets (vet_id int PRIMARY KEY, surname text);
CREATE TABLE suppliers (phone text);
CREATE TABLE transfers (price int, old int REFERENCES owners, new int REFERENCES owners);
CREATE TABLE samples (sample_id int PRIMARY KEY);
CREATE TABLE atoms (atom_id int PRIMARY KEY, element text, sample_id int REFERENCES samples);
CREATE TABLE bonds (bond_id int PRIMARY KEY, strength int, sample_id int REFERENCES samples);
CREATE TABLE ends (bond_id int REFERENCES bonds, atom_id int REFERENCES atoms,
                   other_id int REFERENCES atoms);
""",
            ),
            Path("schema.sql"),
            "sqlite",
        )
    ]
)


@pytest.mark.parametrize(
    ("sql", "right", "change"),
    [
        (
            "SELECT o.kind FROM owner_pet AS o JOIN pets AS p ON o.pet_id = p.pet_id",
            "SELECT p.kind FROM owner_pet AS o JOIN pets AS p ON o.pet_id = p.pet_id",
            "o.kind is now p.kind",
        ),
        # The key is called otherwise on this side; another qualifier would compare it with itself.
        (
            "SELECT o.name FROM visits AS v JOIN owners AS o ON v.owner_id = o.owner_id",
            "SELECT o.name FROM visits AS v JOIN owners AS o ON v.paid_by = o.owner_id",
            "owner_id is now paid_by",
        ),
        (
            "SELECT surname FROM vets AS t JOIN visits AS v ON t.seen_by = v.seen_by",
            "SELECT surname FROM vets AS t JOIN visits AS v ON t.vet_id = v.seen_by",
            "seen_by is now vet_id",
        ),
        (
            "SELECT sum(cost) FROM visits WHERE vets.surname = 'Li' GROUP BY pet_id",
            "SELECT sum(cost) FROM visits JOIN vets ON visits.seen_by = vets.vet_id"
            " WHERE vets.surname = 'Li' GROUP BY pet_id",
            "vets is now joined",
        ),
        (
            "SELECT v.cost FROM visits AS v WHERE v.kind = 'dog'",
            "SELECT v.cost FROM visits AS v JOIN pets ON v.pet_id = pets.pet_id"
            " WHERE pets.kind = 'dog'",
            "pets is now joined",
        ),
        # Of the visits, and not of the vets: those that nobody saw are no visits of theirs.
        (
            "SELECT seen_by, count(*) FROM vets GROUP BY seen_by",
            "SELECT seen_by, count(*) FROM vets JOIN visits ON vets.vet_id = visits.seen_by"
            " GROUP BY seen_by",
            "visits is now joined",
        ),
        (
            "SELECT sum(weight) / 2.0 AS half;",
            "SELECT sum(weight) / 2.0 AS half FROM pets;",
            "pets is now read",
        ),
        # Over a table between.
        (
            "SELECT surname FROM pets WHERE kind = 'dog'",
            "SELECT surname FROM pets JOIN visits ON pets.pet_id = visits.pet_id"
            " JOIN vets ON visits.seen_by = vets.vet_id WHERE kind = 'dog'",
            "vets is now joined",
        ),
        # By the table that is made for it, and by the plain one of two keys.
        (
            "SELECT element FROM bonds WHERE strength = 2",
            "SELECT element FROM bonds JOIN ends ON bonds.bond_id = ends.bond_id"
            " JOIN atoms ON ends.atom_id = atoms.atom_id WHERE strength = 2",
            "atoms is now joined",
        ),
        # The innermost query is the one that lacks it.
        (
            "SELECT name FROM owners WHERE owner_id IN"
            " (SELECT paid_by FROM visits WHERE surname = 'Li') ORDER BY name",
            "SELECT name FROM owners WHERE owner_id IN"
            " (SELECT paid_by FROM visits JOIN vets ON visits.seen_by = vets.vet_id"
            " WHERE surname = 'Li') ORDER BY name",
            "vets is now joined",
        ),
    ],
)
def test_a_wrong_name_is_put_right_where_one_thing_was_meant(
    sql: str, right: str, change: str
) -> None:
    found = mended(sql, CLINIC, "sqlite")
    assert found is not None
    assert (found.sql, found.changes) == (right, (change,))


@pytest.mark.parametrize(
    "sql",
    [
        # Nothing is wrong.
        "SELECT name FROM owners",
        # Nothing like it is there.
        "SELECT blood_pressure FROM pets",
        "SELECT * FROM appointments",
        # The other side of the comparison would be compared with itself.
        "SELECT p.kind FROM pets AS p JOIN vets AS v ON p.pet_id = v.pet_id",
        # No key leads there, or two ways do.
        "SELECT name FROM owners WHERE phone = '1'",
        "SELECT city FROM transfers WHERE price > 3",
        # Another spelling is for a person to decide.
        "SELECT wieght FROM pets",
        "SELECT wieght, blood_pressure FROM pets",
        "SELECT name FROM",
        # Two keys may be meant, or none: the names are not those of a join.
        "SELECT o.name FROM transfers AS t JOIN owners AS o ON t.owner_id = o.owner_id",
        "SELECT v.vet_id FROM visits AS v WHERE v.vet_id = 3",
    ],
)
def test_the_rest_is_left_as_it_is(sql: str) -> None:
    assert mended(sql, CLINIC, "sqlite") is None


STORE = ddl.replay(
    [
        ddl.read(
            Document(
                "store.sql",
                """
CREATE TABLE clients (id int PRIMARY KEY, name text, city text, created_at timestamp,
                      brought_by int REFERENCES clients (id));
CREATE TABLE orders (order_id int PRIMARY KEY, client_id int REFERENCES clients (id), total int,
                     placed_at timestamp, status text, good_id int REFERENCES goods (good_id));
CREATE TABLE items (item_id int PRIMARY KEY, order_id int REFERENCES orders (order_id),
                    sku text, unit_price int);
CREATE TABLE goods (good_id int PRIMARY KEY, title text, weight int, price int,
                    kind_id int NOT NULL REFERENCES kinds (kind_id));
CREATE TABLE kinds (kind_id int PRIMARY KEY, label text);
CREATE TABLE workers (worker_id int PRIMARY KEY, surname text, pay int,
                      boss_id int REFERENCES workers (worker_id), team_id int REFERENCES teams);
CREATE TABLE teams (team_id int PRIMARY KEY, motto text, head_id int REFERENCES workers);
""",
            ),
            Path("store.sql"),
            "postgres",
        )
    ]
)
_CO = "FROM clients c LEFT JOIN orders o ON o.client_id = c.id"
_OC = "FROM orders o JOIN clients c ON o.client_id = c.id"
_OI = "FROM orders o JOIN items i ON i.order_id = o.order_id"


@pytest.mark.parametrize(
    "sql",
    [
        # Amounts and rows would be counted once for each row of what is joined.
        "SELECT sum(total) FROM orders WHERE items.sku = 'x'",
        "SELECT count(*) FROM clients WHERE total > 100",
        "SELECT city, count(*) FROM clients WHERE total > 100 GROUP BY city",
        "SELECT sum(total) / count(*) FROM clients",
        "SELECT total, row_number() OVER (ORDER BY total) FROM orders WHERE sku = 'x'",
        f"SELECT sum(i.total) {_OI}",
        "SELECT avg(o.weight) FROM orders o JOIN goods g ON o.good_id = g.good_id",
        "SELECT name, (SELECT sum(total) FROM orders o WHERE o.client_id = c.id AND sku = 'x')"
        " FROM clients c",
        # Clients would be listed once for each order, and those in two orders before the third.
        "SELECT name FROM clients WHERE total > 100",
        "SELECT name FROM clients ORDER BY total DESC LIMIT 5",
        # Those without a row on the other side were meant, too, or they alone.
        "SELECT name FROM clients WHERE orders.order_id IS NULL",
        "SELECT DISTINCT name FROM clients WHERE status <> 'open'",
        "SELECT DISTINCT name FROM clients WHERE NOT (status = 'open' AND total > 3)",
        "SELECT total FROM orders WHERE status = 'open' OR city = 'Oslo'",
        "SELECT name, coalesce(sum(total), 0) FROM clients GROUP BY name",
        f"SELECT c.name, title {_CO}",
        f"SELECT c.name {_CO} WHERE goods.title = 'x'",
        # A star shows what is joined.
        "SELECT * FROM orders WHERE city = 'Oslo'",
        # The row of the query around may be meant.
        "SELECT name FROM clients c WHERE EXISTS (SELECT 1 FROM orders o WHERE o.client_id = o.id)",
        "SELECT name FROM clients c WHERE EXISTS (SELECT 1 FROM orders o WHERE o.city = 'Oslo')",
        "SELECT name FROM clients c WHERE id IN"
        " (SELECT client_id FROM orders o WHERE c.weight > 3)",
        # Which of the two is it?
        "SELECT a.surname FROM workers a JOIN workers b ON a.boss_id = b.worker_id"
        " WHERE motto = 'x'",
        "SELECT surname FROM teams",
        # The head's own row, or those of who has a head.
        "SELECT surname FROM workers WHERE head_id = 4",
        "SELECT count(head_id) FROM workers",
        # The table has a column of its own that may be meant.
        f"SELECT o.id, c.name {_OC}",
        f"SELECT o.total {_OC} WHERE o.created_at >= '2024-01-01'",
        "SELECT i.price FROM items i JOIN orders o USING (order_id) JOIN goods g"
        " ON g.good_id = o.good_id",
        # What compared two tables would compare one with itself.
        "SELECT o.total FROM orders o JOIN clients c ON o.city = c.id",
        f"SELECT o.total {_OC} WHERE o.name > c.city",
        f"SELECT c.total - o.total {_OC}",
        # There it narrows nothing.
        f"{'SELECT c.name ' + _CO} AND o.city = 'Oslo'",
    ],
)
def test_nothing_is_put_right_that_would_change_what_is_meant(sql: str) -> None:
    assert check(sql, STORE, "postgres").findings
    assert mended(sql, STORE, "postgres") is None


@pytest.mark.parametrize(
    ("sql", "added"),
    [
        ("SELECT sum(total) FROM orders WHERE city = 'Oslo'", "clients"),
        ("SELECT name, sum(total) FROM clients GROUP BY name", "orders"),
        ("SELECT max(total) FROM orders WHERE sku = 'x'", "items"),
        ("SELECT DISTINCT name FROM clients WHERE total > 100", "orders"),
        ("SELECT name FROM clients ORDER BY total DESC LIMIT 1", "orders"),
        ("SELECT name, total FROM clients ORDER BY total DESC LIMIT 5", "orders"),
        ("SELECT count(DISTINCT client_id) FROM orders WHERE sku = 'x'", "items"),
        ("SELECT sku, count(*) FROM orders GROUP BY sku", "items"),
        ("SELECT city FROM clients WHERE id IN (SELECT client_id FROM orders WHERE sku = 'x')",
         "items"),
        ("SELECT title FROM goods WHERE title = 'x' OR label = 'y'", "kinds"),
        ("SELECT total FROM orders WHERE city = 'Oslo' OR city = 'Bonn'", "clients"),
        ("SELECT total FROM orders WHERE city IS NOT NULL", "clients"),
        ("WITH big AS (SELECT order_id, name FROM orders) SELECT big.name FROM big"
         " JOIN clients ON clients.name = big.name", "clients"),
    ],
)  # fmt: skip
def test_a_join_that_adds_or_loses_no_row_of_what_is_asked_is_added(sql: str, added: str) -> None:
    found = mended(sql, STORE, "postgres")
    assert found is not None
    assert found.changes == (f"{added} is now joined",)


def test_of_two_uses_of_a_table_the_named_one_is_joined() -> None:
    sql = "SELECT b.motto FROM workers a JOIN workers b ON a.boss_id = b.worker_id"
    assert mended(sql, STORE, "postgres") is None, "who heads a team is in it, too"
    same = "SELECT t.city FROM orders t JOIN orders u ON t.good_id = u.good_id"
    joined = mended(same, STORE, "postgres")
    assert joined is not None
    assert joined.sql.endswith("JOIN clients ON t.client_id = clients.id")


SHOP = ddl.replay(
    [
        ddl.read(
            Document(
                "shop.sql",
                """
CREATE TABLE shop.buyers (id int PRIMARY KEY, name text);
CREATE TABLE shop.orders (id int PRIMARY KEY, buyer_id int REFERENCES shop.buyers (id));
CREATE TABLE "sales.2023" (amount int);
""",
            ),
            Path("shop.sql"),
            "postgres",
        )
    ]
)


@pytest.mark.parametrize(
    ("sql", "right"),
    [
        (
            "SELECT name FROM shop.orders",
            "SELECT name FROM shop.orders JOIN shop.buyers ON orders.buyer_id = buyers.id",
        ),
        # As the query itself writes them.
        (
            "SELECT name FROM orders",
            "SELECT name FROM orders JOIN buyers ON orders.buyer_id = buyers.id",
        ),
        ("SELECT name", "SELECT name FROM shop.buyers"),
    ],
)
def test_a_table_that_is_added_has_its_schema(sql: str, right: str) -> None:
    found = mended(sql, SHOP, "postgres")
    assert found is not None
    assert found.sql == right


def test_words_joined_in_another_way_are_the_same_name() -> None:
    table = "CREATE TABLE Pets (PetID int, PetType text, pet_age int);"
    pets = ddl.replay([ddl.read(Document("s", table), Path("s"), "sqlite")])
    right = mended("SELECT pet_type, petage FROM pets", pets, "sqlite")
    assert right is not None
    assert right.sql == "SELECT PetType, pet_age FROM pets"
    assert mended("SELECT pet_tipe FROM pets", pets, "sqlite") is None


def test_a_dot_in_quotes_is_a_part_of_the_name() -> None:
    assert mended('SELECT amount FROM "seles.2023"', SHOP, "postgres") is None
    assert mended('SELECT amount FROM "sale.2023"', SHOP, "postgres") is None


@settings(max_examples=100, deadline=None)
@given(
    st.lists(
        st.sampled_from(
            "SELECT FROM WHERE JOIN ON owners pets visits vets o.name kind cost surname = ( ) , ;"
            " AS o GROUP BY".split()
        ),
        max_size=20,
    )
)
def test_what_is_mended_has_no_errors(words: list[str]) -> None:
    found = mended("SELECT " + " ".join(words), CLINIC, "sqlite")
    if found is not None:
        left = check(found.sql, CLINIC, "sqlite").findings
        assert not [finding for finding in left if finding.severity is Severity.ERROR]
