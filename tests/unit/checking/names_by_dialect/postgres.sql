-- dialect: postgres

CREATE TABLE customers (customer_id int PRIMARY KEY, full_name text, city text);
CREATE TABLE orders (order_id int PRIMARY KEY, customer_id int, total numeric, placed_at
    timestamp, status text, tags text[], payload jsonb);
CREATE TABLE order_items (item_id int PRIMARY KEY, order_id int, sku text, qty int);
CREATE TABLE employees (id int, manager_id int, name text, hired date);
CREATE TABLE "Audit" ("When" timestamp, "user" text, "order" int);
CREATE TYPE address AS (street text, town text);
CREATE TABLE places (id int, home address);

-- Right, one to a paragraph:

SELECT o.order_id, t.tag, t.n FROM orders o CROSS JOIN LATERAL unnest(o.tags) WITH
    ORDINALITY AS t(tag, n)

SELECT o.order_id, e.key, e.value FROM orders o, jsonb_each(o.payload) e

SELECT o.order_id, el->>'sku' FROM orders o, jsonb_array_elements(o.payload->'items') AS el

SELECT o.order_id, x.value->>'sku' FROM orders o, jsonb_array_elements(o.payload->'items')
    AS x

SELECT d.day, count(o.order_id) FROM generate_series('2024-01-01'::date, '2024-01-31',
    '1 day') AS d(day) LEFT JOIN orders o ON o.placed_at::date = d.day GROUP BY d.day

SELECT (home).town, (p.home).street FROM places p

SELECT "When", "user", "order" FROM "Audit" WHERE "order" > 5

UPDATE places SET home.town = 'x' WHERE id = 1

SELECT customer_id, sum(total) AS s FROM orders GROUP BY customer_id HAVING sum(total) > 5
    ORDER BY s DESC NULLS LAST FETCH FIRST 5 ROWS ONLY

SELECT date_trunc('month', placed_at) AS m, count(*) FILTER (WHERE status = 'x') FROM orders
    GROUP BY m ORDER BY m

WITH moved AS (DELETE FROM orders WHERE total = 0 RETURNING order_id, customer_id) INSERT
    INTO order_items (order_id, qty) SELECT m.order_id, 1 FROM moved m

WITH a AS MATERIALIZED (SELECT * FROM orders), b AS NOT MATERIALIZED (SELECT order_id FROM
    a) SELECT a.total FROM a JOIN b USING (order_id)

INSERT INTO customers AS c (customer_id, city) VALUES (1, 'x') ON CONFLICT (customer_id) DO
    UPDATE SET city = excluded.city || c.city WHERE c.city <> excluded.city RETURNING
    c.customer_id, full_name

UPDATE orders SET (total, status) = (SELECT sum(qty), 'x' FROM order_items i WHERE
    i.order_id = orders.order_id)

DELETE FROM orders o USING customers c WHERE o.customer_id = c.customer_id AND c.city = 'x'
    RETURNING o.order_id, c.full_name

MERGE INTO orders o USING (SELECT order_id, sum(qty) AS q FROM order_items GROUP BY
    order_id) s ON o.order_id = s.order_id WHEN MATCHED AND s.q > 5 THEN UPDATE SET total =
    s.q WHEN NOT MATCHED THEN INSERT (order_id, total) VALUES (s.order_id, s.q)

SELECT a.name, b.name AS boss FROM employees a LEFT JOIN employees b ON a.manager_id = b.id
    ORDER BY boss

TABLE orders

SELECT o FROM orders o WHERE o IS NOT NULL

SELECT c.relname, a.attname FROM pg_catalog.pg_class c JOIN pg_attribute a ON a.attrelid =
    c.oid WHERE c.relkind = 'r'

SELECT column_name FROM information_schema.columns WHERE table_name = 'orders'

SELECT o.order_id, r.* FROM orders o LEFT JOIN LATERAL (SELECT i.sku, i.qty FROM order_items
    i WHERE i.order_id = o.order_id ORDER BY qty DESC LIMIT 1) r ON true

