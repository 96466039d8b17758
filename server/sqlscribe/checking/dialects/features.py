"""What the engines lack, as data: operators, literals, and what limits and orders rows.

The parser reads a superset of all dialects, so these pass it. Only what an engine surely
refuses is listed, with the form that it has instead; of everything else nothing is said.
"""

from __future__ import annotations

from sqlscribe.checking.dialects.feature import Feature, lacks, same

# Rows: how many, which, in what order.

LIMIT = lacks(
    "dialect/limit",
    "LIMIT",
    {
        "tsql": "SELECT TOP (10) …, or OFFSET 0 ROWS FETCH NEXT 10 ROWS ONLY",
        "oracle": "FETCH FIRST 10 ROWS ONLY",
    },
)
LIMIT_PAIR = lacks(
    "dialect/limit-pair",
    "LIMIT with two numbers",
    same("LIMIT 10 OFFSET 5", "postgres bigquery snowflake redshift duckdb trino spark"),
)
TOP = lacks(
    "dialect/top",
    "TOP",
    same("LIMIT 10", "postgres mysql sqlite bigquery duckdb trino spark")
    | {"oracle": "FETCH FIRST 10 ROWS ONLY"},
)
FETCH_FIRST = lacks(
    "dialect/fetch-first",
    "FETCH FIRST",
    same("LIMIT 10", "sqlite bigquery spark mysql"),
    {"mysql": "before MariaDB 10.6"},
)
OFFSET_ROWS = Feature(
    "dialect/offset", "wants OFFSET behind ORDER BY", {"tsql": "ORDER BY … OFFSET 10 ROWS"}
)
FETCH_ALONE = Feature(
    "dialect/fetch-first",
    "wants OFFSET before FETCH",
    {"tsql": "OFFSET 0 ROWS FETCH NEXT 10 ROWS ONLY"},
)
ROWNUM = lacks(
    "dialect/rownum",
    "ROWNUM",
    same("LIMIT", "postgres sqlite bigquery snowflake duckdb redshift trino spark clickhouse")
    | {"tsql": "TOP", "mysql": "LIMIT"},
)
NULLS_ORDER = lacks(
    "dialect/nulls-order",
    "NULLS FIRST and NULLS LAST",
    {
        "mysql": "ORDER BY value IS NULL, value",
        "tsql": "ORDER BY CASE WHEN value IS NULL THEN 1 ELSE 0 END, value",
    },
)
DISTINCT_ON = lacks(
    "dialect/distinct-on",
    "DISTINCT ON",
    same(
        "ROW_NUMBER() OVER (PARTITION BY …) in a subquery, filtered by = 1",
        "mysql sqlite tsql oracle bigquery snowflake redshift trino spark",
    ),
)
QUALIFY = lacks(
    "dialect/qualify",
    "QUALIFY",
    same(
        "a subquery with the window function, filtered by WHERE outside",
        "postgres mysql sqlite tsql oracle trino",
    ),
)
GROUP_BY_ALL = lacks(
    "dialect/group-by-all",
    "GROUP BY ALL or ORDER BY ALL",
    same("the columns by name", "postgres mysql sqlite tsql oracle trino"),
)

