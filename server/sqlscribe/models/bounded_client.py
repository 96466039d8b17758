"""What carries a call to a server of one's own, within bounds.

The client stops reading an endless reply, follows no redirection, and leaves nothing open.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any, TypeVar

from sqlscribe.models.failures import TOO_LARGE
from sqlscribe.models.litellm_library import failures_of_library
from sqlscribe.models.providers import is_loopback, provider_of

Result = TypeVar("Result")

LARGEST_REPLY = 4_000_000
"""Bytes. No answer with SQL in it is larger; a broken server could send without end."""
_LARGEST_STREAM = 8 * LARGEST_REPLY
"""Bytes of a reply in pieces, each of which has a frame around it."""
_NO_KEY_NEEDED = "none"
"""Sent to servers without keys. Without it litellm would send a key from the environment."""


def access(api_base: str | None, api_key: str | None) -> dict[str, str]:
    if api_base is None:
        return {} if api_key is None else {"api_key": api_key}
    return {"api_base": api_base, "api_key": api_key or _NO_KEY_NEEDED}


_SDK_ALONE = frozenset({"openai", "custom_openai"})
_OWN_CLIENT = frozenset({"azure", "azure_ai"})
"""Providers whose addresses only the library's own client can make."""
_WRONG_CLIENT = re.compile(r"'AsyncHTTPHandler' object has no attribute")


async def with_client(
    name: str, request: dict[str, Any], call: Callable[[dict[str, Any]], Awaitable[Result]]
) -> Result:
    """What ``call`` makes of a request with the client that its provider's code works with.

    Only a try tells whether that is OpenAI's; nothing is sent with the wrong one.
    """
    provider = provider_of(name)
    if "api_base" not in request or provider in _OWN_CLIENT:
        return await call(request)
    if provider not in _SDK_ALONE:
        async with _bounded_client(request, sdk=False) as client:
            try:
                return await call({**request, "client": client})
            except failures_of_library() as error:
                if not _WRONG_CLIENT.search(str(error)):
                    raise
    async with _bounded_client(request, sdk=True) as client:
        return await call({**request, "client": client})


@asynccontextmanager
async def _bounded_client(request: dict[str, Any], *, sdk: bool) -> AsyncIterator[Any]:
    """A client for one call to a server of one's own: OpenAI's or the library's.

    It stops reading an endless reply, follows no redirection, and leaves nothing open.
    """
    import httpx
    from litellm.llms.custom_httpx.http_handler import AsyncHTTPHandler
    from openai import AsyncOpenAI

    async def bound(response: httpx.Response) -> None:
        largest = _LARGEST_STREAM if "stream" in request else LARGEST_REPLY
        response.stream = _bounded(response.stream, largest)

    hooks = {"response": [bound]}
    if not sdk:
        handler = await asyncio.to_thread(
            AsyncHTTPHandler,
            timeout=request["timeout"],
            event_hooks=hooks,
            follow_redirects=False,
        )
        try:
            yield handler
        finally:
            await handler.close()
        return
    # Reading the certificates takes a while.
    http: Any = await asyncio.to_thread(
        httpx.AsyncClient,
        event_hooks=hooks,
        follow_redirects=False,
        # No proxy leads to this machine, and one that speaks SOCKS would take a further package.
        trust_env=not is_loopback(request["api_base"]),
    )
    async with http:
        yield AsyncOpenAI(
            api_key=request["api_key"],
            base_url=request["api_base"],
            http_client=http,
            max_retries=0,
            timeout=request["timeout"],
        )


def _bounded(stream: Any, largest: int) -> Any:
    """The stream, up to ``largest`` bytes."""
    import httpx

    class Bounded(httpx.AsyncByteStream):
        async def __aiter__(self) -> AsyncIterator[bytes]:
            size = 0
            async for chunk in stream:
                size += len(chunk)
                if size > largest:
                    raise httpx.DecodingError(TOO_LARGE)
                yield chunk

        async def aclose(self) -> None:
            await stream.aclose()

    return Bounded()
