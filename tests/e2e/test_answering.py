"""A question in a comment becomes checked SQL: code action, resolve, edit."""

import asyncio
import threading
from pathlib import Path

import pytest
from lsprotocol import types

from editor import editor
from loopback import CloseMidway, Connection, Hang, LoopbackModel, Refuse, Say, Send
from shop import use_model

KEY = "FAKE-abc123-never-shown"
ENVIRONMENT = {"TEST_MODEL_KEY": KEY}
GOOD = "SELECT full_name FROM customers WHERE city = 'Lyon'"


def reply(text: str) -> Say:
    return Say(text, prompt_tokens=700)


def fenced(sql: str) -> Say:
    return reply(f"```sql\n{sql}\n```")


class Gate:
    """Holds an answer back until the test opens it."""

    def __init__(self, answer: Say) -> None:
        self.opened = threading.Event()
        self._answer = answer

    def __call__(self, connection: Connection) -> bool:
        self.opened.wait(30)
        return self._answer(connection)


async def test_an_example_answers_with_no_model_and_new_values_in_its_slots(shop: Path) -> None:
    async with editor(shop) as ed:
        ed.open("q.sql", "-- ask: How many customers live in 'Paris'?\n")
        document = ed.apply((await ed.resolved("q.sql", 0)).edit)
    assert document.text == (
        "-- ask: How many customers live in 'Paris'?\n"
        "SELECT count(*) FROM customers WHERE city = 'Paris';\n"
    )


async def test_without_a_match_the_built_in_model_declines_and_names_the_nearest(
    shop: Path,
) -> None:
    async with editor(shop) as ed:
        ed.open("q.sql", "-- ask: how many customers live near the sea?\n")
        action = await ed.resolved("q.sql", 0)
        assert action.edit is None
        assert any("how many customers live in 'Lyon'?" in said for said in ed.messages)


async def test_a_wrong_column_is_sent_back_and_the_repaired_sql_is_inserted(shop: Path) -> None:
    wrong = "SELECT nme FROM customers WHERE city = 'Lyon'"
    with LoopbackModel(fenced(wrong), fenced(GOOD)) as model:
        use_model(shop, model.api_base)
        async with editor(shop, environment=ENVIRONMENT) as ed:
            ed.open("q.sql", "-- ask: names in Lyon, O'Brien & <co> {{ x }}\n\nSELECT 1;\n")
            hover = await ed.hover("q.sql", 0)
            action = await ed.resolved("q.sql", 0)
            document = ed.apply(action.edit)
        asked, repaired = (exchange.json["messages"] for exchange in model.exchanges)
        sent_key = model.exchanges[0].headers["authorization"]

    assert document.text == (
        f"-- ask: names in Lyon, O'Brien & <co> {{{{ x }}}}\n{GOOD};\n\nSELECT 1;\n"
    )
    assert sent_key == f"Bearer {KEY}"
    system, *_, user = asked
    assert "CREATE TABLE customers" in system["content"]
    assert "Revenue is the sum of orders.total." in system["content"]
    assert user["content"].endswith("Question: names in Lyon, O'Brien & <co> {{ x }}")
    # The preview showed exactly what was sent.
    assert hover is not None
    assert all(message["content"] in hover for message in asked)
    # The second request repeats the first and adds the reply and the exact finding.
    *before, reply, findings = repaired
    assert before == asked
    assert reply == {"role": "assistant", "content": f"```sql\n{wrong}\n```"}
    assert "nme" in findings["content"]
    assert "full_name" in findings["content"]
    assert action.data["answer"]["usage"]["calls"] == 2


async def test_the_loop_stops_when_the_model_repeats_itself_and_marks_the_draft(
    shop: Path,
) -> None:
    with LoopbackModel(fenced("SELECT nme FROM customers")) as model:
        use_model(shop, model.api_base, more="max_repairs = 3\n")
        async with editor(shop, environment=ENVIRONMENT) as ed:
            ed.open("q.sql", "-- ask: names\n")
            ed.apply((await ed.resolved("q.sql", 0)).edit)
            [found] = await ed.diagnostics("q.sql", until=bool)
        assert len(model.exchanges) == 2
    assert "nme" in found.message
    assert "full_name" in found.message
    assert (found.range.start, found.range.end) == (types.Position(1, 7), types.Position(1, 10))


async def test_the_same_question_costs_nothing_twice_and_regenerate_asks_again(
    shop: Path,
) -> None:
    second = "SELECT city FROM customers"
    with LoopbackModel(fenced(GOOD), fenced(second)) as model:
        use_model(shop, model.api_base)
        async with editor(shop, environment=ENVIRONMENT) as ed:
            ed.open("a.sql", "-- ask: names in Lyon\n")
            ed.apply((await ed.resolved("a.sql", 0)).edit)
        async with editor(shop, environment=ENVIRONMENT) as ed:
            ed.open("a.sql", "-- ask: names in Lyon\n")
            document = ed.apply((await ed.resolved("a.sql", 0)).edit)
            assert GOOD in document.text
            assert len(model.exchanges) == 1
            document = ed.apply((await ed.resolved("a.sql", 0, "Regenerate SQL")).edit)
        assert len(model.exchanges) == 2
    assert document.text == f"-- ask: names in Lyon\n{second};\n"


