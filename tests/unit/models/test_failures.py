"""Errors of providers, told by their words and by their status."""

from __future__ import annotations

import json
import os
import socket
import ssl

import pytest

from sqlscribe.errors import (
    ModelError,
    ModelFailed,
    NoKey,
    RateLimited,
    TimedOut,
    TooLong,
    UnknownModel,
    Unreachable,
    WrongKey,
)
from sqlscribe.models.failures import Call, failure
from sqlscribe.redaction import Redactor

KEY = "FAKE-abc123"


class HTTPStatusError(Exception):
    """An error with the HTTP answer that it came with, as the HTTP libraries raise it."""

    def __init__(self, message: str, status: int, headers: dict[str, str] | None = None) -> None:
        super().__init__(message)
        self.response = type("R", (), {"status_code": status, "headers": headers or {}})()


def told(error: BaseException, *, has_key: bool = True, api_base: str | None = None) -> ModelError:
    call = Call("openai/x", api_base, has_key, 60, Redactor([KEY]))
    found = failure(error, call)
    message = str(found)
    assert KEY not in message
    assert message
    assert "\n" not in message
    assert len(message) < 400
    return found


@pytest.mark.parametrize(
    "words",
    [
        "This model's maximum context length is 8192 tokens. However, you requested 9000",
        "Input tokens exceed the configured limit of 272000 tokens",
        "input length and `max_tokens` exceed context limit: 190000 + 20000 > 200000",
        "The input token count (1200000) exceeds the maximum number of tokens allowed (9999)",
        "The prompt (length 9000) is longer than the model's context length (8192)",
        "prompt is too long: 210000 tokens > 200000 maximum",
        "Input is too long for requested model.",
        "the request exceeds the available context size, try increasing it",
        "Requested token count exceeds the model's maximum context length of 131072 tokens",
        "Please reduce the length of the messages or completion.",
        "Please reduce your prompt; or completion length: context_length_exceeded",
        "Request too large for model on tokens per minute (TPM): Limit 8000, Requested 9000",
        "Too many input tokens",
        "max context window of 4096 exceeded",
        "Prompt contains 70000 tokens, too large for model with 65536 maximum context length",
        "exceeded model's context window",
        "Range of input length should be [1, 30720]: input length is too long",
        "Range of input length should be [1, 30720]",
        "Request payload size exceeds the limit: 20971520 bytes",
        "输入内容过长",
        "This model supports 8192 tokens, however your messages resulted in 9120 tokens.",
    ],
)
@pytest.mark.parametrize("status", [400, 429, 500])
def test_a_prompt_that_does_not_fit_is_known_by_its_words(words: str, status: int) -> None:
    assert isinstance(told(HTTPStatusError(words, status)), TooLong)


@pytest.mark.parametrize(
    ("words", "status", "kind"),
    [
        (f"Incorrect API key provided: {KEY}", 401, WrongKey),
        ("API key not valid. Please pass a valid API key.", 400, WrongKey),
        ("permission denied", 403, WrongKey),
        ("the model `x` does not exist", 404, UnknownModel),
        ("Not Found", 404, UnknownModel),
        ("qwen/none is not a valid model ID", 400, UnknownModel),
        ("slow down", 429, RateLimited),
        ("You exceeded your current quota: insufficient_quota", 429, RateLimited),
        ("Insufficient Balance", 402, RateLimited),
        ("Overloaded", 529, RateLimited),
        ("upstream timed out", 504, TimedOut),
        ("payload", 413, TooLong),
        ("max_tokens is too large: 99999", 400, ModelFailed),
        ("boom", 500, ModelFailed),
        ("<html>bad gateway</html>", 502, ModelFailed),
        ("moved", 302, ModelFailed),
    ],
)
def test_an_http_answer_is_told_by_status_and_words(
    words: str, status: int, kind: type[ModelError]
) -> None:
    assert type(told(HTTPStatusError(words, status))) is kind


