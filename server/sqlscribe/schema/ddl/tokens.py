"""Words, names, strings and marks of one statement, with the brackets already matched.

This is no parser of any dialect: it is what the readers of DDL stand on, so that a clause
that nobody has heard of costs nothing but itself.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from enum import Enum
from functools import cached_property
from typing import NamedTuple

from sqlscribe.notation.document import Span
from sqlscribe.notation.lexicon import Kind, scan


def words(text: str) -> frozenset[str]:
    """The words of ``text``: keywords, as the readers' tables of them are written."""
    return frozenset(text.split())


def line_start(text: str, offset: int) -> int:
    """Where the line of an offset begins."""
    return max(text.rfind("\n", 0, offset), text.rfind("\r", 0, offset)) + 1


class Sort(Enum):
    WORD = "word"
    NAME = "name in quotes"
    STRING = "string"
    NUMBER = "number"
    MARK = "mark"
    END = "end"


class Token(NamedTuple):
    """``text`` is without quotes; ``word`` is the upper case of a plain word, else ``""``."""

    sort: Sort
    text: str
    word: str
    start: int
    end: int


class Comment(NamedTuple):
    """A comment with its marks; ``line`` is false for ``/* … */``."""

    text: str
    start: int
    end: int
    line: bool


@dataclass(frozen=True)
class Tokens:
    """The tokens of a part of ``text``; ``closing`` maps an opening bracket to its end."""

    text: str
    masked: str
    dialect: str
    tokens: Sequence[Token]
    comments: Sequence[Comment]
    closing: dict[int, int] = field(default_factory=dict)

    @cached_property
    def _ends(self) -> list[int]:
        return [token.end for token in self.tokens]

    @cached_property
    def _comment_starts(self) -> list[int]:
        return [comment.start for comment in self.comments]

    def index_before(self, offset: int) -> int:
        """Index of the last token that ends at or before ``offset``, or -1."""
        return bisect_right(self._ends, offset) - 1

    def comments_between(self, start: int, end: int) -> Sequence[Comment]:
        """The comments that start there."""
        starts = self._comment_starts
        return self.comments[bisect_left(starts, start) : bisect_left(starts, end)]

    def comments_above(self, offset: int) -> Iterator[Comment]:
        """The comments before ``offset``, the nearest first."""
        for index in range(bisect_left(self._comment_starts, offset) - 1, -1, -1):
            yield self.comments[index]

    def first_on_line(self, index: int) -> bool:
        start = self.tokens[index].start
        return not self.text[line_start(self.text, start) : start].strip()


_PLACEHOLDER = re.compile(
    r"(?:\{{2,3}[^{}\n]*\}{2,3}|\{[%#][^{}\n]*[%#]\}|\$\{[^{}\n]*\}|\$\([^()\n]*\))\.?"
)
# Before a name only: what Python, Ruby, shells, installers and editors put there.
_LOOSE = re.compile(
    r"(?:\{\w+\}|\#\{\w+\}|%\(\w+\)s|%s|%{1,2}\w+%{1,2}|<\w+(?:\s*,[^<>\n]*)?>|<%=?[^%<>\n]*%>"
    r"|\$[A-Za-z_]\w*|(?<=`)@\w+|~\w+~|\[\[\w+\]\])\.(?=[\w\"`\[])"
)
_LOOSE_ENDS = ("}.", ")s.", "%s.", "%.", ">.", "~.", "]].", "`@")
_VARIABLE = re.compile(r"\$[A-Za-z_]\w*\.")
_BELONGS = ("_", ")", "]", "'", '"', "$", ".")
_SUBSTITUTED = re.compile(r"&{1,2}(?:\w+|\{\w+\})\.{1,2}(?=[\w\"`\[])|(?<![\w'\"])file://[^\s;]*")
_SUBSTITUTES = frozenset({"", "oracle", "snowflake", "exasol"})
_PIECE = re.compile(r"[@#]{0,2}[^\W\d][\w$#@]*|\d[\w.]*|/\*M?!\d*|\*/|\S")
# MySQL's version comments hold code; their marks do not.
_VERSION_MARKS = ("/*", "*/")
_BRACKETS = {")": "(", "]": "[", "}": "{"}
_STRING_PREFIX = frozenset({"N", "E", "B", "X", "R", "Q", "NQ"})
_ESCAPED = re.compile(r"\\(.)", re.DOTALL)


