"""What a person does on a long day, minute by minute, with one editor and one server."""

from __future__ import annotations

import asyncio
import re
from collections import Counter
from collections.abc import Callable, Coroutine, Sequence
from pathlib import Path
from random import Random
from typing import Any

from soak.figures import Watch
from soak.peer import Asked, Peer, Refused
from soak.places import BRANCHES, TABLES, Desk
from sqlscribe.notation.document import Document

OPEN = 50
"""Documents that are open."""
_LONGEST = 4_000
"""Characters of a document; then its oldest part is deleted, as one who tidies up does."""
_AT_ONCE = 4
_MORNING = 20
"""Minutes in which everything is done once, so that what is loaded once is there."""
_MARK = re.compile(r"-- note (\d+) ")
_GENERATE = ("Generate SQL", "Regenerate SQL", "Use stored answer")


class Lost(Exception):
    """Text of the person's is not where it was, or the server has another text."""


class Person:
    """Types, asks, looks and tidies up. ``done`` counts it."""

    def __init__(
        self, peer: Peer, desk: Desk, folders: list[Path], watch: Watch, chance: Random
    ) -> None:
        self.peer, self.desk, self.watch = peer, desk, watch
        self.done: Counter[str] = Counter()
        self._chance = chance
        self._folders = folders
        self._added: list[Path] = []
        self._numbers = 0
        self._asking: set[asyncio.Task[None]] = set()
        self._held: Asked | None = None
        self._marks: dict[str, str] = {}
        self._is_broken = False
        self._schedule: tuple[tuple[int, Callable[[int], Coroutine[Any, Any, None]]], ...] = (
            (1, self._writes),
            (1, self._looks),
            (1, self._asks),
            (2, self._looks_at_everything),
            (2, self._changes_documents),
            (3, self._uses_commands),
            (4, self._changes_the_schema),
            (1, self._adds_folders),
            (5, self._exchanges_a_folder),
            (1, self._mends_the_configuration),
            (12, self._breaks_the_configuration),
            (8, self._switches_branches),
            (10, self._checks_a_text),
        )

    async def lives(self, minute: int) -> None:
        """One minute of the day."""
        for every, does in self._schedule:
            if minute % every == every - 1:
                await does(minute)
        self.done["minutes"] += 1

    async def goes_home(self) -> None:
        """Wait for what was asked, check every text, close all of them."""
        await asyncio.gather(*self._asking)
        self.desk.mends_config()
        self.peer.tell("workspace/didChangeWatchedFiles", {"changes": []})
        for uri in list(self.peer.documents):
            await self._check(uri)
            self.peer.close(uri)

    async def _writes(self, minute: int) -> None:
        """A remark and a query, some characters at a time, and what an editor asks meanwhile."""
        uri = self._document()
        self._numbers += 1
        table = self._chance.randrange(TABLES)
        remark = f"\n-- note {self._numbers} of this day\n"
        query = f"SELECT s.name_{table}, s.total FROM sales_{table} AS s WHERE s.totl > 3;\n"
        for piece in _pieces(remark + query, self._chance):
            document = self.peer.type(uri, len(self.peer.documents[uri].text), piece)
            if piece[-1] in " ._":
                where = self.peer.at(uri, len(document.text))
                await self._measure("completion", "textDocument/completion", where)
        self._marks[str(self._numbers)] = uri
        self.done["characters typed"] += len(remark + query)
        await self._look_around(uri)
        if self._chance.random() < 0.5:
            # And put right again.
            at = self.peer.documents[uri].text.rfind("totl")
            self.peer.type(uri, at, "total", over=4)
        self._tidy(uri)

    async def _look_around(self, uri: str) -> None:
        """What an editor asks of its own after a change."""
        named = {"textDocument": {"uri": uri}}
        lenses = await self._measure("lenses", "textDocument/codeLens", named)
        for lens in (lenses or [])[-3:]:
            await self._measure("one lens", "codeLens/resolve", lens)
        await self._measure("findings fetched", "textDocument/diagnostic", named)
        await self._measure("semantic tokens", "textDocument/semanticTokens/full", named)
        await self._measure("symbols", "textDocument/documentSymbol", named)
        await self._measure("folding", "textDocument/foldingRange", named)

    async def _looks(self, minute: int) -> None:
        """At names and places, with the mouse."""
        uri = self._document()
        document = self.peer.documents[uri]
        names = [found.start() + 2 for found in re.finditer("sales_|name_", document.text)]
        if not names:
            return
        for _ in range(3):
            where = self.peer.at(uri, self._chance.choice(names))
            await self._measure("hover", "textDocument/hover", where)
            await self._measure("definition", "textDocument/definition", where)
            await self._measure("highlights", "textDocument/documentHighlight", where)
            span = {"start": where["position"], "end": where["position"]}
            params = {"range": span, "context": {"diagnostics": [], "triggerKind": 2}}
            named = {"textDocument": where["textDocument"]}
            await self._measure("code actions", "textDocument/codeAction", {**named, **params})

    async def _looks_at_everything(self, minute: int) -> None:
        uri = self._document()
        document = self.peer.documents[uri]
        at = document.text.rfind("sales_")
        if at >= 0:
            where = {**self.peer.at(uri, at + 2), "context": {"includeDeclaration": True}}
            await self._measure("references", "textDocument/references", where)
        query = {"query": f"sales_{self._chance.randrange(TABLES)}"}
        await self._measure("workspace symbols", "workspace/symbol", query)
        # As an editor holds it: a new one ends the one before.
        held = self._held
        self._held = self.peer.begin("workspace/diagnostic", {"previousResultIds": []})
        if held is not None:
            await asyncio.wait_for(held.answer, 60)

    async def _asks(self, minute: int) -> None:
        """Write a question and ask it; what comes of it is awaited beside everything else."""
        self._numbers += 1
        uri = self._document()
        document = self.peer.documents[uri]
        # Every third is one that was asked before, and is stored.
        number = self._numbers if self._numbers % 3 else self._chance.randrange(20)
        question = f"\n-- ask: the names of things of sort {number}\n"
        document = self.peer.type(uri, len(document.text), question)
        where = self.peer.at(uri, len(document.text) - 1)
        params = {**where, "context": {"triggerKind": self._chance.choice((1, 2, 2))}}
        if self._chance.random() < 0.5:
            ghost = await self._measure("ghost text", "textDocument/inlineCompletion", params)
            if ghost and ghost["items"]:
                await self._takes(uri, ghost["items"][0])
                return
        if len(self._asking) < _AT_ONCE:
            task = asyncio.create_task(self._answers(uri, len(question)))
            self._asking.add(task)
            task.add_done_callback(self._asking.discard)

    async def _takes(self, uri: str, item: Any) -> None:
        """Ghost text, which some editors tell the server of."""
        document = self.peer.documents[uri]
        line = item["range"]["start"]["line"]
        if not document.text.split("\n")[line].startswith("-- ask"):
            return
        at = document.line_span(line).end
        self.peer.type(uri, at, item["insertText"])
        command = item["command"]
        await self._asks_for_command(command["command"], command["arguments"])
        self.done["ghost texts taken"] += 1

    async def _answers(self, uri: str, length: int) -> None:
        """Ask one question in one of the ways there are, and put the answer in, or give it up."""
        at = len(self.peer.documents[uri].text) - length + 5
        actions = await self._actions(uri, at)
        wanted = next((each for each in actions if each["title"] in _GENERATE), None)
        if wanted is None:
            self.done["questions without an action"] += 1
            return
        self.done["questions asked"] += 1
        way = self._chance.randrange(10)
        if way < 2:
            where = {**self.peer.at(uri, at), "partialResultToken": f"watch-{self._numbers}"}
            asked = self.peer.begin("sqlscribe/answer", where)
        else:
            asked = self.peer.begin("codeAction/resolve", wanted)
        if way in (1, 2, 3):
            await asyncio.wait([asked.answer], timeout=self._chance.choice((0, 0.05, 0.3)))
            self.peer.cancel(asked)
            self.done["answers cancelled"] += 1
        try:
            edit = (await asyncio.wait_for(asked.answer, 60)).get("edit")
        except Refused:
            return
        if edit is None:
            self.done["questions without SQL"] += 1
        elif uri in self.peer.documents:
            self._place(uri, edit)

    def _place(self, uri: str, edit: Any) -> None:
        before = self._notes(self.peer.documents[uri])
        if not self.peer.apply(edit):
            self.done["answers that came too late"] += 1
            return
        self.done["answers placed"] += 1
        if self._notes(self.peer.documents[uri]) != before:
            raise Lost(f"an answer took text of {uri} away")

    async def _uses_commands(self, minute: int) -> None:
        uri = self._document()
        text = self.peer.documents[uri].text
        at = text.rfind("-- ask")
        if at < 0:
            return
        for action in await self._actions(uri, at + 5):
            command = action.get("command")
            wanted = minute < _MORNING or self._chance.random() < 0.5
            if command and action["title"] not in _GENERATE and wanted:
                await self._asks_for_command(command["command"], command["arguments"])
        statement = text.rfind("SELECT s.")
        if statement >= 0:
            offered = await self._actions(uri, statement + 2)
            some = [each for each in offered if not each.get("disabled")]
            few = len(some) if minute < _MORNING else min(2, len(some))
            for action in self._chance.sample(some, few):
                resolved = await self.peer.ask("codeAction/resolve", action)
                if resolved.get("edit") and uri in self.peer.documents:
                    self._place(uri, resolved["edit"])

    async def _asks_for_command(self, command: str, arguments: Any) -> None:
        params = {"command": command, "arguments": arguments}
        await self.peer.ask("workspace/executeCommand", params)
        self.done["commands"] += 1

    async def _actions(self, uri: str, at: int) -> list[Any]:
        where = self.peer.at(uri, at)
        span = {"start": where["position"], "end": where["position"]}
        params = {"textDocument": {"uri": uri}, "range": span, "context": {"diagnostics": []}}
        return list(await self.peer.ask("textDocument/codeAction", params) or [])

    async def _changes_documents(self, minute: int) -> None:
        """Open some, and close others once there are many, so that they stay as many."""
        for _ in range(10 if minute < _MORNING else 5):
            self._open()
        too_many = max(len(self.peer.documents) - OPEN, 0)
        for uri in self._chance.sample(list(self.peer.documents), too_many):
            await self._check(uri)
            self.peer.close(uri)
        self.peer.save(self._document())

    async def _changes_the_schema(self, minute: int) -> None:
        self.desk.changes_schema(minute)
        self._tells_of_files("db/00.sql")
        self.done["schema edits"] += 1

    async def _switches_branches(self, minute: int) -> None:
        other = BRANCHES[(BRANCHES.index(self.desk.branch) + 1) % len(BRANCHES)]
        self.desk.checks_out(other)
        self._tells_of_files("db/00.sql")
        self.done["branches checked out"] += 1

    async def _breaks_the_configuration(self, minute: int) -> None:
        self.desk.breaks_config(minute)
        self._is_broken = True
        self.done["configurations broken"] += 1
        self._tells_of_files("sqlscribe.toml")

    async def _mends_the_configuration(self, minute: int) -> None:
        """A minute after it was broken."""
        if self._is_broken:
            self.desk.mends_config()
            self._is_broken = False
            self._tells_of_files("sqlscribe.toml")

    async def _adds_folders(self, minute: int) -> None:
        """In the morning, until all are there."""
        for folder in [each for each in self._folders if each not in self._added][:2]:
            self._tells_of_folders(added=[folder])

    async def _exchanges_a_folder(self, minute: int) -> None:
        """One goes, and comes again a minute later."""
        self._tells_of_folders(removed=[self._chance.choice(self._added)])

    def _tells_of_folders(self, added: Sequence[Path] = (), removed: Sequence[Path] = ()) -> None:
        event = {
            name: [{"uri": each.as_uri(), "name": each.name} for each in some]
            for name, some in (("added", added), ("removed", removed))
        }
        self._added = [each for each in (*self._added, *added) if each not in removed]
        self.done["folders added"] += len(added)
        self.done["folders removed"] += len(removed)
        self.peer.tell("workspace/didChangeWorkspaceFolders", {"event": event})

    async def _checks_a_text(self, minute: int) -> None:
        await self._check(self._document())

    async def _check(self, uri: str) -> None:
        """Compare what the server says of a document with what it says of a fresh copy of it.

        And look that all that was typed, and not deleted by the person, is there.
        """
        text = self.peer.documents[uri].text
        here = self._notes(self.peer.documents[uri])
        missing = {mark for mark, where in self._marks.items() if where == uri} - here
        if missing:
            raise Lost(f"the notes {sorted(missing)} of {uri} are gone")
        copy = f"{uri.removesuffix('.sql')}-copy.sql"
        self.peer.open(copy, text)
        for method in ("textDocument/documentSymbol", "textDocument/semanticTokens/full"):
            mine, fresh = [
                await self.peer.ask(method, {"textDocument": {"uri": each}}) for each in (uri, copy)
            ]
            for said in (mine, fresh):
                if isinstance(said, dict):
                    said.pop("resultId", None)
            if mine != fresh:
                raise Lost(f"{method} of {uri} is not that of its text")
        self.peer.close(copy)
        self.done["texts compared"] += 1

    def _tidy(self, uri: str) -> None:
        text = self.peer.documents[uri].text
        if len(text) <= _LONGEST:
            return
        end = text.index("\n", _LONGEST // 2) + 1
        for mark in _MARK.findall(text[:end]):
            self._marks.pop(mark, None)
        self.peer.type(uri, 0, "", over=end)

    def _notes(self, document: Document) -> set[str]:
        return set(_MARK.findall(document.text))

    def _document(self) -> str:
        """One of those that are open, most often one of the newest."""
        some = list(self.peer.documents)[-6:]
        return self._chance.choice(some) if some else self._open()

    def _open(self) -> str:
        self._numbers += 1
        is_small = self._added and self._chance.random() < 0.3
        root = self._chance.choice(self._added) if is_small else self.desk.root
        uri = (root / f"queries/day_{self._numbers}.sql").as_uri()
        self.peer.open(uri, f"-- opened as number {self._numbers}\n")
        self.done["documents opened"] += 1
        return uri

    def _tells_of_files(self, name: str) -> None:
        """Some editors tell of a change, others do not."""
        if self._chance.random() < 0.5:
            change = {"uri": (self.desk.root / name).as_uri(), "type": 2}
            self.peer.tell("workspace/didChangeWatchedFiles", {"changes": [change]})

    async def _measure(self, name: str, method: str, params: Any) -> Any:
        """Ask in turn with an empty request, which the server does nothing for."""
        nowhere = {"uri": "file:///nowhere.sql"}
        start = {"line": 0, "character": 0}
        empty = self.peer.begin("textDocument/hover", {"textDocument": nowhere, "position": start})
        await asyncio.wait_for(empty.answer, 60)
        asked = self.peer.begin(method, params)
        result = await asyncio.wait_for(asked.answer, 60)
        self.watch.note(name, asked.arrived - asked.sent, empty.arrived - empty.sent)
        return result


def _pieces(text: str, chance: Random) -> list[str]:
    """A text as it is typed: some characters at a time."""
    pieces = []
    while text:
        length = chance.randint(1, 6)
        pieces.append(text[:length])
        text = text[length:]
    return pieces
