"""What was made of each text, kept while the text stays the same."""

from __future__ import annotations

from collections.abc import Callable, Collection
from pathlib import Path
from typing import Any, TypeVar

from sqlscribe.files import FileEntry, Text
from sqlscribe.notation.document import Document

Parsed = TypeVar("Parsed")
Read = tuple[FileEntry, Text]


class ParseCache:
    """Keeps what was parsed. Not thread-safe; its owner holds a lock."""

    def __init__(self) -> None:
        self._kept: dict[tuple[str, Path], tuple[str, Text, Any]] = {}

    def forget(self, present: Collection[Path]) -> None:
        """Drop what was made of files that are no longer read."""
        self._kept = {key: kept for key, kept in self._kept.items() if key[1] in present}

    def once(
        self, made: str, entry: FileEntry, text: Text, parse: Callable[[Document, Path], Parsed]
    ) -> Parsed:
        """What ``parse`` makes of a text, unless it made it of the very same text before."""
        key = (made.partition(" ")[0], entry.path)
        kept = self._kept.get(key)
        if kept is not None and kept[0] == made and kept[1] == text:
            known: Parsed = kept[2]
            return known
        parsed = parse(text.document, entry.path)
        self._kept[key] = (made, text, parsed)
        return parsed
