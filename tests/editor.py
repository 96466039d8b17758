"""An editor without a screen: the real server process, spoken to in real LSP.

async with editor(workspace) as ed:
    ed.open("q.sql", "-- ask: cities\\n")
    action = await ed.resolved("q.sql", line=0)
    ed.apply(action.edit)
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any

import pytest_lsp
from lsprotocol import types
from lsprotocol.converters import get_converter
from pytest_lsp.client import make_test_lsp_client

from sqlscribe.lsp import convert
from sqlscribe.notation.document import Document, Encoding, Span, TextEdit

# A test must never call a paid model, whatever keys the developer's shell holds.
_KEPT = ("PATH", "HOME", "LANG", "LC_ALL", "TMPDIR", "TEMP", "SYSTEMROOT", "PYTHONPATH")

_RECORDED = Path(__file__).with_name("editors") / "capabilities"


class Editor:
    """Documents as the editor sees them; ``client`` is the protocol's other end."""

    def __init__(self, client: pytest_lsp.LanguageClient, root: Path, encoding: Encoding) -> None:
        self.client = client
        self.root = root
        self.encoding = encoding
        self.documents: dict[str, Document] = {}
        self.capabilities = types.ServerCapabilities()

    @property
    def messages(self) -> list[str]:
        """What the server told the person."""
        return [message.message for message in self.client.messages]

    def uri(self, name: str) -> str:
        return name if ":" in name else (self.root / name).as_uri()

    def open(
        self, name: str, text: str | None = None, version: int = 1, language: str = "sql"
    ) -> Document:
        """Open a file of the workspace, or an unsaved text under its name."""
        if text is None:
            text = (self.root / name).read_bytes().decode("utf-8")
        document = Document(self.uri(name), text, version)
        self.documents[name] = document
        item = types.TextDocumentItem(document.uri, language, version, text)
        self.client.text_document_did_open(types.DidOpenTextDocumentParams(item))
        return document

    def open_notebook(self, name: str, cells: Sequence[tuple[str, str]]) -> list[str]:
        """Open a notebook of cells, each its language and its text; the names of the cells."""
        uri = self.uri(name)
        names = [
            f"vscode-notebook-cell:{uri.removeprefix('file://')}#W{n}" for n, _ in enumerate(cells)
        ]
        items = []
        for cell, (language, text) in zip(names, cells, strict=True):
            self.documents[cell] = Document(cell, text, 1)
            items.append(types.TextDocumentItem(cell, language, 1, text))
        kept = [types.NotebookCell(types.NotebookCellKind.Code, cell) for cell in names]
        notebook = types.NotebookDocument(uri, "jupyter-notebook", 1, kept)
        self.client.notebook_document_did_open(types.DidOpenNotebookDocumentParams(notebook, items))
        return names

    def change_notebook(self, name: str, cells: types.NotebookDocumentCellChanges) -> None:
        """Tell of cells that came, went, or were typed in."""
        named = types.VersionedNotebookDocumentIdentifier(version=2, uri=self.uri(name))
        change = types.NotebookDocumentChangeEvent(cells=cells)
        self.client.notebook_document_did_change(
            types.DidChangeNotebookDocumentParams(named, change)
        )

    def type(self, name: str, at: int, text: str, *, over: int = 0) -> Document:
        """Replace ``over`` characters at an offset, as an incremental change."""
        document = self.documents[name]
        span = Span(at, at + over)
        change = types.TextDocumentContentChangePartial(
            range=convert.range_of(document, span, self.encoding), text=text
        )
        return self._changed(name, document.changed([TextEdit(span, text)]), [change])

    def edit(self, name: str, edits: Sequence[TextEdit], *, whole: bool = False) -> Document:
        """Make edits one after the other and tell of them at once, each or only their result."""
        document = self.documents[name]
        changes: list[types.TextDocumentContentChangeEvent] = []
        for edit in edits:
            range_ = convert.range_of(document, edit.span, self.encoding)
            changes.append(types.TextDocumentContentChangePartial(range=range_, text=edit.text))
            document = document.changed([edit])
        if whole:
            changes = [types.TextDocumentContentChangeWholeDocument(document.text)]
        return self._changed(name, document, changes)

    def close(self, name: str) -> Document:
        """Close a document; what it was."""
        document = self.documents.pop(name)
        identifier = types.TextDocumentIdentifier(document.uri)
        self.client.text_document_did_close(types.DidCloseTextDocumentParams(identifier))
        return document

    def save(self, name: str) -> None:
        identifier = types.TextDocumentIdentifier(self.uri(name))
        self.client.text_document_did_save(types.DidSaveTextDocumentParams(identifier))

    def apply(self, edit: types.WorkspaceEdit | None) -> Document:
        """Apply an edit as a strict editor does: of the version it has, or not at all."""
        uri, version, made = _of_one_file(edit)
        name = next(n for n, d in self.documents.items() if d.uri == uri)
        document = self.documents[name]
        assert version in (None, document.version)
        changes = [
            TextEdit(convert.span(document, change.range, self.encoding), change.new_text)
            for change in made
            if isinstance(change, types.TextEdit)
        ]
        changed = document.changed(changes)
        whole = types.TextDocumentContentChangeWholeDocument(changed.text)
        return self._changed(name, changed, [whole])

    async def actions(self, name: str, line: int, character: int = 5) -> list[types.CodeAction]:
        position = types.Position(line, character)
        found = await self.client.text_document_code_action_async(
            types.CodeActionParams(
                types.TextDocumentIdentifier(self.uri(name)),
                types.Range(position, position),
                types.CodeActionContext([]),
            )
        )
        return [action for action in found or [] if isinstance(action, types.CodeAction)]

    async def action(self, name: str, line: int, title: str) -> types.CodeAction:
        offered = await self.actions(name, line)
        matching = [action for action in offered if action.title == title]
        assert matching, f"{title!r} is not among {[action.title for action in offered]}"
        return matching[0]

    async def resolved(self, name: str, line: int, title: str = "Generate SQL") -> types.CodeAction:
        action = await self.action(name, line, title)
        return await self.client.code_action_resolve_async(action)

    async def hover(self, name: str, line: int, character: int = 5) -> str | None:
        found = await self.client.text_document_hover_async(
            types.HoverParams(
                types.TextDocumentIdentifier(self.uri(name)), types.Position(line, character)
            )
        )
        if found is None:
            return None
        assert isinstance(found.contents, types.MarkupContent)
        return found.contents.value

    async def diagnostics(
        self, name: str, until: Callable[[list[types.Diagnostic]], bool], seconds: float = 20
    ) -> list[types.Diagnostic]:
        """The diagnostics of a file once they satisfy ``until``; fails after ``seconds``."""
        found: list[types.Diagnostic] = []
        try:
            async with asyncio.timeout(seconds):
                while True:
                    found = list(self.client.diagnostics.get(self.uri(name), []))
                    if until(found):
                        return found
                    await self.client.wait_for_notification(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
        except TimeoutError:
            raise AssertionError(f"diagnostics of {name} stayed {found}") from None

    async def fetched(self, name: str) -> list[types.Diagnostic]:
        """The diagnostics of an open document, fetched in full."""
        report = await self.client.text_document_diagnostic_async(
            types.DocumentDiagnosticParams(types.TextDocumentIdentifier(self.uri(name)))
        )
        assert isinstance(report, types.RelatedFullDocumentDiagnosticReport)
        return list(report.items)

    def _changed(self, name: str, changed: Document, changes: list[Any]) -> Document:
        version = (changed.version or 0) + 1
        self.documents[name] = Document(changed.uri, changed.text, version)
        identifier = types.VersionedTextDocumentIdentifier(version, changed.uri)
        self.client.text_document_did_change(types.DidChangeTextDocumentParams(identifier, changes))
        return self.documents[name]


def _of_one_file(edit: types.WorkspaceEdit | None) -> tuple[str, int | None, Sequence[Any]]:
    """The file that an edit changes, the version that it is of, and its changes."""
    assert edit is not None
    if edit.changes is not None:
        assert edit.document_changes is None
        [(uri, changes)] = edit.changes.items()
        return uri, None, changes
    [group] = edit.document_changes or []
    assert isinstance(group, types.TextDocumentEdit)
    assert group.text_document.version is not None
    return group.text_document.uri, group.text_document.version, group.edits


def recorded(client: str) -> types.ClientCapabilities:
    """What a real client said it can do: one of pytest-lsp's, or of ``editors/capabilities``."""
    own = _RECORDED / f"{client}.json"
    if not own.exists():
        return pytest_lsp.client_capabilities(client)
    said = json.loads(own.read_text("utf-8"))["capabilities"]
    return get_converter().structure(said, types.ClientCapabilities)


@asynccontextmanager
async def editor(
    root: Path,
    *,
    client: str = "visual-studio-code",
    options: Mapping[str, Any] | None = None,
    environment: Mapping[str, str] | None = None,
    encodings: list[str] | None = None,
    folders: list[Path] | None = None,
    features: Mapping[str, Callable[[Any], Any]] | None = None,
    fetches: bool = False,
) -> AsyncIterator[Editor]:
    """Start ``sqlscribe serve`` as the recorded ``client`` does, and shut it down in the end.

    ``features`` are requests of the server's own that this editor answers. ``fetches`` makes it
    one that fetches diagnostics, which newer editors do.
    """
    peer = make_test_lsp_client()
    for method, answer in (features or {}).items():
        # A copy that can be marked; methods cannot.
        peer.feature(method)(partial(answer))
    kept = {name: os.environ[name] for name in _KEPT if name in os.environ}
    await peer.start_io(
        sys.executable, "-m", "sqlscribe", "serve", env={**kept, **(environment or {})}
    )
    capabilities = recorded(client)
    if fetches:
        document = capabilities.text_document or types.TextDocumentClientCapabilities()
        document.diagnostic = types.DiagnosticClientCapabilities(related_information=True)
        workspace = capabilities.workspace or types.WorkspaceClientCapabilities()
        workspace.diagnostics = types.DiagnosticWorkspaceClientCapabilities(refresh_support=True)
        capabilities.text_document, capabilities.workspace = document, workspace
    if encodings is not None:
        general = capabilities.general or types.GeneralClientCapabilities()
        general.position_encodings = encodings
        capabilities.general = general
    started = await peer.initialize_session(
        types.InitializeParams(
            capabilities=capabilities,
            workspace_folders=[
                types.WorkspaceFolder(folder.as_uri(), folder.name)
                for folder in (folders or [root])
            ],
            initialization_options=options,
            process_id=os.getpid(),
        )
    )
    chosen = started.capabilities.position_encoding or "utf-16"
    chosen = str(getattr(chosen, "value", chosen))
    try:
        made = Editor(peer, root, chosen)  # type: ignore[arg-type]
        made.capabilities = started.capabilities
        yield made
    finally:
        await peer.shutdown_session()
