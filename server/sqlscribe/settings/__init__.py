"""Settings of a workspace folder, from ``sqlscribe.toml`` and from the editor.

parsed = parse_toml(text)                  findings at their place in the text
client, problems = from_client(data)       the same settings as the editor sends them
settings = merge(parsed.settings, client)  what is in force
key = key_for(settings.model, environment)
"""

from __future__ import annotations

import ast
import inspect
import re
import tomllib
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import attrs

from sqlscribe.notation.document import Document, Position, Span, TextEdit
from sqlscribe.notation.findings import Finding, Fix, Severity
from sqlscribe.redaction import SECRET_PARAMETER
from sqlscribe.settings import fields
from sqlscribe.settings.fields import (
    CheckSettings,
    DatabaseSettings,
    EmbeddingSettings,
    LimitSettings,
    LogSettings,
    ModelSettings,
    Origin,
    PrivacySettings,
    PromptSettings,
    Settings,
    choices_of,
    keys_of,
)
from sqlscribe.settings.merging import (
    ClientSettings,
    database_url,
    from_workspace,
    is_users_own,
    key_for,
    merge,
    trusting,
)
from sqlscribe.settings.places import Places, places
from sqlscribe.settings.reading import Problem, read

__all__ = [
    "CONFIGURATION",
    "CheckSettings",
    "ClientSettings",
    "DatabaseSettings",
    "EmbeddingSettings",
    "LimitSettings",
    "LogSettings",
    "ModelSettings",
    "Origin",
    "Parsed",
    "PrivacySettings",
    "PromptSettings",
    "Row",
    "Settings",
    "allowed_values",
    "database_url",
    "describe",
    "from_client",
    "is_users_own",
    "key_for",
    "merge",
    "parse_toml",
    "trusting",
]

CONFIGURATION = "sqlscribe.toml"
"""The file at the root of a workspace folder that holds its settings."""


class Parsed(NamedTuple):
    """``settings`` is ``None`` where a finding is an error: the last good ones stay then."""

    settings: Settings | None
    findings: tuple[Finding, ...] = ()


def parse_toml(text: str) -> Parsed:
    """Settings from the text of ``sqlscribe.toml``; an empty text gives the defaults."""
    try:
        # A byte order mark is no TOML, but editors on Windows write one.
        data = tomllib.loads(text.removeprefix("\ufeff"))
    except RecursionError:
        return Parsed(None, (_syntax("nested too deeply", Span(0, 0)),))
    except ValueError as error:
        return Parsed(None, (_syntax_error(text, str(error)),))
    values, problems = read(data)
    findings: tuple[Finding, ...] = ()
    if problems:
        where = places(text)
        findings = tuple(_finding(problem, where, text) for problem in problems)
    if not all(problem.counts for problem in problems):
        return Parsed(None, findings)
    settings = from_workspace(values)
    remarks = (*_without_effect(settings, text), *_password(settings, text))
    return Parsed(settings, (*findings, *remarks))


def _without_effect(settings: Settings, text: str) -> Iterator[Finding]:
    """Say so where a setting wants a database, and none is named."""
    asked = {
        ("database", "run_queries"): settings.database.run_queries,
        ("privacy", "values"): settings.privacy.values == "samples",
    }
    for path, is_asked in asked.items():
        if is_asked and not settings.database.url:
            message = f"{'.'.join(path)} has no effect without database.url"
            span = places(text).value(path)
            yield Finding("config/no-effect", Severity.INFORMATION, message, span)


_PASSWORD = re.compile(
    r"://[^/?#:@]*:(?![^@]*\$\{)[^/?#]+@(?!localhost\b|127\.|\[::1\])"
    # The path of a file with a key is no secret.
    rf"|[?&](?!\w*(?:path|file)=){SECRET_PARAMETER}=(?!\$\{{|&|$)",
    re.IGNORECASE,
)


def _password(settings: Settings, text: str) -> Iterator[Finding]:
    """Say so where the address of a database holds a password, but for one on this machine."""
    if _PASSWORD.search(settings.database.url):
        message = (
            "a password does not belong into a file; put it into an environment variable, "
            "and write ${NAME} here"
        )
        span = places(text).value(("database", "url"))
        yield Finding("config/key-in-file", Severity.WARNING, message, span)


def from_client(data: object) -> tuple[ClientSettings, tuple[str, ...]]:
    """Settings as an editor sends them, and a sentence for each one that is not usable.

    ``null`` means not set. Keys may be nested or dotted (``"model.name"``), and may stand
    under ``sqlscribe``. What is wrong is left out; the rest applies.
    """
    if not data:
        # Editors in Lua send an empty list for an empty table.
        return ClientSettings(), ()
    if not isinstance(data, Mapping):
        return ClientSettings(), ("the editor's settings are not a table",)
    tree = _nested(data)
    if isinstance(inner := tree.get("sqlscribe"), Mapping):
        tree = _nested(inner)
    problems: list[str] = []
    trusted = tree.pop("trusted", None)
    if not isinstance(trusted, bool | None):
        problems.append("trusted: trusted takes true or false")
        trusted = None
    values, found = read(_set_only(tree))
    problems += [f"{'.'.join(problem.path)}: {problem.message}" for problem in found]
    return ClientSettings(values, trusted), tuple(problems)


