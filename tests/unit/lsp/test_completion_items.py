"""Suggestions as the protocol carries them."""

import json
from pathlib import Path

from lsprotocol import types
from pygls.protocol import default_converter

from lsp_server import QuietServer
from shop import SHOP, write
from sqlscribe.lsp import completion
from sqlscribe.notation.document import Document


async def items(root: Path, name: str, text: str) -> list[types.CompletionItem]:
    """Suggestions at ``|`` in a file of the shop."""
    server = QuietServer()
    server.session.set_roots([write(root, SHOP)])
    before, _, after = text.partition("|")
    path = root / name
    document = Document(path.as_uri(), before + after)
    server.session.open(document, path)
    position = types.Position(*document.position(len(before), "utf-16"))
    params = types.CompletionParams(types.TextDocumentIdentifier(document.uri), position)
    found = await completion.completion(server, params)  # type: ignore[arg-type]
    await server.settled()
    server.session.shutdown()
    assert found is not None
    listed = default_converter().structure(json.loads(found), types.CompletionList)
    return list(listed.items)


async def test_a_mention_replaces_what_was_typed(tmp_path: Path) -> None:
    found = await items(tmp_path, "q.sql", "-- ask: 😀 @cus|")
    [customers] = [each for each in found if each.label == "customers"]
    assert isinstance(customers.text_edit, types.TextEdit)
    assert customers.text_edit.range == types.Range(types.Position(0, 12), types.Position(0, 15))
    assert customers.kind == types.CompletionItemKind.Class


async def test_each_kind_of_file_has_its_own(tmp_path: Path) -> None:
    first, *_ = await items(tmp_path, "sqlscribe.toml", "dial|")
    assert first.label == "dialect"
    in_template = [each.label for each in await items(tmp_path, "prompts/ask/user.j2", "{{ | }}")]
    assert "question" in in_template


async def test_the_order_is_kept_whatever_the_editor_sorts_by(tmp_path: Path) -> None:
    found = await items(tmp_path, "q.sql", "-- ask: @orders.|")
    assert [each.sort_text for each in found] == sorted(each.sort_text or "" for each in found)
    assert found[0].label == "order_id"


async def test_a_document_that_is_not_open_has_none() -> None:
    params = types.CompletionParams(
        types.TextDocumentIdentifier("file:///gone.sql"), types.Position(0, 0)
    )
    assert await completion.completion(QuietServer(), params) is None  # type: ignore[arg-type]