SELECT x, y FROM (VALUES (1,'a'),(2,'b')) AS v(x, y) WHERE x > 1

SELECT column1, column2 FROM (VALUES (1,'a')) v

SELECT * FROM crosstab('select 1', 'select 2') AS ct(row_name text, a int, b int) WHERE a >
    1

SELECT city, status, count(*) FROM orders JOIN customers USING (customer_id) GROUP BY
    GROUPING SETS ((city), (status), ()) HAVING grouping(city) = 0

SELECT rank() OVER w, sum(total) OVER (w ROWS UNBOUNDED PRECEDING) FROM orders WINDOW w AS
    (PARTITION BY customer_id ORDER BY placed_at)

SELECT extract(epoch FROM placed_at), position('a' IN status), substring(status FROM 1 FOR
    2), overlay(status PLACING 'x' FROM 1) FROM orders

EXPLAIN (ANALYZE, BUFFERS) SELECT total FROM orders

COPY (SELECT order_id, total FROM orders WHERE status = 'x') TO STDOUT WITH CSV HEADER

DECLARE c CURSOR FOR SELECT order_id FROM orders

CREATE MATERIALIZED VIEW mv AS SELECT order_id, total FROM orders WITH NO DATA

CREATE FUNCTION f(p_id int, OUT res numeric) AS $$ SELECT sum(total) FROM orders WHERE
    customer_id = p_id $$ LANGUAGE sql

CREATE FUNCTION g(p int) RETURNS SETOF orders AS $body$ DECLARE r record; v_total numeric;
    BEGIN FOR r IN SELECT o.order_id, o.total AS t FROM orders o WHERE o.customer_id = p
    LOOP v_total := r.t; UPDATE orders SET total = r.t + v_total WHERE order_id =
    r.order_id; SELECT count(*), max(total) INTO STRICT v_total, r FROM orders WHERE
    customer_id = p; END LOOP; RETURN QUERY SELECT * FROM orders WHERE customer_id = p;
    PERFORM 1 FROM customers WHERE customer_id = p; END $body$ LANGUAGE plpgsql

CREATE FUNCTION trg() RETURNS trigger AS $$ BEGIN INSERT INTO order_items (order_id, sku)
    SELECT NEW.order_id, n.status FROM newtab n; IF TG_OP = 'UPDATE' THEN UPDATE orders SET
    total = OLD.total WHERE order_id = NEW.order_id; END IF; RETURN NEW; END $$ LANGUAGE
    plpgsql

DO $$ DECLARE t text; BEGIN FOR t IN SELECT table_name FROM information_schema.tables LOOP
    EXECUTE format('ANALYZE %I', t); END LOOP; END $$

CREATE RULE r AS ON INSERT TO orders DO INSTEAD INSERT INTO order_items (order_id) VALUES
    (NEW.order_id)

PREPARE p (int) AS SELECT total FROM orders WHERE order_id = $1

SELECT total, tableoid::regclass, ctid FROM ONLY orders TABLESAMPLE SYSTEM (10)

SELECT j.sku FROM orders o, JSON_TABLE(o.payload, '$[*]' COLUMNS (sku text PATH '$.sku', n
    int PATH '$.n')) j

SELECT id, name FROM employees e WHERE hired > ALL (SELECT hired FROM employees WHERE
    manager_id = e.id)

WITH RECURSIVE t(id, path) AS (SELECT id, ARRAY[id] FROM employees WHERE manager_id IS NULL
    UNION ALL SELECT e.id, path || e.id FROM employees e, t WHERE e.manager_id = t.id) CYCLE
    id SET is_cycle USING cyc SELECT id, path, is_cycle FROM t

SELECT x.age, age FROM orders o CROSS JOIN LATERAL jsonb_to_record(o.payload) AS x(age int)

SELECT "order", a.order, a.user FROM "Audit" a ORDER BY a.order DESC

SELECT name, user FROM employees WHERE name = user

INSERT INTO "Audit" ("order", "user") VALUES (DEFAULT, user)

SELECT @ -5, @(total - 1), 5 - @ total, @-total FROM orders

