"""What went wrong with a model call, as one sentence that a person can act on.

Providers and their library disagree on the classes of errors, so an error is told by its
words and by the status of the HTTP answer, wherever in the chain of causes they stand.
"""

from __future__ import annotations

import json
import re
import socket
import ssl
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit
from urllib.request import getproxies_environment, proxy_bypass

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
from sqlscribe.models.providers import is_loopback, key_variable
from sqlscribe.redaction import Redactor

TOO_LARGE = "the reply is far too large"
"""The message of the error that stops the reading of an endless reply."""

_WORDS = 4000
"""How much of an error's text is looked at, in characters; some repeat the whole prompt."""


@dataclass(frozen=True)
class Call:
    """What is told about the call that failed; ``redact`` cleans the provider's words."""

    model: str
    api_base: str | None
    has_key: bool
    seconds: float
    redact: Redactor

    @property
    def place(self) -> str:
        """The host of the server, or the provider's name; never a path or a parameter."""
        if self.api_base:
            parts = urlsplit(self.api_base)
            return parts.netloc.rpartition("@")[2] or "the model server"
        return self.model.partition("/")[0] or "the provider"


def failure(error: BaseException, call: Call) -> ModelError:
    """The error of ours that says what ``error`` means."""
    causes = list(_causes(error))
    words = "\n".join(str(cause)[:_WORDS] for cause in causes)
    status = _status(causes)
    if TOO_LARGE in words:
        return ModelFailed(f"{call.place} sent a reply that is far too large")
    if "repeating the same chunk" in words:
        return ModelFailed(f"{call.model} repeats itself without end")
    if _TOO_LONG.search(words) and (_TOO_LARGE.search(words) or not _PACE.search(words)):
        return TooLong(f"the prompt is too long for {call.model}")
    if not call.has_key and _MISSING_KEY.search(words):
        return no_key(call.model)
    if _is_garbled(causes, words):
        return ModelFailed(f"{call.place} answered with something that is not a model's reply")
    if status is None and (reason := _unreachable(causes, words)):
        return Unreachable(f"{call.place} cannot be reached{_through(call)}: {reason}")
    return (
        _refused(status, words, causes, call)
        or _by_name(status, words, causes, call)
        or _other(status, causes, call)
    )


def timed_out(seconds: float) -> TimedOut:
    return TimedOut(f"no answer after {seconds:g} s")


def no_key(model: str) -> NoKey:
    """Names the variable to set; for providers unknown here, the setting that names one."""
    variable = key_variable(model)
    wanted = f"set {variable}" if variable else "name its variable in api_key_env"
    return NoKey(f"no API key: {wanted}")


def odd_key(api_key: str) -> WrongKey | None:
    """Why a key is not sent, where no header could hold it: it was copied with something else."""
    if api_key.isascii() and api_key.isprintable():
        return None
    return WrongKey("the API key was not sent: it holds line ends or letters that no key has")


