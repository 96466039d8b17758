"""What sends a draft back to the model: its errors, the engine's words, its shape, its emptiness.

Each has a template of its own, since each wants another thing done about it.
"""

from __future__ import annotations

from collections.abc import Sequence

from sqlscribe.checking.check import check
from sqlscribe.checking.value_queries import compared
from sqlscribe.drafts import Draft
from sqlscribe.knowledge import retrieval
from sqlscribe.knowledge.examples import Example
from sqlscribe.knowledge.profiles import Profile
from sqlscribe.models.chat import Message
from sqlscribe.notation.findings import Finding
from sqlscribe.prompting.prompt import Prompt, turn_back
from sqlscribe.prompting.variables import SaidBack
from sqlscribe.schema.model import Table
from sqlscribe.snapshot import Snapshot

_FURTHER_EXAMPLES = 2


def repair(draft: Draft, snapshot: Snapshot, prompt: Prompt) -> Message:
    """What sends the errors of a draft back to the model, or its doubts where it has no errors.

    Raises :class:`sqlscribe.errors.TemplateError`.
    """
    if draft.errors:
        from_engine = all(finding.code == "engine/error" for finding in draft.errors)
        said = SaidBack(
            draft.sql,
            [(finding.code, finding.message) for finding in draft.errors],
            _involved(draft.sql, draft.errors, snapshot, prompt),
            _further_examples(draft, snapshot, prompt),
        )
        name = "repair/engine.j2" if from_engine else "repair/findings.j2"
        return turn_back(prompt, snapshot.templates, name, said)
    kind = draft.doubts[0].kind
    told = [(doubt.kind, doubt.message) for doubt in draft.doubts if doubt.kind == kind]
    values = _values_compared(draft.sql, snapshot) if kind == "empty" else ()
    said = SaidBack(draft.sql, told, values=values)
    return turn_back(prompt, snapshot.templates, f"repair/{kind}.j2", said)


def _involved(
    sql: str, wrong: Sequence[Finding], snapshot: Snapshot, prompt: Prompt
) -> tuple[Table, ...]:
    """Tables whose columns the model should see again: those it used, else those it was shown."""
    used = check(sql, snapshot.schema, snapshot.dialect).tables
    by_name = {table.qualified_name: table for table in snapshot.schema.tables}
    involved = tuple(by_name[name] for name in used if name in by_name)
    if involved and not any(finding.code == "name/unknown-table" for finding in wrong):
        return involved
    shown = tuple(scored.item for scored in prompt.context.tables)
    return tuple(dict.fromkeys((*involved, *shown)))[:20]


def _further_examples(draft: Draft, snapshot: Snapshot, prompt: Prompt) -> tuple[Example, ...]:
    """Examples that were not shown and whose SQL has the shape of the draft."""
    further = prompt.context.material.further_examples
    alike = retrieval.shaped_alike(further, draft.sql, snapshot.dialect)
    return tuple(scored.item for scored in alike[:_FURTHER_EXAMPLES])


def _values_compared(sql: str, snapshot: Snapshot) -> tuple[Profile, ...]:
    """Values of the columns that the query compares with a text, where they may leave."""
    if not snapshot.send_profiles:
        return ()
    places = compared(sql, snapshot.schema, snapshot.dialect)
    wanted = {(place.table.qualified_name, place.column.name) for place in places}
    known = list(snapshot.profiles)
    if snapshot.samples is not None:
        known += snapshot.samples(tuple(dict.fromkeys(place.table for place in places)))
    return tuple(
        profile
        for profile in known
        if profile.values
        and any(
            profile.column.casefold() == column.casefold()
            and profile.table.rpartition(".")[2].casefold() == table.rpartition(".")[2].casefold()
            for table, column in wanted
        )
    )
