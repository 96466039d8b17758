"""Hover: the exact prompt of a question, and what is known of a name."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from lsprotocol import types

from sqlscribe.errors import ConfigurationError, TemplateError
from sqlscribe.lsp import convert
from sqlscribe.lsp import preview as previews
from sqlscribe.lsp.notebooks import known_in_cell
from sqlscribe.notation.asks import Question, Script
from sqlscribe.notation.document import Document, Span
from sqlscribe.session import request_for

if TYPE_CHECKING:
    from sqlscribe.lsp.server import SQLScribeServer
    from sqlscribe.navigation.descriptions import Description

_LONGEST = 10_000
"""Characters of the prompt that a hover shows; editors grow slow beyond."""


async def hover(ls: SQLScribeServer, params: types.HoverParams) -> types.Hover | None:
    document = ls.session.documents.get(params.text_document.uri)
    if document is None:
        return None
    script = await ls.session.read_script(document)
    offset = convert.offset(document, params.position, ls.encoding)
    question = script.question_at(offset)
    if question is None or any(each.span.contains(offset) for each in question.mentions):
        named = await _on_name(ls, script, offset)
        if named is not None or question is None:
            return named
    return await _on_question(ls, document, question)


async def _on_name(server: SQLScribeServer, script: Script, offset: int) -> types.Hover | None:
    """The definition of what stands in SQL or behind an ``@``, and who uses it."""
    from sqlscribe.navigation.descriptions import describe
    from sqlscribe.navigation.finding import find, find_star

    loaded = await server.session.known(server.session.place(script.document.uri).root)
    loaded = await known_in_cell(server, script.document, loaded)

    def look() -> tuple[Span, Description] | None:
        hit = find(script, offset, loaded) or find_star(script, offset, loaded)
        said = describe(hit, loaded) if hit is not None else None
        return (hit.span, said) if hit is not None and said is not None else None

    # One way to a worker thread and back costs as much as much of the work there.
    seen = await asyncio.to_thread(look)
    if seen is None:
        return None
    span, said = seen
    shown = convert.range_of(script.document, span, server.encoding)
    return types.Hover(_description(server, said), shown)


def _description(server: SQLScribeServer, said: Description) -> types.MarkupContent:
    remarks = "\n".join(said.remarks)
    if not _takes_markdown(server):
        place = f"{said.file.name}, line {said.line + 1}" if said.file is not None else ""
        parts = (said.sql, remarks, place)
        return types.MarkupContent(types.MarkupKind.PlainText, "\n\n".join(filter(None, parts)))
    from sqlscribe.prompting.preview import fenced

    # The fence is as long as the text needs it; its colours are those of SQL.
    fence, _, rest = fenced(said.sql).partition("text\n")
    parts = (f"{fence}sql\n{rest}", fenced(remarks) if remarks else "", _link(said))
    return types.MarkupContent(types.MarkupKind.Markdown, "\n\n".join(filter(None, parts)))


def _link(said: Description) -> str:
    """A link of which nothing comes from a file's text, and no name can end it early."""
    if said.file is None:
        return ""
    line = said.line + 1
    return f"[Definition, line {line}]({said.file.as_uri()}#L{line})"


async def _on_question(
    server: SQLScribeServer, document: Document, question: Question
) -> types.Hover:
    from sqlscribe import answer

    try:
        snapshot = await server.session.snapshot(document, question)
        request = request_for(document, question)
        prompt, price = await asyncio.to_thread(
            lambda: (answer.prepare(request, snapshot), snapshot.price())
        )
    except (ConfigurationError, TemplateError) as error:
        head, details, text = f"There is no prompt: {error}", [], ""
    else:
        from sqlscribe.prompting import preview

        head = preview.head_line(prompt, snapshot.model_name, price)
        details = [*preview.details(prompt), *snapshot.remarks]
        text = preview.text(prompt)
    span = convert.range_of(document, question.span, server.encoding)
    link = previews.link(document, question) if text and server.previews.are_linked else ""
    return types.Hover(_content(server, head, details, text, link), span)


def _content(
    server: SQLScribeServer, head: str, details: list[str], text: str, link: str
) -> types.MarkupContent:
    if len(text) > _LONGEST:
        left = len(text) - _LONGEST
        text = f"{text[:_LONGEST]}\n… {left:,} more characters (sqlscribe prompt shows all)"
    lines = "\n".join([head, *details])
    if not _takes_markdown(server):
        return types.MarkupContent(types.MarkupKind.PlainText, f"{lines}\n\n{text}".rstrip())
    from sqlscribe.prompting.preview import fenced

    # Everything that comes from files stands in code blocks, where no link is live.
    parts = (fenced(lines), link, fenced(text) if text else "")
    return types.MarkupContent(types.MarkupKind.Markdown, "\n\n".join(filter(None, parts)))


def _takes_markdown(server: SQLScribeServer) -> bool:
    text_document = server.client_capabilities.text_document
    capability = text_document.hover if text_document else None
    formats = (capability.content_format if capability else None) or []
    return types.MarkupKind.Markdown in formats
