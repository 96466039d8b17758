"""Edits of documents, in a form that this editor takes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from lsprotocol import types

from sqlscribe.lsp import convert
from sqlscribe.notation.document import Document, TextEdit

if TYPE_CHECKING:
    from sqlscribe.lsp.server import SQLScribeServer


def edit_of(
    server: SQLScribeServer, document: Document, edits: Sequence[TextEdit]
) -> types.WorkspaceEdit:
    """An edit of a document, and of exactly this version of it where the editor knows versions."""
    changes = [convert.text_edit(document, edit, server.encoding) for edit in edits]
    if not _knows_versions(server):
        return types.WorkspaceEdit(changes={document.uri: changes})
    identifier = types.OptionalVersionedTextDocumentIdentifier(document.uri, document.version)
    return types.WorkspaceEdit(document_changes=[types.TextDocumentEdit(identifier, changes)])


def new_file(server: SQLScribeServer, uri: str, text: str) -> types.WorkspaceEdit | None:
    """An edit that makes a file; ``None`` where the editor makes none."""
    support = _support(server)
    makes_files = support is not None and "create" in (support.resource_operations or ())
    if not makes_files or not _knows_versions(server):
        return None
    start = types.Position(0, 0)
    change = types.TextEdit(types.Range(start, start), text)
    identifier = types.OptionalVersionedTextDocumentIdentifier(uri)
    return types.WorkspaceEdit(
        document_changes=[
            types.CreateFile(uri, options=types.CreateFileOptions(ignore_if_exists=True)),
            types.TextDocumentEdit(identifier, [change]),
        ]
    )


def _knows_versions(server: SQLScribeServer) -> bool:
    """Only a plain no counts.

    Neovim says nothing of it, and refuses an edit of another version than it has, which keeps
    what was typed meanwhile.
    """
    support = _support(server)
    return support is None or support.document_changes is not False


def _support(server: SQLScribeServer) -> types.WorkspaceEditClientCapabilities | None:
    workspace = server.client_capabilities.workspace
    return workspace.workspace_edit if workspace else None
