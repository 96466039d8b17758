"""Names that engines know without any DDL: catalogues, pseudo-columns, date parts."""

from __future__ import annotations

import re

_CATALOG_SCHEMAS = frozenset(
    """
    information_schema pg_catalog pg_toast pg_temp sys mysql performance_schema system
    account_usage organization_usage reader_account_usage data_sharing_usage snowflake
    snowflake_sample_data master msdb tempdb temp _v_catalog v_catalog v_monitor global_temp
    """.split()
)
PLATFORM_SCHEMAS = frozenset(
    """
    auth storage realtime vault extensions supabase_functions supabase_migrations graphql_public
    cron net pgmq pgsodium hdb_catalog partman repack topology tiger timescaledb_information
    _timescaledb_catalog _timescaledb_internal
    """.split()
)
"""Schemas that platforms and extensions bring, unless the DDL has one of that name."""
_CATALOG_TABLE = re.compile(
    r"pg_\w+|sqlite_\w+|pragma_\w+|duckdb_\w+|g?v\$\w+|dual|dbstat|__\w+__|x\$\w+|\$.+"
    r"|inserted|deleted|excluded|information_schema.*|region-.*|.*[*{}<>:/@].*"
    r"|sys(?:objects|columns|tables|indexes|types|users|comments|databases|processes|files"
    r"|logins|messages|permissions|members|foreignkeys|constraints|depends|schemas)",
    re.IGNORECASE | re.DOTALL,
)
_CATALOG_TABLES_OF = {
    "oracle": re.compile(
        r"(?:all|user|dba|cdb|g?v_|ind|obj|role|session|nls|product)_\w+|tab|cat|dictionary|dict"
        r"|user_\w+|cols|seq|syn|tabs|obj|clu|ind|g?v\$.*",
        re.IGNORECASE,
    ),
    "redshift": re.compile(r"(?:stl|stv|svv|svl|svcs|sys)_\w+", re.IGNORECASE),
    # What Trino's connectors tell of a table: "orders$partitions".
    **dict.fromkeys(("trino", "presto", "athena"), re.compile(r".+\$\w+", re.DOTALL)),
    "postgres": re.compile(r"\w+_seq", re.IGNORECASE),
    # MariaDB counts: seq_1_to_10_step_2.
    "mysql": re.compile(r"seq_\d+_to_\d+(?:_step_\d+)?", re.IGNORECASE),
    **dict.fromkeys(("tsql", "fabric"), re.compile(r"spt_\w+", re.IGNORECASE)),
    "teradata": re.compile(r"dbc.*", re.IGNORECASE),
}


def is_catalog(name: str, schema: str, dialect: str) -> bool:
    """True for a table that an engine brings along, or that no DDL can name."""
    parts = [part.casefold() for part in schema.split(".")]
    if any(part in _CATALOG_SCHEMAS or part.startswith("region-") for part in parts):
        return True
    own = _CATALOG_TABLES_OF.get(dialect)
    if own is not None and own.fullmatch(name):
        return True
    return _CATALOG_TABLE.fullmatch(name) is not None


# Where a word stands for a value in every engine, or in the bodies of triggers.
_ANYWHERE = """
    all
    current_date current_time current_timestamp current_user current_role current_catalog
    current_schema current_database session_user localtime localtimestamp default user
    new old inserted deleted excluded
"""
_POSTGRES = "oid ctid xmin xmax cmin cmax tableoid system_user tg_op tg_table_name"
_HIERARCHY = "level connect_by_isleaf connect_by_iscycle nextval currval"
_SPARK = """
    session _metadata _change_type _commit_version _commit_timestamp _rescued_data input__file__name
    block__offset__inside__file _file _pos _partition _spec_id
"""
_OF_DIALECT = {
    "postgres": _POSTGRES,
    "redshift": f"{_POSTGRES} sysdate",
    "oracle": f"""
        {_HIERARCHY} rowid rownum ora_rowscn ora_rowts sysdate systimestamp uid column_value
        object_value object_id sessiontimezone dbtimezone value
        versions_startscn versions_starttime versions_endscn versions_endtime versions_xid
        versions_operation
    """,
    "sqlite": "rowid _rowid_ oid rank",
    "mysql": "utc_date utc_time utc_timestamp _rowid sysdate row_start row_end",
    "tsql": "system_user identitycol rowguidcol",
    "fabric": "system_user",
    "snowflake": f"{_HIERARCHY} value sysdate",
    "bigquery": """
        _partitiontime _partitiondate _table_suffix _file_name _change_type _change_timestamp
        _change_sequence_number
    """,
    "duckdb": "rowid filename file_row_number file_index",
    "spark": _SPARK,
    "databricks": _SPARK,
    "hive": f"{_SPARK} row__id grouping__id row__offset__inside__block",
    "clickhouse": """
        _part _part_index _part_uuid _partition_id _partition_value _path _file _size _time
        _table _database _sample_factor _shard_num _row_exists _block_number _block_offset
        _part_offset _headers _data _version _sign
    """,
    "trino": "current_groups",
}
_PSEUDO_COLUMNS = {
    dialect: frozenset(f"{_ANYWHERE} {own}".split()) for dialect, own in _OF_DIALECT.items()
}
_ALL = frozenset().union(*_PSEUDO_COLUMNS.values())
_PSEUDO = re.compile(r"metadata\$\w+|f\d+_|\$\w+|@.*|#.*|__\w+__", re.IGNORECASE)

_DATE_PARTS = frozenset(
    """
    year years yy yyyy quarter qq month months mm mon week weeks wk ww isoweek isoyear day days
    dd dy doy dow dayofyear dayofweek weekday hour hours hh minute minutes mi second seconds ss
    millisecond milliseconds ms microsecond microseconds mcs nanosecond ns epoch date time
    century decade
    """.split()
)


def is_pseudo_column(name: str, dialect: str) -> bool:
    """True for a column or a value that is in every table of a dialect, or needs none.

    A dialect without a list of its own may have any of those of the others.
    """
    return name.casefold() in _PSEUDO_COLUMNS.get(dialect, _ALL) or (
        _PSEUDO.fullmatch(name) is not None
    )


def is_date_part(name: str) -> bool:
    return name.casefold() in _DATE_PARTS
