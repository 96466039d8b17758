-- dialect: bigquery

CREATE TABLE orders (id INT64, code STRING, paid BOOL, total NUMERIC, score FLOAT64, day DATE,
    made_at DATETIME, placed_at TIMESTAMP, opens TIME, tags ARRAY<STRING>, meta JSON);

-- Taken:

SELECT id FROM orders WHERE day >= '2024-01-01' AND placed_at >= '2024-01-01' AND made_at > day AND paid AND NOT paid

SELECT id FROM orders WHERE placed_at >= TIMESTAMP(CURRENT_DATE()) AND placed_at > TIMESTAMP_SUB(CURRENT_TIMESTAMP(), INTERVAL 7 DAY) AND DATE(placed_at) > DATE_SUB(CURRENT_DATE(), INTERVAL 7 DAY)

SELECT ROUND(score, 2), COUNTIF(paid), SUM(IF(paid, 1, 0)), day + 1, DATE_TRUNC(day, MONTH), EXTRACT(YEAR FROM placed_at) FROM orders GROUP BY score, day, placed_at

SELECT COALESCE(total, 0), COALESCE(code, 'none'), CASE WHEN paid THEN 'yes' ELSE code END, COALESCE(day, '2024-01-01') FROM orders

SELECT id FROM orders WHERE code LIKE '1%' AND CAST(id AS STRING) LIKE '1%' AND JSON_VALUE(meta, '$.age') = '30'

-- Refused, with the first fix:

SELECT id FROM orders WHERE placed_at >= CURRENT_DATE()
-- -> SELECT id FROM orders WHERE placed_at >= CAST(CURRENT_DATE() AS TIMESTAMP)

SELECT id FROM orders WHERE placed_at >= DATE_SUB(CURRENT_DATE(), INTERVAL 7 DAY)
-- -> SELECT id FROM orders WHERE placed_at >= CAST(DATE_SUB(CURRENT_DATE(), INTERVAL 7 DAY) AS TIMESTAMP)

SELECT id FROM orders WHERE day = placed_at
-- -> SELECT id FROM orders WHERE CAST(day AS TIMESTAMP) = placed_at

SELECT id FROM orders WHERE made_at > CURRENT_TIMESTAMP()
-- -> SELECT id FROM orders WHERE CAST(made_at AS TIMESTAMP) > CURRENT_TIMESTAMP()

SELECT id FROM orders WHERE id = '5'
-- -> SELECT id FROM orders WHERE id = 5

SELECT id FROM orders WHERE paid = 'true'
-- -> SELECT id FROM orders WHERE paid = TRUE

SELECT id FROM orders WHERE paid = 1
-- -> SELECT id FROM orders WHERE paid = TRUE

SELECT id FROM orders WHERE code IN (1, 2)
-- -> SELECT id FROM orders WHERE code IN ('1', '2')

SELECT id FROM orders WHERE day LIKE '2024-%'
-- -> SELECT id FROM orders WHERE CAST(day AS STRING) LIKE '2024-%'

SELECT SUM(paid) FROM orders
-- -> SELECT SUM(CAST(paid AS INT)) FROM orders

SELECT SUM(code) FROM orders
-- -> SELECT SUM(CAST(code AS NUMERIC)) FROM orders

SELECT COALESCE(total, 'none') FROM orders
-- -> SELECT COALESCE(CAST(total AS STRING), 'none') FROM orders

SELECT CASE WHEN paid THEN id ELSE 'none' END FROM orders
-- -> SELECT CASE WHEN paid THEN CAST(id AS STRING) ELSE 'none' END FROM orders

SELECT EXTRACT(YEAR FROM code) FROM orders
-- -> SELECT EXTRACT(YEAR FROM CAST(code AS DATE)) FROM orders

SELECT SUBSTR(day, 1, 4) FROM orders
-- -> SELECT SUBSTR(CAST(day AS STRING), 1, 4) FROM orders

SELECT id FROM orders WHERE JSON_VALUE(meta, '$.age') > 30
-- -> SELECT id FROM orders WHERE CAST(JSON_VALUE(meta, '$.age') AS NUMERIC) > 30

SELECT id FROM orders WHERE id
-- -> SELECT id FROM orders WHERE id <> 0
