"""Which statements only read."""

from __future__ import annotations

import pytest

from sqlscribe.checking.reads import classify

READS = [
    ("postgres", "SELECT 'DELETE FROM t' AS text"),
    ("postgres", "SELECT 1; -- done"),
    ("postgres", "-- drop table t\nSELECT 1 /* delete */"),
    ("postgres", 'SELECT update_count, "insert" FROM t'),
    ("postgres", "(SELECT 1) UNION (SELECT 2)"),
    ("postgres", "TABLE t"),
    ("postgres", "VALUES (1, 2)"),
    ("postgres", "EXPLAIN SELECT 1"),
    ("postgres", "EXPLAIN (ANALYZE false, FORMAT JSON) SELECT * FROM t"),
    ("postgres", "EXPLAIN VERBOSE SELECT 1"),
    ("postgres", "SHOW search_path"),
    ("postgres", "SELECT 1 /*!50000 ; DROP TABLE t */"),
    ("mysql", "SELECT 1 /*!50000 + 1 */"),
    ("mysql", "SELECT /*+ MAX_EXECUTION_TIME(10) */ REPLACE(a, 'x', 'y') FROM t"),
    ("mysql", "SHOW TABLES"),
    ("mysql", "DESCRIBE t"),
    ("mysql", "EXPLAIN FORMAT=JSON SELECT 1"),
    ("sqlite", "EXPLAIN QUERY PLAN SELECT 1"),
    ("sqlite", "PRAGMA table_info('t');"),
    ("sqlite", "PRAGMA foreign_keys"),
    ("tsql", "SELECT [delete] FROM [drop]"),
    ("postgres", "SELECT 1 /* a /* b */ c */"),
    ("hive", "SELECT 1 /* a */ + /* b */ 1"),
    ("", "SELECT 'C:\\' AS a --note; drop it later"),
    ("", 'SELECT "delete", t.delete FROM t'),
    ("duckdb", "SHOW FROM t SELECT a"),
    ("duckdb", 'SHOW "order lines"'),
    ("tsql", "SELECT 1\nGO"),
    ("oracle", "SELECT 1 FROM dual\n/"),
    ("duckdb", "FROM t SELECT a"),
    ("duckdb", "SUMMARIZE t"),
    ("duckdb", "PIVOT t ON a USING sum(b)"),
    ("snowflake", "SELECT $1 FROM VALUES (1)"),
    ("postgres", "SELECT 'مرحبا \u200f' AS greeting, '👩\u200d🔬'"),
    ("postgres", "SELECT delete_flag, t.update_count FROM t WHERE deleted_at (NULL)"),
    ("oracle", "SELECT t.delete_flag, xmltype('<a/>') FROM t"),
    ("duckdb", 'SELECT * FROM "Order Lines"'),
    ("postgres", "SELECT set_byte(a, 1, 2), ai.total FROM ai"),
]


@pytest.mark.parametrize(("dialect", "sql"), READS)
def test_reads(dialect: str, sql: str) -> None:
    verdict = classify(sql, dialect)
    assert (verdict.read, verdict.reason, len(verdict.kinds)) == (True, "", 1)


NOT_A_QUERY = [
    ("postgres", "DROP TABLE t", "DROP"),
    ("postgres", "TRUNCATE t", "TRUNCATE TABLE"),
    ("postgres", "COPY t TO '/x'", "COPY"),
    ("postgres", "CALL f()", "CALL"),
    ("postgres", "DO $$ BEGIN END $$", "DO"),
    ("postgres", "SET ROLE admin", "SET"),
    ("postgres", "EXPLAIN ANALYZE DELETE FROM t", "DELETE"),
    ("postgres", "EXPLAIN (ANALYZE, BUFFERS) UPDATE t SET a = 1", "UPDATE"),
    ("sqlite", "WITH x AS (SELECT 1) DELETE FROM t", "DELETE"),
    ("sqlite", "ATTACH 'x' AS y", "ATTACH"),
    ("sqlite", "VACUUM INTO 'x'", "VACUUM"),
    ("duckdb", "INSTALL httpfs", "INSTALL"),
    ("duckdb", "LOAD httpfs", "LOAD"),
    ("tsql", "EXEC xp_cmdshell 'dir'", "EXECUTE"),
    ("bigquery", "EXPORT DATA OPTIONS(uri='gs://b/x') AS SELECT 1", "EXPORT"),
    ("mysql", "KILL 5", "KILL"),
]


@pytest.mark.parametrize(("dialect", "sql", "word"), NOT_A_QUERY)
def test_other_statements(dialect: str, sql: str, word: str) -> None:
    verdict = classify(sql, dialect)
    assert not verdict.read
    assert verdict.reason == f"the answer is not a query ({word})"


