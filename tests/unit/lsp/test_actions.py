"""Code actions and the answers they lead to, on a server without a wire."""

from __future__ import annotations

import pytest
from lsprotocol import types

from desk import SQL, Desk, inserted
from sqlscribe.answer import Answer
from sqlscribe.lsp import actions, answers, commands, hover, targets
from sqlscribe.notation.document import Span, TextEdit
from sqlscribe.notation.findings import Finding, Fix, Severity


@pytest.mark.parametrize(
    ("text", "line", "titles"),
    [
        ("-- ask: all names\n", 0, ["Generate SQL", "Preview prompt"]),
        (
            "-- ask: all names\nSELECT 1;\n",
            0,
            ["Regenerate SQL", "Preview prompt", "Save as verified example", "Write a refinement"],
        ),
        (
            "-- ask: all names\nSELECT 1;\n",
            1,
            ["Regenerate SQL", "Preview prompt", "Save as verified example", "Write a refinement"],
        ),
        (
            "-- ask: all names\nSELECT 1;\n-- refine: by city\n",
            2,
            ["Refine SQL", "Preview prompt"],
        ),
        (
            "SELECT 1;\n-- error: no such table\n",
            1,
            ["Repair SQL from error", "Preview prompt"],
        ),
        ("-- ask: all names\n\nSELECT 1;\n", 2, []),
        ("SELECT 1;\n", 0, []),
    ],
)
async def test_what_is_offered_where_nothing_was_read_yet(
    desk: Desk, text: str, line: int, titles: list[str]
) -> None:
    desk.open(text)
    assert await desk.titles(line) == titles


async def test_of_several_questions_that_are_selected_each_action_names_its_own(desk: Desk) -> None:
    desk.open("-- ask: all names\n\n-- ask: all cities\nSELECT 1;\n")
    range_ = types.Range(types.Position(0, 0), types.Position(3, 0))
    context = types.CodeActionContext([], only=["refactor.rewrite"])
    params = types.CodeActionParams(types.TextDocumentIdentifier(desk.uri), range_, context)
    offered = await actions.code_actions(desk.server, params)
    assert [action.title for action in offered][:3] == [
        "Generate SQL: all names",
        "Preview prompt: all names",
        "Regenerate SQL: all cities",
    ]
    params.range.end = types.Position(1, 0)
    alone = await actions.code_actions(desk.server, params)
    assert [action.title for action in alone] == ["Generate SQL", "Preview prompt"]


@pytest.mark.parametrize(
    ("only", "title"),
    [
        (["refactor"], "Generate SQL"),
        (["refactor.rewrite"], "Generate SQL"),
        ([""], "Generate SQL"),
        (["quickfix"], None),
        (["refac"], None),
    ],
)
async def test_only_the_kinds_that_are_asked_for(
    desk: Desk, only: list[str], title: str | None
) -> None:
    desk.open("-- ask: all names\n")
    assert next(iter(await desk.titles(only=only)), None) == title


async def test_nothing_is_offered_in_a_document_that_is_not_open(desk: Desk) -> None:
    assert await desk.titles() == []


async def test_an_action_is_resolved_to_an_edit_of_this_version(desk: Desk) -> None:
    desk.open("-- ask: all names\n")
    found = await desk.resolved("Generate SQL")
    assert inserted(found.edit) == f"{SQL};"
    assert found.data["answer"]["outcome"] == "sql"


async def test_a_quick_fix_that_is_resolved_stays_as_it_is(desk: Desk) -> None:
    fix = types.CodeAction("Change to x", edit=types.WorkspaceEdit(document_changes=[]))
    assert await actions.resolve(desk.server, fix) is fix
    assert desk.server.said == []


async def test_an_answer_for_a_question_that_changed_is_kept_for_it(desk: Desk) -> None:
    asked = desk.open("-- ask: all names\n")
    action = await desk.action("Generate SQL")
    desk.open("-- ask: all names of Lyon\n")
    assert (await actions.resolve(desk.server, action)).edit is None
    assert answers.CHANGED in desk.server.said[0]

    [question] = desk.server.session.script(asked).questions
    wanted = answers.Wanted(asked, question)
    assert await answers.place(desk.server, wanted, SQL) is None
    desk.open("-- ask: all names\n")
    stored, generate, _ = await desk.actions()
    assert (stored.title, generate.title) == ("Use stored answer", "Generate SQL")
    assert inserted((await actions.resolve(desk.server, stored)).edit) == f"{SQL};"
    assert "Use stored answer" not in await desk.titles()


