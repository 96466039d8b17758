"""One workspace folder over time: kept fresh, indexed, and connected to its model."""

from __future__ import annotations

import datetime
import sys
import threading
from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path

from dotenv import dotenv_values

from sqlscribe import files
from sqlscribe.answer_history import History
from sqlscribe.answer_reads import AnswerReads
from sqlscribe.breakage import Breakages
from sqlscribe.checking.engine import Engine, connected_engine, memory_engine
from sqlscribe.database_copy import DatabaseCopy
from sqlscribe.errors import ConfigurationError, DatabaseError
from sqlscribe.folder_index import FolderIndex
from sqlscribe.folder_models import FolderModels
from sqlscribe.generated_files import GENERATED
from sqlscribe.inspection import Inspector
from sqlscribe.knowledge.embedders import likeness
from sqlscribe.learned import Learned
from sqlscribe.loading import Loaded, Loader
from sqlscribe.models.litellm_library import prompt_price
from sqlscribe.models.providers import is_loopback, is_ollama
from sqlscribe.notation.document import Document
from sqlscribe.notation.findings import FileFindings, Severity
from sqlscribe.notation.ignores import is_ignored
from sqlscribe.prompting.context import Limits
from sqlscribe.redaction import Redactor, secrets_in
from sqlscribe.schema.database import borrowed, stays_inside
from sqlscribe.schema.model import Schema
from sqlscribe.settings import (
    CONFIGURATION,
    ClientSettings,
    DatabaseSettings,
    ModelSettings,
    Settings,
    database_url,
    is_users_own,
    key_for,
    trusting,
)
from sqlscribe.snapshot import Snapshot
from sqlscribe.spending import Spending
from sqlscribe.stored_answers import AnswerFiles

_NO_TABLES = Schema()


