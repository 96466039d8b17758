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
        "The decoder prompt (length 5000) is longer than the maximum model length of 4096.",
        "This model's maximum prompt length is 131072 but the request contains 140000 tokens.",
        "length of prompt_tokens (40000) must be less than max_seq_len (32768).",
        "Input validation error: `inputs` must have less than 4095 tokens. Given: 5000",
        "`inputs` tokens + `max_new_tokens` must be <= 4096. Given: 4000 `inputs` tokens",
        "Malformed input request: expected maxLength: 50000, actual: 62000, please reformat",
        "Total tokens of image and text exceed max message tokens",
        "Prompt exceeds max length",
        "Prompt 超长",
        "tokens 总数超过模型上下文窗口",
        "the input token count is 40000 but model only supports up to 32767",
        "the model is loaded with context length of only 4096 tokens, which is not enough",
        "maximum context length is 8192 tokens; messages: revenue per month",
        "length 900 is not possible! The provided prompt is 8000 tokens long, so only 192 are",
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
        ("API key expired. Please renew the API key.", 400, WrongKey),
        ("The security token included in the request is expired", 400, WrongKey),
        ("Country, region, or territory not supported", 403, ModelFailed),
        ("Access denied due to Virtual Network/Firewall rules.", 403, ModelFailed),
        ("Your input was flagged by the provider", 403, ModelFailed),
        ("Project `p` does not have access to model `x`", 403, UnknownModel),
        ("You don't have access to the model with the specified model ID.", 403, UnknownModel),
        ("Model Not Exist", 400, UnknownModel),
        ("Invalid model: x", 400, UnknownModel),
        ("invalid model name passed in model=x", 400, UnknownModel),
        ("The provided model identifier is invalid.", 400, UnknownModel),
        ("模型不存在，请检查模型代码。", 400, UnknownModel),
        ("The model `x` has been decommissioned", 400, UnknownModel),
        ("Too many tokens, please wait before trying again.", 429, RateLimited),
        ("Too many tokens per day, please wait before trying again.", 429, RateLimited),
        ("Number of input tokens has exceeded your per-minute rate limit", 429, RateLimited),
        ("You have exceeded the token limit per minute", 429, RateLimited),
        ("Throttling.RateQuota", 400, RateLimited),
        ("The model is overloaded. Please try again later.", 503, RateLimited),
        ("System is too busy now. Please try again later.", 503, RateLimited),
        ("Loading model", 503, ModelFailed),
        ("Your credit balance is too low to access the API.", 400, RateLimited),
        ("Sorry, your account balance is insufficient", 403, RateLimited),
        ("Key limit exceeded (monthly limit)", 403, RateLimited),
        ("You have reached your specified API usage limits.", 400, RateLimited),
        ("Billing hard limit has been reached", 400, RateLimited),
        ("make sure your account is in good standing", 400, RateLimited),
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
