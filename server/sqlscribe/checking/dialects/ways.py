"""One thing to do with a function, and how each engine says it.

A way is a text with places for the arguments: ``{value}`` as written, or ``{unit:text}`` in a
certain form (see :mod:`sqlscribe.checking.dialects.filling`). With a tilde it is only advice.
"""

from __future__ import annotations

from collections.abc import Mapping

from sqlscribe.checking.dialects.feature import same

Ways = Mapping[str, str]

NOW: Ways = {
    "tsql": "SYSDATETIME()",
    "oracle": "SYSTIMESTAMP",
    "bigquery": "CURRENT_TIMESTAMP()",
    "sqlite": "datetime('now')",
    "mysql": "NOW()",
    "snowflake": "CURRENT_TIMESTAMP()",
    "redshift": "GETDATE()",
    "spark": "current_timestamp()",
} | same("now()", "postgres duckdb trino clickhouse")
TODAY: Ways = {
    "sqlite": "date('now')",
    "tsql": "CAST(GETDATE() AS date)",
    "oracle": "TRUNC(SYSDATE)",
    "bigquery": "CURRENT_DATE()",
    "mysql": "CURDATE()",
    "snowflake": "CURRENT_DATE()",
    "spark": "current_date()",
    "clickhouse": "today()",
} | same("CURRENT_DATE", "postgres duckdb redshift trino")
DATE: Ways = {"tsql": "CAST({value} AS date)", "oracle": "TRUNC({value})"}
FORMATTED: Ways = {
    "mysql": "DATE_FORMAT({value}, {format:mysql})",
    "sqlite": "strftime({format:strftime}, {value})",
    "tsql": "FORMAT({value}, {format:java})",
    "bigquery": "FORMAT_DATE({format:strftime}, {value})",
    "duckdb": "strftime({value}, {format:strftime})",
    "spark": "date_format({value}, {format:java})",
    "trino": "date_format({value}, {format:mysql})",
    "clickhouse": "formatDateTime({value}, {format:mysql})",
} | same("to_char({value}, {format:char})", "postgres oracle snowflake redshift")
PARSED_DATE: Ways = {
    "mysql": "STR_TO_DATE({value}, {format:mysql})",
    "sqlite": "~date(text)",
    "tsql": "CONVERT(date, text)",
    "bigquery": "PARSE_DATE({format:strftime}, {value})",
    "duckdb": "strptime({value}, {format:strftime})",
    "trino": "date_parse({value}, {format:mysql})",
    "spark": "to_date({value}, {format:java})",
    "clickhouse": "parseDateTime({value}, {format:mysql})",
} | same("to_date({value}, {format:char})", "postgres oracle snowflake redshift")
TRUNCATED: Ways = {
    "mysql": "DATE_FORMAT({value}, {unit:trunc_mysql})",
    "sqlite": "date({value}, {unit:trunc_sqlite})",
    "tsql": "DATETRUNC({unit:word}, {value})",
    "oracle": "TRUNC({value}, {unit:trunc_oracle})",
    "bigquery": "DATE_TRUNC({value}, {unit:word})",
} | same(
    "date_trunc({unit:text}, {value})", "postgres snowflake duckdb redshift spark trino clickhouse"
)
DIFFERENCE: Ways = {
    "postgres": "CAST({later} AS date) - CAST({earlier} AS date){unit:day}",
    "sqlite": "CAST(julianday({later}) - julianday({earlier}) AS INTEGER){unit:day}",
    "oracle": "TRUNC({later}) - TRUNC({earlier}){unit:day}",
    "mysql": "TIMESTAMPDIFF({unit:word}, {earlier}, {later})",
    "bigquery": "DATE_DIFF({later}, {earlier}, {unit:word})",
    "spark": "datediff({unit:word}, {earlier}, {later})",
} | (
    same("date_diff({unit:text}, {earlier}, {later})", "duckdb trino")
    | same("DATEDIFF({unit:word}, {earlier}, {later})", "tsql snowflake redshift clickhouse")
)
SHIFTED: Ways = {
    "postgres": "{value} + INTERVAL {amount:text_unit}",
    "mysql": "DATE_ADD({value}, INTERVAL {amount:number} {amount:unit})",
    "sqlite": "date({value}, {amount:signed_unit})",
    "oracle": "{value} + INTERVAL {amount:amount_text} {amount:unit}",
    "bigquery": "DATE_ADD({value}, INTERVAL {amount:number} {amount:unit})",
    "duckdb": "{value} + INTERVAL ({amount:number}) {amount:unit}",
    "trino": "date_add({amount:unit_text}, {amount:number}, {value})",
    "spark": "dateadd({amount:unit}, {amount:number}, {value})",
} | same("DATEADD({amount:unit}, {amount:number}, {value})", "tsql snowflake redshift clickhouse")
JOINED: Ways = {
    "mysql": "GROUP_CONCAT({value} SEPARATOR {separator})",
    "sqlite": "group_concat({value}, {separator})",
    "trino": "array_join(array_agg({value}), {separator})",
    "spark": "array_join(collect_list({value}), {separator})",
    "clickhouse": "arrayStringConcat(groupArray({value}), {separator})",
} | (
    same("STRING_AGG({value}, {separator})", "postgres tsql bigquery duckdb")
    | same("LISTAGG({value}, {separator})", "oracle snowflake redshift")
)
JOINED_IN_ORDER: Ways = {
    "mysql": "GROUP_CONCAT({value} {order:bare} SEPARATOR {separator})",
    "sqlite": "group_concat({value}, {separator} {order:bare})",
} | (
    same("STRING_AGG({value}, {separator} {order:bare})", "postgres bigquery duckdb")
    | same("STRING_AGG({value}, {separator}) WITHIN GROUP ({order:bare})", "tsql")
    | same("LISTAGG({value}, {separator}) WITHIN GROUP ({order:bare})", "oracle snowflake redshift")
)
PART: Ways = {
    "sqlite": "CAST(strftime({unit:strftime_unit}, {value}) AS INTEGER)",
    "tsql": "DATEPART({unit:word}, {value})",
} | same(
    "EXTRACT({unit:word} FROM {value})",
    "postgres mysql oracle bigquery snowflake duckdb redshift spark trino clickhouse",
)
EPOCH: Ways = {
    "postgres": "EXTRACT(EPOCH FROM {value})",
    "redshift": "EXTRACT(EPOCH FROM {value})",
    "mysql": "UNIX_TIMESTAMP({value})",
    "sqlite": "unixepoch({value})",
    "tsql": "DATEDIFF(second, '1970-01-01', {value})",
    "bigquery": "UNIX_SECONDS({value})",
    "snowflake": "DATE_PART(epoch_second, {value})",
    "duckdb": "epoch({value})",
    "trino": "to_unixtime({value})",
    "spark": "unix_timestamp({value})",
    "clickhouse": "toUnixTimestamp({value})",
}
FROM_EPOCH: Ways = {
    "mysql": "FROM_UNIXTIME({value})",
    "sqlite": "datetime({value}, 'unixepoch')",
    "tsql": "DATEADD(second, {value}, '1970-01-01')",
    "bigquery": "TIMESTAMP_SECONDS({value})",
    "trino": "from_unixtime({value})",
    "spark": "from_unixtime({value})",
    "clickhouse": "fromUnixTimestamp({value})",
} | same("to_timestamp({value})", "postgres snowflake duckdb")
LAST_OF_MONTH: Ways = {
    "postgres": "CAST(date_trunc('month', {value}) + INTERVAL '1 month - 1 day' AS date)",
    "sqlite": "date({value}, 'start of month', '+1 month', '-1 day')",
    "tsql": "EOMONTH({value})",
    "trino": "last_day_of_month({value})",
    "clickhouse": "toLastDayOfMonth({value})",
} | same("LAST_DAY({value})", "mysql oracle bigquery snowflake duckdb redshift spark")

