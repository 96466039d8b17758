"""Running the route for a question in a document, and putting the answer where it belongs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from lsprotocol import types
from pygls.exceptions import JsonRpcInvalidParams

from sqlscribe.errors import ConfigurationError
from sqlscribe.lsp import convert, report
from sqlscribe.notation import asks
from sqlscribe.notation.asks import Question
from sqlscribe.notation.document import Document, Position
from sqlscribe.session import request_for

if TYPE_CHECKING:
    from sqlscribe.answer import Answer
    from sqlscribe.lsp.server import SQLScribeServer

ANSWER_METHOD = "sqlscribe/answer"
ANSWER_COMMAND = "sqlscribe.answer"
CHANGED = "the question changed meanwhile: run it again, or use the stored answer"
_PARAMETERS = "{textDocument: {uri}, position: {line, character}}"
_KEPT = 200
"""Answers that are kept for questions that changed."""


@dataclass(frozen=True)
class Wanted:
    """A question of a document, as both were when its answer was asked for.

    ``stored`` is an answer that exists already and could not be placed when it came.
    """

    document: Document
    question: Question
    regenerate: bool = False
    stored: str | None = None


async def wanted(server: SQLScribeServer, data: Any) -> Wanted | None:
    """The question that a code action was offered for, found in the text as it is now."""
    if not isinstance(data, dict) or not isinstance(data.get("uri"), str):
        return None
    document = server.session.documents.get(data["uri"])
    if document is None:
        return None
    same = [
        question
        for question in (await server.session.read_script(document)).questions
        if question.kind == data.get("kind") and question.text == data.get("text")
    ]
    if not same:
        return None
    ordinal = data.get("ordinal")
    question = next((other for other in same if other.ordinal == ordinal), same[0])
    stored = kept(server, document.uri, question) if data.get("stored") else None
    return Wanted(document, question, bool(data.get("regenerate")), stored)


async def run(
    server: SQLScribeServer, asked: Wanted, token: types.ProgressToken | None = None
) -> Answer:
    """Answer a question with progress; the document may change meanwhile."""
    async with report.progress(server, "SQLScribe", token) as stage:
        stage("loading")
        from sqlscribe import answer

        try:
            snapshot = await server.session.snapshot(asked.document, asked.question)
        except ConfigurationError as error:
            return answer.Answer("failed", message=str(error), error="configuration")
        return await answer.answer(
            request_for(asked.document, asked.question),
            snapshot,
            report=stage,
            regenerate=asked.regenerate,
        )


async def place(server: SQLScribeServer, asked: Wanted, sql: str) -> types.WorkspaceEdit | None:
    """The edit that puts ``sql`` under its question as the text stands now.

    ``None`` where the question is gone or was changed: the answer is kept for it, since the
    person may bring the question back.
    """
    uri = asked.document.uri
    while (document := server.session.documents.get(uri)) is not None:
        script = await server.session.read_script(document)
        if server.session.documents.get(uri) is not document:
            # It was edited while a large one was read.
            continue
        question = asks.find_again(asked.question, script)
        if question is None:
            break
        server.unplaced.pop(_key(uri, asked.question), None)
        edit = asks.place(document, question, sql)
        return convert.workspace_edit(document, [edit], server.encoding)
    _keep(server, asked, sql)
    return None


def _keep(server: SQLScribeServer, asked: Wanted, sql: str) -> None:
    """Keep an answer for its question; of too many the oldest is forgotten."""
    server.unplaced[_key(asked.document.uri, asked.question)] = sql
    if len(server.unplaced) > _KEPT:
        del server.unplaced[next(iter(server.unplaced))]


def kept(server: SQLScribeServer, uri: str, question: Question) -> str | None:
    """An answer to exactly this question that could not be placed when it came."""
    return server.unplaced.get(_key(uri, question))


def sentence(answer: Answer) -> str:
    """What the person should read about an answer, or ``""`` where the SQL says it all."""
    parts = [answer.message] if answer.message else []
    if answer.choices:
        parts.append(" | ".join(answer.choices))
    return "; ".join([*parts, *answer.warnings])


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


def start(server: SQLScribeServer, data: dict[str, Any]) -> None:
    """The command of clients that cannot resolve: starts the work and returns at once.

    The work is a task of its own, which the progress can cancel; a command handler could not
    be cancelled.
    """
    server.spawn(_answer_and_apply(server, data))


async def _answer_and_apply(server: SQLScribeServer, data: dict[str, Any]) -> None:
    asked = await wanted(server, data)
    if asked is None:
        report.warn(server, CHANGED)
        return
    sql = asked.stored
    if sql is None:
        given = await run(server, asked)
        if note := sentence(given):
            (report.tell if given.outcome == "sql" else report.warn)(server, note)
        if given.outcome != "sql":
            return
        sql = given.sql
    edit = await place(server, asked, sql)
    if edit is None:
        report.warn(server, CHANGED)
        return
    done = await server.workspace_apply_edit_async(
        types.ApplyWorkspaceEditParams(edit, "SQLScribe")
    )
    if not done.applied:
        _keep(server, asked, sql)
        report.warn(server, CHANGED)


def _key(uri: str, question: Question) -> tuple[str, str, str]:
    return (uri, question.kind, question.text)
