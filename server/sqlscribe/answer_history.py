"""What was asked in a folder, what came of it and what it cost, kept on this machine alone.

One file of JSON lines for each day under ``.sqlscribe/history/``: an ``answer`` for each question
that was answered, and a ``call`` for each reply of a model, which also counts what was spent on
answers that were cancelled and on explanations. Several processes add to the same file. It may
be damaged or deleted at any time: then less is known.
"""

from __future__ import annotations

import datetime
import json
import math
import re
import threading
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from sqlscribe.generated_files import append_generated, open_generated
from sqlscribe.models.chat import Usage
from sqlscribe.redaction import redact

_DAYS = 90
"""Days that are kept."""
_LARGEST_DAY = 4_000_000
"""Bytes of one day; beyond that only calls are noted whose cost is known, for the limit's sake."""
_LARGEST = 32_000_000
"""Bytes of all days but the present one; the oldest go first."""
_LONGEST_LINE = 16_000
_LONGEST_TEXT = 500
_IN_MEMORY = 10_000
"""Events kept where nothing can be written."""
_FILE = re.compile(r"(\d{4}-\d\d-\d\d)\.jsonl")


@dataclass(frozen=True)
class Answered:
    """One question. ``at`` is when it was answered, in the time of this machine.

    ``outcome`` is that of the answer, or ``cancelled``. ``error`` is the kind of what failed.
    ``seconds`` are by stage. ``file`` is relative to the folder, ``""`` where the question stands
    in none; ``line`` is one-based, 0 where there is none.
    """

    at: datetime.datetime
    question: str
    outcome: str
    source: str = "none"
    model: str = ""
    error: str = ""
    usage: Usage = field(default_factory=Usage)
    calls: int = 0
    repairs: int = 0
    seconds: Mapping[str, float] = field(default_factory=dict)
    file: str = ""
    line: int = 0


@dataclass(frozen=True)
class Called:
    """One reply of a model, for whatever it was asked."""

    at: datetime.datetime
    model: str
    usage: Usage
    seconds: float


Event = Answered | Called


@dataclass(frozen=True)
class Kept:
    """Events in the order in which they were noted. ``damaged`` lines could not be read."""

    events: tuple[Event, ...] = ()
    damaged: int = 0


@dataclass(frozen=True)
class Spent:
    """US dollars of one day, of the calls whose cost is known; ``highest`` is that of one call."""

    total: float = 0.0
    highest: float = 0.0

    def plus(self, cost: float | None) -> Spent:
        return self if cost is None else Spent(self.total + cost, max(self.highest, cost))


class History:
    """The history of one folder, or of this process alone for ``None``. For any thread.

    ``remark`` says in one sentence why it is not kept, where it is not.
    """

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder
        self._lock = threading.Lock()
        self._memory: deque[Event] = deque(maxlen=_IN_MEMORY)
        self._summed: tuple[datetime.date, int, Spent] | None = None
        self._pruned = ""
        self.remark = ""

    def put(self, event: Event, redact: Callable[[str], str] = redact) -> None:
        """Note an event. ``redact`` takes the keys out of its texts."""
        event = _without_secrets(event, redact)
        if self._folder is None:
            self._memory.append(event)
            return
        name = f"{event.at.date().isoformat()}.jsonl"
        try:
            if _size(self._folder / name) > _LARGEST_DAY and not _costs(event):
                self.remark = "the history of this day is full: no more answers are noted in it"
                return
            append_generated(self._folder, name, _line(event))
            self._prune(name)
            self.remark = ""
        except OSError as error:
            self._memory.append(event)
            self.remark = f"the history is not kept on disk: {error.strerror or error}"

    def read(self, first: datetime.date, last: datetime.date) -> Kept:
        """What is kept of some days, the first and the last one included."""
        events: list[Event] = []
        damaged = 0
        for day, path in self._files():
            if not first <= day <= last:
                continue
            for line, _ in _lines(path):
                if not line.strip():
                    # Somebody took a line that was just being written for one that was cut off.
                    continue
                event = _event(line)
                if event is None:
                    damaged += 1
                else:
                    events.append(event)
        events += [event for event in tuple(self._memory) if first <= event.at.date() <= last]
        return Kept(tuple(events), damaged)

    def spent(self, day: datetime.date) -> Spent:
        """What was spent on a day, by every process. Only what is new in its file is read."""
        spent = self._spent_on_disk(day)
        for event in tuple(self._memory):
            if isinstance(event, Called) and event.at.date() == day:
                spent = spent.plus(event.usage.cost)
        return spent

    def _spent_on_disk(self, day: datetime.date) -> Spent:
        if self._folder is None:
            return Spent()
        path = self._folder / f"{day.isoformat()}.jsonl"
        with self._lock:
            known = self._summed
            start, spent = (known[1], known[2]) if known and known[0] == day else (0, Spent())
            if _size(path) < start:
                # It was deleted, and begun anew.
                start, spent = 0, Spent()
            for line, length in _lines(path, start):
                if not line.endswith(b"\n"):
                    # Somebody is just writing it.
                    break
                start += length
                event = _event(line)
                if isinstance(event, Called):
                    spent = spent.plus(event.usage.cost)
            self._summed = (day, start, spent)
            return spent

    def _files(self) -> list[tuple[datetime.date, Path]]:
        """The files by their days, the oldest first."""
        found: list[tuple[datetime.date, Path]] = []
        try:
            paths = [] if self._folder is None else list(self._folder.iterdir())
        except OSError:
            # There is no history yet, or it cannot be read, which is said when it is added to.
            return []
        for path in paths:
            name = _FILE.fullmatch(path.name)
            day = _day(name[1]) if name else None
            if day is not None and not path.is_symlink():
                found.append((day, path))
        return sorted(found)

    def _prune(self, present: str) -> None:
        """Once in each process, and whenever a day begins."""
        if self._pruned == present:
            return
        self._pruned = present
        today = _day(present.removesuffix(".jsonl"))
        room = _LARGEST
        for day, path in reversed(self._files()):
            if path.name == present:
                continue
            room -= _size(path)
            if room < 0 or (today is not None and (today - day).days >= _DAYS):
                path.unlink(missing_ok=True)


