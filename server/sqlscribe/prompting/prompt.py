"""A context becomes messages: plain data for the templates, rendering, and the count.

The order of the parts keeps the beginning of the prompt the same from question to question,
so that providers' prefix caches can serve it: everything in the system message depends on the
workspace alone, everything in the user message on the question.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass

from sqlscribe.models.chat import Message, ReplyForm, Role
from sqlscribe.prompting.aliases import aliased
from sqlscribe.prompting.context import Context, Limits, shrunk
from sqlscribe.prompting.slots import SLOTS, SLOTS_WITH_LOOKUP
from sqlscribe.prompting.templates import Templates, render
from sqlscribe.prompting.tokens import estimate
from sqlscribe.prompting.variables import (
    FROM_MODEL,
    FROM_PERSON,
    SaidBack,
    known_values,
    of_turn_back,
    variables,
)

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
        material = self.context.material
        if material.reply != "slots":
            return None
        return SLOTS_WITH_LOOKUP if material.may_look_up else SLOTS

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


def turn_back(prompt: Prompt, templates: Templates, name: str, said: SaidBack) -> Message:
    """What goes to the model after its reply, by the template ``name``.

    Raises :class:`sqlscribe.errors.TemplateError`.
    """
    given = aliased(of_turn_back(prompt.context, said), templates)
    return Message("user", _squeezed(render(templates, name, given).text, [said.sql]))


def _render(context: Context, templates: Templates) -> Prompt:
    given = aliased(variables(context), templates)
    task = context.request.task
    keep = [context.request.question, context.request.sql, context.request.error]
    keep += [turn.text for turn in context.request.turns]
    system = render(templates, f"{task}/system.j2", given)
    user = render(templates, f"{task}/user.j2", given)
    messages = (
        Message("system", _squeezed(system.text, keep)),
        *(Message(role, _squeezed(text, keep)) for role, text in _by_role(user.text)),
    )
    sections = tuple(
        Section(name, estimate(text.strip()))
        for name, text in (*system.blocks, *user.blocks)
        if text.strip()
    )
    tokens = sum(estimate(message.content) for message in messages)
    return Prompt(messages, sections, tokens, context)


_ROLES: dict[str, Role] = {FROM_PERSON: "user", FROM_MODEL: "assistant"}


def _by_role(text: str) -> Iterator[tuple[Role, str]]:
    """The messages that a text stands for: it is the person's, but for what is marked."""
    pieces = re.split(f"^({FROM_PERSON}|{FROM_MODEL})$", text, flags=re.MULTILINE)
    roles: list[Role] = ["user", *(_ROLES[mark] for mark in pieces[1::2])]
    said = [(role, piece) for role, piece in zip(roles, pieces[::2], strict=True) if piece.strip()]
    yield from said or [("user", text)]


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
