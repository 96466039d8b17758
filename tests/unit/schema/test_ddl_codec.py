"""What was read, kept as text and read again."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from ddl_reading import script
from hypothesis import given, settings
from hypothesis import strategies as st

from sqlscribe.notation.document import Span, TextEdit
from sqlscribe.notation.findings import Fix
from sqlscribe.schema.ddl.codec import decode, encode

# One statement for every kind of change.
_ALL = """
CREATE TYPE mood AS ENUM ('sad', 'ok'); CREATE TYPE addr AS (a int, b text);
ALTER TYPE mood ADD VALUE 'fine' BEFORE 'ok'; ALTER TYPE addr ADD ATTRIBUTE c int;
ALTER TYPE mood RENAME TO moods;
-- A comment
CREATE TABLE s."T 1" (id int PRIMARY KEY, m text CHECK (m IN ('a', 'b')), "tab\tname" int,
  z text, -- beside\n  r int REFERENCES u (id), UNIQUE (m, z));
CREATE TABLE u (LIKE s."T 1" INCLUDING ALL); CREATE TABLE p PARTITION OF u DEFAULT;
CREATE VIEW v (a, b) AS WITH q AS (SELECT * FROM u) SELECT q.*, count(*) FROM q JOIN p USING (id);
CREATE TABLE broken (id int int, ; CREATE TABLE o OF addr;
ALTER TABLE u ADD x int, DROP y, RENAME z TO w, ALTER m TYPE text, ALTER m SET NOT NULL,
  ADD CONSTRAINT k UNIQUE (x), DROP CONSTRAINT k, ATTACH PARTITION p DEFAULT, INHERIT t,
  NO INHERIT t, SET SCHEMA s, ADD COLUMN = 1;
ALTER TABLE u ALTER m FIRST;
ALTER TABLE u SWAP WITH p; ALTER TABLE u RENAME TO uu; ALTER SCHEMA s RENAME TO r;
COMMENT ON TABLE u IS 'it''s\n'; COMMENT ON COLUMN u.m IS 'ünï\ud800';
SET search_path TO r; DROP TABLE v CASCADE; DROP SCHEMA r;
CREATE FUNCTION f() RETURNS int LANGUAGE sql AS ''; DROP FUNCTION f;
"""


def test_every_kind_of_change_comes_back_as_it_was() -> None:
    read = script(_ALL, "postgres")
    kinds = {type(change).__name__ for change in read.changes}
    assert len(kinds) >= 12
    assert read.findings
    kept = encode(read)
    assert kept is not None
    assert kept.isascii()
    assert "\n" not in kept
    assert decode(kept, read.path) == read
    assert decode(kept.encode(), Path("other.sql")) == replace(read, path=Path("other.sql"))


_WORDS = (
    "CREATE TABLE VIEW t u ( ) , ; . int text 'x' \"q\" `b` AS SELECT * FROM ALTER ADD DROP COLUMN"
    " STRUCT < > a b -- \n COMMENT ON IS ENUM TYPE PRIMARY KEY REFERENCES \t é \ud800 1 RENAME TO"
).split(" ")


@settings(max_examples=100, deadline=None)
@given(
    st.lists(st.sampled_from(_WORDS), max_size=60),
    st.sampled_from(["postgres", "mysql", "bigquery", "tsql", ""]),
)
def test_whatever_was_read_comes_back(words: list[str], dialect: str) -> None:
    read = script(" ".join(words), dialect)
    kept = encode(read)
    assert kept is not None
    assert decode(kept, read.path) == read


@pytest.mark.parametrize(
    "text", ["", "{}", "[]", "null", "[1]", "\0", "[" * 100_000, '[1,"postgres",[],[[]]]', b"\xff"]
)
def test_what_is_no_kept_script_is_nothing(text: str | bytes) -> None:
    assert decode(text, Path("t.sql")) is None


_KEPT = json.loads(encode(script(_ALL, "postgres")) or "")


def _damaged(value: object, at: list[int], by: object) -> object:
    """``value`` with ``by`` in the place of one of its parts."""
    if at and isinstance(value, list) and value:
        place = at[0] % len(value)
        inner = _damaged(value[place], at[1:], by)
        return [*value[:place], inner, *value[place + 1 :]]
    return by


@settings(max_examples=100, deadline=None)
@given(
    st.lists(st.integers(0, 20), min_size=1, max_size=8),
    st.sampled_from([None, True, -1, 99, 1.5, "x", "a\tb\tc\td\te", [], [[]], {}, {"": []}]),
)
def test_damage_is_nothing_or_harmless(at: list[int], by: object) -> None:
    found = decode(json.dumps(_damaged(_KEPT, at, by)), Path("t.sql"))
    # Where the damage has the right form by chance, it can be kept again.
    assert found is None or encode(found) is not None


def test_another_version_is_nothing() -> None:
    assert decode(json.dumps([_KEPT[0] + 1, *_KEPT[1:]]), Path("t.sql")) is None


def test_a_finding_with_a_fix_is_not_kept() -> None:
    read = script("CREATE TABLE t (", "postgres")
    fix = Fix("Close it", (TextEdit(Span(0, 0), ")"),))
    fixed = tuple(replace(finding, fixes=(fix,)) for finding in read.findings)
    assert encode(replace(read, findings=fixed)) is None
