import pytest
from ddl_reading import comments, lines, schema, script, table

from sqlscribe.notation.findings import Severity
from sqlscribe.schema import ddl
from sqlscribe.schema.model import ForeignKey


def check(dialect: str, before: str, change: str, *expected: str) -> None:
    assert lines(schema(dialect, f"{before};\n{change}")) == list(expected)


_T = "CREATE TABLE t (id int NOT NULL, n text)"


@pytest.mark.parametrize(
    ("dialect", "change", "expected"),
    [
        (
            "postgres",
            "ALTER TABLE t ADD COLUMN IF NOT EXISTS z numeric(10,2) DEFAULT 0 NOT NULL",
            "t(id int!, n text, z numeric(10,2)!)",
        ),
        (
            "postgres",
            "ALTER TABLE ONLY t ADD z date, DROP COLUMN IF EXISTS n CASCADE",
            "t(id int!, z date)",
        ),
        ("postgres", "ALTER TABLE IF EXISTS t RENAME COLUMN n TO note", "t(id int!, note text)"),
        ("postgres", "ALTER TABLE t RENAME TO u", "u(id int!, n text)"),
        ("postgres", "ALTER TABLE t SET SCHEMA old", "old.t(id int!, n text)"),
        (
            "postgres",
            "ALTER TABLE t ALTER COLUMN n TYPE varchar(9) USING n::varchar, ALTER n SET NOT NULL",
            "t(id int!, n varchar(9)!)",
        ),
        ("postgres", "ALTER TABLE t ALTER COLUMN id DROP NOT NULL", "t(id int, n text)"),
        (
            "postgres",
            "ALTER TABLE t ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (START WITH 1)",
            "t(id int!, n text)",
        ),
        ("postgres", "ALTER TABLE t ADD CONSTRAINT p PRIMARY KEY (n)", "t(id int!, n text!)"),
        ("postgres", "ALTER TABLE t OWNER TO bob, ADD b int", "t(id int!, n text, b int)"),
        (
            "mysql",
            "ALTER TABLE t ADD COLUMN a int FIRST, ADD b int AFTER id",
            "t(a int, id int!, b int, n text)",
        ),
        (
            "mysql",
            "ALTER TABLE t ADD COLUMN (a int, b int), ADD INDEX ix (a)",
            "t(id int!, n text, a int, b int)",
        ),
        (
            "mysql",
            "ALTER TABLE t MODIFY COLUMN id bigint, CHANGE n note varchar(9) NOT NULL",
            "t(id bigint, note varchar(9)!)",
        ),
        ("mysql", "ALTER TABLE t ADD a int, MODIFY n char(1)", "t(id int!, n char(1), a int)"),
        ("mysql", "RENAME TABLE t TO db.u", "db.u(id int!, n text)"),
        (
            "tsql",
            "ALTER TABLE t ADD a int NULL, b date NOT NULL",
            "t(id int!, n text, a int, b date!)",
        ),
        (
            "tsql",
            "ALTER TABLE t ADD a int, comment text",
            "t(id int!, n text, a int, comment text)",
        ),
        ("tsql", "ALTER TABLE t ALTER COLUMN id bigint", "t(id bigint, n text)"),
        ("tsql", "ALTER TABLE t DROP COLUMN n, COLUMN id", "t()"),
        ("tsql", "EXEC sp_rename 'dbo.t.n', 'note', 'COLUMN'", "t(id int!, note text)"),
        ("tsql", "EXEC sp_rename @objname = 't', @newname = 'u'", "u(id int!, n text)"),
        (
            "oracle",
            "ALTER TABLE t ADD (a NUMBER, b DATE NOT NULL)",
            "t(id int!, n text, a NUMBER, b DATE!)",
        ),
        ("oracle", "ALTER TABLE t MODIFY (n NOT NULL, id NUMBER(9))", "t(id NUMBER(9)!, n text!)"),
        ("oracle", "ALTER TABLE t DROP (n)", "t(id int!)"),
        ("oracle", "RENAME t TO u", "u(id int!, n text)"),
        (
            "snowflake",
            "ALTER TABLE t MODIFY COLUMN id DROP NOT NULL, COLUMN n SET DATA TYPE string",
            "t(id int, n string)",
        ),
        (
            "hive",
            "ALTER TABLE t ADD COLUMNS (a int, b string)",
            "t(id int!, n text, a int, b string)",
        ),
        ("hive", "ALTER TABLE t REPLACE COLUMNS (only_one int)", "t(only_one int)"),
        (
            "clickhouse",
            "ALTER TABLE t MODIFY COLUMN n Nullable(String)",
            "t(id int!, n Nullable(String)!)",
        ),
        ("sqlite", "ALTER TABLE t RENAME n TO note", "t(id int!, note text)"),
    ],
)
def test_changes_of_every_dialect(dialect: str, change: str, expected: str) -> None:
    before = _T if dialect != "clickhouse" else "CREATE TABLE t (id int, n text)"
    check(dialect, before, change, expected)


