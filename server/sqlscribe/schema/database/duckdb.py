"""DuckDB's own catalogue."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

from sqlscribe.schema.database.rows import Catalogue, Field, Relation, Rule

if TYPE_CHECKING:
    from sqlalchemy import Connection

_RELATIONS = """
SELECT schema_name, table_name, table_oid, 'table', comment FROM duckdb_tables()
WHERE database_name = current_database() AND NOT internal
UNION ALL
SELECT schema_name, view_name, view_oid, 'view', comment FROM duckdb_views()
WHERE database_name = current_database() AND NOT internal
ORDER BY 3
"""
_COLUMNS = """
SELECT schema_name, table_name, column_name, data_type, is_nullable, comment FROM duckdb_columns()
WHERE database_name = current_database() AND NOT internal
ORDER BY table_oid, column_index
"""
_RULES = """
SELECT schema_name, table_name, constraint_type, constraint_column_names, referenced_table,
       referenced_column_names, expression
FROM duckdb_constraints() WHERE database_name = current_database()
ORDER BY table_oid, constraint_index
"""

_FUNCTIONS = """
SELECT DISTINCT function_name FROM duckdb_functions()
WHERE database_name = current_database() AND NOT internal
"""


def read_duckdb(connection: Connection, only: Collection[str]) -> Catalogue:
    """All tables and views of the schemas ``only``, or of all schemas."""
    found = Catalogue()

    def wanted(schema: str) -> bool:
        return not only or schema in only

    for schema, name, _, kind, comment in connection.exec_driver_sql(_RELATIONS):
        if wanted(schema):
            found.relations.append(Relation(schema, name, kind, comment or ""))
    for schema, table, name, type_, nullable, comment in connection.exec_driver_sql(_COLUMNS):
        if wanted(schema):
            found.fields.append(Field(schema, table, name, type_, nullable, comment or ""))
    for row in connection.exec_driver_sql(_RULES):
        schema, table, kind, columns, to_table, to_columns, expression = row
        names = tuple(columns or ())
        if not wanted(schema):
            continue
        match kind:
            case "PRIMARY KEY":
                found.rules.append(Rule(schema, table, "primary", names))
            case "UNIQUE":
                found.rules.append(Rule(schema, table, "unique", names))
            case "FOREIGN KEY":
                # A key never leaves its schema.
                to = (schema, to_table, tuple(to_columns or ()))
                found.rules.append(Rule(schema, table, "foreign", names, *to))
            case "CHECK":
                found.rules.append(Rule(schema, table, "check", expression=expression or ""))
    found.functions |= {name for (name,) in connection.exec_driver_sql(_FUNCTIONS)}
    return found
