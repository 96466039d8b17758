"""A server without a wire: the real one, with what it would send noted instead."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from types import SimpleNamespace
from typing import Any

from lsprotocol import types
from pygls.exceptions import JsonRpcInternalError
from pygls.progress import Progress

from sqlscribe.answer_queue import AnswerQueue
from sqlscribe.lsp.diagnostics import Publisher
from sqlscribe.lsp.editor_log import EditorLog
from sqlscribe.lsp.inline_completion import Ghosts
from sqlscribe.lsp.lenses import Inspections
from sqlscribe.lsp.preview import Previews
from sqlscribe.lsp.running import Runs
from sqlscribe.lsp.status import Status
from sqlscribe.notation.document import Encoding
from sqlscribe.rewrites import Rewrites
from sqlscribe.session import Session


class QuietServer:
    """As much of the server as the features use.

    ``published`` are the diagnostics that were sent, ``said`` is what the person was told,
    ``applied`` are the edits that the editor was asked to make, ``shown`` the documents that it
    was asked to show, and ``refreshed`` those whose text it was told to ask for again.
    """

    def __init__(self, session: Session | None = None) -> None:
        self.session = session or Session({})
        self.encoding: Encoding = "utf-16"
        self.client_capabilities = types.ClientCapabilities(
            text_document=types.TextDocumentClientCapabilities(
                code_action=types.CodeActionClientCapabilities(
                    resolve_support=types.ClientCodeActionResolveOptions(["edit"])
                )
            )
        )
        self.published: list[types.PublishDiagnosticsParams] = []
        self.said: list[str] = []
        self.applied: list[types.WorkspaceEdit] = []
        self.takes_edits: bool | None = True
        """``None`` for an editor that answers a request to make one with an error."""
        self.unplaced: dict[tuple[str, str, str], str] = {}
        self.handed: dict[tuple[str, str, str], tuple[str, tuple[str, ...]]] = {}
        self.choices: dict[tuple[str, str, str], tuple[str, ...]] = {}
        self.withheld: dict[tuple[str, str, str], bool] = {}
        self.shown: list[str] = []
        self.refreshed: list[str] = []
        self.lenses_refreshed = 0
        self.fetched_again = 0
        self.tasks: set[asyncio.Task[Any]] = set()
        self.queue: AnswerQueue[Any] = AnswerQueue(self.spawn, lambda: None)
        self.rewrites = Rewrites()
        self.wire = Wire()
        self.work_done_progress = Progress(self.wire)  # type: ignore[arg-type]
        self.diagnostics = Publisher(self)  # type: ignore[arg-type]
        self.previews = Previews(self)  # type: ignore[arg-type]
        self.inspections = Inspections(self)  # type: ignore[arg-type]
        self.ghosts = Ghosts()
        self.runs = Runs()
        self.status = Status(self)  # type: ignore[arg-type]
        self.log = EditorLog(self)  # type: ignore[arg-type]
        self.protocol = SimpleNamespace(trace=types.TraceValue.Off)
        self.logged: list[types.LogMessageParams] = []
        self.traced: list[types.LogTraceParams] = []

    def spawn(self, work: Any) -> asyncio.Task[Any]:
        task = asyncio.get_running_loop().create_task(work)
        self.tasks.add(task)
        return task

    async def settled(self) -> None:
        """Wait for everything that was spawned; what went wrong there is raised."""
        while self.tasks:
            task = self.tasks.pop()
            await asyncio.wait([task])
            if not task.cancelled():
                task.result()

    def text_document_publish_diagnostics(self, params: types.PublishDiagnosticsParams) -> None:
        self.published.append(params)

    def window_log_message(self, params: types.LogMessageParams) -> None:
        self.logged.append(params)

    def log_trace(self, params: types.LogTraceParams) -> None:
        self.traced.append(params)

    def window_show_message(self, params: types.ShowMessageParams) -> None:
        self.said.append(params.message)

    async def workspace_apply_edit_async(
        self, params: types.ApplyWorkspaceEditParams
    ) -> types.ApplyWorkspaceEditResult:
        self.applied.append(params.edit)
        if self.takes_edits is None:
            raise JsonRpcInternalError("the buffer has changed")
        return types.ApplyWorkspaceEditResult(self.takes_edits)

    async def window_show_document_async(
        self, params: types.ShowDocumentParams
    ) -> types.ShowDocumentResult:
        self.shown.append(params.uri)
        return types.ShowDocumentResult(True)

    async def workspace_text_document_content_refresh_async(
        self, params: types.TextDocumentContentRefreshParams
    ) -> None:
        self.refreshed.append(params.uri)

    async def workspace_diagnostic_refresh_async(self, _: None) -> None:
        self.fetched_again += 1

    def allow_fetching(self) -> None:
        """The client fetches diagnostics, and does so again when it is told to."""
        self.client_capabilities = types.ClientCapabilities(
            text_document=types.TextDocumentClientCapabilities(
                diagnostic=types.DiagnosticClientCapabilities()
            ),
            workspace=types.WorkspaceClientCapabilities(
                diagnostics=types.DiagnosticWorkspaceClientCapabilities(refresh_support=True)
            ),
        )

    async def workspace_code_lens_refresh_async(self, _: None) -> None:
        self.lenses_refreshed += 1

    def allow_lens_refresh(self) -> None:
        """The client asks for its lenses again when it is told to."""
        self.client_capabilities.workspace = types.WorkspaceClientCapabilities(
            code_lens=types.CodeLensWorkspaceClientCapabilities(refresh_support=True)
        )

    def allow_progress(self, create: Callable[[], Awaitable[None]]) -> None:
        """The client supports progress; ``create`` is how it answers a new token."""
        self.client_capabilities.window = types.WindowClientCapabilities(work_done_progress=True)
        self.wire.create = create


class Wire:
    """The protocol's end: notes notifications of progress, and answers new tokens."""

    def __init__(self) -> None:
        self.progress: list[str] = []
        self.create: Callable[[], Awaitable[None]] | None = None

    async def send_request_async(self, method: str, params: Any) -> None:
        assert method == types.WINDOW_WORK_DONE_PROGRESS_CREATE
        assert self.create is not None, "a client without support is not asked"
        await self.create()

    def notify(self, method: str, params: types.ProgressParams) -> None:
        assert method == types.PROGRESS
        value: Any = params.value
        self.progress.append(getattr(value, "title", None) or value.message or value.kind)
