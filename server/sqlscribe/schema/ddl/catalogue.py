"""Tables while they change, found again by whatever name a statement gives them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

from sqlscribe.notation.script_lines import is_tsql
from sqlscribe.schema.ddl.changes import Constraint, CreateTable, Like, Query
from sqlscribe.schema.ddl.cursor import Name
from sqlscribe.schema.identifiers import DEFAULT_SCHEMAS, fold, folds
from sqlscribe.schema.model import Column, ForeignKey


@dataclass(eq=False)
class Entry:
    """A table or view between two statements.

    ``likes`` and ``query`` are what its columns still wait for; ``heirs`` are the tables that
    follow its changes, and ``reads`` those that its query reads. ``origin`` is what made it.
    """

    name: str
    schema: str
    quoted: bool
    identity: str
    kind: str
    file: Path
    line: int
    columns: tuple[Column, ...]
    constraints: tuple[Constraint, ...]
    comment: str
    likes: tuple[Like, ...]
    query: Query | None
    names: tuple[Column, ...]
    partly_understood: bool
    dialect: str
    origin: CreateTable
    namespace: str = ""
    parent: Entry | None = None
    heirs: tuple[Entry, ...] = ()
    reads: tuple[Entry, ...] = ()

    @classmethod
    def of(cls, change: CreateTable, file: Path, dialect: str, namespace: str) -> Entry:
        table = change.table
        return cls(
            name=table.name,
            schema=table.schema,
            quoted=table.quoted,
            identity=_identity(table, dialect),
            kind=change.kind,
            file=file,
            line=change.line,
            columns=change.columns,
            constraints=change.constraints,
            comment=change.comment,
            likes=change.likes,
            query=change.query,
            names=change.names,
            partly_understood=change.partly_understood,
            dialect=dialect,
            origin=change,
            namespace=namespace if _in_namespace(table.schema, dialect) else "",
        )


# Where the first schema of a path is that of new tables, and of no more than the session.
_SEARCH_PATHS = frozenset({"postgres", "redshift", "materialize", "risingwave"})


def _in_namespace(schema: str, dialect: str) -> bool:
    """Whether USE says where such a name belongs; T-SQL's names a database, not a schema."""
    return "." not in schema if is_tsql(dialect) else not schema


_SUFFIXES = {"primary": "pkey", "unique": "key", "foreign": "fkey", "check": "check"}


def named(constraint: Constraint, table: str) -> Constraint:
    """``constraint`` with the name that PostgreSQL gives it where the DDL gives none."""
    if constraint.name:
        return constraint
    columns = () if constraint.kind == "primary" else constraint.columns
    return replace(constraint, name="_".join((table, *columns, _SUFFIXES[constraint.kind])))


def _identity(name: Name, dialect: str) -> str:
    """What tells two tables of one schema apart: letter case only where the engine keeps it."""
    if not folds(dialect):
        return name.name.casefold()
    return name.name if name.quoted else fold(name.name, dialect)


