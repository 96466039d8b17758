"""Chat and embedding models of any provider, through litellm.

The library takes seconds to import, so that happens at the first call and in a worker thread.
"""

from __future__ import annotations

import asyncio
import logging
import os
import re
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from sqlscribe.errors import ModelFailed
from sqlscribe.models.chat import Message, Reply, ReplyForm, Usage
from sqlscribe.models.failures import TOO_LARGE, Call, failure, no_key, timed_out
from sqlscribe.models.providers import is_loopback, key_variable, provider_of
from sqlscribe.prompting.tokens import estimate
from sqlscribe.redaction import Redactor

LARGEST_REPLY = 4_000_000
"""Bytes. No answer with SQL in it is larger; a broken server could send without end."""

_NO_KEY_NEEDED = "none"
"""Sent to servers without keys. Without it litellm would send a key from the environment."""


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
        except _failures() as error:
            raise failure(error, self._call()) from None
        return self._reply(litellm, answer, needed)

    async def _ask(
        self, litellm: Any, messages: Sequence[Message], needed: int, form: ReplyForm | None
    ) -> Any:
        request: dict[str, Any] = {
            "model": self.name,
            "messages": [
                {"role": message.role, "content": _sendable(message.content)}
                for message in messages
            ],
            "max_tokens": self.max_tokens,
            "temperature": self.temperature,
            # Some models do not take every parameter; litellm knows which.
            "drop_params": True,
            "num_retries": 0,
            "max_retries": 0,
            "timeout": self.timeout_seconds,
            **_access(self.api_base, self.api_key),
        }
        if _is_ollama(self.name):
            # A model that is not in litellm's table is looked up with requests of its own, at
            # the usual address of Ollama whatever api_base says.
            litellm.model_cost.setdefault(self.name, _OLLAMA_MODEL)
            request["num_ctx"] = context_size(needed + self.max_tokens, self.context_tokens)
        if form is not None and self._takes_forms(litellm):
            request["response_format"] = _response_format(form)
        async with _bounded_client(self.name, request) as client:
            if client is not None:
                request["client"] = client
            while True:
                try:
                    return await litellm.acompletion(**request)
                except _failures() as error:
                    refused = _refused_parameter(str(error))
                    if refused not in request:
                        raise
                    # The messages ask for the same, so the answer is much the same without.
                    del request[refused]

    def _takes_forms(self, litellm: Any) -> bool:
        """Whether a JSON schema may be sent: servers of one's own say so when they refuse."""
        if self.api_base is not None or _is_ollama(self.name):
            return True
        try:
            return bool(litellm.supports_response_schema(model=self.name))
        except _failures():
            # litellm does not know every model.
            return False

    def _reply(self, litellm: Any, answer: Any, needed: int) -> Reply:
        try:
            choice = answer.choices[0]
            text = choice.message.content or ""
            finish = choice.finish_reason
        except (AttributeError, IndexError, TypeError):
            raise ModelFailed(f"{self._call().place} sent a reply without an answer") from None
        if not isinstance(text, str) or len(text) > LARGEST_REPLY:
            raise ModelFailed(f"{self._call().place} sent a reply that is far too large")
        # A model on one's own machine costs nothing, and for Ollama's litellm asks its server.
        priced = not (is_loopback(self.api_base) or _is_ollama(self.name))
        usage = _usage(answer, _cost(litellm, answer) if priced else None)
        cut_off = finish == "length"
        warnings = []
        if cut_off and not text.strip():
            warnings.append(
                f"the model used its {self.max_tokens} tokens before it wrote an answer; "
                "raise max_tokens"
            )
        if is_loopback(self.api_base) and not _is_ollama(self.name):
            warnings += _cut_prompt(needed, usage.prompt_tokens)
        return Reply(text, usage, cut_off, tuple(warnings))

    def _call(self) -> Call:
        secrets = self.redact.secrets | ({self.api_key} if self.api_key else set())
        return Call(
            self.name,
            self.api_base,
            self.api_key is not None,
            self.timeout_seconds,
            Redactor(secrets),
        )


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
    _imported()
    redact = Redactor([api_key or ""])
    call = Call(name, api_base, api_key is not None, _EMBEDDING_SECONDS, redact)
    try:
        answer = asyncio.run(_embed(name, api_base, api_key, [_sendable(t) for t in texts]))
        vectors = [
            [float(number) for number in entry["embedding"]]
            for entry in sorted(answer.data, key=lambda entry: int(entry["index"]))
        ]
    except TimeoutError as error:
        raise timed_out(_EMBEDDING_SECONDS) from error
    except _failures() as error:
        raise failure(error, call) from None
    if len(vectors) != len(texts):
        raise ModelFailed(f"{call.place} sent {len(vectors)} vectors for {len(texts)} texts")
    return vectors


