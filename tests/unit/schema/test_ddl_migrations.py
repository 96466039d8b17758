from pathlib import Path

import pytest
from ddl_reading import lines, schema, script
from hypothesis import given
from hypothesis import strategies as st

from sqlscribe.schema.ddl import migration_order, replay, replayed
from sqlscribe.schema.ddl.migrations import without_down_parts


def check(given_: list[str], expected: list[str]) -> None:
    for paths in (given_, given_[::-1], sorted(given_)):
        found = migration_order(Path(path) for path in paths)
        assert [path.as_posix() for path in found] == expected


@pytest.mark.parametrize(
    "names",
    [
        [
            "V1__init.sql",
            "V1_1__fix.sql",
            "V1.2__more.sql",
            "V2__b.sql",
            "V10__c.sql",
            "R__views.sql",
        ],
        ["000001_init.up.sql", "000002_more.up.sql", "000010_last.up.sql"],
        ["20230101120000_a.sql", "20230101120001_b.sql", "20240101000000_c.sql"],
        ["1.sql", "2.sql", "10.sql"],
        ["schema.sql", "migrations/001.sql", "migrations/002.sql"],
        ["db/a/V1__x.sql", "db/b/V2__y.sql", "db/a/V3__z.sql"],
        ["0000_init/migration.sql", "0001_more/migration.sql", "0010_last/migration.sql"],
        ["count_down.sql", "tables.sql"],
    ],
)
def test_numbers_count_as_numbers(names: list[str]) -> None:
    check(names, names)


@pytest.mark.parametrize(
    ("names", "kept"),
    [
        (["1_a.up.sql", "1_a.down.sql"], ["1_a.up.sql"]),
        (["V1__a.sql", "U1__a.sql"], ["V1__a.sql"]),
        (["2020_x/up.sql", "2020_x/down.sql"], ["2020_x/up.sql"]),
        (["1_a_up.sql", "1_a_down.sql", "2-b.sql", "2-b-rollback.sql"], ["1_a_up.sql", "2-b.sql"]),
        (["deploy/a.sql", "revert/a.sql", "verify/a.sql"], ["deploy/a.sql"]),
        (["revert/a.sql"], ["revert/a.sql"]),
        (["001.sql", "rollback/001.sql"], ["001.sql"]),
        (["002.do.more.sql", "002.undo.more.sql"], ["002.do.more.sql"]),
    ],
)
def test_scripts_that_undo_others_are_left_out(names: list[str], kept: list[str]) -> None:
    check(names, kept)


@pytest.mark.parametrize(
    "text",
    [
        "-- migrate:up\nCREATE TABLE t (a int);\n-- migrate:down\nDROP TABLE t;",
        "-- +goose Up\nCREATE TABLE t (a int);\n\n-- +goose Down\nDROP TABLE t;",
        "-- +migrate Down\nDROP TABLE t;\n-- +migrate Up\nCREATE TABLE t (a int);",
        "# --- !Ups\nCREATE TABLE t (a int);\n# --- !Downs\nDROP TABLE t;",
        "-- Up Migration\nCREATE TABLE t (a int);\n-- Down Migration\nDROP TABLE t;",
        "-- rambler up\nCREATE TABLE t (a int);\n-- rambler down\nDROP TABLE t;",
        "CREATE TABLE t (a int);\n-- //@UNDO\nDROP TABLE t;",
        "-- +goose Up\rCREATE TABLE t (a int);\r-- +goose Down\rDROP TABLE t;",
    ],
)
def test_the_way_back_is_not_taken(text: str) -> None:
    assert lines(schema("postgres", text)) == ["t(a int)"]


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("drop_all.sql", ["t(a int)"]),
        ("schema-drop.sql", ["t(a int)"]),
        ("V2__drop.sql", []),
        ("0002_drop/up.sql", []),
    ],
)
def test_a_script_that_clears_everything_away_is_no_step(name: str, expected: list[str]) -> None:
    made = script("CREATE TABLE t (a int);", "postgres", "create.sql")
    gone = script("DROP TABLE IF EXISTS t;", "postgres", name)
    assert lines(replay([made, gone])) == expected


def test_a_script_that_makes_its_tables_anew_counts() -> None:
    made = script("CREATE TABLE t (a int);", "postgres", "create.sql")
    anew = script("DROP TABLE t; CREATE TABLE t (b int);", "postgres", "reset.sql")
    assert lines(replay([made, anew])) == ["t(b int)"]


def test_other_remarks_do_not_hide_statements() -> None:
    text = "-- down below\nCREATE TABLE a (x int);\n-- Shut down.\nCREATE TABLE b (x int);"
    assert lines(schema("postgres", text)) == ["a(x int)", "b(x int)"]


@given(st.lists(st.sampled_from(["-- migrate:down", "-- +goose Up", "x", "\r\n", "\n", "ünï"])))
def test_offsets_and_line_ends_stay(pieces: list[str]) -> None:
    text = "".join(pieces)
    kept = without_down_parts(text)
    assert len(kept) == len(text)
    assert [i for i, c in enumerate(kept) if c in "\r\n"] == [
        i for i, c in enumerate(text) if c in "\r\n"
    ]


def test_an_earlier_state_of_a_reworked_change_comes_before_it() -> None:
    check(
        ["deploy/users.sql", "deploy/users@v2.sql", "deploy/users@v10.sql", "deploy/a.sql"],
        ["deploy/a.sql", "deploy/users@v2.sql", "deploy/users@v10.sql", "deploy/users.sql"],
    )


@pytest.mark.parametrize(
    ("names", "told"),
    [
        (["db/schema.sql", "db/migrations/001_t.sql"], False),
        (["structure.sql", "migrate/20240101_t.sql"], False),
        (["V1__t.sql", "B2__t.sql"], False),
        (["001_t.sql", "002_t.sql"], True),
        (["a.sql", "b.sql"], True),
    ],
)
def test_a_dump_beside_a_history_is_no_second_definition(names: list[str], told: bool) -> None:
    found = replayed(script("CREATE TABLE t (x int)", "postgres", name) for name in names)
    assert lines(found.schema) == ["t(x int)"]
    assert bool(found.findings) is told