# The words of many providers for a prompt that does not fit.
_TOO_LONG = re.compile(
    r"""(?:maximum|max|model'?s|allowed|configured)\s+(?:\w+\s+)?context\s+(?:length|window|size)
    | context[\s_-]*(?:length|window|size|limit)[\s_-]*(?:\w+\s+){0,2}exceed
    | exceed\w*\s+(?:\S+\s+){0,5}?context(?:\b|_)
    | (?:longer|larger|greater|more)\s+than\s+(?:\S+\s+){0,4}?context
    | (?:input|prompt)\s+tokens?\s+(?:\S+\s+){0,4}?exceed
    | (?:input|prompt|message|request|token)\S*\s+(?:token\s+)?(?:count|length|size|tokens?)
        \s+(?:\S+\s+){0,4}?(?:exceed|too\s+(?:long|large))
    | exceed\w*\s+(?:\S+\s+){0,6}?
        (?:number\s+of\s+(?:input\s+)?tokens|token\s+limit|max_?tokens|max\s+message\s+tokens)
    | (?:prompt|input|text)s?\s+exceeds?\s+(?:the\s+)?(?:max|model|limit|allowed)
    | max(?:imum)?[\s_](?:model|prompt|input|seq(?:uence)?)[\s_]len
    | context\s+length\s+of\s+only | token\s+count\s+is\s+\d+\s+but
    | prompt\s+is\s+\d+\s+tokens\s+long
    | `inputs`\s+(?:must\s+have\s+less\s+than|tokens\s+\+) | expected\s+maxLength
    | (?:prompt|input|message|request|conversation|text)s?\s+(?:is|are|was|were)?\s*
        too\s+(?:long|large)
    | too\s+many\s+(?:input\s+|prompt\s+)?tokens
    | reduce\s+(?:the\s+|your\s+)?(?:length|size|number)\s+of\s+(?:\S+\s+)?
        (?:messages|prompt|input|tokens)
    | (?:input|prompt)\s+length\s+should\s+be | payload\s+size\s+exceeds
    | (?:输入|提示词?|上下文|prompt)\s?\S{0,8}(?:过长|超[过出长])
    | 超[过出]\S{0,8}(?:上下文|窗口)
    | tokens?_exceeded | messages?\s+resulted\s+in\s+\d+\s+tokens
    | string_above_max_length | context_length_exceeded | ContextWindowExceeded
    """,
    re.IGNORECASE | re.VERBOSE,
)

_TOO_LARGE = re.compile(r"request too large", re.IGNORECASE)
_PACE = re.compile(
    r"tokens?(?: limit)? per[ -](?:second|min(?:ute)?|hour|day)\b|rate[ _-]limit|throttl"
    r"|wait before trying",
    re.IGNORECASE,
)
"""Too many tokens within some time: a shorter prompt is no remedy, unless it alone is too many."""

_GARBLED = re.compile(
    r"Empty or invalid response from LLM|Unable to get json response|no 'choices'"
    r"|returned 'choices' that"
    r"|Expecting (?:value|property name|',' delimiter)|Invalid response object"
    r"|invalid start byte|Data-loss while decompressing",
    re.IGNORECASE,
)
_MISSING_KEY = re.compile(
    r"missing credentials|api_key client option must be set|missing [\w ]*api[ _]key"
    r"|api key (?:is )?(?:missing|required|not (?:set|found))|didn't provide an api key"
    r"|no api[ _-]?key",
    re.IGNORECASE,
)
_WRONG_KEY = re.compile(
    r"(?:incorrect|invalid|wrong|expired) api[ _-]?key|api key not valid|api_key_invalid"
    r"|invalid x-api-key|invalid authentication|api key (?:has |is )?expired"
    r"|security token included in the request",
    re.IGNORECASE,
)
_QUOTA = re.compile(
    r"insufficient[_ ](?:quota|balance|credit)|exceeded your current quota"
    r"|balance is (?:too low|insufficient)|余额不足|account is in good standing"
    r"|(?:billing|spending|usage|budget|key|monthly|hard) limits?\b.{0,40}(?:reached|exceeded)"
    r"|reached your (?:specified )?api usage limit|budget has been exceeded",
    re.IGNORECASE,
)
_RATE = re.compile(
    r"rate[_ ]limit|too many (?:requests|tokens)|resource_exhausted|overloaded|throttl|too busy",
    re.IGNORECASE,
)
_NO_ACCESS = re.compile(r"\baccess to (?:the )?model\b", re.IGNORECASE)
_NOT_THE_KEY = re.compile(
    r"\b(?:country|region|location|flagged|moderation|firewall|ip address)", re.IGNORECASE
)
_NO_PROVIDER = re.compile(r"LLM Provider NOT provided|Unmapped LLM provider", re.IGNORECASE)
_NO_MODEL = re.compile(
    r"model[_ ]not[_ ](?:found|exist)|not a valid model|(?:unknown|unsupported) model\b"
    r"|no such model|invalid model(?: name| id|:)|model identifier is invalid|模型不存在"
    r"|model\b.{0,40}? decommissioned"
    r"|model\b.{0,120}?(?:does not exist|not found|is not available|not supported)",
    re.IGNORECASE,
)
_CLOSED = re.compile(
    r"payload is not completed|server disconnected|peer closed|connection reset"
    r"|incomplete (?:chunked )?read|connection closed|stream ended before",
    re.IGNORECASE,
)
_NO_CONNECTION = re.compile(r"connection error|cannot connect to host|proxyerror", re.IGNORECASE)


