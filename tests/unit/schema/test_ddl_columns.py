import pytest
from ddl_reading import line, schema, table

from sqlscribe.schema.model import ForeignKey


def check(dialect: str, definition: str, expected: str) -> None:
    found = table(dialect, f"CREATE TABLE t ({definition})")
    assert line(found) == f"t({expected})"


@pytest.mark.parametrize(
    ("dialect", "definition", "expected"),
    [
        ("postgres", "a character varying(20)[] DEFAULT '{}'::text[]", "a character varying(20)[]"),
        (
            "postgres",
            "a timestamp(3) with time zone DEFAULT now() NOT NULL",
            "a timestamp(3) with time zone!",
        ),
        ("postgres", "a double precision CHECK (a IS NOT NULL)", "a double precision"),
        ("postgres", "a int GENERATED ALWAYS AS IDENTITY, b bigserial", "a int!, b bigserial!"),
        (
            "postgres",
            "type storage.kind NOT NULL, comment text",
            "type storage.kind!, comment text",
        ),
        ("mysql", "`a` int(11) unsigned NOT NULL AUTO_INCREMENT", "a int(11) unsigned!"),
        ("mysql", "a varchar(9) CHARACTER SET utf8 COLLATE x DEFAULT NULL", "a varchar(9)"),
        (
            "mysql",
            "a timestamp NOT NULL DEFAULT CURRENT_TIMESTAMP ON UPDATE CURRENT_TIMESTAMP",
            "a timestamp!",
        ),
        (
            "mysql",
            "`key` varchar(10), a int, KEY k (`a`), FULLTEXT KEY f (a), KEY (a(3))",
            "key varchar(10), a int",
        ),
        ("mysql", "a int /*!80023 INVISIBLE */, b int KEY", "a int, b int!"),
        (
            "tsql",
            "[a] [int] IDENTITY(1,1) NOT FOR REPLICATION NOT NULL, [b] [nvarchar](max) NULL",
            "a int!, b nvarchar(max)",
        ),
        (
            "tsql",
            "a AS (b * 2) PERSISTED, [b c] [dbo].[Flag], INDEX ix NONCLUSTERED (a)",
            "a, b c dbo.Flag",
        ),
        (
            "oracle",
            "a NUMBER(10,0) NOT NULL ENABLE, b VARCHAR2(255 BYTE) DEFAULT 'x'",
            "a NUMBER(10,0)!, b VARCHAR2(255 BYTE)",
        ),
        (
            "oracle",
            "a TIMESTAMP (6) WITH LOCAL TIME ZONE, b INTERVAL DAY(3) TO SECOND(0)",
            "a TIMESTAMP (6) WITH LOCAL TIME ZONE, b INTERVAL DAY(3) TO SECOND(0)",
        ),
        ("oracle", "a LONG RAW, SUPPLEMENTAL LOG DATA (ALL) COLUMNS", "a LONG RAW"),
        (
            "sqlite",
            "a, b INTEGER, c ANY, 'd' TEXT, `e` UNSIGNED BIG INT, [f] NOT NULL",
            "a, b INTEGER, c ANY, d TEXT, e UNSIGNED BIG INT, f!",
        ),
        (
            "snowflake",
            "id NUMBER(38,0) AUTOINCREMENT, mail STRING WITH MASKING POLICY m, v VARIANT",
            "id NUMBER(38,0), mail STRING, v VARIANT",
        ),
        (
            "bigquery",
            "a ARRAY<STRUCT<k STRING, v INT64>> NOT NULL, b JSON,",
            "a ARRAY<STRUCT<k STRING, v INT64>>!, b JSON",
        ),
        (
            "clickhouse",
            "a UInt64, b Nullable(String), INDEX i a TYPE minmax GRANULARITY 4",
            "a UInt64!, b Nullable(String)",
        ),
        (
            "redshift",
            "a bigint IDENTITY(0,1) ENCODE az64 DISTKEY, b varchar(max) ENCODE zstd",
            "a bigint, b varchar(max)",
        ),
        (
            "databricks",
            "a BIGINT GENERATED ALWAYS AS IDENTITY, CONSTRAINT v EXPECT (a > 0)",
            "a BIGINT!",
        ),
        (
            "",
            "family varchar(10), x int, FAMILY f (x), UNIQUE INDEX u (x)",
            "family varchar(10), x int",
        ),
        ("", "a int -- not, a column\n, b int", "a int, b int"),
        (
            "mysql",
            "v vector(3), vector vector(4), VECTOR KEY k (v), VECTOR INDEX (v) M=6",
            "v vector(3), vector vector(4)",
        ),
        ("exasol", "a int, b date, DISTRIBUTE BY a, PARTITION BY b", "a int, b date"),
    ],
)
def test_columns_of_every_dialect(dialect: str, definition: str, expected: str) -> None:
    check(dialect, definition, expected)


