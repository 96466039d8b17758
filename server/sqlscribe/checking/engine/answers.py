"""From what an engine says to a finding at the word that it means."""

from __future__ import annotations

import re
from dataclasses import dataclass

from sqlscribe.notation.document import Span
from sqlscribe.notation.findings import Finding, Severity

CODE = "engine/error"

_LONGEST = 400
_WORD = re.compile(
    r"""(?:[^\W\d][\w$]*|"[^"\n]*"|`[^`\n]*`|\[[^\]\n]*\])
        (?:\.(?:[^\W\d][\w$]*|"[^"\n]*"|`[^`\n]*`|\[[^\]\n]*\]))*
      |'(?:[^'\n]|'')*'|\d[\w.]*|\|\||::|[<>!=]=|<>|\S""",
    re.VERBOSE,
)
_NAMED = re.compile(
    r"""["'`](?P<quoted>[^"'`\n]{1,128})["'`]
      | :\s*(?P<last>[\w.$]{1,128})\s*\Z
      | \bFUNCTION\s(?P<function>[\w.$]{1,128})""",
    re.VERBOSE,
)
_KIND = re.compile(r"\A(?:Binder|Parser|Catalog) Error: ")
_LAST_WORD = re.compile(r"(?:[\w$.]{1,128}|\S)(?=\s*\Z)")
_BARE = re.compile(r"[\w$]+")


@dataclass(frozen=True)
class Said:
    """The engine's message. ``offset`` is where in the query, in characters, if it says so."""

    message: str
    offset: int | None = None


def finding(sql: str, said: Said, engine: str) -> Finding:
    """``said`` as a finding on the word at its place, or on the first name that it quotes."""
    words = " ".join(_KIND.sub("", said.message).split())
    if len(words) > _LONGEST:
        words = words[:_LONGEST].rstrip() + "…"
    message = f"{engine} refuses this query: {words}"
    return Finding(CODE, Severity.ERROR, message, span_in(sql, said))


def span_in(sql: str, said: Said) -> Span:
    """The word that is meant; the first word of the query where nothing tells which."""
    if said.offset is not None and 0 <= said.offset < len(sql):
        return _word_at(sql, said.offset)
    if said.offset is not None and said.offset >= len(sql):
        last = _LAST_WORD.search(sql)
        return Span(last.start(), last.end()) if last else Span(0, len(sql))
    for match in _NAMED.finditer(said.message):
        span = _name_in(sql, match[match.lastgroup or 0])
        if span is not None:
            return span
    start = len(sql) - len(sql.lstrip())
    return _word_at(sql, start) if start < len(sql) else Span(0, len(sql))


def _word_at(sql: str, offset: int) -> Span:
    found = _WORD.match(sql, offset)
    if found is None:
        # White space: the word that comes next, or the end.
        found = _WORD.search(sql, offset)
    return Span(found.start(), found.end()) if found else Span(offset, len(sql))


def _name_in(sql: str, name: str) -> Span | None:
    """Where a name stands as a whole word; its last part where it is not found with all."""
    for text in dict.fromkeys((name, name.rpartition(".")[2])):
        if not text or not _BARE.search(text):
            continue
        found = re.search(rf"(?<![\w$]){re.escape(text)}(?![\w$])", sql, re.IGNORECASE)
        if found is not None:
            return Span(found.start(), found.end())
    return None


def offset_of_line(sql: str, line: int) -> int | None:
    """Where the 1-based ``line`` of a query starts."""
    start = 0
    for _ in range(line - 1):
        newline = sql.find("\n", start)
        if newline < 0:
            return None
        start = newline + 1
    return start
