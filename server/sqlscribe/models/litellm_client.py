"""Chat models of any provider, through litellm."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from sqlscribe.errors import ModelFailed
from sqlscribe.models.bounded_client import LARGEST_REPLY, access, with_client
from sqlscribe.models.chat import Hear, Listen, Message, Piece, Reply, ReplyForm, Usage
from sqlscribe.models.context_window import context_size, cut_prompt, estimated_tokens
from sqlscribe.models.failures import Call, failure, no_key, odd_key, refused_parameter, timed_out
from sqlscribe.models.litellm_library import cost, failures_of_library, is_free, load
from sqlscribe.models.providers import is_loopback, is_ollama, key_variable
from sqlscribe.models.streamed import TooMuch, read
from sqlscribe.redaction import Redactor


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
        if (odd := odd_key(self.api_key or "")) is not None:
            raise odd
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
        if is_ollama(self.name):
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
        if self.api_base is not None or is_ollama(self.name):
            return True
        try:
            return bool(litellm.supports_response_schema(model=self.name))
        except failures_of_library():
            # litellm does not know every model.
            return False

    def _whole(self, answer: Any) -> _Whole:
        try:
            choice = answer.choices[0]
            text = choice.message.content or _elsewhere(choice.message)
            return _Whole(text, choice.finish_reason, answer)
        except (AttributeError, IndexError, TypeError):
            raise ModelFailed(f"{self._call().place} sent a reply without an answer") from None

    def _reply(self, litellm: Any, answer: _Whole, needed: int) -> Reply:
        text = answer.text
        if not isinstance(text, str) or len(text) > LARGEST_REPLY:
            raise self._too_large()
        if answer.finish == "content_filter":
            # What came before may well parse, and lack the conditions that would have followed.
            raise ModelFailed(
                f"a content filter of {self._call().place} stopped the answer; "
                "ask in other words, or another model"
            )
        priced = not is_free(self.name, self.api_base)
        account = answer.account
        usage = usage_of(account, cost(litellm, account) if priced and account else None)
        # A stream that just ends says no reason.
        cut_off = answer.finish in ("length", "")
        warnings = []
        if cut_off and not text.strip():
            warnings.append(
                f"the model used its {self.max_tokens} tokens before it wrote an answer; "
                "raise max_tokens"
            )
        if is_loopback(self.api_base) and not is_ollama(self.name):
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


def _elsewhere(message: Any) -> str:
    """What a message without text says as a refusal, or hands to a tool that it made up."""
    refusal = getattr(message, "refusal", None)
    if isinstance(refusal, str) and refusal:
        return refusal
    calls = getattr(message, "tool_calls", None) or ()
    called = [call.function for call in calls] or [getattr(message, "function_call", None)]
    arguments = getattr(called[-1], "arguments", None)
    return arguments if isinstance(arguments, str) else ""


_NOT_STREAMING: set[tuple[str, str | None]] = set()
"""Models, with their addresses, that answer only in one piece."""


async def _streamed(litellm: Any, request: dict[str, Any], hear: Hear) -> _Whole | None:
    """A reply in pieces; ``None`` where there are none: the server may not know how."""
    stream = await litellm.acompletion(**request)
    came = await read(stream, hear, LARGEST_REPLY)
    if came.is_empty and came.finish not in ("length", "content_filter"):
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


def _response_format(form: ReplyForm) -> dict[str, Any]:
    """As OpenAI defined it, which litellm translates for the others."""
    return {
        "type": "json_schema",
        "json_schema": {"name": form.name, "schema": dict(form.schema), "strict": True},
    }


_OLLAMA_MODEL = {
    "litellm_provider": "ollama_chat",
    "mode": "chat",
    "input_cost_per_token": 0.0,
    "output_cost_per_token": 0.0,
}


def usage_of(answer: Any, price: float | None) -> Usage:
    """Tokens as an answer of the library tells them."""
    usage = getattr(answer, "usage", None)
    details = getattr(usage, "prompt_tokens_details", None)
    return Usage(
        _count(usage, "prompt_tokens"),
        _count(usage, "completion_tokens"),
        _count(details, "cached_tokens"),
        price,
    )


def _count(holder: Any, name: str) -> int | None:
    value = getattr(holder, name, None)
    return value if isinstance(value, int) and value > 0 else None
