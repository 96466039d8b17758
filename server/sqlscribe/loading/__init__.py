"""From the files of a workspace folder to what the folder knows.

What was read is handed out as an immutable :class:`Loaded`. A text that did not change is not
parsed again.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import attrs

from sqlscribe import settings
from sqlscribe.checking.check import parses
from sqlscribe.checking.reads import classify
from sqlscribe.files import FileEntry, Reader, Text
from sqlscribe.knowledge import examples as example_files
from sqlscribe.knowledge import notes as note_files
from sqlscribe.knowledge import orders
from sqlscribe.knowledge import profiles as profile_files
from sqlscribe.knowledge.examples import Example
from sqlscribe.knowledge.notes import Section
from sqlscribe.knowledge.profiles import Profile, is_masked
from sqlscribe.loading.bundles import bundled, shipped_templates
from sqlscribe.loading.dbt_files import PROJECT, separate
from sqlscribe.loading.fences import Fences
from sqlscribe.loading.idle_settings import idle
from sqlscribe.loading.overrides import overridden
from sqlscribe.loading.parse_cache import ParseCache, Read
from sqlscribe.loading.patterns import Purposes, no_patterns, patterns_of, told
from sqlscribe.loading.schemas import SchemaFiles
from sqlscribe.notation.document import Document, Span
from sqlscribe.notation.findings import FileFindings, Finding, Severity
from sqlscribe.notation.ignores import is_ignored
from sqlscribe.prompting.context import example_tokens, room_for_examples
from sqlscribe.prompting.templates import Templates
from sqlscribe.prompting.tokens import estimate
from sqlscribe.schema.ddl import holds_ddl
from sqlscribe.schema.model import Schema
from sqlscribe.schema_cache import SchemaCache
from sqlscribe.settings import CONFIGURATION, ClientSettings, ModelSettings, Settings

__all__ = ["Loaded", "Loader", "bundled", "shipped_templates"]


# Its text would be that of thousands of tables, and asyncio makes it behind each command.
@dataclass(frozen=True, repr=False)
class Loaded:
    """All that a folder knows, at one moment.

    ``dialect`` is the configured one, else the one its DDL looks like, else ``""``.
    ``relations`` are the names of tables that templated SQL calls by ``ref`` and ``source``.
    ``scripts`` are the texts that define tables, ``read_from`` all files that say something.
    """

    settings: Settings = field(default_factory=Settings)
    dialect: str = ""
    schema: Schema = field(default_factory=Schema)
    relations: Mapping[str, str] = field(default_factory=dict)
    examples: tuple[Example, ...] = ()
    example_files: Mapping[Path, Document] = field(default_factory=dict)
    scripts: Mapping[Path, Document] = field(default_factory=dict)
    notes: tuple[Section, ...] = ()
    rules: str = ""
    profiles: tuple[Profile, ...] = ()
    templates: Templates = field(default_factory=lambda: Templates(shipped_templates()))
    findings: tuple[FileFindings, ...] = ()
    read_from: frozenset[Path] = frozenset()

    def depends_on(self, path: Path, text: str) -> bool:
        """Whether a text that now stands in ``path`` may change anything of this."""
        if path in self.read_from:
            return True
        # Without patterns every script with definitions counts, from the first one on.
        return not self.settings.schema and path.suffix.lower() == ".sql" and holds_ddl(text)


_NO_TABLES = Schema()


class Loader:
    """Reads one folder again and again. Not thread-safe; its owner holds a lock."""

    def __init__(self, generated: Path | None = None) -> None:
        """``generated`` is where what was read is kept for the next start; ``None``: nowhere."""
        self.reader = Reader()
        self.kept = SchemaCache(generated)
        self._good: Settings | None = None
        self._cache = ParseCache()
        self._schema = SchemaFiles(self._cache, self.kept)
        self._fences = Fences()
        self._purposes: Purposes | None = None

    def load(
        self,
        entries: Iterable[FileEntry],
        buffers: Mapping[Path, Document],
        client: ClientSettings,
        live: Schema = _NO_TABLES,
    ) -> Loaded:
        """What the files say. ``buffers`` are open texts, which come before those on disk.

        ``live`` is what a database was last seen to hold.
        """
        by_name = {entry.name: entry for entry in entries}
        configuration = by_name.pop(CONFIGURATION, None)
        in_force, problems = self._settings(configuration, buffers, client)
        purposes = self._sorting_by(in_force)
        if wrong := purposes.unusable:
            in_force = attrs.evolve(in_force, not_used=(*in_force.not_used, *told(wrong)))
            if configuration is not None:
                text = self.reader.read(configuration, buffers)
                _note(problems, text, tuple(no_patterns(text, wrong)))
        read_file = partial(self._read, buffers=buffers, in_force=in_force)
        project, others = separate(by_name.values(), read_file)
        sorted_files = purposes.sort(others)
        used = [entry for found in (*sorted_files.values(), *project.kinds) for entry in found]
        used += [entry for entry in others if entry.path.name == PROJECT]
        used += [configuration] if configuration is not None else []
        paths = self._remember_only({entry.path for entry in used})

        may_define = {
            entry.path for entry in sorted_files["schema"] if entry.path.suffix.lower() == ".sql"
        }
        some = {kind for kind, entries in sorted_files.items() if entries}
        some |= {"schema"} if any(project.kinds) else set()
        some |= purposes.unusable.keys()
        found = self._schema.read(
            sorted_files.pop("schema"), project, read_file, in_force, live, problems
        )
        if configuration is not None and self._good is not None:
            # What a database holds that was not looked at yet may well have the masked columns.
            columns = found.schema if live.tables or not in_force.database.url else _NO_TABLES
            text = self.reader.read(configuration, buffers)
            _note(problems, text, tuple(idle(text, self._good, some, by_name.keys(), columns)))
        read = {
            subject: [(entry, read_file(entry)) for entry in found]
            for subject, found in sorted_files.items()
        }
        for entry, text in (*read["rules"], *read["docs"]):
            named = self._fences.names(entry.path, text, found.schema, found.dialect)
            _note(problems, text, (*text.findings, *named))
        rules = _rules(read["rules"], in_force, problems)
        return Loaded(
            settings=in_force,
            dialect=found.dialect,
            schema=found.schema,
            relations=found.relations,
            examples=self._examples(read["training"], found.dialect, in_force, rules, problems),
            example_files={entry.path: text.document for entry, text in read["training"]},
            notes=self._notes(read["docs"], problems),
            rules=rules,
            profiles=self._profiles(read["profiles"], in_force, found.schema, problems),
            templates=overridden(read["prompts"], in_force, problems, self._fences, found.dialect),
            scripts=found.scripts,
            findings=tuple(_shown(problems, in_force.checks.ignore)),
            read_from=frozenset((paths - may_define) | found.scripts.keys()),
        )

    def _sorting_by(self, in_force: Settings) -> Purposes:
        patterns = patterns_of(in_force)
        if self._purposes is None or self._purposes.patterns != patterns:
            self._purposes = Purposes(patterns)
        return self._purposes

    def _remember_only(self, paths: set[Path]) -> set[Path]:
        """Let go of what was read in all other files."""
        self.reader.forget(paths)
        self._cache.forget(paths)
        self._fences.forget(paths)
        return paths

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
        parsed = self._cache.once(
            "settings", entry, text, lambda document, path: settings.parse_toml(document.text)
        )
        if parsed.settings is not None and text.was_read:
            self._good = parsed.settings
        problems: list[FileFindings] = []
        _note(problems, text, (*text.findings, *parsed.findings))
        return settings.merge(self._good or _CAUTIOUS, client), problems

    def _examples(
        self,
        read: list[Read],
        dialect: str,
        in_force: Settings,
        rules: str,
        problems: list[FileFindings],
    ) -> tuple[Example, ...]:
        """Examples that can be used; what is wrong with the others is a finding on its file."""
        found: list[Example] = []
        for entry, text in read:
            usable, findings = self._cache.once(
                f"examples {dialect}",
                entry,
                text,
                lambda document, path: _read_examples(document, path, dialect),
            )
            found += usable
            _note(problems, text, (*text.findings, *findings))
        repeated = example_files.duplicates(found)
        examples = example_files.latest(found)
        unbounded = estimate(rules) + estimate(in_force.instructions)
        unshown = _unshown(examples, in_force.limits.prompt_tokens, unbounded)
        for entry, text in read:
            _note(problems, text, (*repeated.get(entry.path, ()), *unshown.get(entry.path, ())))
        return examples

    def _notes(self, read: list[Read], problems: list[FileFindings]) -> tuple[Section, ...]:
        sections: list[Section] = []
        for entry, text in read:
            found, findings = self._cache.once("notes", entry, text, _read_notes)
            sections += found
            _note(problems, text, findings)
        return tuple(sections)

    def _profiles(
        self,
        read: list[Read],
        in_force: Settings,
        schema: Schema,
        problems: list[FileFindings],
    ) -> tuple[Profile, ...]:
        profiles: list[Profile] = []
        for entry, text in read:
            found, findings = self._cache.once(
                "profiles",
                entry,
                text,
                profile_files.read_profiles,
            )
            profiles += found
            _note(problems, text, (*text.findings, *findings))
        unfit = profile_files.unfit(profiles, schema)
        for entry, text in read:
            _note(problems, text, unfit.get(entry.path, ()))
        masks = in_force.privacy.mask
        return tuple(each for each in profiles if not is_masked(each.table, each.column, masks))


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
    return usable, (*findings, *unusable, *orders.in_examples(usable))


def _rules(read: list[Read], in_force: Settings, problems: list[FileFindings]) -> str:
    """All rules as one text."""
    for _, text in read:
        _note(problems, text, tuple(_too_long(text, in_force)))
    return "\n\n".join(text.document.text.strip() for _, text in read)


def _too_long(text: Text, in_force: Settings) -> Iterator[Finding]:
    """A finding on rules that leave little of a prompt for all else: they go whole into each."""
    needed, allowed = estimate(text.document.text), in_force.limits.prompt_tokens
    if needed > allowed / 2:
        message = (
            f"these rules take about {needed:,} tokens of each prompt, which has {allowed:,} "
            "(limits.prompt_tokens); notes in docs/ go in only where they matter"
        )
        yield Finding("note/too-long", Severity.WARNING, message, Span(0, 0))


def _unshown(examples: Iterable[Example], tokens: int, unbounded: int) -> dict[Path, list[Finding]]:
    """Findings by file on examples for which no prompt has room, so that none is retrieved."""
    found: dict[Path, list[Finding]] = {}
    allowed = room_for_examples(tokens, unbounded)
    for example in examples:
        # Few are long enough to be worth counting.
        if len(example.question) + len(example.sql) > allowed < (taken := example_tokens(example)):
            message = (
                f"no prompt shows this example: it takes about {taken:,} tokens, and examples may "
                f"take {allowed:,} of {tokens:,} (limits.prompt_tokens); it answers only the same "
                "question"
            )
            finding = Finding("example/never-shown", Severity.WARNING, message, example.span)
            found.setdefault(example.file, []).append(finding)
    return found


def _read_notes(document: Document, path: Path) -> tuple[tuple[Section, ...], tuple[Finding, ...]]:
    sections = note_files.read_notes(document, path)
    return sections, tuple(orders.in_notes(sections, document))


def _shown(problems: Iterable[FileFindings], ignored: tuple[str, ...]) -> Iterator[FileFindings]:
    """Without the findings that the configuration switches off."""
    for file in problems:
        left = tuple(finding for finding in file.findings if not is_ignored(finding.code, ignored))
        if left:
            yield FileFindings(file.document, left)


def _note(problems: list[FileFindings], text: Text, findings: tuple[Finding, ...]) -> None:
    if findings:
        problems.append(FileFindings(text.document, findings))
