"""From the files of a workspace folder to what the folder knows.

What was read is handed out as an immutable :class:`Loaded`. A text that did not change is not
parsed again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path, PurePosixPath
from typing import Any, TypeVar

import attrs

from sqlscribe import settings
from sqlscribe.checking.check import parses
from sqlscribe.checking.reads import classify
from sqlscribe.files import FileEntry, Globs, Reader, Text
from sqlscribe.knowledge import examples as example_files
from sqlscribe.knowledge import notes as note_files
from sqlscribe.knowledge import profiles as profile_files
from sqlscribe.knowledge.examples import Example
from sqlscribe.knowledge.notes import Section
from sqlscribe.knowledge.profiles import Profile
from sqlscribe.notation.document import Document
from sqlscribe.notation.findings import FileFindings, Finding, Severity
from sqlscribe.notation.lexicon import guess_dialect
from sqlscribe.prompting import templates
from sqlscribe.prompting.templates import Templates
from sqlscribe.schema import ddl
from sqlscribe.schema.model import Schema
from sqlscribe.settings import CONFIGURATION, ClientSettings, ModelSettings, Settings
from sqlscribe.settings.places import places

Parsed = TypeVar("Parsed")
Read = tuple[FileEntry, Text]


@cache
def shipped_templates() -> Mapping[str, str]:
    """The templates of this program by name, from the package or from the checkout."""
    return dict(_templates_in(bundled("prompts"), ""))


def bundled(name: str) -> Path:
    """A folder that comes with the program, in the package or in the checkout."""
    packaged = Path(__file__).parent / name
    # An installation for development uses the folder beside the sources.
    return packaged if packaged.is_dir() else Path(__file__).parents[2] / name


def _templates_in(folder: Path, prefix: str) -> Iterable[tuple[str, str]]:
    for item in sorted(folder.iterdir(), key=lambda item: item.name):
        if item.is_dir():
            yield from _templates_in(item, f"{prefix}{item.name}/")
        elif item.name.endswith(".j2"):
            yield prefix + item.name, item.read_text("utf-8")


@dataclass(frozen=True)
class Loaded:
    """All that a folder knows, at one moment.

    ``dialect`` is the configured one, else the one its DDL looks like, else ``""``.
    """

    settings: Settings = field(default_factory=Settings)
    dialect: str = ""
    schema: Schema = field(default_factory=Schema)
    examples: tuple[Example, ...] = ()
    notes: tuple[Section, ...] = ()
    rules: str = ""
    profiles: tuple[Profile, ...] = ()
    templates: Templates = field(default_factory=lambda: Templates(shipped_templates()))
    findings: tuple[FileFindings, ...] = ()


class Loader:
    """Reads one folder again and again. Not thread-safe; its owner holds a lock."""

    def __init__(self) -> None:
        self.reader = Reader()
        self._good: Settings | None = None
        self._replayed: tuple[tuple[ddl.DdlScript, ...], ddl.Replayed] | None = None
        self._parsed: dict[tuple[str, Path], tuple[str, Text, Any]] = {}

    def load(
        self,
        entries: Iterable[FileEntry],
        buffers: Mapping[Path, Document],
        client: ClientSettings,
    ) -> Loaded:
        """What the files say. ``buffers`` are open texts, which come before those on disk."""
        by_name = {entry.name: entry for entry in entries}
        configuration = by_name.pop(CONFIGURATION, None)
        in_force, problems = self._settings(configuration, buffers, client)
        globs = _globs(in_force)
        if wrong := {key: found.unusable for key, found in globs.items() if found.unusable}:
            in_force = attrs.evolve(in_force, not_used=(*in_force.not_used, *_told(wrong)))
            if configuration is not None:
                text = self.reader.read(configuration, buffers)
                _note(problems, text, tuple(_no_patterns(text, wrong)))
        sorted_files = _sort(by_name.values(), globs)
        paths = {entry.path for found in sorted_files.values() for entry in found}
        paths |= {configuration.path} if configuration is not None else set()
        self.reader.forget(paths)
        self._parsed = {key: kept for key, kept in self._parsed.items() if key[1] in paths}

        read = {
            subject: [(entry, self._read(entry, buffers, in_force)) for entry in found]
            for subject, found in sorted_files.items()
        }
        problems += [
            FileFindings(text.document, text.findings)
            for subject in ("rules", "docs")
            for _, text in read[subject]
            if text.findings
        ]
        if not in_force.schema:
            read["schema"] = [
                (entry, text)
                for entry, text in read["schema"]
                if bool(text.findings) or self._once("whether-ddl", entry, text, _holds_ddl)
            ]
        dialect = in_force.dialect or _most_common(
            self._once("dialect-of", entry, text, _guessed_dialect)
            for entry, text in read["schema"]
        )
        return Loaded(
            settings=in_force,
            dialect=dialect,
            schema=self._schema(read["schema"], dialect, problems),
            examples=self._examples(read["training"], dialect, problems),
            notes=self._notes(read["docs"]),
            rules="\n\n".join(text.document.text.strip() for _, text in read["rules"]),
            profiles=self._profiles(read["profiles"], in_force, problems),
            templates=_overridden(read["prompts"], in_force, problems),
            findings=tuple(problems),
        )

    def _read(self, entry: FileEntry, buffers: Mapping[Path, Document], in_force: Settings) -> Text:
        limit = in_force.limits.schema_file_megabytes
        return self.reader.read(entry, buffers, fallback=in_force.encoding, megabytes=limit)

    def _settings(
        self, entry: FileEntry | None, buffers: Mapping[Path, Document], client: ClientSettings
    ) -> tuple[Settings, list[FileFindings]]:
        """The settings in force; a broken file leaves the last good ones."""
        if entry is None:
            self._good = Settings()
            return settings.merge(self._good, client), []
        text = self.reader.read(entry, buffers)
        parsed = self._once(
            "settings", entry, text, lambda document, path: settings.parse_toml(document.text)
        )
        if parsed.settings is not None and text.was_read:
            self._good = parsed.settings
        problems: list[FileFindings] = []
        _note(problems, text, (*text.findings, *parsed.findings))
        return settings.merge(self._good or _CAUTIOUS, client), problems

    def _schema(self, read: list[Read], dialect: str, problems: list[FileFindings]) -> Schema:
        by_path = {entry.path: (entry, text) for entry, text in read}
        scripts: dict[Path, ddl.DdlScript] = {}
        for path in ddl.migration_order(by_path):
            entry, text = by_path[path]
            scripts[path] = self._once(
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
            _note(problems, text, (*text.findings, *own, *result.findings.get(entry.path, ())))
        return result.schema

    def _examples(
        self, read: list[Read], dialect: str, problems: list[FileFindings]
    ) -> tuple[Example, ...]:
        """Examples that can be used; what is wrong with the others is a finding on its file."""
        found: list[Example] = []
        for entry, text in read:
            usable, findings = self._once(
                f"examples {dialect}",
                entry,
                text,
                lambda document, path: _read_examples(document, path, dialect),
            )
            found += usable
            _note(problems, text, (*text.findings, *findings))
        repeated = example_files.duplicates(found)
        for entry, text in read:
            _note(problems, text, repeated.get(entry.path, ()))
        return example_files.latest(found)

    def _notes(self, read: list[Read]) -> tuple[Section, ...]:
        return tuple(
            section
            for entry, text in read
            for section in self._once(
                "notes",
                entry,
                text,
                note_files.read_notes,
            )
        )

    def _profiles(
        self, read: list[Read], in_force: Settings, problems: list[FileFindings]
    ) -> tuple[Profile, ...]:
        profiles: list[Profile] = []
        for entry, text in read:
            found, findings = self._once(
                "profiles",
                entry,
                text,
                profile_files.read_profiles,
            )
            profiles += found
            _note(problems, text, (*text.findings, *findings))
        masked = [mask.casefold() for mask in in_force.privacy.mask]
        return tuple(profile for profile in profiles if not _is_masked(profile, masked))

    def _once(
        self, made: str, entry: FileEntry, text: Text, parse: Callable[[Document, Path], Parsed]
    ) -> Parsed:
        """What ``parse`` makes of a text, unless it made it of the very same text before."""
        key = (made.partition(" ")[0], entry.path)
        kept = self._parsed.get(key)
        if kept is not None and kept[0] == made and kept[1] == text:
            known: Parsed = kept[2]
            return known
        parsed = parse(text.document, entry.path)
        self._parsed[key] = (made, text, parsed)
        return parsed


# In force while the only configuration ever seen is broken: it may have named a model on this
# machine, and the default could send the schema elsewhere.
_CAUTIOUS = Settings(model=ModelSettings(name="verified"))


def _read_examples(
    document: Document, path: Path, dialect: str
) -> tuple[tuple[Example, ...], tuple[Finding, ...]]:
    """The examples of a file whose SQL is a read, and the findings on all of them."""

    def problem_of(example: Example) -> tuple[str, str] | None:
        if problem := parses(example.sql, example.dialect or dialect):
            return "example/does-not-parse", problem
        verdict = classify(example.sql, example.dialect or dialect)
        return None if verdict.read else ("example/not-a-read", verdict.reason)

    examples, findings = example_files.read_examples(document, path, dialect)
    usable, unusable = example_files.usable(examples, problem_of)
    return usable, (*findings, *unusable)


def _globs(in_force: Settings) -> dict[str, Globs]:
    """What each kind of file is called, the most particular kind first."""
    prefix = _templates_prefix(in_force)
    return {
        "prompts": Globs([] if prefix is None else [f"{prefix}**/*.j2"]),
        "training": Globs(in_force.training),
        "rules": Globs(in_force.rules),
        "profiles": Globs(in_force.profiles),
        "docs": Globs(in_force.docs),
        "schema": Globs(in_force.schema or ["**/*.[sS][qQ][lL]"]),
    }


def _told(wrong: Mapping[str, tuple[str, ...]]) -> Iterator[str]:
    """A sentence for each setting with patterns that are none."""
    for key, patterns in wrong.items():
        yield f"{key} holds what is no pattern: {', '.join(map(repr, patterns))}"


def _no_patterns(text: Text, wrong: Mapping[str, tuple[str, ...]]) -> Iterator[Finding]:
    where = places(text.document.text)
    for key, sentence in zip(wrong, _told(wrong), strict=True):
        yield Finding("config/bad-value", Severity.ERROR, sentence, where.value((key,)))


def _sort(
    entries: Iterable[FileEntry], subjects: Mapping[str, Globs]
) -> dict[str, list[FileEntry]]:
    """Files by what they are read as; each has one purpose."""
    found: dict[str, list[FileEntry]] = {subject: [] for subject in subjects}
    for entry in entries:
        for subject, globs in subjects.items():
            if globs.match(entry.name):
                found[subject].append(entry)
                break
    return found


def _templates_prefix(in_force: Settings) -> str | None:
    """What the names of the workspace's templates start with; ``None`` where it may have none.

    An untrusted workspace has no folder of templates.
    """
    folder = in_force.prompts.folder
    if not folder:
        return None
    inside = PurePosixPath(folder.lstrip("/")).as_posix()
    return "" if inside == "." else f"{inside}/"


def _overridden(read: list[Read], in_force: Settings, problems: list[FileFindings]) -> Templates:
    """The shipped templates with the workspace's over them."""
    prefix = _templates_prefix(in_force) or ""
    overrides = {
        entry.name.removeprefix(prefix): text.document.text for entry, text in read if text.was_read
    }
    together = Templates(shipped_templates(), overrides)
    for entry, text in read:
        findings = text.findings
        error = templates.check(together, entry.name.removeprefix(prefix))
        if error is not None:
            last = len(text.document.line_starts) - 1
            span = text.document.line_span(min(max(error.line - 1, 0), last))
            findings += (Finding("template/syntax", Severity.ERROR, error.reason, span),)
        _note(problems, text, findings)
    return together


def _holds_ddl(document: Document, path: Path) -> bool:
    return ddl.holds_ddl(document.text)


def _guessed_dialect(document: Document, path: Path) -> str:
    return guess_dialect(document.text)


def _most_common(dialects: Iterable[str]) -> str:
    """The dialect that most of the scripts look like."""
    votes = Counter(filter(None, dialects))
    return max(votes, key=lambda dialect: votes[dialect], default="")


def _is_masked(profile: Profile, masks: Iterable[str]) -> bool:
    """Whether a mask means the column, also where only one of the two names its schema."""
    table, column = profile.table.casefold(), profile.column.casefold()
    names = (table, table.rpartition(".")[2])
    for mask in masks:
        owner, _, last = mask.rpartition(".")
        owners = (owner or "*", *(() if "." in table else (owner.rpartition(".")[2],)))
        if fnmatchcase(column, last) and any(
            fnmatchcase(name, pattern) for name in names for pattern in owners
        ):
            return True
    return False


def _note(problems: list[FileFindings], text: Text, findings: tuple[Finding, ...]) -> None:
    if findings:
        problems.append(FileFindings(text.document, findings))
