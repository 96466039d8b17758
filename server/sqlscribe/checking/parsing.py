"""The one door to the SQL parser: text in, syntax trees or a reason out.

The parser reads a superset of all dialects, so "it parses" never means "it is valid".
Nothing here raises, whatever the text.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import lru_cache

from sqlglot import ErrorLevel, exp
from sqlglot.dialects.dialect import Dialect
from sqlglot.errors import ParseError, SqlglotError, TokenError
from sqlglot.tokens import Token, TokenType

from sqlscribe.checking.gaps import without_parts
from sqlscribe.notation.document import Span
from sqlscribe.notation.lexicon import Kind, Piece, scan

MAX_LENGTH = 100_000
"""Longer statements are not parsed: the parser reads about 100 kB in a second."""

MAX_DEPTH = 40
"""Deeper nesting is not parsed: the parser calls itself some twenty times per level."""

_ROUNDS = 5
"""How often parts that the parser does not know are left out, some hundred at a time."""

SLIPS = (
    RecursionError, ValueError, TypeError, AttributeError, KeyError, IndexError, AssertionError
)  # fmt: skip
"""What sqlglot was seen to raise on half-typed and odd text, beside its own errors."""

_OTHER_QUOTES = ("mysql", "tsql", "bigquery")
_OPEN = frozenset({TokenType.L_PAREN, TokenType.L_BRACKET, TokenType.L_BRACE, TokenType.CASE})
_CLOSE = frozenset({TokenType.R_PAREN, TokenType.R_BRACKET, TokenType.R_BRACE, TokenType.END})
_ADVICE = re.compile(r"<class '[\w.]*?(\w+)'>|<Token[^>]*?text: (.*?), line:[^>]*>")


@dataclass(frozen=True)
class Problem:
    """Why a text has no trees.

    ``sure`` is false where the parser gave up: then nothing is known about the text.
    """

    message: str
    span: Span
    sure: bool = True


@dataclass(frozen=True)
class Parsed:
    """A text as the parser sees it. Without a problem ``trees`` has one per statement."""

    sql: str
    dialect: str
    tokens: tuple[Token, ...] = ()
    trees: tuple[exp.Expression, ...] = ()
    problem: Problem | None = None


def known(dialect: str) -> str:
    """The parser's name of a dialect; ``""``, its generic one, where it knows none."""
    return dialect if dialect and Dialect.get(dialect) else ""


def parsed(sql: str, dialect: str) -> Parsed:
    """The trees of a text. The same text again costs nothing."""
    return _parsed(sql, known(dialect))


def parses(sql: str, dialect: str) -> str | None:
    """Why a text does not parse, as one sentence; ``None`` if it does."""
    problem = parsed(sql, dialect).problem
    return problem.message if problem else None


def span_of(token: Token) -> Span:
    return Span(token.start, token.end + 1)


# Trees are never changed after parsing, so that they can be shared.
@lru_cache(maxsize=64)
def _parsed(sql: str, dialect: str) -> Parsed:
    parse = _parsed_as(sql, dialect)
    if dialect or parse.problem is None or not parse.problem.sure:
        return parse
    # Where the dialect is not known, it may be one of those that quote names otherwise.
    others = (_parsed_as(sql, other) for other in _OTHER_QUOTES)
    found = next((other for other in others if other.problem is None), parse)
    return replace(found, dialect=dialect)


def _parsed_as(sql: str, dialect: str, rounds: int = _ROUNDS) -> Parsed:
    whole = Span(0, len(sql))
    if len(sql) > MAX_LENGTH:
        return Parsed(sql, dialect, problem=Problem("it is too long to check", whole, False))
    try:
        tokens = tuple(Dialect.get_or_raise(dialect).tokenize(sql))
    except TokenError:
        return Parsed(sql, dialect, problem=_unclosed(sql, dialect))
    except SLIPS:
        problem = Problem("it could not be read as SQL", whole, False)
        return Parsed(sql, dialect, problem=problem)
    if _depth(tokens) > MAX_DEPTH or _subscripts(tokens) > MAX_DEPTH:
        problem = Problem("it is nested too deeply to check", whole, False)
        return Parsed(sql, dialect, tokens, problem=problem)
    try:
        trees = _trees(tokens, sql, dialect)
    except (SqlglotError, *SLIPS) as error:
        plainer = without_parts(sql, dialect)
        if plainer != sql and rounds:
            return replace(_parsed_as(plainer, dialect, rounds - 1), sql=sql)
        if isinstance(error, ParseError) and plainer == sql:
            return Parsed(sql, dialect, tokens, problem=_parse_problem(error, tokens, sql))
        why = "is nested too deeply" if isinstance(error, RecursionError) else "is too unusual"
        problem = Problem(f"it {why} to check", whole, False)
        return Parsed(sql, dialect, tokens, problem=problem)
    return Parsed(sql, dialect, tokens, trees)


