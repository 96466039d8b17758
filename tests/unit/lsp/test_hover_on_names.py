"""Hover on names of SQL. ``|`` in a text is the cursor."""

from pathlib import Path

import pytest
from lsprotocol import types

from lsp_server import QuietServer
from shop import SHOP, write
from sqlscribe.lsp import hover
from sqlscribe.notation.document import Document

MARKDOWN = [types.MarkupKind.Markdown, types.MarkupKind.PlainText]


async def shown(
    root: Path, text: str, formats: list[types.MarkupKind] | None = None, **files: str
) -> types.Hover | None:
    server = QuietServer()
    capabilities = types.HoverClientCapabilities(content_format=formats)
    server.client_capabilities.text_document = types.TextDocumentClientCapabilities(
        hover=capabilities
    )
    server.session.set_roots([write(root, {**SHOP, **files})])
    before, _, after = text.partition("|")
    path = root / "q.sql"
    document = Document(path.as_uri(), before + after)
    server.session.open(document, path)
    position = types.Position(*document.position(len(before), "utf-16"))
    where = types.TextDocumentIdentifier(document.uri)
    found = await hover.hover(server, types.HoverParams(where, position))  # type: ignore[arg-type]
    server.session.shutdown()
    return found


def text_of(found: types.Hover | None) -> str:
    assert found is not None
    assert isinstance(found.contents, types.MarkupContent)
    return found.contents.value


async def test_markdown_has_the_ddl_in_a_block_and_a_link_to_it(tmp_path: Path) -> None:
    root = tmp_path / "a (b) [c]"
    value = text_of(await shown(root, "SELECT 1 FROM cust|omers", MARKDOWN))
    assert value.startswith("```sql\nCREATE TABLE customers (\n")
    assert "full_name text NOT NULL, -- as on the invoice" in value
    link = value.splitlines()[-1]
    assert link.startswith("[Definition, line 1](file://")
    assert link.endswith("/db/shop.sql#L1)")
    assert link.count("(") == link.count(")") == 1


async def test_a_client_without_markdown_gets_plain_text(tmp_path: Path) -> None:
    value = text_of(await shown(tmp_path, "SELECT 1 FROM cust|omers"))
    assert value.startswith("CREATE TABLE customers (\n")
    assert "```" not in value
    assert value.endswith("shop.sql, line 1")


async def test_the_range_is_that_of_the_name_in_the_clients_units(tmp_path: Path) -> None:
    found = await shown(tmp_path, "-- 😀\r\nSELECT '😀', o.to|tal FROM orders o", MARKDOWN)
    assert found is not None
    assert found.range == types.Range(types.Position(1, 15), types.Position(1, 20))


async def test_comments_of_files_stay_inside_of_the_blocks(tmp_path: Path) -> None:
    ddl = "CREATE TABLE t (\n  a int -- ````` [run](command:evil) <img src=x>\n);\n"
    value = text_of(await shown(tmp_path, "SELECT |a FROM t", MARKDOWN, **{"db/t.sql": ddl}))
    fences = [line for line in value.splitlines() if line.strip("`") in ("sql", "text", "")]
    fences = list(filter(None, fences))
    assert len(fences) == 4
    assert max(map(len, fences)) > len("`````")
    outside = value.rpartition(fences[-1])[2]
    assert "command:" not in outside


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("-- ask: all of @cust|omers", "CREATE TABLE customers ("),
        ("-- ask: all of @customers.ci|ty", "customers.city text"),
        ("-- ask: a|ll of @customers", "[system]"),
        ("-- ask: all of @noth|ing", "[system]"),
    ],
)
async def test_in_a_question_a_mention_is_explained_and_the_rest_is_the_prompt(
    tmp_path: Path, text: str, expected: str
) -> None:
    write(tmp_path, {"sqlscribe.toml": '[model]\nname = "verified"\n'})
    assert expected in text_of(await shown(tmp_path, text, MARKDOWN))


@pytest.mark.parametrize("text", ["SEL|ECT 1", "SELECT not|hing FROM customers", "|", "-- x|y"])
async def test_where_nothing_is_known_nothing_is_shown(tmp_path: Path, text: str) -> None:
    assert await shown(tmp_path, text, MARKDOWN) is None
