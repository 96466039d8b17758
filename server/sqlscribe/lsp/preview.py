"""The whole prompt of a question as a read-only document, which follows the question.

Clients that know ``workspace/textDocumentContent`` get it under a scheme of its own; for the
others it is a file under ``.sqlscribe/preview/``.
"""

from __future__ import annotations

import asyncio
import itertools
import json
import tempfile
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, unquote, urlsplit

from lsprotocol import types
from pygls.exceptions import JsonRpcException

from sqlscribe.errors import ConfigurationError, TemplateError
from sqlscribe.lsp import report, targets
from sqlscribe.lsp.work import Done
from sqlscribe.notation import asks
from sqlscribe.notation.asks import Question, Script
from sqlscribe.notation.document import Document
from sqlscribe.session import request_for

if TYPE_CHECKING:
    from sqlscribe.lsp.server import SQLScribeServer

COMMAND = "sqlscribe.preview"
SCHEME = "sqlscribe-prompt"
OPTION = "commandLinks"
"""In ``initializationOptions``: true where the editor's hovers follow links to commands."""
_QUIET_SECONDS = 0.3
"""How long nobody must type before a preview follows."""
_MOST = 20
"""Previews that follow their questions; the oldest one stays as it is."""
_GONE = "This question is not in an open document any more.\n"


async def work(server: SQLScribeServer, data: Any) -> Done:
    """Show the prompt of a target's question."""
    script = await targets.script_of(server, data)
    question = targets.question_of(server, script, data) if script is not None else None
    if script is None or question is None:
        return Done(problem="there is no question here whose prompt could be shown")
    return await server.previews.show(script.document, question)


async def content(
    ls: SQLScribeServer, params: types.TextDocumentContentParams
) -> types.TextDocumentContentResult:
    """The text of a preview, as the question and the workspace are now."""
    return types.TextDocumentContentResult(await ls.previews.text(params.uri))


def link(document: Document, question: Question) -> str:
    """A Markdown link to the preview, for clients that follow links to commands."""
    arguments = json.dumps([targets.question_data(document, question)])
    return f"[the whole prompt](command:{COMMAND}?{quote(arguments)})"


def announces(options: object) -> bool:
    return isinstance(options, dict) and options.get(OPTION) is True


def announce(capabilities: types.ServerCapabilities) -> None:
    """Say that previews are served; the library does not know this capability yet."""
    workspace = capabilities.workspace or types.WorkspaceOptions()
    workspace.text_document_content = types.TextDocumentContentOptions([SCHEME])
    capabilities.workspace = workspace


@dataclass
class _Shown:
    """A preview and the question that it follows; ``file`` where it is one."""

    document: Document
    question: Question
    file: Path | None = None
    said: str = ""