SELECT o.order_id, j.n FROM orders o, LATERAL ROWS FROM (generate_series(1, o.order_id)) AS j(n)

SELECT xmltable.a, xmltable.* FROM xmltable('/r' PASSING '<r/>' COLUMNS a int PATH 'a')

SELECT jsonb_each.key FROM orders, jsonb_each(payload)

SELECT rank() OVER w, sum(total) OVER (w ROWS UNBOUNDED PRECEDING), max(total) OVER w2 FROM orders
    WINDOW w AS (PARTITION BY customer_id), w2 AS (w ORDER BY total) ORDER BY avg(total) OVER w

SELECT order_id AS id FROM orders UNION SELECT item_id FROM order_items ORDER BY id

SELECT o.total FROM orders o JOIN customers c USING (customer_id) FOR UPDATE OF o, c SKIP LOCKED

SELECT x FROM other_database.public.things

TRUNCATE orders, order_items CASCADE

TRUNCATE things_of_others

TRUNCATE order_things

CREATE INDEX ON employee_days (hired, manager_id)

CREATE INDEX orders_by ON orders USING btree (customer_id, lower(status) DESC) WHERE total > 1

COPY orders (order_id, total) FROM STDIN

COMMENT ON COLUMN public.orders.total IS 'net'

COMMENT ON COLUMN orders.things_of_others IS 'gone by now'

CREATE TRIGGER t BEFORE UPDATE ON orders FOR EACH ROW WHEN (NEW.total > OLD.total) EXECUTE
    FUNCTION note_it()

VACUUM (VERBOSE) orders

ANALYZE orders (total, placed_at)

-- Wrong, in the names behind the arrow:

SELECT o.order_id, t.tga FROM orders o CROSS JOIN LATERAL unnest(o.tags) WITH ORDINALITY AS
    t(tag, n)
-- -> tga

SELECT o.order_id, e.vale FROM orders o, jsonb_each(o.payload) e
-- -> vale

SELECT o.order_id FROM orders o, jsonb_each(o.payload) e WHERE totl > 1
-- -> totl

SELECT d.dya FROM generate_series(1, 2) AS d(day)
-- -> dya

SELECT "when" FROM "Audit"
-- -> "when"

SELECT count(*) AS n FROM orders GROUP BY customer_id ORDER BY n + 1
-- -> n

SELECT date_trunc('month', placed_at) AS m FROM orders WHERE m > '2024-01-01'
-- -> m

SELECT sum(total) AS s FROM orders GROUP BY customer_id HAVING s > 5
-- -> s

WITH moved AS (DELETE FROM orders RETURNING order_id) SELECT total FROM moved
-- -> total

INSERT INTO customers (customer_id, citty) VALUES (1, 'x')
-- -> citty

INSERT INTO customers (customer_id) SELECT customer_idd FROM orders
-- -> customer_idd

INSERT INTO customers (customer_id) VALUES (1) ON CONFLICT (customer_idd) DO NOTHING
-- -> customer_idd

INSERT INTO customers (customer_id) VALUES (1) ON CONFLICT (customer_id) DO UPDATE SET cty =
    excluded.city
-- -> cty

INSERT INTO customers (customer_id) VALUES (1) ON CONFLICT (customer_id) DO UPDATE SET city
    = excluded.cty
-- -> cty

INSERT INTO customers (customer_id) VALUES (1) RETURNING cid
-- -> cid

UPDATE orders SET ttal = 1
-- -> ttal

UPDATE orders o SET full_name = c.full_name FROM customers c WHERE c.customer_id =
    o.customer_id
-- -> full_name

UPDATE orders o SET total = c.amount FROM customers c WHERE c.customer_id = o.customer_id
-- -> amount

DELETE FROM orders o USING customers c WHERE o.customer_id = c.cust
-- -> cust

MERGE INTO orders o USING customers s ON o.customer_id = s.customer_id WHEN MATCHED THEN
    UPDATE SET cityy = s.city
-- -> cityy

MERGE INTO orders o USING customers s ON o.customer_id = s.customer_id WHEN NOT MATCHED THEN
    INSERT (order_id, city) VALUES (1, s.city)
