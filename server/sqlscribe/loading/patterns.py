"""Which file is read as what: the patterns of the configuration."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import PurePosixPath

from sqlscribe.files import FileEntry, Globs, Text
from sqlscribe.notation.findings import Finding, Severity
from sqlscribe.settings import Settings
from sqlscribe.settings.places import places


def globs_of(in_force: Settings) -> dict[str, Globs]:
    """What each kind of file is called, the most particular kind first."""
    prefix = templates_prefix(in_force)
    return {
        "prompts": Globs([] if prefix is None else [f"{prefix}**/*.j2"]),
        "training": Globs(in_force.training),
        "rules": Globs(in_force.rules),
        "profiles": Globs(in_force.profiles),
        "docs": Globs(in_force.docs),
        "schema": Globs(in_force.schema or ["**/*.[sS][qQ][lL]"]),
    }


def told(wrong: Mapping[str, tuple[str, ...]]) -> Iterator[str]:
    """A sentence for each setting with patterns that are none."""
    for key, patterns in wrong.items():
        yield f"{key} holds what is no pattern: {', '.join(map(repr, patterns))}"


def no_patterns(text: Text, wrong: Mapping[str, tuple[str, ...]]) -> Iterator[Finding]:
    where = places(text.document.text)
    for key, sentence in zip(wrong, told(wrong), strict=True):
        yield Finding("config/bad-value", Severity.ERROR, sentence, where.value((key,)))


def sort(entries: Iterable[FileEntry], subjects: Mapping[str, Globs]) -> dict[str, list[FileEntry]]:
    """Files by what they are read as; each has one purpose."""
    found: dict[str, list[FileEntry]] = {subject: [] for subject in subjects}
    for entry in entries:
        for subject, globs in subjects.items():
            if globs.match(entry.name):
                found[subject].append(entry)
                break
    return found


def templates_prefix(in_force: Settings) -> str | None:
    """What the names of the workspace's templates start with; ``None`` where it may have none.

    An untrusted workspace has no folder of templates.
    """
    folder = in_force.prompts.folder
    if not folder:
        return None
    inside = PurePosixPath(folder.lstrip("/")).as_posix()
    return "" if inside == "." else f"{inside}/"
