"""What the clients of each engine understand beside SQL, and statements without a semicolon."""

from __future__ import annotations

import re

import pytest

from sqlscribe.notation.statements import outline, split

# Statements stand in « ». A row of equals signs ends a script.
SCRIPTS = {
    "snowflake": """
«PUT file:///tmp/*.py @s»;
«SELECT 1»;
====
«PUT file://*.py @s»; «SELECT 2» /* x */;
====
«GET @s/a/*.csv file:///tmp/x/»;
«SELECT 1»
====
«BEGIN TRANSACTION»;
«SELECT 1»;
«COMMIT»;
====
«BEGIN»; «SELECT 1»; «COMMIT»;
====
«BEGIN NAME t1»; «SELECT 1»;
====
«SELECT IFF(a, 1, 2), CASE WHEN a THEN 1 END FROM t»; «SELECT 2»
====
«CREATE TASK t AS SELECT 1»; «SELECT 2»
====
«CREATE TABLE IF NOT EXISTS a (b INT)»; «SELECT 2»
====
!set a=b
«SELECT 1»;
""",
    "bigquery": r"""
«DECLARE x INT64 DEFAULT 1»;
«SET x = 2»;
«SELECT IF(x = 1, 2, 3)»;
====
«DROP TABLE IF EXISTS a»; «CREATE TABLE IF NOT EXISTS b (c INT64)»;
«ALTER TABLE b ADD COLUMN IF NOT EXISTS d INT64»;
====
«SELECT REPEAT('a', 2), r'\d;', '''a;b'''»; «SELECT 2»
====
«SELECT a FROM t FOR SYSTEM_TIME AS OF x»; «SELECT 2»
""",
    "databricks": """
«DECLARE VARIABLE x INT DEFAULT 1»; «SELECT x»; «DECLARE OR REPLACE y INT»; «SELECT 2»
====
«SELECT if(a, 1, 2), repeat('x', 2), case when a then 1 end»; «SELECT 2»
""",
    "tsql": """
«CREATE TABLE a (b int)»
«SELECT * INTO c FROM a»
«CREATE UNIQUE NONCLUSTERED INDEX i ON a (b)»
«WITH q AS (SELECT b FROM a) SELECT b FROM q»
====
«CREATE TABLE a AS
SELECT b FROM c»
====
«CREATE VIEW a AS SELECT b FROM c UNION ALL
SELECT b FROM d»
====
BEGIN TRY
  «SELECT 1»;
END TRY
BEGIN CATCH
  «THROW»;
END CATCH
GO
«SELECT 2»
====
«IF @x = 1»
BEGIN
  «SELECT 1»;
END
ELSE
BEGIN
  «SELECT 2»;
END
GO
====
«WHILE @i < 5»
BEGIN
  «SET @i = @i + 1»;
  «PRINT @i»;
END
«SELECT 3»
====
«SELECT 1»
«SELECT 2»
GO 5
«SELECT 3»
====
«SELECT 1 SELECT 2»
====
:setvar db x
:r other.sql
«USE [$(db)]»
GO
«SELECT * FROM $(db).dbo.t»
GO
====
«DECLARE @t TABLE (a int)»
«INSERT INTO @t VALUES (1)»
«SELECT * FROM @t»
«UPDATE @t SET a = 2»
«DELETE FROM @t WHERE a = 1»
«WITH c AS (SELECT 1 AS n)
SELECT n FROM c»
====
«CREATE PROC p AS
BEGIN
  SELECT 1;
  SELECT 2
END»
GO
«CREATE VIEW v AS
SELECT 1 AS a»
GO
====
«MERGE t USING u ON t.a = u.a
WHEN MATCHED THEN
  UPDATE SET b = 1
WHEN NOT MATCHED THEN
  INSERT (a) VALUES (1)»;
«SELECT 1»
====
«UPDATE t
SET a = 1
OUTPUT inserted.a
WHERE b = 2»

«DELETE t
WHERE a = 1»
====
«BEGIN TRAN»
«UPDATE t SET a = 1»
«COMMIT»
«SELECT 1»
====
«INSERT INTO t (a)
SELECT 1
UNION ALL
SELECT 2»

«SELECT 3»
====
«IF OBJECT_ID('t') IS NOT NULL DROP TABLE t»;
«SELECT 1»
====
«SELECT 'a''b', N'x;y', [c]]d;e] FROM t»; «SELECT 2»
====
«DECLARE @x int = 1, @y int»
«SELECT @x = 2»
«SELECT @x»
«RETURN»
""",
    "oracle": """
DOC >
 Don't run this; it's dangerous
#
«SELECT 2 FROM dual»;
====
SET SERVEROUTPUT ON
PROMPT Hello; world's
REM it's
SPOOL x.log
@a.sql
@@b.sql
EXEC p('a;b');
EXECUTE p
«SELECT 1 FROM dual»;
SHOW ERRORS
VARIABLE x NUMBER
PRINT x
ACCEPT y PROMPT 'z'
DEFINE a = 1
UNDEFINE a
HOST ls
CONNECT a/b@c
WHENEVER SQLERROR EXIT SQL.SQLCODE
TTITLE 'x'
COLUMN a FORMAT 999
BREAK ON a
COMPUTE SUM OF a ON b
CLEAR COLUMNS
«SELECT 2 FROM dual»;
====
SET SERVEROUTPUT -
ON
«SELECT 1 FROM dual»;
====
EXEC p(1, -
  2);
«SELECT 1 FROM dual»;
====
«SELECT &x, &&y. FROM &z..t»;
«SELECT 2 FROM dual»;
====
«CREATE TABLE a (b INT)»
/
«INSERT INTO a VALUES (1)»
/
«COMMIT»
/
====
«SELECT q'{it's; }' FROM dual»; «SELECT nq'!a;b!' FROM dual»;
====
«CREATE OR REPLACE AND COMPILE JAVA SOURCE NAMED "X" AS
public class X { int a; }»
/
«SELECT 1 FROM dual»;
""",
    "mysql": r"""
delimiter //
«CREATE PROCEDURE p()
BEGIN
  SELECT 1; SELECT 2;
END»//
delimiter ;
«SELECT 3»;
====
«SELECT 1»\G
«SELECT 2»\g
«SELECT 3»;
====
source a.sql
\. b.sql
«SELECT 1»;
«use db»
«SELECT 2»;
====
«BEGIN»; «SELECT 1»; «COMMIT»;
====
DELIMITER ;;
«/*!50003 CREATE TRIGGER t BEFORE INSERT ON a FOR EACH ROW BEGIN SET NEW.x = 1; END */»;;
DELIMITER ;
«SELECT 2»;
""",
    "postgres": r"""
«SELECT E'a\';b', U&'d\0061t;', U&"x;y", e'\\'»;
«SELECT 2»;
====
«SELECT 1 /* a /* b; */ c; */ + 2»;
«SELECT 2»;
====
«SELECT 1 AS x» \gset
«SELECT 2»;
\if :x
«SELECT 3»;
\else
«SELECT 4»;
\endif
«SELECT 5» \gexec
«SELECT 6»
====
«SELECT 1 \»; «SELECT 2»;
«SELECT 3»
====
\copy t FROM 'x;y.csv' CSV
«SELECT 1»;
====
«COPY t FROM stdin WITH (FORMAT csv)»;
a;b
'x
\.
«SELECT 1»;
====
«copy t (a) from STDIN»;
1
\.

«SELECT 1»;
====
«SELECT :'x', :"y", :z::int FROM t»;
«SELECT 2»
====
«BEGIN»; «SELECT 1»; «END»;
""",
    "sqlite": """
.headers on
.read x.sql
«SELECT 1»;
«BEGIN»;
«END»;
""",
    "duckdb": """
«CREATE MACRO f(a) AS a + 1»; «SELECT $$a;b$$»; «FROM t»;
.mode csv
«PIVOT t ON a»
""",
    "hive": """
«SET a=b»;
«!ls /tmp»;
«SELECT 1»;
""",
    "spark": r"""
«SELECT 'a\'b;c'»; «SELECT 2»
""",
    "clickhouse": """
«INSERT INTO t FORMAT JSONEachRow {"a": "b;c"}»;
«SELECT 2»
""",
    "": """
«CREATE PROCEDURE p() BEGIN SELECT 1; IF a THEN SELECT 2; END IF; END»; «SELECT 3»
""",
    "redshift": """
«CREATE PROCEDURE p() AS $$ BEGIN a; b; END; $$ LANGUAGE plpgsql»; «SELECT 2»
""",
}


