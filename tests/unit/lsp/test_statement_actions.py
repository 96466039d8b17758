"""What is offered on a statement, and what comes of it."""

from __future__ import annotations

from typing import Any

import pytest
from lsprotocol import types

from desk import Desk
from sqlscribe.answer import Answer
from sqlscribe.lsp import commands, targets
from sqlscribe.notation.document import Span
from sqlscribe.notation.findings import Finding, Severity
from sqlscribe.sql_prose import Told

QUERY = "select full_name from customers limit 3;\n"


@pytest.fixture(autouse=True)
async def loaded(desk: Desk) -> None:
    await desk.load()
    desk.can(disabled_support=True)


def diagnostic(
    message: str,
    source: str | None = "other",
    severity: int | None = 1,
    code: str | None = None,
    line: int = 0,
) -> types.Diagnostic:
    start = types.Position(line, 0)
    level = types.DiagnosticSeverity(severity) if severity is not None else None
    return types.Diagnostic(
        types.Range(start, start), message, source=source, severity=level, code=code
    )


async def test_what_is_offered_on_a_query(desk: Desk) -> None:
    desk.open(QUERY)
    assert await desk.titles() == [
        "Explain SQL",
        "Write its question",
        "Format SQL",
        "Convert to mysql",
        "Convert to sqlite",
        "Convert to duckdb",
        "Convert to bigquery",
        "Convert to snowflake",
        "Convert to tsql",
    ]
    desk.open("-- dialect: oracle\n" + QUERY)
    assert (await desk.titles(1))[3] == "Convert to postgres"


async def test_a_statement_with_its_question_gets_no_other(desk: Desk) -> None:
    desk.open("-- ask: three names\n" + QUERY)
    titles = await desk.titles(1)
    assert "Write its question" not in titles
    assert {"Regenerate SQL", "Explain SQL"} <= set(titles)


@pytest.mark.parametrize(
    ("found", "titles"),
    [
        ([diagnostic("no such table")], 1),
        ([diagnostic("no such table", "sqlscribe")], 0),
        ([diagnostic("no such table", None, code="name/unknown-table")], 0),
        ([diagnostic("no such table", None, code="42P01")], 1),
        ([diagnostic("no such table", None)], 1),
        ([diagnostic("write it in capitals", severity=4)], 0),
        ([diagnostic("no such table", severity=None)], 1),
        ([diagnostic(f"error {number}") for number in range(9)], 3),
    ],
)
async def test_errors_of_other_servers_are_repaired(
    desk: Desk, found: list[types.Diagnostic], titles: int
) -> None:
    desk.open(QUERY)
    offered = await desk.actions(diagnostics=found, only=["quickfix"])
    several = [f": {each.message}" for each in found] if titles > 1 else [""]
    assert [action.title for action in offered] == [
        f"Repair SQL from error{what}" for what in several[:titles]
    ]
    assert all(action.diagnostics == [found[n]] for n, action in enumerate(offered))


@pytest.mark.parametrize(
    ("at", "line", "repaired"),
    [
        (0, 0, "SELECT 1"),
        (0, 1, "SELECT nme\nFROM customers"),
        (0, 2, "SELECT nme\nFROM customers"),
        (2, 0, "SELECT 1"),
        (1, 3, None),
        (3, 1, "SELECT nme\nFROM customers"),
        (3, 3, None),
        (1, 6, "SELECT nme\nFROM customers"),
    ],
    ids=[
        "the one with the cursor",
        "another one of those selected",
        "its second line",
        "one above",
        "no query",
        "a query, from a statement that is none",
        "no query at all",
        "behind the end of the file",
    ],
)
async def test_an_error_is_of_the_statement_where_it_stands(
    desk: Desk, at: int, line: int, repaired: str | None
) -> None:
    desk.open("SELECT 1;\nSELECT nme\nFROM customers;\nDROP TABLE customers;\n\n\n")
    offered = await desk.actions(at, ["quickfix"], diagnostics=[diagnostic("wrong", line=line)])
    script = desk.server.session.script(desk.server.session.documents[desk.uri])
    found = [
        spot.sql
        for action in offered
        if (spot := targets.spot_of(desk.server, script, action.data)) is not None
    ]
    assert found == ([] if repaired is None else [repaired])


async def test_what_was_found_here_is_known_though_the_editor_names_no_source(desk: Desk) -> None:
    document = desk.open("SELECT nme FROM customers;\n")
    finding = Finding("name/unknown-column", Severity.ERROR, "unknown column nme", Span(7, 10))
    desk.server.diagnostics.findings[desk.uri] = (document, (finding,))
    titles = [
        each.title for each in await desk.actions(diagnostics=[diagnostic(finding.message, None)])
    ]
    assert "Repair SQL from error" not in titles


