"""Questions and SQL where they are no file of SQL: Markdown, notebooks, unsaved texts, dbt."""

from __future__ import annotations

from pathlib import Path

from lsprotocol import types

from editor import Editor, editor
from shop import SHOP, write

VSCODE = "vscode-1.139-languageclient-11.0.0"
OSLO = "-- ask: how many customers live in 'Oslo'?"
ANSWER = "SELECT count(*) FROM customers WHERE city = 'Oslo';"


async def lens_lines(ed: Editor, name: str) -> list[int]:
    identifier = types.TextDocumentIdentifier(ed.uri(name))
    found = await ed.client.text_document_code_lens_async(types.CodeLensParams(identifier))
    return sorted({lens.range.start.line for lens in found or []})


async def labels(ed: Editor, name: str, line: int, character: int) -> list[str]:
    found = await ed.client.text_document_completion_async(
        types.CompletionParams(
            types.TextDocumentIdentifier(ed.uri(name)), types.Position(line, character)
        )
    )
    return [item.label for item in found.items] if isinstance(found, types.CompletionList) else []


async def ghost(ed: Editor, name: str, line: int, character: int) -> types.InlineCompletionItem:
    found = await ed.client.text_document_inline_completion_async(
        types.InlineCompletionParams(
            types.InlineCompletionContext(types.InlineCompletionTriggerKind.Invoked),
            types.TextDocumentIdentifier(ed.uri(name)),
            types.Position(line, character),
        )
    )
    assert isinstance(found, types.InlineCompletionList)
    [item] = found.items
    return item


def found_at(found: list[types.Diagnostic]) -> list[tuple[object, int, int]]:
    return sorted((each.code, each.range.start.line, each.range.start.character) for each in found)


MARKDOWN = f"""\
# Cities 😀

Write `-- ask: anything` under a heading.
-- ask: not this one
SELECT nope FROM customers

> 😀 quoted
> ```sql
> {OSLO}
> ```

1. In a list:

   ~~~~ sql {{.wide}}
   SELECT full_nme FROM customers
   ~~~~

```python
query = "-- ask: not this either"
```
"""


class TestMarkdown:
    """SQL in fenced blocks, and nothing else of the text."""

    async def test_an_answer_lands_in_its_block(self, shop: Path) -> None:
        async with editor(shop) as ed:
            ed.open("notes.md", MARKDOWN, language="markdown")
            assert await lens_lines(ed, "notes.md") == [8]
            assert await ed.actions("notes.md", 3) == []
            assert "how many customers" in (await ed.hover("notes.md", 8) or "")
            assert await ed.hover("notes.md", 4, 20) is None
            document = ed.apply((await ed.resolved("notes.md", 8)).edit)
            assert document.text == MARKDOWN.replace(OSLO, f"{OSLO}\n> {ANSWER}")
            titles = [action.title for action in await ed.actions("notes.md", 9)]
            assert "Regenerate SQL" in titles
            assert "Use stored answer" not in titles

    async def test_names_are_checked_completed_and_explained(self, shop: Path) -> None:
        async with editor(shop) as ed:
            document = ed.open("notes.md", MARKDOWN, language="markdown")
            found = await ed.diagnostics("notes.md", until=bool)
            assert found_at(found) == [("name/unknown-column", 14, 10)]
            assert "CREATE TABLE customers" in (await ed.hover("notes.md", 14, 26) or "")
            at = document.text.index("full_nme")
            ed.type("notes.md", at, "", over=8)
            assert "full_name" in await labels(ed, "notes.md", 14, 10)
            assert await labels(ed, "notes.md", 4, 7) == []
            ed.type("notes.md", at, "full_name")
            await ed.diagnostics("notes.md", until=lambda found: not found)

    async def test_ghost_text_has_what_its_lines_begin_with(self, shop: Path) -> None:
        async with editor(shop) as ed:
            ed.open("notes.md", f"> ```sql\n> {OSLO}\n> \n> ```\n", language="markdown")
            item = await ghost(ed, "notes.md", 2, 2)
            assert item.insert_text == f"> {ANSWER}"
            assert item.range == types.Range(types.Position(2, 0), types.Position(2, 2))

    async def test_an_answer_in_a_block_grows_stale(self, shop: Path) -> None:
        async with editor(shop) as ed:
            ed.open("notes.qmd", f"```{{sql}}\n{OSLO}\n```\n", language="quarto")
            ed.apply((await ed.resolved("notes.qmd", 1)).edit)
            ddl = ed.open("db/shop.sql")
            ed.type("db/shop.sql", ddl.text.index("  city text"), "  zip text,\n")
            [hint] = await ed.diagnostics("notes.qmd", until=bool)
            assert (hint.code, hint.range.start.line) == ("ask/stale", 1)

    async def test_the_rules_stay_rules(self, shop: Path) -> None:
        """What a model reads is the whole text, of which only the blocks are SQL."""
        async with editor(shop) as ed:
            ed.open("rules.md", "Count only active customers.\n", language="markdown")
            ed.open("q.sql", "-- ask: count customers\n")
            assert "Count only active customers." in (await ed.hover("q.sql", 0) or "")


