"""The schema of a folder, from all the files that say something about it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from sqlscribe.files import FileEntry, Text, outside
from sqlscribe.knowledge import orders
from sqlscribe.loading.dbt_files import DbtFiles, compare, model_scripts, parts_of, with_versions
from sqlscribe.loading.parse_cache import ParseCache, Read
from sqlscribe.notation.document import Document
from sqlscribe.notation.findings import FileFindings, Finding
from sqlscribe.notation.lexicon import guess_dialect
from sqlscribe.schema import dbt, ddl, tabular
from sqlscribe.schema.merging import merged
from sqlscribe.schema.model import Schema, Table
from sqlscribe.schema_cache import SchemaCache
from sqlscribe.settings import Settings

ReadFile = Callable[[FileEntry], Text]


@dataclass(frozen=True)
class FolderSchema:
    """``relations`` are the names of the tables that templates call by ``ref`` and ``source``.

    ``scripts`` are the texts with definitions by their files.
    """

    dialect: str
    schema: Schema
    relations: Mapping[str, str] = field(default_factory=dict)
    scripts: Mapping[Path, Document] = field(default_factory=dict)


class _Made(NamedTuple):
    """What a schema was made of, and the schema; the same again while nothing changed."""

    of: tuple[object, ...]
    replayed: ddl.Replayed
    orders: Mapping[Path, tuple[Finding, ...]]


class SchemaFiles:
    """Reads them again and again. Not thread-safe; its owner holds a lock."""

    def __init__(self, cache: ParseCache, kept: SchemaCache) -> None:
        self._cache = cache
        self._kept = kept
        self._made: _Made | None = None
        self._compared: tuple[tuple[object, ...], tuple[FileFindings, ...]] | None = None
        self._merged: tuple[tuple[object, ...], Schema] | None = None

    def read(
        self,
        entries: Sequence[FileEntry],
        project: DbtFiles,
        read: ReadFile,
        in_force: Settings,
        live: Schema,
        problems: list[FileFindings],
    ) -> FolderSchema:
        """What the files say; what is wrong in them goes into ``problems``.

        ``live`` is what a database says; files come before it.
        """
        files = _sorted(entries, project)
        scripts = self._scripts(files.scripts, read, in_force)
        dialect = in_force.dialect or _most_common(
            self._cache.once("dialect-of", entry, text, _guessed_dialect)
            for entry, text in (*scripts, *((each, read(each)) for each in project.in_sql))
        )
        parts = parts_of(files.project, read, self._cache, problems)
        relations = dbt.combined(parts) if parts else ()
        names = with_versions(files.project, dbt.names_in_sql(relations, dialect))
        models = model_scripts(files.project, read, self._cache, dialect, names)
        schema = self._replay(scripts, dialect, parts, relations, models, problems)
        compared = (parts, models, schema)
        if self._compared is None or self._compared[0] != compared:
            found = compare(files.project, read, self._cache, models, schema)
            self._compared = (compared, tuple(found))
        problems += self._compared[1]
        rows = tuple(self._tables(files.rows, problems))
        texts = {entry.path: text.document for entry, text in scripts}
        return FolderSchema(dialect, self._together(schema, rows, live), names, texts)

    def _scripts(
        self, entries: Iterable[FileEntry], read: ReadFile, in_force: Settings
    ) -> list[Read]:
        """DDL; without globs every file that holds some."""
        scripts = [(entry, read(entry)) for entry in entries]
        if in_force.schema:
            return scripts
        return [
            (entry, text)
            for entry, text in scripts
            if bool(text.findings) or self._cache.once("holds-ddl", entry, text, _holds_ddl)
        ]

    def _replay(
        self,
        read: list[Read],
        dialect: str,
        parts: tuple[dbt.DbtPart, ...],
        relations: tuple[dbt.Relation, ...],
        models: tuple[dbt.ModelScript, ...],
        problems: list[FileFindings],
    ) -> Schema:
        by_path = {entry.path: (entry, text) for entry, text in read}
        scripts: dict[Path, ddl.DdlScript] = {}
        for path in ddl.migration_order(by_path):
            entry, text = by_path[path]
            scripts[path] = self._cache.once(
                f"ddl {dialect}",
                entry,
                text,
                lambda document, path: self._kept.read(document, path, dialect),
            )
        self._kept.save(scripts)
        together = tuple(scripts.values())
        of = (together, parts, models)
        if self._made is None or self._made.of != of:
            in_project = relations or models
            replayed = (
                dbt.replayed(together, relations, models)
                if in_project
                else ddl.replayed(together, self._made.replayed if self._made else None)
            )
            documents = {entry.path: text.document for entry, text in read}
            told = orders.in_tables(replayed.schema.tables, documents)
            self._made = _Made(of, replayed, told)
        result = self._made.replayed
        for entry, text in read:
            own = scripts[entry.path].findings if entry.path in scripts else ()
            findings = (
                *text.findings,
                *own,
                *result.findings.get(entry.path, ()),
                *self._made.orders.get(entry.path, ()),
            )
            if findings:
                problems.append(FileFindings(text.document, findings))
        return result.schema

    def _tables(
        self, entries: Iterable[FileEntry], problems: list[FileFindings]
    ) -> Iterable[Table]:
        """Files with rows, as tables."""
        for entry in entries:
            if entry.outside:
                refused = outside(entry)
                problems.append(FileFindings(refused.document, refused.findings))
                continue
            # They may be large and are no texts: size and time of change tell them apart.
            mark = Text(Document(entry.path.as_uri(), f"{entry.size} {entry.modified}"))
            found = self._cache.once(
                "tabular", entry, mark, lambda _, path: tabular.read_tabular(path)
            )
            if found.findings:
                problems.append(FileFindings(Document(entry.path.as_uri(), ""), found.findings))
            if found.table is not None:
                yield found.table

    def _together(self, files: Schema, rows: tuple[Table, ...], live: Schema) -> Schema:
        if not rows and not live.tables:
            return files
        of = (files, rows, live)
        if self._merged is None or self._merged[0] != of:
            self._merged = (of, merged([files, Schema(rows), live]))
        return self._merged[1]


@dataclass(frozen=True)
class _Sorted:
    scripts: list[FileEntry]
    rows: list[FileEntry]
    project: DbtFiles


def _sorted(entries: Iterable[FileEntry], project: DbtFiles) -> _Sorted:
    """The files of the schema by their form. dbt's may also be named one by one."""
    scripts: list[FileEntry] = []
    rows: list[FileEntry] = []
    named = DbtFiles(*(list(files) for files in project.kinds))
    for entry in entries:
        match entry.path.suffix.lower():
            case ".yml" | ".yaml":
                named.properties.append(entry)
            case ".json":
                named.generated.append(entry)
            case _ if tabular.is_tabular(entry.path):
                rows.append(entry)
            case _:
                scripts.append(entry)
    return _Sorted(scripts, rows, named)


def _holds_ddl(document: Document, path: Path) -> bool:
    return ddl.holds_ddl(document.text)


def _guessed_dialect(document: Document, path: Path) -> str:
    return guess_dialect(document.text)


def _most_common(dialects: Iterable[str]) -> str:
    """The dialect that most of the scripts look like."""
    votes = Counter(filter(None, dialects))
    return max(votes, key=lambda dialect: votes[dialect], default="")
