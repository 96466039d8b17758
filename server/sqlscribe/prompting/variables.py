"""What templates are given: plain data only, cleaned of what could end the block it stands in.

The names are described in ``prompts/README.md``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from sqlscribe.checking.extraction import CHOICE_LABEL, INSUFFICIENT_LABEL, LOOKUP_LABEL
from sqlscribe.knowledge.examples import Example
from sqlscribe.knowledge.profiles import Profile
from sqlscribe.prompting.context import Context
from sqlscribe.prompting.templates import Plain
from sqlscribe.prompting.time_words import may_count_from_today
from sqlscribe.schema import graph
from sqlscribe.schema.identifiers import spelled
from sqlscribe.schema.model import Column, Table

FENCE = "```"
FROM_PERSON, FROM_MODEL = "\x02person\x03", "\x02model\x03"
"""A line of ``user.j2`` that is one of these begins a message of the person, or of the model.

No text of a workspace can hold it: control characters are taken out.
"""
_COMMENT_LENGTH = 300


def variables(context: Context) -> dict[str, Plain]:
    """The variables of every template, by name."""
    material, request = context.material, context.request
    values = _by_column(context.profiles)
    return {
        "dialect": material.dialect,
        "reply_form": material.reply,
        "tables": [
            {
                **_table(each.item, material.dialect, values),
                "likely_keys": _likely_keys(each.item, context),
            }
            for each in context.tables
        ],
        "whole_schema": context.whole_schema,
        "rules": _text(material.rules.strip()),
        "instructions": _text(material.instructions.strip()),
        "examples": [_example(scored.item) for scored in context.examples],
        "notes": [
            {"title": _line(scored.item.title), "text": _text(scored.item.text)}
            for scored in context.notes
        ],
        "values": [_values(profile) for profile in context.profiles],
        "matches": [
            {"column": _name(f"{match.table}.{match.column}"), "value": _line(match.value)}
            for match in material.matches
        ],
        "counts_from_today": may_count_from_today(_spoken(context)),
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
        "lookup": LOOKUP_LABEL if material.may_look_up else "",
        "from_person": FROM_PERSON,
        "from_model": FROM_MODEL,
    }


def _spoken(context: Context) -> str:
    """All that people wrote about what is wanted."""
    material, request = context.material, context.request
    notes = [scored.item.text for scored in context.notes]
    return "\n".join([request.search_text, material.rules, material.instructions, *notes])


@dataclass(frozen=True)
class SaidBack:
    """What a turn back to the model is made of, beside the prompt.

    ``findings`` are codes and sentences; ``involved`` are the tables whose columns it should
    look at again; ``examples`` are further ones. ``values`` are those of columns that matter
    now, ``more_values``: there are more.
    """

    sql: str = ""
    findings: Sequence[tuple[str, str]] = ()
    involved: Sequence[Table] = ()
    examples: Sequence[Example] = ()
    values: Sequence[Profile] = ()
    more_values: bool = False


def of_turn_back(context: Context, said: SaidBack) -> dict[str, Plain]:
    """The variables of a turn back: those of the prompt, but what was shown is not again."""
    dialect = context.material.dialect
    return {
        **variables(context),
        "sql": said.sql,
        "findings": [{"code": code, "message": message} for code, message in said.findings],
        "tables_involved": [_table(table, dialect) for table in said.involved],
        "examples": [_example(example) for example in said.examples],
        "values": [_values(profile) for profile in said.values],
        "matches": [],
        "more_values": said.more_values,
    }


_Values = Mapping[tuple[str, str], Profile]
"""Profiles by the names of table, with or without its schema, and column, case-folded."""


def _by_column(profiles: Iterable[Profile]) -> _Values:
    return {(each.table.casefold(), each.column.casefold()): each for each in profiles}


def _known(table: Table, column: Column, values: _Values) -> list[Plain]:
    """The values of a column that are shown with it."""
    for name in (table.qualified_name, table.name):
        profile = values.get((name.casefold(), column.name.casefold()))
        if profile is not None:
            return [_line(value) for value in known_values(profile)]
    return []


def _table(table: Table, dialect: str, values: _Values | None = None) -> dict[str, Plain]:
    def named(names: tuple[str, ...]) -> list[Plain]:
        columns = [(name, table.column(name)) for name in names]
        return [_name(spelled(name, bool(c and c.quoted), dialect)) for name, c in columns]

    schema = ".".join(spelled(part, False, dialect) for part in table.schema.split(".") if part)
    name = spelled(table.name, table.quoted, dialect)
    return {
        "name": _name(f"{schema}.{name}" if schema else name),
        "kind": table.kind,
        "comment": _line(table.comment),
        "partly_understood": table.partly_understood,
        "primary_key": named(table.primary_key),
        "columns": [
            {
                "name": _name(spelled(column.name, column.quoted, dialect)),
                "type": _line(column.type),
                "nullable": column.nullable,
                "comment": _line(column.comment),
                "allowed_values": [_line(value) for value in column.values],
                "known_values": _known(table, column, values or {}),
            }
            for column in table.columns
        ],
        "foreign_keys": [
            {
                "columns": named(key.columns),
                "to_table": _name(f"{key.to_schema}.{key.to_table}".lstrip(".")),
                "to_columns": [_name(column) for column in key.to_columns],
            }
            for key in table.foreign_keys
        ],
    }


def _likely_keys(table: Table, context: Context) -> list[Plain]:
    """Joins that no key declares, but names and types suggest, with tables that are shown."""
    shown = {id(scored.item) for scored in context.tables}
    dialect = context.material.dialect
    return [
        {
            "columns": [_name(spelled(left, False, dialect)) for left, _ in join.pairs],
            "to_table": _name(join.right.qualified_name),
            "to_columns": [_name(spelled(right, False, dialect)) for _, right in join.pairs],
        }
        for join in graph.joins_of(context.material.schema, table)
        if join.is_inferred and join.left is table and id(join.right) in shown
    ]


def _example(example: Example) -> dict[str, Plain]:
    return {
        "question": _text(example.question),
        "sql": _code(example.sql),
        "note": _line(example.note),
        "wrong": [{"sql": _code(pair.sql), "why": _line(pair.why)} for pair in example.wrong],
    }


def _values(profile: Profile) -> dict[str, Plain]:
    return {
        "column": _name(f"{profile.table}.{profile.column}"),
        "known_values": [
            *(_line(value) for value in known_values(profile)),
            *(["…"] if profile.partial else []),
        ],
    }


def known_values(profile: Profile) -> list[str]:
    if profile.values:
        return list(profile.values)
    bounds = (profile.minimum, profile.maximum)
    return [f"{bounds[0]} … {bounds[1]}"] if all(bounds) else []


# Text from the workspace must not end the block it stands in, nor hide its end, nor say things
# that a model reads and a person cannot see.
_CONTROL = re.compile(
    r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
    r"\U000e0000-\U000e0fff]"
)
_BLOCKS = re.compile(
    r"<(?=\s*/?\s*(?:schema|rules|examples|notes|values|question)\b|\|\w+\|>)", re.IGNORECASE
)
_LINE_END = re.compile(r"\s*[\t\n]\s*")


def _text(text: str) -> str:
    return _BLOCKS.sub("< ", _CONTROL.sub("", text))


def _code(text: str) -> str:
    """SQL that stands between fences."""
    return _text(text).replace(FENCE, "` ` `")


def _name(spelling: str) -> str:
    """A name on one line. Only one that no engine would take is changed."""
    return _cut(_LINE_END.sub(" ", _text(spelling)))


def _line(text: str) -> str:
    """One line of at most 300 characters."""
    return _cut(" ".join(_text(text).split()))


def _cut(line: str) -> str:
    return line if len(line) <= _COMMENT_LENGTH else line[: _COMMENT_LENGTH - 1] + "…"