async def test_cancelling_closes_the_connection_to_the_model(shop: Path) -> None:
    with LoopbackModel(Hang()) as model:
        use_model(shop, model.api_base)
        async with editor(shop, environment=ENVIRONMENT) as ed:
            ed.open("q.sql", "-- ask: names\n")
            action = await ed.action("q.sql", 0, "Generate SQL")
            request = asyncio.ensure_future(
                ed.client.protocol.send_request_async(
                    types.CODE_ACTION_RESOLVE, action, msg_id="slow"
                )
            )
            assert await asyncio.to_thread(model.wait_for, 1)
            # While the model is silent, the server answers everything else.
            assert await ed.hover("q.sql", 0)
            ed.client.cancel_request(types.CancelParams("slow"))
            with pytest.raises(Exception, match="cancel"):
                await request
            assert await asyncio.to_thread(model.exchanges[0].closed.wait, 5)
            assert await ed.actions("q.sql", 0)


async def test_an_answer_finds_its_question_again_though_lines_were_added_above(
    shop: Path,
) -> None:
    gate = Gate(fenced(GOOD))
    with LoopbackModel(gate) as model:
        use_model(shop, model.api_base)
        async with editor(shop, environment=ENVIRONMENT) as ed:
            ed.open("q.sql", "SELECT 1;\n\n-- ask: names in Lyon\n\nSELECT 2;\n")
            action = await ed.action("q.sql", 2, "Generate SQL")
            waiting = asyncio.ensure_future(ed.client.code_action_resolve_async(action))
            assert await asyncio.to_thread(model.wait_for, 1)
            ed.type("q.sql", 0, "-- 😀 above\n\n")
            assert await ed.actions("q.sql", 4)  # The server has seen the change.
            gate.opened.set()
            document = ed.apply((await waiting).edit)
    assert document.text == (
        f"-- 😀 above\n\nSELECT 1;\n\n-- ask: names in Lyon\n{GOOD};\n\nSELECT 2;\n"
    )


async def test_an_answer_to_a_question_that_changed_is_kept_but_not_inserted(
    shop: Path,
) -> None:
    gate = Gate(fenced(GOOD))
    with LoopbackModel(gate) as model:
        use_model(shop, model.api_base)
        async with editor(shop, environment=ENVIRONMENT) as ed:
            text = "-- ask: names in Lyon\n"
            ed.open("q.sql", text)
            action = await ed.action("q.sql", 0, "Generate SQL")
            waiting = asyncio.ensure_future(ed.client.code_action_resolve_async(action))
            assert await asyncio.to_thread(model.wait_for, 1)
            ed.type("q.sql", len(text) - 1, " and Oslo")
            assert await ed.actions("q.sql", 0)  # The server has seen the change.
            gate.opened.set()
            assert (await waiting).edit is None
            assert any("the question changed" in said for said in ed.messages)
            ed.type("q.sql", len(text) - 1, "", over=len(" and Oslo"))
            document = ed.apply((await ed.resolved("q.sql", 0, "Use stored answer")).edit)
    assert document.text == f"{text}{GOOD};\n"


FAILURES = [
    (Refuse(401, f"Incorrect API key provided: {KEY}"), "key"),
    (Refuse(404, "The model `test` does not exist"), "model"),
    (Refuse(429, "Rate limit reached"), "slow down"),
    (Refuse(400, "This model's maximum context length is 10 tokens"), "long"),
    (Refuse(500, f"failed for url http://x/?key={KEY}"), "answered"),
    (CloseMidway(), "connection"),
    (Send(b"<html>no</html>", "text/html"), "reply"),
]


async def test_a_failing_model_is_one_clear_sentence_without_the_key(
    shop: Path, subtests: pytest.Subtests
) -> None:
    with LoopbackModel(Refuse(500)) as model:
        use_model(shop, model.api_base)
        async with editor(shop, environment=ENVIRONMENT) as ed:
            ed.open("q.sql", "-- ask: names\n")
            for behaviour, word in FAILURES:
                with subtests.test(word):
                    model.replace(behaviour)
                    before = len(ed.messages)
                    action = await ed.resolved("q.sql", 0)
                    [said] = ed.messages[before:]
                    assert action.edit is None
                    assert action.data["answer"]["outcome"] == "failed"
                    assert word in said.lower()
                    assert KEY not in said
                    assert "\n" not in said


async def test_without_its_key_a_provider_is_not_called(shop: Path) -> None:
    (shop / "sqlscribe.toml").write_text('[model]\nname = "openai/some-model"\n')
    async with editor(shop) as ed:
        ed.open("q.sql", "-- ask: names\n")
        assert (await ed.resolved("q.sql", 0)).edit is None
        [said] = ed.messages
    assert "set OPENAI_API_KEY" in said


