"""Marks by which a script shows the dialect it was written for."""

from __future__ import annotations

CLEAR = 2
"""A mark of this weight is proof enough; a lighter one needs company."""

PRODUCTS = {
    "bigquery": "BigQuery",
    "clickhouse": "ClickHouse",
    "databricks": "Databricks",
    "duckdb": "DuckDB",
    "hive": "Hive",
    "mysql": "(?:MySQL|MariaDB)",
    "oracle": "Oracle",
    "postgres": "(?:PostgreSQL|Postgres)",
    "redshift": "Redshift",
    "snowflake": "Snowflake",
    "spark": "Spark(?: SQL)?",
    "sqlite": "SQLite3?",
    "teradata": "Teradata",
    "tsql": "(?:SQL ?Server|T-SQL|Transact-SQL)",
}
"""How a comment at the head of a script calls the product."""

MARKS: dict[str, dict[str, int]] = {
    "bigquery": {
        r"\bINT64\b|\bFLOAT64\b": 2,
        r"\bOPTIONS\s*\(\s*(?:description|labels|friendly_name)\s*=": 2,
        r"`[\w-]+\.[\w-]+\.[\w-]+`": 2,
        r"\b(?:STRUCT|ARRAY)<": 1,
        r"\bNOT ENFORCED\b": 1,
    },
    "clickhouse": {
        r"\bENGINE\s*=\s*\w*MergeTree\b": 4,
        r"\bLowCardinality\(|\bNullable\(\w|\bDateTime64\(": 2,
    },
    "databricks": {
        r"\bUSING\s+DELTA\b": 3,
        r"\bdelta\.\w+'?\s*=": 2,
    },
    "duckdb": {
        r"\bHUGEINT\b|\bread_(?:csv_auto|parquet|json_auto)\(": 2,
        r"^\s*(?:INSTALL|LOAD)\s+'?\w+'?\s*;": 2,
    },
    "hive": {
        r"\bROW\s+FORMAT\s+(?:SERDE|DELIMITED)\b": 3,
        r"\bSTORED\s+(?:AS|BY)\s+\S": 2,
        r"\bTBLPROPERTIES\b": 1,
    },
    "mysql": {
        r"^-- (?:MySQL|MariaDB) dump\b": 3,
        r"\bAUTO_INCREMENT\b": 2,
        r"\bENGINE\s*=\s*(?:InnoDB|MyISAM|MEMORY)\b": 3,
        r"/\*!\d{5}": 2,
        r"^\s*DELIMITER\s+\S+\s*$": 2,
        r"\bunsigned\b|\bCHARSET\s*=|\b(?:tiny|medium)(?:int|text)\b": 1,
    },
    "oracle": {
        r"\bN?VARCHAR2\s*\(": 3,
        r"\bNUMBER\s*\(": 1,
        r"^/[ \t]*$": 1,
        r"^\s*(?:PROMPT\b|REM\b|SET\s+DEFINE\b|WHENEVER\s+SQLERROR\b)": 2,
        r"\bSEGMENT\s+CREATION\b|\bSYSDATE\b": 1,
    },
    "postgres": {
        r"^-- PostgreSQL database dump\b": 3,
        r"^COPY\s[^;]+\bFROM\s+stdin;": 3,
        r"^\\(?:restrict|connect|set|echo|if)\b": 2,
        r"::regclass\b|\bLANGUAGE\s+'?plpgsql\b": 2,
        r"\b(?:big|small)?serial\b|\bjsonb\b|\btimestamptz\b|\bbytea\b": 2,
        r"\bcharacter\s+varying\b|\btimestamp\s+with(?:out)?\s+time\s+zone\b": 1,
        r"\bOWNER\s+TO\b|\bALTER\s+TABLE\s+ONLY\b": 2,
    },
    "redshift": {
        r"\bDISTSTYLE\b|\bDISTKEY\b|\bSORTKEY\b": 4,
        r"\bENCODE\s+(?:zstd|lzo|az64|raw)\b": 3,
    },
    "snowflake": {
        r"\bTIMESTAMP_(?:NTZ|LTZ|TZ)\b": 3,
        r"\bVARIANT\b": 2,
        r"\bCREATE\s+(?:OR\s+REPLACE\s+)?(?:TRANSIENT|HYBRID|DYNAMIC|ICEBERG)\s+TABLE\b": 3,
        r"\bNUMBER\(38,\s*0\)": 2,
        r"\bCREATE\s+(?:OR\s+REPLACE\s+)?(?:WAREHOUSE|STAGE|FILE\s+FORMAT)\b": 3,
    },
    "spark": {
        r"\bUSING\s+(?:PARQUET|ORC|CSV|JSON)\b": 3,
    },
    "sqlite": {
        r"\bAUTOINCREMENT\b": 2,
        r"\bWITHOUT\s+ROWID\b": 3,
        r"^\s*PRAGMA\s+\w+": 3,
        r"\)\s*STRICT\s*;": 2,
        r"\bCREATE\s+VIRTUAL\s+TABLE\b[^;]+?\bUSING\s+(?:fts[345]|rtree)": 3,
    },
    "teradata": {
        r"\bCREATE\s+(?:MULTISET|SET)\s+(?:VOLATILE\s+)?TABLE\b": 3,
        r"\bPRIMARY\s+INDEX\s*\(": 1,
    },
    "tsql": {
        r"^[ \t]*GO(?:[ \t]+\d+)?[ \t]*$": 3,
        r"\[dbo\]|\bdbo\.": 2,
        r"\bIDENTITY\s*\(\s*\d+\s*,\s*\d+\s*\)": 2,
        r"\[\w+\]\s+\[\w+\]": 2,
        r"\bNVARCHAR\s*\(|\bDATETIME2\b|\bUNIQUEIDENTIFIER\b": 1,
    },
}
"""Regular expressions and their weights, by dialect."""
