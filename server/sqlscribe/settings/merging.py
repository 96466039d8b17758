"""Which settings are in force, and who may receive a key.

A workspace must not redirect a user's key. An address that a workspace file names gets a key
only if the same table of that file names the key's variable too, or if the user trusts the
workspace; and without that trust only where the address is on this machine, or is that of the
provider whose key the variable holds. Where the user distrusts it, its addresses, templates and
database are not used.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import TypeVar
from urllib.parse import urlsplit

import attrs

from sqlscribe.errors import ConfigurationError
from sqlscribe.models.providers import (
    KEY_VARIABLES,
    TAKES_ANY_KEY,
    is_loopback,
    is_owners,
    key_variable,
    provider_of,
)
from sqlscribe.settings.fields import (
    DatabaseSettings,
    EmbeddingSettings,
    ModelSettings,
    Origin,
    Settings,
)
from sqlscribe.settings.reading import Values

Served = TypeVar("Served", ModelSettings, EmbeddingSettings)


@attrs.frozen
class ClientSettings:
    """The settings that an editor sets, and whether its user trusts the workspace.

    ``trusted`` is ``None`` where the editor does not say.
    """

    values: Values = attrs.field(factory=dict)
    trusted: bool | None = None


TRUSTED_FOLDERS = "SQLSCRIBE_TRUSTED_FOLDERS"
"""Variable of the user's environment: folders, as in ``PATH``, whose workspaces are trusted."""


def trusting(
    client: ClientSettings, root: Path | None, environment: Mapping[str, str]
) -> ClientSettings:
    """``client`` with the trust that the user's environment gives to a folder, or to one around.

    What an editor says of its user's trust comes first. ``environment`` must not be one that
    the folder has a say in.
    """
    if client.trusted is not None or root is None:
        return client
    listed = environment.get(TRUSTED_FOLDERS, "").split(os.pathsep)
    folders = (Path(folder).expanduser().resolve() for folder in listed if folder)
    if any(root.resolve().is_relative_to(folder) for folder in folders):
        return attrs.evolve(client, trusted=True)
    return client


def from_workspace(values: Values) -> Settings:
    """The settings of a workspace file; its addresses are marked as its own."""
    return _applied(Settings(), values, Origin.WORKSPACE)


def merge(file: Settings, client: ClientSettings | None = None) -> Settings:
    """The settings in force: what the editor sets wins over the workspace file.

    ``not_used`` of the result tells what was left out because it is not trusted.
    """
    client = client or ClientSettings()
    left_out: list[str] = []
    if client.trusted is False:
        file = _distrusted(file, left_out)
    elif client.trusted is True:
        file = _trusted(file)
    merged = _applied(file, client.values, Origin.USER)
    guarded = attrs.evolve(
        merged,
        database=_guarded_database(merged.database, left_out),
        model=_guarded(merged.model, "model", left_out),
        models={
            name: _guarded(model, f"models.{name}", left_out)
            for name, model in merged.models.items()
        },
        embedding=_guarded(merged.embedding, "embedding", left_out),
    )
    return attrs.evolve(guarded, not_used=tuple(left_out))


def key_for(model: ModelSettings | EmbeddingSettings, environment: Mapping[str, str]) -> str | None:
    """The API key to send to a model, ``None`` where there is none that it may get."""
    variable = model.api_key_env
    if variable is None and not _is_workspace_address(model):
        variable = key_variable(model.name)
    return environment.get(variable or "", "").strip() or None


_REFERENCE = re.compile(r"\$\{([^}]*)\}")


def database_url(database: DatabaseSettings, environment: Mapping[str, str]) -> str:
    """The database's URL with ``${NAME}`` filled in from the environment.

    Raises ``ConfigurationError`` for a variable that is not set, and for one that holds the
    key of a model: a workspace could send it to a database of its choice.
    """

    def value(match: re.Match[str]) -> str:
        name = match[1]
        if name in KEY_VARIABLES.values():
            raise ConfigurationError(f"database.url may not use {name}, the key of a model")
        if name not in environment:
            raise ConfigurationError(f"database.url: the variable {name} is not set")
        return environment[name]

    return _REFERENCE.sub(value, database.url)


def _applied(settings: Settings, values: Values, origin: Origin) -> Settings:
    """``settings`` with ``values`` in place of what they had."""
    changes: Values = {}
    for key, value in values.items():
        old = getattr(settings, key)
        if key == "models":
            changes[key] = dict(old)
            for name, model in value.items():
                changes[key][name] = _served(old.get(name, ModelSettings()), model, origin)
        elif key == "model":
            changes[key] = _served(settings.model, value, origin)
        elif key == "embedding":
            changes[key] = _served(settings.embedding, value, origin)
        elif key == "database":
            named = {"origin": origin} if value.get("url") else {}
            changes[key] = attrs.evolve(old, **value, **named)
        elif attrs.has(type(old)):
            changes[key] = attrs.evolve(old, **value)
        else:
            changes[key] = value
    return attrs.evolve(settings, **changes)


