"""Names that engines know without any DDL: catalogs, pseudo-columns, date parts."""

from __future__ import annotations

import re

_CATALOG_SCHEMAS = frozenset(
    """
    information_schema pg_catalog pg_toast pg_temp sys mysql performance_schema system
    account_usage organization_usage snowflake snowflake_sample_data msdb tempdb temp
    _v_catalog v_catalog v_monitor global_temp
    """.split()
)
_CATALOG_TABLE = re.compile(
    r"pg_\w+|sqlite_\w+|pragma_\w+|duckdb_\w+|g?v\$\w+|dual|dbstat|__\w+__|x\$\w+|#.+|@.+|\$.+"
    r"|inserted|deleted|excluded|information_schema.*|region-.*|.*[*{}<>:/@].*",
    re.IGNORECASE | re.DOTALL,
)
_CATALOG_TABLES_OF = {
    "oracle": re.compile(r"(?:all|user|dba|cdb|g?v)_\w+|tab|cat|dictionary", re.IGNORECASE),
    "redshift": re.compile(r"(?:stl|stv|svv|svl|svcs|sys)_\w+", re.IGNORECASE),
    "tsql": re.compile(r"sys(?:objects|columns|tables|indexes|types|users|comments)", re.I),
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


_PSEUDO_COLUMNS = frozenset(
    """
    rowid _rowid_ oid ctid xmin xmax cmin cmax tableoid rownum level ora_rowscn
    connect_by_isleaf connect_by_iscycle nextval currval sysdate systimestamp sysdatetime
    current_date current_time current_timestamp current_user current_role current_catalog
    current_schema current_database session_user system_user user uid localtime localtimestamp
    utc_date utc_time utc_timestamp default value column_value object_value
    _partitiontime _partitiondate _table_suffix _file_name _change_type _change_timestamp
    _commit_version _commit_timestamp _metadata _part _part_index _part_uuid _partition_id
    _partition_value _path _file _size _time _table _sample_factor _shard_num _row_exists
    _block_number _block_offset filename file_row_number input__file__name
    block__offset__inside__file new old inserted deleted excluded
    """.split()
)
_PSEUDO = re.compile(r"metadata\$\w+|f\d+_|\$\w+|@.*|#.*|__\w+__", re.IGNORECASE)

_DATE_PARTS = frozenset(
    """
    year years yy yyyy quarter qq month months mm mon week weeks wk ww isoweek isoyear day days
    dd dy doy dow dayofyear dayofweek weekday hour hours hh minute minutes mi second seconds ss
    millisecond milliseconds ms microsecond microseconds mcs nanosecond ns epoch date time
    century decade
    """.split()
)


def is_pseudo_column(name: str) -> bool:
    return name.casefold() in _PSEUDO_COLUMNS or _PSEUDO.fullmatch(name) is not None


def is_date_part(name: str) -> bool:
    return name.casefold() in _DATE_PARTS