LIMIT_BY = lacks(
    "dialect/limit-by",
    "LIMIT … BY",
    same(
        "ROW_NUMBER() OVER (PARTITION BY …) in a subquery",
        "postgres mysql sqlite tsql oracle bigquery snowflake duckdb redshift trino spark",
    ),
)
LIMIT_PERCENT = lacks(
    "dialect/limit-percent",
    "a percentage behind LIMIT",
    same("", "postgres mysql sqlite bigquery snowflake redshift trino spark clickhouse"),
)
LIMIT_TIES = lacks(
    "dialect/limit-ties",
    "WITH TIES behind LIMIT",
    same("FETCH FIRST … ROWS WITH TIES", "postgres trino mysql")
    | same("RANK() in a subquery", "sqlite bigquery snowflake duckdb redshift spark"),
)
LIMITED_CHANGE = lacks(
    "dialect/limited-change",
    "LIMIT in UPDATE and DELETE",
    same("a subquery with LIMIT", "sqlite postgres duckdb snowflake bigquery redshift trino spark"),
    {"sqlite": "unless it was built with it"},
)
OFFSET_ALONE = Feature(
    "dialect/offset",
    "wants LIMIT before OFFSET",
    {"sqlite": "LIMIT -1 OFFSET 10", "mysql": "LIMIT 18446744073709551615 OFFSET 10"},
)
ROLLUP = lacks(
    "dialect/rollup",
    "ROLLUP, CUBE and GROUPING SETS in brackets",
    {"sqlite": "UNION ALL", "mysql": "GROUP BY … WITH ROLLUP"},
)
WITH_ROLLUP = lacks(
    "dialect/rollup",
    "WITH ROLLUP",
    same("GROUP BY ROLLUP (…)", "postgres duckdb oracle bigquery snowflake redshift trino")
    | {"sqlite": "UNION ALL"},
)
CONNECT_BY = lacks(
    "dialect/connect-by",
    "CONNECT BY",
    same("WITH RECURSIVE", "postgres sqlite mysql bigquery duckdb trino spark clickhouse")
    | {"tsql": "a recursive WITH"},
)

# Operators.

