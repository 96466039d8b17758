"""Publishing what is wrong in open SQL documents and in every file that was read."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING

from lsprotocol import types

from sqlscribe.lsp import convert
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
        self._inspectors: dict[Path | None, Inspector] = {}
        self.findings: dict[str, tuple[Document, tuple[Finding, ...]]] = {}
        """Findings on open documents by URI, with the version they were made on."""

    def schedule(self) -> None:
        """Publish soon. Called often; a new call puts off the one before."""
        if self._pending is not None:
            self._pending.cancel()
        self._pending = self._server.spawn(self._publish_soon())

    def closed(self, uri: str) -> None:
        self.findings.pop(uri, None)
        self.schedule()

    async def _publish_soon(self) -> None:
        await asyncio.sleep(_QUIET_SECONDS)
        session = self._server.session
        found: dict[str, tuple[Document, list[Finding]]] = {}
        roots: dict[Path | None, None] = dict.fromkeys(session.roots)
        roots |= dict.fromkeys(session.place(uri).root for uri in session.documents)
        for root in roots:
            loaded = await session.load(root)
            for file in loaded.findings:
                document = self._open_version(file.document)
                found.setdefault(document.uri, (document, []))[1].extend(file.findings)
            for document in list(session.documents.values()):
                if session.place(document.uri).root == root and _is_sql(document.uri):
                    findings = await self._inspect(document, root, loaded)
                    found.setdefault(document.uri, (document, []))[1].extend(findings)
        self._publish(found)

    async def _inspect(
        self, document: Document, root: Path | None, loaded: Loaded
    ) -> tuple[Finding, ...]:
        known = self.findings.get(document.uri)
        inspector = self._inspectors.get(root)
        if inspector is None or inspector.schema is not loaded.schema:
            from sqlscribe.inspection import Inspector

            inspector = self._inspectors[root] = Inspector(loaded.schema)
        elif known is not None and known[0] is document:
            return known[1]
        script = await self._server.session.read_script(document)
        findings = await asyncio.to_thread(inspector.inspect, script)
        self.findings[document.uri] = (document, findings)
        return findings

    def _open_version(self, document: Document) -> Document:
        """The document under the URI that the editor uses for it, where it is open."""
        path = convert.path_of(document.uri)
        for uri, open_document in self._server.session.documents.items():
            if convert.path_of(uri) == path:
                return open_document
        return document

    def _publish(self, found: dict[str, tuple[Document, list[Finding]]]) -> None:
        encoding = self._server.encoding
        for uri in [uri for uri in self._published if uri not in found]:
            found[uri] = (Document(uri, ""), [])
        for uri, (document, findings) in found.items():
            diagnostics = [
                convert.diagnostic(document, finding, encoding)
                for finding in dict.fromkeys(findings)
            ]
            if self._published.get(uri, []) == diagnostics:
                continue
            self._published[uri] = diagnostics
            self._server.text_document_publish_diagnostics(
                types.PublishDiagnosticsParams(uri, diagnostics, document.version)
            )


def _is_sql(uri: str) -> bool:
    return uri.lower().endswith(".sql") or not uri.startswith("file:")
