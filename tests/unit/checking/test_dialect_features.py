"""SQL of other dialects that the parser would let pass."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sqlscribe.checking.check import check
from sqlscribe.checking.dialects import check_dialect, foreign
from sqlscribe.checking.parsing import parsed
from sqlscribe.notation.document import Document
from sqlscribe.notation.findings import Finding
from sqlscribe.notation.lexicon import DIALECTS
from sqlscribe.schema.model import Column, Schema, Table

SCHEMA = Schema(
    (
        Table("staff", (Column("name"), Column("city"), Column("age"), Column("born"))),
        Table("teams", (Column("team"), Column("name"))),
    ),
    functions=frozenset({"datediff"}),
)


def found(dialect: str, sql: str) -> list[Finding]:
    return [f for f in check(sql, SCHEMA, dialect).findings if f.severity == "error"]


FOREIGN = [
    ("tsql", "SELECT name FROM staff ORDER BY name LIMIT 10", "limit", "LIMIT 10"),
    ("oracle", "SELECT name FROM staff LIMIT 10", "limit", "LIMIT 10"),
    ("postgres", "SELECT name FROM staff LIMIT 5, 10", "limit-pair", "LIMIT 5, 10"),
    ("postgres", "SELECT TOP 10 name FROM staff", "top", "SELECT TOP"),
    ("sqlite", "SELECT name FROM staff FETCH FIRST 5 ROWS ONLY", "fetch-first", "FETCH FIRST"),
    ("mysql", "SELECT age::int FROM staff", "cast-operator", "::int"),
    ("bigquery", "SELECT age::int FROM staff", "cast-operator", "::int"),
    ("mysql", "SELECT name FROM staff WHERE name ILIKE 'a%'", "ilike", "ILIKE"),
    ("sqlite", "SELECT DATE_TRUNC('month', born) FROM staff", "function", "DATE_TRUNC"),
    ("postgres", "SELECT DATE_FORMAT(born, '%Y') FROM staff", "function", "DATE_FORMAT"),
    ("postgres", "SELECT strftime('%Y', born) FROM staff", "function", "strftime"),
    ("tsql", "SELECT name FROM staff WHERE born > NOW()", "function", "NOW"),
    ("postgres", "SELECT name FROM staff WHERE born > GETDATE()", "function", "GETDATE"),
    ("postgres", "SELECT IFNULL(name, 'x') FROM staff", "function", "IFNULL"),
    ("postgres", "SELECT GROUP_CONCAT(name) FROM staff", "function", "GROUP_CONCAT"),
    ("mysql", "SELECT STRING_AGG(name, ',') FROM staff", "function", "STRING_AGG"),
    ("postgres", "SELECT YEAR(born) FROM staff", "function", "YEAR"),
    ("sqlite", "SELECT EXTRACT(YEAR FROM born) FROM staff", "function", "EXTRACT"),
    ("sqlite", "SELECT name FROM staff WHERE born > date('now') - INTERVAL '7 days'",
     "interval", "INTERVAL '7 days'"),
    ("mysql", "SELECT NOW() - INTERVAL '7 days' FROM staff", "interval-text", "INTERVAL '7 days'"),
    ("postgres", "SELECT now() - INTERVAL 7 DAY FROM staff", "interval-number", "INTERVAL 7 DAY"),
    ("sqlite", "SELECT name FROM staff WHERE born > DATE '2024-01-01'",
     "date-literal", "DATE '2024-01-01'"),
    ("postgres", "SELECT name, ROW_NUMBER() OVER (ORDER BY age) AS n FROM staff QUALIFY n = 1",
     "qualify", "QUALIFY"),
    ("trino", "SELECT name, ROW_NUMBER() OVER (ORDER BY age) AS n FROM staff QUALIFY n = 1",
     "qualify", "QUALIFY"),
    ("athena", "SELECT name FROM staff WHERE age > 5 QUALIFY RANK() OVER (ORDER BY age) = 1",
     "qualify", "QUALIFY"),
    ("mysql", "SELECT DISTINCT ON (city) name FROM staff", "distinct-on", "DISTINCT"),
    ("mysql", "SELECT s.age FROM staff s FULL JOIN teams t ON s.name = t.name",
     "full-join", "FULL"),
    ("tsql", "SELECT COUNT(*) FILTER (WHERE age > 5) FROM staff", "filter", "FILTER"),
    ("postgres", "SELECT * EXCEPT (age) FROM staff", "star-except", "*"),
    ("tsql", "SELECT name FROM staff WHERE 1 = TRUE", "boolean", "TRUE"),
    ("tsql", "SELECT name FROM staff ORDER BY name NULLS LAST", "nulls-order", "NULLS LAST"),
    ("postgres", "SELECT name FROM staff WHERE age == 5", "double-equals", "=="),
    ("postgres", "SELECT name FROM staff WHERE name REGEXP 'a'", "regexp", "REGEXP"),
    ("postgres", "SELECT name FROM staff MINUS SELECT name FROM teams", "minus", "MINUS"),
    ("postgres", "SELECT name, FROM staff", "trailing-comma", ","),
    ("mysql", "SELECT name || ' ' || city FROM staff", "concat", "||"),
    ("postgres", "SELECT name + ' ' + city FROM staff", "concat", "+"),
    ("postgres", "SELECT `name` FROM staff", "quotes", "`name`"),
    ("postgres", "SELECT [name] FROM staff", "quotes", "[name]"),
    ("mysql", 'SELECT "name" FROM staff', "quotes", '"name"'),
    ("mysql", 'SELECT age FROM "staff"', "quotes", '"staff"'),
    ("spark", 'SELECT s."age" FROM staff s', "quotes", '"age"'),
    ("mysql", "SELECT name FROM staff WHERE name SIMILAR TO 'a%'", "similar-to", "SIMILAR TO"),
    ("oracle", "SELECT s.name FROM staff AS s", "table-as", "AS"),
    ("oracle", "SELECT x.name FROM teams JOIN (SELECT name FROM staff) AS x ON 1 = 1",
     "table-as", "AS"),
    ("mysql", "SELECT name FROM staff WHERE born > SYSDATETIME()", "function", "SYSDATETIME"),
    ("oracle", "SELECT IF(age > 5, 1, 0) FROM staff", "function", "IF"),
    ("postgres", "SELECT name FROM staff LIMIT 5 BY city", "limit-by", "LIMIT 5"),
    ("sqlite", "SELECT name FROM staff LIMIT 10 WITH TIES", "limit-ties", "LIMIT 10"),
    ("postgres", "DELETE FROM staff WHERE age > 5 LIMIT 1", "limited-change", "LIMIT 1"),
    ("tsql", "SELECT name FROM staff OFFSET 5 ROWS FETCH NEXT 5 ROWS ONLY",
     "offset", "OFFSET 5 ROWS"),
    ("tsql", "SELECT name FROM staff FETCH FIRST 5 ROWS ONLY", "fetch-first", "FETCH FIRST"),
    ("sqlite", "SELECT name FROM staff ORDER BY name OFFSET 5", "offset", "OFFSET 5"),
    ("postgres", "SELECT name FROM staff WHERE ROWNUM <= 5", "rownum", "ROWNUM"),
    ("postgres", "SELECT city, SUM(age) FROM staff GROUP BY ALL", "group-by-all", "GROUP BY ALL"),
    ("mysql", "SELECT city, SUM(age) FROM staff GROUP BY ROLLUP (city)", "rollup", "ROLLUP"),
    ("postgres", "SELECT city, SUM(age) FROM staff GROUP BY city WITH ROLLUP",
     "rollup", "WITH ROLLUP"),
    ("postgres", "SELECT name FROM staff START WITH age = 1 CONNECT BY PRIOR age = 2",
     "connect-by", "CONNECT BY"),
    ("bigquery", "SELECT name FROM staff WHERE name ~ 'a'", "regexp", "~"),
    ("mysql", "SELECT name FROM staff WHERE name ~ 'a'", "regexp", "~"),
    ("postgres", "SELECT name FROM staff WHERE name GLOB 'a*'", "glob", "GLOB"),
    ("tsql", "SELECT name FROM staff WHERE age <=> 5", "null-safe-equals", "<=>"),
    ("mysql", "SELECT name FROM staff WHERE age IS DISTINCT FROM 5",
     "is-distinct-from", "IS DISTINCT FROM"),
    ("oracle", "SELECT age % 2 FROM staff", "modulo", "%"),
    ("postgres", "SELECT age // 2 FROM staff", "whole-division", "//"),
    ("sqlite", "SELECT age DIV 2 FROM staff", "whole-division", "DIV"),
    ("sqlite", "SELECT age ^ 2 FROM staff", "power", "^"),
    ("tsql", "SELECT name ->> 'a' FROM staff", "json-arrow", "->> 'a'"),
    ("mysql", "SELECT name ->> 'a' FROM staff", "json-path", "->> 'a'"),
    ("sqlite", "SELECT name FROM staff WHERE name @> '[1]'", "json-contains", "@>"),
    ("sqlite", "SELECT name FROM staff WHERE age = ANY (SELECT 1)", "any", "ANY"),
    ("mysql", "SELECT name FROM staff WHERE name LIKE ANY ('a%', 'b%')", "like-any", "ANY"),
    ("tsql", "SELECT name FROM staff WHERE (name, city) IN (SELECT name, city FROM staff)",
     "tuples", "IN"),
    ("mysql", "SELECT born AT TIME ZONE 'UTC' FROM staff", "time-zone", "AT TIME ZONE"),
    ("mysql", "SELECT LAG(age) IGNORE NULLS OVER (ORDER BY age) FROM staff",
     "ignore-nulls", "IGNORE NULLS"),
    ("mysql", "SELECT ARRAY[1, 2] FROM staff", "array", "ARRAY["),
    ("postgres", "SELECT [1, 2] FROM staff", "array", "[1, 2]"),
    ("mysql", "SELECT ROUND(value => age) FROM staff", "named-arguments", "=>"),
    ("postgres", "SELECT age AS 'n' FROM staff", "quoted-alias", "'n'"),
    ("postgres", "SELECT CURRENT_DATE() FROM staff", "parentheses", "CURRENT_DATE()"),
    ("postgres", "SELECT s.age FROM staff s LATERAL VIEW EXPLODE(name) e AS n",
     "lateral-view", "LATERAL VIEW"),
    ("tsql", "SELECT age FROM staff JOIN teams USING (name)", "using", "USING"),
    ("bigquery", "SELECT age FROM staff NATURAL JOIN teams", "natural-join", "NATURAL"),
    ("postgres", "SELECT s.age FROM staff s SEMI JOIN teams t ON s.name = t.name",
     "semi-join", "SEMI JOIN"),
    ("mysql", "SELECT s.age FROM staff s ASOF JOIN teams t ON s.name >= t.name",
     "asof-join", "ASOF JOIN"),
    ("postgres", "SELECT p.x FROM staff PIVOT (SUM(age) FOR city IN ('x')) p", "pivot", "PIVOT"),
    ("tsql", "WITH RECURSIVE r AS (SELECT 1 AS n) SELECT n FROM r", "recursive", "RECURSIVE"),
    ("postgres", "SELECT * REPLACE (1 AS age) FROM staff", "star-replace", "* REPLACE"),
    ("mysql", "SELECT age FROM staff TABLESAMPLE BERNOULLI (10)", "sample", "TABLESAMPLE"),
    ("postgres", "SELECT age FROM staff WITH (NOLOCK)", "table-hint", "WITH (NOLOCK)"),
    ("postgres", "SELECT age FROM staff STRAIGHT_JOIN teams", "straight-join", "STRAIGHT_JOIN"),
    ("mysql", "FROM staff SELECT age", "from-first", "FROM"),
    ("sqlite", "SELECT age FROM staff FOR UPDATE", "locking", "FOR"),
    ("sqlite", "SELECT age INTO old FROM staff", "select-into", "INTO"),
    ("postgres", "SELECT 1 FROM dual", "dual", "FROM dual"),
    ("sqlite", "SELECT x.n FROM (SELECT age FROM staff) AS x(n)", "alias-columns", "x"),
    ("bigquery", "SELECT age FROM staff UNION SELECT 1", "set-quantifier", "UNION"),
    ("sqlite", "SELECT age FROM staff UNION DISTINCT SELECT 1",
     "set-quantifier", "UNION DISTINCT"),
    ("tsql", "SELECT age FROM staff EXCEPT ALL SELECT 1", "set-quantifier", "EXCEPT ALL"),
    ("postgres", "SELECT STRING_AGG(name, ',') WITHIN GROUP (ORDER BY name) FROM staff",
     "within-group", "WITHIN GROUP"),
    ("tsql", "SELECT STRING_AGG(name, ',' ORDER BY name) FROM staff",
     "aggregate-order", "ORDER BY"),
    ("sqlite", "SELECT GROUP_CONCAT(name SEPARATOR ';') FROM staff", "separator", "SEPARATOR"),
    ("tsql", "INSERT INTO staff (name) VALUES ('x') RETURNING name", "returning", "RETURNING"),
    ("mysql", "INSERT INTO staff (name) VALUES ('x') ON CONFLICT DO NOTHING",
     "upsert", "ON CONFLICT"),
    ("postgres", "INSERT INTO staff (name) VALUES ('x') ON DUPLICATE KEY UPDATE name = 'y'",
     "upsert", "ON DUPLICATE KEY"),
    ("postgres", "INSERT OR REPLACE INTO staff (name) VALUES ('x')", "upsert", "INSERT OR REPLACE"),
    ("postgres", "DELETE s FROM staff s WHERE s.age > 5", "delete-from", "DELETE s FROM"),
    ("mysql", "MERGE INTO staff s USING teams t ON s.name = t.name WHEN MATCHED THEN DELETE",
     "merge", "MERGE"),
    ("mysql", "SELECT CAST(age AS STRING) FROM staff", "type", "STRING"),
    ("bigquery", "SELECT CAST(age AS VARCHAR) FROM staff", "type", "VARCHAR"),
    ("trino", "SELECT CAST(age AS TEXT) FROM staff", "type", "TEXT"),
    ("tsql", "SELECT name FROM staff WHERE (age > 5 AND name) OR 1 = 1", "predicate", "name"),
    ("tsql", "SELECT (age > 5) AS old FROM staff", "boolean", "(age > 5)"),
    ("tsql", "SELECT name, age > 5 AND city IS NULL AS old FROM staff", "boolean", "age"),
    ("tsql", "DELETE FROM staff USING teams AS t WHERE t.name = staff.name",
     "delete-using", "USING"),
    ("mysql", "DELETE FROM staff USING teams AS t WHERE t.name = staff.name",
     "delete-using", "USING"),
    ("postgres", "DELETE staff WHERE age > 5", "delete-from", "DELETE"),
    ("postgres", "UPDATE staff s JOIN teams t ON t.name = s.name SET age = 1 WHERE t.team = 'a'",
     "update-join", "JOIN"),
    ("sqlite", "UPDATE staff, teams SET age = 1 WHERE teams.name = staff.name",
     "update-join", ","),
    ("mysql", "UPDATE staff SET age = 1 FROM teams AS t WHERE t.name = staff.name",
     "update-from", "FROM"),
    ("postgres", "UPDATE s SET age = 1 FROM staff AS s JOIN teams AS t ON t.name = s.name"
     " WHERE t.team = 'a'", "update-from", "s"),
    ("duckdb", "UPDATE staff AS s SET s.age = 1 WHERE s.city = 'a'", "update-set", "s.age"),
    ("postgres", "UPDATE staff SET (staff.age, city) = (1, 'a') WHERE city = 'b'",
     "update-set", "staff.age"),
    ("sqlite", "DELETE FROM staff s WHERE s.age > 5", "target-alias", "s"),
    ("tsql", "UPDATE staff AS s SET age = 1 WHERE s.city = 'a'", "target-alias", "s"),
    ("sqlite", "TRUNCATE TABLE staff", "truncate", "TRUNCATE TABLE"),
    ("postgres", "SELECT name FROM staff WHERE name LIKE ANY ('a%', 'b%')",
     "any-list", "ANY ('a%', 'b%')"),
    ("postgres", "SELECT name FROM staff WHERE age <> ALL (1, 2)", "any-list", "ALL (1, 2)"),
    ("trino", "SELECT name FROM staff SORT BY name", "sort-by", "SORT BY"),
    ("postgres", "SELECT array_agg(name ORDER BY age LIMIT 3) FROM staff",
     "aggregate-limit", "LIMIT"),
    ("snowflake", "SELECT ARRAY_AGG(name ORDER BY age) FROM staff", "aggregate-order", "ORDER BY"),
    ("bigquery", "SELECT UNNEST(SPLIT(name, ',')) AS part FROM staff", "unnest", "UNNEST"),
    ("mysql", "SELECT name FROM staff CLUSTER BY name", "sort-by", "CLUSTER BY"),
]  # fmt: skip


@pytest.mark.parametrize(("dialect", "sql", "feature", "text"), FOREIGN)
def test_features_of_other_dialects(dialect: str, sql: str, feature: str, text: str) -> None:
    first = found(dialect, sql)[0]
    assert (first.code, first.span.of(sql)) == (f"dialect/{feature}", text)
    assert first.message.startswith(f"{dialect} ")


OWN = [
    ("postgres", "SELECT name::text || ', ' || city FROM staff WHERE name ILIKE 'a%' LIMIT 5"),
    ("postgres", "SELECT DISTINCT ON (city) now() - interval '7 days', date '2024-01-01'"
     " FROM staff ORDER BY city NULLS LAST"),
    ("postgres", "SELECT count(*) FILTER (WHERE age > 5), (ARRAY[1, 2])[1] FROM staff"),
    ("postgres", "WITH a AS (SELECT 1), month (m) AS (SELECT 2) SELECT m FROM month"),
    ("postgres", "SELECT datediff(born, born) FROM staff"),
    ("postgres", "SELECT s.left, s.year FROM (SELECT 1 AS left, 2 AS year) s"),
    ("mysql", "SELECT DATE_FORMAT(born, '%Y'), IFNULL(name, 'x'), NOW() - INTERVAL 7 DAY"
     " FROM staff WHERE city = \"name\" AND name REGEXP 'a' LIMIT 5, 10"),
    ("mysql", "SELECT name FROM staff WHERE age > 5 || city IN (\"city\", \"name\")"),
    ("sqlite", "SELECT strftime('%Y', born), `name`, [city] FROM staff WHERE age == 5 LIMIT 1"),
    ("tsql", "SELECT TOP (5) [name] + ' ' + [city], ISNULL(name, 'x'), LEN(name) FROM staff"),
    ("tsql", "SELECT geography::Point(1, 2, 4326) FROM staff"),
    ("tsql", "SELECT limit FROM (SELECT 1 AS limit) x"),
    ("oracle", "SELECT NVL(name, 'x') FROM staff WHERE born > DATE '2024-01-01' - INTERVAL '7' DAY"
     " FETCH FIRST 5 ROWS ONLY"),
    ("oracle", "SELECT name FROM staff MINUS SELECT name FROM teams"),
    ("oracle", "WITH s AS (SELECT name AS n FROM staff x) SELECT s.n FROM s"),
    ("oracle", "SELECT j.v FROM staff s, JSON_TABLE(s.name, '$' COLUMNS (v PATH '$.v')) AS j"),
    ("postgres", "SELECT s.name FROM staff AS s WHERE s.name SIMILAR TO 'a%'"),
    ("bigquery", "SELECT DATE_TRUNC(born, MONTH), [1, 2], COUNTIF(age > 5), FROM staff"
     " GROUP BY 1 QUALIFY ROW_NUMBER() OVER () = 1"),
    ("snowflake", "SELECT * EXCLUDE (age), IFF(age > 5, 1, 0) FROM staff QUALIFY 1 = 1"),
    ("duckdb", "SELECT [1, 2, 3], strftime(born, '%Y'), name::text FROM staff"),
    ("duckdb", "FROM staff SELECT age // 2, list_filter([1], x -> x > 1) LIMIT 10%"),
    ("postgres", "SELECT name -> 'a' ->> 'b', name @> '{}', age % 2, age ^ 2 FROM staff"
     " WHERE name ~ 'a' AND age = ANY (ARRAY[1, 2]) AND age IS DISTINCT FROM 5"),
    ("postgres", "SELECT name FROM staff ORDER BY name <=> '[1, 2]' LIMIT 5"),
    ("postgres", "SELECT make_date(year => 2024, month => 1, day => 2)"),
    ("postgres", "INSERT INTO staff (name) VALUES ('x') ON CONFLICT DO NOTHING RETURNING name"),
    ("postgres", "SELECT string_agg(name, ',' ORDER BY name),"
     " percentile_cont(0.5) WITHIN GROUP (ORDER BY age) FROM staff GROUP BY ROLLUP (city)"),
    ("postgres", "SELECT x.n FROM (SELECT 1) AS x(n) FOR UPDATE"),
    ("postgres", "SELECT CURRENT_DATE, CURRENT_TIMESTAMP(3), born AT TIME ZONE 'UTC' FROM staff"),
    ("mysql", "SELECT name ->> '$.a', age DIV 2, age <=> 5 FROM staff WHERE (name, city) IN"
     " (SELECT name, city FROM staff) GROUP BY name WITH ROLLUP"),
    ("mysql", "SELECT GROUP_CONCAT(name ORDER BY name SEPARATOR ';') FROM staff"),
    ("mysql", "INSERT IGNORE INTO staff (name) VALUES ('x') ON DUPLICATE KEY UPDATE name = 'y'"),
    ("mysql", "SELECT name FROM staff WHERE age > 5 || city = name"),
    ("sqlite", "INSERT OR REPLACE INTO staff (name) VALUES ('x')"),
    ("sqlite", "SELECT name ->> '$.a', age % 2 FROM staff WHERE name GLOB 'a*' AND 1 = TRUE"),
    ("sqlite", "SELECT name FROM staff ORDER BY name NULLS LAST LIMIT 5 OFFSET 2"),
    ("tsql", "SELECT name AS 'n', age % 2 FROM staff WITH (NOLOCK) ORDER BY name"
     " OFFSET 5 ROWS FETCH NEXT 5 ROWS ONLY"),
    ("tsql", "WITH r AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM r) SELECT n FROM r"),
    ("tsql", "SELECT STRING_AGG(name, ',') WITHIN GROUP (ORDER BY name) FROM staff"),
    ("bigquery", "SELECT * EXCEPT (age), MOD(age, 2) FROM staff UNION ALL SELECT 1, 2"),
    ("bigquery", "SELECT EXTRACT(HOUR FROM born AT TIME ZONE 'UTC') FROM staff"),
    ("bigquery", "SELECT STRING_AGG(name, ',' ORDER BY name), CAST(age AS STRING) FROM staff"
     " GROUP BY age"),
    ("snowflake", "SELECT LISTAGG(name, ',') WITHIN GROUP (ORDER BY name), name:a::string"
     " FROM staff LEFT JOIN teams USING (name)"),
    ("trino", "SELECT ARRAY[1, 2], filter(ARRAY[1], x -> x > 1), CAST(age AS varchar) FROM staff"),
    ("clickhouse", "SELECT name FROM staff LIMIT 1 BY city"),
    ("databricks", "SELECT name::string, age DIV 2 FROM staff LATERAL VIEW EXPLODE(name) e AS n"),
    ("oracle", "SELECT 1 FROM dual WHERE ROWNUM <= 5"),
    ("mysql", "UPDATE staff s JOIN teams t ON t.name = s.name SET s.age = 1 WHERE t.team = 'a'"),
    ("mysql", "DELETE FROM s USING staff AS s JOIN teams AS t ON t.name = s.name WHERE s.age > 5"),
    ("postgres", "UPDATE staff AS s SET age = 1 FROM teams AS t WHERE t.name = s.name"),
    ("postgres", "DELETE FROM staff s USING teams AS t WHERE t.name = s.name"),
    ("sqlite", "UPDATE staff AS s SET age = 1 FROM teams AS t WHERE t.name = s.name"),
    ("tsql", "UPDATE s SET s.age = 1 FROM staff AS s JOIN teams AS t ON t.name = s.name"),
    ("tsql", "DELETE s FROM staff AS s WHERE s.age > 5"),
    ("tsql", "SELECT old = age, CASE WHEN (age > 5) THEN 1 ELSE 0 END AS old FROM staff"),
    ("tsql", "SELECT @n = age FROM staff"),
    ("mysql", "SELECT (age > 5) AS old FROM staff"),
    ("oracle", "DELETE staff s WHERE s.age > 5"),
    ("mysql", "TRUNCATE TABLE staff"),
    ("postgres", "SELECT name FROM staff WHERE name LIKE ANY (ARRAY['a', 'b'])"
     " AND age = ANY ('{1,2}') AND age <> ALL (SELECT age FROM staff)"),
    ("spark", "SELECT name FROM staff DISTRIBUTE BY city SORT BY name"),
    ("bigquery", "SELECT ARRAY_AGG(name ORDER BY age LIMIT 3), part FROM staff,"
     " UNNEST(SPLIT(name, ',')) AS part WHERE part IN UNNEST(['a']) GROUP BY part"),
    ("postgres", "SELECT unnest(ARRAY[1, 2]), array_agg(name ORDER BY age) FROM staff LIMIT 3"),
    # A view of a pulled schema.
    ("mysql", "SELECT CAST(NULL AS int(11)) AS age, CAST(NULL AS varchar(20)) AS name"),
]  # fmt: skip


@pytest.mark.parametrize(("dialect", "sql"), OWN)
def test_the_dialects_own_features(dialect: str, sql: str) -> None:
    assert [finding.message for finding in found(dialect, sql)] == []


def test_nothing_is_foreign_where_the_dialect_is_not_known() -> None:
    assert found("", "SELECT age::int, IFNULL(name, 'x') FROM staff LIMIT 5") == []


REPAIRED = [
    ("tsql", "SELECT name FROM staff LIMIT 10", "SELECT TOP (10) name FROM staff"),
    ("tsql", "SELECT DISTINCT name FROM staff LIMIT 10",
     "SELECT DISTINCT TOP (10) name FROM staff"),
    ("tsql", "SELECT name FROM staff ORDER BY name LIMIT 10 OFFSET 5",
     "SELECT name FROM staff ORDER BY name OFFSET 5 ROWS FETCH NEXT 10 ROWS ONLY"),
    ("oracle", "SELECT name FROM staff LIMIT 10",
     "SELECT name FROM staff FETCH FIRST 10 ROWS ONLY"),
    ("postgres", "SELECT name FROM staff LIMIT 5, 10", "SELECT name FROM staff LIMIT 10 OFFSET 5"),
    ("postgres", "SELECT TOP 10 name FROM staff", "SELECT name FROM staff LIMIT 10"),
    ("mysql", "SELECT x.name FROM (SELECT TOP (3) name FROM staff) x WHERE 1 = 1",
     "SELECT x.name FROM (SELECT name FROM staff LIMIT 3) x WHERE 1 = 1"),
    ("sqlite", "SELECT name FROM staff ORDER BY name OFFSET 5 ROWS FETCH NEXT 3 ROWS ONLY",
     "SELECT name FROM staff ORDER BY name LIMIT 3 OFFSET 5"),
    ("mysql", "SELECT age::int FROM staff", "SELECT CAST(age AS SIGNED) FROM staff"),
    ("bigquery", "SELECT (age + 1)::text FROM staff",
     "SELECT CAST((age + 1) AS STRING) FROM staff"),
    ("sqlite", "SELECT s.born::date FROM staff s", "SELECT date(s.born) FROM staff s"),
    ("tsql", "SELECT age::numeric(10, 2)::text FROM staff",
     "SELECT CAST(CAST(age AS decimal(10, 2)) AS varchar(max)) FROM staff"),
    ("mysql", "SELECT name FROM staff WHERE name ILIKE 'a%'",
     "SELECT name FROM staff WHERE name LIKE 'a%'"),
    ("oracle", "SELECT s.name FROM staff s WHERE s.name NOT ILIKE 'a%'",
     "SELECT s.name FROM staff s WHERE LOWER(s.name) NOT LIKE LOWER('a%')"),
    ("mysql", "SELECT name || ' ' || city FROM staff", "SELECT CONCAT(name, ' ', city) FROM staff"),
    ("mysql", "SELECT name || city FROM staff", "SELECT CONCAT(name, city) FROM staff"),
    ("postgres", "SELECT name + ' ' + city FROM staff", "SELECT name || ' ' || city FROM staff"),
    ("postgres", "SELECT name FROM staff WHERE age == 5", "SELECT name FROM staff WHERE age = 5"),
    ("postgres", "SELECT name FROM staff WHERE name NOT REGEXP 'a'",
     "SELECT name FROM staff WHERE name !~ 'a'"),
    ("bigquery", "SELECT name FROM staff WHERE name REGEXP 'a'",
     "SELECT name FROM staff WHERE REGEXP_CONTAINS(name, 'a')"),
    ("mysql", "SELECT name FROM staff WHERE name !~ 'a'",
     "SELECT name FROM staff WHERE name NOT REGEXP 'a'"),
    ("mysql", "SELECT name FROM staff WHERE age IS DISTINCT FROM 5",
     "SELECT name FROM staff WHERE NOT (age <=> 5)"),
    ("tsql", "SELECT name FROM staff WHERE age <=> 5",
     "SELECT name FROM staff WHERE age IS NOT DISTINCT FROM 5"),
    ("oracle", "SELECT age % 2 + 1 FROM staff", "SELECT MOD(age, 2) + 1 FROM staff"),
    ("tsql", "SELECT name ->> 'a' FROM staff", "SELECT JSON_VALUE(name, '$.a') FROM staff"),
    ("mysql", "SELECT name ->> 'a' FROM staff", "SELECT name ->> '$.a' FROM staff"),
    ("sqlite", "SELECT name FROM staff WHERE age = ANY (SELECT 1)",
     "SELECT name FROM staff WHERE age IN (SELECT 1)"),
    ("mysql", "SELECT NOW() - INTERVAL '7 days' FROM staff",
     "SELECT NOW() - INTERVAL 7 DAY FROM staff"),
    ("postgres", "SELECT now() - INTERVAL 7 DAY FROM staff",
     "SELECT now() - INTERVAL '7 day' FROM staff"),
    ("tsql", "SELECT born - INTERVAL '7 days' FROM staff",
     "SELECT DATEADD(day, -7, born) FROM staff"),
    ("sqlite", "SELECT CURRENT_DATE - INTERVAL 7 DAY FROM staff",
     "SELECT date(CURRENT_DATE, '-7 day') FROM staff"),
    ("sqlite", "SELECT name FROM staff WHERE born > DATE '2024-01-01'",
     "SELECT name FROM staff WHERE born > '2024-01-01'"),
    ("tsql", "SELECT name FROM staff WHERE born > DATE '2024-01-01'",
     "SELECT name FROM staff WHERE born > CAST('2024-01-01' AS date)"),
    ("tsql", "SELECT name FROM staff WHERE 1 = TRUE", "SELECT name FROM staff WHERE 1 = 1"),
    ("tsql", "SELECT COUNT(*) FILTER (WHERE age > 5) FROM staff",
     "SELECT COUNT(CASE WHEN age > 5 THEN 1 END) FROM staff"),
    ("mysql", "SELECT SUM(age) FILTER (WHERE age > 5) FROM staff",
     "SELECT SUM(CASE WHEN age > 5 THEN age END) FROM staff"),
    ("postgres", "SELECT STRING_AGG(name, ',') WITHIN GROUP (ORDER BY name) FROM staff",
     "SELECT STRING_AGG(name, ',' ORDER BY name) FROM staff"),
    ("tsql", "SELECT STRING_AGG(name, ',' ORDER BY name) FROM staff",
     "SELECT STRING_AGG(name, ',') WITHIN GROUP (ORDER BY name) FROM staff"),
    ("mysql", "SELECT name FROM staff ORDER BY name DESC NULLS LAST",
     "SELECT name FROM staff ORDER BY name DESC"),
    ("mysql", "SELECT name FROM staff ORDER BY name NULLS LAST",
     "SELECT name FROM staff ORDER BY name IS NULL, name"),
    ("postgres", "SELECT name FROM staff MINUS SELECT name FROM teams",
     "SELECT name FROM staff EXCEPT SELECT name FROM teams"),
    ("bigquery", "SELECT age FROM staff UNION SELECT 1",
     "SELECT age FROM staff UNION DISTINCT SELECT 1"),
    ("postgres", "SELECT name, FROM staff", "SELECT name FROM staff"),
    ("postgres", "SELECT 1 FROM dual", "SELECT 1"),
    ("postgres", "SELECT age FROM staff WITH (NOLOCK) WHERE age > 5",
     "SELECT age FROM staff WHERE age > 5"),
    ("postgres", "SELECT age AS 'n' FROM staff", 'SELECT age AS "n" FROM staff'),
    ("postgres", "SELECT CURRENT_DATE()", "SELECT CURRENT_DATE"),
    ("tsql", "WITH RECURSIVE r AS (SELECT 1 AS n) SELECT n FROM r",
     "WITH r AS (SELECT 1 AS n) SELECT n FROM r"),
    ("mysql", "SELECT CAST(age AS STRING) FROM staff", "SELECT CAST(age AS CHAR) FROM staff"),
    ("tsql", "SELECT name, (age > 5) AS old FROM staff",
     "SELECT name, CASE WHEN age > 5 THEN 1 ELSE 0 END AS old FROM staff"),
    ("postgres", "DELETE staff WHERE age > 5", "DELETE FROM staff WHERE age > 5"),
    ("postgres", "UPDATE staff s SET s.age = 1 WHERE city = 'a'",
     "UPDATE staff s SET age = 1 WHERE city = 'a'"),
    ("sqlite", "DELETE FROM staff s WHERE s.age > 5", "DELETE FROM staff AS s WHERE s.age > 5"),
    ("sqlite", "TRUNCATE TABLE staff", "DELETE FROM staff"),
    ("postgres", "SELECT name FROM staff WHERE name ILIKE ANY ('a', 'b')",
     "SELECT name FROM staff WHERE name ILIKE ANY (ARRAY['a', 'b'])"),
]  # fmt: skip


@pytest.mark.parametrize(("dialect", "sql", "repaired"), REPAIRED)
def test_the_dialects_own_form_is_offered(dialect: str, sql: str, repaired: str) -> None:
    first = next(finding for finding in found(dialect, sql) if finding.fixes)
    assert Document("q.sql", sql).changed(first.fixes[0].edits).text == repaired


@pytest.mark.parametrize(
    ("dialect", "sql"),
    [
        # The operator in front binds as closely: the operand may be only a part.
        ("oracle", "SELECT name FROM staff WHERE name || city ILIKE 'a%'"),
        ("oracle", "SELECT age * 3 % 2 FROM staff"),
        ("tsql", "SELECT name FROM staff UNION SELECT name FROM teams LIMIT 5"),
        ("postgres", "SELECT TOP 10 PERCENT name FROM staff"),
        ("mysql", "SELECT age::tsvector FROM staff"),
        ("mysql", "SELECT COUNT(DISTINCT age) FILTER (WHERE age > 5) FROM staff"),
    ],
)
def test_no_fix_where_the_text_does_not_make_it_sure(dialect: str, sql: str) -> None:
    assert found(dialect, sql)
    assert all(not finding.fixes for finding in found(dialect, sql))


def test_texts_in_double_quotes_where_those_are_for_names() -> None:
    sql = 'SELECT name FROM staff WHERE city = "Oslo" AND name IN ("Ann", "Bo")'
    edits = [f.fixes[0].edits[0] for f in found("postgres", sql) if f.code == "dialect/quotes"]
    assert Document("q.sql", sql).changed(edits).text == (
        "SELECT name FROM staff WHERE city = 'Oslo' AND name IN ('Ann', 'Bo')"
    )


@pytest.mark.parametrize(
    ("dialect", "sql", "code"),
    [
        ("oracle", "SELECT name FROM staff EXCEPT SELECT name FROM teams", "dialect/except"),
        ("mysql", "SELECT name FROM staff FETCH FIRST 5 ROWS ONLY", "dialect/fetch-first"),
    ],
)
def test_what_some_versions_lack_is_a_warning(dialect: str, sql: str, code: str) -> None:
    findings = check(sql, SCHEMA, dialect).findings
    assert [(f.code, f.severity) for f in findings] == [(code, "warning")]


@pytest.mark.parametrize(("word", "code"), [("SYSDATE", "function"), ("ROWNUM", "rownum")])
def test_a_word_of_another_engine_is_not_called_an_unknown_column_too(word: str, code: str) -> None:
    findings = check(f"SELECT {word} FROM staff", SCHEMA, "postgres").findings
    assert [f.code for f in findings] == [f"dialect/{code}"]


@settings(deadline=None, max_examples=100)
@given(
    st.lists(
        st.sampled_from(
            "SELECT FROM WHERE ( ) , ' :: -> || ~ % // INTERVAL '7 days' 7 DAY LIMIT TOP FETCH"
            " FIRST OFFSET CAST AS IF(a,1,2) DATEADD( NULLS LAST FILTER WITHIN GROUP UNION MINUS"
            " ARRAY[ ] a . b 'x' = TRUE ROWNUM ON CONFLICT WITH \x00 \ud800 USING".split(" ")
        ),
        max_size=25,
    ),
    st.sampled_from(DIALECTS),
)
def test_no_text_stops_the_check(words: list[str], dialect: str) -> None:
    sql = " ".join(words)
    for finding in check_dialect(parsed(sql, dialect), SCHEMA):
        assert 0 <= finding.span.start <= finding.span.end <= len(sql)
        for fix in finding.fixes:
            Document("q.sql", sql).changed(fix.edits)


@pytest.mark.parametrize(
    ("dialect", "sql", "repaired"),
    [
        ("postgres", "SELECT `name` FROM `staff`", "SELECT name FROM staff"),
        ("postgres", "SELECT [full name] FROM [staff]", 'SELECT "full name" FROM staff'),
        ("mysql", 'SELECT "name" FROM staff', "SELECT `name` FROM staff"),
        ("mysql", 'SELECT age FROM "staff"', "SELECT age FROM staff"),
        ("oracle", "SELECT s.age FROM staff AS s", "SELECT s.age FROM staff s"),
    ],
)
def test_quotes_are_repaired(dialect: str, sql: str, repaired: str) -> None:
    edits = [e for f in found(dialect, sql) for fix in f.fixes for e in fix.edits]
    assert Document("q.sql", sql).changed(edits).text == repaired


def test_a_change_that_is_half_typed() -> None:
    for sql in ("DELETE FR USING t WHERE a > 1", "DELETE USING", "UPDATE SET a = 1 FROM t"):
        assert isinstance(check(sql, SCHEMA, "mysql").findings, tuple)


def test_every_dialect_named_exists() -> None:
    named = {name for one in foreign.FOREIGN.values() for name in (*one.engines, *one.ways)}
    assert named <= set(DIALECTS)


@pytest.mark.parametrize("dialect", ["mysql", "drill", "tsql", "doris"])
@pytest.mark.parametrize("text", ["SELECT {a || b}", "SELECT [a || b]", "SELECT a, {b + [c || d]}"])
def test_brackets_of_any_kind_before_an_operator_end_the_look_back(dialect: str, text: str) -> None:
    assert all(finding.span.end <= len(text) for finding in found(dialect, text))
