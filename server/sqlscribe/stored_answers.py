"""Answers kept by the fingerprint of their prompt, one small file each under ``.sqlscribe/``.

The folder may be deleted at any time, shared by two servers, or not be writable at all: then
answers live as long as the process.
"""

from __future__ import annotations

import json
import os
import tempfile
import threading
from pathlib import Path

_KEPT = 2_000
"""Answers kept; the oldest go first."""


class AnswerFiles:
    """A :class:`sqlscribe.answer.StoredAnswers` in ``folder``, or in memory for ``None``.

    May be used from any thread.
    ``remark`` says in one sentence why answers are not kept, where they are not.
    """

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder
        self._memory: dict[str, str] = {}
        self._lock = threading.Lock()
        self.remark = ""

    def get(self, fingerprint: str) -> str | None:
        known = self._memory.get(fingerprint)
        if known is not None or self._folder is None:
            return known
        try:
            text = (self._folder / f"{fingerprint}.json").read_text("utf-8", "surrogatepass")
            stored = json.loads(text)
        except (OSError, ValueError, RecursionError):
            # Not there, or damaged: the model is asked again and the file written anew.
            return None
        sql = stored.get("sql") if isinstance(stored, dict) else None
        return sql if isinstance(sql, str) else None

    def put(self, fingerprint: str, sql: str) -> None:
        with self._lock:
            self._memory[fingerprint] = sql
            if len(self._memory) > _KEPT:
                del self._memory[next(iter(self._memory))]
        if self._folder is None:
            return
        try:
            _write(self._folder, f"{fingerprint}.json", sql)
            _prune(self._folder)
            self.remark = ""
        except OSError as error:
            self.remark = f"answers are not kept on disk: {error.strerror or error}"


def _write(folder: Path, name: str, sql: str) -> None:
    if not folder.is_dir():
        # Not its parents too: a workspace that was deleted meanwhile stays deleted.
        folder.parent.mkdir(exist_ok=True)
        folder.mkdir(exist_ok=True)
        (folder / ".gitignore").write_text("*\n", "utf-8")
    # Written beside and renamed, so that a reader never sees half a file.
    handle, part = tempfile.mkstemp(dir=folder, suffix=".part")
    try:
        with os.fdopen(handle, "w", encoding="utf-8", errors="surrogatepass") as file:
            json.dump({"sql": sql}, file, ensure_ascii=False)
        os.replace(part, folder / name)
    except OSError:
        Path(part).unlink(missing_ok=True)
        raise


def _prune(folder: Path) -> None:
    files = list(folder.glob("*.json"))
    if len(files) > _KEPT:
        for file in sorted(files, key=_written)[: len(files) - _KEPT]:
            file.unlink(missing_ok=True)


def _written(file: Path) -> float:
    """When a file was written; long ago where another process has just removed it."""
    try:
        return file.stat().st_mtime
    except FileNotFoundError:
        return 0.0
