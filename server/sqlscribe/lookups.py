"""The lookup turn: the model asks for the values of a column before it answers.

Its query is run only where that is allowed, and its rows leave only where values may; else the
person is told which values the model wants.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from sqlscribe.checking.value_queries import Place, values_wanted
from sqlscribe.errors import DatabaseError
from sqlscribe.knowledge.personal import looks_like_instruction, personal_column, personal_values
from sqlscribe.knowledge.profiles import Profile, is_masked
from sqlscribe.models.chat import Message
from sqlscribe.prompting.prompt import Prompt, turn_back
from sqlscribe.prompting.variables import SaidBack
from sqlscribe.schema.database.running import Value
from sqlscribe.snapshot import Snapshot

MOST_LOOKUPS = 2
"""In one answer: a model that still does not know then will not."""
MOST_VALUES = 50
_LONGEST_VALUE = 100


@dataclass(frozen=True)
class LookedUp:
    """Either a ``message`` for the model, or why there is none, as a clause for the person.

    ``told`` says what was sent, for the person.
    """

    message: Message | None = None
    told: str = ""
    refused: str = ""


def look_up(sql: str, snapshot: Snapshot, prompt: Prompt, number: int) -> LookedUp:
    """Run the model's query for values, its ``number``th one. Blocks.

    Raises :class:`sqlscribe.errors.TemplateError`.
    """
    place = values_wanted(sql, snapshot.schema, snapshot.dialect)
    if place is None:
        text = " ".join(sql.split())[:200]
        return LookedUp(refused=f"the model wants to run a query before it answers: {text}")
    wants = f"the model wants to know the values of {place.name}"
    if (objection := _objection(place, snapshot, number)) or snapshot.run is None:
        return LookedUp(refused=f"{wants}{objection}")
    try:
        got = snapshot.run(sql, MOST_VALUES)
    except DatabaseError as error:
        return LookedUp(refused=f"{wants}; {error}")
    values = tuple(_texts(row[0] for row in got.rows))
    if _is_personal(place, values):
        return LookedUp(refused=f"{wants}, which look like personal data and are not sent")
    profile = Profile(place.table.qualified_name, place.column.name, values, partial=got.truncated)
    said = SaidBack(sql, values=(profile,) if values else (), more_values=got.truncated)
    message = turn_back(prompt, snapshot.templates, "lookup/user.j2", said)
    return LookedUp(message, f"the model was sent {len(values)} values of {place.name}")


def _objection(place: Place, snapshot: Snapshot, number: int) -> str:
    """Why the values are not looked up, to stand behind what the model wants; ``""``: they are."""
    table, column = place.table.qualified_name, place.column.name
    if is_masked(table, column, snapshot.masks):
        return ", which privacy.mask keeps from leaving"
    if snapshot.masks and place.table.kind.endswith("view"):
        return ", a column of a view, which may be one that privacy.mask keeps from leaving"
    if personal_column(column, place.table.name):
        return ", which holds personal data by its name"
    if snapshot.run is None:
        return ": name some in the question, or set database.url and database.run_queries"
    if not snapshot.send_rows:
        return ': name some in the question, or let values leave with privacy.values = "samples"'
    if number > MOST_LOOKUPS:
        return f", after it has looked up {MOST_LOOKUPS} times"
    return ""


def _is_personal(place: Place, values: tuple[str, ...]) -> bool:
    found = next(personal_values(place.column.name, values, place.table.name), None)
    return found is not None


def _texts(values: Iterable[Value]) -> Iterable[str]:
    """Values as literals can name them: short ones, none that speaks to the model."""
    for value in values:
        text = "" if value is None else str(value)
        if text.strip() and len(text) <= _LONGEST_VALUE and not looks_like_instruction(text):
            yield text
