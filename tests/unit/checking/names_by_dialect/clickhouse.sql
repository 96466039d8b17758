-- dialect: clickhouse

CREATE TABLE orders (order_id UInt32, customer_id UInt32, total Decimal(10,2), placed_at
    DateTime, status String, tags Array(String)) ENGINE=MergeTree ORDER BY order_id;
CREATE TABLE customers (customer_id UInt32, full_name String, city String) ENGINE=MergeTree
    ORDER BY customer_id;
CREATE TABLE baskets (id UInt32, goods Nested(sku String, qty UInt8), tags Array(String))
    ENGINE=MergeTree ORDER BY id;

-- Right, one to a paragraph:

SELECT customer_id AS c, sum(total) AS s, s / 2 AS half FROM orders WHERE c > 1 GROUP BY c
    HAVING s > 1 ORDER BY half LIMIT 1 BY c

SELECT tag, count() FROM orders ARRAY JOIN tags AS tag GROUP BY tag WITH TOTALS

SELECT arrayMap(x -> x || 'a', tags), arrayJoin(tags) AS t FROM orders FINAL PREWHERE total
    > 1

SELECT name FROM system.tables

SELECT o.total, c.city FROM orders o ANY LEFT JOIN customers c USING customer_id

SELECT id, g.sku, tag, pair.1 FROM baskets ARRAY JOIN goods AS g, tags AS tag, arrayMap(x ->
    (x, 1), tags) AS pair WHERE g.qty > 1

SELECT order_id FROM orders LIMIT 1 SETTINGS max_threads = 1, join_use_nulls = 1

SELECT order_id FROM orders FINAL LIMIT 2 BY customer_id SETTINGS max_threads = 1

SELECT order_id FROM orders LIMIT 1, 2 BY customer_id LIMIT 5

-- Wrong, in the names behind the arrow:

SELECT Total FROM orders
-- -> Total

SELECT totl FROM orders FINAL
-- -> totl

SELECT id, g.skuu FROM baskets ARRAY JOIN goods AS g
-- -> skuu

SELECT idd, pair.1 FROM baskets ARRAY JOIN arrayMap(x -> (x, 1), tags) AS pair
-- -> idd

SELECT order_id, totl FROM orders LIMIT 1 SETTINGS max_threads = 1
-- -> totl
