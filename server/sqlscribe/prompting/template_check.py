"""What is wrong with a template before anything is rendered, each at its line."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from difflib import get_close_matches

from sqlscribe.errors import TemplateError
from sqlscribe.notation.document import Document, Span, TextEdit
from sqlscribe.notation.findings import Finding, Fix, Severity
from sqlscribe.prompting import templates
from sqlscribe.prompting.meanings import (
    CHANGING,
    OF_THE_QUESTION,
    OF_THE_WORKSPACE,
    ONLY_FOR_FINDINGS,
    TURNS_BACK,
)
from sqlscribe.prompting.templates import SHIPPED, Templates

STABLE_TEMPLATES = ("system.j2",)
"""Templates whose text should stay the same from question to question."""


def check_template(document: Document, together: Templates, name: str) -> tuple[Finding, ...]:
    """Findings on the template ``name``, whose text is ``document``'s."""
    try:
        uses = templates.variables(together, name)
        referred = templates.references(together, name)
    except TemplateError as error:
        span = _line(document, error.line)
        return (Finding("template/syntax", Severity.ERROR, error.reason, span),)
    return (
        *_unknown_variables(document, together, name, uses),
        *_missing(document, together, referred),
        *_volatile(document, together, name, uses),
        *_idle(document, together, name),
    )


def _unknown_variables(
    document: Document, together: Templates, name: str, uses: tuple[templates.Use, ...]
) -> Iterator[Finding]:
    known = {*OF_THE_WORKSPACE, *OF_THE_QUESTION, *together.aliases}
    # A part is rendered with the variables of whatever includes it.
    if name not in TURNS_BACK and not name.startswith("parts/"):
        known -= ONLY_FOR_FINDINGS
    for use in uses:
        if use.name in known:
            continue
        span = _word(document, use)
        near = _nearest(use.name, known)
        message = f"there is no variable {use.name}{_meant(near)}"
        fixes = (Fix(f"Change to {near}", (TextEdit(span, near),), True),) if near else ()
        yield Finding("template/unknown-variable", Severity.ERROR, message, span, fixes)


def _missing(
    document: Document, together: Templates, referred: tuple[templates.Use, ...]
) -> Iterator[Finding]:
    for use in referred:
        if together.source(use.name) is not None:
            continue
        near = _nearest(use.name.removeprefix(SHIPPED), together.names())
        message = f"there is no template {use.name}{_meant(near)}"
        span = _word(document, use)
        yield Finding("template/missing", Severity.ERROR, message, span)


def _volatile(
    document: Document, together: Templates, name: str, uses: tuple[templates.Use, ...]
) -> Iterator[Finding]:
    if not name.endswith(STABLE_TEMPLATES):
        return
    for use in uses:
        if together.aliases.get(use.name, use.name) in CHANGING:
            message = (
                f"{use.name} changes from question to question: here it keeps providers from"
                " reusing what they have read, so each question costs the whole prompt;"
                " it belongs into user.j2"
            )
            span = _word(document, use)
            yield Finding("template/volatile", Severity.WARNING, message, span)


def _idle(document: Document, together: Templates, name: str) -> Iterator[Finding]:
    """A file that overrides nothing and that no other template uses."""
    if name in together.shipped or _is_used(together, name):
        return
    message = f"no prompt uses {name}{_meant(_nearest(name, together.shipped))}"
    yield Finding("template/not-used", Severity.WARNING, message, _line(document, 1))


def _is_used(together: Templates, name: str) -> bool:
    if name.startswith("dialects/"):
        # Included by the name of the dialect.
        return True
    for other in together.names():
        try:
            referred = templates.references(together, other)
        except TemplateError:
            continue
        if any(use.name == name for use in referred):
            return True
    return False


def _nearest(name: str, known: Iterable[str]) -> str:
    near = get_close_matches(name, sorted(known), 1, 0.6)
    return near[0] if near else ""


def _meant(near: str) -> str:
    return f"; did you mean {near}?" if near else ""


def _word(document: Document, use: templates.Use) -> Span:
    """The name itself on its line, else the line."""
    line = _line(document, use.line)
    at = document.text.find(use.name, line.start, line.end)
    return Span(at, at + len(use.name)) if at >= 0 else line


def _line(document: Document, line: int) -> Span:
    last = len(document.line_starts) - 1
    return document.line_span(min(max(line - 1, 0), last))
