"""Keeps keys and passwords out of everything that is shown or logged.

``redact`` replaces what is known to be secret, and what looks like it: header values,
parameters of an address, tokens of the usual shapes, passwords in database addresses.
``hide`` replaces the known values only, for text that must otherwise stay as it is.
"""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Iterable, Mapping
from functools import cached_property
from urllib.parse import quote, quote_plus

MASK = "***"

_SHORTEST = 6
"""Shorter values are too likely to be a part of an ordinary word."""

_SECRET_NAME = re.compile(r"(?:_KEY|_TOKEN|_SECRET|PASSWORD)$", re.IGNORECASE)
SECRET_PARAMETER = r"\w*(?:pass|pwd|token|secret|private|credential)\w*"
"""What a parameter of a database's address is called whose value is secret; any letter case."""
_NO_SECRETS = frozenset(
    {"ollama", "lm-studio", "not-needed", "not-used", "no-key", "no-key-required"}
)
"""What people put where a local server wants any key at all."""

_TOKENS = (
    re.compile(r"(?<![A-Za-z0-9])(?P<keep>)(?:sk|xai|pplx)-[A-Za-z0-9_*.-]{6,}"),
    re.compile(r"(?<![A-Za-z0-9])(?P<keep>)(?:gsk_|hf_|ghp_|AIza)[A-Za-z0-9_-]{20,}"),
)
"""The shapes of the keys that providers give out."""

_PATTERNS = (
    # A header, also as it looks in the text form of a dictionary or of a list of pairs.
    re.compile(
        r"""(?P<keep>(?:authorization|x-api-key|api-key|x-goog-api-key)\b
            (?:["']?\s{0,9}[:=]\s{0,9}|["'],\s{0,9})(?:b?["'])?(?:(?:bearer|basic|token)\s{1,9})?)
            [^\s"',;}]+""",
        re.IGNORECASE | re.VERBOSE,
    ),
    re.compile(r"(?P<keep>\bbearer\s{1,9})(?=[^\s\d]{0,200}\d|\S{20})[^\s\"',;}]+", re.IGNORECASE),
    re.compile(r"(?P<keep>[?&](?:key|token|sig|code)=)[^&\s\"'<>]+", re.IGNORECASE),
    re.compile(
        r"""(?P<keep>(?:api[_-]?key|[_-]token|\btoken|secret|password|passwd|\bpwd)
            (?:["']?\s{0,9}=\s{0,9}|["']\s{0,9}:\s{0,9})(?:b?["'])?)
            [^\s"'&,;)}\]<>]+""",
        re.IGNORECASE | re.VERBOSE,
    ),
    re.compile(r"(?P<keep>\bkey provided:?\s{1,9})\S+", re.IGNORECASE),
    *_TOKENS,
    # A password may hold an unescaped "@" or "/"; the last "@" of the word ends it.
    re.compile(r"(?<!http)(?<!https)(?P<keep>://[^\s/:@]{0,200}:)\S{1,300}(?=@)"),
    re.compile(r"(?P<keep>://[^\s/:@]{0,200}:)[^\s/?#]{1,300}(?=@)"),
)


class Redactor:
    """Redacts with a fixed set of known secrets, prepared once."""

    def __init__(self, secrets: Iterable[str] = ()) -> None:
        self.secrets = frozenset(s for s in secrets if len(s) >= _SHORTEST)

    def __call__(self, text: str) -> str:
        text = self.hide(text)
        for pattern in _PATTERNS:
            text = pattern.sub(rf"\g<keep>{MASK}", text)
        return self.hide(text)

    def hide(self, text: str) -> str:
        """The text without the known secrets; nothing else changes."""
        if self._known is None:
            return text
        # Every round that finds something makes the text shorter, so this ends. A second
        # round is needed only where a mask and its neighbours spell a secret again.
        while spans := _joined(match.span(1) for match in self._known.finditer(text)):
            pieces, done = [], 0
            for start, end in spans:
                pieces += [text[done:start], MASK]
                done = end
            text = "".join([*pieces, text[done:]])
        return text

    @cached_property
    def _known(self) -> re.Pattern[str] | None:
        forms = {form for secret in self.secrets for form in _forms(secret)}
        if not forms:
            return None
        longest_first = sorted(forms, key=lambda form: (-len(form), form))
        # The look-ahead also finds secrets that overlap one another.
        return re.compile(f"(?=({'|'.join(map(re.escape, longest_first))}))")


def redact(text: str, secrets: Iterable[str] = ()) -> str:
    """The text without secrets: the known ones and those that look like one."""
    return Redactor(secrets)(text)


def secrets_in(environment: Mapping[str, str]) -> frozenset[str]:
    """Values of the variables whose name says that they are secret."""
    return frozenset(
        value
        for name, value in environment.items()
        if _SECRET_NAME.search(name)
        and len(value) >= _SHORTEST
        and value.lower() not in _NO_SECRETS
    )


def looks_like_key(text: str) -> bool:
    """True where a text holds what has the shape of a provider's API key."""
    return any(pattern.search(text) for pattern in _TOKENS)


class RedactingFilter(logging.Filter):
    """Takes secrets out of a record: its message, its arguments, its traceback."""

    def __init__(self, redactor: Redactor) -> None:
        super().__init__()
        self._redactor = redactor
        self._formatter = logging.Formatter()

    def filter(self, record: logging.LogRecord) -> bool:
        try:
            message = record.getMessage()
        except (TypeError, ValueError, KeyError):
            # Arguments that do not fit the message: show both rather than nothing.
            message = f"{record.msg} {record.args}"
        record.msg = self._redactor(message)
        record.args = None
        if record.exc_info and not record.exc_text:
            record.exc_text = self._formatter.formatException(record.exc_info)
        # Only the redacted text is kept: a handler could print the exception itself.
        record.exc_info = None
        if record.exc_text:
            record.exc_text = self._redactor(record.exc_text)
        if record.stack_info:
            record.stack_info = self._redactor(record.stack_info)
        return True


def _forms(secret: str) -> set[str]:
    """The ways in which a secret is written in addresses, JSON and the text of objects."""
    encodable = secret.encode("utf-8", "replace").decode("utf-8")
    percent = {quote(encodable, safe=""), quote_plus(encodable), quote(encodable)}
    lower = {re.sub(r"%[0-9A-F]{2}", lambda hexa: hexa[0].lower(), form) for form in percent}
    written = {json.dumps(secret)[1:-1], json.dumps(secret, ensure_ascii=False)[1:-1]}
    return {secret, repr(secret)[1:-1], *percent, *lower, *written}


def _joined(spans: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """Spans in order of their start, with those that touch or overlap made one."""
    joined: list[tuple[int, int]] = []
    for start, end in spans:
        if joined and start <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(joined[-1][1], end))
        else:
            joined.append((start, end))
    return joined