def test_names_keep_their_spelling_and_their_quotes_are_remembered() -> None:
    found = table("postgres", 'CREATE TABLE Sales."Order ""x"""(Id int, "Key" text)')
    assert (found.schema, found.name, found.quoted) == ("Sales", 'Order "x"', True)
    assert [(column.name, column.quoted) for column in found.columns] == [
        ("Id", False),
        ("Key", True),
    ]


def test_a_dotted_name_in_one_pair_of_backticks_is_three_names() -> None:
    found = table("bigquery", "CREATE TABLE `my-project.shop.orders` (id INT64)")
    assert (found.schema, found.name) == ("my-project.shop", "orders")
    found = table("bigquery", "CREATE TABLE my-project-1.shop.orders (id INT64)")
    assert (found.schema, found.name) == ("my-project-1.shop", "orders")


def test_keys_inline_and_as_constraints() -> None:
    found = table(
        "postgres",
        """CREATE TABLE t (
          a int PRIMARY KEY, b int UNIQUE, c int REFERENCES other,
          d int CONSTRAINT fk REFERENCES s.other (id) ON DELETE SET NULL,
          UNIQUE (a, b), FOREIGN KEY (a, b) REFERENCES pair (x, y))""",
    )
    assert found.primary_key == ("a",)
    assert found.columns[0].nullable is False
    assert found.unique == (("b",), ("a", "b"))
    assert found.foreign_keys == (
        ForeignKey(("c",), "other"),
        ForeignKey(("d",), "other", "s", ("id",)),
        ForeignKey(("a", "b"), "pair", "", ("x", "y")),
    )


def test_keys_with_clauses_of_their_engines() -> None:
    tsql = (
        "CREATE TABLE t (a int, CONSTRAINT pk PRIMARY KEY CLUSTERED (a ASC) WITH (X = OFF) ON [P])"
    )
    assert table("tsql", tsql).primary_key == ("a",)
    mysql = "CREATE TABLE t (a int, PRIMARY KEY (`a`) USING BTREE, UNIQUE KEY u (`a`(10)))"
    assert table("mysql", mysql).primary_key == ("a",)
    assert table("mysql", mysql).unique == (("a",),)
    behind = "CREATE TABLE t (a UInt8, b UInt8) ENGINE = MergeTree PRIMARY KEY (a) ORDER BY (a, b)"
    assert table("clickhouse", behind).primary_key == ("a",)


@pytest.mark.parametrize(
    ("dialect", "definition"),
    [
        ("mysql", "c enum('a', 'b') DEFAULT 'a'"),
        ("clickhouse", "c Enum8('a' = 1, 'b' = 2)"),
        ("postgres", "c text CHECK (c IN ('a', 'b'))"),
        ("postgres", "c text, CONSTRAINT k CHECK ((c IS NULL) OR c IN ('a', 'b'))"),
        (
            "postgres",
            "c text, CHECK (((c)::text = ANY ((ARRAY['a'::character varying(2),"
            " 'b'::character varying])::text[])))",
        ),
        ("tsql", "[c] varchar(1) CHECK ([c]='a' OR [c]='b')"),
    ],
)
def test_the_only_values_of_a_column(dialect: str, definition: str) -> None:
    assert table(dialect, f"CREATE TABLE t ({definition})").columns[0].values == ("a", "b")


