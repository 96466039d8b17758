-- dialect: bigquery

CREATE TABLE `acme.shop.orders` (order_id INT64, customer_id INT64, total NUMERIC, placed_at
    TIMESTAMP, status STRING, buyer STRUCT<name STRING, addr STRUCT<city STRING, zip
    STRING>>, items ARRAY<STRUCT<sku STRING, qty INT64>>, tags ARRAY<STRING>, extra JSON);
CREATE TABLE `acme.shop.customers` (customer_id INT64, full_name STRING, city STRING);
CREATE TABLE shop.baskets (id INT64, items ARRAY<STRUCT<sku STRING, parts ARRAY<STRUCT<no INT64,
    maker STRUCT<town STRING>>>>>, addr STRUCT<street STRING>);

-- Right, one to a paragraph:

SELECT o.buyer.addr.city, i.sku, off FROM `acme.shop.orders` o, UNNEST(o.items) i WITH
    OFFSET off WHERE i.qty > 1

SELECT order_id, (SELECT SUM(qty) FROM UNNEST(items)) AS q, ARRAY(SELECT AS STRUCT sku, qty
    FROM UNNEST(items) WHERE qty > 1) FROM shop.orders

SELECT * EXCEPT (total), extra.a.b FROM `acme.shop.orders` WHERE _PARTITIONTIME >
    '2024-01-01'

SELECT * REPLACE (total * 2 AS total) FROM shop.orders

SELECT status AS s, COUNT(*) AS n FROM shop.orders GROUP BY s HAVING n > 1 QUALIFY
    ROW_NUMBER() OVER (ORDER BY n) = 1

SELECT table_name FROM shop.INFORMATION_SCHEMA.TABLES

SELECT job_id FROM `region-eu`.INFORMATION_SCHEMA.JOBS_BY_PROJECT

SELECT tag FROM shop.orders, UNNEST(tags) AS tag WHERE tag LIKE 'a%'

SELECT x.a FROM UNNEST([STRUCT(1 AS a, 'x' AS b)]) AS x

SELECT d FROM UNNEST(GENERATE_DATE_ARRAY('2024-01-01', '2024-01-31')) AS d

SELECT * FROM (SELECT status, total FROM shop.orders) PIVOT(SUM(total) FOR status IN ('a',
    'b'))

MERGE shop.customers T USING (SELECT customer_id, status FROM shop.orders) S ON
    T.customer_id = S.customer_id WHEN MATCHED THEN UPDATE SET city = S.status WHEN NOT
    MATCHED THEN INSERT ROW

EXPORT DATA OPTIONS (uri = 'gs://b/*') AS SELECT order_id FROM shop.orders

CREATE OR REPLACE TABLE FUNCTION shop.f(cid INT64) AS SELECT total FROM shop.orders WHERE
    customer_id = cid

SELECT AS VALUE STRUCT(order_id, total) FROM shop.orders

SELECT o.order_id FROM shop.orders AS o FOR SYSTEM_TIME AS OF
    TIMESTAMP_SUB(CURRENT_TIMESTAMP(), INTERVAL 1 HOUR)

SELECT EXTRACT(ISOWEEK FROM placed_at), DATE_TRUNC(DATE(placed_at), WEEK(MONDAY)),
    TIMESTAMP_DIFF(placed_at, placed_at, DAY) FROM shop.orders

SELECT i.sku, p.no, p.maker.town, p FROM shop.baskets, UNNEST(items) i, UNNEST(i.parts) p
    WITH OFFSET AS at WHERE at = 0 AND p.maker.town = 'x'

UPDATE shop.baskets SET addr.street = 'x' WHERE id = 1

SELECT items[OFFSET(0)].sku, items[SAFE_ORDINAL(1)].qty FROM shop.orders

SELECT o.* EXCEPT (customer_id), c.* FROM shop.orders o JOIN shop.customers c ON c.customer_id =
    o.customer_id

-- Wrong, in the names behind the arrow:

SELECT i.skuu FROM shop.orders o, UNNEST(o.items) i
-- -> skuu

SELECT (SELECT SUM(qtty) FROM UNNEST(items)) FROM shop.orders
-- -> qtty

SELECT tag, totl FROM shop.orders, UNNEST(tags) AS tag
-- -> totl

SELECT * EXCEPT (totl) FROM shop.orders
-- -> totl

SELECT o.buyer.adr.city FROM shop.orders o
-- -> adr

SELECT total * 2 AS t FROM shop.orders WHERE t > 1
-- -> t

SELECT total FROM shop.ordrs
-- -> ordrs

SELECT p.noo, p.maker.twn FROM shop.baskets, UNNEST(items) i, UNNEST(i.parts) p
-- -> noo twn

UPDATE shop.baskets SET addr.stret = 'x' WHERE id = 1
-- -> stret

SELECT items[OFFSET(0)].skew FROM shop.orders
-- -> skew

SELECT order_id FROM shop.orders UNION ALL SELECT id FROM shop.baskets ORDER BY id
-- -> id

SELECT o.* EXCEPT (city), c.* FROM shop.orders o JOIN shop.customers c ON c.customer_id =
    o.customer_id
-- -> city
