"""A context becomes messages: plain data for the templates, rendering, and the count.

The order of the parts keeps the beginning of the prompt the same from question to question,
so that providers' prefix caches can serve it: everything in the system message depends on the
workspace alone, everything in the user message on the question.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable
from dataclasses import dataclass

from sqlscribe.models.chat import Message, ReplyForm
from sqlscribe.notation.findings import Finding
from sqlscribe.prompting.aliases import aliased
from sqlscribe.prompting.context import Context, Limits, shrunk
from sqlscribe.prompting.slots import SLOTS
from sqlscribe.prompting.templates import Templates, render
from sqlscribe.prompting.tokens import estimate
from sqlscribe.prompting.variables import known_values, of_findings, variables
from sqlscribe.schema.model import Table

_SHRINKS = 4


@dataclass(frozen=True)
class Section:
    """A named block of the prompt and its estimated tokens."""

    name: str
    tokens: int


@dataclass(frozen=True)
class Prompt:
    """What the model will read, byte for byte, and how it came about.

    ``tokens`` is an estimate on the high side.
    """

    messages: tuple[Message, ...]
    sections: tuple[Section, ...]
    tokens: int
    context: Context

    @property
    def form(self) -> ReplyForm | None:
        """The JSON form that the reply is to have, ``None`` for SQL in a fence."""
        return SLOTS if self.context.material.reply == "slots" else None

    def fingerprint(self, model: str) -> str:
        """Key under which the answer to exactly this prompt is stored."""
        said = [model, *([message.role, message.content] for message in self.messages)]
        text = json.dumps(said, ensure_ascii=False)
        return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()

    @property
    def values_sent(self) -> dict[str, list[str]]:
        """Values of the data that this prompt carries, by ``table.column``."""
        profiles = self.context.material.profiles
        sent = {f"{p.table}.{p.column}": known_values(p) for p in self.context.profiles}
        # What the DDL itself allows is no value of the data.
        recorded = {f"{p.table}.{p.column}" for p in profiles}
        for match in self.context.material.matches:
            column = f"{match.table}.{match.column}"
            if column in recorded and match.value not in sent.setdefault(column, []):
                sent[column].append(match.value)
        return sent


def build(context: Context, templates: Templates, limits: Limits) -> Prompt:
    """Render the prompt of ``context``, smaller parts first left out where it is too long.

    Raises :class:`sqlscribe.errors.TemplateError`.
    """
    for _ in range(_SHRINKS):
        prompt = _render(context, templates)
        if prompt.tokens <= limits.tokens:
            return prompt
        smaller = shrunk(context, prompt.tokens, limits.tokens)
        if smaller is None:
            return prompt
        context = smaller
    return _render(context, templates)


def repair_message(
    prompt: Prompt,
    templates: Templates,
    sql: str,
    findings: Iterable[Finding],
    involved: Iterable[Table],
) -> Message:
    """The message that sends the checker's exact findings back to the model.

    ``involved`` are the tables whose columns it should look at again.
    """
    given = of_findings(prompt.context, sql, findings, involved)
    text = render(templates, "repair/findings.j2", aliased(given, templates)).text
    return Message("user", _squeezed(text, [sql]))


def _render(context: Context, templates: Templates) -> Prompt:
    given = aliased(variables(context), templates)
    task = context.request.task
    keep = [context.request.question, context.request.sql, context.request.error]
    keep += [turn.text for turn in context.request.turns]
    system = render(templates, f"{task}/system.j2", given)
    user = render(templates, f"{task}/user.j2", given)
    messages = (
        Message("system", _squeezed(system.text, keep)),
        Message("user", _squeezed(user.text, keep)),
    )
    sections = tuple(
        Section(name, estimate(text.strip()))
        for name, text in (*system.blocks, *user.blocks)
        if text.strip()
    )
    tokens = sum(estimate(message.content) for message in messages)
    return Prompt(messages, sections, tokens, context)


def _squeezed(text: str, keep: list[str]) -> str:
    """Runs of three or more newlines become two, except inside the person's own words."""
    guarded = [piece for piece in keep if "\n\n\n" in piece]
    if not guarded:
        return re.sub(r"\n{3,}", "\n\n", text).strip("\n")
    pattern = "|".join(re.escape(piece) for piece in guarded)
    pieces = re.split(f"({pattern})", text)
    squeezed = [
        piece if index % 2 else re.sub(r"\n{3,}", "\n\n", piece)
        for index, piece in enumerate(pieces)
    ]
    return "".join(squeezed).strip("\n")
