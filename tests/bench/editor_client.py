"""A language client that measures: raw messages over a pipe, nothing decoded within a time."""

from __future__ import annotations

import json
import os
import re
import selectors
import subprocess
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any

START_SECONDS = 600
"""Some servers read everything there is before they answer at all."""
CAPABILITIES: dict[str, Any] = {
    "general": {"positionEncodings": ["utf-16"]},
    "window": {"workDoneProgress": True},
    "workspace": {
        "applyEdit": True,
        "configuration": True,
        "workspaceFolders": True,
        "codeLens": {"refreshSupport": True},
        "workspaceEdit": {"documentChanges": True},
    },
    "textDocument": {
        "synchronization": {"didSave": True},
        "publishDiagnostics": {"versionSupport": True},
        "hover": {"contentFormat": ["markdown"]},
        "completion": {"completionItem": {"documentationFormat": ["markdown"]}},
        "codeLens": {},
        "inlineCompletion": {},
        "semanticTokens": {
            "requests": {"full": True},
            "tokenTypes": [],
            "tokenModifiers": [],
            "formats": ["relative"],
        },
        "codeAction": {
            "codeActionLiteralSupport": {"codeActionKind": {"valueSet": [""]}},
            "dataSupport": True,
            "disabledSupport": True,
            "resolveSupport": {"properties": ["edit"]},
        },
    },
}


class ServerError(Exception):
    """The server refused a request, left, or did not answer in time."""


@dataclass(frozen=True)
class Reply:
    """``seconds`` from the request's last byte written to the answer's last byte read."""

    result: Any
    seconds: float
    size: int
    """Bytes of the answer."""


class Client:
    """One server process. Everything runs on the caller's thread, in the order it is called."""

    def __init__(
        self, command: Sequence[str], folder: Path, environment: Mapping[str, str] | None = None
    ) -> None:
        self.process = subprocess.Popen(
            command,
            cwd=folder,
            env={**os.environ, **(environment or {})},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            bufsize=0,
        )
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self._in, self._out = self.process.stdin, self.process.stdout
        self._selector = selectors.DefaultSelector()
        self._selector.register(self._out, selectors.EVENT_READ)
        self._buffer = bytearray()
        self._notified: deque[tuple[dict[str, Any], float]] = deque(maxlen=1000)
        self._next_id = 0
        self.capabilities: dict[str, Any] = {}

    def initialize(self, folder: Path, options: Any = None) -> None:
        """The handshake, with the whole of what editors can do."""
        started = self.request(
            "initialize",
            {
                "processId": os.getpid(),
                "rootUri": folder.as_uri(),
                "rootPath": str(folder),
                "capabilities": CAPABILITIES,
                "initializationOptions": options,
                "workspaceFolders": [{"uri": folder.as_uri(), "name": folder.name}],
            },
            START_SECONDS,
        )
        self.capabilities = started.result["capabilities"]
        self.notify("initialized", {})

    def request(self, method: str, params: Any, seconds: float = 120) -> Reply:
        self._next_id += 1
        number = self._next_id
        self._send({"jsonrpc": "2.0", "id": number, "method": method, "params": params})
        start = time.perf_counter()
        while True:
            body, arrived = self._read(start + seconds)
            # The answers of some servers are large; what is not ours is looked at first.
            message = json.loads(body)
            if message.get("id") == number and "method" not in message:
                if "error" in message:
                    raise ServerError(f"{method}: {message['error'].get('message')}")
                return Reply(message.get("result"), arrived - start, len(body))
            self._other(message, arrived)

    def notify(self, method: str, params: Any) -> float:
        """Send a notification; the time at which it was sent."""
        self._send({"jsonrpc": "2.0", "method": method, "params": params})
        return time.perf_counter()

    def until(
        self, method: str, fits: Callable[[Any], bool], since: float, seconds: float = 120
    ) -> float:
        """Wait for a notification that came after ``since``; when it came."""
        while True:
            while self._notified:
                message, arrived = self._notified.popleft()
                if message["method"] == method and arrived > since and fits(message["params"]):
                    return arrived
            body, arrived = self._read(time.perf_counter() + seconds)
            self._other(json.loads(body), arrived)

    def quiet(self, seconds: float) -> None:
        """Take what comes until nothing has come for some time."""
        try:
            while True:
                body, arrived = self._read(time.perf_counter() + seconds)
                self._other(json.loads(body), arrived)
        except TimeoutError:
            return

    def resident(self) -> float | None:
        """Megabytes of memory that the process holds, ``None`` where nobody tells."""
        try:
            status = Path(f"/proc/{self.process.pid}/status").read_text()
        except OSError:
            return None
        [line] = [line for line in status.splitlines() if line.startswith("VmRSS:")]
        return int(line.split()[1]) / 1024

    def worked(self) -> float:
        """Seconds that the server's threads were on a processor; zero where nobody tells."""
        said = Path(f"/proc/{self.process.pid}/task").glob("*/schedstat")
        return sum(int(task.read_text().split()[0]) for task in said) / 1e9

    def __enter__(self) -> Client:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.process.kill()
        self.process.wait()
        self._selector.close()
        self._in.close()
        self._out.close()

    def _other(self, message: dict[str, Any], arrived: float) -> None:
        """A notification, or a request of the server's."""
        if "method" not in message:
            return
        if "id" not in message:
            self._notified.append((message, arrived))
            return
        result: Any = None
        if message["method"] == "workspace/configuration":
            result = [None for _ in message["params"]["items"]]
        self._send({"jsonrpc": "2.0", "id": message["id"], "result": result})

    def _send(self, message: dict[str, Any]) -> None:
        body = json.dumps(message, ensure_ascii=False).encode()
        data = memoryview(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        try:
            while data:
                data = data[self._in.write(data) :]
        except OSError as error:
            raise ServerError("the server is gone") from error

    def _read(self, deadline: float) -> tuple[bytes, float]:
        """The next message, and when all of it was here. Raises ``TimeoutError``."""
        length = head = -1
        while True:
            if head < 0 and (found := self._buffer.find(b"\r\n\r\n")) >= 0:
                head = found + 4
                length = _length(bytes(self._buffer[:found]))
            if head >= 0 and len(self._buffer) >= head + length:
                arrived = time.perf_counter()
                body = bytes(self._buffer[head : head + length])
                del self._buffer[: head + length]
                return body, arrived
            left = deadline - time.perf_counter()
            if left <= 0 or not self._selector.select(left):
                raise TimeoutError("the server did not answer in time")
            data = os.read(self._out.fileno(), 1 << 20)
            if not data:
                raise ServerError("the server is gone")
            self._buffer += data


def _length(head: bytes) -> int:
    """The length that a head tells; some servers print remarks of their own before it."""
    found = re.search(rb"(?i)content-length:[ \t]*(\d+)", head)
    if found is None:
        raise ServerError("a message without a length")
    return int(found[1])
