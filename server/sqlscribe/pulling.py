"""A live schema as files for git: one DDL script for each table."""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import NamedTuple

from sqlscribe.schema.model import Schema, Table
from sqlscribe.schema.writing import create_statements

MARK = "-- Pulled from the database by sqlscribe schema pull."
"""The first line of every script; a script that has it no more belongs to people."""
_UNFIT = re.compile(r"[^\w.-]+")
_DEVICE = re.compile(r"(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|\Z)")
"""Names that mean a device on Windows, whatever their ending."""


class Pulled(NamedTuple):
    """Names of scripts: new or changed ones, removed ones, and those that people own now."""

    written: tuple[str, ...]
    removed: tuple[str, ...]
    kept: tuple[str, ...]


def scripts_of(schema: Schema, dialect: str) -> dict[str, str]:
    """A script for each table and view, by the name of its file. Partitions stay out."""
    found: dict[str, str] = {}
    for table in schema.tables:
        if not table.parent:
            name = _file_name(table, found)
            # A comment right above a table would be the table's own, and go into prompts.
            found[name] = f"{MARK}\n\n{create_statements(Schema((table,)), dialect)}"
    if schema.functions:
        name = _file_name(Table("functions", ()), found)
        names = create_statements(Schema((), schema.functions), dialect)
        found[name] = f"{MARK}\n\n-- What these functions do is not known here.\n\n{names}"
    return found


def write_scripts(
    folder: Path, scripts: Mapping[str, str], only_schemas: Collection[str] = ()
) -> Pulled:
    """Bring the folder up to date. Only scripts with the mark are changed or removed.

    Where only some schemas were read, scripts of others are not removed. Raises ``OSError``.
    """
    folder.mkdir(parents=True, exist_ok=True)
    written: list[str] = []
    kept: list[str] = []
    for name, text in scripts.items():
        path = folder / name
        before = path.read_text("utf-8", "replace") if _is_plain(path) else None
        is_theirs = before is not None and not before.startswith(MARK)
        # A link may lead out of the folder, and to a file that is not there yet.
        if is_theirs or path.is_symlink() or (before is None and path.exists()):
            kept.append(name)
        elif before != text:
            path.write_text(text, "utf-8", newline="\n")
            written.append(name)
    removed = [
        path.name
        for path in sorted(folder.glob("*.sql"))
        if path.name not in scripts and _is_of(path.name, only_schemas) and _is_ours(path)
    ]
    for name in removed:
        os.remove(folder / name)
    return Pulled(tuple(written), tuple(removed), tuple(kept))


def _is_of(name: str, schemas: Collection[str]) -> bool:
    starts = tuple(f"{_plain(schema)}." for schema in schemas)
    return not starts or name.startswith(starts)


def _plain(name: str) -> str:
    return _UNFIT.sub("_", name).strip("._").lower()[:120]


def _is_plain(path: Path) -> bool:
    return path.is_file() and not path.is_symlink()


def _is_ours(path: Path) -> bool:
    if not _is_plain(path):
        return False
    with path.open("rb") as file:
        return file.read(len(MARK)) == MARK.encode()


def _file_name(table: Table, taken: Mapping[str, str]) -> str:
    """A name that every file system takes, in lower case since some know no other."""
    plain = _plain(table.qualified_name) or "table"
    if _DEVICE.match(plain):
        plain = f"_{plain}"
    name, number = f"{plain}.sql", 2
    while name in taken:
        name, number = f"{plain}_{number}.sql", number + 1
    return name
