"""Answers that know where they came from: hints, and what can be done about them."""

from __future__ import annotations

import datetime

import pytest
from lsprotocol import types

from desk import FILES, SQL, Desk
from shop import write

ACCEPT = "Accept as is"
OTHER = "CREATE TABLE customers (full_name text);\n"


async def generate(desk: Desk) -> None:
    desk.open("-- ask: all names\n")
    desk.apply((await desk.resolved("Generate SQL")).edit)


async def change_schema(desk: Desk, ddl: str = OTHER) -> None:
    write(desk.root, {"db.sql": ddl})
    await desk.load()


async def hints(desk: Desk) -> list[types.Diagnostic]:
    desk.server.diagnostics.schedule()
    await desk.server.settled()
    last: list[types.Diagnostic] = []
    for params in desk.server.published:
        if params.uri == desk.uri:
            last = list(params.diagnostics)
    return [each for each in last if each.code == "ask/stale"]


async def test_a_changed_table_is_named_on_the_question(desk: Desk) -> None:
    await generate(desk)
    assert await hints(desk) == []
    await change_schema(desk)
    [hint] = await hints(desk)
    assert hint.message == "the answer may be out of date: customers changed"
    assert hint.severity == types.DiagnosticSeverity.Hint
    assert hint.range.start == types.Position(0, 0)

    again, accept = [
        action
        for action in await desk.actions(only=["quickfix"], diagnostics=[hint])
        if action.diagnostics == [hint]
    ]
    assert (again.title, accept.title) == ("Regenerate SQL: customers changed", ACCEPT)
    assert again.is_preferred is accept.is_preferred is None
    assert accept.command is not None


async def test_what_is_accepted_is_quiet_from_then_on(desk: Desk) -> None:
    await generate(desk)
    await change_schema(desk)
    assert len(await hints(desk)) == 1
    await desk.command(await desk.action(ACCEPT))
    assert await hints(desk) == []
    assert desk.server.applied == []
    assert ACCEPT not in await desk.titles()


async def test_what_is_accepted_stays_so_until_something_changes_again(desk: Desk) -> None:
    await generate(desk)
    await change_schema(desk)
    await desk.command(await desk.action(ACCEPT))
    text = desk.text

    again = Desk(desk.root)
    again.path = desk.root / "reports" / "renamed.sql"
    await again.load()
    again.open(f"-- a note\nSELECT 1;\n\n{text}")
    assert await hints(again) == []
    again.apply((await again.resolved("Format SQL", 4)).edit)
    assert await hints(again) == []
    await change_schema(again, OTHER.replace("full_name text", "full_name text, x int"))
    [hint] = await hints(again)
    assert hint.range.start == types.Position(3, 0)
    await again.command(await again.action(ACCEPT, 3))
    assert await hints(again) == []


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"rules.md": "Names are in full.\n"}, ["the rules changed"]),
        ({"training/all.sql": f"-- ask: all names\n{SQL} ORDER BY 1;\n"}, ["1 example of its"]),
        ({"prompts/ask/user.j2": "x"}, []),
        ({"training/more.sql": "-- ask: some names\nSELECT full_name AS n FROM customers;\n"}, []),
    ],
)
async def test_a_verified_answer_is_as_good_as_its_example(
    desk: Desk, changed: dict[str, str], said: list[str]
) -> None:
    """The prompt that it did not need is no part of it."""
    more = "-- ask: some names\nSELECT full_name FROM customers;\n"
    write(desk.root, {"training/more.sql": more})
    await generate(desk)
    write(desk.root, changed)
    await desk.load()
    found = [hint.message for hint in await hints(desk)]
    assert len(found) == len(said)
    assert all(words in message for words, message in zip(said, found, strict=True))


async def test_a_new_answer_ends_it_too(desk: Desk) -> None:
    write(desk.root, {"training/more.sql": "-- ask: all ids\nSELECT customer_id FROM customers;\n"})
    await generate(desk)
    await change_schema(desk, OTHER.replace("full_name text", "full_name text, x int"))
    assert len(await hints(desk)) == 1
    desk.apply((await desk.resolved("Regenerate SQL: ")).edit)
    assert await hints(desk) == []


async def test_a_stamp_carries_the_origin_to_other_machines(desk: Desk) -> None:
    write(desk.root, {"sqlscribe.toml": f"stamp = true\n{FILES['sqlscribe.toml']}"})
    await generate(desk)
    question, sql, stamp = desk.text.splitlines()
    assert (question, sql) == ("-- ask: all names", f"{SQL};")
    today = datetime.date.today().isoformat()
    assert stamp.startswith(f"-- sqlscribe: at={today} model=verified question=")
    for kept in (desk.root / ".sqlscribe" / "origins").iterdir():
        kept.unlink()
    assert await hints(desk) == []
    await change_schema(desk)
    assert len(await hints(desk)) == 1

    await desk.command(await desk.action(ACCEPT))
    [edit] = desk.server.applied
    desk.apply(edit)
    question, sql, accepted = desk.text.splitlines()
    assert (question, sql) == ("-- ask: all names", f"{SQL};")
    assert accepted != stamp
    assert await hints(desk) == []


async def test_another_answer_takes_the_place_of_the_old_stamp(desk: Desk) -> None:
    write(desk.root, {"sqlscribe.toml": f"stamp = true\n{FILES['sqlscribe.toml']}"})
    await generate(desk)
    before = desk.text
    desk.apply((await desk.resolved("Regenerate SQL")).edit)
    assert desk.text == before
    write(desk.root, {"sqlscribe.toml": FILES["sqlscribe.toml"]})
    desk.apply((await desk.resolved("Regenerate SQL")).edit)
    assert desk.text == f"-- ask: all names\n{SQL};\n"


async def test_nothing_is_accepted_where_nothing_is_known(desk: Desk) -> None:
    desk.open("-- ask: all names\nSELECT 7;\n")
    assert ACCEPT not in await desk.titles()
    await desk.run("accept", {"uri": desk.uri, "position": {"line": 0, "character": 0}})
    assert "nothing is known" in desk.server.said[0]


@pytest.mark.parametrize("where", ["question", "answer"])
async def test_both_places_offer_the_cure(desk: Desk, where: str) -> None:
    await generate(desk)
    await change_schema(desk)
    assert ACCEPT in await desk.titles(0 if where == "question" else 1)


@pytest.mark.parametrize("stamp", [True, False])
async def test_our_own_formatting_is_no_edit(desk: Desk, stamp: bool) -> None:
    configuration = FILES["sqlscribe.toml"]
    example = "-- ask: all names\nselect c.full_name::text from customers c;\n"
    files = {"sqlscribe.toml": f"stamp = {str(stamp).lower()}\n{configuration}"}
    write(desk.root, {**files, "training/all.sql": example})
    await generate(desk)
    found = await desk.resolved("Format SQL", 1)
    desk.apply(found.edit)
    assert "CAST(c.full_name AS TEXT)\nFROM customers AS c;" in desk.text
    session = desk.server.session
    script = session.script(session.documents[desk.uri])
    loaded = await session.load(desk.root)
    standing = session.origins(desk.root).standing(script, script.questions[0], loaded)
    assert standing.record is not None
    assert (standing.edited, standing.stamped, standing.changes) == (False, stamp, ())
