-- dialect: trino

CREATE TABLE orders (id integer, code varchar, paid boolean, total decimal(10,2), score double,
    day date, placed_at timestamp, shipped_at timestamp with time zone, tags array(varchar));

-- Taken:

SELECT id FROM orders WHERE day >= DATE '2024-01-01' AND placed_at > day AND placed_at < TIMESTAMP '2024-01-01 10:00:00' AND shipped_at > current_date

SELECT ROUND(score, 2), COUNT_IF(paid), SUM(IF(paid, 1, 0)), day + INTERVAL '1' DAY, date_trunc('month', day), year(placed_at), MAX(paid) FROM orders GROUP BY score, day, placed_at

SELECT COALESCE(total, 0), COALESCE(code, 'none'), CASE WHEN paid THEN 'yes' ELSE code END FROM orders WHERE code = '5' AND paid AND id IN (1, 2)

SELECT id FROM orders WHERE CAST(day AS VARCHAR) LIKE '2024-%' AND contains(tags, 'vip') AND date_diff('day', day, current_date) > 7

-- Refused, with the first fix:

SELECT id FROM orders WHERE day >= '2024-01-01'
-- -> SELECT id FROM orders WHERE day >= DATE '2024-01-01'

SELECT id FROM orders WHERE placed_at BETWEEN '2024-01-01' AND '2024-01-31 23:59:59'
-- -> SELECT id FROM orders WHERE placed_at BETWEEN DATE '2024-01-01' AND TIMESTAMP '2024-01-31 23:59:59'

SELECT id FROM orders WHERE id = '5'
-- -> SELECT id FROM orders WHERE id = 5

SELECT id FROM orders WHERE code = 5
-- -> SELECT id FROM orders WHERE code = '5'

SELECT id FROM orders WHERE paid = 1
-- -> SELECT id FROM orders WHERE paid = TRUE

SELECT id FROM orders WHERE day LIKE '2024-%'
-- -> SELECT id FROM orders WHERE CAST(day AS VARCHAR) LIKE '2024-%'

SELECT SUM(paid) FROM orders
-- -> SELECT SUM(CAST(paid AS INT)) FROM orders

SELECT SUM(code) FROM orders
-- -> SELECT SUM(CAST(code AS DOUBLE)) FROM orders

SELECT COALESCE(total, 'none') FROM orders
-- -> SELECT COALESCE(CAST(total AS VARCHAR), 'none') FROM orders

SELECT placed_at - 7 FROM orders
-- -> SELECT placed_at - INTERVAL '7' DAY FROM orders

SELECT current_date - 7 FROM orders
-- -> SELECT current_date - INTERVAL '7' DAY FROM orders

SELECT substr(day, 1, 4) FROM orders
-- -> SELECT substr(CAST(day AS VARCHAR), 1, 4) FROM orders

SELECT year(code) FROM orders
-- -> SELECT year(CAST(code AS DATE)) FROM orders
