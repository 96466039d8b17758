"""``sqlscribe serve``: start the server, and leave when it is over."""

from __future__ import annotations

import asyncio
import logging
import os
import sys
import threading
from typing import BinaryIO

from pygls.io_ import StdinAsyncReader, run_async

from sqlscribe.lsp.process import leave
from sqlscribe.lsp.server import SQLScribeServer, create_server
from sqlscribe.redaction import RedactingFilter, Redactor, secrets_in

USAGE = "usage: sqlscribe serve [--tcp HOST:PORT] [--log-level debug|info|warning|error]"
_LEVELS = ("debug", "info", "warning", "error")


def serve(arguments: list[str], stdout: BinaryIO) -> int:
    """Run until the editor says ``exit``, closes the pipe, or dies. Returns the exit code.

    ``stdout`` is what :func:`sqlscribe.lsp.process.claim_stdout` kept for the protocol.
    """
    options = _options(arguments)
    if options is None:
        sys.stderr.write(USAGE + "\n")
        return 2
    address, level = options
    logging.basicConfig(
        level=level.upper(), stream=sys.stderr, format="%(levelname)s %(name)s: %(message)s"
    )
    # A handler that cannot write, because the editor has closed the pipe, has nobody to tell.
    logging.raiseExceptions = False
    hide = RedactingFilter(Redactor(secrets_in(os.environ)))
    for handler in logging.getLogger().handlers:
        handler.addFilter(hide)
    server = create_server()
    if address is None:
        asyncio.run(_stdio(server, stdout))
    else:
        server.start_tcp(*address)
    return 0


async def _stdio(server: SQLScribeServer, stdout: BinaryIO) -> None:
    server.protocol.set_writer(_Writer(stdout))
    reader = StdinAsyncReader(sys.stdin.buffer, server.thread_pool)
    await run_async(stop_event=threading.Event(), reader=reader, protocol=server.protocol)
    # The pipe was closed without a word: the editor has crashed.
    leave(1)


class _Writer:
    """Writes whole messages; ends the process where nobody reads them any more."""

    def __init__(self, stdout: BinaryIO) -> None:
        self._stdout = stdout

    def write(self, data: bytes) -> None:
        try:
            self._stdout.write(data)
            self._stdout.flush()
        except BrokenPipeError:
            leave(1)

    def close(self) -> None:
        self._stdout.close()


def _options(arguments: list[str]) -> tuple[tuple[str, int] | None, str] | None:
    """Address and log level, or ``None`` for arguments that are not understood."""
    address: tuple[str, int] | None = None
    level = "warning"
    rest = list(arguments)
    while rest:
        name = rest.pop(0)
        if name in {"--stdio", ""}:
            continue
        if not rest:
            return None
        value = rest.pop(0)
        if name == "--log-level" and value in _LEVELS:
            level = value
            continue
        host, _, port = value.rpartition(":")
        if name != "--tcp" or not host or not port.isdecimal():
            return None
        address = (host, int(port))
    return address, level
