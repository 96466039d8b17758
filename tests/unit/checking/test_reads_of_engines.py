"""Many queries of each dialect, as analysts write them, and what must never pass for one.

``reads.txt`` and ``refused.txt`` hold one statement in each line, under its dialect. A ``\\n``
in them stands for a new line and ``<NUL>`` for that character.
"""

from __future__ import annotations

from pathlib import Path

import apsw
import pytest

from sqlscribe.checking.reads import classify

Statements = dict[str, list[str]]


def statements(name: str) -> Statements:
    found: Statements = {}
    for line in Path(__file__).with_name(name).read_text(encoding="utf-8").splitlines():
        if line.startswith("# "):
            dialect = line[2:].replace("generic", "")
            found[dialect] = []
        else:
            found[dialect].append(line.replace("\\n", "\n").replace("<NUL>", "\0"))
    return found


READS, REFUSED = statements("reads.txt"), statements("refused.txt")


@pytest.mark.parametrize("dialect", READS)
def test_queries_pass(dialect: str) -> None:
    verdicts = {sql: classify(sql, dialect) for sql in READS[dialect]}
    assert {sql: verdict.reason for sql, verdict in verdicts.items() if not verdict.read} == {}


@pytest.mark.parametrize("dialect", REFUSED)
def test_what_may_do_more_is_refused(dialect: str) -> None:
    verdicts = {sql: classify(sql, dialect) for sql in REFUSED[dialect]}
    assert [sql for sql, verdict in verdicts.items() if verdict.read] == []
    assert [sql for sql, verdict in verdicts.items() if not verdict.reason] == []


def test_the_tables_are_as_large_as_they_should_be() -> None:
    assert len(READS) >= 12
    assert sum(map(len, READS.values())) >= 250
    assert sum(map(len, REFUSED.values())) >= 900


WRAPPINGS = ["WITH q AS ({}) SELECT 1 FROM q", "SELECT 1 UNION ALL {}",
             "-- x\n{}", "{}; {}", "EXPLAIN {}", "EXPLAIN ANALYZE {}"]  # fmt: skip
CHANGES = ("INSERT", "UPDATE", "DELETE", "MERGE", "SELECT", "WITH")


@pytest.mark.parametrize("wrapping", WRAPPINGS)
@pytest.mark.parametrize("dialect", REFUSED)
def test_wrapping_makes_no_read_of_what_is_refused(dialect: str, wrapping: str) -> None:
    tried = [sql for sql in REFUSED[dialect] if sql.startswith(CHANGES) and "\n" not in sql]
    assert [sql for sql in tried if classify(wrapping.format(sql, sql), dialect).read] == []


READING = {
    apsw.SQLITE_SELECT,
    apsw.SQLITE_READ,
    apsw.SQLITE_FUNCTION,
    apsw.SQLITE_RECURSIVE,
    apsw.SQLITE_PRAGMA,
}


def test_sqlite_sees_only_reads_in_what_passes() -> None:
    connection = apsw.Connection(":memory:")
    connection.execute(
        "CREATE TABLE t (a, b, c, d, e, f, g, h, i, j, id); CREATE TABLE u (a, id);"
        "CREATE VIRTUAL TABLE f USING fts5(a)"
    )
    actions: list[int] = []
    ran = 0

    def note(action: int, *_: str | None) -> int:
        actions.append(action)
        return apsw.SQLITE_OK

    for sql in READS["sqlite"] + READS["duckdb"] + READS["mysql"] + READS["postgres"]:
        if not classify(sql, "sqlite").read:
            continue
        connection.authorizer = note
        try:
            connection.execute(sql).fetchall()
            ran += 1
        except apsw.Error:
            continue  # Another dialect's query, or a table that is not there.
        finally:
            connection.authorizer = None
    assert set(actions) <= READING
    assert ran >= 25
