"""The whole prompt as a document that follows its question."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types

from desk import Desk
from sqlscribe.lsp import hover, preview
from sqlscribe.notation.document import Document


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(preview, "_QUIET_SECONDS", 0)


def shows_documents(desk: Desk, *, serves: bool) -> None:
    content = types.TextDocumentContentClientCapabilities() if serves else None
    desk.server.client_capabilities.window = types.WindowClientCapabilities(
        show_document=types.ShowDocumentClientCapabilities(support=True)
    )
    desk.server.client_capabilities.workspace = types.WorkspaceClientCapabilities(
        text_document_content=content
    )


async def text(desk: Desk, uri: str) -> str:
    found = await preview.content(desk.server, types.TextDocumentContentParams(uri))
    return found.text


async def test_a_client_that_asks_for_it_is_served_the_whole_prompt(desk: Desk) -> None:
    shows_documents(desk, serves=True)
    desk.open("-- ask: names of ``` all\n")
    await desk.command(await desk.action("Preview prompt"))
    [uri] = desk.server.shown
    assert uri.startswith("sqlscribe-prompt:/q-1.md?")
    said = await text(desk, uri)
    assert said.startswith("# names of ``` all\n\n- verified · about ")
    assert "CREATE TABLE customers" in said
    assert "\n````text\n" in said
    assert not (desk.root / ".sqlscribe" / "preview").exists()
    await desk.command(await desk.action("Preview prompt"))
    assert desk.server.shown == [uri, uri]


async def test_it_follows_the_question_as_it_is_typed(desk: Desk) -> None:
    shows_documents(desk, serves=True)
    desk.open("-- ask: other\n\n-- ask: all names\n")
    await desk.command(await desk.action("Preview prompt", 2))
    [uri] = desk.server.shown
    await text(desk, uri)
    desk.open("-- ask: other\n\n-- ask: all names of Lyon\n")
    desk.server.previews.changed(desk.uri)
    await desk.server.settled()
    assert desk.server.refreshed == [uri]
    assert (await text(desk, uri)).startswith("# all names of Lyon\n")
    desk.open("\n\n\n-- ask: all names of Lyon\n\n-- ask: more\n")
    desk.server.previews.changed(desk.uri)
    await desk.server.settled()
    assert desk.server.refreshed == [uri]
    desk.server.previews.changed("file:///other.sql")
    assert not desk.server.tasks


async def test_other_clients_get_a_file_that_follows(desk: Desk) -> None:
    shows_documents(desk, serves=False)
    desk.open("-- ask: all names\n")
    await desk.command(await desk.action("Preview prompt"))
    file = desk.root / ".sqlscribe" / "preview" / "q-1.md"
    assert desk.server.shown == [file.as_uri()]
    assert file.read_text().startswith("# all names\n")
    desk.open("-- ask: all towns\n")
    desk.server.previews.changed(desk.uri)
    await desk.server.settled()
    assert file.read_text().startswith("# all towns\n")


async def test_a_client_that_shows_nothing_is_told_where_the_file_is(desk: Desk) -> None:
    desk.open("-- ask: all names\n")
    await desk.command(await desk.action("Preview prompt"))
    [said] = desk.server.said
    assert Path(said.partition("the prompt is in ")[2]).read_text().startswith("# all names\n")


async def test_a_text_in_no_folder_has_its_preview_outside(desk: Desk) -> None:
    desk.server.session.set_roots([])
    document = Document("untitled:Untitled-1", "-- ask: all names\n", 1)
    desk.server.session.open(document, None)
    position = {"line": 0, "character": 3}
    await desk.run("preview", {"uri": document.uri, "position": position})
    path = Path(desk.server.said[0].partition("the prompt is in ")[2])
    assert path.read_text().startswith("# all names\n")
    assert not path.is_relative_to(desk.root)


async def test_a_question_without_a_prompt_says_why(desk: Desk) -> None:
    shows_documents(desk, serves=True)
    desk.open("-- ask[model=slow]: all names\n")
    await desk.command(await desk.action("Preview prompt"))
    assert "There is no prompt: no model is called 'slow'" in await text(desk, desk.server.shown[0])


async def test_what_an_earlier_server_showed_is_found_again(desk: Desk) -> None:
    shows_documents(desk, serves=True)
    desk.open("\n-- ask: all names\n")
    await desk.command(await desk.action("Preview prompt", 1))
    [uri] = desk.server.shown
    desk.server.previews = preview.Previews(desk.server)
    assert (await text(desk, uri)).startswith("# all names\n")


@pytest.mark.parametrize("uri", ["sqlscribe-prompt:/x.md", "sqlscribe-prompt:/x?uri=a&line=%F0"])
async def test_what_nobody_showed_is_gone(desk: Desk, uri: str) -> None:
    assert "not in an open document" in await text(desk, uri)


async def test_only_so_many_follow(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(preview, "_MOST", 1)
    shows_documents(desk, serves=True)
    desk.open("-- ask: one\n\n-- ask: two\n")
    for line in (0, 2):
        await desk.command(await desk.action("Preview prompt", line))
    desk.open("-- ask: one!\n\n-- ask: two!\n")
    desk.server.previews.changed(desk.uri)
    await desk.server.settled()
    assert desk.server.refreshed == [desk.server.shown[1]]


def test_a_link_runs_the_command(desk: Desk) -> None:
    document = desk.open("-- ask: a [b](c) d\n")
    [question] = desk.server.session.script(document).questions
    link = preview.link(document, question)
    assert link.startswith("[the whole prompt](command:sqlscribe.preview?%5B%7B")
    assert link.count("(") == link.count(")") == 1


@pytest.mark.parametrize(
    ("options", "expected"), [({"commandLinks": True}, 1), ({"commandLinks": 1}, 0), (None, 0)]
)
async def test_a_hover_links_to_the_whole_where_links_run_commands(
    desk: Desk, options: Any, expected: int
) -> None:
    desk.server.client_capabilities.text_document.hover = types.HoverClientCapabilities(
        content_format=[types.MarkupKind.Markdown]
    )
    desk.server.previews.are_linked = preview.announces(options)
    desk.open("-- ask: all names\n")
    place = types.Position(0, 8)
    params = types.HoverParams(types.TextDocumentIdentifier(desk.uri), place)
    shown = await hover.hover(desk.server, params)
    assert shown is not None
    assert isinstance(shown.contents, types.MarkupContent)
    assert shown.contents.value.count("](command:sqlscribe.preview?") == expected
