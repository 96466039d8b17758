"""Once all is closed, a server has nothing under way and nothing in memory of what was open."""

from __future__ import annotations

import asyncio
import gc
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from shop import SHOP, write
from soak.peer import CAPABILITIES
from sqlscribe.lsp.server import create_server
from sqlscribe.notation.document import Document

DOCUMENTS = 12
TEXT = (
    "-- ask: how many customers live in 'Lyon'?\n\n"
    "-- ask: all orders\nSELECT order_id, totl FROM orders;\n-- refine: only the dear ones\n"
)


class InProcess:
    """A server in this very process: messages go in as data, and come out so."""

    def __init__(self) -> None:
        self.server = create_server()
        self.server.protocol.set_writer(self)
        self._answers: dict[int, asyncio.Future[Any]] = {}
        self._numbers = 0

    def write(self, data: bytes) -> None:
        message = json.loads(data.partition(b"\r\n\r\n")[2])
        if "method" not in message:
            self._answers.pop(message["id"]).set_result(message.get("result"))
        elif "id" in message:
            items = (message.get("params") or {}).get("items", [])
            self._take({"id": message["id"], "result": [None for _ in items] or None})

    def close(self) -> None:
        """As much as the library wants of a writer."""

    def tell(self, method: str, params: Any) -> None:
        self._take({"method": method, "params": params})

    def begin(self, method: str, params: Any) -> tuple[int, asyncio.Future[Any]]:
        self._numbers += 1
        answer = self._answers[self._numbers] = asyncio.get_running_loop().create_future()
        self._take({"id": self._numbers, "method": method, "params": params})
        return self._numbers, answer

    async def ask(self, method: str, params: Any) -> Any:
        return await asyncio.wait_for(self.begin(method, params)[1], 60)

    def _take(self, message: dict[str, Any]) -> None:
        body = json.dumps({"jsonrpc": "2.0", **message})
        protocol = self.server.protocol
        structured = json.loads(body, object_hook=protocol.structure_message)
        # Later, since it may be the answer to a request that is just being written.
        asyncio.get_running_loop().call_soon(protocol.handle_message, structured)


async def test_of_closed_documents_nothing_stays(tmp_path: Path) -> None:
    toml = 'dialect = "postgres"\n[model]\nname = "verified"\n'
    root = write(tmp_path / "shop", {**SHOP, "sqlscribe.toml": toml})
    peer = InProcess()
    folders = [{"uri": root.as_uri(), "name": "shop"}]
    begun = {"processId": None, "capabilities": CAPABILITIES, "workspaceFolders": folders}
    await peer.ask("initialize", begun)
    peer.tell("initialized", {})
    await _until(lambda: peer.server.session.known_now(root) is not None)
    before = len(asyncio.all_tasks())
    uris = [(root / f"day_{number}.sql").as_uri() for number in range(DOCUMENTS)]
    for uri in uris:
        await _works(peer, uri)
    for uri in uris:
        peer.tell("textDocument/didClose", {"textDocument": {"uri": uri}})
    await _until(lambda: not peer.server.session.documents and not _documents("/day_"))
    await _until(lambda: len(asyncio.all_tasks()) <= before)
    # Its own folder is still there.
    assert peer.server.session.known_now(root) is not None
    peer.tell("workspace/didChangeWorkspaceFolders", {"event": {"added": [], "removed": folders}})
    await _until(lambda: not _documents(root.as_uri()))
    # Not even what the library keeps of each notification and command.
    await _until(lambda: not peer.server.protocol._request_futures)
    peer.server.session.shutdown()
    peer.server.cancel_all()
    await _until(lambda: len(asyncio.all_tasks()) == 1)


async def _works(peer: InProcess, uri: str) -> None:
    """With one document: ask, look, type, and give up."""
    item = {"uri": uri, "languageId": "sql", "version": 1, "text": TEXT}
    peer.tell("textDocument/didOpen", {"textDocument": item})
    named = {"textDocument": {"uri": uri}}
    at = {**named, "position": {"line": 0, "character": 6}}
    span = {"start": at["position"], "end": at["position"]}
    around = {**named, "range": span, "context": {"diagnostics": []}}
    context = {"includeDeclaration": True, "triggerKind": 1}
    for method in ("hover", "completion", "definition", "documentHighlight", "references"):
        await peer.ask(f"textDocument/{method}", {**at, "context": context})
    for method in ("diagnostic", "documentSymbol", "foldingRange", "semanticTokens/full"):
        await peer.ask(f"textDocument/{method}", named)
    for lens in await peer.ask("textDocument/codeLens", named):
        await peer.ask("codeLens/resolve", lens)
    for action in await peer.ask("textDocument/codeAction", around):
        await peer.ask("codeAction/resolve", action)
    ghost = {**named, "position": {"line": 1, "character": 0}, "context": {"triggerKind": 1}}
    await peer.ask("textDocument/inlineCompletion", ghost)
    change = {"range": {**span, "end": span["start"]}, "text": "x"}
    versioned = {"uri": uri, "version": 2}
    peer.tell("textDocument/didChange", {"textDocument": versioned, "contentChanges": [change]})
    number, answer = peer.begin("sqlscribe/answer", at)
    peer.tell("$/cancelRequest", {"id": number})
    await asyncio.wait_for(answer, 60)


def _documents(part: str) -> list[Document]:
    """Those in memory whose name has a part."""
    gc.collect()
    return [each for each in gc.get_objects() if isinstance(each, Document) and part in each.uri]


async def _until(holds: Callable[[], bool]) -> None:
    async with asyncio.timeout(60):
        while not holds():
            await asyncio.sleep(0.05)