_ALL = "postgres mysql sqlite tsql oracle bigquery snowflake duckdb redshift spark trino clickhouse"
DEFAULT: Ways = same("COALESCE({a}, {b})", _ALL)
CHOICE: Ways = same("CASE WHEN {condition} THEN {yes} ELSE {no} END", _ALL)
IF_PRESENT: Ways = same("CASE WHEN {value} IS NOT NULL THEN {yes} ELSE {no} END", _ALL)
DECODED: Ways = same("~CASE value WHEN … THEN … ELSE … END", _ALL)
IS_NULL: Ways = same("{value} IS NULL", _ALL)
NOT_ZERO: Ways = same("NULLIF({value}, 0)", _ALL)
ZERO_IF_NULL: Ways = same("COALESCE({value}, 0)", _ALL)
COUNTED: Ways = (
    same("SUM(CASE WHEN {condition} THEN 1 ELSE 0 END)", _ALL)
    | same("COUNTIF({condition})", "bigquery")
    | same("COUNT_IF({condition})", "snowflake trino spark duckdb")
)
DIVIDED: Ways = same("{a} / NULLIF({b}, 0)", _ALL)
TRIED_CAST: Ways = {
    "bigquery": "SAFE_CAST({cast})",
    "oracle": "~CAST(value AS type DEFAULT NULL ON CONVERSION ERROR)",
} | (
    same("CAST({cast})", "postgres mysql sqlite redshift")
    | same("TRY_CAST({cast})", "tsql snowflake duckdb trino spark")
)
CONVERTED: Ways = same("~CAST(value AS type)", _ALL)

