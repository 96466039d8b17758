"""Bodies and blocks of every dialect: what a semicolon inside them does not end."""

from __future__ import annotations

import pytest

from sqlscribe.notation.statements import split

# One body in each paragraph.
BODIES = {
    "snowflake": """
IF (x > 1) THEN
  SELECT 1;
ELSEIF (y) THEN
 SELECT 2;
ELSE
  SELECT 3;
END IF

BEGIN
  FOR r IN c DO
    INSERT INTO a VALUES (1);
  END FOR;
  RETURN 1;
END

BEGIN
  LOOP
 BREAK;
 END LOOP;
 WHILE (x < 2) DO x := 1; END WHILE;
 REPEAT x := 2; UNTIL (x > 1) END REPEAT;
END

BEGIN
  LET x := CASE WHEN 1 = 1 THEN 2 END;
  CASE (x) WHEN 1 THEN SELECT 1; ELSE SELECT 2; END CASE;
EXCEPTION
  WHEN OTHER THEN
  SELECT 3;
END

DECLARE
  x INT DEFAULT 1;
  c CURSOR FOR SELECT 1;
BEGIN
  OPEN c;
  IF (x = 1) THEN RETURN 1; END IF;
END

EXECUTE IMMEDIATE $$
BEGIN
  SELECT 1;
END;
$$

CREATE OR REPLACE PROCEDURE p()
RETURNS INT
LANGUAGE SQL
AS
BEGIN
  IF (1=1) THEN RETURN 1; END IF;
  RETURN 2;
END

CREATE OR REPLACE TASK t WAREHOUSE = w SCHEDULE = '1 minute' AS
BEGIN
  INSERT INTO a VALUES (1);
  DELETE FROM b;
END

CREATE PROCEDURE p() RETURNS INT LANGUAGE JAVASCRIPT AS $$ var a = 1; return 2; $$

FOR i IN 1 TO 3 DO
 SELECT 1;
END FOR

WHILE (x) DO
 SELECT 1;
END WHILE

LOOP
 SELECT 1;
END LOOP

CASE (x) WHEN 1 THEN SELECT 1; END CASE
""",
    "bigquery": """
IF x > 1 THEN
  SELECT 1;
ELSEIF y THEN
  SELECT 2;
ELSE
  SELECT 3;
END IF

LOOP
  SET x = x + 1;
  IF x > 3 THEN BREAK; END IF;
END LOOP

WHILE x < 3 DO
  SET x = x + 1;
END WHILE

REPEAT
 SET x = 1;
UNTIL x > 1 END REPEAT

FOR r IN (SELECT 1 AS a)
DO
  SELECT r.a;
  SELECT 2;
END FOR

CASE
  WHEN x = 1 THEN
    SELECT 1;
    SELECT 2;
  ELSE SELECT 3;
END CASE

CASE x WHEN 1 THEN SELECT CASE WHEN a THEN 1 END; END CASE

BEGIN
  SELECT IF(a, 1, 2);
  IF x THEN SELECT 1; END IF;
EXCEPTION WHEN ERROR THEN
  SELECT @@error.message;
END

label_1: LOOP
  BREAK label_1;
END LOOP label_1

label_1: BEGIN
  SELECT 1;
END label_1

CREATE OR REPLACE PROCEDURE d.p(x INT64)
OPTIONS(strict_mode=false)
BEGIN
  IF x > 1 THEN SELECT 1; END IF;
  WHILE TRUE DO SELECT 1; LEAVE; END WHILE;
END

CREATE TEMP FUNCTION f(x INT64) RETURNS INT64 LANGUAGE js AS '''
  if (x) { return 1; }
  return 2;
'''

CREATE TEMP FUNCTION f(x INT64) AS (IF(x > 1, 2, 3))

IF EXISTS (SELECT 1) THEN SELECT 1; END IF

BEGIN
  BEGIN TRANSACTION;
  IF a THEN ROLLBACK TRANSACTION; END IF;
  COMMIT TRANSACTION;
END
""",
    "databricks": """
BEGIN
  DECLARE x INT DEFAULT 1;
  IF x = 1 THEN SELECT 1; ELSE SELECT 2; END IF;
  WHILE x < 2 DO SET x = 2; END WHILE;
  FOR r AS SELECT 1 DO SELECT 2; END FOR;
  REPEAT SELECT 1; UNTIL x = 1 END REPEAT;
 CASE x WHEN 1 THEN SELECT 1; END CASE;
END

l: BEGIN
  SELECT 1;
END l

BEGIN NOT ATOMIC
  SELECT 1;
END

BEGIN ATOMIC
  SELECT 1;
  SELECT 2;
END

CREATE OR REPLACE PROCEDURE p(IN x INT)
LANGUAGE SQL
SQL SECURITY INVOKER
AS BEGIN
  SELECT 1;
  SELECT 2;
END

CREATE FUNCTION f(x INT) RETURNS INT LANGUAGE PYTHON AS $$
  return 1;
$$
""",
    "oracle": """
CREATE OR REPLACE PACKAGE BODY p AS
  FUNCTION f RETURN NUMBER IS
  BEGIN
    IF a THEN RETURN 1; ELSIF b THEN RETURN 2; END IF;
    FOR r IN (SELECT 1 FROM dual) LOOP NULL; END LOOP;
    WHILE x LOOP NULL; END LOOP;
    CASE x WHEN 1 THEN NULL; END CASE;
    RETURN CASE WHEN a THEN 1 END;
  EXCEPTION WHEN OTHERS THEN RAISE;
  END f;
  PROCEDURE q IS
    CURSOR c IS SELECT 1 FROM dual;
    TYPE t IS RECORD (a NUMBER);
    SUBTYPE s IS NUMBER;
  BEGIN NULL; END;
BEGIN
  NULL;
END p

CREATE OR REPLACE TRIGGER t
FOR INSERT ON a COMPOUND TRIGGER
  x NUMBER;
  BEFORE EACH ROW IS
  BEGIN NULL; END BEFORE EACH ROW;
  AFTER STATEMENT IS
  BEGIN NULL; END AFTER STATEMENT;
END t

CREATE OR REPLACE TYPE BODY t AS
  MEMBER FUNCTION f RETURN NUMBER IS
  BEGIN RETURN 1; END;
END

DECLARE
  x NUMBER := 1;
  PROCEDURE q IS BEGIN NULL; END;
  CURSOR c IS SELECT 1 FROM dual;
BEGIN
  q;
  <<l>>
  LOOP EXIT l; END LOOP;
END

<<l>>
DECLARE
  x NUMBER;
BEGIN
  NULL;
END

CREATE PACKAGE p IS
  c CONSTANT NUMBER := 1;
  CURSOR k RETURN t%ROWTYPE;
  FUNCTION f(x IN NUMBER) RETURN NUMBER DETERMINISTIC;
  PRAGMA RESTRICT_REFERENCES (f, WNDS);
END

WITH FUNCTION f RETURN NUMBER IS
BEGIN
  RETURN 1;
END;
SELECT f FROM dual
""",
    "mysql": """
BEGIN NOT ATOMIC
  SELECT 1;
  IF a THEN SELECT 2; END IF;
END

CREATE FUNCTION f() RETURNS INT DETERMINISTIC
BEGIN
  DECLARE x INT DEFAULT 1;
  DECLARE CONTINUE HANDLER FOR NOT FOUND SET x = 2;
  l: LOOP LEAVE l; END LOOP l;
  REPEAT SET x = 1; UNTIL x END REPEAT;
  IF x THEN RETURN 1; ELSEIF y THEN RETURN 2; END IF;
  RETURN IF(x, 1, 2);
END

CREATE OR REPLACE PROCEDURE p() SELECT 1

CREATE DEFINER = CURRENT_USER() TRIGGER IF NOT EXISTS t BEFORE INSERT ON a FOR EACH ROW
IF NEW.a THEN SET NEW.a = 1; SET NEW.b = 2; END IF

CREATE TRIGGER t BEFORE INSERT ON a FOR EACH ROW SET NEW.a = IF(NEW.b, 1, 2)

CREATE PROCEDURE p() WHILE a DO SELECT 1; SELECT 2; END WHILE

CREATE PROCEDURE p() l: BEGIN SELECT 1; LEAVE l; END l

CREATE PROCEDURE p() CASE x WHEN 1 THEN SELECT 1; ELSE SELECT 2; END CASE

CREATE FUNCTION IF NOT EXISTS f(a INT) RETURNS INT RETURN CASE WHEN a THEN 1 END
""",
    "postgres": """
CREATE FUNCTION f(a int) RETURNS int LANGUAGE SQL
BEGIN ATOMIC
  SELECT CASE WHEN a THEN 1 END;
  INSERT INTO t VALUES (1);
END

CREATE OR REPLACE PROCEDURE p() LANGUAGE SQL BEGIN ATOMIC
  INSERT INTO a VALUES (1); INSERT INTO b VALUES (2);
END

CREATE FUNCTION f() RETURNS int LANGUAGE plpgsql AS $f$
BEGIN EXECUTE $q$ SELECT 1; $q$; RETURN $$a;b$$; END; $f$

CREATE FUNCTION f() RETURNS int RETURN 1

CREATE RULE r AS ON INSERT TO t DO ALSO (INSERT INTO a VALUES (1); INSERT INTO b VALUES (2))

DO $$ BEGIN PERFORM 1; END; $$

CREATE TABLE t (a text DEFAULT 'x;y', b int GENERATED ALWAYS AS (1) STORED)
""",
    "sqlite": """
CREATE TRIGGER t AFTER UPDATE OF a ON b FOR EACH ROW WHEN new.a > 1 BEGIN
  UPDATE c SET d = CASE WHEN new.a THEN 1 ELSE 2 END;
  INSERT INTO e SELECT CASE x WHEN 1 THEN 2 END FROM f;
END

CREATE TRIGGER "begin" INSTEAD OF DELETE ON v BEGIN SELECT RAISE(ABORT, 'x;y'); END

CREATE TABLE t (a, [b;c], `d;e`, "f;g")
""",
}


