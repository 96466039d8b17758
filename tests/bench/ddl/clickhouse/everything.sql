CREATE DATABASE IF NOT EXISTS db ENGINE = Atomic;
CREATE TABLE IF NOT EXISTS db.events ON CLUSTER '{cluster}'
(
    `id` UInt64 CODEC(Delta, ZSTD(1)),
    ts DateTime64(3, 'UTC') DEFAULT now64() COMMENT 'when; (x)',
    d Date MATERIALIZED toDate(ts), al String ALIAS concat(name, 'x'), eph UInt8 EPHEMERAL 3,
    name LowCardinality(Nullable(String)), arr Array(Tuple(a UInt8, b String)), nested Nested(k String, v Array(UInt8)), m Map(String, UInt64), t Tuple(x Float64, y Float64), e Enum8('a' = 1, 'b;c' = 2), n Nullable(Int32), dec Decimal(18, 4), fs FixedString(16), agg AggregateFunction(uniq, UInt64), sagg SimpleAggregateFunction(sum, UInt64), v Variant(UInt64, String), dyn Dynamic, j JSON(max_dynamic_paths=10, a.b UInt32), ip IPv4, u UUID DEFAULT generateUUIDv4(), x String NOT NULL, y Int32 NULL, noty DEFAULT 5, ttlc String TTL ts + INTERVAL 1 DAY,
    INDEX idx name TYPE bloom_filter(0.01) GRANULARITY 4, CONSTRAINT c CHECK id > 0, PROJECTION p (SELECT id ORDER BY ts), PRIMARY KEY (id)
)
ENGINE = ReplicatedMergeTree('/clickhouse/{uuid}', '{replica}') PARTITION BY toYYYYMM(ts) ORDER BY (id, ts) TTL d + INTERVAL 30 DAY DELETE WHERE id = 1 SETTINGS index_granularity = 8192 COMMENT 'Events';
CREATE TABLE t2 AS db.events ENGINE = Memory; CREATE TABLE t3 CLONE AS db.events; CREATE TABLE t4 ENGINE = Memory AS SELECT id, count() AS c, name FROM db.events GROUP BY id, name; CREATE TABLE t5 (a UInt8, b String) ENGINE = MergeTree ORDER BY a AS SELECT 1, 'x'; CREATE TABLE t6 AS numbers(10); CREATE TABLE t7 EMPTY AS SELECT 1 AS one;
CREATE MATERIALIZED VIEW mv1 TO db.target AS SELECT id, toStartOfHour(ts) AS h, sum(n) s FROM db.events GROUP BY id, h;
CREATE MATERIALIZED VIEW mv2 ENGINE = SummingMergeTree ORDER BY id POPULATE AS SELECT id, count() AS c FROM db.events GROUP BY id;
CREATE MATERIALIZED VIEW mv3 TO db.target (id UInt64, c UInt64) AS SELECT id, count() AS c FROM db.events GROUP BY id;
CREATE MATERIALIZED VIEW mv4 REFRESH EVERY 1 HOUR ENGINE = Memory AS SELECT 1 AS a;
CREATE VIEW v1 AS SELECT * EXCEPT (arr), nested.k, t.x, arr[1].a AS aa FROM db.events; CREATE OR REPLACE VIEW v2 AS SELECT id, ts FROM db.events FINAL PREWHERE id > 1 ARRAY JOIN arr AS ar; CREATE LIVE VIEW lv AS SELECT 1 a; CREATE VIEW pv AS SELECT * FROM db.events WHERE id = {p:UInt64};
CREATE DICTIONARY db.dict (id UInt64, name String DEFAULT '', parent UInt64 HIERARCHICAL) PRIMARY KEY id SOURCE(CLICKHOUSE(TABLE 'x')) LAYOUT(HASHED()) LIFETIME(MIN 0 MAX 1000);
CREATE FUNCTION lin AS (x, k) -> k * x;
ALTER TABLE db.events ON CLUSTER c ADD COLUMN IF NOT EXISTS added Nullable(String) CODEC(ZSTD) AFTER id, DROP COLUMN IF EXISTS ip, MODIFY COLUMN dec Decimal(20,4), RENAME COLUMN fs TO fs2, COMMENT COLUMN id 'ident', ADD INDEX i2 added TYPE minmax, DROP INDEX idx, ADD PROJECTION pp (SELECT 1), MODIFY TTL d + INTERVAL 1 DAY, MODIFY ORDER BY (id), DELETE WHERE id = 3;
ALTER TABLE db.events ADD COLUMN nested.z Array(String), CLEAR COLUMN added IN PARTITION 3, MODIFY COLUMN u REMOVE DEFAULT, MODIFY COMMENT 'New', MODIFY SETTING x = 3, ALTER COLUMN n TYPE Int64, MATERIALIZE COLUMN d; ALTER TABLE db.events UPDATE id = 3 WHERE 1; ALTER TABLE db.events DROP PARTITION 2020, ATTACH PARTITION 2020 FROM t2, FREEZE;
RENAME TABLE t2 TO t22, t3 TO db.t33; EXCHANGE TABLES t4 AND t5; RENAME COLUMN x TO y; RENAME DICTIONARY db.dict TO db.dict2; DETACH TABLE t6; DROP TABLE IF EXISTS t7 SYNC; 
CREATE TABLE kaf (a String) ENGINE = Kafka SETTINGS kafka_broker_list = 'x'; CREATE TABLE dist AS db.events ENGINE = Distributed('c', db, events, rand()); CREATE TEMPORARY TABLE tmp (a Int8); CREATE TABLE url (a Int) ENGINE=URL('http://x//y', CSV);
CREATE TABLE kw (key String, value String, date Date, timestamp DateTime, type String, index UInt8, comment String, projection String, constraint_ String, `order` Int8, primary_ Int8, codec String, ttl Int8, alias String, default_ Int8, `from` String);
INSERT INTO db.events FORMAT Values (1, 'x; CREATE TABLE evil (a Int8)');
CREATE TABLE after (a Int8) ENGINE = Log;
CREATE WINDOW VIEW wv AS SELECT 1 a; CREATE NAMED COLLECTION nc AS a = 1; CREATE TABLE par UUID '01-02' (a Int8) ENGINE = Memory;
