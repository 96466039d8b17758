"""The structure of a SQL file: symbols, folding, and the parts of its questions."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from lsprotocol import types

from sqlscribe.lsp.encoded import Encoded
from sqlscribe.notation.asks import Question, Script
from sqlscribe.notation.document import Document, Encoding, Span
from sqlscribe.notation.document import length as units
from sqlscribe.notation.question_parts import PartKind, question_parts
from sqlscribe.notation.statements import Statement

if TYPE_CHECKING:
    from sqlscribe.lsp.server import SQLScribeServer

_LONGEST_NAME = 60
_MOST = 20_000
"""Statements that an outline shows; in longer files most of them put rows into tables."""
LEGEND = types.SemanticTokensLegend(
    token_types=["keyword", "property", "string", "class"], token_modifiers=[]
)
_TOKEN_TYPES: dict[PartKind, int] = {"mark": 0, "option": 1, "value": 2, "mention": 3}


async def document_symbols(ls: SQLScribeServer, params: types.DocumentSymbolParams) -> Encoded:
    """Questions with their answers, and the other statements."""
    script = await _script(ls, params.text_document.uri)
    if script is None:
        return Encoded("[]")
    document = script.document

    def symbol(name: str, kind: types.SymbolKind, whole: Span, first: Span, below: str) -> str:
        range_ = _range(document, whole, ls.encoding)
        selection = range_ if first == whole else _range(document, first, ls.encoding)
        return (
            f'{{"name":{json.dumps(_shortened(name))},"kind":{kind.value},"range":{range_},'
            f'"selectionRange":{selection},"children":[{below}]}}'
        )

    found: list[tuple[Span, str]] = []
    answers: set[int] = set()
    for question in script.questions:
        answer = _below(question)
        under = ""
        if answer is not None:
            answers.add(answer.start)
            name = answer.of(document.text)
            under = symbol(name, types.SymbolKind.Function, answer, answer, "")
        reach = _reach(question)
        asked = symbol(question.text, types.SymbolKind.Event, reach, question.span, under)
        found.append((reach, asked))
    for statement in _shown(script.statements):
        span = statement.span
        if span.start not in answers:
            # Of a long one only the beginning is shown.
            name = document.text[span.start : min(span.end, span.start + 4 * _LONGEST_NAME)]
            found.append((span, symbol(name, _kind(statement), span, span, "")))
    return Encoded(f"[{','.join(each for _, each in sorted(found, key=_place))}]")


def _shown(statements: Sequence[Statement]) -> Sequence[Statement]:
    if len(statements) <= _MOST:
        return statements
    return [each for each in statements if each.keyword != "INSERT"][:_MOST]


async def folding_ranges(ls: SQLScribeServer, params: types.FoldingRangeParams) -> Encoded:
    """Statements and question comments of more than one line."""
    script = await _script(ls, params.text_document.uri)
    if script is None:
        return Encoded("[]")
    document = script.document

    def folds(span: Span, kind: types.FoldingRangeKind) -> Iterator[tuple[Span, str]]:
        first, last = document.line_of(span.start), document.line_of(max(span.end - 1, span.start))
        if last > first:
            fold = f'{{"startLine":{first},"endLine":{last},"kind":"{kind.value}"}}'
            yield Span(first, last), fold

    found: list[tuple[Span, str]] = []
    for question in script.questions:
        found += folds(question.span, types.FoldingRangeKind.Comment)
    for statement in script.statements:
        found += folds(statement.span, types.FoldingRangeKind.Region)
    return Encoded(f"[{','.join(each for _, each in sorted(found, key=_place))}]")


def _place(found: tuple[Span, str]) -> Span:
    return found[0]


def _range(document: Document, span: Span, encoding: Encoding) -> str:
    (line, character), (last, end) = document.range(span, encoding)
    return (
        f'{{"start":{{"line":{line},"character":{character}}},'
        f'"end":{{"line":{last},"character":{end}}}}}'
    )


async def semantic_tokens(
    ls: SQLScribeServer, params: types.SemanticTokensParams
) -> types.SemanticTokens:
    """The marks, options and mentions of questions; SQL itself is left to the grammar."""
    script = await _script(ls, params.text_document.uri)
    data: list[int] = []
    if script is None:
        return types.SemanticTokens(data)
    document = script.document
    line = character = 0
    for question in script.questions:
        for part in question_parts(document.text, question):
            start, end = part.span
            at = document.line_of(start)
            first = document.line_starts[at]
            if at + 1 < len(document.line_starts) and end > document.line_starts[at + 1]:
                # A token may not go over the end of its line.
                continue
            column = units(document.text[first:start], ls.encoding)
            ahead = column - (character if at == line else 0)
            length = units(part.span.of(document.text), ls.encoding)
            data += (at - line, ahead, length, _TOKEN_TYPES[part.kind], 0)
            line, character = at, column
    return types.SemanticTokens(data)


async def _script(server: SQLScribeServer, uri: str) -> Script | None:
    document = server.session.documents.get(uri)
    return None if document is None else await server.session.read_script(document)


def _below(question: Question) -> Span | None:
    """The answer under a question; what a refinement is about stands above it."""
    answer = question.answer
    return answer if answer is not None and answer.start >= question.span.end else None


def _reach(question: Question) -> Span:
    """The question together with the answer under it."""
    answer = _below(question)
    return question.span if answer is None else Span(question.span.start, answer.end)


_MAKES_TABLES = frozenset({"CREATE", "ALTER", "DROP"})


def _kind(statement: Statement) -> types.SymbolKind:
    if statement.keyword in _MAKES_TABLES:
        return types.SymbolKind.Struct
    return types.SymbolKind.Function


def _shortened(name: str) -> str:
    """One line that an outline can show; never empty, which the protocol forbids."""
    line = " ".join(name[: 4 * _LONGEST_NAME].split()) or "…"
    return line if len(line) <= _LONGEST_NAME else f"{line[: _LONGEST_NAME - 1]}…"
