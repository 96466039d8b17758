"""The items of a select list: what they name, and the name that they are given."""

from __future__ import annotations

from collections.abc import Sequence

from sqlscribe.navigation.reading import Item, Path, is_dot, is_name
from sqlscribe.schema.ddl.tokens import Sort, Token, words

WANT_OPERAND = words(
    """
    ALL AND ANY AS BETWEEN BY CASE DISTINCT DIV ELSE ESCAPE FROM GLOB ILIKE IN INTERVAL IS LIKE MOD
    NOT ON OR OVER PRIOR REGEXP RETURNING RLIKE SELECT SIMILAR SOME THEN TO USING WHEN WHERE XOR
    HAVING QUALIFY SET
    """
)
"""Behind these comes an operand, so that a word there is no alias."""

_NO_NAME = words(
    "END NULL TRUE FALSE YEAR MONTH DAY HOUR MINUTE SECOND WEEK QUARTER LAST FIRST ROW ROWS"
)
_MODIFIERS = words("DISTINCT ALL ON TOP PERCENT STRAIGHT_JOIN SQL_NO_CACHE UNIQUE")
_LONGEST_NAME = 16
_LONGEST_LIST = 200
"""In tokens."""


def is_operand(token: Token) -> bool:
    """Whether an operand ends with this token, so that an operator or an alias comes next."""
    if token.sort is Sort.MARK:
        return token.text in ")]"
    return token.word not in WANT_OPERAND


def item_of(tokens: Sequence[Token], first: int, last: int) -> Item:
    """The item that is ``tokens[first:last]``, those in inner brackets included."""
    first = _behind_modifiers(tokens, first, last)
    if first >= last:
        return Item()
    if last - first > _LONGEST_NAME:
        # No more than its end can be a name.
        return Item(alias=_alias(tokens[last - 3 : last]))
    item = tokens[first:last]
    end = item[-1]
    if end.text == "*" and end.sort is Sort.MARK and (len(item) == 1 or is_dot(item[-2])):
        return Item(_path(item[:-2]) or (), star=True)
    alias = _alias(item)
    if alias is not None:
        item = item[:-2] if item[-2].word == "AS" else item[:-1]
    return Item(_path(item) or (), alias)


def _behind_modifiers(tokens: Sequence[Token], at: int, last: int) -> int:
    """Behind ``DISTINCT``, ``DISTINCT ON (…)`` and ``TOP 10``."""
    while at < last and tokens[at].word in _MODIFIERS:
        takes_more = tokens[at].word in ("ON", "TOP")
        at += 1
        if takes_more and at < last and tokens[at].text == "(":
            end = min(last, at + _LONGEST_LIST)
            at = next((i + 1 for i in range(at, end) if tokens[i].text == ")"), last)
        elif takes_more:
            at += 1
    return at


def _alias(item: Sequence[Token]) -> Token | None:
    """The name at the end of an item that is given to it."""
    end = item[-1]
    if len(item) < 2 or not is_name(end) or end.word in _NO_NAME | WANT_OPERAND:
        return None
    before = item[-2]
    given = before.word == "AS" or (is_operand(before) and not is_dot(before))
    return end if given else None


def _path(tokens: Sequence[Token]) -> Path | None:
    """The parts of a dotted name, where the tokens are one and nothing else."""
    parts, dots = tokens[::2], tokens[1::2]
    if len(tokens) % 2 and all(map(is_name, parts)) and all(map(is_dot, dots)):
        return tuple(parts)
    return None
