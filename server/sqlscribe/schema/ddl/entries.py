"""One action of ALTER TABLE on one table, and the table as it is at the end."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TypeVar

from sqlscribe.schema.ddl.catalogue import Catalogue, Entry, named
from sqlscribe.schema.ddl.changes import (
    Action,
    AddColumn,
    AddConstraint,
    AlterColumn,
    ChangeFields,
    ColumnAction,
    Constraint,
    CreateType,
    DropColumn,
    DropConstraint,
    LoseTrack,
    MoveColumn,
    RenameColumn,
    RenameTable,
    ReplaceColumns,
    SetComment,
)
from sqlscribe.schema.model import Column, ForeignKey, Table

_Item = TypeVar("_Item")


def apply(entry: Entry, action: Action, catalogue: Catalogue) -> None:
    """Change ``entry``, and the tables that inherit from it where it is a matter of columns."""
    match action:
        case AddConstraint(constraint):
            _add_constraint(entry, constraint)
        case DropConstraint():
            _drop_constraint(entry, action)
        case ReplaceColumns(columns):
            _replace_columns(entry, columns)
        case SetComment(text):
            entry.comment = text
        case RenameTable():
            _rename(entry, action, catalogue)
        case LoseTrack():
            entry.partly_understood = True
        case RenameColumn():
            _rename_in_references(entry, action, catalogue)
            change_columns(entry, action)
        case AddColumn() | DropColumn() | AlterColumn() | MoveColumn() | ChangeFields():
            change_columns(entry, action)


def _rename(entry: Entry, action: RenameTable, catalogue: Catalogue) -> None:
    name = action.new or entry.name
    for other, index, key in list(catalogue.referring(entry)):
        schema = key.to_schema if action.schema is None else action.schema
        _retarget(other, index, replace(key, to_table=name, to_schema=schema))
    entry.constraints = tuple(named(each, entry.name) for each in entry.constraints)
    if action.schema is not None:
        entry.schema = action.schema
        entry.namespace = entry.namespace if action.schema else catalogue.namespace
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
    changed = replace(entry.constraints[index], target=key)
    entry.constraints = _with(entry.constraints, index, changed)


def _with(items: tuple[_Item, ...], index: int, item: _Item) -> tuple[_Item, ...]:
    return (*items[:index], item, *items[index + 1 :])


def _replace_columns(entry: Entry, columns: tuple[Column, ...]) -> None:
    # Those that a table is partitioned by are none of the list.
    entry.columns = columns = (*columns, *_partition_columns(entry))
    left = {column.name.casefold() for column in columns}
    entry.constraints = tuple(
        each
        for each in entry.constraints
        if left.issuperset(name.casefold() for name in each.columns)
    )


def _partition_columns(entry: Entry) -> list[Column]:
    """The columns that stand, with their types, in what the table is partitioned by."""
    names = {name.casefold() for name in entry.origin.partitioned}
    return [column for column in entry.columns if column.name.casefold() in names]


def change_columns(entry: Entry, action: ColumnAction) -> None:
    """Change columns of ``entry`` and of what inherits them."""
    done: list[Entry] = []
    waiting = [entry]
    while waiting:
        each = waiting.pop()
        # Scripts can make tables inherit from each other in a circle.
        if each not in done:
            done.append(each)
            _change_own_columns(each, action)
            waiting += each.heirs


def _change_own_columns(entry: Entry, action: ColumnAction) -> None:
    match action:
        case AddColumn():
            _add_column(entry, action)
        case DropColumn(name):
            _drop_column(entry, name)
        case RenameColumn():
            _rename_column(entry, action)
        case AlterColumn():
            _alter_column(entry, action)
        case MoveColumn():
            _move_column(entry, action)
        case ChangeFields():
            _change_fields(entry, action)


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
    # What has its types where a table is partitioned stays the last, but in Delta's tables.
    last = _partition_columns(entry) if entry.dialect != "databricks" else ()
    place = len(entry.columns) - len(last)
    if action.first:
        place = 0
    elif action.after:
        behind = _index(entry, action.after)
        place = place if behind is None else behind + 1
    entry.columns = (*entry.columns[:place], action.column, *entry.columns[place:])
    for constraint in action.constraints:
        _add_constraint(entry, constraint)


def _move_column(entry: Entry, action: MoveColumn) -> None:
    index = _index(entry, action.name)
    if index is None:
        return
    column = entry.columns[index]
    others = (*entry.columns[:index], *entry.columns[index + 1 :])
    names = [each.name.casefold() for each in others]
    wanted = action.after.casefold()
    if not wanted or wanted in names:
        place = names.index(wanted) + 1 if wanted else 0
        entry.columns = (*others[:place], column, *others[place:])


def _drop_column(entry: Entry, name: str) -> None:
    index = _index(entry, name)
    if index is None:
        return
    gone = entry.columns[index].name
    entry.columns = (*entry.columns[:index], *entry.columns[index + 1 :])
    entry.constraints = tuple(each for each in entry.constraints if gone not in each.columns)


def _rename_column(entry: Entry, action: RenameColumn) -> None:
    index = _index(entry, action.old)
    if index is None:
        return
    old = entry.columns[index].name
    new = replace(entry.columns[index], name=action.new, quoted=action.quoted)
    entry.columns = _with(entry.columns, index, new)
    entry.constraints = tuple(
        _with_column_renamed(named(each, entry.name), old, action.new) for each in entry.constraints
    )


def _with_column_renamed(constraint: Constraint, old: str, new: str) -> Constraint:
    columns = _renamed(constraint.columns, old, new)
    target = constraint.target and replace(constraint.target, columns=columns)
    return replace(constraint, columns=columns, target=target)


def _alter_column(entry: Entry, action: AlterColumn) -> None:
    index = _index(entry, action.name)
    if index is None:
        return
    old = entry.columns[index]
    changed = replace(
        old,
        type=old.type if action.type is None else action.type,
        nullable=old.nullable if action.nullable is None else action.nullable,
        comment=old.comment if action.comment is None else action.comment,
        values=old.values if action.values is None else action.values,
        fields=old.fields if action.fields is None else action.fields,
    )
    entry.columns = _with(entry.columns, index, changed)


def _change_fields(entry: Entry, action: ChangeFields) -> None:
    index = _index(entry, action.column)
    if index is None:
        return
    old = entry.columns[index]
    gone = tuple(path.casefold() for path in action.removed)
    inside = tuple(f"{path}." for path in gone)
    kept = [
        path
        for path in old.fields
        if path.casefold() not in gone and not path.casefold().startswith(inside or ("\0",))
    ]
    fields = tuple(dict.fromkeys((*kept, *action.added)))
    entry.columns = _with(entry.columns, index, replace(old, fields=fields))


def _add_constraint(entry: Entry, constraint: Constraint) -> None:
    if constraint.kind == "check":
        index = _index(entry, constraint.columns[0])
        if index is not None:
            listed = replace(entry.columns[index], values=constraint.values)
            entry.columns = _with(entry.columns, index, listed)
            entry.constraints = (*entry.constraints, constraint)
        return
    if constraint.kind == "primary":
        entry.constraints = tuple(each for each in entry.constraints if each.kind != "primary")
    if constraint not in entry.constraints:
        entry.constraints = (*entry.constraints, constraint)


def _drop_constraint(entry: Entry, action: DropConstraint) -> None:
    wanted = action.name.casefold()
    kept: list[Constraint] = []
    for constraint in entry.constraints:
        name = named(constraint, entry.name).name.casefold()
        if constraint.kind == action.kind or name == wanted:
            _forget_values(entry, constraint)
        else:
            kept.append(constraint)
    entry.constraints = tuple(kept)


def _forget_values(entry: Entry, constraint: Constraint) -> None:
    index = _index(entry, constraint.columns[0]) if constraint.kind == "check" else None
    if index is not None:
        free = replace(entry.columns[index], values=())
        entry.columns = _with(entry.columns, index, free)


def as_created(entry: Entry) -> bool:
    """Whether nothing has happened to the table since it was created."""
    made = entry.origin
    return (
        entry.parent is None
        and made.query is None
        and not made.likes
        and entry.schema == made.table.schema
        and entry.name == made.table.name
        and entry.comment == made.comment
        and entry.partly_understood == made.partly_understood
        and entry.columns is made.columns
        and entry.constraints is made.constraints
    )


def finished(entry: Entry, types: Types) -> Table:
    """The table as the model has it."""
    primary = next((each for each in entry.constraints if each.kind == "primary"), None)
    parent = entry.parent
    if primary is None and parent is not None:
        inherited = (each for each in parent.constraints if each.kind == "primary")
        primary = next(inherited, None)
    return Table(
        name=entry.name,
        columns=_finished_columns(entry, primary, types),
        schema=entry.schema,
        primary_key=primary.columns if primary else (),
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


def _finished_columns(entry: Entry, primary: Constraint | None, types: Types) -> tuple[Column, ...]:
    for name in primary.columns if primary is not None else ():
        index = _index(entry, name)
        if index is not None and entry.columns[index].nullable:
            required = replace(entry.columns[index], nullable=False)
            entry.columns = _with(entry.columns, index, required)
    return tuple(map(types.typed, entry.columns)) if types.known else entry.columns


def type_name(type_: str) -> str:
    """The name in a type as it is written, case-folded: of ``public."Mood"[]`` it is ``mood``."""
    return type_.split("(")[0].rsplit(".", 1)[-1].strip('"[] ').casefold()


@dataclass
class Types:
    """The types that scripts define, by name; what each spelling of a type means is kept."""

    known: dict[str, CreateType] = field(default_factory=dict)
    _meant: dict[str, CreateType | None] = field(default_factory=dict)

    def named(self, name: str) -> CreateType | None:
        return self.known.get(name.casefold())

    def typed(self, column: Column) -> Column:
        """The column with what its type, if the DDL defines it, says of values and fields."""
        if column.values or column.fields or not column.type:
            return column
        if column.type not in self._meant:
            self._meant[column.type] = self.named(type_name(column.type))
        type_ = self._meant[column.type]
        if type_ is None:
            return column
        # The elements of an array have these values, the column has not.
        values = () if column.type.rstrip().endswith("]") else type_.values
        return replace(column, values=values, fields=type_.fields)
