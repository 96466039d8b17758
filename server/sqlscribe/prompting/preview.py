"""A prompt as a person reads it: one head line, the reasons, and the exact text."""

from __future__ import annotations

import re
from collections.abc import Iterable

from sqlscribe.prompting.prompt import Prompt

_NAMED = 12
"""Names listed before the rest is only counted."""


def head_line(prompt: Prompt, model: str, price: float | None = None) -> str:
    """Model, tokens, and how many tables and examples, in one line.

    ``price`` is that of one token in US dollars, where it is known.
    """
    context = prompt.context
    cost = f" (${prompt.tokens * price:.4f})" if price is not None else ""
    parts = [
        model,
        f"about {prompt.tokens:,} tokens{cost}",
        _count(len(context.tables), "table"),
        _count(len(context.examples), "example"),
    ]
    if context.notes:
        parts.append(_count(len(context.notes), "note"))
    if context.left_out:
        parts.append(f"{len(context.left_out)} left out")
    return " · ".join(parts)


def details(prompt: Prompt) -> list[str]:
    """Lines that say what each part takes, why it is there, and what would leave the machine."""
    context = prompt.context
    lines = ["tokens: " + ", ".join(f"{s.name} {s.tokens}" for s in prompt.sections)]
    lines += [
        _listed("tables", (_reasoned(s.item.qualified_name, s.reason) for s in context.tables)),
        _listed("examples", (_reasoned(s.item.question, s.reason) for s in context.examples)),
    ]
    if context.notes:
        lines.append(_listed("notes", (_reasoned(s.item.title, s.reason) for s in context.notes)))
    if context.left_out:
        named = (f"{left.kind} {left.name} ({left.reason})" for left in context.left_out)
        lines.append(_listed("left out", named))
    if context.unknown_mentions:
        lines.append(_listed("not in the schema", (f"@{m}" for m in context.unknown_mentions)))
    values = prompt.values_sent
    lines.append(_listed("values that would be sent", values) if values else "no data values")
    return lines


def text(prompt: Prompt) -> str:
    """The messages one after the other, each under its role, otherwise byte for byte."""
    return "\n\n".join(f"[{message.role}]\n{message.content}" for message in prompt.messages)


def fenced(content: str) -> str:
    """``content`` as one Markdown code block that nothing inside can close."""
    longest = max((len(run) for run in re.findall(r"`+", content)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}text\n{content}\n{fence}"


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _reasoned(name: str, reason: str) -> str:
    return f"{' '.join(name.split())} ({reason})" if reason else name


def _listed(title: str, items: Iterable[str]) -> str:
    named = list(items)
    shown = ", ".join(named[:_NAMED]) or "none"
    more = f" and {len(named) - _NAMED} more" if len(named) > _NAMED else ""
    return f"{title}: {shown}{more}"
