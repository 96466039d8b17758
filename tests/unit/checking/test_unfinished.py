"""Statements as they stand while they are typed: whatever is missing, they are checked."""

import re

import pytest

from sqlscribe.checking.check import check
from sqlscribe.schema.model import Column, Schema, Table

SHOP = Schema(
    (
        Table(
            "orders", (Column("id", "int"), Column("total", "numeric"), Column("region", "text"))
        ),
        Table("customers", (Column("id", "int"), Column("name", "text"))),
    )
)
DIALECTS = ("", "postgres", "tsql", "oracle", "mysql", "bigquery", "snowflake")


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT TOP (51) WITH TIES id FROM orders WHERE region ILIKE '%a%' UNION SELECT 1",
        "SELECT id FROM orders ORDER BY id OFFSET 5 ROWS FETCH NEXT 10 ROWS ONLY",
        "SELECT DISTINCT ON (region) total::int, ARRAY[1][1] FROM orders LIMIT 5, 10",
        "SELECT sum(total) FILTER (WHERE id = 1) OVER (PARTITION BY id) FROM orders GROUP BY 1",
        "SELECT DATEADD(day, -7, GETDATE()), NVL(total, 0) FROM [orders] WITH (NOLOCK)",
        "INSERT INTO orders (id) VALUES (1) ON CONFLICT (id) DO UPDATE SET total = 2 RETURNING id",
        "WITH a (n) AS (SELECT 1) SELECT * EXCEPT (n) FROM a JOIN orders o USING (id) QUALIFY n",
    ],
)
def test_every_beginning_of_a_statement_is_checked(sql: str) -> None:
    ends = [found.start() for found in re.finditer(r"\b|\W|\Z", sql)]
    for dialect in DIALECTS:
        for end in dict.fromkeys(ends):
            found = check(sql[:end], SHOP, dialect).findings
            assert all(0 <= each.span.start <= each.span.end <= end for each in found)
