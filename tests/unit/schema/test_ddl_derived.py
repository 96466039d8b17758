import pytest
from ddl_reading import comments, lines, schema, table


def check(dialect: str, text: str, *expected: str) -> None:
    assert lines(schema(dialect, text)) == list(expected)


def test_children_have_the_columns_of_their_parents() -> None:
    check(
        "postgres",
        """CREATE TABLE events (id bigint, at timestamptz NOT NULL) PARTITION BY RANGE (at);
        CREATE TABLE events_2024 PARTITION OF events FOR VALUES FROM ('a') TO ('b');
        CREATE TABLE capitals (state char(2)) INHERITS (cities);
        CREATE TABLE cities (name text, pop int);
        CREATE TABLE copy (extra int, LIKE events INCLUDING ALL, last int);""",
        "events(id bigint, at timestamptz!)",
        "events_2024(id bigint, at timestamptz!)",
        "capitals(name text, pop int, state char(2))",
        "cities(name text, pop int)",
        "copy(extra int, id bigint, at timestamptz!, last int)",
    )


def test_partitions_name_their_parent_and_share_its_key() -> None:
    found = schema(
        "postgres",
        """CREATE TABLE s.m (id int, d date) PARTITION BY RANGE (d);
        CREATE TABLE s.m1 PARTITION OF s.m (CONSTRAINT c CHECK (id > 0)) DEFAULT;
        CREATE TABLE s.m2 (id int, d date);
        ALTER TABLE ONLY s.m ATTACH PARTITION s.m2 FOR VALUES FROM ('a') TO ('b');
        ALTER TABLE ONLY s.m ADD CONSTRAINT k PRIMARY KEY (id, d);
        ALTER TABLE s.m ADD COLUMN e int; ALTER TABLE s.m RENAME e TO f;""",
    )
    assert lines(found) == [f"s.{name}(id int!, d date!, f int)" for name in ("m", "m1", "m2")]
    assert [table.parent for table in found.tables] == ["", "s.m", "s.m"]
    assert all(table.primary_key == ("id", "d") for table in found.tables)


def test_a_detached_partition_is_a_table_of_its_own() -> None:
    text = """CREATE TABLE m (id int) PARTITION BY LIST (id); CREATE TABLE p PARTITION OF m DEFAULT;
    ALTER TABLE m DETACH PARTITION p; ALTER TABLE m ADD n int;"""
    assert table("postgres", text).parent == ""
    check("postgres", text, "m(id int, n int)", "p(id int)")


@pytest.mark.parametrize(
    ("dialect", "copy"),
    [
        ("mysql", "CREATE TABLE c LIKE t"),
        ("snowflake", "CREATE TRANSIENT TABLE c CLONE t AT (TIMESTAMP => 'x')"),
        ("bigquery", "CREATE SNAPSHOT TABLE c CLONE t"),
        (
            "bigquery",
            "CREATE SNAPSHOT TABLE c CLONE t FOR SYSTEM_TIME AS OF"
            " TIMESTAMP_SUB(CURRENT_TIMESTAMP(), INTERVAL 1 HOUR)",
        ),
        ("databricks", "CREATE TABLE c SHALLOW CLONE t"),
        ("databricks", "CREATE TABLE c DEEP CLONE t TIMESTAMP AS OF date_sub(now(), 1)"),
        ("clickhouse", "CREATE TABLE c AS t ENGINE = Memory"),
        ("duckdb", "CREATE TABLE c AS FROM t"),
        ("postgres", "CREATE TABLE c AS TABLE t WITH NO DATA"),
        ("hive", "CREATE TABLE c STORED AS orc AS SELECT * FROM t"),
        ("mysql", "CREATE TABLE c SELECT * FROM t"),
        ("teradata", "CREATE TABLE c AS (SELECT * FROM t) WITH DATA"),
        ("fabric", "CREATE TABLE c WITH (DISTRIBUTION = HASH(id)) AS SELECT * FROM t"),
    ],
)
def test_a_copy_has_the_columns_of_that_moment(dialect: str, copy: str) -> None:
    text = f"CREATE TABLE t (id int, note text);{copy};ALTER TABLE t ADD later int"
    found = schema(dialect, text).named("c")[0]
    assert [(column.name, column.type) for column in found.columns] == [
        ("id", "int"),
        ("note", "text"),
    ]