class Workspace:
    """A folder, or no folder at all (``root`` is ``None``): then there are only the defaults.

    Every method may block, and may be called from any thread.
    """

    def __init__(
        self, root: Path | None, client: ClientSettings, environment: Mapping[str, str]
    ) -> None:
        self.root = root
        self._environment = environment
        self._client = trusting(client, root, environment)
        self._lock = threading.Lock()
        self._loaded: Loaded | None = None
        self._made_of: tuple[object, ...] | None = None
        self._seen: list[files.FileEntry] | None = None
        self._breakages = Breakages()
        self._env_remark = ""
        self._is_cut = False
        self._closed_folders: list[str] = []
        generated = root / GENERATED if root is not None else None
        self._loader = Loader(generated / "schema" if generated is not None else None)
        self._answers = AnswerFiles(generated / "answers" if generated is not None else None)
        self._database = DatabaseCopy(generated)
        self.history = History(generated / "history" if generated is not None else None)
        self.models = FolderModels(self.environment, Spending(self.history))
        self.index = FolderIndex(root, self.models.embedder)
        self._reads = AnswerReads(root)
        self._engine: tuple[tuple[object, ...], Engine | None] | None = None
        self._engine_lock = threading.Lock()
        self._learned: Learned | None = None
        self._inspector: tuple[tuple[object, ...], Inspector] | None = None

    def load(self, buffers: Mapping[Path, Document], *, look: bool = True) -> Loaded:
        """What the folder says now; files whose size and time did not change are not read.

        Without ``look`` the files are those that were there last time, and only ``buffers`` are
        new: what a keystroke needs, which must not wait for thousands of files.
        """
        with self._lock:
            if look or self._seen is None:
                self._seen = self._files()
            entries = self._seen
            mine = {e.path: buffers[e.path] for e in entries if e.path in buffers}
            client = self._client
            self._is_cut = len(entries) >= files.MOST_FILES
            live = self._live()
            made_of = (entries, mine, client, live)
            if (
                self._loaded is None
                or made_of != self._made_of
                or (look and self._loader.reader.racy)
            ):
                loaded = self._loader.load(entries, mine, client, live)
                if (now := self._live_for(loaded.settings)) is not live:
                    # The configuration has just named another database.
                    live = now
                    made_of = (entries, mine, client, live)
                    loaded = self._loader.load(entries, mine, client, live)
                # An equal one is not new: what was made of the old one stays valid.
                self._loaded = loaded if loaded != self._loaded else self._loaded
                self._made_of = made_of
            assert self._loaded is not None
            return self._loaded

    def _live(self) -> Schema:
        return _NO_TABLES if self._loaded is None else self._live_for(self._loaded.settings)

    def _live_for(self, settings: Settings) -> Schema:
        url = settings.database.url
        return self._database.schema(url) if url else _NO_TABLES

    def refresh_database(self, loaded: Loaded, *, force: bool = False) -> bool:
        """Look at the database again where it is time to; true where its tables changed.

        Raises :class:`sqlscribe.errors.DatabaseError` and :class:`ConfigurationError`.
        """
        database = loaded.settings.database
        if not database.url or (self._database.is_fresh(database.url) and not force):
            return False
        filled = self.address(database)
        return self._database.refresh(database.url, filled, self.root or Path.cwd())

    def engine(self, loaded: Loaded) -> Engine | None:
        """Who can be asked whether a query would run: the database, else one in memory.

        ``None`` where nobody is to be asked, or nobody is there.
        """
        database = loaded.settings.database
        made_of = (database, loaded.dialect, loaded.schema)
        with self._engine_lock:
            if self._engine is None or self._engine[0] != made_of:
                if self._engine is not None and self._engine[1] is not None:
                    self._engine[1].close()
                self._engine = (made_of, self._new_engine(loaded))
            return self._engine[1]

    def learned(self, loaded: Loaded) -> Learned:
        """What is worked out from all that is loaded; the same while that stays the same."""
        learned = self._learned
        if learned is None or learned.loaded is not loaded:
            learned = self._learned = Learned(loaded, learned)
        return learned

    def unfit_examples(self, loaded: Loaded) -> tuple[FileFindings, ...]:
        """Findings on the examples that do not fit the schema any more."""
        if is_ignored("example/does-not-fit", loaded.settings.checks.ignore):
            return ()
        return self.learned(loaded).unfit

    def broken(self, loaded: Loaded, buffers: Mapping[Path, Document]) -> tuple[FileFindings, ...]:
        """Findings on definitions that lost what examples and queries still use."""
        learned, inspector = self.learned(loaded), self.inspector(loaded)
        return self._breakages.update(loaded, learned, inspector, self._seen or (), buffers)

    def inspector(
        self, loaded: Loaded, *, ask_database: bool = True, in_full: bool = False
    ) -> Inspector:
        """Who checks files against what is loaded; the same one while nothing changes.

        ``in_full`` has the engine asked about all of a file at once, however long that takes.
        """
        engine = self.engine(loaded)
        if loaded.settings.database.url and not ask_database:
            engine = None
        made_of = (
            loaded.schema,
            loaded.profiles,
            loaded.relations,
            loaded.settings.checks,
            engine,
            in_full,
        )
        with self._engine_lock:
            if self._inspector is None or self._inspector[0] != made_of:
                inspector = Inspector(
                    loaded.schema,
                    self.learned(loaded).values_of_columns,
                    relations=loaded.relations,
                    ignored=loaded.settings.checks.ignore,
                    engine=engine,
                    dialect=loaded.dialect,
                    **({"asked_at_once": sys.maxsize} if in_full else {}),
                )
                if self._inspector is not None and self._inspector[0][1:4] == made_of[1:4]:
                    inspector.follow(self._inspector[1])
                self._inspector = (made_of, inspector)
            return self._inspector[1]

    def _new_engine(self, loaded: Loaded) -> Engine | None:
        database = loaded.settings.database
        if database.checks == "off":
            return None
        if not database.url:
            return memory_engine(loaded.schema, loaded.dialect)
        try:
            filled = self.address(database)
        except (ConfigurationError, DatabaseError) as error:
            self._database.remark = str(error)
            return None
        return connected_engine(filled, self.root or Path.cwd())

    def address(self, database: DatabaseSettings) -> str:
        """The database's URL, filled in. Raises what makes it unusable, and not only unreachable.

        Whoever connects asks here: a workspace must not bring a file or an account of the
        user's own into prompts by naming it.
        """
        filled = database_url(database, self.environment())
        root = self.root or Path.cwd()
        if is_users_own(database, self._environment):
            return filled
        why = "" if stays_inside(filled, root) else "names a file outside of the folder"
        if why := why or borrowed(filled, root):
            raise ConfigurationError(
                f"database.url of the workspace is not used, since it {why}: trust the"
                " workspace, or keep the whole URL in one variable of your own"
            )
        return filled

    def _files(self) -> list[files.FileEntry]:
        if self.root is None:
            return []
        closed: list[str] = []
        known = {entry.name: entry for entry in self._seen or ()}
        found = [
            entry
            for entry in files.walk(self.root, closed, known)
            if not (entry.name == CONFIGURATION and entry.outside)
        ]
        if not any(entry.name == CONFIGURATION for entry in found):
            # It may be a link to one that several folders share. Were it passed over, the
            # defaults would be in force, which may ask another model.
            found += files.passed_over(self.root / CONFIGURATION)
        # At once, since another thread may be telling meanwhile what cannot be read.
        self._closed_folders = closed
        return found

    def configure(self, client: ClientSettings) -> None:
        """Take new settings from the editor; the next :meth:`load` works with them.

        Does not wait for a reading that is under way.
        """
        self._client = trusting(client, self.root, self._environment)

    def snapshot(self, loaded: Loaded, model: str = "") -> Snapshot:
        """All that a question is answered from. ``model`` is a name from ``[models.…]``.

        Raises :class:`ConfigurationError` for a model that is not configured.
        """
        settings = loaded.settings
        chosen = self.models.chosen(settings, model)
        learned = self.learned(loaded)
        key = key_for(chosen, self.environment()) or ""
        return Snapshot(
            dialect=loaded.dialect,
            schema=loaded.schema,
            templates=loaded.templates,
            engine=self.engine(loaded),
            known_values=learned.values_of_columns,
            slot_values=learned.values,
            mask=learned.mask,
            synonyms=learned.synonyms,
            fits=learned.fits,
            ignored=settings.checks.ignore,
            search=partial(self.index.search, loaded),
            likeness=likeness,
            hide=Redactor(secrets_in({"MODEL_KEY": key})).hide,
            connect=partial(self.models.connect, chosen, settings.limits.cost_per_day),
            stored=self._answers,
            today=datetime.date.today(),
            model_name=chosen.name,
            examples=loaded.examples,
            notes=loaded.notes,
            rules=loaded.rules,
            instructions=settings.instructions,
            profiles=loaded.profiles,
            send_profiles=settings.privacy.values != "none",
            limits=Limits(
                settings.limits.prompt_tokens,
                settings.limits.whole_schema_characters,
                _example_tokens(settings.limits.example_tokens, chosen),
            ),
            example_limit=settings.limits.examples,
            max_repairs=chosen.max_repairs,
            # Another model may have meant something else; small ones give the same names again,
            # see ``docs/accuracy.md``.
            puts_right_first=_is_here(chosen),
            reply="slots" if chosen.reply == "slots" else "sql",
            candidates=chosen.candidates,
            price=partial(prompt_price, chosen.name, chosen.api_base),
            remarks=self.remarks(loaded),
            **self._reads.allowed(settings, loaded.dialect, self.address),
        )

    def environment(self) -> dict[str, str]:
        """The process's variables over those of the folder's ``.env``, where it is trusted.

        A key chooses a provider and an account, and a variable may be a database's address.
        """
        own: dict[str, str | None] = {}
        remark = ""
        if self.root is not None and (self.root / ".env").is_file():
            if self._client.trusted is False:
                remark = ".env is not used, since the workspace is not trusted"
            else:
                try:
                    own = dotenv_values(self.root / ".env", interpolate=False)
                except (OSError, UnicodeDecodeError) as error:
                    remark = f".env is not used: it cannot be read ({error})"
        self._env_remark = remark
        set_there = {name: value for name, value in own.items() if value is not None}
        return {**set_there, **self._environment}

    def close(self) -> None:
        """Close the index, without waiting for what uses it; that finds nothing any more."""
        if self._engine is not None and self._engine[1] is not None:
            self._engine[1].close()
        self.index.close()

    def redactor(self) -> Redactor:
        """What takes the keys that this folder may use out of texts."""
        return Redactor(secrets_in(self.environment()))

    def remarks(self, loaded: Loaded) -> tuple[str, ...]:
        """Sentences on what a person may not expect: what was not used, not kept, not read."""
        remarks = [
            *_mistakes(loaded),
            *loaded.settings.not_used,
            self._env_remark,
            self.index.remark,
            self._answers.remark,
            self.history.remark,
            self._loader.kept.remark,
            self._database.remark if loaded.settings.database.url else "",
            self._reads.remark,
        ]
        if self._closed_folders:
            shown = ", ".join(self._closed_folders[:3])
            more = len(self._closed_folders) - 3
            remarks.append(
                f"folders that cannot be read: {shown}{f' and {more} more' if more > 0 else ''}"
            )
        if self._is_cut:
            remarks.append(f"only the first {files.MOST_FILES:,} files of the folder were read")
        if not loaded.schema.tables:
            remarks.append("no table definitions were found in this workspace")
        return tuple(remark for remark in remarks if remark)


def _mistakes(loaded: Loaded) -> Iterator[str]:
    """Why the configuration is not in force as it stands."""
    for file in loaded.findings:
        if file.document.uri.endswith(f"/{CONFIGURATION}"):
            for finding in file.findings:
                if finding.severity is Severity.ERROR:
                    line = file.document.line_of(finding.span.start) + 1
                    yield f"{CONFIGURATION}, line {line}: {finding.message}"


def _example_tokens(wanted: int | None, model: ModelSettings) -> int:
    """The room for examples: as set, else what was measured, see ``docs/accuracy.md``."""
    if wanted is not None:
        return wanted
    return _HERE if _is_here(model) else _ELSEWHERE


def _is_here(model: ModelSettings) -> bool:
    """Whether a model runs on this machine: then it is small, and each token takes time."""
    return is_loopback(model.api_base) or is_ollama(model.name)


# The nearest example alone: see ``docs/accuracy.md``.
_HERE, _ELSEWHERE = 0, 500
