"""Queries that a person runs on the configured database, in the real server."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types
from pygls.exceptions import JsonRpcException

from editor import Editor, editor

ASKED = "-- ask: everybody's name\nSELECT full_name, city FROM customers ORDER BY 1;\n"
ENDLESS = "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n"


@asynccontextmanager
async def shop_with_rows(
    shop: Path, *, runs: bool = True, database: bool = True, **options: Any
) -> AsyncIterator[Editor]:
    with closing(sqlite3.connect(shop / "shop.db")) as connection:
        connection.executescript(
            "CREATE TABLE customers (customer_id INTEGER PRIMARY KEY, full_name TEXT, city TEXT);"
            "INSERT INTO customers VALUES (1, 'Åse', 'Oslo'), (2, '王芳', NULL);"
        )
    configuration = 'dialect = "sqlite"\nschema = ["shop.sql"]\n[model]\nname = "verified"\n'
    if database:
        configuration += '[database]\nurl = "sqlite:///shop.db"\n'
        configuration += f"run_queries = {str(runs).lower()}\n"
    (shop / "sqlscribe.toml").write_text(configuration, "utf-8")
    async with editor(shop, options={"results": True, **options}) as ed:
        yield ed


async def run(ed: Editor, name: str, line: int = 0, character: int = 4) -> Any:
    place = {"line": line, "character": character}
    params = {"textDocument": {"uri": ed.uri(name)}, "position": place}
    return await ed.client.protocol.send_request_async("sqlscribe/run", params)


async def lenses(ed: Editor, name: str) -> list[types.Command]:
    identifier = types.TextDocumentIdentifier(ed.uri(name))
    found = await ed.client.text_document_code_lens_async(types.CodeLensParams(identifier))
    resolved = [await ed.client.code_lens_resolve_async(lens) for lens in found or []]
    return [lens.command for lens in resolved if lens.command is not None]


async def run_lens(ed: Editor, name: str) -> types.Command | None:
    return next((each for each in await lenses(ed, name) if each.title.startswith("Run")), None)


async def test_the_lens_over_an_answer_names_what_is_run(shop: Path) -> None:
    async with shop_with_rows(shop) as ed:
        ed.open("q.sql", ASKED)
        # Once the folder is read; the editor is told to ask again then.
        assert len((await run(ed, "q.sql", line=1)).rows) == 2
        lens = await run_lens(ed, "q.sql")
        assert lens is not None
        assert (lens.title, lens.command) == ("Run (read-only)", "sqlscribe.editor.run")
        assert lens.arguments is not None
        got = await ed.client.protocol.send_request_async("sqlscribe/run", lens.arguments[0])
    assert got.columns == ["full_name", "city"]
    assert got.rows == [["Åse", "Oslo"], ["王芳", None]]
    assert (got.truncated, got.question) == (False, "everybody's name")
    assert got.seconds >= 0
    assert got.sql == "SELECT full_name, city FROM customers ORDER BY 1"


@pytest.mark.parametrize(
    ("more", "says"),
    [
        ({"runs": False}, "run_queries"),
        ({"database": False}, "database.url"),
        ({"trusted": False}, "not trusted"),
    ],
)
async def test_nothing_is_offered_or_run_where_that_is_not_wanted(
    shop: Path, more: dict[str, bool], says: str
) -> None:
    async with shop_with_rows(shop, **more) as ed:
        ed.open("q.sql", ASKED)
        await ed.actions("q.sql", 0)
        got = await run(ed, "q.sql")
        assert says in got.problem
        assert got.reason == "configuration"
        assert await run_lens(ed, "q.sql") is None


async def test_an_editor_that_shows_no_rows_gets_no_lens(shop: Path) -> None:
    async with shop_with_rows(shop, results=False) as ed:
        ed.open("q.sql", ASKED)
        assert len((await run(ed, "q.sql")).rows) == 2
        assert await run_lens(ed, "q.sql") is None


@pytest.mark.parametrize(
    ("text", "reason", "says"),
    [
        ("SELECT nme FROM customers", "failed", "no such column: nme"),
        ("WITH a AS (SELECT 1) DELETE FROM customers", "not_a_read", "not run"),
        ("-- ask: names\n", "no_query", "There is no query"),
        ("DELETE FROM customers;", "not_a_read", "not run"),
        ("DROP TABLE customers;", "no_query", "no query"),
    ],
)
async def test_why_there_are_no_rows_is_said(shop: Path, text: str, reason: str, says: str) -> None:
    async with shop_with_rows(shop) as ed:
        ed.open("q.sql", text)
        got = await run(ed, "q.sql")
        assert got.reason == reason
        assert says in got.problem
    with closing(sqlite3.connect(shop / "shop.db")) as connection:
        assert connection.execute("SELECT count(*) FROM customers").fetchone() == (2,)


async def test_a_cancelled_query_makes_room_for_the_next_one(shop: Path) -> None:
    async with shop_with_rows(shop) as ed:
        ed.open("slow.sql", f"{ENDLESS};\n")
        ed.open("q.sql", ASKED)
        place = {"line": 0, "character": 1}
        params = {"textDocument": {"uri": ed.uri("slow.sql")}, "position": place}
        slow = asyncio.ensure_future(
            ed.client.protocol.send_request_async("sqlscribe/run", params, msg_id="slow")
        )
        after = asyncio.ensure_future(run(ed, "q.sql"))
        # Work that reads the text alone is not held up by it.
        assert await ed.actions("q.sql", 0)
        assert not slow.done()
        ed.client.protocol.notify(types.CANCEL_REQUEST, types.CancelParams("slow"))
        with pytest.raises(JsonRpcException):
            await slow
        async with asyncio.timeout(20):
            assert len((await after).rows) == 2


@pytest.mark.parametrize("place", [(-1, 0), (0, -1), (2**40, 0), (10, 2**31)])
async def test_a_place_that_no_text_has_is_answered_like_any_other(
    shop: Path, place: tuple[int, int]
) -> None:
    async with shop_with_rows(shop) as ed:
        ed.open("q.sql", ASKED)
        got = await run(ed, "q.sql", *place)
        assert getattr(got, "reason", "rows") in ("rows", "no_query")


@pytest.mark.parametrize("params", [{}, {"textDocument": 1}, {"uri": 5}])
async def test_parameters_that_name_no_document_are_refused(shop: Path, params: Any) -> None:
    async with shop_with_rows(shop) as ed:
        with pytest.raises(JsonRpcException, match="sqlscribe/run takes"):
            await ed.client.protocol.send_request_async("sqlscribe/run", params)
