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
    SQL that may only be there to be read. ``inline`` for the rest of a line that begins as one
    of another kind, so that no lines can be added to it.
    """

    span: Span
    prefix: str = ""
    dialect: str = ""
    runs: bool = True
    insets: tuple[int, ...] = ()
    inline: bool = False


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

    def takes_lines(self, offset: int) -> bool:
        region = self.region_at(offset)
        return region is not None and not region.inline

    def dialect_at(self, offset: int) -> str:
        region = self.region_at(offset)
        return region.dialect if region is not None else ""

    def around(self, offset: int) -> str:
        region = self.region_at(offset)
        if region is None:
            return _blank(self.text)
        start, end = region.span
        return _blank(self.text[:start]) + self.text[start:end] + _blank(self.text[end:])

    @cached_property
    def beside(self) -> str:
        """The text of the other kind: all but the SQL."""
        ends = [0, *(region.span.end for region in self.regions)]
        starts = [*self._starts, len(self.text)]
        return "".join(self.whole.text[a:b] for a, b in zip(ends, starts, strict=True))

    def outward(self, edit: TextEdit) -> TextEdit:
        region = self.region_at(edit.span.start)
        if region is not None and region.inline:
            return TextEdit(edit.span, _LINE_END.sub(" ", edit.text))
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
        part = outline(region.span.of(text), region.dialect or dialect)
        statements += (statement.moved(by) for statement in part.statements)
        if not region.inline:
            # Nothing could be written under a question there.
            comments += (Piece(each.kind, each.start + by, each.end + by) for each in part.comments)
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
    r"(?:%%(?P<name>sql|bigquery|bqsql)(?!\w)(?P<options>[^\r\n]*+)|%sql[ \t]*+(?=[\r\n]))"
    r"(?:\r\n|\r|\n|\Z)"
)
_FIRST_WORD = (
    r"(?:SELECT|WITH|FROM|VALUES|INSERT|UPDATE|DELETE|MERGE|CREATE|ALTER|DROP|EXPLAIN|DESCRIBE)\b"
)
_MAGIC_LINE = re.compile(
    r"^[ \t]*+(?:[\w.,*\[\]\"' \t]++=[ \t]*+)?+%sql[ \t]++"
    rf"(?P<options>(?:(?!{_FIRST_WORD})[^\s]++[ \t]++){{0,8}}+)(?={_FIRST_WORD})"
    r"[^\r\n]*+(?<!\\)(?:\r\n|\r|\n|\Z)",
    re.IGNORECASE | re.MULTILINE,
)
"""A line of Python that is SQL; not one that goes on in the next line."""
_OPTIONS = re.compile(r"-|@|\S*://|\w+[ \t]*<<")
_URL = re.compile(r"(?<!\S)(\w+)(?:\+\w+)?://")
_TEXT_OF_LINES = re.compile(r"\"\"\"|'''")


def _cell(text: str) -> Iterator[Region]:
    """The lines under ``%%sql`` and its kin, or what stands behind ``%sql`` in lines of Python."""
    magic = _MAGIC.match(text)
    if magic is not None:
        if magic.end() < len(text):
            dialect = "bigquery" if magic["name"] in ("bigquery", "bqsql") else ""
            dialect = dialect or _dialect_of(magic["options"] or "")
            yield Region(Span(magic.end(), len(text)), dialect=dialect)
        return
    if "%sql" not in text or _TEXT_OF_LINES.search(text) is not None:
        return
    for line in _MAGIC_LINE.finditer(text):
        options = line["options"]
        if not options or _OPTIONS.match(options):
            where = Span(line.end("options"), line.end())
            yield Region(where, dialect=_dialect_of(options), inline=True)


def _dialect_of(options: str) -> str:
    """The dialect of the database that a magic's options name, ``""`` if they name none."""
    url = _URL.search(options)
    return SQL_LANGUAGES.get(url[1].lower(), "") if url is not None else ""


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
