"""A place in a run of tokens, and the steps that the readers of DDL take from it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from sqlscribe.notation.document import Span
from sqlscribe.schema.ddl.tokens import Sort, Token, Tokens, words


class Name(NamedTuple):
    """A name of something in the database; ``schema`` is everything before its last part."""

    name: str
    schema: str = ""
    quoted: bool = False


_GENERIC_TYPES = words("ARRAY STRUCT MAP ROW RANGE TABLE UNIONTYPE OBJECT VECTOR")


@dataclass
class Cursor:
    """A place in a run of tokens. Its methods move it only where they find what they name."""

    tokens: Tokens
    at: int
    end: int

    @classmethod
    def over(cls, tokens: Tokens) -> Cursor:
        return cls(tokens, 0, len(tokens.tokens))

    def copy(self) -> Cursor:
        """A cursor of its own at the same place."""
        return Cursor(self.tokens, self.at, self.end)

    def with_tokens(self, tokens: Sequence[Token]) -> Cursor:
        """The same place among other tokens, one for one."""
        return Cursor(replace(self.tokens, tokens=tokens), self.at, self.end)

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

    def left(self) -> Sequence[Token]:
        """The tokens from here to the end."""
        return self.tokens.tokens[self.at : self.end]

    def sees(self, *words: str) -> bool:
        at, tokens = self.at, self.tokens.tokens
        if at + len(words) > self.end:
            return False
        for word in words:
            if tokens[at].word != word:
                return False
            at += 1
        return True

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
        """The parts between commas outside brackets, ``STRUCT<…>`` too; moves to the end."""
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
        """From the first token that is left to the last; empty where none is left."""
        start = self.peek().start
        return Span(start, self.tokens.tokens[self.end - 1].end if self else start)

    def span_from(self, start: int) -> Span:
        """From an offset to the end of the last token."""
        return Span(start, self.tokens.tokens[self.end - 1].end)

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
        if self.sees("IDENTIFIER") and self.sees_mark("(", 1):
            return self._computed_name()
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
            if not part.text.startswith(("@", "&"))
            for piece in self._pieces(part)
            if piece
        ]
        if not found:
            self.at = start
            return None
        return Name(found[-1], ".".join(found[:-1]), parts[-1].sort is not Sort.WORD)

    def _computed_name(self) -> Name | None:
        """``IDENTIFIER('db.orders')``; one that only shows when the script runs is none."""
        start = self.at
        self.at += 1
        inside = self.group()
        text = inside.text() if inside is not None else None
        if not text or inside:
            self.at = start
            return None
        schema, _, name = text.replace('"', "").rpartition(".")
        return Name(name, schema)

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