def now() -> datetime.datetime:
    """The time of this machine, with its distance from UTC."""
    return datetime.datetime.now().astimezone()


def _costs(event: Event) -> bool:
    return isinstance(event, Called) and event.usage.cost is not None


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0


def _lines(path: Path, start: int = 0) -> Iterator[tuple[bytes, int]]:
    """The lines of a file with their lengths; none where it cannot be read.

    One that is too long to be ours is passed over, and a damaged one given in its place.
    """
    try:
        with open_generated(path) as file:
            file.seek(start)
            while line := file.readline(_LONGEST_LINE):
                length = len(line)
                if length < _LONGEST_LINE or line.endswith(b"\n"):
                    yield line, length
                    continue
                while (piece := file.readline(_LONGEST_LINE)) and not piece.endswith(b"\n"):
                    length += len(piece)
                yield b"?\n", length + len(piece)
    except OSError:
        return


def _without_secrets(event: Event, redact: Callable[[str], str]) -> Event:
    model = redact(event.model)
    if isinstance(event, Called):
        return replace(event, model=model)
    question, file = (redact(text)[:_LONGEST_TEXT] for text in (event.question, event.file))
    return replace(event, question=question, file=file, model=model)


# The lines


def _line(event: Event) -> bytes:
    data: dict[str, Any] = {
        "kind": "call" if isinstance(event, Called) else "answer",
        "at": event.at.isoformat(timespec="milliseconds"),
        "model": event.model[:_LONGEST_TEXT],
        "tokens_in": event.usage.prompt_tokens,
        "tokens_out": event.usage.completion_tokens,
        "tokens_cached": event.usage.cached_tokens,
        "cost": event.usage.cost,
    }
    if isinstance(event, Called):
        data["seconds"] = round(event.seconds, 3)
    else:
        data |= {
            "question": event.question,
            "outcome": event.outcome,
            "source": event.source,
            "error": event.error,
            "calls": event.calls,
            "repairs": event.repairs,
            "seconds": {stage: round(spent, 3) for stage, spent in event.seconds.items()},
            "file": event.file,
            "line": event.line,
        }
    return json.dumps(data, ensure_ascii=False).encode("utf-8", "replace")


def _event(line: bytes) -> Event | None:
    """The event of a line, ``None`` where it is none of ours."""
    try:
        data = json.loads(line)
        at = datetime.datetime.fromisoformat(data["at"]).astimezone()
        usage = Usage(
            _count(data["tokens_in"]),
            _count(data["tokens_out"]),
            _count(data["tokens_cached"]),
            _amount(data["cost"]),
        )
        if data["kind"] == "call":
            return Called(at, str(data["model"]), usage, _amount(data["seconds"]) or 0.0)
        if data["kind"] != "answer":
            return None
        return Answered(
            at,
            str(data["question"]),
            str(data["outcome"]),
            str(data["source"]),
            str(data["model"]),
            str(data["error"]),
            usage,
            _count(data["calls"]) or 0,
            _count(data["repairs"]) or 0,
            {str(stage): _amount(spent) or 0.0 for stage, spent in data["seconds"].items()},
            str(data["file"]),
            _count(data["line"]) or 0,
        )
    except (ValueError, KeyError, TypeError, AttributeError, OverflowError, RecursionError):
        return None


def _amount(value: object) -> float | None:
    """A number that is not negative. Raises ``ValueError`` for what is none."""
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise ValueError(value)
    if not 0 <= value < math.inf:
        raise ValueError(value)
    return float(value)


def _count(value: object) -> int | None:
    amount = _amount(value)
    return None if amount is None else int(amount)


def _day(text: str) -> datetime.date | None:
    try:
        return datetime.date.fromisoformat(text)
    except ValueError:
        return None