def test_views_have_the_columns_of_their_queries() -> None:
    check(
        "postgres",
        """CREATE TABLE t (id int, x text /* what */); CREATE TABLE u (id int, name text);
        CREATE VIEW a AS SELECT t.*, u.name AS who FROM t JOIN u USING (id);
        CREATE VIEW b AS SELECT * FROM t JOIN u USING (id) UNION ALL SELECT 1, 'b', 'c';
        CREATE VIEW c (p, q) AS SELECT x, id FROM t WITH CHECK OPTION;
        CREATE MATERIALIZED VIEW d AS WITH w AS (SELECT * FROM a) SELECT * FROM w WITH NO DATA;
        CREATE VIEW e AS SELECT count(*), x::date, sub.id FROM (SELECT id, x FROM t) sub;
        CREATE VIEW f AS SELECT 1 + 1;
        CREATE VIEW g AS SELECT * FROM nowhere;
        CREATE VIEW h AS SELECT id, later FROM nowhere;
        CREATE VIEW i AS this is no query;""",
        "t(id int, x text)",
        "u(id int, name text)",
        "a(id int, x text, who text)",
        "b(id int, x text, name text)",
        "c(p text, q int)",
        "d(id int, x text, who text)",
        "e(count, x DATE, id int)",
        "f(?column?)",
        "g() ?",
        "h(id, later)",
        "i() ?",
    )


def test_a_view_passes_comments_on() -> None:
    text = "CREATE TABLE t (id int COMMENT 'key'); CREATE VIEW v AS SELECT id AS t_id FROM t"
    assert comments(table("mysql", text)) == {"t_id": "key"}


def test_a_view_may_come_before_its_tables() -> None:
    text = (
        "CREATE VIEW v AS SELECT * FROM w; CREATE VIEW w AS SELECT * FROM t; CREATE TABLE t (a int)"
    )
    check("postgres", text, "v(a int)", "w(a int)", "t(a int)")


@pytest.mark.parametrize(
    ("dialect", "text", "expected"),
    [
        ("bigquery", "CREATE VIEW v AS SELECT * EXCEPT (b) FROM t", "v(a int)"),
        ("snowflake", "CREATE VIEW v AS SELECT * RENAME (b AS c) FROM t", "v(a int, c int)"),
        (
            "tsql",
            "CREATE OR ALTER VIEW v WITH SCHEMABINDING AS SELECT x = b, a FROM t",
            "v(x int, a int)",
        ),
        (
            "tsql",
            "EXEC sp_executesql @statement = N'CREATE VIEW v AS SELECT a, ''x'' AS s FROM t'",
            "v(a int, s)",
        ),
        (
            "oracle",
            "CREATE OR REPLACE FORCE EDITIONABLE VIEW v (p, q) AS"
            " SELECT a, b FROM t WITH READ ONLY",
            "v(p int, q int)",
        ),
        (
            "mysql",
            "/*!50001 CREATE ALGORITHM=UNDEFINED */\n"
            "/*!50013 DEFINER=`r`@`l` SQL SECURITY DEFINER */\n"
            "/*!50001 VIEW `v` AS select `t`.`a` AS `z` from `t` */",
            "v(z int)",
        ),
        ("redshift", "CREATE VIEW v AS SELECT * FROM t WITH NO SCHEMA BINDING", "v(a int, b int)"),
        (
            "snowflake",
            "CREATE DYNAMIC TABLE v TARGET_LAG = '1 hour' WAREHOUSE = w AS SELECT b FROM t",
            "v(b int)",
        ),
        (
            "clickhouse",
            "CREATE MATERIALIZED VIEW v TO w (p Int8) AS SELECT a AS p FROM t",
            "v(p Int8!)",
        ),
        (
            "snowflake",
            "CREATE TABLE v (p number, q text) AS SELECT a, b FROM t",
            "v(p number, q text)",
        ),
        ("mysql", "CREATE TABLE v (p int) AS SELECT a FROM t", "v(p int, a int)"),
    ],
)
def test_views_in_the_words_of_every_dialect(dialect: str, text: str, expected: str) -> None:
    base = "CREATE TABLE t (a int NULL, b int NULL)" + ("\nGO\n" if dialect == "tsql" else ";\n")
    if dialect == "clickhouse":
        base = "CREATE TABLE t (a Int8, b Int8);\n"
    assert lines(schema(dialect, base + text))[-1] == expected


