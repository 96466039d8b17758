"""SQL within texts of other kinds: fenced blocks of Markdown, and cells of notebooks.

Such a text is read as a document of the same length and the same lines in which everything but
the SQL is blank. So every place is the same in both, and whoever reads SQL need not know. Edits
go the other way: their new lines get what each line of a quote or a list begins with.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

from sqlscribe.notation.document import Document, Encoding, Position, Span, TextEdit
from sqlscribe.notation.fenced import Block, fenced_blocks
from sqlscribe.notation.lexicon import Piece
from sqlscribe.notation.statements import Outline, Statement, outline

HostKind = Literal["prose", "cell"]

SQL_LANGUAGES = {
    "sql": "",
    "jinja-sql": "",
    "sql-jinja": "",
    "sql+jinja": "",
    "postgres": "postgres",
    "postgresql": "postgres",
    "pgsql": "postgres",
    "plpgsql": "postgres",
    "mysql": "mysql",
    "mariadb": "mysql",
    "sqlite": "sqlite",
    "sqlite3": "sqlite",
    "duckdb": "duckdb",
    "tsql": "tsql",
    "plsql": "oracle",
    "bigquery": "bigquery",
    "snowflake": "snowflake",
    "redshift": "redshift",
}
"""What blocks of SQL are called, and the dialect that the name says."""

_NOT_LINE_ENDS = re.compile(r"[^\r\n\t]")
_LINE_END = re.compile(r"\r\n|\n|\r")
_LONGEST = 500_000
"""Characters of a text in which SQL is looked for."""


@dataclass(frozen=True)
class Region:
    """A piece of SQL in whole lines. ``prefix`` is what new lines of it begin with.

    ``dialect`` is the one that its name says, ``""`` where it says none. ``runs`` is false for
    SQL that may only be there to be read.
    """

    span: Span
    prefix: str = ""
    dialect: str = ""
    runs: bool = True
    insets: tuple[int, ...] = ()


@dataclass(frozen=True)
class Embedded(Document):
    """The SQL of ``whole``, a text of another kind. Both have the same lines and places."""

    whole: Document = field(kw_only=True)
    regions: tuple[Region, ...] = field(kw_only=True)
    kind: HostKind = field(kw_only=True)

    @property
    def host(self) -> Document:
        return self.whole

    @cached_property
    def line_starts(self) -> Sequence[int]:
        return self.whole.line_starts

    def offset(self, position: Position, encoding: Encoding = "utf-32") -> int:
        # What is blank here may be of another width there.
        return self.whole.offset(position, encoding)

    def position(self, offset: int, encoding: Encoding = "utf-32") -> Position:
        return self.whole.position(offset, encoding)

    def changed(self, edits: Iterable[TextEdit], version: int | None = None) -> Document:
        outward = [self.outward(edit) for edit in edits]
        return _view(self.whole.changed(outward, version), self.kind)

    def region_at(self, offset: int) -> Region | None:
        """The piece that an offset is in. Where a piece ends, a line of another kind begins."""
        index = bisect_right(self._starts, offset) - 1
        if index < 0:
            return None
        span = self.regions[index].span
        is_last = span.end == len(self.text)
        return self.regions[index] if offset < span.end or is_last else None

    @property
    def begin(self) -> int:
        return self.regions[0].span.start if self.regions else 0

    def holds(self, offset: int) -> bool:
        return self.region_at(offset) is not None

    def around(self, offset: int) -> str:
        region = self.region_at(offset)
        if region is None:
            return _blank(self.text)
        start, end = region.span
        return _blank(self.text[:start]) + self.text[start:end] + _blank(self.text[end:])

    def outward(self, edit: TextEdit) -> TextEdit:
        region = self.region_at(edit.span.start)
        if region is None or not region.prefix:
            return edit
        (start, end), text = edit
        first = self.line_starts[self.line_of(start)]
        if first < start < first + self._inset(region, start):
            # It begins within what belongs to a quote.
            start, text = first, " " * (start - first) + text
        whole_line = text.endswith(("\r", "\n")) if text else start in self.line_starts
        if goes_on := not (whole_line and end in self.line_starts):
            content = self.line_starts[self.line_of(end)] + self._inset(region, end)
            text += " " * max(content - end, 0)
            end = max(content, end)
        text = _prefixed(text, region.prefix, start in self.line_starts, goes_on)
        return TextEdit(Span(start, end), text)

    def _inset(self, region: Region, offset: int) -> int:
        line = self.line_of(offset) - self.line_of(region.span.start)
        return region.insets[line] if 0 <= line < len(region.insets) else 0

    @cached_property
    def _starts(self) -> list[int]:
        return [region.span.start for region in self.regions]


def embedded(document: Document, language: str, *, is_cell: bool = False) -> Document:
    """The SQL of a document, as its language and the name of its file say; else itself."""
    if is_cell and language != "markdown":
        is_plain = language in SQL_LANGUAGES and _MAGIC.match(document.text) is None
        return document if is_plain else _view(document, "cell")
    name = document.uri.rpartition("/")[2].lower()
    if language in _MARKDOWN or name.endswith(_MARKDOWN_FILES):
        return _view(document, "prose")
    return document


_MARKDOWN = frozenset({"markdown", "quarto", "rmd", "rmarkdown", "mdx", "markdown.mdx"})
_MARKDOWN_FILES = (".md", ".markdown", ".qmd", ".rmd", ".mdx")


def outline_of(document: Document, dialect: str, text: str | None = None) -> Outline:
    """The outline of a document, or of another ``text`` as long. Each piece stands for itself."""
    text = document.text if text is None else text
    if not isinstance(document, Embedded):
        return outline(text, dialect)
    statements: list[Statement] = []
    comments: list[Piece] = []
    skipped: list[Span] = []
    delimiters: list[tuple[int, str]] = []
    for region in document.regions:
        by = region.span.start
        part = outline(region.span.of(text), dialect)
        statements += (statement.moved(by) for statement in part.statements)
        comments += (Piece(piece.kind, piece.start + by, piece.end + by) for piece in part.comments)
        skipped += (span.moved(by) for span in part.skipped)
        delimiters += ((start + by, mark) for start, mark in ((0, ";"), *part.delimiters))
    return Outline(tuple(statements), tuple(comments), tuple(skipped), tuple(delimiters))


def _view(document: Document, kind: HostKind) -> Document:
    found = _blocks(document) if kind == "prose" else _cell(document.text)
    regions = tuple(found) if len(document.text) <= _LONGEST else ()
    text = _sql_of(document, regions)
    return Embedded(
        document.uri, text, document.version, whole=document, regions=regions, kind=kind
    )


def _blocks(document: Document) -> Iterator[Region]:
    for block in fenced_blocks(document):
        dialect = SQL_LANGUAGES.get(block.language)
        if dialect is not None and block.span.start < block.span.end:
            yield _region(block, dialect)


def _region(block: Block, dialect: str) -> Region:
    return Region(block.span, block.prefix, dialect, block.runs, block.insets)


_MAGIC = re.compile(
    r"(?:[ \t]*+(?:\r\n|\r|\n))*+[ \t]*+"
    r"(?:%%sql(?!\w)[^\r\n]*+|%sql[ \t]*+(?=[\r\n]))(?:\r\n|\r|\n|\Z)"
)


def _cell(text: str) -> Iterator[Region]:
    """The lines under ``%%sql``, whatever options stand behind that."""
    magic = _MAGIC.match(text)
    if magic is not None and magic.end() < len(text):
        yield Region(Span(magic.end(), len(text)))


def _sql_of(document: Document, regions: Iterable[Region]) -> str:
    text = document.text
    pieces: list[str] = []
    done = 0
    for region in regions:
        start, end = region.span
        pieces.append(_blank(text[done:start]))
        done = end
        if ">" not in region.prefix:
            # Blank as it is.
            pieces.append(text[start:end])
            continue
        first = document.line_of(start)
        for number, inset in enumerate(region.insets, first):
            line = document.line_starts[number]
            if line >= end:
                break
            pieces += [text[start:line], _blank(text[line : line + inset])]
            start = line + inset
        pieces.append(text[start:end])
    return "".join([*pieces, _blank(text[done:])])


def _blank(text: str) -> str:
    return _NOT_LINE_ENDS.sub(" ", text)


def _prefixed(text: str, prefix: str, is_new: bool, goes_on: bool) -> str:
    """Text whose lines begin with ``prefix``, in place of as many blanks.

    ``is_new`` says whether its first line is one, ``goes_on`` whether the last one is: else it
    is empty, and a line follows that has its own.
    """
    pieces: list[str] = []
    done = 0
    for end in _LINE_END.finditer(text):
        line = text[done : end.start()]
        new = _line(line, prefix) if is_new else line
        pieces += [new if line.strip() else new.rstrip(), end.group()]
        is_new, done = True, end.end()
    rest = text[done:]
    pieces.append(_line(rest, prefix) if is_new and goes_on else rest)
    return "".join(pieces)


def _line(line: str, prefix: str) -> str:
    blanks = len(line) - len(line.lstrip(" \t"))
    return prefix + line[min(blanks, len(prefix)) :]
