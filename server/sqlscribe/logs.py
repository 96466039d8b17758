"""The log: its levels, where it goes, and what never stands in it.

Lines go to standard error, never to standard output. Prompts and replies are logged at level
``trace`` alone. Only this program's own messages follow the level: libraries would write the
texts of documents.
"""

from __future__ import annotations

import logging
import os
import sys
from collections.abc import Iterable, Mapping

from sqlscribe.redaction import RedactingFilter, Redactor, secrets_in

TRACE = 5
"""Below ``logging.DEBUG``: what was sent to a model, and what came back."""
LEVELS: Mapping[str, int] = {
    "trace": TRACE,
    "debug": logging.DEBUG,
    "info": logging.INFO,
    "warning": logging.WARNING,
    "error": logging.ERROR,
}
USUAL = "warning"
FORMAT = "%(levelname)s %(name)s: %(message)s"

_OURS = logging.getLogger("sqlscribe")


def start(*levels: str) -> None:
    """Write the log to standard error from now on."""
    logging.addLevelName(TRACE, "TRACE")
    logging.basicConfig(level=logging.WARNING, stream=sys.stderr, format=FORMAT)
    # A handler that cannot write, because the editor has closed the pipe, has nobody to tell.
    logging.raiseExceptions = False
    for handler in logging.getLogger().handlers:
        hide_secrets(handler)
    set_level(levels)


def hide_secrets(handler: logging.Handler) -> None:
    """Keep the keys of the environment, and what looks like one, out of a handler's lines."""
    handler.addFilter(RedactingFilter(Redactor(secrets_in(os.environ))))


def set_level(levels: Iterable[str]) -> None:
    """Log as much as the most talkative of the levels says; ``""`` says nothing."""
    level = min((LEVELS[name] for name in levels if name), default=LEVELS[USUAL])
    if _OURS.level != level:
        _OURS.setLevel(level)
