"""Formats of dates: ``%Y-%m``, ``YYYY-MM`` and ``yyyy-MM`` say the same to different engines."""

from __future__ import annotations

import re

_PERCENT = {"%Y": "Y", "%y": "y", "%m": "m", "%d": "d", "%H": "H", "%b": "b"}
_MYSQL = _PERCENT | {"%i": "M", "%s": "S", "%S": "S"}
_STRFTIME = _PERCENT | {"%M": "M", "%S": "S"}
_CHAR = {
    "YYYY": "Y",
    "YY": "y",
    "MM": "m",
    "DD": "d",
    "HH24": "H",
    "MI": "M",
    "SS": "S",
    "Mon": "b",
}
_JAVA = {
    "yyyy": "Y",
    "yy": "y",
    "MM": "m",
    "dd": "d",
    "HH": "H",
    "mm": "M",
    "ss": "S",
    "MMM": "b",
}
STYLES = {"mysql": _MYSQL, "strftime": _STRFTIME, "char": _CHAR, "java": _JAVA}
"""Each style's marks, and the same letter for the same part of a date in all of them."""

_SEPARATORS = frozenset("-/:. ,_")


def converted(text: str, style: str) -> str | None:
    """A format in the marks of another style; ``None`` where one of its marks is not plain."""
    for source in _possible(text):
        parts = _read(text, STYLES[source])
        if parts is not None:
            written = {letter: mark for mark, letter in reversed(STYLES[style].items())}
            return "".join(written.get(part, part) for part in parts)
    return None


def _possible(text: str) -> tuple[str, ...]:
    if "%" in text:
        # %M is a minute to some engines and a month's name to others.
        return () if "%M" in text and "%H" not in text else ("mysql", "strftime")
    return ("java", "char") if re.search("[yd]", text) else ("char",)


def _read(text: str, marks: dict[str, str]) -> list[str] | None:
    parts: list[str] = []
    position = 0
    longest = sorted(marks, key=len, reverse=True)
    while position < len(text):
        mark = next((mark for mark in longest if text.startswith(mark, position)), None)
        if mark is None and text[position] not in _SEPARATORS:
            return None
        parts.append(marks[mark] if mark else text[position])
        position += len(mark) if mark else 1
    return parts
