-- dialect: databricks

CREATE TABLE orders (order_id INT, customer_id INT, total DECIMAL(10,2), placed_at
    TIMESTAMP, status STRING, tags ARRAY<STRING>, attrs MAP<STRING,STRING>, buyer
    STRUCT<name: STRING, addr: STRUCT<city: STRING>>);
CREATE TABLE customers (customer_id INT, full_name STRING, city STRING);
CREATE EXTERNAL TABLE `depot.shipments`(
  `parcel` string,
  `weight.kg` double)
STORED AS ORC;

-- Right, one to a paragraph:

SELECT * EXCEPT (total), total AS t, t + 1 AS u FROM orders

MERGE INTO orders t USING customers s ON t.customer_id = s.customer_id WHEN MATCHED THEN
    UPDATE SET * WHEN NOT MATCHED THEN INSERT *

SELECT parcel FROM depot.shipments

SELECT s.`weight.kg` FROM `depot`.`shipments` AS s

SELECT parcel FROM shipments

-- Wrong, in the names behind the arrow:

MERGE INTO orders t USING customers s ON t.customer_id = s.custmer_id WHEN MATCHED THEN
    UPDATE SET *
-- -> custmer_id

SELECT colour FROM depot.shipments
-- -> colour

SELECT parcel FROM `depot.shipments`
-- -> `depot.shipments`
