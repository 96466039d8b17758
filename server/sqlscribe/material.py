"""What may go into the prompt of one question: all that retrieval finds for it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from sqlscribe.knowledge import retrieval
from sqlscribe.knowledge.profiles import Profile
from sqlscribe.knowledge.synonyms import in_words_of_schema
from sqlscribe.knowledge.values import match_values
from sqlscribe.prompting.context import Context, LeftOut, Material, Request, shown_values
from sqlscribe.prompting.tokens import estimate
from sqlscribe.snapshot import Snapshot

_TABLE_HITS = 100
_EXAMPLE_HITS = 40
_NOTE_HITS = 12


def gathered(request: Request, snapshot: Snapshot) -> Material:
    """The material for a question. Values of the data are in it only where they may leave."""
    asked = request.search_text
    meant = in_words_of_schema(asked, snapshot.synonyms)
    tables = {table.qualified_name: table for table in snapshot.schema.tables}
    profiles = snapshot.profiles if snapshot.send_profiles else ()
    # Some of the nearest may not fit the schema any more, and the next ones take their place.
    examples = retrieval.choose_examples(
        asked,
        snapshot.examples,
        snapshot.search(meant, "example", _EXAMPLE_HITS),
        2 * snapshot.example_limit,
        masked_by=snapshot.mask,
    )
    fitting = [scored for scored in examples if snapshot.fits(scored.item)]
    if request.sql:
        # What is to be changed has the shape of the answer, or nearly so.
        fitting = list(retrieval.rerank(fitting, request.sql, snapshot.dialect))
    return Material(
        schema=snapshot.schema,
        dialect=snapshot.dialect,
        today=snapshot.today,
        timezone=snapshot.timezone,
        rules=snapshot.rules,
        instructions=snapshot.instructions,
        tables=retrieval.choose_tables(meant, tables, snapshot.search(meant, "table", _TABLE_HITS)),
        examples=tuple(fitting[: snapshot.example_limit]),
        further_examples=tuple(fitting[snapshot.example_limit :]),
        notes=retrieval.choose_notes(
            meant, snapshot.notes, snapshot.search(meant, "note", _NOTE_HITS)
        ),
        profiles=profiles,
        matches=match_values(asked, profiles, snapshot.schema),
        may_look_up=snapshot.run is not None and snapshot.send_rows,
        reply=snapshot.reply,
    )


def with_samples(context: Context, snapshot: Snapshot) -> Context:
    """The context with values read from the database, for columns of the tables in it.

    What the team keeps in its profiles counts before what is read now.
    """
    if snapshot.samples is None:
        return context
    material = context.material
    known = {(p.table.casefold(), p.column.casefold()) for p in material.profiles}
    known |= {(table.rpartition(".")[2], column) for table, column in known}
    read = tuple(
        profile
        for profile in snapshot.samples(tuple(scored.item for scored in context.tables))
        if not {
            (profile.table.casefold(), profile.column.casefold()),
            (profile.table.rpartition(".")[2].casefold(), profile.column.casefold()),
        }
        & known
    )
    read, left_out = _with_room(read, snapshot.limits.tokens)
    if not read:
        return replace(context, left_out=(*context.left_out, *left_out))
    profiles = (*material.profiles, *read)
    asked = context.request.search_text
    matches = match_values(asked, profiles, snapshot.schema)
    return replace(
        context,
        material=replace(material, profiles=profiles, matches=matches),
        profiles=(*context.profiles, *map(shown_values, read)),
        left_out=(*context.left_out, *left_out),
    )


_VALUES_SHARE = 0.15
"""The share of a prompt that values read from the database may have."""
_FEWER = 3


def _with_room(
    read: Sequence[Profile], tokens: int
) -> tuple[tuple[Profile, ...], tuple[LeftOut, ...]]:
    """The values that find room: all of them, else three of each column, else of some columns."""
    room = int(tokens * _VALUES_SHARE)
    if sum(map(_tokens, read)) > room:
        read = [
            replace(profile, values=profile.values[:_FEWER], partial=True)
            if len(profile.values) > _FEWER
            else profile
            for profile in read
        ]
    kept: list[Profile] = []
    left_out: list[LeftOut] = []
    for profile in read:
        room -= _tokens(profile)
        if room >= 0:
            kept.append(profile)
        else:
            name = f"{profile.table}.{profile.column}"
            left_out.append(LeftOut("values", name, "no room in the prompt's budget"))
    return tuple(kept), tuple(left_out)


def _tokens(profile: Profile) -> int:
    return estimate(" | ".join([profile.table, profile.column, *profile.values])) + 2
