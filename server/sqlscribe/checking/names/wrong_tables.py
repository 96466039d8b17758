"""What is said about a table that is not there, or not as it is written."""

from __future__ import annotations

from collections import Counter

from sqlglot import exp

from sqlscribe.checking.names.lookup import shown
from sqlscribe.checking.names.misses import Miss
from sqlscribe.checking.names.offers import (
    MOST_FIXES,
    Offer,
    finding_on_name,
    meant,
    place_of_name,
    rightly,
)
from sqlscribe.checking.names.spelling import CLOSE, Near, is_clear, likeness, worth_a_look
from sqlscribe.checking.parsing import Parsed
from sqlscribe.notation.document import Span
from sqlscribe.notation.findings import Finding, Severity
from sqlscribe.schema.identifiers import fold, spelled
from sqlscribe.schema.model import Schema, Table

_WORTH = 0.5
"""How much it counts, for what a table was meant to be, that it has the columns asked for."""


def unknown_table(miss: Miss, parse: Parsed, schema: Schema) -> Finding:
    span = place_of_name(miss.name, parse)
    wanted = miss.source.wanted if miss.source else set()
    likely = set(worth_a_look(miss.name.name, (table.name for table in schema.tables)))
    tables = [table for table in schema.tables if table.name in likely]
    holders = Counter(column.name.casefold() for table in tables for column in table.columns)
    telling = {column for column in wanted if holders[column.casefold()] == 1}
    scored = sorted(
        ((_resembles(miss.name.name, wanted, telling, table), table) for table in tables),
        key=lambda pair: -pair[0],
    )
    close = [(score, table) for score, table in scored if score >= CLOSE][:MOST_FIXES]
    offers = [_table_offer(table, miss, span, parse) for _, table in close]
    clear = is_clear([Near(table.name, score) for score, table in close])
    message = (
        f"unknown table {_as_written(miss, parse.dialect)}{meant(offer.shown for offer in offers)}"
    )
    return finding_on_name("name/unknown-table", message, span, offers, clear=clear)


def _resembles(name: str, wanted: set[str], telling: set[str], table: Table) -> float:
    """How likely a table was meant: by its name, and by columns that only it has."""
    score = likeness(name, table.name)
    if not wanted:
        return score
    have = {column.name.casefold() for column in table.columns}
    share = sum(column.casefold() in have for column in telling) / len(wanted)
    return score + _WORTH * share if share > _WORTH else score


def _as_written(miss: Miss, dialect: str) -> str:
    if miss.within:
        return f"{miss.within}.{miss.name.name}"
    # With a dot in it, a name looks like two without its quotes.
    return spelled(miss.name.name, True, dialect) if "." in miss.name.name else miss.name.name


def _table_offer(table: Table, miss: Miss, span: Span, parse: Parsed) -> Offer:
    """The table's name in the place of the wrong one and of the schema in front of it."""
    right = rightly(table.name, table.quoted, span, parse)
    node = miss.name.parent
    qualifiers = [node.args.get(part) for part in ("catalog", "db")] if node else []
    first = next((part for part in qualifiers if isinstance(part, exp.Identifier)), None)
    if first is not None and first.meta.get("start") == miss.name.meta.get("start"):
        return Offer(shown(table), right, span)
    if first is not None and "start" in first.meta:
        span = Span(first.meta["start"], span.end)
    if shown(table) != table.name:
        parts = [spelled(part, False, parse.dialect) for part in table.schema.split(".")]
        right = ".".join((*parts, right))
    return Offer(shown(table), right, span)


def dropped_table(miss: Miss, parse: Parsed, schema: Schema) -> Finding:
    message = f"unknown table {miss.name.name}: an earlier statement of this script drops it"
    return finding_on_name("name/unknown-table", message, place_of_name(miss.name, parse))


def spelled_table(miss: Miss, parse: Parsed, schema: Schema) -> Finding:
    span = place_of_name(miss.name, parse)
    table = miss.tables[0]
    right = rightly(table.name, table.quoted, span, parse)
    offers = [Offer(right, right, span)]
    quoted = bool(miss.name.args.get("quoted"))
    if right[:1] in ('"', "`", "["):
        said = miss.name.name if quoted else fold(miss.name.name, parse.dialect)
        message = f"unknown table {said}; it is spelled {right}, with its quotes"
        return finding_on_name("name/needs-quotes", message, span, offers, clear=True)
    said = f'"{miss.name.name}"' if quoted and parse.dialect != "bigquery" else miss.name.name
    message = f"unknown table {said}; letter case counts here: it is spelled {right}"
    return finding_on_name("name/unknown-table", message, span, offers, clear=True)


def ambiguous_table(miss: Miss, parse: Parsed, schema: Schema) -> Finding:
    span = place_of_name(miss.name, parse)
    offers = [_table_offer(table, miss, span, parse) for table in miss.tables]
    schemas = ", ".join(sorted(table.schema or "no schema" for table in miss.tables))
    message = f"table {miss.name.name} is ambiguous: it is in several schemas ({schemas})"
    return finding_on_name("name/ambiguous-table", message, span, offers, severity=Severity.WARNING)
