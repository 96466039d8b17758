from pathlib import Path

import pytest
from ddl_reading import findings, lines, schema, script
from hypothesis import given, settings
from hypothesis import strategies as st

from sqlscribe.notation.document import Document
from sqlscribe.notation.findings import Severity
from sqlscribe.notation.lexicon import DIALECTS
from sqlscribe.schema import ddl


@pytest.mark.parametrize(
    "text",
    [
        "CREATE TABLE t (a int)",
        "create or replace temporary view v as select 1",
        "ALTER TABLE t ADD b int",
        "drop table if exists t",
        "COMMENT ON COLUMN t.a IS 'x'",
        "rename table a to b",
        "EXEC sys.sp_addextendedproperty 'MS_Description', 'x'",
        "IF OBJECT_ID('t') IS NULL CREATE TABLE t (a int)",
    ],
)
def test_ddl_is_recognized_by_a_look(text: str) -> None:
    assert ddl.holds_ddl(text)


@pytest.mark.parametrize(
    "text",
    ["", "SELECT 1", "INSERT INTO t VALUES (1)", "CREATE INDEX i ON t (a)", "-- a table", "("],
)
def test_other_sql_is_no_ddl(text: str) -> None:
    assert not ddl.holds_ddl(text)


def test_one_bad_statement_costs_only_itself() -> None:
    text = "CREATE TABLE a (x int);\nCREATE TABLE b (id int,, n text);\nCREATE TABLE c (y int);"
    assert lines(schema("postgres", text)) == ["a(x int)", "b(id int, n text) ?", "c(y int)"]
    [(finding, about)] = findings("postgres", text)
    assert finding.code == "schema/not-understood"
    assert finding.severity is Severity.WARNING
    assert about == ",,"


@pytest.mark.parametrize(
    ("text", "about"),
    [
        ("CREATE TABLE t (id int name text, x int)", "id int name text"),
        ("CREATE TABLE t (id int, = 5)", "= 5"),
        ("CREATE TABLE t (id int, n text", "(id int, n text"),
        ("CREATE TABLE t id int, n text)", "CREATE TABLE t id int, n text)"),
        ("CREATE TABLE (id int)", "CREATE TABLE (id int)"),
        ("ALTER TABLE t ADD COLUMN 5", "5"),
        ("ALTER TABLE", "ALTER TABLE"),
    ],
)
def test_what_is_not_understood_is_said_at_its_place(text: str, about: str) -> None:
    assert [where for _, where in findings("postgres", text)] == [about]


@pytest.mark.parametrize(
    "text",
    [
        "INSERT INTO t VALUES ('CREATE TABLE x (a int)')",
        "GRANT SELECT ON TABLE t TO bob",
        "SET search_path = public",
        "CREATE UNIQUE INDEX i ON t (a)",
        "CREATE TRIGGER g BEFORE INSERT ON t EXECUTE FUNCTION f()",
        "CREATE SEQUENCE s; ALTER SEQUENCE s OWNED BY t.a",
        "CREATE EXTENSION IF NOT EXISTS hstore WITH SCHEMA public",
        "ALTER TABLE t OWNER TO bob; ALTER TABLE t ENABLE ROW LEVEL SECURITY",
        "CREATE COMPUTE POOL p",
        "CREATE POLICY p ON t USING (true)",
    ],
)
def test_statements_that_no_schema_needs_are_passed_over(text: str) -> None:
    read = script(text, "postgres")
    assert [change for change in read.changes if not isinstance(change, ddl.UseNamespace)] == []
    assert read.findings == ()


def test_bodies_of_routines_define_no_tables() -> None:
    text = """
    CREATE FUNCTION audit.Touch() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      CREATE TABLE scratch (x int);
      RETURN NEW;
    END; $$;
    CREATE PROCEDURE tidy() AS $$ CREATE TABLE scratch2 (x int) $$;
    CREATE TABLE kept (id int);
    """
    found = schema("postgres", text)
    assert lines(found) == ["kept(id int)"]
    assert found.functions == {"touch"}


def test_a_do_block_changes_the_schema() -> None:
    text = """
    DO $$ BEGIN
      CREATE TYPE "level" AS ENUM ('low', 'high');
    EXCEPTION WHEN duplicate_object THEN null; END $$;
    CREATE TABLE alarm (id int, "level" "level");
    DO $$ BEGIN
      ALTER TABLE alarm ADD CONSTRAINT fk FOREIGN KEY (id) REFERENCES public.sensor (id);
    EXCEPTION WHEN duplicate_object THEN null; END $$;
    """
    [alarm] = schema("postgres", text).tables
    assert alarm.columns[1].values == ("low", "high")
    assert alarm.foreign_keys[0].to_table == "sensor"


