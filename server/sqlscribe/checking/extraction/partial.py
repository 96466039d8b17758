"""The SQL of a reply that is still coming, for people to watch."""

from __future__ import annotations

from sqlscribe.checking.extraction.replies import (
    SQL_START,
    fences,
    is_sql,
    json_strings,
    without_reasoning,
)

_LONGEST = 50_000
"""Characters of a reply that are looked at; this is done many times for each reply."""


def sql_so_far(reply: str) -> str:
    """What looks like the SQL in the beginning of a reply, ``""`` where none has come yet.

    Nothing about it is checked, and it may end anywhere.
    """
    text, is_thinking = without_reasoning(reply[:_LONGEST])
    if is_thinking:
        return ""
    blocks = [block.text for block in fences(text) if is_sql(block)]
    if not blocks and text.lstrip().startswith("{"):
        blocks = [block.text for block in json_strings(text) if SQL_START.match(block.text)]
    if not blocks and SQL_START.match(text):
        blocks = [text]
    # The beginning of a closing fence is no SQL.
    return blocks[-1].strip().rstrip("`").rstrip() if blocks else ""
