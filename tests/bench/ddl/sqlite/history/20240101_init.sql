-- +goose Up
CREATE TABLE items (id INTEGER PRIMARY KEY, label TEXT, price REAL);
CREATE TABLE old (a);

-- +goose Down
DROP TABLE items;
DROP TABLE old;
