"""What a feature of other dialects is, and the finding on a use of one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from sqlscribe.notation.document import Span, TextEdit
from sqlscribe.notation.findings import Finding, Fix, Severity

_KIN = {
    "athena": "trino",
    "databricks": "spark",
    "fabric": "tsql",
    "presto": "trino",
    "spark2": "spark",
}
_NAMES = {
    "bigquery": "BigQuery",
    "clickhouse": "ClickHouse",
    "duckdb": "DuckDB",
    "mysql": "MySQL and MariaDB",
    "oracle": "Oracle",
    "postgres": "PostgreSQL",
    "redshift": "Redshift",
    "snowflake": "Snowflake",
    "spark": "Spark",
    "sqlite": "SQLite",
    "trino": "Trino",
    "tsql": "SQL Server",
}


def engine_of(dialect: str) -> str:
    """The engine whose facts count for a dialect: ``trino`` for ``presto``."""
    return _KIN.get(dialect, dialect)


def product(engine: str) -> str:
    """How people call an engine."""
    return _NAMES.get(engine, engine)


@dataclass(frozen=True)
class Feature:
    """``code`` ends the finding's code; ``says`` goes behind the dialect's name in a message.

    ``instead`` has an entry for every engine that lacks it: what to write there, or ``""``.
    ``soft`` engines lack it in some versions or without an extension, as the text there says, or
    have it and mean something else: they get a warning.
    """

    code: str
    says: str
    instead: Mapping[str, str]
    soft: Mapping[str, str] = field(default_factory=dict)

    def is_missing(self, dialect: str) -> bool:
        """Whether there is anything to say about it in a dialect."""
        return engine_of(dialect) in self.instead


def lacks(
    code: str, name: str, instead: Mapping[str, str], soft: Mapping[str, str] | None = None
) -> Feature:
    """A feature that engines do not have."""
    return Feature(code, f"does not have {name}", instead, soft or {})


def same(text: str, engines: str) -> dict[str, str]:
    """One replacement for several engines."""
    return dict.fromkeys(engines.split(), text)


def findings(feature: Feature, span: Span, dialect: str, *fixes: Fix) -> Iterator[Finding]:
    """One finding, if the dialect lacks the feature."""
    if not feature.is_missing(dialect):
        return
    engine = engine_of(dialect)
    instead = feature.instead[engine]
    where = feature.soft.get(engine)
    message = f"{dialect} {feature.says}"
    if where:
        message += f" {where}"
    if instead:
        message += f"; use {instead}"
    severity = Severity.ERROR if where is None else Severity.WARNING
    yield Finding(feature.code, severity, message, span, fixes)


def rewrite(title: str, *edits: tuple[Span, str], sure: bool = True) -> Fix:
    """A fix from pairs of a place and the text for it."""
    return Fix(title, tuple(TextEdit(span, text) for span, text in edits), preferred=sure)
