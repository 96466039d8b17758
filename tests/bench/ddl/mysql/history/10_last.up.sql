RENAME TABLE users TO people;
ALTER TABLE people DROP a, DROP COLUMN b;
CREATE TABLE tags LIKE articles;
ALTER TABLE tags DROP COLUMN body, RENAME COLUMN user_id TO tagger;
CREATE VIEW recent AS SELECT a.id, p.login, count(*) FROM articles a JOIN people p ON p.id = a.user_id GROUP BY a.id, p.login;
