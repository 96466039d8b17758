"""The files of a dbt project that hold no properties: its settings, SQL models and seeds."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath
from typing import Literal

from sqlscribe.knowledge.located import Node
from sqlscribe.knowledge.located_yaml import read_yaml
from sqlscribe.notation.document import Document, Span
from sqlscribe.notation.jinja_sql import expressions, is_switched_off, neutral
from sqlscribe.schema.dbt.facts import DbtPart, Draft, Relation, kind_of_table
from sqlscribe.schema.ddl.changes import CreateTable, Output, Query, Star
from sqlscribe.schema.ddl.cursor import Cursor, Name
from sqlscribe.schema.ddl.queries import UNKNOWN, read_query
from sqlscribe.schema.ddl.tokens import tokenize

FileKind = Literal["model", "seed", "snapshot", "macro", "test", "analysis", "target", ""]

_PATHS: dict[FileKind, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "model": (("model-paths", "source-paths"), ("models",)),
    "seed": (("seed-paths", "data-paths"), ("seeds", "data")),
    "snapshot": (("snapshot-paths",), ("snapshots",)),
    "macro": (("macro-paths",), ("macros",)),
    "test": (("test-paths",), ("tests",)),
    "analysis": (("analysis-paths",), ("analyses", "analysis")),
    "target": (("target-path", "packages-install-path"), ("target", "dbt_packages")),
}


@dataclass(frozen=True)
class Project:
    """A dbt project's settings. ``folders`` are relative to the project's own folder."""

    name: str = ""
    folders: tuple[tuple[str, FileKind], ...] = ()

    def kind_of(self, name: str) -> FileKind:
        """What dbt takes a file for; ``name`` is relative to the project, with ``/``."""
        for folder, kind in self.folders:
            if name.startswith(f"{folder}/"):
                return kind
        return ""


def read_project(document: Document) -> Project | None:
    """The settings in ``dbt_project.yml``; ``None`` where it is no mapping. Never raises."""
    roots = read_yaml(document).roots
    if not roots or roots[0].kind != "mapping":
        return None
    root = roots[0]
    folders: list[tuple[str, FileKind]] = []
    for kind, (keys, default) in _PATHS.items():
        found = [folder for key in keys for folder in _folders(root.get(key))]
        folders += [(folder, kind) for folder in found or default]
    # The longest first, so that a folder within another one keeps its own purpose.
    folders.sort(key=lambda pair: -len(pair[0]))
    name = root.get("name")
    return Project(name.text if name is not None else "", tuple(folders))


def _folders(node: Node | None) -> list[str]:
    if node is None:
        return []
    texts = [item.text for item in node.items] if node.kind == "list" else [node.text]
    return [PurePosixPath(text).as_posix().strip("/") for text in texts if text.strip("./ ")]


# -- models ------------------------------------------------------------------------------

_SNAPSHOT = re.compile(r"\{%-?\s*snapshot\s+(\w+)\s*-?%\}")
_END_SNAPSHOT = re.compile(r"\{%-?\s*endsnapshot\b")
_STAND_IN = "x" * len("{{x}}")
_SNAPSHOT_COLUMNS = ("dbt_scd_id", "dbt_updated_at", "dbt_valid_from", "dbt_valid_to")


@dataclass(frozen=True)
class Model:
    """What a template makes: ``key`` is what ``ref`` calls it, ``change`` makes it.

    The kind of ``change`` is ``""`` where the template leaves it to the project's settings.
    """

    key: str
    change: CreateTable


@dataclass(frozen=True)
class ModelScript:
    """A SQL file of a dbt project; there may be several snapshots in one."""

    path: Path
    dialect: str
    models: tuple[Model, ...]


def read_models(
    document: Document, path: Path, dialect: str, relations: Mapping[str, str] | None = None
) -> ModelScript:
    """The model in a SQL file as a view with the columns of its query, or its snapshots.

    ``relations`` says what tables are called in SQL, as for :func:`neutral`. A model in Python
    is a table whose columns nobody knows; one that is switched off is none. Never raises.
    """
    text = document.text
    if path.suffix.lower() == ".py":
        return ModelScript(path, dialect, tuple(_python_model(path.stem, text)))
    starts = list(_SNAPSHOT.finditer(text))
    if not starts:
        model = _model(path.stem, text, Span(0, len(text)), dialect, relations)
        return ModelScript(path, dialect, () if is_switched_off(text) else (model,))
    models: list[Model] = []
    for start in starts:
        end = _END_SNAPSHOT.search(text, start.end())
        span = Span(start.end(), end.start() if end else len(text))
        model = _model(start[1], text, span, dialect, relations)
        change = _with_snapshot_columns(model.change, span.of(text))
        line = document.line_of(start.start())
        models.append(Model(start[1], replace(change, line=line)))
    return ModelScript(path, dialect, tuple(models))


_PYTHON_MODEL = re.compile(r"^def[ \t]+model[ \t]*\(", re.MULTILINE)
_PYTHON_CONFIG = re.compile(r"\bdbt\s*\.\s*config\s*\(([^()]*)\)")


def _python_model(key: str, text: str) -> Iterator[Model]:
    if _PYTHON_MODEL.search(text):
        config = _PYTHON_CONFIG.search(text)
        name = _config(config[1], "alias") if config is not None else ""
        change = CreateTable(
            table=Name(name or key),
            span=Span(0, 0),
            line=0,
            kind="table",
            query=UNKNOWN,
            keep_existing=True,
        )
        yield Model(key, change)


def _model(
    key: str, text: str, span: Span, dialect: str, relations: Mapping[str, str] | None
) -> Model:
    said = (each.strip() for each in expressions(span.of(text)))
    config = next((each for each in said if each.startswith("config")), "")
    name = _config(config, "alias") or key
    made = neutral(span.of(text), dialect, this=name, relations=relations)
    tokens = tokenize(made.text, made.text, Span(0, len(made.text)), dialect)
    query = read_query(Cursor.over(tokens))
    change = CreateTable(
        table=Name(name),
        span=Span(span.start, span.start),
        line=0,
        kind=kind_of_table(made_as) if (made_as := _config(config, "materialized")) else "",
        # The columns that were read are there; there may be more of them.
        query=query if made.complete else _open_ended(query),
        keep_existing=True,
    )
    return Model(key, change)


def _open_ended(query: Query) -> Query:
    """The query with one more column that nobody knows, without made-up names."""
    known = tuple(
        each for each in query.outputs if isinstance(each, Star) or not _is_made_up(each.name)
    )
    return Query((*known, Output("")), query.sources)


def _is_made_up(name: str) -> bool:
    """Whether a column is named by a stand-in, or as an engine calls one without a name."""
    return name.startswith("?") or _STAND_IN in name


def _config(config: str, name: str) -> str:
    found = re.search(rf"\b{name}\s*=\s*['\"](\w+)['\"]", config)
    return found[1] if found else ""


def _with_snapshot_columns(change: CreateTable, text: str) -> CreateTable:
    if change.query is None or "snapshot_meta_column_names" in text:
        return replace(change, kind="table", query=UNKNOWN)
    names = (*_SNAPSHOT_COLUMNS, *(("dbt_is_deleted",) if "new_record" in text else ()))
    outputs = (*change.query.outputs, *map(Output, names))
    return replace(change, kind="table", query=Query(outputs, change.query.sources))


# -- seeds -------------------------------------------------------------------------------

_MOST_HEADER = 100_000


def read_seed(document: Document, path: Path) -> DbtPart:
    """The table that dbt makes of a CSV file: its columns are those of the header."""
    head = document.text[:_MOST_HEADER].lstrip("\ufeff")
    end = re.search(r"[\r\n]", head)
    line = head[: end.start()] if end else head
    mark = "," if "," in line else next((each for each in ";|\t" if each in line), ",")
    try:
        names = next(csv.reader([line], delimiter=mark), [])
    except csv.Error:
        return DbtPart()
    key = path.stem
    draft = Draft(key, complete=True)
    for name in filter(None, map(str.strip, names)):
        draft.add(name)
    if not draft.columns:
        return DbtPart()
    return DbtPart((Relation(key, "seed", draft.table(path, 0)),))
