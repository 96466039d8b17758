-- dialect: mysql

CREATE TABLE customers (customer_id int PRIMARY KEY, full_name varchar(50), city
    varchar(50));
CREATE TABLE orders (order_id int PRIMARY KEY, customer_id int, total decimal(10,2),
    placed_at timestamp, status varchar(10), doc json);
CREATE TABLE order_items (item_id int PRIMARY KEY, order_id int, sku varchar(10), qty int);
CREATE TABLE employees (id int, manager_id int, name varchar(50), hired date);
CREATE TABLE notes (`order` int, `desc` text, `rank` int, date date);

-- Right, one to a paragraph:

SELECT o.order_id, jt.sku FROM orders o, JSON_TABLE(o.doc, '$[*]' COLUMNS (sku VARCHAR(10)
    PATH '$.sku', NESTED PATH '$.x[*]' COLUMNS (y INT PATH '$.y'))) AS jt WHERE jt.y > 1 AND
    sku = 'a'

SELECT city, COUNT(*) AS n FROM customers GROUP BY city WITH ROLLUP HAVING n > 1

DELETE o, i FROM orders o JOIN order_items i ON i.order_id = o.order_id WHERE o.status = 'x'

DELETE FROM o USING orders AS o INNER JOIN customers c ON c.customer_id = o.customer_id
    WHERE c.city = 'x'

UPDATE orders o, customers c SET o.status = c.city, c.city = 'y' WHERE o.customer_id =
    c.customer_id

INSERT INTO customers (customer_id, city) VALUES (1, 'x') ON DUPLICATE KEY UPDATE city =
    VALUES(city)

INSERT INTO customers (customer_id, city) VALUES (1, 'x') AS new ON DUPLICATE KEY UPDATE
    city = new.city

INSERT INTO customers (customer_id, city) SELECT o.customer_id, o.status FROM orders o ON
    DUPLICATE KEY UPDATE city = o.status

REPLACE INTO customers (customer_id, city) VALUES (1, 'x')

INSERT INTO customers SET customer_id = 1, city = 'x'

SELECT @n := @n + 1 AS n, o.total FROM orders o, (SELECT @n := 0) init

SELECT doc->>'$.a', doc->'$.b' FROM orders

SELECT total AS t FROM orders ORDER BY t + 1

SELECT STRAIGHT_JOIN o.total FROM orders o FORCE INDEX (PRIMARY) JOIN customers c ON
    c.customer_id = o.customer_id

CREATE TRIGGER trg BEFORE INSERT ON orders FOR EACH ROW BEGIN DECLARE v INT DEFAULT 0;
    SELECT COUNT(*) INTO v FROM customers WHERE customer_id = NEW.customer_id; SET
    NEW.status = 'x'; UPDATE customers SET city = NEW.status WHERE customer_id =
    NEW.customer_id; END

CREATE PROCEDURE p(IN p_city VARCHAR(50), OUT p_n INT) BEGIN DECLARE done INT DEFAULT FALSE;
    DECLARE cur CURSOR FOR SELECT customer_id FROM customers WHERE city = p_city; CREATE
    TEMPORARY TABLE tmp_x (a INT); INSERT INTO tmp_x (a) SELECT customer_id FROM customers;
    SELECT COUNT(*) FROM tmp_x INTO p_n; SELECT a FROM tmp_x; END

SELECT TABLE_NAME FROM information_schema.TABLES WHERE TABLE_SCHEMA = DATABASE()

SELECT User, Host FROM mysql.user

SELECT v.column_0, v.column_1 FROM (VALUES ROW(1, 2), ROW(3, 4)) AS v

SELECT `order`, n.order, rank, date FROM notes n ORDER BY n.rank DESC

INSERT INTO notes (`order`, date) VALUES (1, '2024-01-01') ON DUPLICATE KEY UPDATE date =
    VALUES(date), `desc` = notes.`desc`

CREATE TRIGGER t BEFORE INSERT ON orders FOR EACH ROW SET NEW.total = NEW.total + 1, NEW.status =
    UPPER(NEW.status)

SELECT next_not_cached_value, cycle_count FROM numbers

SELECT seq FROM seq_1_to_10_step_2

SELECT row_start, row_end FROM orders FOR SYSTEM_TIME ALL

DESCRIBE order_things

ANALYZE TABLE orders

-- Wrong, in the names behind the arrow:

DELETE x FROM orders o JOIN order_items i ON i.order_id = o.order_id
-- -> x

UPDATE orders o, customers c SET o.stat = c.city WHERE o.customer_id = c.customer_id
-- -> stat

REPLACE INTO customers (customer_id, citty) VALUES (1, 'x')
-- -> citty

INSERT INTO customers SET customer_id = 1, citty = 'x'
-- -> citty

SELECT jt.skuu FROM orders o, JSON_TABLE(o.doc, '$[*]' COLUMNS (sku VARCHAR(10) PATH '$.sku'))
    AS jt
-- -> skuu

CREATE TRIGGER trg BEFORE INSERT ON orders FOR EACH ROW BEGIN UPDATE customers SET city =
    NEW.statuss WHERE customer_id = NEW.customer_id; END
-- -> statuss

CREATE PROCEDURE p(IN p_city VARCHAR(50)) BEGIN SELECT customer_idd FROM customers WHERE
    city = p_city; END
-- -> customer_idd

SELECT total * 2 AS t FROM orders WHERE t > 1
-- -> t

SELECT v.column_2 FROM (VALUES ROW(1, 2), ROW(3, 4)) AS v
-- -> column_2

SELECT desc FROM notes
-- -> desc

INSERT INTO orders (order_id, total) VALUES (1, 2) ON DUPLICATE KEY UPDATE total =
    VALUES(totl), status = statis
-- -> totl statis

CREATE TRIGGER t BEFORE INSERT ON orders FOR EACH ROW SET NEW.totl = 1
-- -> totl

SELECT total FROM orders o FOR UPDATE OF orders
-- -> orders

DESCRIBE ordrs
-- -> ordrs

LOCK TABLES ordrs WRITE
-- -> ordrs
