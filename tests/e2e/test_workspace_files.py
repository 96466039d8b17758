"""Configuration, changed files, several folders, and files that are no good."""

from pathlib import Path

import pytest
from lsprotocol import types

from editor import editor
from shop import SHOP, write


def codes(found: list[types.Diagnostic]) -> set[object]:
    return {diagnostic.code for diagnostic in found}


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("dialect = ", 0, "value"),
        ('dialect = "postgress"', 0, "postgres"),
        ('[model]\ntimeout_seconds = "soon"', 1, "number"),
        ("unknown_key = 1", 0, "unknown_key"),
    ],
)
async def test_a_broken_configuration_is_a_diagnostic_and_the_last_good_one_stays(
    shop: Path, text: str, line: int, words: str
) -> None:
    async with editor(shop) as ed:
        ed.open("q.sql", "-- ask: names\n")
        before = await ed.hover("q.sql", 0)
        assert before is not None
        assert "dialect is postgres" in before
        (shop / "sqlscribe.toml").write_text(text)
        assert "dialect is postgres" in (await ed.hover("q.sql", 0) or "")
        ed.client.text_document_did_save(
            types.DidSaveTextDocumentParams(types.TextDocumentIdentifier(ed.uri("q.sql")))
        )
        found = await ed.diagnostics("sqlscribe.toml", until=bool)
        assert found[0].range.start.line == line
        assert words in found[0].message
        (shop / "sqlscribe.toml").write_text('dialect = "mysql"\n[model]\nname = "verified"\n')
        assert "dialect is mysql" in (await ed.hover("q.sql", 0) or "")
        ed.client.text_document_did_save(
            types.DidSaveTextDocumentParams(types.TextDocumentIdentifier(ed.uri("q.sql")))
        )
        await ed.diagnostics("sqlscribe.toml", until=lambda found: not found)


async def test_a_schema_that_changed_on_disk_is_in_the_next_prompt_without_file_events(
    shop: Path,
) -> None:
    async with editor(shop, client="neovim@v0.11.0") as ed:
        ed.open("q.sql", "-- ask: names\n")
        assert "loyalty_points" not in (await ed.hover("q.sql", 0) or "")
        (shop / "db/002.sql").write_text("ALTER TABLE customers ADD COLUMN loyalty_points int;")
        assert "loyalty_points" in (await ed.hover("q.sql", 0) or "")
        (shop / "db/002.sql").unlink()
        assert "loyalty_points" not in (await ed.hover("q.sql", 0) or "")


async def test_an_unsaved_schema_counts_as_it_stands_in_the_editor(shop: Path) -> None:
    async with editor(shop) as ed:
        ed.open("q.sql", "-- ask: names\n")
        document = ed.open("db/shop.sql")
        ed.type("db/shop.sql", document.text.index("  city text"), "  fax text,\n")
        assert "fax text" in (await ed.hover("q.sql", 0) or "")


async def test_every_folder_has_its_own_configuration(tmp_path: Path) -> None:
    one = write(tmp_path / "one", {**SHOP, "sqlscribe.toml": 'dialect = "postgres"\n'})
    two = write(
        tmp_path / "two",
        {"s.sql": "CREATE TABLE boats (id int);", "sqlscribe.toml": 'dialect = "mysql"\n'},
    )
    options = {"model": {"name": "verified"}}
    async with editor(tmp_path, folders=[one, two], options=options) as ed:
        ed.open("one/q.sql", "-- ask: names\n")
        ed.open("two/q.sql", "-- ask: names\n")
        first, second = await ed.hover("one/q.sql", 0), await ed.hover("two/q.sql", 0)
    assert first is not None
    assert second is not None
    assert "CREATE TABLE customers" in first
    assert "boats" not in first
    assert "dialect is mysql" in second
    assert "CREATE TABLE boats" in second


