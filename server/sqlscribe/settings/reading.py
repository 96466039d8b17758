"""Reads settings from plain data, key by key, and says what is wrong with which key.

What a file or an editor sends becomes a nested dictionary of the values that are set and
valid, under the names of :mod:`sqlscribe.settings.fields`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any
from urllib.parse import urlsplit

import attrs

from sqlscribe.notation.codes import nearest_code, stands_for_some
from sqlscribe.notation.lexicon import dialect_named
from sqlscribe.prompting.meanings import MEANINGS
from sqlscribe.redaction import looks_like_key
from sqlscribe.settings.fields import ModelSettings, Settings, choices_of, keys_of
from sqlscribe.settings.places import Path
from sqlscribe.settings.renamed import Renamed, under_new_names

Values = dict[str, Any]


@dataclass(frozen=True)
class Problem:
    """What is wrong with the key at ``path``; no message holds a value that may be secret.

    ``at_key``: the key itself is wrong, not its value. ``instead`` is the one right spelling.
    ``counts``: the setting is in force all the same.
    """

    code: str
    path: Path
    message: str
    at_key: bool = False
    instead: str = ""
    counts: bool = False


def read(data: Mapping[str, object]) -> tuple[Values, tuple[Problem, ...]]:
    """The valid settings in ``data`` and the problems with the others."""
    data, renamed = under_new_names(data)
    values, problems = _table(Settings, data, ())
    return values, (*map(_renamed, renamed), *problems)


def _renamed(key: Renamed) -> Problem:
    message = f"{key.old[-1]} is called {'.'.join(key.new)} now"
    if key.is_set:
        message += ", which is set too and counts"
    is_near = key.old[:-1] == key.new[:-1] and not key.is_set
    instead = key.new[-1] if is_near else ""
    return Problem("config/renamed-key", key.old, message, True, instead, counts=True)


class _BadValueError(ValueError):
    """Says what the key takes instead. ``instead`` is set where one value is clearly meant."""

    def __init__(self, message: str, instead: str = "") -> None:
        super().__init__(message)
        self.instead = instead


def _table(kind: type, data: Mapping[str, object], path: Path) -> tuple[Values, list[Problem]]:
    values: Values = {}
    problems: list[Problem] = []
    keys = keys_of(kind)
    for key, value in data.items():
        here = (*path, key)
        if key not in keys:
            problems.append(_unknown(key, value, here, kind))
        elif attrs.has(keys[key].type or object):
            _into(values, problems, key, keys[key].type, value, here)
        elif here == ("models",):
            values[key] = {}
            for name, model in _pairs(value, problems, here):
                _into(values[key], problems, name, ModelSettings, model, (*here, name))
        elif here == ("prompts", "variables"):
            values[key] = _aliases(value, problems, here)
        else:
            try:
                values[key] = _value(keys[key], value)
            except _BadValueError as error:
                code = "config/key-in-file" if _holds_key(value) else "config/bad-value"
                message = f"{key} {error}" if code == "config/bad-value" else _KEY_IN_FILE
                problems.append(Problem(code, here, message, instead=error.instead))
    return values, problems


def _into(
    values: Values, problems: list[Problem], key: str, kind: Any, value: object, path: Path
) -> None:
    """Reads a table under a key. A model may be given by its name alone."""
    if kind is ModelSettings and isinstance(value, str):
        value = {"name": value}
    if isinstance(value, Mapping):
        inner, found = _table(kind, value, path)
        values[key] = inner
        problems += found
    else:
        message = f"{key} takes a table, not {_type(value)}"
        problems.append(Problem("config/bad-value", path, message))


def _pairs(value: object, problems: list[Problem], path: Path) -> Iterator[tuple[str, object]]:
    if isinstance(value, Mapping):
        yield from value.items()
    else:
        message = "models takes one table for each model, such as [models.fast]"
        problems.append(Problem("config/bad-value", path, message))


def _aliases(value: object, problems: list[Problem], path: Path) -> dict[str, str]:
    """Further names of template variables, each with what it stands for."""
    if not isinstance(value, Mapping):
        message = "variables takes a table, such as [prompts.variables]"
        problems.append(Problem("config/bad-value", path, message))
        return {}
    names: dict[str, str] = {}
    for name, meaning in value.items():
        if not name.isidentifier() or name in MEANINGS:
            message = f"{_shown(name)} cannot be the further name of a variable"
            problems.append(Problem("config/bad-value", (*path, name), message, at_key=True))
        elif not isinstance(meaning, str) or meaning not in MEANINGS:
            near = get_close_matches(str(meaning), sorted(MEANINGS), 1, 0.5)
            message = f"{name} stands for no variable" + (
                f"; did you mean {near[0]}?" if near else ""
            )
            instead = near[0] if near else ""
            problems.append(Problem("config/bad-value", (*path, name), message, instead=instead))
        else:
            names[name] = meaning
    return names


# Unknown keys

_KEY_IN_FILE = (
    "an API key does not belong into a file; "
    "put it into an environment variable and name that one in api_key_env"
)
_KEY_NAMES = frozenset(
    {"api_key", "apikey", "api-key", "key", "token", "api_token", "access_token", "secret"}
)


def _unknown(key: str, value: object, path: Path, kind: type) -> Problem:
    if _holds_key(value) or (key.lower() in _KEY_NAMES and isinstance(value, str)):
        return Problem("config/key-in-file", path, _KEY_IN_FILE, at_key=True)
    message = f"unknown key {_shown(key)}"
    if homes := list(_homes(key)):
        places = [f"in the table [{'.'.join(home)}]" if home else "at the top" for home in homes]
        message += f" here; it belongs {' or '.join(places)}"
        return Problem("config/unknown-key", path, message, True)
    close = get_close_matches(key.lower(), keys_of(kind), 1, 0.6)
    if close:
        message += f"; did you mean {close[0]}?"
    else:
        message += f" (known here: {', '.join(keys_of(kind))})"
    return Problem("config/unknown-key", path, message, True, close[0] if close else "")


def _homes(key: str) -> Iterator[Path]:
    """The tables that have a key of that name."""
    if key in keys_of(Settings):
        yield ()
    for name, field in keys_of(Settings).items():
        if attrs.has(field.type or object) and key in keys_of(field.type or object):
            yield (name,)


# Values


def _value(field: attrs.Attribute[Any], value: object) -> object:
    """The value in the field's own type; raises :class:`_BadValueError`."""
    if _holds_key(value):
        raise _BadValueError("holds an API key")
    optional = type(None) in getattr(field.type, "__args__", ())
    if optional and value in (None, ""):
        return None
    choices = choices_of(field)
    if choices:
        return _choice(field, value, choices)
    kind = field.type.__args__[0] if optional and field.type else field.type
    read = _READERS[kind]
    result = read(value)
    if isinstance(result, float | int) and not isinstance(result, bool):
        _within(result, field.metadata.get("least"), field.metadata.get("most"))
    if check := _CHECKS.get(field.metadata.get("kind", "")):
        for item in result if isinstance(result, tuple) else (result,):
            check(str(item))
    return result


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise _BadValueError(f"takes a string, not {_type(value)}")
    return value


