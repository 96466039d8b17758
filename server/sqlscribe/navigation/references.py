"""All places of a text that use a table or a column of the database."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from sqlscribe.navigation.around import Spot
from sqlscribe.navigation.mentions import called, meaning
from sqlscribe.navigation.reading import LONGEST
from sqlscribe.navigation.things import Look, Thing
from sqlscribe.notation import asks
from sqlscribe.notation.document import Document, Span
from sqlscribe.notation.jinja_sql import neutral
from sqlscribe.notation.question import Script
from sqlscribe.schema.model import Schema, Table

_MOST_PARSED = 300
"""Statements of one text that are parsed; those behind are read by their words alone."""


@dataclass(frozen=True)
class Wanted:
    """A table, or the column of it that has this name."""

    table: Table
    column: str = ""

    def is_in(self, text: str) -> bool:
        """A quick look whether a text may use it."""
        folded = text.casefold()
        return self.column.casefold() in folded and self.table.name.casefold() in folded


def wanted_of(thing: Thing) -> Wanted | None:
    """What to look for elsewhere; ``None`` for what only the statement knows."""
    if not thing.tables:
        return None
    if thing.column is not None:
        return Wanted(thing.tables[0], thing.column.name)
    return Wanted(thing.tables[0]) if thing.kind == "table" else None


def uses_in(
    document: Document, wanted: Wanted, schema: Schema, assumed: str, relations: Mapping[str, str]
) -> tuple[Span, ...]:
    """Where a text uses it, in order: in SQL, in templates, and in questions."""
    if not wanted.is_in(document.text) and not relations:
        return ()
    script = asks.read(document, assumed)
    found = list(_in_questions(script, wanted, schema))
    for count, spot in enumerate(_spots(script, wanted, relations)):
        look = Look(spot.sql, spot.dialect, schema, parses=count < _MOST_PARSED)
        found += _in_statement(look, spot, wanted, document.text)
        found += _in_calls(spot, wanted, schema, relations)
    return tuple(sorted(set(found)))


def _in_questions(script: Script, wanted: Wanted, schema: Schema) -> Iterator[Span]:
    for question in script.questions:
        for mention in question.mentions:
            named = meaning(mention, schema)
            if named and wanted.table in named.tables and named.column == wanted.column:
                yield named.span


def _spots(script: Script, wanted: Wanted, relations: Mapping[str, str]) -> Iterator[Spot]:
    for statement in script.statements:
        sql = statement.span.of(script.document.text)
        if len(sql) > LONGEST:
            continue
        plain = neutral(sql, script.dialect, relations=relations)
        if wanted.is_in(plain.text) or plain.references:
            yield Spot(plain.text, statement.span.start, script.dialect, plain.references)


def _in_statement(look: Look, spot: Spot, wanted: Wanted, text: str) -> Iterator[Span]:
    for thing in look.things(wanted.column or wanted.table.name):
        if wanted_of(thing) != wanted or thing.kind not in ("table", "column"):
            continue
        span = thing.span.moved(spot.start)
        if span.of(text) == thing.span.of(spot.sql):
            yield span


def _in_calls(
    spot: Spot, wanted: Wanted, schema: Schema, relations: Mapping[str, str]
) -> Iterator[Span]:
    for reference in spot.references if not wanted.column else ():
        named = called(reference, spot, schema, relations)
        if named is not None and wanted.table in named.tables:
            yield named.span
