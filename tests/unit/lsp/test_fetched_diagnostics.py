"""Editors that fetch diagnostics: what they get, when they are told to fetch again."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest
from lsprotocol import types

from lsp_server import QuietServer
from sqlscribe.lsp import diagnostics, fetched
from sqlscribe.notation.document import Document
from sqlscribe.session import Session

DDL = "CREATE TABLE orders (order_id integer, total numeric);\n"
VERIFIED = '[model]\nname = "verified"\n'
WRONG = "SELECT ttal FROM orders;\n"


class Fetching:
    """An editor that fetches, and remembers the marks as editors do."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.server = QuietServer(Session({}))
        self.server.allow_fetching()
        self.server.session.set_roots([root])
        self.marks: dict[str, str] = {}
        self.version = 0

    def write(self, name: str, text: str) -> None:
        file = self.root / name
        file.parent.mkdir(exist_ok=True)
        file.write_text(text, "utf-8")

    def open(self, name: str, text: str) -> str:
        self.version += 1
        path = self.root / name
        self.server.session.open(Document(path.as_uri(), text, self.version), path)
        return path.as_uri()

    def close(self, name: str) -> None:
        uri = (self.root / name).as_uri()
        self.server.session.close(uri)
        self.server.diagnostics.closed(uri)
        self.marks.pop(uri, None)

    async def settled(self) -> None:
        """Everything is worked out, as after a pause in typing."""
        self.server.diagnostics.schedule()
        await self.server.settled()

    async def document(self, name: str) -> list[str] | None:
        """The codes of an open document; ``None`` where the editor has them already."""
        uri = (self.root / name).as_uri()
        found = await fetched.document_diagnostic(
            self.server,  # type: ignore[arg-type]
            types.DocumentDiagnosticParams(
                types.TextDocumentIdentifier(uri), previous_result_id=self.marks.get(uri)
            ),
        )
        if isinstance(found, types.RelatedUnchangedDocumentDiagnosticReport):
            return None
        assert found.result_id is not None
        self.marks[uri] = found.result_id
        return [str(each.code) for each in found.items]

    async def workspace(self) -> dict[str, list[str]]:
        """The codes of what is new in all other files, by the last part of their URI."""
        known = [types.PreviousResultId(uri, mark) for uri, mark in self.marks.items()]
        report = await fetched.workspace_diagnostic(
            self.server,  # type: ignore[arg-type]
            types.WorkspaceDiagnosticParams(known),
        )
        new: dict[str, list[str]] = {}
        for each in report.items:
            if isinstance(each, types.WorkspaceFullDocumentDiagnosticReport):
                assert each.result_id is not None
                self.marks[each.uri] = each.result_id
                new[each.uri.rpartition("/")[2]] = [str(one.code) for one in each.items]
        return new

    @property
    def sent(self) -> dict[str, list[str]]:
        """What was sent without being fetched, since the last look."""
        found = {
            each.uri.rpartition("/")[2]: [str(one.code) for one in each.diagnostics]
            for each in self.server.published
        }
        self.server.published.clear()
        return found


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Fetching]:
    monkeypatch.setattr(diagnostics, "_QUIET_SECONDS", 0)
    monkeypatch.setattr(fetched, "_SETTLE_SECONDS", 0)
    made = Fetching(tmp_path)
    made.write("sqlscribe.toml", VERIFIED)
    made.write("db.sql", DDL)
    yield made
    made.server.session.shutdown()


async def test_a_document_is_fetched_in_full_once(desk: Fetching) -> None:
    desk.open("q.sql", WRONG)
    assert await desk.document("q.sql") == ["name/unknown-column"]
    assert await desk.document("q.sql") is None
    desk.open("q.sql", "\n" + WRONG)
    assert await desk.document("q.sql") == ["name/unknown-column"]
    desk.open("q.sql", "SELECT total FROM orders;\n")
    assert await desk.document("q.sql") == []
    assert await desk.document("q.sql") is None
    await desk.settled()
    assert desk.sent == {}


async def test_a_configuration_is_fetched_as_it_is_typed(desk: Fetching) -> None:
    desk.open("sqlscribe.toml", VERIFIED)
    assert await desk.document("sqlscribe.toml") == []
    desk.open("sqlscribe.toml", f"dialct = 1\n{VERIFIED}")
    assert await desk.document("sqlscribe.toml") == ["config/unknown-key"]
    desk.open("sqlscribe.toml", VERIFIED)
    assert await desk.document("sqlscribe.toml") == []


async def test_a_change_elsewhere_has_the_editor_fetch_again(desk: Fetching) -> None:
    desk.open("q.sql", "SELECT total FROM orders;\n")
    assert await desk.document("q.sql") == []
    await desk.settled()
    assert desk.server.fetched_again == 0
    desk.write("db.sql", DDL.replace("total", "amount"))
    await desk.settled()
    assert desk.server.fetched_again == 1
    assert await desk.document("q.sql") == ["name/unknown-column"]
    await desk.settled()
    assert desk.server.fetched_again == 1


