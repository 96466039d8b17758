"""Positions in every encoding, line ends of every kind, and text that would break a hover."""

from pathlib import Path

import pytest
from lsprotocol import types

from editor import editor
from shop import write

TEXT = "-- 😀 notes\nSELECT '😀𠮷', nme FROM customers; -- ask: 销售额最高的10个客户\n"


@pytest.mark.parametrize(
    ("encoding", "start", "end"), [("utf-16", 15, 18), ("utf-32", 13, 16), ("utf-8", 19, 22)]
)
async def test_a_finding_covers_exactly_the_name(
    shop: Path, encoding: str, start: int, end: int
) -> None:
    async with editor(shop, encodings=[encoding]) as ed:
        assert ed.encoding == encoding
        ed.open("q.sql", TEXT)
        [found] = await ed.diagnostics("q.sql", until=bool)
        assert found.code == "name/unknown-column"
        assert found.range == types.Range(types.Position(1, start), types.Position(1, end))
        # The question behind the statement is found by a position behind wide characters too.
        assert await ed.hover("q.sql", 1, end + 30)


async def test_typing_beside_other_line_separators_keeps_positions(shop: Path) -> None:
    async with editor(shop) as ed:
        text = "-- a\u2028b\x0cc\x85\r-- d\r\n-- ask: how many customers live in 'Lyon'?\n"
        ed.open("q.sql", text)
        ed.type("q.sql", text.index("Lyon"), "Oslo", over=4)
        document = ed.apply((await ed.resolved("q.sql", 2)).edit)
        assert document.text.startswith("-- a\u2028b\x0cc\x85\r-- d\r\n-- ask: how many")
        assert "city = 'Oslo'" in document.text


async def test_a_document_with_crlf_gets_crlf_and_nothing_else_changes(shop: Path) -> None:
    async with editor(shop) as ed:
        ed.open("q.sql", "-- ask: how many customers live in 'Lyon'?\r\nSELECT 1;\r\n")
        document = ed.apply((await ed.resolved("q.sql", 0, "Regenerate SQL")).edit)
    assert document.text == (
        "-- ask: how many customers live in 'Lyon'?\r\n"
        "SELECT count(*) FROM customers WHERE city = 'Lyon';\r\n"
    )


async def test_what_stands_in_a_string_is_no_question(shop: Path) -> None:
    async with editor(shop) as ed:
        ed.open("q.sql", "SELECT '\n-- ask: names\n';\n")
        assert await ed.actions("q.sql", 1) == []
        assert await ed.hover("q.sql", 1) is None


async def test_edits_go_back_under_the_uri_that_the_editor_sent(shop: Path) -> None:
    async with editor(shop) as ed:
        spelled = ed.uri("q.sql").replace("q.sql", "%71.sql")
        ed.open(spelled, "-- ask: how many customers live in 'Rome'?\n")
        action = await ed.resolved(spelled, 0)
        assert action.edit is not None
        [group] = action.edit.document_changes or []
        assert isinstance(group, types.TextDocumentEdit)
        assert group.text_document.uri == spelled


@pytest.mark.parametrize("client", ["visual-studio-code", "neovim@v0.11.0"])
async def test_nothing_in_a_schema_comment_breaks_out_of_the_preview(
    tmp_path: Path, client: str
) -> None:
    ddl = "CREATE TABLE t (a int); -- see ```\n-- [run](command:evil) <img src=x> ````\n"
    ddl += "CREATE TABLE u (\n  a int -- ````` [run](command:evil)\n);\n"
    root = write(tmp_path / "w", {"s.sql": ddl})
    async with editor(root, client=client, options={"model": {"name": "verified"}}) as ed:
        ed.open("q.sql", "-- ask: all of u\n")
        hover = await ed.hover("q.sql", 0)
    assert hover is not None
    fences = [line for line in hover.splitlines() if line.startswith("`")]
    opening = [fence for fence in fences if fence.endswith("text")]
    assert len(fences) == 2 * len(opening) > 0
    assert "command:evil" in hover
    longest = max(len(fence.removesuffix("text")) for fence in opening)
    assert longest > len("`````")


async def test_a_long_prompt_is_cut_in_the_hover_with_a_note(tmp_path: Path) -> None:
    columns = ",\n".join(f"  column_number_{n} text" for n in range(800))
    root = write(tmp_path / "w", {"s.sql": f"CREATE TABLE wide (\n{columns}\n);\n"})
    async with editor(root, options={"model": {"name": "verified"}}) as ed:
        ed.open("q.sql", "-- ask: all of wide\n")
        hover = await ed.hover("q.sql", 0)
    assert hover is not None
    assert len(hover) < 13_000
    assert "more characters" in hover


async def test_a_file_is_the_same_however_its_uri_is_spelled(shop: Path) -> None:
    text = "-- ask: how many customers live in 'Rome'?\n"
    async with editor(shop) as ed:
        opened, other = ed.uri("my q.sql"), ed.uri("").removesuffix("/") + "/my q.sql"
        assert opened != other
        ed.documents[other] = ed.open(opened, "")
        ed.type(other, 0, text)
        assert "in 'Rome'?" in (await ed.hover(other, 0) or "")
        action = await ed.resolved(other, 0)
        assert action.edit is not None
        [group] = action.edit.document_changes or []
        assert isinstance(group, types.TextDocumentEdit)
        assert group.text_document.uri == opened
        ed.close(other)
        assert await ed.actions(opened, 0) == []
