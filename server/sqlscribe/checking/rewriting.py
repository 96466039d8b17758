"""SQL written anew from its syntax tree, where a person asks for that: formatted, or converted.

Either the result says the same, as far as the parser can tell, or there is a reason why not.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from functools import lru_cache

from sqlglot import ErrorLevel, exp
from sqlglot.dialects.dialect import Dialect
from sqlglot.errors import SqlglotError, UnsupportedError

from sqlscribe.checking.parsing import SLIPS, Parsed, known, parsed
from sqlscribe.notation.jinja_sql import is_templated
from sqlscribe.notation.lexicon import Kind, scan
from sqlscribe.notation.marked_comments import MARK
from sqlscribe.notation.stamps import OURS


@dataclass(frozen=True)
class Rewritten:
    """The new SQL, or the ``reason`` why there is none, as a clause for a person.

    ``lost`` are the comments that the new SQL does not have. ``remark`` is what a person has
    to know about it.
    """

    sql: str = ""
    reason: str = ""
    lost: tuple[str, ...] = ()
    remark: str = ""


_SLIPS = (SqlglotError, *SLIPS)


@lru_cache(maxsize=64)
def formatted(sql: str, dialect: str) -> Rewritten:
    """One statement laid out in lines, with the same meaning and the same comments."""
    parse = parsed(sql, dialect)
    if reason := _objection(parse):
        return Rewritten(reason=reason)
    try:
        new = parse.trees[0].sql(dialect=parse.dialect, pretty=True)
    except _SLIPS:
        return Rewritten(reason="it is too unusual to be written anew")
    again = parsed(new, dialect)
    if again.problem is not None or again.trees != parse.trees:
        return Rewritten(reason="it would not surely mean the same")
    if _lost(sql, dialect, new, dialect):
        return Rewritten(reason="its comments would be lost")
    if new == sql:
        return Rewritten(reason="it is formatted already")
    return Rewritten(new)


@lru_cache(maxsize=64)
def converted(sql: str, dialect: str, to: str) -> Rewritten:
    """One statement in another dialect. What has no counterpart there is a reason."""
    parse = parsed(sql, dialect)
    if reason := _objection(parse):
        return Rewritten(reason=reason)
    if not known(to):
        return Rewritten(reason=f"{to} is not a dialect that can be written")
    remark = ""
    try:
        try:
            new = _generated(parse, to, ErrorLevel.RAISE)
        except UnsupportedError as error:
            if not all(map(_OF_NULLS.search, str(error).splitlines())):
                raise
            new = _generated(parse, to, ErrorLevel.IGNORE)
            remark = f"{to} may sort rows with NULL to the other end"
    except _SLIPS as error:
        said = " ".join(str(error).split()) if isinstance(error, SqlglotError) else ""
        return Rewritten(reason=said[:300] or "it is too unusual to be written anew")
    problem = parsed(new, to).problem
    if problem is not None:
        return Rewritten(reason=f"what comes out is not valid: {problem.message}")
    return Rewritten(new, lost=_lost(sql, dialect, new, to), remark=remark)


_OF_NULLS = re.compile(r"NULLS (?:FIRST|LAST)|^\s*$")


def _generated(parse: Parsed, dialect: str, level: ErrorLevel) -> str:
    pretty = "\n" in parse.sql
    return str(parse.trees[0].sql(dialect=dialect, pretty=pretty, unsupported_level=level))


def _objection(parse: Parsed) -> str:
    """Why a text cannot be written anew, ``""`` if it can."""
    if not parse.dialect:
        # Names could end up in another engine's quotes.
        return "its dialect is not known"
    if is_templated(parse.sql):
        return "it holds templates"
    if parse.problem is not None:
        return parse.problem.message
    if len(parse.trees) != 1:
        return "it is not one statement"
    if parse.trees[0].find(exp.Command) is not None:
        return "statements of this kind cannot be written anew"
    if not _is_whole(parse):
        return "the parser knows only a part of it"
    if any(MARK.match(said) or OURS.match(said) for said in _comments(parse.sql, parse.dialect)):
        return "a comment in it speaks to SQLScribe, and would come to stand elsewhere"
    return ""


def _is_whole(parse: Parsed) -> bool:
    """Whether the trees are of all the text: parts that the parser does not take are blanked."""
    try:
        tokens = Dialect.get_or_raise(parse.dialect).tokenize(parse.sql)
    except _SLIPS:
        return False
    return len(tokens) == len(parse.tokens)


def _lost(old: str, dialect: str, new: str, to: str) -> tuple[str, ...]:
    return tuple((Counter(_comments(old, dialect)) - Counter(_comments(new, to))).elements())


def _comments(sql: str, dialect: str) -> list[str]:
    """What the comments say, without their marks and with single blanks."""
    found: list[str] = []
    for piece in scan(sql, dialect):
        said = sql[piece.start : piece.end]
        if piece.kind is Kind.LINE_COMMENT:
            found.append(" ".join(re.sub(r"\A(?:--|//|#)", "", said).split()))
        elif piece.kind is Kind.BLOCK_COMMENT:
            found.append(" ".join(said.removeprefix("/*").removesuffix("*/").split()))
    return found
