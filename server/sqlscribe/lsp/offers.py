"""What is offered in the menu of code actions, and how the protocol says it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from lsprotocol import types

from sqlscribe.lsp.commands import COMMANDS
from sqlscribe.lsp.targets import Data

if TYPE_CHECKING:
    from sqlscribe.lsp.server import SQLScribeServer

ANSWER_KIND = types.CodeActionKind.RefactorRewrite
SAVE_KIND = types.CodeActionKind.RefactorExtract


@dataclass(frozen=True)
class Offer:
    """An action to be offered. ``do`` is the work that it stands for, ``data`` its target.

    ``disabled`` says why it cannot be done. ``at_once`` is for work that ends in no edit of the
    document: a command from the start.
    """

    title: str
    do: str
    data: Data
    kind: types.CodeActionKind | str = ANSWER_KIND
    preferred: bool = False
    disabled: str = ""
    at_once: bool = False
    diagnostics: Sequence[types.Diagnostic] = ()


def action_of(server: SQLScribeServer, offer: Offer) -> types.CodeAction | None:
    """An offer as the client can take it; ``None`` for a disabled one it could not show."""
    if offer.disabled and not _can_disable(server):
        return None
    action = types.CodeAction(
        offer.title,
        kind=offer.kind,
        diagnostics=list(offer.diagnostics) or None,
        is_preferred=offer.preferred or None,
    )
    if offer.disabled:
        action.disabled = types.CodeActionDisabled(offer.disabled)
        return action
    if offer.at_once or not _can_resolve(server):
        # Older clients: the command only starts the work, which then applies its own edit.
        command = COMMANDS[offer.do]
        action.command = types.Command(offer.title, command, arguments=[offer.data])
    if not offer.at_once:
        action.data = {"do": offer.do, **offer.data}
    return action


def _can_resolve(server: SQLScribeServer) -> bool:
    support = _capability(server)
    resolving = support.resolve_support if support else None
    return resolving is not None and "edit" in resolving.properties


def _can_disable(server: SQLScribeServer) -> bool:
    support = _capability(server)
    return bool(support and support.disabled_support)


def _capability(server: SQLScribeServer) -> types.CodeActionClientCapabilities | None:
    text_document = server.client_capabilities.text_document
    return text_document.code_action if text_document else None


def wanted(
    kind: types.CodeActionKind | str | None,
    only: Sequence[types.CodeActionKind | str] | None,
    *,
    named: bool = False,
) -> bool:
    """Whether actions of a kind are asked for; with ``named`` only if the editor names it."""
    if not only:
        return not named
    text = str(getattr(kind, "value", kind))
    asked = [str(getattr(item, "value", item)) for item in only]
    return any(item in ("", text) or text.startswith(f"{item}.") for item in asked)


def short(text: str) -> str:
    """A text as one line of a menu."""
    line = " ".join(text.split())
    return line if len(line) <= 60 else f"{line[:59]}…"
