"""Fenced blocks of Markdown, by the rules of CommonMark: also within quotes and lists.

Tabs count as blanks up to the next fourth column, and belong whole to what they are part of.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from sqlscribe.notation.document import Document, Span

_FENCE = re.compile(r"(?P<mark>`{3,}|~{3,})[ \t]*(?P<info>[^\r\n]*)")
_ITEM = re.compile(r"(?:[-+*]|\d{1,9}[.)])(?=[ \t]|\Z)")
_HTML = re.compile(r"<(?:(?P<comment>!--)|(?P<tag>(?i:pre|script|style|textarea))(?=[\s>]|\Z))")
_HTML_END = re.compile(r"</(?:pre|script|style|textarea)>", re.IGNORECASE)
_PROSE = re.compile(r" {0,3}[^\s`~>+*<\d-]")
"""How a line begins that cannot begin a block or anything around one, as most do."""
_NO_PROSE = re.compile(
    r" {0,3}(?:#{1,6}(?=\s|\Z)|=+[ \t]*$|-+[ \t]*$|(?P<rule>[-*_])(?:[ \t]*(?P=rule)){2,}[ \t]*$)",
    re.MULTILINE,
)
"""Lines of text that are a heading, or under one, or a rule."""
_BLANKS = re.compile(r"[ \t]*")
_DEEPEST = 30
"""Quotes and lists within each other; nobody writes more."""
_QUOTE = 0
"""Stands for a quote among the containers; a list's item is the number of its blanks."""


@dataclass(frozen=True)
class Block:
    """A fenced block. ``info`` is what stands behind its opening marks.

    ``span`` is its content in whole lines, without the lines of the marks. ``insets`` are, for
    each of these lines, the characters at its start that belong to quotes and lists around;
    ``prefix`` is what a new line would begin with. ``closed`` is false where the text or what
    is around ends first.
    """

    info: str
    span: Span
    prefix: str
    insets: tuple[int, ...]
    closed: bool

    @property
    def language(self) -> str:
        """The first word of the info, in lower case: ``sql`` of ``{sql, echo=FALSE}`` too."""
        found = _LANGUAGE.match(self.info)
        return found[1].lower() if found else ""

    @property
    def runs(self) -> bool:
        """Whether it is written to be run where it stands: ``{sql}``, not ``sql`` or ``{.sql}``."""
        return re.match(r"\{\w", self.info) is not None


_LANGUAGE = re.compile(r"\{?[ \t]*\.?([\w+#-]+)")


def fenced_blocks(document: Document) -> Iterator[Block]:
    """The fenced blocks of a text, in order."""
    text = document.text
    if "```" not in text and "~~~" not in text:
        return
    reader = _Reader(document)
    yield from reader.blocks()


@dataclass
class _Open:
    """A block whose end is not seen yet. ``around`` are the containers that it is in."""

    mark: str
    info: str
    around: tuple[int, ...]
    start: int
    prefix: str
    insets: list[int]

    def block(self, end: int, closed: bool) -> Block:
        span = Span(self.start, max(end, self.start))
        return Block(self.info, span, self.prefix, tuple(self.insets), closed)