_NO_TEMPERATURE = re.compile(
    r"temperature.{0,80}(?:not support|unsupported|deprecated|only)"
    r"|unsupported.{0,80}temperature",
    re.IGNORECASE | re.DOTALL,
)
_NO_FORM = re.compile(r"response_format|json_schema|response schema|grammar", re.IGNORECASE)
_NO_COUNT = re.compile(r"stream_options|include_usage", re.IGNORECASE)
_NO_STREAM = re.compile(r"\bstream(?:ing|ed)?\b", re.IGNORECASE)


def refused_parameter(message: str) -> str:
    """The optional parameter that a provider's error is about, or ``""``."""
    if _NO_TEMPERATURE.search(message):
        return "temperature"
    if _NO_COUNT.search(message):
        return "stream_options"
    if _NO_FORM.search(message):
        return "response_format"
    return "stream" if _NO_STREAM.search(message) else ""


def _refused(
    status: int | None, words: str, causes: list[BaseException], call: Call
) -> ModelError | None:
    """Keys, quotas and rates."""
    if status == 402 or _QUOTA.search(words):
        return RateLimited(f"{call.place} says that the quota is used up")
    if status in (429, 529) or (status in (None, 400, 503) and _RATE.search(words)):
        wait = _retry_after(causes)
        again = f"; try again in {wait} s" if wait else ""
        return RateLimited(f"{call.place} asks to slow down{again}")
    if status == 403 and _NO_ACCESS.search(words):
        return UnknownModel(f"{call.place} gives no access to the model {call.model}")
    if status == 403 and _NOT_THE_KEY.search(words):
        return None
    if status in (401, 403) or _WRONG_KEY.search(words):
        if not call.has_key:
            return WrongKey(
                f"{call.place} wants an API key; name its variable in api_key_env, "
                "in the same table and file as api_base, or trust the workspace"
            )
        return WrongKey(f"{call.place} refused the API key")
    return None


def _by_name(
    status: int | None, words: str, causes: list[BaseException], call: Call
) -> ModelError | None:
    """Names of models and providers, and gateways that gave up."""
    if _NO_PROVIDER.search(words):
        wanted = "openai/NAME, if it speaks OpenAI's way" if call.api_base else "provider/model"
        return UnknownModel(
            f"no provider is known for the model {call.model}; write it as {wanted}"
        )
    if status == 404 or (status in (None, 400, 422) and _NO_MODEL.search(words)):
        return UnknownModel(f"{call.place} does not know the model {call.model}")
    if status == 413:
        return TooLong(f"the prompt is too long for {call.model}")
    if status in (408, 504) or (
        status is None and any(isinstance(cause, TimeoutError) for cause in causes)
    ):
        return timed_out(call.seconds)
    return None


def _unreachable(causes: list[BaseException], words: str) -> str:
    """Why there was no HTTP answer, ``""`` where there was one."""
    if any(type(cause).__name__ == "ProxyError" for cause in causes):
        return "the proxy does not answer"
    for cause in causes:
        if isinstance(cause, socket.gaierror):
            return "its name is not known"
        if isinstance(cause, ssl.SSLError):
            return "the secure connection failed (TLS)"
        if isinstance(cause, ConnectionRefusedError):
            return "nothing answers there"
        if isinstance(cause, ConnectionError):
            return "the connection was closed"
    if _CLOSED.search(words):
        return "the connection was closed before the answer was complete"
    return "the connection failed" if _NO_CONNECTION.search(words) else ""


def _through(call: Call) -> str:
    """The proxy that the environment puts between here and the server, and who says so."""
    parts = urlsplit(call.api_base or "https://provider")
    proxies = getproxies_environment()
    kind = parts.scheme if parts.scheme in proxies else "all"
    is_direct = proxy_bypass(parts.hostname or "")
    if not proxies.get(kind) or is_loopback(call.api_base) or is_direct:
        return ""
    # Without the name and the password that it may hold.
    place = urlsplit(proxies[kind]).netloc.rpartition("@")[2] or "of the environment"
    return f" through the proxy {place} ({kind.upper()}_PROXY)"


