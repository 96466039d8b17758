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

from sqlscribe.checking.extraction import CHOICE_LABEL, INSUFFICIENT_LABEL
from sqlscribe.knowledge.examples import Example
from sqlscribe.knowledge.profiles import Profile
from sqlscribe.models.chat import Message, ReplyForm
from sqlscribe.notation.findings import Finding
from sqlscribe.prompting.context import Context, Limits, shrunk
from sqlscribe.prompting.slots import SLOTS
from sqlscribe.prompting.templates import Plain, Templates, render
from sqlscribe.prompting.tokens import estimate
from sqlscribe.schema.identifiers import spelled
from sqlscribe.schema.model import Table

FENCE = "```"
_COMMENT_LENGTH = 300
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
        return {f"{p.table}.{p.column}": _known_values(p) for p in self.context.profiles}


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
    dialect = prompt.context.material.dialect
    variables = _variables(prompt.context)
    variables["sql"] = sql
    variables["findings"] = [{"code": f.code, "message": f.message} for f in findings]
    variables["tables_involved"] = [_table(table, dialect) for table in involved]
    text = render(templates, "repair/findings.j2", variables).text
    return Message("user", _squeezed(text, [sql]))


def _render(context: Context, templates: Templates) -> Prompt:
    variables = _variables(context)
    task = context.request.task
    keep = [context.request.question, context.request.sql, context.request.error]
    keep += [turn.text for turn in context.request.turns]
    system = render(templates, f"{task}/system.j2", variables)
    user = render(templates, f"{task}/user.j2", variables)
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


def _variables(context: Context) -> dict[str, Plain]:
    """The templates' variables, plain data only. They are described in ``prompts/README.md``."""
    material, request = context.material, context.request
    return {
        "dialect": material.dialect,
        "reply_form": material.reply,
        "tables": [_table(scored.item, material.dialect) for scored in context.tables],
        "whole_schema": context.whole_schema,
        "rules": material.rules.strip(),
        "instructions": material.instructions.strip(),
        "examples": [_example(scored.item) for scored in context.examples],
        "notes": [
            {"title": _line(scored.item.title), "text": _text(scored.item.text)}
            for scored in context.notes
        ],
        "values": [_values(profile) for profile in context.profiles],
        "today": material.today.isoformat(),
        "weekday": f"{material.today:%A}",
        "timezone": material.timezone,
        "turns": [{"role": turn.role, "text": turn.text} for turn in request.turns],
        "question": request.question,
        "sql": request.sql,
        "error": request.error,
        "fence": FENCE,
        "insufficient": INSUFFICIENT_LABEL,
        "choice": CHOICE_LABEL,
    }


def _table(table: Table, dialect: str) -> dict[str, Plain]:
    def named(names: tuple[str, ...]) -> list[Plain]:
        columns = [(name, table.column(name)) for name in names]
        return [spelled(name, bool(c and c.quoted), dialect) for name, c in columns]

    schema = ".".join(spelled(part, False, dialect) for part in table.schema.split(".") if part)
    name = spelled(table.name, table.quoted, dialect)
    return {
        "name": f"{schema}.{name}" if schema else name,
        "kind": table.kind,
        "comment": _line(table.comment),
        "partly_understood": table.partly_understood,
        "primary_key": named(table.primary_key),
        "columns": [
            {
                "name": spelled(column.name, column.quoted, dialect),
                "type": _line(column.type),
                "nullable": column.nullable,
                "comment": _line(column.comment),
                "allowed_values": [_line(value) for value in column.values],
            }
            for column in table.columns
        ],
        "foreign_keys": [
            {
                "columns": named(key.columns),
                "to_table": f"{key.to_schema}.{key.to_table}" if key.to_schema else key.to_table,
                "to_columns": list(key.to_columns),
            }
            for key in table.foreign_keys
        ],
    }


def _example(example: Example) -> dict[str, Plain]:
    return {
        "question": _text(example.question),
        "sql": _text(example.sql),
        "note": _line(example.note),
        "wrong": [{"sql": _text(pair.sql), "why": _line(pair.why)} for pair in example.wrong],
    }


def _values(profile: Profile) -> dict[str, Plain]:
    return {
        "column": f"{profile.table}.{profile.column}",
        "known_values": [_line(value) for value in _known_values(profile)],
    }


def _known_values(profile: Profile) -> list[str]:
    if profile.values:
        return list(profile.values)
    bounds = (profile.minimum, profile.maximum)
    return [f"{bounds[0]} … {bounds[1]}"] if all(bounds) else []


# Text from the workspace must not end the block it stands in, nor hide its end.
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f\u200b-\u200f\u202a-\u202e\u2066-\u2069\ufeff]")
_CLOSING = re.compile(r"</(?=\s*(?:schema|rules|examples|notes|values|question)\b)", re.IGNORECASE)


def _text(text: str) -> str:
    return _CLOSING.sub("< /", _CONTROL.sub("", text))


def _line(text: str) -> str:
    """One line of at most 300 characters."""
    line = " ".join(_text(text).split())
    return line if len(line) <= _COMMENT_LENGTH else line[: _COMMENT_LENGTH - 1] + "…"
