"""What a model is to the rest of the program: messages in, a reply out."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol, TypeVar, runtime_checkable

Role = Literal["system", "user", "assistant"]
Number = TypeVar("Number", int, float)


@dataclass(frozen=True, slots=True)
class Message:
    role: Role
    content: str


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens as the provider counted them, cost in US dollars; ``None``: it does not say."""

    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    cached_tokens: int | None = None
    cost: float | None = None

    def plus(self, other: Usage) -> Usage:
        return Usage(
            _sum(self.prompt_tokens, other.prompt_tokens),
            _sum(self.completion_tokens, other.completion_tokens),
            _sum(self.cached_tokens, other.cached_tokens),
            _sum(self.cost, other.cost),
        )


def _sum(one: Number | None, other: Number | None) -> Number | None:
    if one is None:
        return other
    return one if other is None else one + other


@dataclass(frozen=True, slots=True)
class Reply:
    """The model's text, byte for byte. ``cut_off``: it stopped at its length limit."""

    text: str
    usage: Usage = Usage()
    cut_off: bool = False
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True)
class ReplyForm:
    """A JSON object that the reply is to be: the form's name and its JSON schema."""

    name: str
    schema: Mapping[str, Any]


class ChatModel(Protocol):
    """A model that answers messages.

    ``form`` is sent along where the provider knows such a thing; the messages ask for it, too.

    ``complete`` may be cancelled at any time and then leaves no connection open.
    It raises a :class:`sqlscribe.errors.ModelError` and nothing else.
    """

    @property
    def name(self) -> str: ...

    async def complete(
        self, messages: Sequence[Message], form: ReplyForm | None = None
    ) -> Reply: ...


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of a reply that is still coming. ``is_thought``: it is not part of its text."""

    text: str
    is_thought: bool = False


Hear = Callable[[Piece], None]
"""Told each piece as it comes, and never waited for."""
Listen = Callable[[], Hear]
"""Gives who hears the next reply; several may come at once."""


@runtime_checkable
class Adjustable(ChatModel, Protocol):
    """A model whose replies can be made to differ from one another."""

    def at_temperature(self, least: float) -> ChatModel:
        """The same model at this temperature at least; nobody hears its replies come."""


def at_temperature(model: ChatModel, least: float) -> ChatModel:
    """The model at a temperature of ``least`` or more, as it is where that cannot be changed."""
    return model.at_temperature(least) if isinstance(model, Adjustable) else model


@runtime_checkable
class Streaming(ChatModel, Protocol):
    """A model that can tell its reply as it comes; the whole of it is what counts."""

    def heard_by(self, listen: Listen) -> ChatModel:
        """The same model, which calls ``listen`` once for each reply."""


def heard(model: ChatModel, listen: Listen) -> ChatModel:
    """The model with somebody who hears its replies come, where it can tell them."""
    return model.heard_by(listen) if isinstance(model, Streaming) else model
