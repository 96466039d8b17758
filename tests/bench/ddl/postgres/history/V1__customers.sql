CREATE SCHEMA crm;
CREATE TABLE crm.customers (id bigserial PRIMARY KEY, name text NOT NULL, mail varchar(80), old_code int);
CREATE TABLE crm.orders (id bigserial PRIMARY KEY, customer_id bigint REFERENCES crm.customers (id), placed date, total numeric(10, 2));
CREATE TYPE crm.state AS ENUM ('new', 'done');
CREATE VIEW crm.open_orders AS SELECT o.id, c.name FROM crm.orders o JOIN crm.customers c ON c.id = o.customer_id;