NO_EDITS = [
    ("Sorry, I cannot help with that.", "no_sql"),
    ("```python\nimport os\n```", "no_sql"),
    ("", "no_sql"),
    ("DROP TABLE orders;", "refused"),
    ("SELECT 1; DROP TABLE orders; SELECT 2", "refused"),
    ("WITH gone AS (DELETE FROM orders RETURNING *) SELECT count(*) FROM gone", "refused"),
    ("INSUFFICIENT: there is no table of warehouses", "insufficient"),
    ("CHOICE: by order date | by payment date", "needs_choice"),
    ("```sql\nSELECT full_name FROM customers WHERE (city = ", "truncated"),
]


async def test_what_is_not_a_checked_read_is_told_and_not_inserted(
    shop: Path, subtests: pytest.Subtests
) -> None:
    with LoopbackModel(Refuse(500)) as model:
        use_model(shop, model.api_base)
        async with editor(shop, environment=ENVIRONMENT) as ed:
            ed.open("q.sql", "-- ask: names\n")
            for text, outcome in NO_EDITS:
                with subtests.test(outcome, text=text):
                    model.replace(reply(text))
                    before = len(ed.messages)
                    action = await ed.resolved("q.sql", 0)
                    assert action.edit is None
                    assert action.data["answer"]["outcome"] == outcome
                    assert len(ed.messages) == before + 1


async def test_a_refinement_replaces_the_answer_and_keeps_the_comments(shop: Path) -> None:
    new = "SELECT city, count(*) FROM customers GROUP BY city"
    with LoopbackModel(fenced(new)) as model:
        use_model(shop, model.api_base)
        async with editor(shop, environment=ENVIRONMENT) as ed:
            ed.open("q.sql", f"-- ask: names in Lyon\n{GOOD};\n-- refine: count by city\n")
            document = ed.apply((await ed.resolved("q.sql", 2, "Refine SQL")).edit)
        sent = model.exchanges[0].json["messages"][-1]["content"]
    assert GOOD in sent
    assert "names in Lyon" in sent
    assert sent.endswith("count by city")
    assert document.text == f"-- ask: names in Lyon\n-- refine: count by city\n{new};\n"


async def test_a_pasted_error_repairs_the_statement_above_it(shop: Path) -> None:
    with LoopbackModel(fenced(GOOD)) as model:
        use_model(shop, model.api_base)
        async with editor(shop, environment=ENVIRONMENT) as ed:
            ed.open("q.sql", "SELECT nme FROM customers;\n-- error: no column nme\n\nSELECT 1;\n")
            document = ed.apply((await ed.resolved("q.sql", 1, "Repair SQL from error")).edit)
        sent = model.exchanges[0].json["messages"][-1]["content"]
    assert "no column nme" in sent
    assert "SELECT nme FROM customers" in sent
    assert document.text == f"{GOOD};\n\nSELECT 1;\n"


async def test_the_custom_request_answers_clients_that_cannot_resolve(shop: Path) -> None:
    async with editor(shop, client="neovim@v0.6.1") as ed:
        document = ed.open("q.sql", "-- ask: how many customers live in 'Oslo'?\n")
        result = await ed.client.protocol.send_request_async(
            "sqlscribe/answer",
            {
                "textDocument": {"uri": document.uri},
                "position": {"line": 0, "character": 4},
            },
        )
        assert result.outcome == "sql"
        [group] = result.edit.documentChanges
        assert group.textDocument.version == 1
        assert "city = 'Oslo'" in group.edits[0].newText
        assert (
            await ed.client.protocol.send_request_async(
                "sqlscribe/answer",
                {
                    "textDocument": {"uri": document.uri},
                    "position": {"line": 1, "character": 0},
                },
            )
            is None
        )


async def test_older_clients_get_a_command_that_starts_the_work_and_applies_the_edit(
    shop: Path,
) -> None:
    async with editor(shop, client="neovim@v0.6.1") as ed:
        applied = asyncio.get_running_loop().create_future()

        @ed.client.feature(types.WORKSPACE_APPLY_EDIT)
        def apply(params: types.ApplyWorkspaceEditParams) -> types.ApplyWorkspaceEditResult:
            applied.set_result(params.edit)
            return types.ApplyWorkspaceEditResult(True)

        document = ed.open("q.sql", "-- ask: how many customers live in 'Oslo'?\n")
        position = types.Position(0, 4)
        offered = await ed.client.text_document_code_action_async(
            types.CodeActionParams(
                types.TextDocumentIdentifier(document.uri),
                types.Range(position, position),
                types.CodeActionContext([]),
            )
        )
        # The client library takes an action with a command for a bare command.
        data = {"uri": document.uri, "kind": "ask", "ordinal": 0}
        data["text"] = "how many customers live in 'Oslo'?"
        assert [item.title for item in offered or []] == ["Generate SQL", "Preview prompt"]
        await ed.client.workspace_execute_command_async(
            types.ExecuteCommandParams("sqlscribe.answer", [data])
        )
        text = ed.apply(await asyncio.wait_for(applied, 20)).text
    assert "city = 'Oslo'" in text
