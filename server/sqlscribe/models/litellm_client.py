"""Chat models of any provider, through litellm.

The library takes seconds to import, so that happens at the first call and in a worker thread.
"""

from __future__ import annotations

import asyncio
import logging
import os
import re
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from functools import cache, partial
from typing import Any, TypeVar

from sqlscribe.errors import ModelFailed
from sqlscribe.models.chat import Hear, Listen, Message, Piece, Reply, ReplyForm, Usage
from sqlscribe.models.context_window import context_size, cut_prompt, estimated_tokens
from sqlscribe.models.failures import (
    TOO_LARGE,
    Call,
    failure,
    no_key,
    refused_parameter,
    timed_out,
)
from sqlscribe.models.providers import is_loopback, key_variable, provider_of
from sqlscribe.models.streamed import TooMuch, read
from sqlscribe.redaction import Redactor

Result = TypeVar("Result")

_NO_KEY_NEEDED = "none"
"""Sent to servers without keys. Without it litellm would send a key from the environment."""
LARGEST_REPLY = 4_000_000
"""Bytes. No answer with SQL in it is larger; a broken server could send without end."""
_LARGEST_STREAM = 8 * LARGEST_REPLY
"""Bytes of a reply in pieces, each of which has a frame around it."""


@dataclass(frozen=True)
class LiteLLMChat:
    """A :class:`~sqlscribe.models.chat.ChatModel` by its litellm name.

    ``api_key`` is sent as it is; nothing is read from the environment where ``api_base`` is
    set. ``context_tokens`` matters to Ollama, which is told the size of context it needs.
    """

    name: str
    api_base: str | None = None
    api_key: str | None = field(default=None, repr=False)
    timeout_seconds: float = 60.0
    max_tokens: int = 1500
    temperature: float = 0.0
    context_tokens: int | None = None
    redact: Redactor = field(default_factory=Redactor)
    listen: Listen | None = field(default=None, repr=False)

    def heard_by(self, listen: Listen) -> LiteLLMChat:
        """The same model, asked to send its replies in pieces."""
        return replace(self, listen=listen)

    def at_temperature(self, least: float) -> LiteLLMChat:
        """The same model, whose replies differ from one another and are heard by nobody."""
        return replace(self, temperature=max(least, self.temperature), listen=None)

    async def complete(self, messages: Sequence[Message], form: ReplyForm | None = None) -> Reply:
        """The reply, as :class:`~sqlscribe.models.chat.ChatModel` promises it."""
        if self.api_base is None and self.api_key is None and key_variable(self.name):
            raise no_key(self.name)
        litellm = await load()
        needed = estimated_tokens(messages)
        try:
            async with asyncio.timeout(self.timeout_seconds):
                answer = await self._ask(litellm, messages, needed, form)
        except TimeoutError as error:
            raise timed_out(self.timeout_seconds) from error
        except TooMuch:
            raise self._too_large() from None
        except failures_of_library() as error:
            raise failure(error, self._call()) from None
        return self._reply(litellm, answer, needed)

    async def _ask(
        self, litellm: Any, messages: Sequence[Message], needed: int, form: ReplyForm | None
    ) -> _Whole:
        request: dict[str, Any] = {
            "model": self.name,
            "messages": [
                {"role": message.role, "content": sendable(message.content)} for message in messages
            ],
            "max_tokens": self.max_tokens,
            "temperature": self.temperature,
            # Some models do not take every parameter; litellm knows which.
            "drop_params": True,
            "num_retries": 0,
            "max_retries": 0,
            "timeout": self.timeout_seconds,
            **access(self.api_base, self.api_key),
        }
        if _is_ollama(self.name):
            # A model that is not in litellm's table is looked up with requests of its own, at
            # the usual address of Ollama whatever api_base says.
            litellm.model_cost.setdefault(self.name, _OLLAMA_MODEL)
            request["num_ctx"] = context_size(needed + self.max_tokens, self.context_tokens)
        if form is not None and self._takes_forms(litellm):
            request["response_format"] = _response_format(form)
        if self.listen is not None and (self.name, self.api_base) not in _NOT_STREAMING:
            request |= {"stream": True, "stream_options": {"include_usage": True}}
        return await with_client(self.name, request, partial(self._told, litellm))

    async def _told(self, litellm: Any, request: dict[str, Any]) -> _Whole:
        """The reply, asked for once more without each thing that the server does not know."""
        begun = is_refused = False
        heard = self.listen() if self.listen is not None else None

        def hear(piece: Piece) -> None:
            nonlocal begun
            begun = True
            if heard is not None:
                heard(piece)

        while True:
            try:
                if "stream" not in request:
                    whole = self._whole(await litellm.acompletion(**request))
                    if is_refused:
                        _NOT_STREAMING.add((self.name, self.api_base))
                    return whole
                streamed = await _streamed(litellm, request, hear)
                if streamed is not None:
                    return streamed
                refused = "stream"
            except failures_of_library() as error:
                refused = refused_parameter(str(error))
                if refused not in request or begun or isinstance(error, TooMuch):
                    raise
            # The messages ask for the same, so the answer is much the same without.
            del request[refused]
            if refused == "stream":
                request.pop("stream_options", None)
                is_refused = True

    def _takes_forms(self, litellm: Any) -> bool:
        """Whether a JSON schema may be sent: servers of one's own say so when they refuse."""
        if self.api_base is not None or _is_ollama(self.name):
            return True
        try:
            return bool(litellm.supports_response_schema(model=self.name))
        except failures_of_library():
            # litellm does not know every model.
            return False

    def _whole(self, answer: Any) -> _Whole:
        try:
            choice = answer.choices[0]
            return _Whole(choice.message.content or "", choice.finish_reason, answer)
        except (AttributeError, IndexError, TypeError):
            raise ModelFailed(f"{self._call().place} sent a reply without an answer") from None

    def _reply(self, litellm: Any, answer: _Whole, needed: int) -> Reply:
        text = answer.text
        if not isinstance(text, str) or len(text) > LARGEST_REPLY:
            raise self._too_large()
        priced = not is_free(self.name, self.api_base)
        account = answer.account
        usage = _usage(account, _cost(litellm, account) if priced and account else None)
        # A stream that just ends says no reason.
        cut_off = answer.finish in ("length", "")
        warnings = []
        if cut_off and not text.strip():
            warnings.append(
                f"the model used its {self.max_tokens} tokens before it wrote an answer; "
                "raise max_tokens"
            )
        if is_loopback(self.api_base) and not _is_ollama(self.name):
            warnings += cut_prompt(needed, usage.prompt_tokens)
        return Reply(text, usage, cut_off, tuple(warnings))

    def _too_large(self) -> ModelFailed:
        return ModelFailed(f"{self._call().place} sent a reply that is far too large")

    def _call(self) -> Call:
        secrets = self.redact.secrets | ({self.api_key} if self.api_key else set())
        return Call(
            self.name,
            self.api_base,
            self.api_key is not None,
            self.timeout_seconds,
            Redactor(secrets),
        )