class _Reader:
    """One pass over the lines. ``around`` are the quotes and items that are open.

    ``bare`` says that the line before ended with the mark of an item, ``prose`` that it was a
    paragraph's.
    """

    def __init__(self, document: Document) -> None:
        self.document = document
        self.text = document.text
        self.around: list[int] = []
        self.html: re.Pattern[str] | None = None
        self.bare = False
        self.prose = False

    def blocks(self) -> Iterator[Block]:
        opened: _Open | None = None
        starts = self.document.line_starts
        for number, start in enumerate(starts):
            if opened is None and not self.around and self.html is None and self._is_prose(start):
                self.bare, self.prose = False, _NO_PROSE.match(self.text, start) is None
                continue
            line = self.document.line_span(number)
            if opened is not None:
                place, inside = _within(self.text, line, opened.around)
                if inside == len(opened.around):
                    if _closes(self.text, line, place, opened.mark):
                        yield opened.block(line.start, closed=True)
                        opened = None
                    else:
                        opened.insets.append(place - line.start)
                    continue
                yield opened.block(line.start, closed=False)
                opened = None
            after = starts[number + 1] if number + 1 < len(starts) else len(self.text)
            opened = self._line(line, after)
        if opened is not None:
            yield opened.block(len(self.text), closed=False)

    def _is_prose(self, start: int) -> bool:
        return _PROSE.match(self.text, start) is not None

    def _line(self, line: Span, after: int) -> _Open | None:
        """Look at a line outside of blocks; the block that begins with it."""
        text = self.text
        place, inside = _within(text, line, self.around)
        if self.bare and _skipped(text, place, line.end) == line.end:
            # An item of which only the mark is there does not go over an empty line.
            inside = min(inside, len(self.around) - 1)
        self.bare = False
        if inside < len(self.around):
            del self.around[inside:]
            self.html = None
            self.prose = False
        if self.html is not None:
            if self.html.search(text, place, line.end):
                self.html = None
            return None
        place = self._containers(line, place)
        first = _skipped(text, place, line.end)
        # An indented line goes on with a paragraph, and begins none.
        begins = _width(text, line.start, place, first) <= 3
        is_text = first < line.end and _NO_PROSE.match(text, first) is None
        self.prose = is_text and (self.prose or begins)
        if _width(text, line.start, place, first) > 3:
            return None
        if (html := _HTML.match(text, first, line.end)) is not None:
            ends = re.compile("-->") if html["comment"] else _HTML_END
            self.html = None if ends.search(text, first + 2, line.end) else ends
            return None
        fence = _FENCE.match(text, first, line.end)
        if fence is None or (fence["mark"][0] == "`" and "`" in fence["info"]):
            return None
        self.prose = False
        prefix = re.sub(r"[^>\s]", " ", text[line.start : place])
        info = fence["info"].strip()
        return _Open(fence["mark"], info, tuple(self.around), after, prefix, [])

    def _containers(self, line: Span, place: int) -> int:
        """Note the quotes and items that begin on a line; where their content begins."""
        text, end = self.text, line.end
        while len(self.around) < _DEEPEST:
            first = _skipped(text, place, end)
            if _width(text, line.start, place, first) > 3:
                return place
            if text.startswith(">", first, end):
                place = first + 1 + (text[first + 1 : min(first + 2, end)] in (" ", "\t"))
                self.around.append(_QUOTE)
                self.prose = False
                continue
            item = _ITEM.match(text, first, end)
            if item is None:
                return place
            if self.prose and not _interrupts(item, _skipped(text, item.end(), end) == end):
                return place
            self.prose = False
            behind = _skipped(text, item.end(), end)
            blanks = _width(text, line.start, item.end(), behind)
            if behind == end or blanks > 4:
                # What comes then is an item's indented code, or its first line is empty.
                self.bare = behind == end
                behind = min(item.end() + 1, end)
                blanks = 1
            self.around.append(_width(text, line.start, place, item.end()) + blanks)
            place = behind
        return place


def _interrupts(item: re.Match[str], is_empty: bool) -> bool:
    """Whether an item may follow a paragraph's line: the first of a list, if it is not empty."""
    number = item[0][:-1]
    return not is_empty and (not number or int(number) == 1)


def _within(text: str, line: Span, around: tuple[int, ...] | list[int]) -> tuple[int, int]:
    """How many of the containers a line goes on with, and where what is in them begins."""
    place = line.start
    for index, container in enumerate(around):
        first = _skipped(text, place, line.end)
        if container == _QUOTE:
            indent = _width(text, line.start, place, first)
            if indent > 3 or not text.startswith(">", first, line.end):
                return place, index
            place = first + 1 + (text[first + 1 : min(first + 2, line.end)] in (" ", "\t"))
        elif _width(text, line.start, place, first) >= container:
            place = _advanced(text, line.start, place, container)
        elif first == line.end:
            place = first
        else:
            return place, index
    return place, len(around)


def _closes(text: str, line: Span, place: int, mark: str) -> bool:
    """Whether what is left of a line from a place on closes a block."""
    first = _skipped(text, place, line.end)
    if not text.startswith(mark, first, line.end):
        return False
    fence = _FENCE.match(text, first, line.end)
    if fence is None or _width(text, line.start, place, first) > 3:
        return False
    return not fence["info"].strip()


def _skipped(text: str, place: int, end: int) -> int:
    blanks = _BLANKS.match(text, place, end)
    return blanks.end() if blanks else place


def _advanced(text: str, line: int, place: int, columns: int) -> int:
    """Behind so many columns of blanks, on the line that begins at ``line``."""
    end = place
    while _width(text, line, place, end) < columns and text[end : end + 1] in (" ", "\t"):
        end += 1
    return end


def _width(text: str, line: int, start: int, end: int) -> int:
    """Columns of a piece of the line that begins at ``line``."""
    if "\t" not in text[line:end]:
        return end - start
    return len(text[line:end].expandtabs(4)) - len(text[line:start].expandtabs(4))
