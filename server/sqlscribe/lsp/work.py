"""What comes of a piece of work: an edit, and what the person is to be told."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from lsprotocol import types
from pygls.exceptions import JsonRpcException

from sqlscribe.lsp import report

if TYPE_CHECKING:
    from sqlscribe.lsp.server import SQLScribeServer


@dataclass
class Done:
    """``note`` is news, ``problem`` says why there is no edit, or that something went wrong.

    ``not_taken`` is called where the editor does not make the edit. ``data`` is for clients
    that show more.
    """

    edit: types.WorkspaceEdit | None = None
    note: str = ""
    problem: str = ""
    data: dict[str, Any] = field(default_factory=dict)
    not_taken: Callable[[], None] | None = None


def tell(server: SQLScribeServer, done: Done) -> None:
    """Tell the person what there is to tell."""
    if done.problem:
        report.warn(server, done.problem)
    if done.note:
        report.tell(server, done.note)


async def apply(server: SQLScribeServer, done: Done) -> None:
    """Ask the editor to make the edit, and tell the rest."""
    tell(server, done)
    if done.edit is None:
        return
    try:
        result = await server.workspace_apply_edit_async(
            types.ApplyWorkspaceEditParams(done.edit, "SQLScribe")
        )
    except JsonRpcException as error:
        result = types.ApplyWorkspaceEditResult(False, str(error))
    if result.applied:
        return
    if done.not_taken is not None:
        done.not_taken()
    else:
        reason = f": {result.failure_reason}" if result.failure_reason else ""
        report.warn(server, f"the editor did not make the change{reason}")
