"""Going around in a real session: hover, completion, definition, uses, rename, symbols."""

from pathlib import Path

import pytest
from lsprotocol import types
from pygls.exceptions import JsonRpcException

from editor import Editor, editor
from sqlscribe.lsp import convert

TEXT = (
    "-- 😀 notes\r\n"
    "WITH recent AS (SELECT o.total, o.customer_id FROM orders o)\r\n"
    "SELECT '😀', r.total, c.city FROM recent r JOIN customers c ON c.customer_id = r.customer_id;"
    "\r\n"
)


def at(ed: Editor, name: str, mark: str, back: int = 0) -> dict[str, object]:
    """Where a text stands in a document, as the parameters of a request."""
    document = ed.documents[name]
    offset = document.text.index(mark) + len(mark) - back
    position = types.Position(*document.position(offset, ed.encoding))
    return {
        "text_document": types.TextDocumentIdentifier(document.uri),
        "position": position,
    }


def said(hover: types.Hover | None) -> str:
    assert hover is not None
    assert isinstance(hover.contents, types.MarkupContent)
    return hover.contents.value


@pytest.mark.parametrize(
    ("client", "encoding"),
    [("visual-studio-code", "utf-16"), ("neovim@v0.11.0", "utf-8"), ("emacs@v29.1", "utf-32")],
)
async def test_a_person_looks_around(shop: Path, client: str, encoding: str) -> None:
    async with editor(shop, client=client, encodings=[encoding]) as ed:
        ed.open("q.sql", TEXT)
        hover = await ed.client.text_document_hover_async(
            types.HoverParams(**at(ed, "q.sql", "r.total", 2))
        )
        assert "orders.total numeric(10,2)" in said(hover)
        assert hover is not None
        assert hover.range is not None
        marked = convert.span(ed.documents["q.sql"], hover.range, ed.encoding)
        assert marked.of(TEXT) == "total"

        found = await ed.client.text_document_definition_async(
            types.DefinitionParams(**at(ed, "q.sql", "c.city", 1))
        )
        assert isinstance(found, list)
        [city] = found
        assert isinstance(city, types.Location)
        assert city.uri == ed.uri("db/shop.sql")
        assert city.range.start == types.Position(3, 2)

        places = await ed.client.text_document_references_async(
            types.ReferenceParams(
                context=types.ReferenceContext(include_declaration=True),
                **at(ed, "q.sql", "JOIN cust"),
            )
        )
        names = [place.uri.rpartition("/")[2] for place in places or []]
        assert names == ["shop.sql", "q.sql", "shop.sql", "customers.sql"]

        lights = await ed.client.text_document_document_highlight_async(
            types.DocumentHighlightParams(**at(ed, "q.sql", "FROM rec"))
        )
        assert len(lights or []) == 2

        symbols = await ed.client.workspace_symbol_async(types.WorkspaceSymbolParams("city"))
        assert [each.name for each in symbols or []] == ["city"]


async def test_a_rename_changes_the_statement_and_is_refused_elsewhere(shop: Path) -> None:
    async with editor(shop) as ed:
        ed.open("q.sql", TEXT)
        edit = await ed.client.text_document_rename_async(
            types.RenameParams(new_name="latest", **at(ed, "q.sql", "FROM recent"))
        )
        document = ed.apply(edit)
        assert document.text == TEXT.replace("recent", "latest")
        with pytest.raises(JsonRpcException, match="table of the database"):
            await ed.client.text_document_prepare_rename_async(
                types.PrepareRenameParams(**at(ed, "q.sql", "JOIN cust"))
            )


async def test_completion_follows_what_is_typed(shop: Path) -> None:
    async with editor(shop) as ed:
        ed.open("q.sql", "-- 😀\r\nSELECT '😀',  FROM orders o JOIN customers c ON ;\r\n")
        found = await completed(ed, "'😀', ")
        assert {"total", "o.customer_id", "c.customer_id", "city", "o", "c"} <= set(found)
        [first, *_] = await completed(ed, " ON ")
        assert first == "c.customer_id = o.customer_id"
        ed.type("q.sql", ed.documents["q.sql"].text.index(" FROM"), "c.ci")
        assert await completed(ed, "c.ci") == ["city"]


async def completed(ed: Editor, mark: str) -> list[str]:
    found = await ed.client.text_document_completion_async(
        types.CompletionParams(**at(ed, "q.sql", mark))
    )
    assert isinstance(found, types.CompletionList)
    return [item.label for item in found.items]
