DROP TABLE crm.clients CASCADE;
