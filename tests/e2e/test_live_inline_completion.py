"""Ghost text in the real process: what is known at once, and the model only when it is wanted."""

from __future__ import annotations

import asyncio
import threading
from pathlib import Path

import pytest
from lsprotocol import types
from pygls.exceptions import JsonRpcException

from editor import Editor, editor
from loopback import Exchange, Hang, LoopbackModel, Refuse, Say, Stream
from shop import use_model
from sqlscribe.lsp import convert
from sqlscribe.notation.document import Encoding

ENVIRONMENT = {"TEST_MODEL_KEY": "FAKE-k"}
GOOD = "SELECT full_name FROM customers WHERE city = 'Lyon'"
VERIFIED = "-- ask: how many customers live in 'Oslo'?"
COUNT = "SELECT count(*) FROM customers WHERE city = 'Oslo';"


def fenced(sql: str) -> Say:
    return Say(f"```sql\n{sql}\n```")


async def inline(
    ed: Editor, name: str, line: int, character: int, *, invoked: bool = False, number: str = ""
) -> types.InlineCompletionItem | None:
    """The ghost text at a position; ``number`` is the id of the request."""
    kinds = types.InlineCompletionTriggerKind
    params = types.InlineCompletionParams(
        types.InlineCompletionContext(kinds.Invoked if invoked else kinds.Automatic),
        types.TextDocumentIdentifier(ed.uri(name)),
        types.Position(line, character),
    )
    found = await ed.client.protocol.send_request_async(
        types.TEXT_DOCUMENT_INLINE_COMPLETION, params, msg_id=number or None
    )
    if found is None:
        return None
    [item] = found.items
    assert isinstance(item, types.InlineCompletionItem)
    return item


async def ready(ed: Editor, name: str, line: int, character: int) -> types.InlineCompletionItem:
    """The same as soon as the folder has been read: until then nobody is made to wait."""
    async with asyncio.timeout(20):
        while (item := await inline(ed, name, line, character)) is None:
            await asyncio.sleep(0.02)
    return item


def take(ed: Editor, name: str, item: types.InlineCompletionItem) -> str:
    """Accept ghost text as an editor does; the document's text afterwards."""
    assert item.range is not None
    assert item.range.start.line == item.range.end.line
    assert isinstance(item.insert_text, str)
    start, end = convert.span(ed.documents[name], item.range, ed.encoding)
    return ed.type(name, start, item.insert_text, over=end - start).text


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-32"])
async def test_a_verified_answer_is_there_at_once_in_every_encoding(
    shop: Path, encoding: Encoding
) -> None:
    async with editor(shop, encodings=[encoding]) as ed:
        text = f"-- 😀\r\n  {VERIFIED}\r\n  \r\nSELECT 1;\r\n"
        ed.open("q.sql", text)
        at_end = await ready(ed, "q.sql", 1, 2 + len(VERIFIED))
        below = await inline(ed, "q.sql", 2, 2)
        assert await inline(ed, "q.sql", 1, 9) is None
        assert await inline(ed, "q.sql", 3, 0) is None
        assert at_end.insert_text == f"\r\n  {COUNT}"
        assert below is not None
        assert below.range == types.Range(types.Position(2, 0), types.Position(2, 2))
        after = take(ed, "q.sql", below)
        assert after == f"-- 😀\r\n  {VERIFIED}\r\n  {COUNT}\r\nSELECT 1;\r\n"
        # The gap is filled.
        assert await inline(ed, "q.sql", 1, 2 + len(VERIFIED), invoked=True) is None


TEXT = "-- ask: names in Lyon\n"
END = (0, len(TEXT) - 1)


async def closed(exchange: Exchange) -> bool:
    return await asyncio.to_thread(exchange.closed.wait, 10)


def switch_inline(shop: Path, value: str) -> None:
    file = shop / "sqlscribe.toml"
    file.write_text(f'inline = "{value}"\n{file.read_text("utf-8")}', "utf-8")


