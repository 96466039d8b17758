"""Running the route for a question in a document, and putting the answer where it belongs."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

from lsprotocol import types
from pygls.exceptions import JsonRpcInvalidParams

from sqlscribe.answer_queue import Report, Stage
from sqlscribe.errors import ConfigurationError
from sqlscribe.lsp import report, targets
from sqlscribe.lsp.edits import edit_of
from sqlscribe.lsp.work import Done
from sqlscribe.notation.asks import Question, Script
from sqlscribe.notation.document import Document, Position
from sqlscribe.session import request_for

if TYPE_CHECKING:
    from sqlscribe.answer import Answer
    from sqlscribe.answer_places import Asked
    from sqlscribe.answer_record import Recorder
    from sqlscribe.lsp.server import SQLScribeServer
    from sqlscribe.sql_actions import Spot
    from sqlscribe.trace import Trace

ANSWER_METHOD = "sqlscribe/answer"
CHANGED = "the question changed meanwhile: run it again, or use the stored answer"
WRITTEN = "the SQL of the question changed meanwhile, and stays: Use stored answer replaces it"
DIALECT = "the dialect changed meanwhile: run it again, or use the stored answer"
CLOSED = "the document was closed meanwhile: the answer is kept for its question"
_PARAMETERS = "{textDocument: {uri}, position: {line, character}}"
Key = tuple[str, tuple[object, ...]]
"""A question of a document: its URI and the question's identity."""
_KEPT = 200
"""Answers that are kept for questions that changed."""


def _unwatched(stage: Stage) -> None:
    """What is told where nobody watches."""


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
        asked = (*self.question.identity, self.question.dialect, self.reading)
        return (self.document.uri, *asked, statement)


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
    server: SQLScribeServer,
    asked: Wanted,
    token: types.ProgressToken | None = None,
    *,
    unbidden: bool = False,
    watch: Report = _unwatched,
) -> Answer:
    """Answer a question with progress; the document may change meanwhile.

    Where the same question is being answered already, that answer is waited for. ``unbidden``:
    nobody has asked for it, and its progress stays in the background.
    """
    async with report.progress(server, "SQLScribe", token, cancellable=not unbidden) as show:

        def told(stage: Stage) -> None:
            show(stage)
            watch(stage)

        async def joined() -> Answer:
            work = partial(_answer, server, asked)
            given: Answer = await server.queue.join(asked.key, work, told)
            return given

        was_running = server.queue.stage(asked.key) is not None
        given = await joined()
        known = given.source in ("stored", "verified")
        if was_running and asked.regenerate and (known or given.withheld):
            # It was begun for somebody who did not ask for a new one.
            given = await joined()
    server.status.answered(given)
    key = _key(asked.document.uri, asked.question)
    if given.outcome == "needs_choice" and given.choices:
        _put(server.choices, key, given.choices)
    else:
        server.choices.pop(key, None)
    if given.withheld:
        _put(server.withheld, key, True)
    else:
        server.withheld.pop(key, None)
    return given


async def _answer(server: SQLScribeServer, asked: Wanted, tell: Report) -> Answer:
    tell(Stage("loading"))
    from sqlscribe import answer, answer_places
    from sqlscribe.answer_progress import Following
    from sqlscribe.trace import Trace

    trace = Trace()
    trace.stage("loading")
    following = Following(tell, asyncio.get_running_loop().time)
    try:
        read = await asyncio.to_thread(answer_places.with_reading, _place_of(asked), asked.reading)
        snapshot = await server.session.snapshot(asked.document, read.question)
    except ConfigurationError as error:
        return answer.Answer("failed", message=str(error), error="configuration")
    server.log.follow_settings()
    request = request_for(read.document, read.question)
    recorder = await _recorder(server, asked, trace)
    given = await recorder.answer(
        request,
        following.of(snapshot),
        report=following.stage,
        regenerate=asked.regenerate,
    )
    if given.outcome == "sql":
        origins = server.session.origins(server.session.place(asked.document.uri).root)
        record = answer_places.record_of(read.question, given, snapshot)
        await asyncio.to_thread(origins.put, record)
    return replace(given, dialect=snapshot.dialect)


async def _recorder(server: SQLScribeServer, asked: Wanted, trace: Trace) -> Recorder:
    """Where the answer is noted, and who is told of it."""
    from sqlscribe.answer_record import Recorder, place_in

    document, question = asked.document, asked.question
    place = server.session.place(document.uri)
    workspace = await server.session.workspace(place.root)
    file, line = place_in(place.root, place.path, document, question)
    redact = await asyncio.to_thread(workspace.redactor)
    hear = server.log.answered
    return Recorder(workspace.history, question.text, file, line, redact, hear, trace)


def _place_of(asked: Wanted) -> Asked:
    from sqlscribe.answer_places import Asked

    return Asked(asked.document, asked.question, asked.spot)


