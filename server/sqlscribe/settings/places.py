"""Where the keys and values of a TOML text stand; ``tomllib`` does not tell.

The text is known to be valid, so the scanner only needs to find the ends of things.
Where it does not, it stops, and the keys behind that place are found at their table.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field

from sqlscribe.notation.document import Span

Path = tuple[str, ...]
_One = Callable[[int], None]

_SPACE = re.compile(r"(?:[ \t\r\n\ufeff]|#[^\n]*)*")
_BLANK = re.compile(r"[ \t]*")
_KEY = re.compile(r"""[A-Za-z0-9_-]+|"(?:[^"\\\n]|\\.)*"|'[^'\n]*'""")
_STRING = re.compile(
    r'"""(?:[^\\"]|\\[\s\S]|"(?!""))*"{3,5}'
    r"|'''(?:[^']|'(?!''))*'{3,5}"
    r'|"(?:[^"\\\n]|\\.)*"'
    r"|'[^'\n]*'"
)
_SCALAR = re.compile(r"\d{4}-\d\d-\d\d \d\d:[^\s,\]}#]*|[^\s,\]}#]+")


@dataclass(frozen=True)
class Place:
    """Spans of a key and of its value; for a table, both are the name in its header."""

    key: Span
    value: Span


@dataclass
class Places:
    """Everything written in a TOML text, by its path."""

    found: dict[Path, Place] = field(default_factory=dict)

    def key(self, path: Path) -> Span:
        """Span of a key; of the closest table around it where the key was not found."""
        return self._closest(path).key

    def value(self, path: Path) -> Span:
        """Span of a value, found like the span of a key."""
        return self._closest(path).value

    def _closest(self, path: Path) -> Place:
        for length in range(len(path), 0, -1):
            if path[:length] in self.found:
                return self.found[path[:length]]
        return Place(Span(0, 0), Span(0, 0))


def places(text: str) -> Places:
    """The places of all keys in a valid TOML text."""
    scanner = _Scanner(text)
    # Written or nested in a way that is unknown here: what was found will do.
    with suppress(_LostError, RecursionError):
        scanner.document()
    return Places(scanner.found)


class _LostError(Exception):
    """The text does not go on as expected."""


class _Scanner:
    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.found: dict[Path, Place] = {}

    def document(self) -> None:
        table: Path = ()
        self._skip(_SPACE)
        while self.at < len(self.text):
            if self.text.startswith("[", self.at):
                table = self._header()
            else:
                self._pair(table)
            self._skip(_SPACE)

    def _header(self) -> Path:
        brackets = 2 if self.text.startswith("[[", self.at) else 1
        self.at += brackets
        path, span = self._key()
        self._within(path, (), span)
        self.found.setdefault(path, Place(span, span))
        self._expect("]" * brackets)
        return path

    def _pair(self, table: Path) -> None:
        keys, span = self._key()
        self._expect("=")
        self._skip(_BLANK)
        path = table + keys
        self._within(path, table, span)
        start = self.at
        self._value(path)
        self.found.setdefault(path, Place(span, Span(start, self.at)))

    def _within(self, path: Path, table: Path, span: Span) -> None:
        """The parts of a dotted key are tables without a header of their own."""
        for length in range(len(table) + 1, len(path)):
            self.found.setdefault(path[:length], Place(span, span))

    def _key(self) -> tuple[Path, Span]:
        parts: list[str] = []
        self._skip(_BLANK)
        start = end = self.at
        while True:
            match = self._match(_KEY)
            parts.append(_plain(match))
            end = self.at
            self._skip(_BLANK)
            if not self.text.startswith(".", self.at):
                return tuple(parts), Span(start, end)
            self.at += 1
            self._skip(_BLANK)

    def _value(self, path: Path) -> None:
        opening = self.text[self.at : self.at + 1]
        if opening == "{":
            self._items("}", lambda _: self._pair(path))
        elif opening == "[":
            self._items("]", lambda index: self._item((*path, str(index))))
        elif opening in ('"', "'"):
            self._match(_STRING)
        else:
            self._match(_SCALAR)

    def _item(self, path: Path) -> None:
        start = self.at
        self._value(path)
        self.found.setdefault(path, Place(Span(start, self.at), Span(start, self.at)))

    def _items(self, closing: str, one: _One) -> None:
        self.at += 1
        index = 0
        self._skip(_SPACE)
        while not self.text.startswith(closing, self.at):
            one(index)
            index += 1
            self._skip(_SPACE)
            if self.text.startswith(",", self.at):
                self.at += 1
                self._skip(_SPACE)
            elif not self.text.startswith(closing, self.at):
                raise _LostError
        self.at += 1

    def _skip(self, pattern: re.Pattern[str]) -> None:
        if match := pattern.match(self.text, self.at):
            self.at = match.end()

    def _match(self, pattern: re.Pattern[str]) -> str:
        match = pattern.match(self.text, self.at)
        if match is None:
            raise _LostError
        self.at = match.end()
        return match.group()

    def _expect(self, text: str) -> None:
        self._skip(_BLANK)
        if not self.text.startswith(text, self.at):
            raise _LostError
        self.at += len(text)


def _plain(key: str) -> str:
    """A key without its quotes and escapes."""
    if not key.startswith(('"', "'")):
        return key
    return str(next(iter(tomllib.loads(f"{key} = 0"))))
