"""Answers kept by the fingerprint of their prompt, one small file each under ``.sqlscribe/``.

The folder may be deleted at any time, shared by two servers, or not be writable at all: then
answers live as long as the process.
"""

from __future__ import annotations

import json
import os
import tempfile
from pathlib import Path

_KEPT = 2_000
"""Files kept; the oldest go first."""


class AnswerFiles:
    """A :class:`sqlscribe.answer.StoredAnswers` in ``folder``, or in memory for ``None``.

    ``remark`` says in one sentence why answers are not kept, where they are not.
    """

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder
        self._memory: dict[str, str] = {}
        self.remark = ""

    def get(self, fingerprint: str) -> str | None:
        if fingerprint in self._memory:
            return self._memory[fingerprint]
        if self._folder is None:
            return None
        try:
            stored = json.loads((self._folder / f"{fingerprint}.json").read_text("utf-8"))
        except (OSError, ValueError):
            # Not there, or damaged: the model is asked again and the file written anew.
            return None
        sql = stored.get("sql") if isinstance(stored, dict) else None
        return sql if isinstance(sql, str) else None

    def put(self, fingerprint: str, sql: str) -> None:
        self._memory[fingerprint] = sql
        if self._folder is None:
            return
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            # Written beside and renamed, so that a reader never sees half a file.
            handle, name = tempfile.mkstemp(dir=self._folder, suffix=".part")
            with os.fdopen(handle, "w", encoding="utf-8", errors="surrogatepass") as file:
                json.dump({"sql": sql}, file, ensure_ascii=False)
            os.replace(name, self._folder / f"{fingerprint}.json")
            self._prune(self._folder)
        except OSError as error:
            self.remark = f"answers are not kept on disk: {error.strerror or error}"

    @staticmethod
    def _prune(folder: Path) -> None:
        files = list(folder.glob("*.json"))
        if len(files) > _KEPT:
            files.sort(key=lambda file: file.stat().st_mtime)
            for file in files[: len(files) - _KEPT]:
                file.unlink(missing_ok=True)