def test_comments_that_come_with_a_change() -> None:
    changes = {
        "mysql": "ALTER TABLE t COMMENT = 'whole'; ALTER TABLE t MODIFY n text COMMENT 'part'",
        "snowflake": "ALTER TABLE t SET COMMENT = 'whole'; ALTER TABLE t ALTER n COMMENT 'part'",
        "clickhouse": "ALTER TABLE t MODIFY COMMENT 'whole'; ALTER TABLE t COMMENT COLUMN n 'part'",
        "bigquery": "ALTER TABLE t SET OPTIONS (description = 'whole');"
        "ALTER TABLE t ALTER COLUMN n SET OPTIONS (description = 'part')",
    }
    for dialect, change in changes.items():
        assert comments(table(dialect, f"{_T};{change}")) == {"": "whole", "n": "part"}


def test_dropped_constraints_are_gone() -> None:
    before = """CREATE TABLE t (
      a int PRIMARY KEY, b text CHECK (b IN ('x')), c int REFERENCES u, d int,
      CONSTRAINT named FOREIGN KEY (d) REFERENCES w (id))"""
    change = """ALTER TABLE t DROP CONSTRAINT named, DROP CONSTRAINT t_b_check,
      DROP CONSTRAINT t_c_fkey, DROP CONSTRAINT t_pkey"""
    found = table("postgres", f"{before};{change}")
    assert (found.primary_key, found.foreign_keys, found.columns[1].values) == ((), (), ())
    mysql = "CREATE TABLE t (a int, PRIMARY KEY (a), CONSTRAINT f FOREIGN KEY (a) REFERENCES u (a))"
    found = table("mysql", f"{mysql}; ALTER TABLE t DROP FOREIGN KEY f, DROP PRIMARY KEY")
    assert (found.primary_key, found.foreign_keys) == ((), ())


def test_renamed_columns_stay_in_their_keys() -> None:
    found = table(
        "postgres",
        "CREATE TABLE t (a int PRIMARY KEY, b int REFERENCES u (id), UNIQUE (b));"
        "ALTER TABLE t RENAME a TO id; ALTER TABLE t RENAME b TO u_id;",
    )
    assert found.primary_key == ("id",)
    assert found.unique == (("u_id",),)
    assert found.foreign_keys == (ForeignKey(("u_id",), "u", "", ("id",)),)


def test_references_follow_a_renamed_table() -> None:
    found = schema(
        "postgres",
        "CREATE TABLE people (id int PRIMARY KEY); CREATE TABLE pet (p int REFERENCES people (id));"
        "ALTER TABLE people RENAME TO owner; ALTER TABLE owner RENAME id TO owner_id;",
    )
    assert found.named("pet")[0].foreign_keys == (ForeignKey(("p",), "owner", "", ("owner_id",)),)


def test_a_table_rebuilt_under_another_name_takes_the_old_place() -> None:
    text = """CREATE TABLE g (a int, b int);
    CREATE TABLE new_g (a int, c int); DROP TABLE g; ALTER TABLE new_g RENAME TO g;"""
    assert lines(schema("sqlite", text)) == ["g(a int, c int)"]


def test_dropped_tables_and_schemas_are_gone() -> None:
    text = """CREATE TABLE a (x int); CREATE TABLE b (x int); CREATE VIEW v AS SELECT 1 AS one;
    CREATE TABLE s.c (x int); CREATE TABLE d (x int);
    DROP TABLE IF EXISTS a, b CASCADE; DROP VIEW v; DROP SCHEMA s CASCADE; DROP TABLE nowhere;"""
    assert lines(schema("postgres", text)) == ["d(x int)"]


def test_a_name_that_is_defined_again() -> None:
    assert lines(schema("sqlite", "CREATE TABLE t (a); CREATE TABLE IF NOT EXISTS t (b)")) == [
        "t(a)"
    ]
    assert lines(schema("", "CREATE TABLE t (a int); CREATE OR REPLACE TABLE t (b int)")) == [
        "t(b int)"
    ]