CAST_OPERATOR = lacks(
    "dialect/cast-operator",
    "the :: cast",
    same("CAST(value AS type)", "mysql sqlite tsql oracle bigquery trino hive"),
)
ILIKE = lacks(
    "dialect/ilike",
    "ILIKE",
    same("LIKE, which ignores letter case there", "mysql sqlite tsql")
    | same("LOWER(value) LIKE LOWER(pattern)", "oracle bigquery trino hive"),
)
SIMILAR_TO = lacks(
    "dialect/similar-to",
    "SIMILAR TO",
    same("REGEXP", "mysql")
    | same("REGEXP_LIKE(value, pattern)", "oracle trino snowflake")
    | {"bigquery": "REGEXP_CONTAINS(value, pattern)", "sqlite": "LIKE or GLOB", "tsql": "LIKE"}
    | {"spark": "RLIKE", "clickhouse": "match(value, pattern)"},
)
REGEXP = lacks(
    "dialect/regexp",
    "the operators REGEXP and RLIKE",
    same("~", "postgres redshift duckdb")
    | same("REGEXP_LIKE(value, pattern)", "oracle trino")
    | {"bigquery": "REGEXP_CONTAINS(value, pattern)", "tsql": "LIKE", "sqlite": "LIKE or GLOB"},
    {"sqlite": "without an extension"},
)
GLOB = lacks(
    "dialect/glob",
    "GLOB",
    same("LIKE", "postgres mysql tsql oracle bigquery snowflake redshift trino spark clickhouse"),
)
TILDE = lacks(
    "dialect/regexp",
    "the operator ~",
    same("REGEXP", "mysql sqlite")
    | same("REGEXP_LIKE(value, pattern)", "oracle trino snowflake")
    | {"bigquery": "REGEXP_CONTAINS(value, pattern)", "tsql": "LIKE", "spark": "RLIKE"}
    | {"clickhouse": "match(value, pattern)"},
)
CONCAT_PIPES = Feature(
    "dialect/concat",
    "reads || as OR",
    {"mysql": "CONCAT(a, b)"},
)
CONCAT_PIPES_LACKING = lacks(
    "dialect/concat", "||", {"tsql": "CONCAT(a, b)"}, {"tsql": "before version 2025"}
)
CONCAT_PLUS = Feature(
    "dialect/concat",
    "does not join texts with +",
    same("a || b", "postgres sqlite oracle snowflake duckdb redshift trino")
    | same("CONCAT(a, b)", "mysql bigquery spark"),
)
DOUBLE_EQUALS = lacks(
    "dialect/double-equals",
    "==",
    same("=", "postgres mysql tsql oracle bigquery snowflake trino redshift"),
)
NULL_SAFE_EQUALS = lacks(
    "dialect/null-safe-equals",
    "<=>",
    same("IS NOT DISTINCT FROM", "tsql bigquery snowflake redshift trino sqlite duckdb postgres")
    | {"oracle": "DECODE(a, b, 1, 0) = 1"},
    {"postgres": "without an extension"},
)
IS_DISTINCT = lacks(
    "dialect/is-distinct-from",
    "IS DISTINCT FROM",
    {"mysql": "NOT (a <=> b), or a <=> b", "oracle": "DECODE(a, b, 1, 0) = 0"},
    {"oracle": "before version 26"},
)
MODULO = lacks("dialect/modulo", "the operator %", same("MOD(a, b)", "oracle bigquery"))
_WHOLE = same("a / b, which is whole for whole numbers", "postgres sqlite tsql redshift trino") | {
    "oracle": "TRUNC(a / b)",
    "bigquery": "DIV(a, b)",
}
SLASHES = lacks("dialect/whole-division", "//", _WHOLE | same("a DIV b", "mysql spark"))
DIV = lacks(
    "dialect/whole-division",
    "the operator DIV",
    _WHOLE | {"duckdb": "a // b", "snowflake": "TRUNC(a / b)"},
)
JSON_ARROW = lacks(
    "dialect/json-arrow",
    "-> and ->> for JSON",
    {
        "tsql": "JSON_VALUE(value, '$.key')",
        "oracle": "JSON_VALUE(value, '$.key')",
        "bigquery": "JSON_VALUE(value, '$.key')",
        "trino": "json_extract_scalar(value, '$.key')",
        "spark": "get_json_object(value, '$.key')",
        "redshift": "JSON_EXTRACT_PATH_TEXT(value, 'key')",
        "snowflake": "value:key::string",
        "clickhouse": "JSONExtractString(value, 'key')",
    },
)
JSON_KEY = Feature("dialect/json-path", "wants a JSON path behind -> and ->>", {"mysql": "'$.key'"})
JSON_PATH = Feature(
    "dialect/json-path",
    "takes '$.key' behind -> and ->> for a key of that name",
    {"postgres": "'key'"},
    {"postgres": ""},
)
CONTAINS = lacks(
    "dialect/json-contains",
    "the operators @> and <@",
    same("", "sqlite tsql oracle bigquery snowflake redshift trino spark clickhouse")
    | {"mysql": "JSON_CONTAINS(value, part)"},
)
LIKE_ANY = lacks(
    "dialect/like-any",
    "LIKE ANY and LIKE ALL",
    same("several conditions with OR", "mysql tsql oracle sqlite duckdb trino clickhouse"),
)
ANY_LIST = Feature(
    "dialect/any-list", "wants an array behind ANY and ALL", {"postgres": "ANY (ARRAY[…])"}
)
TUPLES = lacks(
    "dialect/tuples",
    "comparisons of several values at once",
    {"tsql": "EXISTS, or a condition for each"},
)
QUANTIFIED = lacks(
    "dialect/any", "ANY, SOME and ALL in front of a subquery", {"sqlite": "IN or EXISTS"}
)

JSON_PATH_ARROW = lacks(
    "dialect/json-arrow",
    "#> and #>>",
    same("", "sqlite duckdb tsql oracle bigquery snowflake trino spark clickhouse"),
)
POWER = lacks(
    "dialect/power", "the operator ^", same("POWER(a, b)", "sqlite oracle snowflake trino")
)
TIME_ZONE = lacks(
    "dialect/time-zone",
    "AT TIME ZONE",
    {
        "mysql": "CONVERT_TZ(value, from, to)",
        "sqlite": "datetime(value, '+9 hours')",
        "spark": "from_utc_timestamp(value, zone)",
    },
)
IGNORE_NULLS = lacks(
    "dialect/ignore-nulls",
    "IGNORE NULLS",
    same("", "sqlite mysql") | {"postgres": ""},
    {"postgres": "before version 19"},
)

