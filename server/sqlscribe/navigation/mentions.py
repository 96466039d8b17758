"""``@orders`` and ``@orders.total`` in a question, and calls of ``ref`` in a template."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from sqlscribe.navigation.around import Spot
from sqlscribe.notation.document import Span
from sqlscribe.notation.jinja_sql import Reference
from sqlscribe.notation.marked_comments import Mention
from sqlscribe.notation.question import Question
from sqlscribe.prompting.context import resolve_mention
from sqlscribe.schema.model import Schema, Table


class Named(NamedTuple):
    """What a mention or a call means; ``column`` is ``""`` where it means a table."""

    tables: tuple[Table, ...]
    column: str
    span: Span


def mentioned_at(question: Question, offset: int, schema: Schema) -> Named | None:
    """The mention that an offset of the text touches."""
    for mention in question.mentions:
        if mention.span.contains(offset):
            return meaning(mention, schema)
    return None


def meaning(mention: Mention, schema: Schema) -> Named | None:
    """What a mention means; ``None`` where it is not in the schema."""
    tables = resolve_mention(mention.name, schema)
    if not tables:
        return None
    owner, dot, last = mention.name.rpartition(".")
    is_table = any(table in tables for table in resolve_mention(owner, schema)) if dot else False
    # Text may run on without a space: @orders.total的.
    column = next(
        (
            found.name
            for end in range(len(last), 0, -1)
            if is_table and (found := tables[0].column(last[:end])) is not None
        ),
        "",
    )
    return Named(tables, column, mention.span)


def called_at(
    spot: Spot, offset: int, schema: Schema, relations: Mapping[str, str]
) -> Named | None:
    """The table of a ``ref`` or a ``source`` that an offset of the text touches."""
    for reference in spot.references:
        if reference.span.contains(offset - spot.start):
            return called(reference, spot, schema, relations)
    return None


def called(
    reference: Reference, spot: Spot, schema: Schema, relations: Mapping[str, str]
) -> Named | None:
    """What a call means, with its place in the text."""
    tables = _tables(relations.get(reference.key, reference.key), schema)
    if not tables and reference.kind == "ref":
        tables = _tables(relations.get(reference.key.partition(".v")[0], ""), schema)
    return Named(tables, "", reference.span.moved(spot.start)) if tables else None


_QUOTES = '"`[]'


def _tables(name: str, schema: Schema) -> tuple[Table, ...]:
    parts = [part.strip(_QUOTES) for part in name.split(".")]
    return schema.named(parts[-1], ".".join(parts[:-1])) if parts[-1] else ()
