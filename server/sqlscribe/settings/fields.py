"""The settings themselves: every key with its type, its default and its meaning.

The string under a field is its documentation; the README's table is made from it.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Any, Literal, TypeVar

import attrs

from sqlscribe.notation.lexicon import DIALECTS

Default = TypeVar("Default")


class Origin(StrEnum):
    """Who said where a model is served."""

    USER = "user"
    """The editor, the command line, or a workspace that the user trusts."""
    WORKSPACE = "workspace"
    """A file of the workspace, so it may not receive a key of the user's."""


def _setting(default: Default, **metadata: Any) -> Default:
    """A field with what a value must satisfy: ``least``, ``most``, ``kind``."""
    return attrs.field(default=default, metadata=metadata)


@attrs.frozen(kw_only=True)
class ModelSettings:
    """A chat model and how it is called."""

    name: str = _setting("auto", kind="name")
    """A litellm model name such as `openai/gpt-5-mini`, `auto`, `editor` (the editor's own), or
    `verified` (built in)."""
    api_base: str | None = _setting(None, kind="address")
    """Address of the server, where it is not the provider's own."""
    api_key_env: str | None = _setting(None, kind="variable")
    """Name of the environment variable that holds the API key; never the key itself."""
    timeout_seconds: float = _setting(60.0, least=1, most=3600)
    """How long to wait for a complete answer, all attempts together."""
    max_repairs: int = _setting(2, least=0, most=10)
    """How often the checker's findings go back to the model."""
    candidates: int = _setting(1, least=1, most=10)
    """How many replies are asked for; of several the answer is what most of them come to."""
    reply: Literal["auto", "sql", "slots"] = "auto"
    """The form of the reply: `sql` for one SQL block, `slots` for a JSON form that states filters,
    joins and dates before the SQL; `auto` is `sql`."""
    context_tokens: int | None = _setting(None, least=256)
    """Size of the model's context, where it cannot be found out."""
    max_tokens: int = _setting(1500, least=16)
    """The longest reply, in tokens."""
    temperature: float = _setting(0.0, least=0, most=2)
    """0 for the most likely reply; models that do not take it are asked without."""
    origin: Origin = attrs.field(default=Origin.USER, metadata={"internal": True})
    """Who named `api_base`; see `key_for`."""


@attrs.frozen(kw_only=True)
class EmbeddingSettings:
    """What finds the examples and notes that match a question."""

    name: str = _setting("builtin", kind="name")
    """`builtin`, or a litellm embedding model."""
    api_base: str | None = _setting(None, kind="address")
    """Address of the server, where it is not the provider's own."""
    api_key_env: str | None = _setting(None, kind="variable")
    """Name of the environment variable that holds the API key; never the key itself."""
    origin: Origin = attrs.field(default=Origin.USER, metadata={"internal": True})
    """Who named `api_base`; see `key_for`."""


@attrs.frozen(kw_only=True)
class PrivacySettings:
    """Which values from the database a model may read."""

    values: Literal["none", "profiles", "samples"] = "none"
    """`none`: no value leaves; `profiles`: those kept in git; `samples`: also ones read from
    `database.url`."""
    mask: tuple[str, ...] = ()
    """Columns whose values never leave, such as `customers.email` or `*.ssn`."""


@attrs.frozen(kw_only=True)
class DatabaseSettings:
    """A database to look at, read-only; none is needed."""

    url: str = _setting("", kind="secret")
    """An SQLAlchemy URL; `${NAME}` reads the environment."""
    checks: Literal["off", "explain"] = "explain"
    """`explain` also asks an engine whether it would run the SQL: the database of `url`, else
    one in memory where the dialect is SQLite or DuckDB."""
    run_queries: bool = False
    """Run queries that only read: to look at their rows, to see that an answer gives some, to
    count candidates by what they give, and to look up values for the model."""
    origin: Origin = attrs.field(default=Origin.USER, metadata={"internal": True})
    """Who named `url`; see `merge`."""


@attrs.frozen(kw_only=True)
class CheckSettings:
    """What is said about SQL."""

    ignore: tuple[str, ...] = _setting((), kind="code")
    """Findings that are not shown, such as `quality/fan-out` or `quality/*`."""


