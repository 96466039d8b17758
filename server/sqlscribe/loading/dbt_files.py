"""The files of dbt projects in a folder, sorted by what dbt takes them for."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from sqlscribe.files import FileEntry, Reader, Text
from sqlscribe.files import entry as entry_of
from sqlscribe.loading.parse_cache import ParseCache
from sqlscribe.notation.document import Document
from sqlscribe.notation.findings import FileFindings
from sqlscribe.schema import dbt
from sqlscribe.schema.model import Schema

PROJECT = "dbt_project.yml"
_GENERATED = ("manifest.json", "catalog.json")


@dataclass(frozen=True)
class DbtFiles:
    """``properties`` are YAML and Markdown, ``generated`` the manifest and the catalogue."""

    properties: list[FileEntry] = field(default_factory=list)
    generated: list[FileEntry] = field(default_factory=list)
    seeds: list[FileEntry] = field(default_factory=list)
    models: list[FileEntry] = field(default_factory=list)

    @property
    def in_sql(self) -> list[FileEntry]:
        """The models but those in Python."""
        return [entry for entry in self.models if entry.path.suffix.lower() == ".sql"]

    @property
    def kinds(self) -> tuple[list[FileEntry], ...]:
        return (self.properties, self.generated, self.seeds, self.models)


def separate(
    entries: Iterable[FileEntry], read: Callable[[FileEntry], Text]
) -> tuple[DbtFiles, list[FileEntry]]:
    """The files that belong to dbt projects, and the others.

    Macros, tests and analyses are neither: they are SQL, and define nothing.
    """
    entries = list(entries)
    projects: dict[str, dbt.Project] = {}
    for entry in entries:
        if entry.path.name == PROJECT:
            project = dbt.read_project(read(entry).document)
            if project is not None:
                projects[entry.name.removesuffix(PROJECT)] = project
    found, others = DbtFiles(), []
    # The innermost project counts, such as a package within another one.
    folders = sorted(projects, key=len, reverse=True)
    for entry in entries:
        folder = next((each for each in folders if entry.name.startswith(each)), None)
        kind = "" if folder is None else projects[folder].kind_of(entry.name[len(folder) :])
        if kind == "":
            others.append(entry)
        elif kind == "target":
            found.generated.extend([entry] if entry.path.name in _GENERATED else [])
        elif kind in ("model", "snapshot", "seed"):
            _take(entry, kind, found)
    return found, others


def is_run_by_dbt(path: Path, root: Path) -> bool:
    """Whether a file is a model, a test or the like of a dbt project within ``root``.

    The innermost project counts. Reads its file.
    """
    for folder in path.parents:
        if not folder.is_relative_to(root):
            break
        try:
            text = Reader().read(entry_of(folder / PROJECT), {})
        except OSError:
            continue
        project = dbt.read_project(text.document)
        name = path.relative_to(folder).as_posix()
        return project is not None and project.kind_of(name) not in ("", "target", "seed")
    return False


def _take(entry: FileEntry, kind: dbt.FileKind, found: DbtFiles) -> None:
    match entry.path.suffix.lower():
        case ".yml" | ".yaml" | ".md":
            found.properties.append(entry)
        case ".sql" if kind != "seed":
            found.models.append(entry)
        case ".py" if kind == "model":
            found.models.append(entry)
        case ".csv" if kind == "seed":
            found.seeds.append(entry)
        case _:
            # Nothing that dbt makes a table of.
            pass


def parts_of(
    files: DbtFiles,
    read: Callable[[FileEntry], Text],
    cache: ParseCache,
    problems: list[FileFindings],
) -> tuple[dbt.DbtPart, ...]:
    """What the files say of the project's tables; what people wrote comes first."""
    parts: list[dbt.DbtPart] = []
    for entry in (*files.properties, *files.generated, *files.seeds):
        text = read(entry)
        part = cache.once("dbt", entry, text, _part)
        parts.append(part)
        findings = (*text.findings, *part.findings)
        if findings:
            problems.append(FileFindings(text.document, findings))
    return tuple(parts)


def compare(
    files: DbtFiles,
    read: Callable[[FileEntry], Text],
    cache: ParseCache,
    models: Iterable[dbt.ModelScript],
    schema: Schema,
) -> Iterator[FileFindings]:
    """What the YAML files name and the project does not have."""
    parts = {entry: cache.once("dbt", entry, read(entry), _part) for entry in files.properties}
    if not any(part.named for part in parts.values()):
        return
    made = {model.key for script in models for model in script.models}
    stems = made | {entry.path.stem for entry in files.models}
    generated = [cache.once("dbt", entry, read(entry), _part) for entry in files.generated]
    listed = [relation for part in generated for relation in part.relations]
    described = [relation for part in parts.values() for relation in part.relations]
    keys = stems | {entry.path.stem for entry in files.seeds}
    keys |= {relation.key for relation in (*described, *listed)}
    # A catalogue may be older than the file beside it.
    settled = {relation.key for relation in listed if not relation.table.partly_understood}
    tables = {
        relation.key: relation.table.name
        for relation in described
        if relation.kind in ("model", "seed") and relation.key not in settled
    }
    for entry, part in parts.items():
        findings = tuple(dbt.unknown_names(part.named, stems, keys, tables, schema))
        if findings:
            yield FileFindings(read(entry).document, findings)


def _part(document: Document, path: Path) -> dbt.DbtPart:
    match path.suffix.lower():
        case ".md":
            return dbt.read_docs(document.text)
        case ".csv":
            return dbt.read_seed(document, path)
        case ".json" if path.name == "catalog.json":
            return dbt.read_catalog(document, path)
        case ".json":
            return dbt.read_manifest(document, path)
        case _ if dbt.is_dbt_yaml(document.text, in_project=True):
            return dbt.read_properties(document, path)
        case _:
            return dbt.DbtPart()


_VERSION = re.compile(r"(?P<name>.+)_v(?P<number>\d+)\Z")


def with_versions(files: DbtFiles, names: Mapping[str, str]) -> dict[str, str]:
    """``names`` with those of versioned models that no YAML file says anything of.

    A reference without a version means the latest one: the highest number, as far as is known.
    """
    stems = {entry.path.stem for entry in files.models}
    found: dict[str, dict[int, str]] = {}
    for stem in stems:
        version = _VERSION.match(stem)
        if version is not None and version["name"] not in stems:
            found.setdefault(version["name"], {})[int(version["number"])] = stem
    together: dict[str, str] = {}
    for name, versions in found.items():
        together[name] = versions[max(versions)]
        together |= {f"{name}.v{number}": stem for number, stem in versions.items()}
    return {**together, **names}


def model_scripts(
    files: DbtFiles,
    read: Callable[[FileEntry], Text],
    cache: ParseCache,
    dialect: str,
    names: Mapping[str, str],
) -> tuple[dbt.ModelScript, ...]:
    """The models of the project as views. ``names`` are what its tables are called in SQL."""
    called = hash(tuple(sorted(names.items())))
    return tuple(
        cache.once(
            f"dbt-model {dialect} {called}",
            entry,
            read(entry),
            lambda document, path: dbt.read_models(document, path, dialect, names),
        )
        for entry in files.models
    )
