"""PostgreSQL's own catalogue."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

from sqlscribe.schema.database.rows import Catalogue, Field, Relation, Rule

if TYPE_CHECKING:
    from sqlalchemy import Connection

_KINDS = {"r": "table", "p": "table", "f": "table", "v": "view", "m": "materialized view"}
_OURS = r"""
c.relkind IN ('r', 'p', 'f', 'v', 'm') AND n.nspname !~ '^pg_' AND n.nspname <> 'information_schema'
"""
_RELATIONS = rf"""
SELECT n.nspname, c.relname, c.relkind::text, obj_description(c.oid, 'pg_class'),
       CASE WHEN c.relispartition THEN
         (SELECT pn.nspname || '.' || p.relname
          FROM pg_inherits i JOIN pg_class p ON p.oid = i.inhparent
          JOIN pg_namespace pn ON pn.oid = p.relnamespace
          WHERE i.inhrelid = c.oid LIMIT 1) END
FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
WHERE {_OURS} ORDER BY c.oid
"""
_COLUMNS = rf"""
SELECT n.nspname, c.relname, a.attname, format_type(a.atttypid, a.atttypmod), NOT a.attnotnull,
       col_description(c.oid, a.attnum),
       CASE WHEN t.typtype = 'e' THEN
         (SELECT array_agg(e.enumlabel::text ORDER BY e.enumsortorder)
          FROM pg_enum e WHERE e.enumtypid = t.oid) END,
       CASE WHEN t.typtype = 'c' THEN
         (SELECT array_agg(f.attname::text ORDER BY f.attnum)
          FROM pg_attribute f
          WHERE f.attrelid = t.typrelid AND f.attnum > 0 AND NOT f.attisdropped) END
FROM pg_attribute a
JOIN pg_class c ON c.oid = a.attrelid
JOIN pg_namespace n ON n.oid = c.relnamespace
JOIN pg_type t ON t.oid = a.atttypid
WHERE {_OURS} AND a.attnum > 0 AND NOT a.attisdropped
ORDER BY c.oid, a.attnum
"""
_NAMES = """
ARRAY(SELECT a.attname::text FROM unnest({keys}) WITH ORDINALITY AS k(attnum, place)
      JOIN pg_attribute a ON a.attrelid = {table} AND a.attnum = k.attnum ORDER BY k.place)
"""
_RULES = rf"""
SELECT n.nspname, c.relname, o.contype::text,
       {_NAMES.format(keys="o.conkey", table="o.conrelid")},
       fn.nspname, f.relname,
       {_NAMES.format(keys="o.confkey", table="o.confrelid")},
       CASE WHEN o.contype = 'c' THEN pg_get_constraintdef(o.oid) END
FROM pg_constraint o
JOIN pg_class c ON c.oid = o.conrelid
JOIN pg_namespace n ON n.oid = c.relnamespace
LEFT JOIN pg_class f ON f.oid = o.confrelid
LEFT JOIN pg_namespace fn ON fn.oid = f.relnamespace
WHERE {_OURS} AND o.contype IN ('p', 'u', 'f', 'c')
ORDER BY c.oid, o.oid
"""

_FUNCTIONS = """
SELECT DISTINCT p.proname FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace
WHERE n.nspname !~ '^pg_' AND n.nspname <> 'information_schema'
  AND p.prorettype NOT IN ('trigger'::regtype, 'event_trigger'::regtype)
"""


def read_postgres(connection: Connection, only: Collection[str]) -> Catalogue:
    """All relations of the schemas ``only``, or of all but the system's own."""
    found = Catalogue()

    def wanted(schema: str) -> bool:
        return not only or schema in only

    for schema, name, kind, comment, parent in connection.exec_driver_sql(_RELATIONS):
        if wanted(schema):
            relation = Relation(schema, name, _KINDS[kind], comment or "", parent or "")
            found.relations.append(relation)
    for schema, table, name, type_, nullable, comment, values, fields in connection.exec_driver_sql(
        _COLUMNS
    ):
        if wanted(schema):
            more = (comment or "", tuple(values or ()), tuple(fields or ()))
            found.fields.append(Field(schema, table, name, type_, nullable, *more))
    for row in connection.exec_driver_sql(_RULES):
        schema, table, kind, columns, to_schema, to_table, to_columns, expression = row
        if not wanted(schema):
            continue
        to = (to_schema or "", to_table or "", tuple(to_columns))
        match kind:
            case "p":
                found.rules.append(Rule(schema, table, "primary", tuple(columns)))
            case "u":
                found.rules.append(Rule(schema, table, "unique", tuple(columns)))
            case "f":
                found.rules.append(Rule(schema, table, "foreign", tuple(columns), *to))
            case "c":
                found.rules.append(Rule(schema, table, "check", expression=expression))
    # Without its schema a name may come from any: those of extensions are often elsewhere.
    found.functions |= {name for (name,) in connection.exec_driver_sql(_FUNCTIONS)}
    return found
