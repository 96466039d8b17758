"""Edits in the form that an editor takes."""

from __future__ import annotations

from typing import Any

import pytest
from lsprotocol import types

from lsp_server import QuietServer
from sqlscribe.lsp.edits import edit_of, new_file
from sqlscribe.notation.document import Document, Span, TextEdit

# The very string the client sent.
URI = "file:///c%3A/q.sql"
DOCUMENT = Document(URI, "ab\ncd", 7)
CHANGE = types.TextEdit(types.Range(types.Position(1, 0), types.Position(1, 1)), "x")
CREATES = [types.ResourceOperationKind.Create]


def server(**said: Any) -> Any:
    """A server whose editor says something of its edits, or nothing at all."""
    quiet = QuietServer()
    if said:
        quiet.client_capabilities.workspace = types.WorkspaceClientCapabilities(
            workspace_edit=types.WorkspaceEditClientCapabilities(**said)
        )
    return quiet


@pytest.mark.parametrize(
    "said", [{}, {"document_changes": True}, {"resource_operations": CREATES}], ids=str
)
def test_an_edit_is_of_exactly_this_version(said: dict[str, Any]) -> None:
    edit = edit_of(server(**said), DOCUMENT, [TextEdit(Span(3, 4), "x")])
    assert edit.changes is None
    assert edit.document_changes is not None
    [group] = edit.document_changes
    assert isinstance(group, types.TextDocumentEdit)
    assert (group.text_document.uri, group.text_document.version) == (URI, 7)
    assert group.edits == [CHANGE]


def test_an_editor_without_versions_gets_the_edits_of_the_file() -> None:
    edit = edit_of(server(document_changes=False), DOCUMENT, [TextEdit(Span(3, 4), "x")])
    assert edit.document_changes is None
    assert edit.changes == {URI: [CHANGE]}


@pytest.mark.parametrize(
    ("said", "makes"),
    [
        ({}, False),
        ({"document_changes": True}, False),
        ({"resource_operations": CREATES}, True),
        ({"document_changes": False, "resource_operations": CREATES}, False),
    ],
    ids=str,
)
def test_only_an_editor_that_makes_files_is_asked_to(said: dict[str, Any], makes: bool) -> None:
    edit = new_file(server(**said), URI, "text")
    assert (edit is not None) == makes
