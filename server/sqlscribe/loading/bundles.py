"""What comes with the program: the templates of prompts, and the example."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path

_PACKAGE = Path(__file__).parents[1]


@cache
def shipped_templates() -> Mapping[str, str]:
    """The templates of this program by name, from the package or from the checkout."""
    return dict(_templates_in(bundled("prompts"), ""))


def bundled(name: str) -> Path:
    """A folder that comes with the program, in the package or in the checkout."""
    packaged = _PACKAGE / name
    # An installation for development uses the folder beside the sources.
    return packaged if packaged.is_dir() else _PACKAGE.parents[1] / name


def _templates_in(folder: Path, prefix: str) -> Iterable[tuple[str, str]]:
    for item in sorted(folder.iterdir(), key=lambda item: item.name):
        if item.is_dir():
            yield from _templates_in(item, f"{prefix}{item.name}/")
        elif item.name.endswith(".j2"):
            yield prefix + item.name, item.read_text("utf-8")
