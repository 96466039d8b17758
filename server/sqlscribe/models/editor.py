"""The editor's own language model, asked through the protocol.

The editor holds the key and asks its user for consent; all that is known here is how to ask.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from sqlscribe.errors import ModelError, ModelFailed, TimedOut, UnknownModel, WrongKey
from sqlscribe.models.chat import Hear, Listen, Message, Reply, ReplyForm

NAME = "editor"
"""What the model is called in settings."""

LARGEST_REPLY = 4_000_000

Complete = Callable[[dict[str, Any], Hear | None], Awaitable[Mapping[str, Any]]]
"""Sends ``{messages, maxTokens, temperature}`` and gives ``{text, model}``.

Who hears is told the pieces of the text, where the editor sends some. Raises
:class:`EditorRefused`. Cancelling it cancels the request in the editor.
"""


class EditorRefused(Exception):
    """The editor gave no reply.

    ``reason`` is its word: ``no-model``, ``no-permission``, ``blocked`` or ``failed``.
    """

    def __init__(self, message: str, reason: str = "failed") -> None:
        super().__init__(message)
        self.reason = reason


@dataclass(frozen=True)
class EditorModels:
    """What an editor offers: names such as ``copilot/gpt-5-mini``, and how to ask."""

    offered: tuple[str, ...]
    complete: Complete


@dataclass(frozen=True)
class EditorChat:
    """A :class:`~sqlscribe.models.chat.ChatModel` of the editor's."""

    name: str
    ask: Complete
    timeout_seconds: float = 60.0
    max_tokens: int = 1500
    temperature: float = 0.0
    listen: Listen | None = None

    def at_temperature(self, least: float) -> EditorChat:
        """The same model, whose replies differ from one another and are heard by nobody."""
        return replace(self, temperature=max(least, self.temperature), listen=None)

    def heard_by(self, listen: Listen) -> EditorChat:
        """The same model, asked to send its replies in pieces."""
        return replace(self, listen=listen)

    async def complete(self, messages: Sequence[Message], form: ReplyForm | None = None) -> Reply:
        """The reply; the form is asked for in words only, since editors send no schema."""
        asked = {
            "messages": [{"role": each.role, "content": each.content} for each in messages],
            "maxTokens": self.max_tokens,
            "temperature": self.temperature,
        }
        try:
            async with asyncio.timeout(self.timeout_seconds):
                told = await self.ask(asked, self.listen() if self.listen is not None else None)
        except TimeoutError:
            raise TimedOut(
                f"the editor's model gave no answer within {self.timeout_seconds:g} seconds"
            ) from None
        except EditorRefused as error:
            raise _failure(error) from None
        text = told.get("text")
        if not isinstance(text, str) or len(text) > LARGEST_REPLY:
            raise ModelFailed("the editor's model sent a reply that is no text, or far too large")
        return Reply(text)


def _failure(error: EditorRefused) -> ModelError:
    said = f"the editor's model gave no reply: {error}"
    match error.reason:
        case "no-model":
            return UnknownModel(said)
        case "no-permission":
            return WrongKey(said)
        case _:
            return ModelFailed(said)
