"""What can go wrong in a way that a person can act on.

    SQLScribeError
    ├── ConfigurationError      sqlscribe.toml, command line, editor settings
    ├── TemplateError           a prompt template: its file and line
    ├── DatabaseError           a live database, or the way to it
    └── ModelError
        ├── NoKey               no API key where the provider wants one
        ├── WrongKey            the provider refused the key
        ├── UnknownModel        no such model, or no such provider
        ├── Unreachable         refused, reset, DNS, TLS, proxy
        ├── TimedOut            no answer in the configured time
        ├── RateLimited         too many requests, quota
        ├── TooLong             the prompt does not fit the model
        ├── SpendingLimit       the day's limit of this folder is reached
        └── ModelFailed         anything else that the provider answered

``str(error)`` is the one sentence that is shown.
Anything that is not in this tree is a bug and is left to the framework to report.
"""

from __future__ import annotations


class SQLScribeError(Exception):
    """Base of everything that is shown to a person as one clear sentence."""


class ConfigurationError(SQLScribeError):
    """The configuration or the command line cannot be used as it stands."""


class TemplateError(SQLScribeError):
    """A prompt template does not load or render.

    ``template`` is its name (``ask/user.j2``), ``line`` is 1-based, or 0 where unknown.
    """

    def __init__(self, message: str, *, template: str, line: int = 0) -> None:
        place = f"{template}, line {line}" if line else template
        super().__init__(f"{place}: {message}")
        self.reason = message
        self.template = template
        self.line = line


class DatabaseError(SQLScribeError):
    """The database cannot be read. Its sentence holds no password.

    ``kind`` is stable: ``url``, ``no_driver``, ``missing`` (no such file), ``unreachable``,
    ``timed_out``, or ``failed`` for anything else that the driver or the engine said.
    """

    def __init__(self, message: str, *, kind: str = "failed") -> None:
        super().__init__(message)
        self.kind = kind


class ModelError(SQLScribeError):
    """The model gave no reply. ``kind`` is stable, for ``--json`` and for tests."""

    kind = "failed"


class NoKey(ModelError):
    """The provider wants an API key and none was found."""

    kind = "no_key"


class WrongKey(ModelError):
    """The provider refused the API key."""

    kind = "wrong_key"


class UnknownModel(ModelError):
    """The provider does not know the model, or litellm does not know the provider."""

    kind = "unknown_model"


class Unreachable(ModelError):
    """The endpoint cannot be reached, or closed the connection."""

    kind = "unreachable"


class TimedOut(ModelError):
    """No complete answer within the configured time, all attempts together."""

    kind = "timed_out"


class RateLimited(ModelError):
    """The provider asks to slow down, or the quota is used up."""

    kind = "rate_limited"


class TooLong(ModelError):
    """The prompt is longer than the model accepts."""

    kind = "too_long"


class SpendingLimit(ModelError):
    """No more is to be spent on models today."""

    kind = "spending_limit"


class ModelFailed(ModelError):
    """The provider answered with an error of another kind."""
