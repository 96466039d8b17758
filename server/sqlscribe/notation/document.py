"""A text as the protocol sees it: lines, positions in three encodings, spans and edits.

Inside the program every place is an offset in code points (``str`` indices).
Lines and UTF-8/16/32 units exist only here and at the protocol's edge.
Lines end at ``\\n``, ``\\r\\n`` or ``\\r`` and nowhere else, as LSP 3.18 says:
``str.splitlines`` knows eight more line ends and would shift every position after one.
"""

from __future__ import annotations

import codecs
import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, NamedTuple

Encoding = Literal["utf-8", "utf-16", "utf-32"]

_LINE_END = re.compile(r"\r\n|\n|\r")


class Position(NamedTuple):
    """Zero-based line and character; the character counts units of some encoding."""

    line: int
    character: int


class Range(NamedTuple):
    start: Position
    end: Position


class Span(NamedTuple):
    """Half-open range of code point offsets in one text."""

    start: int
    end: int

    def of(self, text: str) -> str:
        return text[self.start : self.end]

    def moved(self, by: int) -> Span:
        return Span(self.start + by, self.end + by)

    def contains(self, offset: int) -> bool:
        """True also at the end: a cursor behind the last character still touches it."""
        return self.start <= offset <= self.end


class TextEdit(NamedTuple):
    """Replace ``span`` by ``text``."""

    span: Span
    text: str


@dataclass(frozen=True)
class Document:
    """An immutable text with its name and version.

    ``uri`` is the exact string the client sent, so that edits go back under the same name.
    ``version`` is ``None`` for a file that no editor has open.
    """

    uri: str
    text: str
    version: int | None = None

    @cached_property
    def line_starts(self) -> Sequence[int]:
        """Offset of the first character of every line; there is always at least one line."""
        return [0, *(end.end() for end in _LINE_END.finditer(self.text))]

    @property
    def host(self) -> Document:
        """The text as the editor has it; another one where this is only the SQL in it."""
        return self

    def outward(self, edit: TextEdit) -> TextEdit:
        """An edit of this text as one of its host."""
        return edit

    @property
    def begin(self) -> int:
        """Where the first line of SQL may be put."""
        return 1 if self.text.startswith("\ufeff") else 0

    def holds(self, offset: int) -> bool:
        """Whether SQL may stand at an offset."""
        return True

    def takes_lines(self, offset: int) -> bool:
        """Whether lines may be added to the SQL at an offset."""
        return True

    def dialect_at(self, offset: int) -> str:
        """The dialect that is said of the SQL at an offset, ``""`` if none is."""
        return ""

    def around(self, offset: int) -> str:
        """What belongs to the same script as an offset; all else is blank."""
        return self.text

    @cached_property
    def newline(self) -> str:
        """The line end this text uses: that of its first line, else ``\\n``."""
        first = _LINE_END.search(self.text)
        return first.group() if first else "\n"

    def line_of(self, offset: int) -> int:
        """Zero-based line of an offset."""
        return bisect_right(self.line_starts, offset) - 1

    def line_span(self, line: int) -> Span:
        """Span of a line without its line end."""
        start = self.line_starts[line]
        if line + 1 == len(self.line_starts):
            return Span(start, len(self.text))
        end = self.line_starts[line + 1]
        if self.text.endswith("\r\n", start, end):
            return Span(start, end - 2)
        return Span(start, end - 1)

    def offset(self, position: Position, encoding: Encoding = "utf-32") -> int:
        """Offset of a position. Too large a line or character means the end of what is there.

        A position inside a character's code units means the start of that character.
        """
        if position.line < 0:
            return 0
        if position.line >= len(self.line_starts):
            return len(self.text)
        span = self.line_span(position.line)
        wanted = max(position.character, 0)
        if encoding == "utf-32" or self.text.isascii():
            return min(span.start + wanted, span.end)
        units = 0
        for offset in range(span.start, span.end):
            units += _width(self.text[offset], encoding)
            if units > wanted:
                return offset
        return span.end

    def position(self, offset: int, encoding: Encoding = "utf-32") -> Position:
        """Position of an offset; one between ``\\r`` and ``\\n`` means the end of the line."""
        offset = min(max(offset, 0), len(self.text))
        line = self.line_of(offset)
        span = self.line_span(line)
        end = min(offset, span.end)
        if encoding == "utf-32" or self.text.isascii():
            return Position(line, end - span.start)
        return Position(line, length(self.text[span.start : end], encoding))

    def range(self, span: Span, encoding: Encoding = "utf-32") -> Range:
        return Range(self.position(span.start, encoding), self.position(span.end, encoding))

    def span(self, range_: Range, encoding: Encoding = "utf-32") -> Span:
        """Span of a range; a reversed range is taken as an empty one at its start."""
        start = self.offset(range_.start, encoding)
        return Span(start, max(start, self.offset(range_.end, encoding)))

    def changed(self, edits: Iterable[TextEdit], version: int | None = None) -> Document:
        """The document after edits that do not overlap, given in any order.

        Raises ``ValueError`` where two edits overlap.
        """
        pieces: list[str] = []
        done = 0
        for span, new_text in sorted(edits, key=lambda edit: edit.span):
            if span.start < done:
                raise ValueError("edits overlap")
            pieces += [self.text[done : span.start], new_text]
            done = span.end
        pieces.append(self.text[done:])
        return self.next("".join(pieces), self.version if version is None else version)

    def next(self, text: str, version: int | None) -> Document:
        """The document's next version. What is known of its lines is taken over."""
        other = Document(self.uri, text, version)
        if "line_starts" in vars(self):
            # A cached property's value may be set, though the class is frozen.
            vars(other)["line_starts"] = self._line_starts_of(text)
        return other

    def _line_starts_of(self, text: str) -> Sequence[int]:
        """The lines of another text; only what is not the same is looked at."""
        if text is self.text:
            return self.line_starts
        edit = difference(self.text, text)
        starts = self.line_starts
        # A line end may be one half of another, so one character more is looked at.
        begin = max(edit.span.start - 1, 0)
        end = min(edit.span.end + 1, len(self.text))
        end += self.text.startswith("\r\n", end - 1)
        by = len(text) - len(self.text)
        kept, left = bisect_right(starts, begin), bisect_right(starts, end)
        between = (found.end() for found in _LINE_END.finditer(text, begin, end + by))
        moved = starts[left:] if by == 0 else [start + by for start in starts[left:]]
        return [*starts[:kept], *between, *moved]