async def test_the_editors_settings_win_and_bad_ones_are_told_once(shop: Path) -> None:
    options = {"dialect": "duckdb", "model": {"name": "verified", "timeout_seconds": "soon"}}
    async with editor(shop, options=options) as ed:
        ed.open("q.sql", "-- ask: names\n")
        assert "dialect is duckdb" in (await ed.hover("q.sql", 0) or "")
        assert len([said for said in ed.messages if "timeout_seconds" in said]) == 1


async def test_an_empty_workspace_says_that_it_knows_no_schema(tmp_path: Path) -> None:
    async with editor(tmp_path, options={"model": {"name": "verified"}}) as ed:
        ed.open("q.sql", "")
        assert await ed.hover("q.sql", 0) is None
        assert await ed.actions("q.sql", 0) == []
        ed.open("r.sql", "-- ask: names\n")
        assert "no table definitions were found" in (await ed.hover("r.sql", 0) or "")


async def test_files_that_are_no_good_cost_only_themselves(shop: Path) -> None:
    write(shop, {"db/broken.sql": "CREATE TABLE half (id int,;\nCREATE TABLE boats (id int);\n"})
    (shop / "db/picture.sql").write_bytes(b"\x89PNG\0\0\0\1\2\3" * 50)
    (shop / "db/latin.sql").write_bytes("-- Größe\nCREATE TABLE sizes (s int);".encode("latin-1"))
    (shop / "db/wide.sql").write_bytes("CREATE TABLE wide (w int);".encode("utf-16"))
    async with editor(shop) as ed:
        ed.open("q.sql", "-- ask: names\n")
        hover = await ed.hover("q.sql", 0)
        assert hover is not None
        for table in ("customers", "boats", "sizes", "wide"):
            assert f"CREATE TABLE {table}" in hover
        assert "file/not-text" in codes(await ed.diagnostics("db/picture.sql", until=bool))
        assert "file/encoding" in codes(await ed.diagnostics("db/latin.sql", until=bool))
        assert codes(await ed.diagnostics("db/broken.sql", until=bool))


async def test_a_broken_template_is_told_at_its_line(shop: Path) -> None:
    write(shop, {"prompts/parts/rules.j2": "fine\n{{ no_such_name }}\n"})
    async with editor(shop) as ed:
        ed.open("q.sql", "-- ask: how many customers live in 'Rome'?\n")
        hover = await ed.hover("q.sql", 0)
        assert hover is not None
        assert "parts/rules.j2, line 2: 'no_such_name' is undefined" in hover
        action = await ed.resolved("q.sql", 0)
        assert action.edit is None
        assert any("parts/rules.j2, line 2" in said for said in ed.messages)


async def test_templates_of_a_workspace_that_is_not_trusted_are_not_used(shop: Path) -> None:
    write(shop, {"prompts/parts/rules.j2": "OWN RULES"})
    async with editor(shop) as ed:
        ed.open("q.sql", "-- ask: names\n")
        assert "OWN RULES" in (await ed.hover("q.sql", 0) or "")
    async with editor(shop, options={"trusted": False}) as ed:
        ed.open("q.sql", "-- ask: names\n")
        assert "OWN RULES" not in (await ed.hover("q.sql", 0) or "")


async def test_a_folder_that_is_deleted_meanwhile_loses_nothing(shop: Path) -> None:
    import shutil

    async with editor(shop) as ed:
        ed.open("q.sql", "-- ask: names\n")
        assert await ed.hover("q.sql", 0)
        shutil.rmtree(shop)
        assert "no table definitions" in (await ed.hover("q.sql", 0) or "")
        assert (await ed.resolved("q.sql", 0)).edit is None


async def test_a_file_in_the_way_of_the_index_is_told_and_answers_still_come(
    shop: Path,
) -> None:
    (shop / ".sqlscribe").write_text("in the way")
    async with editor(shop) as ed:
        ed.open("q.sql", "-- ask: How many customers live in 'Paris'?\n")
        document = ed.apply((await ed.resolved("q.sql", 0)).edit)
        assert "city = 'Paris'" in document.text
        assert "memory" in (await ed.hover("q.sql", 0) or "")