def _causes(error: BaseException) -> Iterator[BaseException]:
    seen: set[int] = set()
    cause: BaseException | None = error
    while cause is not None and id(cause) not in seen:
        seen.add(id(cause))
        yield cause
        cause = cause.__cause__ or cause.__context__


def _status(causes: list[BaseException]) -> int | None:
    """Status of the HTTP answer, ``None`` where there was none.

    The library invents a status of 500 for whatever it does not know, at several levels.
    """
    for cause in causes:
        kind = type(cause)
        heard = kind.__module__.partition(".")[0] == "openai" or any(
            base.__name__ == "HTTPStatusError" for base in kind.__mro__
        )
        status = getattr(getattr(cause, "response", None), "status_code", None)
        if heard and isinstance(status, int):
            return status
    if type(causes[0]).__name__ == "MidStreamFallbackError":
        # Every stream that breaks off is a 503 to the library.
        return None
    own = getattr(causes[0], "status_code", None)
    return own if isinstance(own, int) and own >= 400 and own != 500 else None


def _is_garbled(causes: list[BaseException], words: str) -> bool:
    """True where the answer came, but could not be read as one."""
    root = causes[-1]
    if isinstance(root, StopIteration) and len(causes) > 1:
        root = causes[-2]
    # OSError and the library's own errors are none of these.
    odd = isinstance(root, LookupError | AttributeError | TypeError | ValueError | RecursionError)
    # A certificate that is not trusted is both an OSError and a ValueError.
    return (odd and not isinstance(root, OSError)) or bool(_GARBLED.search(words))


def _retry_after(causes: list[BaseException]) -> str:
    for cause in causes:
        headers: Any = getattr(getattr(cause, "response", None), "headers", None)
        if isinstance(headers, Mapping) and re.fullmatch(
            r"\d{1,5}(\.\d+)?", wait := str(headers.get("retry-after", ""))
        ):
            return wait
    return ""


def _other(status: int | None, causes: list[BaseException], call: Call) -> ModelFailed:
    if status is not None and 300 <= status < 400:
        return ModelFailed(f"{call.place} sends the request elsewhere; correct api_base")
    return ModelFailed(f"{call.place} answered: {_detail(causes, status, call)}")


_PREFIX = re.compile(
    r"^(?:litellm\.\w+: |Error code: \d+(?: - )?|\w*(?:Error|Exception)(?:: | - | ))+"
)
_SUFFIX = re.compile(r"\. Handle with `litellm\.\w+`\.$")
_ADDRESS = re.compile(r"(https?://[^\s'\"?#]{0,300})[?#][^\s'\"]*")
_LONGEST = 20_000


def _detail(causes: list[BaseException], status: int | None, call: Call) -> str:
    """The provider's own words: one short line without keys, parameters or a traceback."""
    said = _PREFIX.sub("", _SUFFIX.sub("", str(causes[0])[:_LONGEST].strip()))
    said = _error_message(said)
    if said.lstrip().startswith("<"):
        # A proxy's page in HTML says nothing that helps.
        said = ""
    line = " ".join(said.partition("Traceback (most recent call last)")[0].split())
    line = call.redact(_ADDRESS.sub(r"\1", line))
    if len(line) > 240:
        line = f"{line[:237]}..."
    if status is None:
        return line or "an error without a message"
    return f"{line} (HTTP {status})" if line else f"HTTP {status}"


def _error_message(said: str) -> str:
    """``message`` out of ``{"error": {"message": …}}`` in any of its usual forms."""
    start = said.find("{")
    if start < 0:
        return said
    try:
        data, _ = json.JSONDecoder().raw_decode(said, start)
    except (ValueError, RecursionError):
        return said
    inner = data.get("error", data)
    if isinstance(inner, str):
        return inner
    message = inner.get("message") if isinstance(inner, dict) else None
    return message if isinstance(message, str) else said
