"""``-- sqlscribe: key=value …``: one line that a program writes under a statement.

An answer's origin stands there, and who verified an example. A value with anything but plain
characters is written as a JSON string.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from typing import NamedTuple

from sqlscribe.notation.document import Span

OURS = re.compile(r"[-#*/!]*+[^\S\r\n]*+sqlscribe[^\S\r\n]*+[:：]", re.IGNORECASE)
"""Start of a comment's content that speaks to this program and is no question."""
Facts = tuple[tuple[str, str], ...]

_BLANK = r"[^\S\r\n]*+"
_STAMP = rf"--{_BLANK}sqlscribe{_BLANK}:{_BLANK}(?=[a-z_]+=)(?P<said>[^\r\n]*+)"
_UNDER = re.compile(
    rf"{_BLANK}(?:--[^\r\n]*+|/\*(?:(?!\*/)[^\r\n])*+\*/{_BLANK})?+(?:\r\n|\r|\n){_BLANK}"
    rf"(?P<stamp>{_STAMP})"
)
_FACT = re.compile(r'([a-z_]++)=("(?:[^"\\\r\n]|\\.)*+"|[^\s"]*+)(?!\S)')
_PLAIN = re.compile(r"[\w.:/@+-]+", re.ASCII)


class Stamp(NamedTuple):
    """A stamp and its place, from ``--`` to the end of its line. A key may come several times."""

    span: Span
    facts: Facts

    def get(self, key: str) -> str:
        """The value of a key, ``""`` if it is not there."""
        return next((value for name, value in self.facts if name == key), "")


def stamp_under(text: str, end: int) -> Stamp | None:
    """The stamp on the line under a statement that ends, with its terminator, at ``end``."""
    found = _UNDER.match(text, end)
    if found is None:
        return None
    return Stamp(Span(*found.span("stamp")), read_facts(found["said"]))


def read_facts(line: str) -> Facts:
    """The facts in what :func:`write_facts` wrote; what does not read as one is passed over."""
    return tuple((found[1], _value(found[2])) for found in _FACT.finditer(line))


def write_facts(facts: Iterable[tuple[str, str]]) -> str:
    """Facts in one line: ``at=2024-01-31 model="my model"``."""
    return " ".join(f"{key}={_written(value)}" for key, value in facts)


def stamp(facts: Iterable[tuple[str, str]]) -> str:
    """The comment that holds the facts."""
    return f"-- sqlscribe: {write_facts(facts)}"


def _value(written: str) -> str:
    if not written.startswith('"'):
        return written
    try:
        return str(json.loads(written))
    except ValueError:
        return ""


def _written(value: str) -> str:
    if _PLAIN.fullmatch(value):
        return value
    # Line ends must not end the comment, nor braces begin a template's expression.
    quoted = json.dumps(value, ensure_ascii=False).replace("{", "\\u007b").replace("}", "\\u007d")
    return re.sub(r"[\x7f-\x9f\u2028\u2029]", lambda found: f"\\u{ord(found[0]):04x}", quoted)
