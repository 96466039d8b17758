"""What is wrong in open documents and in every file that was read, worked out and told.

Editors that fetch diagnostics fetch them (``lsp.fetched``); the others are sent them.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

from lsprotocol import types

from sqlscribe.lsp import convert, report, staleness
from sqlscribe.lsp.fetched import NOTHING, Fetched
from sqlscribe.notation.document import Document
from sqlscribe.notation.findings import FileFindings, Finding

if TYPE_CHECKING:
    from sqlscribe.inspection import Inspector
    from sqlscribe.loading import Loaded
    from sqlscribe.lsp.server import SQLScribeServer

_QUIET_SECONDS = 0.25
"""How long nobody must type before the next publishing."""
_LOOK_SECONDS = 5.0
"""How long after somebody typed the files on the disk are looked at: some editors do not tell
when one of them changes, and to look at thousands takes a while."""


def did_save(ls: SQLScribeServer, _: types.DidSaveTextDocumentParams) -> None:
    ls.diagnostics.schedule()


def did_change_files(ls: SQLScribeServer, _: types.DidChangeWatchedFilesParams) -> None:
    ls.diagnostics.schedule()


@dataclass(frozen=True)
class Report:
    """What is said of a document. ``mark`` is another one whenever ``items`` are."""

    document: Document
    findings: tuple[Finding, ...] = ()
    items: list[types.Diagnostic] = field(default_factory=list)
    mark: str = NOTHING


@dataclass(frozen=True)
class _Inspected:
    """Findings of a checker on an open document, and the hints on its stale answers.

    ``cells`` are those of the notebook that it is a cell of.
    """

    document: Document
    inspector: Inspector
    cells: tuple[Document, ...]
    findings: tuple[Finding, ...]
    stale: tuple[Finding, ...] = ()


@dataclass(frozen=True)
class _Wanted:
    """What an inspection is made of: a document, its folder, and the cells around it."""

    document: Document
    loaded: Loaded
    cells: tuple[Document, ...]

    def is_same(self, other: _Wanted) -> bool:
        same = self.document is other.document and self.loaded is other.loaded
        return same and self.cells == other.cells


@dataclass(frozen=True)
class _Folder:
    """Findings on the files of a folder, those first that came with reading them."""

    loaded: Loaded
    files: tuple[FileFindings, ...]


class Publisher:
    """Works out findings once typing pauses; only what changed, and nothing that is cured."""

    def __init__(self, server: SQLScribeServer) -> None:
        self._server = server
        self._pending: asyncio.Task[None] | None = None
        self._later: asyncio.Task[None] | None = None
        self._look = True
        self._read: dict[str, Document] = {}
        self._folders: dict[Path | None, _Folder] = {}
        self._by_path: dict[Path | None, tuple[Document, tuple[Finding, ...]]] = {}
        self._completing: dict[
            Path | None, tuple[Loaded, asyncio.Task[tuple[FileFindings, ...]]]
        ] = {}
        self._inspected: dict[str, _Inspected] = {}
        self._inspecting: dict[str, tuple[_Wanted, asyncio.Task[_Inspected]]] = {}
        self._closed: set[str] = set()
        self._published: dict[str, list[types.Diagnostic]] = {}
        self._told: dict[Path | None, Loaded] = {}
        # Marks of a server that ran before must not be taken for those of this one.
        self._marks = (f"{secrets.token_hex(4)}-{number}" for number in count())
        self.reports: dict[str, Report] = {}
        """By URI, of all documents about which something is said."""
        self.findings: dict[str, tuple[Document, tuple[Finding, ...]]] = {}
        """Findings on open documents by URI, with the version they were made on."""
        self.fetched = Fetched(server)

    def schedule(self, *, look: bool = True) -> None:
        """Publish soon. Called often; a new call puts off the one before.

        ``look`` where files may have changed on the disk.
        """
        self._look = self._look or look
        if self._pending is not None:
            self._pending.cancel()
        self._pending = self._server.spawn(self._publish_soon())

    def closed(self, uri: str) -> None:
        for kept in (self.findings, self._inspected, self._inspecting, self._read):
            kept.pop(uri, None)
        self.fetched.closed(uri)
        self._closed.add(uri)
        self.schedule()

    async def report(self, uri: str) -> Report:
        """What there is to say of one document as it stands, with no more work than that."""
        document = self._server.session.documents.get(uri)
        if document is not None:
            root = self._server.session.place(uri).root
            loaded = await self._load(root, look=False)
            self._take(root, loaded)
            if self._server.session.is_sql(uri):
                await self._inspect(document, root, loaded)
            self.tell()
        return self.reports.get(uri) or Report(document or Document(uri, ""))

    def tell(self) -> bool:
        """Tell the editor what is new; whether anything was."""
        changed = self._renew_reports()
        # What was fetched while a document was open is to be told in another way now.
        closed, self._closed = self._closed, set()
        for uri in changed | closed | set(self._published):
            self._push(uri)
        self.fetched.tell(changed | (closed & self.reports.keys()))
        return bool(changed)

    async def _publish_soon(self) -> None:
        await asyncio.sleep(_QUIET_SECONDS)
        session = self._server.session
        look, roots = self._look, self._roots()
        known = {root: await self._load(root, look=look) for root in roots}
        self._server.log.follow_settings()
        self._look = False
        for gone in [root for root in self._folders if root not in known]:
            del self._folders[gone]
            self._completing.pop(gone, None)
        for root, loaded in known.items():
            self._take(root, loaded)
            for document in list(session.documents.values()):
                if session.place(document.uri).root == root and session.is_sql(document.uri):
                    await self._inspect(document, root, loaded)
        changed = self.tell()
        for root, loaded in known.items():
            await self._complete(root, loaded)
            changed |= self.tell()
        if changed or any(self._told.get(root) is not known[root] for root in roots):
            # They tell what is found in answers, which are stale, and which are verified.
            report.refresh_lenses(self._server)
        self._told = dict(known)
        self.fetched.ready()
        await self._server.status.tell()
        if not look and (self._later is None or self._later.done()):
            self._later = self._server.spawn(self._look_later())
        for root, loaded in known.items():
            await session.see_database(root)
            if session.known_now(root) is not loaded or await self._has_new_tables(root, loaded):
                self.schedule()
            await session.warm(root)
        await self._server.status.tell()

    async def _look_later(self) -> None:
        await asyncio.sleep(_LOOK_SECONDS)
        self.schedule()

    async def _has_new_tables(self, root: Path | None, loaded: Loaded) -> bool:
        """Whether looking at the database has changed what the folder says."""
        if not loaded.settings.database.url:
            return False
        return await self._server.session.load(root) is not loaded

    def _roots(self) -> list[Path | None]:
        session = self._server.session
        places = (session.place(uri).root for uri in session.documents)
        return list(dict.fromkeys([*session.roots, *places]))

    async def _load(self, root: Path | None, *, look: bool) -> Loaded:
        """What the folder says with the open documents as they are.

        Most keystrokes change nothing of it, and then nothing is read.
        """
        session = self._server.session
        loaded = session.known_now(root)
        if look or loaded is None:
            return await session.load(root)
        typed = [
            document
            for uri, document in session.documents.items()
            if self._read.get(uri) is not document and session.place(uri).root == root
        ]
        texts: Mapping[Path | None, str] = {
            session.place(document.uri).path: document.host.text for document in typed
        }
        if bool(texts) and await asyncio.to_thread(_any_counts, loaded, texts):
            loaded = await session.load(root, look=False)
        # Some may have been closed, or typed in again, meanwhile.
        self._read |= {each.uri: each for each in typed if session.documents.get(each.uri) is each}
        return loaded

    def _take(self, root: Path | None, loaded: Loaded) -> None:
        """Take over what a folder says of its files, until its examples are checked too."""
        known = self._folders.get(root)
        if known is not None and known.loaded is loaded:
            return
        # What was said of examples stays until it is known anew, lest it go and come again.
        own = () if known is None else known.files[len(known.loaded.findings) :]
        self._folders[root] = _Folder(loaded, (*loaded.findings, *own))
        self._by_path = self._merged()

    async def _complete(self, root: Path | None, loaded: Loaded) -> None:
        """Check what takes longer. It goes on when nobody waits for it any more."""
        session = self._server.session
        running = self._completing.get(root)
        if running is None or running[0] is not loaded:
            task = self._server.spawn(session.unfit_examples(root, loaded))
            running = self._completing[root] = (loaded, task)
        unfit = await asyncio.shield(running[1])
        # Queries cure what an edit of a definition broke, and they are typed all the time.
        broken = await session.broken(root, loaded)
        files = (*loaded.findings, *unfit, *broken)
        known = self._folders.get(root)
        # The folder may have been read again, or closed, meanwhile.
        if known is not None and known.loaded is loaded and known.files != files:
            self._folders[root] = _Folder(loaded, files)
            self._by_path = self._merged()

    def _merged(self) -> dict[Path | None, tuple[Document, tuple[Finding, ...]]]:
        found: dict[Path | None, tuple[Document, list[Finding]]] = {}
        for folder in self._folders.values():
            for file in folder.files:
                path = convert.path_of(file.document.uri)
                known = found.get(path)
                if known is None or known[0].text != file.document.text:
                    # Of two texts of a file the later one is the newer one.
                    known = found[path] = (file.document, [])
                known[1].extend(file.findings)
        return {
            path: (document, tuple(dict.fromkeys(findings)))
            for path, (document, findings) in found.items()
        }

    async def _inspect(self, document: Document, root: Path | None, loaded: Loaded) -> None:
        """Check an open document, unless that was done with the same text and folder."""
        if self._server.session.documents.get(document.uri) is not document:
            # Closed, or typed in again, while others were checked.
            return
        wanted = _Wanted(document, loaded, self._server.session.neighbours(document.uri))
        running = self._inspecting.get(document.uri)
        if running is None or not running[0].is_same(wanted):
            task = self._server.spawn(self._inspection(wanted, root))
            running = self._inspecting[document.uri] = (wanted, task)
        inspected = await asyncio.shield(running[1])
        stale = await staleness.hints(self._server, document, loaded)
        if self._server.session.documents.get(document.uri) is document:
            self._inspected[document.uri] = replace(inspected, stale=stale)

    async def _inspection(self, wanted: _Wanted, root: Path | None) -> _Inspected:
        session, document = self._server.session, wanted.document
        inspector = await session.inspector(root, wanted.loaded)
        script = await session.read_script(document)
        known = self._inspected.get(document.uri)
        same = known is not None and known.document is document and known.cells == wanted.cells
        if known is not None and same and known.inspector is inspector:
            return replace(known, stale=())
        around = await session.around(document)
        findings = await asyncio.to_thread(inspector.inspect, script, around)
        return _Inspected(document, inspector, wanted.cells, findings)

    def _renew_reports(self) -> set[str]:
        """Bring the reports up to date; the URIs of those that changed."""
        documents = self._server.session.documents
        paths = {convert.path_of(uri): document for uri, document in documents.items()}
        said: dict[str, tuple[Document, tuple[Finding, ...]]] = {}
        for path, (document, findings) in self._by_path.items():
            here = paths.get(path, document)
            # Places in another text than the one that is open would be wrong.
            if here is document or here.host.text == document.text:
                said[here.uri] = (here, findings)
        for uri, inspected in self._inspected.items():
            if documents.get(uri) is inspected.document:
                own = said[uri][1] if uri in said else ()
                # The SQL in a note is looked at as a part of its folder too, less closely.
                again = {(finding.code, finding.span) for finding in inspected.findings}
                own = tuple(each for each in own if (each.code, each.span) not in again)
                both = (*own, *inspected.findings, *inspected.stale)
                said[uri] = (inspected.document, tuple(dict.fromkeys(both)))
            elif uri in self.reports:
                said[uri] = (self.reports[uri].document, self.reports[uri].findings)
        changed = {uri for uri in self.reports if uri not in said}
        for uri in changed:
            del self.reports[uri]
            self.findings.pop(uri, None)
        for uri, (document, findings) in said.items():
            if self._renew(uri, document, findings):
                changed.add(uri)
        return changed

    def _renew(self, uri: str, document: Document, findings: tuple[Finding, ...]) -> bool:
        known = self.reports.get(uri)
        if uri in self._server.session.documents:
            self.findings[uri] = (document, findings)
        if known is not None and known.document is document and known.findings == findings:
            return False
        encoding, related = self._server.encoding, self.fetched.shows_related
        items = [
            convert.diagnostic(document, finding, encoding, related=related) for finding in findings
        ]
        same = known is not None and known.items == items
        mark = known.mark if known is not None and same else next(self._marks)
        self.reports[uri] = Report(document, findings, items, mark if items else NOTHING)
        return not same and bool(items or known is not None)

    def _push(self, uri: str) -> None:
        """Send the diagnostics of a document to an editor that does not fetch them."""
        known = self.reports.get(uri)
        items = known.items if known is not None and not self.fetched.covers(uri) else []
        if self._published.get(uri, []) == items:
            return
        if items:
            self._published[uri] = items
        else:
            self._published.pop(uri, None)
        version = known.document.version if known is not None else None
        self._server.text_document_publish_diagnostics(
            types.PublishDiagnosticsParams(uri, items, version)
        )


def _any_counts(loaded: Loaded, texts: Mapping[Path | None, str]) -> bool:
    """Whether one of the texts may change what was loaded. Texts may be large."""
    return any(path is not None and loaded.depends_on(path, text) for path, text in texts.items())
