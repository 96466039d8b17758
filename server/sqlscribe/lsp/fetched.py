"""Diagnostics for editors that fetch them: one document's, and the whole workspace's.

An editor is offered this only if it can be told to fetch again. The findings of a document
depend on other files, and it would go on showing what is no longer true.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping
from typing import TYPE_CHECKING

from lsprotocol import types
from pygls.exceptions import JsonRpcException

from sqlscribe.notation.document import Document

if TYPE_CHECKING:
    from sqlscribe.lsp.server import SQLScribeServer

logger = logging.getLogger(__name__)

OPTIONS = types.DiagnosticOptions(
    inter_file_dependencies=True, workspace_diagnostics=True, identifier="sqlscribe"
)
NOTHING = "nothing"
"""The mark of a document about which nothing is said."""
_SETTLE_SECONDS = 0.1
"""Some editors fetch at every keystroke, and cancel when the next one comes."""


async def document_diagnostic(
    ls: SQLScribeServer, params: types.DocumentDiagnosticParams
) -> types.DocumentDiagnosticReport:
    """What is said of one document, or that it is what the editor has already."""
    await asyncio.sleep(_SETTLE_SECONDS)
    uri = params.text_document.uri
    report = await ls.diagnostics.report(uri)
    ls.diagnostics.fetched.served(uri, report.document, report.mark)
    if report.mark == params.previous_result_id:
        return types.RelatedUnchangedDocumentDiagnosticReport(report.mark)
    return types.RelatedFullDocumentDiagnosticReport(report.items, result_id=report.mark)


async def workspace_diagnostic(
    ls: SQLScribeServer, params: types.WorkspaceDiagnosticParams
) -> types.WorkspaceDiagnosticReport:
    """What is said of all other files; held until there is something new to say."""
    known = {each.uri: each.value for each in params.previous_result_ids}
    return types.WorkspaceDiagnosticReport(await ls.diagnostics.fetched.workspace(known))


def is_told_again(capabilities: types.ClientCapabilities) -> bool:
    """Whether an editor fetches diagnostics, and does so again when it is told to."""
    document, workspace = capabilities.text_document, capabilities.workspace
    fetches = document is not None and document.diagnostic is not None
    again = workspace.diagnostics if workspace is not None else None
    return fetches and again is not None and again.refresh_support is True


class Fetched:
    """What an editor has fetched, and what it has to be told to fetch again."""

    def __init__(self, server: SQLScribeServer) -> None:
        self._server = server
        self._served: dict[str, tuple[Document, str]] = {}
        self._fetches_all = False
        self._is_ready = asyncio.Event()
        self._news = asyncio.Event()
        self._turn = 0
        self._held = 0
        self._is_refreshing = False
        self._refresh_again = False

    @property
    def is_on(self) -> bool:
        return is_told_again(self._server.client_capabilities)

    @property
    def shows_related(self) -> bool:
        """Whether the editor shows the other places that a diagnostic is about."""
        document = self._server.client_capabilities.text_document
        if document is None:
            return False
        ways = document.diagnostic if self.is_on else document.publish_diagnostics
        return ways is not None and ways.related_information is True

    def covers(self, uri: str) -> bool:
        """Whether the editor fetches what is said of a document, so that it is not sent."""
        return self.is_on and (self._fetches_all or uri in self._server.session.documents)

    def ready(self) -> None:
        """Everything has been looked at once."""
        self._is_ready.set()

    def served(self, uri: str, document: Document, mark: str) -> None:
        if self._server.session.documents.get(uri) is document:
            self._served[uri] = (document, mark)

    def closed(self, uri: str) -> None:
        self._served.pop(uri, None)

    def tell(self, changed: set[str]) -> None:
        """Reports have changed: wake who waits for that, and have the editor fetch the others."""
        if not self.is_on or not changed:
            return
        if self._held:
            self._news.set()
        of_others = self._fetches_all and not self._held and any(map(self._is_listed, changed))
        if of_others or any(map(self._is_outdated, changed)):
            self._refresh()

    async def workspace(
        self, known: Mapping[str, str]
    ) -> list[types.WorkspaceDocumentDiagnosticReport]:
        """The reports on files that are not fetched one by one.

        ``known`` are the marks of what the editor has. An answer that has nothing new to say is
        held back, but for the first one; a later request ends the one that is held.
        """
        is_first = not self._fetches_all
        self._fetches_all = True
        self._turn += 1
        turn = self._turn
        self._news.set()
        await self._is_ready.wait()
        self._server.diagnostics.tell()
        while turn == self._turn:
            found = self._reports(known)
            if is_first or any(each.kind == "full" for each in found):
                return found
            self._news.clear()
            self._held += 1
            try:
                await self._news.wait()
            finally:
                self._held -= 1
        return []

    def _reports(self, known: Mapping[str, str]) -> list[types.WorkspaceDocumentDiagnosticReport]:
        found: list[types.WorkspaceDocumentDiagnosticReport] = []
        reports = self._server.diagnostics.reports
        for uri, report in reports.items():
            if not self._is_listed(uri):
                continue
            version = report.document.version
            if known.get(uri) == report.mark:
                found.append(
                    types.WorkspaceUnchangedDocumentDiagnosticReport(uri, report.mark, version)
                )
            elif report.items or uri in known:
                found.append(
                    types.WorkspaceFullDocumentDiagnosticReport(
                        uri, report.items, version, result_id=report.mark
                    )
                )
        cured = [uri for uri in known if uri not in reports and self._is_listed(uri)]
        for uri in cured:
            # Said once: the editor forgets the mark of a file about which nothing is said.
            if known[uri] != NOTHING:
                empty = types.WorkspaceFullDocumentDiagnosticReport(uri, [], result_id=NOTHING)
                found.append(empty)
        return found

    def _is_listed(self, uri: str) -> bool:
        return uri not in self._served

    def _is_outdated(self, uri: str) -> bool:
        """Whether the editor shows something else about the text that it has."""
        served = self._served.get(uri)
        if served is None or self._server.session.documents.get(uri) is not served[0]:
            return False
        report = self._server.diagnostics.reports.get(uri)
        return served[1] != (report.mark if report is not None else NOTHING)

    def _refresh(self) -> None:
        if self._is_refreshing:
            self._refresh_again = True
        else:
            self._is_refreshing = True
            self._server.spawn(self._refreshing())

    async def _refreshing(self) -> None:
        try:
            self._refresh_again = True
            while self._refresh_again:
                self._refresh_again = False
                await self._server.workspace_diagnostic_refresh_async(None)
        except JsonRpcException as error:
            logger.info("the editor does not fetch diagnostics again: %s", error)
        finally:
            self._is_refreshing = False