NOTEBOOK = [
    ("python", "import duckdb\nframe = duckdb.sql('SELECT 1')"),
    ("python", "%%sql sqlite:///shop.db --with recent\nCREATE TEMP TABLE towns AS\n"
     "SELECT city, count(*) AS people FROM customers GROUP BY city"),
    ("python", f"%%sql\n{OSLO}"),
    ("sql", "SELECT peple FROM towns;\nSELECT * FROM frame;\nSELECT full_nme FROM customers"),
]  # fmt: skip


class TestNotebooks:
    """Cells are documents of their own that know the cells above."""

    async def test_an_answer_lands_in_its_cell(self, shop: Path) -> None:
        async with editor(shop, client=VSCODE) as ed:
            sync = ed.capabilities.notebook_document_sync
            assert isinstance(sync, types.NotebookDocumentSyncOptions)
            python, _, asked, _ = ed.open_notebook("work.ipynb", NOTEBOOK)
            assert await lens_lines(ed, python) == []
            assert "how many customers" in (await ed.hover(asked, 1) or "")
            document = ed.apply((await ed.resolved(asked, 1)).edit)
            assert document.text == f"%%sql\n{OSLO}\n{ANSWER}"

    async def test_tables_of_other_cells_are_known(self, shop: Path) -> None:
        async with editor(shop, client=VSCODE) as ed:
            cells = ed.open_notebook("work.ipynb", NOTEBOOK)
            assert found_at(await ed.fetched(cells[3])) == [
                ("name/unknown-column", 0, 7),
                ("name/unknown-column", 2, 7),
            ]
            content = types.NotebookDocumentCellContentChanges(
                types.VersionedTextDocumentIdentifier(2, cells[1]),
                [
                    types.TextDocumentContentChangeWholeDocument(
                        "%%sql\nCREATE TABLE towns (peple int)"
                    )
                ],
            )
            change = types.NotebookDocumentCellChanges(text_content=[content])
            ed.change_notebook("work.ipynb", change)
            assert found_at(await ed.fetched(cells[3])) == [("name/unknown-column", 2, 7)]

    async def test_tables_of_other_cells_are_gone_to_completed_and_explained(
        self, shop: Path
    ) -> None:
        made = "%%sql\nCREATE TABLE towns AS SELECT city AS town, count(*) AS n FROM customers"
        async with editor(shop, client=VSCODE) as ed:
            above, below = ed.open_notebook("work.ipynb", [("python", made), ("sql", "")])
            ed.type(below, 0, "SELECT t.town FROM towns t")
            assert await labels(ed, below, 0, 9) == ["town", "n"]
            assert "towns.town" in (await ed.hover(below, 0, 10) or "")
            for character, name in ((20, "towns "), (10, "town,")):
                found = await ed.client.text_document_definition_async(
                    types.DefinitionParams(
                        types.TextDocumentIdentifier(below), types.Position(0, character)
                    )
                )
                assert isinstance(found, list)
                [place] = found
                assert place.uri == above
                start = made.index(name) - made.index("\n") - 1
                assert place.range.start == types.Position(1, start)

    async def test_sql_in_a_line_of_python_stays_in_its_line(self, shop: Path) -> None:
        async with editor(shop, client=VSCODE) as ed:
            text = "x = 1\ny = %sql SELECT c.full_nme FROM customers c -- ask: z\n"
            [cell] = ed.open_notebook("work.ipynb", [("python", text)])
            assert found_at(await ed.fetched(cell)) == [("name/unknown-column", 1, 18)]
            assert "CREATE TABLE customers" in (await ed.hover(cell, 1, 32) or "")
            assert "full_name" in await labels(ed, cell, 1, 18)
            assert await lens_lines(ed, cell) == []
            # Nothing that would need lines of its own.
            [fix] = await ed.actions(cell, 1, 18)
            assert ed.apply(fix.edit).text == text.replace("full_nme", "full_name")
            assert await ed.actions(cell, 1, 32) == []

    async def test_cells_come_and_go(self, shop: Path) -> None:
        async with editor(shop, client=VSCODE) as ed:
            cells = ed.open_notebook("work.ipynb", [("sql", "SELECT full_nme FROM customers")])
            assert len(await ed.fetched(cells[0])) == 1
            new = "vscode-notebook-cell:/elsewhere#X"
            structure = types.NotebookDocumentCellChangeStructure(
                types.NotebookCellArrayChange(
                    0, 1, [types.NotebookCell(types.NotebookCellKind.Code, new)]
                ),
                [types.TextDocumentItem(new, "sql", 1, "SELECT citty FROM customers")],
                [types.TextDocumentIdentifier(cells[0])],
            )
            ed.change_notebook("work.ipynb", types.NotebookDocumentCellChanges(structure))
            assert found_at(await ed.fetched(new)) == [("name/unknown-column", 0, 7)]

    async def test_cells_that_come_as_plain_documents(self, shop: Path) -> None:
        """Editors that do not know notebooks of the protocol send their cells alone."""
        async with editor(shop) as ed:
            assert ed.capabilities.notebook_document_sync is None
            cell = f"vscode-notebook-cell:{shop}/work.ipynb#W0"
            ed.open(cell, f"%%sql\n{OSLO}\n", language="python")
            document = ed.apply((await ed.resolved(cell, 1)).edit)
            assert document.text == f"%%sql\n{OSLO}\n{ANSWER}\n"


