-- dialect: postgres

CREATE TABLE orders (id int, code text, zip varchar(10), paid boolean, total numeric(10,2), score double precision,
    day date, placed_at timestamp, shipped_at timestamptz, opens time, took interval, ref uuid,
    meta jsonb, tags text[], mood mood, email email, span int4range, price money);
CREATE TABLE customers (customer_id bigint, name text, born date);

-- Taken:

SELECT id FROM orders WHERE paid AND NOT paid OR paid = 't' OR paid = 'yes' OR paid IS TRUE

SELECT id FROM orders WHERE id = '5' AND total > '1.5' AND score <> ' 1e3 ' AND id IN ('1', '2')

SELECT id FROM orders WHERE day >= '2024-01-01' AND day < placed_at AND shipped_at > CURRENT_DATE

SELECT id FROM orders WHERE day BETWEEN 'today' AND placed_at AND placed_at <= now() - INTERVAL '7 days'

SELECT id FROM orders WHERE code LIKE '1%' AND CAST(day AS TEXT) LIKE '2024-%' AND id::text ~ '^1'

SELECT ROUND(total, 2), ROUND(AVG(total), 2), ROUND(CAST(score AS NUMERIC), 2), ROUND(score) FROM orders GROUP BY 1, 3, 4

SELECT ROUND(SUM(id) * 100.0 / COUNT(*), 1), ROUND(AVG(score)::numeric, 2), id % 2, MOD(total, 3) FROM orders GROUP BY id, total

SELECT SUM(CASE WHEN paid THEN 1 ELSE 0 END), COUNT(*) FILTER (WHERE paid), SUM(took), AVG(paid::int) FROM orders

SELECT day - 7, day + 1, day - DATE '2024-01-01', placed_at - INTERVAL '1 day', now() - placed_at, took * 2 FROM orders

SELECT EXTRACT(YEAR FROM day), EXTRACT(DAY FROM placed_at - shipped_at), DATE_TRUNC('month', placed_at), EXTRACT(EPOCH FROM took) FROM orders

SELECT COALESCE(total, 0), COALESCE(total::text, 'none'), COALESCE(code, 'none'), COALESCE(total, '0'), COALESCE(day, placed_at) FROM orders

SELECT CASE WHEN paid THEN 'yes' ELSE code END, CASE id WHEN 1 THEN 'one' WHEN '2' THEN 'two' END FROM orders

SELECT id FROM orders WHERE meta->>'age' = '30' AND (meta->>'age')::int > 30 AND meta->'name' = '"bob"' AND meta->'a' = '1'

SELECT id FROM orders WHERE 'vip' = ANY(tags) AND tags = '{a,b}' AND tags @> ARRAY['vip'] AND id = ANY(ARRAY[1, 2])

SELECT id FROM orders WHERE mood = 'good' AND email = 'a@b.c' AND ref = '6f1e2d3c-0000-4000-8000-0123456789ab' AND took > '1 day' AND opens < took

SELECT LOWER(code), LENGTH(zip), SUBSTRING(code FROM 1 FOR 2), LEFT(id::text, 2), CONCAT(id, day), code || id, TO_CHAR(day, 'YYYY') FROM orders

SELECT o.id FROM orders o JOIN customers c ON c.customer_id = o.id AND c.name = o.code AND c.born = o.day

SELECT id FROM orders WHERE id = (SELECT MAX(customer_id) FROM customers) AND day > (SELECT MIN(born) FROM customers)

WITH x AS (SELECT day AS d, COUNT(*) AS n FROM orders GROUP BY day) SELECT d, ROUND(AVG(n), 2) FROM x WHERE d > '2024-01-01' GROUP BY d

SELECT MAX(day), MIN(code), MAX(took), BOOL_OR(paid) FROM orders

SELECT lower(span) + 1, upper(span) = 5, LOWER(code) = '5', TRIM(code) || 1 FROM orders

SELECT id FROM orders WHERE span = 'empty' AND price > '$5' AND price * 2 > '1'

SELECT code, id, day FROM orders UNION ALL SELECT name, customer_id * 1.5, NULL FROM customers

SELECT 'all', NULL, '2024-01-01' UNION (SELECT code, id, day FROM orders LIMIT 3) EXCEPT SELECT name, 1, born FROM customers

SELECT SUM(COUNT(*)) OVER (), MAX(id) FILTER (WHERE paid), COUNT(*) - MAX(id) FROM orders GROUP BY code

UPDATE orders SET code = 5, total = 3 WHERE id = 1

-- Refused, with the first fix:

SELECT id FROM orders WHERE paid = 1
-- -> SELECT id FROM orders WHERE paid = TRUE

SELECT id FROM orders WHERE paid IN (0, 1)
-- -> SELECT id FROM orders WHERE paid IN (FALSE, TRUE)

SELECT id FROM orders WHERE 0 <> paid
-- -> SELECT id FROM orders WHERE FALSE <> paid

SELECT id FROM orders WHERE code = 5
-- -> SELECT id FROM orders WHERE code = '5'

SELECT id FROM orders WHERE zip > 5
-- -> SELECT id FROM orders WHERE CAST(zip AS NUMERIC) > 5

SELECT id FROM orders WHERE zip BETWEEN 10000 AND 20000
-- -> SELECT id FROM orders WHERE CAST(zip AS NUMERIC) BETWEEN 10000 AND 20000

SELECT o.id FROM orders o JOIN customers c ON o.code = c.customer_id
-- -> SELECT o.id FROM orders o JOIN customers c ON o.code = CAST(c.customer_id AS TEXT)

SELECT id FROM orders WHERE code >= CURRENT_DATE
-- -> SELECT id FROM orders WHERE CAST(code AS DATE) >= CURRENT_DATE

SELECT id FROM orders WHERE total = 'many'

