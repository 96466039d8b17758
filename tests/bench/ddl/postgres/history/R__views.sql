CREATE OR REPLACE VIEW crm.client_orders AS
SELECT c.*, o.id AS order_id, o.total FROM crm.clients c LEFT JOIN crm.orders o ON o.client_id = c.id;
