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

from pygls.io_ import run_async

from sqlscribe import logs
from sqlscribe.lsp.frames import FrameReader
from sqlscribe.lsp.process import leave
from sqlscribe.lsp.server import SQLScribeServer, create_server

logger = logging.getLogger(__name__)

USAGE = f"usage: sqlscribe serve [--tcp HOST:PORT] [--log-level {'|'.join(logs.LEVELS)}]"
_PORTS = range(65_536)


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
    logs.start(level)
    # Reading files must not hold up answers: the interpreter changes threads every millisecond,
    # not every fifth, since an answer passes through three of them.
    sys.setswitchinterval(0.001)
    server = create_server()
    server.log.started_with = level
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
    reader = FrameReader(sys.stdin.buffer, lambda: leave(1))
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
    """Address and log level, ``""`` where none is said; ``None`` for what is not understood."""
    address: tuple[str, int] | None = None
    level = ""
    rest = list(arguments)
    while rest:
        name = rest.pop(0)
        if name in {"--stdio", ""}:
            continue
        if not rest:
            return None
        value = rest.pop(0)
        if name == "--log-level" and value in logs.LEVELS:
            level = value
            continue
        host, _, port = value.rpartition(":")
        if name != "--tcp" or not host or not port.isdecimal() or int(port[:6]) not in _PORTS:
            return None
        address = (host, int(port))
    return address, level
