"""The tokens of a text with their brackets paired, and the operands around an operator.

Operands are found by the shape of the text alone. Where the shape is not plain, the answer is
``None``: then a finding has no fix.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from sqlglot.tokens import Token, TokenType

from sqlscribe.checking.parsing import Parsed
from sqlscribe.notation.document import Span

_OPENERS = {
    TokenType.L_PAREN: TokenType.R_PAREN,
    TokenType.L_BRACKET: TokenType.R_BRACKET,
    TokenType.L_BRACE: TokenType.R_BRACE,
}
_CLOSERS = frozenset(_OPENERS.values())
# Words that are followed by a parenthesis without calling anything, or end an operand.
_NO_NAMES = frozenset(
    """
    all and any as asc between by case collate cross desc distinct else end escape except exists
    filter from full group having ilike in inner intersect is join lateral left like limit not
    offset on or order outer over partition qualify regexp returning right rlike select set
    similar some then to top union using values when where window with within
    """.split()
)
# An operand next to one of these may belong to it, and not to the operator looked at.
TIGHT = frozenset(
    {
        TokenType.PLUS,
        TokenType.DASH,
        TokenType.STAR,
        TokenType.SLASH,
        TokenType.DIV,
        TokenType.MOD,
        TokenType.DPIPE,
        TokenType.ARROW,
        TokenType.DARROW,
        TokenType.CARET,
        TokenType.AMP,
        TokenType.PIPE,
        TokenType.COLON,
        TokenType.DCOLON,
        TokenType.COLLATE,
    }
)
FACTORS = frozenset({TokenType.STAR, TokenType.SLASH, TokenType.DIV, TokenType.MOD})
_VALUES = frozenset({TokenType.STRING, TokenType.NUMBER, TokenType.PARAMETER, TokenType.NULL})
_TYPED = frozenset({TokenType.DATE, TokenType.TIMESTAMP, TokenType.DATETIME, TokenType.TIME})


@dataclass(frozen=True)
class View:
    """One text as tokens. Operands are pairs of indices, both inclusive."""

    parse: Parsed

    # A plain attribute once it was asked for, which is some thousand times.
    @cached_property
    def tokens(self) -> Sequence[Token]:
        return self.parse.tokens

    @property
    def dialect(self) -> str:
        return self.parse.dialect

    @cached_property
    def pairs(self) -> dict[int, int]:
        """The index of the other bracket, for each bracket that has one."""
        pairs: dict[int, int] = {}
        waiting: list[int] = []
        for index, token in enumerate(self.tokens):
            if token.token_type in _OPENERS:
                waiting.append(index)
            elif token.token_type in _CLOSERS and waiting:
                first = waiting.pop()
                pairs[first], pairs[index] = index, first
        return pairs

    def kind(self, index: int) -> TokenType | None:
        return self.tokens[index].token_type if 0 <= index < len(self.tokens) else None

    def word(self, index: int) -> str:
        """The token's text in upper case, ``""`` outside of the text and for quoted text."""
        if not 0 <= index < len(self.tokens):
            return ""
        token = self.tokens[index]
        quoted = token.token_type in (TokenType.STRING, TokenType.IDENTIFIER)
        return "" if quoted else token.text.upper()

    def words(self, index: int, *expected: str) -> bool:
        """True where these words stand at an index, in a row."""
        return all(self.word(index + step) == word for step, word in enumerate(expected))

    def span(self, first: int, last: int) -> Span:
        return Span(self.tokens[first].start, self.tokens[last].end + 1)

    def text(self, first: int, last: int) -> str:
        return self.span(first, last).of(self.parse.sql)

    def is_call(self, index: int) -> bool:
        """A name at ``index`` with its parenthesis behind it."""
        return (
            self._is_name(index)
            and self.kind(index + 1) is TokenType.L_PAREN
            and self.tokens[index].end + 1 == self.tokens[index + 1].start
        )

    def _is_name(self, index: int) -> bool:
        if not 0 <= index < len(self.tokens):
            return False
        token = self.tokens[index]
        if token.token_type in (TokenType.VAR, TokenType.IDENTIFIER):
            return token.text.casefold() not in _NO_NAMES
        text = token.text
        return (
            token.token_type is not TokenType.STRING
            and text[:1].isalpha()
            and text.replace("_", "a").isalnum()
            and text.casefold() not in _NO_NAMES
        )

    def ends_operand(self, index: int) -> bool:
        """A value or its end stands at ``index``."""
        kind = self.kind(index)
        closes = kind in (TokenType.R_PAREN, TokenType.R_BRACKET)
        return closes or kind in _VALUES or self._is_name(index)

    def starts_operand(self, index: int) -> bool:
        """A value or its beginning stands at ``index``."""
        kind = self.kind(index)
        return kind is TokenType.L_PAREN or kind in _VALUES or self._is_name(index)

    def arguments(self, opening: int) -> list[tuple[int, int]] | None:
        """The arguments between a parenthesis and its other half; ``None`` if it is not closed."""
        closing = self.pairs.get(opening)
        if closing is None:
            return None
        found: list[tuple[int, int]] = []
        first = index = opening + 1
        while index < closing:
            if self.kind(index) is TokenType.COMMA:
                found.append((first, index - 1))
                first = index + 1
            index = self.pairs.get(index, index) + 1
        if closing > opening + 1:
            found.append((first, closing - 1))
        return found if all(start <= end for start, end in found) else None

    def left_operand(
        self, index: int, binds: frozenset[TokenType] = TIGHT
    ) -> tuple[int, int] | None:
        """What stands in front of an operator, where nothing that binds as closely precedes it."""
        first = self._start_of(index - 1)
        if first is None or self.kind(first - 1) in binds:
            return None
        return first, index - 1

    def _start_of(self, last: int) -> int | None:
        """The first token of the plain operand that ends at ``last``."""
        kind = self.kind(last)
        if kind in (TokenType.R_PAREN, TokenType.R_BRACKET):
            opening = self.pairs.get(last)
            if opening is None or self.word(opening - 1) in ("OVER", "FILTER", "GROUP"):
                return None
            if kind is TokenType.R_BRACKET:
                return self._start_of(opening - 1)
            first = self._name_start(opening - 1) if self.is_call(opening - 1) else opening
        elif kind in _VALUES:
            first = last - 1 if self.kind(last - 1) in (*_TYPED, TokenType.INTERVAL) else last
        elif self._is_name(last):
            first = self._name_start(last)
        else:
            return None
        if self.kind(first - 1) is TokenType.DCOLON:
            return self._start_of(first - 2)
        return first

    def _name_start(self, index: int) -> int:
        while self.kind(index - 1) is TokenType.DOT and index > 1:
            index -= 2
        return index

    def right_operand(
        self, index: int, binds: frozenset[TokenType] = TIGHT
    ) -> tuple[int, int] | None:
        """What stands behind an operator, where nothing that binds as closely follows it."""
        last = self._end_of(index + 1)
        if last is None or self.kind(last + 1) in binds:
            return None
        return index + 1, last

    def _end_of(self, first: int) -> int | None:
        """The last token of the plain operand that starts at ``first``."""
        kind = self.kind(first)
        if kind is TokenType.L_PAREN:
            last = self.pairs.get(first)
        elif kind is TokenType.DASH and self.kind(first + 1) is TokenType.NUMBER:
            last = first + 1
        elif kind in _VALUES:
            last = first
        elif kind in _TYPED and self.kind(first + 1) is TokenType.STRING:
            last = first + 1
        elif self._is_name(first):
            last = first
            while self.kind(last + 1) is TokenType.DOT and self._is_name(last + 2):
                last += 2
            if self.kind(last + 1) is TokenType.L_PAREN:
                last = self.pairs.get(last + 1)
        else:
            return None
        while last is not None and self.kind(last + 1) is TokenType.L_BRACKET:
            last = self.pairs.get(last + 1)
        if last is not None and self.kind(last + 1) is TokenType.DCOLON and self._is_name(last + 2):
            last += 2
            if self.kind(last + 1) is TokenType.L_PAREN:
                last = self.pairs.get(last + 1)
        return last

    @cached_property
    def _levels(self) -> tuple[list[int], list[int]]:
        """For each token the first and the last one of its own brackets or statement."""
        starts = list(range(len(self.tokens)))
        ends = list(starts)
        open_at: list[int] = []
        begin = 0
        members: list[list[int]] = [[]]
        for index, token in enumerate(self.tokens):
            closing = token.token_type in _CLOSERS and self.pairs.get(index) is not None
            if closing and open_at:
                for member in members.pop():
                    ends[member] = index - 1
                begin = starts[open_at.pop()]
            elif token.token_type is TokenType.SEMICOLON:
                for member in members[-1]:
                    ends[member] = index - 1
                members[-1] = []
                begin = index + 1
                continue
            starts[index] = begin
            members[-1].append(index)
            if token.token_type in _OPENERS and index in self.pairs:
                open_at.append(index)
                members.append([])
                begin = index + 1
        for level in members:
            for member in level:
                ends[member] = len(self.tokens) - 1
        return starts, ends

    def depth_start(self, index: int) -> int:
        """The index behind the parenthesis or semicolon that ``index`` stands inside of."""
        return self._levels[0][index] if index < len(self.tokens) else index

    def depth_end(self, index: int) -> int:
        """The index of the last token before the parenthesis around ``index`` closes."""
        return self._levels[1][index] if index < len(self.tokens) else index

    def at_depth(self, first: int, last: int) -> list[int]:
        """The indices from ``first`` to ``last`` that stand in no parentheses of their own."""
        found: list[int] = []
        index = first
        while index <= last:
            found.append(index)
            jump = self.pairs.get(index)
            index = jump if jump is not None and jump > index else index + 1
        return found
