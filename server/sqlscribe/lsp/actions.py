"""Code actions: offered at once from the text alone, carried out on resolve."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from lsprotocol import types

from sqlscribe.lsp import answers, convert, fixes, running, saving, targets
from sqlscribe.lsp.commands import resolve
from sqlscribe.lsp.edits import edit_of
from sqlscribe.lsp.offers import ANSWER_KIND, SAVE_KIND, Offer, action_of, short, wanted
from sqlscribe.lsp.statement_actions import statement_actions
from sqlscribe.lsp.targets import Data, question_data
from sqlscribe.notation.asks import Question, Script
from sqlscribe.notation.document import Span, TextEdit
from sqlscribe.notation.question import own_dialect

if TYPE_CHECKING:
    from sqlscribe.knowledge.examples import Example
    from sqlscribe.loading import Loaded
    from sqlscribe.lsp.server import SQLScribeServer
    from sqlscribe.origins import Standing

__all__ = ["KINDS", "code_actions", "resolve"]

KINDS = (types.CodeActionKind.QuickFix, ANSWER_KIND, SAVE_KIND, fixes.FIX_ALL)
_MOST_READINGS = 6


async def code_actions(
    ls: SQLScribeServer, params: types.CodeActionParams
) -> list[types.CodeAction]:
    """What can be done here. Nothing is retrieved, and no model is asked."""
    document = ls.session.documents.get(params.text_document.uri)
    if document is None:
        return []
    where = convert.span(document, params.range, ls.encoding)
    script = await ls.session.read_script(document)
    only = params.context.only
    found = list(fixes.quick_fixes(ls, document, where, wanted(fixes.FIX_ALL, only, named=True)))
    offers, runs = await asyncio.to_thread(
        lambda: (
            list(_offers(ls, script, where, params.context)),
            list(running.actions(ls, script, where)),
        )
    )
    found += [action for offer in offers if (action := action_of(ls, offer)) is not None]
    found += (*_to_refine(ls, script, where), *runs)
    return [action for action in found if wanted(action.kind, only)]


def _offers(
    server: SQLScribeServer, script: Script, where: Span, context: types.CodeActionContext
) -> Iterator[Offer]:
    root = server.session.place(script.document.uri).root
    loaded = server.session.known_now(root)
    touched = [each for each in script.questions if targets.touches(each, where)]
    for question in touched:
        offers = [*_of_question(server, script, question)]
        if question.kind == "ask" and question.answer is not None:
            offers += _of_answer(server, script, question, loaded, context)
        if len(touched) > 1 and where.start < where.end:
            # Several are selected, and each has the same actions.
            name = short(question.text)
            offers = [replace(offer, title=f"{offer.title}: {name}") for offer in offers]
        yield from offers
    yield from statement_actions(server, script, where, context, loaded)


def _of_question(server: SQLScribeServer, script: Script, question: Question) -> Iterator[Offer]:
    document = script.document
    data = question_data(document, question, regenerate=False, stored=False)
    if answers.kept(server, document.uri, question) is not None:
        yield Offer("Use stored answer", "answer", {**data, "stored": True})
    match question.kind:
        case "error":
            yield Offer("Repair SQL from error", "answer", data)
        case "refine":
            yield Offer("Refine SQL", "answer", data, preferred=True)
        case _ if question.answer is None:
            yield Offer("Generate SQL", "answer", data, preferred=True)
    is_answered = question.kind == "ask" and question.answer is not None
    if is_answered or answers.is_withheld(server, document.uri, question):
        yield Offer("Regenerate SQL", "answer", {**data, "regenerate": True})
    for reading in answers.choices(server, document.uri, question)[:_MOST_READINGS]:
        yield Offer(f"Ask: {short(reading)}", "answer", {**data, "reading": reading})
    yield Offer("Preview prompt", "preview", question_data(document, question), at_once=True)


def _of_answer(
    server: SQLScribeServer,
    script: Script,
    question: Question,
    loaded: Loaded | None,
    context: types.CodeActionContext,
) -> Iterator[Offer]:
    """What there is to do with an answer that stands: take it though it is stale, or save it."""
    data = question_data(script.document, question)
    root = server.session.place(script.document.uri).root
    if root is None:
        yield Offer(_SAVE, "save", data, SAVE_KIND, disabled=saving.NO_FOLDER)
        return
    if loaded is None:
        yield Offer(_SAVE, "save", data, SAVE_KIND)
        return
    origins = server.session.origins(root)
    standing = origins.standing(script, question, loaded)
    if standing.changes:
        yield from _of_stale(data, standing, context)
    same, other = _twins(server, script, question, loaded)
    if same is not None:
        yield Offer(_SAVE, "save", data, SAVE_KIND, disabled=saving.already(same, root))
    elif other is not None:
        title = f"Replace the verified answer of “{short(other.question)}”"
        reason = "" if other.file.suffix.casefold() == ".sql" else f"change it in {other.file.name}"
        replacing = {**data, "replace": True}
        yield Offer(title, "save", replacing, SAVE_KIND, disabled=reason)
    else:
        yield Offer(_SAVE, "save", data, SAVE_KIND)


_SAVE = "Save as verified example"


def _of_stale(data: Data, standing: Standing, context: types.CodeActionContext) -> Iterator[Offer]:
    """Quick fixes of the hint: both are right, and only the person knows which."""
    cured = [one for one in context.diagnostics if one.code == "ask/stale"]
    quick = types.CodeActionKind.QuickFix
    again = {**data, "regenerate": True}
    yield Offer(
        f"Regenerate SQL: {', '.join(standing.changes)}", "answer", again, quick, diagnostics=cured
    )
    yield Offer("Accept as is", "accept", data, quick, at_once=True, diagnostics=cured)


def _twins(
    server: SQLScribeServer, script: Script, question: Question, loaded: Loaded
) -> tuple[Example | None, Example | None]:
    from sqlscribe import saving as examples

    dialect = own_dialect(question)
    verified = examples.verified_of(question, script.sql_of(question), dialect)
    if verified is None:
        return None, None
    root = server.session.place(script.document.uri).root
    known = server.session.origins(root).known(loaded)
    return examples.twins(verified, known.asked(verified.question))


def _to_refine(server: SQLScribeServer, script: Script, where: Span) -> Iterator[types.CodeAction]:
    """A comment to type a refinement into, under the answer here."""
    from sqlscribe.notation.stamps import stamp_under

    document = script.document
    for question in script.questions:
        answer = question.answer
        if question.kind != "ask" or answer is None or not targets.touches(question, where):
            continue
        stamp = stamp_under(document.text, answer.end)
        end = document.line_span(document.line_of(stamp.span.end if stamp else answer.end)).end
        if any(other.previous == question.span for other in script.questions):
            continue
        text = f"{document.newline}{question.indent}-- refine: "
        edit = edit_of(server, document, [TextEdit(Span(end, end), text)])
        yield types.CodeAction("Write a refinement", kind=ANSWER_KIND, edit=edit)
