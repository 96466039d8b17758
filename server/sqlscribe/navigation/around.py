"""The statement at an offset of a text, quickly; and what a script made before it."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from sqlscribe.checking.names.making import made_by, may_make
from sqlscribe.checking.names.script import NOTHING
from sqlscribe.navigation.reading import LONGEST
from sqlscribe.navigation.scopes import Scopes
from sqlscribe.navigation.things import Look
from sqlscribe.navigation.walk import read
from sqlscribe.notation.document import Span
from sqlscribe.notation.jinja_sql import Reference, is_templated, neutral
from sqlscribe.notation.lexicon import dialect_named
from sqlscribe.notation.marked_comments import file_options
from sqlscribe.notation.question import Script
from sqlscribe.notation.statements import Statement, split
from sqlscribe.schema.ddl.tokens import Sort
from sqlscribe.schema.model import Schema, Table

_BEFORE = (4_000, 40_000)
_BEHIND = 4_000
"""Characters around an offset in which its statement is looked for, in a long text."""
_STARTS_ANEW = re.compile(r";[ \t]*(?:\r\n|\r|\n)")
_MOST_MAKERS = 50


class Spot(NamedTuple):
    """A statement as plain SQL. ``start`` is its place in the text; both are as long.

    ``references`` are the tables that a template calls in it, by their places in ``sql``,
    ``before`` the statements above it, by their places in the text.
    """

    sql: str
    start: int
    dialect: str
    references: tuple[Reference, ...] = ()
    before: tuple[Span, ...] = ()


class Above(NamedTuple):
    """The tables that earlier scripts have made.

    ``places`` are those scripts and the statements in them, by the case-folded names of tables.
    """

    tables: tuple[Table, ...]
    places: Mapping[str, tuple[Script, Span]]


def dialect_of(text: str, assumed: str) -> str:
    """The dialect that the head of a file names, else ``assumed``."""
    named = (option.value for option in file_options(text) if option.name == "dialect")
    found = dialect_named(next(named, ""))
    return assumed if found is None else found


def statement_at(script: Script, offset: int) -> int | None:
    """The index of the statement of a script that an offset touches."""
    index = bisect_right(script.statements, offset, key=lambda each: each.span.start) - 1
    if index < 0 or not script.statements[index].span.contains(offset):
        return None
    return index


def spot_in(script: Script, offset: int, relations: Mapping[str, str]) -> Spot | None:
    """The statement at an offset of a script, or the one in a routine's body there."""
    index = statement_at(script, offset)
    if index is None:
        return None
    span = script.statements[index].span
    before = tuple(statement.span for statement in script.statements[:index])
    sql = span.of(script.document.text)
    return _inner(sql, span.start, offset, script.dialect, relations, before)


def spot_near(text: str, offset: int, dialect: str, relations: Mapping[str, str]) -> Spot | None:
    """The same while a person types: also behind what is written, and without a script.

    Of a long text only the neighbourhood is read.
    """
    begin, end = 0, len(text)
    if len(text) > _BEFORE[0] + _BEHIND:
        begin, end = _beginning(text, offset), min(len(text), offset + _BEHIND)
    around = text[begin:end]
    statements = split(around, dialect, until=offset - begin)
    for index, statement in enumerate(statements):
        start, stop = (place + begin for place in statement.span)
        if start <= offset and (offset <= stop or _is_open(around, statement, offset - begin)):
            before = tuple(each.span.moved(begin) for each in statements[:index])
            sql = text[start : max(stop, offset)]
            return _inner(sql, start, offset, dialect, relations, before)
    return None


def _beginning(text: str, offset: int) -> int:
    """Where a statement begins well before an offset, as far as the lines show it."""
    for reach in _BEFORE:
        if offset <= reach:
            return 0
        if (found := _STARTS_ANEW.search(text, offset - reach, offset)) is not None:
            return found.end()
    return text.rfind("\n", 0, offset - _BEFORE[-1]) + 1


