"""Writes what the extension says about the server's settings, from the settings themselves.

    python scripts/generate.py            write package.json, the JSON schema and src/generated.ts
    python scripts/generate.py --check    exit with 1 where one of them is not up to date

The keys, their types and their meanings are those of ``sqlscribe.settings``; nothing is
described twice.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import attrs

from sqlscribe import settings
from sqlscribe.models.providers import PROVIDERS
from sqlscribe.settings.fields import ModelSettings, Settings, choices_of, keys_of

HERE = Path(__file__).resolve().parents[1]
PACKAGE = HERE / "package.json"
SCHEMA = HERE / "schemas" / "sqlscribe.schema.json"
GENERATED = HERE / "src" / "generated.ts"

RESTRICTED_TABLES = ("model", "models", "embedding", "privacy", "database", "prompts")
"""Where a model, a key, a template or a database is chosen: not by an untrusted workspace."""

OWN_RESTRICTED = ("sqlscribe.server.command", "sqlscribe.server.package")
"""The extension's own settings that choose a program."""

Json = dict[str, Any]


def meanings() -> dict[str, str]:
    return {row.key: " ".join(row.meaning.split()) for row in settings.describe()}


def leaves(table: type, path: tuple[str, ...] = ()) -> Iterator[tuple[str, attrs.Attribute[Any]]]:
    """Every key with its field, in the order of ``settings.describe()``."""
    for name, field in keys_of(table).items():
        if attrs.has(field.type or object):
            yield from leaves(field.type or object, (*path, name))
        else:
            yield ".".join((*path, name)), field


def schema_of(key: str, field: attrs.Attribute[Any]) -> Json:
    """The JSON schema of one value, without its description."""
    if key == "models":
        return {"type": "object", "additionalProperties": table_schema(ModelSettings, "model")}
    if key == "prompts.variables":
        return {"type": "object", "additionalProperties": {"type": "string"}}
    if field.type == tuple[str, ...]:
        return {"type": "array", "items": {"type": "string"}}
    if choices := choices_of(field):
        empty = [] if field.default in choices else [field.default]
        return {"type": "string", "enum": [*empty, *choices]}
    kind = next(
        kind for kind in (bool, int, float, str) if kind in (field.type, *arguments(field.type))
    )
    found: Json = {"type": {bool: "boolean", int: "integer", float: "number", str: "string"}[kind]}
    for limit, word in (("least", "minimum"), ("most", "maximum")):
        if limit in field.metadata:
            found[word] = field.metadata[limit]
    return found


def arguments(kind: Any) -> tuple[Any, ...]:
    return getattr(kind, "__args__", ())


def default_of(field: attrs.Attribute[Any]) -> Any:
    """A default as JSON; ``None`` where nothing is the default."""
    if isinstance(field.default, attrs.Factory):  # type: ignore[arg-type]
        return {}
    if isinstance(field.default, float) and field.default.is_integer():
        # As npm would write it, which rewrites package.json now and then.
        return int(field.default)
    return list(field.default) if isinstance(field.default, tuple) else field.default


def table_schema(table: type, path: str = "") -> Json:
    """The JSON schema of a TOML table, with the meaning of each key."""
    said = meanings()
    properties: Json = {}
    for name, field in keys_of(table).items():
        key = f"{path}.{name}" if path else name
        if attrs.has(field.type or object):
            inner = table_schema(field.type or object, key)
            if field.type is ModelSettings:
                # A model may be given by its name alone.
                inner = {"anyOf": [{"type": "string"}, inner]}
            properties[name] = inner
            continue
        properties[name] = schema_of(key, field) | {"description": said[key]}
        if (default := default_of(field)) is not None:
            properties[name]["default"] = default
    described = (table.__doc__ or "").strip().splitlines()[0]
    return {
        "type": "object",
        "description": described,
        "additionalProperties": False,
        "properties": properties,
    }


def toml_schema() -> Json:
    return {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "title": "sqlscribe.toml",
        **table_schema(Settings),
    }


def editor_settings() -> Json:
    """The server's settings as VS Code shows them."""
    said = meanings()
    found: Json = {}
    for key, field in leaves(Settings):
        shown = schema_of(key, field)
        default = default_of(field)
        if key == "models":
            # Its inner keys are those of `model`, which stand right above.
            shown = {"type": "object", "additionalProperties": {"type": "object"}}
        if default is None:
            # VS Code shows no field for "a string or nothing"; an empty one is not sent.
            empty = "" if shown["type"] == "string" else None
            kind = shown["type"] if empty == "" else [shown["type"], "null"]
            shown |= {"type": kind, "default": empty}
        else:
            shown["default"] = default
        found[f"sqlscribe.{key}"] = {
            **shown,
            "markdownDescription": said[key],
            "order": len(found),
        }
    return found


def restricted() -> list[str]:
    keys = [key for key, _ in leaves(Settings) if key.split(".")[0] in RESTRICTED_TABLES]
    return [*OWN_RESTRICTED, *(f"sqlscribe.{key}" for key in keys)]


def package_json(text: str) -> str:
    """The text of ``package.json`` with the generated parts made anew."""
    package = json.loads(text)
    _, second = package["contributes"]["configuration"]
    second["properties"] = editor_settings()
    package["capabilities"]["untrustedWorkspaces"]["restrictedConfigurations"] = restricted()
    return written(package)


def generated_ts() -> str:
    keys = json.dumps([key for key, _ in leaves(Settings)], indent=2)
    closed = json.dumps([key.removeprefix("sqlscribe.") for key in restricted()], indent=2)
    variables = json.dumps(
        [{"provider": each.name, "variable": each.key_variable} for each in PROVIDERS], indent=2
    )
    return (
        "// Made by scripts/generate.py from the server's own settings; not to be edited.\n\n"
        "/** Every setting of the server, as in sqlscribe.toml. */\n"
        f"export const SERVER_SETTINGS: readonly string[] = {keys};\n\n"
        "/** Settings that an untrusted workspace may not set. */\n"
        f"export const RESTRICTED: readonly string[] = {closed};\n\n"
        "/** The providers whose API keys the server knows. */\n"
        "export const PROVIDERS: readonly { provider: string; variable: string }[] = "
        f"{variables};\n"
    )


def written(value: Json) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False) + "\n"


def outputs() -> dict[Path, str]:
    """Every generated file with the text it should have."""
    return {
        PACKAGE: package_json(PACKAGE.read_text("utf-8")),
        SCHEMA: written(toml_schema()),
        GENERATED: generated_ts(),
    }


def stale() -> list[Path]:
    return [
        path
        for path, text in outputs().items()
        if not path.is_file() or path.read_text("utf-8") != text
    ]


def main(arguments: list[str]) -> int:
    if arguments == ["--check"]:
        for path in stale():
            sys.stderr.write(f"{path.name} is not up to date: run scripts/generate.py\n")
        return 1 if stale() else 0
    for path, text in outputs().items():
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
