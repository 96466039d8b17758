"""Answers whose origins have changed: hints on their questions, and taking them as they are."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from sqlscribe.lsp import answers, report, targets
from sqlscribe.lsp.edits import edit_of
from sqlscribe.lsp.work import Done
from sqlscribe.notation.document import Document
from sqlscribe.notation.findings import Finding

if TYPE_CHECKING:
    from sqlscribe.loading import Loaded
    from sqlscribe.lsp.server import SQLScribeServer


UNKNOWN = "nothing is known about where this answer came from"


async def accept(server: SQLScribeServer, data: Any) -> Done:
    """Keep that the answer of a question is still right; a stamp under it is written anew."""
    script = await targets.script_of(server, data)
    question = targets.question_of(server, script, data) if script is not None else None
    if script is None or question is None:
        return Done(problem=answers.CHANGED)
    from sqlscribe.answer_places import restamped

    root = server.session.place(script.document.uri).root
    loaded = await server.session.load(root)
    origins = server.session.origins(root)
    record = await asyncio.to_thread(origins.accept, script, question, loaded)
    if record is None:
        return Done(problem=UNKNOWN)
    server.diagnostics.schedule()
    report.refresh_lenses(server)
    edit = restamped(script, question, record)
    if edit is None:
        return Done()
    return Done(edit_of(server, script.document, [edit]))


async def hints(server: SQLScribeServer, document: Document, loaded: Loaded) -> tuple[Finding, ...]:
    """A hint on each question of a document whose answer may be out of date."""
    from sqlscribe import origins

    script = await server.session.read_script(document)
    kept = server.session.origins(server.session.place(document.uri).root)
    return await asyncio.to_thread(origins.stale, script, kept, loaded)
