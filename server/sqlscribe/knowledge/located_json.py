"""JSON as located nodes: lists of objects, and one object a line."""

from __future__ import annotations

import json
import re

from sqlscribe.knowledge.located import Node, Problem, rest_of_line
from sqlscribe.notation.document import Document, Span

_SPACE = re.compile(r"[ \t\r\n]*")
_LIST_INSIDE = re.compile(r'\s*(?:\{\s*"examples"\s*:\s*)?\[')
_DECODER = json.JSONDecoder(object_pairs_hook=tuple)


def read_json(document: Document) -> tuple[list[Node], list[Problem]]:
    """The items of a JSON list (or of ``examples`` in a mapping), up to the first mistake."""
    text = document.text
    opening = _LIST_INSIDE.match(text)
    place = _skip(text, opening.end() if opening else 0)
    nodes: list[Node] = []
    is_empty = text.startswith("]", place) if opening else place == len(text)
    if is_empty:
        return nodes, []
    while True:
        try:
            node, place = _value(text, place)
            nodes.append(node)
            place = _skip(text, place)
            if not opening or text.startswith("]", place):
                return nodes, []
            if not text.startswith(",", place):
                raise json.JSONDecodeError("Expecting ',' delimiter", text, place)
            place = _skip(text, place + 1)
        except (ValueError, RecursionError) as error:
            at = error.pos if isinstance(error, json.JSONDecodeError) else place
            return nodes, [Problem(_not_json(error), rest_of_line(document, at))]


def read_json_lines(document: Document) -> tuple[list[Node], list[Problem]]:
    """One value a line; a bad line costs only itself."""
    nodes: list[Node] = []
    problems: list[Problem] = []
    for number in range(len(document.line_starts)):
        span = document.line_span(number)
        line = span.of(document.text)
        if not line.strip():
            continue
        try:
            node, end = _value(line, _skip(line, 0), span.start)
            if _skip(line, end) < len(line):
                raise json.JSONDecodeError("Extra data", line, end)
            nodes.append(node)
        except (ValueError, RecursionError) as error:
            problems.append(Problem(_not_json(error), span))
    return nodes, problems


def _skip(text: str, place: int) -> int:
    space = _SPACE.match(text, place)
    return space.end() if space else place


def _not_json(error: Exception) -> str:
    if isinstance(error, json.JSONDecodeError):
        return f"This is not JSON: {error.msg}."
    if isinstance(error, RecursionError):
        return "This is nested too deeply."
    return f"This is not JSON: {error}."


def _value(text: str, place: int, offset: int = 0) -> tuple[Node, int]:
    value, end = _DECODER.raw_decode(text, place)
    return _JsonPlaces(text, place, end, offset).node(value), end


class _JsonPlaces:
    """Finds the keys of a decoded value again in its text: they come in the same order."""

    def __init__(self, text: str, start: int, end: int, offset: int) -> None:
        self._text = text
        self._place = start
        self._end = end
        self._offset = offset
        self._span = Span(start, end).moved(offset)

    def node(self, value: object) -> Node:
        span = self._span
        match value:
            case tuple():
                return Node("mapping", span, pairs=tuple(self._pair(*pair) for pair in value))
            case list():
                return Node("list", span, items=tuple(self.node(item) for item in value))
            case str():
                return Node("text", span, value)
            case bool():
                return Node("truth", span, str(value))
            case None:
                return Node("null", span)
            case _:
                return Node("number", span, str(value))

    def _pair(self, key: str, value: object) -> tuple[Node, Node]:
        outer = self._span
        written = re.escape(json.dumps(key, ensure_ascii=False))
        pattern = re.compile(rf"(?<!\\){written}(?=\s*:)")
        found = pattern.search(self._text, self._place, self._end)
        if found:
            self._place = found.end()
            self._span = Span(*found.span()).moved(self._offset)
        name = Node("text", self._span, key)
        node = self.node(value)
        self._span = outer
        return name, node
