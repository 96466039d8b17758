"""Symbols, folding and highlighting of SQL files."""

import json
from typing import Any

from lsprotocol import types
from pygls.protocol import default_converter

from lsp_server import QuietServer
from sqlscribe.lsp import outline
from sqlscribe.notation.document import Document

TEXT = """\
-- ask[dialect=mysql]: 收入 by month 😀 @orders
-- and by region
SELECT 1
FROM orders;

CREATE TABLE t (
  a int
);
SELECT 2;
-- refine: only @orders
"""
URI = "untitled:q.sql"
WHERE = types.TextDocumentIdentifier(URI)


def server(text: str = TEXT) -> QuietServer:
    made = QuietServer()
    made.session.open(Document(URI, text), None)
    return made


async def symbols(made: Any) -> list[types.DocumentSymbol]:
    found = await outline.document_symbols(made, types.DocumentSymbolParams(WHERE))
    return default_converter().structure(json.loads(found), list[types.DocumentSymbol])


async def folds(made: Any) -> list[types.FoldingRange]:
    found = await outline.folding_ranges(made, types.FoldingRangeParams(WHERE))
    return default_converter().structure(json.loads(found), list[types.FoldingRange])


async def test_symbols_are_questions_with_their_answers_and_the_other_statements() -> None:
    found = await symbols(server())
    assert [(each.name, each.kind) for each in found] == [
        ("收入 by month 😀 @orders and by region", types.SymbolKind.Event),
        ("CREATE TABLE t ( a int )", types.SymbolKind.Struct),
        ("SELECT 2", types.SymbolKind.Function),
        ("only @orders", types.SymbolKind.Event),
    ]
    [answer] = found[0].children or []
    assert (answer.name, answer.range.start.line) == ("SELECT 1 FROM orders;", 2)
    assert found[0].range.end.line == 3
    for each in found:
        assert each.range.start <= each.selection_range.start
        assert each.selection_range.end <= each.range.end


async def test_what_takes_several_lines_folds() -> None:
    found = await folds(server())
    assert [(each.start_line, each.end_line, each.kind) for each in found] == [
        (0, 1, "comment"),
        (2, 3, "region"),
        (5, 7, "region"),
    ]


async def test_tokens_are_relative_and_count_in_the_encoding_of_the_client() -> None:
    found = await outline.semantic_tokens(server(), types.SemanticTokensParams(WHERE))  # type: ignore[arg-type]
    rows = [tuple(found.data[at : at + 5]) for at in range(0, len(found.data), 5)]
    first = TEXT.splitlines()[0]
    # The face counts twice in UTF-16.
    mention = len(first[: first.index("@orders")]) + 1
    assert rows[:4] == [
        (0, 3, 3, 0, 0),
        (0, 4, 7, 1, 0),
        (0, 8, 5, 2, 0),
        (0, mention - 15, 7, 3, 0),
    ]
    assert rows[4][:2] == (9, 3)


async def test_a_document_that_is_not_open_has_nothing() -> None:
    quiet = QuietServer()
    assert await symbols(quiet) == []
    assert await folds(quiet) == []
    assert (await outline.semantic_tokens(quiet, types.SemanticTokensParams(WHERE))).data == []  # type: ignore[arg-type]


async def test_an_empty_name_is_never_sent() -> None:
    found = await symbols(server("()();;\n/* ask: x */\n"))
    assert all(each.name for each in found)


async def test_of_a_dump_the_rows_are_left_out() -> None:
    dump = "CREATE TABLE t (a int);\n" + "INSERT INTO t VALUES (1);\n" * 20_000 + "SELECT 1;\n"
    found = await symbols(server(dump))
    assert [each.name for each in found] == ["CREATE TABLE t (a int)", "SELECT 1"]


async def test_a_name_may_hold_anything() -> None:
    found = await symbols(server("SELECT '\"\\\u2028 \ud83d';\n"))
    assert [each.name for each in found] == ["SELECT '\"\\ \ud83d'"]
