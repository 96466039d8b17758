-- dialect: spark

CREATE TABLE orders (order_id INT, customer_id INT, total DECIMAL(10,2), placed_at
    TIMESTAMP, status STRING, tags ARRAY<STRING>, attrs MAP<STRING,STRING>, buyer
    STRUCT<name: STRING, addr: STRUCT<city: STRING>>);
CREATE TABLE customers (customer_id INT, full_name STRING, city STRING);
CREATE TABLE baskets (id INT, items ARRAY<STRUCT<sku: STRING, maker: STRUCT<town: STRING>>>, m
    MAP<STRING, STRUCT<q: INT>>);
CREATE EXTERNAL TABLE `depot.shipments`(
  `parcel` string,
  `weight.kg` double)
STORED AS ORC;

-- Right, one to a paragraph:

SELECT order_id, t, pos FROM orders LATERAL VIEW posexplode(tags) x AS pos, t

SELECT order_id, explode(tags) AS tag, attrs['a'], attrs.b, buyer.addr.city FROM orders

SELECT transform(tags, x -> upper(x)), filter(tags, (x, i) -> i > 0), aggregate(tags, 0,
    (acc, x) -> acc + 1) FROM orders

SELECT i.sku, i.maker.town, t.i.maker.town, k, v.q, at FROM baskets LATERAL VIEW
    explode(items) t AS i LATERAL VIEW explode(m) mm AS k, v LATERAL VIEW posexplode(items)
    x AS at, other

SELECT o.total FROM orders o LEFT ANTI JOIN customers c ON c.customer_id = o.customer_id

SELECT transform(items, x -> x.maker.town), exists(items, x -> x.sku = 'a'), aggregate(items, 0,
    (acc, x) -> acc + length(x.sku)), items[0].maker.town FROM baskets

SELECT parcel FROM depot.shipments

SELECT s.`weight.kg` FROM `depot`.`shipments` AS s

SELECT parcel FROM shipments

-- Wrong, in the names behind the arrow:

SELECT order_id, tg FROM orders LATERAL VIEW explode(tags) x AS tag
-- -> tg

SELECT buyer.adr.city FROM orders
-- -> adr

SELECT i.skuu FROM baskets LATERAL VIEW explode(items) t AS i
-- -> skuu

SELECT i.maker.twn FROM baskets LATERAL VIEW posexplode(items) t AS at, i
-- -> twn

SELECT i.skuu FROM baskets, LATERAL explode(items) AS t(i)
-- -> skuu

SELECT c.city FROM orders o LEFT SEMI JOIN customers c ON c.customer_id = o.customer_id
-- -> c

SELECT transform(items, x -> x.maker.twn) FROM baskets
-- -> twn

SELECT aggregate(items, 0, (acc, x) -> acc + length(x.skuu)) FROM baskets
-- -> skuu

SELECT items[0].makr.town FROM baskets
-- -> makr

SELECT sum(total) OVER w FROM orders
-- -> w

SELECT colour FROM depot.shipments
-- -> colour

SELECT parcel FROM `depot.shipments`
-- -> `depot.shipments`
