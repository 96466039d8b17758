"""``sqlscribe/status``: what an editor shows all the time, sent when it changes."""

from __future__ import annotations

import asyncio
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sqlscribe.answer import Answer
    from sqlscribe.lsp.server import SQLScribeServer

METHOD = "sqlscribe/status"
OPTION = "status"
"""In ``initializationOptions``: true where the editor listens to this notification."""


def announces(options: object) -> bool:
    return isinstance(options, dict) and options.get(OPTION) is True


class Status:
    """``{folders: [{uri, model, why, dialect, tables, examples, index, database, remarks}],
    answer}``.

    ``uri`` is ``null`` for texts of no folder. ``answer`` is the last one, as
    ``{outcome, source, model, usage}``, and ``null`` before the first.
    """

    def __init__(self, server: SQLScribeServer) -> None:
        self._server = server
        self._sent: dict[str, Any] = {}
        self._answer: dict[str, Any] | None = None
        self._telling = asyncio.Lock()
        self.is_wanted = False

    async def tell(self) -> None:
        """Send what is known now, unless that is what was sent last."""
        if not self.is_wanted:
            return
        # One after the other, so that what was looked at last is what is said last.
        async with self._telling:
            session = self._server.session
            of_documents = [session.place(uri).root for uri in session.documents]
            roots = dict.fromkeys([*session.roots, *of_documents])
            folders = [await self._folder(root) for root in roots]
            said = {"folders": folders, "answer": self._answer}
            if said != self._sent:
                self._sent = said
                self._server.protocol.notify(METHOD, said)

    def answered(self, answer: Answer) -> None:
        """Note what came of a question, and what it cost."""
        if not self.is_wanted:
            return
        from sqlscribe.contract import answer_json

        known = answer_json(answer)
        self._answer = {name: known[name] for name in ("outcome", "model", "usage")}
        self._answer["source"] = answer.source
        self._server.spawn(self.tell())

    async def _folder(self, root: Path | None) -> dict[str, Any]:
        from sqlscribe.folder_state import READING, state_of

        state = READING
        loaded = self._server.session.known_now(root)
        if loaded is not None:
            workspace = await self._server.session.workspace(root)
            state = await asyncio.to_thread(state_of, workspace, loaded)
        return {"uri": root.as_uri() if root is not None else None, **asdict(state)}
