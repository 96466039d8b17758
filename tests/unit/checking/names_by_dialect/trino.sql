-- dialect: trino

CREATE TABLE customers (customer_id int PRIMARY KEY, full_name varchar(50), city
    varchar(50));
CREATE TABLE orders (order_id int PRIMARY KEY, customer_id int, total decimal(10,2),
    placed_at timestamp, status varchar(10), tags array(varchar));
CREATE TABLE order_items (item_id int PRIMARY KEY, order_id int, sku varchar(10), qty int);
CREATE TABLE employees (id int, manager_id int, name varchar(50), hired date);

-- Right, one to a paragraph:

SELECT o.order_id, t.tag, t.n FROM orders o CROSS JOIN UNNEST(o.tags) WITH ORDINALITY AS t
    (tag, n)

SELECT transform(tags, x -> upper(x)), reduce(tags, 0, (s, x) -> s + 1, s -> s), try(total /
    0) FROM orders

SELECT "$path", total FROM hive.x.orders

-- Wrong, in the names behind the arrow:

SELECT t.tg FROM orders o CROSS JOIN UNNEST(o.tags) AS t (tag)
-- -> tg

SELECT customer_id AS c FROM orders GROUP BY c
-- -> c
