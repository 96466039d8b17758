"""What tools put into scripts before a database sees them."""

import pytest
from ddl_reading import findings, lines, schema

from sqlscribe.schema.ddl.tokens import without_placeholders


@pytest.mark.parametrize(
    ("dialect", "name"),
    [
        ("oracle", "&owner..t"),
        ("oracle", "&&owner..t"),
        ("oracle", '"&owner".t'),
        ("oracle", "&1..t"),
        ("snowflake", "&{db}.t"),
        ("postgres", "{{ schema }}.t"),
        ("postgres", "${schema}.t"),
        ("postgres", "$schema.t"),
        ("postgres", "{schema}.t"),
        ("postgres", "#{schema}.t"),
        ("postgres", "%(schema)s.t"),
        ("postgres", "%s.t"),
        ("postgres", "<schema>.t"),
        ("postgres", "@extschema@.t"),
        ("postgres", ':"schema".t'),
        ("postgres", ":schema.t"),
        ("tsql", "$(schema).t"),
        ("tsql", "[$(db)].t"),
        ("snowflake", "IDENTIFIER('t')"),
        ("bigquery", "`@project.t`"),
        ("bigquery", "`{{ project }}.t`"),
        ("tsql", "<schema_name, sysname, dbo>.t"),
        ("postgres", "{{{schema}}}.t"),
        ("postgres", "<%= schema %>.t"),
        ("postgres", "%SCHEMA%.t"),
        ("postgres", "%%schema%%.t"),
    ],
)
def test_a_placeholder_before_a_name_is_left_out(dialect: str, name: str) -> None:
    text = f"CREATE TABLE {name} (id int)"
    assert lines(schema(dialect, text)) == ["t(id int)"]
    assert findings(dialect, text) == []


@pytest.mark.parametrize("name", ["{{ t }}", "IDENTIFIER($t)", "IDENTIFIER(:db || '.t')"])
def test_a_name_that_only_shows_later_is_said_to_be_unknown(name: str) -> None:
    text = f"CREATE TABLE {name} (id int)"
    assert lines(schema("snowflake", text)) == []
    assert [finding.code for finding, _ in findings("snowflake", text)] == ["schema/not-understood"]


@pytest.mark.parametrize(
    ("dialect", "text"),
    [
        ("postgres", "a%s.b"),
        ("postgres", "a<b>.c"),
        ("mysql", "db$x.t"),
        ("tsql", "a&b.c"),
        ("postgres", "SELECT $1"),
    ],
)
def test_operators_and_names_are_no_placeholders(dialect: str, text: str) -> None:
    assert without_placeholders(text, dialect) == text


def test_a_path_does_not_open_a_comment() -> None:
    text = "PUT file:///data/*.csv @stage;\nCREATE TABLE t (id int);"
    assert lines(schema("snowflake", text)) == ["t(id int)"]


def test_batches_end_where_another_dialect_ends_them() -> None:
    text = "CREATE PROCEDURE p AS\nSELECT 1\nGO\nCREATE TABLE t (id int)\nGO\n"
    assert lines(schema("snowflake", text)) == ["t(id int)"]


def test_a_changeset_ends_what_stands_open() -> None:
    text = """--liquibase formatted sql
--changeset one:1 endDelimiter:/
CREATE FUNCTION f() RETURNS int LANGUAGE sql AS 'SELECT 1'
/
--changeset one:2
--comment: Kept things
CREATE TABLE t (id int)
--rollback DROP TABLE t;
"""
    assert lines(schema("postgres", text)) == ["t(id int)"]


def test_a_column_whose_whole_name_shows_later_leaves_the_table_open() -> None:
    assert lines(schema("tsql", "CREATE TABLE t (id int, [$(column)] int, n int)")) == [
        "t(id int, n int) ?"
    ]
