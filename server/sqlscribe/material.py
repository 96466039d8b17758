"""What may go into the prompt of one question: all that retrieval finds for it."""

from __future__ import annotations

from sqlscribe.knowledge import retrieval
from sqlscribe.knowledge.synonyms import in_words_of_schema
from sqlscribe.knowledge.values import match_values
from sqlscribe.prompting.context import Material, Request
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
    return Material(
        schema=snapshot.schema,
        dialect=snapshot.dialect,
        today=snapshot.today,
        timezone=snapshot.timezone,
        rules=snapshot.rules,
        instructions=snapshot.instructions,
        tables=retrieval.choose_tables(meant, tables, snapshot.search(meant, "table", _TABLE_HITS)),
        examples=tuple(fitting[: snapshot.example_limit]),
        notes=retrieval.choose_notes(
            meant, snapshot.notes, snapshot.search(meant, "note", _NOTE_HITS)
        ),
        profiles=profiles,
        matches=match_values(asked, profiles, snapshot.schema),
        reply=snapshot.reply,
    )
