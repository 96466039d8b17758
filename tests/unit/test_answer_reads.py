"""What an answer may read from the configured database, and what it may not."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from answering import FakeChat, fenced, snapshot
from sqlscribe.answer import prepare
from sqlscribe.answer_reads import AnswerReads
from sqlscribe.errors import DatabaseError
from sqlscribe.knowledge.profiles import Profile
from sqlscribe.prompting.context import Limits, Request
from sqlscribe.schema.database import read_schema
from sqlscribe.schema.model import Schema
from sqlscribe.settings import DatabaseSettings, PrivacySettings, Settings, database_url

URL = "sqlite:///shop.db"


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    with closing(sqlite3.connect(tmp_path / "shop.db")) as connection, connection:
        connection.executescript(
            "CREATE TABLE orders (id INTEGER PRIMARY KEY, region TEXT, city TEXT, email TEXT,"
            " secret TEXT, total REAL, day DATE);"
            "CREATE TABLE tags (id INTEGER PRIMARY KEY, tag TEXT);"
            "INSERT INTO tags VALUES (1, 'red')"
        )
        connection.executemany(
            "INSERT INTO orders VALUES (?, ?, ?, ?, ?, ?, ?)",
            [
                (n, ("East China", "North")[n % 2], f"City {n:03}", f"a{n}@b.example", "s3", n,
                 f"2024-01-{1 + n % 28:02}")
                for n in range(90)
            ],
        )  # fmt: skip
    return tmp_path


def schema_of(shop: Path) -> Schema:
    return read_schema(URL, root=shop).schema


def url_of(database: DatabaseSettings) -> str:
    return database_url(database, {})


def settings(values: str = "samples", run: bool = False, url: str = URL) -> Settings:
    return Settings(
        database=DatabaseSettings(url=url, run_queries=run),
        privacy=PrivacySettings(values=values, mask=("*.secret",)),  # type: ignore[arg-type]
    )


def samples(shop: Path, reads: AnswerReads, *names: str) -> dict[str, Profile]:
    allowed = reads.allowed(settings(), "sqlite", url_of)
    assert allowed["samples"] is not None
    tables = [table for table in schema_of(shop).tables if table.name in names]
    return {f"{p.table}.{p.column}": p for p in allowed["samples"](tables)}


def test_few_values_are_given_whole_and_many_by_three(shop: Path) -> None:
    found = samples(shop, AnswerReads(shop), "orders")
    # No key, nothing masked, no personal data, and no range of numbers.
    assert sorted(found) == ["orders.city", "orders.day", "orders.region"]
    region, city, day = (found[f"orders.{name}"] for name in ("region", "city", "day"))
    assert (region.values, region.partial) == (("East China", "North"), False)
    assert (city.values, city.partial) == (("City 000", "City 001", "City 002"), True)
    assert (day.minimum, day.maximum) == ("2024-01-01", "2024-01-28")


def test_a_table_is_read_once_and_only_when_it_is_wanted(shop: Path) -> None:
    reads = AnswerReads(shop)
    assert set(samples(shop, reads, "tags")) == {"tags.tag"}
    with closing(sqlite3.connect(shop / "shop.db")) as connection, connection:
        connection.execute("UPDATE tags SET tag = 'blue'")
        connection.execute("UPDATE orders SET region = 'South'")
    found = samples(shop, reads, "orders", "tags")
    assert (found["tags.tag"].values, found["orders.region"].values) == (("red",), ("South",))


def test_a_table_of_another_form_is_read_again_and_its_old_one_is_let_go(shop: Path) -> None:
    reads = AnswerReads(shop)
    samples(shop, reads, "tags")
    with closing(sqlite3.connect(shop / "shop.db")) as connection, connection:
        connection.execute("ALTER TABLE tags ADD COLUMN shade TEXT DEFAULT 'dark'")
    assert set(samples(shop, reads, "tags")) == {"tags.tag", "tags.shade"}
    with closing(sqlite3.connect(shop / "shop.db")) as connection, connection:
        connection.execute("ALTER TABLE tags DROP COLUMN shade")
        connection.execute("UPDATE tags SET tag = 'blue'")
    assert samples(shop, reads, "tags")["tags.tag"].values == ("blue",)


@pytest.mark.parametrize(
    ("made", "run", "samples", "rows"),
    [
        (settings("none"), False, False, False),
        (settings("profiles"), False, False, False),
        (settings("samples"), False, True, True),
        (settings("none", run=True), True, False, False),
        (settings("samples", run=True), True, True, True),
        (settings("samples", run=True, url=""), False, False, True),
        (settings("samples", run=True, url="sqlite:///${NOT_SET}"), False, False, True),
    ],
)
def test_each_setting_allows_one_thing(
    made: Settings, run: bool, samples: bool, rows: bool, tmp_path: Path
) -> None:
    allowed = AnswerReads(tmp_path).allowed(made, "sqlite", url_of)
    assert (allowed["run"] is not None, allowed["samples"] is not None) == (run, samples)
    assert (allowed["send_rows"], allowed["masks"]) == (rows, ("*.secret",))


def test_queries_are_run_for_their_rows_and_nothing_else(shop: Path) -> None:
    run = AnswerReads(shop).allowed(settings(run=True), "sqlite", url_of)["run"]
    assert run is not None
    got = run("SELECT id FROM orders ORDER BY id", 2)
    assert (got.rows, got.truncated) == (((0,), (1,)), True)
    with pytest.raises(DatabaseError):
        run("DELETE FROM orders", 2)


def test_a_database_that_is_away_is_a_remark_and_is_left_alone_for_a_while(tmp_path: Path) -> None:
    reads = AnswerReads(tmp_path)
    allowed = reads.allowed(settings(url="sqlite:///none.db"), "sqlite", url_of)
    assert allowed["samples"] is not None
    table = snapshot().schema.tables[0]
    assert allowed["samples"]([table]) == ()
    assert "none.db" in reads.remark


def test_values_that_were_read_are_in_the_prompt_and_match_the_question(shop: Path) -> None:
    schema = schema_of(shop)
    allowed = AnswerReads(shop).allowed(settings(), "sqlite", url_of)
    kept = Profile("orders", "region", ("kept in git",))
    made = snapshot(
        FakeChat(fenced("x")),
        schema=schema,
        dialect="sqlite",
        profiles=(kept,),
        send_profiles=True,
        **allowed,
    )
    prompt = prepare(Request("orders in city 001"), made)
    text = "\n".join(message.content for message in prompt.messages)
    assert "'City 000', 'City 001', 'City 002'" in text
    assert "orders.city has 'City 001'" in text
    # What the team keeps counts before what is read now.
    assert "'kept in git'" in text
    assert "East China" not in text
    assert prompt.values_sent["orders.city"] == ["City 000", "City 001", "City 002"]
    assert "s3" not in text


def test_values_find_only_so_much_room(shop: Path) -> None:
    allowed = AnswerReads(shop).allowed(settings(), "sqlite", url_of)
    made = snapshot(schema=schema_of(shop), dialect="sqlite", limits=Limits(120, 30_000), **allowed)
    prompt = prepare(Request("orders", mentions=("orders",)), made)
    assert any(left.kind == "values" for left in prompt.context.left_out)
