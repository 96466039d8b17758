"""Answers kept by the fingerprint of their prompt, one small file each under ``.sqlscribe/``.

The folder may be deleted at any time, shared by two servers, or not be writable at all: then
answers live as long as the process.
"""

from __future__ import annotations

import json
import threading
from pathlib import Path

from sqlscribe.generated_files import open_generated, write_generated

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
            with open_generated(self._folder / f"{fingerprint}.json") as file:
                stored = json.loads(file.read().decode("utf-8", "surrogatepass"))
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
            text = json.dumps({"sql": sql}, ensure_ascii=False)
            content = text.encode("utf-8", "surrogatepass")
            write_generated(self._folder, f"{fingerprint}.json", content)
            _prune(self._folder)
            self.remark = ""
        except OSError as error:
            self.remark = f"answers are not kept on disk: {error.strerror or error}"


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
