"""One answer to "what is here?" for a whole file: a mention, a template's call, a name in SQL."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from sqlscribe.navigation.around import look, spot_in
from sqlscribe.navigation.definitions import name_in
from sqlscribe.navigation.mentions import called_at, mentioned_at
from sqlscribe.navigation.references import Wanted, wanted_of
from sqlscribe.navigation.renames import RenameError, renamable, rename, uses
from sqlscribe.navigation.things import Look, Thing
from sqlscribe.notation.document import Span, TextEdit
from sqlscribe.notation.question import Script
from sqlscribe.schema.model import Schema, Table


class Known(Protocol):
    """What a folder knows, as far as it is needed here."""

    @property
    def schema(self) -> Schema: ...

    @property
    def relations(self) -> Mapping[str, str]: ...


@dataclass(frozen=True)
class Hit:
    """What an offset of a text touches. Spans are in the text.

    ``column`` is ``""`` where a table is meant. ``thing`` and ``look`` are there for names in
    SQL, whose statement begins at ``start``.
    """

    span: Span
    tables: tuple[Table, ...]
    column: str = ""
    thing: Thing | None = None
    look: Look | None = None
    start: int = 0

    @property
    def wanted(self) -> Wanted | None:
        """What other places may use too; ``None`` for names that only the statement knows."""
        if self.thing is not None:
            return wanted_of(self.thing) if self.thing.declared is None else None
        return Wanted(self.tables[0], self.column) if self.tables else None

    @property
    def declared(self) -> Span | None:
        """Where this text itself gives the name, or makes the table."""
        if self.thing is None or self.look is None:
            return None
        if self.thing.declared is not None:
            return self.thing.declared.moved(self.start)
        for table in self.tables[:1]:
            made = self.look.made_at.get(table.name.casefold())
            if made is not None and table in self.look.made.tables:
                return made
        return None

    def uses(self) -> tuple[Span, ...]:
        """Where the statement names the same, in order."""
        if self.thing is None or self.look is None:
            return ()
        return tuple(span.moved(self.start) for span in uses(self.look, self.thing))


def find(script: Script, offset: int, known: Known) -> Hit | None:
    """What an offset of a script touches; ``None`` where nothing is known of it."""
    question = script.question_at(offset)
    if question is not None:
        named = mentioned_at(question, offset, known.schema)
        return Hit(named.span, named.tables, named.column) if named is not None else None
    spot = spot_in(script, offset, known.relations)
    if spot is None:
        return None
    if (called := called_at(spot, offset, known.schema, known.relations)) is not None:
        return Hit(called.span, called.tables)
    text = script.document.text
    view = look(text, spot, known.schema)
    thing = view.at(offset - spot.start)
    if thing is None:
        return None
    span = thing.span.moved(spot.start)
    if span.of(text) != thing.span.of(spot.sql):
        # It stands for a tag of a template.
        return None
    column = thing.column.name if thing.column is not None else ""
    return Hit(span, thing.tables, column, thing, view, spot.start)


def find_star(script: Script, offset: int, known: Known) -> Hit | None:
    """The ``*`` of a select list that an offset touches, with the columns it stands for."""
    spot = spot_in(script, offset, known.relations)
    if spot is None or script.question_at(offset) is not None:
        return None
    view = look(script.document.text, spot, known.schema)
    thing = view.star_at(offset - spot.start)
    if thing is None:
        return None
    return Hit(thing.span.moved(spot.start), (), thing=thing, look=view, start=spot.start)


def definition_here(hit: Hit, text: str) -> Span | None:
    """Where this text gives the name, as exactly as it can be told."""
    place = hit.declared
    if place is None or hit.thing is None or hit.thing.declared is not None or not hit.tables:
        return place
    dialect = hit.look.dialect if hit.look is not None else ""
    table = hit.tables[0]
    found = name_in(place.of(text), dialect, table, hit.column) if hit.column else None
    found = found or name_in(place.of(text), dialect, table)
    return found.moved(place.start) if found is not None else place


def renamed(script: Script, offset: int, known: Known, name: str) -> tuple[TextEdit, ...]:
    """The edits that give the name at an offset another spelling in its statement.

    Raises :class:`RenameError` where that is not possible.
    """
    hit = to_rename(script, offset, known)
    assert hit.look is not None
    edits = rename(hit.look, offset - hit.start, name)
    return tuple(TextEdit(edit.span.moved(hit.start), edit.text) for edit in edits)


def to_rename(script: Script, offset: int, known: Known) -> Hit:
    """What can be renamed at an offset. Raises :class:`RenameError` where nothing can."""
    hit = find(script, offset, known)
    if hit is None or hit.look is None:
        raise RenameError("Only an alias or a CTE of a statement can be renamed.")
    renamable(hit.look, offset - hit.start)
    sql = hit.look.sql
    if script.document.text[hit.start : hit.start + len(sql)] != sql:
        raise RenameError("The statement is a template: what it gives may use the name elsewhere.")
    return hit