async def test_what_is_typed_is_no_reason_to_fetch_again(desk: Fetching) -> None:
    desk.open("q.sql", "SELECT total FROM orders;\n")
    await desk.document("q.sql")
    desk.open("q.sql", WRONG)
    await desk.settled()
    assert desk.server.fetched_again == 0


async def test_closed_files_are_sent_until_the_workspace_is_fetched(desk: Fetching) -> None:
    desk.write("training/a.yaml", "- question: x\n  sqll: SELECT 1\n")
    await desk.settled()
    assert desk.sent == {"a.yaml": ["example/unknown-key", "example/incomplete"]}
    assert await desk.workspace() == {"a.yaml": ["example/unknown-key", "example/incomplete"]}
    assert desk.sent == {"a.yaml": []}
    await desk.settled()
    assert desk.sent == {}


async def test_an_open_file_is_not_sent_and_not_listed(desk: Fetching) -> None:
    broken = f"dialct = 1\n{VERIFIED}"
    desk.write("sqlscribe.toml", broken)
    await desk.settled()
    assert desk.sent == {"sqlscribe.toml": ["config/unknown-key"]}
    desk.open("sqlscribe.toml", broken)
    assert await desk.document("sqlscribe.toml") == ["config/unknown-key"]
    assert desk.sent == {"sqlscribe.toml": []}
    await desk.settled()
    assert await desk.workspace() == {}
    desk.close("sqlscribe.toml")
    await desk.settled()
    assert await desk.workspace() == {"sqlscribe.toml": ["config/unknown-key"]}


async def test_the_workspace_is_held_until_something_is_new(desk: Fetching) -> None:
    await desk.settled()
    assert await desk.workspace() == {}
    waiting = asyncio.create_task(desk.workspace())
    await desk.settled()
    assert not waiting.done()
    desk.write("sqlscribe.toml", f"dialct = 1\n{VERIFIED}")
    await desk.settled()
    assert await waiting == {"sqlscribe.toml": ["config/unknown-key"]}
    waiting = asyncio.create_task(desk.workspace())
    (desk.root / "sqlscribe.toml").unlink()
    await desk.settled()
    assert await waiting == {"sqlscribe.toml": []}
    # Nobody had to be told: the request was there.
    assert desk.server.fetched_again == 0


async def test_a_second_request_for_the_workspace_ends_the_first(desk: Fetching) -> None:
    await desk.settled()
    assert await desk.workspace() == {}
    first = asyncio.create_task(desk.workspace())
    await asyncio.sleep(0)
    second = asyncio.create_task(desk.workspace())
    assert await first == {}
    second.cancel()
    with pytest.raises(asyncio.CancelledError):
        await second
    desk.write("sqlscribe.toml", f"dialct = 1\n{VERIFIED}")
    await desk.settled()
    # Nobody waits, so the editor is told.
    assert desk.server.fetched_again == 1
    assert await desk.workspace() == {"sqlscribe.toml": ["config/unknown-key"]}


@pytest.mark.parametrize(
    ("document", "again", "fetches"),
    [
        (types.DiagnosticClientCapabilities(), True, True),
        (types.DiagnosticClientCapabilities(), None, False),
        (None, True, False),
        (None, None, False),
    ],
)
def test_who_fetches_must_be_able_to_fetch_again(
    document: types.DiagnosticClientCapabilities | None, again: bool | None, fetches: bool
) -> None:
    capabilities = types.ClientCapabilities(
        text_document=types.TextDocumentClientCapabilities(diagnostic=document),
        workspace=types.WorkspaceClientCapabilities(
            diagnostics=types.DiagnosticWorkspaceClientCapabilities(refresh_support=again)
        ),
    )
    assert fetched.is_told_again(capabilities) is fetches


async def test_a_keystroke_in_a_query_reads_no_files(
    desk: Fetching, monkeypatch: pytest.MonkeyPatch
) -> None:
    from sqlscribe.loading import Loader

    readings: list[int] = []
    load = Loader.load

    def counted(loader: Loader, *given: object) -> object:
        readings.append(1)
        return load(loader, *given)  # type: ignore[arg-type]

    monkeypatch.setattr(Loader, "load", counted)
    desk.open("q.sql", WRONG)
    assert await desk.document("q.sql") == ["name/unknown-column"]
    before = len(readings)
    for number in (7, 70, 700):
        desk.open("q.sql", f"SELECT {number}, ttal FROM orders;\n" + "\n" * number)
        assert await desk.document("q.sql") == ["name/unknown-column"]
    assert len(readings) == before
    # Definitions are another matter: what they say counts at once.
    desk.open("new.sql", "CREATE TABLE regions (name text);\n")
    desk.open("db.sql", DDL.replace("total", "ttal"))
    assert await desk.document("q.sql") == []
    assert len(readings) == before + 1
