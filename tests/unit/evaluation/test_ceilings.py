"""What a question is told for a ceiling is what its gold query takes, and nothing else."""

from __future__ import annotations

from pathlib import Path

from bench.ceilings import tables, told, values

GOLD = (
    "WITH best AS (SELECT c.id FROM customers c WHERE c.city = 'Oslo' AND c.name LIKE 'A%')"
    " SELECT count(*) FROM best JOIN orders o ON o.customer_id = best.id"
    " WHERE o.status IN ('paid', 'sent') AND o.total > 5 AND upper(o.region) = 'NORTH'"
)
PAIRS = [
    {"db_id": "shop", "question": "all", "sql": "SELECT * FROM orders"},
    {"db_id": "shop", "question": "how many", "sql": "SELECT count(*)\nFROM orders WHERE x IN (1)"},
    {"db_id": "other", "question": "the same", "sql": GOLD},
]


def test_tables_and_values_are_those_of_the_gold_query() -> None:
    assert tables(GOLD, "sqlite") == ["customers", "orders"]
    assert sorted(values(GOLD, "sqlite")) == [
        ("city", "Oslo"),
        ("name", "A%"),
        ("region", "NORTH"),
        ("status", "paid"),
        ("status", "sent"),
    ]


def test_hints_stand_behind_the_evidence_and_paths_do_not_depend_on_the_place(
    tmp_path: Path,
) -> None:
    question = {"question": "?", "gold_sql": GOLD, "db_id": "shop", "evidence": "North is best."}
    found = told({**question, "db": "db/shop.sqlite"}, ["tables", "example"], PAIRS, tmp_path)
    assert found["evidence"].splitlines() == [
        "North is best.",
        "The tables needed are customers, orders.",
        "The answer has the shape of: SELECT count(*) FROM orders WHERE x IN (1)",
    ]
    assert found["db"] == str(tmp_path / "db" / "shop.sqlite")
    assert told({"question": "What is life?"}, ["tables", "values"], PAIRS, tmp_path) == {
        "question": "What is life?",
        "evidence": "",
    }
