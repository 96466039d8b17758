"""Where the queries are in a body that nobody parses: by boundaries and brackets.

Engines have a language of their own for routines. Its queries are found by what stands before
them, and end where the body goes on; the rest of the body only tells names of variables.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from sqlscribe.notation.document import Span
from sqlscribe.notation.script_lines import is_tsql
from sqlscribe.notation.statements import split
from sqlscribe.schema.ddl.cursor import Cursor
from sqlscribe.schema.ddl.tokens import Sort, Token, Tokens, tokenize, words

_STARTS = words("SELECT WITH INSERT UPDATE DELETE MERGE PERFORM FROM")
_ANY_START_AFTER = words(
    "BEGIN THEN ELSE LOOP DO AS IS ROW STATEMENT ATOMIC INSTEAD ALSO QUERY RETURN BEGIN_TRY TRY"
    " CATCH OTHERS REPEAT FUNCTION"
)
_QUERY_AFTER = words("FOR IN TABLE IMMEDIATE DEFAULT CURSOR")
_KINDS_OF_WITH = words("MATERIALIZED NOT")
_STOPS = words("LOOP END ELSE ELSIF ELSEIF")
_TARGETS_END = words("FROM WHERE GROUP ORDER LIMIT FOR HAVING USING UNION")


@dataclass(frozen=True)
class Chunk:
    """A query at ``start``. ``targets`` are the variables that its INTO names, case-folded."""

    start: int
    sql: str
    targets: frozenset[str] = frozenset()


def chunks(tokens: Tokens, start: int, end: int, *, assigns: bool = False) -> Iterator[Chunk]:
    """The queries among some tokens. ``assigns``: their INTO names variables."""
    at = start
    before: Token | None = None
    while at < end:
        token = tokens.tokens[at]
        if token.word in _STARTS and _may_start(token, before) and _is_query(tokens, at):
            inside = before is not None and before.text == "(" and before.sort is Sort.MARK
            stop = _stop(tokens, at, end, tokens.closing.get(at - 1) if inside else None)
            yield _chunk(tokens, at, stop, assigns=assigns)
            at = stop
            before = None
            continue
        before = token
        at += 1


def _may_start(token: Token, before: Token | None) -> bool:
    if token.word == "FROM":
        # DuckDB's queries may begin with it.
        return before is not None and before.word == "AS"
    if before is None or (before.sort is Sort.MARK and before.text in "(;)"):
        return True
    if token.word in ("SELECT", "WITH") and before.word in _QUERY_AFTER:
        return True
    return before.word in _ANY_START_AFTER


def _is_query(tokens: Tokens, at: int) -> bool:
    """False for a WITH that gives options: ``WITH (fillfactor = 70)``, ``WITH SCHEMABINDING``."""
    cursor = Cursor(tokens, at, len(tokens.tokens))
    if not cursor.take("WITH"):
        return True
    cursor.take("RECURSIVE")
    if cursor.identifier() is None:
        return False
    if cursor.sees_mark("("):
        cursor.skip()
        return cursor.sees("AS")
    return cursor.take("AS") and (cursor.sees_mark("(") or cursor.peek().word in _KINDS_OF_WITH)


def _stop(tokens: Tokens, at: int, end: int, closed: int | None) -> int:
    """The index behind the last token of the query that starts at an index."""
    if closed is not None:
        return min(closed, end)
    cursor = Cursor(tokens, at, end)
    cases = 0
    while cursor:
        token = cursor.peek()
        if cursor.sees_mark(";") or (cursor.sees_mark(")") and cursor.at > at):
            break
        if token.word == "CASE":
            cases += 1
        elif token.word == "END" and cases:
            cases -= 1
        elif token.word in _STOPS and not cases:
            break
        cursor.skip()
    return max(cursor.at, at + 1)


def _chunk(tokens: Tokens, start: int, stop: int, *, assigns: bool) -> Chunk:
    first, last = tokens.tokens[start], tokens.tokens[stop - 1]
    sql = tokens.text[first.start : last.end]
    if first.word == "PERFORM":
        sql = "SELECT " + sql[len("PERFORM") :]
    if not assigns or is_tsql(tokens.dialect):
        return Chunk(first.start, sql)
    targets: set[str] = set()
    cursor = Cursor(tokens, start, stop)
    returned = first.word in ("SELECT", "WITH", "PERFORM")
    while cursor:
        returned |= cursor.peek().word == "RETURNING"
        if returned and cursor.peek().word in ("INTO", "BULK"):
            span = _targets(cursor, targets)
            local = Span(span.start - first.start, span.end - first.start)
            sql = sql[: local.start] + " " * (local.end - local.start) + sql[local.end :]
        else:
            cursor.skip()
    return Chunk(first.start, sql, frozenset(targets))


def _targets(cursor: Cursor, targets: set[str]) -> Span:
    """``INTO a, b.c``; moves behind it."""
    start = cursor.peek().start
    end = start
    named = False
    while cursor:
        token = cursor.peek()
        if token.word in _TARGETS_END or cursor.sees_mark(";"):
            break
        if token.word in ("BULK", "COLLECT", "INTO", "STRICT"):
            named = False
        elif token.sort in (Sort.WORD, Sort.NAME):
            # Two names in a row: the list is over, its last comma lies behind.
            if named:
                break
            targets.add(token.text.casefold().lstrip(":"))
            named = True
        else:
            named = token.text not in (",", ".", ":") and named
        end = token.end
        cursor.skip()
        if cursor.at:
            end = cursor.tokens.tokens[cursor.at - 1].end
    return Span(start, end)


def routine_chunks(tokens: Tokens) -> tuple[list[Chunk], list[Token]]:
    """The queries of a routine or block in the order of the text, and all its tokens."""
    bodies = [_inside(tokens, token) for token in tokens.tokens if _is_body(tokens, token)]
    every = list(tokens.tokens)
    found: list[Chunk] = []
    if not bodies:
        for start, end in _ranges(tokens):
            found += chunks(tokens, start, end, assigns=True)
    for body in bodies:
        every += body.tokens
        found += chunks(body, 0, len(body.tokens), assigns=True)
    return sorted(found, key=lambda chunk: chunk.start), every


def _is_body(tokens: Tokens, token: Token) -> bool:
    if token.sort is not Sort.STRING:
        return False
    quote = tokens.text[token.start]
    index = tokens.index_before(token.start)
    before = tokens.tokens[index].word if index >= 0 else ""
    if tokens.tokens[0].word == "UNLOAD":
        return index == 1
    return before in ("AS", "DO") or (quote == "$" and before in ("PLPGSQL", "SQL"))


def _inside(tokens: Tokens, token: Token) -> Tokens:
    """The tokens of a body that is written as a string, at their places in the whole text."""
    text = tokens.text
    if text[token.start] == "$":
        mark = text.find("$", token.start + 1, token.end) + 1 - token.start
        span = Span(token.start + mark, max(token.end - mark, token.start + mark))
        return tokenize(text, tokens.masked, span, tokens.dialect)
    span = Span(token.start + 1, max(token.end - 1, token.start + 1))
    plain = _single_quotes(text[span.start : span.end])
    text = text[: span.start] + plain + text[span.end :]
    return tokenize(text, text, span, tokens.dialect)


def _single_quotes(body: str) -> str:
    """``''x''`` as `` 'x' ``: what a string in a string means, at the same length."""
    pieces = body.split("''")
    marks = (" '", "' ")
    return "".join(
        piece + (marks[index % 2] if index < len(pieces) - 1 else "")
        for index, piece in enumerate(pieces)
    )


_BODY_STARTS = words(
    "BEGIN SET SELECT DECLARE IF INSERT UPDATE DELETE WITH MERGE EXEC EXECUTE RETURN PRINT WHILE"
    " TRUNCATE RAISERROR THROW"
)


def _ranges(tokens: Tokens) -> Sequence[tuple[int, int]]:
    """The parts of a body that end by themselves: in T-SQL no semicolon is needed."""
    if not is_tsql(tokens.dialect):
        return [(0, len(tokens.tokens))]
    cursor = Cursor.over(tokens)
    cursor.seek(lambda at: at.sees("AS") and at.peek(1).word in _BODY_STARTS)
    start = cursor.peek().end if cursor.at else 0
    body = tokens.text[start:]
    spans = [statement.span.moved(start) for statement in split(body, tokens.dialect)]
    return [
        (tokens.index_before(span.start) + 1, tokens.index_before(span.end) + 1) for span in spans
    ]
