"""Settings and folders: from ``initialize``, and whenever the editor says they changed."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from lsprotocol import types
from pygls.exceptions import JsonRpcException

from sqlscribe import settings
from sqlscribe.lsp import (
    convert,
    editor_log,
    editor_model,
    preview,
    process,
    report,
    running,
    status,
)

if TYPE_CHECKING:
    from sqlscribe.lsp.server import SQLScribeServer

logger = logging.getLogger(__name__)

SECTION = "sqlscribe"
_OPTIONS = (
    editor_model.OPTION,
    running.OPTION,
    status.OPTION,
    editor_log.OPTION,
    preview.OPTION,
)


def initialize(ls: SQLScribeServer, params: types.InitializeParams) -> None:
    """Note folders and options; nothing is read yet."""
    # The id of an editor outside of this container means nothing here; its end closes the pipe.
    if params.process_id and process.is_alive(params.process_id):
        ls.spawn(_leave_with(params.process_id))
    ls.has_editor_model = editor_model.announces(params.initialization_options)
    if ls.has_editor_model:
        ls.session.expect_editor_models()
    ls.log.is_read = editor_log.reads_errors(params.initialization_options)
    ls.runs.are_shown = running.announces(params.initialization_options)
    ls.previews.are_linked = preview.announces(params.initialization_options)
    ls.status.is_wanted = status.announces(params.initialization_options)
    if params.trace is not None:
        ls.protocol.trace = params.trace
    _apply(ls, params.initialization_options)
    named = [folder.uri for folder in params.workspace_folders or []]
    if not named:
        # What older editors send instead; the path is older than the URI.
        path = Path(params.root_path or "")
        named = [params.root_uri or (path.as_uri() if path.is_absolute() else "")]
    ls.session.set_roots(_paths(named))


async def initialized(ls: SQLScribeServer, _: types.InitializedParams) -> None:
    """Now that the editor listens: its settings, its file events, and the first reading."""
    ls.log.begin()
    await asyncio.gather(_ask_settings(ls), _watch_files(ls))
    if ls.has_editor_model:
        await editor_model.find_models(ls)
    await ls.status.tell()
    ls.diagnostics.schedule()


async def did_change_configuration(
    ls: SQLScribeServer, params: types.DidChangeConfigurationParams
) -> None:
    """Editors that can be asked are asked; others send the settings along."""
    if not await _ask_settings(ls) and params.settings:
        _apply(ls, params.settings)
    ls.diagnostics.schedule()


def did_change_folders(ls: SQLScribeServer, params: types.DidChangeWorkspaceFoldersParams) -> None:
    added = _paths(folder.uri for folder in params.event.added)
    removed = _paths(folder.uri for folder in params.event.removed)
    kept = [root for root in ls.session.roots if root not in removed]
    ls.session.set_roots(list(dict.fromkeys([*kept, *added])))
    ls.diagnostics.schedule()


def _apply(server: SQLScribeServer, data: object) -> None:
    """Take over what of the settings can be used, and say once what cannot."""
    if isinstance(data, dict) and isinstance(data.get(SECTION), dict):
        data = data[SECTION]
    if isinstance(data, dict):
        # Said to the server itself, and no setting.
        data = {key: value for key, value in data.items() if key not in _OPTIONS}
    client, problems = settings.from_client(data)
    server.session.configure(client)
    server.log.follow_settings()
    if problems:
        report.warn(server, "Settings of the editor: " + "; ".join(problems))


async def _ask_settings(server: SQLScribeServer) -> bool:
    """Fetch section ``sqlscribe``; false where the editor cannot be asked."""
    workspace = server.client_capabilities.workspace
    if workspace is None or not workspace.configuration:
        return False
    items = [types.ConfigurationItem(section=SECTION)]
    try:
        answer = await server.workspace_configuration_async(types.ConfigurationParams(items))
    except JsonRpcException as error:
        logger.info("the editor gives no settings: %s", error)
        return False
    if answer and isinstance(answer[0], dict) and answer[0]:
        _apply(server, answer[0])
    return True


async def _watch_files(server: SQLScribeServer) -> None:
    """Ask for file events where the editor can send them; answers do not rely on them."""
    workspace = server.client_capabilities.workspace
    watched = workspace.did_change_watched_files if workspace else None
    if watched is None or not watched.dynamic_registration:
        return
    options = types.DidChangeWatchedFilesRegistrationOptions(
        [types.FileSystemWatcher("**/*.{sql,toml,md,yaml,yml,jsonl,json,j2}")]
    )
    registration = types.Registration(
        "sqlscribe-files", types.WORKSPACE_DID_CHANGE_WATCHED_FILES, options
    )
    try:
        await server.client_register_capability_async(types.RegistrationParams([registration]))
    except JsonRpcException as error:
        logger.info("the editor takes no registration of file events: %s", error)


async def _leave_with(process_id: int) -> None:
    await process.watch_parent(process_id)
    logger.warning("the editor is gone: leaving")
    process.leave(1)


def _paths(uris: Iterable[str]) -> list[Path]:
    return [path for uri in uris if (path := convert.path_of(uri)) is not None]