async def place(
    server: SQLScribeServer, asked: Wanted, sql: str, dialect: str = ""
) -> types.WorkspaceEdit | None:
    """The edit that puts ``sql`` under its question as the text stands now.

    ``None`` where the question is gone or was changed, or other SQL was written under it, or
    ``dialect``, in which it was checked, is not the question's any more: the answer is kept for
    the question, since the person may bring it back.
    """
    from sqlscribe import answer_places

    uri = asked.document.uri
    is_model = await asyncio.to_thread(server.session.is_model, uri)
    while (document := server.session.documents.get(uri)) is not None:
        script = await server.session.read_script(document)
        if server.session.documents.get(uri) is not document:
            # It was edited while a large one was read.
            continue
        if _is_other(asked, script, dialect):
            break
        stamp = _stamp(server, uri, script, asked, sql)
        edits = answer_places.edits(
            _place_of(asked), script, sql, asked.reading, stamp, is_model=is_model
        )
        if edits is None:
            break
        key = _key(uri, asked.question)
        server.unplaced.pop(key, None)
        texts = tuple(document.outward(edit).text for edit in edits)
        _put(server.handed, key, (sql, texts))
        return edit_of(server, document, edits)
    keep(server, asked, sql)
    return None


def _is_other(asked: Wanted, script: Script, dialect: str) -> bool:
    """Whether an answer in ``dialect`` would be in another one now; ``""`` is any."""
    now = dict(asked.question.options).get("dialect") or script.dialect
    return bool(dialect and now and dialect != now)


async def _no_place(server: SQLScribeServer, asked: Wanted, dialect: str) -> str:
    """Why an answer was not placed."""
    document = server.session.documents.get(asked.document.uri)
    if document is None:
        return CLOSED
    from sqlscribe.notation.asks import find_again

    script = await server.session.read_script(document)
    if _is_other(asked, script, dialect):
        return DIALECT
    return WRITTEN if asked.spot is None and find_again(asked.question, script) else CHANGED


def seen(server: SQLScribeServer, uri: str) -> None:
    """What came of the edits that were handed over, now that a document is another one.

    An editor refuses an edit where the text has changed while it was under way, and tells
    nobody: such an answer is kept for its question too.
    """
    handed = [key for key in server.handed if key[0] == uri]
    document = server.session.documents.get(uri) if handed else None
    # Line ends and indents may be the editor's own.
    text = " ".join(document.host.text.split()) if document is not None else ""
    for key in handed:
        sql, inserted = server.handed.pop(key)
        if not all(" ".join(each.split()) in text for each in inserted):
            _put(server.unplaced, key, sql)


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


def is_withheld(server: SQLScribeServer, uri: str, question: Question) -> bool:
    """Whether there would be an answer to exactly this question for who insists on it."""
    return _key(uri, question) in server.withheld


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
        done.problem = "; ".join([sentence(given), *server.session.remarks(asked.document.uri)])
        return done
    done.note = sentence(given)
    return await _placed(server, asked, given.sql, done, given.dialect)


async def _placed(
    server: SQLScribeServer, asked: Wanted, sql: str, done: Done, dialect: str = ""
) -> Done:
    done.edit = await place(server, asked, sql, dialect)
    if done.edit is None:
        done.problem, done.note = await _no_place(server, asked, dialect), ""
        return done

    def not_taken() -> None:
        keep(server, asked, sql)
        report.warn(server, CHANGED)

    done.not_taken = not_taken
    return done


async def answer(ls: SQLScribeServer, params: Any) -> dict[str, Any] | None:
    """``sqlscribe/answer``: ``{textDocument, position, regenerate?, workDoneToken?,
    partialResultToken?}``.

    Under the latter come ``{stage, tokens, sql}`` by ``$/progress``: the SQL as the model writes
    it, to watch and not to use, since nothing has checked it.
    The result has the shape of ``sqlscribe ask --json`` and an ``edit``, which is ``null``
    where there is nothing to insert. ``null`` where no question stands at the position.
    """
    try:
        uri = params.textDocument.uri
        position = Position(int(params.position.line), int(params.position.character))
    except (AttributeError, TypeError, ValueError, OverflowError):
        raise JsonRpcInvalidParams(f"{ANSWER_METHOD} takes {_PARAMETERS}") from None
    script = await targets.script_of(ls, {"uri": uri})
    if script is None:
        return None
    document = script.document
    question = targets.question_near(script, document.offset(position, ls.encoding))
    if question is None:
        return None
    asked = Wanted(document, question, bool(getattr(params, "regenerate", False)))
    token = getattr(params, "workDoneToken", None)
    given = await run(
        ls,
        asked,
        token if isinstance(token, int | str) else None,
        watch=_teller(ls, getattr(params, "partialResultToken", None)),
    )
    result = as_json(given)
    edit = await place(ls, asked, given.sql, given.dialect) if given.outcome == "sql" else None
    result["edit"] = ls.protocol.plain(edit) if edit is not None else None
    return result


def _teller(server: SQLScribeServer, token: object) -> Report:
    """What tells a client that wants to watch about each stage."""
    if not isinstance(token, int | str):
        return _unwatched
    from sqlscribe.checking.extraction.partial import sql_so_far

    sql = ""

    def tell(stage: Stage) -> None:
        nonlocal sql
        # It stays to be seen until there is another one.
        sql = sql_so_far(stage.reply) or sql
        value = {"stage": stage.name, "tokens": stage.tokens, "sql": sql}
        server.protocol.notify(types.PROGRESS, types.ProgressParams(token, value))

    return tell


def as_json(answer: Answer) -> dict[str, Any]:
    from sqlscribe import contract

    return contract.answer_json(answer)


def _put(kept: dict[Key, Any], key: Key, value: Any) -> None:
    kept.pop(key, None)
    kept[key] = value
    if len(kept) > _KEPT:
        del kept[next(iter(kept))]


def _key(uri: str, question: Question) -> Key:
    return (uri, question.identity)