WRITING_QUERIES = [
    ("postgres", "WITH gone AS (DELETE FROM t RETURNING *) SELECT count(*) FROM gone",
     "the query changes data (DELETE)"),
    ("postgres", "SELECT * INTO copy_of FROM t", "the query writes its result (SELECT INTO)"),
    ("mysql", "SELECT a INTO @x FROM t", "the query writes its result (SELECT INTO)"),
    ("mysql", "SELECT a FROM t INTO OUTFILE '/x'", "the query writes a file (INTO OUTFILE)"),
    ("postgres", "SELECT * FROM t FOR UPDATE", "locks rows"),
    ("postgres", "SELECT (SELECT a FROM t FOR SHARE)", "locks rows"),
    ("mysql", "SELECT a FROM t LOCK IN SHARE MODE", "locks rows"),
    ("tsql", "SELECT * FROM t WITH (UPDLOCK)", "locks rows"),
    ("sqlite", "PRAGMA writable_schema = 1", "this PRAGMA may change a setting"),
    ("sqlite", "PRAGMA journal_mode(WAL)", "this PRAGMA may change a setting"),
    ("tsql", "SELECT * FROM t SHUTDOWN", "the answer is not a query (SHUTDOWN)"),
    ("tsql", "SELECT NEXT VALUE FOR s", "advances a sequence"),
    ("oracle", "SELECT s.NEXTVAL FROM dual", "advances a sequence"),
    ("oracle", "EXPLAIN PLAN FOR SELECT 1 FROM dual", "writes to the plan table"),
    ("duckdb", "SELECT * FROM 'a.csv'", "reads the file a.csv"),
    ("duckdb", "SELECT * FROM read_parquet('x')", "read_parquet reads files"),
    ("postgres", "SELECT pg_read_file('x')", "reads or writes files of the server"),
    ("postgres", "SELECT pg_catalog.pg_sleep(5)", "pg_sleep waits"),
    ("postgres", 'SELECT "pg_sleep"(5)', "pg_sleep waits"),
    ("postgres", "SELECT nextval('s')", "advances a sequence"),
    ("postgres", "SELECT * FROM dblink('x', 'y') AS t(a int)", "runs another query"),
    ("postgres", "SELECT set_config('a', 'b', false)", "changes a setting"),
    ("mysql", "SELECT LOAD_FILE('/x')", "reads files of the server"),
    ("mysql", "SELECT SLEEP(5)", "waits"),
    ("tsql", "SELECT * FROM OPENROWSET('a', 'b', 'c')", "outside query"),
    ("sqlite", "SELECT load_extension('x')", "loads code"),
    ("oracle", "SELECT UTL_HTTP.REQUEST('x') FROM dual", "reaches the network or files"),
    ("oracle", "SELECT DBMS_XMLGEN.GETXML('x') FROM dual", "reaches the network or files"),
    ("clickhouse", "SELECT * FROM url('http://x')", "reaches files, programs or the network"),
    ("spark", "SELECT java_method('a', 'b')", "runs code"),
    ("", "SELECT pg_sleep(1)", "waits"),
    ("postgres", "EXPLAIN ANALYZE SELECT 1", "EXPLAIN ANALYZE runs the statement"),
    ("mysql", "SELECT @a := 1", "sets a variable"),
    ("tsql", "SELECT @a = b FROM t", "sets a variable"),
    ("mysql", "SELECT LAST_INSERT_ID(5)", "changes a setting"),
    ("mysql", "SELECT \u017fleep(5)", "waits"),
    ("tsql", "SELECT 1 DELETE FROM t", "the answer is not a query (DELETE)"),
    ("snowflake", "SELECT $1 FROM @s/x", "reads the file @s/x"),
    ("spark", "SELECT * FROM parquet.`/x`", "reads the file parquet./x"),
    ("spark", "SELECT TRANSFORM (a) USING 'cat' AS (b) FROM t", "runs a program"),
    ("postgres", "SELECT cron.schedule('a', 'b', 'c')", "cron.schedule schedules work"),
    ("postgres", "SELECT * FROM crosstab('SELECT pg_sleep(1)') AS t(a int)", "runs another query"),
    ("postgres", 'SELECT U&"pg\\005fsleep"(1)', "written in escapes"),
    ("sqlite", "SELECT 1\0; DROP TABLE t", "the answer holds a NUL character"),
    ("postgres", "SELECT 1 /* \u202e x \u2066 */", "the answer holds a U+202E character"),
    ("postgres", "SELECT '\u2067' FROM t", "the answer holds a U+2067 character"),
    ("postgres", "SELECT 1 -- \u2028; DROP TABLE t", "the answer holds a U+2028 character"),
    ("postgres", "SELECT '\x1b]0;title\x07'", "the answer holds a U+001B character"),
    ("postgres", "SELECT '\x9b2J'", "the answer holds a U+009B character"),
    ("postgres", "SELECT '\ud83d'", "the answer holds a U+D83D character"),
    ("postgres", "SELECT delete_everything()", "says by its name that it changes something"),
    ("", 'SELECT app."truncate_all"(1)', "says by its name that it changes something"),
    ("postgres", "SELECT * FROM pgmq.pop('q')", "pgmq.pop changes what is stored"),
    ("postgres", "SELECT * FROM cypher('g', $$CREATE ()$$) AS (a agtype)", "runs another query"),
    ("postgres", "SELECT pg_restore_relation_stats('a')", "changes what is stored"),
    ("postgres", "SELECT ai.openai_embed('m', a) FROM t", "sends data to a model"),
    ("mysql", "SELECT gen_dictionary_load('/x', 'y')", "reads files of the server"),
    ("mysql", "SELECT lambda_sync('arn', '{}')", "reaches the network"),
    ("sqlite", "SELECT fileio_write('/x', 'y')", "reads or writes files"),
    ("sqlite", "SELECT DropTable(NULL, 't')", "changes what is stored"),
    ("duckdb", "SELECT * FROM mssql_exec('a', 'b')", "runs another query"),
    ("duckdb", "FROM '/etc/passwd'", "reads the file /etc/passwd"),
    ("duckdb", "FROM 'a.lance'", "reads the file a.lance"),
    ("clickhouse", "SELECT aiGenerateContent('x')", "reaches files, programs or the network"),
    ("spark", "SELECT * FROM `org.apache.spark.sql.csv`.`/x`", "reads the file"),
    ("databricks", "SELECT * FROM list_secrets()", "reads a secret"),
    ("hive", "SELECT get_splits('SELECT 1', 1)", "runs another query"),
    ("sqlite", "SELECT * FROM pragma_optimize('main')", "pragma_optimize changes what is stored"),
    ("duckdb", "SHOW FROM 'a.csv'", "reads the file a.csv"),
    ("duckdb", "SHOW (SELECT * FROM 'a.csv')", "reads the file a.csv"),
    ("hive", "SELECT 1 /* /* */ ; DROP TABLE t; /* */ -- */", "a comment holds the start"),
    ("", "SELECT 1 /* /* */ ; DROP TABLE t; /* */ -- */", "a comment holds the start"),
    ("", "SELECT 1 DELETE FROM t", "the answer is not a query (DELETE)"),
    ("oracle", "SELECT xmltype('<!DOCTYPE r SYSTEM \"x\">') FROM dual", "may bring in files"),
]  # fmt: skip