def test_lines_are_those_of_the_definitions() -> None:
    text = "-- first\nCREATE TABLE a (x int);\n\n\nCREATE TABLE b\n(x int);"
    assert [table.line for table in schema("sqlite", text).tables] == [1, 4]


def test_template_expressions_in_names_are_left_out() -> None:
    text = """
    CREATE TABLE {{ schema }}.a (x int);
    CREATE TABLE ${db}.b (x int);
    CREATE TABLE @prefix.c (x int);
    CREATE TABLE "${db}"."d" (x int, note text DEFAULT '${kept}');
    CREATE TABLE $(Database).e (x int);
    CREATE TABLE :owner.f (x int);
    CREATE VIEW g AS SELECT x FROM {{ schema }}.a;
    """
    assert [line.split("(")[0] for line in lines(schema("", text))] == list("abcdefg")
    assert lines(schema("", text))[-1] == "g(x int)"


def test_a_script_may_leave_out_terminators() -> None:
    text = "CREATE TABLE a (x int)\nCREATE TABLE b (y int)\n\nALTER TABLE b ADD z int"
    assert lines(schema("tsql", text)) == ["a(x int)", "b(y int, z int)"]


_WORDS = st.sampled_from(
    """CREATE TABLE VIEW ALTER ADD DROP RENAME COLUMN TO PRIMARY KEY CHECK IN AS SELECT * FROM
    t "q" [b] `c` . , ( ) < > ; : = 'x' $$ STRUCT ENUM TYPE COMMENT ON IS NOT NULL LIKE OF
    PARTITION INHERITS EXEC DO BEGIN END GO -- /* */ {{ }} ${ \\ @v #t 1 int varchar(9)
    REFERENCES CONSTRAINT UNIQUE UNION WITH OPTIONS USE SET CLONE FUNCTION MODIFY ' "
    SYNONYM FOR SWAP INHERIT ATTRIBUTE INTO EXCHANGE TABLES AND SCHEMA TRANSFER &x. %s.
    IDENTIFIER USING CASE CAST OVER VALUES CASCADE VIEW REPLACE
    """.split()
)


@settings(max_examples=100, deadline=None)
@given(st.lists(_WORDS, max_size=40), st.sampled_from([*DIALECTS, ""]))
def test_any_text_can_be_read(parts: list[str], dialect: str) -> None:
    text = "CREATE TABLE a (" + " ".join(parts)
    read = script(text, dialect)
    ddl.replayed([read])
    assert all(0 <= f.span.start <= f.span.end <= len(text) for f in read.findings)


@settings(max_examples=100, deadline=None)
@given(
    st.lists(st.one_of(_WORDS, st.just("\n")), max_size=40),
    st.sampled_from(["postgres", "tsql", "mysql", "oracle", "snowflake", ""]),
    st.sampled_from(["\r\n", "\r"]),
)
def test_line_ends_make_no_difference(parts: list[str], dialect: str, end: str) -> None:
    text = "CREATE TABLE a (id int);\n" + " ".join(parts)
    # A string keeps its own line ends, and so may a name in quotes that is not closed.
    found = lines(schema(dialect, text.replace("\n", end)))
    assert [line.replace(end, "\n") for line in found] == lines(schema(dialect, text))


@pytest.mark.parametrize(
    "piece",
    [
        "(",
        "'",
        '"',
        "[",
        "$$",
        "/*",
        "CREATE TABLE t (",
        "CREATE TABLE t (a STRUCT<",
        "\0",
        "\ud800",
        "{%",
        "a.",
        "CREATE VIEW v AS SELECT (",
        "ALTER TABLE t ADD ",
        "-- x\n",
        "DO $$",
    ],
)
@pytest.mark.parametrize("dialect", ["postgres", "tsql", "mysql", "bigquery"])
def test_endless_nonsense_can_be_read(piece: str, dialect: str) -> None:
    text = piece * (20_000 // len(piece))
    read = ddl.read(Document("x", text), Path("x.sql"), dialect)
    assert all(finding.span.end <= len(text) for finding in read.findings)
    ddl.replay([read])


def test_deep_nesting_is_partly_understood() -> None:
    text = "CREATE VIEW v AS SELECT " + "(" * 5000 + "1" + ")" * 5000 + ";CREATE TABLE t (a int)"
    assert lines(schema("postgres", text)) == ["v() ?", "t(a int)"]