@pytest.mark.parametrize(
    "check_",
    [
        "c NOT IN ('a', 'b')",
        "c IN ('a', 'b') OR d > 1",
        "c = 'a' OR d = 'b'",
        "c > 'a'",
        "lower(c) IN ('a', 'b')",
        "c <> 'a'",
    ],
)
def test_a_check_that_says_something_else_gives_no_values(check_: str) -> None:
    found = table("postgres", f"CREATE TABLE t (c text, d text, CHECK ({check_}))")
    assert [column.values for column in found.columns] == [(), ()]


def test_named_types_give_values_and_fields() -> None:
    found = table(
        "postgres",
        """CREATE TYPE mood AS ENUM ('sad', 'ok');
        ALTER TYPE mood ADD VALUE 'happy' AFTER 'ok';
        ALTER TYPE mood ADD VALUE 'meh' BEFORE 'ok';
        ALTER TYPE mood RENAME VALUE 'sad' TO 'low';
        CREATE DOMAIN size AS text CHECK (VALUE IN ('s', 'l'));
        CREATE TYPE place AS (street text, zip text);
        CREATE TABLE t (a public.mood NOT NULL, b size, c place, d mood[]);""",
    )
    a, b, c, d = found.columns
    assert a.values == ("low", "meh", "ok", "happy")
    assert b.values == ("s", "l")
    assert c.fields == ("street", "zip")
    assert d.values == ()


@pytest.mark.parametrize(
    ("dialect", "type_", "fields"),
    [
        ("bigquery", "ARRAY<STRUCT<sku STRING, qty INT64>>", ("sku", "qty")),
        ("bigquery", "STRUCT<name STRING, addr STRUCT<city STRING>>", ("name", "addr.city")),
        ("hive", "struct<a:int,b:array<struct<c:string>>>", ("a", "b.c")),
        ("duckdb", "STRUCT(a INT, b STRUCT(c VARCHAR))[]", ("a", "b.c")),
        ("duckdb", "UNION(num INT, str VARCHAR)", ("num", "str")),
        ("clickhouse", "Nested(x UInt8, y Array(String))", ("x", "y")),
        ("clickhouse", "Tuple(a Int8, b Tuple(c String))", ("a", "b.c")),
        ("trino", "row(p varchar, q row(z int))", ("p", "q.z")),
        ("snowflake", "OBJECT(a INT, b STRING NOT NULL)", ("a", "b")),
        ("spark", "MAP<STRING, STRUCT<a: INT>>", ("a",)),
        ("clickhouse", "Map(String, UInt8)", ()),
        ("bigquery", "NUMERIC(10, 2)", ()),
    ],
)
def test_nested_fields_are_no_columns(dialect: str, type_: str, fields: tuple[str, ...]) -> None:
    found = table(dialect, f"CREATE TABLE t (before_ INT, c {type_}, after_ INT)")
    assert [column.name for column in found.columns] == ["before_", "c", "after_"]
    assert found.columns[1].fields == fields
    assert found.columns[1].type == type_


def test_full_text_and_tree_tables_of_sqlite() -> None:
    found = schema(
        "sqlite",
        "CREATE VIRTUAL TABLE doc USING fts5(title, body UNINDEXED, tokenize = 'porter');"
        "CREATE VIRTUAL TABLE box USING rtree(id, minX, maxX, +note);",
    )
    assert [line(table) for table in found.tables] == [
        "doc(title, body) ?",
        "box(id, minX, maxX, note)",
    ]