_EMBEDDING_SECONDS = 60.0


async def _embed(name: str, api_base: str | None, api_key: str | None, texts: list[str]) -> Any:
    request: dict[str, Any] = {
        "model": name,
        "input": texts,
        "timeout": _EMBEDDING_SECONDS,
        "num_retries": 0,
        "max_retries": 0,
        **_access(api_base, api_key),
    }
    async with asyncio.timeout(_EMBEDDING_SECONDS), _bounded_client(name, request) as client:
        if client is not None:
            request["client"] = client
        return await _imported().aembedding(**request)


def _sendable(text: str) -> str:
    """The text with a mark for what no encoding can carry (half of a surrogate pair)."""
    return text.encode("utf-8", "replace").decode("utf-8")


async def load() -> Any:
    """litellm, imported in a worker thread at the first call, which takes seconds."""
    return await asyncio.to_thread(_imported)


@cache
def _imported() -> Any:
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
    for name in ("NO_PROXY", "no_proxy"):
        hosts = [host for host in os.environ.get(name, "").split(",") if host]
        if "*" not in hosts:
            added = [host for host in ("127.0.0.1", "localhost", "::1") if host not in hosts]
            os.environ[name] = ",".join([*hosts, *added])


@cache
def _failures() -> tuple[type[Exception], ...]:
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


_NO_TEMPERATURE = re.compile(
    r"temperature.{0,80}(?:not support|unsupported|deprecated|only)"
    r"|unsupported.{0,80}temperature",
    re.IGNORECASE | re.DOTALL,
)


_NO_FORM = re.compile(r"response_format|json_schema|response schema|grammar", re.IGNORECASE)


def _refused_parameter(message: str) -> str:
    """The optional parameter that a provider's error is about, or ``""``."""
    if _NO_TEMPERATURE.search(message):
        return "temperature"
    return "response_format" if _NO_FORM.search(message) else ""


def _response_format(form: ReplyForm) -> dict[str, Any]:
    """As OpenAI defined it, which litellm translates for the others."""
    return {
        "type": "json_schema",
        "json_schema": {"name": form.name, "schema": dict(form.schema), "strict": True},
    }


def _access(api_base: str | None, api_key: str | None) -> dict[str, str]:
    if api_base is None:
        return {} if api_key is None else {"api_key": api_key}
    return {"api_base": api_base, "api_key": api_key or _NO_KEY_NEEDED}


@asynccontextmanager
async def _bounded_client(name: str, request: dict[str, Any]) -> AsyncIterator[Any]:
    """A client for one call to a server of one's own, ``None`` for the providers' own ones.

    It stops reading an endless reply, follows no redirection, and leaves nothing open.
    """
    if "api_base" not in request:
        yield None
        return
    import httpx
    from litellm.llms.custom_httpx.http_handler import AsyncHTTPHandler
    from openai import AsyncOpenAI

    async def bound(response: httpx.Response) -> None:
        response.stream = _bounded(response.stream)

    hooks = {"response": [bound]}
    if provider_of(name) not in ("openai", "custom_openai"):
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


def _bounded(stream: Any) -> Any:
    """The stream, up to the largest reply."""
    import httpx

    class Bounded(httpx.AsyncByteStream):
        async def __aiter__(self) -> AsyncIterator[bytes]:
            size = 0
            async for chunk in stream:
                size += len(chunk)
                if size > LARGEST_REPLY:
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


def _is_ollama(name: str) -> bool:
    return provider_of(name) in ("ollama", "ollama_chat")


_TOKENS_A_MESSAGE = 4
"""What the marks around one message cost."""


def estimated_tokens(messages: Sequence[Message]) -> int:
    """About how many tokens the messages have."""
    return sum(estimate(message.content) + _TOKENS_A_MESSAGE for message in messages)


def context_size(needed: int, configured: int | None) -> int:
    """Tokens of context to ask Ollama for.

    In few steps, since Ollama loads a model anew whenever the size changes.
    """
    size = 4096
    while size < needed:
        size *= 2
    return max(size if configured is None else needed, configured or 0)


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
    except _failures():
        # litellm does not know the price of every model.
        return None


def _count(holder: Any, name: str) -> int | None:
    value = getattr(holder, name, None)
    return value if isinstance(value, int) and value > 0 else None


def _cut_prompt(needed: int, read: int | None) -> list[str]:
    """Servers on one's own machine cut a long prompt without a word; the count tells."""
    if read is None or needed - read < 500:
        return []
    # Nothing but a full window ends at just such a number.
    is_window = read >= 1024 and read & (read - 1) == 0
    if read > needed / 2 and not is_window:
        return []
    limit = 1 << (read - 1).bit_length()
    return [
        f"the prompt needs about {needed} tokens, but the server read only {read}; "
        f"it may be limited to {limit}"
    ]
