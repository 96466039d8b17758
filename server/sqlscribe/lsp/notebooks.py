"""Notebooks: their cells are documents like all others, and come in another envelope."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import TYPE_CHECKING

from lsprotocol import types

from sqlscribe.lsp import convert
from sqlscribe.notation.document import Document
from sqlscribe.schema.model import Schema

if TYPE_CHECKING:
    from sqlscribe.loading import Loaded
    from sqlscribe.lsp.server import SQLScribeServer

OPTIONS = types.NotebookDocumentSyncOptions(
    notebook_selector=[
        types.NotebookDocumentFilterWithNotebook(
            notebook="jupyter-notebook",
            cells=[types.NotebookCellLanguage("sql"), types.NotebookCellLanguage("python")],
        ),
        types.NotebookDocumentFilterWithNotebook(
            notebook="*", cells=[types.NotebookCellLanguage("sql")]
        ),
    ],
    save=True,
)
"""Python cells may hold SQL by their magics, and make tables that other cells name."""


def opened(server: SQLScribeServer, params: types.DidOpenNotebookDocumentParams) -> None:
    notebook = params.notebook_document
    server.session.notebooks.open(notebook.uri, [cell.document for cell in notebook.cells])
    for item in params.cell_text_documents:
        _take(server, notebook.uri, item)


def changed(server: SQLScribeServer, params: types.DidChangeNotebookDocumentParams) -> None:
    """Cells that came, went or were moved, and then what was typed in them."""
    uri = params.notebook_document.uri
    cells = params.change.cells
    if cells is None:
        return
    if cells.structure is not None:
        array = cells.structure.array
        added = [cell.document for cell in array.cells or ()]
        server.session.notebooks.splice(uri, array.start, array.delete_count, added)
        for closed_cell in cells.structure.did_close or ():
            server.leave(closed_cell.uri)
        for item in cells.structure.did_open or ():
            _take(server, uri, item)
    for content in cells.text_content or ():
        server.change(content.document, content.changes)
    # What was moved bears on the cells below it.
    server.diagnostics.schedule(look=False)


def saved(ls: SQLScribeServer, _: types.DidSaveNotebookDocumentParams) -> None:
    ls.diagnostics.schedule()


def closed(server: SQLScribeServer, params: types.DidCloseNotebookDocumentParams) -> None:
    server.session.notebooks.close(params.notebook_document.uri)
    for cell in params.cell_text_documents:
        server.leave(cell.uri)


def _take(server: SQLScribeServer, notebook: str, item: types.TextDocumentItem) -> None:
    said = convert.opened(item.uri, item.language_id, notebook)
    server.take(Document(item.uri, item.text, item.version), said)


async def known_in_cell(server: SQLScribeServer, document: Document, loaded: Loaded) -> Loaded:
    """What is known at a document: in a cell also the tables that those above have made."""
    cells = (await server.session.around(document)).before
    if not cells:
        return loaded
    from sqlscribe.navigation.around import made_above

    above = await asyncio.to_thread(made_above, cells, loaded.schema)
    if not above.tables:
        return loaded
    tables = (*above.tables, *loaded.schema.tables)
    return replace(loaded, schema=Schema(tables, loaded.schema.functions))