def _served(old: Served, values: Values, origin: Origin) -> Served:
    if "api_base" in values:
        return attrs.evolve(old, **values, origin=origin)
    if _is_workspace_address(old):
        # The user's key is meant for another address than the one the workspace names.
        values = {key: value for key, value in values.items() if key != "api_key_env"}
    return attrs.evolve(old, **values)


def _is_workspace_address(served: ModelSettings | EmbeddingSettings) -> bool:
    return served.api_base is not None and served.origin is Origin.WORKSPACE


def _trusted(settings: Settings) -> Settings:
    """The file's settings as if the user had written them."""
    origin = Origin.USER
    return attrs.evolve(
        settings,
        model=attrs.evolve(settings.model, origin=origin),
        models={
            name: attrs.evolve(model, origin=origin) for name, model in settings.models.items()
        },
        embedding=attrs.evolve(settings.embedding, origin=origin),
        database=attrs.evolve(settings.database, origin=origin),
    )


def _distrusted(file: Settings, left_out: list[str]) -> Settings:
    """The file's settings without what could send text or keys elsewhere, or run.

    A model whose address is not used is not asked under its name either: that could be
    another model of the same name, at a provider the workspace never meant.
    """
    models = {"model": file.model, **{f"models.{n}": m for n, m in file.models.items()}}
    for name, model in models.items():
        if model.api_base:
            left_out.append(_untrusted(f"{name}.api_base"))
            models[name] = attrs.evolve(model, api_base=None, api_key_env=None, name="auto")
    embedding = file.embedding
    if embedding.api_base:
        left_out.append(_untrusted("embedding.api_base"))
        embedding = EmbeddingSettings()
    if file.database.url:
        left_out.append(_untrusted("database"))
    if file.prompts != Settings().prompts:
        left_out.append(_untrusted("prompts.folder"))
    return attrs.evolve(
        file,
        model=models.pop("model"),
        models={name.removeprefix("models."): model for name, model in models.items()},
        embedding=embedding,
        database=DatabaseSettings(),
        prompts=attrs.evolve(file.prompts, folder=""),
    )


def _guarded(served: Served, table: str, left_out: list[str]) -> Served:
    """Without an address where the library would bring a key of the user's by itself.

    Some providers' libraries read a cloud account's credentials from the environment,
    whatever key they are given.
    """
    if not _is_workspace_address(served):
        return served
    provider = provider_of(served.name)
    variable = served.api_key_env
    if variable and not (is_loopback(served.api_base) or is_owners(served.api_base, variable)):
        host = urlsplit(served.api_base or "").hostname
        left_out.append(
            f"{table}.api_key_env of the workspace is not used, since it would send {variable}"
            f" to {host}: trust the workspace for that"
        )
        served = attrs.evolve(served, api_key_env=None)
    if served.name in ("auto", "builtin", "editor", "verified") or provider in TAKES_ANY_KEY:
        return served
    if served.api_key_env and provider in KEY_VARIABLES:
        return served
    left_out.append(_untrusted(f"{table}.api_base"))
    # Not under its name either: see _distrusted.
    name = type(served)().name
    return attrs.evolve(served, api_base=None, api_key_env=None, name=name)


def _guarded_database(database: DatabaseSettings, left_out: list[str]) -> DatabaseSettings:
    """Without a URL that would send a variable of the user's to an address of the workspace's.

    The whole URL may come from a variable: then it is the user who named the address.
    """
    if database.origin is not Origin.WORKSPACE or _REFERENCE.fullmatch(database.url.strip()):
        return database
    if _REFERENCE.search(database.url) is None or _LOCAL.match(database.url):
        return database
    left_out.append(
        f"{_untrusted('database.url')}; it puts a variable of yours into an address of its own."
        " Keep the whole URL in one variable, or trust the workspace"
    )
    return attrs.evolve(database, url="")


_LOCAL = re.compile(
    r"\s*(?:sqlite|duckdb)\b|[\w+]+://(?:[^@/]*@)?(?:localhost|127\.0\.0\.1|\[::1\])(?=[:/]|\Z)",
    re.IGNORECASE,
)


def is_users_own(database: DatabaseSettings, own: Mapping[str, str]) -> bool:
    """Whether the user named the database, and so may mean any file, and any account.

    ``own`` are the variables of the user alone: those of a folder's ``.env`` are the folder's.
    """
    whole = _REFERENCE.fullmatch(database.url.strip())
    return database.origin is not Origin.WORKSPACE or (whole is not None and whole[1] in own)


def _untrusted(what: str) -> str:
    return f"{what} of the workspace is not used, since the workspace is not trusted"
