"""What may stand in for an expression whose text is not known, by its place in the SQL."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from sqlscribe.notation.lexicon import Kind, scan


class StandIn(NamedTuple):
    """A text as long as the expression; ``sure`` where only a value can have stood there."""

    text: str
    sure: bool


_VISIBLE = re.compile(r"[^\r\n]")
# Characters that no SQL has stand for those in quotes.
_QUOTED = {Kind.STRING: "\x01", Kind.IDENTIFIER: "\x02"}
_BEFORE = re.compile(r"(?:([^\W\d]\w*)|(\S))\Z")
_AFTER = re.compile(r"\s*(?:([^\W\d]\w*)|(\S))?")
_LOOKED_AT = 2_000
_LONGEST_WORD = 80

# After these words a value or a condition stands.
_VALUE_FOLLOWS = frozenset(
    "WHERE AND OR NOT ON HAVING WHEN THEN ELSE LIKE ILIKE RLIKE REGEXP IN BETWEEN LIMIT OFFSET"
    " BY CASE QUALIFY TOP INTERVAL".split()
)
# After these a table or a new name.
_NAME_FOLLOWS = frozenset(
    "FROM JOIN INTO TABLE VIEW UPDATE AS WITH RECURSIVE LATERAL WINDOW OVER USING".split()
)
_NO_CALL = frozenset(
    "AS FROM JOIN EXISTS UNION ALL EXCEPT INTERSECT LATERAL USING OVER SELECT".split()
)
_OPERATORS = frozenset("=<>!+-/|^")
_ALSO_STARS = frozenset("*%")
_CASTS = frozenset("CAST TRY_CAST SAFE_CAST CONVERT".split())


@dataclass(frozen=True)
class Places:
    """``masked`` is the text with ``x`` for every character of its expressions."""

    masked: str
    dialect: str

    @cached_property
    def _code(self) -> str:
        """The text with blanks for comments and stand-ins for what is quoted."""
        pieces: list[str] = []
        for kind, start, end in scan(self.masked, self.dialect):
            piece = self.masked[start:end]
            if kind in (Kind.LINE_COMMENT, Kind.BLOCK_COMMENT):
                piece = _VISIBLE.sub(" ", piece)
            elif kind is not Kind.CODE:
                piece = _QUOTED[kind] * len(piece)
            pieces.append(piece)
        return "".join(pieces)

    def stand_in(self, start: int, end: int) -> StandIn:
        """What to write for the expression at ``masked[start:end]``."""
        held = self._code[start:end]
        template = self.masked[start:end]
        if not held.strip():
            return StandIn(_VISIBLE.sub(" ", template), True)
        if held.startswith(_QUOTED[Kind.STRING]):
            return StandIn(template, True)
        if held.startswith(_QUOTED[Kind.IDENTIFIER]) or self._is_part_of_a_name(start, end):
            return StandIn(template, False)
        found = self._value(start, end)
        if found is None:
            # Behind a whole clause only another one can come, and where nothing is before it
            # the expression is the query.
            return StandIn(_VISIBLE.sub(" ", template), False)
        word, sure = found
        blanks = _VISIBLE.sub(" ", template)
        if not blanks.startswith(" " * len(word)):
            # A line ends too early in the template to keep both it and the word.
            return StandIn(blanks, False)
        return StandIn(word + blanks[len(word) :], sure)

    def _is_part_of_a_name(self, start: int, end: int) -> bool:
        """Next to a letter or a dot, before a bracket, or where a name is due."""
        code = self._code
        around = (code[start - 1 : start], code[end : end + 1])
        if any(_is_letter(each) for each in around) or around[1] == "(":
            return True
        word, mark = self._before(start)
        next_word, next_mark = self._after(end)
        if mark == "." or next_mark == ".":
            return True
        if word == "AS" and self._call_around(start) in _CASTS:
            return False
        return word in _NAME_FOLLOWS or (next_word == "AS" and self._names_a_query(end))

    def _value(self, start: int, end: int) -> tuple[str, bool] | None:
        word, mark = self._before(start)
        next_word, next_mark = self._after(end)
        if word == "AS" or self._behind(start).endswith("::"):
            return "text", True
        operator = mark in _OPERATORS or next_mark in _OPERATORS
        if operator or word in _VALUE_FOLLOWS or (mark in _ALSO_STARS and self._multiplies(start)):
            return "?", True
        is_item = mark in ("(", ",") or word in ("SELECT", "DISTINCT", "ALL")
        if not is_item:
            return None
        call = self._call_around(start)
        return "?", next_word == "AS" or bool(call and call not in _NO_CALL)

    def _multiplies(self, start: int) -> bool:
        """Whether the star before ``start`` stands behind a value, not for all columns."""
        before = self._behind(start).rstrip("*% ")
        found = _BEFORE.search(before[-_LONGEST_WORD:])
        if found is None:
            return False
        if found[1]:
            return found[1].upper() not in ("SELECT", "DISTINCT", "ALL")
        return found[2] not in ("(", ",", ".")

    def _names_a_query(self, end: int) -> bool:
        behind = self._code[end : end + _LONGEST_WORD].lstrip()[2:].lstrip()
        return behind.startswith("(")

    def _before(self, start: int) -> tuple[str, str]:
        """The word or the mark before a place; both are empty at the start of the text."""
        found = _BEFORE.search(self._behind(start)[-_LONGEST_WORD:])
        return ((found[1] or "").upper(), found[2] or "") if found else ("", "")

    def _behind(self, start: int) -> str:
        """What stands before a place, without the blanks between."""
        return self._code[max(0, start - _LOOKED_AT) : start].rstrip()

    def _after(self, end: int) -> tuple[str, str]:
        found = _AFTER.match(self._code, end)
        return ((found[1] or "").upper(), found[2] or "") if found else ("", "")

    def _call_around(self, start: int) -> str:
        """The word before the bracket that a place stands in, ``""`` where it is none."""
        depth = 0
        low = max(0, start - _LOOKED_AT)
        for index in range(start - 1, low - 1, -1):
            character = self._code[index]
            if character == ")":
                depth += 1
            elif character == "(":
                if depth == 0:
                    word, _ = self._before(index)
                    inside, _ = self._after(index + 1)
                    return "" if inside in ("SELECT", "WITH") else word
                depth -= 1
        return ""


def _is_letter(character: str) -> bool:
    return character.isalnum() or character in ("_", "$")


_TAG = r"\{%-?+\s*+(?:set\b[^%=]*+=|do\b|import\b|from\b)(?:(?!%\}).)*+%\}"
_HEAD_TAG = rf"(?:\{{#(?:(?!#\}}).)*+#\}}|{_TAG}|\{{\{{-?+\s*+config\b(?:(?!\}}\}}).)*+\}}\}})"
HEAD_TAGS = re.compile(rf"(?s:(?:{_HEAD_TAG}[^\S\r\n]*+(?:\r\n|\r|\n)\s*+)++)")
"""Lines of a template that speak of the whole file: they stay where an answer is replaced."""
ONLY_TAGS = re.compile(
    rf"(?s:(?:{_HEAD_TAG}\s*+)++\Z|(?:{_HEAD_TAG}\s*+)*+\{{%-?+\s*+(?:end\w+|else|elif)\b)"
)
"""No SQL, or the end of a block that was opened above."""
