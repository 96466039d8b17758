"""Requests to go around, as the protocol carries them. ``|`` in a text is the cursor."""

from pathlib import Path

import pytest
from lsprotocol import types
from pygls.exceptions import JsonRpcException

from lsp_server import QuietServer
from shop import SHOP, write
from sqlscribe.lsp import navigation
from sqlscribe.notation.document import Document

MORE = {
    "queries/totals.sql": "-- 😀\r\nSELECT o.total FROM orders o;\r\n",
    "queries/other.sql": "SELECT city FROM customers;\n",
    "training/more.yaml": (
        '- question: "how much?"\n  sql: SELECT sum(total) FROM orders\n'
        '- question: "how many?"\n  sql: SELECT count(*) FROM customers\n'
    ),
}


class Desk:
    """A server with one text of the shop open, and a cursor in it."""

    def __init__(self, root: Path, text: str, name: str = "q.sql") -> None:
        self.server = QuietServer()
        self.root = write(root, {**SHOP, **MORE})
        self.server.session.set_roots([self.root])
        before, _, after = text.partition("|")
        path = self.root / name
        self.document = Document(path.as_uri(), before + after, 1)
        self.server.session.open(self.document, path)
        self.where = types.TextDocumentIdentifier(self.document.uri)
        self.position = types.Position(*self.document.position(len(before), "utf-16"))

    def shown(self, locations: list[types.Location]) -> list[tuple[str, int, int]]:
        return [
            (each.uri.rpartition("/")[2], each.range.start.line, each.range.start.character)
            for each in locations
        ]

    async def definition(self) -> list[tuple[str, int, int]]:
        params = types.DefinitionParams(self.where, self.position)
        return self.shown(await navigation.definition(self.server, params))  # type: ignore[arg-type]

    async def references(self, *, declaration: bool = True) -> list[tuple[str, int, int]]:
        context = types.ReferenceContext(declaration)
        params = types.ReferenceParams(context, self.where, self.position)
        return self.shown(await navigation.references(self.server, params))  # type: ignore[arg-type]

    async def highlights(self) -> list[tuple[int, int, types.DocumentHighlightKind | None]]:
        params = types.DocumentHighlightParams(self.where, self.position)
        found = await navigation.document_highlight(self.server, params)  # type: ignore[arg-type]
        return [
            (each.range.start.line, each.range.start.character, each.kind) for each in found or []
        ]

    async def rename(self, name: str) -> str:
        params = types.RenameParams(self.where, self.position, name)
        edit = await navigation.rename(self.server, params)  # type: ignore[arg-type]
        assert edit is not None
        [group] = edit.document_changes or []
        assert isinstance(group, types.TextDocumentEdit)
        assert group.text_document.version == 1
        starts = [each.range.start for each in group.edits]
        return f"{[(start.line, start.character) for start in starts]}"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("SELECT o.to|tal FROM orders o", ("shop.sql", 8, 2)),
        ("SELECT o.total FROM ord|ers o", ("shop.sql", 5, 13)),
        ("-- ask: all @cust|omers", ("shop.sql", 0, 13)),
        ("-- ask: all @customers.ci|ty", ("shop.sql", 3, 2)),
        ("-- 😀\r\nSELECT '😀', |o.total\r\nFROM orders o", ("q.sql", 2, 12)),
        ("WITH r AS (SELECT 1 AS a) SELECT a FROM |r", ("q.sql", 0, 5)),
    ],
)
async def test_a_definition(tmp_path: Path, text: str, expected: tuple[str, int, int]) -> None:
    assert await Desk(tmp_path, text).definition() == [expected]


async def test_an_open_text_of_the_schema_comes_before_the_file(tmp_path: Path) -> None:
    desk = Desk(tmp_path, "SELECT o.to|tal FROM orders o")
    path = desk.root / "db/shop.sql"
    text = "\n\n" + SHOP["db/shop.sql"]
    desk.server.session.open(Document(path.as_uri(), text), path)
    assert await desk.definition() == [("shop.sql", 10, 2)]


async def test_where_nothing_is_known_there_is_nothing_to_go_to(tmp_path: Path) -> None:
    desk = Desk(tmp_path, "SELECT 1 |+ 2 FROM nothing")
    assert await desk.definition() == []
    assert await desk.references() == []
    assert await desk.highlights() == []


