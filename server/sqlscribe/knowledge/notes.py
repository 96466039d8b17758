"""Notes: the team's Markdown, cut into sections that can be found and quoted one by one."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from pathlib import Path

from sqlscribe.notation.document import Document

_LONGEST = 1500
"""In characters: what a prompt can take of one note, and what one vector can stand for."""

_PIECE = re.compile(rf"(?s).{{1,{_LONGEST}}}(?:\n|\Z)|.{{1,{_LONGEST}}}")
"""A paragraph that is too long is cut at a line end, or in a line that is too long itself."""
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_HEADING = re.compile(r" {0,3}(#{1,6})(?:[ \t]+(.*?))??(?:[ \t]+#+)?[ \t]*\Z")
_UNDERLINE = re.compile(r" {0,3}(=+|-+)[ \t]*\Z")
_NO_TITLE = re.compile(r" {0,3}(?:[-+*>|#]|\d+[.)])|\s*\Z| {4}|\t")
"""A line that an underline does not turn into a heading: list, quote, table, code, nothing."""
_FRONT_MATTER_LINES = 500
_FRONT_MATTER = re.compile(r"\A---[ \t]*\n.*?\n(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.DOTALL)


@dataclass(frozen=True)
class Section:
    """A part of a note. ``title`` is the path of headings to it (``Sales > Net revenue``).

    ``line`` is the zero-based line of ``file`` where it starts.
    """

    title: str
    text: str
    file: Path
    line: int

    @cached_property
    def key(self) -> str:
        """Stable as long as file, title and text stay; it does not depend on the line."""
        said = "\0".join((self.file.as_posix(), self.title, self.text))
        return hashlib.sha256(said.encode("utf-8", "surrogatepass")).hexdigest()[:32]


@dataclass(frozen=True)
class _Line:
    number: int
    text: str
    in_code: bool


def read_notes(document: Document, path: Path) -> tuple[Section, ...]:
    """The sections of a Markdown file in order, long ones cut between their paragraphs.

    A section's text does not repeat its heading. Where the file has no heading above a text,
    the file's name is the title.
    """
    sections: list[Section] = []
    headings: dict[int, str] = {}
    body: list[_Line] = []

    def finish() -> None:
        titles = [headings[level] for level in sorted(headings) if headings[level]]
        title = " > ".join(titles) or path.stem
        for start, text in _pieces(body):
            sections.append(Section(title, text, path, start))
        body.clear()

    for line in _lines(document):
        level, title = _heading(line, body)
        if not level:
            body.append(line)
            continue
        if title is None:
            title = body.pop().text.strip()
        finish()
        headings = {above: text for above, text in headings.items() if above < level}
        headings[level] = title
    finish()
    return tuple(sections)


def _lines(document: Document) -> Iterator[_Line]:
    """The lines behind the front matter; a code fence that never closes ends with the file."""
    lines = [
        document.line_span(number).of(document.text) for number in range(len(document.line_starts))
    ]
    front = _FRONT_MATTER.match("\n".join(lines[:_FRONT_MATTER_LINES]))
    skipped = front.group().count("\n") if front else 0
    fence = ""
    for number, text in enumerate(lines[skipped:], skipped):
        mark = _FENCE.match(text)
        if fence:
            yield _Line(number, text, True)
            if mark and mark[1].startswith(fence) and not text[mark.end() :].strip():
                fence = ""
        elif mark:
            fence = mark[1]
            yield _Line(number, text, True)
        else:
            yield _Line(number, text, False)


def _heading(line: _Line, body: list[_Line]) -> tuple[int, str | None]:
    """Level and title; level 0 for no heading, no title where the line before has it."""
    if line.in_code:
        return 0, None
    if marked := _HEADING.match(line.text):
        return len(marked[1]), (marked[2] or "").strip()
    underline = _UNDERLINE.match(line.text)
    if underline and body and not body[-1].in_code and not _NO_TITLE.match(body[-1].text):
        return (1 if underline[1][0] == "=" else 2), None
    return 0, None


def _pieces(body: list[_Line]) -> Iterator[tuple[int, str]]:
    """First line and text of pieces of at most about ``_LONGEST`` characters."""
    start, taken = 0, ""
    for number, paragraph in _paragraphs(body):
        if taken and len(taken) + len(paragraph) > _LONGEST:
            yield start, taken
            taken = ""
        start, taken = (start, f"{taken}\n\n{paragraph}") if taken else (number, paragraph)
    if taken:
        yield start, taken


def _paragraphs(body: list[_Line]) -> Iterator[tuple[int, str]]:
    """First line and text of what stands between blank lines; code stays in one paragraph."""
    for is_blank, group in groupby(body, key=lambda line: not (line.in_code or line.text.strip())):
        if is_blank:
            continue
        lines = list(group)
        number = lines[0].number
        for piece in _PIECE.finditer("\n".join(line.text for line in lines)):
            yield number, piece.group().rstrip("\n")
            number += piece.group().count("\n")
