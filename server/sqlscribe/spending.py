"""What calls of a model cost: each is noted, and none is made beyond the limit of the day."""

from __future__ import annotations

import asyncio
import logging
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from sqlscribe.answer_history import Called, History, now
from sqlscribe.errors import SpendingLimit
from sqlscribe.logs import TRACE
from sqlscribe.models.chat import (
    ChatModel,
    Listen,
    Message,
    Reply,
    ReplyForm,
    at_temperature,
    heard,
)
from sqlscribe.models.litellm_embedding import Embedded
from sqlscribe.trace import pairs

logger = logging.getLogger(__name__)


class Spending:
    """What is spent in one folder today. May be used from any thread.

    A call under way is taken to cost as much as the dearest one of the day, so that two at once
    do not both take what is left. Calls of other processes count once they have ended.
    """

    def __init__(self, history: History) -> None:
        self.history = history
        self._lock = threading.Lock()
        self._under_way = 0

    def begin(self, limit: float | None) -> None:
        """A call begins. Raises :class:`SpendingLimit` where the day's limit is reached."""
        with self._lock:
            if limit is not None:
                spent = self.history.spent(now().date())
                expected = self._under_way * spent.highest
                if spent.total + expected >= limit:
                    raise SpendingLimit(_sentence(limit, spent.total, expected))
            self._under_way += 1

    def end(self) -> None:
        """A call has ended, one way or the other."""
        with self._lock:
            self._under_way -= 1


def _sentence(limit: float, spent: float, expected: float) -> str:
    under_way = f" and about {dollars(expected)} is under way" if expected else ""
    return (
        f"the spending limit of {dollars(limit)} a day is reached ({dollars(spent)} was spent in"
        f" this folder today{under_way}); raise limits.cost_per_day, or ask again tomorrow"
    )


def dollars(amount: float) -> str:
    """``$1.20``; small amounts with as many digits as say something."""
    return f"${amount:.2f}" if amount >= 1 or amount == 0 else f"${amount:.3g}"


def metered_embedding(
    embed: Callable[[list[str]], Embedded],
    name: str,
    spending: Spending,
    limit: float | None,
    redact: Callable[[str], str],
) -> Callable[[list[str]], list[list[float]]]:
    """Calls of an embedding model, counted like those of the others. For worker threads.

    Also raises :class:`SpendingLimit`, before anything is sent.
    """

    def vectors(texts: list[str]) -> list[list[float]]:
        spending.begin(limit)
        began = time.monotonic()
        try:
            found = embed(texts)
            called = Called(now(), name, found.usage, time.monotonic() - began)
            spending.history.put(called, redact)
            return found.vectors
        finally:
            spending.end()

    return vectors


@dataclass(frozen=True)
class Metered:
    """A model whose calls are counted against ``limit``, US dollars a day, ``None`` for none.

    What is sent and what comes back is logged at level ``trace`` alone, after ``redact``.
    """

    model: ChatModel
    spending: Spending
    limit: float | None
    redact: Callable[[str], str]

    @property
    def name(self) -> str:
        return self.model.name

    def heard_by(self, listen: Listen) -> Metered:
        return replace(self, model=heard(self.model, listen))

    def at_temperature(self, least: float) -> Metered:
        return replace(self, model=at_temperature(self.model, least))

    async def complete(self, messages: Sequence[Message], form: ReplyForm | None = None) -> Reply:
        """The model's reply. Also raises :class:`SpendingLimit`, before anything is sent."""
        if self.limit is not None:
            # What others have spent is read here, so that the check itself need not wait.
            await asyncio.to_thread(self.spending.history.spent, now().date())
        self.spending.begin(self.limit)
        began = time.monotonic()
        try:
            self._trace([(message.role, message.content) for message in messages])
            reply = await self.model.complete(messages, form)
            self._trace([("reply", reply.text)])
            called = Called(now(), self.name, reply.usage, time.monotonic() - began)
            # What was paid for is noted, though nobody may want the reply any more.
            put = asyncio.to_thread(self.spending.history.put, called, self.redact)
            await asyncio.shield(put)
            return reply
        finally:
            self.spending.end()

    def _trace(self, said: Sequence[tuple[str, str]]) -> None:
        if logger.isEnabledFor(TRACE):
            for role, text in said:
                # One line, whatever is in it: a reply must not look like lines of the log.
                line = pairs({"model": self.name, "role": role, "text": self.redact(text)})
                logger.log(TRACE, "call %s", line)
