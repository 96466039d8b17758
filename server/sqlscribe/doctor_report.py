"""``sqlscribe doctor --report``: what a person may paste into a public issue.

Only what is known to be harmless goes in: versions, counts, codes, values out of closed lists.
A text that somebody has written (a path, an address, a name) is told by its kind or its length.
Names of models are the one exception, and what is private in them is masked.
"""

from __future__ import annotations

import asyncio
import getpass
import platform
import re
import socket
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import attrs

from sqlscribe import __version__, doctor
from sqlscribe.answer_history import Answered, History, now
from sqlscribe.errors import ModelError
from sqlscribe.loading import Loaded
from sqlscribe.models.providers import KEY_VARIABLES, is_loopback
from sqlscribe.redaction import MASK, Redactor
from sqlscribe.session import Session
from sqlscribe.settings import CONFIGURATION, ModelSettings, Settings
from sqlscribe.settings.fields import choices_of, keys_of
from sqlscribe.workspace import Workspace

_DAYS = 30
_BACKENDS = frozenset(
    {"bigquery", "duckdb", "mariadb", "mssql", "mysql", "oracle", "postgresql", "snowflake",
     "sqlite"}
)  # fmt: skip
_PRIVATE_PLACE = re.compile(r"(?:^|(?<=/))(?:/|~|[A-Za-z]:[\\/]|arn:).*|\\.*", re.DOTALL)
"""What of a model's name is a path on this machine, or an account at a provider."""
_LONG_NUMBER = re.compile(r"\d{9,}")


async def report(session: Session, root: Path) -> str:
    """The text. Nothing is asked of a model."""
    await session.load(root)
    remark = await session.see_database(root)
    loaded = await session.load(root)
    workspace = await session.workspace(root)
    facts = await asyncio.to_thread(_facts, workspace, loaded, remark)
    width = max(map(len, facts))
    said = [f"{name:<{width}}  {fact}" for name, fact in facts.items()]
    settings = [f"  {line}" for line in _settings(loaded.settings, workspace.redactor())]
    head = "settings that are not the usual ones:" if settings else "settings: the usual ones"
    return "\n".join(["SQLScribe report", *said, head, *settings])


def _facts(workspace: Workspace, loaded: Loaded, database_remark: str) -> dict[str, str]:
    counts = workspace.index.sync(loaded)
    model, _ = workspace.models.resolved(loaded.settings.model)
    redact = workspace.redactor()
    environment = workspace.environment()
    keys = [name for name in sorted(set(KEY_VARIABLES.values())) if environment.get(name)]
    tables = loaded.schema.tables
    guessed = "" if loaded.settings.dialect else " (guessed)"
    configured = workspace.root is not None and (workspace.root / CONFIGURATION).is_file()
    in_memory = " (not kept on disk)" if workspace.index.remark else ""
    return {
        "sqlscribe": __version__,
        "python": f"{platform.python_implementation()} {platform.python_version()}{_environment()}",
        "platform": f"{platform.system()} {_without_names(platform.release())} "
        f"{platform.machine()}",
        "libraries": doctor.libraries(),
        "drivers": doctor.drivers(),
        "configuration": CONFIGURATION if configured else "none",
        "dialect": f"{loaded.dialect}{guessed}" if loaded.dialect else "not known",
        "schema": f"{_number(tables, 'table')}, "
        f"{sum(len(table.columns) for table in tables)} columns, "
        f"{sum(len(table.foreign_keys) for table in tables)} foreign keys",
        "knowledge": f"{_number(loaded.examples, 'example')}, {len(loaded.notes)} notes, "
        f"{len(loaded.profiles)} profiles, {len(loaded.rules)} characters of rules",
        "findings": _counted(f.code for file in loaded.findings for f in file.findings),
        "index": f"{sum(counts.values())} entries{in_memory}",
        "model": _model(model, redact),
        "keys": ", ".join(keys) or "none",
        "database": _database(loaded.settings, database_remark),
        "remarks": str(len(workspace.remarks(loaded))),
        **_past(workspace.history),
    }


def _model(model: ModelSettings, redact: Redactor) -> str:
    if model.name in ("verified", "editor"):
        return model.name
    return f"{_model_name(model.name, redact)}, {_place(model.api_base)}"


def _environment() -> str:
    return " in a virtual environment" if sys.prefix != sys.base_prefix else ""


def _number(things: Iterable[object], name: str) -> str:
    number = len(tuple(things))
    return f"{number} {name}{'' if number == 1 else 's'}"