class TestPlaces:
    """Which folder a text belongs to."""

    async def test_an_unsaved_text_has_the_schema_of_the_folder(self, shop: Path) -> None:
        async with editor(shop) as ed:
            name = "untitled:Untitled-1"
            ed.open(name, f"{OSLO}\n\nSELECT full_nme FROM customers;\n")
            assert found_at(await ed.diagnostics(name, until=bool)) == [
                ("name/unknown-column", 2, 7)
            ]
            assert "CREATE TABLE customers" in (await ed.hover(name, 2, 24) or "")
            document = ed.apply((await ed.resolved(name, 0)).edit)
            assert document.text.startswith(f"{OSLO}\n{ANSWER}\n")

    async def test_of_several_folders_the_nearest_counts(self, shop: Path, tmp_path: Path) -> None:
        other = write(
            tmp_path / "other",
            {"sqlscribe.toml": 'dialect = "sqlite"\n', "s.sql": "CREATE TABLE boats (sail int);\n"},
        )
        inner = write(
            shop / "inner",
            {"sqlscribe.toml": 'dialect = "sqlite"\n', "s.sql": "CREATE TABLE cars (wheel int);\n"},
        )
        outside = write(tmp_path / "outside", {"q.sql": "SELECT anything FROM anywhere;\n"})
        async with editor(shop, folders=[shop, other, inner]) as ed:
            for root, table in ((shop, "customers"), (other, "boats"), (inner, "cars")):
                name = (root / "q.sql").as_uri()
                ed.open(name, f"SELECT * FROM {table};\n")
                assert f"CREATE TABLE {table}" in (await ed.hover(name, 0, 16) or "")
            ed.open("untitled:Untitled-1", "SELECT * FROM customers;\n")
            assert "CREATE TABLE" in (await ed.hover("untitled:Untitled-1", 0, 16) or "")
            far = (outside / "q.sql").as_uri()
            ed.open(far, "SELECT anything FROM anywhere;\n-- ask: x\n")
            assert await ed.fetched(far) == []

    async def test_with_no_folder_at_all_it_is_said_that_nothing_is_known(
        self, tmp_path: Path
    ) -> None:
        async with editor(tmp_path, folders=[]) as ed:
            name = "untitled:Untitled-1"
            ed.open(name, "-- ask: count customers\n")
            assert "no table definitions were found" in (await ed.hover(name, 0) or "")
            assert (await ed.resolved(name, 0)).edit is None
            assert any("no model is set" in said for said in ed.messages)

    async def test_a_file_system_that_only_the_editor_can_read(self, shop: Path) -> None:
        async with editor(shop) as ed:
            name = "vscode-vfs://github/owner/repository/q.sql"
            ed.open(name, "-- ask: count customers\n\nSELECT x FROM elsewhere;\n")
            assert "only the editor can read" in (await ed.hover(name, 0) or "")
            assert (await ed.resolved(name, 0)).edit is None
            assert any("only the editor can read" in said for said in ed.messages)
            assert await ed.fetched(name) == []


class TestDbt:
    """Models, whose SQL is made by a template."""

    async def test_questions_and_names_in_a_model(self, tmp_path: Path) -> None:
        root = write(
            tmp_path / "dbt",
            {
                **SHOP,
                "sqlscribe.toml": 'dialect = "postgres"\n[model]\nname = "verified"\n',
                "dbt_project.yml": "name: shop\nversion: '1.0'\n",
                "models/people.sql": "SELECT customer_id, full_name, city FROM customers\n",
            },
        )
        text = (
            "{{ config(materialized='view') }}\n"
            f"{OSLO}\n"
            "\n"
            "SELECT full_nme FROM {{ ref('people') }}\n"
        )
        async with editor(root) as ed:
            ed.open("models/towns.sql", text, language="jinja-sql")
            found = await ed.diagnostics("models/towns.sql", until=bool)
            assert found_at(found) == [("name/unknown-column", 3, 7)]
            assert "people" in (await ed.hover("models/towns.sql", 3, 29) or "")
            assert "full_name" in await labels(ed, "models/towns.sql", 3, 7)
            document = ed.apply((await ed.resolved("models/towns.sql", 1)).edit)
            assert document.text == text.replace(OSLO, f"{OSLO}\n{ANSWER}")
            # dbt puts what it runs into a statement of its own.
            ed.open("models/oslo.sql", f"{OSLO}\n", language="jinja-sql")
            assert (await ghost(ed, "models/oslo.sql", 1, 0)).insert_text == ANSWER.rstrip(";")
            document = ed.apply((await ed.resolved("models/oslo.sql", 0)).edit)
            assert document.text == f"{OSLO}\n{ANSWER.rstrip(';')}\n"
