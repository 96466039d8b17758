"""The state of one running server or command: documents, folders, and snapshots of them.

Light to import: everything that parses, embeds or calls a model is imported when the first
question needs it, in a worker thread, so that ``initialize`` is answered at once.
"""

from __future__ import annotations

import asyncio
import datetime
import os
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from sqlscribe.errors import ConfigurationError, DatabaseError
from sqlscribe.notation.asks import Question, Script
from sqlscribe.notation.document import Document
from sqlscribe.notation.embedded import Embedded, embedded
from sqlscribe.notation.lexicon import dialect_named
from sqlscribe.notation.marked_comments import iso_date
from sqlscribe.notebooks import NOTHING_AROUND, Around, Notebooks
from sqlscribe.scripts import Scripts
from sqlscribe.settings import CONFIGURATION, ClientSettings

if TYPE_CHECKING:
    from sqlscribe.inspection import Inspector
    from sqlscribe.loading import Loaded
    from sqlscribe.models.editor import EditorModels
    from sqlscribe.notation.findings import FileFindings
    from sqlscribe.origins import Origins
    from sqlscribe.prompting.context import Request
    from sqlscribe.snapshot import Snapshot
    from sqlscribe.workspace import Workspace

_NAMED_SECONDS = 3.0
"""How long an editor has to name its own models."""
_IDLE = 3
"""Folders that stay ready though nothing in them is open."""


@dataclass(frozen=True)
class Place:
    """Where a document lives: its file, and the folder whose configuration counts."""

    path: Path | None
    root: Path | None


@dataclass(frozen=True)
class Opened:
    """What an editor says of a document besides its text.

    ``language`` is the editor's name for what is written in it. ``path`` is its file, if it is
    one; ``near`` is where a text that is none belongs: a cell to its notebook. ``remote`` says
    that it is on a file system that nobody here can read.
    """

    path: Path | None = None
    language: str = ""
    is_cell: bool = False
    near: Path | None = None
    remote: bool = False


_UNSAID = Opened()
_OTHER_KINDS = (".toml", ".yaml", ".yml", ".json", ".jsonl", ".j2", ".md", ".csv", ".txt")
_REMOTE = (
    "this text is on a file system that only the editor can read,"
    " so nothing is known of the folder that it is in"
)


