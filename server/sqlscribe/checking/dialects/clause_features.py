"""What the engines lack, as data: joins, set operations, aggregates, and changes of data."""

from __future__ import annotations

from sqlscribe.checking.dialects.feature import Feature, lacks, same

# Tables and joins.

FULL_JOIN = lacks("dialect/full-join", "FULL JOIN", {"mysql": "LEFT JOIN … UNION … RIGHT JOIN"})
APPLY = lacks(
    "dialect/apply",
    "APPLY",
    same("CROSS JOIN LATERAL", "postgres mysql snowflake duckdb trino")
    | same("", "sqlite bigquery redshift spark clickhouse"),
)
LATERAL = lacks(
    "dialect/lateral", "LATERAL", {"tsql": "CROSS APPLY", "sqlite": "a correlated subquery"}
)
LATERAL_VIEW = lacks(
    "dialect/lateral-view",
    "LATERAL VIEW",
    same("CROSS JOIN UNNEST(…)", "postgres bigquery duckdb trino")
    | {"snowflake": "LATERAL FLATTEN(input => …)", "tsql": "CROSS APPLY OPENJSON(…)"}
    | {"mysql": "JSON_TABLE(…)", "sqlite": "json_each(…)"},
)
USING = lacks("dialect/using", "JOIN … USING", {"tsql": "ON a.key = b.key"})
NATURAL_JOIN = lacks(
    "dialect/natural-join", "NATURAL JOIN", same("ON a.key = b.key", "tsql bigquery")
)
SEMI_JOIN = lacks(
    "dialect/semi-join",
    "SEMI JOIN and ANTI JOIN",
    same(
        "EXISTS or NOT EXISTS",
        "postgres mysql sqlite tsql oracle bigquery snowflake redshift trino",
    ),
)
ASOF_JOIN = lacks(
    "dialect/asof-join",
    "ASOF JOIN",
    same("", "postgres mysql sqlite tsql oracle bigquery redshift trino spark"),
)
PIVOT = lacks(
    "dialect/pivot",
    "PIVOT and UNPIVOT",
    same("SUM(CASE WHEN … THEN value END)", "postgres mysql sqlite trino clickhouse"),
)
SORT_BY = lacks(
    "dialect/sort-by",
    "SORT BY, DISTRIBUTE BY and CLUSTER BY",
    same(
        "ORDER BY",
        "postgres mysql sqlite tsql oracle bigquery snowflake duckdb redshift trino clickhouse",
    ),
)
RECURSIVE = lacks("dialect/recursive", "the word RECURSIVE", same("WITH alone", "tsql oracle"))
STAR_EXCEPT = lacks(
    "dialect/star-except",
    "* EXCEPT or * EXCLUDE",
    same("the columns by name", "postgres mysql sqlite tsql oracle trino"),
)
MINUS = lacks(
    "dialect/minus",
    "MINUS",
    same("EXCEPT", "postgres sqlite tsql duckdb trino mysql clickhouse")
    | {"bigquery": "EXCEPT DISTINCT"},
)
EXCEPT = lacks("dialect/except", "EXCEPT", {"oracle": "MINUS"}, {"oracle": "before version 21"})
SET_QUANTIFIER = Feature(
    "dialect/set-quantifier", "wants ALL or DISTINCT behind it", {"bigquery": "DISTINCT"}
)
SET_DISTINCT = lacks(
    "dialect/set-quantifier", "DISTINCT behind UNION", same("UNION alone", "sqlite tsql oracle")
)
SET_ALL = lacks(
    "dialect/set-quantifier",
    "ALL behind EXCEPT and INTERSECT",
    same("the word without ALL", "sqlite tsql"),
)