@pytest.mark.parametrize(
    ("dialect", "body"),
    [
        (dialect, body)
        for dialect, bodies in BODIES.items()
        for body in bodies.strip("\n").split("\n\n")
    ],
)
def test_a_body_is_one_statement(dialect: str, body: str) -> None:
    end = ";\n/\n" if dialect == "oracle" else ";\n"
    text = f"SELECT 1;\n{body}{end}SELECT 2;\n"
    found = [each.span.of(text) for each in split(text, dialect)]
    assert found == ["SELECT 1", body, "SELECT 2"]


@pytest.mark.parametrize("dialect", ["snowflake", "bigquery", "databricks", "sqlite", "mysql"])
@pytest.mark.parametrize(
    "opening",
    [
        "IF x THEN\n  SELECT 1",
        "LOOP\n  SELECT 1",
        "CREATE TRIGGER t AFTER INSERT ON a BEGIN\n  SELECT 1",
    ],
)
def test_what_is_never_closed_does_not_swallow_the_rest(dialect: str, opening: str) -> None:
    text = f"{opening};\nCREATE TABLE a (b INT);\nSELECT 2;"
    assert [each.span.of(text) for each in split(text, dialect)] == [
        opening,
        "CREATE TABLE a (b INT)",
        "SELECT 2",
    ]


@pytest.mark.parametrize("dialect", ["bigquery", "databricks", "mysql", "snowflake"])
def test_functions_called_like_words_of_a_body_are_none(dialect: str) -> None:
    query = "SELECT IF(a, 1, 2), REPEAT('x', 2), CASE WHEN a THEN 1 END FROM t"
    view = f"CREATE VIEW IF NOT EXISTS v AS {query}"
    text = f"{query};\n{view};\nDROP TABLE IF EXISTS t;"
    assert [each.span.of(text) for each in split(text, dialect)] == [
        query,
        view,
        "DROP TABLE IF EXISTS t",
    ]
