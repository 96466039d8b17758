"""What the engines lack, as data: functions, operators and clauses of other dialects.

The parser reads a superset of all dialects, so these pass it. Only what an engine surely
refuses is listed, with the form that it has instead; of everything else nothing is said.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Feature:
    """``code`` ends the finding's code; ``says`` goes behind the dialect's name in a message.

    ``instead`` has an entry for every dialect that lacks it: what to write there, or ``""``.
    """

    code: str
    says: str
    instead: dict[str, str]


def _lacks(code: str, name: str, instead: dict[str, str]) -> Feature:
    return Feature(code, f"does not have {name}", instead)


def _same(text: str, *dialects: str) -> dict[str, str]:
    return dict.fromkeys(dialects, text)


_NOW = {
    "tsql": "SYSDATETIME()",
    "oracle": "SYSTIMESTAMP",
    "bigquery": "CURRENT_TIMESTAMP()",
    "sqlite": "datetime('now')",
    "postgres": "now()",
    "mysql": "NOW()",
    "duckdb": "now()",
    "trino": "now()",
}
_TODAY = {
    "postgres": "CURRENT_DATE",
    "sqlite": "date('now')",
    "tsql": "CAST(GETDATE() AS date)",
    "oracle": "TRUNC(SYSDATE)",
    "bigquery": "CURRENT_DATE()",
    "duckdb": "current_date",
    "redshift": "CURRENT_DATE",
}
_FORMATTED = {
    "postgres": "to_char(value, 'YYYY-MM')",
    "redshift": "to_char(value, 'YYYY-MM')",
    "mysql": "DATE_FORMAT(value, '%Y-%m')",
    "sqlite": "strftime('%Y-%m', value)",
    "tsql": "FORMAT(value, 'yyyy-MM')",
    "oracle": "TO_CHAR(value, 'YYYY-MM')",
    "bigquery": "FORMAT_DATE('%Y-%m', value)",
    "snowflake": "TO_CHAR(value, 'YYYY-MM')",
    "duckdb": "strftime(value, '%Y-%m')",
    "spark": "date_format(value, 'yyyy-MM')",
    "trino": "date_format(value, '%Y-%m')",
}
_DIFFERENCE = {
    "postgres": "later - earlier",
    "sqlite": "julianday(later) - julianday(earlier)",
    "oracle": "later - earlier",
    "bigquery": "DATE_DIFF(later, earlier, DAY)",
    "trino": "date_diff('day', earlier, later)",
    "mysql": "DATEDIFF(later, earlier)",
    "tsql": "DATEDIFF(day, earlier, later)",
}
_SHIFTED = {
    "postgres": "value + interval '1 day'",
    "mysql": "DATE_ADD(value, INTERVAL 1 DAY)",
    "sqlite": "date(value, '+1 day')",
    "oracle": "value + INTERVAL '1' DAY",
    "bigquery": "DATE_ADD(value, INTERVAL 1 DAY)",
    "duckdb": "value + INTERVAL 1 DAY",
    "trino": "date_add('day', 1, value)",
    "tsql": "DATEADD(day, 1, value)",
}
_JOINED = {
    "postgres": "string_agg(value, ',')",
    "tsql": "STRING_AGG(value, ',')",
    "oracle": "LISTAGG(value, ',')",
    "snowflake": "LISTAGG(value, ',')",
    "bigquery": "STRING_AGG(value, ',')",
    "redshift": "LISTAGG(value, ',')",
    "mysql": "GROUP_CONCAT(value)",
    "sqlite": "group_concat(value)",
    "trino": "array_join(array_agg(value), ',')",
}
_PART = {
    "postgres": "EXTRACT(YEAR FROM value)",
    "mysql": "EXTRACT(YEAR FROM value)",
    "sqlite": "strftime('%Y', value)",
    "oracle": "EXTRACT(YEAR FROM value)",
    "bigquery": "EXTRACT(YEAR FROM value)",
    "tsql": "DATEPART(year, value)",
}
_CHOICE = "CASE WHEN … THEN … ELSE … END"
_POSITION = {
    "postgres": "strpos(text, part)",
    "mysql": "INSTR(text, part)",
    "sqlite": "instr(text, part)",
    "oracle": "INSTR(text, part)",
    "bigquery": "STRPOS(text, part)",
    "duckdb": "strpos(text, part)",
    "trino": "strpos(text, part)",
    "tsql": "CHARINDEX(part, text)",
}


def _pick(forms: dict[str, str], *dialects: str) -> dict[str, str]:
    return {dialect: forms.get(dialect, "") for dialect in dialects}


FUNCTIONS: dict[str, dict[str, str]] = {
    "date_trunc": {
        "mysql": "DATE_FORMAT(value, '%Y-%m-01')",
        "sqlite": "date(value, 'start of month')",
        "tsql": "DATETRUNC(month, value)",
        "oracle": "TRUNC(value, 'MM')",
    },
    "date_format": _pick(
        _FORMATTED, "postgres", "sqlite", "tsql", "oracle", "bigquery", "redshift", "duckdb"
    ),
    "strftime": _pick(
        _FORMATTED,
        *("postgres", "mysql", "tsql", "oracle", "bigquery", "snowflake", "redshift", "spark"),
        "trino",
    ),
    "to_char": _pick(_FORMATTED, "sqlite", "tsql", "bigquery"),
    "now": _pick(_NOW, "tsql", "oracle", "bigquery", "sqlite"),
    "sysdatetime": _pick(_NOW, "postgres", "mysql", "sqlite", "oracle", "bigquery", "duckdb"),
    "getdate": _pick(
        _NOW, "postgres", "mysql", "sqlite", "oracle", "bigquery", "duckdb", "trino"
    ),
    "curdate": _pick(_TODAY, "postgres", "sqlite", "tsql", "oracle", "bigquery", "redshift"),
    "datediff": _pick(_DIFFERENCE, "postgres", "sqlite", "oracle", "bigquery", "trino"),
    "date_diff": _pick(_DIFFERENCE, "postgres", "mysql", "sqlite", "tsql", "oracle"),
    "timestampdiff": _pick(_DIFFERENCE, "postgres", "sqlite", "tsql", "oracle"),
    "dateadd": _pick(_SHIFTED, "postgres", "mysql", "sqlite", "oracle", "bigquery", "trino"),
    "date_add": _pick(_SHIFTED, "sqlite", "tsql", "oracle"),
    "date_sub": _pick(_SHIFTED, "postgres", "sqlite", "tsql", "oracle"),
    "datepart": _pick(_PART, "postgres", "mysql", "sqlite", "oracle", "bigquery"),
    "date_part": _pick(_PART, "mysql", "sqlite", "tsql", "oracle", "bigquery"),
    "year": _pick(_PART, "postgres", "sqlite", "oracle", "bigquery"),
    "month": _pick(_PART, "postgres", "sqlite", "oracle", "bigquery"),
    "extract": _pick(_PART, "sqlite", "tsql"),
    "julianday": _pick(_DIFFERENCE, "postgres", "mysql", "tsql", "oracle", "bigquery"),
    "unix_timestamp": {"postgres": "EXTRACT(EPOCH FROM value)", "sqlite": "unixepoch(value)"}
    | _same("", "tsql", "oracle", "snowflake"),
    "from_unixtime": {"postgres": "to_timestamp(seconds)", "sqlite": "datetime(s, 'unixepoch')"}
    | _same("", "tsql", "oracle", "snowflake"),
    "str_to_date": {"postgres": "to_date(text, 'YYYY-MM-DD')", "oracle": "TO_DATE(text, …)"}
    | {"tsql": "CONVERT(date, text)", "bigquery": "PARSE_DATE('%Y-%m-%d', text)"}
    | {"sqlite": "date(text)", "snowflake": "TO_DATE(text)"},
    "to_date": {"mysql": "STR_TO_DATE(text, '%Y-%m-%d')", "sqlite": "date(text)"}
    | {"tsql": "CONVERT(date, text)", "bigquery": "PARSE_DATE('%Y-%m-%d', text)"},
    "to_timestamp": {"mysql": "STR_TO_DATE(text, …)", "sqlite": "datetime(text)"}
    | {"tsql": "CONVERT(datetime2, text)"},
    "ifnull": _same("COALESCE(a, b)", "postgres", "tsql", "oracle", "trino"),
    "isnull": _same("COALESCE(a, b)", "postgres", "oracle", "sqlite", "bigquery"),
    "nvl": _same("COALESCE(a, b)", "postgres", "sqlite", "tsql", "trino"),
    "nvl2": _same(_CHOICE, "postgres", "sqlite", "tsql", "trino"),
    "if": _same(_CHOICE, "postgres", "redshift", "snowflake", "oracle"),
    "iif": _same(_CHOICE, "postgres", "mysql", "oracle", "bigquery", "redshift", "trino"),
    "group_concat": _pick(
        _JOINED, "postgres", "tsql", "oracle", "snowflake", "bigquery", "redshift", "trino"
    ),
    "string_agg": _pick(_JOINED, "mysql", "oracle", "redshift", "trino"),
    "listagg": _pick(_JOINED, "postgres", "mysql", "sqlite", "tsql", "bigquery"),
    "array_agg": {"mysql": "JSON_ARRAYAGG(value)", "sqlite": "json_group_array(value)"}
    | {"tsql": "STRING_AGG(value, ',')", "oracle": "COLLECT(value)"},
    "left": _same("substr(text, 1, n)", "sqlite", "oracle"),
    "right": _same("substr(text, -n)", "sqlite", "oracle"),
    "len": _same("length(text)", "postgres", "mysql", "sqlite", "oracle", "bigquery", "trino"),
    "length": {"tsql": "LEN(text)"},
    "substr": {"tsql": "SUBSTRING(text, start, length)"},
    "substring": {"oracle": "SUBSTR(text, start, length)"},
    "charindex": _pick(
        _POSITION, "postgres", "mysql", "sqlite", "oracle", "bigquery", "duckdb", "trino"
    ),
    "strpos": _pick(_POSITION, "mysql", "sqlite", "tsql", "oracle"),
    "instr": _pick(_POSITION, "postgres", "tsql", "trino"),
    "safe_divide": _same(
        "a / NULLIF(b, 0)", "postgres", "mysql", "sqlite", "tsql", "oracle", "snowflake",
        "duckdb", "redshift", "trino",
    ),
    "safe_cast": _same("CAST(value AS type)", "postgres", "mysql", "sqlite", "oracle", "redshift")
    | _same("TRY_CAST(value AS type)", "tsql", "snowflake", "duckdb", "trino"),
    "try_cast": _same("CAST(value AS type)", "postgres", "mysql", "sqlite", "oracle")
    | {"bigquery": "SAFE_CAST(value AS type)"},
    "countif": _same("SUM(CASE WHEN … THEN 1 ELSE 0 END)", "postgres", "mysql", "sqlite", "tsql")
    | {"oracle": "SUM(CASE WHEN … THEN 1 ELSE 0 END)", "snowflake": "COUNT_IF(…)"},
    "count_if": _same("SUM(CASE WHEN … THEN 1 ELSE 0 END)", "postgres", "mysql", "sqlite", "tsql")
    | {"oracle": "SUM(CASE WHEN … THEN 1 ELSE 0 END)", "bigquery": "COUNTIF(…)"},
    "median": {"postgres": "percentile_cont(0.5) WITHIN GROUP (ORDER BY value)"},
    "generate_series": {"bigquery": "UNNEST(GENERATE_ARRAY(1, 10))"}
    | _same("a recursive CTE", "mysql", "oracle")
    | {"snowflake": "TABLE(GENERATOR(ROWCOUNT => 10))"},
    "unnest": {"mysql": "JSON_TABLE(…)", "sqlite": "json_each(…)", "tsql": "OPENJSON(…)"}
    | {"oracle": "TABLE(…)", "snowflake": "LATERAL FLATTEN(input => …)"},
}  # fmt: skip
"""Functions by lower-case name, and the dialects that lack them."""

_NO_LIMIT = {
    "tsql": "SELECT TOP (10) …, or OFFSET 0 ROWS FETCH NEXT 10 ROWS ONLY",
    "fabric": "SELECT TOP (10) …",
    "oracle": "FETCH FIRST 10 ROWS ONLY",
}
LIMIT = _lacks("limit", "LIMIT", _NO_LIMIT)
LIMIT_PAIR = _lacks(
    "limit-pair",
    "LIMIT with two numbers",
    _same("LIMIT 10 OFFSET 5", "postgres", "bigquery", "snowflake", "redshift", "duckdb", "trino"),
)
TOP = _lacks(
    "top",
    "TOP",
    _same("LIMIT 10", "postgres", "mysql", "sqlite", "bigquery", "duckdb", "trino", "spark")
    | {"oracle": "FETCH FIRST 10 ROWS ONLY"},
)
FETCH_FIRST = _lacks("fetch-first", "FETCH FIRST", _same("LIMIT 10", "sqlite", "bigquery"))
CAST_OPERATOR = _lacks(
    "cast-operator",
    "the :: cast",
    _same("CAST(value AS type)", "mysql", "sqlite", "tsql", "oracle", "bigquery", "trino", "hive"),
)
ILIKE = _lacks(
    "ilike",
    "ILIKE",
    _same("LIKE, which ignores letter case there", "mysql", "sqlite", "tsql")
    | _same("LOWER(value) LIKE LOWER(pattern)", "oracle", "bigquery", "trino", "presto"),
)
SIMILAR_TO = _lacks(
    "similar-to",
    "SIMILAR TO",
    _same("REGEXP", "mysql")
    | _same("REGEXP_LIKE(value, pattern)", "oracle", "trino")
    | {"bigquery": "REGEXP_CONTAINS(value, pattern)", "sqlite": "LIKE or GLOB", "tsql": "LIKE"},
)
TABLE_AS = _lacks("table-as", "AS in front of a table's alias", {"oracle": "the alias alone"})
QUALIFY = _lacks(
    "qualify",
    "QUALIFY",
    _same(
        "a subquery with the window function, filtered by WHERE outside",
        *("postgres", "mysql", "sqlite", "tsql", "oracle", "trino", "presto"),
    ),
)
INTERVAL = _lacks(
    "interval", "INTERVAL", {"sqlite": "date(value, '-7 days')", "tsql": "DATEADD(day, -7, value)"}
)
INTERVAL_TEXT = _lacks(
    "interval-text",
    "an interval without a unit behind the quotes",
    _same("INTERVAL 7 DAY", "mysql", "bigquery") | {"oracle": "INTERVAL '7' DAY"},
)
INTERVAL_NUMBER = _lacks(
    "interval-number",
    "an interval whose number has no quotes",
    _same("interval '7 days'", "postgres", "redshift")
    | _same("INTERVAL '7' DAY", "oracle", "trino"),
)
DATE_LITERAL = _lacks(
    "date-literal",
    "DATE or TIMESTAMP in front of a literal",
    {"tsql": "CAST('2024-01-31' AS date)", "sqlite": "'2024-01-31'"},
)
DISTINCT_ON = _lacks(
    "distinct-on",
    "DISTINCT ON",
    _same(
        "ROW_NUMBER() OVER (PARTITION BY …) in a subquery, filtered by = 1",
        *("mysql", "sqlite", "tsql", "oracle", "bigquery", "snowflake", "redshift", "trino"),
    ),
)
BACKTICKS = Feature(
    "quotes",
    "does not quote names in backticks",
    _same('"name"', "postgres", "oracle", "snowflake", "duckdb", "redshift", "trino")
    | {"tsql": "[name]"},
)
BRACKETS = Feature(
    "quotes",
    "does not quote names in brackets",
    _same('"name"', "postgres", "oracle", "redshift") | {"mysql": "`name`"},
)
DOUBLE_QUOTES = Feature(
    "quotes",
    "takes a name in double quotes for a text",
    _same("`name`", "mysql", "bigquery", "spark", "hive"),
)
CONCAT_PIPES = Feature("concat", "reads || as OR", {"mysql": "CONCAT(a, b)"})
CONCAT_PLUS = Feature(
    "concat",
    "does not join texts with +",
    _same("a || b", "postgres", "sqlite", "oracle", "snowflake", "duckdb", "redshift")
    | _same("CONCAT(a, b)", "mysql", "bigquery"),
)
FULL_JOIN = _lacks("full-join", "FULL JOIN", {"mysql": "LEFT JOIN … UNION … RIGHT JOIN"})
DOUBLE_EQUALS = _lacks(
    "double-equals",
    "==",
    _same("=", "postgres", "mysql", "tsql", "oracle", "bigquery", "snowflake", "trino", "redshift"),
)
REGEXP = _lacks(
    "regexp",
    "the operator REGEXP",
    _same("~", "postgres")
    | _same("REGEXP_LIKE(value, pattern)", "oracle", "trino")
    | {"bigquery": "REGEXP_CONTAINS(value, pattern)", "tsql": "LIKE", "redshift": "~"},
)
APPLY = _lacks(
    "apply",
    "APPLY",
    _same("CROSS JOIN LATERAL", "postgres", "mysql", "snowflake", "duckdb", "trino")
    | _same("", "sqlite", "bigquery", "redshift"),
)
LATERAL = _lacks("lateral", "LATERAL", {"tsql": "CROSS APPLY", "sqlite": "a correlated subquery"})
NULLS_ORDER = _lacks(
    "nulls-order",
    "NULLS FIRST and NULLS LAST",
    _same("ORDER BY value IS NULL, value", "mysql")
    | {"tsql": "ORDER BY CASE WHEN value IS NULL THEN 1 ELSE 0 END, value"},
)
FILTER = _lacks(
    "filter",
    "FILTER (WHERE …)",
    _same("SUM(CASE WHEN … THEN value END)", "mysql", "tsql", "redshift"),
)
STAR_EXCEPT = _lacks(
    "star-except",
    "* EXCEPT or * EXCLUDE",
    _same("the columns by name", "postgres", "mysql", "sqlite", "tsql", "oracle"),
)
BOOLEAN = _lacks("boolean", "TRUE and FALSE", {"tsql": "1 and 0"})
MINUS = _lacks(
    "minus",
    "MINUS",
    _same("EXCEPT", "postgres", "sqlite", "tsql", "duckdb", "trino", "mysql")
    | {"bigquery": "EXCEPT DISTINCT"},
)
TRAILING_COMMA = _lacks(
    "trailing-comma",
    "a comma in front of FROM",
    _same("no comma", "postgres", "mysql", "sqlite", "tsql", "oracle", "redshift", "trino"),
)
