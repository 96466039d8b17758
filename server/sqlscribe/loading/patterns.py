"""Which file is read as what: the patterns of the configuration."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import PurePosixPath

from sqlscribe.files import FileEntry, Globs, Text
from sqlscribe.notation.findings import Finding, Severity
from sqlscribe.settings import Settings
from sqlscribe.settings.places import places


def patterns_of(in_force: Settings) -> dict[str, tuple[str, ...]]:
    """What each kind of file is called, the most particular kind first."""
    prefix = templates_prefix(in_force)
    return {
        "prompts": () if prefix is None else (f"{prefix}**/*.j2",),
        "training": tuple(in_force.training),
        "rules": tuple(in_force.rules),
        "profiles": tuple(in_force.profiles),
        "docs": tuple(in_force.docs),
        "schema": tuple(in_force.schema) or ("**/*.[sS][qQ][lL]",),
    }


class Purposes:
    """What each file is read as. Each has one purpose, and keeps it while the patterns stay.

    ``unusable`` are the patterns of each kind that are none.
    """

    def __init__(self, patterns: Mapping[str, tuple[str, ...]]) -> None:
        self.patterns = patterns
        self._globs = {kind: Globs(each) for kind, each in patterns.items()}
        self._known: dict[str, str] = {}
        self.unusable = {
            kind: globs.unusable for kind, globs in self._globs.items() if globs.unusable
        }

    def sort(self, entries: Iterable[FileEntry]) -> dict[str, list[FileEntry]]:
        """Files by their kind."""
        found: dict[str, list[FileEntry]] = {kind: [] for kind in self._globs}
        known: dict[str, str] = {}
        for entry in entries:
            kind = self._known.get(entry.name)
            known[entry.name] = kind = self._kind(entry.name) if kind is None else kind
            if kind:
                found[kind].append(entry)
        self._known = known
        return found

    def _kind(self, name: str) -> str:
        return next((kind for kind, globs in self._globs.items() if globs.match(name)), "")


def told(wrong: Mapping[str, tuple[str, ...]]) -> Iterator[str]:
    """A sentence for each setting with patterns that are none."""
    for key, patterns in wrong.items():
        yield f"{key} holds what is no pattern: {', '.join(map(repr, patterns))}"


def no_patterns(text: Text, wrong: Mapping[str, tuple[str, ...]]) -> Iterator[Finding]:
    where = places(text.document.text)
    for key, sentence in zip(wrong, told(wrong), strict=True):
        yield Finding("config/bad-value", Severity.ERROR, sentence, where.value((key,)))


def templates_prefix(in_force: Settings) -> str | None:
    """What the names of the workspace's templates start with; ``None`` where it may have none.

    An untrusted workspace has no folder of templates.
    """
    folder = in_force.prompts.folder
    if not folder:
        return None
    inside = PurePosixPath(folder.lstrip("/")).as_posix()
    return "" if inside == "." else f"{inside}/"
