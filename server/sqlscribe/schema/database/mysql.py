"""The catalogue of MySQL and MariaDB."""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import TYPE_CHECKING, Any, Literal

from sqlscribe.schema.database.rows import Catalogue, Field, Relation, Rule

if TYPE_CHECKING:
    from sqlalchemy import Connection

_SYSTEM = "('information_schema', 'mysql', 'performance_schema', 'sys')"
_RELATIONS = """
SELECT table_schema, table_name, table_type, table_comment FROM information_schema.tables
WHERE {schemas} ORDER BY create_time, table_name
"""
_COLUMNS = """
SELECT table_schema, table_name, column_name, column_type, is_nullable, column_comment
FROM information_schema.columns WHERE {schemas}
ORDER BY table_schema, table_name, ordinal_position
"""
_KEYS = """
SELECT c.table_schema, c.table_name, c.constraint_type, c.constraint_name, u.column_name,
       u.referenced_table_schema, u.referenced_table_name, u.referenced_column_name
FROM information_schema.table_constraints c
JOIN information_schema.key_column_usage u
  ON u.constraint_schema = c.constraint_schema AND u.constraint_name = c.constraint_name
 AND u.table_schema = c.table_schema AND u.table_name = c.table_name
WHERE {schemas} AND c.constraint_type IN ('PRIMARY KEY', 'UNIQUE', 'FOREIGN KEY')
ORDER BY c.table_schema, c.table_name, c.constraint_name, u.ordinal_position
"""
_FUNCTIONS = """
SELECT routine_name FROM information_schema.routines
WHERE {schemas} AND routine_type = 'FUNCTION'
"""
_CHECKS_OF_MARIADB = """
SELECT constraint_schema, table_name, check_clause
FROM information_schema.check_constraints c WHERE {schemas}
"""
_CHECKS_OF_MYSQL = """
SELECT t.table_schema, t.table_name, c.check_clause
FROM information_schema.table_constraints t
JOIN information_schema.check_constraints c
  ON c.constraint_schema = t.constraint_schema AND c.constraint_name = t.constraint_name
WHERE {schemas} AND t.constraint_type = 'CHECK'
"""
_CHARACTER_SET = re.compile(r"_[a-z0-9]+(?=\\?')", re.IGNORECASE)
_KINDS: dict[str, Literal["primary", "unique", "foreign"]] = {
    "PRIMARY KEY": "primary",
    "UNIQUE": "unique",
    "FOREIGN KEY": "foreign",
}


def read_mysql(connection: Connection, only: Collection[str]) -> Catalogue:
    """All tables of the databases ``only``, of the URL's one, or of all but the system's own."""
    current = connection.exec_driver_sql("SELECT DATABASE()").scalar()
    wanted = tuple(only) or ((current,) if current else ())

    def rows(query: str, column: str) -> Any:
        schemas = f"{column} NOT IN {_SYSTEM}"
        if wanted:
            schemas = f"{column} IN ({', '.join(['%s'] * len(wanted))})"
        return connection.exec_driver_sql(query.format(schemas=schemas), wanted)

    found = Catalogue()
    for schema, name, type_, comment in rows(_RELATIONS, "table_schema"):
        view = "VIEW" in type_
        if type_ != "SEQUENCE":
            said = "" if view else comment or ""
            found.relations.append(Relation(schema, name, "view" if view else "table", said))
    for schema, table, name, type_, nullable, comment in rows(_COLUMNS, "table_schema"):
        if isinstance(type_, bytes):
            type_ = type_.decode("utf-8", "replace")
        found.fields.append(Field(schema, table, name, type_, nullable == "YES", comment or ""))
    _read_keys(rows(_KEYS, "c.table_schema"), found)
    if getattr(connection.dialect, "is_mariadb", False):
        checks = rows(_CHECKS_OF_MARIADB, "constraint_schema")
    elif (connection.dialect.server_version_info or (0,)) >= (8, 0, 16):
        checks = rows(_CHECKS_OF_MYSQL, "t.table_schema")
    else:
        checks = ()
    for schema, table, clause in checks:
        plain = _CHARACTER_SET.sub("", clause).replace("\\'", "'")
        found.rules.append(Rule(schema, table, "check", expression=plain))
    found.functions |= {name for (name,) in rows(_FUNCTIONS, "routine_schema")}
    return found


def _read_keys(rows: Any, found: Catalogue) -> None:
    """One rule per key; its columns come one row each, in order."""
    keys: dict[tuple[str, str, str, str], list[Any]] = {}
    for row in rows:
        schema, table, kind, name = row[:4]
        keys.setdefault((schema, table, kind, name), []).append(row[4:])
    for (schema, table, kind, _), parts in keys.items():
        columns = tuple(part[0] for part in parts)
        to_schema, to_table = parts[0][1] or "", parts[0][2] or ""
        to_columns = tuple(part[3] for part in parts if part[3])
        found.rules.append(
            Rule(schema, table, _KINDS[kind], columns, to_schema, to_table, to_columns)
        )