@dataclass(frozen=True)
class _Whole:
    """A reply, why it ended, and the library's object that tells what it cost, if any does."""

    text: Any
    finish: str | None
    account: Any


_NOT_STREAMING: set[tuple[str, str | None]] = set()
"""Models, with their addresses, that answer only in one piece."""


async def _streamed(litellm: Any, request: dict[str, Any], hear: Hear) -> _Whole | None:
    """A reply in pieces; ``None`` where there are none: the server may not know how."""
    stream = await litellm.acompletion(**request)
    came = await read(stream, hear, LARGEST_REPLY)
    if came.is_empty and came.finish != "length":
        return None
    ended = (stream.received_finish_reason, stream.intermittent_finish_reason)
    # Without a count of the provider's own, the library would make one up.
    is_counted = any(getattr(chunk, "usage", None) for chunk in stream.chunks)
    account = litellm.stream_chunk_builder(stream.chunks) if is_counted else None
    # The library makes up a reason, too.
    return _Whole(came.text, came.finish if any(ended) else "", account)


def sendable(text: str) -> str:
    """The text with a mark for what no encoding can carry (half of a surrogate pair)."""
    return text.encode("utf-8", "replace").decode("utf-8")


async def load() -> Any:
    """litellm, imported in a worker thread at the first call, which takes seconds."""
    return await asyncio.to_thread(imported)


