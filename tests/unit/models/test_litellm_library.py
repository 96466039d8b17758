"""What the library leaves behind is hushed, and nothing else is."""

from __future__ import annotations

import asyncio
import sys
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from sqlscribe.models import litellm_library


class OpenAIChatCompletion:
    """Named as the library's."""

    async def async_streaming(self) -> None:
        await asyncio.sleep(0)


async def read_schema() -> None:
    await asyncio.sleep(0)


WITHOUT_BUILTINS: Callable[[list[Any]], None] = eval(
    "lambda kept: kept.clear()", {"__builtins__": {}}
)
"""Code as ``namedtuple`` makes it, in which Python cannot import ``warnings``."""


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch) -> Iterator[set[str]]:
    """What Python warns of, and which coroutines it reports."""
    seen: set[str] = set()
    monkeypatch.setattr(sys, "unraisablehook", lambda error: seen.add(error.object.__qualname__))
    with warnings.catch_warnings():
        monkeypatch.setattr(warnings, "showwarning", lambda said, *_: seen.add(str(said)))
        litellm_library._ignore_given_up_calls()
        yield seen


@pytest.mark.parametrize("drop", [list.clear, WITHOUT_BUILTINS])
def test_a_call_given_up_at_once_is_no_news(
    drop: Callable[[list[Any]], None], told: set[str]
) -> None:
    drop([OpenAIChatCompletion().async_streaming()])

    assert told == set()


def test_a_coroutine_of_our_own_is_told(told: set[str]) -> None:
    WITHOUT_BUILTINS([read_schema()])

    assert told == {"read_schema"}
