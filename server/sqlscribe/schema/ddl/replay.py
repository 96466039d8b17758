"""Changes made one after the other, to the schema that stands at the end."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from sqlscribe.notation.findings import Finding, Severity
from sqlscribe.schema.ddl.catalogue import Catalogue, Entry
from sqlscribe.schema.ddl.changes import (
    Action,
    AddColumn,
    AddConstraint,
    AlterColumn,
    AlterTable,
    AlterType,
    AttachPartition,
    Change,
    CreateFunction,
    CreateTable,
    CreateType,
    DropFunction,
    DropSchema,
    DropTable,
    SetComment,
    UseNamespace,
)
from sqlscribe.schema.ddl.derived import attach, copy_what_is_known, settle
from sqlscribe.schema.ddl.entries import apply, finished
from sqlscribe.schema.model import Schema


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
    """The schema, and what only shows when scripts come together, by the script's path."""

    schema: Schema
    findings: dict[Path, tuple[Finding, ...]]


def replay(scripts: Iterable[Script]) -> Schema:
    """The schema after all scripts, in their order."""
    return replayed(scripts).schema


def replayed(scripts: Iterable[Script]) -> Replayed:
    """The schema after all scripts, in their order, with the findings on how they fit."""
    run = _Run()
    for script in scripts:
        run.catalogue.namespace = ""
        for change in script.changes:
            run.make(change, script)
    run.make_what_waited()
    settle(run.catalogue)
    run.catalogue.tell_namesakes_apart()
    tables = tuple(finished(entry, run.types) for entry in run.catalogue)
    schema = Schema(tables, frozenset(run.functions))
    return Replayed(schema, {path: tuple(found) for path, found in run.findings.items()})


# Changes that may come before their table does: they do no harm to one defined later.
_MAY_COME_FIRST = (AddColumn, AddConstraint, AlterColumn, SetComment, AttachPartition)


@dataclass
class _Run:
    catalogue: Catalogue = field(default_factory=Catalogue)
    types: dict[str, CreateType] = field(default_factory=dict)
    functions: set[str] = field(default_factory=set)
    waiting: list[tuple[AlterTable, Script]] = field(default_factory=list)
    findings: dict[Path, list[Finding]] = field(default_factory=dict)

    def make(self, change: Change, script: Script) -> None:
        match change:
            case CreateTable():
                self.create(change, script)
            case AlterTable():
                self.alter(change, script)
            case DropTable(table):
                entry = self.catalogue.find(table, script.dialect)
                if entry is not None:
                    self.catalogue.remove(entry)
            case DropSchema(name):
                self.catalogue.remove_schema(name)
            case UseNamespace(name):
                self.catalogue.namespace = name
            case CreateType():
                self.types[change.name.name.casefold()] = change
            case AlterType():
                self.alter_type(change)
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
        copy_what_is_known(entry, self.catalogue)

    def report_duplicate(self, change: CreateTable, first: Entry, script: Script) -> None:
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
        if isinstance(action, AttachPartition):
            child = self.catalogue.find(action.child, script.dialect)
            if child is not None:
                attach(entry, child, attached=action.attached)
            return
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

    def alter_type(self, change: AlterType) -> None:
        name = change.name.name.casefold()
        known = self.types.get(name)
        if known is None:
            return
        values = list(known.values)
        if change.old:
            values = [change.value if value == change.old else value for value in values]
        elif change.value not in values:
            at = values.index(change.beside) if change.beside in values else len(values)
            values.insert(at if change.before or at == len(values) else at + 1, change.value)
        self.types[name] = CreateType(known.name, tuple(values), known.fields)