@dataclass
class Catalogue:
    """The tables there are now, in the order of their definitions.

    ``namespace`` is where names without a schema belong, as a USE or a search path of
    ``script`` has it.
    """

    namespace: str = ""
    script: Path | None = None
    _entries: dict[int, Entry] = field(default_factory=dict)
    _by_name: dict[str, list[Entry]] = field(default_factory=dict)

    def __iter__(self) -> Iterator[Entry]:
        return iter(list(self._entries.values()))

    def add(self, entry: Entry) -> None:
        self._entries[id(entry)] = entry
        self._by_name.setdefault(entry.name.casefold(), []).append(entry)

    def remove(self, entry: Entry) -> None:
        del self._entries[id(entry)]
        self._by_name[entry.name.casefold()].remove(entry)

    def remove_with_views(self, entry: Entry) -> None:
        """Remove a table and the views that read it, and those that read these."""
        gone = [entry]
        for each in gone:
            self.remove(each)
            gone += [
                view
                for view in self
                if each in view.reads and view.kind.endswith("view") and view not in gone
            ]

    def of_schema(self, schema: str) -> list[Entry]:
        wanted = schema.casefold()
        return [
            entry
            for entry in self
            if entry.schema and entry.schema.casefold().split(".")[-1] == wanted
        ]

    def rename(self, entry: Entry, name: str, quoted: bool) -> None:
        """A table that had the new name is gone: this one took its place."""
        target = self.same(Name(name, entry.schema, quoted), entry.dialect)
        if target is not None and target is not entry:
            self.remove(target)
        self._by_name[entry.name.casefold()].remove(entry)
        entry.name, entry.quoted = name, quoted
        entry.identity = _identity(Name(name, entry.schema, quoted), entry.dialect)
        self._by_name.setdefault(name.casefold(), []).append(entry)

    def swap(self, entry: Entry, other: Entry) -> None:
        """Two tables change their names with each other."""
        one, two = entry.name, other.name
        for each, old, new in ((entry, one, other), (other, two, entry)):
            self._by_name[old.casefold()].remove(each)
            self._by_name.setdefault(new.name.casefold(), []).append(each)
        entry.name, other.name = two, one
        entry.schema, other.schema = other.schema, entry.schema
        entry.quoted, other.quoted = other.quoted, entry.quoted
        entry.identity, other.identity = other.identity, entry.identity
        entry.namespace, other.namespace = other.namespace, entry.namespace

    def same(self, name: Name, dialect: str) -> Entry | None:
        """The table that a new one of this name would collide with."""
        entries = self._by_name.get(name.name.casefold())
        if not entries:
            return None
        identity, schema = _identity(name, dialect), name.schema.casefold()
        for entry in entries:
            has = entry.schema.casefold()
            alike = has == schema or (has in DEFAULT_SCHEMAS and schema in DEFAULT_SCHEMAS)
            if alike and entry.identity == identity and self._in_reach(entry, name, dialect):
                return entry
        return None

    def _in_reach(self, entry: Entry, name: Name, dialect: str) -> bool:
        if not self.namespace or not _in_namespace(name.schema, dialect):
            return True
        if not entry.namespace:
            # Made before any USE: in the script itself that was elsewhere, in others who knows.
            return entry.file != self.script or bool(entry.schema)
        return entry.namespace.casefold() == self.namespace.casefold()

    def find(self, name: Name, dialect: str) -> Entry | None:
        """The table that a statement means: its schema may be left out or be shorter."""
        exact = self.same(name, dialect)
        if exact is not None:
            return exact
        wanted = name.schema.casefold().split(".") if name.schema else []
        found: Entry | None = None
        for entry in self._by_name.get(name.name.casefold(), ()):
            whole = ".".join(part for part in (entry.namespace, entry.schema) if part)
            has = whole.casefold().split(".") if whole else []
            shorter = min(len(has), len(wanted))
            if has[len(has) - shorter :] == wanted[len(wanted) - shorter :]:
                found = entry
        return found

    def follow_search_paths(self) -> None:
        """Give PostgreSQL's tables the schema that a search path puts them in."""
        for entry in self:
            placed = entry.namespace.casefold() not in DEFAULT_SCHEMAS
            if placed and not entry.schema and entry.dialect in _SEARCH_PATHS:
                entry.schema = entry.namespace

    def tell_namesakes_apart(self) -> None:
        """Qualify tables that would have the same name by where a USE put them."""
        for entries in self._by_name.values():
            by_schema: dict[str, list[Entry]] = {}
            for entry in entries if len(entries) > 1 else ():
                by_schema.setdefault(entry.schema.casefold(), []).append(entry)
            for namesakes in by_schema.values():
                if len({entry.namespace.casefold() for entry in namesakes}) > 1:
                    for entry in namesakes:
                        entry.schema = f"{entry.namespace}.{entry.schema}".strip(".")

    def referring(self, entry: Entry) -> Iterator[tuple[Entry, int, ForeignKey]]:
        """The foreign keys that refer to ``entry``: their tables and places in these."""
        for other in self:
            for index, constraint in enumerate(other.constraints):
                key = constraint.target
                if key is None or key.to_table.casefold() != entry.name.casefold():
                    continue
                if self.find(Name(key.to_table, key.to_schema), other.dialect) is entry:
                    yield other, index, key