class Session:
    """Documents open in the editor, folders, and the editor's settings.

    Everything here is called on one thread, but for what is awaited in worker threads; those
    get immutable values.
    """

    def __init__(self, environment: Mapping[str, str] | None = None) -> None:
        self.environment = dict(os.environ if environment is None else environment)
        self.documents: dict[str, Document] = {}
        self.roots: list[Path] = []
        self.client = ClientSettings()
        self._editor_models: EditorModels | None = None
        self._editor_named = asyncio.Event()
        self._editor_named.set()
        self.notebooks = Notebooks()
        self._opened: dict[str, Opened] = {}
        self._workspaces: dict[Path | None, Workspace] = {}
        self._loaded: dict[Path | None, Loaded] = {}
        self._reading: dict[Path | None, asyncio.Lock] = {}
        self._coming: dict[tuple[Path | None, bool], asyncio.Task[Loaded]] = {}
        self._scripts = Scripts()
        self._origins: dict[Path | None, Origins] = {}

    def open(self, document: Document, path: Path | None, said: Opened | None = None) -> None:
        """Take over a document, or its next version. ``path`` is its file, if it has one.

        Of a text of another kind only the SQL is read. ``said`` is what the editor says of it,
        once for all versions.
        """
        said = said or self._opened.get(document.uri) or Opened(path)
        self._opened[document.uri] = said
        version = embedded(document, said.language, is_cell=said.is_cell)
        self.documents[document.uri] = version
        self._scripts.expect(version)

    def close(self, uri: str) -> None:
        self.documents.pop(uri, None)
        self._opened.pop(uri, None)
        self._scripts.forget(uri)
        self._forget_idle()

    def spelled(self, uri: str, path: Path | None) -> str:
        """The URI under which the file of ``path`` was opened: one file has several spellings.

        ``uri`` itself, where it is the one or no document is open under any.
        """
        if uri in self.documents or path is None:
            return uri
        return next((other for other, said in self._opened.items() if said.path == path), uri)

    def place(self, uri: str) -> Place:
        """The folder a document belongs to: the innermost open one, else its configuration's.

        A text that is in no file belongs to the first open folder, before all others to one
        that is configured.
        """
        said = self._opened.get(uri, _UNSAID)
        around = said.path or said.near
        if around is not None:
            return Place(said.path, self.root_of(around))
        if said.remote or not self.roots:
            return Place(None, None)
        if len(self.roots) == 1:
            return Place(None, self.roots[0])
        configured = (root for root in self.roots if (root / CONFIGURATION).is_file())
        return Place(None, next(configured, self.roots[0]))

    def is_model(self, uri: str) -> bool:
        """Whether a document is SQL that dbt runs. Looks at the disk."""
        from sqlscribe.loading.dbt_files import is_run_by_dbt

        place = self.place(uri)
        if place.path is None or place.root is None:
            return False
        return is_run_by_dbt(place.path, place.root)

    def is_sql(self, uri: str) -> bool:
        """Whether a document is SQL, or holds some."""
        name = uri.lower()
        if name.endswith(".sql") or isinstance(self.documents.get(uri), Embedded):
            return True
        if not uri.startswith("file:"):
            return True
        language = self._opened.get(uri, _UNSAID).language
        # Editors know it as ``plsql`` and ``sql-bigquery``, or by the engine alone.
        named = "sql" in language or bool(dialect_named(language))
        return named and not name.endswith(_OTHER_KINDS)

    def neighbours(self, uri: str) -> tuple[Document, ...]:
        """The cells of the notebook that a document is a cell of, itself among them, in order."""
        cells = self.notebooks.cells_around(uri)
        return tuple(self.documents[cell] for cell in cells if cell in self.documents)

    async def around(self, document: Document) -> Around:
        """What stands in the other cells of a document's notebook."""
        cells = self.neighbours(document.uri)
        uris = [cell.uri for cell in cells]
        if document.uri not in uris:
            return NOTHING_AROUND
        above = [cell for cell in cells[: uris.index(document.uri)] if cell.text.strip()]
        before = [await self.read_script(cell) for cell in above]
        others = tuple(cell.host.text for cell in cells if cell.uri != document.uri)
        return Around(tuple(before), others)

    def root_of(self, path: Path) -> Path | None:
        inside = [root for root in self.roots if path.is_relative_to(root)]
        if inside:
            return max(inside, key=lambda root: len(root.parts))
        return configured_root(path.parent)

    def script(self, document: Document) -> Script:
        """Questions and statements of a document, read once for each version.

        Before the folder is loaded its dialect is not known and a plain one is assumed, which
        matters for a few kinds of quotes only.
        """
        return self._scripts.of(document, self._dialect(document))

    async def read_script(self, document: Document) -> Script:
        """The same; a large document is read in a worker thread, so that nothing waits for it."""
        return await self._scripts.read(document, self._dialect(document))

    def _dialect(self, document: Document) -> str:
        loaded = self._loaded.get(self.place(document.uri).root)
        return loaded.dialect if loaded is not None else ""

    async def load(self, root: Path | None, *, look: bool = True) -> Loaded:
        """What the folder says now; changed files are read in a worker thread.

        However many ask at once, one reading is under way and at most one more is to come:
        the one that sees everything that changed before it starts. Without ``look`` only the
        texts open in the editor are taken into account anew.
        """
        task = self._coming.get((root, True)) or self._coming.get((root, look))
        if task is None:
            task = asyncio.get_running_loop().create_task(self._load_next(root, look))
            self._coming[root, look] = task
        return await asyncio.shield(task)

    async def known(self, root: Path | None) -> Loaded:
        """What the folder said when it was last read; it is read now only if it never was."""
        return self._loaded.get(root) or await self.load(root)

    def known_now(self, root: Path | None) -> Loaded | None:
        """The same without waiting: ``None`` where the folder was not read yet."""
        return self._loaded.get(root)

    def log_levels(self) -> set[str]:
        """How much each folder that was read wants in the log, and the editor."""
        own = self.client.values.get("log", {}).get("level", "")
        return {own, *(loaded.settings.log.level for loaded in self._loaded.values())}

    def origins(self, root: Path | None) -> Origins:
        """Where the answers in a folder's documents came from."""
        if root not in self._origins:
            from sqlscribe.generated_files import GENERATED
            from sqlscribe.origins import Origins

            folder = None if root is None else root / GENERATED / "origins"
            self._origins[root] = Origins(folder)
        return self._origins[root]

    async def _load_next(self, root: Path | None, look: bool) -> Loaded:
        async with self._reading.setdefault(root, asyncio.Lock()):
            self._coming.pop((root, look), None)
            workspace = await self.workspace(root)
            loaded = await asyncio.to_thread(workspace.load, self._buffers(), look=look)
            if self._workspaces.get(root) is workspace:
                # The folder may have been closed meanwhile.
                self._loaded[root] = loaded
            return loaded

    async def warm(self, root: Path | None) -> None:
        """Bring the index up to date, so that the next question need not wait for it.

        Not where an embedding model is configured: nothing is sent before something is asked.
        """
        loaded = self._loaded.get(root)
        if loaded is not None and loaded.settings.embedding.name == "builtin":
            workspace = await self.workspace(root)
            await asyncio.to_thread(workspace.index.sync, loaded)

    async def see_database(self, root: Path | None) -> str:
        """Look at the folder's database if it is time to; why it could not be read, or ``""``.

        What it holds is part of what is loaded from the next reading on.
        """
        loaded = self._loaded.get(root)
        if loaded is None or not loaded.settings.database.url:
            return ""
        workspace = await self.workspace(root)
        try:
            await asyncio.to_thread(workspace.refresh_database, loaded)
        except (ConfigurationError, DatabaseError) as error:
            return str(error)
        return ""

    async def unfit_examples(self, root: Path | None, loaded: Loaded) -> tuple[FileFindings, ...]:
        """Findings on the examples of a folder that do not fit its schema any more."""
        workspace = await self.workspace(root)
        return await asyncio.to_thread(workspace.unfit_examples, loaded)

    async def broken(self, root: Path | None, loaded: Loaded) -> tuple[FileFindings, ...]:
        """Findings on the definitions of a folder that lost what others still use."""
        workspace = await self.workspace(root)
        return await asyncio.to_thread(workspace.broken, loaded, self._buffers())

    async def inspector(self, root: Path | None, loaded: Loaded) -> Inspector:
        """Who checks the files of a folder against what is loaded."""
        workspace = await self.workspace(root)
        return await asyncio.to_thread(workspace.inspector, loaded)

    async def workspace(self, root: Path | None) -> Workspace:
        if root not in self._workspaces:
            made = await asyncio.to_thread(_workspace, root, self.client, self.environment)
            # Another request may have made one meanwhile; the first one stays. And the editor's
            # settings may have come meanwhile.
            known = self._workspaces.setdefault(root, made)
            known.configure(self.client)
            if self._editor_models is not None:
                known.models.offer(self._editor_models)
        return self._workspaces[root]

    def configure(self, client: ClientSettings) -> None:
        """Settings from the editor, for every folder."""
        self.client = client
        for workspace in self._workspaces.values():
            workspace.configure(client)

    def expect_editor_models(self) -> None:
        """The editor has models of its own and will name them: what is asked meanwhile waits."""
        self._editor_named.clear()

    def offer_editor_models(self, models: EditorModels | None) -> None:
        """Take the editor's own models into account, for every folder; ``None``: it has none."""
        self._editor_named.set()
        if models is None:
            return
        self._editor_models = models
        for workspace in self._workspaces.values():
            workspace.models.offer(models)

    def set_roots(self, roots: list[Path]) -> None:
        self.roots = roots
        for root in [root for root in self._workspaces if root not in roots]:
            self._forget(root)

    def _forget_idle(self) -> None:
        """Close folders that only documents have opened, once none of them is open any more.

        Some stay, since one who looks through files closes one and opens the next.
        """
        loose = [root for root in self._workspaces if root is not None and root not in self.roots]
        if len(loose) > _IDLE:
            used = {self.place(uri).root for uri in self.documents}
            for root in [root for root in loose if root not in used][:-_IDLE]:
                self._forget(root)

    def _forget(self, root: Path | None) -> None:
        self._workspaces.pop(root).close()
        for kept in (self._loaded, self._origins, self._reading):
            kept.pop(root, None)

    async def snapshot(
        self, document: Document, question: Question | None = None, loaded: Loaded | None = None
    ) -> Snapshot:
        """All that an answer in ``document`` is made from, as things stand now.

        With ``loaded`` as they stood then, and no file is looked at.
        """
        root = self.place(document.uri).root
        loaded = loaded or await self.load(root)
        with suppress(TimeoutError):
            await asyncio.wait_for(self._editor_named.wait(), _NAMED_SECONDS)
        workspace = await self.workspace(root)
        script = await self.read_script(document)
        options = dict(question.options) if question is not None else {}
        snapshot = await asyncio.to_thread(workspace.snapshot, loaded, options.get("model", ""))
        now = datetime.datetime.now().astimezone()
        as_of = iso_date(options.get("as_of", "")) or script.as_of
        dialect = options.get("dialect") or script.dialect or loaded.dialect
        return replace(
            snapshot,
            dialect=dialect,
            # The engine of the folder's dialect knows nothing about another one.
            engine=snapshot.engine if dialect == loaded.dialect else None,
            run=snapshot.run if dialect == loaded.dialect else None,
            today=as_of or now.date(),
            timezone=now.tzname() or "",
            remarks=(*snapshot.remarks, *self.remarks(document.uri)),
        )

    def shutdown(self) -> None:
        for workspace in self._workspaces.values():
            workspace.close()

    def _buffers(self) -> dict[Path, Document]:
        return {
            said.path: self.documents[uri].host
            for uri, said in self._opened.items()
            if said.path is not None and uri in self.documents
        }

    def remarks(self, uri: str) -> tuple[str, ...]:
        """What a person should know about the place of a document."""
        return (_REMOTE,) if self._opened.get(uri, _UNSAID).remote else ()


def configured_root(folder: Path) -> Path | None:
    """The nearest folder with a configuration: this one, or one around it."""
    around = (folder, *folder.parents)
    return next((place for place in around if (place / CONFIGURATION).is_file()), None)


def request_for(document: Document, question: Question) -> Request:
    """A question of a document as the route takes it."""
    from sqlscribe.prompting.context import Request, Turn

    sql = question.answer.of(document.text) if question.answer is not None else ""
    turns = tuple(Turn("user", turn.text) for turn in question.turns)
    mentions = tuple(mention.name for mention in question.mentions)
    if question.kind == "error":
        asked = "\n".join(turn.text for turn in question.turns)
        return Request(asked, "repair", (), sql, error=question.text, mentions=mentions)
    if question.kind == "refine":
        return Request(question.text, "refine", turns, sql, mentions=mentions)
    return Request(question.text, "ask", turns, mentions=mentions)


def _workspace(
    root: Path | None, client: ClientSettings, environment: Mapping[str, str]
) -> Workspace:
    from sqlscribe.workspace import Workspace

    return Workspace(root, client, environment)
