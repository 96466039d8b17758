-- dialect: sqlite

CREATE TABLE customers (customer_id int PRIMARY KEY, full_name varchar(50), city
    varchar(50));
CREATE TABLE orders (order_id int PRIMARY KEY, customer_id int, total decimal(10,2),
    placed_at timestamp, status varchar(10));
CREATE TABLE order_items (item_id int PRIMARY KEY, order_id int, sku varchar(10), qty int);
CREATE TABLE employees (id int, manager_id int, name varchar(50), hired date);
CREATE TABLE notes ("order" int, "index" int, key int);

-- Right, one to a paragraph:

SELECT o.order_id, j.value, j.key FROM orders o, json_each(o.status) j WHERE j.type = 'text'

SELECT name, sql FROM sqlite_master WHERE type = 'table'

SELECT p.name, p.pk FROM pragma_table_info('orders') p

SELECT value FROM generate_series(1, 10)

UPDATE orders SET total = i.qty FROM order_items AS i WHERE i.order_id = orders.order_id

INSERT OR REPLACE INTO customers (customer_id, city) VALUES (1, 'x')

CREATE TRIGGER t AFTER UPDATE OF total ON orders WHEN NEW.total > OLD.total BEGIN INSERT
    INTO order_items (order_id, qty) VALUES (NEW.order_id, NEW.total); SELECT RAISE(ABORT,
    'x') WHERE NEW.total < 0; DELETE FROM customers WHERE customer_id = OLD.customer_id; END

SELECT "order_id", "no such thing" FROM orders WHERE status = "open"

SELECT rowid, oid, _rowid_, o.rowid FROM orders o

WITH RECURSIVE cnt(x) AS (VALUES(1) UNION ALL SELECT x+1 FROM cnt WHERE x < 10) SELECT x
    FROM cnt

SELECT customer_id, group_concat(sku, ',') AS skus FROM orders NATURAL JOIN order_items
    GROUP BY customer_id HAVING skus LIKE '%a%'

EXPLAIN QUERY PLAN SELECT total FROM orders

SELECT "order", key FROM notes ORDER BY "index"

SELECT order_id FROM orders WHERE customer_id IN customers

CREATE TRIGGER t AFTER UPDATE ON orders WHEN NEW.total > OLD.total BEGIN SELECT 1; END

WITH ids AS (SELECT 1) SELECT order_id FROM orders WHERE customer_id IN ids

-- Wrong, in the names behind the arrow:

SELECT j.vlue FROM orders o, json_each(o.status) j
-- -> vlue

CREATE TRIGGER t AFTER INSERT ON orders BEGIN UPDATE customers SET city = NEW.totl WHERE
    customer_id = NEW.customer_id; END
-- -> totl

SELECT orders FROM orders
-- -> orders

UPDATE orders SET total = i.qtty FROM order_items AS i WHERE i.order_id = orders.order_id
-- -> qtty

SELECT index FROM notes
-- -> index

SELECT order_id FROM orders WHERE customer_id IN custmers
-- -> custmers

CREATE TRIGGER t AFTER UPDATE ON orders WHEN NEW.totl > 1 BEGIN SELECT 1; END
-- -> totl