def without_placeholders(text: str, dialect: str = "") -> str:
    """``text`` with template expressions (``{{ x }}``, ``${x}``) as blanks of their length.

    So are SQL*Plus' and snowsql's variables before a name (``&owner..``), and paths that no
    quotes protect: ``file:///data/*.csv`` holds what looks like the start of a comment.
    """
    if "{" in text or "$(" in text:
        text = _PLACEHOLDER.sub(_blank, text)
    if dialect in _SUBSTITUTES and ("&" in text or "file:" in text):
        text = _SUBSTITUTED.sub(_blank, text)
    if any(end in text for end in _LOOSE_ENDS) or ("$" in text and _VARIABLE.search(text)):
        text = _LOOSE.sub(_blank_alone, text)
    return text


def _blank_alone(found: re.Match[str]) -> str:
    """Blanks, unless the mark belongs to what stands before it (``a%s.b``)."""
    before = found.string[found.start() - 1 : found.start()]
    return found.group() if before.isalnum() or before in _BELONGS else _blank(found)


def _blank(found: re.Match[str]) -> str:
    return " " * len(found.group())


def tokenize(text: str, masked: str, span: Span, dialect: str) -> Tokens:
    """Tokens of ``text`` in ``span``; ``masked`` is the same text without placeholders.

    Strings and comments keep their own text; names lose what was a placeholder.
    """
    tokens: list[Token] = []
    comments: list[Comment] = []
    for kind, start, end in scan(masked[span.start : span.end], dialect):
        start, end = start + span.start, end + span.start
        if kind is Kind.CODE:
            tokens += _code(masked, start, end)
        elif kind is Kind.STRING:
            if tokens and tokens[-1].end == start and tokens[-1].word in _STRING_PREFIX:
                start = tokens.pop().start
            tokens.append(Token(Sort.STRING, _string(text[start:end], dialect), "", start, end))
        elif kind is Kind.IDENTIFIER:
            tokens.append(Token(Sort.NAME, _unquoted(masked[start:end]), "", start, end))
        else:
            comments.append(Comment(text[start:end], start, end, kind is Kind.LINE_COMMENT))
    return Tokens(text, masked, dialect, tokens, comments, _matched(tokens))


def _code(text: str, start: int, end: int) -> Iterator[Token]:
    for found in _PIECE.finditer(text, start, end):
        piece = found.group()
        first = piece[0]
        if piece.startswith(_VERSION_MARKS):
            continue
        if first.isdecimal():
            yield Token(Sort.NUMBER, piece, "", found.start(), found.end())
        elif len(piece) > 1 or first.isalpha() or first == "_":
            yield Token(Sort.WORD, piece, piece.upper(), found.start(), found.end())
        else:
            yield Token(Sort.MARK, piece, "", found.start(), found.end())


def _unquoted(piece: str) -> str:
    quote = {"[": "]"}.get(piece[0], piece[0])
    body = piece[1:-1] if len(piece) > 1 and piece.endswith(quote) else piece[1:]
    return body.replace(quote * 2, quote).strip()


def _string(piece: str, dialect: str) -> str:
    """What a string literal stands for; prefix, quotes and doubled quotes removed."""
    body = piece.lstrip(_LETTERS)
    head = piece[: len(piece) - len(body)].upper()
    if body.startswith("$"):
        mark = body[: body.find("$", 1) + 1]
        return body[len(mark) :].removesuffix(mark)
    if head.endswith("Q"):
        return body[2:-2]
    if body.startswith(_TRIPLE) and len(body) >= 6:
        return body[3:-3]
    quote = body[:1]
    body = body[1:-1] if len(body) > 1 and body.endswith(quote) else body[1:]
    body = body.replace(quote * 2, quote)
    if "\\" in body and (head == "E" or dialect in _BACKSLASHES):
        body = _ESCAPED.sub(lambda found: _ESCAPES.get(found.group(1), found.group(1)), body)
    return body


_LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
_TRIPLE = ("'''", '"""')
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "0": "\0"}
_BACKSLASHES = words(
    "mysql bigquery spark spark2 databricks hive clickhouse snowflake doris starrocks singlestore"
)


def _matched(tokens: Sequence[Token]) -> dict[int, int]:
    closing: dict[int, int] = {}
    open_: list[int] = []
    for index, token in enumerate(tokens):
        if token.sort is not Sort.MARK:
            continue
        if token.text in "([{":
            open_.append(index)
        elif (opener := _BRACKETS.get(token.text)) is not None:
            # A bracket of another kind in between was left open; it must not hide this pair.
            for depth in range(len(open_) - 1, max(len(open_) - 4, -1), -1):
                if tokens[open_[depth]].text == opener:
                    closing[open_[depth]] = index
                    del open_[depth:]
                    break
    return closing
