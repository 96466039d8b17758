"""The queries inside of other statements: where they are, and what is known in them."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sqlscribe.checking.names.parts import Part, parts_of
from sqlscribe.notation.lexicon import DIALECTS


def check(dialect: str, sql: str, *expected: str) -> tuple[Part, ...]:
    """``expected`` are the parts, blanks in a row as one."""
    parts = parts_of(sql, dialect)
    assert parts is not None
    assert [" ".join(part.sql.split()) for part in parts] == list(expected)
    return parts


@pytest.mark.parametrize(
    "sql", ["SELECT 1", "WITH a AS (SELECT 1) SELECT 2", "(SELECT 1)", "INSERT INTO t SELECT 1", ""]
)
def test_a_query_is_no_part_of_anything(sql: str) -> None:
    assert parts_of(sql, "postgres") is None


@pytest.mark.parametrize(
    ("dialect", "sql", "part"),
    [
        ("postgres", "EXPLAIN (ANALYZE, BUFFERS) SELECT 1", "SELECT 1"),
        ("mysql", "DESCRIBE FORMAT=JSON UPDATE t SET a = 1", "UPDATE t SET a = 1"),
        ("postgres", "CREATE VIEW v (a) AS SELECT 1 WITH CHECK OPTION", "SELECT 1"),
        ("postgres", "CREATE TABLE t WITH (fillfactor = 70) AS (SELECT 1) WITH NO DATA",
         "SELECT 1"),
        ("tsql", "CREATE VIEW v (a) WITH SCHEMABINDING AS SELECT 1", "SELECT 1"),
        ("redshift", "CREATE VIEW v AS SELECT 1 WITH NO SCHEMA BINDING", "SELECT 1"),
        ("mysql", "CREATE TABLE t (a int) SELECT 1", "SELECT 1"),
        ("postgres", "COPY (SELECT 1) TO STDOUT", "SELECT 1"),
        ("postgres", "DECLARE c CURSOR FOR SELECT 1", "SELECT 1"),
        ("postgres", "PREPARE p (int) AS SELECT $1", "SELECT $1"),
        ("bigquery", "EXPORT DATA OPTIONS (uri = 'x') AS SELECT 1", "SELECT 1"),
        ("redshift", "UNLOAD ('SELECT 1 WHERE a = ''x''') TO 's3://b'",
         "SELECT 1 WHERE a = 'x'"),
        ("snowflake", "CREATE TASK t WAREHOUSE = w AS INSERT INTO t SELECT 1",
         "INSERT INTO t SELECT 1"),
        ("mysql", "REPLACE INTO t (a) VALUES (1)", "INSERT INTO t (a) VALUES (1)"),
    ],
)  # fmt: skip
def test_statements_around_one_query(dialect: str, sql: str, part: str) -> None:
    check(dialect, sql, part)


@pytest.mark.parametrize(
    "sql",
    [
        "CREATE TABLE t (a int DEFAULT 1)",
        "CREATE INDEX i ON t (a)",
        "CREATE POLICY p ON t FOR SELECT USING (a = 1)",
        "ALTER DEFAULT PRIVILEGES IN SCHEMA s GRANT SELECT, INSERT ON TABLES TO r",
        "ALTER TABLE t ADD FOREIGN KEY (a) REFERENCES u (a) ON DELETE CASCADE ON UPDATE SET NULL",
        "CREATE FUNCTION f() RETURNS int LANGUAGE plpython3u AS $$ return 'SELECT 1' $$",
        "DESCRIBE orders",
    ],
)
def test_statements_without_a_query(sql: str) -> None:
    check("postgres", sql)


def test_a_body_in_a_string_with_its_own_strings() -> None:
    sql = "CREATE FUNCTION f() RETURNS int AS 'SELECT a FROM t WHERE b = ''x''' LANGUAGE sql"
    (part,) = check("postgres", sql, "SELECT a FROM t WHERE b = 'x'")
    assert sql[part.start :].startswith("SELECT a FROM t")


PLPGSQL = """CREATE FUNCTION f(p_id int) RETURNS void AS $$
DECLARE r record; n int;
BEGIN
  FOR r IN SELECT a FROM t LOOP
    n := (SELECT max(b) FROM u WHERE c = r.a);
    SELECT d, e INTO STRICT n, r FROM v;
    IF EXISTS (SELECT 1 FROM w) THEN PERFORM g(x) FROM y; END IF;
    DELETE FROM z WHERE CASE WHEN q THEN 1 ELSE 0 END = 1 RETURNING k INTO n;
  END LOOP;
END $$ LANGUAGE plpgsql"""


def test_a_body_with_variables_and_loops() -> None:
    parts = check(
        "postgres",
        PLPGSQL,
        "SELECT a FROM t",
        "SELECT max(b) FROM u WHERE c = r.a",
        "SELECT d, e FROM v",
        "SELECT 1 FROM w",
        "SELECT g(x) FROM y",
        "DELETE FROM z WHERE CASE WHEN q THEN 1 ELSE 0 END = 1 RETURNING k",
    )
    assert {"p_id", "r", "n"} <= parts[0].names
    assert not {"a", "b", "c", "t", "q", "z"} & parts[0].names


def test_statements_that_nothing_separates() -> None:
    sql = """CREATE PROCEDURE p @a int AS
BEGIN
    UPDATE t SET b = @a
    IF EXISTS (SELECT 1 FROM u)
        INSERT INTO v (c)
        SELECT d FROM w
    ELSE DELETE FROM x
END"""
    check(
        "tsql",
        sql,
        "UPDATE t SET b = @a",
        "SELECT 1 FROM u",
        "INSERT INTO v (c) SELECT d FROM w",
        "DELETE FROM x",
    )


def test_a_trigger_knows_its_table() -> None:
    sql = "CREATE TRIGGER g AFTER INSERT OR UPDATE OF a ON s.t FOR EACH ROW DELETE FROM u"
    (part,) = check("mysql", sql, "DELETE FROM u")
    assert part.trigger is not None
    assert (part.trigger.schema, part.trigger.name) == ("s", "t")


def test_of_many_rows_the_first_is_enough() -> None:
    sql = "INSERT INTO t (a, b) VALUES " + ", ".join(f"({n}, 'x')" for n in range(2_000))
    check("mysql", sql, "INSERT INTO t (a, b) VALUES (0, 'x')")
    long = f"INSERT INTO t (a) VALUES ('{'x' * 9_000}')"
    check("mysql", long, "INSERT INTO t (a) VALUES (NULL)")


WORDS = [
    "CREATE", "FUNCTION", "VIEW", "AS", "$$", "'", "''", "BEGIN", "END", "SELECT", "INTO", "(", ")",
    ";", "CASE", "LOOP", "WITH", "x", ",", "IF", "THEN", "EXPLAIN", "INSERT", "VALUES", "RETURNING",
    "LANGUAGE", "sql", "DECLARE", "FOR", "\n", "UNLOAD", "REPLACE", "\0", "\ud800", "/*", "--",
]  # fmt: skip


@settings(max_examples=100, deadline=None)
@given(st.lists(st.sampled_from(WORDS), max_size=25).map(" ".join), st.sampled_from(DIALECTS))
def test_parts_keep_their_places(sql: str, dialect: str) -> None:
    for part in parts_of(sql, dialect) or ():
        own = sql[part.start : part.start + len(part.sql)]
        assert len(own) == len(part.sql)
        # Words may be blank in a part, but none of them moves.
        kept = [(o, p) for o, p in zip(own, part.sql, strict=True) if o != p]
        assert all(p in " '" or o + p for o, p in kept)