-- -> city

EXPLAIN ANALYZE SELECT totl FROM orders
-- -> totl

CREATE VIEW v AS SELECT totl FROM orders
-- -> totl

CREATE TABLE t2 AS (SELECT totl FROM orders) WITH NO DATA
-- -> totl

COPY (SELECT totl FROM orders) TO STDOUT
-- -> totl

DECLARE c CURSOR FOR SELECT totl FROM orders
-- -> totl

CREATE FUNCTION f(p_id int) RETURNS int AS $$ SELECT max(totl) FROM orders WHERE customer_id
    = p_id $$ LANGUAGE sql
-- -> totl

CREATE FUNCTION f(p_id int) RETURNS int AS $$ DECLARE v int; BEGIN SELECT max(totl) INTO v
    FROM orders WHERE customer_id = p_id; UPDATE ordrs SET total = v; END $$ LANGUAGE
    plpgsql
-- -> totl ordrs

CREATE FUNCTION f() RETURNS int AS 'SELECT max(totl) FROM orders WHERE status = ''x'''
    LANGUAGE sql
-- -> totl

DO $$ BEGIN DELETE FROM orders WHERE statuss = 'x'; END $$
-- -> statuss

SELECT order_id FROM orders JOIN customers USING (city)
-- -> city

SELECT o.order_id FROM orders o JOIN order_items i ON i.order_id = c.customer_id JOIN
    customers c ON true
-- -> c

WITH RECURSIVE t AS (SELECT id, manager_id FROM employees UNION ALL SELECT e.id,
    e.manager_id FROM employees e JOIN t ON t.boss = e.manager_id) SELECT id FROM t
-- -> boss

SELECT j.skuu FROM orders o, JSON_TABLE(o.payload, '$[*]' COLUMNS (sku text PATH '$.sku')) j
-- -> skuu

SELECT x FROM (VALUES (1), (2)) AS v(y)
-- -> x

SELECT total FROM orders o WHERE EXISTS (SELECT 1 FROM order_items i WHERE i.order_id =
    o.ordr_id)
-- -> ordr_id

SELECT rank() OVER (PARTITION BY custmer_id) FROM orders
-- -> custmer_id

SELECT x.agee FROM orders o CROSS JOIN LATERAL jsonb_to_record(o.payload) AS x(age int)
-- -> agee

SELECT order FROM "Audit"
-- -> order

SELECT user FROM "Audit"
-- -> user

UPDATE "Audit" SET user = 1, "order" = DEFAULT
-- -> user

INSERT INTO "Audit" (order) VALUES (1)
-- -> order

SELECT @ -5 - totl FROM orders
-- -> totl

SELECT xmltable.b FROM xmltable('/r' PASSING '<r/>' COLUMNS a int PATH 'a')
-- -> b

SELECT rank() OVER ww FROM orders WINDOW w AS (PARTITION BY customer_id)
-- -> ww

SELECT sum(total) OVER (v ORDER BY total) FROM orders
-- -> v

SELECT order_id FROM orders UNION SELECT item_id FROM order_items ORDER BY item_id
-- -> item_id

SELECT o.total FROM orders o JOIN customers c USING (customer_id) FOR UPDATE OF orders
-- -> orders

SELECT (home).twn, (p.home).stret FROM places p
-- -> twn stret

SELECT x FROM other_database.public.ordrs
-- -> ordrs

TRUNCATE TABLE ordrs
-- -> ordrs

CREATE UNIQUE INDEX CONCURRENTLY orders_by ON orders (custmer_id, lower(totl), totl DESC)
-- -> custmer_id totl

COPY orders (order_id, totl) FROM STDIN
-- -> totl

COMMENT ON COLUMN orders.totl IS 'net'
-- -> totl

COMMENT ON TABLE ordrs IS 'all'
-- -> ordrs

CREATE TRIGGER t BEFORE UPDATE ON orders FOR EACH ROW WHEN (NEW.totl > OLD.total) EXECUTE
    FUNCTION note_it()
-- -> totl
