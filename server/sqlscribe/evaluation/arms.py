"""Arms: the ways of asking that are compared, from a TOML file.

    [common]                        # for every arm
    model.name = "openai/local"

    [arms.ours]                     # the first arm is the reference of all differences

    [arms.plain]
    description = "the schema as text, and the question"
    templates = ["plain"]           # folders beside this file; their templates replace ours by name
    examples = false                # no examples in the prompt, and none that answers
    verified = false                # the model is asked even where an example answers
    checked = false                 # the SQL of the reply counts, whatever our checker says
    turns = true                    # lines [[user]] and [[assistant]] in a template begin messages
    profiles = true                 # distinct values are read from the question's database
    model.max_repairs = 0

All other keys are settings of ``sqlscribe.toml`` and win over the workspace's.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

from sqlscribe.errors import ConfigurationError
from sqlscribe.models.providers import is_loopback
from sqlscribe.settings import ClientSettings, from_client


@dataclass(frozen=True)
class Arm:
    """One way of asking. ``client`` are its settings over those of the workspace.

    ``templates`` are the only ones beside the shipped ones; ``None`` for the workspace's.
    The other fields are described at the head of this file.
    """

    name: str
    description: str = ""
    client: ClientSettings = field(default_factory=ClientSettings)
    templates: Mapping[str, str] | None = None
    examples: bool = True
    verified: bool = True
    checked: bool = True
    turns: bool = False
    profiles: bool = False


_SWITCHES = tuple(f.name for f in fields(Arm) if f.type == "bool")

Tree = dict[str, Any]


def alone(overrides: Sequence[str] = ()) -> tuple[Arm, ...]:
    """The workspace as it is, under the name ``workspace``."""
    return (_arm("workspace", {}, _overrides(overrides), Path()),)


def read_arms(
    path: Path, overrides: Sequence[str] = (), only: Sequence[str] = ()
) -> tuple[Arm, ...]:
    """The arms of a file in its order, or those named in ``only`` in that order.

    ``overrides`` are settings for every arm, ``KEY=VALUE`` each. Raises ``ConfigurationError``.
    """
    try:
        data = tomllib.loads(path.read_text("utf-8-sig"))
    except OSError as error:
        raise ConfigurationError(f"{path}: {error.strerror or error}") from error
    except ValueError as error:
        raise ConfigurationError(f"{path}: {error}") from error
    if unknown := data.keys() - {"common", "arms"}:
        raise ConfigurationError(f"{path}: unknown key {min(unknown)}; known are common and arms")
    arms, common = data.get("arms"), data.get("common", {})
    if not isinstance(arms, dict) or not arms:
        raise ConfigurationError(f"{path}: there are no arms, such as [arms.ours]")
    if missing := [name for name in only if name not in arms]:
        known = ", ".join(arms)
        raise ConfigurationError(f"{path}: no arm is called {missing[0]!r}; there are: {known}")
    given = _overrides(overrides)
    found = []
    for name in only or arms:
        if not isinstance(arms[name], dict) or not isinstance(common, dict):
            raise ConfigurationError(f"{path}: [arms.{name}] and [common] are tables")
        merged = _merged(common, arms[name])
        _check_addresses(merged, f"{path}: [arms.{name}]")
        found.append(_arm(name, merged, given, path.parent))
    return tuple(found)


def _arm(name: str, data: Tree, overrides: Tree, folder: Path) -> Arm:
    data = _merged(data, overrides)
    own: dict[str, Any] = {}
    for key in ("description", *_SWITCHES):
        if key in data:
            own[key] = data.pop(key)
            expected = bool if key in _SWITCHES else str
            if not isinstance(own[key], expected):
                what = "true or false" if expected is bool else "text"
                raise ConfigurationError(f"arm {name}: {key} takes {what}")
    if "templates" in data:
        own["templates"] = _templates(data.pop("templates"), folder, name)
    client, problems = from_client(data)
    if problems:
        raise ConfigurationError(f"arm {name}: {problems[0]}")
    return Arm(name=name, client=client, **own)


def _merged(under: Tree, over: Tree) -> Tree:
    """``over`` on ``under``, tables within one another."""
    result = dict(under)
    for key, value in over.items():
        old = result.get(key)
        is_table = isinstance(old, dict) and isinstance(value, dict)
        result[key] = _merged(old or {}, value) if is_table else value
    return result


def _overrides(given: Iterable[str]) -> Tree:
    tree: Tree = {}
    for text in given:
        key, equals, value = text.partition("=")
        if not equals:
            raise ConfigurationError(f"--set {text}: write it as KEY=VALUE")
        try:
            one = tomllib.loads(f"{key}={value}")
        except ValueError:
            # A bare word is text, so that a shell's quotes need not be quoted again.
            try:
                one = tomllib.loads(f"{key}={_quoted(value)}")
            except ValueError as error:
                raise ConfigurationError(f"--set {text}: {error}") from error
        tree = _merged(tree, one)
    return tree


def _quoted(value: str) -> str:
    escaped = value.strip().replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def _check_addresses(tree: Tree, place: str) -> None:
    """An arms file may come with a repository, so it must not send a user's key elsewhere."""
    models = tree.get("models")
    tables = [tree.get("model"), tree.get("embedding")]
    tables += list(models.values()) if isinstance(models, dict) else []
    for table in tables:
        if not isinstance(table, dict):
            continue
        address = table.get("api_base")
        if isinstance(address, str) and not is_loopback(address) and "api_key_env" not in table:
            message = f"{place}: api_base needs api_key_env beside it, the key that it may get"
            raise ConfigurationError(message)


def _templates(given: object, beside: Path, name: str) -> dict[str, str]:
    """The templates of one folder or of several, of which the later ones win."""
    names = [given] if isinstance(given, str) else given
    if not isinstance(names, list) or not all(isinstance(one, str) for one in names):
        raise ConfigurationError(f"arm {name}: templates takes a folder or a list of folders")
    found: dict[str, str] = {}
    for folder in (beside / one for one in names):
        if not folder.is_dir():
            raise ConfigurationError(f"arm {name}: there is no folder {folder}")
        try:
            for file in sorted(folder.rglob("*.j2")):
                found[file.relative_to(folder).as_posix()] = file.read_text("utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise ConfigurationError(f"arm {name}: a template cannot be read: {error}") from error
    if not found:
        raise ConfigurationError(f"arm {name}: there is no template (*.j2) in its folders")
    return found
