"""Work on one statement: explain it, find its question, convert it, format it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from sqlscribe.errors import ConfigurationError
from sqlscribe.lsp import report, targets
from sqlscribe.lsp.edits import edit_of
from sqlscribe.lsp.work import Done

if TYPE_CHECKING:
    from sqlscribe.answer_queue import Report
    from sqlscribe.lsp.server import SQLScribeServer
    from sqlscribe.sql_actions import Change, Spot
    from sqlscribe.sql_prose import Task, Told

GONE = "the statement changed meanwhile, or there is none here"


async def explain(server: SQLScribeServer, data: Any) -> Done:
    """An explanation from the model, as a comment above the statement."""
    from sqlscribe.sql_actions import Change, explanation_edit

    return await _in_words(
        server, data, "explain", lambda spot, words: Change((explanation_edit(spot, words),))
    )


async def question(server: SQLScribeServer, data: Any) -> Done:
    """The question that a statement answers, from the model, as a comment above it."""
    from sqlscribe.sql_actions import question_edit

    return await _in_words(server, data, "question", question_edit)


async def convert(server: SQLScribeServer, data: Any) -> Done:
    """The statement in the dialect ``data["to"]``."""
    from sqlscribe.notation.lexicon import dialect_named
    from sqlscribe.sql_actions import convert_change

    to = dialect_named(str(data.get("to", ""))) if isinstance(data, dict) else None
    if not to:
        return Done(problem="which dialect? The command takes it as to")

    async def change(spot: Spot) -> Change:
        root = server.session.place(spot.script.document.uri).root
        schema = (await server.session.known(root)).schema
        return await asyncio.to_thread(convert_change, spot, to, schema, server.rewrites)

    return await _changed(server, data, change)


async def format_sql(server: SQLScribeServer, data: Any) -> Done:
    """The statement laid out in lines."""
    from sqlscribe.sql_actions import format_change

    async def change(spot: Spot) -> Change:
        made = await asyncio.to_thread(format_change, spot, server.rewrites)
        return await _with_origin(server, spot, made) if made.edits else made

    return await _changed(server, data, change)


async def _with_origin(server: SQLScribeServer, spot: Spot, change: Change) -> Change:
    """The change, and what is known about where the answer came from along with it."""
    from sqlscribe.answer_places import restamped

    root = server.session.place(spot.script.document.uri).root
    loaded = server.session.known_now(root)
    if spot.question is None or loaded is None:
        return change
    origins = server.session.origins(root)
    new = change.edits[0].text
    record = await asyncio.to_thread(origins.follow, spot.script, spot.question, new, loaded)
    stamp = restamped(spot.script, spot.question, record) if record is not None else None
    return change if stamp is None else replace(change, edits=(*change.edits, stamp))


async def _changed(
    server: SQLScribeServer, data: Any, change: Callable[[Spot], Awaitable[Change]]
) -> Done:
    spot = await _spot(server, data)
    return Done(problem=GONE) if spot is None else _done(server, spot, await change(spot))


async def _in_words(
    server: SQLScribeServer, data: Any, task: Task, edit: Callable[[Spot, str], Change]
) -> Done:
    spot = await _spot(server, data)
    if spot is None:
        return Done(problem=GONE)
    told = await _tell(server, spot, task)
    if told.problem:
        return Done(problem=told.problem)
    # The text may have changed while the model was asked.
    again = await _spot(server, targets.spot_data(spot))
    return Done(problem=GONE) if again is None else _done(server, again, edit(again, told.words))


async def _tell(server: SQLScribeServer, spot: Spot, task: Task) -> Told:
    from sqlscribe.answer_progress import Following
    from sqlscribe.sql_prose import Told, tell

    document = spot.script.document
    asked = spot.question.chain if spot.question is not None else ()
    words = "\n".join(turn.text for turn in asked)

    async def work(stage: Report) -> Told:
        following = Following(stage, asyncio.get_running_loop().time)
        following.stage("loading")
        try:
            snapshot = await server.session.snapshot(document, spot.question)
        except ConfigurationError as error:
            return Told(problem=str(error))
        return await tell(task, spot.sql, words, following.of(snapshot), following.stage)

    async with report.progress(server, "SQLScribe") as stage:
        told: Told = await server.queue.join((document.uri, task, spot.print), work, stage)
    return told


async def _spot(server: SQLScribeServer, data: Any) -> Spot | None:
    script = await targets.script_of(server, data)
    return None if script is None else targets.spot_of(server, script, data)


def _done(server: SQLScribeServer, spot: Spot, change: Change) -> Done:
    if not change.edits:
        return Done(problem=change.reason)
    document = spot.script.document
    return Done(edit_of(server, document, change.edits), note=change.remark)
