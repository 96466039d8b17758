"""Types that have columns, and the tables made of them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from sqlscribe.notation.document import Span
from sqlscribe.schema.ddl.catalogue import Catalogue, Entry
from sqlscribe.schema.ddl.changes import AlterComposite, CreateTable, CreateType, RenameType
from sqlscribe.schema.ddl.entries import Types, change_columns, type_name
from sqlscribe.schema.ddl.user_types import paths


def of_type(entry: Entry, types: Types, *, at_last: bool = False) -> None:
    """Give a table ``OF`` a type the columns of that type, which may come later in a script."""
    waiting = [like for like in entry.likes if like.how == "type"]
    for like in waiting:
        type_ = types.named(like.table.name)
        if type_ is None and not at_last:
            continue
        entry.likes = tuple(each for each in entry.likes if each is not like)
        if type_ is None or not type_.columns:
            entry.partly_understood = True
        else:
            entry.columns = (*entry.columns, *type_.columns)


def change_tables_of(change: AlterComposite, catalogue: Catalogue) -> None:
    """Change the tables that were made ``OF`` a type as the type is changed."""
    name = change.name.name.casefold()
    for entry in catalogue:
        likes = (like for like in entry.origin.likes if like.how == "type")
        if any(like.table.name.casefold() == name for like in likes):
            for action in change.actions:
                change_columns(entry, action)


def rename_type(change: RenameType, types: Types, catalogue: Catalogue) -> None:
    """Rename a type, in the columns that have it too."""
    old, new = change.name.name, change.new.name
    known = types.known.pop(old.casefold(), None)
    if known is not None:
        types.known[new.casefold()] = known
    for entry in catalogue:
        if any(type_name(column.type) == old.casefold() for column in entry.columns):
            entry.columns = tuple(
                replace(column, type=column.type.replace(old, new))
                if type_name(column.type) == old.casefold()
                else column
                for column in entry.columns
            )


def changed_composite(known: CreateType, change: AlterComposite) -> CreateType:
    """The type after ALTER TYPE has changed its attributes."""
    made = CreateTable(known.name, Span(0, 0), 0, columns=known.columns)
    entry = Entry.of(made, Path(), "", "")
    for action in change.actions:
        change_columns(entry, action)
    return replace(known, columns=entry.columns, fields=paths(entry.columns))
