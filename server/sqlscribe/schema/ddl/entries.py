"""One action of ALTER TABLE on one table, and the table as it is at the end."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from sqlscribe.schema.ddl.catalogue import Catalogue, Entry, named
from sqlscribe.schema.ddl.changes import (
    Action,
    AddColumn,
    AddConstraint,
    AlterColumn,
    Constraint,
    CreateType,
    DropColumn,
    DropConstraint,
    RenameColumn,
    RenameTable,
    ReplaceColumns,
    SetComment,
)
from sqlscribe.schema.model import Column, ForeignKey, Table


def apply(entry: Entry, action: Action, catalogue: Catalogue) -> None:
    """Change ``entry``, and the tables that inherit from it where it is a matter of columns."""
    match action:
        case AddConstraint(constraint):
            _add_constraint(entry, constraint)
        case DropConstraint():
            _drop_constraint(entry, action)
        case ReplaceColumns(columns):
            entry.columns = list(columns)
        case SetComment(text):
            entry.comment = text
        case RenameTable():
            _rename(entry, action, catalogue)
        case AddColumn() | DropColumn() | RenameColumn() | AlterColumn():
            if isinstance(action, RenameColumn):
                _rename_in_references(entry, action, catalogue)
            _change_columns(entry, action)


def _rename(entry: Entry, action: RenameTable, catalogue: Catalogue) -> None:
    name = action.new or entry.name
    for other, index, key in list(catalogue.referring(entry)):
        schema = key.to_schema if action.schema is None else action.schema
        _retarget(other, index, replace(key, to_table=name, to_schema=schema))
    if action.schema is not None:
        entry.schema = action.schema
    if action.new:
        quoted = entry.quoted if action.quoted is None else action.quoted
        catalogue.rename(entry, action.new, quoted)


def _rename_in_references(entry: Entry, action: RenameColumn, catalogue: Catalogue) -> None:
    for other, index, key in list(catalogue.referring(entry)):
        _retarget(
            other, index, replace(key, to_columns=_renamed(key.to_columns, action.old, action.new))
        )


def _renamed(columns: tuple[str, ...], old: str, new: str) -> tuple[str, ...]:
    folded = old.casefold()
    return tuple(new if column.casefold() == folded else column for column in columns)


def _retarget(entry: Entry, index: int, key: ForeignKey) -> None:
    entry.constraints[index] = replace(entry.constraints[index], target=key)


def _change_columns(
    entry: Entry, action: AddColumn | DropColumn | RenameColumn | AlterColumn
) -> None:
    match action:
        case AddColumn():
            _add_column(entry, action)
        case DropColumn(name):
            _drop_column(entry, name)
        case RenameColumn():
            _rename_column(entry, action)
        case AlterColumn():
            _alter_column(entry, action)
    for heir in entry.heirs:
        _change_columns(heir, action)


def _index(entry: Entry, name: str) -> int | None:
    """Index of the column of that name; an exact match wins over one of other letter case."""
    folded, found = name.casefold(), None
    for index, column in enumerate(entry.columns):
        if column.name == name:
            return index
        if found is None and column.name.casefold() == folded:
            found = index
    return found


def _add_column(entry: Entry, action: AddColumn) -> None:
    if _index(entry, action.column.name) is not None:
        return
    place = len(entry.columns)
    if action.first:
        place = 0
    elif action.after:
        behind = _index(entry, action.after)
        place = place if behind is None else behind + 1
    entry.columns.insert(place, action.column)
    for constraint in action.constraints:
        _add_constraint(entry, constraint)


def _drop_column(entry: Entry, name: str) -> None:
    index = _index(entry, name)
    if index is None:
        return
    gone = entry.columns.pop(index).name
    entry.constraints = [each for each in entry.constraints if gone not in each.columns]


def _rename_column(entry: Entry, action: RenameColumn) -> None:
    index = _index(entry, action.old)
    if index is None:
        return
    old = entry.columns[index].name
    entry.columns[index] = replace(entry.columns[index], name=action.new, quoted=action.quoted)
    entry.constraints = [_with_column_renamed(c, old, action.new) for c in entry.constraints]


def _with_column_renamed(constraint: Constraint, old: str, new: str) -> Constraint:
    columns = _renamed(constraint.columns, old, new)
    target = constraint.target and replace(constraint.target, columns=columns)
    return replace(constraint, columns=columns, target=target)


def _alter_column(entry: Entry, action: AlterColumn) -> None:
    index = _index(entry, action.name)
    if index is None:
        return
    old = entry.columns[index]
    entry.columns[index] = replace(
        old,
        type=old.type if action.type is None else action.type,
        nullable=old.nullable if action.nullable is None else action.nullable,
        comment=old.comment if action.comment is None else action.comment,
        values=old.values if action.values is None else action.values,
        fields=old.fields if action.fields is None else action.fields,
    )


def _add_constraint(entry: Entry, given: Constraint) -> None:
    constraint = named(given, entry.name)
    if constraint.kind == "check":
        index = _index(entry, constraint.columns[0])
        if index is not None:
            entry.columns[index] = replace(entry.columns[index], values=constraint.values)
            entry.constraints.append(constraint)
        return
    if constraint.kind == "primary":
        entry.constraints = [each for each in entry.constraints if each.kind != "primary"]
    if constraint not in entry.constraints:
        entry.constraints.append(constraint)


def _drop_constraint(entry: Entry, action: DropConstraint) -> None:
    wanted = action.name.casefold()
    kept: list[Constraint] = []
    for constraint in entry.constraints:
        if constraint.kind == action.kind or constraint.name.casefold() == wanted:
            _forget_values(entry, constraint)
        else:
            kept.append(constraint)
    entry.constraints = kept


def _forget_values(entry: Entry, constraint: Constraint) -> None:
    index = _index(entry, constraint.columns[0]) if constraint.kind == "check" else None
    if index is not None:
        entry.columns[index] = replace(entry.columns[index], values=())


def finished(entry: Entry, types: Mapping[str, CreateType]) -> Table:
    """The table as the model has it."""
    primary = next((each for each in entry.constraints if each.kind == "primary"), None)
    if primary is None and entry.parent is not None:
        inherited = (each for each in entry.parent.constraints if each.kind == "primary")
        primary = next(inherited, None)
    key = primary.columns if primary else ()
    in_key = {name.casefold() for name in key}
    parent = entry.parent
    return Table(
        name=entry.name,
        columns=tuple(_typed(_required(column, in_key), types) for column in entry.columns),
        schema=entry.schema,
        primary_key=key,
        foreign_keys=tuple(each.target for each in entry.constraints if each.target),
        unique=tuple(each.columns for each in entry.constraints if each.kind == "unique"),
        comment=entry.comment,
        kind=entry.kind,
        quoted=entry.quoted,
        file=entry.file,
        line=entry.line,
        partly_understood=entry.partly_understood,
        parent=f"{parent.schema}.{parent.name}".lstrip(".") if parent else "",
    )


def _required(column: Column, key: set[str]) -> Column:
    return replace(column, nullable=False) if column.name.casefold() in key else column


def _typed(column: Column, types: Mapping[str, CreateType]) -> Column:
    """The column with what its type, if the DDL defines it, says of values and fields."""
    if not types or column.values or column.fields:
        return column
    name = column.type.split("(")[0].rsplit(".", 1)[-1].strip('"[] ').casefold()
    type_ = types.get(name)
    if type_ is None:
        return column
    # The elements of an array have these values, the column has not.
    values = () if column.type.rstrip().endswith("]") else type_.values
    return replace(column, values=values, fields=type_.fields)
