"""What models and chat windows do to SQL text, undone outside literals only.

Markdown escapes (``customer\\_id``), HTML entities (``&gt;``), full-width punctuation, smart
quotes and invisible characters. Strings, quoted names and comments keep every character.
"""

from __future__ import annotations

import re
import unicodedata

from sqlscribe.notation.lexicon import Kind, scan
from sqlscribe.notation.marked_comments import may_hold_marks

_ENTITIES = {
    "gt": ">",
    "lt": "<",
    "amp": "&",
    "quot": '"',
    "apos": "'",
    "nbsp": " ",
    "#39": "'",
    "#x27": "'",
    "#34": '"',
    "#x22": '"',
    "#60": "<",
    "#62": ">",
}
_FULL_WIDTH = {"、": ", ", "“": '"', "”": '"', "‘": "'", "’": "'", "′": "'", "‐": "-", "–": "-"}
_FULL_WIDTH |= {"—": "-", "−": "-", "×": "*", "≤": "<=", "≥": ">=", "≠": "<>"}
# The block of full-width forms has ASCII's order; its letters and digits may be names.
_FULL_WIDTH |= {
    chr(point): chr(point - 0xFEE0)
    for point in range(0xFF01, 0xFF5F)
    if not chr(point - 0xFEE0).isalnum()
}
_SEPARATORS = "，；、"
_ODD = re.compile(
    r"[‘’](?P<single>[^‘’'\n]*)[‘’]"
    r"|[“”](?P<double>[^“”\"\n]*)[“”]"
    r"|＇(?P<wide>[^＇'\n]*)＇"
    rf"|&(?:amp;)?(?P<entity>{'|'.join(_ENTITIES)});"
    r"|\\(?P<control>[nt])"
    r"|\\{1,2}(?P<escaped>[_*<>\[\]().!+`~|&=#-])"
    r"|[「『](?P<corner>[^「」『』'\n]*)[」』]"
    r"|(?<!\w)(?P<digits>[０-９]+)(?!\w)"
    r"|(?P<blank>[\u00a0\u2000-\u200a\u202f\u205f\u3000\u2028\u2029])"
    r"|(?P<invisible>[\u00ad\u200b-\u200f\u2060-\u2064\ufeff]+)"
    rf"|(?P<separator>[{_SEPARATORS}]+)(?=(?P<space>\s|\Z)?)"
    rf"|(?P<folded>[{re.escape(''.join(_FULL_WIDTH))}])",
    re.IGNORECASE,
)


def cleaned(sql: str, dialect: str) -> str:
    """The text without these marks. The same object where there are none."""
    if _ODD.search(sql) is None:
        return sql
    parts = []
    for kind, start, end in scan(sql, dialect):
        piece = sql[start:end]
        if kind is Kind.CODE:
            piece = _ODD.sub(_plain, piece)
            if sql[end - 1] in _SEPARATORS and end < len(sql):
                piece += " "
        parts.append(piece)
    return "".join(parts)


_MARKED = re.compile(r"(?:--|\#|//|/\*)[-#*/!]*+\s*+(?i:sqlscribe)\s*+[:：]")


def without_marks(sql: str, dialect: str) -> str:
    """The text without comments that speak to this program: those are a person's alone.

    In a file they would ask another question, switch findings off, or tell where an answer
    comes from.
    """
    if not _speaks_to_us(sql):
        return sql
    parts = []
    for kind, start, end in scan(sql, dialect):
        piece = sql[start:end]
        if kind not in (Kind.LINE_COMMENT, Kind.BLOCK_COMMENT) or not _speaks_to_us(piece):
            parts.append(piece)
        elif kind is Kind.BLOCK_COMMENT:
            parts.append(" ")
    return "".join(parts).strip()


def _speaks_to_us(text: str) -> bool:
    return may_hold_marks(text) or _MARKED.search(text) is not None


def _between_words(match: re.Match[str]) -> bool:
    around = (
        match.string[max(match.start() - 1, 0) : match.start()],
        match.string[match.end() : match.end() + 1],
    )
    return all(mark.isalnum() or mark == "_" for mark in around)


def _plain(match: re.Match[str]) -> str:
    for group, quote in (("single", "'"), ("double", '"'), ("wide", "'"), ("corner", "'")):
        if match[group] is not None:
            return f"{quote}{match[group]}{quote}"
    if match["entity"]:
        return _ENTITIES[match["entity"].lower()]
    if match["control"]:
        return "\n" if match["control"].lower() == "n" else " "
    if match["escaped"]:
        return match["escaped"]
    if match["digits"]:
        return unicodedata.normalize("NFKC", match["digits"])
    if match["blank"]:
        return " "
    if match["invisible"]:
        return " " if _between_words(match) else ""
    if match["separator"]:
        folded = "".join(_FULL_WIDTH[mark].strip() for mark in match["separator"])
        return folded if match["space"] is not None else folded + " "
    return _FULL_WIDTH[match["folded"]]
