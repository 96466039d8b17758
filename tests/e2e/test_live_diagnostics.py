"""Diagnostics over the wire: fetched and sent, on every kind of file, open or not."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from lsprotocol import types
from pygls.exceptions import JsonRpcRequestCancelled

from editor import Editor, editor
from shop import write

TOML = 'dialect = "postgres"\n[model]\nname = "verified"\n'
DDL = "CREATE TABLE orders (\n  order_id integer,\n  total numeric\n);\n"
FENCED = "# Sums\n\n```sql\nSELECT sum(totall) FROM orders\n```\n"
WRITE = '{"question": "x", "sql": "DELETE FROM orders"}\n'
QUESTION = "-- ask: big orders\nSELECT order_id FROM orders WHERE total > 10;\n"
EXAMPLE = "- question: turnover\n  sql: SELECT sum(total) FROM orders\n"
FILES = {"sqlscribe.toml": TOML, "db.sql": DDL, "q.sql": QUESTION, "training/a.yaml": EXAMPLE}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return write(tmp_path / "shop", FILES)


async def until(ed: Editor, name: str, codes: set[str]) -> list[types.Diagnostic]:
    """Fetch until a document has exactly these codes."""
    async with asyncio.timeout(20):
        while True:
            found = await ed.fetched(name)
            if {str(each.code) for each in found} == codes:
                return found


async def test_an_edit_of_a_table_is_told_where_it_is_made_and_where_it_breaks(root: Path) -> None:
    async with editor(root, fetches=True) as ed:
        assert ed.capabilities.diagnostic_provider is not None
        ed.open("q.sql")
        ed.open("db.sql")
        assert await ed.fetched("q.sql") == []
        assert await ed.fetched("db.sql") == []
        # The first look at the workspace ends once all of it has been worked out.
        await ed.client.workspace_diagnostic_async(types.WorkspaceDiagnosticParams([]))
        ed.type("db.sql", DDL.index("total"), "amount", over=len("total"))
        [unknown] = await until(ed, "q.sql", {"name/unknown-column"})
        assert (unknown.range.start.line, unknown.range.start.character) == (1, 34)
        [breaks] = await until(ed, "db.sql", {"schema/breaks"})
        assert breaks.message == (
            "1 example and 1 question use orders.total, which is no longer there:"
            " “turnover”, “big orders”"
        )
        assert breaks.related_information is not None
        places = [each.location.uri.rpartition("/")[2] for each in breaks.related_information]
        assert places == ["a.yaml", "q.sql"]
        ed.type("db.sql", DDL.index("total"), "total", over=len("amount"))
        await until(ed, "db.sql", set())
        await until(ed, "q.sql", set())
        assert ed.client.diagnostic_refresh_count > 0
        sent = {uri.rpartition("/")[2] for uri, items in ed.client.diagnostics.items() if items}
        assert not sent & {"q.sql", "db.sql"}


async def test_a_cancelled_fetch_is_answered_and_the_next_one_works(root: Path) -> None:
    async with editor(root, fetches=True) as ed:
        ed.open("q.sql", QUESTION.replace("total", "ttal"))
        params = types.DocumentDiagnosticParams(types.TextDocumentIdentifier(ed.uri("q.sql")))
        waiting = asyncio.ensure_future(
            ed.client.protocol.send_request_async(
                types.TEXT_DOCUMENT_DIAGNOSTIC, params, msg_id="fetch"
            )
        )
        await asyncio.sleep(0)
        ed.client.cancel_request(types.CancelParams("fetch"))
        with pytest.raises(JsonRpcRequestCancelled):
            await waiting
        assert [each.code for each in await ed.fetched("q.sql")] == ["name/unknown-column"]


async def test_the_workspace_is_fetched_as_its_files_change(root: Path) -> None:
    async with editor(root, fetches=True) as ed:
        first = await ed.client.workspace_diagnostic_async(types.WorkspaceDiagnosticParams([]))
        assert not first.items
        waiting = asyncio.ensure_future(
            ed.client.workspace_diagnostic_async(types.WorkspaceDiagnosticParams([]))
        )
        broken = root / "training" / "a.yaml"
        broken.write_text(EXAMPLE.replace("sql:", "sqll:"), "utf-8")
        event = types.FileEvent(broken.as_uri(), types.FileChangeType.Changed)
        ed.client.workspace_did_change_watched_files(types.DidChangeWatchedFilesParams([event]))
        async with asyncio.timeout(20):
            [report] = (await waiting).items
        assert isinstance(report, types.WorkspaceFullDocumentDiagnosticReport)
        assert [each.code for each in report.items] == ["example/unknown-key", "example/incomplete"]
        assert report.result_id is not None
        known = [types.PreviousResultId(report.uri, report.result_id)]
        waiting = asyncio.ensure_future(
            ed.client.workspace_diagnostic_async(types.WorkspaceDiagnosticParams(known))
        )
        broken.unlink()
        ed.client.workspace_did_change_watched_files(types.DidChangeWatchedFilesParams([event]))
        async with asyncio.timeout(20):
            [report] = (await waiting).items
        assert isinstance(report, types.WorkspaceFullDocumentDiagnosticReport)
        assert (report.uri, list(report.items)) == (broken.as_uri(), [])


async def test_an_editor_that_does_not_fetch_is_sent_the_same(root: Path) -> None:
    async with editor(root, client="emacs") as ed:
        assert ed.capabilities.diagnostic_provider is None
        ed.open("db.sql")
        ed.open("q.sql", QUESTION.replace("total", "ttal"))
        await ed.diagnostics("q.sql", bool)
        ed.type("q.sql", QUESTION.index("total"), "total", over=len("ttal"))
        await ed.diagnostics("q.sql", lambda found: not found)
        ed.type("db.sql", DDL.index("total"), "amount", over=len("total"))
        [breaks] = await ed.diagnostics("db.sql", bool)
        assert breaks.code == "schema/breaks"
        # This one shows no other places.
        assert breaks.related_information is None


KINDS = [
    ("sqlscribe.toml", f"dialct = 1\n{TOML}", {"config/unknown-key"}),
    ("training/b.yaml", "- question: x\n  sqll: SELECT 1\n  note: y\n", {"example/unknown-key",
        "example/incomplete"}),
    ("training/b.jsonl", WRITE, {"example/not-a-read"}),
    ("training/b.sql", "-- ask: x\nSELECT ttal FROM orders;\n", {"example/does-not-fit",
        "name/unknown-column"}),
    ("training/b.json", '[{"question": "turnover", "sql": "SELECT 1"}]', {"example/two-answers"}),
    ("profiles/p.yaml", "orders:\n  totl: [1]\n", {"profile/unknown-column"}),
    ("profiles/p.yaml", "ordrs:\n  total: [1]\n", {"profile/unknown-table"}),
    ("rules.md", FENCED, {"name/unknown-column"}),
    ("docs/a.md", FENCED, {"name/unknown-column"}),
    ("prompts/ask/user.j2", "{{ questio }}\n", {"template/unknown-variable"}),
    ("prompts/ask/user.j2", "{{ question\n", {"template/syntax"}),
    ("prompts/parts/tables.j2", "```sql\nSELECT TOP 3 total FROM orders\n```\n", {"dialect/top"}),
]  # fmt: skip


@pytest.mark.parametrize("fetches", [True, False], ids=["fetched", "sent"])
async def test_every_kind_of_file_is_told_about_as_it_is_typed(root: Path, fetches: bool) -> None:
    async with editor(root, fetches=fetches) as ed:
        for name, text, codes in KINDS:
            file = root / name
            before = file.read_text("utf-8") if file.exists() else ""
            file.parent.mkdir(exist_ok=True, parents=True)
            file.write_text(before, "utf-8")
            event = types.FileEvent(file.as_uri(), types.FileChangeType.Created)
            ed.client.workspace_did_change_watched_files(types.DidChangeWatchedFilesParams([event]))
            ed.open(name, before)
            ed.type(name, 0, text, over=len(before))

            def same(found: list[types.Diagnostic], codes: set[str] = codes) -> bool:
                return {str(each.code) for each in found} == codes

            if fetches:
                await until(ed, name, codes)
            else:
                await ed.diagnostics(name, same)
            ed.type(name, 0, before, over=len(text))
            if fetches:
                await until(ed, name, set())
            else:
                await ed.diagnostics(name, lambda found: not found)
            item = types.TextDocumentIdentifier(ed.uri(name))
            ed.client.text_document_did_close(types.DidCloseTextDocumentParams(item))
            if not before:
                file.unlink()


@pytest.mark.parametrize(
    ("name", "text", "title", "cured"),
    [
        ("sqlscribe.toml", f"dialct = 'postgres'\n{TOML[21:]}", "Change to dialect", "dialect ="),
        ("training/a.yaml", EXAMPLE.replace("sql:", "sqll:"), "Change to sql", "  sql: SELECT"),
        ("profiles/p.yaml", "orders:\n  totl: [1]\n", "Change to total", "  total: [1]"),
    ],
)
async def test_a_slip_in_any_file_has_a_quick_fix(
    root: Path, name: str, text: str, title: str, cured: str
) -> None:
    write(root, {name: text})
    async with editor(root) as ed:
        ed.open(name)
        [found, *_] = await ed.diagnostics(name, bool)
        action = await ed.action(name, found.range.start.line, title)
        assert action.is_preferred
        assert cured in ed.apply(action.edit).text
        await ed.diagnostics(name, lambda found: not found)
