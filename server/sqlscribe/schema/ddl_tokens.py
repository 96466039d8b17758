"""Words, names, strings and marks of one statement, with the brackets already matched.

This is no parser of any dialect: it is what the readers of DDL stand on, so that a clause
that nobody has heard of costs nothing but itself.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import NamedTuple

from sqlscribe.notation.document import Span
from sqlscribe.notation.lexicon import Kind, scan


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


class Name(NamedTuple):
    """A name of something in the database; ``schema`` is everything before its last part."""

    name: str
    schema: str = ""
    quoted: bool = False


@dataclass(frozen=True)
class Tokens:
    """The tokens of a part of ``text``; ``closing`` maps an opening bracket to its end."""

    text: str
    masked: str
    dialect: str
    tokens: Sequence[Token]
    comments: Sequence[Comment]
    closing: dict[int, int] = field(default_factory=dict)

    def first_on_line(self, index: int) -> bool:
        start = self.tokens[index].start
        line = max(self.text.rfind("\n", 0, start), self.text.rfind("\r", 0, start)) + 1
        return self.text[line:start].isspace() or line == start


_PLACEHOLDER = re.compile(
    r"(?:\{\{[^{}\n]*\}\}|\{[%#][^\n]*?[%#]\}|\$\{[^{}\n]*\}|\$\([^()\n]*\))\.?"
)
_PIECE = re.compile(r"[@#]{0,2}[^\W\d][\w$#@]*|\d[\w.]*|/\*M?!\d*|\*/|\S")
# MySQL's version comments hold code; their marks do not.
_VERSION_MARKS = ("/*", "*/")
_BRACKETS = {")": "(", "]": "[", "}": "{"}
_STRING_PREFIX = frozenset({"N", "E", "B", "X", "R", "Q", "NQ"})
_ESCAPED = re.compile(r"\\(.)", re.DOTALL)


def without_placeholders(text: str) -> str:
    """``text`` with template expressions (``{{ x }}``, ``${x}``) as spaces of the same length."""
    if "{" not in text and "$(" not in text:
        return text
    return _PLACEHOLDER.sub(lambda found: " " * len(found.group()), text)


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
_BACKSLASHES = frozenset(
    "mysql bigquery spark spark2 databricks hive clickhouse snowflake doris starrocks"
    " singlestore".split()
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


_GENERIC_TYPES = frozenset("ARRAY STRUCT MAP ROW RANGE TABLE UNIONTYPE OBJECT VECTOR".split())


@dataclass
class Cursor:
    """A place in a run of tokens. Its methods move it only where they find what they name."""

    tokens: Tokens
    at: int
    end: int

    @classmethod
    def over(cls, tokens: Tokens) -> Cursor:
        return cls(tokens, 0, len(tokens.tokens))

    def __bool__(self) -> bool:
        return self.at < self.end

    def peek(self, ahead: int = 0) -> Token:
        index = self.at + ahead
        if index < self.end:
            return self.tokens.tokens[index]
        offset = self.tokens.tokens[self.end - 1].end if self.end else 0
        return Token(Sort.END, "", "", offset, offset)

    def next(self) -> Token:
        token = self.peek()
        self.at += self.at < self.end
        return token

    def sees(self, *words: str) -> bool:
        return all(self.peek(ahead).word == word for ahead, word in enumerate(words))

    def sees_mark(self, mark: str, ahead: int = 0) -> bool:
        token = self.peek(ahead)
        return token.sort is Sort.MARK and token.text == mark

    def take(self, *words: str) -> bool:
        if not self.sees(*words):
            return False
        self.at += len(words)
        return True

    def take_mark(self, mark: str) -> bool:
        if not self.sees_mark(mark):
            return False
        self.at += 1
        return True

    def skip_words(self, words: frozenset[str]) -> None:
        while self.peek().word in words:
            self.at += 1

    def skip(self) -> Token:
        """One token, or a whole pair of brackets with all that is inside."""
        token = self.next()
        closed = self.tokens.closing.get(self.at - 1)
        if closed is not None:
            self.at = min(closed + 1, self.end)
        return token

    def seek(self, wanted: Callable[[Cursor], bool]) -> bool:
        """Move to the next place outside brackets where ``wanted`` holds, or stay here."""
        start = self.at
        while self:
            if wanted(self):
                return True
            self.skip()
        self.at = start
        return False

    def group(self) -> Cursor | None:
        """What is inside the parentheses that open here; an unclosed one reaches to the end."""
        if not self.sees_mark("("):
            return None
        closed = min(self.tokens.closing.get(self.at, self.end), self.end)
        inside = Cursor(self.tokens, self.at + 1, closed)
        self.at = min(closed + 1, self.end)
        return inside

    def items(self) -> list[Cursor]:
        """The parts between commas outside brackets, ``STRUCT<…>`` ones too; ends the cursor."""
        items: list[Cursor] = []
        start, angles = self.at, 0
        while self:
            previous = self.tokens.tokens[self.at - 1].word if self.at > start else ""
            token = self.skip()
            if token.sort is not Sort.MARK:
                continue
            if token.text == "<" and (angles or previous in _GENERIC_TYPES):
                angles += 1
            elif token.text == ">" and angles:
                angles -= 1
            elif token.text == "," and not angles:
                items.append(Cursor(self.tokens, start, self.at - 1))
                start = self.at
        items.append(Cursor(self.tokens, start, self.end))
        return items

    def span(self) -> Span:
        """From the first token that is left to the last."""
        return Span(self.peek().start, self.tokens.tokens[self.end - 1].end if self else 0)

    def source(self) -> str:
        span = self.span()
        return self.tokens.text[span.start : span.end] if self else ""

    def identifier(self) -> Token | None:
        """One part of a name; a string too, which MySQL and SQLite take for one."""
        if self.peek().sort in (Sort.WORD, Sort.NAME, Sort.STRING):
            return self.next()
        return None

    def name(self) -> Name | None:
        """A name with all that qualifies it; variables and placeholders in it are left out."""
        parts: list[Token] = []
        start = self.at
        while True:
            while self.take_mark("."):
                pass
            variable = self.take_mark(":")
            part = self.identifier()
            if part is None:
                break
            if not variable:
                parts.append(self._dashed(part))
            if not self.sees_mark("."):
                break
        found = [
            piece
            for part in parts
            if not part.text.startswith("@")
            for piece in self._pieces(part)
            if piece
        ]
        if not found:
            self.at = start
            return None
        return Name(found[-1], ".".join(found[:-1]), parts[-1].sort is not Sort.WORD)

    def _dashed(self, part: Token) -> Token:
        """BigQuery's projects may have dashes without quotes (``acme-prod.shop.orders``)."""
        while (
            self.tokens.dialect == "bigquery"
            and part.sort is Sort.WORD
            and self.sees_mark("-")
            and self.peek().start == part.end
            and self.peek(1).start == part.end + 1
        ):
            self.at += 1
            more = self.next()
            part = part._replace(text=f"{part.text}-{more.text}", end=more.end)
        return part

    def _pieces(self, part: Token) -> list[str]:
        if self.tokens.dialect == "bigquery":
            return part.text.split(".")
        return [part.text]

    def text(self) -> str | None:
        """A string's value, if there is one here; strings without a gap between are one."""
        if self.peek().sort is not Sort.STRING:
            return None
        token = self.next()
        text = token.text
        while self.peek().sort is Sort.STRING and self.peek().start == token.end:
            token = self.next()
            text += token.text
        return text
