"""First words of statements that an engine does not have, such as ``REPLACE INTO``.

They are read from the text: of most statements that are not queries only parts are parsed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from sqlscribe.checking.dialects import clause_features
from sqlscribe.checking.dialects.feature import Feature, engine_of, findings, rewrite
from sqlscribe.notation.document import Span
from sqlscribe.notation.findings import Finding

_SPACE = r"(?:\s++|--[^\r\n]*+|/\*(?:[^*]++|\*(?!/))*+\*/)"
_FIRST = re.compile(
    rf"{_SPACE}*+(?:(?P<replace>REPLACE){_SPACE}++INTO\b|(?P<truncate>TRUNCATE(?:{_SPACE}++TABLE)?)\b"
    rf"|CREATE{_SPACE}++(?P<or>OR{_SPACE}++(?P<word>REPLACE|ALTER)){_SPACE}++(?P<kind>\w++))",
    re.IGNORECASE,
)
_ROUTINES = frozenset("VIEW PROCEDURE PROC FUNCTION TRIGGER".split())


def check_first_words(sql: str, dialect: str) -> Iterator[Finding]:
    """What the engine lacks in how a statement starts."""
    found = _FIRST.match(sql)
    if found is None or not dialect:
        return
    if found["replace"]:
        yield from findings(clause_features.REPLACE_INTO, _span(found, "replace"), dialect)
        return
    if found["truncate"]:
        place = _span(found, "truncate")
        fix = rewrite("Change to DELETE FROM", (place, "DELETE FROM"))
        yield from findings(clause_features.TRUNCATE, place, dialect, fix)
        return
    kind, word = found["kind"].upper(), found["word"].upper()
    if kind in _ROUTINES:
        feature = clause_features.OR_ALTER if word == "ALTER" else clause_features.OR_REPLACE
        own = feature.instead.get("tsql", "") if word == "REPLACE" else "OR REPLACE"
        yield from _told(found, feature, dialect, own)
    elif word == "REPLACE" and kind in ("TABLE", "MATERIALIZED"):
        yield from _told(found, clause_features.OR_REPLACE_TABLE, dialect, "")


def _told(found: re.Match[str], feature: Feature, dialect: str, own: str) -> Iterator[Finding]:
    """The finding, with the engine's own words where it has some."""
    place = _span(found, "or")
    named = own and own in feature.instead.get(engine_of(dialect), "")
    fixes = (rewrite(f"Change to {own}", (place, own)),) if named else ()
    yield from findings(feature, place, dialect, *fixes)


def _span(found: re.Match[str], group: str) -> Span:
    return Span(*found.span(group))
