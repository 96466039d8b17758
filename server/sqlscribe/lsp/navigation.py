"""Going around: definitions, uses, highlights, renames within a statement, and symbols."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from lsprotocol import types
from pygls.exceptions import JsonRpcException

from sqlscribe.lsp import convert
from sqlscribe.lsp.edits import edit_of
from sqlscribe.lsp.notebooks import known_in_cell
from sqlscribe.notation.asks import Script
from sqlscribe.notation.document import Document, Span
from sqlscribe.notation.question import Question

if TYPE_CHECKING:
    from sqlscribe.knowledge.examples import Example
    from sqlscribe.loading import Loaded
    from sqlscribe.lsp.server import SQLScribeServer
    from sqlscribe.navigation.finding import Hit
    from sqlscribe.navigation.references import Wanted
    from sqlscribe.navigation.symbols import Symbol

_MOST_TARGETS = 10
_MOST_FILES = 2_000
_MOST_BYTES = 2_000_000
"""Larger files hold data, not queries that somebody wrote."""

_SYMBOL_KINDS = {
    "table": types.SymbolKind.Struct,
    "view": types.SymbolKind.Interface,
    "column": types.SymbolKind.Field,
    "question": types.SymbolKind.Event,
}


async def definition(ls: SQLScribeServer, params: types.DefinitionParams) -> list[types.Location]:
    """From a name to where it is given, in the statement, the DDL or a model's file; from a
    question to the examples that answer it."""
    found = await _found(ls, params.text_document.uri, params.position)
    if found is None:
        return await _answering(ls, params.text_document.uri, params.position)
    script, loaded, hit = found
    from sqlscribe.navigation.finding import definition_here

    here = definition_here(hit, script.document.text)
    if here is not None:
        return [_location(ls, script.document, here)]
    return await _in_cells(ls, script, loaded, hit) or await _defined(ls, loaded, hit)


async def references(ls: SQLScribeServer, params: types.ReferenceParams) -> list[types.Location]:
    """The uses of a table or a column in the folder, of other names in their statement; of a
    question where else it is asked."""
    found = await _found(ls, params.text_document.uri, params.position)
    if found is None:
        return await _asking(ls, params.text_document.uri, params.position)
    script, loaded, hit = found
    with_it = params.context.include_declaration
    if hit.wanted is None:
        spans = [span for span in hit.uses() if with_it or span != hit.declared]
        return [_location(ls, script.document, span) for span in spans]
    root = ls.session.place(script.document.uri).root
    open_ = _open_documents(ls, root)
    places = await asyncio.to_thread(_uses, root, open_, hit.wanted, loaded)
    locations = [_location(ls, document, span) for document, span in places]
    locations += _in_examples(hit.wanted, loaded)
    defined = await _defined(ls, loaded, hit)
    others = [each for each in locations if each not in defined]
    return [*defined, *others] if with_it else others


async def document_highlight(
    ls: SQLScribeServer, params: types.DocumentHighlightParams
) -> list[types.DocumentHighlight] | None:
    found = await _found(ls, params.text_document.uri, params.position)
    if found is None:
        return None
    script, _, hit = found
    kinds = types.DocumentHighlightKind
    return [
        types.DocumentHighlight(
            convert.range_of(script.document, span, ls.encoding),
            kinds.Write if span == hit.declared else kinds.Read,
        )
        for span in hit.uses() or (hit.span,)
    ]


async def prepare_rename(
    ls: SQLScribeServer, params: types.PrepareRenameParams
) -> types.PrepareRenamePlaceholder | None:
    from sqlscribe.navigation.finding import to_rename
    from sqlscribe.navigation.renames import RenameError

    script = await _script(ls, params.text_document.uri)
    if script is None:
        return None
    loaded = await ls.session.known(ls.session.place(script.document.uri).root)
    offset = convert.offset(script.document, params.position, ls.encoding)
    try:
        hit = await asyncio.to_thread(to_rename, script, offset, loaded)
    except RenameError as error:
        raise JsonRpcException(str(error), types.LSPErrorCodes.RequestFailed) from error
    range_ = convert.range_of(script.document, hit.span, ls.encoding)
    return types.PrepareRenamePlaceholder(range_, hit.thing.name if hit.thing else "")


async def rename(ls: SQLScribeServer, params: types.RenameParams) -> types.WorkspaceEdit | None:
    from sqlscribe.navigation.finding import renamed
    from sqlscribe.navigation.renames import RenameError

    script = await _script(ls, params.text_document.uri)
    if script is None:
        return None
    loaded = await ls.session.known(ls.session.place(script.document.uri).root)
    offset = convert.offset(script.document, params.position, ls.encoding)
    try:
        edits = await asyncio.to_thread(renamed, script, offset, loaded, params.new_name)
    except RenameError as error:
        raise JsonRpcException(str(error), types.LSPErrorCodes.RequestFailed) from error
    return edit_of(ls, script.document, edits)


async def workspace_symbols(
    ls: SQLScribeServer, params: types.WorkspaceSymbolParams
) -> list[types.WorkspaceSymbol]:
    from sqlscribe.navigation.symbols import MOST, symbols

    found: list[Symbol] = []
    for root in ls.session.roots:
        loaded = await ls.session.known(root)
        found += await asyncio.to_thread(symbols, params.query, loaded.schema, loaded.examples)
    return [
        types.WorkspaceSymbol(
            types.Location(each.file.as_uri(), _line(each.line)),
            each.name,
            _SYMBOL_KINDS[each.kind],
            container_name=each.container or None,
        )
        for each in found[:MOST]
    ]


# From a request to what it is about.


async def _script(server: SQLScribeServer, uri: str) -> Script | None:
    document = server.session.documents.get(uri)
    return None if document is None else await server.session.read_script(document)


async def _found(
    server: SQLScribeServer, uri: str, position: types.Position
) -> tuple[Script, Loaded, Hit] | None:
    from sqlscribe.navigation.finding import find

    script = await _script(server, uri)
    if script is None:
        return None
    loaded = await server.session.known(server.session.place(script.document.uri).root)
    loaded = await known_in_cell(server, script.document, loaded)
    offset = convert.offset(script.document, position, server.encoding)
    hit = await asyncio.to_thread(find, script, offset, loaded)
    return (script, loaded, hit) if hit is not None else None


async def _in_cells(
    server: SQLScribeServer, script: Script, loaded: Loaded, hit: Hit
) -> list[types.Location]:
    """Where a cell above makes what is meant."""
    cells = (await server.session.around(script.document)).before
    if not (cells and hit.tables):
        return []
    from sqlscribe.navigation.around import made_above
    from sqlscribe.navigation.definitions import name_in

    table = hit.tables[0]
    above = await asyncio.to_thread(made_above, cells, loaded.schema)
    found = above.places.get(table.name.casefold()) if table in above.tables else None
    if found is None:
        return []
    cell, span = found
    sql = span.of(cell.document.text)
    named = name_in(sql, cell.dialect, table, hit.column) if hit.column else None
    named = named or name_in(sql, cell.dialect, table)
    place = span if named is None else named.moved(span.start)
    return [_location(server, cell.document, place)]


# Questions.


async def _question(
    server: SQLScribeServer, uri: str, position: types.Position
) -> tuple[Script, Question, Loaded] | None:
    script = await _script(server, uri)
    if script is None:
        return None
    offset = convert.offset(script.document, position, server.encoding)
    question = script.question_at(offset)
    if question is None:
        return None
    return script, question, await server.session.known(server.session.place(uri).root)


async def _answering(
    server: SQLScribeServer, uri: str, position: types.Position
) -> list[types.Location]:
    found = await _question(server, uri, position)
    if found is None:
        return []
    from sqlscribe.navigation.asked import answering

    script, question, loaded = found
    examples = await asyncio.to_thread(answering, question, loaded.examples)
    if examples:
        return [_example(example) for example in examples[:_MOST_TARGETS]]
    answer = question.answer
    return [] if answer is None else [_location(server, script.document, answer)]


async def _asking(
    server: SQLScribeServer, uri: str, position: types.Position
) -> list[types.Location]:
    found = await _question(server, uri, position)
    if found is None:
        return []
    from sqlscribe.navigation.asked import answering, asked_in

    _, question, loaded = found
    root = server.session.place(uri).root
    open_ = _open_documents(server, root)

    def look() -> tuple[list[tuple[Document, Span]], list[types.Location]]:
        places = [
            (document, span)
            for document in _texts(root, open_)
            for span in asked_in(document, question, loaded.dialect)
        ]
        others = [
            _example(example)
            for example in answering(question, loaded.examples)
            if example.file.suffix.casefold() != ".sql"
        ]
        return places, others

    places, others = await asyncio.to_thread(look)
    return [*(_location(server, document, span) for document, span in places), *others]


# Files.


async def _defined(server: SQLScribeServer, loaded: Loaded, hit: Hit) -> list[types.Location]:
    """Where the files of the schema define what is meant."""
    from sqlscribe.navigation.definitions import definition_in

    locations: list[types.Location] = []
    opened = _open_documents(server, None)
    for table in hit.tables[:_MOST_TARGETS]:
        if table.file is None:
            continue
        document = opened.get(table.file) or await asyncio.to_thread(_read, table.file)
        if document is not None:
            span = await asyncio.to_thread(
                definition_in, document, loaded.dialect, table, hit.column
            )
            location = _location(server, document, span)
            locations += [location] if location not in locations else []
    return locations


def _open_documents(server: SQLScribeServer, root: Path | None) -> dict[Path, Document]:
    """Texts of the editor by their files; those of one folder only, where one is given."""
    session = server.session
    opened = {}
    for uri, document in session.documents.items():
        path = convert.path_of(uri)
        if root is None or session.place(uri).root == root:
            opened[path or Path(uri)] = document
    return opened


def _read(path: Path) -> Document | None:
    from sqlscribe import files

    try:
        entry = files.entry(path)
    except OSError:
        return None
    text = files.Reader().read(entry, {})
    return text.document if text.was_read else None


def _uses(
    root: Path | None, opened: dict[Path, Document], wanted: Wanted, loaded: Loaded
) -> list[tuple[Document, Span]]:
    """Uses in open texts, and in the SQL files of the folder."""
    from sqlscribe.navigation.references import uses_in

    found: list[tuple[Document, Span]] = []
    for document in _texts(root, opened):
        spans = uses_in(document, wanted, loaded.schema, loaded.dialect, loaded.relations)
        found += ((document, span) for span in spans)
    return found


def _texts(root: Path | None, opened: dict[Path, Document]) -> Iterator[Document]:
    from sqlscribe import files

    yield from opened.values()
    reader = files.Reader()
    left = _MOST_FILES
    for entry in files.walk(root) if root is not None else ():
        if entry.path in opened or not entry.name.casefold().endswith(".sql"):
            continue
        left -= 1
        if left < 0:
            return
        if not entry.outside and entry.size <= _MOST_BYTES:
            yield reader.read(entry, {}).document


def _in_examples(wanted: Wanted, loaded: Loaded) -> list[types.Location]:
    """Examples in files of other kinds, by their first lines."""
    from sqlscribe.navigation.users import users_of

    return [
        _example(example)
        for example in users_of(wanted.table, loaded, wanted.column)
        if example.file.suffix.casefold() != ".sql" and example.file.is_absolute()
    ]


def _example(example: Example) -> types.Location:
    return types.Location(example.file.as_uri(), _line(example.line))


def _location(server: SQLScribeServer, document: Document, span: Span) -> types.Location:
    return types.Location(document.uri, convert.range_of(document, span, server.encoding))


def _line(line: int) -> types.Range:
    return types.Range(types.Position(line, 0), types.Position(line, 0))