async def test_references_go_through_open_texts_files_and_examples(tmp_path: Path) -> None:
    desk = Desk(tmp_path, "-- ask: @orders.total\nSELECT o.to|tal FROM orders o")
    expected = [
        ("shop.sql", 8, 2),
        ("q.sql", 0, 8),
        ("q.sql", 1, 9),
        ("totals.sql", 1, 9),
        ("more.yaml", 0, 0),
    ]
    assert await desk.references() == expected
    assert await desk.references(declaration=False) == expected[1:]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("-- ask: How |much ?\n", [("more.yaml", 0, 0)]),
        ("-- ask: how many customers live in 'Ros|kilde'?\n", [("customers.sql", 0, 0)]),
        ("-- ask: who|?\nSELECT 1;\n", [("q.sql", 1, 0)]),
        ("-- ask: who|?\n", []),
        ("-- ask: how much?\n-- refine: only |now\nSELECT 1;\n", [("q.sql", 2, 0)]),
    ],
)
async def test_a_question_leads_to_what_answers_it(
    tmp_path: Path, text: str, expected: list[tuple[str, int, int]]
) -> None:
    assert await Desk(tmp_path, text).definition() == expected


async def test_a_question_is_found_wherever_it_is_asked(tmp_path: Path) -> None:
    asked = {"reports/a.sql": "SELECT 1;\n\n/* ASK: how  much */\n", "b.sql": "-- ask: how many?\n"}
    desk = Desk(tmp_path, "-- ask: how |much?\n")
    write(desk.root, asked)
    assert await desk.references() == [("q.sql", 0, 0), ("a.sql", 2, 0), ("more.yaml", 0, 0)]


async def test_references_of_an_alias_stay_in_its_statement(tmp_path: Path) -> None:
    desk = Desk(tmp_path, "SELECT |o.total FROM orders o; SELECT o.total FROM orders o")
    assert await desk.references() == [("q.sql", 0, 7), ("q.sql", 0, 27)]
    assert await desk.references(declaration=False) == [("q.sql", 0, 7)]


async def test_highlights_tell_the_declaration_from_the_uses(tmp_path: Path) -> None:
    kinds = types.DocumentHighlightKind
    desk = Desk(tmp_path, "SELECT |o.total FROM orders o WHERE o.total > 1")
    assert await desk.highlights() == [
        (0, 7, kinds.Read), (0, 27, kinds.Write), (0, 35, kinds.Read),
    ]  # fmt: skip


async def test_a_rename_edits_exactly_the_version_it_was_asked_for(tmp_path: Path) -> None:
    desk = Desk(tmp_path, "-- 😀\r\nSELECT '😀', |o.total FROM orders o")
    assert await desk.rename("x") == "[(1, 13), (1, 33)]"


async def test_what_cannot_be_renamed_is_said_as_an_error_of_the_request(tmp_path: Path) -> None:
    desk = Desk(tmp_path, "SELECT o.to|tal FROM orders o")
    params = types.PrepareRenameParams(desk.where, desk.position)
    with pytest.raises(JsonRpcException, match="column of the database") as raised:
        await navigation.prepare_rename(desk.server, params)  # type: ignore[arg-type]
    assert raised.value.code == types.LSPErrorCodes.RequestFailed
    with pytest.raises(JsonRpcException, match="column of the database"):
        await desk.rename("x")


async def test_what_can_be_renamed_comes_with_its_name(tmp_path: Path) -> None:
    desk = Desk(tmp_path, 'SELECT 1 FROM orders "my |o"')
    params = types.PrepareRenameParams(desk.where, desk.position)
    found = await navigation.prepare_rename(desk.server, params)  # type: ignore[arg-type]
    assert found == types.PrepareRenamePlaceholder(
        types.Range(types.Position(0, 21), types.Position(0, 27)), "my o"
    )


async def test_symbols_of_the_folder(tmp_path: Path) -> None:
    desk = Desk(tmp_path, "|")
    found = await navigation.workspace_symbols(
        desk.server,  # type: ignore[arg-type]
        types.WorkspaceSymbolParams("custom"),
    )
    assert [(each.name, each.kind, each.container_name) for each in found] == [
        ("customers", types.SymbolKind.Struct, None),
        ("how many customers live in 'Lyon'?", types.SymbolKind.Event, "examples"),
        ("customer_id", types.SymbolKind.Field, "customers"),
        ("customer_id", types.SymbolKind.Field, "orders"),
    ]
    assert isinstance(found[0].location, types.Location)
    assert found[0].location.uri.endswith("/db/shop.sql")


async def test_a_document_that_is_not_open_has_nothing(tmp_path: Path) -> None:
    desk = Desk(tmp_path, "|")
    desk.server.session.close(desk.document.uri)
    assert await desk.definition() == []
    assert await desk.highlights() == []
    params = types.PrepareRenameParams(desk.where, desk.position)
    assert await navigation.prepare_rename(desk.server, params) is None  # type: ignore[arg-type]