STAR_REPLACE = lacks(
    "dialect/star-replace",
    "* REPLACE",
    same("the columns by name", "postgres mysql sqlite tsql oracle redshift trino"),
)
SAMPLE = lacks(
    "dialect/sample",
    "TABLESAMPLE",
    same("ORDER BY a random number", "sqlite mysql") | {"oracle": "SAMPLE"},
)
USING_SAMPLE = lacks(
    "dialect/sample",
    "USING SAMPLE",
    same("TABLESAMPLE", "postgres tsql snowflake trino spark bigquery redshift")
    | same("", "mysql sqlite oracle"),
)
TABLE_HINT = lacks(
    "dialect/table-hint",
    "hints such as WITH (NOLOCK)",
    same(
        "none",
        "postgres mysql sqlite oracle bigquery snowflake duckdb redshift trino spark clickhouse",
    ),
)
STRAIGHT_JOIN = lacks(
    "dialect/straight-join",
    "STRAIGHT_JOIN",
    same(
        "JOIN",
        "postgres sqlite tsql oracle bigquery snowflake duckdb redshift trino spark clickhouse",
    ),
)
FROM_FIRST = lacks(
    "dialect/from-first",
    "FROM before SELECT",
    same("SELECT … FROM", "postgres sqlite mysql tsql oracle snowflake redshift trino"),
)
AS_OF = lacks(
    "dialect/as-of",
    "FOR SYSTEM_TIME AS OF",
    same("", "sqlite postgres duckdb redshift")
    | {"oracle": "AS OF TIMESTAMP …"}
    | {"snowflake": "AT (TIMESTAMP => …)"}
    | {"trino": "FOR TIMESTAMP AS OF …"},
)
LOCKING = lacks(
    "dialect/locking",
    "FOR UPDATE and FOR SHARE",
    same("", "sqlite duckdb bigquery trino spark redshift"),
)
SELECT_INTO = lacks(
    "dialect/select-into",
    "SELECT … INTO a table",
    same("CREATE TABLE … AS SELECT …", "sqlite duckdb bigquery trino spark snowflake mysql"),
)
DUAL = lacks(
    "dialect/dual",
    "a table dual",
    same("SELECT without FROM", "sqlite postgres duckdb tsql trino redshift bigquery spark"),
)
ALIAS_COLUMNS = lacks(
    "dialect/alias-columns",
    "names of columns behind a table's alias",
    same("AS in the subquery's own list", "sqlite oracle"),
)

# Aggregates.

FILTER = lacks(
    "dialect/filter",
    "FILTER (WHERE …)",
    same("SUM(CASE WHEN … THEN value END)", "mysql tsql redshift snowflake bigquery oracle"),
    {"oracle": "before version 26"},
)
WITHIN_GROUP = lacks(
    "dialect/within-group",
    "WITHIN GROUP",
    same("ORDER BY inside of the call", "sqlite bigquery clickhouse") | {"mysql": ""},
)
AGGREGATE_WITHIN = Feature(
    "dialect/within-group",
    "wants the ORDER BY of this function inside of the call",
    same("STRING_AGG(value, ',' ORDER BY …)", "postgres bigquery duckdb sqlite"),
)
AGGREGATE_ORDER = Feature(
    "dialect/aggregate-order",
    "wants the ORDER BY of this function behind it",
    same("WITHIN GROUP (ORDER BY …)", "tsql oracle snowflake redshift"),
)
AGGREGATE_LIMIT = lacks(
    "dialect/aggregate-limit",
    "LIMIT inside of an aggregate",
    same("a subquery with LIMIT", "postgres sqlite duckdb snowflake redshift trino spark"),
)
UNNEST_SELECTED = lacks(
    "dialect/unnest",
    "UNNEST in the SELECT list",
    {"bigquery": "FROM …, UNNEST(…)", "trino": "CROSS JOIN UNNEST(…) AS t (value)"},
)
SEPARATOR = lacks(
    "dialect/separator",
    "SEPARATOR",
    {"sqlite": "group_concat(value, ';')", "duckdb": "string_agg(value, ';')"},
)

# Statements that change data.

