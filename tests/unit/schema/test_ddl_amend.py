"""Changes of whole objects, and changes that come several at once."""

import pytest
from ddl_reading import comments, findings, line, lines, schema, script, table

from sqlscribe.schema import ddl


def check(dialect: str, text: str, *expected: str) -> None:
    assert lines(schema(dialect, text)) == list(expected)


_T = "CREATE TABLE t (id int, n text);"


@pytest.mark.parametrize(
    ("dialect", "change", "expected"),
    [
        # One behind the other, without commas or with clauses that are no columns between them.
        ("", "ALTER TABLE t ADD COLUMN a int NOT NULL DROP COLUMN n", "t(id int, a int!)"),
        ("oracle", "ALTER TABLE t ADD (a int) MODIFY (n date)", "t(id int, n date, a int)"),
        ("mysql", "ALTER TABLE t DROP n, ENGINE=InnoDB, ADD a int", "t(id int, a int)"),
        ("snowflake", "ALTER TABLE t ADD COLUMN a int, b int", "t(id int, n text, a int, b int)"),
        ("tsql", "ALTER TABLE t DROP CONSTRAINT c, COLUMN n", "t(id int)"),
        # Words that stand before TABLE.
        ("mysql", "ALTER ONLINE IGNORE TABLE t ADD a int", "t(id int, n text, a int)"),
        ("mysql", "ALTER TABLE t RENAME TO other.u", "other.u(id int, n text)"),
        ("oracle", "ALTER TABLE t SET UNUSED COLUMN n", "t(id int)"),
        ("oracle", "ALTER TABLE t SET UNUSED (n)", "t(id int)"),
        ("redshift", "ALTER TABLE t ALTER SORTKEY (id)", "t(id int, n text)"),
        ("databricks", "ALTER TABLE t ALTER COLUMN n SET TAGS ('a' = 'b')", "t(id int, n text)"),
        ("", "ALTER TABLE t ALTER (n BIGINT)", "t(id int, n BIGINT)"),
        # Names.
        ("teradata", "RENAME TABLE t AS u", "u(id int, n text)"),
        ("", "RENAME COLUMN t.n TO m", "t(id int, m text)"),
        (
            "postgres",
            "ALTER TABLE t SET SCHEMA a; ALTER SCHEMA a RENAME TO b",
            "b.t(id int, n text)",
        ),
        ("tsql", "ALTER SCHEMA sales TRANSFER dbo.t", "sales.t(id int, n text)"),
        ("tsql", "ALTER SCHEMA sales TRANSFER OBJECT::t", "sales.t(id int, n text)"),
        ("tsql", "ALTER SCHEMA sales TRANSFER TYPE::t", "t(id int, n text)"),
        # Gone, whatever kind it is called.
        ("bigquery", "DROP SNAPSHOT TABLE t", ""),
        ("mysql", "DROP TABLES t", ""),
    ],
)
def test_changes_in_the_words_of_each_dialect(dialect: str, change: str, expected: str) -> None:
    check(dialect, f"{_T}\n{change};", *([expected] if expected else []))


@pytest.mark.parametrize(
    ("dialect", "text"),
    [
        ("snowflake", "ALTER TABLE a SWAP WITH b"),
        ("clickhouse", "EXCHANGE TABLES a AND b"),
    ],
)
def test_tables_that_change_their_names(dialect: str, text: str) -> None:
    made = "CREATE TABLE a (x String); CREATE TABLE s.b (y String);"
    found = {
        table.qualified_name: table.columns[0].name
        for table in schema(
            dialect, f"{made} {text.replace('b', 's.b') if dialect == 'snowflake' else text};"
        ).tables
    }
    assert found == {"a": "y", "s.b": "x"}


def test_a_moved_table_belongs_to_the_database_in_use() -> None:
    text = "USE a; CREATE TABLE t (x int); USE b; CREATE TABLE t (y int); RENAME TABLE a.t TO u;"
    check("mysql", text, "u(x int)", "t(y int)")


def test_a_second_database_in_one_script_has_tables_of_its_own() -> None:
    text = "CREATE TABLE t (x int); USE b; CREATE TABLE t (y int); ALTER TABLE t ADD z int;"
    check("mysql", text, "t(x int)", "b.t(y int, z int)")


def test_a_replaced_list_of_columns_takes_their_keys_along() -> None:
    text = "CREATE TABLE t (id int, PRIMARY KEY (id)); ALTER TABLE t REPLACE COLUMNS (x int);"
    found = table("hive", text)
    assert (line(found), found.primary_key) == ("t(x int)", ())


def test_a_replaced_list_of_columns_is_without_those_of_the_partitions() -> None:
    text = """CREATE TABLE t (id int, n string) PARTITIONED BY (day string);
    ALTER TABLE t REPLACE COLUMNS (x int);"""
    check("hive", text, "t(x int, day string)")


def test_views_go_with_the_table_that_they_read() -> None:
    text = f"""{_T} CREATE VIEW v AS SELECT * FROM t; CREATE VIEW w AS SELECT * FROM v;
    CREATE TABLE kept AS SELECT * FROM t; DROP TABLE t CASCADE;"""
    check("postgres", text, "kept(id int, n text)")