@pytest.mark.parametrize(("dialect", "sql", "reason"), WRITING_QUERIES)
def test_queries_that_do_more_than_read(dialect: str, sql: str, reason: str) -> None:
    verdict = classify(sql, dialect)
    assert not verdict.read
    assert reason in verdict.reason


@pytest.mark.parametrize(
    ("dialect", "sql", "reason"),
    [
        ("postgres", "SELECT 1; DROP TABLE t; SELECT 2", "3 statements, one of them DROP"),
        ("bigquery", "SELECT 1; SELECT 2", "2 statements"),
        ("mysql", "SELECT 1 /*!50000 ; DROP TABLE t */", "2 statements, one of them DROP"),
        ("", "SELECT 1 /*!50000 ; DROP TABLE t */", "2 statements, one of them DROP"),
        ("tsql", "SELECT 1\nGO\nDROP TABLE t", "2 statements, one of them DROP"),
        ("mysql", "SELECT 1 -- x\n; DROP TABLE t", "2 statements, one of them DROP"),
        ("", "SELECT 'a\\''; DROP TABLE t; -- '", "2 statements, one of them DROP"),
        ("", 'SELECT "a\\""; DROP TABLE t; -- "', "2 statements, one of them DROP"),
        ("", "SELECT E'a\\''; DROP TABLE t; --'", "3 statements, one of them DROP"),
    ],
)
def test_one_statement_only(dialect: str, sql: str, reason: str) -> None:
    assert classify(sql, dialect).reason == reason


@pytest.mark.parametrize(
    "sql",
    ["", "Sorry", "\\! rm x", "(" * 5000, "SELECT a" + "[1]" * 20_000,
     "SELECT a" + "[b[1]]" * 9_000, "EXPLAIN " * 3000 + "SELECT 1", "\ud800", "x@(", "->>",
     "SELECT * FROM " + "".join(f"crosstab($a{n}$SELECT * FROM " for n in range(2000))],
)  # fmt: skip
def test_what_is_no_statement_is_no_read(sql: str) -> None:
    assert not classify(sql, "postgres").read


def test_a_query_that_does_not_parse_is_told_apart() -> None:
    broken = classify("SELECT FROM WHERE", "postgres")
    assert (broken.read, broken.parsed, broken.kinds) == (False, False, ("SELECT",))
    assert classify("DROP TABLE t", "postgres").parsed
