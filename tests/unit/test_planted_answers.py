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
