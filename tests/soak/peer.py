"""The other end of the wire for a long day: many requests at once, and strict about edits.

Documents are as the editor has them; an edit of another version than that is refused, as strict
editors do. Nothing that the server sends is kept but counts, so that a day fits into memory.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
import time
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sqlscribe.notation.document import Document, Position, Range, Span, TextEdit

SERVE = (sys.executable, "-m", "sqlscribe", "serve", "--log-level", "error")
SECONDS = 120.0
# An answer may be under way when it is given up.
_TOO_LATE = "Cancel notification for unknown message id"
# Nobody's key gets into the server, and no model is asked but the one on the loopback.
_KEPT = ("PATH", "HOME", "LANG", "LC_ALL", "TMPDIR", "TEMP", "SYSTEMROOT")

CAPABILITIES: dict[str, Any] = {
    "general": {"positionEncodings": ["utf-16"]},
    "window": {"workDoneProgress": True, "showDocument": {"support": True}},
    "workspace": {
        "applyEdit": True,
        "configuration": True,
        "workspaceFolders": True,
        "codeLens": {"refreshSupport": True},
        "diagnostics": {"refreshSupport": True},
        "workspaceEdit": {"documentChanges": True},
    },
    "textDocument": {
        "synchronization": {"didSave": True},
        "publishDiagnostics": {"versionSupport": True, "relatedInformation": True},
        "diagnostic": {"relatedDocumentSupport": False},
        "hover": {"contentFormat": ["markdown"]},
        "completion": {"completionItem": {"documentationFormat": ["markdown"]}},
        "codeLens": {},
        "inlineCompletion": {},
        "documentSymbol": {"hierarchicalDocumentSymbolSupport": True},
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


class Refused(Exception):
    """The server answered with an error."""


@dataclass
class Asked:
    """A request under way: ``sent`` and ``arrived`` are readings of one clock in seconds."""

    number: int
    sent: float
    answer: asyncio.Future[Any]
    arrived: float = 0.0


class Peer:
    """One server process and the documents that are open in it."""

    def __init__(self, process: asyncio.subprocess.Process, root: Path) -> None:
        self.process = process
        self.root = root
        self.documents: dict[str, Document] = {}
        self.counts: Counter[str] = Counter()
        """Of what the server sent by itself, by method; ``refused`` counts edits."""
        self.said: Counter[str] = Counter()
        """What the person was told, by its beginning."""
        self.problems: list[str] = []
        """What must never happen: errors in the log, or anything on standard error."""
        self._running: dict[int, Asked] = {}
        self._numbers = 0
        self._reading = [
            asyncio.create_task(self._read()),
            asyncio.create_task(self._read_errors()),
        ]

    @classmethod
    async def start(
        cls, root: Path, environment: Mapping[str, str], options: Mapping[str, Any]
    ) -> Peer:
        kept = {name: os.environ[name] for name in _KEPT if name in os.environ}
        process = await asyncio.create_subprocess_exec(
            *SERVE,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            limit=1 << 24,
            env={**kept, **environment},
        )
        peer = cls(process, root)
        await peer.ask(
            "initialize",
            {
                "processId": os.getpid(),
                "capabilities": CAPABILITIES,
                "initializationOptions": options,
                "workspaceFolders": [{"uri": root.as_uri(), "name": root.name}],
            },
        )
        peer.tell("initialized", {})
        return peer

    async def end(self) -> int:
        """Shut the server down as an editor does; its exit code."""
        await self.ask("shutdown", None)
        self.tell("exit", None)
        code = await asyncio.wait_for(self.process.wait(), SECONDS)
        await asyncio.gather(*self._reading)
        return code

    async def kill(self) -> None:
        if self.process.returncode is None:
            self.process.kill()
            await self.process.wait()
        for task in self._reading:
            task.cancel()

    def tell(self, method: str, params: Any) -> None:
        self._send({"method": method, "params": params})

    def begin(self, method: str, params: Any) -> Asked:
        self._numbers += 1
        asked = Asked(self._numbers, time.perf_counter(), asyncio.Future())
        self._running[asked.number] = asked
        self._send({"id": asked.number, "method": method, "params": params})
        return asked

    def cancel(self, asked: Asked) -> None:
        self.tell("$/cancelRequest", {"id": asked.number})

    async def ask(self, method: str, params: Any) -> Any:
        """The result. Raises :class:`Refused`, and ``TimeoutError`` where none comes."""
        return await asyncio.wait_for(self.begin(method, params).answer, SECONDS)

    def open(self, uri: str, text: str) -> Document:
        document = self.documents[uri] = Document(uri, text, 1)
        item = {"uri": uri, "languageId": "sql", "version": 1, "text": text}
        self.tell("textDocument/didOpen", {"textDocument": item})
        return document

    def close(self, uri: str) -> None:
        del self.documents[uri]
        self.tell("textDocument/didClose", {"textDocument": {"uri": uri}})

    def save(self, uri: str) -> None:
        self.tell("textDocument/didSave", {"textDocument": {"uri": uri}})

    def type(self, uri: str, at: int, text: str, over: int = 0) -> Document:
        """Replace ``over`` characters at an offset, as an incremental change."""
        edit = TextEdit(Span(at, at + over), text)
        return self._change(self.documents[uri], [edit])

    def apply(self, edit: Any) -> str:
        """The text before an edit of the server's was made; ``""`` where it is refused."""
        [group] = edit["documentChanges"]
        document = self.documents.get(group["textDocument"]["uri"])
        if document is None or group["textDocument"]["version"] != document.version:
            self.counts["refused"] += 1
            return ""
        edits = [TextEdit(_span(document, one["range"]), one["newText"]) for one in group["edits"]]
        self._change(document, sorted(edits, reverse=True))
        return document.text

    def at(self, uri: str, offset: int) -> dict[str, Any]:
        document = self.documents[uri]
        return {"textDocument": {"uri": uri}, "position": _position(document, offset)}

    def _change(self, document: Document, edits: list[TextEdit]) -> Document:
        """Make edits, the last one first, so that each is of the text before all of them."""
        changes = [
            {
                "range": {
                    "start": _position(document, edit.span.start),
                    "end": _position(document, edit.span.end),
                },
                "text": edit.text,
            }
            for edit in edits
        ]
        version = (document.version or 0) + 1
        changed = document.changed(edits, version)
        self.documents[document.uri] = changed
        identifier = {"uri": document.uri, "version": version}
        params = {"textDocument": identifier, "contentChanges": changes}
        self.tell("textDocument/didChange", params)
        return changed

    def _send(self, message: dict[str, Any]) -> None:
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        assert self.process.stdin is not None
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))

    async def _read(self) -> None:
        out = self.process.stdout
        assert out is not None
        while header := await out.readline():
            arrived = time.perf_counter()
            length = int(header.removeprefix(b"Content-Length: "))
            while (await out.readline()).strip():
                pass
            self._took(json.loads(await out.readexactly(length)), arrived)

    def _took(self, message: dict[str, Any], arrived: float) -> None:
        if "method" in message:
            self.counts[message["method"]] += 1
            match message["method"]:
                case "window/logMessage" if message["params"]["type"] == 1:
                    self.problems.append(message["params"]["message"])
                case "window/showMessage":
                    self.said[message["params"]["message"][:60]] += 1
            if "id" in message:
                self._send({"id": message["id"], "result": self._result(message)})
            return
        asked = self._running.pop(message["id"])
        asked.arrived = arrived
        if asked.answer.done():
            return
        if "error" in message:
            asked.answer.set_exception(Refused(str(message["error"])))
        else:
            asked.answer.set_result(message["result"])

    def _result(self, message: dict[str, Any]) -> Any:
        """What an editor answers to a request of the server's."""
        match message["method"]:
            case "workspace/applyEdit":
                return {"applied": bool(self.apply(message["params"]["edit"]))}
            case "workspace/configuration":
                return [None for _ in message["params"]["items"]]
            case "window/showDocument":
                return {"success": True}
        return None

    async def _read_errors(self) -> None:
        errors = self.process.stderr
        assert errors is not None
        while line := await errors.readline():
            text = line.decode("utf-8", "replace").rstrip()
            if _TOO_LATE not in text:
                self.problems.append(text)


def _position(document: Document, offset: int) -> dict[str, int]:
    line, character = document.position(offset, "utf-16")
    return {"line": line, "character": character}


def _span(document: Document, range_: Any) -> Span:
    start, end = (Position(**range_[name]) for name in ("start", "end"))
    return document.span(Range(start, end), "utf-16")
