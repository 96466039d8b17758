"""What is published, and when it is taken back."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from lsp_server import QuietServer
from sqlscribe.lsp import diagnostics
from sqlscribe.notation.asks import Script
from sqlscribe.notation.document import Document
from sqlscribe.session import Session

DDL = "CREATE TABLE orders (order_id integer, total numeric);\n"
VERIFIED = '[model]\nname = "verified"\n'


class Desk:
    """A server with a folder and open documents, published at once."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.server = QuietServer(Session({}))
        self.server.session.set_roots([root])
        self.version = 0

    def write(self, name: str, text: str) -> None:
        (self.root / name).write_text(text, "utf-8")

    def open(self, name: str, text: str, uri: str = "") -> str:
        self.version += 1
        path = self.root / name
        document = Document(uri or path.as_uri(), text, self.version)
        self.server.session.open(document, path)
        return document.uri

    async def published(self) -> dict[str, list[str]]:
        """What the next publishing sends: the codes by the last part of the URI."""
        self.server.published.clear()
        self.server.diagnostics.schedule()
        await self.server.settled()
        return {
            sent.uri.rpartition("/")[2]: [str(found.code) for found in sent.diagnostics]
            for sent in self.server.published
        }


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Desk]:
    monkeypatch.setattr(diagnostics, "_QUIET_SECONDS", 0)
    made = Desk(tmp_path)
    made.write("sqlscribe.toml", VERIFIED)
    made.write("db.sql", DDL)
    yield made
    made.server.session.shutdown()


async def test_only_what_changed_is_published_and_what_is_cured_is_cleared(desk: Desk) -> None:
    desk.open("q.sql", "SELECT ttal FROM orders;\n")
    desk.open("r.sql", "SELECT total FROM orders;\n")
    assert await desk.published() == {"q.sql": ["name/unknown-column"]}
    assert await desk.published() == {}
    desk.open("q.sql", "\nSELECT ttal FROM orders;\n")
    assert await desk.published() == {"q.sql": ["name/unknown-column"]}
    assert desk.server.published[0].version == desk.version
    desk.open("q.sql", "SELECT total FROM orders;\n")
    assert await desk.published() == {"q.sql": []}
    assert await desk.published() == {}


async def test_files_that_are_not_open_have_diagnostics_too(desk: Desk) -> None:
    desk.write("sqlscribe.toml", f"dialct = 1\n{VERIFIED}")
    assert await desk.published() == {"sqlscribe.toml": ["config/unknown-key"]}
    desk.write("sqlscribe.toml", VERIFIED)
    assert await desk.published() == {"sqlscribe.toml": []}


async def test_findings_go_out_under_the_uri_that_the_editor_uses(desk: Desk) -> None:
    text = f"dialct = 1\n{VERIFIED}"
    desk.write("sqlscribe.toml", text)
    own = (desk.root / "sqlscribe.toml").as_uri().replace("sqlscribe.toml", "sqlscribe%2Etoml")
    desk.open("sqlscribe.toml", text, own)
    assert await desk.published() == {"sqlscribe%2Etoml": ["config/unknown-key"]}


async def test_a_change_of_the_schema_checks_every_open_document_again(desk: Desk) -> None:
    for name in ("q.sql", "r.sql", "s.sql"):
        desk.open(name, f"SELECT total FROM orders; -- {name}\n")
    assert await desk.published() == {}
    desk.write("db.sql", DDL.replace("total", "amount"))
    wrong = ["name/unknown-column"]
    assert await desk.published() == {"q.sql": wrong, "r.sql": wrong, "s.sql": wrong}


async def test_a_document_is_checked_once_for_each_version(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    from sqlscribe.inspection import Inspector

    checked: list[str] = []
    inspect = Inspector.inspect

    def counted(inspector: Inspector, script: Script, *given: object) -> object:
        checked.append(script.document.uri.rpartition("/")[2])
        return inspect(inspector, script, *given)  # type: ignore[arg-type]

    monkeypatch.setattr(Inspector, "inspect", counted)
    desk.open("q.sql", "SELECT 1;\n")
    desk.open("r.sql", "SELECT 2;\n")
    await desk.published()
    await desk.published()
    desk.open("r.sql", "SELECT 3;\n")
    await desk.published()
    assert checked == ["q.sql", "r.sql", "r.sql"]


async def test_a_closed_document_is_cleared_and_forgotten(desk: Desk) -> None:
    uri = desk.open("q.sql", "SELECT ttal FROM orders;\n")
    await desk.published()
    assert uri in desk.server.diagnostics.findings
    desk.server.session.close(uri)
    desk.server.diagnostics.closed(uri)
    assert await desk.published() == {"q.sql": []}
    assert uri not in desk.server.diagnostics.findings


async def test_nothing_is_kept_of_what_was_closed_while_others_were_checked(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = desk.server.session
    first = desk.open("q.sql", "SELECT 1;\n")
    second = desk.open("r.sql", "SELECT 2;\n")
    seen = weakref.ref(session.documents[second])
    hints = diagnostics.staleness.hints

    async def closing(*given: Any) -> Any:
        if second in session.documents:
            session.close(second)
            desk.server.diagnostics.closed(second)
        return await hints(*given)

    monkeypatch.setattr(diagnostics.staleness, "hints", closing)
    assert await desk.published() == {}
    gc.collect()
    assert first in session.documents
    assert seen() is None


async def test_other_files_of_the_editor_are_not_checked_as_sql(desk: Desk) -> None:
    desk.open("notes.md", "SELECT ttal FROM orders;\n")
    assert await desk.published() == {}


async def test_many_changes_are_one_publishing(desk: Desk) -> None:
    desk.open("q.sql", "SELECT ttal FROM orders;\n")
    for _ in range(20):
        desk.server.diagnostics.schedule()
    assert await desk.published() == {"q.sql": ["name/unknown-column"]}
    assert len(desk.server.published) == 1


async def test_lenses_are_asked_for_again_when_the_folder_knows_something_new(desk: Desk) -> None:
    desk.server.allow_lens_refresh()
    desk.open("q.sql", "-- ask: totals\nSELECT total FROM orders;\n")
    await desk.published()
    before = desk.server.lenses_refreshed
    await desk.published()
    assert desk.server.lenses_refreshed == before
    # No finding comes of it, but the answer counts as verified from now on.
    (desk.root / "training").mkdir()
    desk.write("training/a.sql", "-- ask: totals\nSELECT total FROM orders;\n")
    assert await desk.published() == {}
    assert desk.server.lenses_refreshed == before + 1