def test_a_query_that_no_parser_knows_still_has_names() -> None:
    strange = "SELECT DISTINCT t.a, f(t.b) AS c, d e, %s FROM t WHERE ~~~ strange ~~~ clause"
    text = f"CREATE VIEW v AS {strange % 'g'}; CREATE VIEW w AS {strange % '1 + 2'}"
    check("postgres", text, "v(a, c, e, g)", "w(a, c, e) ?")


def test_circles_come_to_an_end() -> None:
    check(
        "postgres",
        """CREATE VIEW a AS SELECT * FROM b; CREATE VIEW b AS SELECT * FROM a;
        CREATE TABLE c (LIKE d); CREATE TABLE d (LIKE c); CREATE TABLE e (LIKE e, x int);
        CREATE VIEW f AS
          WITH RECURSIVE r (n) AS (SELECT 1 UNION SELECT n + 1 FROM r) SELECT n FROM r;""",
        "a() ?",
        "b() ?",
        "c() ?",
        "d() ?",
        "e(x int) ?",
        "f(n)",
    )


def test_many_steps_of_one_query_are_followed_in_time() -> None:
    steps = ", ".join(
        f"c{n} AS (SELECT l.* FROM c{n - 1} l JOIN c{n - 1} r ON true)" for n in range(1, 40)
    )
    query = f"WITH c0 AS (SELECT * FROM t), {steps} SELECT * FROM c39"
    text = f"CREATE TABLE t (a int); CREATE VIEW v AS {query}"
    assert lines(schema("postgres", text))[-1] == "v(a int)"


def test_kinds_of_tables() -> None:
    text = """CREATE TABLE a (x int); CREATE VIEW b AS SELECT 1 AS x; CREATE TEMP TABLE c (x int);
    CREATE MATERIALIZED VIEW d AS SELECT 1 AS x; CREATE TEMPORARY VIEW e AS SELECT 1 AS x;"""
    assert [table.kind for table in schema("postgres", text).tables] == [
        "table",
        "view",
        "temporary table",
        "materialized view",
        "temporary view",
    ]


def test_copies_stand_where_they_are_written_also_of_later_tables() -> None:
    check(
        "trino",
        """CREATE TABLE a (x int, y int);
        CREATE TABLE t (LIKE late, k int, LIKE a, l int, LIKE later, m int);
        CREATE TABLE late (p int, q int); CREATE TABLE later (r int);""",
        "a(x int, y int)",
        "t(p int, q int, k int, x int, y int, l int, r int, m int)",
        "late(p int, q int)",
        "later(r int)",
    )


def test_columns_before_a_query_come_first_unless_it_has_them() -> None:
    check(
        "mysql",
        "CREATE TABLE a (x int, y int); CREATE TABLE t (y bigint, own int) SELECT x, y FROM a",
        "a(x int, y int)",
        "t(own int, x int, y bigint)",
    )


def test_tables_of_a_type_have_its_attributes_whatever_comes_first() -> None:
    check(
        "oracle",
        "CREATE TABLE hr.t OF hr.place; CREATE TYPE hr.place AS OBJECT (x NUMBER, y DATE);",
        "hr.t(x NUMBER, y DATE)",
    )
    check(
        "postgres",
        """CREATE TYPE place AS (x int, y text); CREATE TABLE t OF place;
        ALTER TYPE place ADD ATTRIBUTE z date CASCADE;
        ALTER TYPE place RENAME ATTRIBUTE y TO yy CASCADE;""",
        "t(x int, yy text, z date)",
    )


def test_the_fields_of_a_row_are_no_column_called_star() -> None:
    check(
        "postgres",
        "CREATE TABLE t (c comp); CREATE VIEW v AS SELECT (c).*, 1 AS k FROM t",
        "t(c comp)",
        "v(k) ?",
    )


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("CREATE STREAM s ON TABLE t", "s(id int, n text)"),
        ("CREATE OR REPLACE STREAM db.s COPY GRANTS ON VIEW t AT (OFFSET => -60)",
         "db.s(id int, n text)"),
        ("CREATE STREAM s ON EXTERNAL TABLE t INSERT_ONLY = TRUE", "s(id int, n text)"),
        ("CREATE STREAM s ON STAGE files", "s() ?"),
        ("CREATE STREAM s ON TABLE t; DROP STREAM IF EXISTS s", ""),
    ],
)  # fmt: skip
def test_a_stream_has_the_columns_of_its_table(text: str, expected: str) -> None:
    found = schema("snowflake", f"CREATE TABLE t (id int, n text); {text}")
    assert lines(found)[1:] == ([expected] if expected else [])