LENGTH: Ways = same("LEN({text})", "tsql") | same("LENGTH({text})", _ALL.replace("tsql", ""))
SUBSTRING: Ways = same("SUBSTRING({text}, {start}, {length})", "tsql") | same(
    "SUBSTR({text}, {start}, {length})", _ALL.replace("tsql", "")
)
FIRST_LETTERS: Ways = same("SUBSTR({text}, 1, {length})", "sqlite oracle trino")
LAST_LETTERS: Ways = same("SUBSTR({text}, -{length})", "sqlite oracle trino")
POSITION: Ways = {
    "tsql": "CHARINDEX({part}, {text})",
    "clickhouse": "position({text}, {part})",
    "snowflake": "CHARINDEX({part}, {text})",
} | (
    same("STRPOS({text}, {part})", "postgres bigquery duckdb redshift trino")
    | same("INSTR({text}, {part})", "mysql sqlite oracle spark")
)
REPEATED: Ways = {
    "tsql": "REPLICATE({text}, {times})",
    "sqlite": "~replace(hex(zeroblob(n)), '00', text)",
    "oracle": "~RPAD(text, n, text)",
} | same("REPEAT({text}, {times})", "postgres mysql bigquery snowflake duckdb redshift spark")
LETTER: Ways = same("CHAR({code})", "mysql sqlite tsql snowflake spark clickhouse") | same(
    "CHR({code})", "postgres oracle bigquery duckdb redshift trino"
)
UPPER: Ways = same("UPPER({text})", _ALL)
LOWER: Ways = same("LOWER({text})", _ALL)
MATCHED: Ways = {
    "bigquery": "REGEXP_CONTAINS({text}, {pattern})",
    "duckdb": "regexp_matches({text}, {pattern})",
    "sqlite": "~LIKE or GLOB",
    "tsql": "~LIKE or PATINDEX",
    "clickhouse": "match({text}, {pattern})",
} | (
    same("{text} ~ {pattern}", "postgres redshift")
    | same("REGEXP_LIKE({text}, {pattern})", "mysql oracle snowflake trino spark")
)
EXTRACTED: Ways = {
    "postgres": "substring({text} FROM {pattern})",
    "tsql": "~SUBSTRING and PATINDEX",
} | (
    same("REGEXP_SUBSTR({text}, {pattern})", "mysql oracle snowflake redshift")
    | same("REGEXP_EXTRACT({text}, {pattern})", "bigquery duckdb trino spark")
)
SPLIT: Ways = {
    "mysql": "~SUBSTRING_INDEX(text, separator, n)",
    "bigquery": "~SPLIT(text, separator)[SAFE_ORDINAL(n)]",
    "tsql": "~STRING_SPLIT(text, separator)",
    "oracle": "~REGEXP_SUBSTR(text, '[^,]+', 1, n)",
    "sqlite": "~substr and instr",
} | same(
    "SPLIT_PART({text}, {separator}, {number})", "postgres snowflake duckdb redshift trino spark"
)

