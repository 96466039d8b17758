-- dialect: snowflake

create table customers (customer_id number, full_name varchar, city varchar);
create table orders (order_id number, customer_id number, total number(10,2), placed_at
    timestamp_ntz, status varchar, tags array, payload variant);
create table "Mixed" ("Id" number, plain varchar);
create table months (empid number, jan number, feb number);

-- Right, one to a paragraph:

SELECT o.order_id, f.value::string, f.index, payload:ship.city::string AS c FROM orders o,
    LATERAL FLATTEN(input => o.tags) f WHERE c = 'x'

SELECT f.key, f.path, f.this FROM orders, TABLE(FLATTEN(payload, outer => true)) f

SELECT order_id, total, ROW_NUMBER() OVER (PARTITION BY customer_id ORDER BY placed_at) AS
    rn FROM orders QUALIFY rn = 1

SELECT * EXCLUDE (total) RENAME (status AS st) FROM orders

SELECT * FROM months UNPIVOT (sales FOR mon IN (jan, feb)) ORDER BY empid

SELECT * FROM (SELECT customer_id, status, total FROM orders) PIVOT (SUM(total) FOR status
    IN (ANY ORDER BY status)) AS p

SELECT $1, $2:a::int, t.$3, METADATA$FILENAME FROM @my_stage/path (FILE_FORMAT => 'f') t

SELECT "Id", PLAIN, Plain FROM "Mixed"

SELECT query_id FROM SNOWFLAKE.ACCOUNT_USAGE.QUERY_HISTORY

SELECT table_name FROM information_schema.tables

SELECT seq4(), uniform(1, 10, random()) FROM TABLE(GENERATOR(ROWCOUNT => 10))

SELECT total FROM orders AT(TIMESTAMP => '2024-01-01'::timestamp)

SELECT * FROM TABLE(RESULT_SCAN(LAST_QUERY_ID())) WHERE "status" = 'x'

COPY INTO @s FROM (SELECT order_id, total FROM orders)

MERGE INTO orders t USING customers s ON t.customer_id = s.customer_id WHEN MATCHED THEN
    UPDATE SET t.status = s.city WHEN NOT MATCHED THEN INSERT (order_id, status) VALUES (1,
    s.city)

SELECT customer_id, total AS amount, amount * 2 AS twice FROM orders WHERE amount > 5 GROUP
    BY ALL

CREATE OR REPLACE PROCEDURE p(CITY VARCHAR) RETURNS INT LANGUAGE SQL AS $$ DECLARE n INT; c1
    CURSOR FOR SELECT customer_id FROM customers; BEGIN SELECT COUNT(*) INTO :n FROM
    customers WHERE city = :CITY; FOR r IN c1 DO UPDATE orders SET total = r.customer_id;
    END FOR; RETURN n; END $$

CREATE OR REPLACE TASK t WAREHOUSE = w SCHEDULE = '1 minute' AS INSERT INTO customers
    (customer_id, city) SELECT order_id, status FROM orders

SELECT a.total FROM orders a ASOF JOIN orders b MATCH_CONDITION (a.placed_at >= b.placed_at)
    ON a.customer_id = b.customer_id

SELECT * FROM orders MATCH_RECOGNIZE (PARTITION BY customer_id ORDER BY placed_at MEASURES
    FIRST(total) AS ft ONE ROW PER MATCH PATTERN (A B+) DEFINE B AS total > LAG(total))
    WHERE ft > 1

SELECT t.* FROM (VALUES (1, 'a')) t WHERE column1 = 1

SELECT status, total FROM orders ORDER BY ALL

SELECT empid, p.a FROM (SELECT empid, jan, feb FROM months) PIVOT (SUM(feb) FOR jan IN (1)) AS p
    (empid, a) ORDER BY empid

SELECT empid, a FROM months PIVOT (SUM(feb) FOR jan IN (1)) AS p (empid, a) ORDER BY empid

SELECT o_orderkey FROM SNOWFLAKE_SAMPLE_DATA.TPCH_SF1.ORDERS

SELECT order_numbers.NEXTVAL, order_numbers.CURRVAL

SELECT numbers.NEXTVAL, s.nextval FROM orders, TABLE(GETNEXTVAL(numbers)) s

SELECT u.k, v, empid FROM months UNPIVOT (v FOR k IN (jan AS j, feb)) u

-- Wrong, in the names behind the arrow:

SELECT f.vlue FROM orders o, LATERAL FLATTEN(input => o.tags) f
-- -> vlue

SELECT totl FROM orders o, LATERAL FLATTEN(input => o.tags) f
-- -> totl

SELECT Id FROM "Mixed"
-- -> Id

SELECT * EXCLUDE (totl) FROM orders
-- -> totl

SELECT x.total FROM (SELECT * EXCLUDE (total) FROM orders) x
-- -> total

SELECT x.status FROM (SELECT * RENAME (status AS st) FROM orders) x
-- -> status

SELECT order_id FROM orders QUALIFY ROW_NUMBER() OVER (ORDER BY placed) = 1
-- -> placed

SELECT * FROM months UNPIVOT (sales FOR mon IN (jan, mar))
-- -> mar

SELECT u.jan FROM months UNPIVOT (v FOR k IN (jan, feb)) u
-- -> jan