@pytest.mark.parametrize(
    ("dialect", "marked"),
    [
        (dialect, script)
        for dialect, scripts in SCRIPTS.items()
        for script in scripts.strip().split("\n====\n")
    ],
)
def test_scripts_of_clients(dialect: str, marked: str) -> None:
    text = re.sub("[«»]", "", marked)
    assert [each.span.of(text) for each in split(text, dialect)] == re.findall(
        "«(.*?)»", marked, re.S
    )


def test_a_client_command_belongs_to_the_statement_it_sends() -> None:
    text = "SELECT 1 \\gset -- c\nSELECT 2;"
    first, _ = split(text, "postgres")
    assert text[first.span.end : first.end] == " \\gset -- c"


@pytest.mark.parametrize("dialect", ["mysql", ""])
def test_the_delimiter_in_force_is_known(dialect: str) -> None:
    text = "SELECT 1;\nDELIMITER //\nSELECT 2//\ndelimiter ;\nSELECT 3;"
    view = outline(text, dialect)
    marks = [view.delimiter_at(text.index(word)) for word in ("1", "2", "3")]
    assert marks == [";", "//", ";"]


def test_a_question_in_a_body_does_not_end_it_whatever_the_delimiter() -> None:
    body = "CREATE PROCEDURE p()\nBEGIN\n  SELECT 1;\n  -- ask: a\nEND"
    text = f"DELIMITER $$\n{body}$$\nDELIMITER ;\n"
    assert [each.span.of(text) for each in split(text, "mysql")] == [body]
