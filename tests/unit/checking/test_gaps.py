"""SQL that an engine takes and the parser does not: it is no syntax error, and the rest counts."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from sqlscribe.checking.check import check
from sqlscribe.checking.gaps import gap_in, without_parts
from sqlscribe.checking.parsing import parsed
from sqlscribe.checking.reads import classify
from sqlscribe.notation.document import Document
from sqlscribe.schema import ddl
from sqlscribe.schema.model import Schema

DDL = """
CREATE TABLE berths (berth int, pier varchar(9), depth int, doc text);
CREATE TABLE stays (stay int, berth int, ship varchar(9), tons int, came timestamp);
"""


def schema(dialect: str) -> Schema:
    return ddl.replay([ddl.read(Document("b.sql", DDL), Path("b.sql"), dialect)])


def said(dialect: str, sql: str) -> list[str]:
    """The texts that findings stand on; a warning of a missing WHERE aside."""
    found = check(sql, schema(dialect), dialect).findings
    return [each.span.of(sql) for each in found if each.code != "quality/no-where"]


# Of each there is a form with a wrong name beside what the parser does not know.
LEFT_OUT = [
    ("mysql", "UPDATE LOW_PRIORITY IGNORE berths SET depth = 1 WHERE {pier} = 'a'"),
    ("mysql", "DELETE LOW_PRIORITY QUICK IGNORE FROM berths WHERE {pier} = 'a'"),
    ("mysql", "INSERT LOW_PRIORITY IGNORE INTO berths ({pier}) VALUES ('a')"),
    ("mysql", "INSERT HIGH_PRIORITY INTO berths ({pier}) VALUES ('a')"),
    ("mysql", "DELETE s.*, b.* FROM stays s, berths b WHERE s.berth = b.berth AND {pier} = 'a'"),
    ("mysql", "SELECT pier, MAX(depth) FROM berths GROUP BY {pier} ASC WITH ROLLUP"),
    ("mysql", "SELECT SQL_NO_CACHE SQL_CALC_FOUND_ROWS DISTINCT {pier} FROM berths"),
    ("tsql", "UPDATE berths SET depth += 1, {pier} += 'x' WHERE berth = 1"),
    ("fabric", "UPDATE berths SET depth += 1 WHERE {pier} = 'a'"),
    ("tsql", "UPDATE b SET b.depth -= 1 FROM berths b WHERE b.{pier} = 'x'"),
    ("tsql", "SELECT @n += depth FROM berths WHERE {pier} = 'a'"),
    ("tsql", "UPDATE berths SET {pier} = 'a' WHERE CURRENT OF each_berth"),
    ("tsql", "INSERT INTO berths (berth, {pier}) EXEC dbo.free_berths @depth = 5"),
    ("tsql", "INSERT TOP (5) INTO berths (berth) SELECT stay FROM stays WHERE {ship} = 'a'"),
    ("tsql", "INSERT INTO berths WITH (TABLOCK) (berth, {pier}) SELECT stay, ship FROM stays"),
    ("tsql", "DELETE TOP (5) FROM berths OUTPUT deleted.depth WHERE {pier} = 'a'"),
    ("tsql", "SELECT {pier} FROM berths OPTION (OPTIMIZE FOR (@n = 1), HASH JOIN)"),
    ("tsql", "SELECT PARSE(pier AS date USING 'nb-NO') FROM berths WHERE {pier} = 'a'"),
    ("tsql", "WITH XMLNAMESPACES ('u' AS n) SELECT {pier} FROM berths"),
    ("tsql", "WITH XMLNAMESPACES ('u' AS n), q AS (SELECT {pier} FROM berths) SELECT * FROM q"),
    ("tsql", "SELECT %%physloc%%, b.%%lockres%% FROM berths b WHERE {pier} = 'a'"),
    ("duckdb", "SELECT {pier}, unnest([[1]], recursive := true) FROM berths"),
    ("duckdb", "SELECT {pier} FROM berths, unnest([[1]], max_depth := 2) AS t(n)"),
    ("oracle", "SELECT {pier} FROM berths WHERE depth = &deep AND berth = &&berth"),
    ("snowflake", "SELECT {pier} FROM berths WHERE depth > &deep"),
    ("oracle", "INSERT INTO berths (berth, {pier}) VALUES (1, 'a') LOG ERRORS INTO err$_berths"),
    (
        "oracle",
        "INSERT INTO berths (berth, {pier}) VALUES (1, 'a') RETURNING berth, pier INTO :b, :p",
    ),
    ("oracle", "UPDATE berths SET {pier} = 'a' WHERE CURRENT OF each_berth"),
    ("oracle", "SELECT s.came AT LOCAL, s.{ship} FROM stays s"),
    (
        "oracle",
        "SELECT b.{pier} FROM stays s LEFT JOIN berths b PARTITION BY (b.depth)"
        " ON s.berth = b.berth",
    ),
    ("sqlite", "INSERT INTO berths (berth) VALUES (1) ON CONFLICT (berth) DO NOTHING"
               " ON CONFLICT ({pier}) DO UPDATE SET depth = 1"),
    ("postgres", "INSERT INTO berths ({pier}) OVERRIDING SYSTEM VALUE VALUES ('a')"),
    ("postgres", "SELECT pier FROM berths ORDER BY {pier} USING >"),
    ("postgres", "SELECT b.{pier} FROM ONLY berths b JOIN ONLY stays s ON s.berth = b.berth"),
    ("postgres", "UPDATE berths SET {pier} = 'a' WHERE CURRENT OF each_berth"),
    ("postgres", "SELECT JSON_ARRAY({pier}, depth NULL ON NULL) FROM berths"),
    ("databricks", "MERGE WITH SCHEMA EVOLUTION INTO berths b USING stays s ON b.berth = s.berth"
                   " WHEN MATCHED THEN UPDATE SET b.{pier} = s.ship"),
    ("bigquery", "SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS (epsilon = 1) {pier}, COUNT(*)"
                 " FROM berths GROUP BY pier"),
    ("trino", "SELECT s.came AT LOCAL, s.{ship} FROM stays s"),
]  # fmt: skip


@pytest.mark.parametrize(("dialect", "sql"), LEFT_OUT)
def test_what_the_parser_does_not_know_is_left_out_and_the_rest_is_checked(
    dialect: str, sql: str
) -> None:
    name = "pier" if "{pier}" in sql else "ship"
    assert said(dialect, sql.format(pier="pier", ship="ship")) == []
    wrong = sql.format(pier="pierr", ship="shipp")
    assert said(dialect, wrong) == [f"{name}{name[-1]}"]


@pytest.mark.parametrize(
    ("dialect", "sql"),
    [
        ("mysql", "SELECT pier, depth FROM berths WHERE berth = 1 INTO @pier, @depth"),
        ("mysql", "SELECT * FROM { OJ stays s LEFT OUTER JOIN berths b ON s.berth = b.berth }"),
        ("mysql", "VALUES (1, 2), (3, 4)"),
        ("tsql", "SELECT {guid '6F9619FF-8B86-D011-B42D-00C04FC964FF'}"),
        ("tsql", "SELECT a.pier FROM berths a, stays s, berths b WHERE MATCH(a-(s)->b)"),
        ("tsql", "EXECUTE AS USER = 'harbour'"),
        ("oracle", "SELECT pier FROM berths VERSIONS BETWEEN SCN MINVALUE AND MAXVALUE"),
        ("oracle", "SELECT XMLQUERY('/a' PASSING doc RETURNING CONTENT) FROM berths"),
        ("oracle", "SELECT pier FROM berths WHERE pier MEMBER OF (SELECT ship FROM stays)"),
        ("postgres", "SELECT ship FROM stays JOIN berths USING (berth) AS both"),
        ("postgres", "SELECT pier FROM berths WHERE doc IS NFC NORMALIZED"),
        ("postgres", "DROP FUNCTION IF EXISTS f(IN a int, b regclass), g(numeric(10, 2)) CASCADE"),
        ("postgres", "COMMENT ON CONSTRAINT deep ON berths IS 'x'"),
        ("postgres", "COMMENT ON COLUMN berths.pier IS NULL"),
        ("databricks", "COMMENT ON COLUMN berths.pier IS NULL"),
        ("postgres", r"COMMENT ON COLUMN berths.pier IS E'two\nlines'"),
        ("postgres", "SELECT JSON_SERIALIZE(doc RETURNING bytea) FROM berths"),
        (
            "postgres",
            "SELECT j.a FROM berths, JSON_TABLE(doc, '$' PASSING 1 AS x COLUMNS (a int)) j",
        ),
        ("bigquery", "SELECT * FROM ML.EVALUATE(MODEL harbour.m)"),
        ("bigquery", "FROM berths |> SET depth = 1 |> DROP pier"),
        ("bigquery", "SELECT rb'a' FROM berths"),
        ("clickhouse", "SELECT pier FROM berths INTO OUTFILE 'b.csv' FORMAT CSV"),
        ("clickhouse", "SELECT TOP 5 pier FROM berths"),
        ("spark", "INSERT OVERWRITE DIRECTORY '/b' USING parquet SELECT pier FROM berths"),
        ("trino", "SELECT * FROM TABLE(f(input => TABLE(berths) PARTITION BY pier))"),
        ("trino", "WITH SESSION x = 'y' SELECT 1"),
    ],
)
def test_a_statement_that_the_parser_cannot_read_is_no_error(dialect: str, sql: str) -> None:
    assert said(dialect, sql) == []
    assert check(sql, schema(dialect), dialect).unchecked


@pytest.mark.parametrize(
    ("dialect", "sql"),
    [
        ("oracle", "SELECT pier FROM berths WHERE doc = 'R&D' WHERE depth = 1"),
        ("postgres", "SELECT pier FROM berths WHERE ORDER BY depth -- USING (a) AS b"),
        ("mysql", "SELECT pier FROM WHERE doc = ' INTO @x'"),
    ],
)
def test_words_in_strings_and_comments_excuse_nothing(dialect: str, sql: str) -> None:
    assert said(dialect, sql) != []


@pytest.mark.parametrize(
    ("dialect", "sql"),
    [
        ("mysql", "SELECT pier, depth FROM berths INTO @pier, @depth"),
        ("mysql", "SELECT pier FROM berths INTO OUTFILE '/b'"),
        ("clickhouse", "SELECT pier FROM berths INTO OUTFILE 'b.csv'"),
        ("tsql", "INSERT INTO berths (berth) EXEC dbo.free_berths"),
    ],
)
def test_what_is_left_out_never_makes_a_read(dialect: str, sql: str) -> None:
    assert not classify(sql, dialect).read


def test_places_stay_what_they_are() -> None:
    sql = "SELECT pier FROM berths WHERE pier = '&x' AND depth = &&deep AND berth = &1"
    plain = without_parts(sql, "oracle")
    assert len(plain) == len(sql)
    assert plain == "SELECT pier FROM berths WHERE pier = '&x' AND depth =  :deep AND berth =  1"


ODD = (
    "OUTPUT |OPTION(|LOG ERRORS;|GROUP BY a |'|(|UPDATE o SET a += |ON CONFLICT |MATCH(|&a"
    "|RETURNING a INTO :b;|ORDER BY a USING |SUBSET a = (|PARTITION BY (a) "
)


@pytest.mark.parametrize("piece", ODD.split("|"))
def test_odd_texts_keep_their_length(piece: str) -> None:
    text = piece * 500
    for dialect in ("oracle", "tsql", "mysql", "sqlite", "postgres", ""):
        assert len(without_parts(text, dialect)) == len(text)
        assert isinstance(gap_in(text, dialect), str)


@pytest.mark.parametrize("kind", ["PROCEDURE", "FUNCTION", "TRIGGER"])
def test_several_things_may_be_dropped_at_once(kind: str) -> None:
    assert said("tsql", f"DROP {kind} IF EXISTS dbo.a, [dbo].[b], c") == []


def test_more_parts_than_anybody_writes_leave_it_open() -> None:
    problem = parsed("SELECT " + "&a " * 2_000, "oracle").problem
    assert problem is not None
    assert not problem.sure


def test_blanks_without_end_take_linear_time() -> None:
    start = time.process_time()
    check("SELECT 1" + "\n" * 90_000 + "AS one", Schema(), "mysql")
    assert time.process_time() - start < 10
