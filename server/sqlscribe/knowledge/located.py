"""Plain data that remembers where each piece of it stands in its file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Literal

from sqlscribe.notation.document import Document, Span, TextEdit
from sqlscribe.notation.findings import Finding, Fix, Severity

Kind = Literal["text", "number", "truth", "date", "null", "list", "mapping"]


@dataclass(frozen=True)
class Node:
    """A value with its place. ``text`` is that of a scalar, as written between its quotes."""

    kind: Kind
    span: Span
    text: str = ""
    items: tuple[Node, ...] = ()
    pairs: tuple[tuple[Node, Node], ...] = ()

    def get(self, name: str) -> Node | None:
        """The value of a key of a mapping; of a key that is there twice, the last one."""
        return next((value for key, value in reversed(self.pairs) if key.text == name), None)


IN_WORDS: dict[Kind, str] = {
    "text": "text",
    "number": "a number",
    "truth": "true or false",
    "date": "a date",
    "null": "nothing",
    "list": "a list",
    "mapping": "a mapping",
}


@dataclass(frozen=True)
class Problem:
    """Why the text, or the rest of it, cannot be read."""

    message: str
    span: Span


class Findings:
    """Collects what is wrong in one file."""

    def __init__(self) -> None:
        self._findings: dict[Finding, None] = {}

    def add(
        self,
        code: str,
        severity: Severity,
        message: str,
        span: Span,
        fixes: tuple[Fix, ...] = (),
    ) -> None:
        # What an alias repeats is said once.
        self._findings[Finding(code, severity, message, span, fixes)] = None

    def warn(self, code: str, message: str, node: Node) -> None:
        self.add(code, Severity.WARNING, message, node.span)

    def unknown_key(self, code: str, message: str, key: Node, near: str) -> None:
        """A key that there is not; ``near`` is the one that is meant, if one is."""
        fixes = (renamed(key, near),) if near else ()
        self.add(code, Severity.WARNING, message, key.span, fixes)

    def unreadable(self, code: str, problems: Iterable[Problem]) -> None:
        for problem in problems:
            self.add(code, Severity.ERROR, problem.message, problem.span)

    def __iter__(self) -> Iterator[Finding]:
        return iter(self._findings)


def closest(name: str, names: Iterable[str]) -> str:
    """The known name closest to ``name``, ``""`` where none is close."""
    folded = {each.casefold(): each for each in names}
    close = get_close_matches(name.casefold(), list(folded), n=1, cutoff=0.6)
    return folded[close[0]] if close else ""


def nearest(name: str, names: Iterable[str]) -> str:
    """A hint at the known name closest to ``name``, or ``""``."""
    close = closest(name, names)
    return f" Did you mean {close}?" if close else ""


def renamed(scalar: Node, name: str) -> Fix:
    """The fix that writes another name in place of a scalar, between its quotes if it has some."""
    span = scalar.span
    if span.end - span.start == len(scalar.text) + 2:
        span = Span(span.start + 1, span.end - 1)
    return Fix(f"Change to {name}", (TextEdit(span, name),), preferred=True)


def rest_of_line(document: Document, offset: int) -> Span:
    """From an offset to the end of its line, or the last line before it that has a text."""
    line = document.line_of(min(offset, len(document.text)))
    span = document.line_span(line)
    if span.start <= offset < span.end:
        return Span(offset, span.end)
    while line > 0 and not span.of(document.text).strip():
        line -= 1
        span = document.line_span(line)
    return span
