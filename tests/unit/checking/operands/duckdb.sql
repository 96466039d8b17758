-- dialect: duckdb

CREATE TABLE orders (id INTEGER, code VARCHAR, paid BOOLEAN, total DECIMAL(10,2), score DOUBLE,
    day DATE, placed_at TIMESTAMP, ref UUID, tags VARCHAR[]);

-- Taken:

SELECT SUM(paid), AVG(score), ROUND(score, 2), MAX(paid), LENGTH(tags) FROM orders GROUP BY tags, score

SELECT id FROM orders WHERE id AND paid = 1 AND CAST(day AS VARCHAR) LIKE '2024-%'

SELECT day + 1, day - DATE '2024-01-01', placed_at + INTERVAL 7 DAY FROM orders WHERE 1 = 0 OR id % 2 = 0

SELECT YEAR(day), EXTRACT(MONTH FROM placed_at), DATE_TRUNC('month', day), EXTRACT(DAY FROM placed_at - placed_at) FROM orders

-- Refused, with the first fix:

SELECT id FROM orders WHERE day LIKE '2024-%'
-- -> SELECT id FROM orders WHERE CAST(day AS VARCHAR) LIKE '2024-%'

SELECT id FROM orders WHERE placed_at ILIKE '2024%'
-- -> SELECT id FROM orders WHERE CAST(placed_at AS VARCHAR) ILIKE '2024%'

SELECT LOWER(id) FROM orders
-- -> SELECT LOWER(CAST(id AS VARCHAR)) FROM orders

SELECT SUBSTR(day, 1, 4) FROM orders
-- -> SELECT SUBSTR(CAST(day AS VARCHAR), 1, 4) FROM orders

SELECT SUM(code) FROM orders
-- -> SELECT SUM(CAST(code AS DOUBLE)) FROM orders

SELECT YEAR(code) FROM orders
-- -> SELECT YEAR(CAST(code AS DATE)) FROM orders

SELECT DATE_TRUNC('month', code) FROM orders
-- -> SELECT DATE_TRUNC('month', CAST(code AS DATE)) FROM orders

SELECT placed_at + 7 FROM orders
-- -> SELECT placed_at + INTERVAL 7 DAY FROM orders

SELECT 7 - placed_at FROM orders

SELECT paid + 1 FROM orders

SELECT code * 2 FROM orders
-- -> SELECT CAST(code AS DOUBLE) * 2 FROM orders
