-- dialect: databricks

CREATE TABLE orders (order_id INT, customer_id INT, total DECIMAL(10,2), placed_at
    TIMESTAMP, status STRING, tags ARRAY<STRING>, attrs MAP<STRING,STRING>, buyer
    STRUCT<name: STRING, addr: STRUCT<city: STRING>>);
CREATE TABLE customers (customer_id INT, full_name STRING, city STRING);

-- Right, one to a paragraph:

SELECT * EXCEPT (total), total AS t, t + 1 AS u FROM orders

MERGE INTO orders t USING customers s ON t.customer_id = s.customer_id WHEN MATCHED THEN
    UPDATE SET * WHEN NOT MATCHED THEN INSERT *

-- Wrong, in the names behind the arrow:

MERGE INTO orders t USING customers s ON t.customer_id = s.custmer_id WHEN MATCHED THEN
    UPDATE SET *
-- -> custmer_id
