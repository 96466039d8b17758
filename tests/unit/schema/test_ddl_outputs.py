"""The names of columns that a query does not name, as each engine gives them."""

import pytest
from ddl_reading import line, lines, schema, table

_T = 'CREATE TABLE t (id int, "select" text, arr int[], home addr);'


def name(dialect: str, expression: str, before: str = _T) -> str:
    view = table(dialect, f"{before} CREATE VIEW v AS SELECT {expression} FROM t")
    return "" if view.partly_understood else view.columns[0].name


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("count(*)", "count"),
        ("count(DISTINCT id) FILTER (WHERE id > 1)", "count"),
        ("sum(id) OVER (ORDER BY id)", "sum"),
        ("percentile_cont(0.5) WITHIN GROUP (ORDER BY id)", "percentile_cont"),
        ("pg_catalog.length('a')", "length"),
        ("coalesce(id, 0)", "coalesce"),
        ("date_trunc('month', now())", "date_trunc"),
        ("extract(year FROM now())", "extract"),
        ("trim(leading FROM 'a')", "ltrim"),
        ("trim('a')", "btrim"),
        ("current_date", "current_date"),
        ("current_timestamp(3)", "current_timestamp"),
        ("id::text", "id"),
        ("'x'::varchar(3)", "varchar"),
        ("'x'::text::bytea", "bytea"),
        ("CAST(1 + 1 AS bigint)", "int8"),
        ("CAST(id AS double precision)", "id"),
        ("DATE '2020-01-01'", "date"),
        ("INTERVAL '1' YEAR", "interval"),
        ("CASE WHEN id > 1 THEN 2 END", "case"),
        ("CASE WHEN id > 1 THEN 2 ELSE id END", "id"),
        ("(CASE WHEN id > 1 THEN 2 END)::text", "text"),
        ("(id)", "id"),
        ("arr[1]", "arr"),
        ("(home).city", "city"),
        ("ARRAY[1, 2]", "array"),
        ("ARRAY(SELECT 1)", "array"),
        ("ROW(1, 2)", "row"),
        ("EXISTS (SELECT 1)", "exists"),
        ("(SELECT max(id) FROM t x)", "max"),
        ("(SELECT 1 AS uno)", "uno"),
        ("(VALUES (1))", "column1"),
        ('lower("select") COLLATE "C"', "lower"),
        ("now() AT TIME ZONE 'utc'", "timezone"),
        ("id + 1", "?column?"),
        ("-id", "?column?"),
        ("'x'", "?column?"),
        ("true", "?column?"),
        ("NOT true", "?column?"),
        ("id IS NULL", "?column?"),
        ("'{}'::jsonb -> 'a'", "?column?"),
    ],
)
def test_postgres_figures_names_out(expression: str, expected: str) -> None:
    assert name("postgres", expression) == expected


@pytest.mark.parametrize(
    ("dialect", "expression", "expected"),
    [
        ("sqlite", "id +  1", "id +  1"),
        ("sqlite", "count(*)", "count(*)"),
        ("mysql", "upper(id)", "upper(id)"),
        ("mysql", "'x'", "x"),
        ("mysql", f"concat('{'y' * 70}', id)", "Name_exp_1"),
        ("duckdb", "count(*)", "count_star()"),
        ("duckdb", "SUM(id)", "sum(id)"),
        ("duckdb", "id + 1", ""),
        ("duckdb", "unnest(home)", ""),
        ("redshift", "extract(year FROM now())", "date_part"),
        ("databricks", "CAST(id AS string)", "id"),
        ("snowflake", "id + 1", ""),
        ("tsql", "id + 1", ""),
    ],
)
def test_other_engines_have_their_own_ways(dialect: str, expression: str, expected: str) -> None:
    assert name(dialect, expression, "CREATE TABLE t (id int, home int);") == expected


@pytest.mark.parametrize(
    ("dialect", "query", "expected"),
    [
        ("sqlite", "SELECT * FROM a JOIN b ON a.id = b.id", "v(id int, x int, id:1 int, y int)"),
        ("duckdb", "SELECT * FROM a JOIN b ON a.id = b.id", "v(id int, x int, id_1 int, y int)"),
        ("sqlite", "SELECT * FROM a JOIN b USING (id)", "v(id int, x int, y int)"),
        ("duckdb", "SELECT * FROM a NATURAL JOIN b", "v(id int, x int, y int)"),
        ("duckdb", "SELECT * FROM a SEMI JOIN b USING (id)", "v(id int, x int)"),
        ("postgres", "SELECT * FROM (a JOIN b USING (id))", "v(id int, x int, y int)"),
        ("postgres", "SELECT b.y FROM ((a JOIN b USING (id)))", "v(y int)"),
        ("postgres", "SELECT s.* FROM a, LATERAL (SELECT a.id AS k, 1 AS one) s", "v(k, one)"),
        ("postgres", 'SELECT * FROM f() AS g(p int, "Q" text)', "v(p, Q)"),
        ("duckdb", "SELECT x FROM a UNION ALL BY NAME SELECT y, x FROM a, b", "v(x int, y int)"),
        ("sqlite", "VALUES (1, 2)", "v(column1, column2)"),
        ("duckdb", "SELECT * FROM (VALUES (1, 2))", "v(col0, col1)"),
        ("databricks", "SELECT * FROM STREAM(a)", "v(id int, x int)"),
        ("databricks", "SELECT id AS n FROM STREAM a", "v(n int)"),
        ("teradata", "LOCKING ROW FOR ACCESS SELECT id FROM a", "v(id int)"),
    ],
)
def test_what_a_star_gives(dialect: str, query: str, expected: str) -> None:
    tables = "CREATE TABLE a (id int, x int); CREATE TABLE b (id int, y int);"
    assert lines(schema(dialect, f"{tables} CREATE VIEW v AS {query}"))[2] == expected


@pytest.mark.parametrize(
    ("dialect", "text", "expected"),
    [
        ("postgres", "SELECT id, x AS z INTO n FROM a", "n(id int, z int)"),
        ("postgres", "WITH q AS (SELECT id FROM a) SELECT * INTO TABLE s.n FROM q", "s.n(id int)"),
        ("redshift", "SELECT count(*) INTO n FROM a", "n(count)"),
        ("tsql", "SELECT TOP 3 a.id, k = x INTO dbo.n FROM a WHERE 1 = 0", "dbo.n(id int, k int)"),
    ],
)
def test_a_select_may_make_a_table(dialect: str, text: str, expected: str) -> None:
    made = table(dialect, f"CREATE TABLE a (id int, x int);\n{text};\n")
    assert (line(made), made.kind) == (expected, "table")


@pytest.mark.parametrize(
    ("dialect", "text"),
    [
        ("tsql", "SELECT id INTO #work FROM a"),
        ("postgres", "SELECT id INTO TEMP work FROM a"),
    ],
)
def test_a_select_may_make_a_temporary_table(dialect: str, text: str) -> None:
    made = table(dialect, f"CREATE TABLE a (id int);\n{text}")
    assert made.kind == "temporary table"


def test_a_select_into_variables_makes_nothing() -> None:
    text = "CREATE TABLE a (id int);\nSELECT id INTO @x FROM a;"
    assert lines(schema("mysql", text)) == ["a(id int)"]
