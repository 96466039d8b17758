"""Names in statements that define tables: which is a table's, and whose column is another."""

from __future__ import annotations

from typing import NamedTuple

from sqlscribe.navigation.reading import Path, Reading, is_name
from sqlscribe.schema.ddl.tokens import words

_CHANGES_COLUMN = words("COLUMN ADD DROP ALTER RENAME CHANGE MODIFY EXISTS SET")
_LISTS = words("KEY UNIQUE CHECK INDEX")


class DdlName(NamedTuple):
    """A name in DDL: a table's, or that of a column of the table."""

    table: Path
    is_column: bool = False


def ddl_name(reading: Reading, index: int) -> DdlName | None:
    """What a token of DDL may name, by where it stands."""
    token = reading.tokens.tokens[index]
    for path in reading.tables:
        if token in path:
            if not _is_column_comment(reading, path):
                return DdlName(path)
            return DdlName(path[:-1], is_column=token is path[-1])
    owner = owner_at(reading, index) if is_name(token) else None
    return DdlName(owner, is_column=True) if owner is not None else None


def owner_at(reading: Reading, index: int) -> Path | None:
    """The table whose column a token may be; behind the last one, one that is to be written."""
    tokens = reading.tokens.tokens
    place = tokens[index].start if index < len(tokens) else len(reading.sql)
    before = [path for path in reading.tables if path[-1].start < place]
    if not before:
        return None
    depth = reading.contexts[index].depth
    if depth == 0:
        return before[0] if tokens[index - 1].word in _CHANGES_COLUMN else None
    opened = _opening(reading, index)
    if opened > 0 and tokens[opened - 1] is before[-1][-1]:
        # The columns of a definition, of a key's target, or of an index.
        return before[-1] if len(before) > 1 or tokens[index - 1].text in "(," else None
    if depth == 1:
        return before[0] if tokens[index - 1].text in "(," else None
    lists = opened > 0 and (tokens[opened - 1].word in _LISTS or tokens[opened - 2].word in _LISTS)
    return before[0] if lists else None


def _opening(reading: Reading, index: int) -> int:
    """The nearest parenthesis that is open before a token, or -1."""
    closing = reading.tokens.closing
    for at in range(index - 1, -1, -1):
        if reading.tokens.tokens[at].text == "(" and closing.get(at, index) >= index:
            return at
    return -1


def _is_column_comment(reading: Reading, path: Path) -> bool:
    """``COMMENT ON COLUMN orders.total``"""
    at = reading.starts.index(path[0].start)
    return at > 0 and reading.tokens.tokens[at - 1].word == "COLUMN" and len(path) > 1