def difference(old: str, new: str) -> TextEdit:
    """The shortest edit that makes ``new`` of ``old``, in one piece."""
    shorter = min(len(old), len(new))
    start = _common(shorter, lambda a, b: old[a:b] == new[a:b])
    over, under = len(old), len(new)
    behind = _common(
        shorter - start, lambda a, b: old[over - b : over - a] == new[under - b : under - a]
    )
    return TextEdit(Span(start, over - behind), new[start : under - behind])


def _common(most: int, same: Callable[[int, int], bool]) -> int:
    """How many characters are the same: comparing pieces is much quicker than single ones."""
    low, high = 0, most
    while low < high:
        middle = (low + high + 1) // 2
        if same(low, middle):
            low = middle
        else:
            high = middle - 1
    return low


def _width(character: str, encoding: Encoding) -> int:
    point = ord(character)
    if encoding == "utf-16":
        return 1 if point < 0x10000 else 2
    if encoding == "utf-8":
        return 1 if point < 0x80 else 2 if point < 0x800 else 3 if point < 0x10000 else 4
    return 1


def length(text: str, encoding: Encoding) -> int:
    """Number of code units of ``text``."""
    if encoding == "utf-32" or text.isascii():
        return len(text)
    return sum(_width(character, encoding) for character in text)


class NotText(ValueError):
    """The bytes are no text: a picture or a database that is called ``.sql``."""


class Decoded(NamedTuple):
    """A file's text, the encoding it was read in, and a remark where it bears no mark of it.

    ``guessed`` where nobody has named that encoding, or letters do not fit.
    """

    text: str
    encoding: str
    remark: str | None = None
    guessed: bool = True


_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)


_GUESS = "cp1252"


def decode(data: bytes, fallback: str = _GUESS) -> Decoded:
    """The text of a file: byte order mark first, then UTF-8, then ``fallback`` with a remark.

    Raises :class:`NotText` for binary content.
    """
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return _decode_marked(data, encoding)
    if b"\0" in data[:4096]:
        guess = _unmarked_utf16(data)
        if guess is None:
            raise NotText("this is not a text file")
        return Decoded(data.decode(guess, "replace"), guess, f"read as {guess}; it has no BOM")
    try:
        return Decoded(data.decode("utf-8"), "utf-8")
    except UnicodeDecodeError:
        text = data.decode(fallback, "replace")
        if fallback != _GUESS and "\ufffd" not in text:
            # Somebody has said so, and it fits.
            return Decoded(text, fallback, f"not UTF-8; read as {fallback}", guessed=False)
        return Decoded(text, fallback, f"not UTF-8; read as {fallback}, letters may be wrong")


def _decode_marked(data: bytes, encoding: str) -> Decoded:
    """One bad byte does not make a marked file unreadable; a wrong mark does."""
    try:
        return Decoded(data.decode(encoding), encoding)
    except UnicodeDecodeError as error:
        text = data.decode(encoding, "replace")
        if text.count("\ufffd") > max(1, len(text) // 20):
            raise NotText(f"marked as {encoding}, but not readable as that") from error
        return Decoded(text, encoding, f"marked as {encoding}, but some letters are not")


UNWRITABLE = re.compile(r"[\x00-\x08\x0b-\x1f\x7f\ud800-\udfff]")
"""Characters by which a file would be no text any more, or could not be written."""
_UNPRINTABLE = re.compile(r"[\x00-\x08\x0e-\x1f\x7f\ufffd]")


def _unmarked_utf16(data: bytes) -> str | None:
    """The byte order in which the text is printable and has some ASCII: blanks, keywords.

    ASCII with a zero here and there is none: two of its letters would make a Chinese one.
    """
    head = data[:4096]
    if head.isascii() and head.count(0) * 4 < len(head):
        return None
    zeros = {"utf-16-le": head[1::2].count(0), "utf-16-be": head[0::2].count(0)}
    guess = max(zeros, key=lambda order: zeros[order])
    # Incremental, so that a character which the cut goes through does not count.
    text = codecs.getincrementaldecoder(guess)("replace").decode(head)
    has_ascii = zeros[guess] * 10 >= len(text) and zeros[guess] > min(zeros.values())
    return guess if has_ascii and not _UNPRINTABLE.search(text) else None
