"""From a model's reply to the SQL in it, to what it asks back, or to its mere words.

The model's own text is kept byte for byte, but for what :mod:`cleaning` undoes.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Literal

from sqlscribe.checking.extraction.grades import Grade, looks_cut
from sqlscribe.checking.extraction.queries import (
    NOTHING,
    Reading,
    read_marked,
    read_prose,
    read_whole,
)
from sqlscribe.checking.extraction.replies import (
    Block,
    fences,
    is_sql,
    json_strings,
    outside,
    plain_marks,
    tags,
    without_reasoning,
)
from sqlscribe.checking.extraction.slots import stated
from sqlscribe.notation.lexicon import dialect_named

MAX_REPLY = 1_000_000
"""Characters of a reply that are looked at."""

INSUFFICIENT_LABEL = "INSUFFICIENT:"
"""The model starts a line with this to say what the schema lacks."""

CHOICE_LABEL = "CHOICE:"
"""The model starts a line with this to offer readings, with ``|`` between them."""

LOOKUP_LABEL = "LOOKUP:"
"""The model starts a line with this to ask for the values of a column, with a query for them."""

Outcome = Literal["sql", "no_sql", "truncated", "insufficient", "needs_choice", "lookup"]


@dataclass(frozen=True)
class Extraction:
    """What a reply holds.

    ``sql`` is the answer without its semicolon, or the query of a ``lookup``; it may hold
    several statements where one of them is no query, and then ``statements`` has each of them.
    ``alternates`` are other queries the model offers. ``prose`` is what it says around them.
    ``declined`` is what is missing (outcome ``insufficient``); ``choices`` are the readings
    (``needs_choice``).
    """

    outcome: Outcome
    sql: str = ""
    alternates: tuple[str, ...] = ()
    statements: tuple[str, ...] = ()
    prose: str = ""
    declined: str | None = None
    choices: tuple[str, ...] = ()


# Some dialects would take it for a comment, and the words below it for SQL.
_HEADING = re.compile(r"^#{2,6}[ \t]+\w.*|(?<=\n\n)-{3,}[ \t]*(?=\n\s*\n|\s*\Z)", re.MULTILINE)


def extract(reply: str, dialect: str, *, cut_off: bool = False) -> Extraction:
    """The SQL of a reply, the last complete query first.

    ``cut_off``: the provider says that the reply ends at its length limit. Never raises.
    """
    cut_off = cut_off or len(reply) > MAX_REPLY
    text, thinking = without_reasoning(reply[:MAX_REPLY].removeprefix("\ufeff"))
    text = plain_marks(text)
    if thinking:
        return Extraction("truncated", prose=text.strip())
    if (asked := _lookup(text, dialect)) is not None:
        return asked
    if (why := stated(text)) is not None:
        return Extraction(
            why.outcome,
            why.sql,
            prose=text.strip(),
            declined=why.missing or None,
            choices=why.readings,
        )
    found, closed = NOTHING, False
    if _HEADING.search(text) is None:
        found = replace(read_whole(text, dialect), start=0, end=len(text))
    if found.grade < Grade.WRITE:
        found, closed = _marked(text, dialect, depth=0)
    if found.grade < Grade.WRITE and not found.cut and (said := _said(text, opening=True)):
        return said
    if not found.grade and not found.cut:
        found, closed = read_prose(_without_code(text), dialect), False
    if not found.grade and (said := _said(text, opening=False)):
        return said
    return _outcome(found, text, dialect, closed=closed, cut_off=cut_off)


def _outcome(found: Reading, text: str, dialect: str, *, closed: bool, cut_off: bool) -> Extraction:
    prose = outside(text, found.start, found.end)
    if found.cut:
        return Extraction("truncated", alternates=found.alternates, prose=prose)
    if found.grade is Grade.NONE:
        return Extraction("truncated" if cut_off else "no_sql", prose=text.strip())
    ends_here = not text[found.end :].strip().strip(";")
    if not closed and (
        (cut_off and ends_here)
        or (found.grade is Grade.BROKEN and ends_here and looks_cut(found.sql, dialect))
    ):
        return Extraction("truncated", alternates=found.alternates, prose=prose)
    return Extraction("sql", found.sql, found.alternates, found.statements, prose)


def _without_code(text: str) -> str:
    """The text with fenced Python and the like blanked: a query in there is not the answer.

    Headings are blanked, too; a statement above ends there.
    """
    for block in fences(text):
        if not is_sql(block):
            text = text[: block.start] + " " * (block.end - block.start) + text[block.end :]
    return _HEADING.sub(lambda heading: ";".ljust(len(heading[0])), text)


_MAX_DEPTH = 3
_Finder = Callable[[str], Iterable[Block]]


def _marked(text: str, dialect: str, depth: int) -> tuple[Reading, bool]:
    """The best block that tags, fences or JSON set apart, and whether it is closed."""
    finders: tuple[_Finder, ...] = (tags, fences, json_strings)
    for finder in finders:
        readings: list[tuple[Reading, bool]] = []
        others: list[tuple[Reading, bool]] = []
        for block in finder(text):
            if is_sql(block):
                to = others if _is_for_another(block, dialect) else readings
                to.append((_read(block, dialect, depth), block.closed))
        chosen = _chosen([*others, *readings])
        if chosen is not None:
            return chosen
    return NOTHING, True


_ENGINES = frozenset("bigquery duckdb mysql oracle postgres snowflake sqlite tsql".split())


def _is_for_another(block: Block, dialect: str) -> bool:
    """Whether a fence names another engine: many models add what it looks like elsewhere."""
    named = dialect_named(block.language) if block.language else None
    return named != dialect and named in _ENGINES and dialect in _ENGINES


def _read(block: Block, dialect: str, depth: int) -> Reading:
    """A block's statements; it may itself hold a fence, a tag or JSON."""
    found, closed = read_whole(block.text, dialect), True
    if found.grade < Grade.WRITE and depth < _MAX_DEPTH:
        found, closed = _marked(block.text, dialect, depth + 1)
    if not found.grade and not found.cut:
        found = read_marked(block.text, dialect)
    found = replace(found, start=block.start, end=block.end)
    complete = block.closed and closed
    if complete or found.cut:
        return found
    if found.grade >= Grade.WRITE and not looks_cut(found.sql, dialect):
        return found
    if found.grade or looks_cut(block.text, dialect):
        return replace(found, sql="", grade=Grade.NONE, cut=True)
    return found


