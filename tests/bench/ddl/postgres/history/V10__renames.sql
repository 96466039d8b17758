ALTER TABLE crm.customers RENAME TO clients;
ALTER TABLE crm.orders RENAME COLUMN customer_id TO client_id;
CREATE TABLE crm.lines (LIKE crm.orders INCLUDING ALL, quantity int);
ALTER TABLE crm.lines DROP COLUMN placed;
ALTER TABLE crm.lines RENAME COLUMN note TO remark;
