"""The schema of a folder, from all the files that say something about it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from sqlscribe.loading.parse_cache import ParseCache, Read
from sqlscribe.notation.document import Document
from sqlscribe.notation.findings import FileFindings
from sqlscribe.notation.lexicon import guess_dialect
from sqlscribe.schema import ddl
from sqlscribe.schema.model import Schema
from sqlscribe.settings import Settings


class SchemaFiles:
    """Reads DDL again and again. Not thread-safe; its owner holds a lock."""

    def __init__(self, cache: ParseCache) -> None:
        self._cache = cache
        self._replayed: tuple[tuple[ddl.DdlScript, ...], ddl.Replayed] | None = None

    def read(
        self, read: list[Read], in_force: Settings, problems: list[FileFindings]
    ) -> tuple[str, Schema]:
        """The dialect and the schema; what is wrong in the files goes into ``problems``."""
        if not in_force.schema:
            read = [
                (entry, text)
                for entry, text in read
                if bool(text.findings) or self._cache.once("holds-ddl", entry, text, _holds_ddl)
            ]
        dialect = in_force.dialect or _most_common(
            self._cache.once("dialect-of", entry, text, _guessed_dialect) for entry, text in read
        )
        return dialect, self._replay(read, dialect, problems)

    def _replay(self, read: list[Read], dialect: str, problems: list[FileFindings]) -> Schema:
        by_path = {entry.path: (entry, text) for entry, text in read}
        scripts: dict[Path, ddl.DdlScript] = {}
        for path in ddl.migration_order(by_path):
            entry, text = by_path[path]
            scripts[path] = self._cache.once(
                f"ddl {dialect}",
                entry,
                text,
                lambda document, path: ddl.read(document, path, dialect),
            )
        together = tuple(scripts.values())
        if self._replayed is None or self._replayed[0] != together:
            self._replayed = (together, ddl.replayed(together))
        result = self._replayed[1]
        for entry, text in read:
            own = scripts[entry.path].findings if entry.path in scripts else ()
            findings = (*text.findings, *own, *result.findings.get(entry.path, ()))
            if findings:
                problems.append(FileFindings(text.document, findings))
        return result.schema


def _holds_ddl(document: Document, path: Path) -> bool:
    return ddl.holds_ddl(document.text)


def _guessed_dialect(document: Document, path: Path) -> str:
    return guess_dialect(document.text)


def _most_common(dialects: Iterable[str]) -> str:
    """The dialect that most of the scripts look like."""
    votes = Counter(filter(None, dialects))
    return max(votes, key=lambda dialect: votes[dialect], default="")