def test_a_second_definition_counts_and_is_reported() -> None:
    first = script("CREATE TABLE t (a int);", "postgres", "1.sql")
    second = script("CREATE TABLE x (q int);\nCREATE TABLE T (b int);", "postgres", "2.sql")
    result = ddl.replayed([first, second])
    assert lines(result.schema) == ["x(q int)", "T(b int)"]
    [(path, [finding])] = result.findings.items()
    assert path == second.path
    assert (finding.code, finding.severity) == ("schema/duplicate-table", Severity.WARNING)
    assert "line 1 of 1.sql" in finding.message
    assert finding.span.start == len("CREATE TABLE x (q int);\n")


def test_letter_case_tells_tables_apart_where_the_engine_does() -> None:
    text = (
        'CREATE TABLE "Orders" (a int); CREATE TABLE orders (b int); ALTER TABLE ORDERS ADD c int'
    )
    assert lines(schema("postgres", text)) == ["Orders(a int)", "orders(b int, c int)"]
    assert lines(schema("mysql", "CREATE TABLE T (a int); CREATE TABLE t (b int)")) == ["t(b int)"]


def test_the_same_name_in_two_schemas() -> None:
    text = """CREATE TABLE sales.account (id int); CREATE TABLE hr.account (id int);
    ALTER TABLE sales.account ADD balance int; ALTER TABLE hr.account ADD login text;"""
    assert lines(schema("postgres", text)) == [
        "sales.account(id int, balance int)",
        "hr.account(id int, login text)",
    ]


@pytest.mark.parametrize(
    ("dialect", "text", "expected"),
    [
        (
            "mysql",
            "USE `a`; CREATE TABLE t (x int); USE b; CREATE TABLE t (y int)",
            ["a.t(x int)", "b.t(y int)"],
        ),
        (
            "postgres",
            "SET search_path TO a; CREATE TABLE t (x int);"
            "SET search_path = b, public; CREATE TABLE t (y int)",
            ["a.t(x int)", "b.t(y int)"],
        ),
        (
            "tsql",
            "USE A\nGO\nCREATE TABLE dbo.t (x int)\nGO\nUSE B\nGO\nCREATE TABLE dbo.t (y int)",
            ["A.dbo.t(x int)", "B.dbo.t(y int)"],
        ),
        ("mysql", "USE a; CREATE TABLE t (x int)", ["t(x int)"]),
        (
            "oracle",
            "ALTER SESSION SET CURRENT_SCHEMA = a; CREATE TABLE t (x int);"
            "ALTER SESSION SET CURRENT_SCHEMA=b; ALTER SESSION SET TIME_ZONE = local;"
            "CREATE TABLE t (y int)",
            ["a.t(x int)", "b.t(y int)"],
        ),
        (
            "snowflake",
            "USE SCHEMA a; USE ROLE r; CREATE TABLE t (x int); USE SCHEMA b;"
            "USE WAREHOUSE w; USE SECONDARY ROLES ALL; CREATE TABLE t (y int)",
            ["a.t(x int)", "b.t(y int)"],
        ),
        (
            "teradata",
            "DATABASE a; CREATE TABLE t (x int); DATABASE b; CREATE TABLE t (y int)",
            ["a.t(x int)", "b.t(y int)"],
        ),
        (
            "exasol",
            "OPEN SCHEMA a; CREATE TABLE t (x int); OPEN SCHEMA b; CREATE TABLE t (y int)",
            ["a.t(x int)", "b.t(y int)"],
        ),
    ],
)
def test_namesakes_are_told_apart_by_the_namespace_in_use(
    dialect: str, text: str, expected: list[str]
) -> None:
    assert lines(schema(dialect, text)) == expected


def test_changes_may_come_before_their_table() -> None:
    found = table(
        "postgres",
        "ALTER TABLE late ADD CONSTRAINT p PRIMARY KEY (id);COMMENT ON TABLE late IS 'said early';",
        "CREATE TABLE late (id int);",
    )
    assert found.primary_key == ("id",)
    assert found.comment == "said early"


def test_a_change_of_a_table_that_no_script_defines_is_mentioned_once() -> None:
    read = script("ALTER TABLE x ADD a int; ALTER TABLE x ADD b int;", "postgres")
    [[finding]] = ddl.replayed([read]).findings.values()
    assert (finding.code, finding.severity) == ("schema/unknown-table", Severity.INFORMATION)