def _flag(value: object) -> bool:
    if not isinstance(value, bool):
        raise _BadValueError(f"takes true or false, not {_type(value)}")
    return value


def _whole(value: object) -> int:
    if isinstance(value, float) and value.is_integer():
        # JSON knows one kind of number, and some editors send 5.0.
        return int(value)
    if not isinstance(value, int) or isinstance(value, bool):
        raise _BadValueError(f"takes a whole number, not {_type(value)}")
    return value


def _number(value: object) -> float:
    if not isinstance(value, int | float) or isinstance(value, bool):
        raise _BadValueError(f"takes a number, not {_type(value)}")
    try:
        return float(value)
    except OverflowError as error:
        raise _BadValueError("takes a smaller number") from error


def _texts(value: object) -> tuple[str, ...]:
    """A list of strings; a single string stands for a list of one."""
    if isinstance(value, str):
        return (value,)
    if not isinstance(value, list | tuple):
        raise _BadValueError(f"takes a list of strings, not {_type(value)}")
    for item in value:
        if not isinstance(item, str):
            raise _BadValueError(f"takes a list of strings, but one is {_type(item)}")
    return tuple(value)


_READERS: dict[Any, Callable[[object], Any]] = {
    str: _text,
    bool: _flag,
    int: _whole,
    float: _number,
    tuple[str, ...]: _texts,
}


