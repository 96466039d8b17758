"""Asking the editor's own language model, by requests of ours that its extension answers."""

from __future__ import annotations

import asyncio
import logging
import uuid
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from lsprotocol import types
from pygls.exceptions import JsonRpcException

from sqlscribe.models.chat import Hear, Piece
from sqlscribe.models.editor import EditorModels, EditorRefused

if TYPE_CHECKING:
    from sqlscribe.lsp.server import SQLScribeServer

logger = logging.getLogger(__name__)

OPTION = "editorModel"
"""In ``initializationOptions``: true where the editor answers these requests."""
MODELS_METHOD = "sqlscribe/models"
COMPLETE_METHOD = "sqlscribe/complete"
CHANGED_METHOD = "sqlscribe/modelsChanged"


def announces(options: object) -> bool:
    return isinstance(options, dict) and options.get(OPTION) is True


async def find_models(server: SQLScribeServer) -> None:
    """Ask which models the editor offers; nobody is asked for consent by that."""
    try:
        answer = await server.protocol.send_request_async(MODELS_METHOD, {})
    except JsonRpcException as error:
        logger.info("the editor names no models: %s", error)
        server.session.offer_editor_models(None)
        return
    names = tuple(
        name for each in _field(answer, "models") or [] if (name := _name(each)) is not None
    )

    async def complete(params: dict[str, Any], hear: Hear | None) -> Mapping[str, Any]:
        return await _complete(server, params, hear)

    server.session.offer_editor_models(EditorModels(names, complete))


async def models_changed(ls: SQLScribeServer, _: Any) -> None:
    """Providers of models may start long after the editor."""
    if ls.has_editor_model:
        await find_models(ls)
        await ls.status.tell()


def piece_came(ls: SQLScribeServer, params: types.ProgressParams) -> None:
    """A piece of a reply; one that comes when its reply is over is of no use."""
    text = _field(params.value, "text")
    if isinstance(text, str) and (hear := ls.hearing.get(params.token)) is not None:
        hear(Piece(text))


async def _complete(
    server: SQLScribeServer, params: dict[str, Any], hear: Hear | None
) -> Mapping[str, Any]:
    """One reply. A cancelled wait is a cancelled request in the editor, too."""
    number = str(uuid.uuid4())
    if hear is not None:
        server.hearing[number] = hear
        params = {**params, "partialResultToken": number}
    try:
        answer = await server.protocol.send_request_async(COMPLETE_METHOD, params, msg_id=number)
    except asyncio.CancelledError:
        server.protocol.notify(types.CANCEL_REQUEST, types.CancelParams(number))
        raise
    except JsonRpcException as error:
        reason = _field(error.data, "reason")
        words = str(error.message or "no reason is given")
        raise EditorRefused(words, reason if isinstance(reason, str) else "failed") from None
    finally:
        server.hearing.pop(number, None)
    return {"text": _field(answer, "text"), "model": _field(answer, "model")}


def _name(model: object) -> str | None:
    vendor, family = _field(model, "vendor"), _field(model, "family")
    return f"{vendor}/{family}" if isinstance(vendor, str) and isinstance(family, str) else None


def _field(data: Any, name: str) -> Any:
    """A field of a result, which is an object or a mapping, as the protocol's library likes."""
    return data.get(name) if isinstance(data, Mapping) else getattr(data, name, None)
