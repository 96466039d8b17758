"""Code lenses: listed from the text, resolved when they are shown."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
from lsprotocol import types
from pygls.protocol import default_converter

from desk import SQL, Desk
from shop import write
from sqlscribe.answer import Answer
from sqlscribe.lsp import answers, lenses
from sqlscribe.notation.document import Document
from sqlscribe.notation.findings import Finding

ANSWERED = f"-- ask: all names\n{SQL};\n"


async def listed(desk: Desk) -> list[types.CodeLens]:
    identifier = types.TextDocumentIdentifier(desk.uri)
    found = await lenses.code_lens(desk.server, types.CodeLensParams(identifier))
    return default_converter().structure(json.loads(found), list[types.CodeLens])


async def shown(desk: Desk) -> list[tuple[int, str, str]]:
    """Line, title and command of every lens, resolved."""
    found = [await lenses.resolve(desk.server, lens) for lens in await listed(desk)]
    return [
        (lens.range.start.line, lens.command.title, lens.command.command)
        for lens in found
        if lens.command is not None
    ]


@pytest.mark.parametrize(
    ("text", "titles"),
    [
        ("-- ask: all names\n", ["Generate", "Preview prompt"]),
        (ANSWERED, ["checked · verified", "Preview prompt", "Save example"]),
        (
            "-- ask: ids\nSELECT customer_id FROM customers;\n",
            ["checked", "Preview prompt", "Save example"],
        ),
        (
            "-- ask: ids\nSELECT custmer_id, nme FROM customers;\n",
            ["2 findings", "Preview prompt", "Save example"],
        ),
        (
            "-- ask: ids\nSELECT custmer_id FROM customers;\n\nSELECT nme FROM customers;\n",
            ["1 finding", "Preview prompt", "Save example"],
        ),
        ("SELECT 1;\n-- refine: more\n", ["Refine", "Preview prompt"]),
        ("SELECT 1;\n-- error: no\n", ["Repair", "Preview prompt"]),
        ("SELECT 1;\n", []),
    ],
)
async def test_what_stands_over_a_question(desk: Desk, text: str, titles: list[str]) -> None:
    desk.open(text)
    assert [title for _, title, _ in await shown(desk)] == titles


async def test_lenses_stand_over_their_questions_and_are_empty_until_they_are_shown(
    desk: Desk,
) -> None:
    desk.open(f"SELECT 1;\n\n-- ask: a\n-- and b\n\n{ANSWERED}")
    found = await listed(desk)
    assert [lens.range.start.line for lens in found] == [2, 2, 5, 5, 5]
    assert all(lens.command is None for lens in found)


async def test_commands_carry_what_they_are_about(desk: Desk) -> None:
    desk.open("-- ask: all names\n")
    generate, _ = [await lenses.resolve(desk.server, lens) for lens in await listed(desk)]
    desk.server.client_capabilities = types.ClientCapabilities()
    await desk.command(generate)
    assert len(desk.server.applied) == 1


async def test_a_lens_of_a_text_that_changed_has_nothing_to_say(desk: Desk) -> None:
    desk.open(ANSWERED)
    found = await listed(desk)
    desk.open("-- ask: all names of Lyon\n")
    for lens in [*found, types.CodeLens(found[0].range, data=None)]:
        resolved = await lenses.resolve(desk.server, lens)
        assert resolved.command == types.Command("", "")


async def test_a_lens_of_a_closed_document_is_none_of_what_is_opened_later(desk: Desk) -> None:
    desk.open(ANSWERED)
    before = await listed(desk)
    desk.server.inspections.closed(desk.uri)
    assert {lens.data for lens in await listed(desk)}.isdisjoint(lens.data for lens in before)
    assert (await lenses.resolve(desk.server, before[0])).command == types.Command("", "")


async def test_an_example_tells_who_verified_it(desk: Desk) -> None:
    text = f"{ANSWERED}-- sqlscribe: verified_by=Ada verified_at=2026-01-31\n"
    write(desk.root, {"training/all.sql": text})
    desk.open(ANSWERED)
    assert (await shown(desk))[0] == (0, "checked · verified by Ada", "")


async def test_a_stale_answer_says_what_changed_and_offers_a_new_one(desk: Desk) -> None:
    desk.open("-- ask: all names\n")
    desk.apply((await desk.resolved("Generate SQL")).edit)
    assert (await shown(desk))[0][1] == "checked · verified"
    write(desk.root, {"db.sql": "CREATE TABLE customers (full_name text);\n"})
    await desk.load()
    assert (await shown(desk))[0] == (0, "stale: customers changed", "sqlscribe.answer")


async def test_edited_sql_is_called_so(desk: Desk) -> None:
    desk.open("-- ask: all names\n")
    desk.apply((await desk.resolved("Generate SQL")).edit)
    desk.open(desk.text.replace("full_name", "customer_id"))
    assert (await shown(desk))[0][1] == "checked · edited"


async def test_who_types_below_an_answer_has_its_lens_at_once(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[str] = []
    inspect = lenses.Inspections._inspect

    async def counted(self: lenses.Inspections, document: Document) -> tuple[Finding, ...]:
        made.append(document.text)
        return await inspect(self, document)

    monkeypatch.setattr(lenses.Inspections, "_inspect", counted)
    text = "-- ask: ids\nSELECT custmer_id FROM customers;\n"
    desk.open(text)
    await desk.server.diagnostics.report(desk.uri)
    for below, title, times in (
        (f"{text}SELECT nme FROM customers;\n", "1 finding", 0),
        (text.replace("custmer_id", "customer_id"), "checked", 1),
        (f"CREATE TABLE customers (custmer_id int);\n{text}", "checked", 2),
        (text.removesuffix(";\n"), "1 finding", 3),
    ):
        desk.open(below)
        assert (await shown(desk))[0][1] == title
        assert len(made) == times


async def test_while_it_is_answered_the_stage_is_shown(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    gate = asyncio.Event()

    async def answer(*_: object, report: Any, **__: object) -> Answer:
        report("asking m")
        await gate.wait()
        return Answer("sql", sql="SELECT 1", source="model", model="m")

    monkeypatch.setattr("sqlscribe.answer.answer", answer)
    await desk.load()
    document = desk.open("-- ask: all names\n")
    [question] = desk.server.session.script(document).questions
    wanted = answers.Wanted(document, question)
    running = asyncio.ensure_future(answers.run(desk.server, wanted))
    while desk.server.queue.stage(wanted.key) != "asking m":
        await asyncio.sleep(0.001)
    assert (await shown(desk))[0] == (0, "answering: asking m …", "")
    gate.set()
    assert (await running).sql == "SELECT 1"
    assert (await shown(desk))[0][1] == "Generate"


async def test_one_look_serves_all_lenses(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    from sqlscribe.inspection import Inspector

    looks = []
    inspect = Inspector.inspect
    monkeypatch.setattr(
        Inspector, "inspect", lambda self, *given: looks.append(1) or inspect(self, *given)
    )
    desk.open("".join(f"-- ask: question {n}\nSELECT {n};\n\n" for n in range(30)))
    found = await listed(desk)
    await asyncio.gather(*(lenses.resolve(desk.server, lens) for lens in found))
    assert len(looks) == 1
