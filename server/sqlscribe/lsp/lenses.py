"""Code lenses over questions: listed at once from the text, worked out when they are shown."""

from __future__ import annotations

import asyncio
from itertools import count
from typing import TYPE_CHECKING

from lsprotocol import types

from sqlscribe.lsp import answers, running
from sqlscribe.lsp.commands import COMMANDS
from sqlscribe.lsp.encoded import Encoded
from sqlscribe.lsp.targets import question_data
from sqlscribe.notation.asks import Question, Script
from sqlscribe.notation.document import Document, Span
from sqlscribe.notation.findings import Finding, Severity

if TYPE_CHECKING:
    from sqlscribe.lsp.server import SQLScribeServer

OPTIONS = types.CodeLensOptions(resolve_provider=True)
_STATE = "state"
_TITLES = {
    "generate": ("Generate", "answer"),
    "refine": ("Refine", "answer"),
    "repair": ("Repair", "answer"),
    "preview": ("Preview prompt", "preview"),
    "save": ("Save example", "save"),
}


async def code_lens(ls: SQLScribeServer, params: types.CodeLensParams) -> Encoded:
    """A lens for each thing that can be done with a question, without titles yet."""
    document = ls.session.documents.get(params.text_document.uri)
    if document is None:
        return Encoded("[]")
    script = await ls.session.read_script(document)
    number = ls.inspections.number_of(document.uri)
    runs = running.is_offered(ls, ls.session.place(document.uri).root)
    found: list[str] = []
    for index, question in enumerate(script.questions):
        place = f'{{"line":{document.line_of(question.span.start)},"character":0}}'
        # Short, since a long file has thousands of them.
        lens = (
            f'{{"range":{{"start":{place},"end":{place}}},'
            f'"data":"{number}/{index}/{question.fingerprint}'
        )
        found += [f'{lens}/{what}"}}' for what in _kinds(question, runs)]
    return Encoded(f"[{','.join(found)}]")


async def resolve(ls: SQLScribeServer, lens: types.CodeLens) -> types.CodeLens:
    """The title and the command of a lens that is shown."""
    lens.command = types.Command("", "")
    number, index, print_, what = (*str(lens.data).split("/"), "", "", "", "")[:4]
    document = ls.session.documents.get(ls.inspections.uri_of(number))
    if document is None or not index.isdecimal():
        return lens
    script = await ls.session.read_script(document)
    question = next(iter(script.questions[int(index) : int(index) + 1]), None)
    if question is None or question.fingerprint != print_:
        # It was typed on meanwhile, and the editor will ask for new lenses.
        return lens
    lens.command = await _command(ls, script, question, what)
    return lens


def _kinds(question: Question, runs: bool) -> tuple[str, ...]:
    match question.kind:
        case "error":
            return ("repair", "preview")
        case "refine":
            return ("refine", "preview")
        case _ if question.answer is not None:
            return (_STATE, *(("run",) if runs else ()), "preview", "save")
        case _:
            return ("generate", "preview")


async def _command(
    server: SQLScribeServer, script: Script, question: Question, what: str
) -> types.Command:
    data = question_data(script.document, question)
    if what == "run":
        return types.Command(running.TITLE, running.COMMAND, arguments=[data])
    stage = server.queue.stage(answers.Wanted(script.document, question).key)
    if what in _TITLES:
        title, do = _TITLES[what]
        if do == "answer" and stage is not None:
            return types.Command(_running(stage), "")
        return types.Command(title, COMMANDS[do], arguments=[data])
    if stage is not None:
        return types.Command(_running(stage), "")
    return await _state(server, script, question)


def _running(stage: str) -> str:
    return f"answering: {stage} …" if stage else "answering …"


async def _state(server: SQLScribeServer, script: Script, question: Question) -> types.Command:
    """What is known of an answer, and what the person would do about it."""
    document = script.document
    root = server.session.place(document.uri).root
    loaded = await server.session.known(root)
    origins = server.session.origins(root)
    # Both at once: who has just typed waits for a worker only once.
    standing, findings = await asyncio.gather(
        asyncio.to_thread(origins.standing, script, question, loaded),
        server.inspections.findings(document, question.answer or Span(0, 0)),
    )
    if standing.changes:
        again = question_data(document, question, regenerate=True)
        title = f"stale: {', '.join(standing.changes)}"
        return types.Command(title, COMMANDS["answer"], arguments=[again])
    said = [_counted(findings, question)]
    if standing.verified is not None:
        by = standing.verified.verified_by
        said.append(f"verified by {by}" if by else "verified")
    elif standing.edited:
        said.append("edited")
    return types.Command(" · ".join(said), "")


def _counted(findings: tuple[Finding, ...], question: Question) -> str:
    answer = question.answer or Span(0, 0)
    here = [each for each in findings if answer.start <= each.span.start < answer.end]
    wrong = [each for each in here if each.severity in (Severity.ERROR, Severity.WARNING)]
    if wrong:
        return f"{len(wrong)} finding" if len(wrong) == 1 else f"{len(wrong)} findings"
    return "not checked" if any(each.code == "check/not-checked" for each in here) else "checked"


def _is_untouched(answer: Span, before: Document, after: Document) -> bool:
    """Whether all that bears on a statement is as it was: itself, and what stands above it."""
    if before is after:
        return True
    text = after.text[: answer.end]
    return text.endswith(";") and before.text.startswith(text)


class Inspections:
    """Findings on documents as they are now, made once for all lenses that ask."""

    def __init__(self, server: SQLScribeServer) -> None:
        self._server = server
        self._running: dict[str, tuple[Document, asyncio.Task[tuple[Finding, ...]]]] = {}
        self._numbers: dict[str, int] = {}
        self._next = count()

    def number_of(self, uri: str) -> int:
        """A number that stands for a URI until it is closed, and for no other one ever."""
        if uri not in self._numbers:
            self._numbers[uri] = next(self._next)
        return self._numbers[uri]

    def uri_of(self, number: str) -> str:
        """The URI that a number stands for, ``""`` if it is none of them."""
        return next((uri for uri, n in self._numbers.items() if str(n) == number), "")

    async def findings(self, document: Document, answer: Span) -> tuple[Finding, ...]:
        """Those that were published, where they are on this very answer; else they are made."""
        made_on, found = self._server.diagnostics.findings.get(document.uri, (None, ()))
        if made_on is not None and _is_untouched(answer, made_on, document):
            return found
        running = self._running.get(document.uri)
        if running is None or running[0] is not document:
            task = asyncio.get_running_loop().create_task(self._inspect(document))
            running = (document, task)
            if self._server.session.documents.get(document.uri) is document:
                self._running[document.uri] = running
        return await asyncio.shield(running[1])

    def closed(self, uri: str) -> None:
        self._running.pop(uri, None)
        self._numbers.pop(uri, None)

    async def _inspect(self, document: Document) -> tuple[Finding, ...]:
        session = self._server.session
        root = session.place(document.uri).root
        inspector = await session.inspector(root, await session.known(root))
        script = await session.read_script(document)
        around = await session.around(document)
        return await asyncio.to_thread(inspector.inspect, script, around)