SELECT id FROM orders WHERE total > ''

SELECT id FROM orders WHERE day = ''

SELECT id FROM orders WHERE paid = 'shipped'

SELECT id FROM orders WHERE day = 2024

SELECT id FROM orders WHERE ref = 5

SELECT id FROM orders WHERE ref = 'abc'

SELECT id FROM orders WHERE opens = day

SELECT id FROM orders WHERE day LIKE '2024-%'
-- -> SELECT id FROM orders WHERE CAST(day AS TEXT) LIKE '2024-%'

SELECT id FROM orders WHERE placed_at NOT ILIKE '2024%'
-- -> SELECT id FROM orders WHERE CAST(placed_at AS TEXT) NOT ILIKE '2024%'

SELECT id FROM orders WHERE id ~ '^1'
-- -> SELECT id FROM orders WHERE CAST(id AS TEXT) ~ '^1'

SELECT id FROM orders WHERE meta->>'age' > 30
-- -> SELECT id FROM orders WHERE CAST(meta->>'age' AS NUMERIC) > 30

SELECT id FROM orders WHERE meta->'a'->>'age' BETWEEN 30 AND 40
-- -> SELECT id FROM orders WHERE CAST(meta->'a'->>'age' AS NUMERIC) BETWEEN 30 AND 40

SELECT id FROM orders WHERE meta->'name' = 'bob'
-- -> SELECT id FROM orders WHERE meta->>'name' = 'bob'

SELECT id FROM orders WHERE tags = 'vip'
-- -> SELECT id FROM orders WHERE 'vip' = ANY(tags)

SELECT ROUND(score, 2) FROM orders
-- -> SELECT ROUND(CAST(score AS NUMERIC), 2) FROM orders

SELECT ROUND(AVG(score), 2) FROM orders
-- -> SELECT ROUND(CAST(AVG(score) AS NUMERIC), 2) FROM orders

SELECT ROUND((SUM(score) / COUNT(*)), 2) FROM orders
-- -> SELECT ROUND(CAST((SUM(score) / COUNT(*)) AS NUMERIC), 2) FROM orders

SELECT ROUND(SUM(score) / COUNT(*), 2) FROM orders

SELECT score % 2 FROM orders
-- -> SELECT CAST(score AS NUMERIC) % 2 FROM orders

SELECT SUM(code) FROM orders
-- -> SELECT SUM(CAST(code AS NUMERIC)) FROM orders

SELECT SUM(paid), day FROM orders GROUP BY day
-- -> SELECT SUM(CAST(paid AS INT)), day FROM orders GROUP BY day

SELECT AVG(DISTINCT paid) FROM orders
-- -> SELECT AVG(DISTINCT CAST(paid AS INT)) FROM orders

SELECT SUM(paid = TRUE) FROM orders

SELECT MAX(paid) FROM orders
-- -> SELECT MAX(CAST(paid AS INT)) FROM orders

SELECT placed_at + 7 FROM orders
-- -> SELECT placed_at + INTERVAL '7 days' FROM orders

SELECT id FROM orders WHERE placed_at > NOW() - 30
-- -> SELECT id FROM orders WHERE placed_at > NOW() - INTERVAL '30 days'

SELECT code * 2 FROM orders
-- -> SELECT CAST(code AS NUMERIC) * 2 FROM orders

SELECT EXTRACT(DAY FROM CURRENT_DATE - day) FROM orders
-- -> SELECT (CURRENT_DATE - day) FROM orders

SELECT EXTRACT(YEAR FROM code) FROM orders
-- -> SELECT EXTRACT(YEAR FROM CAST(code AS DATE)) FROM orders

SELECT DATE_TRUNC('month', code) FROM orders
-- -> SELECT DATE_TRUNC('month', CAST(code AS DATE)) FROM orders

SELECT LOWER(id) FROM orders
-- -> SELECT LOWER(CAST(id AS TEXT)) FROM orders

SELECT SUBSTR(placed_at, 1, 4) FROM orders
-- -> SELECT SUBSTR(CAST(placed_at AS TEXT), 1, 4) FROM orders

SELECT LPAD(id, 5, '0') FROM orders
-- -> SELECT LPAD(CAST(id AS TEXT), 5, '0') FROM orders

SELECT COALESCE(total, 'none') FROM orders
-- -> SELECT COALESCE(CAST(total AS TEXT), 'none') FROM orders

SELECT COALESCE(code, id) FROM orders
-- -> SELECT COALESCE(code, CAST(id AS TEXT)) FROM orders

SELECT CASE WHEN paid THEN 'yes' ELSE 0 END FROM orders
-- -> SELECT CASE WHEN paid THEN 'yes' ELSE '0' END FROM orders

SELECT CASE code WHEN 1 THEN 'one' END FROM orders
-- -> SELECT CASE code WHEN '1' THEN 'one' END FROM orders

SELECT id FROM orders WHERE id
-- -> SELECT id FROM orders WHERE id <> 0

SELECT id FROM orders WHERE paid AND id
-- -> SELECT id FROM orders WHERE paid AND id <> 0

SELECT CASE WHEN code THEN 1 END FROM orders

SELECT SUM(total) FROM orders HAVING SUM(total)
-- -> SELECT SUM(total) FROM orders HAVING SUM(total) <> 0

SELECT day, total FROM orders UNION ALL SELECT 'all', SUM(total) FROM orders
-- -> SELECT CAST(day AS TEXT), total FROM orders UNION ALL SELECT 'all', SUM(total) FROM orders

SELECT code FROM orders UNION SELECT customer_id FROM customers
-- -> SELECT code FROM orders UNION SELECT CAST(customer_id AS TEXT) FROM customers

SELECT day FROM orders INTERSECT (SELECT id FROM orders)
