"""Functions that do more than compute: they write, wait, lock, or reach files and networks.

Data only. Names are lower case; a trailing ``*`` stands for any ending.
"""

from __future__ import annotations

import re
from functools import lru_cache

_POSTGRES = {
    "reads or writes files of the server": (
        "pg_read_file pg_read_binary_file pg_stat_file pg_ls_* pg_file_* lo_import lo_export"
        " pg_current_logfile pg_read_server_files"
    ),
    "changes large objects": (
        "lo_create lo_creat lo_unlink lo_put lo_from_bytea lo_truncate* lowrite lo_open"
    ),
    "runs another query": (
        "query_to_xml* cursor_to_xml* dblink* postgres_fdw_disconnect* ts_stat ts_rewrite"
    ),
    "ends or disturbs other sessions": (
        "pg_terminate_backend pg_cancel_backend pg_reload_conf pg_rotate_logfile pg_promote"
        " pg_switch_wal pg_wal_replay_* pg_create_* pg_drop_* pg_logical_* pg_replication_*"
        " pg_copy_* pg_backup_* pg_start_backup pg_stop_backup pg_stat_reset* pg_log_*"
        " pg_import_system_collations pg_export_snapshot pg_prewarm pg_stat_statements_reset"
    ),
    "advances a sequence": "nextval setval",
    "changes a setting": "set_config",
    "waits": "pg_sleep*",
    "takes a lock": "pg_advisory_* pg_try_advisory_*",
    "sends a message": "pg_notify",
}
_MYSQL = {
    "reads files of the server": "load_file",
    "waits": "sleep benchmark master_pos_wait source_pos_wait wait_for_executed_gtid_set",
    "takes a lock": "get_lock release_lock release_all_locks",
    "runs a program": "sys_exec sys_eval sys_set",
}
_TSQL = {
    "runs a program or an outside query": (
        "xp_* sp_* openrowset openquery opendatasource"
        " fn_xe_file_target_read_file fn_get_audit_file fn_trace_gettable fn_dump_dblog*"
    ),
}
_ORACLE = {
    "reaches the network or files": (
        "httpuritype bfilename utl_* dbms_* request get_host_address get_host_name"
    ),
}
_SQLITE = {
    "loads code": "load_extension",
    "reads or writes files": "writefile readfile edit fts3_tokenizer lsdir fsdir",
}
_DUCKDB = {
    "reads files": (
        "read_* parquet_* sniff_csv csv_scan glob st_read* arrow_scan* delta_scan"
        " sqlite_scan* postgres_scan* mysql_scan* postgres_query mysql_query"
        " iceberg_scan iceberg_metadata iceberg_snapshots"
    ),
    "runs another query": "query query_table",
    "advances a sequence": "nextval",
    "reads the environment": "getenv",
}
_CLICKHOUSE = {
    "reaches files, programs or the network": (
        "file url s3 s3cluster gcs hdfs hdfscluster remote remotesecure mysql postgresql"
        " mongodb sqlite jdbc odbc executable input azureblobstorage* deltalake hudi"
        " iceberg* redis urlcluster filecluster cluster clusterallreplicas"
    ),
    "waits": "sleep sleepeachrow",
}
_SNOWFLAKE = {"acts on the system": "system$*", "runs another query": "result_scan"}
_BIGQUERY = {"runs an outside query": "external_query"}

_EFFECTS = {
    "postgres": _POSTGRES,
    "redshift": _POSTGRES,
    "materialize": _POSTGRES,
    "risingwave": _POSTGRES,
    "mysql": _MYSQL,
    "doris": _MYSQL,
    "starrocks": _MYSQL,
    "singlestore": _MYSQL,
    "tsql": _TSQL,
    "fabric": _TSQL,
    "oracle": _ORACLE,
    "sqlite": _SQLITE,
    "duckdb": _DUCKDB,
    "clickhouse": _CLICKHOUSE,
    "snowflake": _SNOWFLAKE,
    "bigquery": _BIGQUERY,
    "spark": {"runs code": "java_method reflect try_reflect"},
    "databricks": {"runs code": "java_method reflect try_reflect read_files http_request ai_query"},
    "hive": {"runs code": "java_method reflect reflect2"},
}
# Where the dialect is not known, only names that mean the same thing wherever they exist.
_ANYWHERE = (_POSTGRES, _MYSQL, _SQLITE)


def effect_of(function: str, dialect: str) -> str:
    """What a function does beside computing, as a predicate (``waits``), or ``""``."""
    for predicate, names in _compiled(dialect):
        if names.fullmatch(function):
            return predicate
    return ""


@lru_cache(maxsize=64)
def _compiled(dialect: str) -> tuple[tuple[str, re.Pattern[str]], ...]:
    tables = _ANYWHERE if not dialect else (_EFFECTS.get(dialect, {}),)
    return tuple(
        (
            predicate,
            re.compile("|".join(re.escape(name).replace(r"\*", r"\w*") for name in names.split())),
        )
        for table in tables
        for predicate, names in table.items()
    )