def test_functions_come_and_go() -> None:
    text = "CREATE FUNCTION s.F(int) RETURNS int AS 'x'; CREATE AGGREGATE g(int) (sfunc = f);"
    assert schema("postgres", text).functions == {"f", "g"}
    assert schema("postgres", text + "DROP FUNCTION IF EXISTS s.f(int)").functions == {"g"}


@pytest.mark.parametrize(
    ("dialect", "change", "expected"),
    [
        ("mysql", "ALTER TABLE t MODIFY c int FIRST", "t(c int, a int, b int)"),
        ("mysql", "ALTER TABLE t MODIFY COLUMN a bigint AFTER b", "t(b int, a bigint, c int)"),
        (
            "mysql",
            "ALTER TABLE t ADD z int FIRST, MODIFY c int AFTER z, CHANGE a first int, DROP b",
            "t(z int, c int, first int)",
        ),
        ("mysql", "ALTER TABLE t CHANGE a x int AFTER c", "t(b int, c int, x int)"),
        ("mysql", "ALTER TABLE t MODIFY a int AFTER a", "t(a int, b int, c int)"),
        ("hive", "ALTER TABLE t CHANGE COLUMN a x bigint AFTER b", "t(b int, x bigint, c int)"),
        ("databricks", "ALTER TABLE t ALTER COLUMN c FIRST", "t(c int, a int, b int)"),
        ("databricks", "ALTER TABLE t ALTER COLUMN a AFTER b", "t(b int, a int, c int)"),
    ],
)
def test_columns_move(dialect: str, change: str, expected: str) -> None:
    check(dialect, "CREATE TABLE t (a int, b int, c int)", change, expected)


@pytest.mark.parametrize(
    ("dialect", "expected"),
    [
        ("hive", "t(a int, c int, b int, day string)"),
        ("databricks", "t(a int, c int, day string, b int)"),
    ],
)
def test_new_columns_stand_before_those_of_partitions(dialect: str, expected: str) -> None:
    change = "ALTER TABLE t ADD COLUMNS (b int, c int); ALTER TABLE t CHANGE c c int AFTER a"
    check(dialect, "CREATE TABLE t (a int) PARTITIONED BY (day string)", change, expected)


@pytest.mark.parametrize(
    "text",
    [
        "CREATE TABLE dbo.t (id int, a datetime2 GENERATED ALWAYS AS ROW START,"
        " b datetime2 GENERATED ALWAYS AS ROW END, PERIOD FOR SYSTEM_TIME (a, b))"
        " WITH (SYSTEM_VERSIONING = ON (HISTORY_TABLE = dbo.old));",
        "CREATE TABLE dbo.t (id int, a datetime2, b datetime2)\nGO\nALTER TABLE dbo.t SET"
        " (SYSTEM_VERSIONING = ON (HISTORY_TABLE = [dbo].[old], DATA_CONSISTENCY_CHECK = ON));",
    ],
)
def test_a_temporal_table_makes_one_for_its_history(text: str) -> None:
    found = schema("tsql", f"{text}\nGO\nALTER TABLE dbo.t ADD more int")
    assert lines(found) == [
        f"dbo.{name}(id int, a datetime2, b datetime2, more int)" for name in ("t", "old")
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("SET search_path TO app, public; CREATE TABLE t (x int)", "app.t(x int)"),
        ("SET search_path = public, app; CREATE TABLE t (x int)", "t(x int)"),
        ("SET search_path TO app; RESET search_path; CREATE TABLE t (x int)", "t(x int)"),
        ("SET search_path TO app; SET search_path = DEFAULT; CREATE TABLE t (x int)", "t(x int)"),
        ("SET search_path TO app; CREATE VIEW t AS SELECT 1 AS x", "app.t(x)"),
        ("SET search_path TO app; CREATE TABLE other.t (x int)", "other.t(x int)"),
    ],
)
def test_a_search_path_says_where_new_tables_belong(text: str, expected: str) -> None:
    assert lines(schema("postgres", text)) == [expected]


def test_synapse_renames_objects() -> None:
    check("tsql", "CREATE TABLE dbo.t (x int)", "RENAME OBJECT::dbo.t TO u", "dbo.u(x int)")
    check("tsql", "CREATE TABLE dbo.t (x int)", "RENAME OBJECT dbo.t TO u", "dbo.u(x int)")
