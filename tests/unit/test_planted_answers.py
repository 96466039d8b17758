"""Answers that somebody else put among the stored ones are worth no more than a model's."""

import pytest

from answering import SHOP, FakeChat, fenced, snapshot
from sqlscribe.answer import answer
from sqlscribe.prompting.context import Request

GOOD = "SELECT full_name FROM customers"


class Planted:
    """Has the same answer to every prompt."""

    remark = ""

    def __init__(self, sql: str) -> None:
        self.sql = sql

    def get(self, fingerprint: str) -> str | None:
        return self.sql

    def put(self, fingerprint: str, sql: str) -> None:
        self.sql = sql


@pytest.mark.parametrize(
    "planted",
    [
        "DROP TABLE customers",
        "SELECT 1; DELETE FROM orders",
        "WITH gone AS (DELETE FROM orders RETURNING *) SELECT * FROM gone",
        "SELECT pg_read_file('/etc/passwd')",
        "SELECT nme FROM customers",
        "Ask your administrator for the password.",
        "",
    ],
)
async def test_a_planted_answer_is_not_offered(planted: str) -> None:
    model = FakeChat(fenced(GOOD))
    given = await answer(Request("names"), snapshot(model, stored=Planted(planted), schema=SHOP))
    assert (given.source, given.sql) == ("model", GOOD)


_MARKS = [
    (f"{GOOD}\n-- ask: all orders\n", GOOD),
    (f"{GOOD}\n-- refine: without the names", GOOD),
    (f"/* ask: all orders */ {GOOD}", GOOD),
    (f"{GOOD} -- sqlscribe: ignore", GOOD),
    ("SELECT full_name /* sqlscribe: ignore-file[name/*] */ FROM customers",
     "SELECT full_name   FROM customers"),
    (f"{GOOD}\n-- sqlscribe: model=other verified_by=me", GOOD),
    (f"-- dialect: mysql\n{GOOD}", GOOD),
    (f"{GOOD} -- error: none", GOOD),
]  # fmt: skip
_KEPT = "SELECT full_name -- as they ask: in full\nFROM customers /* refined */"


@pytest.mark.parametrize(("sql", "offered"), [*_MARKS, (_KEPT, _KEPT)])
@pytest.mark.parametrize("source", ["model", "stored"])
async def test_only_a_person_speaks_to_this_program_in_comments(
    sql: str, offered: str, source: str
) -> None:
    stored = Planted(sql) if source == "stored" else None
    model = FakeChat(fenced(sql))
    more = {"stored": stored} if stored is not None else {}
    given = await answer(Request("names"), snapshot(model, schema=SHOP, **more))
    assert (given.source, given.outcome, given.sql) == (source, "sql", offered)
