"""A statement as its names hang together: SELECTs and changes, their sources, and CTEs."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import Enum
from functools import cached_property
from typing import NamedTuple

from sqlscribe.schema.ddl.tokens import Sort, Token, Tokens

LONGEST = 100_000
"""Characters of a statement that are read; what comes behind is data more often than not."""

_MOST_PARTS = 8
"""Parts of a dotted name before and behind one of them."""

Path = tuple[Token, ...]
"""The parts of a dotted name."""


class Clause(Enum):
    """The part of a statement in which something stands."""

    NONE = ""
    WITH = "WITH"
    SELECT = "SELECT"
    FROM = "FROM"
    ON = "ON"
    USING = "USING"
    WHERE = "WHERE"
    GROUP = "GROUP BY"
    HAVING = "HAVING"
    ORDER = "ORDER BY"
    LIMIT = "LIMIT"
    INTO = "INTO"
    COLUMNS = "a column list"
    SET = "SET"
    VALUES = "VALUES"
    OTHER = "an expression"


@dataclass(eq=False)
class Cte:
    """A query that WITH names. ``columns`` are the names in ``r (a, b) AS …``."""

    name: Token
    columns: list[Token] = field(default_factory=list)
    blocks: list[Block] = field(default_factory=list)


@dataclass(eq=False)
class Source:
    """Something in FROM: a table by its ``path``, a subquery by its ``blocks``, or a function.

    ``columns`` are the names in ``AS t (a, b)``.
    """

    block: Block
    path: Path = ()
    alias: Token | None = None
    columns: list[Token] = field(default_factory=list)
    blocks: list[Block] = field(default_factory=list)
    is_call: bool = False

    @property
    def label(self) -> Token | None:
        """What it is called by in front of a column."""
        return self.alias or (self.path[-1] if self.path else None)


@dataclass(eq=False)
class Item:
    """One item of a select list, by its tokens. ``alias`` is the name given to it.

    ``path`` is what it names, where it is nothing but a name; ``star`` a ``*`` with it.
    """

    path: Path = ()
    alias: Token | None = None
    star: bool = False


@dataclass(eq=False)
class Block:
    """One SELECT, or one change of data.

    ``parent`` is the block whose names it sees besides its own, ``ctes`` the named queries
    that it can use, the nearest last.
    """

    kind: str
    parent: Block | None = None
    ctes: tuple[Cte, ...] = ()
    sources: list[Source] = field(default_factory=list)
    items: list[Item] = field(default_factory=list)

    def outward(self) -> list[Block]:
        """This block and those around it, the nearest first."""
        found: list[Block] = []
        block: Block | None = self
        while block is not None:
            found.append(block)
            block = block.parent
        return found


class Context(NamedTuple):
    """Where a token stands. ``expects_source``: what comes next is a table or a subquery.

    ``depth`` counts the parentheses around.
    """

    block: Block | None
    clause: Clause
    expects_source: bool
    ctes: tuple[Cte, ...]
    depth: int


@dataclass(frozen=True, eq=False)
class Reading:
    """A statement as read. ``contexts[i]`` is where token ``i`` stands, the last one is the end.

    ``tables`` are names of tables that are no sources: in DDL, and behind INTO.
    """

    sql: str
    dialect: str
    tokens: Tokens
    contexts: tuple[Context, ...]
    blocks: tuple[Block, ...]
    ctes: tuple[Cte, ...]
    tables: tuple[Path, ...]

    @cached_property
    def starts(self) -> list[int]:
        return [token.start for token in self.tokens.tokens]

    def index_at(self, offset: int) -> int | None:
        """The token that an offset touches; of two, the name is meant."""
        index = bisect_right(self.starts, offset) - 1
        tokens = self.tokens.tokens
        if index >= 0 and tokens[index].end >= offset and is_name(tokens[index]):
            return index
        if index > 0 and tokens[index - 1].end == offset and is_name(tokens[index - 1]):
            return index - 1
        return index if index >= 0 and tokens[index].end > offset else None

    def path_around(self, index: int) -> tuple[int, Path]:
        """The dotted name that a token belongs to, and where in the tokens it begins."""
        tokens = self.tokens.tokens
        first = last = index
        for _ in range(_MOST_PARTS):
            if first >= 2 and is_dot(tokens[first - 1]) and is_name(tokens[first - 2]):
                first -= 2
        for _ in range(_MOST_PARTS):
            following = last + 2
            if following < len(tokens) and is_dot(tokens[last + 1]) and goes_on(tokens, following):
                last = following
        return first, tuple(tokens[first : last + 1 : 2])


def is_name(token: Token) -> bool:
    return token.sort in (Sort.WORD, Sort.NAME)


def is_dot(token: Token) -> bool:
    return token.sort is Sort.MARK and token.text == "."


def goes_on(tokens: Sequence[Token], index: int) -> bool:
    """Whether the name behind a dot belongs to it: ``o. FROM`` is a name that is being typed."""
    token = tokens[index]
    return is_name(token) and (token.sort is Sort.NAME or token.start == tokens[index - 1].end)