@cache
def imported() -> Any:
    # In its other mode litellm loads a .env file into this process's environment, and a
    # workspace could redirect keys with that.
    os.environ["LITELLM_MODE"] = "PRODUCTION"
    os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"
    os.environ["LITELLM_SUPPRESS_STARTUP_OUTPUT"] = "True"
    _bypass_proxy_for_loopback()
    import litellm

    litellm.suppress_debug_info = True
    litellm.telemetry = False
    for name in ("LiteLLM", "LiteLLM Router", "LiteLLM Proxy", "httpx", "openai"):
        # They write addresses and headers, and some of it to standard output.
        logging.getLogger(name).setLevel(logging.CRITICAL)
    return litellm


def _bypass_proxy_for_loopback() -> None:
    """A proxy configured for the internet cannot reach this machine's own servers."""
    names = ("NO_PROXY", "no_proxy")
    # Who reads both takes the second one: what stands in only one of them must not be lost.
    set_there = ",".join(os.environ.get(name, "") for name in names).split(",")
    hosts = dict.fromkeys([*filter(None, set_there), "127.0.0.1", "localhost", "::1"])
    for name in names:
        os.environ[name] = "*" if "*" in hosts else ",".join(hosts)


@cache
def failures_of_library() -> tuple[type[Exception], ...]:
    """Everything that litellm is known to raise.

    Replies of an odd shape escape from it as the plain errors of the code that reads them.
    """
    from httpx import HTTPError, InvalidURL
    from litellm import exceptions
    from openai import OpenAIError

    own = [
        kind
        for kind in vars(exceptions).values()
        if isinstance(kind, type) and issubclass(kind, Exception)
    ]
    return (
        *own,
        OpenAIError,
        HTTPError,
        InvalidURL,
        OSError,
        ImportError,
        LookupError,
        AttributeError,
        TypeError,
        ValueError,
        RuntimeError,
        AssertionError,
    )


def _response_format(form: ReplyForm) -> dict[str, Any]:
    """As OpenAI defined it, which litellm translates for the others."""
    return {
        "type": "json_schema",
        "json_schema": {"name": form.name, "schema": dict(form.schema), "strict": True},
    }


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
        httpx.AsyncClient, event_hooks=hooks, follow_redirects=False
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


_OLLAMA_MODEL = {
    "litellm_provider": "ollama_chat",
    "mode": "chat",
    "input_cost_per_token": 0.0,
    "output_cost_per_token": 0.0,
}


def is_free(name: str, api_base: str | None) -> bool:
    """Whether a model costs nothing: one on one's own machine, or served by Ollama."""
    # For Ollama's the library would ask its server.
    return is_loopback(api_base) or _is_ollama(name)


def is_priced(name: str) -> bool:
    """Whether the library knows what a model costs. It takes seconds to import at first."""
    litellm = imported()
    try:
        prices = litellm.get_model_info(model=name)
    except failures_of_library():
        # It does not know every model.
        return False
    return bool(prices.get("input_cost_per_token") or prices.get("output_cost_per_token"))


def _is_ollama(name: str) -> bool:
    return provider_of(name) in ("ollama", "ollama_chat")


def _usage(answer: Any, cost: float | None) -> Usage:
    usage = getattr(answer, "usage", None)
    details = getattr(usage, "prompt_tokens_details", None)
    return Usage(
        _count(usage, "prompt_tokens"),
        _count(usage, "completion_tokens"),
        _count(details, "cached_tokens"),
        cost,
    )


def _cost(litellm: Any, answer: Any) -> float | None:
    try:
        return float(litellm.completion_cost(completion_response=answer)) or None
    except failures_of_library():
        # litellm does not know the price of every model.
        return None


def _count(holder: Any, name: str) -> int | None:
    value = getattr(holder, name, None)
    return value if isinstance(value, int) and value > 0 else None