async def test_the_model_is_asked_on_demand_and_its_answer_is_then_stored(shop: Path) -> None:
    with LoopbackModel(fenced(GOOD)) as model:
        use_model(shop, model.api_base)
        async with editor(shop, environment=ENVIRONMENT) as ed:
            ed.open("q.sql", TEXT)
            ed.open("other.sql", f"{TEXT}\n")
            assert await ed.hover("q.sql", 0)  # The folder has been read.
            assert await inline(ed, "q.sql", *END) is None
            assert model.exchanges == []
            asked = await inline(ed, "q.sql", *END, invoked=True)
            stored = await inline(ed, "q.sql", *END)
            elsewhere = await inline(ed, "other.sql", 1, 0)
        assert len(model.exchanges) == 1
    assert asked is not None
    assert asked.insert_text == f"\n{GOOD};"
    assert stored == asked
    assert elsewhere is not None
    assert elsewhere.insert_text == f"{GOOD};"


async def test_the_call_ends_as_soon_as_the_person_goes_on(
    shop: Path, subtests: pytest.Subtests
) -> None:
    with LoopbackModel(Hang()) as model:
        use_model(shop, model.api_base)
        async with editor(shop, environment=ENVIRONMENT) as ed:
            for count, how in enumerate(("asked again", "typed", "cancelled", "closed")):
                with subtests.test(how):
                    name = f"{count}.sql"
                    ed.open(name, TEXT)
                    asking = asyncio.ensure_future(
                        inline(ed, name, *END, invoked=True, number=name)
                    )
                    assert await asyncio.to_thread(model.wait_for, count + 1)
                    match how:
                        case "typed":
                            ed.type(name, len(TEXT) - 1, "s")
                        case "asked again":
                            assert await inline(ed, name, *END) is None
                        case "closed":
                            document = types.TextDocumentIdentifier(ed.uri(name))
                            ed.client.text_document_did_close(
                                types.DidCloseTextDocumentParams(document)
                            )
                        case _:
                            ed.client.cancel_request(types.CancelParams(name))
                    if how == "cancelled":
                        with pytest.raises(JsonRpcException, match="cancel"):
                            await asking
                    else:
                        assert await asking is None
                    assert await closed(model.exchanges[count])
                    assert ed.messages == []


async def test_who_waits_for_the_same_answer_otherwise_still_gets_it(shop: Path) -> None:
    gate = threading.Event()
    with LoopbackModel(Stream((f"```sql\n{GOOD}\n```",), gate=gate)) as model:
        use_model(shop, model.api_base)
        async with editor(shop, environment=ENVIRONMENT) as ed:
            ed.open("q.sql", TEXT)
            action = await ed.action("q.sql", 0, "Generate SQL")
            resolving = asyncio.ensure_future(ed.client.code_action_resolve_async(action))
            assert await asyncio.to_thread(model.wait_for, 1)
            asking = asyncio.ensure_future(inline(ed, "q.sql", *END, invoked=True))
            assert await ed.hover("q.sql", 0)
            ed.type("q.sql", 0, "\n")
            assert await asking is None
            gate.set()
            document = ed.apply((await resolving).edit)
        assert len(model.exchanges) == 1
    assert document.text == f"\n{TEXT}{GOOD};\n"


NOTHING = [
    ("CHOICE: by order date | by payment date", "more than one way"),
    ("Sorry.", "without SQL"),
    ("DROP TABLE orders;", "not a query"),
    ("INSUFFICIENT: no table of warehouses", "warehouses"),
    ("```sql\nSELECT nme FROM customers\n```", "nme"),
]


