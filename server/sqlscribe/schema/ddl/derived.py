"""Tables whose columns come from other tables: LIKE, INHERITS, PARTITION OF, views."""

from __future__ import annotations

from dataclasses import dataclass, field

from sqlscribe.schema.ddl.catalogue import Catalogue, Entry
from sqlscribe.schema.ddl.changes import Like
from sqlscribe.schema.ddl.cursor import Name
from sqlscribe.schema.ddl.resolve import Resolved, resolve

_DEEPEST = 100


def copy_what_is_known(entry: Entry, catalogue: Catalogue) -> None:
    """Take over columns of tables that are there already.

    A copy is made when the statement runs: what happens to the other table later is not
    copied. What is not there yet is left to :func:`settle`.
    """
    likes, entry.likes = entry.likes, ()
    for like in reversed(likes):
        source = catalogue.find(like.table, entry.dialect)
        # What stands before one that is not there yet waits too: their places depend on it.
        if entry.likes or source is None or source is entry or source.likes or source.query:
            entry.likes = (like, *entry.likes)
        else:
            _take_over(entry, like, source)
            entry.partly_understood |= source.partly_understood
    if entry.query is not None:
        lookup = _Lookup(entry, catalogue)
        found = resolve(entry.query, lookup, entry.names)
        if found.complete and not lookup.missed:
            _take_result(entry, found)
            entry.reads = tuple(lookup.found)


def settle(catalogue: Catalogue) -> None:
    """Give every table that still waits the columns of tables that came later."""
    for entry in catalogue:
        _settle(entry, catalogue, 0)


def _settle(entry: Entry, catalogue: Catalogue, depth: int) -> None:
    if not entry.likes and entry.query is None:
        return
    likes, query, partly = entry.likes, entry.query, entry.partly_understood
    # Tables made from each other in a circle find nothing here, and know no more than that.
    entry.likes, entry.query, entry.partly_understood = (), None, True
    if depth > _DEEPEST:
        return
    for like in reversed(likes):
        source = catalogue.find(like.table, entry.dialect)
        if source is None or source is entry:
            partly = True
        else:
            _settle(source, catalogue, depth + 1)
            partly |= source.partly_understood
            _take_over(entry, like, source)
    if query is not None:
        found = resolve(query, _Lookup(entry, catalogue, depth), entry.names)
        partly |= not found.complete
        _take_result(entry, found)
    entry.partly_understood = partly


@dataclass
class _Lookup:
    """The columns of the tables that the query of ``entry`` names.

    With a ``depth`` tables that wait are settled first, without one they are not known yet.
    ``missed`` tells that a table was not known.
    """

    entry: Entry
    catalogue: Catalogue
    depth: int | None = None
    missed: bool = False
    found: list[Entry] = field(default_factory=list)

    def __call__(self, name: Name) -> Resolved | None:
        source = self.catalogue.find(name, self.entry.dialect)
        if source is not None and source is not self.entry:
            if self.depth is not None:
                _settle(source, self.catalogue, self.depth + 1)
            if not source.likes and source.query is None:
                self.found.append(source)
                return Resolved(source.columns, not source.partly_understood)
        self.missed = True
        return None


def _take_over(entry: Entry, like: Like, source: Entry) -> None:
    own = {column.name.casefold() for column in entry.columns}
    place = like.place if like.how == "copy" else 0
    taken = [column for column in source.columns if column.name.casefold() not in own]
    entry.columns = (*entry.columns[:place], *taken, *entry.columns[place:])
    has_key = any(each.kind == "primary" for each in entry.constraints)
    if like.keys and not has_key:
        keys = [each for each in source.constraints if each.kind == "primary"]
        entry.constraints = (*entry.constraints, *keys)
    if like.how == "inherit":
        inherit(source, entry, inherited=True)
    elif like.how == "partition":
        attach(source, entry, attached=True)


def inherit(parent: Entry, child: Entry, *, inherited: bool) -> None:
    """Let ``child`` follow the changes of ``parent``, or no longer."""
    others = tuple(heir for heir in parent.heirs if heir is not child)
    follows = inherited and child is not parent
    parent.heirs = (*others, child) if follows else others


def attach(entry: Entry, child: Entry, *, attached: bool) -> None:
    """Make ``child`` a partition of ``entry``, or a table of its own again."""
    inherit(entry, child, inherited=attached)
    child.parent = entry if attached else None


def _take_result(entry: Entry, found: Resolved) -> None:
    # A column of MySQL's list that the query gives too stands where the query has it.
    own = {column.name.casefold(): column for column in entry.columns}
    given = [own.pop(column.name.casefold(), column) for column in found.columns]
    entry.columns = (*own.values(), *given)
    entry.query = None
