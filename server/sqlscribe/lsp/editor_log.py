"""The log as the editor sees it: ``window/logMessage``, and ``$/logTrace`` where it traces."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING

from lsprotocol import types

from sqlscribe import logs

if TYPE_CHECKING:
    from sqlscribe.answer_history import Answered
    from sqlscribe.lsp.server import SQLScribeServer
    from sqlscribe.trace import Trace

OPTION = "stderr"
"""In ``initializationOptions``: true where the editor shows what the server writes there."""

_KINDS = (
    (logging.ERROR, types.MessageType.Error),
    (logging.WARNING, types.MessageType.Warning),
    (logging.INFO, types.MessageType.Info),
)


def reads_errors(options: object) -> bool:
    return isinstance(options, dict) and options.get(OPTION) is True


class EditorLog(logging.Handler):
    """Sends the log to the editor, but for one that reads it from standard error already.

    ``started_with`` is the level that the command line named, ``""`` for none.
    """

    def __init__(self, server: SQLScribeServer) -> None:
        super().__init__()
        self._server = server
        self._loop: asyncio.AbstractEventLoop | None = None
        self.started_with = ""
        self.is_read = False

    def begin(self) -> None:
        """The editor listens from now on."""
        if self.is_read:
            return
        self._loop = asyncio.get_running_loop()
        self.setFormatter(logging.Formatter("%(name)s: %(message)s"))
        logs.hide_secrets(self)
        # Not of the libraries: sending one of their lines would make them write the next one.
        logging.getLogger("sqlscribe").addHandler(self)

    def emit(self, record: logging.LogRecord) -> None:
        """Send a line; from any thread."""
        if self._loop is None or self._loop.is_closed():
            return
        kind = next((kind for least, kind in _KINDS if record.levelno >= least), _LOG)
        self._loop.call_soon_threadsafe(self._send, kind, self.format(record))

    def _send(self, kind: types.MessageType, text: str) -> None:
        self._server.window_log_message(types.LogMessageParams(kind, text))

    def follow_settings(self) -> None:
        """Take over the level that the settings name; of several folders the most talkative.

        The one of the command line stands where no setting says anything else than usual.
        """
        named = self._server.session.log_levels() - {logs.USUAL}
        logs.set_level({self.started_with or logs.USUAL, *named})

    def answered(self, trace: Trace, event: Answered) -> None:
        """Tell an editor that traces what an answer went through."""
        from sqlscribe.trace import stages, told

        wanted = self._server.protocol.trace
        if wanted == types.TraceValue.Off:
            return
        verbose = stages(event) if wanted == types.TraceValue.Verbose else None
        said = f"answer {told(trace.number, event)}"
        self._server.log_trace(types.LogTraceParams(said, verbose))


_LOG = types.MessageType.Log
