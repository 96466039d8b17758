-- What PostgreSQL can say in one script, run as it stands.
\set ON_ERROR_STOP off
SET search_path TO public;
CREATE SCHEMA shop;
CREATE TYPE mood AS ENUM ('sad', 'ok', 'happy');
CREATE TYPE addr AS (street text, "Zip Code" varchar(10), geo point);
CREATE DOMAIN posint AS integer NOT NULL CHECK (VALUE > 0);
CREATE DOMAIN status AS text CHECK (VALUE IN ('a','b'));
CREATE TABLE t1 (
  id int GENERATED ALWAYS AS IDENTITY (START WITH 10 INCREMENT BY 2) PRIMARY KEY,
  "select" text NOT NULL DEFAULT 'a,b;c)',
  "from.where" jsonb DEFAULT '{"a": [1,2,";"]}'::jsonb,
  "q""uote" text COLLATE "C" CHECK ("q""uote" <> ''),
  tsr tstzrange,
  arr integer[3][3] DEFAULT '{{1,2},{3,4}}',
  arr2 text ARRAY[4],
  arr3 text ARRAY,
  gen numeric(10,2) GENERATED ALWAYS AS (id * 1.5) STORED,
  m mood DEFAULT 'ok'::mood,
  home addr, p posint, iv interval day to second(3), iv2 interval(3),
  bits bit varying(8) DEFAULT B'101', dp double precision, cv character varying (20),
  ts timestamp (3) without time zone, tz time with time zone, 
  x text DEFAULT $$it's; (odd$$, y text DEFAULT E'\'esc;\\', z bytea DEFAULT '\xDEAD',
  u text DEFAULT U&'\0041', 
  EXCLUDE USING gist (tsr WITH &&),
  CONSTRAINT "uq one" UNIQUE NULLS NOT DISTINCT ("select", id) INCLUDE (p) DEFERRABLE INITIALLY DEFERRED,
  CHECK (dp > 0 AND cv IN ('x', 'y')) NO INHERIT
) WITH (fillfactor=70);
CREATE SCHEMA "Odd Schema" AUTHORIZATION postgres CREATE TABLE inner_one (a int, b text) CREATE VIEW inner_view AS SELECT a FROM inner_one;
COMMENT ON TABLE t1 IS 'Table; one';
CREATE TABLE t3 () INHERITS (t1);
CREATE TABLE m (id bigint, d date NOT NULL, v float(24)) PARTITION BY RANGE (d, (lower(id::text)));
CREATE TABLE m1 PARTITION OF m FOR VALUES FROM (MINVALUE, MINVALUE) TO ('2020-01-01', 'x');
CREATE TABLE m2 PARTITION OF m (v DEFAULT 3, PRIMARY KEY (id)) DEFAULT;
CREATE TABLE mm (LIKE m);
ALTER TABLE m ADD COLUMN late text, ADD late2 int[] DEFAULT '{}';
CREATE TABLE OF_ (a int);
CREATE TABLE typed OF addr (street WITH OPTIONS NOT NULL, PRIMARY KEY (street));
CREATE TABLE typed2 OF addr;
CREATE UNLOGGED TABLE unl AS SELECT id, "select" AS s2, now() AS n, count(*) OVER () FROM t1 WITH NO DATA;
CREATE TABLE ctas (a, b) AS VALUES (1, 'x'), (2, 'y');
CREATE TABLE ctas2 AS TABLE t1;
SELECT id, "select" INTO sel_into FROM t1;
SELECT * INTO TABLE sel_into2 FROM t1 WHERE false;
SELECT 1 AS a, 2 AS b INTO UNLOGGED shop.sel3;
WITH q AS (SELECT 1 AS z) SELECT z INTO sel4 FROM q;
CREATE VIEW v1 AS SELECT * FROM t1;
CREATE VIEW v2 (a, b) AS SELECT id, "select" FROM t1;
CREATE VIEW v4 AS SELECT * FROM m JOIN (SELECT id, 1 AS w FROM t1) s USING (id);
CREATE VIEW v5 AS SELECT * FROM m NATURAL JOIN mm;
CREATE OR REPLACE VIEW v6 WITH (security_barrier) AS WITH RECURSIVE r(n, m) AS (SELECT 1, 2 UNION ALL SELECT n+1, m FROM r WHERE n < 5) SELECT * FROM r;
CREATE RECURSIVE VIEW v7 (n) AS VALUES (1) UNION ALL SELECT n+1 FROM v7 WHERE n < 100;
CREATE VIEW v8 AS SELECT id AS a FROM t1 UNION SELECT 2 UNION ALL (SELECT 3);
CREATE VIEW v9 AS SELECT x.*, g FROM (VALUES (1,'a'),(2,'b')) AS x(num, letter), generate_series(1,3) g;
CREATE VIEW v11 AS SELECT (home).street, (home)."Zip Code" AS zip, ("from.where"->>'a')::int AS aa, "from.where"->'b' FROM t1;
CREATE VIEW v12 AS SELECT * FROM ROWS FROM (generate_series(1,2), generate_series(1,3)) WITH ORDINALITY AS t(a,b,c);
CREATE VIEW v13 AS SELECT j.* FROM jsonb_to_recordset('[]') AS j(a int, "B" text);
CREATE VIEW v14 AS SELECT l.* FROM t1, LATERAL (SELECT t1.id AS lid, 7 AS seven) l;
CREATE VIEW v15 AS SELECT t FROM t1 t;
CREATE VIEW v16 AS SELECT EXTRACT(year FROM d), date_trunc('month', d), d AT TIME ZONE 'utc' AS az, CURRENT_DATE, CURRENT_TIMESTAMP, current_user, CAST(d AS text), GREATEST(id, 1), NULLIF(id,2), position('a' in 'b'), substring('abc' from 1 for 2), trim(both from ' a '), EXISTS (SELECT 1) FROM m;
CREATE MATERIALIZED VIEW IF NOT EXISTS mv1 (k, n) TABLESPACE pg_default AS SELECT id, count(*) FROM t1 GROUP BY 1 WITH NO DATA;
CREATE MATERIALIZED VIEW mv2 AS SELECT *, row_number() OVER (PARTITION BY d ORDER BY id) rn, sum(v) FILTER (WHERE id > 2) OVER w AS s FROM m WINDOW w AS (PARTITION BY d);
CREATE FOREIGN DATA WRAPPER fdw1; CREATE SERVER srv FOREIGN DATA WRAPPER fdw1;
CREATE FOREIGN TABLE ft (a int OPTIONS (column_name 'x, y') NOT NULL, b text) SERVER srv OPTIONS (table_name 'abc');
COPY t1 (id, "select") FROM stdin;
1	CREATE TABLE evil (a int);
2	it's; -- fine
\.
CREATE FUNCTION f(a int) RETURNS TABLE (id int, nm text) LANGUAGE sql AS 'CREATE TABLE inside (a int); SELECT 1, ''x''';
CREATE FUNCTION f2() RETURNS trigger LANGUAGE plpgsql AS $fn$ BEGIN CREATE TABLE inside2 (a int); RETURN NEW; END $fn$;
CREATE FUNCTION f3(a int) RETURNS int LANGUAGE sql BEGIN ATOMIC SELECT 1; SELECT 2; END;
CREATE PROCEDURE p1() LANGUAGE sql BEGIN ATOMIC INSERT INTO of_ VALUES (1); END;
CREATE TABLE after_routines (a int, b int);
CREATE RULE r1 AS ON INSERT TO v2 DO INSTEAD INSERT INTO of_ VALUES (NEW.a);
CREATE TABLE "Übergröße" ("naïve" text, größe numeric, 名前 text);
CREATE TABLE keywords (value int, name text, type text, date date, key text, comment text, index int, text text, timestamp timestamp, user_ int, "order" int, "group" int, year int, level int, position int, language text, data jsonb, partition int, range int, check_ int, action text, zone text, schema text, version int, "primary" int, columns int, column_name text, domain text, first int, after int, generated int, identity int, constraint_x int, period int, like_ int, exclude int, storage text, compression text, include int);
CREATE TABLE t2 (LIKE t1 INCLUDING ALL, extra int, LIKE "Odd Schema".inner_one);
CREATE TABLE t4 (more int) INHERITS (t1, "Odd Schema".inner_one);
CREATE VIEW v3 AS SELECT t1.*, i.a AS ia FROM t1 JOIN "Odd Schema".inner_one i ON i.a = t1.id;
DO $$ BEGIN CREATE TABLE from_do (a int, b text); ALTER TABLE from_do ADD COLUMN c int; EXECUTE 'CREATE TABLE from_exec (q int)'; END $$;
CREATE VIEW v20 AS SELECT * FROM (t1 AS a LEFT JOIN (SELECT id, 1 AS one FROM t3) b USING (id)) CROSS JOIN LATERAL (SELECT 9 AS nine) x;
