"""Ghost text without a model: what is known at once, and who waits for what."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from pathlib import Path

import pytest
from lsprotocol import types

from desk import FILES, SQL, Desk
from shop import write
from sqlscribe.lsp import answers, commands
from sqlscribe.lsp.inline_completion import Ghosts, inline_completion

ASK = "-- ask: all names"
END = types.Position(0, len(ASK))
KINDS = types.InlineCompletionTriggerKind


async def shown(
    desk: Desk, at: types.Position = END, *, invoked: bool = False
) -> types.InlineCompletionItem | None:
    params = types.InlineCompletionParams(
        types.InlineCompletionContext(KINDS.Invoked if invoked else KINDS.Automatic),
        types.TextDocumentIdentifier(desk.uri),
        at,
    )
    found = await inline_completion(desk.server, params)
    return None if found is None else found.items[0]


def configure(desk: Desk, line: str) -> None:
    write(desk.root, {"sqlscribe.toml": line + FILES["sqlscribe.toml"]})


async def test_nobody_waits_for_the_folder_but_who_asks(desk: Desk) -> None:
    desk.open(f"{ASK}\n")
    assert await shown(desk) is None
    assert desk.server.session.known_now(desk.root) is None
    item = await shown(desk, invoked=True)
    assert item is not None
    assert item.insert_text == f"\n{SQL};"
    assert item.range == types.Range(END, END)
    assert await shown(desk) == item


@pytest.mark.parametrize("text", ["", "SELECT 1;", f"{ASK}\n{SQL};\n", "-- ask: something else\n"])
async def test_without_a_gap_or_an_answer_there_is_nothing(desk: Desk, text: str) -> None:
    await desk.load()
    desk.open(text)
    assert await shown(desk) is None


async def test_an_answer_that_does_not_fit_the_schema_is_not_shown(desk: Desk) -> None:
    write(desk.root, {"db.sql": "CREATE TABLE customers (customer_id integer);\n"})
    await desk.load()
    desk.open(f"{ASK}\n")
    assert await shown(desk) is None


async def test_a_model_that_is_not_configured_is_no_reason_to_speak(desk: Desk) -> None:
    await desk.load()
    desk.open("-- ask[model=nope]: all names\n")
    assert await shown(desk, types.Position(0, 29)) is None
    assert desk.server.said == []


async def test_who_moves_on_waits_for_nothing_any_more(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = asyncio.Event()

    async def never(*_: object, **__: object) -> None:
        asked.set()
        await asyncio.Event().wait()

    monkeypatch.setattr(answers, "run", never)
    desk.open("-- ask: something else\n\n\n")
    waiting = asyncio.create_task(shown(desk, types.Position(1, 0), invoked=True))
    await asyncio.wait_for(asked.wait(), 30)
    assert await shown(desk, types.Position(2, 0)) is None
    assert await asyncio.wait_for(waiting, 30) is None


async def test_off_is_off(desk: Desk) -> None:
    configure(desk, 'inline = "off"\n')
    await desk.load()
    desk.open(f"{ASK}\n")
    assert await shown(desk, invoked=True) is None


async def test_an_unopened_document_has_none(desk: Desk) -> None:
    await desk.load()
    assert await shown(desk) is None


async def test_who_triggers_it_in_vain_is_told_why(desk: Desk) -> None:
    desk.open("-- ask: something else\n")
    assert await shown(desk, types.Position(0, 22), invoked=True) is None
    [said] = desk.server.said
    assert "no verified example answers this" in said


@pytest.mark.parametrize("stamp", [False, True])
async def test_where_it_came_from_is_kept_once_it_is_taken(desk: Desk, stamp: bool) -> None:
    configure(desk, f"stamp = {str(stamp).lower()}\n")
    await desk.load()
    document = desk.open(f"{ASK}\n")
    item = await shown(desk)
    assert item is not None
    assert item.command is not None
    assert item.command.command == commands.COMMANDS["taken"]
    assert ("-- sqlscribe: " in str(item.insert_text)) is stamp
    origins = desk.server.session.origins(desk.root)
    [question] = desk.server.session.script(document).questions
    assert not origins.has_answered(question)
    assert item.command.arguments is not None
    desk.open(f"{ASK}{item.insert_text}\n")
    await desk.run("taken", item.command.arguments[0])
    record = origins.find(question, SQL)
    assert record is not None
    assert list(record.origin.tables) == ["customers"]
    assert record.origin.model == "verified"
    assert desk.server.said == []


@pytest.mark.parametrize("origin", [None, 7, "", "at=x", "question=../x sql=y"])
async def test_what_is_no_origin_is_not_kept(desk: Desk, origin: object) -> None:
    desk.open(f"{ASK}\n")
    await desk.run("taken", {"uri": desk.uri, "origin": origin})
    assert not (desk.root / ".sqlscribe" / "x").exists()


async def test_the_newest_request_of_a_document_ends_the_others() -> None:
    ghosts = Ghosts()
    ended: list[str] = []

    async def look(name: str) -> str:
        try:
            await asyncio.Event().wait()
        finally:
            ended.append(name)
        return name

    async def at_once() -> str:
        return "found"

    first = asyncio.create_task(ghosts.newest("a", look("first")))
    other = asyncio.create_task(ghosts.newest("b", look("other")))
    await asyncio.sleep(0)
    second = asyncio.create_task(ghosts.newest("a", look("second")))
    assert await first is None
    ghosts.end("a")
    assert await second is None
    assert ended == ["first", "second"]
    assert await ghosts.newest("a", at_once()) == "found"
    # A cancelled request is an error for its client, and ends what it waits for.
    other.cancel()
    with pytest.raises(asyncio.CancelledError):
        await other
    assert ended == ["first", "second", "other"]
    ghosts.end("b")


async def test_a_failure_is_not_taken_for_a_request_that_is_over() -> None:
    async def failing() -> str:
        raise ValueError("oh")

    with pytest.raises(ValueError, match="oh"):
        await Ghosts().newest("a", failing())


PROGRAM = """
import asyncio, sys
from pathlib import Path
from desk import Desk
from test_inline_completion import shown

async def look():
    desk = Desk(Path(sys.argv[1]))
    await desk.load()
    desk.open("-- ask: all names\\n")
    assert await shown(desk) is not None

asyncio.run(look())
heavy = {"litellm", "openai", "sqlalchemy"} & set(sys.modules)
assert not heavy, heavy
"""


def test_nothing_that_calls_a_model_is_loaded_for_it(tmp_path: Path) -> None:
    root = write(tmp_path, FILES)
    here = Path(__file__).parent
    path = f"{here}:{here.parents[1]}"
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, str(root)],
        env={"PYTHONPATH": path},
        capture_output=True,
        check=False,
        text=True,
    )
    assert done.returncode == 0, done.stderr
