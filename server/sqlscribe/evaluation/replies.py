"""Every reply of a model, kept in a file of JSON lines, so that nothing is asked twice.

A reply is kept under the fingerprint of what was asked: the messages, the model and how it is
called. A run that was killed goes on where it was, and arms that ask the same get the same.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TextIO

from sqlscribe.errors import ConfigurationError, ModelError, RateLimited
from sqlscribe.models.chat import (
    ChatModel,
    Message,
    Reply,
    ReplyForm,
    Role,
    Usage,
    at_temperature,
)

_PATIENCE = (2.0, 5.0, 15.0, 40.0, 60.0)
"""Seconds to wait after a provider asked to slow down, the first time, the second time …"""


@dataclass(frozen=True)
class Kept:
    """A reply and the seconds that the model took for it."""

    reply: Reply
    seconds: float


class ReplyFile:
    """The file; used by one thread. ``remark`` tells of lines that could not be read.

    A last line that was not written to its end is no news after a run that was killed.
    """

    def __init__(self, path: Path, *, fresh: bool = False) -> None:
        self._kept: dict[str, Kept] = {}
        self._file: TextIO | None = None
        self._path = path
        self.remark = ""
        self.started = ""
        if not fresh:
            self._load()

    def get(self, key: str) -> Kept | None:
        return self._kept.get(key)

    def put(self, key: str, kept: Kept) -> None:
        self._kept[key] = kept
        reply = kept.reply
        usage = reply.usage
        self._write(
            {
                "key": key,
                "text": reply.text,
                "cut_off": reply.cut_off,
                "warnings": list(reply.warnings),
                "usage": [
                    usage.prompt_tokens,
                    usage.completion_tokens,
                    usage.cached_tokens,
                    usage.cost,
                ],
                "seconds": round(kept.seconds, 3),
            }
        )

    def begin(self, today: str) -> None:
        """Keep the date that counts as today, which stands in the prompts of every later run."""
        if today != self.started:
            self.started = today
            self._write({"today": today})

    def close(self) -> None:
        if self._file is not None:
            self._file.close()

    def _write(self, item: dict[str, Any]) -> None:
        if self._file is None:
            self._file = _opened(self._path)
        self._file.write(json.dumps(item) + "\n")
        self._file.flush()

    def _load(self) -> None:
        try:
            lines = self._path.read_text("utf-8").split("\n")
        except FileNotFoundError:
            return
        except (OSError, UnicodeDecodeError) as error:
            raise ConfigurationError(f"{self._path}: the replies cannot be read: {error}") from None
        broken = 0
        for number, line in enumerate(lines, 1):
            if not self._take(line) and number < len(lines):
                broken += 1
        if broken:
            self.remark = (
                f"{self._path}: {broken} lines cannot be read; those replies are asked for"
            )

    def _take(self, line: str) -> bool:
        try:
            item = json.loads(line) if line else {}
            if "today" in item:
                self.started = str(item["today"])
            elif item:
                reply = Reply(
                    str(item["text"]),
                    Usage(*item["usage"]),
                    bool(item["cut_off"]),
                    tuple(item["warnings"]),
                )
                self._kept[item["key"]] = Kept(reply, float(item["seconds"]))
        except (ValueError, TypeError, LookupError, RecursionError):
            return False
        return True


def _opened(path: Path) -> TextIO:
    """The file for adding to; after a line that was cut off a new one begins."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        file = path.open("a+", encoding="utf-8", newline="\n")
        if file.tell():
            with path.open("rb") as whole:
                whole.seek(-1, 2)
                if whole.read(1) != b"\n":
                    file.write("\n")
    except OSError as error:
        raise ConfigurationError(f"{path}: {error.strerror or error}") from error
    return file


