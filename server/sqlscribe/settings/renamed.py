"""Settings that were called something else before: the old name still counts, and is told."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from sqlscribe.settings.places import Path

RENAMED: Mapping[Path, Path] = {}
"""The name in force by the old one, both with their tables: ``("model", "name")``.

One of ``model`` stands for the same key of every table in ``models``. A name stays here for at
least one minor version after its successor came.
"""


class Renamed(NamedTuple):
    """A key that was found under its old name. ``is_set``: the new one is there too, and counts."""

    old: Path
    new: Path
    is_set: bool


def under_new_names(data: Mapping[str, object]) -> tuple[dict[str, object], tuple[Renamed, ...]]:
    """The settings with every key under the name in force, and which were not."""
    moved = dict(data)
    found: list[Renamed] = []
    for old, new in _pairs(data):
        holder = _table(moved, old)
        if holder is None or old[-1] not in holder:
            continue
        value = holder.pop(old[-1])
        target = _table(moved, new, make=True)
        is_set = target is None or new[-1] in target
        if target is not None and not is_set:
            target[new[-1]] = value
        found.append(Renamed(old, new, is_set))
    return moved, tuple(found)


def _pairs(data: Mapping[str, object]) -> Iterator[tuple[Path, Path]]:
    models = data.get("models")
    for old, new in RENAMED.items():
        yield old, new
        if old[0] == new[0] == "model" and isinstance(models, Mapping):
            for name in models:
                yield ("models", str(name), *old[1:]), ("models", str(name), *new[1:])


def _table(data: dict[str, Any], path: Path, *, make: bool = False) -> dict[str, Any] | None:
    """The table that holds a key, as a copy in its place; ``None`` where there is none."""
    table = data
    for name in path[:-1]:
        inner = table.get(name, {} if make else None)
        if not isinstance(inner, Mapping):
            return None
        table[name] = table = dict(inner)
    return table
