"""Messages as they come in: whole ones, found again behind one that was broken.

A client that counts wrongly, or another program that writes into the pipe, spoils one message
and not all that follow.
"""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import Callable
from threading import Semaphore, Thread, Timer
from typing import BinaryIO

logger = logging.getLogger(__name__)

LARGEST = 512_000_000
"""Bytes of one message. A larger number is no length but a mistake."""
_LONGEST_LINE = 65_536
_WAITING = 1_000
"""Messages that are read before the loop has taken them; more stay in the pipe."""
_GRACE_SECONDS = 1.0

# Anywhere in a line: behind a broken message the next one's header has no line of its own.
_LENGTH = re.compile(rb"Content-Length[ \t]*:[ \t]*(\d{1,18})[ \t]*\r?\n\Z", re.IGNORECASE)


class FrameReader:
    """What pygls reads from; made inside of the loop that it serves.

    A thread of its own reads, so that the end of the input is noticed even while the loop waits
    for a client that does not read: ``gone`` is called some time after the end, in case that
    nobody has left by then.
    """

    def __init__(self, stdin: BinaryIO, gone: Callable[[], object]) -> None:
        self._stdin = stdin
        self._gone = gone
        self._loop = asyncio.get_running_loop()
        self._frames: asyncio.Queue[bytes] = asyncio.Queue()
        self._room = Semaphore(_WAITING)
        self._body: bytes | None = None
        Thread(target=self._read, name="stdin", daemon=True).start()

    async def readline(self) -> bytes:
        """The next line of a header in its plain form; ``b""`` at the end of the input."""
        if self._body is not None:
            return b"\r\n"
        body = await self._frames.get()
        self._room.release()
        if not body:
            return b""
        self._body = body
        return b"Content-Length: %d\r\n" % len(body)

    async def readexactly(self, n: int) -> bytes:
        """The body whose length :meth:`readline` has told."""
        body, self._body = self._body or b"", None
        return body

    def _read(self) -> None:
        while body := self._frame():
            self._room.acquire()
            self._loop.call_soon_threadsafe(self._frames.put_nowait, body)
        timer = Timer(_GRACE_SECONDS, self._gone)
        timer.daemon = True
        timer.start()
        self._loop.call_soon_threadsafe(self._frames.put_nowait, b"")

    def _frame(self) -> bytes:
        """The next whole body, ``b""`` at the end of the input."""
        length = 0
        while line := self._stdin.readline(_LONGEST_LINE):
            if found := _LENGTH.search(line):
                length = int(found[1])
                if found.start() or not 0 < length <= LARGEST:
                    logger.warning("a message is broken: looking for the next one")
                length = length if length <= LARGEST else 0
            elif not line.strip() and length:
                body = self._stdin.read(length)
                return body if len(body) == length else b""
        return b""
