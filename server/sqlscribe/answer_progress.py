"""What there is to see of an answer while it is made: its stages, and the reply as it comes."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from sqlscribe.answer_queue import Report, Stage
from sqlscribe.models.chat import ChatModel, Hear, Piece, heard
from sqlscribe.prompting.tokens import estimate

if TYPE_CHECKING:
    from sqlscribe.snapshot import Snapshot

_PAUSE_SECONDS = 0.15
"""How long after one report of tokens the next one may come; editors draw each of them."""


class Following:
    """Follows one answer and tells ``report`` about it. ``now`` is a clock, in seconds."""

    def __init__(self, report: Report, now: Callable[[], float]) -> None:
        self._report = report
        self._now = now
        self._stage = ""
        self._told_at = float("-inf")
        self._replies: list[list[Piece]] = []

    def stage(self, name: str) -> None:
        """A stage begins."""
        self._stage = name
        self._replies = []
        self._report(Stage(name))

    def listen(self) -> Hear:
        """Who hears the pieces of the next reply; of several at once the first is shown."""
        pieces: list[Piece] = []
        self._replies.append(pieces)

        def hear(piece: Piece) -> None:
            pieces.append(piece)
            now = self._now()
            if now - self._told_at >= _PAUSE_SECONDS:
                self._told_at = now
                self._report(self._coming())

        return hear

    def _coming(self) -> Stage:
        written = "".join(piece.text for reply in self._replies for piece in reply)
        shown = self._replies[0] if self._replies else []
        text = "".join(piece.text for piece in shown if not piece.is_thought)
        return Stage(self._stage, estimate(written), text)

    def of(self, snapshot: Snapshot) -> Snapshot:
        """The snapshot with a model whose replies are heard here."""
        connect: Callable[[], Awaitable[ChatModel | None]] = snapshot.connect

        async def connected() -> ChatModel | None:
            model = await connect()
            return None if model is None else heard(model, self.listen)

        return replace(snapshot, connect=connected)
