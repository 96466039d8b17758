"""A model that answers when a test says so, and an editor that a test without a loop drives."""

from __future__ import annotations

import asyncio
import itertools
import threading
from collections.abc import Callable, Coroutine, Iterator
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from lsprotocol import types

from editor import Editor, editor
from loopback import Connection, LoopbackModel, Say

SECONDS = 30
ENVIRONMENT = {"TEST_MODEL_KEY": "sk-not-a-real-key-000000"}
T = TypeVar("T")


class Later:
    """A model that answers each request when it is told to, with a number of its own."""

    def __init__(self) -> None:
        self.asked: dict[int, str] = {}
        """What was sent, by the number of the answer."""
        self.waiting: dict[int, threading.Event] = {}
        self._numbers = itertools.count(1)

    def __call__(self, connection: Connection) -> bool:
        number, told = next(self._numbers), threading.Event()
        messages = connection.exchange.json["messages"]
        self.asked[number] = "\n".join(str(message["content"]) for message in messages)
        self.waiting[number] = told
        try:
            while not told.is_set():
                if not connection.stays(0.005):
                    return False
        finally:
            del self.waiting[number]
        # As many tokens as no prompt here has: a server that read fewer would be warned of.
        return Say(f"```sql\nSELECT {number} AS answer_{number}\n```", prompt_tokens=9_999)(
            connection
        )


@dataclass
class World:
    """A server, the editor that speaks to it, and the loop in which both live."""

    folder: Path
    encoding: str
    model: LoopbackModel
    later: Later
    loop: asyncio.AbstractEventLoop = field(default_factory=asyncio.new_event_loop)
    names: Iterator[int] = field(default_factory=itertools.count)
    entered: AbstractAsyncContextManager[Editor] | None = None
    takes: Callable[[types.WorkspaceEdit], bool] = lambda edit: False
    """Makes an edit that the server asks for, or not."""
    _editor: Editor | None = None

    @property
    def editor(self) -> Editor:
        """The editor; its server starts when it is first needed."""
        if self._editor is None:
            self.entered = editor(
                self.folder,
                environment=ENVIRONMENT,
                encodings=[self.encoding],
                features={types.WORKSPACE_APPLY_EDIT: self._apply},
            )
            self._editor = self.run(self.entered.__aenter__())
        return self._editor

    def _apply(self, params: types.ApplyWorkspaceEditParams) -> types.ApplyWorkspaceEditResult:
        return types.ApplyWorkspaceEditResult(applied=self.takes(params.edit))

    def warm(self) -> None:
        """Have a first answer made, for which the server imports much, however long that takes."""
        self.editor.open("first.sql", "-- ask: the total of @orders\n")

        async def answered() -> None:
            request = asyncio.ensure_future(self.editor.resolved("first.sql", 0))
            while not (self.later.waiting or request.done()):
                await asyncio.sleep(0.01)
            for told in list(self.later.waiting.values()):
                told.set()
            await request

        self.loop.run_until_complete(answered())
        self.editor.close("first.sql")

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        return self.loop.run_until_complete(asyncio.wait_for(work, SECONDS))

    def end(self) -> None:
        if self.entered is not None:
            self.run(self.entered.__aexit__(None, None, None))
        self.loop.close()
