"""Code actions and the answers they lead to, on a server without a wire."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types

from lsp_server import QuietServer
from sqlscribe.lsp import actions, answers, hover
from sqlscribe.notation.document import Document
from sqlscribe.session import Session

FILES = {
    "sqlscribe.toml": 'dialect = "postgres"\n[model]\nname = "verified"\n',
    "db.sql": "CREATE TABLE customers (customer_id integer, full_name text);\n",
    "training/all.sql": "-- ask: all names\nSELECT full_name FROM customers;\n",
}
SQL = "SELECT full_name FROM customers"


class Desk:
    """A server with one open document."""

    def __init__(self, root: Path) -> None:
        self.path = root / "q.sql"
        self.server: Any = QuietServer(Session({}))
        self.server.session.set_roots([root])
        self.version = 0

    def open(self, text: str) -> Document:
        self.version += 1
        document = Document(self.path.as_uri(), text, self.version)
        self.server.session.open(document, self.path)
        return document

    async def actions(self, line: int = 0, only: list[str] | None = None) -> list[types.CodeAction]:
        at = types.Position(line, 4)
        params = types.CodeActionParams(
            types.TextDocumentIdentifier(self.path.as_uri()),
            types.Range(at, at),
            types.CodeActionContext([], only=only),
        )
        return await actions.code_actions(self.server, params)

    async def titles(self, line: int = 0, only: list[str] | None = None) -> list[str]:
        return [action.title for action in await self.actions(line, only)]


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    for name, text in FILES.items():
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, "utf-8")
    made = Desk(tmp_path)
    yield made
    made.server.session.shutdown()


def inserted(edit: types.WorkspaceEdit | None) -> str:
    assert edit is not None
    assert edit.document_changes is not None
    [group] = edit.document_changes
    assert isinstance(group, types.TextDocumentEdit)
    [change] = group.edits
    assert isinstance(change, types.TextEdit)
    return change.new_text.strip()


@pytest.mark.parametrize(
    ("text", "line", "titles"),
    [
        ("-- ask: all names\n", 0, ["Generate SQL"]),
        ("-- ask: all names\nSELECT 1;\n", 0, ["Regenerate SQL"]),
        ("-- ask: all names\nSELECT 1;\n", 1, ["Regenerate SQL"]),
        ("-- ask: all names\nSELECT 1;\n-- refine: by city\n", 2, ["Refine SQL"]),
        ("SELECT 1;\n-- error: no such table\n", 1, ["Repair SQL from error"]),
        ("-- ask: all names\n\nSELECT 1;\n", 2, []),
        ("SELECT 1;\n", 0, []),
    ],
)
async def test_what_is_offered_where(desk: Desk, text: str, line: int, titles: list[str]) -> None:
    desk.open(text)
    assert await desk.titles(line) == titles


@pytest.mark.parametrize(
    ("only", "count"),
    [(["refactor"], 1), (["refactor.rewrite"], 1), ([""], 1), (["quickfix"], 0), (["refac"], 0)],
)
async def test_only_the_kinds_that_are_asked_for(desk: Desk, only: list[str], count: int) -> None:
    desk.open("-- ask: all names\n")
    assert len(await desk.titles(only=only)) == count


async def test_nothing_is_offered_in_a_document_that_is_not_open(desk: Desk) -> None:
    assert await desk.titles() == []


async def test_an_action_is_resolved_to_an_edit_of_this_version(desk: Desk) -> None:
    desk.open("-- ask: all names\n")
    [action] = await desk.actions()
    found = await actions.resolve(desk.server, action)
    assert inserted(found.edit) == f"{SQL};"
    assert found.data["answer"]["outcome"] == "sql"


async def test_a_quick_fix_that_is_resolved_stays_as_it_is(desk: Desk) -> None:
    fix = types.CodeAction("Change to x", edit=types.WorkspaceEdit(document_changes=[]))
    assert await actions.resolve(desk.server, fix) is fix
    assert desk.server.said == []


async def test_an_answer_for_a_question_that_changed_is_kept_for_it(desk: Desk) -> None:
    asked = desk.open("-- ask: all names\n")
    [action] = await desk.actions()
    desk.open("-- ask: all names of Lyon\n")
    assert (await actions.resolve(desk.server, action)).edit is None
    assert answers.CHANGED in desk.server.said[0]

    [question] = desk.server.session.script(asked).questions
    wanted = answers.Wanted(asked, question)
    assert await answers.place(desk.server, wanted, SQL) is None
    desk.open("-- ask: all names\n")
    stored, generate = await desk.actions()
    assert (stored.title, generate.title) == ("Use stored answer", "Generate SQL")
    assert inserted((await actions.resolve(desk.server, stored)).edit) == f"{SQL};"
    assert await desk.titles() == ["Generate SQL"]


async def test_not_too_many_answers_are_kept(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(answers, "_KEPT", 2)
    document = desk.open("".join(f"-- ask: question {number}\n\n" for number in range(4)))
    questions = desk.server.session.script(document).questions
    desk.open("")
    for question in questions:
        await answers.place(desk.server, answers.Wanted(document, question), SQL)
    assert [text for _, _, text in desk.server.unplaced] == ["question 2", "question 3"]


async def test_the_text_that_was_asked_about_counts_though_it_changes_meanwhile(
    desk: Desk,
) -> None:
    asked = desk.open("-- ask: all names\n")
    [question] = desk.server.session.script(asked).questions
    desk.server.session.close(asked.uri)
    given = await answers.run(desk.server, answers.Wanted(asked, question))
    assert given.sql == SQL


async def test_a_model_that_is_not_configured_is_a_sentence_and_no_crash(desk: Desk) -> None:
    desk.open("-- ask[model=slow]: all names\n")
    [action] = await desk.actions()
    found = await actions.resolve(desk.server, action)
    assert found.edit is None
    assert found.data["answer"]["error"] == "configuration"
    assert "no model is called 'slow'" in desk.server.said[0]
    params = types.HoverParams(
        types.TextDocumentIdentifier(desk.path.as_uri()), types.Position(0, 5)
    )
    shown = await hover.hover(desk.server, params)
    assert shown is not None
    assert isinstance(shown.contents, types.MarkupContent)
    assert "no model is called 'slow'" in shown.contents.value


class TestCommand:
    """Editors that cannot resolve: a command starts the work, which asks for its own edit."""

    @pytest.fixture(autouse=True)
    def old_editor(self, desk: Desk) -> None:
        desk.server.client_capabilities = types.ClientCapabilities()

    async def start(self, desk: Desk, action: types.CodeAction) -> None:
        assert action.command is not None
        assert action.command.arguments is not None
        answers.start(desk.server, action.command.arguments[0])
        await desk.server.settled()

    async def test_the_edit_is_asked_for(self, desk: Desk) -> None:
        desk.open("-- ask: all names\n")
        [action] = await desk.actions()
        await self.start(desk, action)
        [edit] = desk.server.applied
        assert inserted(edit) == f"{SQL};"

    async def test_a_question_that_is_gone_is_said(self, desk: Desk) -> None:
        desk.open("-- ask: all names\n")
        [action] = await desk.actions()
        desk.open("-- ask: something else\n")
        await self.start(desk, action)
        assert answers.CHANGED in desk.server.said[0]

    async def test_an_edit_that_the_editor_does_not_take_is_kept(self, desk: Desk) -> None:
        desk.server.takes_edits = False
        desk.open("-- ask: all names\n")
        [action] = await desk.actions()
        await self.start(desk, action)
        assert answers.CHANGED in desk.server.said[-1]
        assert "Use stored answer" in await desk.titles()
