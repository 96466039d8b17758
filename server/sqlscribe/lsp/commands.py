"""Everything a person can start: carried out on resolve, or by a command from any client.

A command takes one target (see ``targets``), starts its work as a task of its own and returns
at once; the work ends in an edit that the editor is asked to make.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any

from lsprotocol import types

from sqlscribe.lsp import answers, inline_completion, preview, report, saving, staleness, statements
from sqlscribe.lsp.work import Done, apply, tell

if TYPE_CHECKING:
    from sqlscribe.lsp.server import SQLScribeServer

Work = Callable[["SQLScribeServer", Any], Awaitable[Done]]

WORK: dict[str, Work] = {
    "answer": answers.work,
    "save": saving.work,
    "accept": staleness.accept,
    "taken": inline_completion.taken,
    "preview": preview.work,
    "explain": statements.explain,
    "question": statements.question,
    "convert": statements.convert,
    "format": statements.format_sql,
}
COMMANDS = {
    "answer": "sqlscribe.answer",
    "save": "sqlscribe.saveExample",
    "accept": "sqlscribe.acceptAnswer",
    "taken": inline_completion.COMMAND,
    "preview": preview.COMMAND,
    "explain": "sqlscribe.explain",
    "question": "sqlscribe.writeQuestion",
    "convert": "sqlscribe.convert",
    "format": "sqlscribe.format",
}
CANCEL = "sqlscribe.cancel"


async def resolve(ls: SQLScribeServer, action: types.CodeAction) -> types.CodeAction:
    """Carry out an action: the edit for the text as it is now."""
    data = action.data if isinstance(action.data, dict) else {}
    work = WORK.get(str(data.get("do")))
    if work is None:
        # A quick fix, which some editors resolve although it has its edit.
        return action
    done = await work(ls, data)
    tell(ls, done)
    if done.data:
        action.data = {**data, **done.data}
    action.edit = done.edit
    return action


def start(server: SQLScribeServer, do: str, data: Any) -> None:
    """Start the work of a command as a task, which its progress can cancel.

    A command handler could not be cancelled, so the work is not done there.
    """

    async def carry_out() -> None:
        await apply(server, await WORK[do](server, data))

    server.spawn(carry_out())


def cancel(server: SQLScribeServer) -> None:
    """End all answers that are under way."""
    if not server.queue.cancel():
        report.tell(server, "nothing is being answered")


def register(server: SQLScribeServer) -> None:
    """Bind every command."""
    for do, name in COMMANDS.items():
        server.command(name)(_starter(do))
    server.command(CANCEL)(_cancel)


# The library gives the server to a first parameter of this name, and takes the others as the
# client sent them.


def _starter(do: str) -> Callable[..., None]:
    def started(ls: Any, *arguments: Any) -> None:
        start(ls, do, arguments[0] if arguments else None)

    return started


def _cancel(ls: Any, *_: Any) -> None:
    cancel(ls)
