"""What a model is to the rest of the program: messages in, a reply out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol, TypeVar

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