def _choice(field: attrs.Attribute[Any], value: object, choices: tuple[str, ...]) -> str:
    wanted = _text(value)
    folded = wanted.strip().lower()
    if field.metadata.get("kind") == "dialect":
        named = dialect_named(wanted) if wanted else ""
        if named is not None:
            return named
    elif folded in choices:
        return folded
    near = get_close_matches(folded, choices, 3, 0.6)
    said = f"cannot be {_shown(wanted)}"
    if near:
        said += f"; did you mean {' or '.join(near)}?"
    allowed = ", ".join(sorted(choices))
    raise _BadValueError(f"{said} (allowed: {allowed})", near[0] if near else "")


def _within(value: float, least: float | None, most: float | None) -> None:
    # Written so that "not a number" is outside of every range.
    if least is not None and not value >= least:
        raise _BadValueError(f"must be at least {least}")
    if most is not None and not value <= most:
        raise _BadValueError(f"must be at most {most}")
    if value in (float("inf"), float("-inf")):
        raise _BadValueError("takes a smaller number")


def _check_name(value: str) -> None:
    if not value or any(character.isspace() for character in value):
        raise _BadValueError("takes the name of a model, such as openai/gpt-5-mini")
    if "://" in value:
        # Some providers would be asked there, whatever says who may choose an address.
        raise _BadValueError("takes a name without an address; api_base takes that")


_HOST = re.compile(r"(?:[A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\])(?::\d+)?")


def _check_address(value: str) -> None:
    try:
        parts = urlsplit(value)
        # What two programs could read as two hosts is none.
        plain = parts.scheme in ("http", "https") and bool(_HOST.fullmatch(parts.netloc))
        plain = plain and bool(parts.hostname) and "\\" not in value
        plain = plain and not (parts.query or parts.username or parts.password)
        plain = plain and (parts.port is None or parts.port > 0)
    except ValueError:
        plain = False
    if not plain or any(character.isspace() for character in value):
        raise _BadValueError(
            "takes an address like http://127.0.0.1:8077/v1, "
            "without a user name, a password or parameters"
        )


def _check_variable(value: str) -> None:
    if not re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", value):
        raise _BadValueError("takes the name of an environment variable, never a key")


def _check_encoding(value: str) -> None:
    try:
        "".encode(value)
        # Some, such as idna, know no way around bytes that they cannot read.
        bytes(range(256)).decode(value, "replace")
    except (LookupError, ValueError) as error:
        raise _BadValueError(f"names no encoding: {_shown(value)}") from error


def _check_code(value: str) -> None:
    if not stands_for_some(value):
        near = nearest_code(value)
        said = f"names no finding: {_shown(value)}"
        raise _BadValueError(f"{said}; did you mean {near}?" if near else said, near)


_CHECKS: dict[str, Callable[[str], None]] = {
    "name": _check_name,
    "address": _check_address,
    "variable": _check_variable,
    "encoding": _check_encoding,
    "code": _check_code,
}


def _holds_key(value: object) -> bool:
    if isinstance(value, list | tuple):
        return any(_holds_key(item) for item in value if isinstance(item, str))
    return isinstance(value, str) and looks_like_key(value)


def _shown(text: str) -> str:
    """A short, quoted form of what somebody wrote."""
    return repr(text if len(text) <= 40 else f"{text[:37]}...")


def _type(value: object) -> str:
    names = {str: "a string", bool: "true or false", int: "a number", float: "a fraction"}
    if value is None:
        return "null"
    if isinstance(value, Mapping):
        return "a table"
    if isinstance(value, list | tuple):
        return "a list"
    return names.get(type(value), f"a {type(value).__name__}")
