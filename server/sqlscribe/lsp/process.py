"""The server as a process: standard output is the protocol's, and it ends with its editor."""

from __future__ import annotations

import asyncio
import os
import sys
from typing import BinaryIO, NoReturn

_SECONDS = 1.0


def claim_stdout() -> BinaryIO:
    """Keep file descriptor 1 for the protocol alone, and let everything else print to 2.

    Must run before any other import that might print. The descriptor itself is replaced, so
    that code in C and child processes cannot write between two messages either.
    """
    protocol = os.fdopen(os.dup(1), "wb")
    os.set_inheritable(protocol.fileno(), False)
    os.dup2(2, 1)
    sys.stdout = sys.stderr
    return protocol


def leave(code: int) -> NoReturn:
    """End the process at once.

    Worker threads may be importing a library or waiting for a disk, and Python would wait for
    them; nothing they do matters any more, and the files they write are written atomically.
    """
    os._exit(code)


async def watch_parent(process_id: int) -> None:
    """Return once the editor is gone, though it may have left the pipe open."""
    while is_alive(process_id):
        await asyncio.sleep(_SECONDS)


def is_alive(process_id: int) -> bool:
    """Whether there is such a process on this machine, or in this container."""
    if os.name == "nt":
        return _is_alive_on_windows(process_id)
    try:
        os.kill(process_id, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except PermissionError:
        return True
    return not _is_zombie(process_id)


def _is_zombie(process_id: int) -> bool:
    # A killed parent whose own parent does not collect it still answers to signal 0.
    try:
        with open(f"/proc/{process_id}/stat", encoding="ascii", errors="replace") as file:
            return file.read().rpartition(")")[2].split()[0] in {"Z", "X"}
    except OSError:
        return False


def _is_alive_on_windows(process_id: int) -> bool:
    import ctypes

    still_active = 259
    kernel = ctypes.windll.kernel32  # type: ignore[attr-defined]
    handle = kernel.OpenProcess(0x1000, False, process_id)
    if not handle:
        return False
    code = ctypes.c_ulong()
    kernel.GetExitCodeProcess(handle, ctypes.byref(code))
    kernel.CloseHandle(handle)
    return code.value == still_active
