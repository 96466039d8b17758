"""A client that brings a language model of its own, as an editor's extension does."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types
from pygls.exceptions import JsonRpcException

from editor import Editor, editor

SQL = "SELECT full_name FROM customers"


class Models:
    """The client's side: one model that says what it is told to."""

    def __init__(self, *replies: str | JsonRpcException) -> None:
        self.replies = list(replies)
        self.sent: list[Any] = []
        self.named = asyncio.Event()
        self.asked = asyncio.Event()
        self.cancelled = asyncio.Event()

    def names(self, _: Any) -> dict[str, Any]:
        self.named.set()
        return {"models": [{"id": "a", "name": "A", "vendor": "maker", "family": "small"}]}

    async def complete(self, params: Any) -> dict[str, str]:
        self.sent.append(params)
        self.asked.set()
        if not self.replies:
            try:
                await asyncio.Event().wait()
            except asyncio.CancelledError:
                self.cancelled.set()
                raise
        reply = self.replies.pop(0)
        if isinstance(reply, JsonRpcException):
            raise reply
        return {"text": reply, "model": "maker/small"}


@asynccontextmanager
async def editor_with(shop: Path, models: Models) -> AsyncIterator[Editor]:
    (shop / "sqlscribe.toml").write_text('dialect = "postgres"\n', "utf-8")
    features = {"sqlscribe/models": models.names, "sqlscribe/complete": models.complete}
    async with editor(shop, options={"editorModel": True}, features=features) as ed:
        await asyncio.wait_for(models.named.wait(), 30)
        ed.open("q.sql", "-- ask: the full names of all customers\n")
        yield ed


async def test_the_editors_model_answers_where_none_is_configured(shop: Path) -> None:
    models = Models(f"```sql\n{SQL}\n```")
    async with editor_with(shop, models) as ed:
        action = await ed.resolved("q.sql", line=0)
        assert f"{SQL};" in ed.apply(action.edit).text
        assert (await ed.hover("q.sql", line=0) or "").partition(" · ")[0].endswith("editor")
    [sent] = models.sent
    roles = [message.role for message in sent.messages]
    assert (roles[0], roles[-1]) == ("system", "user")
    assert sent.messages[-1].content.endswith("the full names of all customers")


async def test_its_sql_is_checked_like_any_other(shop: Path) -> None:
    models = Models("```sql\nSELECT nme FROM customers\n```", f"```sql\n{SQL}\n```")
    async with editor_with(shop, models) as ed:
        action = await ed.resolved("q.sql", line=0)
        assert SQL in ed.apply(action.edit).text
    assert "unknown column nme" in models.sent[1].messages[-1].content


async def test_a_user_who_does_not_consent_is_told_so(shop: Path) -> None:
    refused = JsonRpcException("The user said no.", -32803, {"reason": "no-permission"})
    async with editor_with(shop, Models(refused)) as ed:
        action = await ed.resolved("q.sql", line=0)
        assert action.edit is None
        assert any("The user said no." in message for message in ed.messages)


async def test_cancelling_reaches_the_editors_model(shop: Path) -> None:
    models = Models()
    async with editor_with(shop, models) as ed:
        action = await ed.action("q.sql", 0, "Generate SQL")
        number = "resolve-1"
        waiting = asyncio.ensure_future(
            ed.client.protocol.send_request_async(types.CODE_ACTION_RESOLVE, action, msg_id=number)
        )
        await asyncio.wait_for(models.asked.wait(), 60)
        ed.client.protocol.notify(types.CANCEL_REQUEST, types.CancelParams(number))
        await asyncio.wait_for(models.cancelled.wait(), 30)
        with pytest.raises((JsonRpcException, asyncio.CancelledError)):
            await waiting


async def test_an_editor_that_announces_nothing_is_not_asked(shop: Path) -> None:
    models = Models("SELECT 1")
    features = {"sqlscribe/models": models.names, "sqlscribe/complete": models.complete}
    async with editor(shop, features=features) as ed:
        ed.open("q.sql", "-- ask: the full names of all customers\n")
        await ed.resolved("q.sql", line=0)
    assert not models.named.is_set()
    assert models.sent == []


async def test_models_that_come_later_are_found(shop: Path) -> None:
    models = Models(f"```sql\n{SQL}\n```")
    async with editor_with(shop, models) as ed:
        models.named.clear()
        ed.client.protocol.notify("sqlscribe/modelsChanged", {})
        await asyncio.wait_for(models.named.wait(), 30)


async def test_the_pieces_of_its_reply_are_shown_while_they_come(shop: Path) -> None:
    reply = f"```sql\n{SQL}\n```"
    models = Models(reply)
    async with editor_with(shop, models) as ed:
        pieces: list[Any] = []
        shown = asyncio.Event()

        async def complete(params: Any) -> dict[str, str]:
            progress = types.ProgressParams(params.partialResultToken, {"text": reply[:20]})
            ed.client.protocol.notify(types.PROGRESS, progress)
            # The answer waits until the person could have seen its beginning.
            await asyncio.wait_for(shown.wait(), 30)
            ed.client.protocol.notify(types.PROGRESS, progress)
            return await models.complete(params)

        def progressed(params: types.ProgressParams) -> None:
            if params.token == "watching":
                pieces.append(params.value)
                if params.value["sql"]:
                    shown.set()

        features = ed.client.protocol.fm.features
        features["sqlscribe/complete"] = complete
        features[types.PROGRESS] = progressed
        document = ed.documents["q.sql"]
        result = await ed.client.protocol.send_request_async(
            "sqlscribe/answer",
            {
                "textDocument": {"uri": document.uri},
                "position": {"line": 0, "character": 4},
                "partialResultToken": "watching",
            },
        )
        assert result.sql == SQL
    partly = next(piece for piece in pieces if piece["sql"])
    assert partly["stage"] == "asking maker/small"
    assert SQL.startswith(partly["sql"])
    assert partly["tokens"] > 0
