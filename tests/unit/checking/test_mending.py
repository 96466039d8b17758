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
        # Others call the key of that table so.
        (
            "SELECT seen_by, count(*) FROM vets GROUP BY seen_by",
            "SELECT vet_id, count(*) FROM vets GROUP BY vet_id",
            "seen_by is now vet_id",
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