async def test_a_repaired_statement_stays_where_it_is(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[Any] = []

    async def answer(request: Any, *_: object, **__: object) -> Answer:
        asked.append(request)
        return Answer("sql", sql="SELECT\n  1", source="model", model="m")

    monkeypatch.setattr("sqlscribe.answer.answer", answer)
    desk.open(f"SELECT 0;\n-- ask: three names\n  {QUERY}\n")
    action = await desk.action("Repair SQL", 2, diagnostics=[diagnostic("no such column", line=2)])
    desk.open("\n" + desk.text)
    found = await commands.resolve(desk.server, action)
    assert desk.apply(found.edit) == "\nSELECT 0;\n-- ask: three names\n  SELECT\n    1;\n\n"
    [request] = asked
    assert (request.task, request.error, request.question) == (
        "repair",
        "no such column",
        "three names",
    )
    desk.open("SELECT 0;\n")
    assert (await commands.resolve(desk.server, action)).edit is None


async def test_a_statement_is_formatted_and_converted(desk: Desk) -> None:
    desk.open(QUERY)
    found = await desk.resolved("Format SQL")
    assert desk.apply(found.edit) == "SELECT\n  full_name\nFROM customers\nLIMIT 3;\n"
    found = await desk.resolved("Convert to tsql")
    assert desk.apply(found.edit).startswith("-- dialect: tsql\nSELECT\nTOP 3\n")


async def test_what_cannot_be_done_says_why(desk: Desk) -> None:
    desk.open("select full_name from customers for update;\n")
    action = await desk.action("Convert to tsql")
    if action.disabled is None:  # There was no time left to look.
        assert (await commands.resolve(desk.server, action)).edit is None
        assert "FOR UPDATE" in desk.server.said[0]
        action = await desk.action("Convert to tsql")
    assert action.disabled is not None
    assert "FOR UPDATE" in action.disabled.reason
    assert (action.data, action.command, action.edit) == (None, None, None)
    desk.can(disabled_support=None)
    assert "Convert to tsql" not in await desk.titles()


async def test_a_moving_cursor_has_nothing_written_anew(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    def made(*_: object) -> None:
        raise AssertionError("there is no time for that")

    monkeypatch.setattr(desk.server.rewrites, "made", made)
    desk.open(QUERY)
    automatic = types.CodeActionTriggerKind.Automatic
    assert any(a.title == "Format SQL" for a in await desk.actions(trigger_kind=automatic))


@pytest.mark.parametrize(
    ("title", "words", "after"),
    [
        ("Explain SQL", "Three names.", f"/* Explanation: Three names. */\n{QUERY}"),
        ("Write its question", "Which names?", f"-- ask: Which names?\n{QUERY}"),
    ],
)
async def test_words_of_the_model_become_a_comment(
    desk: Desk, monkeypatch: pytest.MonkeyPatch, title: str, words: str, after: str
) -> None:
    async def tell(*_: object) -> Told:
        # Somebody types while the model is asked.
        desk.open("select 1;\n\n" + QUERY)
        return Told(words)

    monkeypatch.setattr("sqlscribe.sql_prose.tell", tell)
    desk.open(QUERY)
    found = await desk.resolved(title)
    assert desk.apply(found.edit) == f"select 1;\n\n{after}"


async def test_words_without_a_model_are_not_to_be_had(desk: Desk) -> None:
    desk.open(QUERY)
    assert (await desk.resolved("Explain SQL")).edit is None
    assert "none is set" in desk.server.said[0]


@pytest.mark.parametrize("to", [None, "cobol", 7])
async def test_a_command_without_a_dialect_asks_for_it(desk: Desk, to: object) -> None:
    desk.open(QUERY)
    await desk.run("convert", {"uri": desk.uri, "position": {"line": 0, "character": 1}, "to": to})
    assert "which dialect" in desk.server.said[0]


async def test_a_refinement_is_written_under_the_answer(desk: Desk) -> None:
    stamped = "-- sqlscribe: at=2026-01-31 sql=0 question=0"
    desk.open(f"  -- ask: names\n  SELECT 1; -- r\n  {stamped}\n")
    action = await desk.action("Write a refinement")
    assert action.data is None
    after = f"  -- ask: names\n  SELECT 1; -- r\n  {stamped}\n  -- refine: \n"
    assert desk.apply(action.edit) == after
