"""Inline completion: the checked answer as ghost text where it would go.

What is known already is shown at once. The model is asked where the person triggers that, or
has set ``inline = "auto"``, and no longer than until they type on.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Coroutine
from typing import TYPE_CHECKING, Any, TypeVar

from lsprotocol import types

from sqlscribe.errors import ConfigurationError
from sqlscribe.ghost_text import Gap, gap_at, ghost
from sqlscribe.lsp import answers, convert, report, targets
from sqlscribe.lsp.staleness import UNKNOWN
from sqlscribe.lsp.work import Done
from sqlscribe.notation.asks import Script
from sqlscribe.notation.findings import Severity
from sqlscribe.session import request_for

if TYPE_CHECKING:
    from sqlscribe.answer import Answer
    from sqlscribe.loading import Loaded
    from sqlscribe.lsp.server import SQLScribeServer
    from sqlscribe.provenance import Record

logger = logging.getLogger(__name__)

Result = TypeVar("Result")

OPTIONS = types.InlineCompletionOptions(work_done_progress=True)
COMMAND = "sqlscribe.answerTaken"
"""Run by the editor once ghost text was taken."""
_QUIET_SECONDS = 0.6
"""How long nobody must type before the model is asked unbidden."""
_MOST_IN_VAIN = 500


class Ghosts:
    """What looks for ghost text: for each document the newest request, until it is typed in."""

    def __init__(self) -> None:
        self._newest: dict[str, asyncio.Task[Any]] = {}
        self._vain: tuple[Loaded | None, set[tuple[object, ...]]] = (None, set())

    async def newest(self, uri: str, work: Coroutine[Any, Any, Result]) -> Result | None:
        """The result of ``work``; ``None`` where the document changes or is asked about again."""
        self.end(uri)
        task = asyncio.get_running_loop().create_task(work)
        self._newest[uri] = task
        try:
            return await task
        except asyncio.CancelledError:
            request = asyncio.current_task()
            if request is not None and request.cancelling():
                raise
            return None
        finally:
            if self._newest.get(uri) is task:
                del self._newest[uri]

    def end(self, uri: str) -> None:
        """The document was typed in, or closed."""
        if (task := self._newest.pop(uri, None)) is not None:
            task.cancel()

    def is_vain(self, key: tuple[object, ...], loaded: Loaded) -> bool:
        """Whether the model had no SQL for a question, and nothing has changed since."""
        return self._vain[0] is loaded and key in self._vain[1]

    def note_vain(self, key: tuple[object, ...], loaded: Loaded) -> None:
        if self._vain[0] is not loaded or len(self._vain[1]) >= _MOST_IN_VAIN:
            self._vain = (loaded, set())
        self._vain[1].add(key)


async def inline_completion(
    ls: SQLScribeServer, params: types.InlineCompletionParams
) -> types.InlineCompletionList | None:
    """The answer that is missing at the cursor, or nothing."""
    document = ls.session.documents.get(params.text_document.uri)
    if document is None:
        return None
    # Wherever the cursor is now, nobody waits for what was asked before.
    ls.ghosts.end(document.uri)
    invoked = params.context.trigger_kind == types.InlineCompletionTriggerKind.Invoked
    root = ls.session.place(document.uri).root
    # Nobody waits for the reading of a folder who has not asked for anything.
    loaded = await ls.session.known(root) if invoked else ls.session.known_now(root)
    if loaded is None or loaded.settings.inline == "off":
        return None
    script = await ls.session.read_script(document)
    gap = gap_at(script, convert.offset(document, params.position, ls.encoding))
    if gap is None or ls.session.documents.get(document.uri) is not document:
        return None
    item = await ls.ghosts.newest(
        document.uri, _item(ls, script, gap, loaded, params.work_done_token, invoked=invoked)
    )
    return None if item is None else types.InlineCompletionList([item])


async def _item(
    server: SQLScribeServer,
    script: Script,
    gap: Gap,
    loaded: Loaded,
    token: types.ProgressToken | None,
    *,
    invoked: bool,
) -> types.InlineCompletionItem | None:
    found = await _known(server, script, gap, loaded)
    if found is not None:
        return await _shown(server, script, gap, *found, loaded)
    asked = answers.Wanted(script.document, gap.question)
    if not invoked:
        if loaded.settings.inline != "auto" or server.ghosts.is_vain(asked.key, loaded):
            return None
        await asyncio.sleep(_QUIET_SECONDS)
    given = await answers.run(server, asked, token, unbidden=not invoked)
    if not given.is_clean:
        server.ghosts.note_vain(asked.key, loaded)
        _tell(server, asked, given, invoked=invoked)
        return None
    record = server.session.origins(server.session.place(script.document.uri).root).find(
        gap.question, given.sql
    )
    return await _shown(server, script, gap, given, record, loaded)


async def _known(
    server: SQLScribeServer, script: Script, gap: Gap, loaded: Loaded
) -> tuple[Answer, Record] | None:
    """A verified or a stored answer with where it comes from."""
    from sqlscribe import answer, answer_places

    document, question = script.document, gap.question
    try:
        snapshot = await server.session.snapshot(document, question, loaded)
    except ConfigurationError:
        # Said at its place in the configuration, and whenever the model is asked.
        return None

    origins = server.session.origins(server.session.place(document.uri).root)

    def look() -> tuple[Answer, Record] | None:
        given = answer.known(
            request_for(document, question), snapshot, may_be_stored=origins.has_answered(question)
        )
        if given is None:
            return None
        return given, answer_places.record_of(question, given, snapshot)

    return await asyncio.to_thread(look)


async def _shown(
    server: SQLScribeServer,
    script: Script,
    gap: Gap,
    given: Answer,
    record: Record | None,
    loaded: Loaded,
) -> types.InlineCompletionItem | None:
    from sqlscribe.notation import stamps
    from sqlscribe.provenance import facts_of

    facts = () if record is None else facts_of(record)
    stamp = stamps.stamp(facts) if facts and loaded.settings.stamp else ""
    document = script.document
    is_model = await asyncio.to_thread(server.session.is_model, document.uri)
    edit = ghost(script, gap, given.sql, stamp, is_model=is_model)
    if edit is None:
        return None
    command = None
    if facts:
        data = {"uri": document.uri, "origin": stamps.write_facts(facts)}
        command = types.Command("Note where the answer came from", COMMAND, arguments=[data])
    shown = convert.text_edit(document, edit, server.encoding)
    return types.InlineCompletionItem(shown.new_text, range=shown.range, command=command)


def _tell(server: SQLScribeServer, asked: answers.Wanted, given: Answer, *, invoked: bool) -> None:
    """Why there is no ghost text: to the person only where they asked for some."""
    if given.outcome == "sql":
        # Who wants to see it all the same finds it among the code actions.
        answers.keep(server, asked, given.sql)
        wrong = next(each for each in given.findings if each.severity is Severity.ERROR)
        said = f"the SQL is not right yet: {wrong.message}; it is kept as the stored answer"
    else:
        said = answers.sentence(given)
    if invoked:
        report.warn(server, said)
    else:
        logger.info("no ghost text: %s", said)


async def taken(server: SQLScribeServer, data: Any) -> Done:
    """Keep where an answer came from that was taken as ghost text."""
    from sqlscribe.notation.stamps import read_facts
    from sqlscribe.provenance import record_of

    uri = targets.document_uri(data)
    origin = data.get("origin") if uri is not None else None
    record = record_of(read_facts(origin)) if isinstance(origin, str) else None
    if uri is None or record is None:
        return Done(problem=UNKNOWN)
    origins = server.session.origins(server.session.place(uri).root)
    await asyncio.to_thread(origins.put, record)
    server.diagnostics.schedule()
    report.refresh_lenses(server)
    return Done()