class Row(NamedTuple):
    """One key as the documentation shows it."""

    key: str
    type: str
    default: str
    meaning: str


def describe() -> tuple[Row, ...]:
    """Every key with its type, its default and its meaning, in the order of the classes."""
    return tuple(_rows(Settings, ()))


_TYPES = {str: "string", bool: "true or false", int: "whole number", float: "number"}


def _rows(table: type, path: tuple[str, ...]) -> Iterator[Row]:
    meanings = _meanings()[table.__name__]
    for name, field in keys_of(table).items():
        if attrs.has(field.type or object):
            yield from _rows(field.type or object, (*path, name))
        else:
            key = ".".join((*path, name))
            yield Row(key, _type(field), _written(field.default), meanings[name])


def allowed_values(key: str) -> tuple[str, ...]:
    """The only values that a key such as ``privacy.values`` takes; empty where any will do."""
    *tables, name = key.split(".")
    kind: Any = Settings
    for table in tables:
        field = keys_of(kind).get(table)
        kind = field.type if field is not None else None
        if kind is None or not attrs.has(kind):
            return ()
    field = keys_of(kind).get(name)
    if field is None:
        return ()
    return ("true", "false") if field.type is bool else choices_of(field)


def _type(field: attrs.Attribute[Any]) -> str:
    if field.name == "models":
        return "tables like model"
    if field.name == "variables":
        return "table of names"
    if field.metadata.get("kind") != "dialect" and (choices := choices_of(field)):
        return ", ".join(f"`{choice}`" for choice in choices)
    if field.type == tuple[str, ...]:
        return "list of strings"
    kind = field.type or str
    return _TYPES[getattr(kind, "__args__", (kind,))[0]]


def _written(default: object) -> str:
    """A default as TOML writes it, ``""`` for none."""
    if default is None or isinstance(default, attrs.Factory):  # type: ignore[arg-type]
        return ""
    if isinstance(default, bool):
        return str(default).lower()
    if isinstance(default, tuple):
        return f"[{', '.join(_written(item) for item in default)}]"
    return f'"{default}"' if isinstance(default, str) else f"{default:g}"


def _meanings() -> dict[str, dict[str, str]]:
    """The string under each field of each class; Python itself does not keep them."""
    meanings: dict[str, dict[str, str]] = {}
    for node in ast.parse(inspect.getsource(fields)).body:
        if isinstance(node, ast.ClassDef):
            documented = meanings.setdefault(node.name, {})
            for one, next_one in zip(node.body, node.body[1:], strict=False):
                match one, next_one:
                    case (
                        ast.AnnAssign(target=ast.Name(id=name)),
                        ast.Expr(value=ast.Constant(value=str(meaning))),
                    ):
                        documented[name] = " ".join(meaning.split())
    return meanings


def _nested(data: Mapping[Any, object]) -> dict[str, object]:
    """The editor's data with the dotted keys of its first level unfolded."""
    tree: dict[str, object] = {}
    for key, value in data.items():
        *tables, name = str(key).split(".")
        inner = tree
        for table in tables:
            deeper = inner.get(table)
            inner[table] = inner = dict(deeper) if isinstance(deeper, Mapping) else {}
        known = inner.get(name)
        if isinstance(value, Mapping) and isinstance(known, Mapping):
            inner[name] = {**known, **value}
        else:
            inner[name] = value
    return tree


def _set_only(data: Mapping[Any, object], depth: int = 3) -> dict[str, object]:
    """The data without ``null``, which means not set, and with text as its keys."""
    return {
        str(key): _set_only(value, depth - 1) if depth and isinstance(value, Mapping) else value
        for key, value in data.items()
        if value is not None
    }


_PLACE = re.compile(r" ?\(at (?:line (\d+), column (\d+)|end of document)\)")


def _syntax_error(text: str, message: str) -> Finding:
    """A finding for what ``tomllib`` says, up to the end of the line it happened on."""
    document = Document("", text)
    place = _PLACE.search(message)
    if place and place[1]:
        shift = 1 if text.startswith("\ufeff") and place[1] == "1" else 0
        position = Position(int(place[1]) - 1, int(place[2]) - 1 + shift)
        start = document.offset(position)
    else:
        start = len(text.rstrip())
    line = document.line_span(document.line_of(start))
    if not text[start : line.end].strip():
        # Nothing is left of the line: what is missing belongs to what stands before.
        start = line.start
    return _syntax(_PLACE.sub("", message), Span(start, max(line.end, start)))


def _syntax(message: str, span: Span) -> Finding:
    sentence = message[:1].lower() + message.partition(";")[0][1:]
    return Finding("config/syntax", Severity.ERROR, f"this is not TOML: {sentence}", span)


def _finding(problem: Problem, where: Places, text: str) -> Finding:
    span = where.key(problem.path) if problem.at_key else where.value(problem.path)
    fixes: tuple[Fix, ...] = ()
    if problem.instead:
        written = span.of(text)
        if problem.at_key:
            tables = written.rpartition(".")
            new = f"{tables[0]}{tables[1]}{problem.instead}"
        else:
            new = f'"{problem.instead}"'
        edit = TextEdit(span, new)
        fixes = (Fix(f"Change to {problem.instead}", (edit,), preferred=True),)
    severity = Severity.WARNING if problem.counts else Severity.ERROR
    return Finding(problem.code, severity, problem.message, span, fixes)
