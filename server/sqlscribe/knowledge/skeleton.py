"""The shape of a SQL text without its names and values, for telling how alike two queries are.

SELECT c.name FROM customers c WHERE c.city = 'Oslo' LIMIT 5
SELECT _ FROM _ WHERE _ = ? LIMIT ?
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from sqlscribe.knowledge.terms import overlap
from sqlscribe.notation.lexicon import Kind, scan

NAME, VALUE = "_", "?"
_LONGEST = 20_000
"""In characters. Of a longer text the shape of its beginning says enough."""

_KEYWORDS = frozenset(
    "select distinct from where group by having order limit offset fetch top qualify window join"
    " left right full inner outer cross natural lateral on using and or not in exists between like"
    " ilike is null case when then else end union all intersect except minus with recursive over"
    " partition asc desc nulls interval values filter any some rows range".split()
)
_TOKEN = re.compile(r"(?P<word>[^\W\d]\w*)|(?P<number>\d[\w.]*)|(?P<sign><>|<=|>=|!=|\|\||[^\s\w])")
_CALL = re.compile(r"\s*\(")
_UNSAID = frozenset(";,()")
"""Marks that hang on how a query is written rather than on what it does."""


def skeleton(sql: str, dialect: str = "") -> tuple[str, ...]:
    """The words, functions and operators of a SQL text, ``_`` for a name, ``?`` for a value.

    Aliases are left out, and so are comments and brackets.
    """
    sql = sql[:_LONGEST]
    found: list[str] = []
    for piece in scan(sql, dialect):
        if piece.kind is Kind.STRING:
            found.append(VALUE)
        elif piece.kind is Kind.IDENTIFIER:
            found.append(NAME)
        elif piece.kind is Kind.CODE:
            found += _of_code(sql, piece.start, piece.end)
    return tuple(_without_aliases(found))


def likeness(one: Sequence[str], other: Sequence[str]) -> float:
    """How alike two skeletons are, by their words and by what follows what: 0.0 to 1.0."""
    words = overlap(frozenset(one), frozenset(other))
    return (words + overlap(_pairs(one), _pairs(other))) / 2


def _pairs(tokens: Sequence[str]) -> frozenset[str]:
    return frozenset(map(" ".join, pairwise(tokens)))


def _of_code(sql: str, start: int, end: int) -> list[str]:
    found = []
    for match in _TOKEN.finditer(sql, start, end):
        text = match.group()
        if match["number"]:
            found.append(VALUE)
        elif match["sign"]:
            found.append(text)
        elif text.casefold() in _KEYWORDS or text.casefold() == "as":
            found.append(text.upper())
        else:
            found.append(f"{text.upper()}()" if _CALL.match(sql, match.end(), end) else NAME)
    return found


def _without_aliases(tokens: Sequence[str]) -> list[str]:
    """``_ . _``, ``_ AS _`` and ``_ _`` are one name each."""
    kept: list[str] = []
    previous = ""
    for token in tokens:
        joins = previous in (".", "AS") or (previous == NAME and kept[-1:] == [NAME])
        if token == "*" and previous == ".":
            token = NAME
        if not (token in _UNSAID or token in (".", "AS") or (token == NAME and joins)):
            kept.append(token)
        previous = token
    return kept
