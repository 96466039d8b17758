"""``sqlscribe serve``: start the server, and leave when it is over."""

from __future__ import annotations

import asyncio
import logging
import os
import signal
import socket
import sys
import threading
from typing import BinaryIO

from pygls.io_ import StdinAsyncReader, run_async

from sqlscribe.lsp.process import leave
from sqlscribe.lsp.server import SQLScribeServer, create_server
from sqlscribe.redaction import RedactingFilter, Redactor, secrets_in

logger = logging.getLogger(__name__)

USAGE = "usage: sqlscribe serve [--tcp HOST:PORT] [--log-level debug|info|warning|error]"
_PORTS = range(65_536)
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
    # Ctrl-C in a terminal ends it at once, without a traceback.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    logging.basicConfig(
        level=level.upper(), stream=sys.stderr, format="%(levelname)s %(name)s: %(message)s"
    )
    # A handler that cannot write, because the editor has closed the pipe, has nobody to tell.
    logging.raiseExceptions = False
    hide = RedactingFilter(Redactor(secrets_in(os.environ)))
    for handler in logging.getLogger().handlers:
        handler.addFilter(hide)
    # Reading files must not hold up answers: the interpreter changes threads every millisecond,
    # not every fifth, since an answer passes through three of them.
    sys.setswitchinterval(0.001)
    server = create_server()
    if address is None:
        asyncio.run(_stdio(server, stdout))
        return 0
    try:
        asyncio.run(_tcp(server, *address))
    except OSError as error:
        host, port = address
        sys.stderr.write(f"sqlscribe: cannot listen on {host}:{port}: {_reason(error)}\n")
        return 2
    return 0


async def _stdio(server: SQLScribeServer, stdout: BinaryIO) -> None:
    server.protocol.set_writer(_Writer(stdout))
    reader = StdinAsyncReader(sys.stdin.buffer, server.thread_pool)
    await run_async(stop_event=threading.Event(), reader=reader, protocol=server.protocol)
    # The pipe was closed without a word: the editor has crashed.
    leave(1)


async def _tcp(server: SQLScribeServer, host: str, port: int) -> None:
    """Serve the first editor that connects; a second one would take its answers away.

    Raises ``OSError`` where nothing can listen there.
    """

    async def serve_one(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if server.protocol.writer is not None:
            writer.close()
            return
        listener.close()
        server.protocol.set_writer(writer)
        try:
            await run_async(stop_event=threading.Event(), reader=reader, protocol=server.protocol)
        except (ConnectionError, asyncio.IncompleteReadError) as error:
            logger.info("the connection broke: %s", error)
        leave(1)

    listener = await asyncio.start_server(serve_one, host, port)
    await asyncio.Event().wait()


def _reason(error: OSError) -> str:
    """What the system says; asyncio words it anew, so its number is looked up again."""
    if isinstance(error, socket.gaierror) or not error.errno:
        return error.strerror or str(error)
    return os.strerror(error.errno)


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
        if name != "--tcp" or not host or not port.isdecimal() or int(port[:6]) not in _PORTS:
            return None
        address = (host, int(port))
    return address, level
