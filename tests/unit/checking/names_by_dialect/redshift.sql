-- dialect: redshift

CREATE TABLE customers (customer_id int PRIMARY KEY, full_name varchar(50), city
    varchar(50));
CREATE TABLE orders (order_id int PRIMARY KEY, customer_id int, total decimal(10,2),
    placed_at timestamp, status varchar(10));
CREATE TABLE order_items (item_id int PRIMARY KEY, order_id int, sku varchar(10), qty int);
CREATE TABLE employees (id int, manager_id int, name varchar(50), hired date);

-- Right, one to a paragraph:

SELECT total * 2 AS t2, t2 + 1 FROM orders

SELECT query, userid FROM stl_query

UNLOAD ('SELECT total FROM orders') TO 's3://b'

-- Wrong, in the names behind the arrow:

SELECT total * 2 AS t2 FROM orders WHERE t2 > 1
-- -> t2
