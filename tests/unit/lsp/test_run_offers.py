"""Where running a query is offered: over answers, and in the menu of each query."""

from __future__ import annotations

import json

import pytest
from lsprotocol import types

from desk import SQL, Desk
from shop import write
from sqlscribe.lsp import lenses, running, targets
from sqlscribe.settings import ClientSettings

TITLE = running.TITLE
ASKED = f"-- ask: all names\n{SQL};\n"
DATABASE = '[database]\nurl = "sqlite:///shop.db"\nrun_queries = '


async def prepared(desk: Desk, *, shown: bool = True, runs: str = "true") -> None:
    write(desk.root, {"sqlscribe.toml": f'dialect = "sqlite"\n{DATABASE}{runs}\n'})
    desk.server.runs.are_shown = shown
    await desk.load()


async def titles_of_lenses(desk: Desk) -> list[str]:
    identifier = types.TextDocumentIdentifier(desk.uri)
    found = json.loads(await lenses.code_lens(desk.server, types.CodeLensParams(identifier)))
    top = types.Range(types.Position(0, 0), types.Position(0, 0))
    listed = [types.CodeLens(top, data=each["data"]) for each in found]
    resolved = [await lenses.resolve(desk.server, lens) for lens in listed]
    return [lens.command.title for lens in resolved if lens.command is not None]


@pytest.mark.parametrize(
    ("text", "line", "offered"),
    [
        ("SELECT 1 AS one;\n", 0, True),
        (ASKED, 1, True),
        ("-- ask: all names\n", 0, False),
        ("CREATE TABLE t (a text);\n", 0, False),
    ],
)
async def test_the_menu_of_a_query_runs_it(desk: Desk, text: str, line: int, offered: bool) -> None:
    await prepared(desk)
    desk.open(text)
    assert (TITLE in await desk.titles(line)) is offered


async def test_what_the_menu_runs_is_found_again_in_the_text(desk: Desk) -> None:
    await prepared(desk)
    desk.open("SELECT 1 AS one;\n\nSELECT 2 AS two;\n")
    action = await desk.action(TITLE, line=2)
    assert action.command is not None
    assert action.command.command == running.COMMAND
    assert action.command.arguments is not None
    [target] = action.command.arguments
    document = desk.open("-- new\nSELECT 2 AS two;\n")
    spot = targets.spot_of(desk.server, desk.server.session.script(document), target)
    assert spot is not None
    assert spot.sql == "SELECT 2 AS two"


@pytest.mark.parametrize(
    ("shown", "runs", "trusted", "offered"),
    [
        (True, "true", None, True),
        (True, "true", True, True),
        (True, "true", False, False),
        (True, "false", True, False),
        (False, "true", True, False),
    ],
)
async def test_the_lens_stands_there_only_where_queries_may_be_run_and_shown(
    desk: Desk, shown: bool, runs: str, trusted: bool | None, offered: bool
) -> None:
    desk.server.session.configure(ClientSettings(trusted=trusted))
    await prepared(desk, shown=shown, runs=runs)
    desk.open(ASKED)
    assert (TITLE in await titles_of_lenses(desk)) is offered
    assert (TITLE in await desk.titles(1)) is offered


async def test_before_a_folder_is_read_nothing_is_offered(desk: Desk) -> None:
    desk.server.runs.are_shown = True
    assert running.is_offered(desk.server, desk.root) is False
