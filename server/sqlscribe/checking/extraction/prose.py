"""Telling sentences from SQL, where a model writes both without a mark between them.

Only asked about the text behind something that already parses as a statement.
"""

from __future__ import annotations

import re

_CLAUSES = frozenset(
    """
    select from where and or join inner left right full cross outer natural group order having
    limit offset fetch union except intersect minus qualify window between like ilike case end
    values set
    """.split()
)
_SQL_WORDS = _CLAUSES | frozenset(
    """
    on using by all as in not is null when then else over partition for with asc desc nulls
    distinct exists any into returning lateral apply tablesample rows range
    """.split()
)
_NEXT_STATEMENT = re.compile(
    r"\s*(?:(?:--[^\n]*|/\*.*?\*/)\s*)*(?:with|select|\(\s*select)\b", re.I | re.DOTALL
)
OR = r"(?:or|或者|或是|或|ou|oder|o bien|または|もしくは|또는|или|alternatively|alternative)"
"""What stands between two queries that are meant as alternatives."""

_OR_LINE = re.compile(rf"\s*{OR}[ \t]*[:：,，]?[ \t\r]*(?:\n|\Z)", re.IGNORECASE)
_MARKS = r"[\s*_#>]*"
_SENTENCE = re.compile(rf"{_MARKS}[A-Z][a-z]*'?[a-z]*,? +[a-z]")
_WORD = re.compile(rf"{_MARKS}\(?([^\W\d_]+)")
_NEW_PARAGRAPH = re.compile(r"\s*(?:[-*•+] |-{3,}|\(?[A-Z][a-z]*'?[a-z]*,? +[a-z]|[^\x00-\x7f])")
_OPERATOR = re.compile(r"[=<>]")
_LOOK = 300


def begins_prose(text: str, line_break: int, end: int) -> bool:
    """True where the line behind a line break starts a sentence or another statement."""
    tail = text[line_break : min(end, line_break + _LOOK)]
    if _NEXT_STATEMENT.match(tail) or _OR_LINE.match(tail):
        return True
    if text[max(line_break - 20, 0) : line_break].rstrip(" \t\r").endswith("\n"):
        return starts_paragraph(tail)
    return is_prose(tail)


def starts_paragraph(tail: str) -> bool:
    """Behind an empty line less is needed: a list, a rule, Chinese, "In this query, …"."""
    if is_prose(tail):
        return True
    line = _first_line(tail)
    first = _WORD.match(line)
    if first is not None and first[1].lower() in _CLAUSES:
        return False
    return _NEW_PARAGRAPH.match(line) is not None and not _OPERATOR.search(line)


def is_prose(tail: str) -> bool:
    """True where a tail starts as a sentence does and no clause of SQL."""
    line = _first_line(tail)
    first = _WORD.match(line)
    if first is None or first[1].lower() in _SQL_WORDS:
        return False
    if _SENTENCE.match(line):
        return True
    if _OPERATOR.search(line):
        return False
    # Shouted SQL words make it a piece of a query; "from" and "and" in lower case do not.
    return not any(word.isupper() and word.lower() in _SQL_WORDS for word in line.split())


def _first_line(tail: str) -> str:
    return tail.strip().partition("\n")[0]


_LAST_WORD = re.compile(r"[ \t]*(?:[A-Z][a-z]+|[^\x00-\x7f]+)[!！。.]?[ \t]*")


def is_last_word(line: str) -> bool:
    """True for a line of prose that the parser takes for an alias: ``Enjoy``."""
    if _LAST_WORD.fullmatch(line) or _OR_LINE.fullmatch(line):
        return True
    return _SENTENCE.match(line) is not None and is_prose(line)