def test_cascaded_constraints_are_no_views() -> None:
    text = f"{_T} CREATE VIEW v AS SELECT n FROM t; DROP TABLE t CASCADE CONSTRAINTS;"
    check("oracle", text, "v(n text)")


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ("ALTER TABLE t ADD COLUMN addr.zip STRING", ("city", "geo.lat", "zip")),
        ("ALTER TABLE t DROP COLUMN addr.city", ("geo.lat",)),
        ("ALTER TABLE t DROP COLUMN addr.geo", ("city",)),
        ("ALTER TABLE t RENAME COLUMN addr.geo.lat TO y", ("city", "geo.y")),
        ("ALTER TABLE t ADD COLUMN addr.pos STRUCT<x: INT>", ("city", "geo.lat", "pos.x")),
    ],
)
def test_fields_of_a_nested_column_come_and_go(change: str, expected: tuple[str, ...]) -> None:
    made = "CREATE TABLE t (addr STRUCT<city: STRING, geo: STRUCT<lat: FLOAT>>);"
    assert table("databricks", f"{made} {change}").columns[0].fields == expected
    assert findings("databricks", f"{made} {change}") == []


def test_heirs_follow_their_parent_until_they_leave() -> None:
    text = """CREATE TABLE p (a int); CREATE TABLE c (b int) INHERITS (p); CREATE TABLE l (a int);
    ALTER TABLE l INHERIT p; ALTER TABLE p ADD x int; ALTER TABLE c NO INHERIT p;
    ALTER TABLE p ADD y int;"""
    check("postgres", text, "p(a int, x int, y int)", "c(a int, b int, x int)",
          "l(a int, x int, y int)")  # fmt: skip


def test_tables_that_inherit_in_a_circle_are_changed_once() -> None:
    text = """CREATE TABLE a (x int); CREATE TABLE b (x int); ALTER TABLE a INHERIT b;
    ALTER TABLE b INHERIT a; ALTER TABLE a ADD y int;"""
    check("postgres", text, "a(x int, y int)", "b(x int, y int)")


def test_what_is_not_understood_leaves_the_rest_and_marks_the_table() -> None:
    text = f"{_T} ALTER TABLE t ADD COLUMN = 3, ADD b int;"
    check("postgres", text, "t(id int, n text, b int) ?")
    assert [about for _, about in findings("postgres", text)] == ["= 3"]


@pytest.mark.parametrize(
    ("dialect", "text", "expected"),
    [
        ("tsql", "CREATE SYNONYM dbo.s FOR dbo.t", "dbo.s(id int, n text)"),
        ("oracle", "CREATE OR REPLACE PUBLIC SYNONYM s FOR t", "s(id int, n text)"),
        ("", "CREATE ALIAS s FOR t", "s(id int, n text)"),
        ("oracle", "CREATE SYNONYM s FOR far.away", "s() ?"),
        ("teradata", "REPLACE VIEW s (a, b) AS SELECT id, n FROM t", "s(a int, b text)"),
        ("teradata", "CREATE TABLE s AS t WITH NO DATA", "s(id int, n text)"),
        ("", "CREATE SUMMARY TABLE s AS (SELECT n FROM t) DATA INITIALLY DEFERRED", "s(n text)"),
        ("clickhouse", "CREATE TABLE s CLONE AS t", "s(id int!, n text!)"),
        ("snowflake", "EXECUTE IMMEDIATE $$ BEGIN CREATE TABLE s (a int); END $$", "s(a int)"),
        ("", "DECLARE GLOBAL TEMPORARY TABLE s (a int) ON COMMIT DELETE ROWS", "s(a int)"),
        ("tsql", "CREATE TABLE s (a int, INDEX ix UNIQUE CLUSTERED COLUMNSTORE)", "s(a int)"),
        ("snowflake", "CREATE HYBRID TABLE s (a int, SECONDARY INDEX i (a))", "s(a int)"),
        ("", "CREATE TABLE s (a int, PERIOD SYSTEM_TIME (a, a))", "s(a int)"),
        ("clickhouse", "CREATE TABLE s (a Int8, index Int8)", "s(a Int8!, index Int8!)"),
    ],
)
def test_objects_that_have_columns(dialect: str, text: str, expected: str) -> None:
    assert lines(schema(dialect, f"{_T}\n{text};"))[1:] == [expected]


@pytest.mark.parametrize(
    ("dialect", "text"),
    [
        ("oracle", "CREATE MATERIALIZED VIEW LOG ON t WITH ROWID"),
        ("bigquery", "CREATE TABLE FUNCTION f(a INT64) AS SELECT a AS x"),
        ("teradata", "CREATE ERROR TABLE FOR t"),
        ("oracle", "CREATE SYNONYM t FOR t"),
    ],
)
def test_objects_that_have_none(dialect: str, text: str) -> None:
    check(dialect, f"{_T}\n{text};", lines(schema(dialect, _T))[0])


def test_tables_may_be_made_with_their_schema() -> None:
    text = "CREATE SCHEMA s CREATE TABLE t (a int) CREATE VIEW v AS SELECT a FROM t;"
    check("postgres", f"{text} CREATE TABLE u (b int);", "s.t(a int)", "s.v(a int)", "u(b int)")


def test_comments_on_many_columns_at_once() -> None:
    found = table("", f"{_T} COMMENT ON t (id IS 'The key', n IS 'A name');")
    assert comments(found) == {"id": "The key", "n": "A name"}


def test_a_table_that_did_not_change_is_the_same_object_again() -> None:
    scripts = [script(f"CREATE TABLE t{n} (id int PRIMARY KEY);", "postgres") for n in range(3)]
    scripts.append(script("ALTER TABLE t1 ADD x int;", "postgres"))
    before = ddl.replayed(scripts)
    scripts[2] = script("CREATE TABLE t2 (other int);", "postgres")
    after = ddl.replayed(scripts, before)
    assert after.schema == ddl.replay(scripts)
    pairs = zip(before.schema.tables, after.schema.tables, strict=True)
    assert [one is other for one, other in pairs] == [True, False, False]
