"""What an answer came from, and what of that has changed since.

An :class:`Origin` holds short fingerprints, never the things themselves, so it may be kept in a
repository. It is found again by the question and the SQL, not by file and line: it survives
renames, edits above it, and formatting.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from sqlscribe.knowledge.examples import Example
from sqlscribe.notation.asks import Question
from sqlscribe.notation.lexicon import Kind, scan
from sqlscribe.prompting.templates import Templates
from sqlscribe.schema.model import Schema, Table


@dataclass(frozen=True)
class Origin:
    """Fingerprints of the tables that the SQL uses, and of what else stood in its prompt.

    ``at`` is the day of the answer (``2024-01-31``).
    """

    tables: Mapping[str, str] = field(default_factory=dict)
    examples: Mapping[str, str] = field(default_factory=dict)
    rules: str = ""
    templates: str = ""
    model: str = ""
    at: str = ""


@dataclass(frozen=True)
class Known:
    """What a folder knows now, as far as an origin is compared with it."""

    schema: Schema
    examples: tuple[Example, ...]
    rules: str
    templates: Templates


def origin_of(
    used: Iterable[str], examples: Iterable[Example], known: Known, model: str, at: str
) -> Origin:
    """The origin of an answer whose SQL uses the tables ``used`` (qualified names)."""
    by_name = {table.qualified_name: table for table in known.schema.tables}
    return Origin(
        tables={name: _of_table(by_name[name]) for name in used if name in by_name},
        examples={_short(e.question): _of_example(e) for e in examples},
        rules=_of_rules(known.rules),
        templates=_of_templates(known.templates),
        model=model,
        at=at,
    )


def changes(origin: Origin, known: Known) -> tuple[str, ...]:
    """What has changed since, each in words such as ``orders has other columns``."""
    found: list[str] = []
    by_name = {table.qualified_name: table for table in known.schema.tables}
    for name, fingerprint in origin.tables.items():
        if name not in by_name:
            found.append(f"{name} is gone")
        elif _of_table(by_name[name]) != fingerprint:
            found.append(f"{name} changed")
    if origin.examples:
        now = {_short(e.question): _of_example(e) for e in known.examples}
        gone = sum(1 for name in origin.examples if name not in now)
        other = sum(1 for name, was in origin.examples.items() if now.get(name, was) != was)
        if gone:
            found.append(f"{_count(gone, 'example')} of its prompt {_is(gone)} gone")
        if other:
            found.append(f"{_count(other, 'example')} of its prompt changed")
    if origin.rules and _of_rules(known.rules) != origin.rules:
        found.append("the rules changed")
    if origin.templates and _of_templates(known.templates) != origin.templates:
        found.append("the prompt templates changed")
    return tuple(found)


def accepted(origin: Origin, known: Known) -> Origin:
    """The origin as it would be now, for an answer that a person finds still right."""
    by_name = {table.qualified_name: table for table in known.schema.tables}
    now = {_short(e.question): e for e in known.examples}
    return replace(
        origin,
        tables={name: _of_table(by_name[name]) for name in origin.tables if name in by_name},
        examples={name: _of_example(now[name]) for name in origin.examples if name in now},
        rules=_of_rules(known.rules),
        templates=_of_templates(known.templates),
    )


def key_of(question: Question) -> str:
    """What an origin is kept under: the words of the question and of its refinements."""
    said = [turn.text for turn in question.chain]
    return _short("\n".join(" ".join(text.split()) for text in said), 24)


def sql_fingerprint(sql: str, dialect: str) -> str:
    """The same for SQL that differs in blanks, comments and letter case of words only."""
    parts: list[str] = []
    for piece in scan(sql, dialect):
        text = sql[piece.start : piece.end]
        if piece.kind is Kind.CODE:
            parts += text.casefold().replace(";", " ").split()
        elif piece.kind in (Kind.STRING, Kind.IDENTIFIER):
            parts.append(text)
    return _short(" ".join(parts))


def _of_table(table: Table) -> str:
    columns = [(c.name, c.type, c.nullable, c.comment, c.values) for c in table.columns]
    keys = [(k.columns, k.to_table, k.to_columns) for k in table.foreign_keys]
    return _short(repr((table.kind, table.comment, table.primary_key, columns, keys)))


def _of_example(example: Example) -> str:
    return _short(repr((example.sql, example.note)))


def _of_rules(rules: str) -> str:
    return _short(" ".join(rules.split())) if rules.strip() else ""


def _of_templates(templates: Templates) -> str:
    """Only the workspace's own count: an upgrade of this program makes no answer stale."""
    own = sorted(templates.workspace.items())
    return _short(repr(own)) if own else ""


def _short(text: str, length: int = 12) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:length]


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _is(number: int) -> str:
    return "is" if number == 1 else "are"
