"""Embedding models of any provider, through litellm."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

from sqlscribe.errors import ModelFailed
from sqlscribe.models.bounded_client import access, with_client
from sqlscribe.models.failures import Call, failure, no_key, timed_out
from sqlscribe.models.litellm_client import sendable
from sqlscribe.models.litellm_library import failures_of_library, imported
from sqlscribe.models.providers import key_variable
from sqlscribe.redaction import Redactor

_SECONDS = 60.0


def embed_texts(
    name: str, api_base: str | None, api_key: str | None, texts: Sequence[str]
) -> list[list[float]]:
    """One vector for each text, in order. It blocks, so it belongs into a worker thread.

    Raises a :class:`sqlscribe.errors.ModelError` and nothing else.
    """
    if not texts:
        return []
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
    return vectors


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
