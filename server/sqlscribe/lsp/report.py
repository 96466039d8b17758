"""The one place that speaks to the person: messages, and progress with its stages."""

from __future__ import annotations

import asyncio
import logging
import uuid
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from lsprotocol import types
from pygls.exceptions import JsonRpcException

if TYPE_CHECKING:
    from sqlscribe.lsp.server import SQLScribeServer

logger = logging.getLogger(__name__)


def warn(server: SQLScribeServer, sentence: str) -> None:
    _show(server, types.MessageType.Warning, sentence)


def tell(server: SQLScribeServer, sentence: str) -> None:
    _show(server, types.MessageType.Info, sentence)


def _show(server: SQLScribeServer, kind: types.MessageType, sentence: str) -> None:
    server.window_show_message(types.ShowMessageParams(kind, f"SQLScribe: {sentence}"))


def refresh_lenses(server: SQLScribeServer) -> None:
    """Let the editor ask for its lenses again, where it can be told to."""
    workspace = server.client_capabilities.workspace
    if workspace is not None and workspace.code_lens and workspace.code_lens.refresh_support:
        server.spawn(_refresh_lenses(server))


async def _refresh_lenses(server: SQLScribeServer) -> None:
    try:
        await server.workspace_code_lens_refresh_async(None)
    except JsonRpcException as error:
        logger.info("the editor does not ask for its lenses again: %s", error)


_PATIENCE_SECONDS = 1.0


@asynccontextmanager
async def progress(
    server: SQLScribeServer,
    title: str,
    token: types.ProgressToken | None = None,
    *,
    cancellable: bool = True,
) -> AsyncIterator[Callable[[object], None]]:
    """Work-done progress around a piece of work; yields what reports a stage.

    ``token`` is the client's own, where its request brought one. Cancelling the progress in
    the editor cancels the task that runs here. Editors show what is ``cancellable`` in front
    of everything else, so what nobody has asked for is not.
    """
    window = server.client_capabilities.window
    if token is None and not (window and window.work_done_progress):
        yield lambda stage: None
        return
    shown = server.work_done_progress
    if token is None:
        token = str(uuid.uuid4())
        # A task of its own: were this one cancelled while it waits, the editor's late answer
        # would meet a request that is no longer there. An editor that does not answer, or says
        # no, gets no progress, and the work goes on.
        created = server.spawn(_create(server, token))
        try:
            await asyncio.wait([created], timeout=_PATIENCE_SECONDS)
        finally:
            if not created.done():
                # Nobody waits any more: what a late answer registers is dropped again.
                created.add_done_callback(lambda _: shown.tokens.pop(token, None))
        if not created.done() or not created.result():
            yield lambda stage: None
            return
    shown.begin(token, types.WorkDoneProgressBegin(title=title, cancellable=cancellable))
    task = asyncio.current_task()
    loop = asyncio.get_running_loop()
    if task is not None:
        shown.tokens[token].add_done_callback(
            lambda future: loop.call_soon_threadsafe(task.cancel) if future.cancelled() else None
        )
    try:
        yield lambda stage: shown.report(token, types.WorkDoneProgressReport(message=str(stage)))
    finally:
        shown.end(token, types.WorkDoneProgressEnd())
        shown.tokens.pop(token, None)


async def _create(server: SQLScribeServer, token: types.ProgressToken) -> bool:
    try:
        await server.work_done_progress.create_async(token)
    except JsonRpcException:
        return False
    return True
