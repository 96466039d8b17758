"""``sqlscribe/run``: a query's rows from the configured database, whenever somebody asks."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lsprotocol import types
from pygls.exceptions import JsonRpcInvalidParams

from sqlscribe.errors import ConfigurationError, DatabaseError
from sqlscribe.lsp import targets
from sqlscribe.notation.asks import Script
from sqlscribe.notation.document import Span

if TYPE_CHECKING:
    from sqlscribe.lsp.server import SQLScribeServer
    from sqlscribe.schema.database.running import Rows
    from sqlscribe.sql_actions import Spot

METHOD = "sqlscribe/run"
OPTION = "results"
"""In ``initializationOptions``: true where the editor has a place for rows, and the command."""
COMMAND = "sqlscribe.editor.run"
"""The editor's own command: it asks with ``sqlscribe/run`` for its argument, and shows the rows."""
TITLE = "Run (read-only)"
_PARAMETERS = "{textDocument: {uri}, position: {line, character}}, or the target of a lens"


class Runs:
    """Who shows rows, and the one thread that waits for the database.

    One query at a time, and never in the threads that read files: a slow one holds up nobody.
    """

    def __init__(self) -> None:
        self.are_shown = False

    @cached_property
    def thread(self) -> ThreadPoolExecutor:
        return ThreadPoolExecutor(1, thread_name_prefix="sqlscribe-run")


def announces(options: object) -> bool:
    return isinstance(options, dict) and options.get(OPTION) is True


def is_offered(server: SQLScribeServer, root: Path | None) -> bool:
    """Whether the editor shows rows, and the folder lets queries be run."""
    loaded = server.session.known_now(root) if server.runs.are_shown else None
    if loaded is None:
        return False
    from sqlscribe.database_runs import refusal

    return not refusal(loaded.settings, server.session.client.trusted)


def actions(server: SQLScribeServer, script: Script, where: Span) -> Iterator[types.CodeAction]:
    """Running the query here, where that is offered; it begins once somebody chooses it."""
    if not is_offered(server, server.session.place(script.document.uri).root):
        return
    from sqlscribe.sql_actions import spot_at

    spot = spot_at(script, where)
    if spot is not None:
        command = types.Command(TITLE, COMMAND, arguments=[targets.spot_data(spot)])
        yield types.CodeAction(TITLE, kind=types.CodeActionKind.Empty, command=command)


async def run(ls: SQLScribeServer, params: Any) -> dict[str, Any]:
    """``{columns, rows, truncated, seconds, sql, question}`` of the query at a place.

    Values are what JSON keeps exactly; others are text. Where there are no rows the result is
    ``{problem, reason}``: a sentence, and a stable word for it. A cancelled request is answered
    at once.
    """
    data = _plain(params)
    if targets.document_uri(data) is None:
        raise JsonRpcInvalidParams(f"{METHOD} takes {_PARAMETERS}")
    script = await targets.script_of(ls, data)
    spot = targets.spot_of(ls, script, data) if script is not None else None
    if script is None or spot is None:
        return _problem("there is no query here", "no_query")
    about = {"sql": spot.sql, "question": spot.question.text if spot.question else ""}
    try:
        rows = await _rows(ls, spot)
    except DatabaseError as error:
        return {**_problem(str(error), error.kind), **about}
    except ConfigurationError as error:
        return {**_problem(str(error), "configuration"), **about}
    return {
        "columns": list(rows.columns),
        "rows": [list(row) for row in rows.rows],
        "truncated": rows.truncated,
        "seconds": rows.seconds,
        **about,
    }


async def _rows(server: SQLScribeServer, spot: Spot) -> Rows:
    from sqlscribe import database_runs
    from sqlscribe.schema.database.stopping import Stop

    root = server.session.place(spot.script.document.uri).root
    loaded = await server.session.load(root)
    if reason := database_runs.refusal(loaded.settings, server.session.client.trusted):
        raise ConfigurationError(reason)
    workspace = await server.session.workspace(root)
    dialect = spot.dialect or loaded.dialect
    stop = Stop()
    try:
        return await asyncio.get_running_loop().run_in_executor(
            server.runs.thread, database_runs.run, workspace, loaded, spot.sql, dialect, stop
        )
    except asyncio.CancelledError:
        # Asked in a thread of its own: a server may take its time to be told.
        threading.Thread(target=stop, daemon=True).start()
        raise


def _problem(sentence: str, reason: str) -> dict[str, Any]:
    return {"problem": f"{sentence[:1].upper()}{sentence[1:]}", "reason": reason}


def _plain(value: Any) -> Any:
    """Parameters as plain data; the library makes objects of those that it does not know."""
    fields = getattr(value, "_asdict", None)
    if fields is None:
        return value
    return {name: _plain(inner) for name, inner in fields().items()}
