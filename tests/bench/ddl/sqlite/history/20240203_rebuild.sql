-- +goose Up
CREATE TABLE new_items (id INTEGER PRIMARY KEY, title TEXT NOT NULL, price NUMERIC, stock INT DEFAULT 0);
INSERT INTO new_items (id, title, price) SELECT id, label, price FROM items;
DROP TABLE items;
ALTER TABLE new_items RENAME TO items;
ALTER TABLE old ADD COLUMN b;
ALTER TABLE old RENAME COLUMN a TO first;
-- +goose Down
ALTER TABLE items RENAME TO gone;
