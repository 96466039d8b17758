"""Lenses, saving, staleness, previews and the queue, as an editor meets them."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import pytest
import pytest_lsp
from lsprotocol import types

from desk import changed
from editor import Editor, editor
from loopback import Connection, LoopbackModel, Say
from shop import use_model, write
from sqlscribe.notation.document import Document

ENVIRONMENT = {"TEST_MODEL_KEY": "FAKE-never-shown"}
GOOD = "SELECT full_name FROM customers"
OSLO = "-- ask: how many customers live in 'Oslo'?\n"


def fenced(sql: str) -> Say:
    return Say(f"```sql\n{sql}\n```")


class Gates:
    """A model that holds every answer back until it is let go, and counts who waits."""

    def __init__(self) -> None:
        self.opened = threading.Event()

    def __call__(self, connection: Connection) -> bool:
        self.opened.wait(30)
        return fenced(GOOD)(connection)


class Desk:
    """An editor that takes edits of open documents and of files, and runs commands."""

    def __init__(self, ed: Editor) -> None:
        self.ed = ed
        self.edits: asyncio.Queue[types.WorkspaceEdit] = asyncio.Queue()
        self.refreshed: asyncio.Queue[str] = asyncio.Queue()

        @ed.client.feature(types.WORKSPACE_APPLY_EDIT)
        def apply(params: types.ApplyWorkspaceEditParams) -> types.ApplyWorkspaceEditResult:
            self.edits.put_nowait(params.edit)
            return types.ApplyWorkspaceEditResult(True)

        @ed.client.feature(types.WORKSPACE_CODE_LENS_REFRESH)
        def refresh_lenses(*_: object) -> None:
            return None

        @ed.client.feature(types.WORKSPACE_TEXT_DOCUMENT_CONTENT_REFRESH)
        def refresh(params: types.TextDocumentContentRefreshParams) -> None:
            self.refreshed.put_nowait(params.uri)

    async def run(self, command: str, name: str, line: int, **more: Any) -> None:
        position = {"line": line, "character": 4}
        target = {"textDocument": {"uri": self.ed.uri(name)}, "position": position, **more}
        await self.ed.client.workspace_execute_command_async(
            types.ExecuteCommandParams(command, [target])
        )

    async def edit(self) -> types.WorkspaceEdit:
        return await asyncio.wait_for(self.edits.get(), 20)

    async def lenses(self, name: str) -> list[types.CodeLens]:
        identifier = types.TextDocumentIdentifier(self.ed.uri(name))
        found = await self.ed.client.text_document_code_lens_async(types.CodeLensParams(identifier))
        return [await self.ed.client.code_lens_resolve_async(lens) for lens in found or []]

    async def titles(self, name: str) -> list[str]:
        return [lens.command.title for lens in await self.lenses(name) if lens.command]

    async def told(self, words: str) -> str:
        """What the person is told with these words in it."""
        async with asyncio.timeout(20):
            while True:
                for said in self.ed.messages:
                    if words in said:
                        return said
                await self.ed.client.wait_for_notification(types.WINDOW_SHOW_MESSAGE)


@asynccontextmanager
async def desk(shop: Path, **more: Any) -> AsyncIterator[Desk]:
    async with editor(shop, environment=ENVIRONMENT, **more) as ed:
        yield Desk(ed)


def made(edit: types.WorkspaceEdit) -> Path:
    """Make an edit of a file on disk; the file."""
    path = Path()
    for group in edit.document_changes or []:
        assert isinstance(group, types.CreateFile | types.TextDocumentEdit)
        uri = group.uri if isinstance(group, types.CreateFile) else group.text_document.uri
        path = Path(unquote(urlsplit(uri).path))
        if isinstance(group, types.CreateFile):
            path.parent.mkdir(exist_ok=True)
            path.touch()
        else:
            text = path.read_bytes().decode()
            path.write_bytes(changed(Document(uri, text), group).text.encode())
    return path


async def test_an_edited_answer_becomes_an_example_that_answers_from_then_on(shop: Path) -> None:
    write(shop, {".git/config": "[user]\nname = Ada\n"})
    before = (shop / "training/customers.sql").read_bytes()
    async with desk(shop) as at:
        at.ed.open("q.sql", f"-- ask: everybody's name\n{GOOD} ORDER BY 1;\n")
        action = await at.ed.resolved("q.sql", 0, "Save as verified example")
        assert action.edit is not None, at.ed.messages
        assert made(action.edit) == shop / "training/customers.sql"
        after = (shop / "training/customers.sql").read_bytes()
        assert after.startswith(before + b"\n-- ask[dialect=postgres]: everybody's name\n")
        assert b"verified_by=Ada" in after
        at.ed.open("other.sql", "-- ask: Everybody's name?\n")
        document = at.ed.apply((await at.ed.resolved("other.sql", 0)).edit)
        assert document.text == f"-- ask: Everybody's name?\n{GOOD} ORDER BY 1;\n"
        assert (await at.titles("other.sql"))[0] == "checked · verified by Ada"


@pytest.mark.parametrize("client", ["visual-studio-code", "emacs"])
async def test_a_first_example_makes_its_file(shop: Path, client: str) -> None:
    (shop / "training/customers.sql").unlink()
    async with desk(shop, client=client) as at:
        at.ed.open("q.sql", f"-- ask: names\n{GOOD};\n")
        await at.run("sqlscribe.saveExample", "q.sql", 0)
        if client == "visual-studio-code":
            made(await at.edit())
        await at.told("saved in training/verified.sql")
    assert (
        (shop / "training/verified.sql").read_text().startswith("-- ask[dialect=postgres]: names")
    )


async def test_a_client_without_versions_gets_the_edits_of_files(
    shop: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    capabilities = pytest_lsp.client_capabilities("visual-studio-code")
    assert capabilities.workspace is not None
    assert capabilities.workspace.workspace_edit is not None
    capabilities.workspace.workspace_edit.document_changes = False
    monkeypatch.setattr("pytest_lsp.client_capabilities", lambda _: capabilities)
    (shop / "training/customers.sql").write_text(
        "-- ask: names\nSELECT full_name FROM customers;\n"
    )
    text = "-- ask: names\n\nWITH c AS (SELECT full_nme FROM customers) SELECT * FROM c;\n"
    async with desk(shop) as at:
        ed = at.ed
        ed.open("q.sql", text)
        edits: list[types.WorkspaceEdit | None] = []

        def make(edit: types.WorkspaceEdit | None) -> None:
            edits.append(edit)
            ed.apply(edit)

        make((await ed.resolved("q.sql", 0)).edit)
        await ed.diagnostics("q.sql", lambda found: [d.range.start.line for d in found] == [3])
        [fix] = [a for a in await ed.actions("q.sql", 3, 24) if a.title == "Change to full_name"]
        make(fix.edit)
        where = types.TextDocumentIdentifier(ed.uri("q.sql"))
        renamed = types.RenameParams(where, types.Position(3, 5), "people")
        make(await ed.client.text_document_rename_async(renamed))
        make((await ed.action("q.sql", 1, "Write a refinement")).edit)
        make((await ed.resolved("q.sql", 4, "Format SQL")).edit)
        assert "WITH people AS (\n" in ed.documents["q.sql"].text
        await at.run("sqlscribe.answer", "q.sql", 0, regenerate=False)
        make(await at.edit())
        ed.open("training/customers.sql")
        ed.open("new.sql", f"-- ask: cities\n{GOOD.replace('full_name', 'city')};\n")
        make((await ed.resolved("new.sql", 0, "Save as verified example")).edit)
        assert "-- ask[dialect=postgres]: cities\n" in ed.documents["training/customers.sql"].text
    assert all(edit and edit.changes and not edit.document_changes for edit in edits)


async def test_an_answer_is_stale_after_an_edit_of_its_table_until_it_is_accepted(
    shop: Path,
) -> None:
    async with desk(shop) as at:
        at.ed.open("q.sql", OSLO)
        at.ed.apply((await at.ed.resolved("q.sql", 0)).edit)
        ddl = at.ed.open("db/shop.sql")
        at.ed.type("db/shop.sql", ddl.text.index("  city text"), "  zip text,\n")
        [hint] = await at.ed.diagnostics("q.sql", until=bool)
        assert (hint.code, hint.range.start.line) == ("ask/stale", 0)
        assert "customers changed" in hint.message
        assert (await at.titles("q.sql"))[0] == "stale: customers changed"
        await at.run("sqlscribe.acceptAnswer", "q.sql", 1)
        await at.ed.diagnostics("q.sql", until=lambda found: not found)
        assert (await at.titles("q.sql"))[0] == "checked"


async def test_a_lens_generates_and_then_tells_the_state(shop: Path) -> None:
    async with desk(shop) as at:
        at.ed.open("q.sql", OSLO)
        generate, preview = await at.lenses("q.sql")
        assert generate.command is not None
        assert preview.command is not None
        assert (generate.command.title, preview.command.title) == ("Generate", "Preview prompt")
        command = types.ExecuteCommandParams(
            generate.command.command, list(generate.command.arguments or [])
        )
        await at.ed.client.workspace_execute_command_async(command)
        at.ed.apply(await at.edit())
        assert await at.titles("q.sql") == ["checked", "Preview prompt", "Save example"]


async def test_the_prompt_is_a_document_that_follows_its_question(
    shop: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    capabilities = pytest_lsp.client_capabilities("visual-studio-code")
    assert capabilities.workspace is not None
    content = types.TextDocumentContentClientCapabilities()
    capabilities.workspace.text_document_content = content
    monkeypatch.setattr("pytest_lsp.client_capabilities", lambda _: capabilities)
    async with desk(shop) as at:
        document = at.ed.open("q.sql", OSLO)
        await at.run("sqlscribe.preview", "q.sql", 0)
        async with asyncio.timeout(20):
            while not at.ed.client.shown_documents:
                await asyncio.sleep(0.01)
        [shown] = at.ed.client.shown_documents
        params = types.TextDocumentContentParams(shown.uri)
        first = await at.ed.client.workspace_text_document_content_async(params)
        assert "CREATE TABLE customers" in first.text
        assert "Question: how many customers live in 'Oslo'?" in first.text
        at.ed.type("q.sql", len(document.text) - 1, " Or near it?")
        assert await asyncio.wait_for(at.refreshed.get(), 20) == shown.uri
        second = await at.ed.client.workspace_text_document_content_async(params)
        assert "Or near it?" in second.text


async def test_a_client_without_such_documents_is_shown_a_file(shop: Path) -> None:
    async with desk(shop) as at:
        at.ed.open("q.sql", OSLO)
        await at.run("sqlscribe.preview", "q.sql", 0)
        async with asyncio.timeout(20):
            while not at.ed.client.shown_documents:
                await asyncio.sleep(0.01)
        [shown] = at.ed.client.shown_documents
    path = Path(unquote(urlsplit(shown.uri).path))
    assert path.parent == shop / ".sqlscribe/preview"
    assert "CREATE TABLE customers" in path.read_text()


async def test_two_answers_at_once_and_the_same_question_is_asked_once(shop: Path) -> None:
    gates = Gates()
    with LoopbackModel(gates) as model:
        use_model(shop, model.api_base)
        async with desk(shop) as at:
            at.ed.open("q.sql", "".join(f"-- ask: question {n}\n\n" for n in range(3)))
            for line in (0, 0, 2, 4):
                await at.run("sqlscribe.answer", "q.sql", line)
            assert await asyncio.to_thread(model.wait_for, 2)
            titles = await at.titles("q.sql")
            assert titles[::2] == [
                "answering: asking openai/test …",
                "answering: asking openai/test …",
                "answering: waiting for other answers …",
            ]
            assert len(model.exchanges) == 2
            gates.opened.set()
            edits = [await at.edit() for _ in range(4)]
            assert all(edit.document_changes for edit in edits)
        assert len(model.exchanges) == 3


async def test_everything_under_way_can_be_cancelled_by_a_command(shop: Path) -> None:
    gates = Gates()
    with LoopbackModel(gates) as model:
        use_model(shop, model.api_base)
        async with desk(shop) as at:
            at.ed.open("q.sql", "-- ask: names\n")
            await at.run("sqlscribe.answer", "q.sql", 0)
            assert await asyncio.to_thread(model.wait_for, 1)
            await at.ed.client.workspace_execute_command_async(
                types.ExecuteCommandParams("sqlscribe.cancel")
            )
            gates.opened.set()
            assert (await at.titles("q.sql"))[0] == "Generate"
            assert at.edits.empty()


async def test_the_model_s_readings_are_offered_and_the_chosen_one_is_answered(
    shop: Path,
) -> None:
    with LoopbackModel(Say("CHOICE: by name | by town"), fenced(GOOD)) as model:
        use_model(shop, model.api_base)
        async with desk(shop) as at:
            at.ed.open("q.sql", "-- ask: customers in order\n")
            assert (await at.ed.resolved("q.sql", 0)).edit is None
            document = at.ed.apply((await at.ed.resolved("q.sql", 0, "Ask: by name")).edit)
        sent = model.exchanges[1].json["messages"][-1]["content"]
    assert document.text == f"-- ask: customers in order\n-- by name\n{GOOD};\n"
    assert sent.endswith("Question: customers in order\nby name")


async def test_what_is_not_in_the_schema_is_told_and_the_draft_comes_on_demand(
    shop: Path,
) -> None:
    asked = "-- ask: customers with a seating area\n"
    draft = "SELECT seating_area FROM customers"
    with LoopbackModel(*[fenced(draft)] * 4) as model:
        use_model(shop, model.api_base)
        async with desk(shop) as at:
            at.ed.open("q.sql", asked)
            offered = [each.title for each in await at.ed.actions("q.sql", 0)]
            assert "Regenerate SQL" not in offered
            assert (await at.ed.resolved("q.sql", 0)).edit is None
            assert any("speaks of “seating”" in told for told in at.ed.messages)
            document = at.ed.apply((await at.ed.resolved("q.sql", 0, "Regenerate SQL")).edit)
    assert document.text == f"{asked}{draft};\n"


async def test_another_server_s_error_is_repaired(shop: Path) -> None:
    with LoopbackModel(fenced(GOOD)) as model:
        use_model(shop, model.api_base)
        async with desk(shop) as at:
            at.ed.open("q.sql", "SELECT nme FROM customers;\n")
            # Once the folder was read, statements have their actions.
            await at.ed.diagnostics("q.sql", until=bool)
            range_ = types.Range(types.Position(0, 7), types.Position(0, 10))
            error = types.Diagnostic(range_, "column nme is unknown", source="psql")
            offered = await at.ed.client.text_document_code_action_async(
                types.CodeActionParams(
                    types.TextDocumentIdentifier(at.ed.uri("q.sql")),
                    range_,
                    types.CodeActionContext([error], only=["quickfix"]),
                )
            )
            [action] = [each for each in offered or [] if each.title == "Repair SQL from error"]
            assert isinstance(action, types.CodeAction)
            document = at.ed.apply((await at.ed.client.code_action_resolve_async(action)).edit)
        sent = model.exchanges[0].json["messages"][-1]["content"]
    assert "column nme is unknown" in sent
    assert document.text == f"{GOOD};\n"


async def test_a_statement_is_explained_in_a_comment(shop: Path) -> None:
    with LoopbackModel(Say("One row for each customer.")) as model:
        use_model(shop, model.api_base)
        async with desk(shop) as at:
            at.ed.open("q.sql", f"{GOOD};\n")
            await at.run("sqlscribe.explain", "q.sql", 0)
            document = at.ed.apply(await at.edit())
    assert document.text == f"/* Explanation: One row for each customer. */\n{GOOD};\n"
