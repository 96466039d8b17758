"""What templates are given: plain data only, cleaned of what could end the block it stands in.

The names are described in ``prompts/README.md``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from sqlscribe.checking.extraction import CHOICE_LABEL, INSUFFICIENT_LABEL
from sqlscribe.knowledge.examples import Example
from sqlscribe.knowledge.profiles import Profile
from sqlscribe.notation.findings import Finding
from sqlscribe.prompting.context import Context
from sqlscribe.prompting.templates import Plain
from sqlscribe.schema import graph
from sqlscribe.schema.identifiers import spelled
from sqlscribe.schema.model import Table

FENCE = "```"
_COMMENT_LENGTH = 300


def variables(context: Context) -> dict[str, Plain]:
    """The variables of every template, by name."""
    material, request = context.material, context.request
    return {
        "dialect": material.dialect,
        "reply_form": material.reply,
        "tables": [
            {**_table(each.item, material.dialect), "likely_keys": _likely_keys(each.item, context)}
            for each in context.tables
        ],
        "whole_schema": context.whole_schema,
        "rules": material.rules.strip(),
        "instructions": material.instructions.strip(),
        "examples": [_example(scored.item) for scored in context.examples],
        "notes": [
            {"title": _line(scored.item.title), "text": _text(scored.item.text)}
            for scored in context.notes
        ],
        "values": [_values(profile) for profile in context.profiles],
        "matches": [
            {"column": f"{match.table}.{match.column}", "value": _line(match.value)}
            for match in material.matches
        ],
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


def of_findings(
    context: Context, sql: str, findings: Iterable[Finding], involved: Iterable[Table]
) -> dict[str, Plain]:
    """The variables of ``repair/findings.j2``: those of the prompt, and what was found."""
    dialect = context.material.dialect
    return {
        **variables(context),
        "sql": sql,
        "findings": [{"code": f.code, "message": f.message} for f in findings],
        "tables_involved": [_table(table, dialect) for table in involved],
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


def _likely_keys(table: Table, context: Context) -> list[Plain]:
    """Joins that no key declares, but names and types suggest, with tables that are shown."""
    shown = {id(scored.item) for scored in context.tables}
    dialect = context.material.dialect
    return [
        {
            "columns": [spelled(left, False, dialect) for left, _ in join.pairs],
            "to_table": join.right.qualified_name,
            "to_columns": [spelled(right, False, dialect) for _, right in join.pairs],
        }
        for join in graph.joins_of(context.material.schema, table)
        if join.is_inferred and join.left is table and id(join.right) in shown
    ]


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
        "known_values": [_line(value) for value in known_values(profile)],
    }


def known_values(profile: Profile) -> list[str]:
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
