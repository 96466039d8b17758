"""What each arm answers a question from: the workspace's own, or the question's own database.

Questions that bring a schema, or a database where the workspace has no schema, are answered
from that and from the examples given for it; rules, notes and settings are the workspace's.
"""

from __future__ import annotations

import datetime
import json
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import attrs

from sqlscribe.evaluation import samples
from sqlscribe.evaluation.arms import Arm
from sqlscribe.evaluation.dataset import EvalQuestion, lines_of
from sqlscribe.evaluation.execution import Executor
from sqlscribe.evaluation.held_out import others
from sqlscribe.files import FileEntry, entry
from sqlscribe.knowledge.profiles import Profile
from sqlscribe.loading import Loaded, Loader
from sqlscribe.notation.document import Document
from sqlscribe.notation.findings import Severity
from sqlscribe.prompting.templates import Templates
from sqlscribe.schema.database import read_schema
from sqlscribe.settings import from_client
from sqlscribe.snapshot import Snapshot
from sqlscribe.workspace import Workspace


@dataclass(frozen=True)
class Start:
    """A snapshot, and all that decides about a reply beside the messages, as a text."""

    snapshot: Snapshot
    called: str


_MOST_OPEN = 40
"""Databases times arms that are kept open; questions on one database follow one another."""


class Snapshots:
    """Makes them; what was read for an arm and a database is kept.

    ``root`` is the workspace, ``None`` for none. ``examples`` are files of JSON lines for
    questions that bring their own schema; a line with ``db_id`` is for that database alone.
    ``remarks`` are sentences on what of them is not used. Blocks; used by one thread at a time.
    """

    def __init__(
        self,
        root: Path | None,
        environment: Mapping[str, str],
        executor: Executor,
        *,
        today: datetime.date,
        examples: Sequence[Path] = (),
    ) -> None:
        self._root = root
        self._environment = environment
        self._executor = executor
        self._today = today
        self._examples = [item for path in examples for item in lines_of(path)]
        self._own: dict[str, tuple[Workspace, Loaded]] = {}
        self._others: OrderedDict[tuple[str, object], tuple[Workspace, Loaded]] = OrderedDict()
        self._made: dict[tuple[Any, ...], Any] = {}
        self.remarks: dict[str, None] = {}

    def loaded(self, arm: Arm) -> Loaded:
        """What the workspace says, with the arm's settings."""
        return self._workspace(arm)[1]

    def database(self, arm: Arm) -> str:
        """The URL of the workspace's own database, ``""`` for none.

        Raises ``ConfigurationError`` for a variable in it that is not set.
        """
        space, loaded = self._workspace(arm)
        return space.address(loaded.settings.database) if loaded.settings.database.url else ""

    def start(self, arm: Arm, question: EvalQuestion, database: str) -> Start:
        """What ``arm`` answers ``question`` from. ``database`` is the URL of its database."""
        space, loaded = self._space(arm, question, database)
        snapshot = space.snapshot(loaded)
        examples = snapshot.examples if arm.examples else ()
        if question.example is not None:
            examples = others(question.example, examples)
        snapshot = replace(
            snapshot,
            dialect=question.dialect or loaded.dialect,
            examples=examples,
            templates=self._templates(arm, loaded, database),
            today=question.as_of or self._today,
            stored=_Nothing(),
        )
        if arm.profiles and database:
            found = self._profiles(loaded, database)
            snapshot = replace(snapshot, profiles=found, send_profiles=True)
        return Start(snapshot, _called(space, loaded))

    def close(self) -> None:
        for space, _ in (*self._own.values(), *self._others.values()):
            space.close()

    def _workspace(self, arm: Arm) -> tuple[Workspace, Loaded]:
        if arm.name not in self._own:
            space = Workspace(self._root, arm.client, self._environment)
            self._own[arm.name] = (space, space.load({}))
        return self._own[arm.name]

    def _space(self, arm: Arm, question: EvalQuestion, database: str) -> tuple[Workspace, Loaded]:
        space, loaded = self._workspace(arm)
        if question.schema is None and (loaded.schema.tables or not database):
            return space, loaded
        # Examples and the database are those of the question's database as well.
        key = (arm.name, (question.schema, question.db_id, database, question.dialect))
        if key not in self._others:
            own = self._read(question, database)
            merged = replace(
                loaded,
                dialect=own.dialect,
                schema=own.schema,
                examples=own.examples,
                profiles=(),
                settings=_with_database(loaded.settings, database),
            )
            # Without a folder: its index must not get into that of the workspace.
            apart = Workspace(None, arm.client, space.environment())
            self._others[key] = (apart, merged)
            if len(self._others) > _MOST_OPEN:
                self._others.popitem(last=False)[1][0].close()
        return self._others[key]

    def _read(self, question: EvalQuestion, database: str) -> Loaded:
        """The schema and the examples of a question's database, read as a workspace's are.

        Where there is no file of the schema, the database itself tells.
        """
        key = ("read", question.schema, question.db_id, question.dialect, database)
        if key not in self._made:
            live = None
            if question.schema is None:
                live = read_schema(database, root=self._root or Path.cwd())
            dialect = question.dialect or (live.dialect if live is not None else "")
            read = self._read_files(question.schema, question.db_id, dialect)
            if live is not None:
                read = replace(read, schema=live.schema)
            self._made[key] = read
        loaded: Loaded = self._made[key]
        return loaded

    def _read_files(self, schema: Path | None, db_id: str, dialect: str) -> Loaded:
        examples = Path("examples.jsonl").absolute()
        entries = [FileEntry(examples.name, examples, 0, 0)]
        if schema is not None:
            entries.append(replace(entry(schema), name="schema.sql"))
        found: Mapping[str, object] = {
            "schema": ["schema.sql"],
            "training": [examples.name],
            "dialect": dialect or None,
        }
        buffers = {examples: Document(examples.as_uri(), self._examples_of(db_id))}
        read = Loader().load(entries, buffers, from_client(found)[0])
        for finding in (finding for file in read.findings for finding in file.findings):
            if finding.severity in (Severity.ERROR, Severity.WARNING):
                self.remarks[f"{db_id or schema}: {finding.message}"] = None
        return read

    def _examples_of(self, db_id: str) -> str:
        return "".join(
            json.dumps(_example(item), ensure_ascii=False) + "\n"
            for _, item in self._examples
            if item.get("db_id", db_id) == db_id
        )

    def _templates(self, arm: Arm, loaded: Loaded, database: str) -> Templates:
        if arm.templates is None:
            return loaded.templates
        texts = dict(arm.templates)
        if samples.wants(texts) and database:
            key = ("samples", database, loaded.dialect)
            if key not in self._made:
                self._made[key] = samples.template(
                    self._executor, database, loaded.schema, loaded.dialect
                )
            texts[samples.TEMPLATE] = self._made[key]
        return Templates(loaded.templates.shipped, texts)

    def _profiles(self, loaded: Loaded, database: str) -> tuple[Profile, ...]:
        key = ("profiles", database, loaded.dialect)
        if key not in self._made:
            self._made[key] = samples.profiles(
                self._executor, database, loaded.schema, loaded.dialect
            )
        found: tuple[Profile, ...] = self._made[key]
        return found


class _Nothing:
    """Stored answers that keep none: replies are kept by what was sent, not answers."""

    def get(self, fingerprint: str) -> str | None:
        return None

    def put(self, fingerprint: str, sql: str) -> None:
        return None


_EXAMPLE_KEYS = ("question", "sql", "dialect", "tables", "tags", "note", "verified_by", "wrong")


def _example(item: Mapping[str, Any]) -> dict[str, Any]:
    """An example with the keys that examples have; its evidence becomes its note."""
    found = {key: item[key] for key in _EXAMPLE_KEYS if key in item}
    found.setdefault("sql", item.get("gold_sql", ""))
    if evidence := item.get("evidence"):
        found.setdefault("note", evidence)
    return found


def _with_database(settings: Any, url: str) -> Any:
    return attrs.evolve(settings, database=attrs.evolve(settings.database, url=url))


def _called(space: Workspace, loaded: Loaded) -> str:
    model, _ = space.models.resolved(loaded.settings.model)
    how = (model.name, model.api_base, model.temperature, model.max_tokens, model.context_tokens)
    return json.dumps(how)
