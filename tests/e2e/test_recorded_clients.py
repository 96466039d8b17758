"""The main jobs, for clients that can what real editors said they can."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from lsprotocol import types

from editor import Editor, editor, recorded
from loopback import Hang, LoopbackModel
from shop import use_model

CLIENTS = [
    "visual-studio-code",
    "vscode-1.139-languageclient-11.0.0",
    "neovim@v0.11.0",
    "nvim-0.12.4",
    "emacs@v29.1",
    "emacs-28.2-eglot-1.9",
    "emacs-30.1",
    "helix-25.07.1",
]
TEXT = (
    "-- ask: how many customers live in 'Oslo'?\n\n"
    "SELECT '😀', nme, city FROM customers;\n\n"
    "-- ask: everybody's name\nSELECT full_name FROM customers ORDER BY 1;\n"
)


class Person:
    """Somebody at one of these clients, who takes what the menu offers."""

    def __init__(self, ed: Editor, capabilities: types.ClientCapabilities) -> None:
        self.ed = ed
        assert capabilities.text_document is not None
        assert capabilities.text_document.code_action is not None
        self.can = capabilities.text_document
        self.resolves = capabilities.text_document.code_action.resolve_support is not None
        self.edits: asyncio.Queue[types.WorkspaceEdit] = asyncio.Queue()

        @ed.client.feature(types.WORKSPACE_APPLY_EDIT)
        def apply(params: types.ApplyWorkspaceEditParams) -> types.ApplyWorkspaceEditResult:
            self.edits.put_nowait(params.edit)
            return types.ApplyWorkspaceEditResult(True)

        @ed.client.feature(types.WORKSPACE_CODE_LENS_REFRESH)
        def refresh(*_: object) -> None:
            return None

    async def menu(self, line: int, character: int = 5) -> dict[str, types.CodeAction]:
        position = types.Position(line, character)
        params = types.CodeActionParams(
            types.TextDocumentIdentifier(self.ed.uri("q.sql")),
            types.Range(position, position),
            types.CodeActionContext([]),
        )
        offered = await self.ed.client.text_document_code_action_async(params)
        return {action.title: action for action in offered or []}

    async def finding(self, line: int) -> types.Diagnostic:
        """The only one, once it is at a line: fetched where the client fetches, else sent."""
        if self.can.diagnostic is None:

            def is_there(found: list[types.Diagnostic]) -> bool:
                return [each.range.start.line for each in found] == [line]

            [found] = await self.ed.diagnostics("q.sql", until=is_there)
            return found
        identifier = types.TextDocumentIdentifier(self.ed.uri("q.sql"))
        report = await self.ed.client.text_document_diagnostic_async(
            types.DocumentDiagnosticParams(identifier)
        )
        assert isinstance(report, types.RelatedFullDocumentDiagnosticReport)
        [found] = report.items
        assert found.range.start.line == line
        return found

    async def take(self, title: str, line: int, character: int = 5) -> types.WorkspaceEdit:
        """The edit that comes of an entry of the menu, in the way of this client."""
        menu = await self.menu(line, character)
        assert title in menu, list(menu)
        action = menu[title]
        if isinstance(action, types.CodeAction) and action.edit is not None:
            return action.edit
        if self.resolves:
            assert action.command is None
            resolved = await self.ed.client.code_action_resolve_async(action)
            assert resolved.edit is not None, self.ed.messages
            return resolved.edit
        # The library reads an action with a command as a bare command: what it holds is run.
        assert isinstance(action, types.Command)
        target = {
            "textDocument": {"uri": self.ed.uri("q.sql")},
            "position": {"line": line, "character": character},
        }
        name = {"Generate SQL": "sqlscribe.answer"}.get(title, "sqlscribe.saveExample")
        await self.ed.client.workspace_execute_command_async(
            types.ExecuteCommandParams(name, [target])
        )
        return await asyncio.wait_for(self.edits.get(), 20)


@asynccontextmanager
async def person(shop: Path, client: str) -> AsyncIterator[Person]:
    async with editor(
        shop, client=client, environment={"TEST_MODEL_KEY": "FAKE-never-shown"}
    ) as ed:
        yield Person(ed, recorded(client))


@pytest.mark.parametrize("client", CLIENTS)
async def test_the_main_jobs(shop: Path, client: str) -> None:
    async with person(shop, client) as at:
        ed = at.ed
        ed.open("q.sql", TEXT)

        hover = await ed.hover("q.sql", 0)
        assert hover is not None
        assert "verified · about" in hover
        formats = at.can.hover.content_format if at.can.hover else None
        assert hover.startswith("```") == (types.MarkupKind.Markdown in (formats or []))

        ed.apply(await at.take("Generate SQL", 0))
        assert (
            "\nSELECT count(*) FROM customers WHERE city = 'Oslo';\n" in ed.documents["q.sql"].text
        )

        # In units of this client: the emoji is four bytes, two UTF-16 units, or one character.
        start = len("SELECT '😀', ".encode(f"{ed.encoding}-le".replace("utf-8-le", "utf-8")))
        start //= {"utf-8": 1, "utf-16": 2, "utf-32": 4}[ed.encoding]
        wrong = await at.finding(3)
        assert wrong.code == "name/unknown-column"
        assert wrong.range.start.character == start
        document = ed.apply(await at.take("Change to full_name", 3, start + 1))
        assert "SELECT '😀', full_name, city FROM customers;" in document.text

        saved = await at.take("Save as verified example", 5)
        [group] = saved.document_changes or []
        assert isinstance(group, types.TextDocumentEdit)
        assert group.text_document.uri == (shop / "training/customers.sql").as_uri()


@pytest.mark.parametrize("client", CLIENTS)
async def test_lenses_tell_the_state(shop: Path, client: str) -> None:
    """Also to clients that said nothing of lenses: a plugin may ask for them."""
    async with person(shop, client) as at:
        at.ed.open("q.sql", TEXT)
        identifier = types.TextDocumentIdentifier(at.ed.uri("q.sql"))
        lenses = await at.ed.client.text_document_code_lens_async(types.CodeLensParams(identifier))
        resolved = [await at.ed.client.code_lens_resolve_async(lens) for lens in lenses or []]
        titles = [lens.command.title for lens in resolved if lens.command]
        assert titles == ["Generate", "Preview prompt", "checked", "Preview prompt", "Save example"]


@pytest.mark.parametrize("client", CLIENTS)
async def test_a_slow_answer_is_cancelled(shop: Path, client: str) -> None:
    with LoopbackModel(Hang()) as model:
        use_model(shop, model.api_base)
        async with person(shop, client) as at:
            document = at.ed.open("q.sql", "-- ask: all names\n")
            taking = asyncio.create_task(at.take("Generate SQL", 0))
            assert await asyncio.to_thread(model.wait_for, 1)
            await at.ed.client.workspace_execute_command_async(
                types.ExecuteCommandParams("sqlscribe.cancel")
            )
            assert await asyncio.to_thread(model.exchanges[0].closed.wait, 20)
            assert at.ed.documents["q.sql"] is document
            assert at.edits.empty()
            # Where a request is under way it is answered; where a command only began the work,
            # nothing more comes.
            await asyncio.wait([taking], timeout=10)
            taking.cancel()
            await asyncio.wait([taking])
