"""Hover on a question: the exact prompt, with its head."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from lsprotocol import types

from sqlscribe.errors import ConfigurationError, TemplateError
from sqlscribe.lsp import convert
from sqlscribe.session import request_for

if TYPE_CHECKING:
    from sqlscribe.lsp.server import SQLScribeServer

_LONGEST = 10_000
"""Characters of the prompt that a hover shows; editors grow slow beyond."""


async def hover(ls: SQLScribeServer, params: types.HoverParams) -> types.Hover | None:
    document = ls.session.documents.get(params.text_document.uri)
    if document is None:
        return None
    script = await ls.session.read_script(document)
    question = script.question_at(convert.offset(document, params.position, ls.encoding))
    if question is None:
        return None
    from sqlscribe import answer

    try:
        snapshot = await ls.session.snapshot(document, question)
        prompt = await asyncio.to_thread(answer.prepare, request_for(document, question), snapshot)
    except (ConfigurationError, TemplateError) as error:
        head, details, text = f"There is no prompt: {error}", [], ""
    else:
        from sqlscribe.prompting import preview

        head = preview.head_line(prompt, snapshot.model_name)
        details = [*preview.details(prompt), *snapshot.remarks]
        text = preview.text(prompt)
    span = convert.range_of(document, question.span, ls.encoding)
    return types.Hover(_content(ls, head, details, text), span)


def _content(
    server: SQLScribeServer, head: str, details: list[str], text: str
) -> types.MarkupContent:
    if len(text) > _LONGEST:
        left = len(text) - _LONGEST
        text = f"{text[:_LONGEST]}\n… {left:,} more characters (sqlscribe prompt shows all)"
    text_document = server.client_capabilities.text_document
    hover_capability = text_document.hover if text_document else None
    formats = (hover_capability.content_format if hover_capability else None) or []
    lines = "\n".join([head, *details])
    if types.MarkupKind.Markdown not in formats:
        return types.MarkupContent(types.MarkupKind.PlainText, f"{lines}\n\n{text}".rstrip())
    from sqlscribe.prompting.preview import fenced

    # Everything that comes from files stands in code blocks, where no link is live.
    return types.MarkupContent(
        types.MarkupKind.Markdown, "\n\n".join(fenced(part) for part in (lines, text) if part)
    )
