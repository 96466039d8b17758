"""Publishing what is wrong in open SQL documents and in every file that was read."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING

from lsprotocol import types

from sqlscribe.lsp import convert, report, staleness
from sqlscribe.notation.document import Document
from sqlscribe.notation.findings import Finding

if TYPE_CHECKING:
    from sqlscribe.inspection import Inspector
    from sqlscribe.loading import Loaded
    from sqlscribe.lsp.server import SQLScribeServer

_QUIET_SECONDS = 0.25
"""How long nobody must type before the next publishing."""


def did_save(ls: SQLScribeServer, _: types.DidSaveTextDocumentParams) -> None:
    ls.diagnostics.schedule()


def did_change_files(ls: SQLScribeServer, _: types.DidChangeWatchedFilesParams) -> None:
    ls.diagnostics.schedule()


class Publisher:
    """Publishes findings once typing pauses; only what changed, and nothing that is cured."""

    def __init__(self, server: SQLScribeServer) -> None:
        self._server = server
        self._pending: asyncio.Task[None] | None = None
        self._published: dict[str, list[types.Diagnostic]] = {}
        self._told: dict[Path | None, Loaded] = {}
        self._inspected_by: dict[str, Inspector] = {}
        self.findings: dict[str, tuple[Document, tuple[Finding, ...]]] = {}
        """Findings on open documents by URI, with the version they were made on."""

    def schedule(self) -> None:
        """Publish soon. Called often; a new call puts off the one before."""
        if self._pending is not None:
            self._pending.cancel()
        self._pending = self._server.spawn(self._publish_soon())

    def closed(self, uri: str) -> None:
        self.findings.pop(uri, None)
        self._inspected_by.pop(uri, None)
        self.schedule()

    async def _publish_soon(self) -> None:
        await asyncio.sleep(_QUIET_SECONDS)
        session = self._server.session
        found: dict[str, tuple[Document, list[Finding]]] = {}
        roots: dict[Path | None, None] = dict.fromkeys(session.roots)
        roots |= dict.fromkeys(session.place(uri).root for uri in session.documents)
        for root in roots:
            loaded = await session.load(root)
            open_documents = self._open_documents()
            for file in loaded.findings:
                path = convert.path_of(file.document.uri)
                document = open_documents.get(path, file.document)
                found.setdefault(document.uri, (document, []))[1].extend(file.findings)
            for file in await session.unfit_examples(root, loaded):
                path = convert.path_of(file.document.uri)
                document = open_documents.get(path, file.document)
                found.setdefault(document.uri, (document, []))[1].extend(file.findings)
            for document in list(session.documents.values()):
                if session.place(document.uri).root == root and _is_sql(document.uri):
                    findings = await self._inspect(document, root, loaded)
                    stale = await staleness.hints(self._server, document, loaded)
                    found.setdefault(document.uri, (document, []))[1].extend((*findings, *stale))
        changed = self._publish(found)
        known = {root: await session.load(root) for root in roots}
        if changed or any(self._told.get(root) is not known[root] for root in roots):
            # They tell what is found in answers, which are stale, and which are verified.
            report.refresh_lenses(self._server)
        self._told = known
        for root in roots:
            before = await session.load(root)
            await session.see_database(root)
            if await session.load(root) is not before:
                self.schedule()
            await session.warm(root)

    async def _inspect(
        self, document: Document, root: Path | None, loaded: Loaded
    ) -> tuple[Finding, ...]:
        inspector = await self._server.session.inspector(root, loaded)
        known = self.findings.get(document.uri)
        by_this_one = self._inspected_by.get(document.uri) is inspector
        if known is not None and known[0] is document and by_this_one:
            return known[1]
        script = await self._server.session.read_script(document)
        findings = await asyncio.to_thread(inspector.inspect, script)
        if document.uri in self._server.session.documents:
            self.findings[document.uri] = (document, findings)
            self._inspected_by[document.uri] = inspector
        return findings

    def _open_documents(self) -> dict[Path | None, Document]:
        """What the editor has open, by its file: findings go out under the editor's own URI."""
        documents = self._server.session.documents
        return {convert.path_of(uri): document for uri, document in documents.items()}

    def _publish(self, found: dict[str, tuple[Document, list[Finding]]]) -> bool:
        """Send what is new; whether anything was."""
        encoding = self._server.encoding
        for uri in [uri for uri in self._published if uri not in found]:
            found[uri] = (Document(uri, ""), [])
        changed = False
        for uri, (document, findings) in found.items():
            diagnostics = [
                convert.diagnostic(document, finding, encoding)
                for finding in dict.fromkeys(findings)
            ]
            if self._published.get(uri, []) == diagnostics:
                continue
            if diagnostics:
                self._published[uri] = diagnostics
            else:
                self._published.pop(uri, None)
            self._server.text_document_publish_diagnostics(
                types.PublishDiagnosticsParams(uri, diagnostics, document.version)
            )
            changed = True
        return changed


def _is_sql(uri: str) -> bool:
    return uri.lower().endswith(".sql") or not uri.startswith("file:")
