"""A person at a server without a wire: one open document, and what can be done with it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from lsprotocol import types

from lsp_server import QuietServer
from sqlscribe.lsp import actions, commands, convert
from sqlscribe.notation.document import Document, TextEdit
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
        self.root = root
        self.path = root / "q.sql"
        self.server: Any = QuietServer(Session({}))
        self.server.session.set_roots([root])
        self.version = 0

    @property
    def uri(self) -> str:
        return self.path.as_uri()

    @property
    def text(self) -> str:
        return str(self.server.session.documents[self.uri].text)

    def open(self, text: str) -> Document:
        self.version += 1
        document = Document(self.uri, text, self.version)
        self.server.session.open(document, self.path)
        return document

    async def load(self) -> None:
        await self.server.session.load(self.root)

    def can(self, **of_actions: Any) -> None:
        """Let the editor know more about code actions."""
        capability = self.server.client_capabilities.text_document.code_action
        for name, value in of_actions.items():
            setattr(capability, name, value)

    async def actions(
        self, line: int = 0, only: list[str] | None = None, **context: Any
    ) -> list[types.CodeAction]:
        at = types.Position(line, 4)
        params = types.CodeActionParams(
            types.TextDocumentIdentifier(self.uri),
            types.Range(at, at),
            types.CodeActionContext(context.pop("diagnostics", []), only=only, **context),
        )
        return await actions.code_actions(self.server, params)

    async def titles(self, line: int = 0, only: list[str] | None = None) -> list[str]:
        return [action.title for action in await self.actions(line, only)]

    async def action(self, title: str, line: int = 0, **context: Any) -> types.CodeAction:
        offered = await self.actions(line, **context)
        matching = [action for action in offered if action.title.startswith(title)]
        assert matching, f"{title!r} is not among {[action.title for action in offered]}"
        return matching[0]

    async def resolved(self, title: str, line: int = 0, **context: Any) -> types.CodeAction:
        action = await self.action(title, line, **context)
        return await commands.resolve(self.server, action)

    async def command(self, action: types.CodeAction | types.CodeLens) -> None:
        """Run the command of an action or a lens as the editor would, to its end."""
        assert action.command is not None
        [do] = [do for do, name in commands.COMMANDS.items() if name == action.command.command]
        assert action.command.arguments is not None
        await self.run(do, action.command.arguments[0])

    async def run(self, do: str, data: Any) -> None:
        commands.start(self.server, do, data)
        await self.server.settled()

    def apply(self, edit: types.WorkspaceEdit | None) -> str:
        """Make an edit of the open document; its text afterwards."""
        document = self.server.session.documents[self.uri]
        assert edit is not None
        [group] = edit.document_changes or []
        assert isinstance(group, types.TextDocumentEdit)
        assert group.text_document.uri == self.uri
        assert group.text_document.version == document.version
        return self.open(changed(document, group).text).text


def changed(document: Document, group: types.TextDocumentEdit) -> Document:
    """A document after the edits of one group."""
    return document.changed(
        TextEdit(convert.span(document, edit.range, "utf-16"), edit.new_text)
        for edit in group.edits
        if isinstance(edit, types.TextEdit)
    )


def inserted(edit: types.WorkspaceEdit | None) -> str:
    assert edit is not None
    [group] = edit.document_changes or []
    assert isinstance(group, types.TextDocumentEdit)
    [change] = group.edits
    assert isinstance(change, types.TextEdit)
    return change.new_text.strip()
