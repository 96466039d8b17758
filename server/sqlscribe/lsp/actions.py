"""Code actions: offered at once from the text alone, carried out on resolve."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from lsprotocol import types

from sqlscribe.lsp import answers, convert, report
from sqlscribe.notation.asks import Question, Script
from sqlscribe.notation.document import Document, Span

if TYPE_CHECKING:
    from sqlscribe.lsp.server import SQLScribeServer

ANSWER_KIND = types.CodeActionKind.RefactorRewrite
KINDS = (types.CodeActionKind.QuickFix, ANSWER_KIND)


async def code_actions(
    ls: SQLScribeServer, params: types.CodeActionParams
) -> list[types.CodeAction]:
    """What can be done here. No file is read, nothing is retrieved, no model is asked."""
    document = ls.session.documents.get(params.text_document.uri)
    if document is None:
        return []
    where = convert.span(document, params.range, ls.encoding)
    script = await ls.session.read_script(document)
    offered = [*_fixes(ls, document, where), *_answers(ls, script, where)]
    return [action for action in offered if _wanted(action, params.context.only)]


async def resolve(ls: SQLScribeServer, action: types.CodeAction) -> types.CodeAction:
    """Carry out an action: the route for a question, and the edit for the text as it is now."""
    if action.data is None:
        # A quick fix, which some editors resolve although it has its edit.
        return action
    wanted = await answers.wanted(ls, action.data)
    if wanted is None:
        report.warn(ls, answers.CHANGED)
        return action
    if wanted.stored is not None:
        action.edit = await answers.place(ls, wanted, wanted.stored)
        return action
    answer = await answers.run(ls, wanted)
    # For clients that show more than the edit: outcome, findings, provenance.
    action.data = {**action.data, "answer": answers.as_json(answer)}
    if answer.outcome != "sql":
        report.warn(ls, answers.sentence(answer))
        return action
    action.edit = await answers.place(ls, wanted, answer.sql)
    if action.edit is None:
        report.warn(ls, answers.CHANGED)
    elif note := answers.sentence(answer):
        report.tell(ls, note)
    return action


def _answers(server: SQLScribeServer, script: Script, where: Span) -> Iterator[types.CodeAction]:
    document = script.document
    for question in script.questions:
        if not _touches(question, where):
            continue
        if answers.kept(server, document.uri, question) is not None:
            yield _action(server, document, question, "Use stored answer", stored=True)
        match question.kind:
            case "error":
                yield _action(server, document, question, "Repair SQL from error")
            case "refine":
                yield _action(server, document, question, "Refine SQL", preferred=True)
            case _ if question.answer is not None:
                yield _action(server, document, question, "Regenerate SQL", regenerate=True)
            case _:
                yield _action(server, document, question, "Generate SQL", preferred=True)


def _touches(question: Question, where: Span) -> bool:
    if where.start <= question.span.end and question.span.start <= where.end:
        return True
    answer = question.answer
    return (
        question.kind == "ask"
        and answer is not None
        and where.start <= answer.end
        and answer.start <= where.end
    )


def _action(
    server: SQLScribeServer,
    document: Document,
    question: Question,
    title: str,
    *,
    preferred: bool = False,
    regenerate: bool = False,
    stored: bool = False,
) -> types.CodeAction:
    data: dict[str, Any] = {
        "uri": document.uri,
        "kind": question.kind,
        "text": question.text,
        "ordinal": question.ordinal,
        "regenerate": regenerate,
        "stored": stored,
    }
    action = types.CodeAction(title, kind=ANSWER_KIND, data=data, is_preferred=preferred or None)
    if not _can_resolve(server):
        # Older clients: the command only starts the work, which then applies its own edit.
        action.command = types.Command(title, answers.ANSWER_COMMAND, arguments=[data])
    return action


def _can_resolve(server: SQLScribeServer) -> bool:
    text_document = server.client_capabilities.text_document
    capability = text_document.code_action if text_document else None
    support = capability.resolve_support if capability else None
    return support is not None and "edit" in support.properties


def _fixes(server: SQLScribeServer, document: Document, where: Span) -> Iterator[types.CodeAction]:
    """Quick fixes of the findings here, if they were made on exactly this text."""
    made_on, findings = server.diagnostics.findings.get(document.uri, (None, ()))
    if made_on is not document:
        return
    for finding in findings:
        if finding.span.start > where.end or finding.span.end < where.start:
            continue
        for fix in finding.fixes:
            yield types.CodeAction(
                fix.title,
                kind=types.CodeActionKind.QuickFix,
                diagnostics=[convert.diagnostic(document, finding, server.encoding)],
                is_preferred=fix.preferred or None,
                edit=convert.workspace_edit(document, list(fix.edits), server.encoding),
            )


def _wanted(action: types.CodeAction, only: Sequence[types.CodeActionKind | str] | None) -> bool:
    if not only:
        return True
    kind = str(getattr(action.kind, "value", action.kind))
    asked = [str(getattr(item, "value", item)) for item in only]
    return any(item in ("", kind) or kind.startswith(f"{item}.") for item in asked)
