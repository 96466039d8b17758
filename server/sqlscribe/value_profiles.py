"""Value profiles for people to review, from scripts, files with rows, and a database."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from sqlscribe import files
from sqlscribe.knowledge.inserts import inserted_values
from sqlscribe.knowledge.profiles import Profile
from sqlscribe.knowledge.profiling import ColumnValues, profiled, wanted_columns
from sqlscribe.loading import Loaded
from sqlscribe.notation.findings import Finding
from sqlscribe.schema import tabular
from sqlscribe.schema.database import profile_columns
from sqlscribe.schema.model import Column, Table


class Found(NamedTuple):
    """``remarks`` are sentences on what was not read."""

    profiles: tuple[Profile, ...]
    remarks: tuple[str, ...] = ()


def from_files(loaded: Loaded, root: Path, rows: Sequence[Path] = ()) -> Found:
    """From the DDL, the INSERT statements of the folder's scripts, and files with rows.

    ``rows`` are such files; none: those that the configuration names as schema.
    """
    reader = files.Reader()
    texts = [
        (reader.read(entry, {}, fallback=loaded.settings.encoding).document.text, loaded.dialect)
        for entry in files.walk(root)
        if entry.name.lower().endswith(".sql") and not entry.outside
    ]
    observed = list(inserted_values(texts, loaded.schema))
    findings: list[Finding] = []
    for path in rows or _rows_of(loaded):
        seen = tabular.profile_file(path)
        observed += seen.values
        findings += seen.findings
    masks = loaded.settings.privacy.mask
    remarks = tuple(finding.message for finding in findings)
    return Found(profiled(loaded.schema, observed, masks), remarks)


def from_database(loaded: Loaded, url: str, root: Path) -> Found:
    """From a database, with a query for each column that is worth one.

    ``url`` has its variables filled in. Raises ``DatabaseError``.
    """
    masks = loaded.settings.privacy.mask
    wanted: dict[int, set[str]] = {}

    def skip(table: Table, column: Column) -> bool:
        if id(table) not in wanted:
            wanted[id(table)] = {each.name for each in wanted_columns(table, masks)}
        return column.name not in wanted[id(table)]

    observed = profile_columns(url, loaded.schema, root=root, skip=skip)
    return Found(profiled(loaded.schema, observed, masks), tuple(_problems(observed)))


def _rows_of(loaded: Loaded) -> Iterable[Path]:
    return dict.fromkeys(
        table.file
        for table in loaded.schema.tables
        if table.file is not None and tabular.is_tabular(table.file)
    )


def _problems(observed: Iterable[ColumnValues]) -> Iterable[str]:
    for each in observed:
        if each.problem:
            yield f"{each.table}.{each.column} was not read: {each.problem}"
