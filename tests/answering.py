"""What the tests of the route share: a model with queued replies, and a snapshot by hand."""

from __future__ import annotations

import asyncio
import datetime
from collections.abc import Sequence
from typing import Any

from sqlscribe.knowledge.retrieval import Hit
from sqlscribe.loading import shipped_templates
from sqlscribe.models.chat import ChatModel, Message, Reply, ReplyForm, Usage
from sqlscribe.prompting.templates import Templates
from sqlscribe.schema.model import Column, Schema, Table
from sqlscribe.snapshot import Snapshot
from sqlscribe.stored_answers import AnswerFiles

SHOP = Schema(
    (
        Table("customers", (Column("customer_id", "integer"), Column("full_name", "text"))),
        Table("orders", (Column("order_id", "integer"), Column("total", "numeric"))),
    )
)
SPENT = Usage(prompt_tokens=100, completion_tokens=10)


class FakeChat:
    """A model that gives the queued replies, one after the other, and notes what it was sent.

    A reply may be an error to raise; once the queue is empty the last reply comes again.
    """

    name = "fake/model"

    def __init__(self, *replies: str | Reply | Exception) -> None:
        self.asked: list[list[Message]] = []
        self.forms: list[ReplyForm | None] = []
        self._replies = list(replies)

    async def complete(self, messages: Sequence[Message], form: ReplyForm | None = None) -> Reply:
        self.asked.append(list(messages))
        self.forms.append(form)
        reply = self._replies.pop(0) if len(self._replies) > 1 else self._replies[0]
        if isinstance(reply, Exception):
            raise reply
        return reply if isinstance(reply, Reply) else Reply(reply, SPENT)


class HangingChat:
    """A model that never answers; notes that it was asked, and that it was cancelled."""

    name = "fake/model"

    def __init__(self) -> None:
        self.asked = asyncio.Event()
        self.cancelled = False

    async def complete(self, messages: Sequence[Message], form: ReplyForm | None = None) -> Reply:
        self.asked.set()
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            self.cancelled = True
            raise
        raise AssertionError("nothing wakes it")


def nothing_found(text: str, kind: str, limit: int) -> Sequence[Hit]:
    return ()


def snapshot(model: ChatModel | None = None, **more: Any) -> Snapshot:
    """A PostgreSQL shop with two tables; ``more`` overrides any part of it."""

    async def connect() -> ChatModel | None:
        return model

    values: dict[str, Any] = {
        "dialect": "postgres",
        "schema": SHOP,
        "templates": Templates(shipped_templates()),
        "search": nothing_found,
        "connect": connect,
        "stored": AnswerFiles(None),
        "today": datetime.date(2024, 1, 31),
        "model_name": model.name if model is not None else "verified",
    }
    return Snapshot(**{**values, **more})


def fenced(sql: str) -> str:
    return f"```sql\n{sql}\n```"
