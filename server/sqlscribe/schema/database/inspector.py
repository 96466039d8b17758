"""The catalogue of the other engines, as SQLAlchemy's inspector reads it."""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Collection, Iterable
from typing import TYPE_CHECKING, Any

from sqlscribe.schema.database.rows import Catalogue, Field, Relation, Rule

if TYPE_CHECKING:
    from sqlalchemy import Connection, Dialect, Inspector

_SYSTEM = re.compile(
    r"information_schema|sys|guest|db_\w+|pg_\w+|mysql|performance_schema|_system", re.IGNORECASE
)
_OWN_SCHEMA_ONLY = frozenset({"oracle"})
"""Engines with dozens of schemas of their own: the account's own one is read, unless asked."""


def read_by_inspector(connection: Connection, only: Collection[str], dialect: str) -> Catalogue:
    """All tables and views of the schemas ``only``, or of all but the system's own."""
    from sqlalchemy import inspect
    from sqlalchemy.exc import SAWarning

    inspector = inspect(connection)
    found = Catalogue()
    with warnings.catch_warnings():
        # A type that SQLAlchemy does not know is a column without a type, and no more than that.
        warnings.simplefilter("ignore", SAWarning)
        for schema in _schemas(inspector, only, dialect):
            _read_schema(inspector, schema, connection.dialect, found)
    return found


def _schemas(inspector: Inspector, only: Collection[str], dialect: str) -> Iterable[str]:
    if only:
        return only
    default = inspector.default_schema_name
    if dialect in _OWN_SCHEMA_ONLY and default:
        return [default]
    return [name for name in inspector.get_schema_names() if not _SYSTEM.fullmatch(name)]


def _read_schema(inspector: Inspector, schema: str, engine: Dialect, found: Catalogue) -> None:
    from sqlalchemy.engine.reflection import ObjectKind

    kinds = {name: "table" for name in inspector.get_table_names(schema)}
    kinds |= {name: "view" for name in inspector.get_view_names(schema)}

    def rows(read: Callable[..., Any]) -> Iterable[tuple[str, Any]]:
        try:
            answers = read(schema=schema, kind=ObjectKind.ANY)
        except NotImplementedError:
            # Not every engine has comments, keys or checks.
            return []
        return [(table, answer) for (_, table), answer in answers.items() if answer]

    comments = {
        table: answer.get("text") for table, answer in rows(inspector.get_multi_table_comment)
    }
    for name, kind in kinds.items():
        plain = name.removeprefix(f"{schema}.")
        found.relations.append(Relation(schema, plain, kind, comments.get(name) or ""))
    for table, columns in rows(inspector.get_multi_columns):
        found.fields += _fields(schema, table.removeprefix(f"{schema}."), columns, engine)
    for table, key in rows(inspector.get_multi_pk_constraint):
        if key.get("constrained_columns"):
            found.rules.append(Rule(schema, table, "primary", tuple(key["constrained_columns"])))
    for table, keys in rows(inspector.get_multi_unique_constraints):
        found.rules += [Rule(schema, table, "unique", tuple(key["column_names"])) for key in keys]
    for table, keys in rows(inspector.get_multi_foreign_keys):
        found.rules += [_foreign(schema, table, key) for key in keys]
    for table, checks in rows(inspector.get_multi_check_constraints):
        found.rules += [
            Rule(schema, table, "check", expression=str(check.get("sqltext") or ""))
            for check in checks
        ]


def _foreign(schema: str, table: str, key: dict[str, Any]) -> Rule:
    return Rule(
        schema,
        table,
        "foreign",
        tuple(key["constrained_columns"]),
        key.get("referred_schema") or schema,
        key["referred_table"],
        tuple(key.get("referred_columns") or ()),
    )


def _fields(
    schema: str, table: str, columns: Iterable[dict[str, Any]], engine: Dialect
) -> list[Field]:
    """The columns; BigQuery lists the parts of a STRUCT as columns with dots in their names."""
    fields: dict[str, Field] = {}
    for column in columns:
        name = column["name"]
        owner, dot, inner = name.partition(".")
        if dot and owner in fields:
            known = fields[owner]
            fields[owner] = known._replace(fields=(*known.fields, inner))
            continue
        nullable = column.get("nullable") is not False
        type_, comment = _type(column["type"], engine), column.get("comment") or ""
        fields[name] = Field(schema, table, name, type_, nullable, comment)
    return list(fields.values())


def _type(type_: Any, engine: Dialect) -> str:
    """The type as the engine writes it; ``""`` for one that SQLAlchemy does not know."""
    from sqlalchemy.exc import CompileError, UnsupportedCompilationError

    try:
        return re.sub(r' COLLATE "?[\w.-]+"?', "", str(type_.compile(engine)))
    except (CompileError, UnsupportedCompilationError):
        return ""
