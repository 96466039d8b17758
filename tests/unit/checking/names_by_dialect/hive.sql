-- dialect: hive

CREATE TABLE orders (order_id INT, customer_id INT, total DECIMAL(10,2), placed_at
    TIMESTAMP, status STRING, tags ARRAY<STRING>, attrs MAP<STRING,STRING>, buyer
    STRUCT<name:STRING, addr:STRUCT<city:STRING>>);
CREATE TABLE customers (customer_id INT, full_name STRING, city STRING);
CREATE EXTERNAL TABLE `depot.shipments`(
  `parcel` string,
  `weight.kg` double)
STORED AS ORC;

-- Right, one to a paragraph:

SELECT order_id, tag FROM orders LATERAL VIEW OUTER explode(tags) t AS tag WHERE
    INPUT__FILE__NAME LIKE '%x'

INSERT OVERWRITE TABLE customers PARTITION (ds='x') SELECT customer_id, status, status FROM
    orders

SELECT parcel FROM depot.shipments

SELECT s.`weight.kg` FROM `depot`.`shipments` AS s

SELECT parcel FROM shipments

SELECT parcel FROM `depot.shipments`

-- Wrong, in the names behind the arrow:

SELECT colour FROM depot.shipments
-- -> colour
