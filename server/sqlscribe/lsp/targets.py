"""What a request is about, found in the text as it stands now.

A target is plain data, so that actions, lenses and commands can carry it: a question by its
words, a statement by its fingerprint, or a position in a document.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lsprotocol import types

from sqlscribe.lsp import convert
from sqlscribe.notation.asks import Question, Script
from sqlscribe.notation.document import Document, Position, Span

if TYPE_CHECKING:
    from sqlscribe.lsp.server import SQLScribeServer
    from sqlscribe.sql_actions import Spot

Data = dict[str, Any]


def question_data(document: Document, question: Question, **more: Any) -> Data:
    """A question as a target."""
    found = {"kind": question.kind, "text": question.text, "ordinal": question.ordinal}
    return {"uri": document.uri, **found, "identity": question.identity_fingerprint, **more}


def spot_data(spot: Spot, **more: Any) -> Data:
    """A statement as a target."""
    uri = spot.script.document.uri
    return {"uri": uri, "statement": spot.print, "index": spot.index, **more}


def document_of(server: SQLScribeServer, data: Any) -> Document | None:
    """The open document of a target; also in the form of ``{textDocument: {uri}, position}``."""
    uri = document_uri(data)
    return server.session.documents.get(spelled(server, uri)) if uri is not None else None


def spelled(server: SQLScribeServer, uri: str) -> str:
    """The URI under which the editor opened the document that it names now."""
    return server.session.spelled(uri, convert.path_of(uri))


def document_uri(data: Any) -> str | None:
    """The URI that a target names, ``None`` for what is no target."""
    if not isinstance(data, dict):
        return None
    named = data.get("textDocument")
    uri = data.get("uri") or (named.get("uri") if isinstance(named, dict) else None)
    return uri if isinstance(uri, str) else None


async def script_of(server: SQLScribeServer, data: Any) -> Script | None:
    """The document of a target as it is read once its folder's dialect is known."""
    document = document_of(server, data)
    if document is None:
        return None
    await server.session.known(server.session.place(document.uri).root)
    # It may have changed while the folder was read.
    document = document_of(server, data) or document
    return await server.session.read_script(document)


def question_of(server: SQLScribeServer, script: Script, data: Data) -> Question | None:
    """The question of a target: of equal ones the same, at a position the one it touches."""
    if "position" in data:
        where = _place(server, script.document, data)
        touched = [each for each in script.questions if where and touches(each, where)]
        return touched[0] if touched else None
    same = [
        question
        for question in script.questions
        if question.kind == data.get("kind") and question.text == data.get("text")
    ]
    # Two may have the same words, and follow on different questions: "by region". What one
    # follows on may have been reworded since.
    identity = data.get("identity")
    same = [each for each in same if each.identity_fingerprint == identity] or same
    ordinal = data.get("ordinal")
    return next((each for each in same if each.ordinal == ordinal), same[0] if same else None)


def spot_of(server: SQLScribeServer, script: Script, data: Data) -> Spot | None:
    """The statement of a target; for a question the one that answers it."""
    from sqlscribe import sql_actions

    named, index = data.get("statement"), data.get("index")
    if isinstance(named, str):
        return sql_actions.spot_again(script, named, index if isinstance(index, int) else 0)
    if "position" in data:
        where = _place(server, script.document, data)
        spot = sql_actions.spot_at(script, where) if where else None
        if spot is not None:
            return spot
    question = question_of(server, script, data)
    if question is None or question.answer is None:
        return None
    end = question.answer.end
    return sql_actions.spot_at(script, Span(end, end))


def question_near(script: Script, offset: int) -> Question | None:
    """The question whose comment holds an offset, else the one whose answer does."""
    where = Span(offset, offset)
    touched = (each for each in script.questions if touches(each, where))
    return script.question_at(offset) or next(touched, None)


def touches(question: Question, where: Span) -> bool:
    """Whether a range touches a question's comment, or the answer that stands under it."""
    if where.start <= question.span.end and question.span.start <= where.end:
        return True
    answer = question.answer
    return (
        question.kind == "ask"
        and answer is not None
        and where.start <= answer.end
        and answer.start <= where.end
    )


def _place(server: SQLScribeServer, document: Document, data: Data) -> Span | None:
    place = data["position"]
    if isinstance(place, types.Position):
        line, character = place.line, place.character
    else:
        try:
            line, character = int(place["line"]), int(place["character"])
        except (KeyError, TypeError, ValueError, OverflowError):
            return None
    at = document.offset(Position(line, character), server.encoding)
    return Span(at, at)
