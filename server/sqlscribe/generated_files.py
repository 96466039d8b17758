"""Writing under ``.sqlscribe/``: whole files or none, and out of the way of git."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

GENERATED = ".sqlscribe"
"""The folder of a workspace that may be deleted at any time."""


def make_generated(folder: Path) -> None:
    """Make a folder for generated files, out of the way of git.

    The folder and the one around it are made, not more: a workspace that was deleted meanwhile
    stays deleted. Raises ``OSError``.
    """
    if folder.is_dir():
        return
    folder.parent.mkdir(exist_ok=True)
    folder.mkdir(exist_ok=True)
    top = folder.parent if folder.parent.name == GENERATED else folder
    ignored = top / ".gitignore"
    if not ignored.exists():
        ignored.write_text("*\n", "utf-8")


def write_generated(folder: Path, name: str, content: bytes) -> None:
    """Write ``folder/name`` at once, so that no reader ever sees half a file.

    Raises ``OSError``.
    """
    make_generated(folder)
    handle, part = tempfile.mkstemp(dir=folder, suffix=".part")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        os.replace(part, folder / name)
    except OSError:
        Path(part).unlink(missing_ok=True)
        raise