# Literals and names.

INTERVAL = lacks(
    "dialect/interval",
    "INTERVAL",
    {"sqlite": "date(value, '-7 days')", "tsql": "DATEADD(day, -7, value)"},
)
INTERVAL_TEXT = lacks(
    "dialect/interval-text",
    "an interval without a unit behind the quotes",
    same("INTERVAL 7 DAY", "mysql bigquery") | same("INTERVAL '7' DAY", "oracle trino"),
)
INTERVAL_NUMBER = lacks(
    "dialect/interval-number",
    "an interval whose number has no quotes",
    same("interval '7 days'", "postgres redshift snowflake")
    | same("INTERVAL '7' DAY", "oracle trino"),
)
DATE_LITERAL = lacks(
    "dialect/date-literal",
    "DATE or TIMESTAMP in front of a literal",
    {"tsql": "CAST('2024-01-31' AS date)", "sqlite": "'2024-01-31'"},
)
BOOLEAN = lacks(
    "dialect/boolean",
    "TRUE and FALSE",
    {"tsql": "1 and 0", "oracle": "1 and 0, or 'Y' and 'N'"},
    {"oracle": "before version 23ai"},
)
CONDITION = lacks(
    "dialect/boolean",
    "conditions as values",
    same("CASE WHEN … THEN 1 ELSE 0 END", "tsql oracle"),
    {"oracle": "before version 23ai"},
)
PREDICATE = Feature(
    "dialect/predicate",
    "wants a comparison as condition",
    {"tsql": "= 1", "oracle": "= 1, or = 'Y'"},
)
ARRAY = lacks(
    "dialect/array",
    "ARRAY[…]",
    {
        "mysql": "JSON_ARRAY(…)",
        "sqlite": "json_array(…)",
        "tsql": "rows, as in IN (…)",
        "oracle": "rows, as in IN (…)",
        "snowflake": "ARRAY_CONSTRUCT(…)",
        "redshift": "ARRAY(…)",
        "spark": "array(…)",
    },
)
LIST = lacks(
    "dialect/array",
    "a list in brackets",
    same("ARRAY[…]", "postgres trino")
    | {"mysql": "JSON_ARRAY(…)", "oracle": "rows, as in IN (…)", "redshift": "ARRAY(…)"}
    | {"spark": "array(…)"},
)
NAMED_ARGUMENTS = lacks(
    "dialect/named-arguments",
    "arguments with => in front",
    same("the arguments in their order", "mysql sqlite tsql"),
)
BACKTICKS = Feature(
    "dialect/quotes",
    "does not quote names in backticks",
    same('"name"', "postgres oracle snowflake duckdb redshift trino") | {"tsql": "[name]"},
    {"duckdb": "before version 2"},
)
BRACKETS = Feature(
    "dialect/quotes",
    "does not quote names in brackets",
    same('"name"', "postgres oracle redshift trino") | same("`name`", "mysql spark"),
)
DOUBLE_QUOTES = Feature(
    "dialect/quotes",
    "takes a name in double quotes for a text",
    same("`name`", "mysql bigquery spark hive"),
)
QUOTED_TEXT = Feature(
    "dialect/quotes",
    "takes a text in double quotes for a name",
    same("'text'", "postgres oracle snowflake duckdb redshift trino tsql"),
)
TABLE_AS = lacks(
    "dialect/table-as", "AS in front of a table's alias", {"oracle": "the alias alone"}
)
TRAILING_COMMA = lacks(
    "dialect/trailing-comma",
    "a comma in front of FROM",
    same("no comma", "postgres mysql sqlite tsql oracle redshift trino"),
)

QUOTED_ALIAS = Feature(
    "dialect/quoted-alias",
    "wants a name behind AS, not a text",
    same('"name"', "postgres oracle redshift trino snowflake") | {"bigquery": "`name`"},
)
