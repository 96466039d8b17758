-- dialect: tsql

CREATE TABLE orders (id int, code varchar(10), paid bit, total decimal(10,2), day date,
    version timestamp);

-- Taken:

SELECT SUM(total), SUM(CAST(paid AS INT)), MAX(day), COUNT(paid) FROM orders WHERE paid = 1 AND day LIKE '2024%' AND id = '5'

-- Refused, with the first fix:

SELECT SUM(paid) FROM orders
-- -> SELECT SUM(CAST(paid AS INT)) FROM orders

SELECT AVG(paid) FROM orders
-- -> SELECT AVG(CAST(paid AS INT)) FROM orders

SELECT SUM(code) FROM orders
-- -> SELECT SUM(CAST(code AS FLOAT)) FROM orders

SELECT SUM(day) FROM orders
