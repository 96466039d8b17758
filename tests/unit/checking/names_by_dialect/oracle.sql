-- dialect: oracle

CREATE TABLE customers (customer_id NUMBER PRIMARY KEY, full_name VARCHAR2(50), city
    VARCHAR2(50));
CREATE TABLE orders (order_id NUMBER PRIMARY KEY, customer_id NUMBER, total NUMBER(10,2),
    placed_at TIMESTAMP, status VARCHAR2(10), doc CLOB);
CREATE TABLE employees (id NUMBER, manager_id NUMBER, name VARCHAR2(50), hired DATE);

-- Right, one to a paragraph:

SELECT LEVEL, ROWNUM, ROWID, CONNECT_BY_ROOT name, SYS_CONNECT_BY_PATH(name, '/') FROM
    employees START WITH manager_id IS NULL CONNECT BY NOCYCLE PRIOR id = manager_id ORDER
    SIBLINGS BY name

SELECT o.order_id, c.city FROM orders o, customers c WHERE o.customer_id = c.customer_id(+)

SELECT sysdate, systimestamp, user FROM dual

SELECT t.column_value FROM TABLE(sys.odcivarchar2list('a','b')) t

SELECT jt.sku FROM orders o, JSON_TABLE(o.doc, '$[*]' COLUMNS (sku VARCHAR2(10) PATH '$.sku'))
    jt

SELECT table_name FROM all_tables WHERE owner = USER

MERGE INTO orders o USING (SELECT customer_id AS cid, city FROM customers) s ON
    (o.customer_id = s.cid) WHEN MATCHED THEN UPDATE SET o.status = s.city DELETE WHERE
    o.total = 0 WHEN NOT MATCHED THEN INSERT (o.order_id, o.status) VALUES (1, s.city)

CREATE OR REPLACE PROCEDURE p (p_city IN VARCHAR2) IS v_n NUMBER; CURSOR c IS SELECT
    customer_id cid FROM customers WHERE city = p_city; BEGIN FOR r IN c LOOP SELECT
    COUNT(*) INTO v_n FROM orders WHERE customer_id = r.cid; UPDATE orders SET total = v_n
    WHERE customer_id = r.cid; END LOOP; FOR q IN (SELECT order_id FROM orders) LOOP DELETE
    FROM orders WHERE order_id = q.order_id; END LOOP; END

CREATE OR REPLACE TRIGGER t BEFORE INSERT ON orders FOR EACH ROW BEGIN SELECT
    seq_orders.NEXTVAL INTO :new.order_id FROM dual; UPDATE customers SET city = :new.status
    WHERE customer_id = :NEW.customer_id; END

SELECT * FROM (SELECT customer_id, status, total FROM orders) PIVOT (SUM(total) AS s FOR
    status IN ('a' AS a, 'b' AS b)) WHERE a_s > 1

INSERT ALL INTO customers (customer_id) VALUES (id) INTO orders (order_id, customer_id)
    VALUES (id, manager_id) SELECT id, manager_id FROM employees

SELECT "CUSTOMER_ID", Full_Name FROM "CUSTOMERS"

SELECT seq.NEXTVAL, seq.CURRVAL FROM dual

SELECT VALUE(e), REF(e), DEREF(VALUE(e)) FROM employees e

CREATE OR REPLACE TRIGGER t BEFORE INSERT ON orders FOR EACH ROW WHEN (NEW.total > 0) BEGIN
    :NEW.status := UPPER(:NEW.status); END;

SELECT MAX(total) KEEP (DENSE_RANK LAST ORDER BY placed_at) FROM orders GROUP BY customer_id

LOCK TABLE orders IN EXCLUSIVE MODE

COMMENT ON COLUMN orders.total IS 'net'

-- Wrong, in the names behind the arrow:

SELECT nme FROM employees START WITH manager_id IS NULL CONNECT BY PRIOR idd = manager_id
-- -> nme idd

CREATE OR REPLACE PROCEDURE p (p_city IN VARCHAR2) IS v_n NUMBER; BEGIN SELECT COUNT(*) INTO
    v_n FROM ordrs WHERE city = p_city; UPDATE orders SET totl = v_n; END
-- -> ordrs totl

INSERT ALL INTO customers (customer_idd) VALUES (id) INTO orders (order_id) VALUES (idd)
    SELECT id FROM employees
-- -> customer_idd idd

MERGE INTO orders o USING customers s ON (o.customer_id = s.customer_id) WHEN MATCHED THEN
    UPDATE SET o.stat = s.city DELETE WHERE o.total = 0
-- -> stat

SELECT "customer_id" FROM customers
-- -> "customer_id"

CREATE OR REPLACE TRIGGER t BEFORE INSERT ON orders FOR EACH ROW BEGIN :NEW.totl := 1; END;
-- -> totl

LOCK TABLE ordrs IN EXCLUSIVE MODE
-- -> ordrs
