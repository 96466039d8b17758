"""The editor's own model."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

import pytest

from sqlscribe.errors import ModelError, ModelFailed, TimedOut, UnknownModel, WrongKey
from sqlscribe.models.chat import Hear, Message, Piece, heard
from sqlscribe.models.editor import EditorChat, EditorRefused

QUESTION = [Message("system", "Answer."), Message("user", "orders of O'Brien? 你好")]


async def test_messages_go_out_and_the_text_comes_back() -> None:
    asked: list[dict[str, Any]] = []

    async def ask(params: dict[str, Any], hear: Hear | None) -> Mapping[str, Any]:
        asked.append(params)
        return {"text": "```sql\nSELECT 1\n```", "model": "maker/family"}

    chat = EditorChat("maker/family", ask, max_tokens=77, temperature=0.5)
    assert (await chat.complete(QUESTION)).text == "```sql\nSELECT 1\n```"
    assert asked == [
        {
            "messages": [
                {"role": "system", "content": "Answer."},
                {"role": "user", "content": "orders of O'Brien? 你好"},
            ],
            "maxTokens": 77,
            "temperature": 0.5,
        }
    ]


@pytest.mark.parametrize(
    ("reason", "kind"),
    [
        ("no-model", UnknownModel),
        ("no-permission", WrongKey),
        ("blocked", ModelFailed),
        ("something new", ModelFailed),
    ],
)
async def test_why_there_is_no_reply(reason: str, kind: type[ModelError]) -> None:
    async def ask(_: dict[str, Any], hear: Hear | None) -> Mapping[str, Any]:
        raise EditorRefused("the user said no", reason)

    with pytest.raises(kind, match="the user said no"):
        await EditorChat("maker/family", ask).complete(QUESTION)


@pytest.mark.parametrize("told", [{}, {"text": None}, {"text": ["SELECT 1"]}])
async def test_a_reply_that_is_no_text_is_an_error(told: dict[str, Any]) -> None:
    async def ask(_: dict[str, Any], hear: Hear | None) -> Mapping[str, Any]:
        return told

    with pytest.raises(ModelFailed):
        await EditorChat("maker/family", ask).complete(QUESTION)


async def test_it_is_not_waited_for_longer_than_configured() -> None:
    async def ask(_: dict[str, Any], hear: Hear | None) -> Mapping[str, Any]:
        await asyncio.Event().wait()
        raise AssertionError("nothing wakes it")

    with pytest.raises(TimedOut):
        await EditorChat("maker/family", ask, timeout_seconds=0.01).complete(QUESTION)


async def test_the_pieces_are_told_as_they_come_and_the_whole_counts() -> None:
    async def ask(_: dict[str, Any], hear: Hear | None) -> Mapping[str, Any]:
        assert hear is not None
        hear(Piece("SELECT"))
        return {"text": "SELECT 1"}

    told: list[Piece] = []
    chat = heard(EditorChat("maker/family", ask), lambda: told.append)
    assert (await chat.complete(QUESTION)).text == "SELECT 1"
    assert told == [Piece("SELECT")]
