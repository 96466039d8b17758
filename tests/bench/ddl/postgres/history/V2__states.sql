ALTER TYPE crm.state ADD VALUE 'cancelled' AFTER 'new';
ALTER TABLE crm.orders ADD COLUMN state crm.state DEFAULT 'new' NOT NULL, ADD COLUMN note text, ALTER COLUMN total TYPE numeric(14, 2);
ALTER TABLE crm.customers DROP COLUMN old_code, ADD COLUMN "Loyalty Level" int;
