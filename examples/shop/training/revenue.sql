-- ask: top 10 customers by net revenue
SELECT c.name, ROUND(SUM(i.quantity * i.unit_price * (1 - i.discount)), 2) AS net_revenue
FROM customers AS c
JOIN orders AS o ON o.customer_id = c.customer_id
JOIN order_items AS i ON i.order_id = o.order_id
WHERE o.status <> 'cancelled'
GROUP BY c.customer_id, c.name
ORDER BY net_revenue DESC
LIMIT 10;

-- ask: net revenue per month since 2024-01-01
SELECT strftime('%Y-%m', o.placed_at) AS month,
  ROUND(SUM(i.quantity * i.unit_price * (1 - i.discount)), 2) AS net_revenue
FROM orders AS o
JOIN order_items AS i ON i.order_id = o.order_id
WHERE o.status <> 'cancelled' AND o.placed_at >= '2024-01-01'
GROUP BY month
ORDER BY month;

-- ask: 销售额最高的10个商品
SELECT p.name, ROUND(SUM(i.quantity * i.unit_price * (1 - i.discount)), 2) AS net_revenue
FROM products AS p
JOIN order_items AS i ON i.product_id = p.product_id
JOIN orders AS o ON o.order_id = i.order_id
WHERE o.status <> 'cancelled'
GROUP BY p.product_id, p.name
ORDER BY net_revenue DESC
LIMIT 10;