def _chosen(readings: list[tuple[Reading, bool]]) -> tuple[Reading, bool] | None:
    """The last query; else the last write, else the last text that only starts as a query.

    A block that the end of the reply cuts off was going to be the answer.
    """
    if not readings:
        return None
    last = readings[-1][0]
    queries = [reading.sql for reading, _ in readings if reading.grade is Grade.QUERY]
    if last.cut:
        return replace(last, alternates=tuple(dict.fromkeys(queries))), False
    best, closed = max(reversed(readings), key=lambda item: item[0].grade)
    if not best.grade:
        return None
    others = [sql for sql in (*best.alternates, *queries) if sql != best.sql]
    return replace(best, alternates=tuple(dict.fromkeys(others))), closed


_LOOKUP = re.compile(
    r"[\s>*_`#\-]{0,12}(?:sql\s+)?LOOKUP\b[*_`]{0,3}[ \t]*[:：](?P<rest>.*)", re.DOTALL
)


def _lookup(text: str, dialect: str) -> Extraction | None:
    """A query for values, which is no answer though it is one that could be run."""
    label = _LOOKUP.match(text)
    if label is None:
        return None
    rest = label["rest"].strip(" \t\r\n*_")
    if not rest.startswith("```"):
        # A fence may stand around the whole line.
        rest = rest.partition("```")[0]
    inner = extract(rest, dialect)
    return Extraction("lookup", inner.sql, prose=text.strip()) if inner.outcome == "sql" else None


_LABEL = re.compile(
    r"^[\s>*_`#\-]{0,12}(?P<label>INSUFFICIENT|CHOICE)\b[*_`]{0,3}[ \t]*[:：](?P<rest>.*)",
    re.DOTALL | re.MULTILINE,
)
_SEPARATOR = re.compile(r"\s*[|｜]\s*|\n+\s*(?:[-*•]|\d{1,2}[.)])?\s*")


def _said(text: str, *, opening: bool) -> Extraction | None:
    """The model's own refusal or question back, in the form it was asked for."""
    label = _LABEL.match(text) if opening else _LABEL.search(text)
    if label is None:
        return None
    # The paragraph counts; a fence around the line does not.
    rest = re.split(r"\n\s*\n|`{3}", label["rest"].strip(), maxsplit=1)[0].strip(" \t\r\n*_`")
    prose = text.strip()
    if label["label"] == "INSUFFICIENT":
        return Extraction("insufficient", prose=prose, declined=rest)
    choices = tuple(part.strip() for part in _SEPARATOR.split(f"\n{rest}") if part.strip())
    return Extraction("needs_choice", prose=prose, choices=choices)
