"""Inputs near those of a corpus, the same ones every time: what a short run tries."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random

_MOST = 2_000
"""Bytes of an input."""
_TEXTS = (
    "'", '"', "`", ";", "--", "/*", "*/", "$$", "(", ")", "[", "]", "{{", "}}", "{%", "%}", "\n",
    "\r\n", "\r", "\0", "\t", " ", "```", "~~~", "```sql\n", "😀", "\ufeff", "\u2028", "é", "\\",
    "-- ask: x\n", "SELECT 1", "SELECT", "FROM", "WITH", "<think>", "</think>", "{", "}", ":",
    "Content-Length: 5\r\n\r\n", "0", "-1", "99999999999999999999", "&a", "*a", "<<",
)  # fmt: skip
_BROKEN = (b"\xff", b"\xed\xa0\x80", b"\xc3")
"""What is no UTF-8."""
_ODD = (*(text.encode() for text in _TEXTS), *_BROKEN)


def mutations(folder: Path, number: int, seed: int = 0) -> Iterator[bytes]:
    """The files of a corpus, then so many changes of them."""
    known = [path.read_bytes() for path in sorted(folder.iterdir())]
    yield from known
    chance = Random(seed)
    for _ in range(number):
        data = chance.choice(known)
        for _ in range(chance.randint(1, 6)):
            data = _changed(data, chance.choice(known), chance)
        yield data[:_MOST]


def _changed(data: bytes, other: bytes, chance: Random) -> bytes:
    at = chance.randint(0, len(data))
    end = min(len(data), at + chance.choice((0, 1, 2, 8, 40)))
    match chance.randrange(6):
        case 0:
            return data[:at] + data[end:]
        case 1:
            return data[:at] + chance.choice(_ODD) + data[at:]
        case 2:
            return data[:at] + chance.choice(_ODD) + data[end:]
        case 3:
            return data[:at] + data[at:end] * chance.choice((2, 3, 20)) + data[end:]
        case 4:
            cut = chance.randint(0, len(other))
            return data[:at] + other[cut:]
    return bytes([chance.randrange(256)]) + data[1:]
