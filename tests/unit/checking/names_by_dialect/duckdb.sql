-- dialect: duckdb

CREATE TABLE customers (customer_id INTEGER, full_name VARCHAR, city VARCHAR);
CREATE TABLE orders (order_id INTEGER, customer_id INTEGER, total DECIMAL(10,2), placed_at
    TIMESTAMP, status VARCHAR, tags VARCHAR[], buyer STRUCT(name VARCHAR, addr STRUCT(city
    VARCHAR)), items STRUCT(sku VARCHAR, qty INTEGER)[]);
CREATE TABLE months (empid INTEGER, jan INTEGER, feb INTEGER);

-- Right, one to a paragraph:

FROM orders SELECT total WHERE status = 'x'

FROM orders

SELECT COLUMNS('tot.*'), COLUMNS(* EXCLUDE (status)) FROM orders

SELECT list_transform(tags, x -> upper(x)), list_filter(tags, lambda t: t <> 'a'),
    buyer.addr.city, buyer['name'] FROM orders

SELECT i.sku FROM orders, UNNEST(items) AS t(i)

SELECT unnest(tags) AS tag, total FROM orders WHERE total > 1 GROUP BY ALL ORDER BY ALL

SELECT a.total, b.city FROM orders a POSITIONAL JOIN customers b

SELECT a.total FROM orders a ASOF JOIN orders b ON a.customer_id = b.customer_id AND
    a.placed_at >= b.placed_at

PIVOT orders ON status USING sum(total) GROUP BY customer_id

UNPIVOT months ON jan, feb INTO NAME mon VALUE sales

SELECT * FROM read_csv('x.csv') r JOIN orders o ON o.order_id = r.id WHERE r.amount > total

SELECT table_name FROM duckdb_tables() WHERE estimated_size > 1

SELECT * EXCLUDE (total) REPLACE (upper(status) AS status) FROM orders

SELECT total * 2 AS t2, t2 + 1 AS t3 FROM orders WHERE t2 > 5 ORDER BY t3

SELECT arg_max(status, total), struct_pack(a := total), {'x': total} FROM orders

SELECT range FROM range(10)

CREATE MACRO f(a, b) AS TABLE SELECT total + a AS t FROM orders WHERE status = b

INSERT INTO customers BY NAME SELECT 1 AS customer_id, 'x' AS city

SUMMARIZE SELECT total FROM orders

SELECT [x * 2 FOR x IN tags IF x <> 'a'], tags[1:2] FROM orders

SELECT u.it.sku, it.qty, it FROM orders, UNNEST(items) AS u(it)

INSERT INTO months BY NAME SELECT 1 AS empid, 2 AS feb

PIVOT orders ON status USING sum(total) GROUP BY customer_id

SELECT o.total FROM orders o SEMI JOIN customers c ON c.customer_id = o.customer_id

SELECT list_transform(items, x -> x.qty * 2), list_filter(tags, x -> x > 'a'), items[1].sku,
    list_reduce(items, (a, x) -> x) FROM orders

SELECT total FROM orders WHERE status IN tags

SELECT c.*, o.* EXCLUDE (customer_id) REPLACE (o.total * 2 AS total) FROM orders o JOIN customers c ON c.customer_id =
    o.customer_id

SELECT * EXCLUDE (customer_id) RENAME (city AS town) FROM orders o JOIN customers c ON c.customer_id =
    o.customer_id

SELECT * RENAME (customer_id AS buyer) FROM orders o JOIN customers c ON c.customer_id =
    o.customer_id

CREATE TABLE copied AS FROM orders SELECT total

SELECT k, v, u.empid FROM months UNPIVOT (v FOR k IN (jan, feb)) u

SELECT n_s, paid_m, p.city FROM (SELECT status, total, order_id, 1 AS city FROM orders) PIVOT
    (sum(total) AS s, max(order_id) AS m FOR status IN ('new' AS n, 'paid')) p

-- Wrong, in the names behind the arrow:

FROM orders SELECT totl
-- -> totl

SELECT list_transform(tags, x -> upper(y)) FROM orders
-- -> y

SELECT buyer.nme FROM orders
-- -> nme

SELECT * EXCLUDE (totl) FROM orders
-- -> totl

PIVOT orders ON stats USING sum(totl)
-- -> stats totl

SELECT a.total, b.cty FROM orders a POSITIONAL JOIN customers b
-- -> cty

SELECT u.it.skuu FROM orders, UNNEST(items) AS u(it)
-- -> skuu

INSERT INTO months BY NAME SELECT 1 AS empid, 2 AS febr
-- -> febr

PIVOT orders ON statuss USING sum(total) GROUP BY customer_id
-- -> statuss

SELECT c.city FROM orders o SEMI JOIN customers c ON c.customer_id = o.customer_id
-- -> c

SELECT list_transform(items, x -> x.qtty * 2) FROM orders
-- -> qtty

SELECT items[1].skuu FROM orders
-- -> skuu

SELECT order_id FROM orders UNION SELECT empid FROM months ORDER BY empid
-- -> empid

SELECT o.* EXCLUDE (city) FROM orders o JOIN customers c ON c.customer_id =
    o.customer_id
-- -> city

SELECT * EXCLUDE (o.totl, customer_id) FROM orders o JOIN customers c ON c.customer_id =
    o.customer_id
-- -> totl

SELECT o.* REPLACE (customer_id + 1 AS total) FROM orders o JOIN customers c ON c.customer_id =
    o.customer_id
-- -> customer_id

CREATE TABLE copied AS FROM orders SELECT totl
-- -> totl

SUMMARIZE ordrs
-- -> ordrs

SELECT jan FROM months UNPIVOT (v FOR k IN (jan, feb)) u
-- -> jan

SELECT p.lost FROM orders PIVOT (sum(total) FOR status IN ('new', 'paid')) p
-- -> lost