@pytest.mark.parametrize(
    ("root", "says"),
    [
        (ConnectionRefusedError("x"), "nothing answers"),
        (socket.gaierror(-2, "Name or service not known"), "name is not known"),
        (ssl.SSLError("certificate verify failed"), "TLS"),
        (ConnectionResetError("x"), "closed"),
        (OSError("Server disconnected without sending a response"), "closed"),
        (OSError("Connection error."), "failed"),
    ],
)
def test_an_endpoint_that_is_not_reached_is_told_with_its_host(root: Exception, says: str) -> None:
    error = RuntimeError("wrapped")
    error.__cause__ = root
    found = told(error, api_base="https://name:word@host.example:8443/v1?key=x")
    assert isinstance(found, Unreachable)
    assert says in str(found)
    assert "host.example:8443 " in str(found)
    assert "word" not in str(found)


@pytest.mark.parametrize(
    ("variables", "api_base", "says"),
    [
        ({"HTTPS_PROXY": "http://me:word@proxy.example:3128"}, None, "proxy.example:3128 (HTTPS_"),
        ({"http_proxy": "http://proxy.example:8"}, "http://host.example/v1", ":8 (HTTP_PROXY)"),
        ({"ALL_PROXY": "http://proxy.example:8"}, "https://host.example/v1", ":8 (ALL_PROXY)"),
        ({"HTTP_PROXY": "http://proxy.example:8"}, "https://host.example/v1", ""),
        ({"HTTP_PROXY": "http://proxy.example:8"}, "http://127.0.0.1:1/v1", ""),
        (
            {"HTTP_PROXY": "http://proxy.example:8", "NO_PROXY": "host.example"},
            "http://host.example/v1",
            "",
        ),
    ],
)
def test_the_proxy_that_is_in_between_is_named(
    monkeypatch: pytest.MonkeyPatch, variables: dict[str, str], api_base: str | None, says: str
) -> None:
    for name in list(os.environ):
        if name.lower().endswith("_proxy"):
            monkeypatch.delenv(name)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    message = str(told(ConnectionRefusedError("x"), api_base=api_base))
    assert ("through the proxy" in message) == bool(says)
    assert says in message
    assert "word" not in message


@pytest.mark.parametrize(
    "root",
    [
        json.JSONDecodeError("Expecting value", "", 0),
        KeyError("content"),
        TypeError("NoneType"),
        RecursionError("maximum recursion depth exceeded"),
    ],
)
def test_an_answer_of_an_odd_shape_is_told_as_one(root: Exception) -> None:
    found = told(root)
    assert type(found) is ModelFailed
    assert "not a model's reply" in str(found)


def test_the_time_to_wait_is_told() -> None:
    assert "in 7 s" in str(told(HTTPStatusError("slow", 429, {"retry-after": "7"})))
    odd = HTTPStatusError("slow", 429, {"retry-after": "Wed, 21 Oct 2026 07:28:00 GMT"})
    assert str(told(odd)).endswith("slow down")


def test_a_missing_key_names_its_variable() -> None:
    found = told(ValueError("Missing credentials. Please pass an `api_key`"), has_key=False)
    assert isinstance(found, NoKey)
    assert str(found) == "no API key: set OPENAI_API_KEY"
    refused = told(HTTPStatusError("You didn't provide an API key", 401), has_key=False)
    assert isinstance(refused, NoKey)


def test_a_server_that_wants_a_key_names_the_setting() -> None:
    found = told(HTTPStatusError("no", 401), has_key=False, api_base="http://10.0.0.1/v1")
    assert isinstance(found, WrongKey)
    assert "api_key_env" in str(found)


def test_the_providers_words_lose_keys_addresses_and_tracebacks() -> None:
    words = (
        'litellm.BadRequestError: OpenAIException - {"error": {"message": "bad value at '
        f"https://host.example/v1/x?key={KEY}&alt=1 for {KEY}\\n"
        'Traceback (most recent call last)\\n  File x"}}'
    )
    message = str(told(HTTPStatusError(words, 400)))
    assert message == ("openai answered: bad value at https://host.example/v1/x for *** (HTTP 400)")


def test_an_endless_message_is_cut() -> None:
    told(HTTPStatusError("word " * 500_000, 500))
    told(HTTPStatusError("input" * 500_000, 500))
    told(HTTPStatusError("{" * 500_000, 500))
