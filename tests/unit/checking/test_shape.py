"""What a question says in so many words, and the result cannot have."""

import pytest

from sqlscribe.checking.shape import doubts

SORTED = "SELECT name FROM pets ORDER BY weight DESC"


@pytest.mark.parametrize(
    ("question", "sql", "said"),
    [
        ("the top 5 customers by revenue", SORTED, "“top 5”"),
        ("which 3 largest pets are there?", SORTED, "“3 largest”"),
        ("销售额前10名的客户", SORTED, "“前10名”"),
        ("names sorted by weight", "SELECT name FROM pets", "“sorted by”"),
        ("names, ordered by weight", "SELECT name FROM pets", "ordered by"),
        ("list pets in descending order", "SELECT name FROM pets", "ORDER BY"),
        ("按重量降序", "SELECT name FROM pets", "“降序”"),
        ("how many pets of each kind?", "SELECT count(*) FROM pets GROUP BY kind", "“each”"),
        ("每个城市的平均价格", "SELECT round(avg(p), 2) FROM t GROUP BY city", "(city)"),
    ],
)
def test_what_the_result_cannot_have_is_said(question: str, sql: str, said: str) -> None:
    [doubt] = doubts(question, sql, "sqlite")
    assert said in doubt


@pytest.mark.parametrize(
    ("question", "sql"),
    [
        ("the top 5 customers", "SELECT name FROM pets ORDER BY w DESC LIMIT 5"),
        ("the top 5 per kind", "SELECT n FROM (SELECT n, rank() OVER (ORDER BY w) r FROM p) t"),
        ("orders of the last 7 days", "SELECT id FROM orders WHERE day >= '2024-01-01'"),
        ("revenue in the first 3 months", "SELECT sum(total) FROM orders"),
        ("the top 10% of sellers", "SELECT id FROM sellers"),
        ("the top 10 songs", "SELECT name FROM songs WHERE chart_rank <= 10"),
        ("the 1 largest", "SELECT name FROM t WHERE w = (SELECT max(w) FROM t)"),
        ("calls by the first 3 digits", "SELECT substr(phone, 1, 3) FROM calls"),
        ("items ordered by Ann", "SELECT item FROM orders WHERE customer = 'Ann'"),
        ("the last order from Rome, ranked in 2024", "SELECT max(id) FROM orders"),
        ("names sorted by weight", "SELECT name FROM pets ORDER BY weight"),
        ("orders by customer", "SELECT * FROM orders"),
        ("how many of each kind?", "SELECT kind, count(*) FROM pets GROUP BY kind"),
        ("the most orders that any customer has each year",
         "SELECT count(*) FROM orders GROUP BY customer ORDER BY 1 DESC LIMIT 1"),
        ("how much did each one spend per day?", "SELECT sum(total) / 7 FROM orders"),
        ("top 5", "SELECT ((("),
        ("top 5", "DELETE FROM t"),
        ("", ""),
    ],
)  # fmt: skip
def test_what_may_be_right_is_not_doubted(question: str, sql: str) -> None:
    assert doubts(question, sql, "sqlite") == ()