async def test_only_checked_sql_is_shown_and_else_the_reason_told(
    shop: Path, subtests: pytest.Subtests
) -> None:
    with LoopbackModel(Refuse(500)) as model:
        use_model(shop, model.api_base, more="max_repairs = 0\n")
        async with editor(shop, environment=ENVIRONMENT) as ed:
            ed.open("q.sql", TEXT)
            for text, reason in NOTHING:
                with subtests.test(reason):
                    model.replace(Say(text))
                    assert await inline(ed, "q.sql", *END, invoked=True) is None
                    assert reason in ed.messages[-1]
            # The last one can still be looked at, with what is wrong about it.
            document = ed.apply((await ed.resolved("q.sql", 0, "Use stored answer")).edit)
    assert document.text == f"{TEXT}SELECT nme FROM customers;\n"


async def test_auto_asks_once_the_person_pauses_and_not_before(shop: Path) -> None:
    with LoopbackModel(fenced(GOOD)) as model:
        use_model(shop, model.api_base)
        switch_inline(shop, "auto")
        async with editor(shop, environment=ENVIRONMENT) as ed:
            ed.open("q.sql", "-- ask: names in Lyo\n")
            assert await ed.hover("q.sql", 0)
            early = asyncio.ensure_future(inline(ed, "q.sql", 0, END[1] - 1))
            # Sent, but no answer waited for: on a busy machine that alone may last for a pause.
            await asyncio.sleep(0.05)
            ed.type("q.sql", END[1] - 1, "n")
            assert await early is None
            item = await inline(ed, "q.sql", *END)
        [sent] = model.exchanges
    assert sent.json["messages"][-1]["content"].endswith("names in Lyon")
    assert item is not None
    assert item.insert_text == f"\n{GOOD};"


async def test_auto_does_not_ask_twice_in_vain_and_says_nothing(shop: Path) -> None:
    with LoopbackModel(Say("Sorry.")) as model:
        use_model(shop, model.api_base)
        switch_inline(shop, "auto")
        async with editor(shop, environment=ENVIRONMENT) as ed:
            ed.open("q.sql", TEXT)
            assert await ed.hover("q.sql", 0)
            for _ in range(3):
                assert await inline(ed, "q.sql", *END) is None
            assert len(model.exchanges) == 1
            assert ed.messages == []
            assert await inline(ed, "q.sql", *END, invoked=True) is None
        assert len(model.exchanges) == 2


async def test_off_is_off(shop: Path) -> None:
    switch_inline(shop, "off")
    async with editor(shop) as ed:
        ed.open("q.sql", f"{VERIFIED}\n")
        assert await ed.hover("q.sql", 0)
        for invoked in (True, False):
            assert await inline(ed, "q.sql", 0, len(VERIFIED), invoked=invoked) is None


async def test_what_was_taken_is_known_to_be_stale_when_its_table_changes(shop: Path) -> None:
    async with editor(shop) as ed:
        ed.open("q.sql", f"{VERIFIED}\n")
        item = await ready(ed, "q.sql", 0, len(VERIFIED))
        take(ed, "q.sql", item)
        assert item.command is not None
        await ed.client.workspace_execute_command_async(
            types.ExecuteCommandParams(item.command.command, item.command.arguments)
        )
        schema = (shop / "db/shop.sql").read_text("utf-8")
        ed.open("db/shop.sql", schema)
        ed.type("db/shop.sql", schema.index("city text") + len("city "), "varchar ")
        found = await ed.diagnostics(
            "q.sql", lambda found: any(each.code == "ask/stale" for each in found)
        )
    [hint] = [each for each in found if each.code == "ask/stale"]
    assert "customers changed" in hint.message


async def test_a_stamp_comes_along_where_the_team_wants_them(shop: Path) -> None:
    file = shop / "sqlscribe.toml"
    file.write_text(f"stamp = true\n{file.read_text('utf-8')}", "utf-8")
    async with editor(shop) as ed:
        ed.open("q.sql", f"{VERIFIED}\n")
        item = await ready(ed, "q.sql", 0, len(VERIFIED))
    assert isinstance(item.insert_text, str)
    _, sql, stamp = item.insert_text.split("\n")
    assert sql == COUNT
    assert stamp.startswith("-- sqlscribe: at=")
