"""Functions that do more than compute: they write, wait, lock, or reach files and networks.

Data only. Names are lower case; a trailing ``*`` stands for any ending. A name with a point is
meant with its package or schema (``cron.schedule``).
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

_MODELS = "sends data to a model"
_POSTGRES = {
    "reads or writes files of the server": (
        "pg_read_file pg_read_binary_file pg_stat_file pg_ls_* pg_file_*"
        " pg_current_logfile pg_logdir_ls utl_file.* create_foreign_table_for_log_file"
        " load_labels_from_file load_edges_from_file"
    ),
    "works on large objects": "lo_* loread lowrite",
    "runs another query": (
        "query_to_xml* cursor_to_xml* table_to_xml* schema_to_xml* database_to_xml* dblink*"
        " postgres_fdw_disconnect* ts_stat ts_rewrite connectby xpath_table run_command_on_*"
        " cypher pg_background_launch duckdb.query duckdb.raw_query graphql.resolve"
    ),
    "ends or disturbs other sessions": (
        "pg_terminate_backend pg_cancel_backend pg_reload_conf pg_rotate_logfile* pg_promote"
        " pg_switch_wal pg_switch_xlog pg_wal_replay_* pg_create_* pg_drop_* pg_logical_*"
        " pg_replication_* pg_copy_* pg_backup_* pg_start_backup pg_stop_backup pg_stat_reset*"
        " pg_log_* pg_import_system_collations pg_export_snapshot pg_prewarm autoprewarm_*"
        " pg_stat_statements_reset pg_replication_slot_advance pg_sync_replication_slots"
        " pg_buffercache_evict* pg_buffercache_mark_dirty* pldbg_* pglogical.* spock.*"
    ),
    "changes what is stored": (
        "gin_clean_pending_list brin_summarize_* brin_desummarize_range"
        " addgeometrycolumn dropgeometrycolumn dropgeometrytable updategeometrysrid"
        " populate_geometry_columns create_hypertable create_distributed_* drop_chunks"
        " add_*_policy remove_*_policy compress_chunk decompress_chunk move_chunk"
        " refresh_continuous_aggregate set_chunk_time_interval reorder_chunk add_dimension"
        " attach_tablespace detach_tablespace* create_reference_table undistribute_table master_*"
        " alter_distributed_table truncate_local_data_after_* citus_add_* citus_copy_*"
        " citus_disable_* citus_drain_* citus_move_* citus_remove_* citus_set_* citus_update_*"
        " citus_rebalance_* rebalance_table_shards pg_truncate_visibility_map heap_force_*"
        " pg_restore_*_stats pg_clear_*_stats pg_set_*_stats binary_upgrade_* pg_nextoid"
        " create_graph drop_graph create_vlabel create_elabel drop_label topology.create*"
        " topology.drop* topology.add* pgmq.* partman.* pgagent.* repack.* vault.create_secret"
        " vault.update_secret pgsodium.create_key anon.anonymize_*"
    ),
    "schedules work": "cron.schedule* cron.unschedule* cron.alter_job add_job delete_job run_job",
    "reaches the network": (
        "http_* net.http_* http aws_s3.* aws_lambda.* aws_commons.* azure_storage.*"
    ),
    _MODELS: "ai.* azure_openai.* azure_cognitive.* azure_ml.* google_ml.* aws_bedrock.*",
    "advances a sequence": "nextval setval",
    "changes a setting": "set_config setseed set_limit hypopg_*",
    "waits": "pg_sleep*",
    "takes a lock": "pg_advisory_* pg_try_advisory_*",
    "sends a message": "pg_notify dbms_pipe.* dbms_alert.*",
}
_MYSQL = {
    "reads files of the server": "load_file gen_dictionary_load audit_log_read",
    "changes a setting": (
        "load_rewrite_rules flush_rewrite_rules audit_log_filter_* audit_log_rotate"
        " audit_log_encryption_* set_firewall_* read_firewall_* mysql_firewall_flush_status"
        " gen_dictionary_drop masking_dictionar*_add masking_dictionar*_remove"
        " masking_dictionaries_flush"
    ),
    "reaches the network": "http_* lambda_sync lambda_async aws_*",
    _MODELS: "ml_generate* ml_rag*",
    "waits": (
        "sleep benchmark master_pos_wait source_pos_wait master_gtid_wait"
        " wait_for_executed_gtid_set wait_until_sql_thread_after_gtids"
    ),
    "takes a lock": "get_lock release_lock release_all_locks service_get_*_locks",
    "runs a program": "sys_exec sys_eval sys_set sys_get",
    "advances a sequence": "nextval setval",
    "changes replication": (
        "asynchronous_connection_failover_* group_replication_* version_tokens_* keyring_key_*"
    ),
}
_TSQL = {
    "runs a program or an outside query": (
        "xp_* sp_* openrowset openquery opendatasource"
        " fn_xe_file_target_read_file fn_get_audit_file* fn_trace_gettable fn_dump_dblog*"
        " dm_os_file_exists dm_os_enumerate_filesystem dm_os_enumerate_fixed_drives"
    ),
    _MODELS: "ai_generate_embeddings",
}
_ORACLE = {
    "reaches the network or files": (
        "httpuritype ftpuritype dburitype xdburitype uritype urifactory.* bfilename"
        " utl_*.* utl_http utl_file dbms_*.* drithsx.* ord_dicom.* apex_web_service.*"
        " apex_mail.* apex_exec.* owa_util.* get_host_address get_host_name"
    ),
    "runs a program": "sys_eval sys_exec",
}
_SQLITE = {
    "loads code": "load_extension enable_load_extension",
    "reads or writes files": (
        "writefile readfile edit fts3_tokenizer lsdir fsdir zipfile csv sqlite_dump fileio_*"
        " importshp importdbf importxls importgeojson importdxf* importzip* exportshp exportdbf"
        " exportgeojson* exportkml exportdxf blobfromfile blobtofile xb_loadxml xb_storexml"
    ),
    "runs another query": "eval sqlite3_exec statement_vtab sha3_query",
    "defines a function": "define undefine define_free",
    "reaches the network": "http_*",
    "changes what is stored": (
        "optimize pragma_optimize initspatialmetadata* addgeometrycolumn recovergeometrycolumn"
        " discardgeometrycolumn createspatialindex disablespatialindex dropgeotable droptable"
        " renametable renamecolumn createtopo* droptopo* crsql_as_crr crsql_begin_alter"
        " crsql_commit_alter"
    ),
}
_DUCKDB_FILES = (
    "read_* parquet_* sniff_csv csv_scan st_read* arrow_scan* python_arrow_scan delta_scan"
    " sqlite_scan* postgres_scan* mysql_scan* iceberg_scan iceberg_metadata iceberg_snapshots"
    " pandas_scan lance_scan odbc_scan bigquery_scan snowflake_scan mssql_scan mongo_scan"
)
_DUCKDB = {
    "reads files": f"{_DUCKDB_FILES} glob is_file is_dir file_size path_exists ls lsr",
    "runs another query": (
        "query query_table json_execute_serialized_sql from_substrait* postgres_query"
        " postgres_execute mysql_query mysql_execute sqlite_query sqlite_attach postgres_attach"
        " python_map_function odbc_query odbc_exec* bigquery_query bigquery_execute"
        " snowflake_query mssql_exec* cron cron_*"
    ),
    "advances a sequence": "nextval setval",
    "reads the environment": "getenv load_aws_credentials",
    "waits": "sleep_ms",
    "changes a setting": (
        "setseed enable_logging disable_logging enable_profiling disable_profiling start_ui*"
        " stop_ui* add_grammar_extension remove_grammar_extension"
    ),
    "changes what is stored": (
        "checkpoint force_checkpoint dbgen dsdgen write_log truncate_duckdb_logs"
        " create_external_resource register_external_resource* deregister_external_resource"
        " destroy_external_resource ducklake_expire_* ducklake_cleanup_* ducklake_merge_*"
        " ducklake_flush_* ducklake_add_* ducklake_delete_* ducklake_rewrite_*"
    ),
    "reaches the network": (
        "http_* httpserve_* load_macro_from_url redis_* airport_* radio_* tributary_* crawl*"
    ),
    _MODELS: "open_prompt*",
}
_CLICKHOUSE = {
    "reaches files, programs or the network": (
        "file url s3 s3cluster gcs hdfs hdfscluster remote remotesecure mysql postgresql"
        " mongodb sqlite jdbc odbc executable input azureblobstorage* deltalake* hudi*"
        " iceberg* paimon* redis urlcluster filecluster cluster clusterallreplicas cosn oss"
        " arrowflight ytsaurus catboostevaluate modelevaluate ai_* aigenerate* aiclassify*"
        " aiextract* aitranslate* aiembed* kafka nats prometheusquery*"
    ),
    "waits": "sleep sleepeachrow",
    "advances a sequence": "generateserialid",
}
_SNOWFLAKE = {
    "acts on the system": "system$*",
    "advances a sequence": "getnextval",
    "reads files": "infer_schema",
    _MODELS: "ai_* cortex.*",
}
_BIGQUERY = {
    "runs an outside query": "external_query",
    "reaches files": "obj.*",
    _MODELS: (
        "ai.* ml.generate_* ml.translate ml.understand_text ml.annotate_image ml.process_document"
        " ml.transcribe"
    ),
}
_SPARK = {"runs code": "java_method reflect reflect2 try_reflect"}
_HIVE = {**_SPARK, "reads files": "in_file", "runs another query": "get_splits execute_splits"}
_TRINO = {
    "runs an outside query": "system.query system.raw_query system.execute",
    _MODELS: "ai_*",
}

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
    "spark": _SPARK,
    "spark2": _SPARK,
    "databricks": {
        **_SPARK,
        "reads files": "read_* cloud_files",
        "runs an outside query": "remote_query",
        "reaches the network": "http_request",
        "reads a secret": "secret try_secret list_secrets",
        _MODELS: "ai_*",
    },
    "hive": _HIVE,
    "trino": _TRINO,
    "presto": _TRINO,
    "athena": _TRINO,
}
# Where the dialect is not known, only names that mean the same thing wherever they exist.
_ANYWHERE = (
    *(_POSTGRES, _MYSQL, _SQLITE, _TSQL, _ORACLE, _SPARK),
    {"reads files": _DUCKDB_FILES, "acts on the system": "system$*"},
    {"runs an outside query": "external_query"},
)
# Packages whose names are otherwise a warning.
_HARMLESS = {
    "oracle": (
        "dbms_lob.substr dbms_lob.getlength dbms_lob.instr dbms_lob.compare dbms_random.*"
        " dbms_metadata.get_* dbms_crypto.hash dbms_utility.get_hash_value dbms_rowid.*"
        " dbms_xplan.display* utl_raw.* utl_match.* utl_encode.* utl_i18n.* utl_url.*"
        " dbms_xmlgen.convert dbms_sqlhash.*"
    )
}
PACKAGES_NEED_NO_CALL = frozenset({"oracle", ""})
"""Where a function of a package runs without parentheses behind its name."""


def effect_of(function: str, dialect: str) -> str:
    """What a function does beside computing, as a predicate (``waits``), or ``""``.

    ``function`` is a name as it is written, alone or behind its package (``utl_http.request``).
    """
    return _effect_of(folded(function), dialect)


def folded(name: str) -> str:
    """A name in lower case and without accents: some engines compare names that loosely."""
    if name.isascii():
        return name.lower()
    letters = unicodedata.normalize("NFKD", name.casefold())
    return "".join(letter for letter in letters if not unicodedata.combining(letter)).casefold()


@lru_cache(maxsize=4096)
def _effect_of(function: str, dialect: str) -> str:
    if _any_of(_HARMLESS.get(dialect or "oracle", "")).fullmatch(function):
        return ""
    tables = _ANYWHERE if not dialect else (_EFFECTS.get(dialect, {}),)
    return next(
        (
            predicate
            for table in tables
            for predicate, names in table.items()
            if _any_of(names).fullmatch(function)
        ),
        "",
    )


@lru_cache(maxsize=256)
def _any_of(names: str) -> re.Pattern[str]:
    return re.compile("|".join(re.escape(name).replace(r"\*", r"[\w$]*") for name in names.split()))