@attrs.frozen(kw_only=True)
class PromptSettings:
    """The words that a model reads."""

    folder: str = "prompts"
    """Folder of templates that override the shipped ones by name."""
    variables: dict[str, str] = attrs.field(factory=dict)
    """Further names of template variables, such as `query_str = "question"`."""


@attrs.frozen(kw_only=True)
class LimitSettings:
    """How much goes into a prompt, and how much is read."""

    prompt_tokens: int = _setting(12_000, least=100)
    """The largest prompt, in tokens."""
    whole_schema_characters: int = _setting(30_000, least=0)
    """Up to this size the whole schema goes in; above it, the tables that matter."""
    examples: int = _setting(5, least=0, most=100)
    """The most examples in one prompt."""
    example_tokens: int | None = _setting(None, least=0)
    """The most tokens that examples take, but for the nearest one, which always has room. Unset:
    0 for a model on this machine, where tokens that no cache holds take time, else 500."""
    schema_file_megabytes: float = _setting(50.0, least=0.001)
    """Larger schema files are not read."""
    cost_per_day: float | None = _setting(None, least=0)
    """US dollars that models may cost in this folder in a day; then none is asked until tomorrow.
    Calls of models whose price is not known do not count."""


@attrs.frozen(kw_only=True)
class LogSettings:
    """What is written to the log."""

    level: Literal["trace", "debug", "info", "warning", "error"] = "warning"
    """How much is written to the log: `info` has a line for each answer, `debug` its stages, and
    only `trace` the prompts and replies."""


@attrs.frozen(kw_only=True)
class Settings:
    """All settings of one workspace folder."""

    dialect: str = _setting("", kind="dialect")
    """SQL dialect such as `postgres`; empty: guessed from the schema."""
    schema: tuple[str, ...] = ()
    """Globs of the files with DDL; none: every `*.sql` file that holds some."""
    training: tuple[str, ...] = ("training/**",)
    """Globs of the files with verified examples."""
    rules: tuple[str, ...] = ("rules.md",)
    """Files that go whole into every prompt."""
    docs: tuple[str, ...] = ("docs/**/*.md",)
    """Globs of the notes; the sections that match a question go into its prompt."""
    profiles: tuple[str, ...] = ("profiles/*.yaml",)
    """Globs of the files with the known values of columns."""
    instructions: str = ""
    """Added to the system message."""
    stamp: bool = False
    """Write a one-line comment under each answer that tells, through git, what it came from."""
    inline: Literal["off", "stored", "auto"] = "stored"
    """Ghost text under a question: `stored` shows answers that exist, and asks the model when you
    trigger it; `auto` asks it as soon as you pause."""
    encoding: str = _setting("cp1252", kind="encoding")
    """Code page of files that are not UTF-8."""
    model: ModelSettings = ModelSettings()
    """The model that answers."""
    models: dict[str, ModelSettings] = attrs.field(factory=dict)
    """Further models by a short name, for `ask[model=NAME]`."""
    embedding: EmbeddingSettings = EmbeddingSettings()
    """What finds matching examples and notes."""
    privacy: PrivacySettings = PrivacySettings()
    """Which values a model may read."""
    database: DatabaseSettings = DatabaseSettings()
    """A database to look at."""
    checks: CheckSettings = CheckSettings()
    """What is said about SQL."""
    prompts: PromptSettings = PromptSettings()
    """Templates of the team's own."""
    limits: LimitSettings = LimitSettings()
    """Sizes."""
    log: LogSettings = LogSettings()
    """What is written to the log."""
    not_used: tuple[str, ...] = attrs.field(default=(), metadata={"internal": True})
    """One sentence for each setting of an untrusted workspace that was left out."""


def keys_of(table: type) -> dict[str, attrs.Attribute[Any]]:
    """The keys that may be written in a table of settings, in the order of the class."""
    attrs.resolve_types(table)
    return {
        field.name: field for field in attrs.fields(table) if not field.metadata.get("internal")
    }


def choices_of(field: attrs.Attribute[Any]) -> tuple[str, ...]:
    """The only values a field takes; empty where any value of its type will do."""
    if field.metadata.get("kind") == "dialect":
        return DIALECTS
    return getattr(field.type, "__args__", ()) if _is_literal(field.type) else ()


def _is_literal(kind: Any) -> bool:
    return getattr(kind, "__origin__", None) is Literal
