"""The SQL of a reply that is still coming."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sqlscribe.checking.extraction.partial import sql_so_far


@pytest.mark.parametrize(
    ("reply", "sql"),
    [
        ("", ""),
        ("Here is", ""),
        ("Here is it:\n```sq", ""),
        ("Here is it:\n```sql\nSELECT a,", "SELECT a,"),
        ("```sql\nSELECT a\n``", "SELECT a"),
        ("```sql\nSELECT a\n```\nThis gives", "SELECT a"),
        ("```python\nimport os\n```", ""),
        ("```sql\nSELECT 1\n```\nor\n```sql\nSELECT 2", "SELECT 2"),
        ("SELECT a\nFROM", "SELECT a\nFROM"),
        ("<think>SELECT 1", ""),
        ("<think>maybe</think>\n```sql\nSELECT 2", "SELECT 2"),
        ('{"filters": "SELECTed", "sql": "SELECT a\\nFROM \\"t', 'SELECT a\nFROM "t'),
        ('{"sql": "SELECT 1", "note": "x"}', "SELECT 1"),
    ],
)
def test_what_has_come_of_the_sql(reply: str, sql: str) -> None:
    assert sql_so_far(reply) == sql


WHOLE = "Sure:\n```sql\nWITH a AS (SELECT 1 AS x)\nSELECT x FROM a\n```\nDone."


def test_the_sql_only_grows() -> None:
    seen = [sql_so_far(WHOLE[:end]) for end in range(len(WHOLE) + 1)]
    assert seen[-1] == "WITH a AS (SELECT 1 AS x)\nSELECT x FROM a"
    assert all(seen[-1].startswith(part) for part in seen)


@given(st.text(max_size=300))
@settings(max_examples=100, deadline=None)
def test_any_reply_will_do(reply: str) -> None:
    assert isinstance(sql_so_far(reply), str)
