"""Writing under ``.sqlscribe/``: whole files or none, and out of the way of git."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path


def write_generated(folder: Path, name: str, content: bytes) -> None:
    """Write ``folder/name`` at once, so that no reader ever sees half a file.

    The folder and the one around it are made, not more: a workspace that was deleted meanwhile
    stays deleted. Raises ``OSError``.
    """
    if not folder.is_dir():
        folder.parent.mkdir(exist_ok=True)
        folder.mkdir(exist_ok=True)
    ignored = folder / ".gitignore"
    if not ignored.exists():
        ignored.write_text("*\n", "utf-8")
    handle, part = tempfile.mkstemp(dir=folder, suffix=".part")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        os.replace(part, folder / name)
    except OSError:
        Path(part).unlink(missing_ok=True)
        raise
