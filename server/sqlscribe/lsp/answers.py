"""Running the route for a question in a document, and putting the answer where it belongs."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from lsprotocol import types

from sqlscribe.lsp import convert, hover, report
from sqlscribe.notation import asks
from sqlscribe.notation.asks import Question
from sqlscribe.notation.document import Position
from sqlscribe.session import request_for

if TYPE_CHECKING:
    from sqlscribe.answer import Answer
    from sqlscribe.lsp.server import SQLScribeServer

ANSWER_METHOD = "sqlscribe/answer"
ANSWER_COMMAND = "sqlscribe.answer"


@dataclass(frozen=True)
class Wanted:
    """A question of a document, as it was when its answer was asked for.

    ``stored`` is an answer that exists already and could not be placed when it came.
    """

    uri: str
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
    return Wanted(document.uri, question, bool(data.get("regenerate")), stored)


async def run(
    server: SQLScribeServer, asked: Wanted, token: types.ProgressToken | None = None
) -> Answer:
    """Answer a question with progress; the document may change meanwhile."""
    async with report.progress(server, "SQLScribe", token) as stage:
        stage("loading")
        document = server.session.documents[asked.uri]
        snapshot = await server.session.snapshot(document, asked.question)
        from sqlscribe import answer

        return await answer.answer(
            request_for(document, asked.question),
            snapshot,
            report=stage,
            regenerate=asked.regenerate,
        )


async def place(server: SQLScribeServer, asked: Wanted, sql: str) -> types.WorkspaceEdit | None:
    """The edit that puts ``sql`` under its question as the text stands now.

    ``None`` where the question is gone or was changed: the answer is kept for it, since the
    person may bring the question back.
    """
    document = server.session.documents.get(asked.uri)
    question = None
    if document is not None:
        script = await server.session.read_script(document)
        question = asks.find_again(asked.question, script)
    if document is None or question is None:
        server.unplaced[_key(asked.uri, asked.question)] = sql
        return None
    server.unplaced.pop(_key(asked.uri, asked.question), None)
    edit = asks.place(document, question, sql)
    return convert.workspace_edit(document, [edit], server.encoding)


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
    uri = params.textDocument.uri
    document = ls.session.documents.get(uri)
    if document is None:
        return None
    position = Position(params.position.line, params.position.character)
    script = await ls.session.read_script(document)
    question = hover.question_at(script, document.offset(position, ls.encoding))
    if question is None:
        return None
    asked = Wanted(uri, question, bool(getattr(params, "regenerate", False)))
    given = await run(ls, asked, getattr(params, "workDoneToken", None))
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
        return
    sql = asked.stored
    if sql is None:
        given = await run(server, replace(asked, stored=None))
        if note := sentence(given):
            (report.tell if given.outcome == "sql" else report.warn)(server, note)
        if given.outcome != "sql":
            return
        sql = given.sql
    edit = await place(server, asked, sql)
    if edit is None:
        report.warn(server, "the question changed meanwhile: run it again")
        return
    await server.workspace_apply_edit_async(types.ApplyWorkspaceEditParams(edit, "SQLScribe"))


def _key(uri: str, question: Question) -> tuple[str, str, str]:
    return (uri, question.kind, question.text)
