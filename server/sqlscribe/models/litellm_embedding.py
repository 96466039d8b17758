"""Embedding models of any provider, through litellm."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any, NamedTuple

from sqlscribe.errors import ModelFailed
from sqlscribe.models.bounded_client import access, with_client
from sqlscribe.models.chat import Usage
from sqlscribe.models.failures import Call, failure, no_key, timed_out
from sqlscribe.models.litellm_client import sendable, usage_of
from sqlscribe.models.litellm_library import cost, failures_of_library, imported, is_free
from sqlscribe.models.providers import key_variable
from sqlscribe.redaction import Redactor

_SECONDS = 60.0


class Embedded(NamedTuple):
    """One vector for each text, in their order, and what the call used."""

    vectors: list[list[float]]
    usage: Usage


def embed_texts(
    name: str, api_base: str | None, api_key: str | None, texts: Sequence[str]
) -> Embedded:
    """The vectors of texts, of which there are some. It blocks: it belongs into a worker thread.

    Raises a :class:`sqlscribe.errors.ModelError` and nothing else.
    """
    if api_base is None and api_key is None and key_variable(name):
        raise no_key(name)
    imported()
    redact = Redactor([api_key or ""])
    call = Call(name, api_base, api_key is not None, _SECONDS, redact)
    try:
        answer = asyncio.run(_embed(name, api_base, api_key, [sendable(t) for t in texts]))
        vectors = [
            [float(number) for number in entry["embedding"]]
            for entry in sorted(answer.data, key=lambda entry: int(entry["index"]))
        ]
    except TimeoutError as error:
        raise timed_out(_SECONDS) from error
    except failures_of_library() as error:
        raise failure(error, call) from None
    if len(vectors) != len(texts):
        raise ModelFailed(f"{call.place} sent {len(vectors)} vectors for {len(texts)} texts")
    price = None
    if not is_free(name, api_base):
        price = cost(imported(), answer, model=name, call_type="aembedding")
    return Embedded(vectors, usage_of(answer, price))


async def _embed(name: str, api_base: str | None, api_key: str | None, texts: list[str]) -> Any:
    request: dict[str, Any] = {
        "model": name,
        "input": texts,
        "timeout": _SECONDS,
        "num_retries": 0,
        "max_retries": 0,
        **access(api_base, api_key),
    }

    async def call(request: dict[str, Any]) -> Any:
        return await imported().aembedding(**request)

    async with asyncio.timeout(_SECONDS):
        return await with_client(name, request, call)
