"""Inside a template of a prompt: variables, filters, and the names of other templates."""

from __future__ import annotations

import re
from collections.abc import Iterator

from sqlscribe.completion.suggestion import Suggestion
from sqlscribe.notation.document import Document, Span
from sqlscribe.prompting.meanings import OF_THE_QUESTION, OF_THE_WORKSPACE
from sqlscribe.prompting.templates import FILTERS, SHIPPED, Templates

_NAME = re.compile(r"(\w*)\Z")
_FILTER = re.compile(r"\|\s*+(\w*)\Z")
_REFERENCE = re.compile(r"(?:include|extends|import|from)\s+[\"']([^\"']*)\Z")


def in_template(document: Document, offset: int, templates: Templates) -> list[Suggestion]:
    """Suggestions at an offset of a template; none outside of its marks."""
    opened = max(document.text.rfind(mark, 0, offset) for mark in ("{{", "{%"))
    closed = max(document.text.rfind(mark, 0, offset) for mark in ("}}", "%}"))
    if opened < 0 or closed > opened:
        return []
    before = document.text[opened + 2 : offset]
    if reference := _REFERENCE.search(before):
        return list(_templates(Span(offset - len(reference[1]), offset), templates))
    if written := _FILTER.search(before):
        span = Span(offset - len(written[1]), offset)
        return [Suggestion(each, "value", span, "filter") for each in sorted(FILTERS)]
    name = _NAME.search(before)
    assert name is not None
    if before[: name.start()].endswith("."):
        return []
    return list(_variables(Span(offset - len(name[1]), offset), templates))


def _variables(span: Span, templates: Templates) -> Iterator[Suggestion]:
    for name in sorted(OF_THE_WORKSPACE):
        yield Suggestion(name, "variable", span, "the same for every question")
    for name in sorted(OF_THE_QUESTION):
        yield Suggestion(name, "variable", span, "changes with the question")
    for name, meaning in templates.aliases.items():
        yield Suggestion(name, "variable", span, f"stands for {meaning}")


def _templates(span: Span, templates: Templates) -> Iterator[Suggestion]:
    for name in templates.names():
        yield Suggestion(name, "value", span, templates.origin(name))
        if name in templates.workspace and name in templates.shipped:
            yield Suggestion(f"{SHIPPED}{name}", "value", span, "the shipped one")