class Previews:
    """Previews that are shown, by their URI. ``are_linked`` from hovers, where those can."""

    def __init__(self, server: SQLScribeServer) -> None:
        self.are_linked = False
        self._server = server
        self._shown: dict[str, _Shown] = {}
        self._numbers = itertools.count(1)
        self._pending: asyncio.Task[None] | None = None
        self._folder: tempfile.TemporaryDirectory[str] | None = None

    async def show(self, document: Document, question: Question) -> Done:
        """Open a preview, or the one that follows this question already."""
        uri = self._uri_of(document, question)
        if uri is None:
            uri = self._new(document, question)
        shown = self._shown[uri]
        if shown.file is not None:
            try:
                await self._write(shown)
            except OSError as error:
                return Done(problem=f"the preview cannot be written: {error.strerror or error}")
        if await _open(self._server, uri):
            return Done()
        return Done(note=f"the prompt is in {shown.file}" if shown.file else "")

    async def text(self, uri: str) -> str:
        """What a preview says now."""
        shown = self._known(uri) or await self._again(uri)
        if shown is None:
            return _GONE
        await self._follow(shown)
        shown.said = await _text(self._server, shown.document, shown.question)
        return shown.said

    def _known(self, uri: str) -> _Shown | None:
        """A preview by its URI, of which editors quote other letters than we do."""
        plain = unquote(uri)
        return next(
            (shown for known, shown in self._shown.items() if unquote(known) == plain), None
        )

    def changed(self, uri: str) -> None:
        """A document changed: what is shown of its questions follows, once typing pauses."""
        if any(shown.document.uri == uri for shown in self._shown.values()):
            if self._pending is not None:
                self._pending.cancel()
            self._pending = self._server.spawn(self._refresh_soon(uri))

    async def _refresh_soon(self, document_uri: str) -> None:
        await asyncio.sleep(_QUIET_SECONDS)
        for uri, shown in list(self._shown.items()):
            if shown.document.uri != document_uri:
                continue
            if shown.file is not None:
                await self._write(shown)
                continue
            before, shown.said = shown.said, await self.text(uri)
            if shown.said != before:
                params = types.TextDocumentContentRefreshParams(uri)
                await self._server.workspace_text_document_content_refresh_async(params)

    async def _follow(self, shown: _Shown) -> None:
        """Find the question in the text as it is now: the same one, else what it has become."""
        document = self._server.session.documents.get(shown.document.uri)
        if document is None or document is shown.document:
            return
        script = await self._server.session.read_script(document)
        question = asks.find_again(shown.question, script) or _nearest(shown, script)
        if question is not None:
            shown.document, shown.question = document, question

    async def _write(self, shown: _Shown) -> None:
        assert shown.file is not None
        await self._follow(shown)
        text = await _text(self._server, shown.document, shown.question)
        if text == shown.said and shown.file.exists():
            return
        from sqlscribe.generated_files import write_generated

        shown.said = text
        data = text.encode("utf-8", "replace")
        await asyncio.to_thread(write_generated, shown.file.parent, shown.file.name, data)

    def _uri_of(self, document: Document, question: Question) -> str | None:
        asked = (document.uri, question.identity, question.ordinal)
        for uri, shown in self._shown.items():
            if asked == (shown.document.uri, shown.question.identity, shown.question.ordinal):
                return uri
        return None

    def _new(self, document: Document, question: Question) -> str:
        number = next(self._numbers)
        stem = PurePosixPath(unquote(urlsplit(document.uri).path)).stem or "untitled"
        name = f"{stem}-{number}.md"
        shown = _Shown(document, question)
        if _serves(self._server):
            line = document.line_of(question.span.start)
            about = f"uri={quote(document.uri, safe='')}&line={line}"
            uri = f"{SCHEME}:/{quote(name)}?{about}"
        else:
            shown.file = self._place(document) / name
            uri = shown.file.as_uri()
        self._keep(uri, shown)
        return uri

    def _keep(self, uri: str, shown: _Shown) -> _Shown:
        self._shown[uri] = shown
        if len(self._shown) > _MOST:
            del self._shown[next(iter(self._shown))]
        return shown

    def _place(self, document: Document) -> Path:
        root = self._server.session.place(document.uri).root
        if root is not None:
            from sqlscribe.generated_files import GENERATED

            return root / GENERATED / "preview"
        if self._folder is None:
            self._folder = tempfile.TemporaryDirectory(prefix="sqlscribe-")
        return Path(self._folder.name) / "preview"

    async def _again(self, uri: str) -> _Shown | None:
        """A preview that an earlier server showed: its URI says of what."""
        about = unquote(urlsplit(uri).query).removeprefix("uri=")
        named, _, line = about.rpartition("&line=")
        document = self._server.session.documents.get(named)
        if document is None or not line.isdecimal():
            return None
        script = await self._server.session.read_script(document)
        for question in script.questions:
            if document.line_of(question.span.start) == int(line):
                return self._shown.get(uri) or self._keep(uri, _Shown(document, question))
        return None


def _nearest(shown: _Shown, script: Script) -> Question | None:
    """What stands where the question stood: its words are being changed."""
    line = shown.document.line_of(shown.question.span.start)
    return min(
        script.questions,
        key=lambda each: abs(script.document.line_of(each.span.start) - line),
        default=None,
    )


async def _text(server: SQLScribeServer, document: Document, question: Question) -> str:
    """The head, the reasons and the exact messages."""
    from sqlscribe import answer

    asked = " ".join(question.text.split())
    try:
        snapshot = await server.session.snapshot(document, question)
        prompt = await asyncio.to_thread(answer.prepare, request_for(document, question), snapshot)
    except (ConfigurationError, TemplateError) as error:
        return f"# {asked}\n\nThere is no prompt: {error}\n"
    from sqlscribe.prompting import preview

    price = await asyncio.to_thread(snapshot.price)
    head = preview.head_line(prompt, snapshot.model_name, price)
    about = [f"- {line}" for line in (head, *preview.details(prompt), *snapshot.remarks)]
    messages = [f"## {each.role}\n\n{preview.fenced(each.content)}" for each in prompt.messages]
    return "\n\n".join([f"# {asked}", "\n".join(about), *messages]) + "\n"


def _serves(server: SQLScribeServer) -> bool:
    """Whether the client asks for the text of documents of our own scheme."""
    workspace = server.client_capabilities.workspace
    return workspace is not None and workspace.text_document_content is not None


async def _open(server: SQLScribeServer, uri: str) -> bool:
    """Ask the editor to show a document; false where it cannot."""
    window = server.client_capabilities.window
    if window is None or window.show_document is None or not window.show_document.support:
        return False
    try:
        shown = await server.window_show_document_async(types.ShowDocumentParams(uri))
    except JsonRpcException as error:
        report.warn(server, f"the preview cannot be shown: {error}")
        return False
    return shown.success