@dataclass
class Recorded:
    """A model whose replies are kept; made for one answer of one arm.

    ``called`` is all that decides about a reply beside the messages. ``sent`` are the messages
    of each call as the model got them, ``seconds`` what it took for them in all.
    ``turns``: see :mod:`sqlscribe.evaluation.arms`. ``ready`` is awaited before a call; what
    that takes is not the model's time.
    """

    model: ChatModel
    file: ReplyFile
    called: str
    turns: bool = False
    ready: Callable[[], Awaitable[object]] | None = None
    sent: list[tuple[Message, ...]] = field(default_factory=list)
    replies: list[Reply] = field(default_factory=list)
    seconds: float = 0.0
    waited: float = 0.0
    """Seconds that were really spent waiting for it now."""
    error: ModelError | None = None
    """Why the last call gave no reply."""
    _asked: Counter[str] = field(default_factory=Counter)

    @property
    def name(self) -> str:
        return self.model.name

    async def complete(self, messages: Sequence[Message], form: ReplyForm | None = None) -> Reply:
        """The kept reply, else the model's. Raises as the model does."""
        return await self.reply_of(self.model, self.called, messages, form)

    def at_temperature(self, least: float) -> ChatModel:
        """The same model at this temperature; its replies are kept here as well."""
        warm = at_temperature(self.model, least)
        return _Warm(self.name, self, warm, f"{self.called} at {least:g}")

    async def reply_of(
        self,
        model: ChatModel,
        called: str,
        messages: Sequence[Message],
        form: ReplyForm | None,
    ) -> Reply:
        """The kept reply of ``model``, which is ``called`` so, else its own."""
        sent = tuple(split(messages) if self.turns else messages)
        # Some templates leave one of the two messages blank, which some servers refuse.
        sent = tuple(message for message in sent if message.content.strip()) or sent
        self.sent.append(sent)
        key = self._key(called, sent, form)
        kept = self.file.get(key)
        if kept is None:
            kept = await self._ask(model, sent, form)
            self.file.put(key, kept)
        self.seconds += kept.seconds
        self.replies.append(kept.reply)
        return kept.reply

    async def _ask(
        self, model: ChatModel, messages: Sequence[Message], form: ReplyForm | None
    ) -> Kept:
        for pause in (*_PATIENCE, None):
            begun = start = time.perf_counter()
            try:
                if self.ready is not None:
                    await self.ready()
                    start = time.perf_counter()
                reply = await model.complete(messages, form)
            except ModelError as error:
                if pause is None or not isinstance(error, RateLimited):
                    self.error = error
                    raise
                await asyncio.sleep(pause)
            else:
                return Kept(reply, time.perf_counter() - start)
            finally:
                self.waited += time.perf_counter() - begun
        raise AssertionError("the last turn raises")

    def _key(self, called: str, messages: Sequence[Message], form: ReplyForm | None) -> str:
        said: list[Any] = [called, *([m.role, m.content] for m in messages)]
        if form is not None:
            said.append([form.name, form.schema])
        text = json.dumps(said, ensure_ascii=False)
        key = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:40]
        self._asked[key] += 1
        # Several candidates for one prompt are several replies.
        again = self._asked[key]
        return key if again == 1 else f"{key}#{again}"


@dataclass(frozen=True)
class _Warm:
    """What a recorded model is at another temperature."""

    name: str
    recorded: Recorded
    model: ChatModel
    called: str

    async def complete(self, messages: Sequence[Message], form: ReplyForm | None = None) -> Reply:
        return await self.recorded.reply_of(self.model, self.called, messages, form)


_MARKS: dict[str, Role] = {"[[system]]": "system", "[[user]]": "user", "[[assistant]]": "assistant"}


def split(messages: Sequence[Message]) -> list[Message]:
    """The messages, with a new one from each line that is ``[[user]]`` or the like."""
    found: list[Message] = []
    for message in messages:
        role, lines = message.role, []
        for line in message.content.split("\n"):
            mark = _MARKS.get(line.strip())
            if mark is None:
                lines.append(line)
                continue
            found.append(Message(role, "\n".join(lines).strip("\n")))
            role, lines = mark, []
        found.append(Message(role, "\n".join(lines).strip("\n")))
    return [message for message in found if message.content.strip()]