CEILING: Ways = same("CEILING({value})", "tsql") | same("CEIL({value})", _ALL.replace("tsql", ""))
POWER: Ways = same("POWER({a}, {b})", _ALL)
MODULO: Ways = same("{a} % {b}", "tsql")
NATURAL_LOG: Ways = same("LOG({value})", "tsql")
TRUNCATED_NUMBER: Ways = {
    "tsql": "ROUND({value}, {digits}, 1)",
    "sqlite": "~ROUND(value, digits)",
} | (
    same("TRUNC({value}, {digits})", "postgres oracle bigquery snowflake redshift duckdb")
    | same("TRUNCATE({value}, {digits})", "mysql")
)
LARGEST: Ways = same("MAX({arguments})", "sqlite")
SMALLEST: Ways = same("MIN({arguments})", "sqlite")
RANDOM: Ways = {
    "oracle": "DBMS_RANDOM.VALUE",
    "snowflake": "UNIFORM(0::float, 1::float, RANDOM())",
} | (
    same("RAND()", "mysql tsql bigquery spark clickhouse")
    | same("RANDOM()", "postgres sqlite duckdb trino redshift")
)
NUMBER: Ways = same("CAST({value} AS DECIMAL)", "mysql sqlite tsql bigquery duckdb trino")
ID: Ways = {
    "postgres": "gen_random_uuid()",
    "mysql": "UUID()",
    "sqlite": "lower(hex(randomblob(16)))",
    "tsql": "NEWID()",
    "oracle": "SYS_GUID()",
    "bigquery": "GENERATE_UUID()",
    "snowflake": "UUID_STRING()",
    "clickhouse": "generateUUIDv4()",
} | same("uuid()", "duckdb trino spark")
SERIES: Ways = (
    {
        "bigquery": "~UNNEST(GENERATE_ARRAY(1, 10))",
        "snowflake": "~TABLE(GENERATOR(ROWCOUNT => 10))",
        "trino": "~UNNEST(sequence(1, 10))",
        "spark": "~explode(sequence(1, 10))",
        "clickhouse": "~numbers(10)",
    }
    | same("~a recursive CTE", "mysql oracle tsql redshift")
    | (same("~generate_series(1, 10)", "postgres duckdb"))
)
ROWS: Ways = {
    "mysql": "~JSON_TABLE(…)",
    "sqlite": "~json_each(…)",
    "tsql": "~OPENJSON(…)",
    "oracle": "~JSON_TABLE(…)",
    "snowflake": "~LATERAL FLATTEN(input => …)",
    "spark": "~EXPLODE(…)",
    "clickhouse": "~ARRAY JOIN",
} | same("~UNNEST(…)", "postgres bigquery duckdb trino")
ARRAY_OF: Ways = {
    "mysql": "JSON_ARRAYAGG({value})",
    "sqlite": "json_group_array({value})",
    "tsql": "~STRING_AGG(value, ',')",
    "oracle": "COLLECT({value})",
    "spark": "collect_list({value})",
    "clickhouse": "groupArray({value})",
    "redshift": "~LISTAGG(value, ',')",
} | same("ARRAY_AGG({value})", "postgres bigquery snowflake duckdb trino")
SIZE: Ways = {
    "postgres": "cardinality({value})",
    "trino": "cardinality({value})",
    "mysql": "JSON_LENGTH({value})",
    "sqlite": "json_array_length({value})",
    "bigquery": "ARRAY_LENGTH({value})",
    "snowflake": "ARRAY_SIZE({value})",
    "duckdb": "len({value})",
    "redshift": "GET_ARRAY_LENGTH({value})",
    "spark": "size({value})",
    "clickhouse": "length({value})",
}
JSON_VALUE: Ways = {
    "postgres": "~value ->> 'key'",
    "sqlite": "~value ->> '$.key'",
    "mysql": "~value ->> '$.key'",
    "duckdb": "~value ->> '$.key'",
    "snowflake": "~value:key::string",
    "redshift": "~JSON_EXTRACT_PATH_TEXT(value, 'key')",
    "spark": "get_json_object({value}, {path})",
    "trino": "json_extract_scalar({value}, {path})",
    "clickhouse": "~JSONExtractString(value, 'key')",
} | same("JSON_VALUE({value}, {path})", "tsql oracle bigquery")
SPREAD: Ways = {"tsql": "STDEV({value})"} | same(
    "STDDEV({value})", _ALL.replace("tsql", "").replace("sqlite", "")
)
DISTINCT_COUNT: Ways = (
    same("COUNT(DISTINCT {value})", "postgres mysql sqlite")
    | {
        "trino": "approx_distinct({value})",
        "clickhouse": "uniq({value})",
    }
    | same("APPROX_COUNT_DISTINCT({value})", "tsql oracle bigquery snowflake duckdb spark")
)
MIDDLE: Ways = {
    "bigquery": "~APPROX_QUANTILES(value, 2)[OFFSET(1)]",
    "trino": "~approx_percentile(value, 0.5)",
    "mysql": "~ROW_NUMBER() and the middle row",
    "sqlite": "~ROW_NUMBER() and the middle row",
    "tsql": "~PERCENTILE_CONT(0.5) WITHIN GROUP (ORDER BY value) OVER ()",
    "postgres": "percentile_cont(0.5) WITHIN GROUP (ORDER BY {value})",
}
NONE: Ways = {}
