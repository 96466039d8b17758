"""A reply that comes in pieces, put together; no library is known here, only its chunks."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import aclosing
from dataclasses import dataclass
from typing import Any

from sqlscribe.models.chat import Hear, Piece


class TooMuch(ValueError):
    """The reply is longer than any answer."""


@dataclass(frozen=True)
class Streamed:
    """What came. ``finish`` is why the model stopped, ``""`` where nobody says so.

    ``is_empty``: there was neither text nor thought.
    """

    text: str
    finish: str
    is_empty: bool


async def read(stream: Any, hear: Hear, largest: int) -> Streamed:
    """All of a stream of chunks in the form that OpenAI defined.

    Closes the stream in every case. Raises :class:`TooMuch` beyond ``largest`` characters,
    thoughts counted, and what the stream raises.
    """
    parts: list[str] = []
    size = 0
    finish = ""
    async with aclosing(stream):
        async for chunk in stream:
            if not chunk.choices:
                continue
            for piece in _pieces(chunk.choices[0].delta):
                size += len(piece.text)
                if size > largest:
                    raise TooMuch
                if not piece.is_thought:
                    parts.append(piece.text)
                hear(piece)
            finish = chunk.choices[0].finish_reason or finish
    return Streamed("".join(parts), finish, is_empty=not size)


def _pieces(delta: Any) -> Iterator[Piece]:
    thought = getattr(delta, "reasoning_content", None)
    if isinstance(thought, str) and thought:
        yield Piece(thought, is_thought=True)
    text = getattr(delta, "content", None)
    if isinstance(text, str) and text:
        yield Piece(text)
