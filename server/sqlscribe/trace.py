"""What one answer went through: its stages with their times, told in the log as they come.

A line of the log is ``name=value`` pairs. Questions, prompts and SQL are not in it.
"""

from __future__ import annotations

import json
import logging
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from itertools import count

from sqlscribe.answer_history import Answered

logger = logging.getLogger(__name__)

_numbers = count(1)


@dataclass
class Trace:
    """The stages of one answer. ``clock`` gives seconds; ``number`` tells answers apart."""

    clock: Callable[[], float] = time.monotonic
    number: int = field(default_factory=lambda: next(_numbers))
    seconds: dict[str, float] = field(default_factory=dict)
    """By the first word of the stage, in the order in which they began."""
    repairs: int = 0
    _stage: str = ""
    _began: float = 0.0

    def stage(self, name: str) -> None:
        """A stage begins, such as ``asking openai/gpt-5-mini``, and the one before it ends."""
        self.end()
        self._stage, self._began = name, self.clock()
        self.seconds.setdefault(_kind(name), 0.0)
        self.repairs += _kind(name) == "repairing"

    def end(self) -> None:
        """The last stage has ended."""
        if self._stage:
            spent = self.clock() - self._began
            self.seconds[_kind(self._stage)] += spent
            said = pairs({"number": self.number, "stage": self._stage, "seconds": round(spent, 3)})
            logger.debug("stage %s", said)
        self._stage = ""


def _kind(stage: str) -> str:
    return stage.partition(" ")[0]


def told(number: int, event: Answered) -> str:
    """An answer in one line of pairs."""
    usage = event.usage
    return pairs(
        {
            "number": number,
            "outcome": event.outcome,
            "source": event.source,
            "error": event.error or None,
            "model": event.model or None,
            "place": f"{event.file}:{event.line}" if event.file else None,
            "calls": event.calls,
            "repairs": event.repairs,
            "tokens_in": usage.prompt_tokens,
            "tokens_out": usage.completion_tokens,
            "tokens_cached": usage.cached_tokens,
            "cost": usage.cost if usage.cost is not None or not event.calls else "unknown",
            "seconds": round(sum(event.seconds.values()), 3),
        }
    )


def stages(event: Answered) -> str:
    """How long each stage of an answer took, in one line of pairs."""
    return pairs({stage: round(spent, 3) for stage, spent in event.seconds.items()})


def pairs(facts: Mapping[str, object]) -> str:
    """``name=value`` for each fact that is known; a value with blanks is quoted."""
    return " ".join(f"{name}={_value(fact)}" for name, fact in facts.items() if fact is not None)


def _value(fact: object) -> str:
    text = str(fact)
    plain = text and text.isprintable() and not set(text) & set(' "=')
    return text if plain else json.dumps(text, ensure_ascii=False)