def _is_open(text: str, statement: Statement, offset: int) -> bool:
    """Whether an offset behind a statement still belongs to it: only blanks are between."""
    terminated = statement.span.end < statement.end <= offset
    return not terminated and not text[statement.span.end : offset].strip()


def _inner(
    sql: str,
    start: int,
    offset: int,
    dialect: str,
    relations: Mapping[str, str],
    before: tuple[Span, ...],
) -> Spot | None:
    references: tuple[Reference, ...] = ()
    if len(sql) > LONGEST:
        return None
    if is_templated(sql):
        plain = neutral(sql, dialect, relations=relations)
        sql, references = plain.text, plain.references
    body = _body_at(sql, offset - start, dialect)
    if body is None:
        return Spot(sql, start, dialect, references, before)
    begin = start + body.start
    inner = spot_near(body.of(sql), offset - begin, dialect, {})
    if inner is None:
        return None
    moved = tuple(span.moved(begin) for span in inner.before)
    return inner._replace(start=inner.start + begin, before=moved)


def _body_at(sql: str, offset: int, dialect: str) -> Span | None:
    """What stands between the dollar quotes around an offset: the body of a routine."""
    if "$" not in sql:
        return None
    for token in read(sql, dialect).tokens.tokens:
        if (
            token.sort is Sort.STRING
            and token.start < offset < token.end
            and sql[token.start] == "$"
        ):
            mark = sql.find("$", token.start + 1) + 1 - token.start
            body = Span(token.start + mark, max(token.end - mark, token.start + mark))
            return body if body.contains(offset) else None
    return None


def look(text: str, spot: Spot, schema: Schema) -> Look:
    """A statement to look around in, with the tables that the script made before it."""
    made, places = made_before(text, spot, schema)
    return Look(spot.sql, spot.dialect, schema, made, places)


def made_before(text: str, spot: Spot, schema: Schema) -> tuple[Schema, dict[str, Span]]:
    """The tables that a statement uses and the script made, and where; not the schema's."""
    wanted = set(_unknown(spot, schema)) if spot.before else set()
    made = NOTHING
    places: dict[str, Span] = {}
    for span in _makers(text, spot.before, wanted) if wanted else ():
        deeds = made_by(span.of(text), schema, spot.dialect, made)
        made = made.and_then(deeds)
        places |= {table.name.casefold(): span for table in deeds.tables}
    tables = tuple(table for table in made.tables if table.name.casefold() in wanted)
    return Schema(tables), places


def made_above(scripts: Iterable[Script], schema: Schema) -> Above:
    """What scripts have made that ran before another one, as the cells of a notebook do."""
    made = NOTHING
    places: dict[str, tuple[Script, Span]] = {}
    for script in scripts:
        for span in (statement.span for statement in script.statements):
            sql = span.of(script.document.text)
            if len(sql) <= LONGEST and may_make(sql):
                deeds = made_by(sql, schema, script.dialect, made)
                made = made.and_then(deeds)
                places |= {table.name.casefold(): (script, span) for table in deeds.tables}
    return Above(made.tables, places)


def _unknown(spot: Spot, schema: Schema) -> Iterator[str]:
    """Names of sources that are neither in the schema nor named by WITH, case-folded."""
    reading = read(spot.sql, spot.dialect)
    scopes = Scopes(schema, spot.dialect)
    for source in (source for block in reading.blocks for source in block.sources):
        if source.path and not (scopes.tables(source) or scopes.cte(source) or source.is_call):
            yield source.path[-1].text.casefold()


def _makers(text: str, before: Sequence[Span], wanted: Iterable[str]) -> list[Span]:
    """The nearest statements above that may make one of these tables, in order."""
    found: list[Span] = []
    for span in reversed(before):
        if len(found) == _MOST_MAKERS:
            break
        if span.end - span.start <= LONGEST and may_make(span.of(text)):
            folded = span.of(text).casefold()
            if any(name in folded for name in wanted):
                found.append(span)
    return found[::-1]
