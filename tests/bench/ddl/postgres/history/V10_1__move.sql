CREATE SCHEMA archive;
ALTER TABLE crm.lines SET SCHEMA archive;
DROP VIEW crm.open_orders;
CREATE TABLE crm.events (id bigint, happened timestamptz NOT NULL, kind text) PARTITION BY RANGE (happened);
CREATE TABLE crm.events_2024 PARTITION OF crm.events FOR VALUES FROM ('2024-01-01') TO ('2025-01-01');
ALTER TABLE crm.events ADD COLUMN payload jsonb;
