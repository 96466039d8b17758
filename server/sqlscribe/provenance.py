"""What an answer came from, and what of that has changed since.

An :class:`Origin` holds short fingerprints, never the things themselves, so it may be kept in a
repository. It is found again by the question and the SQL, not by file and line: it survives
renames, edits above it, and formatting.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

from sqlscribe.identity_cache import identity_cache
from sqlscribe.knowledge.examples import Example
from sqlscribe.knowledge.terms import same_question
from sqlscribe.notation.asks import Question
from sqlscribe.notation.lexicon import Kind, scan
from sqlscribe.notation.stamps import Facts
from sqlscribe.prompting.templates import Templates
from sqlscribe.schema.model import Schema, Table
from sqlscribe.settings import Settings


@dataclass(frozen=True)
class Origin:
    """Fingerprints of the tables that the SQL uses, and of what else stood in its prompt.

    ``rules`` and ``templates`` are ``none`` where there were none, and empty where they did not
    matter. ``kept_for`` is another model than the answer's, for which a person found it still
    right. ``at`` is the day of the answer (``2024-01-31``).
    """

    tables: Mapping[str, str] = field(default_factory=dict)
    examples: Mapping[str, str] = field(default_factory=dict)
    rules: str = ""
    templates: str = ""
    model: str = ""
    kept_for: str = ""
    at: str = ""


@dataclass(frozen=True)
class Known:
    """What a folder knows now, as far as an origin is compared with it.

    ``models`` are those that the settings name, by what ``ask[model=NAME]`` calls them; ``""``
    is the one that is asked unless a question says otherwise.
    """

    schema: Schema
    examples: tuple[Example, ...]
    rules: str
    templates: Templates
    models: Mapping[str, str] = field(default_factory=dict)

    @cached_property
    def tables(self) -> Mapping[str, Table]:
        """The tables by their qualified names."""
        return {table.qualified_name: table for table in self.schema.tables}

    @cached_property
    def example_prints(self) -> Mapping[str, str]:
        """The fingerprint of each example by that of its question."""
        return _prints(*self.examples)

    def asked(self, question: str) -> tuple[Example, ...]:
        """The examples of the same question, whatever their dialect."""
        return self._by_question.get(same_question(question), ())

    @cached_property
    def _by_question(self) -> Mapping[str, tuple[Example, ...]]:
        return _asked(*self.examples)


# Most of what a folder reads anew leaves its examples as they are.
@identity_cache(maxsize=8)
def _prints(*examples: Example) -> Mapping[str, str]:
    return {_short(example.question): _of_example(example) for example in examples}


@identity_cache(maxsize=8)
def _asked(*examples: Example) -> Mapping[str, tuple[Example, ...]]:
    found: dict[str, list[Example]] = {}
    for example in examples:
        found.setdefault(same_question(example.question), []).append(example)
    return {question: tuple(same) for question, same in found.items()}


@dataclass(frozen=True)
class Record:
    """An origin with the answer that it belongs to, as fingerprints.

    ``question`` is what :func:`key_of` gives, ``sql`` what :func:`sql_fingerprint` gives.
    """

    question: str
    sql: str
    origin: Origin


def origin_of(
    used: Iterable[str], examples: Iterable[Example], known: Known, model: str, at: str
) -> Origin:
    """The origin of an answer whose SQL uses the tables ``used`` (qualified names)."""
    return Origin(
        tables={name: _of_table(known.tables[name]) for name in used if name in known.tables},
        examples={_short(e.question): _of_example(e) for e in examples},
        rules=_of_rules(known.rules),
        templates=_of_templates(known.templates),
        model=model,
        at=at,
    )


def changes(origin: Origin, known: Known, asks_for: str | None = "") -> tuple[str, ...]:
    """What has changed since, each in words such as ``orders changed``.

    ``asks_for`` is what the question calls its model, ``None`` where any model will do.
    """
    found: list[str] = []
    for name, fingerprint in origin.tables.items():
        if name not in known.tables:
            found.append(f"{name} is gone")
        elif _of_table(known.tables[name]) != fingerprint:
            found.append(f"{name} changed")
    if origin.examples:
        now = known.example_prints
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
    if model := _other_model(origin, known, asks_for):
        found.append(f"the model is {model} now")
    return tuple(found)


def _other_model(origin: Origin, known: Known, asks_for: str | None) -> str:
    """The model that would be asked now, where it is another one."""
    now = "" if asks_for is None else known.models.get(asks_for, "")
    was_asked = bool(origin.model) and origin.model not in _OWN_CHOICE
    return now if was_asked and now not in (origin.model, origin.kept_for) else ""


def models_of(settings: Settings) -> dict[str, str]:
    """The models that settings name, for :class:`Known`; what is found out counts for nothing."""
    named = {"": settings.model.name, **{key: each.name for key, each in settings.models.items()}}
    return {key: name for key, name in named.items() if name not in _OWN_CHOICE}


_OWN_CHOICE = frozenset({"auto", "editor", "verified"})


def accepted(origin: Origin, known: Known, asks_for: str = "") -> Origin:
    """The origin as it would be now, for an answer that a person finds still right."""
    tables, now = known.tables, known.example_prints
    return replace(
        origin,
        tables={name: _of_table(tables[name]) for name in origin.tables if name in tables},
        examples={name: now[name] for name in origin.examples if name in now},
        rules=_of_rules(known.rules) if origin.rules else "",
        templates=_of_templates(known.templates) if origin.templates else "",
        kept_for=_other_model(origin, known, asks_for) or origin.kept_for,
    )


def schema_fingerprint(used: Iterable[str], known: Known) -> str:
    """One fingerprint of the tables ``used`` together, ``""`` where none of them is known."""
    prints = sorted((name, _of_table(known.tables[name])) for name in used if name in known.tables)
    return _short(repr(prints)) if prints else ""


def key_of(question: Question) -> str:
    """What an origin is kept under: the words of the question and of its refinements.

    An error message is none of them: it goes once the statement is repaired. ``""`` where
    nothing was asked.
    """
    said = [same_question(turn.text) for turn in question.chain if turn.kind != "error"]
    return _short("\n".join(said), 24) if said else ""


def facts_of(record: Record) -> Facts:
    """A record as the facts of a stamp, the most telling ones first."""
    origin = record.origin
    facts = [("at", origin.at), ("model", origin.model), ("kept_for", origin.kept_for)]
    facts += [("question", record.question), ("sql", record.sql)]
    facts += [("rules", origin.rules), ("templates", origin.templates)]
    facts += [("table", f"{name}:{was}") for name, was in origin.tables.items()]
    facts += [("example", f"{name}:{was}") for name, was in origin.examples.items()]
    return tuple((key, value) for key, value in facts if value)


def record_of(facts: Facts) -> Record | None:
    """The record that :func:`facts_of` made the facts of; ``None`` if they are of another sort."""
    one = dict(facts)
    if not one.get("question") or not one.get("sql"):
        return None

    def several(key: str) -> dict[str, str]:
        pairs = [value.rpartition(":") for name, value in facts if name == key]
        return {name: was for name, _, was in pairs if name}

    origin = Origin(
        tables=several("table"),
        examples=several("example"),
        rules=one.get("rules", ""),
        templates=one.get("templates", ""),
        model=one.get("model", ""),
        kept_for=one.get("kept_for", ""),
        at=one.get("at", ""),
    )
    return Record(one["question"], one["sql"], origin)


_NONE = "none"
_WORD_OR_SIGN = re.compile(r"\w+|[^\w\s]")


def sql_fingerprint(sql: str, dialect: str) -> str:
    """The same for SQL that differs in blanks, comments and letter case of words only."""
    parts: list[str] = []
    for piece in scan(sql, dialect):
        text = sql[piece.start : piece.end]
        if piece.kind is Kind.CODE:
            parts += _WORD_OR_SIGN.findall(text.casefold().replace(";", " "))
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
    return _short(" ".join(rules.split())) if rules.strip() else _NONE


def _of_templates(templates: Templates) -> str:
    """Only the workspace's own count: an upgrade of this program makes no answer stale."""
    own = sorted(templates.workspace.items())
    return _short(repr(own)) if own else _NONE


def _short(text: str, length: int = 12) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:length]


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _is(number: int) -> str:
    return "is" if number == 1 else "are"
