"""The server's real process with bare pipes: for what an editor would never send.

with Wire(root) as wire:
    wire.open("q.sql", "-- ask: cities\n")
    wire.answer("q.sql")["outcome"]
"""

from __future__ import annotations

import json
import os
import queue
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, Self

SERVE = (sys.executable, "-m", "sqlscribe", "serve", "--log-level", "trace")
# A test must never call a paid model, whatever keys the developer's shell holds.
_KEPT = ("PATH", "HOME", "LANG", "LC_ALL", "TMPDIR", "TEMP", "SYSTEMROOT", "PYTHONPATH")
SECONDS = 30.0


class Wire:
    """One server. What it writes is read all the time, into ``messages`` and ``errors``."""

    def __init__(
        self,
        root: Path,
        *,
        environment: Mapping[str, str] | None = None,
        before: Callable[[], object] | None = None,
        initialized: bool = True,
        **parameters: Any,
    ) -> None:
        """``before`` runs in the new process; ``parameters`` go into ``initialize``."""
        self.root = root
        kept = {name: os.environ[name] for name in _KEPT if name in os.environ}
        self.process = subprocess.Popen(
            SERVE,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={**kept, **(environment or {})},
            preexec_fn=before,
            start_new_session=True,
        )
        self.messages: list[dict[str, Any]] = []
        self.errors = b""
        self._answers: dict[object, queue.Queue[dict[str, Any]]] = {}
        self._number = 0
        self._reading = [
            threading.Thread(target=self._read_messages, daemon=True),
            threading.Thread(target=self._read_errors, daemon=True),
        ]
        for thread in self._reading:
            thread.start()
        if initialized:
            folders = [{"uri": root.as_uri(), "name": root.name}]
            named = {"capabilities": {}, "processId": None, "workspaceFolders": folders}
            self.ask("initialize", {**named, **parameters})
            self.tell("initialized", {})

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.kill()

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()
        for thread in self._reading:
            thread.join(5)

    def raw(self, data: bytes) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def send(self, message: object) -> None:
        body = json.dumps(message).encode()
        self.raw(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))

    def tell(self, method: str, params: object) -> None:
        self.send({"jsonrpc": "2.0", "method": method, "params": params})

    def start(self, method: str, params: object) -> int:
        """Send a request; :meth:`wait` gives its answer."""
        self._number += 1
        number = self._number
        self._answers[number] = queue.Queue()
        self.send({"jsonrpc": "2.0", "id": number, "method": method, "params": params})
        return number

    def wait(self, number: int, seconds: float = SECONDS) -> dict[str, Any]:
        """The whole response to a request. Fails where none comes in time."""
        try:
            return self._answers[number].get(timeout=seconds)
        except queue.Empty:
            raise AssertionError(f"no answer in {seconds} s; {self.errors[-2000:]!r}") from None

    def ask(self, method: str, params: object, seconds: float = SECONDS) -> Any:
        """The result of a request that must not fail."""
        response = self.wait(self.start(method, params), seconds)
        assert "error" not in response, response
        return response["result"]

    def uri(self, name: str) -> str:
        return name if ":" in name else (self.root / name).as_uri()

    def open(self, name: str, text: str, version: int = 1) -> None:
        item = {"uri": self.uri(name), "languageId": "sql", "version": version, "text": text}
        self.tell("textDocument/didOpen", {"textDocument": item})

    def at(self, name: str, line: int = 0, character: int = 5) -> dict[str, Any]:
        position = {"line": line, "character": character}
        return {"textDocument": {"uri": self.uri(name)}, "position": position}

    def answer(self, name: str, line: int = 0, seconds: float = SECONDS) -> dict[str, Any]:
        found: dict[str, Any] = self.ask("sqlscribe/answer", self.at(name, line), seconds)
        return found

    def hover(self, name: str, line: int = 0) -> str:
        found = self.ask("textDocument/hover", self.at(name, line))
        return "" if found is None else str(found["contents"]["value"])

    def titles(self, name: str, line: int = 0) -> list[str]:
        """Of the actions that are offered there."""
        at = self.at(name, line)
        range_ = {"start": at["position"], "end": at["position"]}
        context: dict[str, Any] = {"diagnostics": []}
        asked = {"textDocument": at["textDocument"], "range": range_, "context": context}
        return [action["title"] for action in self.ask("textDocument/codeAction", asked) or []]

    def ends(self, seconds: float) -> int:
        """The exit code; fails where the process lives on."""
        try:
            return self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            raise AssertionError(f"it still runs after {seconds} s") from None

    def memory(self) -> int:
        """Megabytes that the process holds now."""
        status = Path(f"/proc/{self.process.pid}/status").read_text("ascii")
        [line] = [line for line in status.splitlines() if line.startswith("VmRSS")]
        return int(line.split()[1]) // 1024

    def said(self) -> str:
        """Everything that came out of the process, as one text."""
        return json.dumps(self.messages) + self.errors.decode("utf-8", "replace")

    def _read_messages(self) -> None:
        pipe = self.process.stdout
        assert pipe is not None
        while header := pipe.readline():
            assert header.startswith(b"Content-Length: "), header
            while pipe.readline() not in (b"\r\n", b""):
                pass
            body = pipe.read(int(header[16:]))
            if not body:
                return
            message = json.loads(body)
            self.messages.append(message)
            if "method" not in message and (waiting := self._answers.get(message.get("id"))):
                waiting.put(message)

    def _read_errors(self) -> None:
        pipe = self.process.stderr
        assert pipe is not None
        while chunk := os.read(pipe.fileno(), 65_536):
            self.errors += chunk


def until(holds: Callable[[], object], seconds: float = SECONDS) -> None:
    """Wait for a condition; fails where it does not come true in time."""
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end, "it did not come true in time"
        time.sleep(0.02)
