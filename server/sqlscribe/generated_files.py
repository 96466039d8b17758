"""Files under ``.sqlscribe/``: written whole or not at all, out of the way of git, and read."""

from __future__ import annotations

import errno
import os
import stat
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO

GENERATED = ".sqlscribe"
"""The folder of a workspace that may be deleted at any time."""


def make_generated(folder: Path) -> None:
    """Make a folder for generated files, out of the way of git.

    The folder and the one around it are made, not more: a workspace that was deleted meanwhile
    stays deleted. Raises ``OSError``.
    """
    for place in (folder, folder.parent):
        if GENERATED in (place.name, place.parent.name) and place.is_symlink():
            # A repository could bring it along, and have us write wherever it leads.
            raise OSError(errno.ELOOP, "it is a link", str(place))
    if folder.is_dir():
        return
    folder.parent.mkdir(exist_ok=True)
    folder.mkdir(exist_ok=True)
    top = folder.parent if folder.parent.name == GENERATED else folder
    # A link that leads to nothing is there, too, and is not written through.
    with suppress(FileExistsError), (top / ".gitignore").open("x", encoding="utf-8") as ignored:
        ignored.write("*\n")


def open_generated(path: Path) -> BinaryIO:
    """A generated file, to be read. Raises ``OSError``, also for what is no plain file.

    A repository could bring along a link to a device that never ends, or a folder a pipe that
    nobody writes to.
    """
    kinds = ("O_BINARY", "O_NOFOLLOW", "O_NONBLOCK")
    handle = os.open(path, os.O_RDONLY | sum(getattr(os, kind, 0) for kind in kinds))
    try:
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            raise OSError(errno.EINVAL, "it is no plain file", str(path))
    except OSError:
        os.close(handle)
        raise
    return os.fdopen(handle, "rb")


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


def append_generated(folder: Path, name: str, line: bytes) -> None:
    """Add a line to ``folder/name`` in one write, so that those of several processes stay whole.

    A line that somebody was stopped in the middle of is ended first. Raises ``OSError``.
    """
    make_generated(folder)
    flags = os.O_RDWR | os.O_APPEND | os.O_CREAT | getattr(os, "O_BINARY", 0)
    # A repository could bring along a link of that name.
    handle = os.open(folder / name, flags | getattr(os, "O_NOFOLLOW", 0), 0o600)
    try:
        size = os.lseek(handle, 0, os.SEEK_END)
        if size:
            os.lseek(handle, size - 1, os.SEEK_SET)
            if os.read(handle, 1) != b"\n":
                line = b"\n" + line
        os.write(handle, line + b"\n")
    finally:
        os.close(handle)