def _trees(tokens: tuple[Token, ...], sql: str, dialect: str) -> tuple[exp.Expression, ...]:
    parser = Dialect.get_or_raise(dialect).parser(error_level=ErrorLevel.IMMEDIATE)
    with _quiet():
        trees = parser.parse(list(tokens), sql)
    # A stray semicolon with a comment is no statement.
    return tuple(tree for tree in trees if tree is not None and type(tree) is not exp.Semicolon)


@contextmanager
def _quiet() -> Iterator[None]:
    """Keep the parser's remarks on statements it does not know out of the log."""
    logger = logging.getLogger("sqlglot")

    def drop(record: logging.LogRecord) -> bool:
        return False

    logger.addFilter(drop)
    try:
        yield
    finally:
        logger.removeFilter(drop)


def _depth(tokens: tuple[Token, ...]) -> int:
    depth = deepest = 0
    for token in tokens:
        if token.token_type in _OPEN:
            depth += 1
            deepest = max(deepest, depth)
        elif token.token_type in _CLOSE and depth:
            depth -= 1
    return deepest


def _subscripts(tokens: tuple[Token, ...]) -> int:
    """How many subscripts stand one behind the other, at most (``a[1][2]``: one behind the first).

    The parser looks at all of those before at each, and a model that repeats itself writes many.
    """
    longest = before = 0
    chains: list[int] = []
    last = None
    for token in tokens:
        kind = token.token_type
        if kind is TokenType.L_BRACKET:
            chains.append(before + 1 if last is TokenType.R_BRACKET else 0)
            longest = max(longest, chains[-1])
        elif kind is TokenType.R_BRACKET:
            before = chains.pop() if chains else 0
        last = kind
    return longest


def _parse_problem(error: ParseError, tokens: tuple[Token, ...], sql: str) -> Problem:
    detail = error.errors[0] if error.errors else {}
    place = (detail.get("line"), detail.get("col"))
    at = next((token for token in tokens if (token.line, token.col) == place), None)
    if at is None:
        return Problem(_wording(detail), _last_word(sql))
    return Problem(_wording(detail, at.text), span_of(at))


def _wording(detail: dict[str, str], word: str = "") -> str:
    said = str(detail.get("description") or "this is not valid SQL")
    said = _ADVICE.sub(lambda match: match[1] or match[2] or "", said).rstrip(".")
    said = said.replace("SENTINEL", "the end of the statement")
    if said.startswith("Invalid expression"):
        return f"syntax error at {word[:40]}" if word else "syntax error"
    near = f", near {word[:40]}" if word else ""
    return f"syntax error: {said[:1].lower()}{said[1:]}{near}"


def _unclosed(sql: str, dialect: str) -> Problem:
    """The tokenizer says no more than that it failed: nearly always an open quote."""
    piece = open_literal(sql, dialect)
    if piece is None:
        return Problem("syntax error", _last_word(sql))
    what = "comment" if piece.kind is Kind.BLOCK_COMMENT else "quote"
    return Problem(f"syntax error: a {what} is not closed", Span(piece.start, len(sql)))


def _last_word(sql: str) -> Span:
    end = len(sql.rstrip())
    start = max(sql.rfind(" ", 0, end), sql.rfind("\n", 0, end)) + 1
    return Span(min(start, end), end)


def open_literal(sql: str, dialect: str) -> Piece | None:
    """The first string, quoted name or comment that the text begins and does not end."""
    return next((piece for piece in scan(sql, dialect) if _is_open(sql, piece)), None)


def _is_open(sql: str, piece: Piece) -> bool:
    if piece.kind in (Kind.CODE, Kind.LINE_COMMENT):
        return False
    text = sql[piece.start : piece.end]
    if piece.kind is Kind.BLOCK_COMMENT:
        return len(text) < 4 or not text.endswith("*/")
    if text[0] == "[":
        return not text.endswith("]")
    if text[0] == "$":
        mark = text[: text.find("$", 1) + 1]
        return len(text) < 2 * len(mark) or not text.endswith(mark)
    if sql[max(piece.start - 1, 0) : piece.start] in ("q", "Q"):
        return len(text) < 4 or not text.endswith("'")
    return re.sub(r"\\.", "", text, flags=re.DOTALL).count(text[0]) % 2 == 1
