"""Changes made one after the other, to the schema that stands at the end."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Protocol

from sqlscribe.notation.findings import Finding, Severity
from sqlscribe.schema.ddl.catalogue import Catalogue, Entry
from sqlscribe.schema.ddl.changes import (
    Action,
    AddColumn,
    AddConstraint,
    AlterColumn,
    AlterComposite,
    AlterTable,
    AlterType,
    AttachPartition,
    Change,
    ChangeFields,
    CreateFunction,
    CreateTable,
    CreateType,
    DropFunction,
    DropSchema,
    DropTable,
    Inherit,
    LoseTrack,
    MoveColumn,
    RenameSchema,
    RenameTable,
    RenameType,
    SetComment,
    Swap,
    UseNamespace,
)
from sqlscribe.schema.ddl.composites import (
    change_tables_of,
    changed_composite,
    of_type,
    rename_type,
)
from sqlscribe.schema.ddl.derived import attach, copy_what_is_known, inherit, settle
from sqlscribe.schema.ddl.entries import Types, apply, as_created, finished
from sqlscribe.schema.ddl.migrations import holds_the_whole, is_step
from sqlscribe.schema.model import Schema, Table


class Script(Protocol):
    """What is needed of a script that was read."""

    @property
    def path(self) -> Path: ...
    @property
    def dialect(self) -> str: ...
    @property
    def changes(self) -> tuple[Change, ...]: ...


@dataclass(frozen=True)
class Replayed:
    """The schema, and what only shows when scripts come together, by the script's path.

    ``made`` are the tables that are as they were created, by the identity of what made them.
    """

    schema: Schema
    findings: dict[Path, tuple[Finding, ...]]
    made: Mapping[int, tuple[CreateTable, Table]] = field(
        default_factory=dict, repr=False, compare=False
    )


def replay(scripts: Iterable[Script]) -> Schema:
    """The schema after all scripts, in their order."""
    return replayed(scripts).schema


def replayed(scripts: Iterable[Script], before: Replayed | None = None) -> Replayed:
    """The schema after all scripts, in their order, with the findings on how they fit.

    ``before`` is an earlier result: tables that did not change are the same objects again.
    """
    run = _Run()
    for script in scripts:
        if not is_step(script.path) and _only_drops(script):
            # Such a script is run when the database is no longer wanted.
            continue
        run.catalogue.namespace, run.catalogue.script = "", script.path
        for change in script.changes:
            run.make(change, script)
    for entry in run.catalogue:
        of_type(entry, run.types, at_last=True)
    run.make_what_waited()
    settle(run.catalogue)
    run.catalogue.follow_search_paths()
    run.catalogue.tell_namesakes_apart()
    made: dict[int, tuple[CreateTable, Table]] = {}
    known = before.made if before is not None else {}
    tables = tuple(run.finish(entry, known, made) for entry in run.catalogue)
    schema = Schema(tables, frozenset(run.functions))
    return Replayed(schema, {path: tuple(found) for path, found in run.findings.items()}, made)


def _only_drops(script: Script) -> bool:
    drops = (DropTable, DropSchema, DropFunction, UseNamespace)
    return all(isinstance(change, drops) for change in script.changes)


# Changes that may come before their table does: they do no harm to one defined later.
_MAY_COME_FIRST = (
    AddColumn,
    AddConstraint,
    AlterColumn,
    AttachPartition,
    ChangeFields,
    Inherit,
    LoseTrack,
    MoveColumn,
    SetComment,
)


@dataclass
class _Run:
    catalogue: Catalogue = field(default_factory=Catalogue)
    types: Types = field(default_factory=Types)
    functions: set[str] = field(default_factory=set)
    waiting: list[tuple[AlterTable, Script]] = field(default_factory=list)
    findings: dict[Path, list[Finding]] = field(default_factory=dict)

    def make(self, change: Change, script: Script) -> None:
        match change:
            case CreateTable():
                self.create(change, script)
            case AlterTable():
                self.alter(change, script)
            case DropTable():
                self.drop(change, script)
            case DropSchema() | RenameSchema():
                self.change_schema(change)
            case UseNamespace(name):
                self.catalogue.namespace = name
            case CreateType() | AlterType() | AlterComposite():
                self.change_type(change)
            case RenameType():
                rename_type(change, self.types, self.catalogue)
            case CreateFunction(name):
                self.functions.add(name.name.casefold())
            case DropFunction(name):
                self.functions.discard(name.name.casefold())

    def create(self, change: CreateTable, script: Script) -> None:
        existing = self.catalogue.same(change.table, script.dialect)
        if existing is not None and change.keep_existing:
            return
        if existing is not None:
            if not change.replace_existing:
                self.report_duplicate(change, existing, script)
            self.catalogue.remove(existing)
        entry = Entry.of(change, script.path, script.dialect, self.catalogue.namespace)
        self.catalogue.add(entry)
        if any(like.how == "type" for like in entry.likes):
            of_type(entry, self.types)
        if entry.likes or entry.query is not None:
            copy_what_is_known(entry, self.catalogue)

    def drop(self, change: DropTable, script: Script) -> None:
        entry = self.catalogue.find(change.table, script.dialect)
        if entry is None:
            return
        if change.cascade:
            self.catalogue.remove_with_views(entry)
        else:
            self.catalogue.remove(entry)

    def change_schema(self, change: DropSchema | RenameSchema) -> None:
        match change:
            case DropSchema(name):
                for entry in self.catalogue.of_schema(name):
                    self.catalogue.remove(entry)
            case RenameSchema(old, new):
                for entry in self.catalogue.of_schema(old):
                    above = entry.schema.rpartition(".")[0]
                    moved = f"{above}.{new}".lstrip(".")
                    apply(entry, RenameTable("", moved), self.catalogue)

    def report_duplicate(self, change: CreateTable, first: Entry, script: Script) -> None:
        if holds_the_whole(first.file, script.path):
            # Tools keep a dump of the whole beside the history that leads to it.
            return
        where = f"line {first.line + 1}" + (
            f" of {first.file.name}" if first.file != script.path else ""
        )
        message = (
            f"{change.table.name} is already defined in {where};"
            " this later definition is the one that counts."
        )
        self.report(
            script, Finding("schema/duplicate-table", Severity.WARNING, message, change.span)
        )

    def report(self, script: Script, finding: Finding) -> None:
        self.findings.setdefault(script.path, []).append(finding)

    def alter(self, change: AlterTable, script: Script) -> None:
        entry = self.catalogue.find(change.table, script.dialect)
        if entry is None:
            later = tuple(each for each in change.actions if isinstance(each, _MAY_COME_FIRST))
            self.waiting.append((AlterTable(change.table, later, change.span), script))
            return
        for action in change.actions:
            self.act(entry, action, script)

    def act(self, entry: Entry, action: Action, script: Script) -> None:
        match action:
            case AttachPartition(child, attached):
                other = self.catalogue.find(child, script.dialect)
                if other is not None:
                    attach(entry, other, attached=attached)
            case Inherit(parent, inherited):
                other = self.catalogue.find(parent, script.dialect)
                if other is not None:
                    inherit(other, entry, inherited=inherited)
            case Swap(name):
                other = self.catalogue.find(name, script.dialect)
                if other is not None:
                    self.catalogue.swap(entry, other)
            case _:
                apply(entry, action, self.catalogue)

    def make_what_waited(self) -> None:
        unknown: set[tuple[Path, str]] = set()
        for change, script in self.waiting:
            entry = self.catalogue.find(change.table, script.dialect)
            key = (script.path, change.table.name.casefold())
            if entry is not None:
                for action in change.actions:
                    self.act(entry, action, script)
            elif key not in unknown:
                unknown.add(key)
                message = f"No script defines the table {change.table.name} that this changes."
                self.report(
                    script,
                    Finding("schema/unknown-table", Severity.INFORMATION, message, change.span),
                )

    def finish(
        self,
        entry: Entry,
        known: Mapping[int, tuple[CreateTable, Table]],
        made: dict[int, tuple[CreateTable, Table]],
    ) -> Table:
        """The table of an entry, an earlier one where it would be the same."""
        if self.types.known or not as_created(entry):
            return finished(entry, self.types)
        origin = entry.origin
        earlier = known.get(id(origin))
        table = earlier[1] if earlier and earlier[0] is origin else finished(entry, self.types)
        made[id(origin)] = origin, table
        return table

    def change_type(self, change: CreateType | AlterType | AlterComposite) -> None:
        name = change.name.name.casefold()
        known = self.types.named(name)
        match change:
            case CreateType():
                self.types.known[name] = change
            case AlterType() if known is not None:
                self.types.known[name] = _with_value(known, change)
            case AlterComposite() if known is not None:
                self.types.known[name] = changed_composite(known, change)
                change_tables_of(change, self.catalogue)


def _with_value(known: CreateType, change: AlterType) -> CreateType:
    values = list(known.values)
    if change.old:
        values = [change.value if value == change.old else value for value in values]
    elif change.value not in values:
        at = values.index(change.beside) if change.beside in values else len(values)
        values.insert(at if change.before or at == len(values) else at + 1, change.value)
    return replace(known, values=tuple(values))
