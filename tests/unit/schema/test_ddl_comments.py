import pytest
from ddl_reading import comments, schema, table


def check(dialect: str, text: str, expected: dict[str, str]) -> None:
    assert comments(table(dialect, text)) == expected


def test_comments_beside_columns_and_above_the_table() -> None:
    check(
        "postgres",
        """-- One row
-- per sale.
CREATE TABLE sale (
  id int, -- key, never reused
          -- not even after a refund
  amount numeric(10,2), /* net, EUR; without VAT */
  -- ISO code, upper case
  code text
  , state text -- open or closed
  /* first line
   * second line */
  , extra text CHECK ( -- not a comment on the column
      extra <> '')
  -- goes nowhere
);""",
        {
            "": "One row per sale.",
            "id": "key, never reused not even after a refund",
            "amount": "net, EUR; without VAT",
            "code": "ISO code, upper case",
            "state": "open or closed",
            "extra": "first line second line",
        },
    )


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("CREATE TABLE t (a int /* x */, b int /* y */)", {"a": "x", "b": "y"}),
        ("CREATE TABLE t (/* x */ a int, /* y */ b int)", {"a": "x", "b": "y"}),
        ("CREATE TABLE t ( -- all of it\n a int)", {"": "all of it"}),
        ("CREATE TABLE t -- all of it\n(a int)", {"": "all of it"}),
        ("CREATE TABLE t (a int); -- all of it", {"": "all of it"}),
        ("CREATE TABLE t (\n -- a section\n\n a int)", {}),
        ("CREATE TABLE t (\n -- old int,\n a int)", {}),
        ("CREATE TABLE t (\n a int -- x\n)", {"a": "x"}),
        ("CREATE TABLE t (\r\n a int, -- x\r\n b int -- y\r\n)", {"a": "x", "b": "y"}),
        ("CREATE TABLE t (\n a int, -- x\n PRIMARY KEY (a) -- y\n)", {"a": "x"}),
    ],
)
def test_where_a_comment_belongs(text: str, expected: dict[str, str]) -> None:
    check("postgres", text, expected)


@pytest.mark.parametrize(
    "above",
    [
        "-- License\n\n",
        "CREATE TABLE before_ (x int); -- on that one\n",
        "--\n-- Name: t; Type: TABLE; Schema: public; Owner: -\n--\n\n",
        "-- -----------------\n-- Table structure for t\n-- -----------------\n",
        "-- -----\n-- Table `db`.`t`\n-- -----\n",
        "/****** Object:  Table [dbo].[t]    Script Date: 1/1/2024 ******/\n",
        "-- +goose Up\n-- +goose StatementBegin\n",
        "-- migrate:up\n",
        "-- Up Migration\n",
        "-- CreateTable\n",
        "-- DROP TABLE t;\n",
        "--> statement-breakpoint\n",
        "-- ask: how many orders?\n",
        "-- dialect: postgres\n",
        "--------\n",
    ],
)
def test_what_tools_write_above_a_table_is_no_comment_on_it(above: str) -> None:
    check("postgres", f"{above}CREATE TABLE t (a int)", {})


def test_a_statement_of_comment_wins() -> None:
    check(
        "postgres",
        """-- weak
        CREATE TABLE sales.t (a int, /* weak */ b int);
        COMMENT ON TABLE sales.t IS 'it''s; strong';
        COMMENT ON COLUMN sales.t.a IS E'it\\'s strong';
        COMMENT ON COLUMN t.b IS NULL;""",
        {"": "it's; strong", "a": "it's strong"},
    )


@pytest.mark.parametrize(
    ("dialect", "text"),
    [
        ("mysql", "CREATE TABLE t (a int COMMENT 'it''s, x' -- weak\n) COMMENT='whole; y'"),
        ("hive", "CREATE TABLE t (a int COMMENT \"it's, x\") COMMENT 'whole; y' STORED AS ORC"),
        (
            "hive",
            "CREATE TABLE t (a int COMMENT \"it's, x\") TBLPROPERTIES ('comment' = 'whole; y')",
        ),
        (
            "clickhouse",
            "CREATE TABLE t (a Int8 COMMENT 'it''s, x') ENGINE = Memory COMMENT 'whole; y'",
        ),
        ("snowflake", "CREATE TABLE t (a int COMMENT 'it''s, x') COMMENT = 'whole; y'"),
        (
            "bigquery",
            'CREATE TABLE t (a INT64 OPTIONS(description="it\'s, x"))'
            "OPTIONS(description='whole; y', k=1)",
        ),
        (
            "oracle",
            "CREATE TABLE t (a int)\n/\nCOMMENT ON COLUMN t.a IS 'it''s, x'\n/\n"
            "COMMENT ON TABLE t IS 'whole; y'\n/",
        ),
        (
            "tsql",
            "CREATE TABLE dbo.t (a int)\nGO\n"
            "EXEC sys.sp_addextendedproperty @name=N'MS_Description', @value=N'it''s, x',"
            " @level0type=N'SCHEMA',@level0name=N'dbo', @level1type=N'TABLE',@level1name=N't',"
            " @level2type=N'COLUMN',@level2name=N'a'\nGO\n"
            "EXECUTE [sys].[sp_addextendedproperty] N'MS_Description', N'whole; y', 'SCHEMA',"
            " [dbo],"
            " 'TABLE', [t], NULL, NULL;",
        ),
    ],
)
def test_comments_in_the_words_of_every_dialect(dialect: str, text: str) -> None:
    check(dialect, text, {"": "whole; y", "a": "it's, x"})


def test_other_extended_properties_are_no_comments() -> None:
    text = """CREATE TABLE t (a int)
GO
EXEC sp_addextendedproperty 'MS_DiagramPane1', 'x', 'SCHEMA', 'dbo', 'TABLE', 't'
EXEC sp_addextendedproperty 'MS_Description', 'x', 'SCHEMA', 'dbo', 'TABLE', 't', 'INDEX', 'i'"""
    check("tsql", text, {})


def test_comments_in_any_language() -> None:
    columns = "`编号` int COMMENT '编号，唯一；不变', 姓名 text /* 姓名 */"
    text = f"CREATE TABLE `用户` ({columns}) COMMENT='用户表'"
    check("mysql", text, {"": "用户表", "编号": "编号，唯一；不变", "姓名": "姓名"})


def test_each_table_has_its_own_comment() -> None:
    text = (
        "-- one\nCREATE TABLE a (x int);\n-- two\nCREATE TABLE b (x int);\nCREATE TABLE c (x int);"
    )
    assert [table.comment for table in schema("postgres", text).tables] == ["one", "two", ""]


@pytest.mark.parametrize("namespace", ["public", "temporary", "live"])
def test_a_schema_called_like_a_kind_of_table_is_a_schema(namespace: str) -> None:
    name = f"{namespace}.t"
    found = table(
        "postgres",
        f"CREATE TABLE {name} (c int);\nCOMMENT ON COLUMN {name}.c IS 'of the column';\n"
        f"COMMENT ON TABLE {name} IS 'of the table';\n",
    )
    assert (found.comment, found.columns[0].comment) == ("of the table", "of the column")
