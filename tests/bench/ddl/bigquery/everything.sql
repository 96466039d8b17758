CREATE SCHEMA IF NOT EXISTS `acme-prod.shop` OPTIONS (location = 'eu');
CREATE OR REPLACE TABLE `acme-prod.shop.orders` (
  id INT64 NOT NULL OPTIONS(description="the id; (x)"),
  items ARRAY<STRUCT<sku STRING NOT NULL OPTIONS(description='x'), qty INT64, tags ARRAY<STRING>>>,
  addr STRUCT<street STRING, geo STRUCT<lat FLOAT64, lng FLOAT64>> NOT NULL,
  n NUMERIC(10, 2) DEFAULT 0, ts TIMESTAMP DEFAULT CURRENT_TIMESTAMP(), j JSON, s STRING(10) COLLATE 'und:ci', r RANGE<DATE>, iv INTERVAL, b BYTES,
  PRIMARY KEY (id) NOT ENFORCED, CONSTRAINT fk FOREIGN KEY (id) REFERENCES shop.other (id) NOT ENFORCED
) PARTITION BY DATE(ts) CLUSTER BY id, s OPTIONS (description = 'Orders', labels = [("a", "b,c")], require_partition_filter = TRUE);
CREATE TABLE acme-prod.shop.dashes (a INT64, b STRING);
CREATE TABLE shop.like_t LIKE shop.orders; CREATE TABLE shop.copy_t COPY shop.orders; CREATE TABLE shop.clone_t CLONE shop.orders FOR SYSTEM_TIME AS OF ts; CREATE SNAPSHOT TABLE shop.snap CLONE shop.orders;
CREATE TABLE shop.ctas PARTITION BY d OPTIONS (description='c') AS SELECT DATE(ts) d, o.addr.street, o.addr.geo.lat AS la, ARRAY_LENGTH(items) FROM shop.orders o;
CREATE TABLE shop.ctas2 (a INT64, b STRING) AS SELECT 1, 'x';
CREATE VIEW shop.v1 (a OPTIONS(description='x'), b) OPTIONS (description='v') AS SELECT id, s FROM shop.orders;
CREATE VIEW shop.v2 AS SELECT * EXCEPT (items) REPLACE (id + 1 AS id) FROM shop.orders;
CREATE VIEW shop.v3 AS SELECT o.id, i.*, off FROM shop.orders o, UNNEST(o.items) AS i WITH OFFSET off;
CREATE VIEW shop.v4 AS SELECT addr.*, STRUCT(1 AS a) AS st, item FROM shop.orders, UNNEST(items) item;
CREATE VIEW shop.v5 AS FROM shop.orders |> WHERE id > 1 |> SELECT id, s |> EXTEND id + 1 AS id2;
CREATE MATERIALIZED VIEW shop.mv OPTIONS (enable_refresh = true) AS SELECT id, COUNT(*) AS n FROM shop.orders GROUP BY id;
CREATE EXTERNAL TABLE shop.ext (a INT64) WITH PARTITION COLUMNS (dt DATE, h STRING) OPTIONS (format = 'CSV', uris = ['gs://b/*.csv']);
CREATE EXTERNAL TABLE shop.ext2 OPTIONS (format = 'PARQUET', uris = ['gs://b/*.parquet']);
CREATE EXTERNAL TABLE shop.ext3 WITH CONNECTION `p.eu.c` OPTIONS (object_metadata = 'SIMPLE', uris = ['x']);
CREATE TEMP TABLE tmp AS SELECT 1 AS x;
CREATE TEMP FUNCTION f(a STRING) RETURNS STRING LANGUAGE js AS r"""return "CREATE TABLE js (a int);";""";
CREATE FUNCTION shop.g(a INT64) AS (a + 1); CREATE TABLE FUNCTION shop.tf(a INT64) RETURNS TABLE<x INT64> AS SELECT a AS x; CREATE AGGREGATE FUNCTION shop.ag(a FLOAT64) RETURNS FLOAT64 AS (SUM(a));
CREATE PROCEDURE shop.p(OUT x INT64) BEGIN CREATE TABLE shop.inproc (a INT64); SET x = 1; END;
ALTER TABLE shop.orders ADD COLUMN IF NOT EXISTS n1 STRING OPTIONS(description='d'), ADD COLUMN n2 STRUCT<a INT64>, DROP COLUMN IF EXISTS j;
ALTER TABLE shop.orders RENAME COLUMN s TO ss, RENAME COLUMN b TO bb;
ALTER TABLE shop.orders ALTER COLUMN n1 SET DATA TYPE BYTES, ALTER COLUMN id DROP NOT NULL, ALTER COLUMN n SET OPTIONS (description='num'), ALTER COLUMN ts SET DEFAULT NULL;
ALTER TABLE shop.copy_t RENAME TO copied; ALTER TABLE shop.orders SET OPTIONS (description = 'new', expiration_timestamp = NULL);
ALTER TABLE shop.orders ADD PRIMARY KEY (id) NOT ENFORCED, ADD CONSTRAINT fkk FOREIGN KEY (n) REFERENCES shop.other(id) NOT ENFORCED;
DROP TABLE IF EXISTS shop.clone_t; DROP SNAPSHOT TABLE shop.snap; DROP EXTERNAL TABLE IF EXISTS shop.ext3; DROP MATERIALIZED VIEW shop.mv; 
CREATE SEARCH INDEX si ON shop.orders(ALL COLUMNS); CREATE VECTOR INDEX vi ON shop.orders(n);
CREATE MODEL shop.m OPTIONS (model_type='linear_reg') AS SELECT 1;
CREATE TABLE `p.d`.t (a INT64); CREATE TABLE `p`.`d`.`t 2` (`a-b` INT64); CREATE TABLE ${project}.d.t3 (a INT64); CREATE TABLE `${project}.d.t4` (a INT64); CREATE TABLE `{{ p }}.d.t5` (a INT64); CREATE TABLE d.`events_*` (a INT64); CREATE TABLE @dataset.t6 (a INT64);
CREATE OR REPLACE TABLE shop.kw (date DATE, timestamp TIMESTAMP, options STRING, `order` INT64, value INT64, type STRING, name STRING, key STRING, offset INT64, struct_ INT64, description STRING, cluster_ INT64);
BEGIN CREATE TABLE shop.in_begin (a INT64); EXCEPTION WHEN ERROR THEN SELECT 1; END;
EXECUTE IMMEDIATE "CREATE TABLE shop.dyn (a INT64)"; EXECUTE IMMEDIATE FORMAT("CREATE TABLE x.%s (a INT64)", 'y');
DECLARE x INT64 DEFAULT 1; IF x = 1 THEN CREATE TABLE shop.in_if (a INT64); END IF;
