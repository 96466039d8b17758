"""Giving an alias or a named query another name, within its statement and nowhere else."""

from __future__ import annotations

from sqlscribe.checking.names.places import places
from sqlscribe.checking.names.scopes import Known
from sqlscribe.navigation.things import Look, Thing
from sqlscribe.notation.document import Span, TextEdit
from sqlscribe.schema.ddl.tokens import Sort, tokenize
from sqlscribe.schema.identifiers import spelled

_RENAMED = ("alias", "cte", "name")
_IN_WORDS = {"alias": "alias", "cte": "CTE", "name": "column"}


class RenameError(ValueError):
    """Why something keeps its name, in one sentence for a person."""


def renamable(look: Look, offset: int) -> Thing:
    """What can be renamed at an offset of a statement. Raises :class:`RenameError`."""
    thing = look.at(offset)
    if thing is None:
        raise RenameError("Only an alias or a CTE of this statement can be renamed.")
    if thing.kind not in _RENAMED or thing.declared is None:
        raise RenameError(
            f"{thing.name} is a {thing.kind} of the database: other files and the data depend on"
            " its name. Only aliases and CTEs can be renamed here."
        )
    return thing


def uses(look: Look, thing: Thing) -> tuple[Span, ...]:
    """Where a statement names the same thing, declaration included, in order."""
    return tuple(other.span for other in look.things(thing.name) if _is_same(other, thing))


def _is_same(one: Thing, other: Thing) -> bool:
    if one.declared is not None or other.declared is not None:
        return one.declared == other.declared
    same_tables = bool(set(map(id, one.tables)) & set(map(id, other.tables)))
    return same_tables and one.kind == other.kind and one.column == other.column


def rename(look: Look, offset: int, wanted: str) -> tuple[TextEdit, ...]:
    """The edits of a statement that give the thing at an offset another name.

    Raises :class:`RenameError` where that name is no name or is taken, and where it is not
    sure that the statement would mean the same.
    """
    thing = renamable(look, offset)
    name = _bare(wanted, look.dialect)
    if not look.places.complete:
        raise RenameError("The statement does not parse, so not all uses of the name are known.")
    if name.casefold() != thing.name.casefold() and name.casefold() in _taken(look):
        raise RenameError(f"{name} already is a name in this statement.")
    written = spelled(name, False, look.dialect)
    edits = tuple(TextEdit(span, written) for span in uses(look, thing))
    if not _means_the_same(look, edits):
        raise RenameError(
            f"With the {_IN_WORDS[thing.kind]} {thing.name} called {written} the statement would"
            " not mean the same."
        )
    return edits


def _bare(wanted: str, dialect: str) -> str:
    """A name as a person types it, without the quotes that it may have."""
    wanted = wanted.strip()
    tokens = tokenize(wanted, wanted, Span(0, len(wanted)), dialect).tokens
    if len(tokens) == 1 and tokens[0].sort is Sort.NAME and tokens[0].end == len(wanted) > 2:
        wanted = tokens[0].text
    if not wanted or not wanted.isprintable():
        raise RenameError("A name is one line of printable text.")
    return wanted


def _taken(look: Look) -> set[str]:
    """What the statement already calls something, case-folded."""
    names = {cte.name.text for cte in look.reading.ctes}
    for block in look.reading.blocks:
        names |= {item.alias.text for item in block.items if item.alias is not None}
        for source in block.sources:
            names |= {source.label.text} if source.label is not None else set()
            names |= {part.text for part in source.path[-1:]}
            names |= {field.name for field in look.scopes.fields(source)}
    return {name.casefold() for name in names}


def _means_the_same(look: Look, edits: tuple[TextEdit, ...]) -> bool:
    """Whether every name still leads where it led."""
    sql, ends = look.sql, {}
    for span, text in reversed(edits):
        sql = sql[: span.start] + text + sql[span.end :]
        ends[span.start] = len(text) - (span.end - span.start)
    before = look.places
    after = places(sql, look.schema, look.dialect, look.made.tables)
    moved = {_moved(start, ends): _identity(known) for start, known in before.bound.items()}
    found = {start: _identity(known) for start, known in after.bound.items()}
    same_count = (before.lost, sum(before.unsure.values())) == (
        after.lost,
        sum(after.unsure.values()),
    )
    return after.complete and same_count and moved == found


def _moved(start: int, growth: dict[int, int]) -> int:
    return start + sum(more for place, more in growth.items() if place < start)


def _identity(known: Known) -> tuple[object, ...]:
    # A row that a trigger sees is a table made anew each time.
    return (known.table and known.table.qualified_name, known.column)