def _counted(names: Iterable[str]) -> str:
    return ", ".join(f"{name} {number}" for name, number in Counter(names).most_common()) or "none"


def _past(history: History) -> dict[str, str]:
    """What came of the questions of the last days, and what went wrong, by kind."""
    today = now().date()
    kept = history.read(today - timedelta(_DAYS), today)
    answers = [event for event in kept.events if isinstance(event, Answered)]
    kinds = _kinds(ModelError) | {"template", "configuration"}
    failed = [event for event in answers if event.error in kinds]
    latest = {event.error: event.at for event in failed}
    counts = Counter(event.error for event in failed)
    errors = ", ".join(
        f"{kind} {number} (last {latest[kind]:%Y-%m-%d %H:%M})"
        for kind, number in counts.most_common()
    )
    outcomes = {"sql", "needs_choice", "insufficient", "refused", "no_sql", "truncated", "failed",
                "cancelled"}  # fmt: skip
    return {
        f"answers of {_DAYS} days": _counted(e.outcome for e in answers if e.outcome in outcomes),
        f"errors of {_DAYS} days": errors or "none",
        "history": f"{kept.damaged} damaged lines" if kept.damaged else "not damaged",
    }


def _kinds(error: type[ModelError]) -> set[str]:
    return {error.kind}.union(*(_kinds(inner) for inner in error.__subclasses__()))


# Settings


def _settings(settings: Settings, redact: Redactor) -> Iterator[str]:
    for path, field, value, usual in _leaves(settings, Settings(), ()):
        if value == usual:
            continue
        if path == ("models",):
            for number, model in enumerate(value.values(), 1):
                inner = _leaves(model, ModelSettings(), ("models", str(number)))
                for place, of, said, default in inner:
                    if said != default:
                        yield f"{'.'.join(place)} = {_said(of, said, redact)}"
        else:
            yield f"{'.'.join(path)} = {_said(field, value, redact)}"
    if settings.not_used:
        yield f"not used, since the workspace is not trusted: {len(settings.not_used)}"


_Leaf = tuple[tuple[str, ...], "attrs.Attribute[Any]", Any, Any]


def _leaves(settings: Any, usual: Any, path: tuple[str, ...]) -> Iterator[_Leaf]:
    for name, field in keys_of(type(settings)).items():
        here = (*path, name)
        value, default = getattr(settings, name), getattr(usual, name)
        if attrs.has(type(value)):
            yield from _leaves(value, default, here)
        else:
            yield here, field, value, default


def _said(field: attrs.Attribute[Any], value: Any, redact: Redactor) -> str:
    """A value as far as it is no secret."""
    kind = field.metadata.get("kind")
    if isinstance(value, bool | int | float) or choices_of(field) or kind == "encoding":
        return str(value).lower() if isinstance(value, bool) else str(value)
    match kind:
        case "name":
            return _model_name(value, redact)
        case "address":
            return _place(value)
        case "variable":
            return value if value in KEY_VARIABLES.values() else "a variable of its own"
        case "code":
            return ", ".join(value)
        case "secret":
            return "set"
    if isinstance(value, str):
        return f"{len(value)} characters"
    return f"{len(value)} given" if value is not None else "none"


def _place(address: str | None) -> str:
    if address is None:
        return "at its provider"
    if is_loopback(address):
        return f"at port {urlsplit(address).port or 'usual'} of this machine"
    return f"at {urlsplit(address).scheme}://{MASK}"


def _database(settings: Settings, remark: str) -> str:
    url = settings.database.url.strip()
    if not url:
        return "none"
    backend = url.partition(":")[0].partition("+")[0].lower()
    named = backend if backend in _BACKENDS else "some"
    return f"{named}, {'not read' if remark else 'read'}"


def _model_name(name: str, redact: Redactor) -> str:
    masked = _LONG_NUMBER.sub(MASK, _PRIVATE_PLACE.sub(MASK, redact(name)))
    return _without_names(masked)


def _without_names(text: str) -> str:
    """The text without the name of the person and of their machine."""
    host = socket.gethostname()
    for name in (_user(), host, host.partition(".")[0]):
        if len(name) > 1:
            text = re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", MASK, text, flags=re.IGNORECASE)
    return text


def _user() -> str:
    try:
        return getpass.getuser()
    except (KeyError, OSError, ImportError):
        # There is no such account, as in some containers.
        return Path.home().name
