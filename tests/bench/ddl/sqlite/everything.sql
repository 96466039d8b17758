PRAGMA foreign_keys=OFF;
BEGIN TRANSACTION;
CREATE TABLE t1 (id INTEGER PRIMARY KEY AUTOINCREMENT, untyped, "quo""ted" TEXT DEFAULT 'a;b', [brack et] INT, `tick` REAL, 'string' TEXT, gen GENERATED ALWAYS AS (id+1), gen2 INT AS (id*2) STORED, chk TEXT CHECK (chk IN ('a','b')) COLLATE NOCASE, d TEXT DEFAULT (datetime('now')), u UNSIGNED BIG INT, n NATIVE CHARACTER(70), v VARYING CHARACTER(255), dp DOUBLE PRECISION, x NUMERIC(10,5) NOT NULL ON CONFLICT REPLACE DEFAULT -1, UNIQUE (untyped) ON CONFLICT IGNORE, CHECK (id > 0), CONSTRAINT c FOREIGN KEY (tick) REFERENCES t2(a) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED);
INSERT INTO t1(id,untyped) VALUES(1,'CREATE TABLE evil(a);
CREATE TABLE evil2(a)');
CREATE TABLE t2 (a, b, c, PRIMARY KEY (a, b DESC)) WITHOUT ROWID;
CREATE TABLE t3b (a INT PRIMARY KEY, b ANY, c BLOB) STRICT, WITHOUT ROWID;
CREATE TABLE nocomma (a INT PRIMARY KEY, b INT CONSTRAINT x UNIQUE CONSTRAINT y CHECK (b > 1) CONSTRAINT z NOT NULL, CONSTRAINT q CHECK (a > 1) CONSTRAINT r CHECK (a < 9));
CREATE TABLE kw (key TEXT, value, abort, action, after, "index", desc_ , cast, column_, "default", exclude, filter, first, following, temp, text, type, view, virtual, row, rows, plan, match, generated, always, current, no, of, offset, over, raise, recursive, window, without, year);
CREATE TABLE IF NOT EXISTS t2 (wrong);
CREATE VIRTUAL TABLE ft USING fts5(title, body UNINDEXED, tokenize = 'porter ascii', content='t1', content_rowid='id', prefix='2 3');
CREATE VIRTUAL TABLE ft4 USING fts4(subject, body TEXT, tokenize=porter);
CREATE VIRTUAL TABLE rt USING rtree(id, minX, maxX, minY, maxY, +label TEXT, +"more" BLOB);
CREATE VIEW v1 AS SELECT * FROM t1;
CREATE VIEW v2 AS SELECT id, id + 1, "quo""ted", count(*), max(id) AS m, t1.tick, [brack et] FROM t1 GROUP BY id;
CREATE VIEW v3(a,b) AS VALUES (1,2),(3,4);
CREATE VIEW v4 AS SELECT t1.*, t2.c FROM t1 NATURAL JOIN t2;
CREATE VIEW v5 AS SELECT * FROM t2 JOIN t3b USING (a);
CREATE VIEW v6 AS WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x+1 FROM c LIMIT 3) SELECT * FROM c, t3b;
CREATE VIEW v8 AS SELECT value, key FROM json_each('[]');
CREATE VIEW v9 AS VALUES (1,2);
CREATE TEMP TABLE tt (a); CREATE TABLE temp.tt2 (b);
CREATE TABLE ctas AS SELECT id AS a, untyped b, 1 c FROM t1;
CREATE TRIGGER trg AFTER INSERT ON t1 BEGIN INSERT INTO t2 VALUES (1,2,3); UPDATE t1 SET tick = CASE WHEN 1 THEN 2 ELSE 3 END; END;
CREATE TABLE after_trigger (a int);
CREATE TRIGGER trg2 INSTEAD OF UPDATE OF untyped ON v1 WHEN NEW.id > 1 BEGIN SELECT RAISE(ABORT, 'x; y'); END;
CREATE TABLE after_trigger2 (a int);
ALTER TABLE after_trigger ADD b TEXT NOT NULL DEFAULT '';
ALTER TABLE after_trigger ADD COLUMN c;
ALTER TABLE after_trigger RENAME COLUMN b TO bb;
ALTER TABLE after_trigger RENAME c TO cc;
ALTER TABLE after_trigger DROP COLUMN a;
ALTER TABLE after_trigger RENAME TO "after all";
CREATE TABLE new_t1 (id INTEGER PRIMARY KEY, keep TEXT);
INSERT INTO new_t1 SELECT id, untyped FROM t1;
DROP TABLE IF EXISTS nocomma;
ALTER TABLE new_t1 RENAME TO nocomma;
DROP VIEW v3;
CREATE UNIQUE INDEX i1 ON t1 (untyped, id) WHERE id > 3;
CREATE TABLE "weird ; name" ("a;b" int);
CREATE TABLE liker (a int) ;;
CREATE TABLE cm ( -- the table
 a int, -- first
 /* second */ b text
 -- third
 , c int);
COMMIT;
CREATE TABLE last (a int)
