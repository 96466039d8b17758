"""Running the route for a question in a document, and putting the answer where it belongs."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from lsprotocol import types
from pygls.exceptions import JsonRpcInvalidParams

from sqlscribe.errors import ConfigurationError
from sqlscribe.lsp import convert, report, targets
from sqlscribe.lsp.work import Done
from sqlscribe.notation.asks import Question, Script
from sqlscribe.notation.document import Document, Position
from sqlscribe.session import request_for

if TYPE_CHECKING:
    from sqlscribe.answer import Answer
    from sqlscribe.answer_places import Asked
    from sqlscribe.answer_queue import Report
    from sqlscribe.lsp.server import SQLScribeServer
    from sqlscribe.sql_actions import Spot

ANSWER_METHOD = "sqlscribe/answer"
CHANGED = "the question changed meanwhile: run it again, or use the stored answer"
_PARAMETERS = "{textDocument: {uri}, position: {line, character}}"
_KEPT = 200
"""Answers that are kept for questions that changed."""


@dataclass(frozen=True)
class Wanted:
    """A question of a document, as both were when its answer was asked for.

    ``stored`` is an answer that exists already and could not be placed when it came.
    ``reading`` is a line that the question gets with its answer. ``spot`` is the statement to
    repair where no comment of the document asks for that.
    """

    document: Document
    question: Question
    regenerate: bool = False
    stored: str | None = None
    reading: str = ""
    spot: Spot | None = None

    @property
    def key(self) -> tuple[object, ...]:
        """What makes it the same question, of which one answer is made at a time."""
        statement = self.spot.print if self.spot is not None else ""
        return (self.document.uri, *self.question.identity, self.reading, statement)


async def wanted(server: SQLScribeServer, data: Any) -> Wanted | None:
    """The question that a code action was offered for, found in the text as it is now."""
    script = await targets.script_of(server, data)
    if script is None:
        return None
    document = script.document
    error = data.get("error")
    if isinstance(error, str):
        spot = targets.spot_of(server, script, data)
        if spot is None:
            return None
        from sqlscribe.answer_places import repair_of

        return Wanted(document, repair_of(spot, error), spot=spot)
    question = targets.question_of(server, script, data)
    if question is None:
        return None
    stored = kept(server, document.uri, question) if data.get("stored") else None
    reading = data.get("reading")
    regenerate = bool(data.get("regenerate"))
    return Wanted(document, question, regenerate, stored, reading if reading else "")


async def run(
    server: SQLScribeServer, asked: Wanted, token: types.ProgressToken | None = None
) -> Answer:
    """Answer a question with progress; the document may change meanwhile.

    Where the same question is being answered already, that answer is waited for.
    """
    async with report.progress(server, "SQLScribe", token) as stage:
        given: Answer = await server.queue.join(
            asked.key, lambda tell: _answer(server, asked, tell), stage
        )
    key = _key(asked.document.uri, asked.question)
    if given.outcome == "needs_choice" and given.choices:
        _put(server.choices, key, given.choices)
    else:
        server.choices.pop(key, None)
    return given


async def _answer(server: SQLScribeServer, asked: Wanted, tell: Report) -> Answer:
    tell("loading")
    from sqlscribe import answer, answer_places

    try:
        read = await asyncio.to_thread(answer_places.with_reading, _place_of(asked), asked.reading)
        snapshot = await server.session.snapshot(asked.document, read.question)
    except ConfigurationError as error:
        return answer.Answer("failed", message=str(error), error="configuration")
    request = request_for(read.document, read.question)
    given = await answer.answer(request, snapshot, report=tell, regenerate=asked.regenerate)
    if given.outcome == "sql":
        origins = server.session.origins(server.session.place(asked.document.uri).root)
        record = answer_places.record_of(read.question, given, snapshot)
        await asyncio.to_thread(origins.put, record)
    return given


def _place_of(asked: Wanted) -> Asked:
    from sqlscribe.answer_places import Asked

    return Asked(asked.document, asked.question, asked.spot)


async def place(server: SQLScribeServer, asked: Wanted, sql: str) -> types.WorkspaceEdit | None:
    """The edit that puts ``sql`` under its question as the text stands now.

    ``None`` where the question is gone or was changed: the answer is kept for it, since the
    person may bring the question back.
    """
    from sqlscribe import answer_places

    uri = asked.document.uri
    while (document := server.session.documents.get(uri)) is not None:
        script = await server.session.read_script(document)
        if server.session.documents.get(uri) is not document:
            # It was edited while a large one was read.
            continue
        stamp = _stamp(server, uri, script, asked, sql)
        edits = answer_places.edits(_place_of(asked), script, sql, asked.reading, stamp)
        if edits is None:
            break
        server.unplaced.pop(_key(uri, asked.question), None)
        return convert.workspace_edit(document, edits, server.encoding)
    keep(server, asked, sql)
    return None


def _stamp(server: SQLScribeServer, uri: str, script: Script, asked: Wanted, sql: str) -> str:
    """What tells under the answer where it came from, if that is wanted."""
    root = server.session.place(uri).root
    loaded = server.session.known_now(root)
    if loaded is None or not loaded.settings.stamp:
        return ""
    from sqlscribe import answer_places

    question = answer_places.with_reading(_place_of(asked), asked.reading).question
    return answer_places.stamp_of(server.session.origins(root), question, sql)


def keep(server: SQLScribeServer, asked: Wanted, sql: str) -> None:
    """Keep an answer for its question; of too many the oldest is forgotten."""
    _put(server.unplaced, _key(asked.document.uri, asked.question), sql)


def kept(server: SQLScribeServer, uri: str, question: Question) -> str | None:
    """An answer to exactly this question that could not be placed when it came."""
    return server.unplaced.get(_key(uri, question))


def choices(server: SQLScribeServer, uri: str, question: Question) -> tuple[str, ...]:
    """The readings that the model saw in exactly this question, when it was last asked."""
    return server.choices.get(_key(uri, question), ())


def sentence(answer: Answer) -> str:
    """What the person should read about an answer, or ``""`` where the SQL says it all."""
    parts = [answer.message] if answer.message else []
    if answer.choices:
        parts.append(" | ".join(answer.choices))
        parts.append("the code actions on the question ask one of them")
    return "; ".join([*parts, *answer.warnings])


async def work(server: SQLScribeServer, data: Any) -> Done:
    """Answer the question of a target; the edit, and what the person is to be told."""
    asked = await wanted(server, data)
    if asked is None:
        return Done(problem=CHANGED)
    if asked.stored is not None:
        return await _placed(server, asked, asked.stored, Done())
    given = await run(server, asked)
    # For clients that show more than the edit: outcome, findings, provenance.
    done = Done(data={"answer": as_json(given)})
    if given.outcome != "sql":
        done.problem = sentence(given)
        return done
    done.note = sentence(given)
    return await _placed(server, asked, given.sql, done)


async def _placed(server: SQLScribeServer, asked: Wanted, sql: str, done: Done) -> Done:
    done.edit = await place(server, asked, sql)
    if done.edit is None:
        done.problem, done.note = CHANGED, ""
        return done

    def not_taken() -> None:
        keep(server, asked, sql)
        report.warn(server, CHANGED)

    done.not_taken = not_taken
    return done


async def answer(ls: SQLScribeServer, params: Any) -> dict[str, Any] | None:
    """``sqlscribe/answer``: ``{textDocument, position, regenerate?, workDoneToken?}``.

    The result has the shape of ``sqlscribe ask --json`` and an ``edit``, which is ``null``
    where there is nothing to insert. ``null`` where no question stands at the position.
    """
    try:
        uri = params.textDocument.uri
        position = Position(int(params.position.line), int(params.position.character))
    except (AttributeError, TypeError, ValueError, OverflowError):
        raise JsonRpcInvalidParams(f"{ANSWER_METHOD} takes {_PARAMETERS}") from None
    document = ls.session.documents.get(uri) if isinstance(uri, str) else None
    if document is None:
        return None
    script = await ls.session.read_script(document)
    question = script.question_at(document.offset(position, ls.encoding))
    if question is None:
        return None
    asked = Wanted(document, question, bool(getattr(params, "regenerate", False)))
    token = getattr(params, "workDoneToken", None)
    given = await run(ls, asked, token if isinstance(token, int | str) else None)
    result = as_json(given)
    edit = await place(ls, asked, given.sql) if given.outcome == "sql" else None
    result["edit"] = ls.protocol.plain(edit) if edit is not None else None
    return result


def as_json(answer: Answer) -> dict[str, Any]:
    from sqlscribe import contract

    return contract.answer_json(answer)


def _put(kept: dict[tuple[str, str, str], Any], key: tuple[str, str, str], value: Any) -> None:
    kept.pop(key, None)
    kept[key] = value
    if len(kept) > _KEPT:
        del kept[next(iter(kept))]


def _key(uri: str, question: Question) -> tuple[str, str, str]:
    return (uri, question.kind, question.text)