RETURNING = lacks(
    "dialect/returning",
    "RETURNING",
    {"tsql": "OUTPUT inserted.…"} | same("", "snowflake bigquery redshift trino spark"),
)
ON_CONFLICT = lacks(
    "dialect/upsert",
    "ON CONFLICT",
    {"mysql": "ON DUPLICATE KEY UPDATE"}
    | same("MERGE", "tsql oracle snowflake bigquery redshift trino spark"),
)
ON_DUPLICATE = lacks(
    "dialect/upsert",
    "ON DUPLICATE KEY UPDATE",
    same("ON CONFLICT (…) DO UPDATE SET …", "postgres sqlite duckdb")
    | same("MERGE", "tsql oracle snowflake bigquery redshift trino spark"),
)
INSERT_OR = lacks(
    "dialect/upsert",
    "INSERT OR REPLACE and INSERT OR IGNORE",
    {"mysql": "REPLACE INTO, or INSERT IGNORE", "postgres": "ON CONFLICT (…) DO UPDATE SET …"}
    | same("MERGE", "tsql oracle snowflake bigquery redshift trino spark"),
)
OUTER_JOIN_MARK = lacks(
    "dialect/outer-join-mark",
    "(+) for outer joins",
    same(
        "LEFT JOIN … ON",
        "postgres mysql sqlite tsql bigquery duckdb trino spark clickhouse",
    ),
)
OR_ALTER = lacks(
    "dialect/or-replace",
    "CREATE OR ALTER",
    same("OR REPLACE", "postgres mysql oracle duckdb bigquery redshift trino spark clickhouse")
    | {"sqlite": "DROP … IF EXISTS before it"},
)
OR_REPLACE = lacks(
    "dialect/or-replace",
    "CREATE OR REPLACE",
    {"tsql": "OR ALTER", "sqlite": "DROP … IF EXISTS before it"},
)
OR_REPLACE_TABLE = lacks(
    "dialect/or-replace",
    "CREATE OR REPLACE for tables",
    same("DROP … IF EXISTS before it", "postgres sqlite tsql redshift"),
)
REPLACE_INTO = lacks(
    "dialect/upsert",
    "REPLACE INTO",
    {"postgres": "ON CONFLICT (…) DO UPDATE SET …", "duckdb": "INSERT OR REPLACE INTO"}
    | same("MERGE", "tsql oracle snowflake bigquery redshift trino spark"),
)
INSERT_IGNORE = lacks(
    "dialect/upsert",
    "INSERT IGNORE",
    same("ON CONFLICT DO NOTHING", "postgres")
    | same("INSERT OR IGNORE", "sqlite duckdb")
    | same("MERGE", "tsql oracle snowflake bigquery redshift trino spark"),
)
MERGE = lacks(
    "dialect/merge",
    "MERGE",
    {"sqlite": "INSERT … ON CONFLICT", "mysql": "INSERT … ON DUPLICATE KEY UPDATE"},
)
DELETE_ALIAS = lacks(
    "dialect/delete-from",
    "a table between DELETE and FROM",
    same("DELETE FROM", "postgres sqlite duckdb oracle bigquery snowflake redshift trino spark"),
)
DELETE_BARE = Feature(
    "dialect/delete-from",
    "wants FROM behind DELETE",
    same("DELETE FROM", "postgres mysql sqlite duckdb snowflake trino spark"),
)
DELETE_USING = lacks(
    "dialect/delete-using",
    "DELETE … USING",
    same("WHERE EXISTS (SELECT …)", "sqlite oracle bigquery trino spark clickhouse")
    | {"tsql": "DELETE o FROM orders AS o JOIN …", "mysql": "DELETE o FROM orders AS o JOIN …"},
)
UPDATE_JOIN = lacks(
    "dialect/update-join",
    "JOIN in front of SET",
    same("UPDATE … SET … FROM …", "postgres sqlite duckdb snowflake bigquery redshift")
    | same("MERGE", "oracle trino spark")
    | {"tsql": "UPDATE o SET … FROM orders AS o JOIN …", "clickhouse": ""},
)
UPDATE_FROM = lacks(
    "dialect/update-from",
    "UPDATE … FROM",
    same("MERGE", "oracle trino spark")
    | {"mysql": "UPDATE orders AS o JOIN … SET …", "clickhouse": ""},
    {"oracle": "before version 23ai"},
)
UPDATE_ALIAS = Feature(
    "dialect/update-from",
    "wants the table's own name behind UPDATE",
    same("UPDATE orders AS o SET …", "postgres sqlite duckdb snowflake bigquery redshift"),
)
SET_QUALIFIED = lacks(
    "dialect/update-set",
    "a table's name in front of what SET changes",
    same("the column alone", "postgres sqlite duckdb redshift"),
)
TARGET_AS = Feature("dialect/target-alias", "wants AS in front of this alias", {"sqlite": "AS"})
TRUNCATE = lacks("dialect/truncate", "TRUNCATE", {"sqlite": "DELETE FROM"})
TARGET_ALIAS = lacks(
    "dialect/target-alias",
    "an alias behind the table that is changed",
    {"tsql": "UPDATE o SET … FROM orders AS o, or DELETE o FROM orders AS o"},
)