async def test_not_too_many_answers_are_kept(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(answers, "_KEPT", 2)
    document = desk.open("".join(f"-- ask: question {number}\n\n" for number in range(4)))
    questions = desk.server.session.script(document).questions
    desk.open("")
    for question in questions:
        await answers.place(desk.server, answers.Wanted(document, question), SQL)
    assert [text for _, (_, text, *_) in desk.server.unplaced] == ["question 2", "question 3"]


@pytest.mark.parametrize(
    ("above", "second"),
    [
        ("-- ask: all names\nSELECT 1;\n", "-- refine: by city\n"),
        ("SELECT 1;\n", "-- error: no such table\n"),
        ("-- ask: all names\n\n", "-- ask[as_of=2024-01-31]: all names\n"),
    ],
)
async def test_of_two_questions_in_the_same_words_an_action_means_its_own(
    desk: Desk, above: str, second: str
) -> None:
    first = second.replace("[as_of=2024-01-31]", "")
    text = f"-- ask: all cities\nSELECT 2;\n{first}\n{above}{second}"
    script = desk.server.session.script(desk.open(text))
    line = text[: text.rindex(second)].count("\n")
    action = (await desk.actions(line))[0]
    assert targets.question_of(desk.server, script, action.data) is script.questions[-1]


async def test_an_answer_is_kept_for_the_one_question_of_two_in_the_same_words(desk: Desk) -> None:
    text = "-- ask: all cities\nSELECT 2;\n-- refine: by city\n\nSELECT 1;\n-- refine: by city\n"
    document = desk.open(text)
    second = desk.server.session.script(document).questions[-1]
    answers.keep(desk.server, answers.Wanted(document, second), SQL)
    assert "Use stored answer" not in await desk.titles(2)
    assert "Use stored answer" in await desk.titles(5)


async def test_the_text_that_was_asked_about_counts_though_it_changes_meanwhile(
    desk: Desk,
) -> None:
    asked = desk.open("-- ask: all names\n")
    [question] = desk.server.session.script(asked).questions
    desk.server.session.close(asked.uri)
    given = await answers.run(desk.server, answers.Wanted(asked, question))
    assert given.sql == SQL


async def test_a_model_that_is_not_configured_is_a_sentence_and_no_crash(desk: Desk) -> None:
    desk.open("-- ask[model=slow]: all names\n")
    found = await desk.resolved("Generate SQL")
    assert found.edit is None
    assert found.data["answer"]["error"] == "configuration"
    assert "no model is called 'slow'" in desk.server.said[0]
    params = types.HoverParams(types.TextDocumentIdentifier(desk.uri), types.Position(0, 5))
    shown = await hover.hover(desk.server, params)
    assert shown is not None
    assert isinstance(shown.contents, types.MarkupContent)
    assert "no model is called 'slow'" in shown.contents.value


class TestCommand:
    """Editors that cannot resolve: a command starts the work, which asks for its own edit."""

    @pytest.fixture(autouse=True)
    def old_editor(self, desk: Desk) -> None:
        desk.server.client_capabilities = types.ClientCapabilities()

    async def test_the_edit_is_asked_for(self, desk: Desk) -> None:
        desk.open("-- ask: all names\n")
        await desk.command(await desk.action("Generate SQL"))
        [edit] = desk.server.applied
        assert inserted(edit) == f"{SQL};"

    @pytest.mark.parametrize("key", ["uri", "textDocument"])
    async def test_a_position_is_enough(self, desk: Desk, key: str) -> None:
        desk.open("\n-- ask: all names\n")
        named = {"uri": desk.uri} if key == "uri" else {"textDocument": {"uri": desk.uri}}
        await desk.run("answer", {**named, "position": {"line": 1, "character": 3}})
        [edit] = desk.server.applied
        assert inserted(edit) == f"{SQL};"

    @pytest.mark.parametrize(
        "data", [None, 7, {}, {"uri": "file:///x"}, {"position": 7}, {"uri": 3, "kind": []}]
    )
    @pytest.mark.parametrize("do", commands.WORK)
    async def test_what_is_no_target_is_said(self, desk: Desk, do: str, data: object) -> None:
        desk.open("-- ask: all names\n")
        await desk.run(do, data)
        assert len(desk.server.said) == 1
        assert desk.server.applied == []

    async def test_a_position_that_is_none_is_no_place(self, desk: Desk) -> None:
        desk.open("-- ask: all names\n")
        await desk.run("answer", {"uri": desk.uri, "position": {"line": "x"}})
        assert answers.CHANGED in desk.server.said[0]

    async def test_a_question_that_is_gone_is_said(self, desk: Desk) -> None:
        desk.open("-- ask: all names\n")
        action = await desk.action("Generate SQL")
        desk.open("-- ask: something else\n")
        await desk.command(action)
        assert answers.CHANGED in desk.server.said[0]

    @pytest.mark.parametrize("takes", [False, None])
    async def test_an_edit_that_the_editor_does_not_take_is_kept(
        self, desk: Desk, takes: bool | None
    ) -> None:
        desk.server.takes_edits = takes
        desk.open("-- ask: all names\n")
        await desk.command(await desk.action("Generate SQL"))
        assert answers.CHANGED in desk.server.said[-1]
        assert "Use stored answer" in await desk.titles()


class TestChoice:
    """A question that can be read in two ways: each reading is an action that asks it."""

    @pytest.fixture(autouse=True)
    def unsure(self, monkeypatch: pytest.MonkeyPatch) -> list[str]:
        """A model that wants to know which of two dates, until the question says it."""
        asked: list[str] = []

        async def answer(request: object, *_: object, **__: object) -> Answer:
            question = str(getattr(request, "question", ""))
            asked.append(question)
            if "order date" in question:
                return Answer("sql", sql="SELECT 1", source="model", model="m")
            readings = ("by order date", "by ship date")
            return Answer("needs_choice", message="which date?", choices=readings)

        monkeypatch.setattr("sqlscribe.answer.answer", answer)
        return asked

    @pytest.mark.parametrize(
        ("text", "after"),
        [
            (
                "-- ask: sales\n",
                "-- ask: sales\n-- by order date\nSELECT 1;\n",
            ),
            (
                "  # ask: sales\n",
                "  # ask: sales\n  # by order date\n  SELECT 1;\n",
            ),
            (
                "/* ask: sales */\n",
                "/* ask: sales \nby order date */\nSELECT 1;\n",
            ),
            (
                "-- ask: sales\nSELECT 2;\n-- note\n",
                "-- ask: sales\n-- by order date\nSELECT 1;\n-- note\n",
            ),
        ],
    )
    async def test_a_reading_becomes_a_line_of_the_question_with_its_answer(
        self, desk: Desk, unsure: list[str], text: str, after: str
    ) -> None:
        desk.open("-- dialect: mysql\n" + text)
        title = "Regenerate SQL" if "SELECT" in text else "Generate SQL"
        assert (await desk.resolved(title, 1)).edit is None
        assert "by order date | by ship date" in desk.server.said[0]
        titles = await desk.titles(1)
        assert titles[1:3] == ["Ask: by order date", "Ask: by ship date"]
        desk.apply((await desk.resolved("Ask: by order date", 1)).edit)
        assert desk.text == "-- dialect: mysql\n" + after
        assert unsure[-1].split("\n")[0].strip() == "sales"

    async def test_an_answer_ends_the_choice(self, desk: Desk, unsure: list[str]) -> None:
        desk.open("-- ask: sales\n")
        await desk.resolved("Generate SQL")
        desk.open("-- ask: sales\n-- by order date\n")
        assert not any(title.startswith("Ask: ") for title in await desk.titles())


class TestFixes:
    """Quick fixes of findings: one, all of a code, all of the file."""

    def found(self, desk: Desk, *words: tuple[str, str]) -> None:
        """Findings on words of the text, each with a sure fix."""
        document = desk.server.session.documents[desk.uri]
        findings = []
        for code, word in words:
            span = Span(document.text.index(word), document.text.index(word) + len(word))
            fix = Fix(f"Change {word}", (TextEdit(span, word.upper()),), True)
            findings.append(Finding(code, Severity.ERROR, f"{word} is wrong", span, (fix,)))
        desk.server.diagnostics.findings[desk.uri] = (document, tuple(findings))

    async def test_one_and_all_of_a_kind_and_all_of_the_file(self, desk: Desk) -> None:
        desk.open("SELECT aa, bb,\n cc FROM t\n")
        self.found(desk, ("name/x", "aa"), ("name/x", "bb"), ("name/y", "cc"))
        found = [each for each in await desk.actions(0, diagnostics=[]) if "hange" in each.title]
        assert found == []  # The cursor stands on the first word of the line.
        desk.open("aa, bb,\n cc FROM t\n")
        self.found(desk, ("name/x", "aa"), ("name/x", "bb"), ("name/y", "cc"))
        titles = await desk.titles(0)
        assert titles[:3] == ["Change bb", "Fix all name/x in this file", "Fix all in this file"]
        kind = await desk.action("Fix all name/x")
        assert kind.kind == types.CodeActionKind.QuickFix
        assert desk.apply(kind.edit) == "AA, BB,\n cc FROM t\n"

    async def test_everything_is_fixed_where_the_editor_asks_for_that(self, desk: Desk) -> None:
        desk.open("aa, bb,\n cc FROM t\n\n\n")
        self.found(desk, ("name/x", "aa"), ("name/y", "cc"))
        [fix] = await desk.actions(4, only=["source.fixAll"])
        assert fix.kind == "source.fixAll.sqlscribe"
        assert desk.apply(fix.edit) == "AA, bb,\n CC FROM t\n\n\n"

    async def test_findings_on_an_older_text_fix_nothing(self, desk: Desk) -> None:
        desk.open("aa\n")
        self.found(desk, ("name/x", "aa"))
        desk.open("xaa\n")
        assert await desk.actions(0, only=["source.fixAll", "quickfix"]) == []
